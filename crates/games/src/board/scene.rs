//! Drawings of boards, and parts shared with other games on squares.

use richman_core::{Mark, MarkRole, MarkShape, Player, Scene};

use super::Board;
use crate::grid::StoneBoard;
use crate::{Stones, grid};

/// The side of a cell; other sizes follow from it.
const CELL: i32 = 100;
/// Room for the names of rows and columns.
const MARGIN: i32 = 70;
const NAME: i32 = 40;
const STONE: i32 = 38;
const HOLE: i32 = 42;

impl Board {
    /// The stones on square cells. Each cell is a place, named as in moves.
    pub(crate) fn scene_of_cells(&self, stones: Stones) -> Scene {
        let mut marks = names(self.grid.rows, self.grid.cols);
        for (row, col) in self.grid.places() {
            let name = grid::cell_name(row, col);
            let label = format!("{name}, {}", self.content(stones, row, col));
            marks.push(Mark::place(rectangle((row, col), 1, 1), MarkRole::Field, name, label));
        }
        marks.extend(self.discs(stones));
        scene(self.grid.rows, self.grid.cols, marks)
    }

    /// The stones in holes. Each column is a place, named as in moves.
    pub(crate) fn scene_of_columns(&self, stones: Stones) -> Scene {
        let mut marks = names(self.grid.rows, self.grid.cols);
        marks.push(Mark::seen(rectangle((0, 0), self.grid.rows, self.grid.cols), MarkRole::Board));
        for (row, col) in self.grid.places() {
            if self.stone(stones, row, col).is_none() {
                marks.push(Mark::seen(MarkShape::Disc { at: middle(row, col), radius: HOLE }, MarkRole::Field));
            }
        }
        marks.extend(self.discs(stones));
        for col in 0..self.grid.cols {
            let name = grid::column_name(col);
            let label = self.column_in_words(stones, col);
            marks.push(Mark::place(rectangle((0, col), self.grid.rows, 1), MarkRole::Clear, name, label));
        }
        scene(self.grid.rows, self.grid.cols, marks)
    }

    fn discs(&self, stones: Stones) -> impl Iterator<Item = Mark> {
        let disc = move |(row, col)| {
            let look = MarkRole::Of(self.stone(stones, row, col)?);
            Some(Mark::seen(disc(row, col), look))
        };
        self.grid.places().filter_map(disc)
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

/// A drawing of these rows and columns of cells, with the names beside them.
pub(crate) fn scene(rows: u32, cols: u32, marks: Vec<Mark>) -> Scene {
    Scene { width: MARGIN + CELL * cols as i32 + 2, height: MARGIN + CELL * rows as i32 + 2, marks }
}

pub(crate) fn names(rows: u32, cols: u32) -> Vec<Mark> {
    let columns = (0..cols).map(|col| text([middle(0, col)[0], MARGIN / 2], grid::column_name(col)));
    let rows = (0..rows).map(|row| text([MARGIN / 2, middle(row, 0)[1]], (row + 1).to_string()));
    columns.chain(rows).collect()
}

/// A text in the size of the names of rows and columns.
pub(crate) fn text(at: [i32; 2], text: String) -> Mark {
    Mark::seen(MarkShape::Text { at, size: NAME, text }, MarkRole::Guide)
}

pub(crate) fn disc(row: u32, col: u32) -> MarkShape {
    MarkShape::Disc { at: middle(row, col), radius: STONE }
}

pub(crate) fn middle(row: u32, col: u32) -> [i32; 2] {
    [col, row].map(|at| MARGIN + CELL * at as i32 + CELL / 2)
}

/// The rectangle of `rows` x `cols` cells whose upper left cell is given.
pub(crate) fn rectangle((row, col): (u32, u32), rows: u32, cols: u32) -> MarkShape {
    let [x, y] = middle(row, col);
    MarkShape::Rectangle { at: [x - CELL / 2, y - CELL / 2], width: CELL * cols as i32, height: CELL * rows as i32 }
}
