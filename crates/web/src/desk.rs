//! Solving games: a few at a time, clients in turn, cheap work first.
//!
//! The cost of a job is unknown before it is done. So a job first runs at a level that gives it
//! some milliseconds; if that is not enough, it starts again at the next level, where jobs run
//! longer. At each level the client that has used the least time lately comes first. Every slot at
//! a level is its own thread with a low priority: serving threads do not wait, and no job waits for
//! the threads of another. Answers without solving are written on other threads.

mod worker;

use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use richman_core::{Effort, Watch};
use tokio::sync::Semaphore;

use crate::client::Client;
use crate::refused::Refusal;
use crate::turns::TurnQueue;
use worker::Worker;

/// The most positions to unfold for an answer.
pub const MOST_POSITIONS: u64 = 3_000_000;

/// Runs jobs that may be long.
#[derive(Clone)]
pub struct Desk {
    queue: TurnQueue<Worker>,
    /// The threads that write answers, the one that reads long bodies, and those that build
    /// matches.
    clerks: TurnQueue<Worker>,
    /// MiB that all long jobs together may hold, and all short ones. Quicker jobs have no time to
    /// fill much.
    room: [Arc<Semaphore>; 2],
    /// Bytes that one job may hold.
    pub memory: u64,
    /// The first attempt at a job.
    first: Level,
}

richman_core::debug_by_name!(Desk {});

/// The attempts at a job, each with more time than the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    /// Moves in games that are solved already.
    Move,
    /// Quick jobs: a page, a tiny game.
    Brief,
    /// Small games.
    Short,
    /// As long as the job may take.
    Long,
}

impl Level {
    const ALL: [Level; 4] = [Level::Move, Level::Brief, Level::Short, Level::Long];

    /// The time for an attempt at a job that may take `whole`.
    fn time(self, whole: Duration) -> Duration {
        match self {
            Level::Move => whole.min(Duration::from_millis(5)),
            Level::Brief => whole.min(Duration::from_millis(20)),
            Level::Short => whole.min(HURRIED),
            Level::Long => whole,
        }
    }
}

/// The time for a job when the desk is busy, if that suffices for the job.
pub const HURRIED: Duration = Duration::from_millis(300);

/// The most jobs of one client that wait for writing, reading and building.
const MOST_WRITTEN: usize = 1024;

/// The number of matches and records built at once.
const BUILDERS: usize = 4;

/// The width of estimates: a tenth of a second.
const ESTIMATE_WIDTH: f64 = 0.005;

/// Cancels a job when its time is up, or when no caller waits for the answer any more.
pub struct Deadline {
    /// The moment to stop this attempt.
    at: Instant,
    /// The deadline with the job's whole time, so that the plan of the work does not depend on the
    /// level.
    planned: Instant,
    /// Bytes that the job may hold.
    pub memory: u64,
    /// The waiting caller holds the strong reference.
    waiting: Weak<()>,
}

richman_core::debug_by_name!(Deadline {});

impl Deadline {
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
        self.waiting.strong_count() == 0 || self.is_over() && self.at < self.planned
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

impl Desk {
    /// A desk for `slots` jobs at once at each level, each of up to `memory` bytes, or fewer if
    /// the process lacks the address space. Long and short ones together hold `slots` times
    /// `memory` at most; a job that does not fit waits for another's end. One client may have
    /// `most_of_one` jobs waiting.
    pub fn new(slots: usize, most_of_one: usize, memory: u64) -> Desk {
        let memory = worker::within_room(memory, 2 * slots as u64);
        let workers = |_| std::iter::repeat_with(Worker::default).take(slots).collect();
        let half = (mebibytes(memory) as usize * slots).div_ceil(2).max(mebibytes(memory) as usize);
        let clerks = |number| std::iter::repeat_with(Worker::prompt).take(number).collect();
        Desk {
            queue: TurnQueue::new(Level::ALL.map(workers), most_of_one),
            clerks: TurnQueue::new([clerks(slots), clerks(1), clerks(BUILDERS)], MOST_WRITTEN),
            room: [(); 2].map(|()| Arc::new(Semaphore::new(half))),
            memory,
            first: Level::Brief,
        }
    }

    /// Whether new long jobs have to wait.
    pub fn is_busy(&self) -> bool {
        self.queue.waiting(Level::Long as usize) > 0
    }

    /// The number of waiting jobs, at all levels.
    pub fn waiting(&self) -> usize {
        Level::ALL.into_iter().map(|level| self.queue.waiting(level as usize)).sum()
    }

    /// The same desk for a job that may hold fewer bytes.
    #[must_use]
    pub fn within(&self, memory: u64) -> Desk {
        Desk { memory, ..self.clone() }
    }

    /// The same desk for the moves of a player with full knowledge of the game. They are usually
    /// quick, and do not wait for games being solved.
    #[must_use]
    pub fn for_moves(&self) -> Desk {
        Desk { first: Level::Move, ..self.clone() }
    }

    /// Runs a job that writes an answer without solving, such as the page of a match: it takes some
    /// milliseconds at most, and does not wait for solving.
    ///
    /// # Errors
    /// [`Refusal::Busy`] if too many answers wait; [`Refusal::Internal`] if `work` panics.
    pub async fn write<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Refusal> {
        self.clerk(0, work).await
    }

    /// Runs a job that reads a long body. No answer waits for it.
    ///
    /// # Errors
    /// As for [`Desk::write`].
    pub async fn read<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Refusal> {
        self.clerk(1, work).await
    }

    /// Runs a job that builds a match or reads a record, which may take long.
    ///
    /// # Errors
    /// As for [`Desk::write`], and those of `work`.
    pub async fn build<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        self.clerk(2, work).await?
    }

    async fn clerk<T: Send + 'static>(
        &self,
        lane: usize,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let slot = self.clerks.slot(Client::current(), lane).await.ok_or_else(Refusal::crowded)?;
        let worker = slot.tool.clone();
        let work = move || {
            let _slot = slot; // given back when the work is done, even if no caller waits any more
            work()
        };
        worker.run(work).await
    }

    /// Runs `work` for the current client, repeatedly until the time suffices; `time` counts from
    /// the start of the last attempt.
    ///
    /// # Errors
    /// [`Refusal::Busy`] if the client has too many jobs waiting or the machine has no memory left;
    /// the errors of `work`, replaced by [`Refusal::OutOfTime`] after the deadline.
    pub async fn run<T: Send + 'static>(
        &self,
        time: Duration,
        work: impl Fn(&Deadline) -> Result<T, Refusal> + Send + Sync + 'static,
    ) -> Result<T, Refusal> {
        let (client, work, memory) = (Client::current(), Arc::new(work), self.memory);
        // Dropped when this future is finished or abandoned.
        let here = Arc::new(());
        for level in Level::ALL.into_iter().skip(self.first as usize) {
            let slot = self.queue.slot(client, level as usize).await.ok_or_else(busy)?;
            let [long, short] = &self.room;
            let (room, size) = match level {
                Level::Long => (long, mebibytes(memory)),
                Level::Short => (short, mebibytes(memory)),
                Level::Brief | Level::Move => (short, 0),
            };
            let room = Arc::clone(room).acquire_many_owned(size).await;
            worker::check_room(memory)?;
            let (work, waiting) = (Arc::clone(&work), Arc::downgrade(&here));
            let attempt = move || {
                let (now, granted) = (Instant::now(), level.time(time));
                let deadline = Deadline { at: now + granted, planned: now + time, memory, waiting };
                let done = deadline.part(time, |deadline| work(deadline));
                (!deadline.is_cut_off()).then_some(done)
            };
            let worker = slot.tool.clone();
            let attempted = worker.run(move || {
                let _held = (slot, room); // given back when the work has ended, even if no caller waits any more
                attempt()
            });
            if let Some(done) = attempted.await? {
                return done;
            }
        }
        Err(out_of_time(time))
    }
}

fn mebibytes(bytes: u64) -> u32 {
    u32::try_from(bytes >> 20).unwrap_or(u32::MAX)
}

fn busy() -> Refusal {
    Refusal::Busy("many games are being solved right now: try again in a minute".to_string())
}

fn out_of_time(time: Duration) -> Refusal {
    Refusal::OutOfTime(format!(
        "this takes more than the {} s that are allowed here: `richman` on your own machine has no such limit",
        time.as_secs().max(1)
    ))
}

#[cfg(test)]
mod tests;
