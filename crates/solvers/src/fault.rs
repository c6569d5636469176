//! Faults planted in the solvers, to see which claims would notice a wrong solver. Compiled only
//! with the feature `faults`. A fault exists only on the threads that [`with`] starts; elsewhere
//! solvers stay correct.
//!
//! Most faults sit in the turn, which computes a value before a bid from the values after it. Every
//! solver has one, in its own arithmetic: half-steps (one total, many totals, rules for all totals,
//! layers of boards, Hex), bids by the definition, purses, shares, scores, heaps.

use std::borrow::Cow;
use std::cell::Cell;

use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};
use richman_core::{LabelledArena, Mechanism, Objective, Ties};

/// A solver's mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    /// Another rule for ties: `marker` in place of `advantage` or, in half-steps, `winner`; Bob's
    /// ties in place of Alice's.
    TiesSwapped,
    /// Values are rounded down instead of up.
    FloorForCeiling,
    /// The greater value, after winning or losing the bid, replaces the turn.
    GreaterOfBoth,
    /// The players are exchanged before solving.
    Exchanged,
    /// The loser of a bid pays it. Where only thresholds are compared, winning a bid is free, so
    /// the lesser value suffices.
    LoserPays,
}

impl Fault {
    /// All faults.
    pub const ALL: [Fault; 5] =
        [Fault::TiesSwapped, Fault::FloorForCeiling, Fault::GreaterOfBoth, Fault::Exchanged, Fault::LoserPays];
}

thread_local! {
    static PLANTED: Cell<Option<Fault>> = const { Cell::new(None) };
}

/// Runs `work` on new threads, on which all solvers have the fault.
///
/// # Errors
/// Fails if no threads can be started.
pub fn with<T: Send>(fault: Fault, work: impl FnOnce() -> T + Send) -> Result<T, ThreadPoolBuildError> {
    Ok(ThreadPoolBuilder::new().start_handler(move |_| PLANTED.set(Some(fault))).build()?.install(work))
}

/// The fault on this thread.
pub fn planted() -> Option<Fault> {
    PLANTED.get()
}

/// Whether this thread has that fault.
pub fn is(fault: Fault) -> bool {
    planted() == Some(fault)
}

/// The wrong threshold of a turn, in half-steps.
pub fn half_steps(alice: u32, bob: u32) -> Option<u32> {
    let (low, high) = (alice.min(bob), alice.max(bob));
    match planted()? {
        Fault::TiesSwapped => Some(low / 2 + high.div_ceil(2)),
        Fault::FloorForCeiling => Some(low / 2 + high / 2),
        _ => extreme(&alice, &bob).copied(),
    }
}

/// The wrong value in place of a turn without rounding and ties, as with shares.
pub fn extreme<'v, V: Ord>(alice: &'v V, bob: &'v V) -> Option<&'v V> {
    match planted()? {
        Fault::GreaterOfBoth => Some(alice.max(bob)),
        Fault::LoserPays => Some(alice.min(bob)),
        _ => None,
    }
}

/// The arena to solve instead of the given one.
pub(crate) fn arena<L: Objective>(arena: &LabelledArena<L>) -> Cow<'_, LabelledArena<L>> {
    if is(Fault::Exchanged) { Cow::Owned(arena.mirror()) } else { Cow::Borrowed(arena) }
}

/// The greater of Alice's scores after winning and losing the bid, which replaces the turn's value.
pub fn greater(won: i64, lost: i64) -> Option<i64> {
    is(Fault::GreaterOfBoth).then(|| won.max(lost))
}

/// The mechanism used to compare bids instead of the given one.
pub(crate) fn mechanism(mechanism: &Mechanism) -> Cow<'_, Mechanism> {
    if !is(Fault::TiesSwapped) {
        return Cow::Borrowed(mechanism);
    }
    // Each rule becomes its neighbour in the list: the advantage the marker, Alice's ties Bob's,
    // the loser's the winner's.
    let index = Ties::ALL.iter().position(|&ties| ties == mechanism.ties).unwrap_or(0);
    let ties = Ties::ALL.get(index ^ 1).copied().unwrap_or_default();
    Cow::Owned(Mechanism { ties, ..mechanism.clone() })
}

/// The chips, at most `most`, of a player after a bid, who had `before` and should have `after`.
pub fn paid(before: u32, after: u32, most: u32) -> u32 {
    if is(Fault::LoserPays) { (2 * before).saturating_sub(after).min(most) } else { after }
}
