//! What an engine offers for a question, and which offer is taken.

use std::fmt;
use std::time::Duration;

/// How good an answer is, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// What the rules say.
    Exact,
    /// Between proved bounds.
    Bounds,
    /// Random plays, with a confidence.
    Sampled,
    /// Nothing of it is proved.
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

/// About what an answer costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// On two cores.
    pub time: Duration,
    /// Most bytes.
    pub memory: u64,
}

/// What an engine would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// How good the answer would be.
    pub grade: Grade,
    /// About what it would cost; `None` where that is not known before it is tried.
    pub cost: Option<Cost>,
}

/// What an answer may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// The time that is left, if it is limited.
    pub time: Option<Duration>,
    /// The memory that is left.
    pub memory: u64,
    /// Whether only exact answers do.
    pub exact: bool,
}

impl Offer {
    /// Whether the offer fits, where a worse one may wait for its part of the time.
    fn fits(&self, room: &Room, others: bool) -> bool {
        let time = |left: Duration| if others { first_part(left) } else { left };
        let fits = |cost: &Cost| cost.memory <= room.memory && room.time.is_none_or(|left| cost.time <= time(left));
        self.cost.as_ref().is_none_or(fits)
    }
}

/// Nobody minds waiting so long.
const MOMENT: Duration = Duration::from_millis(500);

/// The part of the time for who is tried first, where others wait to go on if that fails.
pub fn first_part(left: Duration) -> Duration {
    left / 4 * 3
}

/// The offers in the order in which they should be tried, by their numbers. The best grade that fits comes first; of equally
/// good ones the first listed of those that are there in a moment, then the faster. An exact answer that is required is tried although it may not fit, and so is the cheapest one
/// where nothing fits: who tries says best what is missing.
pub fn pick(offers: &[Offer], room: &Room) -> Vec<usize> {
    let is_worse = |grade: Grade| !room.exact && offers.iter().any(|other| other.grade > grade);
    let asked = |number: &usize| !room.exact || offers[*number].grade == Grade::Exact;
    let (mut fitting, dear): (Vec<usize>, Vec<usize>) =
        (0..offers.len()).filter(asked).partition(|&number| offers[number].fits(room, is_worse(offers[number].grade)));
    let time = |number: usize| offers[number].cost.map_or(Duration::ZERO, |cost| cost.time);
    let slow = |number: usize| Some(time(number)).filter(|&time| time > MOMENT);
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
        Offer { grade, cost: Some(Cost { time: Duration::from_secs(seconds), memory }) }
    }

    #[test]
    fn the_best_that_fits_comes_first() {
        use Grade::*;
        let unknown = |grade: Grade| Offer { grade, cost: None };
        let room = |seconds: u64, memory: u64| Room { time: Some(Duration::from_secs(seconds)), memory, exact: false };
        let exact = Room { exact: true, ..room(10, 10) };
        let cases: [(&[Offer], Room, &[usize]); 12] = [
            (&[], room(10, 10), &[]),
            (&[offer(Estimate, 1, 1), offer(Exact, 1, 1)], room(10, 10), &[1, 0]),
            // A worse offer waits for its part of the time.
            (&[offer(Exact, 8, 1), offer(Bounds, 1, 1)], room(10, 10), &[1]),
            (&[offer(Exact, 8, 1)], room(10, 10), &[0]),
            (&[offer(Exact, 8, 1), offer(Bounds, 1, 1)], Room { time: None, ..room(0, 10) }, &[0, 1]),
            (&[offer(Exact, 1, 11), offer(Sampled, 1, 1), offer(Bounds, 1, 1)], room(10, 10), &[2, 1]),
            (&[offer(Exact, 60, 11), offer(Bounds, 1, 1)], exact, &[0]),
            (&[offer(Exact, 60, 11), unknown(Exact)], exact, &[1, 0]),
            (&[offer(Bounds, 60, 11)], room(10, 10), &[0]),
            (&[offer(Exact, 600, 1), offer(Exact, 60, 11)], room(10, 10), &[1]),
            (&[unknown(Exact), offer(Exact, 1, 1), offer(Estimate, 1, 1)], room(10, 10), &[0, 1, 2]),
            (&[offer(Exact, 3, 1), offer(Exact, 1, 1), offer(Exact, 0, 1)], room(10, 10), &[2, 1, 0]),
        ];
        for (offers, room, order) in cases {
            assert_eq!(pick(offers, &room), order, "{offers:?} {room:?}");
        }
    }
}
