//! The depth at which the board of a database is cut.

use std::collections::BTreeMap;

use richman_core::Error;

use super::columns::BoardColumns;
use super::{BoardQuestion, UnitCut};

/// The default limit on the numbers of a unit with the same fixed stones. Numbers that are not
/// stored are recomputed on lookup, in under a second.
const MOST: u128 = 50_000_000;
/// Small boards are cut too, into parts of at least this many numbers.
const LEAST: u128 = 1 << 16;
const PARTS: u128 = 32;
/// The target size of joined small units: numbers computed and read.
const AIM: u64 = 1 << 25;

/// The positions of the largest unit with the same fixed stones, if columns of `rows` cells are cut
/// above the lowest `depth` and positions have at most `last` stones.
pub(super) fn largest(rows: &[u32], depth: &[u32], last: u32) -> u128 {
    let mut kinds: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    rows.iter().zip(depth).for_each(|(rows, depth)| *kinds.entry((*rows, *depth)).or_default() += 1);
    // The number of fixed stones, and the positions by free stones. A closed column counts as
    // empty, which leaves the most stones to the others.
    let mut units: Vec<(u32, Vec<u128>)> = vec![(0, vec![1])];
    for ((rows, depth), count) in kinds {
        let mut grown = Vec::new();
        for (mut fixed, mut positions) in units {
            for columns in 0..=count {
                if depth > 0 || columns == count {
                    grown.push((fixed, positions.clone()));
                }
                fixed += depth;
                positions = with_column(&positions, rows - depth);
            }
        }
        units = grown;
    }
    let counted = |(fixed, positions): &(u32, Vec<u128>)| {
        let stones = last.checked_sub(*fixed)? as usize;
        Some(positions.iter().take(stones + 1).fold(0, |sum: u128, count| sum.saturating_add(*count)))
    };
    units.iter().filter_map(counted).max().unwrap_or(0)
}

/// Cuts deeper, row by row and in a row from the middle outwards, until the cut `fits`.
pub(super) fn deeper(rows: &[u32], depth: &[u32], fits: impl Fn(&[u32]) -> bool) -> Vec<u32> {
    let mut depth = depth.to_vec();
    let highest = rows.iter().copied().max().unwrap_or(0);
    for (row, pair) in (1..=highest).flat_map(|row| (0..rows.len().div_ceil(2)).rev().map(move |pair| (row, pair))) {
        if fits(&depth) {
            break;
        }
        for column in [pair, rows.len() - 1 - pair] {
            depth[column] = depth[column].max(row.min(rows[column]));
        }
    }
    depth
}

/// The positions by stones with one more column of up to `height` stones.
fn with_column(positions: &[u128], height: u32) -> Vec<u128> {
    let mut more = vec![0_u128; positions.len() + height as usize];
    for (stones, count) in positions.iter().enumerate() {
        for above in 0..=height {
            let all = &mut more[stones + above as usize];
            *all = all.saturating_add(count.saturating_mul(1 << above));
        }
    }
    more
}

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
        let numbers = |depth: &[u32]| largest(&rows, depth, question.last()).saturating_mul(lanes.into());
        let depth = vec![0; rows.len()];
        let most = size.map_or((numbers(&depth) / PARTS).clamp(LEAST, MOST), |size| u128::from(size.max(1)));
        let depth = deeper(&rows, &depth, |depth| numbers(depth) <= most);
        UnitCut::new(question, depth, size.unwrap_or(AIM) / lanes.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_unit_is_that_of_the_classes() {
        let counted = |rows: &[u32], depth: &[u32], last: u32| {
            let mut largest = 0;
            for class in 0..1_u32 << rows.len() {
                let grows = |column: &usize| class >> column & 1 == 1 || depth[*column] == 0;
                let columns: Vec<usize> = (0..rows.len()).filter(grows).collect();
                let fixed = columns.iter().map(|column| depth[*column]).sum::<u32>();
                let mut heights = vec![0; columns.len()];
                let mut count = 0;
                loop {
                    let stones = heights.iter().sum::<u32>();
                    count += if fixed + stones <= last { 1_u128 << stones } else { 0 };
                    let room = |at: &usize| heights[*at] < rows[columns[*at]] - depth[columns[*at]];
                    let Some(at) = (0..columns.len()).find(room) else { break };
                    heights[at] += 1;
                    heights[..at].fill(0);
                }
                largest = largest.max(count);
            }
            largest
        };
        for (rows, depth) in [([4; 4], [1; 4]), ([4; 4], [0, 2, 2, 0]), ([2, 3, 4, 3], [1, 0, 2, 3])] {
            for last in [0, 1, 3, 6, 16] {
                assert_eq!(largest(&rows, &depth, last), counted(&rows, &depth, last), "{rows:?} {depth:?} {last}");
            }
        }
    }
}
