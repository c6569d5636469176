//! Periods of the values of a subtraction game.
//!
//! Computes the least `from` and `period` with value(x + period) = value(x) + drift for every heap
//! x >= `from`, all chips and both owners of the marker. As many rows as the largest number that
//! may be taken determine the next row, and adding a constant to all of them adds it to the next.
//! So a state is these rows minus the first value of the first. The first repeated state proves the
//! period for all heaps, and that none is smaller. If both players may make the same bids the drift
//! is 0, because exchanging the players negates the values.
//!
//! Accepts all rules. Stops at the first repeated state, or without an answer after a given number
//! of heaps. Exact. Memory: all rows so far.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use richman_core::{Effort, Error};

use super::{HeapRow, HeapScores, Heaps, SubtractionRules};

/// How values repeat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValuePeriod {
    /// The least heap from which on they repeat.
    pub from: u64,
    /// The least period.
    pub period: u64,
    /// Added to the maximin values with each period.
    pub drift: i64,
    /// Added to the minimax values with each period.
    pub minimax_drift: i64,
    /// Whether maximin and minimax values agree on every heap.
    pub unique: bool,
    /// The heap at which the state was repeated.
    pub seen: u64,
    rows: Vec<HeapRow>,
}

impl ValuePeriod {
    /// The values of any heap; `None` if they do not fit in 64 bits.
    pub fn row(&self, heap: u64) -> Option<HeapRow> {
        let times = heap.saturating_sub(self.from) / self.period;
        let row = self.rows.get((heap - times * self.period) as usize)?;
        let times = i64::try_from(times).ok()?;
        let moved = |values: &HeapScores, drift: i64| {
            let add = drift.checked_mul(times)?;
            let moved = |row: &[i64]| row.iter().map(|value| value.checked_add(add)).collect::<Option<Vec<_>>>();
            Some([moved(&values[0])?, moved(&values[1])?])
        };
        Some(HeapRow { maximin: moved(&row.maximin, self.drift)?, minimax: moved(&row.minimax, self.minimax_drift)? })
    }
}

/// The first maximin and minimax values, which a state subtracts.
fn base(row: &HeapRow) -> [i64; 2] {
    [&row.maximin, &row.minimax].map(|values| values[0][0])
}

/// A row minus its base.
fn reduced(row: &HeapRow) -> impl Iterator<Item = i64> + '_ {
    let [low, high] = base(row);
    let less =
        |values: &'_ HeapScores, base: i64| -> Vec<i64> { values.iter().flatten().map(|value| value - base).collect() };
    less(&row.maximin, low).into_iter().chain(less(&row.minimax, high))
}

/// Whether two runs of rows differ by constants.
fn same_state(a: &[HeapRow], b: &[HeapRow]) -> bool {
    let offset = |x: &HeapRow, y: &HeapRow| [base(x)[0] - base(y)[0], base(x)[1] - base(y)[1]];
    a.iter().zip(b).all(|(x, y)| offset(x, y) == offset(&a[0], &b[0]) && reduced(x).eq(reduced(y)))
}

/// The period of the values, or `None` if no state repeats among the heaps below `heaps`.
///
/// ```
/// use richman_core::{Effort, Total};
/// use richman_catalog::subtraction::{SubtractionRules, period};
/// let found = period(&SubtractionRules::unitary(Total::new(9)?)?, 1000, &Effort::default())?.unwrap();
/// assert_eq!((found.from, found.period), (17, 2));
/// assert_eq!(found.row(1_000_000).unwrap().maximin[0], [-4, -4, -2, -2, 0, 2, 2, 4, 4, 6]); // [LPR20, Figure 2]
/// # Ok::<(), richman_core::Error>(())
/// ```
///
/// # Errors
/// [`Error::TooMuchMemory`]; [`Error::Cancelled`].
pub fn period(rules: &SubtractionRules, heaps: u64, effort: &Effort) -> Result<Option<ValuePeriod>, Error> {
    let reach = rules.reach();
    let bytes = 4 * 8 * (u64::from(rules.total) + 1) + 64;
    let hasher = RandomState::new();
    let mut rows: Vec<HeapRow> = Vec::new();
    // For each row: the hash of the row minus its base, and its base minus the previous one.
    let mut hashes: Vec<(u64, [i64; 2])> = Vec::new();
    // The first heaps of the states with each hash.
    let mut begins: HashMap<u64, Vec<usize>> = HashMap::new();
    for (heap, row) in (0..heaps).zip(Heaps::new(rules)) {
        if heap.is_multiple_of(64) {
            effort.check_cancelled()?;
            effort.check_memory("holding the rows until they repeat", (heap + 64) * bytes)?;
            effort.watch.progress("heaps", heap, None);
        }
        let [low, high] = rows.last().map_or([0, 0], base);
        let step = [base(&row)[0] - low, base(&row)[1] - high];
        hashes.push((hasher.hash_one(reduced(&row).collect::<Vec<_>>()), step));
        rows.push(row);
        let Some(first) = rows.len().checked_sub(reach) else { continue };
        let state = (hashes[first].0, &hashes[first + 1..]);
        let earlier = begins.entry(hasher.hash_one(state)).or_default();
        let same = |&begin: &usize| same_state(&rows[begin..begin + reach], &rows[first..]);
        if let Some(begin) = earlier.iter().copied().find(same) {
            let [low, high] = base(&rows[begin]);
            let drifts = [base(&rows[first])[0] - low, base(&rows[first])[1] - high];
            let unique = rows.iter().all(HeapRow::is_unique);
            rows.truncate(first);
            return Ok(Some(ValuePeriod {
                from: begin as u64,
                period: (first - begin) as u64,
                drift: drifts[0],
                minimax_drift: drifts[1],
                unique,
                seen: heap,
                rows,
            }));
        }
        earlier.push(first);
    }
    Ok(None)
}
