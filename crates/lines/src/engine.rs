//! Solves boards with very many positions, layer by layer and without a graph.
//!
//! **Accepts** a [`LineBoard`]: stones are placed, a line wins (Connect, Tic-Tac-Toe). Richman
//! payment, all bids, the winner choosing who moves and, with chips, the tie-breaking advantage.
//! **Result** exact: Alice's need at every position, in real money as whole multiples of 2^-(open
//! cells), with chips in half-steps for any number of totals at once.
//!
//! **Method.** Every move leads to the next layer, so a layer follows from the next alone
//! ([`Layers`]). With `low` the least need after a stone of Alice and `high` the greatest after one
//! of Bob, the need is low + high in real money, and ceil(low / 2) + floor(high / 2) with chips.
//! Only needs are stored; `sweep` explains the numbering that lets whole runs be computed at once.
//! In real money, a number takes one byte up to seven open cells, two up to fifteen, then four,
//! then eight.
//!
//! **Cost.** Every filling of the board once, including finished games, most of which are skipped
//! thousands at a time. Memory for two adjacent layers. All cores.
//!
//! **Checked by** the solution of the unfolded arena.

mod bounds;
#[cfg(feature = "files")]
pub mod database;
mod deepen;
mod first_layers;
mod leaves;
pub mod needs;
mod plan;
mod shapes;
mod source;
mod sweep;
#[cfg(feature = "files")]
pub mod units;
mod ways;

use crate::board::LineBoard;
use rayon::prelude::*;
use richman_core::{Effort, Error, Number, Numbers, StoredLayer, Total, cells, each_size};

pub use bounds::{NeedBounds, bounds};
pub use deepen::deepen;
pub use first_layers::FirstLayers;
pub use leaves::{LeafLayer, LeafLines, lacking};
pub use plan::{BoardPlan, LayerPlan};
pub use shapes::gather;
pub use shapes::{MOST_SHAPES, Shapes};
pub use source::LinesEngine;
use sweep::{BlockLines, BlockPart, Child, Ends, PlayerRuns};

/// The bits of a position's number within a core's unit of work.
const UNIT_BITS: u32 = 16;

/// The kind of money in play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BoardStake {
    /// Real money.
    Money,
    /// Chips, for one or more totals.
    Chips(Vec<Total>),
    /// Upper bounds in real money, in units of 2^-[`ROUNDED_BITS`], rounded up at every turn. They
    /// start at positions with this many stones, where lines bound Alice's need. If all cells are
    /// filled there, only the rounding is inexact.
    Rounded(u32),
}

impl BoardStake {
    /// Chips with this total; real money without one.
    pub fn of(total: Option<Total>) -> BoardStake {
        total.map_or(BoardStake::Money, |total| BoardStake::Chips(vec![total]))
    }
}

/// The bits of a rounded share.
pub const ROUNDED_BITS: u32 = 15;

/// What to compute: Alice's need to force a win. Her need to keep Bob from winning is the total
/// less his need to win, which the board with the players exchanged gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardQuestion {
    /// The board.
    pub board: LineBoard,
    /// The stake.
    pub stake: BoardStake,
}

impl BoardQuestion {
    /// The most stones of a position with a need.
    pub fn last(&self) -> u32 {
        match self.stake {
            BoardStake::Rounded(leaves) => leaves.min(self.board.cells()),
            BoardStake::Money | BoardStake::Chips(_) => self.board.cells(),
        }
    }

    /// The number of values of each position.
    pub fn lanes(&self) -> usize {
        match &self.stake {
            BoardStake::Money | BoardStake::Rounded(_) => 1,
            BoardStake::Chips(totals) => totals.len(),
        }
    }

    /// The value at this many stones if no holding suffices: all the money, or a half-step more
    /// than all chips.
    pub fn unreachable(&self, stones: u32, lane: usize) -> u64 {
        match &self.stake {
            BoardStake::Money => 1 << (self.board.cells() - stones),
            BoardStake::Rounded(_) => 1 << ROUNDED_BITS,
            BoardStake::Chips(totals) => totals[lane].unreachable().into(),
        }
    }

    /// The bytes of a value in the layer with this many stones.
    pub fn width(&self, stones: u32) -> usize {
        Numbers::width((0..self.lanes()).map(|lane| self.unreachable(stones, lane)).max().unwrap_or(0))
    }
}

/// The needs of a layer: a block for each shape, positions ordered by Alice's stones, one value per
/// lane. If both players have a line, which no play reaches, Alice counts as the winner.
pub enum LayerValues {
    /// In memory.
    Kept(Numbers),
    /// Computed when they are read.
    Stored(Box<dyn StoredLayer>),
}

richman_core::debug_by_name!(LayerValues {});

/// A computed layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Computed {
    /// The number of stones.
    pub stones: u32,
    /// The number of positions.
    pub positions: u64,
    /// The positions not computed one by one, because a whole tile is over or decided.
    pub decided: u64,
}

/// The layers of a board, computed one after another from the full board to the empty one.
pub struct Layers<'a> {
    question: BoardQuestion,
    shapes: Vec<Shapes>,
    effort: Effort<'a>,
    last: Option<(u32, LayerValues)>,
    /// Layers with at most this many stones stay in memory.
    keep: Option<u32>,
    low: Vec<(u32, LayerValues)>,
}

richman_core::debug_by_name!(Layers<'_> {});

impl<'a> Layers<'a> {
    /// Starts with nothing computed.
    ///
    /// # Errors
    /// [`Error::TooLarge`] for more than [`MOST_SHAPES`] sets of cells; [`Error::Unsupported`] if
    /// there is no total.
    pub fn new(question: BoardQuestion, effort: Effort<'a>) -> Result<Layers<'a>, Error> {
        if question.lanes() == 0 {
            return Err(Error::unsupported("no total", "one total or more"));
        }
        let shapes = Shapes::of(&question.board)?;
        Ok(Layers { question, shapes, effort, last: None, keep: None, low: Vec::new() })
    }

    /// Upper bounds on Alice's need to win, from a layer bounded by its lines: the deepest, of at
    /// least one stone, up to which the layers have at most `positions` positions.
    ///
    /// # Errors
    /// [`Error::TooMuchMemory`] if the layers before it do not fit; [`Error::Cancelled`].
    pub fn bounds(board: LineBoard, positions: u64, effort: Effort<'a>) -> Result<Layers<'a>, Error> {
        let shapes = Shapes::within(&board, positions);
        let stones = shapes.len() as u32 - 1;
        let last = &shapes[shapes.len() - 1];
        let bytes = ((last.len() as u64) << stones).saturating_mul(2);
        // If the layer takes too much memory, its needs are computed on every read, some several
        // times.
        let kept = bytes <= effort.memory_left() / 2;
        let held = shapes.iter().zip(0..).map(|(shapes, stones)| ((shapes.len() as u64) << stones).saturating_mul(2));
        let held: Vec<u64> = held.take(shapes.len() - usize::from(!kept)).collect();
        let most = held.windows(2).map(|pair| pair[0].saturating_add(pair[1])).max();
        effort.check_memory("holding two layers of positions", most.unwrap_or(0))?;
        let needs = if kept {
            LayerValues::Kept(Numbers::Two(leaves::needs(&board, last, stones, &effort)?))
        } else {
            LayerValues::Stored(Box::new(LeafLayer::new(board.clone(), last.clone(), stones)))
        };
        let question = BoardQuestion { board, stake: BoardStake::Rounded(stones) };
        Ok(Layers { question, shapes, effort, last: Some((stones, needs)), keep: None, low: Vec::new() })
    }

    /// The stones and the positions of the layer from which [`Layers::bounds`] starts.
    pub fn bounds_depth(board: &LineBoard, positions: u64) -> (u32, u64) {
        let shapes = Shapes::within(board, positions);
        let stones = shapes.len() as u32 - 1;
        (stones, (shapes[shapes.len() - 1].len() as u64) << stones)
    }

    /// The sets of cells that can be filled, for every number of stones.
    pub fn shapes(&self) -> &[Shapes] {
        &self.shapes
    }

    /// The question being computed.
    pub fn question(&self) -> &BoardQuestion {
        &self.question
    }

    /// The last known layer and its number of stones.
    pub fn last(&self) -> Option<&(u32, LayerValues)> {
        self.last.as_ref()
    }

    /// From now on, layers with at most this many stones stay in memory.
    pub fn keep(&mut self, stones: u32) {
        self.keep = Some(stones);
    }

    /// The known layers, without the watch.
    pub fn known(self) -> Layers<'static> {
        let effort = Effort { memory: self.effort.memory, ..Effort::default() };
        Layers { effort, question: self.question, shapes: self.shapes, last: self.last, keep: self.keep, low: self.low }
    }

    /// The bytes of the needs in memory.
    pub fn bytes(&self) -> u64 {
        let known = self.last.iter().chain(&self.low);
        let bytes = known.map(|(stones, values)| match values {
            LayerValues::Kept(numbers) => (numbers.len() * self.question.width(*stones)) as u64,
            LayerValues::Stored(_) => 0,
        });
        bytes.sum()
    }

    /// The number of stones in the next layer; `None` after the empty board.
    pub fn next(&self) -> Option<u32> {
        match &self.last {
            None => Some(self.question.board.cells()),
            Some((stones, _)) => stones.checked_sub(1),
        }
    }

    /// Computes the next layer and keeps it in memory. `None` after the empty board.
    ///
    /// # Errors
    /// [`Error::TooMuchMemory`]; [`Error::Cancelled`]. The known layer then stays the previous one.
    pub fn step(&mut self) -> Result<Option<Computed>, Error> {
        let Some(stones) = self.next() else { return Ok(None) };
        let numbers = self.numbers(stones);
        let bytes = (numbers as u64).saturating_mul(self.question.width(stones) as u64);
        self.effort.check_memory("holding two layers of positions", bytes.saturating_add(self.bytes()))?;
        let mut values = Numbers::zeros(numbers, self.question.width(stones));
        let decided = each_size!(Numbers, &mut values, values => self.compute(stones, values))?;
        let positions = (self.shapes[stones as usize].len() as u64) << stones;
        let before = self.last.replace((stones, LayerValues::Kept(values)));
        self.low.extend(before.filter(|(stones, _)| self.keep.is_some_and(|most| *stones <= most)));
        Ok(Some(Computed { stones, positions, decided }))
    }

    /// The need at a position of a known layer; `None` for other stones.
    ///
    /// # Errors
    /// [`Error::Storage`] if a stored layer cannot be read.
    pub fn need(&self, stones: [u64; 2], lane: usize) -> Result<Option<u64>, Error> {
        let layer = (stones[0] | stones[1]).count_ones();
        let known = self.last.iter().chain(&self.low).find(|(known, _)| *known == layer);
        let Some((_, values)) = known else { return Ok(None) };
        let Some(at) = self.index(layer, stones, lane) else { return Ok(None) };
        match values {
            LayerValues::Kept(numbers) => Ok(numbers.get(at)),
            LayerValues::Stored(stored) => read_one(stored.as_ref(), at as u64).map(Some),
        }
    }

    /// The index of a position's number within its layer.
    pub fn index(&self, layer: u32, [alice, bob]: [u64; 2], lane: usize) -> Option<usize> {
        let shape = alice | bob;
        let fits = alice & bob == 0 && shape.count_ones() == layer && lane < self.question.lanes();
        let block = self.shapes.get(layer as usize)?.index(shape).filter(|_| fits)?;
        Some(((block << layer) + gather(alice, shape) as usize) * self.question.lanes() + lane)
    }

    fn numbers(&self, stones: u32) -> usize {
        let positions = (self.shapes[stones as usize].len() as u128) << stones;
        usize::try_from(positions * self.question.lanes() as u128).unwrap_or(usize::MAX)
    }

    /// The bits of a position's number within a unit.
    fn unit(&self, stones: u32) -> u32 {
        stones.min(UNIT_BITS.saturating_sub(self.question.lanes().ilog2()))
    }

    /// Computes the numbers of a layer.
    fn compute<V: Number>(&self, stones: u32, into: &mut [V]) -> Result<u64, Error> {
        match &self.last {
            None => self.fill::<V, V>(stones, NextLayer::Kept(&[]), into),
            Some((_, LayerValues::Kept(below))) => {
                each_size!(Numbers, below, below => self.fill(stones, NextLayer::Kept(below), into))
            }
            Some((_, LayerValues::Stored(stored))) => {
                let below = stored.as_ref();
                match stored.width() {
                    1 => self.fill::<u8, V>(stones, NextLayer::Stored(below), into),
                    2 => self.fill::<u16, V>(stones, NextLayer::Stored(below), into),
                    4 => self.fill::<u32, V>(stones, NextLayer::Stored(below), into),
                    _ => self.fill::<u64, V>(stones, NextLayer::Stored(below), into),
                }
            }
        }
    }

    fn fill<C: Number, V: Number>(&self, stones: u32, below: NextLayer<'_, C>, into: &mut [V]) -> Result<u64, Error> {
        let (before, now) = (size_of::<C>(), size_of::<V>());
        match self.question.stake {
            BoardStake::Money if now == before || now == 2 * before => self.units(sweep::money, stones, below, into),
            BoardStake::Chips(_) if now == before => self.units(sweep::chips, stones, below, into),
            BoardStake::Rounded(_) if now == before => self.units(sweep::rounded, stones, below, into),
            _ => unreachable!("needs double at most from layer to layer"),
        }
    }

    /// Computes the numbers of a layer, unit by unit, on all cores.
    fn units<C: Number, V: Number>(
        &self,
        turn: impl Fn(u64, u64) -> u64 + Copy + Sync,
        stones: u32,
        below: NextLayer<'_, C>,
        into: &mut [V],
    ) -> Result<u64, Error> {
        let question = &self.question;
        let lanes = question.lanes();
        let shapes = &self.shapes[stones as usize];
        let nothing = vec![V::ZERO; lanes];
        let bob: Vec<V> = (0..lanes).map(|lane| V::of(question.unreachable(stones, lane))).collect();
        let ends = Ends { alice: &nothing, bob: &bob };
        let unit = self.unit(stones);
        let total = Some((shapes.len() as u64) << stones);
        type Room<C> = (sweep::TileBuffer<C>, Vec<Vec<C>>);
        let one = |(room, buffers): &mut Room<C>, (number, into): (usize, &mut [V])| -> Result<u64, Error> {
            self.effort.check_cancelled()?; // a unit takes long if the layer below is computed on every read
            if number.is_multiple_of(64) {
                self.effort.watch.progress("positions of a layer", (number as u64) << unit, total);
            }
            let units = stones - unit;
            let shape = shapes.sets()[number >> units];
            let start = ((number & ((1 << units) - 1)) as u64) << unit;
            let moves = self.moves(shape, start, unit);
            let children = match below {
                NextLayer::Kept(numbers) => moves.iter().map(|m| m.child(|at| &numbers[at * lanes..])).collect(),
                NextLayer::Stored(stored) => {
                    read_children(stored, &moves, unit, lanes, buffers)?;
                    let mut read = buffers.iter();
                    moves.iter().map(|m| m.child(|_| read.next().map_or(&[], |read| &read[..]))).collect()
                }
            };
            let children: Vec<Child<'_, C>> = children;
            let lines = BlockLines::new(&question.board, shape);
            let part = BlockPart { start, bits: unit, children: &children, lines: &lines, ends: &ends };
            Ok(part.compute(turn, room, into))
        };
        into.par_chunks_exact_mut(lanes << unit)
            .enumerate()
            .map_init(|| (sweep::TileBuffer::new(lanes), Vec::new()), one)
            .try_reduce(|| 0, |sum, decided| Ok(sum + decided))
    }

    /// The stored indices of the successors of a shape's 2^`unit` positions from `start` on.
    fn moves(&self, shape: u64, start: u64, unit: u32) -> Vec<CellMove> {
        let stones = shape.count_ones() + 1;
        let to = |cell: u64| {
            let next = self.shapes[stones as usize].index(shape | cell);
            let block = next.expect("a stone on an open cell gives a shape") << stones;
            let bit = (shape & (cell - 1)).count_ones();
            let (bob, alice) = sweep::successors(bit, start, unit);
            CellMove { bit, bob: block + bob, alice: alice.map(|alice| block + alice) }
        };
        cells(self.question.board.open(shape)).map(to).collect()
    }
}

/// The layer with one more stone.
#[derive(Clone, Copy)]
enum NextLayer<'a, C> {
    Kept(&'a [C]),
    Stored(&'a dyn StoredLayer),
}

/// The stored indices of the successors by a stone on one cell.
struct CellMove {
    /// The number of filled cells with lower numbers.
    bit: u32,
    /// The first position after Bob's move.
    bob: usize,
    /// The first after Alice's; `None` if they alternate with Bob's.
    alice: Option<usize>,
}

impl CellMove {
    /// The values; `from` returns those from a position on.
    fn child<'b, C>(&self, mut from: impl FnMut(usize) -> &'b [C]) -> Child<'b, C> {
        let bob = from(self.bob);
        let after = match self.alice {
            None => PlayerRuns::Together(bob),
            Some(alice) => PlayerRuns::Apart { alice: from(alice), bob },
        };
        Child { bit: self.bit, after }
    }
}

/// Reads the successors' values, one buffer per run, in the order of [`CellMove::child`].
fn read_children<C: Number>(
    stored: &dyn StoredLayer,
    moves: &[CellMove],
    unit: u32,
    lanes: usize,
    buffers: &mut Vec<Vec<C>>,
) -> Result<(), Error> {
    let runs = moves.iter().flat_map(|m| match m.alice {
        None => vec![(m.bob, lanes << (unit + 1))],
        Some(alice) => vec![(m.bob, lanes << unit), (alice, lanes << unit)],
    });
    let mut bytes = Vec::new();
    for (number, (from, count)) in runs.enumerate() {
        bytes.clear();
        stored.read((from * lanes) as u64, count, &mut bytes)?;
        if number == buffers.len() {
            buffers.push(Vec::new());
        }
        buffers[number].resize(count, C::ZERO);
        C::from_bytes(&bytes, &mut buffers[number]);
    }
    Ok(())
}

/// Reads one number of a stored layer.
///
/// # Errors
/// [`Error::Storage`] if the layer cannot be read.
fn read_one(stored: &dyn StoredLayer, at: u64) -> Result<u64, Error> {
    let mut bytes = Vec::new();
    stored.read(at, 1, &mut bytes)?;
    Ok(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}
