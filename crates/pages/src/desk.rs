//! Work with a time limit.

use std::sync::{Arc, Weak};
use std::time::Duration;

use parking_lot::Mutex;
use richman_core::{Effort, Instant, Watch};
use richman_hall::refused::Refusal;

use crate::needs::{self, Clerk};

/// The most positions to unfold for an answer.
pub const MOST_POSITIONS: u64 = 3_000_000;

/// The width of estimates: a tenth of a second.
const ESTIMATE_WIDTH: f64 = 0.005;

/// Cancels a job when its time is up, or when no caller waits for the answer any more.
pub struct Deadline {
    /// The moment to stop this attempt.
    at: Instant,
    /// The deadline with the job's whole time, so that the plan of the work does not depend on how
    /// long this attempt may take.
    planned: Instant,
    /// Bytes that the job may hold.
    pub memory: u64,
    /// The waiting caller holds the strong reference.
    waiting: Weak<()>,
}

richman_core::debug_by_name!(Deadline {});

impl Deadline {
    /// The deadline of an attempt that may take `attempt`, at a job that may take `whole`, while
    /// somebody holds the strong reference of `waiting`.
    pub fn new(attempt: Duration, whole: Duration, memory: u64, waiting: Weak<()>) -> Deadline {
        let now = Instant::now();
        Deadline { at: now + attempt, planned: now + whole, memory, waiting }
    }

    /// The time that is left for this attempt.
    pub fn left(&self) -> Duration {
        self.at.saturating_duration_since(Instant::now())
    }

    /// Whether this attempt has the job's whole time.
    pub fn is_whole(&self) -> bool {
        self.at >= self.planned
    }

    /// The effort for an answer. It ends a little before the deadline.
    pub fn effort(&self) -> Effort<'_> {
        let now = Instant::now();
        let deadline = now.checked_add(self.planned.saturating_duration_since(now) / 5 * 4);
        let limits = Effort { memory: self.memory, positions: MOST_POSITIONS, ..Effort::watched(self) };
        Effort { deadline, estimate_width: ESTIMATE_WIDTH, ..limits }
    }

    /// Runs a part of the job, which has a time limit of its own from now on.
    ///
    /// # Errors
    /// The errors of `work`, replaced by [`Refusal::OutOfTime`] after that limit.
    pub fn part<T>(&self, time: Duration, work: impl FnOnce(&Deadline) -> Result<T, Refusal>) -> Result<T, Refusal> {
        let end = Instant::now() + time;
        let (at, planned) = (self.at.min(end), self.planned.min(end));
        let part = Deadline { at, planned, memory: self.memory, waiting: Weak::clone(&self.waiting) };
        match work(&part) {
            Err(Refusal::Unfit(_)) if part.is_over() => Err(out_of_time(time)),
            done => done,
        }
    }

    /// The same job with at most `time` from now on: unfinished work is cut off, but planned as
    /// with the whole time.
    pub fn glance(&self, time: Duration) -> Deadline {
        let Deadline { at, planned, memory, .. } = *self;
        Deadline { at: at.min(Instant::now() + time), planned, memory, waiting: Weak::clone(&self.waiting) }
    }

    /// Whether the work was stopped before its whole time was over, because it will be tried again
    /// or no caller waits any more.
    pub fn is_cut_off(&self) -> bool {
        self.waiting.strong_count() == 0 || self.is_over() && !self.is_whole()
    }

    fn is_over(&self) -> bool {
        Instant::now() >= self.at
    }
}

impl Watch for Deadline {
    fn cancelled(&self) -> bool {
        self.is_over() || self.waiting.strong_count() == 0
    }
}

/// The [`Desk`](needs::PageDesk) of the program, for jobs of any type.
#[derive(Clone)]
pub struct Jobs(Arc<dyn needs::PageDesk>);

richman_core::debug_by_name!(Jobs {});

/// Where a job leaves what it found.
type Found<T> = Arc<Mutex<Option<T>>>;

fn taken<T>(found: &Found<T>) -> Result<T, Refusal> {
    found.lock().take().ok_or_else(|| Refusal::internal(std::io::Error::other("a job was lost")))
}

impl Jobs {
    /// The jobs of that desk.
    pub fn at(desk: Arc<dyn needs::PageDesk>) -> Jobs {
        Jobs(desk)
    }

    /// Bytes that one job may hold.
    pub fn memory(&self) -> u64 {
        self.0.memory()
    }

    /// Runs `work`, repeatedly until the time suffices; `time` counts from the start of the last
    /// attempt.
    ///
    /// # Errors
    /// [`Refusal::Busy`] if too much waits already; the errors of `work`, replaced by
    /// [`Refusal::OutOfTime`] after the deadline.
    pub async fn run<T: Send + 'static>(
        &self,
        time: Duration,
        work: impl Fn(&Deadline) -> Result<T, Refusal> + Send + Sync + 'static,
    ) -> Result<T, Refusal> {
        let found = Found::default();
        let place = Arc::clone(&found);
        let job = move |deadline: &Deadline| {
            *place.lock() = Some(work(deadline)?);
            Ok(())
        };
        self.0.run(time, Box::new(job)).await?;
        taken(&found)
    }

    /// Runs a job that writes an answer without solving, such as the page of a match: it takes some
    /// milliseconds at most, and does not wait for solving.
    ///
    /// # Errors
    /// [`Refusal::Busy`] if too many answers wait; [`Refusal::Internal`] if `work` panics.
    pub async fn write<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Refusal> {
        self.clerk(Clerk::Writes, work).await
    }

    /// Runs a job that builds a match or reads a record, which may take long.
    ///
    /// # Errors
    /// As for [`Jobs::write`], and those of `work`.
    pub async fn build<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        self.clerk(Clerk::Builds, work).await?
    }

    async fn clerk<T: Send + 'static>(
        &self,
        clerk: Clerk,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let found = Found::default();
        let place = Arc::clone(&found);
        self.0.clerk(clerk, Box::new(move || *place.lock() = Some(work()))).await?;
        taken(&found)
    }
}

/// The refusal of a job that takes longer.
pub fn out_of_time(time: Duration) -> Refusal {
    Refusal::OutOfTime(format!(
        "this takes more than the {} s that are allowed here: `richman` on your own machine has no such limit",
        time.as_secs().max(1)
    ))
}
