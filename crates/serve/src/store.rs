//! SQLite storage: every confirmed action is on the disk.
//!
//! One thread writes the one file. Waiting writes share one commit, and so one wait for the disk;
//! each is confirmed after it. Reads use their own connection and do not wait for writes. Locks
//! keep other servers out. Rows have checksums, which are checked when they are read, and the rows
//! of a match are bound together.

mod bindings;
mod clock;
mod error;
mod inspection;
mod lock;
pub(crate) mod room;
pub(crate) mod rows;
mod schema;
mod sums;
mod upkeep;
mod writer;

use std::path::Path;
use std::sync::Arc;

use parking_lot::Mutex;
use rusqlite::Connection;
use tokio::sync::oneshot;

use crate::client::Client;
use crate::turns::TurnQueue;
use inspection::Inspection;
use lock::{LockedStore, OpenFiles};
use writer::{CommitNotice, WriteJob, Writer};

pub(crate) use clock::{ClockReading, advance as advance_clock};
pub use error::StoreError;
pub(crate) use rows::now as seconds_now;
pub use upkeep::{CheckedStore, CompactedStore, back_up, check, compact, delete, restore, trust_clock};

/// The reads of one client that wait.
const MOST_READS: usize = 4096;

/// The database.
pub struct Store {
    /// Dropped first.
    _inspection: Option<Inspection>,
    /// `None` in memory, where reads use the writer's connection. It is closed before the writer,
    /// because the last connection must be able to write: it merges the log into the database.
    reader: Option<TurnQueue<Arc<Mutex<Connection>>>>,
    writer: Writer,
    /// Held while the file is in use; dropped last.
    _lock: Option<LockedStore>,
}

richman_core::debug_by_name!(Store {});

impl Store {
    /// Opens the database at `path`; creates a missing one and migrates an older one. It is checked
    /// for damage meanwhile, and the log says the result.
    ///
    /// # Errors
    /// [`StoreError`] if the file cannot be opened or created, is used by another server, is empty,
    /// has another name, is not a database of this program, or comes from a later version.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        let mut lock = LockedStore::at(path)?;
        lock.create_missing(schema::fill)?;
        let path = &lock.path;
        let connection = schema::open(path).map_err(|error| error.at(path))?;
        let reader = schema::open_to_read(path).map_err(|error| error.at(path))?;
        let files = OpenFiles::of(path);
        Ok(Store {
            _inspection: Some(Inspection::new(path)?),
            writer: Writer::new(connection, Some(files))?,
            reader: Some(TurnQueue::new([vec![Arc::new(Mutex::new(reader))]], MOST_READS)),
            _lock: Some(lock),
        })
    }

    /// A database in memory: nothing is kept.
    ///
    /// # Errors
    /// [`StoreError`] if SQLite fails.
    pub fn in_memory() -> Result<Store, StoreError> {
        Ok(Store { _inspection: None, writer: Writer::new(schema::in_memory()?, None)?, reader: None, _lock: None })
    }

    /// Runs `work`, all or nothing. It completes even if the caller goes away, and is on the disk
    /// when this returns.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (answer, answered) = oneshot::channel();
        let job: WriteJob = Box::new(move |begun| {
            let done = begun.and_then(|connection| writer::all_or_nothing(connection, work));
            let finish: CommitNotice = Box::new(move |committed| {
                // The caller may be gone.
                let _ = answer.send(committed.and(done));
            });
            finish
        });
        self.writer.queue(job).await?;
        answered.await.unwrap_or(Err(StoreError::Closed))
    }

    /// Runs a read from one snapshot. Clients take turns.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let Some(reader) = &self.reader else { return self.write(work).await };
        let slot = reader.slot(Client::current(), 0).await.ok_or(StoreError::Crowded)?;
        let read = tokio::task::spawn_blocking(move || {
            // A panic elsewhere dropped its transaction and thereby ended it.
            let connection = slot.tool.lock();
            let moment = connection.unchecked_transaction()?;
            let read = work(&moment)?;
            moment.finish()?;
            Ok(read)
        });
        read.await.unwrap_or(Err(StoreError::Closed))
    }
}

#[cfg(test)]
pub(crate) mod tests;
