//! Engines' offers for a question.

use std::fmt;
use std::time::Duration;

/// The quality of an answer, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// The exact value.
    Exact,
    /// Proved bounds.
    Bounds,
    /// Random plays, with a confidence.
    Sampled,
    /// An unproved estimate.
    Estimate,
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Grade::Exact => "exact",
            Grade::Bounds => "proved bounds",
            Grade::Sampled => "an estimate with its confidence",
            Grade::Estimate => "an estimate",
        })
    }
}

/// The cost of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cost {
    /// An estimate of the cost.
    About {
        /// On two cores.
        time: Duration,
        /// The most bytes, if known.
        memory: Option<u64>,
    },
    /// All available time, and little memory.
    Anytime,
    /// Unknown until tried.
    Unknown,
    /// More than the limits allow.
    TooMuch {
        /// The most positions within the limits.
        positions: u64,
    },
}

impl Cost {
    /// The cost of `count` such answers in sequence.
    #[must_use]
    pub fn times(self, count: usize) -> Cost {
        match self {
            Cost::About { time, memory } => {
                let time = time.saturating_mul(u32::try_from(count).unwrap_or(u32::MAX));
                Cost::About { time, memory }
            }
            other => other,
        }
    }

    /// The least time known to be needed.
    fn time(&self) -> Duration {
        match *self {
            Cost::About { time, .. } => time,
            Cost::Anytime | Cost::Unknown => Duration::ZERO,
            Cost::TooMuch { .. } => Duration::MAX,
        }
    }
}

/// An engine's offer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// The quality of the answer.
    pub grade: Grade,
    /// Its cost.
    pub cost: Cost,
}

/// The limits on an answer's cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CostLimit {
    /// The time left, if limited.
    pub time: Option<Duration>,
    /// The memory left.
    pub memory: u64,
    /// Whether only exact answers will do.
    pub exact: bool,
}

impl Offer {
    /// Whether the offer fits and leaves time for a worse one to fall back on (`others`).
    fn fits(&self, room: &CostLimit, others: bool) -> bool {
        let time = |left: Duration| if others { first_part(left) } else { left };
        match self.cost {
            Cost::About { time: needed, memory } => {
                memory.is_none_or(|memory| memory <= room.memory) && room.time.is_none_or(|left| needed <= time(left))
            }
            Cost::Anytime | Cost::Unknown => true,
            Cost::TooMuch { .. } => false,
        }
    }
}

/// A negligible delay.
const MOMENT: Duration = Duration::from_millis(500);

/// The time for the first attempt if others follow should it fail: an estimate needs little.
pub fn first_part(left: Duration) -> Duration {
    left / 8 * 7
}

/// The indices of the offers in the order of trying. The best grade that fits comes first. Within a
/// grade come offers within a moment, as listed, then unknown costs, then the others, fastest
/// first. If only exact answers are allowed or nothing fits, the cheapest that does not fit is
/// tried last, because its error explains best what is missing.
pub fn pick(offers: &[Offer], room: &CostLimit) -> Vec<usize> {
    let is_worse = |grade: Grade| !room.exact && offers.iter().any(|other| other.grade > grade);
    let asked = |number: &usize| !room.exact || offers[*number].grade == Grade::Exact;
    let (mut fitting, dear): (Vec<usize>, Vec<usize>) =
        (0..offers.len()).filter(asked).partition(|&number| offers[number].fits(room, is_worse(offers[number].grade)));
    let time = |number: usize| offers[number].cost.time();
    let slow = |number: usize| match offers[number].cost {
        Cost::Anytime | Cost::Unknown => MOMENT,
        _ => Some(time(number)).filter(|&time| time > MOMENT).unwrap_or_default(),
    };
    fitting.sort_by_key(|&number| (offers[number].grade, slow(number)));
    if room.exact || fitting.is_empty() {
        fitting.extend(dear.into_iter().min_by_key(|&number| time(number)));
    }
    fitting
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer(grade: Grade, seconds: u64, memory: u64) -> Offer {
        Offer { grade, cost: Cost::About { time: Duration::from_secs(seconds), memory: Some(memory) } }
    }

    #[test]
    fn the_best_that_fits_comes_first() {
        use Grade::*;
        let unknown = |grade: Grade| Offer { grade, cost: Cost::Unknown };
        let anytime = |grade: Grade| Offer { grade, cost: Cost::Anytime };
        let too_much = |grade: Grade| Offer { grade, cost: Cost::TooMuch { positions: 10 } };
        let without_memory = Offer { grade: Exact, cost: Cost::About { time: Duration::from_secs(1), memory: None } };
        let room =
            |seconds: u64, memory: u64| CostLimit { time: Some(Duration::from_secs(seconds)), memory, exact: false };
        let exact = CostLimit { exact: true, ..room(10, 10) };
        let cases: [(&[Offer], CostLimit, &[usize]); 20] = [
            (&[], room(10, 10), &[]),
            (&[offer(Estimate, 1, 1), offer(Exact, 1, 1)], room(10, 10), &[1, 0]),
            // A worse offer waits for its time.
            (&[offer(Exact, 9, 1), offer(Bounds, 1, 1)], room(10, 10), &[1]),
            (&[offer(Exact, 8, 1), offer(Bounds, 1, 1)], room(10, 10), &[0, 1]),
            (&[offer(Exact, 9, 1)], room(10, 10), &[0]),
            (&[offer(Exact, 8, 1), offer(Bounds, 1, 1)], CostLimit { time: None, ..room(0, 10) }, &[0, 1]),
            (&[offer(Exact, 1, 11), offer(Sampled, 1, 1), offer(Bounds, 1, 1)], room(10, 10), &[2, 1]),
            (&[offer(Exact, 60, 11), offer(Bounds, 1, 1)], exact, &[0]),
            (&[offer(Exact, 60, 11), unknown(Exact)], exact, &[1, 0]),
            (&[offer(Bounds, 60, 11)], room(10, 10), &[0]),
            (&[offer(Exact, 600, 1), offer(Exact, 60, 11)], room(10, 10), &[1]),
            (&[unknown(Exact), offer(Exact, 1, 1), offer(Estimate, 1, 1)], room(10, 10), &[0, 1, 2]),
            (&[unknown(Exact), offer(Exact, 0, 1)], room(10, 10), &[1, 0]),
            (&[offer(Exact, 3, 1), offer(Exact, 1, 1), offer(Exact, 0, 1)], room(10, 10), &[2, 1, 0]),
            (&[anytime(Bounds), offer(Exact, 9, 1), offer(Exact, 7, 1)], room(10, 10), &[2, 0]),
            (&[anytime(Bounds), anytime(Bounds)], room(0, 0), &[0, 1]),
            (&[too_much(Exact), anytime(Estimate)], room(10, 10), &[1]),
            (&[too_much(Exact)], room(10, 10), &[0]),
            (&[too_much(Exact), offer(Exact, 60, 11), anytime(Bounds)], exact, &[1]),
            (&[offer(Exact, 8, 1), without_memory], room(10, 0), &[1]),
        ];
        for (offers, room, order) in cases {
            assert_eq!(pick(offers, &room), order, "{offers:?} {room:?}");
        }
    }
}
