//! A Hex position, for solvers that know the game.

use richman_core::Player;

/// A board of hexagons with stones. Alice connects the first row to the last, Bob the first column
/// to the last.
///
/// The cell in row r and column c touches (r, c±1), (r±1, c), (r-1, c+1) and (r+1, c-1).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct HexBoard {
    rows: usize,
    cols: usize,
    cells: Vec<Option<Player>>,
}

impl HexBoard {
    /// A position from its cells, row by row from the top; `None` unless there are `rows` x `cols`,
    /// at least one.
    pub fn new(rows: usize, cols: usize, cells: Vec<Option<Player>>) -> Option<HexBoard> {
        let fits = !cells.is_empty() && rows.checked_mul(cols) == Some(cells.len());
        fits.then_some(HexBoard { rows, cols, cells })
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// The cells, row by row from the top.
    pub fn cells(&self) -> &[Option<Player>] {
        &self.cells
    }

    /// The number of open cells.
    pub fn open(&self) -> u32 {
        self.cells.iter().filter(|cell| cell.is_none()).count() as u32
    }

    /// The same game with the board mirrored at its main diagonal and the players exchanged.
    pub fn transposed(&self) -> HexBoard {
        let order = (0..self.cols).flat_map(|col| (0..self.rows).map(move |row| row * self.cols + col));
        let cells = order.map(|cell| self.cells[cell].map(Player::other)).collect();
        HexBoard { rows: self.cols, cols: self.rows, cells }
    }
}
