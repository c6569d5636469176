//! Boards of Connect Four, and the positions that share their lowest stones.

use richman_core::{ByPlayer, cells};
use richman_lines::board::LineBoard;

use crate::sweep::BlockLines;

const LINE: usize = 4;

/// Rows and columns; cell `row * cols + col` is row by row from the bottom.
#[derive(Clone, Copy)]
pub struct Size {
    pub rows: usize,
    pub cols: usize,
}

impl Size {
    pub fn cells(self) -> u32 {
        (self.rows * self.cols) as u32
    }

    /// The bytes of a need with this many stones.
    pub fn width(self, stones: u32) -> usize {
        richman_core::Numbers::width(1 << (self.cells() - stones))
    }

    /// The board with cell i renumbered `to[i]`.
    pub fn board(self, to: &[usize]) -> LineBoard {
        let mut lines = Vec::new();
        for row in 0..self.rows {
            for col in 0..self.cols {
                for (up, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                    let ends = (row + (LINE - 1) * up, col as isize + (LINE as isize - 1) * right);
                    if ends.0 < self.rows && (0..self.cols as isize).contains(&ends.1) {
                        let cell = |step: usize| {
                            (row + step * up) * self.cols + (col as isize + step as isize * right) as usize
                        };
                        lines.push((0..LINE).map(|step| 1 << to[cell(step)]).sum::<u64>());
                    }
                }
            }
        }
        // What supports a cell matters only in the natural numbering.
        let natural = to.iter().enumerate().all(|(from, to)| from == *to);
        let below = |at: usize| if natural && at >= self.cols { 1 << (at - self.cols) } else { 0 };
        LineBoard::new((0..to.len()).map(below).collect(), ByPlayer::both(lines)).expect("a small board")
    }

    /// The board in the natural numbering.
    pub fn natural(self) -> LineBoard {
        self.board(&(0..self.rows * self.cols).collect::<Vec<_>>())
    }
}

/// All colourings of one set of filled cells above the fixed ones.
pub struct Block {
    /// The filled cells, renumbered.
    pub shape: u64,
    /// The stones above the fixed ones.
    pub stones: u32,
    /// The free columns, if cut, without such stones: the block's frame.
    pub frame: usize,
    /// The place among the blocks of the frame with as many stones.
    pub index: usize,
    pub lines: BlockLines,
    /// The successors within the unit: place of the new bit, frame, index.
    pub inside: Vec<(u32, usize, usize)>,
}

/// A column without moves inside a unit.
pub struct Closed {
    /// The fixed cells with lower numbers than the next cell of the column.
    pub place: u32,
    /// The class after a stone there.
    pub next: usize,
    /// What is added to a block's frame there.
    pub frame: usize,
}

/// The units with stones on the same lowest cells.
pub struct Class {
    /// The fixed stones of each column.
    pub low: Vec<usize>,
    pub fixed: u32,
    pub closed: Vec<Closed>,
    /// The blocks of each number of stones.
    pub layers: Vec<Vec<Block>>,
    /// The frames, each with its number of blocks of each number of stones.
    pub frames: Vec<(usize, Vec<usize>)>,
    /// The original cell of each renumbered one.
    pub cells: Vec<usize>,
    /// The positions of a unit with one filling of the fixed cells.
    pub positions: u64,
}

impl Class {
    /// Whether other units read a frame.
    pub fn is_read(&self, frame: usize, depth: &[usize]) -> bool {
        frame != 0 || self.low.iter().zip(depth).any(|(low, depth)| (1..*depth).contains(low))
    }

    fn new(size: Size, depth: &[usize], low: &[usize], number: &dyn Fn(&[usize]) -> usize) -> Class {
        let Size { rows, cols } = size;
        let free: Vec<usize> = (0..cols).filter(|col| low[*col] == depth[*col]).collect();
        let is_free = |cell: &usize| low[cell % cols] == depth[cell % cols] && cell / cols >= low[cell % cols];
        let is_fixed = |cell: &usize| cell / cols < low[cell % cols];
        let all = 0..rows * cols;
        let mut order: Vec<usize> = all.clone().filter(is_free).collect();
        order.extend(all.clone().filter(is_fixed));
        order.extend(all.filter(|cell| !is_free(cell) && !is_fixed(cell)));
        let mut to = vec![0; order.len()];
        order.iter().enumerate().for_each(|(bit, cell)| to[*cell] = bit);
        let board = size.board(&to);
        let filled = |heights: &[usize]| -> u64 {
            heights.iter().enumerate().map(|(col, h)| (0..*h).map(|row| 1 << to[row * cols + col]).sum::<u64>()).sum()
        };
        let frame = |heights: &[usize]| -> usize {
            let empty = |col: &&usize| depth[**col] > 0 && heights[**col] == low[**col];
            free.iter().filter(empty).map(|col| 1 << col).sum()
        };
        let most: usize = free.iter().map(|col| rows - low[*col]).sum();
        let mut layers: Vec<Vec<Block>> = (0..=most).map(|_| Vec::new()).collect();
        let mut frames: Vec<(usize, Vec<usize>)> = Vec::new();
        let mut places = std::collections::HashMap::new();
        let mut shapes = Vec::new();
        let mut heights = low.to_vec();
        let fixed: u32 = low.iter().sum::<usize>() as u32;
        loop {
            let (frame, stones) = (frame(&heights), heights.iter().sum::<usize>() as u32 - fixed);
            let known = frames.iter().position(|(known, _)| *known == frame);
            let known = known.unwrap_or_else(|| {
                frames.push((frame, vec![0; most + 1]));
                frames.len() - 1
            });
            let index = frames[known].1[stones as usize];
            frames[known].1[stones as usize] += 1;
            places.insert(heights.clone(), (frame, index));
            shapes.push(heights.clone());
            let Some(col) = free.iter().find(|col| heights[**col] < rows) else { break };
            heights[*col] += 1;
            free.iter().take_while(|before| *before != col).for_each(|before| heights[*before] = low[*before]);
        }
        for heights in shapes {
            let shape = filled(&heights);
            let (frame, index) = places[&heights];
            let inside = free.iter().filter(|col| heights[**col] < rows).map(|col| {
                let mut next = heights.clone();
                next[*col] += 1;
                let cell: u64 = 1 << to[heights[*col] * cols + col];
                let (frame, index) = places[&next];
                ((shape & (cell - 1)).count_ones(), frame, index)
            });
            let stones = heights.iter().sum::<usize>() as u32 - fixed;
            let lines = BlockLines::new(&board, shape);
            layers[stones as usize].push(Block { shape, stones, frame, index, lines, inside: inside.collect() });
        }
        let closed = (0..cols).filter(|col| low[*col] < depth[*col]).map(|col| {
            let mut next = low.to_vec();
            next[col] += 1;
            let cell = low[col] * cols + col;
            let place = (0..cell).filter(|cell| is_fixed(cell)).count() as u32;
            let frame = if next[col] == depth[col] { 1 << col } else { 0 };
            Closed { place, next: number(&next), frame }
        });
        let positions = layers.iter().zip(0..).map(|(blocks, stones)| (blocks.len() as u64) << stones).sum();
        let closed = closed.collect();
        Class { low: low.to_vec(), fixed, closed, layers, frames, cells: order, positions }
    }
}

/// All classes, for a board whose column c is cut above its lowest `depth[c]` cells.
pub fn classes(size: Size, depth: &[usize]) -> Vec<Class> {
    let number = |low: &[usize]| low.iter().zip(depth).rev().fold(0, |sum, (low, depth)| sum * (depth + 1) + low);
    let count: usize = depth.iter().map(|depth| depth + 1).product();
    let low = |mut at: usize| -> Vec<usize> {
        let digit = |depth: &usize| {
            let low = at % (depth + 1);
            at /= depth + 1;
            low
        };
        depth.iter().map(digit).collect()
    };
    (0..count).map(|at| Class::new(size, depth, &low(at), &number)).collect()
}

/// The owners of a position's stones in the original numbering.
pub fn stones(class: &Class, shape: u64, position: u64) -> [u64; 2] {
    let mut stones = [0; 2];
    for (bit, cell) in cells(shape).enumerate() {
        stones[usize::from(position >> bit & 1 == 0)] |= 1 << class.cells[cell.trailing_zeros() as usize];
    }
    stones
}
