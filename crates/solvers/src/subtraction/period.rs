//! Periods of the values of a subtraction game.
//!
//! What it computes: the least `from` and `period` with value(x + period) = value(x) for every heap x >= `from`, all chips and both
//! owners of the marker, maximin and minimax alike. As many rows as the largest number that may be taken determine the next row, so
//! they are a state; the first state that comes twice proves the period for all heaps, and no smaller one exists. Accepts all rules.
//! Stops at the first repeated state, or without an answer after a given number of heaps. Exact. Memory: all rows so far.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use richman_core::Error;

use super::{Heaps, Row, Rules};
use crate::Options;

/// From where on, and how, values repeat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Period {
    /// The least heap from which on they repeat.
    pub from: u64,
    /// The least period.
    pub period: u64,
    /// Whether maximin and minimax values agree on every heap.
    pub unique: bool,
    /// The heap at which the state was seen again.
    pub seen: u64,
    rows: Vec<Row>,
}

impl Period {
    /// The values of any heap.
    pub fn row(&self, heap: u64) -> &Row {
        let at = if heap < self.from { heap } else { self.from + (heap - self.from) % self.period };
        &self.rows[at as usize]
    }
}

/// The period of the values, or `None` where no state repeats among the heaps below `heaps`.
///
/// ```
/// use richman_core::Total;
/// use richman_solvers::{Options, subtraction::{Rules, period}};
/// let found = period(&Rules::unitary(Total::new(9)?)?, 1000, &Options::default())?.unwrap();
/// assert_eq!((found.from, found.period), (17, 2));
/// assert_eq!(found.row(u64::MAX - 1).maximin.star_alice, [-4, -4, -2, -2, 0, 2, 2, 4, 4, 6]); // [LPR20, Figure 2]
/// # Ok::<(), richman_core::Error>(())
/// ```
///
/// # Errors
/// [`Error::TooMuchMemory`], [`Error::Cancelled`].
pub fn period(rules: &Rules, heaps: u64, options: &Options) -> Result<Option<Period>, Error> {
    let reach = rules.reach();
    let bytes = 4 * 8 * (u64::from(rules.total) + 1) + 64;
    let hasher = RandomState::new();
    let mut rows: Vec<Row> = Vec::new();
    let mut hashes: Vec<u64> = Vec::new();
    // Where states with a hash end.
    let mut ends: HashMap<u64, Vec<usize>> = HashMap::new();
    for (heap, row) in (0..heaps).zip(Heaps::new(rules)) {
        if heap.is_multiple_of(64) {
            options.check_cancelled()?;
            options.check_memory("the rows until they repeat", (heap + 64) * bytes)?;
            options.watch.progress("heaps", heap, None);
        }
        hashes.push(hasher.hash_one(&row));
        rows.push(row);
        let Some(first) = rows.len().checked_sub(reach) else { continue };
        let earlier = ends.entry(hasher.hash_one(&hashes[first..])).or_default();
        let same = |&begin: &usize| rows[begin..begin + reach] == rows[first..];
        if let Some(begin) = earlier.iter().copied().find(same) {
            let unique = rows.iter().all(Row::is_unique);
            rows.truncate(first);
            return Ok(Some(Period { from: begin as u64, period: (first - begin) as u64, unique, seen: heap, rows }));
        }
        earlier.push(first);
    }
    Ok(None)
}
