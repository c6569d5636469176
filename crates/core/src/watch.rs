//! How a long computation reports progress and is stopped.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::{Error, Instant};

/// Receives progress and may cancel. Everything that may take over a second gets one.
pub trait Watch: Sync {
    /// `done` of `total` steps of `stage` are finished; `total` is `None` while it is unknown.
    fn progress(&self, stage: &'static str, done: u64, total: Option<u64>) {
        let _ = (stage, done, total);
    }

    /// Whether to stop; the computation then returns [`crate::Error::Cancelled`].
    fn cancelled(&self) -> bool {
        false
    }
}

/// Watches nothing and never cancels.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unwatched;

impl Watch for Unwatched {}

/// A watch that also says stop at a deadline.
#[derive(Clone, Copy)]
pub struct TimedWatch<'a> {
    /// Receives progress, and may say stop earlier.
    pub watch: &'a dyn Watch,
    /// The deadline, if there is one.
    pub deadline: Option<Instant>,
}

crate::debug_by_name!(TimedWatch<'_> { deadline });

impl<'a> TimedWatch<'a> {
    /// The watch with a deadline `time` from now.
    pub fn after(time: Option<Duration>, watch: &'a dyn Watch) -> TimedWatch<'a> {
        TimedWatch { watch, deadline: time.and_then(|time| Instant::now().checked_add(time)) }
    }

    /// Whether the time is up.
    pub fn is_over(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

impl Watch for TimedWatch<'_> {
    fn progress(&self, stage: &'static str, done: u64, total: Option<u64>) {
        self.watch.progress(stage, done, total);
    }

    fn cancelled(&self) -> bool {
        self.watch.cancelled() || self.is_over()
    }
}

/// Reports the progress of a computation whose parts report only their own positions.
pub struct Overall<'a> {
    /// Receives the progress, and may say stop.
    pub watch: &'a dyn Watch,
    /// The positions of completed parts.
    pub before: AtomicU64,
    /// The positions of all parts.
    pub all: u64,
}

crate::debug_by_name!(Overall<'_> {});

impl Watch for Overall<'_> {
    fn progress(&self, _: &'static str, done: u64, _: Option<u64>) {
        self.watch.progress("positions", self.before.load(Ordering::Relaxed) + done, Some(self.all));
    }

    fn cancelled(&self) -> bool {
        self.watch.cancelled()
    }
}

/// Asks a watch once in many steps, so that a loop can call it at every short step.
pub struct PacedWatch<'a> {
    watch: &'a dyn Watch,
    steps: Cell<u32>,
}

crate::debug_by_name!(PacedWatch<'_> {});

impl<'a> PacedWatch<'a> {
    /// Steps between two questions: under a tenth of a second if a step is a few lookups.
    const BETWEEN: u32 = 1 << 12;

    /// A pace whose first step asks the watch.
    pub fn new(watch: &'a dyn Watch) -> PacedWatch<'a> {
        PacedWatch { watch, steps: Cell::new(PacedWatch::BETWEEN - 1) }
    }

    /// Counts one step.
    ///
    /// # Errors
    /// [`Error::Cancelled`] if the watch says stop.
    pub fn step(&self) -> Result<(), Error> {
        self.steps(1)
    }

    /// Counts `count` steps.
    ///
    /// # Errors
    /// [`Error::Cancelled`] if the watch says stop.
    pub fn steps(&self, count: usize) -> Result<(), Error> {
        let steps = self.steps.get().saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
        self.steps.set(if steps < PacedWatch::BETWEEN { steps } else { 0 });
        if steps >= PacedWatch::BETWEEN && self.watch.cancelled() { Err(Error::Cancelled) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    struct Counts(AtomicU32);

    impl Watch for Counts {
        fn cancelled(&self) -> bool {
            self.0.fetch_add(1, Ordering::Relaxed) >= 2
        }
    }

    #[test]
    fn a_pace_asks_at_the_first_step_and_then_now_and_again() {
        let counts = Counts(AtomicU32::new(0));
        let pace = PacedWatch::new(&counts);
        let passed = (0..).take_while(|_| pace.step().is_ok()).count();
        assert_eq!(passed, 2 * PacedWatch::BETWEEN as usize, "the third question is answered with stop");
        assert_eq!(counts.0.load(Ordering::Relaxed), 3);
    }

    #[test]
    fn a_deadline_says_stop() {
        assert!(TimedWatch::after(Some(Duration::ZERO), &Unwatched).cancelled());
        assert!(!TimedWatch::after(Some(Duration::from_secs(3600)), &Unwatched).cancelled());
        assert!(!TimedWatch::after(None, &Unwatched).cancelled());
    }
}
