//! Builds graphs from positions that arrive one by one. Moves may lead to later positions.

use std::borrow::Cow;
use std::num::NonZeroU32;

use crate::names::Names;
use crate::{ByPlayer, GraphError, LabelledGraph, NodeData, Objective, Parity, Player, WinLose};

/// The positions and moves read so far. Flat arrays take about 60 bytes and a label per position, 4
/// and a label per move, or 8 if moves have names, and each name once.
#[derive(Debug)]
pub struct GraphBuilder<L: Objective = WinLose> {
    table: GraphTable,
    data: Vec<NodeData<L>>,
    labels: Vec<L::Move>,
}

/// The number of a move's own name, which is no name of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct MoveName(NonZeroU32);

impl MoveName {
    /// The number, from 0 in the order of first appearance.
    pub fn index(self) -> u32 {
        self.0.get() - 1
    }
}

/// A move for a [`GraphBuilder`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct BuiltMove<M = ()> {
    /// The name of the target, as returned by [`GraphBuilder::name`].
    pub to: u32,
    /// The move's own name; without one it is called by its target.
    pub name: Option<MoveName>,
    /// The label.
    pub label: M,
}

// Long lists of moves are held while they are read.
const _: () = assert!(size_of::<BuiltMove<i64>>() == 16);

/// A move to the position of that name, with the usual label.
impl<M: Default> From<u32> for BuiltMove<M> {
    fn from(to: u32) -> BuiltMove<M> {
        BuiltMove { to, name: None, label: M::default() }
    }
}

impl<L: Objective> Default for GraphBuilder<L> {
    fn default() -> GraphBuilder<L> {
        GraphBuilder::over(GraphTable::default())
    }
}

impl<L: Objective> GraphBuilder<L> {
    fn over(table: GraphTable) -> GraphBuilder<L> {
        GraphBuilder { table, data: Vec::new(), labels: Vec::new() }
    }

    /// A builder with room for `positions` and `moves`. Positions are named "0", "1", "2", ...; the
    /// names take no memory.
    ///
    /// ```
    /// use richman_core::*;
    /// let mut builder = GraphBuilder::<WinLose>::numbered(3, 2);
    /// let toss = ByPlayer::new([1], [2]).map(|to| to.map(BuiltMove::from));
    /// builder.position(0, NodeData::On(PositionKind::Bid), toss);
    /// for (name, winner) in [(1, Player::Alice), (2, Player::Bob)] {
    ///     builder.position(name, NodeData::End(Terminal::Win(winner)), ByPlayer::both([]));
    /// }
    /// let coin = builder.build("coin", "0")?;
    /// assert_eq!((coin.parse("2")?, coin.notation(&1)), (2, "1".to_string()));
    /// assert!(coin.parse("3").is_err() && coin.parse("02").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn numbered(positions: u32, moves: usize) -> GraphBuilder<L> {
        let mut builder = GraphBuilder::announced(positions);
        builder.table.rows.reserve_exact(positions as usize);
        builder.table.moves.reserve_exact(moves);
        builder.data.reserve_exact(positions as usize);
        builder.labels.reserve_exact(moves);
        builder
    }

    /// The same without room, for an untrusted number of positions.
    pub fn announced(positions: u32) -> GraphBuilder<L> {
        GraphBuilder::over(GraphTable { names: Names::numbered(positions), ..GraphTable::default() })
    }

    /// A builder in which every name is a number below `u32::MAX` that stands for itself, also in
    /// [`BuiltMove::to`]. The number of positions need not be known. Names are stored if few
    /// numbers up to the greatest are positions. Moves have no names.
    ///
    /// ```
    /// use richman_core::*;
    /// let mut builder = GraphBuilder::<WinLose>::numerals();
    /// for (name, to) in [(7, 4_000_000_000), (4_000_000_000, 7)] {
    ///     builder.position(name, NodeData::On(PositionKind::Bid), ByPlayer::both([to.into()]));
    /// }
    /// let endless = builder.build("endless", "7")?;
    /// assert_eq!((endless.parse("4000000000")?, endless.notation(&1)), (1, "4000000000".to_string()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn numerals() -> GraphBuilder<L> {
        GraphBuilder::over(GraphTable { are_numerals: true, ..GraphTable::default() })
    }

    /// The number of a name; equal names get equal numbers.
    pub fn name(&mut self, name: &str) -> u32 {
        self.table.names.number(name)
    }

    /// The number of a move's own name; equal names get equal numbers.
    pub fn move_name(&mut self, name: &str) -> MoveName {
        self.table.move_name(name)
    }

    /// The name of a number.
    pub fn text(&self, name: u32) -> Cow<'_, str> {
        self.table.names.get(name)
    }

    /// Adds a position, by the number of its name as returned by [`GraphBuilder::name`]: its
    /// labels, and Alice's moves and Bob's.
    pub fn position(
        &mut self,
        name: u32,
        data: NodeData<L>,
        moves: ByPlayer<impl IntoIterator<Item = BuiltMove<L::Move>>>,
    ) {
        let before = self.table.moves.len();
        for step in moves.alice {
            self.step(step);
        }
        let alice = self.table.moves.len() - before;
        for step in moves.bob {
            self.step(step);
        }
        self.table.row(name, alice);
        self.data.push(data);
    }

    fn step(&mut self, BuiltMove { to, name, label }: BuiltMove<L::Move>) {
        self.table.step(to, name);
        self.labels.push(label);
    }

    /// The number of positions so far.
    pub fn len(&self) -> usize {
        self.table.rows.len()
    }

    /// Whether no position has been added yet.
    pub fn is_empty(&self) -> bool {
        self.table.rows.is_empty()
    }

    /// Bytes held; `u64::MAX` once positions or moves exceed 32-bit numbers.
    pub fn bytes(&self) -> u64 {
        let most = u32::MAX as usize;
        let GraphTable { moves, names, move_names, rows, are_numerals, .. } = &self.table;
        let named = if *are_numerals { rows.len() } else { names.len() };
        if [moves.len(), named, move_names.len(), rows.len()].into_iter().any(|len| len >= most) {
            return u64::MAX;
        }
        self.table.bytes() + (size_of_val(&self.data[..]) + size_of_val(&self.labels[..])) as u64
    }

    /// Bytes held while [`GraphBuilder::build`] looks for cycles, if there may be none.
    pub fn building_bytes(&self) -> u64 {
        // Each move takes an entry in an arena and its label there; each position takes another
        // place and its components.
        let more = if L::CYCLES { 0 } else { self.labels.len() as u64 * 24 + self.data.len() as u64 * 96 };
        self.bytes().saturating_add(more)
    }

    /// The game over the positions that starts at `start`.
    ///
    /// # Errors
    /// A [`GraphError`] for the first invalid position.
    pub fn build(self, name: &str, start: &str) -> Result<LabelledGraph<L>, GraphError> {
        LabelledGraph::linked(name, start, self.table, self.data, self.labels)
    }

    /// The same positions and moves with the labels of another objective.
    pub fn relabelled<M: Objective>(
        self,
        data: impl FnMut(NodeData<L>) -> NodeData<M>,
        label: impl FnMut(L::Move) -> M::Move,
    ) -> GraphBuilder<M> {
        let data = self.data.into_iter().map(data).collect();
        GraphBuilder { table: self.table, data, labels: self.labels.into_iter().map(label).collect() }
    }

    /// Bytes held while the labels of both objectives exist.
    pub fn relabelling_bytes<M: Objective>(&self) -> u64 {
        let more = self.data.len() * size_of::<NodeData<M>>() + self.labels.len() * size_of::<M::Move>();
        self.bytes().saturating_add(more as u64)
    }
}

impl GraphBuilder<Parity> {
    /// Lowers all priorities by the same even number, as far as possible. The game stays the same.
    pub fn lower_priorities(&mut self) {
        let priority = |data: &NodeData<Parity>| match data {
            NodeData::On(label) => Some(label.priority.0),
            NodeData::End(_) => None,
        };
        let even = self.data.iter().filter_map(priority).min().unwrap_or(0) & !1;
        for data in &mut self.data {
            if let NodeData::On(label) = data {
                label.priority.0 -= even;
            }
        }
    }
}

/// Marks a name that has no position.
const NOWHERE: u32 = u32::MAX;

/// Bytes of a number stored as a name, as a multiple of the bytes of its position.
const BYTES_OF_A_NUMERAL: usize = 16;

/// The positions and moves of a graph. A position is an index into the given list.
#[derive(Debug, Default)]
pub(crate) struct GraphTable {
    pub(crate) names: Names,
    /// Whether the names are numbers that stand for themselves, until the table is linked.
    are_numerals: bool,
    /// The position of every name, once the table is linked.
    positions: Vec<u32>,
    rows: Vec<PositionEntry>,
    /// Alice's moves and then Bob's, position by position: names until the table is linked, then
    /// positions.
    pub(crate) moves: Vec<u32>,
    /// The names of moves that have one of their own.
    move_names: Names,
    /// The own name of each move, up to the last move that has one.
    named: Vec<Option<MoveName>>,
    /// The first move whose name could mean another move, and its position and player.
    ambiguous: Option<(u32, Player, MoveName)>,
}

#[derive(Debug)]
struct PositionEntry {
    name: u32,
    /// The ends of Alice's and Bob's moves.
    ends: [u32; 2],
}

impl GraphTable {
    pub(crate) fn move_name(&mut self, name: &str) -> MoveName {
        // Below the limit of `GraphBuilder::bytes` the number fits.
        MoveName(NonZeroU32::MIN.saturating_add(self.move_names.number(name)))
    }

    /// Adds a move of the next position to `to`, a name.
    pub(crate) fn step(&mut self, to: u32, name: Option<MoveName>) {
        if name.is_some() {
            self.named.resize(self.moves.len(), None);
            self.named.push(name);
        }
        self.moves.push(to);
    }

    /// The number of a move's own name.
    pub(crate) fn own_number(&self, at: usize) -> Option<MoveName> {
        self.named.get(at).copied().flatten()
    }

    /// The own name of a move.
    pub(crate) fn own_name(&self, at: usize) -> Option<Cow<'_, str>> {
        self.own_number(at).map(|name| self.text(name))
    }

    /// The text of an own name.
    pub(crate) fn text(&self, name: MoveName) -> Cow<'_, str> {
        self.move_names.get(name.index())
    }

    /// All own names, in the order of their numbers.
    pub(crate) fn move_names(&self) -> impl ExactSizeIterator<Item = Cow<'_, str>> {
        (0..self.move_names.len() as u32).map(|number| self.move_names.get(number))
    }

    /// The first ambiguous own name among these moves of one player (targets are still names):
    /// another of the moves has the same name, or leads to the position of that name.
    ///
    /// Names that differ only in case are different: chess has bxc3 and Bxc3.
    fn ambiguous(&self, moves: std::ops::Range<usize>) -> Option<MoveName> {
        let named = |at: usize| self.own_number(at);
        if !moves.clone().any(|at| named(at).is_some()) {
            return None;
        }
        // Every name of a move, as a number. Sorting puts equal numbers side by side, own names
        // last.
        let mut called: Vec<(u64, Option<MoveName>)> = Vec::with_capacity(2 * moves.len());
        for at in moves {
            let to = u64::from(self.moves[at]);
            let Some(name) = named(at) else {
                called.push((to, None));
                continue;
            };
            let word = self.names.find(&self.text(name)).map_or(u64::from(name.0.get()) << 32, u64::from);
            called.extend((word != to).then_some((to, None)));
            called.push((word, Some(name)));
        }
        called.sort_unstable();
        called.windows(2).find(|pair| pair[0].0 == pair[1].0 && pair[1].1.is_some()).and_then(|pair| pair[1].1)
    }

    /// Adds a position whose moves were added before; the first `alice` of them are Alice's.
    pub(crate) fn row(&mut self, name: u32, alice: usize) {
        let number = self.rows.len() as u32;
        if self.are_numerals {
            self.names.numbered = self.names.numbered.max(name.saturating_add(1));
        }
        let before = self.rows.last().map_or(0, |row| row.ends[1]);
        self.rows.push(PositionEntry { name, ends: [before + alice as u32, self.moves.len() as u32] });
        if self.ambiguous.is_none() && self.named.len() > before as usize {
            let of = |player| Some((number, player, self.ambiguous(self.range(number, player))?));
            self.ambiguous = Player::BOTH.into_iter().find_map(of);
        }
    }

    pub(crate) fn notation(&self, position: u32) -> Cow<'_, str> {
        self.names.get(self.rows[position as usize].name)
    }

    pub(crate) fn numeral(&self, position: u32) -> Option<u32> {
        self.names.numeral(self.rows[position as usize].name)
    }

    pub(crate) fn find(&self, name: &str) -> Option<u32> {
        self.names.find(name).and_then(|name| self.position(name))
    }

    /// The position of a name.
    fn position(&self, name: u32) -> Option<u32> {
        self.positions.get(name as usize).copied().filter(|&position| position != NOWHERE)
    }

    pub(crate) fn range(&self, position: u32, player: Player) -> std::ops::Range<usize> {
        let [alice, bob] = self.rows[position as usize].ends;
        let before = (position as usize).checked_sub(1).map_or(0, |before| self.rows[before].ends[1]);
        let (start, end) = if player == Player::Alice { (before, alice) } else { (alice, bob) };
        start as usize..end as usize
    }

    pub(crate) fn bytes(&self) -> u64 {
        let positions = if self.are_sparse() { self.rows.len() * BYTES_OF_A_NUMERAL } else { self.names.len() };
        let numbers = (positions + self.moves.len() + self.named.len()) * size_of::<u32>();
        let own = if self.move_names.len() == 0 { 0 } else { self.move_names.bytes() };
        self.names.bytes() + own + (numbers + self.rows.len() * size_of::<PositionEntry>()) as u64
    }

    /// Whether a table of all numbers up to the greatest would have few positions.
    fn are_sparse(&self) -> bool {
        const DENSE: usize = 1 << 16;
        self.are_numerals && self.names.len() / 4 > self.rows.len().max(DENSE)
    }

    /// Stores the names of the positions, and numbers them in their order.
    fn store_numerals(&mut self) -> Result<(), GraphError> {
        let mut names = Names::default();
        let numbers: Vec<u32> = self.rows.iter().map(|row| names.number(&row.name.to_string())).collect();
        for position in 0..self.rows.len() as u32 {
            for player in Player::BOTH {
                for at in self.range(position, player) {
                    let to = self.moves[at].to_string();
                    self.moves[at] = names.find(&to).ok_or_else(|| self.unknown(position, player, to))?;
                }
            }
        }
        self.rows.iter_mut().zip(numbers).for_each(|(row, number)| row.name = number);
        self.names = names;
        Ok(())
    }

    /// The error for a move whose target is not a position.
    fn unknown(&self, from: u32, player: Player, to: String) -> GraphError {
        GraphError::UnknownSuccessor { from: self.notation(from).to_string(), player, to }
    }

    /// Replaces target names by positions and finds the start, if every position passes `check`.
    pub(crate) fn linked(
        mut self,
        start: &str,
        check: impl Fn(&GraphTable, u32) -> Result<(), GraphError>,
    ) -> Result<(GraphTable, u32), GraphError> {
        if self.are_sparse() {
            self.store_numerals()?;
        }
        self.are_numerals = false;
        self.positions = vec![NOWHERE; self.names.len()];
        for (number, row) in (0..).zip(&self.rows) {
            match &mut self.positions[row.name as usize] {
                position if *position == NOWHERE => *position = number,
                _ => return Err(GraphError::Duplicate(self.names.get(row.name).to_string())),
            }
        }
        if self.rows.is_empty() {
            return Err(GraphError::Empty);
        }
        if let Some((position, player, name)) = self.ambiguous {
            let (position, name) = (self.notation(position), self.text(name));
            return Err(GraphError::AmbiguousMove { position: position.to_string(), player, name: name.to_string() });
        }
        let first = self.find(start).ok_or_else(|| GraphError::UnknownStart(start.to_string()))?;
        // If names are the positions' numbers, no lookup is needed.
        let are_numbers = self.names.len() == self.rows.len() && (0..).zip(&self.rows).all(|(at, row)| row.name == at);
        for position in 0..self.rows.len() as u32 {
            check(&self, position)?;
            for player in Player::BOTH {
                for at in self.range(position, player) {
                    let to = self.moves[at];
                    if are_numbers && (to as usize) < self.rows.len() {
                        continue;
                    }
                    self.moves[at] = self.position(to).ok_or_else(|| {
                        let known = (to as usize) < self.names.len();
                        let to = if known { self.names.get(to).into_owned() } else { to.to_string() };
                        self.unknown(position, player, to)
                    })?;
                }
            }
        }
        for list in [&mut self.positions, &mut self.moves] {
            list.shrink_to_fit();
        }
        self.named.shrink_to_fit();
        self.rows.shrink_to_fit();
        Ok((self, first))
    }
}
