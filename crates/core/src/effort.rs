//! How much an answer is worth: all its limits, and who watches.

use std::time::{Duration, Instant};

use crate::{Error, Until, Unwatched, Watch};

/// Whether real-money thresholds on cycles have to be exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Exactness {
    /// Exact where it fits the limits, else bounds.
    #[default]
    Preferred,
    /// Exact, or an error.
    Required,
    /// Bounds on cycles and behind them, without trying for exact values.
    Bounds,
}

/// How much an answer is worth: all limits of an answer stand here.
#[derive(Clone, Copy)]
pub struct Effort<'a> {
    /// Win in at most this many moves; a play that goes on is then a draw (the truncation `G[n]` of DP10 3.3).
    pub within: Option<u32>,
    /// Most positions that are unfolded.
    pub positions: u64,
    /// Most bytes that may be held, those of `held` included.
    pub memory: u64,
    /// Bytes that the caller holds already, such as the arena.
    pub held: u64,
    /// Whether real-money thresholds on cycles have to be exact.
    pub exactness: Exactness,
    /// The width of bounds that is aimed at, as a share of all the money.
    pub width: f64,
    /// When to stop looking for exact values and for narrower bounds: real money is then answered by bounds that say so, the rest by
    /// [`Error::OutOfTime`].
    pub deadline: Option<Instant>,
    /// Hears of progress and may cancel.
    pub watch: &'a dyn Watch,
}

impl Default for Effort<'_> {
    /// No truncation, 2^32 - 1 positions, 4 GiB, exact values preferred, bounds of width 2^-40, no limit on time, unwatched.
    fn default() -> Self {
        Effort {
            within: None,
            positions: u64::from(u32::MAX),
            memory: 4 << 30,
            held: 0,
            exactness: Exactness::Preferred,
            width: 2f64.powi(-40),
            deadline: None,
            watch: &Unwatched,
        }
    }
}

impl<'a> Effort<'a> {
    /// Seconds after which real money is answered by what is known.
    pub const MONEY_SECONDS: u64 = 60;
    /// Seconds after which the proofs of the periods of a table end.
    pub const TABLE_SECONDS: u64 = 60;
    /// Seconds after which the proofs for a tree end.
    pub const TREE_SECONDS: u64 = 40;
    /// Seconds after which the proofs for a comparison end.
    pub const COMPARE_SECONDS: u64 = 150;

    /// The usual effort, with a watch.
    pub fn watched(watch: &'a dyn Watch) -> Effort<'a> {
        Effort { watch, ..Effort::default() }
    }

    /// The same effort without its watch, so that it can be kept.
    pub fn unwatched(self) -> Effort<'static> {
        let Effort { within, positions, memory, held, exactness, width, deadline, watch: _ } = self;
        Effort { within, positions, memory, held, exactness, width, deadline, watch: &Unwatched }
    }

    /// The same with a deadline so long from now on.
    #[must_use]
    pub fn within_time(self, time: Duration) -> Self {
        Effort { deadline: Instant::now().checked_add(time), ..self }
    }

    /// The same with a deadline so long from now on, unless there is an earlier one.
    #[must_use]
    pub fn at_most(self, time: Duration) -> Self {
        let deadline = Instant::now().checked_add(time).into_iter().chain(self.deadline).min();
        Effort { deadline, ..self }
    }

    /// How long there is until the deadline; nothing once it is over.
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// The watch, which says stop at the deadline too.
    pub fn until(&self) -> Until<'_> {
        Until { watch: self.watch, deadline: self.deadline }
    }

    /// Refuses to allocate `needed` bytes for `what` where that is more than allowed.
    ///
    /// # Errors
    /// [`Error::TooMuchMemory`].
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

    /// Whether to go on, where nothing is worth anything when the time is up.
    ///
    /// # Errors
    /// [`Error::Cancelled`], and [`Error::OutOfTime`] for `what` after the deadline.
    pub fn check_time(&self, what: &'static str) -> Result<(), Error> {
        self.check_cancelled()?;
        if self.until().is_over() { Err(Error::OutOfTime { what }) } else { Ok(()) }
    }

    /// Whether to go on.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn check_cancelled(&self) -> Result<(), Error> {
        if self.watch.cancelled() { Err(Error::Cancelled) } else { Ok(()) }
    }
}
