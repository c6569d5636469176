//! Bidding Cumulative Subtraction [LPR20, section 3]: whoever wins the bid takes s items of the
//! heap, s from a set, and scores s.
//!
//! Computes every heap's values in turn, for all chips of Alice and both owners of the marker. The
//! higher bid wins, pays the other player and must take. In a tie the marker's owner wins, pays and
//! passes the marker on. The game ends when no number of the set fits in the heap; its score is
//! Alice's items minus Bob's.
//!
//! - [`Heaps`] accepts every set, and a bid set for each player: maximin and minimax values by
//!   definition. Time for a heap: total x bids x set.
//! - [`period()`] accepts every set and bid set: preperiod and period of the values, proved by a
//!   repeated state. Time: until it repeats.
//! - [`general_sum`] accepts every set and bid set, and trees: equilibria where each player counts
//!   only what they take. Time: total^2 bids for each state.
//!
//! Unitary games (set 1, all bids) are in the crate `richman-heaps`.
//!
//! Source: [LPR20, Definitions 1, 8 and 10]. There the winner of a bid names the move together with
//! the bid; here the winner moves knowing the bids, as the game is played. The values are equal
//! wherever the uniqueness properties hold. If a player can make no bid, the other one moves, pays
//! one of their own bids and keeps the marker [LPR20, section 2].

use std::collections::VecDeque;

use richman_core::{Bids, Error, Total};
use richman_solvers::scores::maximin;

pub mod general_sum;
mod period;

pub use period::{ValuePeriod, period};

/// The largest total for [`Heaps`].
pub const MAX_TOTAL: u32 = 1 << 16;

/// The largest number that may be taken.
pub const MAX_TAKE: u32 = 1 << 16;

/// The numbers that may be taken, and each player's bids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubtractionRules {
    set: Vec<u32>,
    total: u32,
    /// Alice's and Bob's bids, ascending, at most the total.
    bids: [Vec<u32>; 2],
}

impl SubtractionRules {
    /// The game with the subtraction set `set`, `total` chips, and the bids `alice` and `bob`.
    ///
    /// ```
    /// use richman_core::{Bids, Total};
    /// use richman_catalog::subtraction::SubtractionRules;
    /// let total = Total::new(9)?;
    /// assert!(SubtractionRules::new(&[1, 3, 5], total, &Bids::All, &Bids::All).is_ok());
    /// assert!(SubtractionRules::new(&[], total, &Bids::All, &Bids::All).is_err());
    /// assert!(SubtractionRules::new(&[1], total, &Bids::Only(vec![6]), &Bids::Only(vec![6])).is_err());
    /// # Ok::<(), richman_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoTake`] if the set is empty or contains 0; [`Error::NobodyCanBid`] if nobody can
    /// bid with some division of the chips; [`Error::TooLarge`] above [`MAX_TOTAL`] and
    /// [`MAX_TAKE`].
    pub fn new(set: &[u32], total: Total, alice: &Bids, bob: &Bids) -> Result<SubtractionRules, Error> {
        let chips = total.chips();
        if chips > MAX_TOTAL {
            return Err(Error::TooLarge { what: "the total", given: chips.into(), most: MAX_TOTAL.into() });
        }
        let mut set = set.to_vec();
        set.sort_unstable();
        set.dedup();
        match (set.first(), set.last()) {
            (None | Some(0), _) | (_, None) => return Err(Error::NoTake),
            (_, Some(&most)) if most > MAX_TAKE => {
                return Err(Error::TooLarge { what: "a number to take", given: most.into(), most: MAX_TAKE.into() });
            }
            _ => {}
        }
        let bids = usable(total, [alice, bob])?;
        #[cfg(feature = "faults")]
        let bids = match (richman_solvers::fault::is(richman_solvers::fault::Fault::Exchanged), bids) {
            (true, [alice, bob]) => [bob, alice],
            (false, bids) => bids,
        };
        Ok(SubtractionRules { set, total: chips, bids })
    }

    /// Unitary games: one item a turn, all bids.
    ///
    /// # Errors
    /// [`Error::TooLarge`] above [`MAX_TOTAL`].
    pub fn unitary(total: Total) -> Result<SubtractionRules, Error> {
        SubtractionRules::new(&[1], total, &Bids::All, &Bids::All)
    }

    /// The largest number that may be taken.
    fn reach(&self) -> usize {
        self.set.last().copied().unwrap_or(1) as usize
    }
}

/// Both players' bids up to the total, ascending.
fn usable(total: Total, allowed: [&Bids; 2]) -> Result<[Vec<u32>; 2], Error> {
    let chips = total.chips();
    let bids = allowed.map(|bids| {
        let mut amounts = bids.up_to(chips);
        amounts.sort_unstable();
        amounts.dedup();
        amounts
    });
    // A player with fewer chips than their least bid cannot bid.
    let [alice, bob] = bids.each_ref().map(|bids| bids.first().copied());
    let stuck = match (alice, bob) {
        (None, None) => Some(0),
        (None, Some(bob)) => (bob > 0).then_some(chips),
        (Some(alice), None) => (alice > 0).then_some(0),
        (Some(alice), Some(bob)) => (alice + bob >= chips + 2).then(|| alice - 1),
    };
    match stuck {
        Some(alice) => {
            let [first, second] = allowed;
            let bids =
                if first == second { first.to_string() } else { format!("{first} of Alice and {second} of Bob") };
            Err(Error::NobodyCanBid { bids, total, alice })
        }
        None => Ok(bids),
    }
}

/// Alice's scores with 0, 1, ..., total chips, first with the marker, then without it.
pub type HeapScores = [Vec<i64>; 2];

fn constant(total: u32, score: i64) -> HeapScores {
    [(); 2].map(|()| vec![score; total as usize + 1])
}

/// The values of one heap.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct HeapRow {
    /// Alice's guarantee: she names a bid first, Bob answers.
    pub maximin: HeapScores,
    /// The most that Bob must concede.
    pub minimax: HeapScores,
}

impl HeapRow {
    /// Whether both agree, so that there is a pure equilibrium for all chips.
    pub fn is_unique(&self) -> bool {
        self.maximin == self.minimax
    }
}

/// The rows of heaps 0, 1, 2, ... Only those within reach of the set are held.
///
/// ```
/// use richman_core::Total;
/// use richman_catalog::subtraction::{Heaps, SubtractionRules};
/// let rules = SubtractionRules::unitary(Total::new(5)?)?;
/// let row = Heaps::new(&rules).nth(2).unwrap();
/// assert_eq!(row.maximin[0], [-2, 0, 0, 0, 2, 2]);
/// assert!(row.is_unique());
/// # Ok::<(), richman_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Heaps<'a> {
    rules: &'a SubtractionRules,
    /// The last rows, most recent first.
    last: VecDeque<HeapRow>,
}

impl Heaps<'_> {
    /// Starts with the empty heap.
    pub fn new(rules: &SubtractionRules) -> Heaps<'_> {
        Heaps { rules, last: VecDeque::new() }
    }
}

impl Iterator for Heaps<'_> {
    type Item = HeapRow;

    fn next(&mut self) -> Option<HeapRow> {
        let rules = self.rules;
        let steps =
            |of: fn(&HeapRow) -> &HeapScores| Steps::new(rules, |take| self.last.get(take as usize - 1).map(of));
        let row = if self.last.len() < rules.set[0] as usize {
            let over = constant(rules.total, 0);
            HeapRow { maximin: over.clone(), minimax: over }
        } else {
            HeapRow {
                maximin: steps(|row| &row.maximin).turn(rules, |bidding| bidding.maximin()),
                minimax: steps(|row| &row.minimax).turn(rules, |bidding| bidding.minimax()),
            }
        };
        if self.last.len() == rules.reach() {
            self.last.pop_back();
        }
        self.last.push_front(row.clone());
        Some(row)
    }
}

/// The values after a bid, by Alice's chips then.
struct Steps {
    /// Alice moves, with or without the marker afterwards.
    alice: HeapScores,
    /// Bob moves.
    bob: HeapScores,
}

impl Steps {
    /// The best numbers to take among those for which there is a row.
    fn new<'v>(rules: &SubtractionRules, row: impl Fn(u32) -> Option<&'v HeapScores>) -> Steps {
        let mut steps = Steps { alice: constant(rules.total, i64::MIN), bob: constant(rules.total, i64::MAX) };
        for &take in &rules.set {
            let Some(after) = row(take) else { break };
            let take = i64::from(take);
            let best = |best: &mut [i64], after: &[i64], better: fn(i64, i64) -> i64, score: i64| {
                best.iter_mut().zip(after).for_each(|(best, after)| *best = better(*best, after + score));
            };
            for (star, after) in after.iter().enumerate() {
                best(&mut steps.alice[star], after, i64::max, take);
                best(&mut steps.bob[star], after, i64::min, -take);
            }
        }
        steps
    }

    fn turn(&self, rules: &SubtractionRules, value: impl Fn(&BidOutcome) -> i64) -> HeapScores {
        let [alice, bob] = &rules.bids;
        let row = |win: &[i64], tie: Tie, lose: &[i64]| {
            (0..=rules.total)
                .map(|chips| {
                    let within = |bids: &'_ [u32], most: u32| bids.partition_point(|&bid| bid <= most);
                    value(&BidOutcome {
                        chips: chips as usize,
                        alice: &alice[..within(alice, chips)],
                        bob: &bob[..within(bob, rules.total - chips)],
                        win,
                        tie,
                        lose,
                    })
                })
                .collect()
        };
        let ([with, without], [bob_with, bob_without]) = (&self.alice, &self.bob);
        #[cfg(feature = "faults")]
        if richman_solvers::fault::is(richman_solvers::fault::Fault::TiesSwapped) {
            return [row(with, Tie::Bob(bob_with), bob_with), row(without, Tie::Alice(without), bob_without)];
        }
        [row(with, Tie::Alice(without), bob_with), row(without, Tie::Bob(bob_with), bob_without)]
    }
}

#[derive(Clone, Copy)]
enum Tie<'a> {
    Alice(&'a [i64]),
    Bob(&'a [i64]),
}

/// One bid: the values by Alice's chips after it.
struct BidOutcome<'a> {
    chips: usize,
    /// Alice's possible bids, ascending, then Bob's.
    alice: &'a [u32],
    bob: &'a [u32],
    win: &'a [i64],
    tie: Tie<'a>,
    lose: &'a [i64],
}

impl BidOutcome<'_> {
    fn win(&self, bid: u32) -> i64 {
        self.win[self.paid(self.chips - bid as usize)]
    }

    fn lose(&self, bid: u32) -> i64 {
        self.lose[self.paid(self.chips + bid as usize)]
    }

    fn tie(&self, bid: u32) -> i64 {
        match self.tie {
            Tie::Alice(values) => values[self.paid(self.chips - bid as usize)],
            Tie::Bob(values) => values[self.paid(self.chips + bid as usize)],
        }
    }

    fn paid(&self, after: usize) -> usize {
        #[cfg(feature = "faults")]
        let after = richman_solvers::fault::paid(self.chips as u32, after as u32, self.win.len() as u32 - 1) as usize;
        after
    }

    fn maximin(&self) -> i64 {
        #[cfg(feature = "faults")]
        if let Some(wrong) = richman_solvers::fault::greater(self.win(0), self.lose(0)) {
            return wrong;
        }
        let (win, tie, lose) = (|bid| self.win(bid), |bid| self.tie(bid), |bid| self.lose(bid));
        maximin(self.alice, self.bob, win, tie, lose)
    }

    fn minimax(&self) -> i64 {
        #[cfg(feature = "faults")]
        if let Some(wrong) = richman_solvers::fault::greater(self.win(0), self.lose(0)) {
            return wrong;
        }
        let (win, tie, lose) = (|bid| -self.lose(bid), |bid| -self.tie(bid), |bid| -self.win(bid));
        -maximin(self.bob, self.alice, win, tie, lose)
    }
}
