//! Periods of Cumulative Subtraction: the first open problem of [LPR20, section 4].

use crate::subtraction::{Rules, period};
use richman_core::{Bids, Effort, Total, Watch};

use crate::Error;

/// How the values of a subtraction game repeat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PeriodRow {
    /// The subtraction set.
    pub set: Vec<u32>,
    /// The total.
    pub total: u32,
    /// The least heap from which on values repeat, and the least period; `None` where no state repeats.
    pub repeats: Option<(u64, u64)>,
    /// Whether maximin equals minimax on every heap.
    pub unique: bool,
}

impl PeriodRow {
    /// The set, the total, the heap and the period between tabulators.
    pub fn line(&self) -> String {
        let set: Vec<String> = self.set.iter().map(u32::to_string).collect();
        let (from, period) = self.repeats.map_or(("-".into(), "-".into()), |(f, p)| (f.to_string(), p.to_string()));
        format!("{}\t{}\t{from}\t{period}", set.join("+"), self.total)
    }
}

/// The sets of numbers from 1 to `most`, none of them empty.
pub fn sets(most: u32) -> impl Iterator<Item = Vec<u32>> {
    (1u32..1 << most.min(20)).map(move |mask| (1..=most).filter(|take| mask >> (take - 1) & 1 == 1).collect())
}

/// The periods of all sets within 1..=`take` and all totals to `total`, with all bids.
///
/// # Errors
/// Those of [`period()`].
pub fn periods(take: u32, total: u32, watch: &dyn Watch) -> Result<Vec<PeriodRow>, Error> {
    /// Far beyond where any of them was found to repeat.
    const HEAPS: u64 = 1_000;
    let effort = Effort::watched(watch);
    let mut rows = Vec::new();
    for set in sets(take) {
        for chips in 0..=total {
            let rules = Rules::new(&set, Total::new(chips.into())?, &Bids::All, &Bids::All)?;
            let found = period(&rules, HEAPS, &effort)?;
            rows.push(PeriodRow {
                set: set.clone(),
                total: chips,
                repeats: found.as_ref().map(|found| (found.from, found.period)),
                unique: found.is_some_and(|found| found.unique),
            });
        }
    }
    Ok(rows)
}
