//! The arena: the finite coloured directed graph a game is played on [DP10, 2.1].

use std::convert::Infallible;
use std::sync::OnceLock;

use crate::numbering::make_room;
use crate::{Components, Error, Pace, Player, Watch};

/// The number of a position in an arena, from 0.
pub type Node = u32;

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Terminal {
    /// That player won.
    Win(Player),
    /// Nobody won.
    Draw,
}

impl Terminal {
    /// The same end with the players exchanged.
    pub fn mirror(self) -> Terminal {
        match self {
            Terminal::Win(player) => Terminal::Win(player.other()),
            Terminal::Draw => Terminal::Draw,
        }
    }
}

/// Positions as numbers, in flat arrays: per position how it ended, or Alice's moves and Bob's moves.
///
/// Every position that has not ended has at least one move for each player. Cycles are allowed.
/// Space: one byte, eight bytes and four bytes a move for each position.
#[derive(Debug, Clone)]
pub struct Arena {
    start: Node,
    ends: Vec<Option<Terminal>>,
    /// Alice's moves from node v are `targets[offsets[2v]..offsets[2v + 1]]`, Bob's the next run.
    offsets: Vec<u32>,
    targets: Vec<Node>,
    components: OnceLock<Components>,
}

impl Arena {
    /// The position that the game starts at.
    pub fn start(&self) -> Node {
        self.start
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no position at all; an arena that was built always has one.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All positions.
    pub fn nodes(&self) -> std::ops::Range<Node> {
        0..self.ends.len() as Node
    }

    /// The number of moves of both players together.
    pub fn edges(&self) -> usize {
        self.targets.len()
    }

    /// How the game ended at `node`, or `None` where it goes on.
    pub fn terminal(&self, node: Node) -> Option<Terminal> {
        self.ends[node as usize]
    }

    /// Where `player` can move from `node`; empty exactly at terminal positions.
    pub fn moves(&self, node: Node, player: Player) -> &[Node] {
        let run = 2 * node as usize + player as usize;
        &self.targets[self.offsets[run] as usize..self.offsets[run + 1] as usize]
    }

    /// Where either player can move from `node`, Alice's moves first.
    pub fn successors(&self, node: Node) -> &[Node] {
        let run = 2 * node as usize;
        &self.targets[self.offsets[run] as usize..self.offsets[run + 2] as usize]
    }

    /// The strongly connected components, successors before predecessors; found once and kept.
    pub fn components(&self) -> &Components {
        self.components.get_or_init(|| {
            let Ok(found) = Components::of(self.len(), |node| self.successors(node), |_| Ok::<(), Infallible>(()));
            found
        })
    }

    /// The same where they are not found yet, and of a large arena: asks the watch.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn find_components(&self, watch: &dyn Watch) -> Result<&Components, Error> {
        if let Some(known) = self.components.get() {
            return Ok(known);
        }
        let pace = Pace::new(watch);
        let found = Components::of(self.len(), |node| self.successors(node), |steps| pace.steps(steps))?;
        Ok(self.components.get_or_init(|| found))
    }

    /// Whether no play can come back to a position.
    pub fn is_acyclic(&self) -> bool {
        !self.components().any_cyclic()
    }

    /// The arena with the players exchanged.
    pub fn mirror(&self) -> Arena {
        let mut targets = Vec::with_capacity(self.targets.len());
        let mut offsets = Vec::with_capacity(self.offsets.len());
        offsets.push(0);
        for node in self.nodes() {
            for player in [Player::Bob, Player::Alice] {
                targets.extend_from_slice(self.moves(node, player));
                offsets.push(targets.len() as u32);
            }
        }
        Arena {
            start: self.start,
            ends: self.ends.iter().map(|end| end.map(Terminal::mirror)).collect(),
            offsets,
            targets,
            components: self.components.clone(),
        }
    }

    /// Bytes that finding the components takes beside the arena; 0 once they are found.
    pub fn bytes_to_order(&self) -> u64 {
        if self.components.get().is_some() { 0 } else { self.len() as u64 * Components::BYTES_TO_FIND }
    }

    /// Bytes held by the arena, its components included once found.
    pub fn bytes(&self) -> u64 {
        const PER_POSITION: usize = 1 + 8 + 13; // how it ended, where its moves are, its component
        (self.ends.len() * PER_POSITION + self.targets.len() * 4) as u64
    }
}

/// Builds an [`Arena`] position by position, in the order of their numbers.
#[derive(Debug, Clone)]
pub struct ArenaBuilder {
    ends: Vec<Option<Terminal>>,
    offsets: Vec<u32>,
    targets: Vec<Node>,
}

impl Default for ArenaBuilder {
    fn default() -> Self {
        ArenaBuilder { ends: Vec::new(), offsets: vec![0], targets: Vec::new() }
    }
}

impl ArenaBuilder {
    /// An arena without positions.
    pub fn new() -> ArenaBuilder {
        ArenaBuilder::default()
    }

    /// The same with two positions, the numbers of which are told: one that Alice has won, and one that Bob has won.
    pub fn with_wins() -> (ArenaBuilder, [Node; 2]) {
        let mut builder = ArenaBuilder::new();
        let wins = Player::BOTH.map(|player| builder.terminal(Terminal::Win(player)));
        (builder, wins)
    }

    /// Adds a position where the game has ended and returns its number.
    pub fn terminal(&mut self, end: Terminal) -> Node {
        self.push(Some(end), &[], &[])
    }

    /// Adds a position where the game goes on and returns its number. Moves may lead to positions still to be added.
    pub fn position(&mut self, alice: &[Node], bob: &[Node]) -> Node {
        self.push(None, alice, bob)
    }

    fn push(&mut self, end: Option<Terminal>, alice: &[Node], bob: &[Node]) -> Node {
        let node = self.ends.len() as Node;
        make_room(&mut self.ends, 1);
        make_room(&mut self.offsets, 2);
        make_room(&mut self.targets, alice.len() + bob.len());
        self.ends.push(end);
        for moves in [alice, bob] {
            self.targets.extend_from_slice(moves);
            self.offsets.push(self.targets.len() as u32);
        }
        node
    }

    /// The number of positions so far.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether no position was added yet.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Bytes held so far.
    pub fn bytes(&self) -> u64 {
        (self.ends.capacity() + self.offsets.capacity() * 4 + self.targets.capacity() * 4) as u64
    }

    /// The arena that starts at `start`.
    ///
    /// # Errors
    /// [`Error::DeadEnd`] where the game goes on but a player has no move (DP10 2.2 leaves that case open),
    /// [`Error::TooManyPositions`] above 2^32 moves.
    ///
    /// # Panics
    /// If `start` or a move leads to a position that was not added: a mistake of the caller.
    pub fn build(self, start: Node) -> Result<Arena, Error> {
        if u32::try_from(self.targets.len()).is_err() {
            return Err(Error::TooManyPositions { limit: u64::from(u32::MAX) });
        }
        let ArenaBuilder { mut ends, mut offsets, mut targets } = self;
        ends.shrink_to_fit();
        offsets.shrink_to_fit();
        targets.shrink_to_fit();
        let count = ends.len() as u64;
        assert!(u64::from(start) < count, "the start must be a position");
        assert!(targets.iter().all(|&to| u64::from(to) < count), "moves must lead to positions");
        let arena = Arena { start, ends, offsets, targets, components: OnceLock::new() };
        for node in arena.nodes().filter(|&node| arena.terminal(node).is_none()) {
            for player in Player::BOTH {
                if arena.moves(node, player).is_empty() {
                    return Err(Error::DeadEnd { position: node.to_string(), player });
                }
            }
        }
        Ok(arena)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_and_mirror() {
        let mut builder = ArenaBuilder::new();
        let win = builder.terminal(Terminal::Win(Player::Alice));
        let draw = builder.terminal(Terminal::Draw);
        let start = builder.position(&[win, draw], &[draw]);
        let arena = builder.build(start).unwrap();
        assert_eq!(arena.moves(start, Player::Alice), [win, draw]);
        assert_eq!(arena.moves(start, Player::Bob), [draw]);
        let mirror = arena.mirror();
        assert_eq!(mirror.moves(start, Player::Bob), [win, draw]);
        assert_eq!(mirror.terminal(win), Some(Terminal::Win(Player::Bob)));
        assert_eq!(mirror.terminal(draw), Some(Terminal::Draw));
    }

    #[test]
    fn a_dead_end_is_refused() {
        let mut builder = ArenaBuilder::new();
        let draw = builder.terminal(Terminal::Draw);
        let start = builder.position(&[draw], &[]);
        assert!(matches!(builder.build(start), Err(Error::DeadEnd { player: Player::Bob, .. })));
    }
}
