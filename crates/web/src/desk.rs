//! The desk where games are solved: a few at a time, a short queue, a deadline for each.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use richman_core::{Effort, Watch};
use tokio::sync::Semaphore;

use crate::refused::Refused;

/// The most positions of a game that is unfolded for an answer.
pub const MOST_POSITIONS: u64 = 3_000_000;

/// Takes work that may be long.
#[derive(Clone)]
pub struct Desk {
    places: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
    longest_queue: usize,
    /// Bytes that one piece of work may hold.
    pub memory: u64,
}

/// Says stop when the time is up, or when nobody waits for the answer any more.
pub struct Deadline {
    /// When to stop.
    pub at: Instant,
    /// Bytes that may be held.
    pub memory: u64,
    left: Arc<AtomicBool>,
}

impl Deadline {
    /// How long there is until then.
    pub fn left(&self) -> Duration {
        self.at.saturating_duration_since(Instant::now())
    }

    /// The effort for an answer: it is there a little before the time is up.
    pub fn effort(&self) -> Effort<'_> {
        let deadline = Instant::now().checked_add(self.left() / 5 * 4);
        Effort { deadline, memory: self.memory, positions: MOST_POSITIONS, ..Effort::watched(self) }
    }
}

impl Watch for Deadline {
    fn progress(&self, _: &'static str, _: u64, _: Option<u64>) {}

    fn cancelled(&self) -> bool {
        Instant::now() >= self.at || self.left.load(Ordering::Relaxed)
    }
}

/// Counts one who waits, and tells the work when they leave.
struct Waiting {
    waiting: Arc<AtomicUsize>,
    left: Arc<AtomicBool>,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        self.left.store(true, Ordering::Relaxed);
    }
}

impl Desk {
    /// A desk for `places` pieces of work at once and a queue of `longest_queue`.
    pub fn new(places: usize, longest_queue: usize, memory: u64) -> Desk {
        Desk { places: Arc::new(Semaphore::new(places)), waiting: Arc::default(), longest_queue, memory }
    }

    /// Does `work` on a thread of its own; `work` asks the deadline, which counts from when it begins.
    ///
    /// # Errors
    /// [`Refused::Busy`] if the queue is full; whatever `work` refuses, and [`Refused::OutOfTime`] in place of an error after the deadline.
    pub async fn run<T: Send + 'static>(
        &self,
        time: Duration,
        work: impl FnOnce(&Deadline) -> Result<T, Refused> + Send + 'static,
    ) -> Result<T, Refused> {
        let left = Arc::new(AtomicBool::new(false));
        let ahead = self.waiting.fetch_add(1, Ordering::Relaxed);
        let _waiting = Waiting { waiting: Arc::clone(&self.waiting), left: Arc::clone(&left) };
        if ahead >= self.longest_queue {
            return Err(Refused::Busy("many games are being solved right now: try again in a minute".to_string()));
        }
        let place = Arc::clone(&self.places).acquire_owned().await.map_err(Refused::internal)?;
        let memory = self.memory;
        let done = tokio::task::spawn_blocking(move || {
            let _place = place; // given back when the work has ended, whoever still waits for it
            let deadline = Deadline { at: Instant::now() + time, memory, left };
            let done = work(&deadline);
            match done {
                Err(Refused::Unfit(_)) if Instant::now() >= deadline.at => Err(Refused::OutOfTime(format!(
                    "this takes more than the {} s that are allowed here: `richman` on your own machine has no such limit",
                    time.as_secs()
                ))),
                done => done,
            }
        });
        done.await.map_err(Refused::internal)?
    }
}
