//! Faults planted in the solvers, to see which claims would notice a wrong solver. Compiled only with the feature
//! `faults`, and even then a solver is right unless it runs inside of [`with`]: the fault belongs to the threads that
//! this function starts, not to the process.
//!
//! The piece that the faults sit in is the turn: what is needed before a bid from what is needed after it. Every
//! solver has it once, in its own arithmetic: half-steps (one total, many totals, rules for all totals, layers of
//! boards, Hex), bids by the definition, purses, shares, scores, heaps. [`Fault::Exchanged`] sits at the doors of the
//! solvers, which hand on the game with the players exchanged.

use std::borrow::Cow;
use std::cell::Cell;

use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};
use richman_core::{LabelledArena, Mechanism, Objective, Ties};

/// What a solver does wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    /// The rule for ties is exchanged for another: `advantage` for `marker` or, in half-steps, for `winner`; Alice's
    /// ties for Bob's.
    TiesSwapped,
    /// Rounded down where it must be up.
    FloorForCeiling,
    /// The greater of what is needed after winning and after losing the bid, in place of the turn.
    GreaterOfBoth,
    /// Alice and Bob are exchanged.
    Exchanged,
    /// The loser of a bid pays it. Where only thresholds are seen: winning a bid is free, so the lesser of both needs
    /// is enough.
    LoserPays,
}

impl Fault {
    /// All of them.
    pub const ALL: [Fault; 5] =
        [Fault::TiesSwapped, Fault::FloorForCeiling, Fault::GreaterOfBoth, Fault::Exchanged, Fault::LoserPays];
}

thread_local! {
    static PLANTED: Cell<Option<Fault>> = const { Cell::new(None) };
}

/// Runs `work` on threads of their own, on which all solvers have the fault.
///
/// # Errors
/// If no threads can be started.
pub fn with<T: Send>(fault: Fault, work: impl FnOnce() -> T + Send) -> Result<T, ThreadPoolBuildError> {
    Ok(ThreadPoolBuilder::new().start_handler(move |_| PLANTED.set(Some(fault))).build()?.install(work))
}

/// The fault of the solvers on this thread.
pub fn planted() -> Option<Fault> {
    PLANTED.get()
}

/// Whether the solvers on this thread have that fault.
pub fn is(fault: Fault) -> bool {
    planted() == Some(fault)
}

/// The wrong threshold of a turn in half-steps, from what is needed after both sides' moves.
pub fn half_steps(alice: u32, bob: u32) -> Option<u32> {
    let (low, high) = (alice.min(bob), alice.max(bob));
    match planted()? {
        Fault::TiesSwapped => Some(low / 2 + high.div_ceil(2)),
        Fault::FloorForCeiling => Some(low / 2 + high / 2),
        _ => extreme(&alice, &bob).copied(),
    }
}

/// The wrong side in place of the turn, where there is nothing to round and no tie: shares and numbers like them.
pub fn extreme<'v, V: Ord>(alice: &'v V, bob: &'v V) -> Option<&'v V> {
    match planted()? {
        Fault::GreaterOfBoth => Some(alice.max(bob)),
        Fault::LoserPays => Some(alice.min(bob)),
        _ => None,
    }
}

/// The arena that is solved in place of the one asked about.
pub(crate) fn arena<L: Objective>(arena: &LabelledArena<L>) -> Cow<'_, LabelledArena<L>> {
    if is(Fault::Exchanged) { Cow::Owned(arena.mirror()) } else { Cow::Borrowed(arena) }
}

/// The better score for Alice of winning and of losing the bid, in place of what the bids make sure of.
pub fn greater(won: i64, lost: i64) -> Option<i64> {
    is(Fault::GreaterOfBoth).then(|| won.max(lost))
}

/// The mechanism by which bids are compared in place of the one asked about.
pub(crate) fn mechanism(mechanism: &Mechanism) -> Cow<'_, Mechanism> {
    if !is(Fault::TiesSwapped) {
        return Cow::Borrowed(mechanism);
    }
    // Each rule for its neighbour in the list: the advantage for the marker, Alice's ties for Bob's, the loser's for the winner's.
    let place = Ties::ALL.iter().position(|&ties| ties == mechanism.ties).unwrap_or(0);
    let ties = Ties::ALL.get(place ^ 1).copied().unwrap_or_default();
    Cow::Owned(Mechanism { ties, ..mechanism.clone() })
}

/// The chips after a bid that a player had `before` it and should have `after` it, with at most `most` in all.
pub fn paid(before: u32, after: u32, most: u32) -> u32 {
    if is(Fault::LoserPays) { (2 * before).saturating_sub(after).min(most) } else { after }
}
