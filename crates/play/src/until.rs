//! Watches that stop when the time is up.

use std::time::{Duration, Instant};

use richman_core::Watch;

/// Stops when the time is up as well.
pub(crate) struct Until<'a> {
    pub watch: &'a dyn Watch,
    pub deadline: Option<Instant>,
}

impl<'a> Until<'a> {
    /// So long from now on.
    pub fn after(time: Option<Duration>, watch: &'a dyn Watch) -> Until<'a> {
        Until { watch, deadline: time.and_then(|time| Instant::now().checked_add(time)) }
    }

    /// Whether the time is up.
    pub fn is_over(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

impl Watch for Until<'_> {
    fn progress(&self, stage: &'static str, done: u64, total: Option<u64>) {
        self.watch.progress(stage, done, total);
    }

    fn cancelled(&self) -> bool {
        self.watch.cancelled() || self.is_over()
    }
}
