//! The limits on the work for one answer.

use std::time::Duration;

use crate::{Error, Instant, TimedWatch, Unwatched, Watch};

/// Whether real-money thresholds on cycles have to be exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Exactness {
    /// Exact within the limits, else bounds.
    #[default]
    Preferred,
    /// Exact, or an error.
    Required,
    /// Only bounds on cycles and at positions that lead to them; exact values are not tried.
    Bounds,
}

/// All limits on the work for an answer, and the watch.
#[derive(Clone, Copy)]
pub struct Effort<'a> {
    /// The most moves for a win; longer play is a draw (the truncation `G[n]` of DP10 3.3).
    pub within: Option<u32>,
    /// The most positions to unfold.
    pub positions: u64,
    /// The most bytes to hold, including `held`.
    pub memory: u64,
    /// Bytes that the caller holds already, such as the arena.
    pub held: u64,
    /// Whether real-money thresholds on cycles have to be exact.
    pub exactness: Exactness,
    /// The desired width of bounds, as a share of all the money.
    pub width: f64,
    /// The width of the 99% confidence interval at which an estimate stops; 0: only at the
    /// deadline.
    pub estimate_width: f64,
    /// When to stop looking for exact values and narrower bounds. Real-money solvers then return
    /// bounds marked as such; all others return [`Error::OutOfTime`].
    pub deadline: Option<Instant>,
    /// Receives progress and may cancel.
    pub watch: &'a dyn Watch,
}

crate::debug_by_name!(Effort<'_> { within, positions, memory, held, exactness, width, estimate_width, deadline });

impl Default for Effort<'_> {
    /// No truncation, 2^32 - 1 positions, 4 GiB, exact values preferred, width 2^-40 and 2^-9 for
    /// estimates, no deadline, no watch.
    fn default() -> Self {
        Effort {
            within: None,
            positions: u64::from(u32::MAX),
            memory: 4 << 30,
            held: 0,
            exactness: Exactness::Preferred,
            width: 2f64.powi(-40),
            estimate_width: Effort::ESTIMATE_WIDTH,
            deadline: None,
            watch: &Unwatched,
        }
    }
}

impl<'a> Effort<'a> {
    /// Seconds after which a real-money solver returns its current bounds.
    pub const MONEY_SECONDS: u64 = 60;
    /// The usual width at which an estimate stops, after about a second at most.
    pub const ESTIMATE_WIDTH: f64 = 1.0 / 512.0;
    /// Seconds allowed for proving the periods of a table.
    pub const TABLE_SECONDS: u64 = 60;
    /// Seconds allowed for the proofs of a tree.
    pub const TREE_SECONDS: u64 = 40;
    /// Seconds allowed for the proofs of a comparison.
    pub const COMPARE_SECONDS: u64 = 150;

    /// The default effort with a watch.
    pub fn watched(watch: &'a dyn Watch) -> Effort<'a> {
        Effort { watch, ..Effort::default() }
    }

    /// The same effort without its watch, so that it can be stored.
    pub fn unwatched(self) -> Effort<'static> {
        let Effort { within, positions, memory, held, exactness, width, estimate_width, deadline, watch: _ } = self;
        Effort { within, positions, memory, held, exactness, width, estimate_width, deadline, watch: &Unwatched }
    }

    /// The same effort with a deadline `time` from now.
    #[must_use]
    pub fn within_time(self, time: Duration) -> Self {
        Effort { deadline: Instant::now().checked_add(time), ..self }
    }

    /// The same effort with a deadline `time` from now, unless it has an earlier one.
    #[must_use]
    pub fn at_most(self, time: Duration) -> Self {
        let deadline = Instant::now().checked_add(time).into_iter().chain(self.deadline).min();
        Effort { deadline, ..self }
    }

    /// The time until the deadline, zero after it; `None` without a deadline.
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// The watch, which also says stop at the deadline.
    pub fn until(&self) -> TimedWatch<'_> {
        TimedWatch { watch: self.watch, deadline: self.deadline }
    }

    /// Checks that `what` may take `needed` more bytes.
    ///
    /// # Errors
    /// [`Error::TooMuchMemory`] if they and the bytes already held exceed the limit.
    pub fn check_memory(&self, what: &'static str, needed: u64) -> Result<(), Error> {
        let needed = needed.saturating_add(self.held);
        if needed > self.memory {
            return Err(Error::TooMuchMemory { what, needed, limit: self.memory });
        }
        Ok(())
    }

    /// Bytes that may still be allocated.
    pub fn memory_left(&self) -> u64 {
        self.memory.saturating_sub(self.held)
    }

    /// Checks that work may go on; for work that is worthless unless finished in time.
    ///
    /// # Errors
    /// [`Error::Cancelled`] if the watch says stop; [`Error::OutOfTime`] after the deadline.
    pub fn check_time(&self, what: &'static str) -> Result<(), Error> {
        self.check_cancelled()?;
        if self.until().is_over() { Err(Error::OutOfTime { what }) } else { Ok(()) }
    }

    /// Checks that work may go on.
    ///
    /// # Errors
    /// [`Error::Cancelled`] if the watch says stop.
    pub fn check_cancelled(&self) -> Result<(), Error> {
        if self.watch.cancelled() { Err(Error::Cancelled) } else { Ok(()) }
    }
}
