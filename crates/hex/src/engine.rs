//! Counts all fillings of a Hex board exactly: how often each player wins, and how often each cell
//! decides.
//!
//! A random-turn selection game is worth the mean over random fillings [K, Theorem 4.1]. So the
//! counts give a position's real-money threshold, 1 - P(Alice wins); its best moves, the cells most
//! often critical [K, Lemma 4.1]; and its best bid, half of how often such a cell is critical [K,
//! Proposition 5.2].
//!
//! **Accepts** every position of a board whose shorter side has at most [`MOST_WIDTH`] cells.
//! **Result** exact: whole numbers of fillings.
//!
//! **Method.** The board is swept cell by cell. The swept cells matter only through the *frontier*,
//! the last swept cell of every column: which of Alice's cells in it are connected through swept
//! cells, and which to the top. There are few such states (29,964 for eleven columns), the same at
//! every row, so these and their transitions are computed once per width ([`Frontier`]). A backward
//! sweep counts the winning fillings of the rest for every state, a forward sweep those that lead
//! to it. The number of fillings in which a cell decides is the difference of the backward counts
//! for its two colours, weighted by the forward counts.
//!
//! **Cost.** Two backward sweeps and one forward; each visits every state once per cell.
//!
//! **Checked by** all fillings of small positions.

mod count;
mod frontier;
mod sample;
pub mod small;
mod source;
mod sweep;
mod ways;
pub mod worth;

use crate::board::HexBoard;
use dashu_int::UBig;
use richman_core::{Effort, Error, Player, Share};

pub use count::MOST_OPEN;
pub use frontier::{Frontier, MOST_WIDTH};
pub use sample::{Sampled, sample, sample_on};
pub use source::HexEngine;

/// Which threads do the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cores {
    /// The calling thread alone.
    One,
    /// All cores.
    All,
}

/// All fillings of a position, counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fillings {
    /// The number of open cells: there are 2^open fillings.
    pub open: u32,
    /// The fillings that Alice wins.
    pub alice: UBig,
    /// For each cell, row by row, the fillings of the other open cells (of 2^(open - 1)) in which
    /// it decides; 0 for a stone.
    pub critical: Vec<UBig>,
}

impl Fillings {
    /// The part of fillings that Alice wins, from 0 to 1.
    pub fn alice_wins(&self) -> Share {
        part(&self.alice, self.open)
    }

    /// The same after a stone of `player` on an open cell; it differs by half of how often the cell
    /// decides.
    pub fn alice_wins_after(&self, player: Player, cell: usize) -> Share {
        let critical = &self.critical[cell];
        let count = match player {
            Player::Alice => &self.alice + critical,
            Player::Bob => &self.alice - critical.min(&self.alice),
        };
        part(&count, self.open)
    }

    /// How often a cell decides, from 0 to 1; 0 for a stone.
    pub fn critical(&self, cell: usize) -> Share {
        part(&self.critical[cell], self.open.saturating_sub(1))
    }

    /// The cells that decide in some filling of the others. Stones on other open cells change
    /// nothing.
    pub fn live(&self) -> Vec<usize> {
        (0..self.critical.len()).filter(|&cell| !self.critical[cell].is_zero()).collect()
    }
}

/// `count` of 2^`bits`.
fn part(count: &UBig, bits: u32) -> Share {
    Share::ratio(count.clone(), UBig::ONE << bits as usize).unwrap_or(Share::ONE) // a count is at most that
}

/// Counts the fillings of a position. `frontier` belongs to the board's shorter side.
///
/// # Errors
/// [`Error::Unsupported`] for more than 255 open cells or a frontier of another width;
/// [`Error::TooMuchMemory`]; [`Error::Cancelled`].
pub fn fillings(frontier: &Frontier, stones: &HexBoard, effort: &Effort) -> Result<Fillings, Error> {
    let (rows, cols) = (stones.rows(), stones.cols());
    if stones.open() > count::MOST_OPEN {
        return Err(unsupported(format!("a Hex board with {} open cells", stones.open())));
    }
    if frontier.width() != rows.min(cols) {
        return Err(unsupported(format!("a frontier of {} on a board of {rows} x {cols}", frontier.width())));
    }
    if cols <= rows {
        return count::fillings(frontier, stones, effort);
    }
    let turned = count::fillings(frontier, &stones.transposed(), effort)?;
    let all = UBig::ONE << turned.open as usize;
    let back = |cell: usize| turned.critical[(cell % cols) * rows + cell / cols].clone();
    Ok(Fillings { open: turned.open, alice: all - turned.alice, critical: (0..rows * cols).map(back).collect() })
}

fn unsupported(what: String) -> Error {
    let serves = format!(
        "exact values of boards whose shorter side has 1 to {MOST_WIDTH} cells, with at most {} open ones",
        count::MOST_OPEN
    );
    Error::unsupported(what, serves)
}
