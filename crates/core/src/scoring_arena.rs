//! The arena of a scoring game: a graph without cycles whose moves carry weights [LPR20, 2].

use crate::numbering::make_room;
use crate::{Components, Error, Node, Player};

/// The largest weight, score or stuck score, and the least is its negative: the sum over a play through 2^32 positions then
/// fits in 64 bits.
pub const MAX_WEIGHT: i64 = 1_000_000_000;

/// Positions as numbers, in flat arrays: per position the score it ends with, or Alice's moves, Bob's moves and what is
/// added where one of them must move and cannot.
///
/// All numbers are added to Alice's score, Bob's moves included. No play comes back to a position. A player without a move
/// ends the game when it is theirs to move, so no position is a mistake.
/// Space: 45 bytes and 12 bytes a move for each position.
#[derive(Debug, Clone)]
pub struct ScoringArena {
    start: Node,
    ends: Vec<Option<i64>>,
    stuck: Vec<[i64; 2]>,
    /// Alice's moves from node v are `targets[offsets[2v]..offsets[2v + 1]]`, Bob's the next run.
    offsets: Vec<u32>,
    targets: Vec<Node>,
    weights: Vec<i64>,
    order: Vec<Node>,
}

impl ScoringArena {
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

    /// All positions, those that a position's moves lead to before it.
    pub fn order(&self) -> &[Node] {
        &self.order
    }

    /// The number of moves of both players together.
    pub fn edges(&self) -> usize {
        self.targets.len()
    }

    /// What the game ends with at `node`, or `None` where there is a bid.
    pub fn score(&self, node: Node) -> Option<i64> {
        self.ends[node as usize]
    }

    /// What is added when `player` is to move at `node` and cannot, which ends the game.
    pub fn stuck(&self, node: Node, player: Player) -> i64 {
        self.stuck[node as usize][player as usize]
    }

    /// Where `player` can move from `node`, and what each move adds to Alice's score.
    pub fn moves(&self, node: Node, player: Player) -> impl ExactSizeIterator<Item = (Node, i64)> + '_ {
        let run = 2 * node as usize + player as usize;
        let run = self.offsets[run] as usize..self.offsets[run + 1] as usize;
        self.targets[run.clone()].iter().copied().zip(self.weights[run].iter().copied())
    }

    /// Where either player can move from `node`, Alice's moves first.
    pub fn successors(&self, node: Node) -> &[Node] {
        let run = 2 * node as usize;
        &self.targets[self.offsets[run] as usize..self.offsets[run + 2] as usize]
    }

    /// The moves in the longest play from each position.
    pub fn heights(&self) -> Vec<u32> {
        let mut heights = vec![0; self.len()];
        for &node in &self.order {
            let after = self.successors(node).iter().map(|&to| heights[to as usize] + 1);
            heights[node as usize] = after.max().unwrap_or(0);
        }
        heights
    }

    /// Whether both players have the same moves everywhere, with opposite weights and opposite stuck scores
    /// (LPR20's symmetric rulesets, there without stuck scores).
    pub fn is_symmetric(&self) -> bool {
        self.nodes().all(|node| {
            let mut moves = Player::BOTH.map(|player| {
                let sign = if player == Player::Alice { 1 } else { -1 };
                self.moves(node, player).map(|(to, weight)| (to, sign * weight)).collect::<Vec<_>>()
            });
            moves.iter_mut().for_each(|moves| moves.sort_unstable());
            let [alice, bob] = &moves;
            let [stuck, other] = self.stuck[node as usize];
            alice == bob && stuck == -other && self.score(node).unwrap_or(0) == 0
        })
    }

    /// The arena with the players exchanged and every number negated.
    pub fn mirror(&self) -> ScoringArena {
        let mut offsets = Vec::with_capacity(self.offsets.len());
        let mut targets = Vec::with_capacity(self.targets.len());
        let mut weights = Vec::with_capacity(self.weights.len());
        offsets.push(0);
        for node in self.nodes() {
            for player in [Player::Bob, Player::Alice] {
                for (to, weight) in self.moves(node, player) {
                    targets.push(to);
                    weights.push(-weight);
                }
                offsets.push(targets.len() as u32);
            }
        }
        ScoringArena {
            start: self.start,
            ends: self.ends.iter().map(|end| end.map(|score| -score)).collect(),
            stuck: self.stuck.iter().map(|&[alice, bob]| [-bob, -alice]).collect(),
            offsets,
            targets,
            weights,
            order: self.order.clone(),
        }
    }

    /// Bytes held by the arena.
    pub fn bytes(&self) -> u64 {
        (self.ends.len() * PER_POSITION + self.targets.len() * PER_MOVE) as u64
    }
}

const PER_POSITION: usize = 16 + 16 + 8 + 4; // how it ends, stuck scores, where its moves are, the order
const PER_MOVE: usize = 4 + 8;

/// Builds a [`ScoringArena`] position by position, in the order of their numbers.
///
/// ```
/// use richman_core::ScoringArenaBuilder;
/// // A heap of two: whoever moves takes one, a point for Alice's, one less for Bob's.
/// let mut builder = ScoringArenaBuilder::new();
/// let empty = builder.ended(0);
/// let one = builder.position(&[(empty, 1)], &[(empty, -1)], [0, 0]);
/// let two = builder.position(&[(one, 1)], &[(one, -1)], [0, 0]);
/// let arena = builder.build(two)?;
/// assert_eq!(arena.heights(), [0, 1, 2]);
/// # Ok::<(), richman_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct ScoringArenaBuilder {
    ends: Vec<Option<i64>>,
    stuck: Vec<[i64; 2]>,
    offsets: Vec<u32>,
    targets: Vec<Node>,
    weights: Vec<i64>,
}

impl Default for ScoringArenaBuilder {
    fn default() -> Self {
        ScoringArenaBuilder {
            ends: Vec::new(),
            stuck: Vec::new(),
            offsets: vec![0],
            targets: Vec::new(),
            weights: Vec::new(),
        }
    }
}

impl ScoringArenaBuilder {
    /// An arena without positions.
    pub fn new() -> ScoringArenaBuilder {
        ScoringArenaBuilder::default()
    }

    /// Adds a position where the game has ended with a last `score`, and returns its number.
    pub fn ended(&mut self, score: i64) -> Node {
        self.push(Some(score), &[], &[], [0, 0])
    }

    /// Adds a position where there is a bid, and returns its number. Moves come with their weights and may lead to positions
    /// still to be added; `stuck` is what is added when Alice, or Bob, is to move and cannot.
    pub fn position(&mut self, alice: &[(Node, i64)], bob: &[(Node, i64)], stuck: [i64; 2]) -> Node {
        self.push(None, alice, bob, stuck)
    }

    fn push(&mut self, end: Option<i64>, alice: &[(Node, i64)], bob: &[(Node, i64)], stuck: [i64; 2]) -> Node {
        let node = self.ends.len() as Node;
        make_room(&mut self.ends, 1);
        make_room(&mut self.stuck, 1);
        make_room(&mut self.offsets, 2);
        make_room(&mut self.targets, alice.len() + bob.len());
        make_room(&mut self.weights, alice.len() + bob.len());
        self.ends.push(end);
        self.stuck.push(stuck);
        for moves in [alice, bob] {
            self.targets.extend(moves.iter().map(|&(to, _)| to));
            self.weights.extend(moves.iter().map(|&(_, weight)| weight));
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
        (self.ends.capacity() * PER_POSITION + self.targets.capacity() * PER_MOVE) as u64
    }

    /// The arena that starts at `start`.
    ///
    /// # Errors
    /// [`Error::Cycle`] where play can come back to a position, [`Error::WeightTooLarge`] for numbers beyond
    /// [`MAX_WEIGHT`], [`Error::TooManyPositions`] above 2^32 moves.
    ///
    /// # Panics
    /// If `start` or a move leads to a position that was not added: a mistake of the caller.
    pub fn build(self, start: Node) -> Result<ScoringArena, Error> {
        if u32::try_from(self.targets.len()).is_err() {
            return Err(Error::TooManyPositions { limit: u64::from(u32::MAX) });
        }
        let ScoringArenaBuilder { ends, stuck, offsets, targets, weights } = self;
        let count = ends.len() as u64;
        assert!(u64::from(start) < count, "the start must be a position");
        assert!(targets.iter().all(|&to| u64::from(to) < count), "moves must lead to positions");
        let mut arena = ScoringArena { start, ends, stuck, offsets, targets, weights, order: Vec::new() };
        for node in arena.nodes() {
            let weights =
                Player::BOTH.into_iter().flat_map(|player| arena.moves(node, player).map(|(_, weight)| weight));
            let mut numbers = weights.chain(arena.score(node)).chain(arena.stuck[node as usize]);
            if let Some(number) = numbers.find(|number| !(-MAX_WEIGHT..=MAX_WEIGHT).contains(number)) {
                return Err(Error::WeightTooLarge { position: node.to_string(), number });
            }
        }
        let Ok(components) =
            Components::of(arena.len(), |node| arena.successors(node), |_| Ok::<(), std::convert::Infallible>(()));
        if let Some(cyclic) = (0..components.len()).find(|&index| components.is_cyclic(index)) {
            let mut cycle = cycle(&arena, &components, cyclic);
            let least = (0..cycle.len()).min_by_key(|&at| cycle[at]).unwrap_or(0);
            cycle.rotate_left(least);
            let positions = cycle.iter().map(Node::to_string).collect();
            return Err(Error::Cycle { positions });
        }
        arena.order = components.order().to_vec();
        Ok(arena)
    }
}

/// A cycle inside a cyclic component: from any of its positions it is possible to stay in it until one comes again.
fn cycle(arena: &ScoringArena, components: &Components, index: usize) -> Vec<Node> {
    let first = components.nodes(index)[0];
    let mut path = vec![first];
    let mut place = rustc_hash::FxHashMap::from_iter([(first, 0)]);
    let mut at = first;
    loop {
        let inside = arena.successors(at).iter().find(|&&to| components.component(to) == index as u32);
        let Some(&next) = inside else { return path };
        if let Some(&start) = place.get(&next) {
            return path.split_off(start);
        }
        place.insert(next, path.len());
        path.push(next);
        at = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_weights_and_mirror() {
        let mut builder = ScoringArenaBuilder::new();
        let end = builder.ended(3);
        let start = builder.position(&[(end, 2), (end, 1)], &[], [0, 5]);
        let arena = builder.build(start).unwrap();
        assert_eq!(arena.moves(start, Player::Alice).collect::<Vec<_>>(), [(end, 2), (end, 1)]);
        assert_eq!(arena.moves(start, Player::Bob).len(), 0);
        assert_eq!((arena.score(end), arena.stuck(start, Player::Bob)), (Some(3), 5));
        assert!(!arena.is_symmetric());
        let mirror = arena.mirror();
        assert_eq!(mirror.moves(start, Player::Bob).collect::<Vec<_>>(), [(end, -2), (end, -1)]);
        assert_eq!((mirror.score(end), mirror.stuck(start, Player::Alice)), (Some(-3), -5));
    }

    #[test]
    fn a_cycle_is_named() {
        let mut builder = ScoringArenaBuilder::new();
        builder.position(&[(1, 0)], &[], [0, 0]);
        builder.position(&[], &[(2, 1)], [0, 0]);
        builder.position(&[(1, 4)], &[], [0, 0]);
        let Err(Error::Cycle { positions }) = builder.build(0) else { panic!("there is a cycle") };
        assert!(positions == ["1", "2"], "{positions:?}");
        let mut builder = ScoringArenaBuilder::new();
        builder.position(&[(0, 0)], &[], [0, 0]);
        let message = builder.build(0).unwrap_err().to_string();
        assert!(message.contains("0 -> 0"), "{message}");
    }

    #[test]
    fn numbers_have_limits() {
        for (weight, fits) in [(MAX_WEIGHT, true), (-MAX_WEIGHT, true), (MAX_WEIGHT + 1, false), (i64::MIN, false)] {
            let mut builder = ScoringArenaBuilder::new();
            let end = builder.ended(0);
            let start = builder.position(&[(end, weight)], &[], [0, 0]);
            assert_eq!(builder.build(start).is_ok(), fits, "{weight}");
        }
    }
}
