//! Solves a board in *units* that can be computed on different machines.
//!
//! **Cut.** The lowest `depth[c]` cells of each column c are fixed: all positions with the same
//! stones on them form a unit. A column with fewer stones than that is *closed*: a stone there
//! leads to another unit. All other moves stay within the unit, so it is computed in memory from
//! frames of units with one more fixed stone. Units with the same fixed cells filled, by either
//! player, form a class; small units of a class are joined, 2^b fillings to a unit.
//!
//! **Nothing twice.** A unit whose fixed stones contain a line is over and has no numbers. Of a
//! unit and its mirror image only one is computed, except for joined units whose fixed cells are
//! their own mirror image.
//!
//! **Result** the same bytes wherever a unit is computed, only the part that other units read.
//! Where both players have a line, which no play reaches, they may differ from
//! [`Layers`](super::Layers).
//!
//! **Cost** as for layers, plus reading and writing a fraction of the numbers ([`UnitCut::cost`]).

mod class;
mod columns;
mod depth;
mod lookup;
mod packing;
mod reader;
mod recent;
mod solve;
#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use richman_core::{BuildStep, DatabaseRecipe, Effort, Error, Number, Player, RecipeStake, Remedy, each_size};
use richman_files::{FileSum, PackedFrames, pack_frames};
use richman_formats::database::UNIT;

use super::{BoardQuestion, BoardStake, MOST_SHAPES};
use class::{UnitClass, UnitFrame};
use columns::BoardColumns;
pub use lookup::ComputedUnits;
pub use packing::Packing;
pub use reader::UnitReader;
pub use recent::Recent;

/// The most ways to fill the fixed cells, and the cells above them, by either player.
const MOST_WAYS: u64 = 1 << 20;
/// The most positions of a unit.
const MOST_POSITIONS: u64 = 1 << 40;

/// A board, cut into units.
pub struct UnitCut {
    question: BoardQuestion,
    columns: BoardColumns,
    depth: Vec<u32>,
    aim: u64,
    /// A checksum of everything that determines the results of units.
    subject: String,
    classes: Recent<Vec<u32>, UnitClass>,
}

richman_core::debug_by_name!(UnitCut {});

/// A unit: the fixed stones of each column, and the first of its fillings.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UnitId {
    /// The fixed stones of each column.
    pub heights: Vec<u32>,
    /// The first filling: a bit for each fixed cell, set for Alice.
    pub first: u64,
}

impl UnitId {
    /// The number of fixed stones.
    pub fn fixed(&self) -> u32 {
        self.heights.iter().sum()
    }

    /// The name of its file.
    pub fn file_name(&self) -> String {
        format!("unit-{self}{UNIT}")
    }
}

impl fmt::Display for UnitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.heights.iter().try_for_each(|height| write!(f, "{height}."))?;
        write!(f, "{:x}", self.first)
    }
}

impl FromStr for UnitId {
    type Err = Error;

    /// Reads the name of a unit's file.
    fn from_str(name: &str) -> Result<UnitId, Error> {
        let parse = || {
            let (heights, first) = name.strip_prefix("unit-")?.strip_suffix(UNIT)?.rsplit_once('.')?;
            let heights = heights.split('.').map(|height| height.parse().ok()).collect::<Option<Vec<u32>>>()?;
            Some(UnitId { heights, first: u64::from_str_radix(first, 16).ok()? })
        };
        let unit = parse().filter(|unit| unit.file_name() == name);
        unit.ok_or_else(|| Error::Storage { what: format!("{name:?} is not the name of a unit") })
    }
}

/// The cost of a unit, known in advance. Bytes are before compression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnitCost {
    /// The number of positions computed.
    pub positions: u64,
    /// The bytes of other units' numbers.
    pub read: u64,
    /// The bytes of it that other units read.
    pub written: u64,
    /// The most bytes in memory at once.
    pub memory: u64,
}

/// An upper bound on the cost of all units of a cut: it includes finished games and some mirror
/// images.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CutCost {
    /// The number of units.
    pub units: u64,
    /// The number of positions computed.
    pub positions: u64,
    /// The bytes of other units' numbers that they read, before compression.
    pub read: u64,
    /// The bytes that other units read, before compression.
    pub written: u64,
    /// The most bytes in memory at once.
    pub memory: u64,
    /// The most bytes that a proof holds, eight for each number: two adjacent layers with the same
    /// fixed stones, and the claims that a block depends on.
    pub proof: u64,
}

/// A source of the results of other units.
pub trait UnitSource: Sync {
    /// The fault for a missing or damaged unit; `what` is wrong with it.
    fn lost(&self, unit: &UnitId, what: &str) -> UnitFault {
        UnitFault::Lost { unit: unit.clone(), what: format!("{} {what}", unit.file_name()) }
    }

    /// The result of a unit. Called once for every frame read.
    ///
    /// # Errors
    /// [`UnitFault::Lost`] if it is missing or damaged; [`UnitFault::Other`] if it cannot be read.
    fn unit(&self, unit: &UnitId) -> Result<Arc<PackedFrames>, UnitFault>;
}

/// The reason why something cannot be computed from units.
#[derive(Debug)]
pub enum UnitFault {
    /// The result of a unit is missing or damaged, and may be recomputed.
    Lost {
        /// The unit.
        unit: UnitId,
        /// What is wrong with it.
        what: String,
    },
    /// Another error.
    Other(Error),
}

impl From<Error> for UnitFault {
    fn from(error: Error) -> UnitFault {
        UnitFault::Other(error)
    }
}

impl From<UnitFault> for Error {
    fn from(fault: UnitFault) -> Error {
        match fault {
            UnitFault::Lost { what, .. } => {
                let recipe = DatabaseRecipe { game: None, stake: RecipeStake::Money };
                Error::Missing { what, remedies: vec![Remedy::Build(BuildStep::Replace, recipe)] }
            }
            UnitFault::Other(error) => error,
        }
    }
}

impl UnitCut {
    /// The question of the cut board.
    pub fn question(&self) -> &BoardQuestion {
        &self.question
    }

    /// The fixed cells of each column.
    pub fn depth(&self) -> &[u32] {
        &self.depth
    }

    /// The target size of joined small units: positions, including those read.
    pub fn aim(&self) -> u64 {
        self.aim
    }

    /// Cuts a board above the lowest `depth` cells of its columns. A unit has about `aim`
    /// positions, including those that it reads, and at least one filling.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if the cells are not in columns, the depth does not fit them, bounds
    /// start above the board, or there is no total; [`Error::TooLarge`] if there are too many ways
    /// to fill the fixed cells, or the cells above them, or units have too many positions.
    pub fn new(question: BoardQuestion, depth: Vec<u32>, aim: u64) -> Result<UnitCut, Error> {
        let columns = BoardColumns::of(&question.board)?;
        if question.lanes() == 0 {
            return Err(Error::unsupported("no total", "one total or more"));
        }
        let rows = columns.heights();
        if depth.len() != rows.len() || depth.iter().zip(&rows).any(|(depth, rows)| depth > rows) {
            return Err(Error::unsupported("a cut that does not fit the board", "a number of cells for each column"));
        }
        if matches!(question.stake, BoardStake::Rounded(leaves) if leaves > question.board.cells()) {
            let (what, most) = ("bounds from more stones than the board has cells", question.board.cells());
            return Err(Error::unsupported(what, format!("at most {most}")));
        }
        let ways = |heights: &mut dyn Iterator<Item = u32>| {
            heights.fold(1_u64, |ways, height| ways.saturating_mul(u64::from(height) + 1))
        };
        let classes = ways(&mut depth.iter().copied());
        let blocks = ways(&mut depth.iter().zip(&rows).map(|(depth, rows)| rows - depth));
        let shapes = ways(&mut rows.iter().copied());
        for (given, most) in [(classes, MOST_WAYS), (blocks, MOST_WAYS), (shapes, MOST_SHAPES)] {
            if given > most {
                return Err(Error::TooLarge { what: "the number of ways to fill cells", given, most });
            }
        }
        let most = depth::largest(&rows, &depth, question.last()).max(aim.into());
        if most > MOST_POSITIONS.into() {
            let given = u64::try_from(most).unwrap_or(u64::MAX);
            return Err(Error::TooLarge { what: "the number of positions in a unit", given, most: MOST_POSITIONS });
        }
        let subject = format!("{} {depth:?} {aim}", subject_of(&question));
        let subject = FileSum::of(subject.as_bytes()).sha256;
        let each = UnitClass::bytes_of_block(rows.len());
        let room = shapes.min((4 * blocks).max(1 << 17)).saturating_mul(each);
        let columns = BoardColumns { has_mirror: columns.has_mirror && depth.iter().eq(depth.iter().rev()), ..columns };
        Ok(UnitCut { question, columns, depth, aim, subject, classes: Recent::new(room) })
    }

    /// The class with that many fixed stones in each column.
    fn class(&self, heights: &[u32]) -> Arc<UnitClass> {
        self.classes.find(heights).unwrap_or_else(|| {
            let class = self.new_class(heights);
            let bytes = class.locations.len() as u64 * UnitClass::bytes_of_block(heights.len());
            self.classes.keep(heights.to_vec(), class, bytes)
        })
    }

    fn new_class(&self, heights: &[u32]) -> UnitClass {
        UnitClass::new(&self.columns, &self.depth, self.question.last(), heights, self.aim)
    }

    /// The fixed stones of each column in every class, more stones first.
    fn classes(&self) -> Vec<Vec<u32>> {
        let mut classes: Vec<Vec<u32>> = vec![Vec::new()];
        for depth in &self.depth {
            classes = classes
                .into_iter()
                .flat_map(|heights| (0..=*depth).map(move |height| [&heights[..], &[height]].concat()))
                .collect();
        }
        classes.retain(|heights| heights.iter().sum::<u32>() <= self.question.last());
        classes.sort_by_key(|heights| std::cmp::Reverse(heights.iter().sum::<u32>()));
        classes
    }

    /// The units to compute, each after all units that it reads.
    pub fn units(&self) -> impl Iterator<Item = UnitId> {
        let units = move |heights: Vec<u32>| {
            let class = self.class(&heights);
            let bits = class.bits;
            (0..1_u64 << (class.fixed - bits)).map(move |number| number << bits).filter_map(move |first| {
                let unit = UnitId { heights: heights.clone(), first };
                let is_computed = class.winner(first, class.bits).is_none() && !self.stored(&unit).1;
                is_computed.then_some(unit)
            })
        };
        self.classes().into_iter().flat_map(units)
    }

    /// The units that a unit reads.
    pub fn reads(&self, unit: &UnitId) -> Vec<UnitId> {
        let class = self.class(&unit.heights);
        let mut found = Vec::new();
        for closed in &class.closed {
            let mut heights = unit.heights.clone();
            heights[closed.column] += 1;
            if heights.iter().sum::<u32>() > self.question.last() {
                continue;
            }
            let next = self.class(&heights);
            for run in solve::runs(&class, closed, unit.first) {
                let units = run.parts(next.bits).map(|part| self.containing(&next, part.first));
                let live = units.filter(|unit| next.winner(unit.first, next.bits).is_none());
                found.extend(live.map(|unit| self.stored(&unit).0));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The cost of a unit.
    pub fn cost(&self, unit: &UnitId) -> UnitCost {
        self.class_cost(&self.class(&unit.heights))
    }

    /// The cost of all units, from one unit of each class.
    pub fn whole_cost(&self) -> CutCost {
        let mut all = CutCost::default();
        for heights in self.classes() {
            let is_mirrored = self.columns.has_mirror && heights.iter().rev().lt(&heights);
            if is_mirrored {
                continue;
            }
            let class = self.new_class(&heights);
            let (units, cost) = (1_u64 << (class.fixed - class.bits), self.class_cost(&class));
            all.units = all.units.saturating_add(units);
            all.positions = all.positions.saturating_add(cost.positions.saturating_mul(units));
            all.read = all.read.saturating_add(cost.read.saturating_mul(units));
            all.written = all.written.saturating_add(cost.written.saturating_mul(units));
            all.memory = all.memory.max(cost.memory);
            all.proof = all.proof.max(self.proof(&class));
        }
        all
    }

    fn proof(&self, class: &UnitClass) -> u64 {
        /// The cores of the machine whose time a plan states.
        const CORES: usize = 2;
        let blocks = |stones: usize| class.frames.iter().map(|frame| frame.layers[stones].len() as u128).sum::<u128>();
        let numbers = |stones: usize| (blocks(stones) << stones) * self.question.lanes() as u128;
        let two = |stones: usize| 8 * (numbers(stones) + if stones > 0 { numbers(stones - 1) } else { 0 });
        let most = (0..=class.most as usize).map(two).max().unwrap_or(0);
        let at_work = |stones: usize| {
            let count = class.frames.iter().map(|frame| frame.layers[stones].len()).sum::<usize>();
            let one = ((8 * self.question.lanes() as u128) << stones) * (1 + 2 * class.closed.len() as u128);
            one * count.min(CORES) as u128
        };
        let at_work = (0..=class.most as usize).map(at_work).max().unwrap_or(0);
        u64::try_from(most + at_work + u128::from(self.classes.room())).unwrap_or(u64::MAX)
    }

    /// The cost of a unit of a class.
    fn class_cost(&self, class: &UnitClass) -> UnitCost {
        let lanes = self.question.lanes() as u128;
        let mut layers = vec![0_u128; class.most as usize + 1];
        let (mut read, mut written) = (0, 0);
        for frame in &class.frames {
            for (stones, blocks) in (0..).zip(&frame.layers) {
                let numbers = ((blocks.len() as u128) << (stones + class.bits)) * lanes;
                let bytes = |stones| numbers * self.question.width(class.fixed + stones) as u128;
                layers[stones as usize] += bytes(stones);
                written += if class.is_read(frame.key, &self.depth) { bytes(stones) } else { 0 };
                if class.fixed + stones < self.question.last() {
                    read += 2 * class.closed.len() as u128 * bytes(stones + 1);
                }
            }
        }
        let two = layers.windows(2).map(|pair| pair[0] + pair[1]).max().unwrap_or(layers[0]);
        let counted = |number: u128| u64::try_from(number).unwrap_or(u64::MAX);
        let positions = counted(u128::from(class.positions) << class.bits);
        let memory = counted(2 * read + 2 * written + two + u128::from(self.classes.room()));
        UnitCost { positions, read: counted(read), written: counted(written), memory }
    }

    /// Computes a unit from the units that it reads: the bytes of [`PackedFrames`].
    ///
    /// # Errors
    /// [`Error::Storage`] if there is no such unit; [`Error::TooMuchMemory`]; [`Error::Cancelled`];
    /// the errors of the source.
    pub fn solve(&self, unit: &UnitId, source: &dyn UnitSource, effort: &Effort<'_>) -> Result<Vec<u8>, UnitFault> {
        if !self.is_unit(unit) {
            return Err(Error::Storage { what: format!("{unit} is not a unit of this cut") }.into());
        }
        let class = self.class(&unit.heights);
        let needs = self.compute(unit, 0, source, effort)?;
        let mut frames = Vec::new();
        for (at, frame) in class.frames.iter().enumerate().filter(|(_, frame)| class.is_read(frame.key, &self.depth)) {
            let mut bytes = Vec::new();
            for stones in 0..=class.most {
                if let Some(numbers) = needs.layer(stones, at) {
                    each_size!(Numbers, numbers, numbers => Number::to_bytes(numbers, &mut bytes));
                }
            }
            frames.push((frame.key, bytes));
        }
        Ok(pack_frames(&self.subject(unit), &frames)?)
    }

    /// The identity of a unit's result: the game, the stake, the cut and the unit. Different
    /// results have different identities.
    pub fn subject(&self, unit: &UnitId) -> Vec<u8> {
        format!("{} {unit}", self.subject).into_bytes()
    }

    /// The keys and lengths of the frames in the result of a unit.
    pub fn frames(&self, unit: &UnitId) -> impl Iterator<Item = (u64, u64)> {
        let class = self.class(&unit.heights);
        let is_read = |frame: &&UnitFrame| class.is_read(frame.key, &self.depth);
        let length =
            |frame| solve::sizes(self, &class, frame).iter().map(|(count, width)| (count * width) as u64).sum();
        class.frames.iter().filter(is_read).map(|frame| (frame.key, length(frame))).collect::<Vec<_>>().into_iter()
    }

    /// The fixed stones of each column, from all its stones.
    fn low(&self, heights: &[u32]) -> Vec<u32> {
        heights.iter().zip(&self.depth).map(|(height, depth)| *height.min(depth)).collect()
    }

    /// Whether this is a unit of the cut.
    fn is_unit(&self, unit: &UnitId) -> bool {
        let heights = unit.heights.iter().zip(&self.depth);
        let fits = unit.heights.len() == self.depth.len() && heights.clone().all(|(height, depth)| height <= depth);
        if !fits || unit.heights.iter().sum::<u32>() > self.question.last() {
            return false;
        }
        let class = self.class(&unit.heights);
        unit.first >> class.fixed == 0 && self.containing(&class, unit.first) == *unit
    }

    /// The need at this many stones if a player has a line.
    fn end(&self, winner: Player, stones: u32, lane: usize) -> u64 {
        match winner {
            Player::Alice => 0,
            Player::Bob => self.question.unreachable(stones, lane),
        }
    }

    /// The unit that has a filling.
    fn containing(&self, class: &UnitClass, filling: u64) -> UnitId {
        UnitId { heights: class.heights.clone(), first: filling >> class.bits << class.bits }
    }

    /// The unit computed in place of this one, and whether it is the mirror image.
    fn stored(&self, unit: &UnitId) -> (UnitId, bool) {
        if self.columns.has_mirror {
            let class = self.class(&unit.heights);
            let heights = unit.heights.iter().rev().copied().collect();
            let mirrored = UnitId { heights, first: self.mirrored_filling(&class, unit.first) };
            if mirrored.heights < unit.heights || class.bits == 0 && mirrored < *unit {
                return (mirrored, true);
            }
        }
        (unit.clone(), false)
    }

    /// A filling of the fixed cells in the mirror image.
    fn mirrored_filling(&self, class: &UnitClass, filling: u64) -> u64 {
        solve::exchanged(filling, &self.swaps(&class.cells))
    }

    /// The key of a frame in the mirror image.
    fn mirrored_key(&self, key: u64) -> u64 {
        let columns = self.depth.len();
        (0..columns).filter(|column| key >> column & 1 == 1).map(|column| 1 << (columns - 1 - column)).sum()
    }

    /// The indices in a list of cells where a cell and the next one are mirror images of each
    /// other.
    fn swaps(&self, cells: &[u32]) -> Vec<u32> {
        let pairs = &self.columns.pairs;
        let is_pair = |pair: &[u32]| pairs[pair[0] as usize] == pairs[pair[1] as usize];
        (0..).zip(cells.windows(2)).filter(|(_, pair)| is_pair(pair)).map(|(at, _)| at).collect()
    }
}

/// The board and the stake in full.
fn subject_of(question: &BoardQuestion) -> String {
    let board = &question.board;
    let supports: Vec<u64> = (0..board.cells()).map(|cell| board.support(cell)).collect();
    let lines = Player::BOTH.map(|player| board.lines(player));
    let stake = match &question.stake {
        BoardStake::Money => "money".to_string(),
        BoardStake::Rounded(leaves) => format!("rounded {leaves}"),
        BoardStake::Chips(totals) => format!("{:?}", totals.iter().map(|total| total.chips()).collect::<Vec<_>>()),
    };
    format!("{supports:?} {lines:?} {stake}")
}
