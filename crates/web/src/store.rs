//! SQLite: what was answered is on the disk.
//!
//! One file, written by one thread. Writes that wait together are committed together, and each is answered after that commit, so that many
//! matches share one wait for the disk. Reads have a connection of their own and do not wait for writes. A file is used by one server at
//! a time: a lock beside it says so.

mod lock;
pub(crate) mod rows;
mod schema;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;
use tokio::sync::oneshot;

use crate::refused::Refused;
use writer::{Finish, Job, Writer};

pub(crate) use rows::{NewMatch, StoredMatch};

/// Why the database cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Another server has the file.
    #[error("{}: another server is using this database: stop it, or choose another file with --store", .0.display())]
    Locked(PathBuf),
    /// Not a database.
    #[error("{}: this is no database of richman: choose another file with --store", .0.display())]
    Foreign(PathBuf),
    /// Written by a later version.
    #[error(
        "{}: this database was written by a later version of richman (its schema is {found}, this one knows up to {known}): \
         use that version, or another file with --store",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// The version of its schema.
        found: i64,
        /// The latest that is known here.
        known: i64,
    },
    /// The file cannot be opened or made, and what the system said.
    #[error("{path}: {1}", path = .0.display())]
    Open(PathBuf, std::io::Error),
    /// The database refuses.
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    /// What is kept cannot be read.
    #[error("what is kept of a match cannot be read: {0}")]
    Damaged(String),
    /// What was written together could not be committed.
    #[error("the database could not be written: {0}")]
    NotCommitted(Arc<rusqlite::Error>),
    /// As many matches, or bytes, as may be kept.
    #[error("as much is kept here as may be")]
    Full,
    /// The thread that writes has ended.
    #[error("the database is closed")]
    Closed,
}

impl From<serde_json::Error> for StoreError {
    fn from(error: serde_json::Error) -> StoreError {
        StoreError::Damaged(error.to_string())
    }
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Refused {
        match error {
            StoreError::Full => {
                Refused::Busy("as many matches are kept here as may be: no new one can be set up".to_string())
            }
            other => Refused::internal(other),
        }
    }
}

/// The database.
pub struct Store {
    writer: Writer,
    /// For reading; without one, reads go where writes go, which is how it is in memory.
    reader: Option<Arc<Mutex<Connection>>>,
    /// Held as long as the file is in use; dropped last.
    _lock: Option<std::fs::File>,
}

impl Store {
    /// The database in the file at `path`, made if there is none, brought up to date if it is of an earlier version.
    ///
    /// # Errors
    /// [`StoreError`]: no such folder, used by another server, no database, of a later version.
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
    /// [`StoreError`] from SQLite.
    pub fn in_memory() -> Result<Store, StoreError> {
        Ok(Store { writer: Writer::new(schema::in_memory()?)?, reader: None, _lock: None })
    }

    /// Does `work`, all or nothing. When this returns it is on the disk. It is done even if nobody waits for it any more.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (answer, answered) = oneshot::channel();
        let job: Job = Box::new(move |connection| {
            let done = writer::all_or_nothing(connection, work);
            let finish: Finish = Box::new(move |committed| {
                // Whoever asked may have gone.
                let _ = answer.send(committed.and(done));
            });
            finish
        });
        self.writer.queue(job).await?;
        answered.await.unwrap_or(Err(StoreError::Closed))
    }

    /// What `work` reads, all of it at one moment.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let Some(reader) = &self.reader else { return self.write(work).await };
        let reader = Arc::clone(reader);
        let read = tokio::task::spawn_blocking(move || {
            // A panic elsewhere leaves no transaction open: it ends with its value.
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
