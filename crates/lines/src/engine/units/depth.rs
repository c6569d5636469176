//! How deep the board of a database is cut.

use richman_core::Error;

use super::columns::BoardColumns;
use super::{BoardQuestion, UnitCut};

/// The most numbers of a unit with the same fixed stones, if nothing is asked for. To look up one
/// that is not stored, they are computed, which takes some tenths of a second.
const MOST: u128 = 50_000_000;
/// Small boards are cut, too, into parts of so many numbers or more.
const LEAST: u128 = 1 << 16;
const PARTS: u128 = 32;
/// The numbers that a unit computes and reads, where small units are joined.
const AIM: u64 = 1 << 25;

impl UnitCut {
    /// The cut of a database: row by row from below, in a row from the middle outwards, until the
    /// units have at most `size` numbers, or are small enough to be computed for a single answer.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if the cells are not in columns, or there is no total;
    /// [`Error::TooLarge`] if there are too many ways to fill the fixed cells, or those above them.
    pub fn of_database(question: BoardQuestion, size: Option<u64>) -> Result<UnitCut, Error> {
        let rows = BoardColumns::of(&question.board)?.heights();
        let lanes = question.lanes() as u64;
        let numbers = |depth: &[u32]| {
            let fillings = |(rows, depth): (&u32, &u32)| (2_u128 << (rows - depth)) - 1;
            let columns = rows.iter().zip(depth).map(fillings);
            columns.fold(u128::from(lanes), u128::saturating_mul)
        };
        let mut depth = vec![0; rows.len()];
        let most = size.map_or((numbers(&depth) / PARTS).clamp(LEAST, MOST), |size| u128::from(size.max(1)));
        let highest = rows.iter().copied().max().unwrap_or(0);
        let pairs = (1..=highest).flat_map(|row| (0..rows.len().div_ceil(2)).rev().map(move |pair| (row, pair)));
        for (row, pair) in pairs {
            if numbers(&depth) <= most {
                break;
            }
            for column in [pair, rows.len() - 1 - pair] {
                depth[column] = row.min(rows[column]);
            }
        }
        UnitCut::new(question, depth, None, size.unwrap_or(AIM) / lanes.max(1))
    }
}
