//! SQLite storage: every confirmed action is on the disk.
//!
//! One thread writes the one file. Waiting writes share one commit, and so one wait for the disk;
//! each is confirmed after it. Reads use their own connection and do not wait for writes. A lock
//! beside the file keeps other servers out.

mod lock;
pub(crate) mod rows;
mod schema;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;
use tokio::sync::oneshot;

use crate::refused::Refusal;
use writer::{CommitNotice, WriteJob, Writer};

pub(crate) use rows::{NewMatchRow, StoredMatch};

/// Why the database cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Another server uses the file.
    #[error("{}: another server is using this database: stop it, or choose another file with --store", .0.display())]
    Locked(PathBuf),
    /// Not a database.
    #[error("{}: this is no database of richman: choose another file with --store", .0.display())]
    Foreign(PathBuf),
    /// Written by a later version.
    #[error(
        "{}: this database was written by a later version of richman (its schema is {found}, this one knows up to \
         {known}): use that version, or another file with --store",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// The version of its schema.
        found: i64,
        /// The latest version known here.
        known: i64,
    },
    /// The file cannot be opened or created; with the system's error.
    #[error("{path}: {1}", path = .0.display())]
    Open(PathBuf, std::io::Error),
    /// SQLite failed.
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    /// A stored match cannot be read.
    #[error("a stored match cannot be read: {0}")]
    Damaged(String),
    /// A group of writes could not be committed.
    #[error("the database could not be written: {0}")]
    NotCommitted(Arc<rusqlite::Error>),
    /// The limit on matches or bytes is reached.
    #[error("the limit on stored matches is reached")]
    Full,
    /// The writer thread has ended.
    #[error("the database is closed")]
    Closed,
}

impl From<serde_json::Error> for StoreError {
    fn from(error: serde_json::Error) -> StoreError {
        // The log shows this, and the text of the error may repeat a secret.
        StoreError::Damaged(format!("line {}, column {} of it", error.line(), error.column()))
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Refusal {
        match error {
            StoreError::Full => {
                Refusal::Busy("this server keeps as many matches as it may: no new one can be set up".to_string())
            }
            other => Refusal::internal(other),
        }
    }
}

/// The database.
pub struct Store {
    writer: Writer,
    /// In memory there is none, and reads use the writer's connection.
    reader: Option<Arc<Mutex<Connection>>>,
    /// Held while the file is in use; dropped last.
    _lock: Option<std::fs::File>,
}

impl Store {
    /// Opens the database at `path`; creates a missing one and migrates an older one.
    ///
    /// # Errors
    /// [`StoreError`] if the file cannot be opened or created, is used by another server, is not a
    /// database of this program, or comes from a later version.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        let path = lock::made(path)?;
        let lock = lock::locked(&path)?;
        let connection = schema::open(&path)?;
        let reader = schema::open_to_read(&path)?;
        Ok(Store { writer: Writer::new(connection)?, reader: Some(Arc::new(Mutex::new(reader))), _lock: Some(lock) })
    }

    /// A database in memory: nothing is kept.
    ///
    /// # Errors
    /// [`StoreError`] if SQLite fails.
    pub fn in_memory() -> Result<Store, StoreError> {
        Ok(Store { writer: Writer::new(schema::in_memory()?)?, reader: None, _lock: None })
    }

    /// Runs `work`, all or nothing. It completes even if nobody waits any more, and is on the disk
    /// when this returns.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (answer, answered) = oneshot::channel();
        let job: WriteJob = Box::new(move |connection| {
            let done = writer::all_or_nothing(connection, work);
            let finish: CommitNotice = Box::new(move |committed| {
                // The caller may be gone.
                let _ = answer.send(committed.and(done));
            });
            finish
        });
        self.writer.queue(job).await?;
        answered.await.unwrap_or(Err(StoreError::Closed))
    }

    /// Runs a read from one snapshot.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let Some(reader) = &self.reader else { return self.write(work).await };
        let reader = Arc::clone(reader);
        let read = tokio::task::spawn_blocking(move || {
            // A panic elsewhere dropped its transaction, which ended it.
            let connection = reader.lock().unwrap_or_else(PoisonError::into_inner);
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
