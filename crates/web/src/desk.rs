//! Solving games: a few at a time, with a short queue and a deadline for each.

use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use richman_core::{Effort, Watch};
use tokio::sync::Semaphore;

use crate::refused::Refusal;

/// The most positions to unfold for an answer.
pub const MOST_POSITIONS: u64 = 3_000_000;

/// Runs jobs that may be long.
#[derive(Clone)]
pub struct Desk {
    places: Arc<Semaphore>,
    queue: Arc<Semaphore>,
    /// Bytes that one job may hold.
    pub memory: u64,
}

/// Cancels a job when its time is up, or when nobody waits for the answer any more.
pub struct Deadline {
    /// The moment to stop.
    pub at: Instant,
    /// Bytes that the job may hold.
    pub memory: u64,
    /// The waiting caller holds the strong reference.
    waiting: Weak<()>,
}

impl Deadline {
    /// The effort for an answer. It ends a little before the deadline.
    pub fn effort(&self) -> Effort<'_> {
        let now = Instant::now();
        let deadline = now.checked_add(self.at.saturating_duration_since(now) / 5 * 4);
        Effort { deadline, memory: self.memory, positions: MOST_POSITIONS, ..Effort::watched(self) }
    }

    /// Runs a part of the job, which has a time limit of its own from now on.
    ///
    /// # Errors
    /// The errors of `work`, replaced by [`Refusal::OutOfTime`] after that limit.
    pub fn part<T>(&self, time: Duration, work: impl FnOnce(&Deadline) -> Result<T, Refusal>) -> Result<T, Refusal> {
        let at = self.at.min(Instant::now() + time);
        let part = Deadline { at, memory: self.memory, waiting: Weak::clone(&self.waiting) };
        match work(&part) {
            Err(Refusal::Unfit(_)) if Instant::now() >= at => Err(Refusal::OutOfTime(format!(
                "this takes more than the {} s that are allowed here: `richman` on your own machine has no such limit",
                time.as_secs()
            ))),
            done => done,
        }
    }

    /// Whether nobody waits for the answer any more.
    pub fn is_abandoned(&self) -> bool {
        self.waiting.strong_count() == 0
    }
}

impl Watch for Deadline {
    fn cancelled(&self) -> bool {
        Instant::now() >= self.at || self.is_abandoned()
    }
}

impl Desk {
    /// A desk for `places` jobs at once and a queue of `longest_queue`.
    pub fn new(places: usize, longest_queue: usize, memory: u64) -> Desk {
        let [places, queue] = [places, longest_queue].map(|permits| Arc::new(Semaphore::new(permits)));
        Desk { places, queue, memory }
    }

    /// Runs `work` on its own thread; the deadline counts from when it begins.
    ///
    /// # Errors
    /// [`Refusal::Busy`] if the queue is full; the errors of `work`, replaced by
    /// [`Refusal::OutOfTime`] after the deadline.
    pub async fn run<T: Send + 'static>(
        &self,
        time: Duration,
        work: impl FnOnce(&Deadline) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let full = |_| Refusal::Busy("many games are being solved right now: try again in a minute".to_string());
        let _queued = self.queue.try_acquire().map_err(full)?;
        // Dropped when this future is finished or abandoned.
        let here = Arc::new(());
        let waiting = Arc::downgrade(&here);
        let place = Arc::clone(&self.places).acquire_owned().await.map_err(Refusal::internal)?;
        let memory = self.memory;
        let done = tokio::task::spawn_blocking(move || {
            let _place = place; // given back when the work has ended, whoever still waits for it
            Deadline { at: Instant::now() + time, memory, waiting }.part(time, work)
        });
        done.await.map_err(Refusal::lost)?
    }
}
