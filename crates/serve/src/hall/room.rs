//! Room for new matches, and forgetting old ones: in small steps, so that other writes get their
//! turn.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use richman_hall::refused::Refusal;
use rusqlite::Connection;

use super::{Hall, HallInner};
use crate::client::Client;
use crate::store::room::{self, DeletionStep, NeededRoom};
use crate::store::{ClockReading, StoreError, advance_clock, rows, seconds_now};

impl Hall {
    /// Deletes matches untouched for `days` days, and older records. Returns the number of matches.
    /// Deletes nothing if the clock jumped by more than a day, or no server used the store for a
    /// day, until an operator confirms the clock.
    ///
    /// # Errors
    /// [`Refusal::Internal`] if the database fails.
    pub async fn forget(&self, days: u32) -> Result<usize, Refusal> {
        const DAY: i64 = 24 * 60 * 60;
        let now = match self.inner.store.write(|connection| advance_clock(connection, seconds_now())).await? {
            ClockReading::Steady(now) => now,
            ClockReading::Jumped(seconds) => {
                let hours = seconds / 3600;
                tracing::warn!(
                    hours,
                    "nothing is forgotten: the clock jumped by this many hours, or no server used the store for that \
                     long; if the clock is right, run `richman store trust-clock` on the store"
                );
                return Ok(0);
            }
        };
        let before = now - i64::from(days) * DAY;
        let mut count = 0;
        loop {
            let begun = Instant::now();
            let step = self.inner.store.write(move |connection| room::forget(connection, before)).await?;
            count += step.matches.len();
            self.inner.forget_slots(&step);
            if step.is_done {
                return Ok(count);
            }
            pause(begun).await;
        }
    }

    /// Rewrites existing data, to find out whether the store can be written.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot.
    pub async fn check_store(&self) -> Result<(), StoreError> {
        self.inner.store.write(rows::write_again).await
    }
}

impl HallInner {
    /// Stores something after making room for it. All waiting writes are committed together, so
    /// large ones come one at a time, clients in turn: an action waits for one of them at most.
    pub(super) async fn keep_more<T: Send + 'static>(
        &self,
        needed: NeededRoom,
        add: impl Fn(&Connection) -> Result<T, StoreError> + Send + Sync + 'static,
    ) -> Result<T, Refusal> {
        const LARGE: u64 = 64 << 10;
        let many = || Refusal::Busy("many large files are being stored right now: try again in a moment".to_string());
        let _turn = match needed.bytes > LARGE {
            true => Some(self.large_writes.slot(Client::current(), 0).await.ok_or_else(many)?),
            false => None,
        };
        let (limits, add) = (self.limits, Arc::new(add));
        loop {
            let add = Arc::clone(&add);
            let write = move |connection: &Connection| {
                let step = room::make(connection, limits, needed)?;
                let added = if step.is_done { Some(add(connection)?) } else { None };
                Ok((step, added))
            };
            let (step, added) = self.store.write(write).await.map_err(Refusal::from)?;
            self.forget_slots(&step);
            if let Some(added) = added {
                return Ok(added);
            }
        }
    }

    /// Makes room.
    pub(super) async fn make_room(&self, needed: NeededRoom) -> Result<(), Refusal> {
        self.keep_more(needed, |_| Ok(())).await
    }

    /// Makes room for recent actions, unless a task is doing that.
    pub(super) fn sweep(self: &Arc<Self>) {
        if self.is_sweeping.swap(true, Ordering::AcqRel) {
            return;
        }
        let inner = Arc::clone(self);
        tokio::spawn(async move {
            let limits = inner.limits;
            loop {
                let begun = Instant::now();
                let step = inner.store.write(move |connection| room::make(connection, limits, NeededRoom::NONE)).await;
                let Ok(step) = step.inspect_err(|error| tracing::error!(cause = %error, "no room could be made"))
                else {
                    break;
                };
                inner.forget_slots(&step);
                if step.is_done {
                    break;
                }
                pause(begun).await;
            }
            inner.is_sweeping.store(false, Ordering::Release);
        });
    }

    /// Drops deleted matches from memory.
    fn forget_slots(&self, step: &DeletionStep) {
        if step.matches.is_empty() {
            return;
        }
        let mut shelf = self.shelf.lock();
        for id in &step.matches {
            shelf.forget(id);
        }
    }
}

/// Leaves most of the time to other writes.
async fn pause(begun: Instant) {
    const LEAST: Duration = Duration::from_millis(2);
    tokio::time::sleep((2 * begun.elapsed()).max(LEAST)).await;
}
