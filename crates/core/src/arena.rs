//! The arena of a game: a finite coloured directed graph [DP10, 2.1] with the objective's labels.

use std::convert::Infallible;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use crate::numbering::make_room;
use crate::{
    ByPlayer, Components, Error, Label, NodeData, Objective, PacedWatch, Player, PositionKind, Scores, Terminal, Watch,
    WinLose, Winnable,
};

/// The number of a position in an arena, from 0.
pub type Node = u32;

/// The arena of a win-lose game.
pub type Arena = LabelledArena<WinLose>;

/// The arena of a scoring game: a graph without cycles whose moves carry weights.
pub type ScoringArena = LabelledArena<Scores>;

/// A graph of numbered positions in flat arrays: each position's labels, Alice's moves and Bob's
/// moves.
///
/// Space: 23 bytes per position and 4 per move in win-lose games, 40 and 12 in scoring games.
#[derive(Debug, Clone)]
pub struct LabelledArena<L: Objective> {
    start: Node,
    data: Vec<NodeData<L>>,
    /// Alice's moves from node v are `targets[offsets[2v]..offsets[2v + 1]]`; Bob's follow them.
    offsets: Vec<u32>,
    targets: Vec<Node>,
    labels: Vec<L::Move>,
    components: OnceLock<Components>,
}

// Large games depend on these sizes. A label of type `()` takes no space.
const _: () = assert!(Arena::PER_POSITION == 23 && Arena::PER_MOVE == 4);
const _: () = assert!(ScoringArena::PER_POSITION == 40 && ScoringArena::PER_MOVE == 12);

impl<L: Objective> LabelledArena<L> {
    /// Bytes per position: its labels, its offsets and its component.
    pub const PER_POSITION: usize = size_of::<NodeData<L>>()
        + 2 * size_of::<u32>()
        + if L::CYCLES { Components::BYTES } else { Components::BYTES_WITHOUT_CYCLES };

    /// Bytes per move: its target and its label.
    pub const PER_MOVE: usize = size_of::<Node>() + size_of::<L::Move>();

    /// The start position.
    pub fn start(&self) -> Node {
        self.start
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.data.len()
    }

    /// False for every built arena, which has at least its start.
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// All positions.
    pub fn nodes(&self) -> std::ops::Range<Node> {
        0..self.data.len() as Node
    }

    /// The number of moves of both players together.
    pub fn edges(&self) -> usize {
        self.targets.len()
    }

    /// The labels of a position.
    pub fn data(&self, node: Node) -> NodeData<L> {
        self.data[node as usize]
    }

    /// How the game ended at `node`, or `None` if it goes on.
    pub fn terminal(&self, node: Node) -> Option<L::End> {
        self.data(node).end()
    }

    /// The targets of `player`'s moves from `node`; empty at terminal positions.
    pub fn moves(&self, node: Node, player: Player) -> &[Node] {
        &self.targets[self.run(node, player)]
    }

    /// The same targets, each with its move's label.
    pub fn labelled(&self, node: Node, player: Player) -> impl ExactSizeIterator<Item = (Node, L::Move)> + Clone + '_ {
        let run = self.run(node, player);
        self.targets[run.clone()].iter().copied().zip(self.labels[run].iter().copied())
    }

    fn run(&self, node: Node, player: Player) -> std::ops::Range<usize> {
        let run = 2 * node as usize + player as usize;
        self.offsets[run] as usize..self.offsets[run + 1] as usize
    }

    /// The targets of both players' moves from `node`, Alice's first.
    pub fn successors(&self, node: Node) -> &[Node] {
        let run = 2 * node as usize;
        &self.targets[self.offsets[run] as usize..self.offsets[run + 2] as usize]
    }

    /// The strongly connected components, successors first; computed once and cached.
    pub fn components(&self) -> &Components {
        self.components.get_or_init(|| {
            let Ok(found) = Components::of(self.len(), |node| self.successors(node), |_| Ok::<(), Infallible>(()));
            found
        })
    }

    /// [`LabelledArena::components`] for large arenas: the watch can stop the computation.
    ///
    /// # Errors
    /// [`Error::Cancelled`] if the watch says stop.
    pub fn find_components(&self, watch: &dyn Watch) -> Result<&Components, Error> {
        if let Some(known) = self.components.get() {
            return Ok(known);
        }
        let pace = PacedWatch::new(watch);
        let found = Components::of(self.len(), |node| self.successors(node), |steps| pace.steps(steps))?;
        Ok(self.components.get_or_init(|| found))
    }

    /// Whether play cannot leave component `index`.
    pub fn is_closed(&self, index: usize) -> bool {
        let components = self.components();
        let stays = |to: &Node| components.component(*to) as usize == index;
        components.nodes(index).iter().all(|&node| self.successors(node).iter().all(stays))
    }

    /// Whether no play can return to a position.
    pub fn is_acyclic(&self) -> bool {
        !self.components().any_cyclic()
    }

    /// The player who moves at a position without a bid; `None` where there are bids or play has
    /// ended.
    pub fn owner(&self, node: Node) -> Option<Player> {
        match self.data(node) {
            NodeData::On(label) => L::owner(label),
            NodeData::End(_) => None,
        }
    }

    /// The arena with the players exchanged.
    pub fn mirror(&self) -> LabelledArena<L> {
        let mut builder = LabelledArenaBuilder::with_room(self.data.len(), self.targets.len());
        for node in self.nodes() {
            let [alice, bob] =
                Player::BOTH.map(|player| self.labelled(node, player.other()).map(|(to, label)| (to, label.mirror())));
            builder.push(self.data(node).mirror(), alice, bob);
        }
        builder.arena(self.start, self.components.clone())
    }

    /// Extra bytes needed to find the components; 0 afterwards.
    pub fn bytes_to_order(&self) -> u64 {
        if self.components.get().is_some() { 0 } else { self.len() as u64 * Components::BYTES_TO_FIND }
    }

    /// Bytes held by the arena, including its components once found.
    pub fn bytes(&self) -> u64 {
        (self.data.len() * Self::PER_POSITION + self.targets.len() * Self::PER_MOVE) as u64
    }
}

impl<L: Winnable> LabelledArena<L> {
    /// Who has won at a position; `None` where play goes on or nobody has.
    pub fn winner(&self, node: Node) -> Option<Player> {
        self.terminal(node).and_then(L::winner)
    }

    /// Given the values of its successors: the greatest value that `player` can move to, and the
    /// least that the other player can. Both are equal where one player moves without a bid. `None`
    /// where play has ended.
    pub fn best_and_worst<V: Ord + Copy>(
        &self,
        node: Node,
        player: Player,
        value: impl Fn(Node) -> V,
    ) -> Option<[V; 2]> {
        let best = || self.moves(node, player).iter().map(|&to| value(to)).max();
        let worst = || self.moves(node, player.other()).iter().map(|&to| value(to)).min();
        match self.owner(node) {
            None => Some([best()?, worst()?]),
            Some(owner) => Some([if owner == player { best()? } else { worst()? }; 2]),
        }
    }
}

/// Builds the arena of a win-lose game, position by position in order of number.
pub type ArenaBuilder = LabelledArenaBuilder<WinLose>;

/// Builds a [`ScoringArena`], position by position in order of number.
///
/// ```
/// use richman_core::ScoringArenaBuilder;
/// // A heap of two: the mover takes one. Alice's move adds a point, Bob's subtracts one.
/// let mut builder = ScoringArenaBuilder::new();
/// let empty = builder.terminal(0);
/// let one = builder.labelled(&[(empty, 1)], &[(empty, -1)], [0, 0]);
/// let two = builder.labelled(&[(one, 1)], &[(one, -1)], [0, 0]);
/// let arena = builder.build(two)?;
/// assert_eq!(arena.heights(), [0, 1, 2]);
/// # Ok::<(), richman_core::Error>(())
/// ```
pub type ScoringArenaBuilder = LabelledArenaBuilder<Scores>;

/// Builds a [`LabelledArena`], position by position in order of number.
#[derive(Debug, Clone)]
pub struct LabelledArenaBuilder<L: Objective> {
    data: Vec<NodeData<L>>,
    offsets: Vec<u32>,
    targets: Vec<Node>,
    labels: Vec<L::Move>,
    /// The error of the first position rejected by the objective.
    refused: Option<Error>,
}

impl<L: Objective> Default for LabelledArenaBuilder<L> {
    fn default() -> Self {
        let (data, targets, labels) = (Vec::new(), Vec::new(), Vec::new());
        LabelledArenaBuilder { data, offsets: vec![0], targets, labels, refused: None }
    }
}

impl<L: Objective> LabelledArenaBuilder<L> {
    /// An arena without positions.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with room for `positions` and `moves`.
    pub(crate) fn with_room(positions: usize, moves: usize) -> Self {
        let mut builder = Self::default();
        builder.data.reserve_exact(positions);
        builder.offsets.reserve_exact(2 * positions);
        builder.targets.reserve_exact(moves);
        builder.labels.reserve_exact(moves);
        builder
    }

    /// Adds a position where the game has ended and returns its number.
    pub fn terminal(&mut self, end: L::End) -> Node {
        self.push(NodeData::End(end), [].into_iter(), [].into_iter())
    }

    /// Adds a position where the game goes on and returns its number. Moves may lead to later
    /// positions.
    pub fn labelled(
        &mut self,
        alice: &[(Node, L::Move)],
        bob: &[(Node, L::Move)],
        label: impl Into<L::Position>,
    ) -> Node {
        self.push(NodeData::On(label.into()), alice.iter().copied(), bob.iter().copied())
    }

    pub(crate) fn push<I>(&mut self, data: NodeData<L>, alice: I, bob: I) -> Node
    where
        I: ExactSizeIterator<Item = (Node, L::Move)> + Clone,
    {
        let node = self.data.len() as Node;
        let first = self.targets.len();
        make_room(&mut self.data, 1);
        make_room(&mut self.offsets, 2);
        make_room(&mut self.targets, alice.len() + bob.len());
        make_room(&mut self.labels, alice.len() + bob.len());
        self.data.push(data);
        for moves in [alice, bob] {
            self.targets.extend(moves.clone().map(|(to, _)| to));
            self.labels.extend(moves.map(|(_, label)| label));
            self.offsets.push(self.targets.len() as u32);
        }
        let middle = self.offsets[self.offsets.len() - 2] as usize;
        let labels = ByPlayer::new(&self.labels[first..middle], &self.labels[middle..]);
        if let Err(error) = L::check(node, data, labels) {
            self.refused.get_or_insert(error);
        }
        node
    }

    /// The number of positions so far.
    pub fn len(&self) -> usize {
        self.data.len()
    }

    /// Whether no position has been added yet.
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// Bytes held so far.
    pub fn bytes(&self) -> u64 {
        let data = self.data.capacity() * size_of::<NodeData<L>>();
        let moves = self.targets.capacity() * LabelledArena::<L>::PER_MOVE;
        (data + self.offsets.capacity() * size_of::<u32>() + moves) as u64
    }

    /// Reports the first position rejected by the objective.
    ///
    /// # Errors
    /// The first error of [`Objective::check`]; a second call succeeds.
    pub(crate) fn check(&mut self) -> Result<(), Error> {
        self.refused.take().map_or(Ok(()), Err)
    }

    /// Builds the arena with this start.
    ///
    /// # Errors
    /// - The errors of [`Objective::check`]: [`Error::DeadEnd`] if a player of a win-lose game has
    ///   no move where play goes on, [`Error::WeightTooLarge`] for numbers beyond
    ///   [`MAX_WEIGHT`](crate::MAX_WEIGHT).
    /// - [`Error::Cycle`] if play can return to a position and the objective forbids it.
    /// - [`Error::TooManyPositions`] for 2^32 moves or more.
    ///
    /// # Panics
    /// If `start` or a move's target was never added: a mistake of the caller.
    pub fn build(mut self, start: Node) -> Result<LabelledArena<L>, Error> {
        if u32::try_from(self.targets.len()).is_err() {
            return Err(Error::TooManyPositions { limit: u64::from(u32::MAX) });
        }
        self.data.shrink_to_fit();
        self.offsets.shrink_to_fit();
        self.targets.shrink_to_fit();
        self.labels.shrink_to_fit();
        let count = self.data.len() as u64;
        assert!(u64::from(start) < count, "the start must be a position");
        assert!(self.targets.iter().all(|&to| u64::from(to) < count), "moves must lead to positions");
        self.check()?;
        let arena = self.arena(start, OnceLock::new());
        if !L::CYCLES {
            let components = arena.components();
            if let Some(cyclic) = (0..components.len()).find(|&index| components.is_cyclic(index)) {
                let positions = cycle(&arena, cyclic).iter().map(Node::to_string).collect();
                return Err(Error::Cycle { positions });
            }
        }
        Ok(arena)
    }

    fn arena(self, start: Node, components: OnceLock<Components>) -> LabelledArena<L> {
        let LabelledArenaBuilder { data, offsets, targets, labels, .. } = self;
        LabelledArena { start, data, offsets, targets, labels, components }
    }
}

impl ArenaBuilder {
    /// A builder with two positions, a win of Alice and a win of Bob, and their numbers.
    pub fn with_wins() -> (ArenaBuilder, [Node; 2]) {
        let mut builder = ArenaBuilder::new();
        let wins = Player::BOTH.map(|player| builder.terminal(Terminal::Win(player)));
        (builder, wins)
    }

    /// Adds a position where the game goes on and returns its number. Moves may lead to later
    /// positions.
    pub fn position(&mut self, alice: &[Node], bob: &[Node]) -> Node {
        let [alice, bob] = [alice, bob].map(|moves| moves.iter().map(|&to| (to, ())));
        self.push(NodeData::On(PositionKind::Bid), alice, bob)
    }

    /// Adds a position where `owner` moves without a bid and returns its number.
    pub fn owned(&mut self, owner: Player, moves: &[Node]) -> Node {
        let run = |player| if player == owner { moves } else { &[] }.iter().map(|&to| (to, ()));
        self.push(NodeData::On(PositionKind::Owned(owner)), run(Player::Alice), run(Player::Bob))
    }
}

/// A cycle in a cyclic component, from its least position on. A walk can always stay in the
/// component, so it repeats a position.
fn cycle<L: Objective>(arena: &LabelledArena<L>, index: usize) -> Vec<Node> {
    let components = arena.components();
    let mut path = vec![components.nodes(index)[0]];
    let mut seen_at = FxHashMap::from_iter([(path[0], 0)]);
    loop {
        let inside = |to: &&Node| components.component(**to) == index as u32;
        let Some(&next) = arena.successors(path[path.len() - 1]).iter().find(inside) else { return path };
        if let Some(&start) = seen_at.get(&next) {
            let mut cycle = path.split_off(start);
            let least = (0..cycle.len()).min_by_key(|&at| cycle[at]).unwrap_or(0);
            cycle.rotate_left(least);
            return cycle;
        }
        seen_at.insert(next, path.len());
        path.push(next);
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
