//! Drawings of boards, and parts shared with other games on squares.

use richman_core::{Mark, MarkRole, MarkShape, Player, Scene};

use super::Board;
use crate::grid::StoneBoard;
use crate::won::WonStones;
use crate::{Stones, grid};

/// The distance of neighbouring cells; other sizes follow from it.
const CELL: i32 = 100;
/// The gap between two cells.
const GAP: i32 = 6;
/// The margin: names of rows and columns at the left and above, empty elsewhere.
const MARGIN: i32 = 32;
const EDGE: i32 = 2;
const STONE: i32 = 38;

/// The frame around the holes of a board in which stones fall.
const FRAME: i32 = 14;
const BASE: i32 = 44;
const FOOT: i32 = 70;
const HOLE: i32 = 42;
const FALLEN: i32 = 41;

impl Board {
    /// The stones on square cells. Each cell is a place, named as in moves.
    pub(crate) fn scene_of_cells(&self, stones: Stones, won: &[(Player, u64)]) -> Scene {
        let mut marks = names(self.grid.rows, self.grid.cols);
        let is_won = |row, col| won.iter().any(|(_, line)| line & self.cell(row, col) != 0);
        for (row, col) in self.grid.coordinates() {
            let name = grid::cell_name(row, col);
            let more = if is_won(row, col) { ", in the winning line" } else { "" };
            let label = format!("{name}, {}{more}", self.content(stones, row, col));
            marks.push(Mark::place(square(row, col), MarkRole::Field, name, label));
        }
        marks.extend(self.discs(stones, STONE, middle));
        marks.extend(self.won(won, STONE, middle));
        scene(self.grid.rows, self.grid.cols, marks)
    }

    /// The stones in the holes of a frame. Each column is a place, named as in moves.
    pub(crate) fn scene_of_columns(&self, stones: Stones, won: &[(Player, u64)]) -> Scene {
        let (rows, cols) = (self.grid.rows as i32, self.grid.cols as i32);
        let middle = |row: u32, col: u32| [col, row].map(|at| FRAME + CELL * at as i32 + CELL / 2);
        let (width, height) = (2 * FRAME + CELL * cols, FRAME + CELL * rows + BASE);
        let holes = self.grid.coordinates().map(|(row, col)| middle(row, col)).collect();
        let inside = MarkShape::Rectangle { at: [FRAME; 2], width: CELL * cols, height: CELL * rows };
        let mut marks = vec![Mark::seen(inside, MarkRole::Field)];
        marks.extend(self.discs(stones, FALLEN, middle));
        for left in [4, width - FOOT - 4] {
            let points = vec![[left + 8, height - 12], [left + FOOT - 8, height - 12], [left + FOOT, height + 20]];
            let points = [points, vec![[left, height + 20]]].concat();
            marks.push(Mark::seen(MarkShape::Polygon { points }, MarkRole::Board));
        }
        let sheet = MarkShape::Sheet { at: [0, 0], width, height, holes, radius: HOLE };
        marks.push(Mark::seen(sheet, MarkRole::Board));
        marks.extend(self.won(won, HOLE, middle));
        for col in 0..self.grid.cols {
            let name = grid::column_name(col);
            let [x, _] = middle(0, col);
            let text = MarkShape::Text { at: [x, height - BASE / 2], size: 24, text: name.clone() };
            marks.push(Mark::seen(text, MarkRole::Guide));
            let is_won = won.iter().any(|(_, line)| (0..self.grid.rows).any(|row| line & self.cell(row, col) != 0));
            let label = self.column_in_words(stones, col) + if is_won { "; in the winning line" } else { "" };
            let shape = MarkShape::Rectangle { at: [x - CELL / 2, FRAME], width: CELL, height: CELL * rows };
            let free = (0..self.grid.rows).rev().find(|row| self.stone(stones, *row, col).is_none());
            let landing = free.map(|row| middle(row, col));
            marks.push(Mark::place(shape, MarkRole::Clear, name, label).with_spot(landing));
        }
        Scene { width, height: height + 20, marks }
    }

    fn discs(&self, stones: Stones, radius: i32, at: impl Fn(u32, u32) -> [i32; 2]) -> impl Iterator<Item = Mark> {
        let disc = move |(row, col)| {
            let look = MarkRole::Of(self.stone(stones, row, col)?);
            Some(Mark::seen(MarkShape::Disc { at: at(row, col), radius }, look))
        };
        self.grid.coordinates().filter_map(disc)
    }

    /// The stones of winning lines.
    fn won(&self, won: &[(Player, u64)], radius: i32, at: impl Fn(u32, u32) -> [i32; 2]) -> Vec<Mark> {
        let mut marks = Vec::new();
        for player in Player::BOTH {
            let mut stones = WonStones::default();
            for (_, line) in won.iter().filter(|(winner, _)| *winner == player) {
                let coordinates = richman_core::cells(*line).filter_map(|cell| self.coordinates(cell.trailing_zeros()));
                stones.add(coordinates.map(|(row, col)| at(row, col)).collect());
            }
            marks.extend(stones.marks(player, radius));
        }
        marks
    }

    fn content(&self, stones: Stones, row: u32, col: u32) -> &'static str {
        match self.stone(stones, row, col) {
            Some(Player::Alice) => "Alice",
            Some(Player::Bob) => "Bob",
            None => "empty",
        }
    }

    fn column_in_words(&self, stones: Stones, col: u32) -> String {
        let from_below = (0..self.grid.rows).rev().filter(|row| self.stone(stones, *row, col).is_some());
        let held: Vec<&str> = from_below.map(|row| self.content(stones, row, col)).collect();
        let name = grid::column_name(col);
        let empty = self.grid.rows as usize - held.len();
        match (held.is_empty(), empty) {
            (true, _) => format!("column {name}, empty"),
            (false, 0) => format!("column {name}, full; from below {}", held.join(", ")),
            (false, empty) => format!("column {name}, {empty} empty; from below {}", held.join(", ")),
        }
    }
}

/// A drawing of these rows and columns of cells, with their names.
pub(crate) fn scene(rows: u32, cols: u32, marks: Vec<Mark>) -> Scene {
    let side = |cells: u32| MARGIN + CELL * cells as i32 + EDGE;
    Scene { width: side(cols), height: side(rows), marks }
}

/// The names of rows and columns, larger on a large board.
pub(crate) fn names(rows: u32, cols: u32) -> Vec<Mark> {
    let size = 12 + rows.max(cols).min(12) as i32;
    let text = |at, text| Mark::seen(MarkShape::Text { at, size, text }, MarkRole::Guide);
    let columns = (0..cols).map(|col| text([middle(0, col)[0], MARGIN / 2], grid::column_name(col)));
    let rows = (0..rows).map(|row| text([MARGIN / 2, middle(row, 0)[1]], (row + 1).to_string()));
    columns.chain(rows).collect()
}

fn middle(row: u32, col: u32) -> [i32; 2] {
    [col, row].map(|at| MARGIN + CELL * at as i32 + CELL / 2)
}

/// The corner of the square in which a figure on the cell is drawn.
pub(crate) fn corner(row: u32, col: u32) -> [i32; 2] {
    middle(row, col).map(|at| at - MarkShape::FIGURE / 2)
}

/// A cell.
pub(crate) fn square(row: u32, col: u32) -> MarkShape {
    let at = middle(row, col).map(|at| at - (CELL - GAP) / 2);
    MarkShape::Rectangle { at, width: CELL - GAP, height: CELL - GAP }
}
