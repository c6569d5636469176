//! The reason why the database cannot be used.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use richman_hall::refused::Refusal;
use richman_hall::token::GameId;
use rusqlite::ErrorCode;

/// The reason why the database cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Another server uses the file.
    #[error("{}: another server is using this database: stop it, or choose another file", .0.display())]
    Locked(PathBuf),
    /// Not a database.
    #[error("{}: this is no database of richman: choose another file", .0.display())]
    Foreign(PathBuf),
    /// Written by a later version.
    #[error(
        "{}: this database was written by a later version of richman (its schema is {found}, this one knows up to \
         {known}): use that version, or another file",
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
    /// Written by an earlier version, and not to be changed.
    #[error(
        "{}: this database was written by an earlier version of richman: run `richman serve --store` on it once, which \
         migrates it and keeps a copy",
        .0.display()
    )]
    Older(PathBuf),
    /// A file without contents.
    #[error(
        "{}: this file is empty, so the store that was here may be lost: restore a backup with `richman store \
         restore`, or delete the file to begin a new store",
        .0.display()
    )]
    Empty(PathBuf),
    /// A file that accompanies a database exists, but the database does not.
    #[error(
        "{}: the log of a store is here without its store: put the store back, or delete the log to begin a new store",
        .0.display()
    )]
    OnlyLog(PathBuf),
    /// There is no file.
    #[error("{}: there is no such file", .0.display())]
    Missing(PathBuf),
    /// A file is there already.
    #[error("{}: this file exists: choose another name, or write over a store with `restore --force`", .0.display())]
    Exists(PathBuf),
    /// The file has another name.
    #[error(
        "{}: this database has another name as well (a hard link), under which another server could use it: delete one",
        .0.display()
    )]
    HardLinked(PathBuf),
    /// The file was deleted or exchanged while it was in use.
    #[error("{}: this file was deleted or exchanged: put it back, or restart the server", .0.display())]
    Vanished(PathBuf),
    /// SQLite does not accept the name.
    #[error("{}: choose a name that is text", .0.display())]
    NotText(PathBuf),
    /// The file cannot be opened or created; with the system's error.
    #[error("{path}: {1}", path = .0.display())]
    Open(PathBuf, std::io::Error),
    /// SQLite failed.
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    /// Damage in an essential part.
    #[error("{path}: this database is damaged: restore a backup: {1}", path = .0.display())]
    Unusable(PathBuf, rusqlite::Error),
    /// A stored match cannot be read.
    #[error("a stored match cannot be read: {0}")]
    Damaged(String),
    /// A group of writes could not be committed.
    #[error("the database could not be written: {0}")]
    NotCommitted(Arc<rusqlite::Error>),
    /// The new data alone exceeds the limit on bytes or matches.
    #[error("this is larger than all that may be stored")]
    Full,
    /// Too many reads wait.
    #[error("too many requests at once")]
    Crowded,
    /// The match was deleted meanwhile.
    #[error("the match is gone")]
    Gone,
    /// The backup is damaged and not restored; with the first damage.
    #[error("{path}: this backup is damaged: take an earlier one: {1}", path = .0.display())]
    DamagedBackup(PathBuf, String),
    /// No match or record has that name.
    #[error("there is no match or record {0} in this store: its name is the last part of the link to watch it")]
    NoSuchMatch(GameId),
    /// The watch said stop.
    #[error("stopped")]
    Stopped,
    /// The writer thread has ended.
    #[error("the database is closed")]
    Closed,
}

impl StoreError {
    /// The public message, without a path.
    pub(crate) fn in_public(&self) -> String {
        match self {
            StoreError::Sqlite(error) => error.to_string(),
            StoreError::NotCommitted(error) => error.to_string(),
            StoreError::Vanished(_) => "its files were deleted or exchanged".to_string(),
            _ => "the log says why".to_string(),
        }
    }

    /// The error of opening the database at `path`.
    pub(super) fn at(self, path: &Path) -> StoreError {
        match self {
            StoreError::Sqlite(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt) => {
                StoreError::Unusable(path.to_path_buf(), error)
            }
            other => other,
        }
    }
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
                Refusal::TooLarge("this is larger than all that this server keeps: make it smaller".to_string())
            }
            StoreError::Gone => Refusal::NotFound("match"),
            StoreError::Crowded => Refusal::crowded(),
            other => Refusal::internal(other),
        }
    }
}
