//! Solving games: a few at a time, clients in turn, cheap work first.
//!
//! The cost of a job is unknown before it is done. So a job first runs at a level that gives it
//! some milliseconds; if that is not enough, it starts again at the next level, where jobs run
//! longer. At each level the client that has used the least time lately comes first. Every slot at
//! a level is its own thread with a low priority: serving threads do not wait, and no job waits for
//! the threads of another. Answers without solving are written on other threads.

mod worker;

use std::sync::Arc;
use std::time::Duration;

use richman_hall::refused::Refusal;
use richman_pages::desk::{Deadline, out_of_time};
use richman_pages::needs::Clerk;
use tokio::sync::Semaphore;

use crate::client::Client;
use crate::turns::TurnQueue;
use worker::Worker;

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
        self.clerk(Clerk::Writes, work).await
    }

    /// Runs a job that reads a long body. No answer waits for it.
    ///
    /// # Errors
    /// As for [`Desk::write`].
    pub async fn read<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Refusal> {
        self.clerk(Clerk::Reads, work).await
    }

    /// Runs a job that builds a match or reads a record, which may take long.
    ///
    /// # Errors
    /// As for [`Desk::write`], and those of `work`.
    pub async fn build<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        self.clerk(Clerk::Builds, work).await?
    }

    /// Runs a job without a time limit.
    ///
    /// # Errors
    /// As for [`Desk::write`].
    pub async fn clerk<T: Send + 'static>(
        &self,
        clerk: Clerk,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let slot = self.clerks.slot(Client::current(), clerk as usize).await.ok_or_else(Refusal::crowded)?;
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
                let deadline = Deadline::new(level.time(time), time, memory, waiting);
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

#[cfg(test)]
mod tests;
