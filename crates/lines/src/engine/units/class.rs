//! Classes of units: the same lowest cells are filled, by either player.

use std::collections::HashMap;

use richman_core::{ByPlayer, Player};

use super::columns::BoardColumns;
use crate::board::LineBoard;

/// The units with stones on the same lowest cells.
///
/// In a unit, the cells above these take the low bits of a position's number, the fixed ones the
/// high bits, both in the order of [`BoardColumns`].
#[derive(Debug)]
pub struct UnitClass {
    /// The fixed stones of each column.
    pub heights: Vec<u32>,
    /// The number of fixed stones.
    pub fixed: u32,
    /// The number of cells above them in the columns that grow.
    pub free: u32,
    /// One unit has 2^`bits` fillings.
    pub bits: u32,
    /// The fixed cells.
    pub cells: Vec<u32>,
    /// The board in the numbering of units: the free cells, the fixed ones, the rest.
    pub board: LineBoard,
    /// The columns that do not grow here.
    pub closed: Vec<ClosedColumn>,
    /// The frames in order of their keys.
    pub frames: Vec<UnitFrame>,
    /// The location of every block, by the stones of each column.
    pub locations: HashMap<Vec<u32>, BlockLocation>,
    /// The most free stones.
    pub most: u32,
    /// The number of positions for one filling of the fixed cells, saturating.
    pub positions: u64,
}

/// A column in which a stone leads to another unit.
#[derive(Debug)]
pub struct ClosedColumn {
    /// Its number, from the left.
    pub column: usize,
    /// The fixed cells with lower numbers than its next cell.
    pub bit: u32,
    /// Whether that cell is among those that vary within a unit.
    pub varies: bool,
    /// The number that a stone there adds to the key of a frame.
    pub key: u64,
}

/// The positions of a unit that another one reads together: those with the same free columns
/// empty above the fixed stones.
#[derive(Debug)]
pub struct UnitFrame {
    /// These columns, as a set, without those with no fixed cell.
    pub key: u64,
    /// The blocks by the number of free stones, in order of the heights.
    pub layers: Vec<Vec<UnitBlock>>,
}

/// All fillings of one set of free cells.
#[derive(Debug)]
pub struct UnitBlock {
    /// The stones of each column.
    pub heights: Vec<u32>,
    /// All filled cells.
    pub shape: u64,
    /// The cells that can be played next.
    pub open: u64,
    /// The moves on the free columns.
    pub moves: Vec<InsideMove>,
}

/// A move on a free column.
#[derive(Debug, Clone, Copy)]
pub struct InsideMove {
    /// The number of filled cells with lower numbers.
    pub bit: u32,
    /// The next block.
    pub to: BlockLocation,
}

/// The location of a block in its class.
#[derive(Debug, Clone, Copy)]
pub struct BlockLocation {
    /// The number of its frame.
    pub frame: usize,
    /// Its number among the frame's blocks with the same number of stones.
    pub index: usize,
}

impl UnitClass {
    /// The class with these fixed stones in each column of a board cut above the lowest `depth`
    /// cells, solved up to `last` stones. A unit has about `aim` positions, counting those that it
    /// reads.
    pub fn new(columns: &BoardColumns, depth: &[u32], last: u32, heights: &[u32], aim: u64) -> UnitClass {
        let rows = columns.heights();
        let fixed: u32 = heights.iter().sum();
        let (free_columns, closed_columns): (Vec<usize>, Vec<usize>) =
            (0..rows.len()).partition(|column| heights[*column] == depth[*column]);
        let below = |column: usize| columns.columns[column][..heights[column] as usize].iter();
        let mut cells: Vec<u32> = (0..rows.len()).flat_map(below).copied().collect();
        cells.sort_unstable();
        let above = |column: &usize| columns.columns[*column][heights[*column] as usize..].iter();
        let mut order: Vec<u32> = free_columns.iter().flat_map(above).copied().collect();
        order.sort_unstable();
        let free = order.len() as u32;
        order.extend(&cells);
        let mut rest: Vec<u32> = closed_columns.iter().flat_map(above).copied().collect();
        rest.sort_unstable();
        order.extend(rest);
        let mut to = vec![0; order.len()];
        (0..).zip(&order).for_each(|(bit, cell)| to[*cell as usize] = bit);
        let board = columns.board.without_support().renumbered(&to).expect("nothing stands on anything");
        let most = free.min(last.saturating_sub(fixed));
        let (frames, locations) = Filling { columns, depth, heights, to: &to }.frames(most);
        let layers = frames.iter().flat_map(|frame| (0..).zip(&frame.layers));
        let positions = layers.map(|(stones, blocks)| (blocks.len() as u128) << stones).sum::<u128>();
        let positions = u64::try_from(positions).unwrap_or(u64::MAX);
        let weight = positions.saturating_mul(1 + 2 * closed_columns.len() as u64);
        let bits = varying(&cells, &columns.pairs, (aim / weight.max(1)).max(1).ilog2());
        let end = cells.get(bits as usize).map_or(u32::MAX, |cell| columns.pairs[*cell as usize]);
        let closed = closed_columns.into_iter().map(|column| {
            let cell = columns.columns[column][heights[column] as usize];
            let bit = cells.iter().filter(|fixed| **fixed < cell).count() as u32;
            let key = if heights[column] + 1 == depth[column] { 1 << column } else { 0 };
            ClosedColumn { column, bit, varies: columns.pairs[cell as usize] < end, key }
        });
        let closed = closed.collect();
        UnitClass {
            heights: heights.to_vec(),
            fixed,
            free,
            bits,
            cells,
            board,
            closed,
            frames,
            locations,
            most,
            positions,
        }
    }

    /// About the bytes that a block takes on a board with `columns` columns: three lists for each
    /// block and its location.
    pub fn bytes_of_block(columns: usize) -> u64 {
        200 + 40 * columns as u64
    }

    /// The frame with that key.
    pub fn frame(&self, key: u64) -> Option<(usize, &UnitFrame)> {
        let at = self.frames.binary_search_by_key(&key, |frame| frame.key).ok()?;
        Some((at, &self.frames[at]))
    }

    /// The fixed cells as a set.
    pub fn fixed_cells(&self) -> u64 {
        self.cells.iter().map(|cell| 1 << cell).sum()
    }

    /// Alice's stones on the fixed cells in a filling.
    pub fn stones(&self, filling: u64) -> u64 {
        self.cells.iter().enumerate().filter(|(bit, _)| filling >> bit & 1 == 1).map(|(_, cell)| 1 << cell).sum()
    }

    /// Whether other units read a frame. All frames of the first unit are read.
    pub fn is_read(&self, key: u64, depth: &[u32]) -> bool {
        let is_between = |(height, depth): (&u32, &u32)| (1..*depth).contains(height);
        key != 0 || self.fixed == 0 || self.heights.iter().zip(depth).any(is_between)
    }

    /// The player who has a line of fixed stones in all of 2^`bits` fillings from `first` on; Alice
    /// if both have one.
    pub fn winner(&self, first: u64, bits: u32) -> Option<Player> {
        let known = (((1_u64 << self.fixed) - 1) >> bits << bits) << self.free;
        let alice = first << self.free;
        let stones = ByPlayer::new(alice & known, !alice & known);
        Player::BOTH.into_iter().find(|player| {
            let own = stones[*player];
            self.board.lines(*player).iter().any(|line| line & !own == 0)
        })
    }
}

/// The number of fixed cells that vary within a unit: at most `most`, and whole pairs, so that they
/// are the first ones in the mirror image too.
fn varying(cells: &[u32], pairs: &[u32], most: u32) -> u32 {
    let pair = |at: usize| cells.get(at).map(|cell| pairs[*cell as usize]);
    let ends = (0..=cells.len()).take_while(|end| *end as u32 <= most);
    ends.filter(|end| *end == 0 || pair(end - 1) != pair(*end)).last().unwrap_or(0) as u32
}

/// The filled cells of a class.
struct Filling<'a> {
    columns: &'a BoardColumns,
    depth: &'a [u32],
    heights: &'a [u32],
    to: &'a [u32],
}

impl Filling<'_> {
    fn cell(&self, column: usize, row: u32) -> Option<u64> {
        let cell = self.columns.columns[column].get(row as usize)?;
        Some(1 << self.to[*cell as usize])
    }

    /// The free columns that have fixed cells and no further stones.
    fn key(&self, heights: &[u32]) -> u64 {
        let is_empty = |column: &usize| {
            let depth = self.depth[*column];
            depth > 0 && heights[*column] == depth
        };
        (0..heights.len()).filter(is_empty).map(|column| 1 << column).sum()
    }

    fn frames(&self, most: u32) -> (Vec<UnitFrame>, HashMap<Vec<u32>, BlockLocation>) {
        let free: Vec<usize> = (0..self.heights.len()).filter(|c| self.heights[*c] == self.depth[*c]).collect();
        let fixed: u32 = self.heights.iter().sum();
        let rows = self.columns.heights();
        let mut found: HashMap<u64, Vec<Vec<Vec<u32>>>> = HashMap::new();
        let mut heights = self.heights.to_vec();
        loop {
            let stones = heights.iter().sum::<u32>() - fixed;
            if stones <= most {
                let layers = found.entry(self.key(&heights)).or_insert_with(|| vec![Vec::new(); most as usize + 1]);
                layers[stones as usize].push(heights.clone());
            }
            let Some(at) = free.iter().position(|column| heights[*column] < rows[*column]) else { break };
            heights[free[at]] += 1;
            free[..at].iter().for_each(|column| heights[*column] = self.heights[*column]);
        }
        let mut keys: Vec<u64> = found.keys().copied().collect();
        keys.sort_unstable();
        let mut locations = HashMap::new();
        for (frame, key) in keys.iter().enumerate() {
            for layer in &found[key] {
                locations.extend(layer.iter().cloned().zip((0..).map(|index| BlockLocation { frame, index })));
            }
        }
        let block = |heights: Vec<u32>| {
            let filled =
                |(column, height): (usize, &u32)| (0..*height).filter_map(|row| self.cell(column, row)).sum::<u64>();
            let shape: u64 = heights.iter().enumerate().map(filled).sum();
            let open = heights.iter().enumerate().filter_map(|(column, height)| self.cell(column, *height)).sum();
            let moves = free.iter().filter_map(|column| {
                let cell = self.cell(*column, heights[*column])?;
                let mut next = heights.clone();
                next[*column] += 1;
                Some(InsideMove { bit: (shape & (cell - 1)).count_ones(), to: *locations.get(&next)? })
            });
            let moves = moves.collect();
            UnitBlock { heights, shape, open, moves }
        };
        let frame = |key: u64| {
            let layers = found.get(&key).into_iter().flatten();
            let layers = layers.map(|layer| layer.iter().cloned().map(&block).collect());
            UnitFrame { key, layers: layers.collect() }
        };
        (keys.into_iter().map(frame).collect(), locations)
    }
}
