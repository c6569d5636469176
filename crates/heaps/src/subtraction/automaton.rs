//! The bidding automaton [LPR20, section 3.4]: the values of unitary games on all large heaps.
//!
//! It computes the value A(parity, p) of large heaps with p of `total` chips and the marker.
//! Theorem 21 (unitary games, large heaps) of docs/design.md proves these values for every total,
//! which is [LPR20, Conjecture 29]. The functions are the paper's, except beta: the printed beta is
//! right for odd heaps only with more than half of the chips, and for even heaps only with fewer.
//! [`beta_even`] and [`beta_odd`] cover both cases. With delta = 2p - total, all values are within
//! 3/2 of delta/2.
//!
//! Accepts every total; exact; constant time.

use richman_core::Total;

/// The parity of a heap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HeapParity {
    /// 0, 2, 4, ... items.
    Even,
    /// 1, 3, 5, ... items.
    Odd,
}

impl HeapParity {
    /// Both.
    pub const BOTH: [HeapParity; 2] = [HeapParity::Even, HeapParity::Odd];

    /// The parity of a heap.
    pub fn of(heap: u64) -> HeapParity {
        if heap.is_multiple_of(2) { HeapParity::Even } else { HeapParity::Odd }
    }

    /// The parity of a heap with one item more.
    pub fn other(self) -> HeapParity {
        match self {
            HeapParity::Even => HeapParity::Odd,
            HeapParity::Odd => HeapParity::Even,
        }
    }
}

/// [LPR20, section 3.4], for even totals and even heaps; `delta` is even.
pub fn alpha_even(delta: i64) -> i64 {
    match delta.rem_euclid(4) {
        0 => (delta + 1).div_euclid(2),
        _ => ceil_half(delta + 1),
    }
}

/// [LPR20, section 3.4], for even totals and odd heaps; `delta` is even.
pub fn alpha_odd(delta: i64) -> i64 {
    match delta.rem_euclid(4) {
        0 => ceil_half(delta + 1),
        _ => (delta + 1).div_euclid(2),
    }
}

/// As [LPR20, section 3.4] prints it, for odd totals; `delta` is odd. It ignores the heap's parity.
pub fn beta_printed(delta: i64) -> i64 {
    let nearest = if delta.rem_euclid(4) == 1 { delta.div_euclid(2) } else { ceil_half(delta) };
    nearest + i64::from(delta > 0)
}

/// For odd totals and odd heaps; `delta` is odd. As printed for delta > 0; below 0 it rounds the
/// other way.
pub fn beta_odd(delta: i64) -> i64 {
    if delta > 0 { beta_printed(delta) } else { rounded_the_other_way(delta) }
}

/// For odd totals and even heaps; `delta` is odd. As printed for delta < 0; above 0 it rounds the
/// other way.
pub fn beta_even(delta: i64) -> i64 {
    if delta < 0 { beta_printed(delta) } else { rounded_the_other_way(delta) }
}

fn rounded_the_other_way(delta: i64) -> i64 {
    let nearest = if delta.rem_euclid(4) == 1 { ceil_half(delta) } else { delta.div_euclid(2) };
    nearest + i64::from(delta > 0)
}

fn ceil_half(number: i64) -> i64 {
    #[cfg(feature = "faults")]
    if richman_solvers::fault::is(richman_solvers::fault::Fault::FloorForCeiling) {
        return number.div_euclid(2);
    }
    -(-number).div_euclid(2)
}

/// The value of large heaps of a parity with `chips` of the total and the marker.
///
/// ```
/// use richman_core::Total;
/// use richman_heaps::subtraction::automaton::{HeapParity, value};
/// let total = Total::new(9)?;
/// assert_eq!(value(total, HeapParity::Even, 9), 6); // [LPR20, Figure 2]
/// assert_eq!(value(total, HeapParity::Odd, 9), 5);
/// # Ok::<(), richman_core::Error>(())
/// ```
pub fn value(total: Total, parity: HeapParity, chips: u32) -> i64 {
    let delta = 2 * i64::from(chips) - i64::from(total.chips());
    match (total.chips() % 2, parity) {
        (0, HeapParity::Even) => alpha_even(delta),
        (0, HeapParity::Odd) => alpha_odd(delta),
        (_, HeapParity::Even) => beta_even(delta),
        (_, HeapParity::Odd) => beta_odd(delta),
    }
}

/// A heap by which a total has certainly converged: [LPR20, Theorem 28], with the steps of the
/// first two items combined (docs/design.md, theorem 21 (unitary games, large heaps)).
pub fn proved_bound(total: Total) -> u64 {
    let given = u64::from(total.chips().div_ceil(2));
    let first = given.saturating_sub(1);
    given * given - first
}

/// The way a bid is won.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BidWin {
    /// By a tie: Alice, who has the marker, wins and passes it to Bob.
    Tie,
    /// By Alice's higher bid; she keeps the marker.
    Alice,
    /// By Bob's higher bid; Alice keeps the marker.
    Bob,
}

/// An edge of a bidding automaton: Alice has the marker and `from` chips; after the bid, the
/// marker's owner has `to`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Edge {
    /// The chips of the marker's owner before the bid.
    pub from: u32,
    /// The chips of the marker's owner after the bid.
    pub to: u32,
    /// Who wins.
    pub won: BidWin,
}

/// The edges of the winning bid `bid`, one for each number of Alice's chips that lets it win that
/// way [LPR20, Figures 3 and 4].
///
/// With `relevant`, needlessly high bids are omitted [LPR20, Figures 5 and 6]: Alice, who wins
/// ties, never needs more than all of Bob's chips, and Bob never more than all of Alice's plus one.
pub fn edges(total: Total, won: BidWin, bid: u32, relevant: bool) -> Vec<Edge> {
    let total = total.chips();
    (0..=total)
        .rev()
        .filter_map(|from| {
            let rest = total - from;
            match won {
                BidWin::Tie => (bid <= from && bid <= rest).then(|| Edge { from, to: rest + bid, won }),
                BidWin::Alice => {
                    let possible = bid > 0 && bid <= from;
                    (possible && !(relevant && bid > rest)).then(|| Edge { from, to: from - bid, won })
                }
                BidWin::Bob => {
                    let possible = bid > 0 && bid <= rest;
                    (possible && !(relevant && bid > from + 1)).then(|| Edge { from, to: from + bid, won })
                }
            }
        })
        .collect()
}
