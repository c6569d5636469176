//! The columns of a board, and its mirror image.
//!
//! Cells are renumbered row by row, and in a row the outermost columns first, in pairs. So a mirror
//! image only exchanges neighbours, and never moves a cell across the end of a run of pairs.

use richman_core::{ByPlayer, Error, Player, cells};

use crate::board::LineBoard;

/// A board of columns, in the numbering of units.
#[derive(Debug, Clone)]
pub struct BoardColumns {
    /// The board with its cells renumbered.
    pub board: LineBoard,
    /// The cells of each column, from below.
    pub columns: Vec<Vec<u32>>,
    /// The new number of each cell.
    pub renumbered: Vec<u32>,
    /// For each cell the number of its pair.
    pub pairs: Vec<u32>,
    /// Whether the mirror image, column by column, is the same game.
    pub has_mirror: bool,
}

impl BoardColumns {
    /// The columns of a board.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if the cells do not stand on one another in columns.
    pub fn of(board: &LineBoard) -> Result<BoardColumns, Error> {
        let mut columns: Vec<Vec<u32>> =
            board.parts().into_iter().map(|part| cells(part).map(u64::trailing_zeros).collect()).collect();
        columns.sort_unstable();
        let stands = |column: &Vec<u32>| {
            let under = |at: usize| at.checked_sub(1).map_or(0, |below| 1 << column[below]);
            column.iter().enumerate().all(|(at, cell)| board.support(*cell) == under(at))
        };
        if !columns.iter().all(stands) {
            return Err(unsupported());
        }
        let has_mirror = is_symmetric(board, &columns);
        let count = columns.len();
        let (mut renumbered, mut pairs) = (vec![0; board.cells() as usize], Vec::new());
        let (mut next, mut pair) = (0, 0);
        for row in 0..columns.iter().map(Vec::len).max().unwrap_or(0) {
            for left in 0..count.div_ceil(2) {
                let right = count - 1 - left;
                let both = [Some(left), (right != left).then_some(right)];
                for cell in both.into_iter().flatten().filter_map(|column| columns[column].get(row)) {
                    renumbered[*cell as usize] = next;
                    pairs.push(pair);
                    next += 1;
                }
                pair += 1;
            }
        }
        let board = board.renumbered(&renumbered).ok_or_else(unsupported)?; // a cell's support is in a lower row
        let column = |cells: Vec<u32>| cells.into_iter().map(|cell| renumbered[cell as usize]).collect();
        let columns = columns.into_iter().map(column).collect();
        Ok(BoardColumns { board, columns, renumbered, pairs, has_mirror })
    }

    /// A set of cells in the new numbering.
    pub fn renumber(&self, set: u64) -> u64 {
        cells(set).map(|cell| 1 << self.renumbered[cell.trailing_zeros() as usize]).sum()
    }

    /// A set of cells in the numbering of the board.
    pub fn original(&self, set: u64) -> u64 {
        (0_u32..).zip(&self.renumbered).filter(|(_, cell)| set >> **cell & 1 == 1).map(|(cell, _)| 1 << cell).sum()
    }

    /// The filled cells of each column; `None` if some are filled above empty ones.
    pub fn filled(&self, shape: u64) -> Option<Vec<u32>> {
        let height = |column: &Vec<u32>| {
            let is_filled = |cell: &&u32| shape >> **cell & 1 == 1;
            let height = column.iter().take_while(is_filled).count();
            (height == column.iter().filter(is_filled).count()).then_some(height as u32)
        };
        self.columns.iter().map(height).collect()
    }

    /// The number of rows of each column.
    pub fn heights(&self) -> Vec<u32> {
        self.columns.iter().map(|column| column.len() as u32).collect()
    }
}

fn unsupported() -> Error {
    Error::unsupported("a board whose cells are not in columns", "columns")
}

/// Whether a board is its own mirror image, column by column.
fn is_symmetric(board: &LineBoard, columns: &[Vec<u32>]) -> bool {
    let mut image = vec![0; board.cells() as usize];
    for (column, other) in columns.iter().zip(columns.iter().rev()) {
        if column.len() != other.len() {
            return false;
        }
        column.iter().zip(other).for_each(|(cell, other)| image[*cell as usize] = *other);
    }
    let sorted = |lines: &mut dyn Iterator<Item = u64>| {
        let mut lines: Vec<u64> = lines.collect();
        lines.sort_unstable();
        lines
    };
    let mirrored = |line: u64| cells(line).map(|cell| 1_u64 << image[cell.trailing_zeros() as usize]).sum::<u64>();
    let is_same = |player: Player| {
        let lines = board.lines(player);
        sorted(&mut lines.iter().copied()) == sorted(&mut lines.iter().map(|line| mirrored(*line)))
    };
    ByPlayer::from_fn(is_same).iter().all(|is_same| *is_same)
}
