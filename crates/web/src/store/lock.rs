//! The file of a database: for one user of the machine, and one server at a time.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::StoreError;

/// Creates the file at `path` if it is missing, and returns its path without links.
pub(super) fn made(path: &Path) -> Result<PathBuf, StoreError> {
    let open = |reason| StoreError::Open(path.to_path_buf(), reason);
    for_us(path).map_err(open)?;
    path.canonicalize().map_err(open)
}

/// Locks the database at `path` until the returned file is dropped or the process ends.
///
/// The lock is on a file beside the database, because SQLite has locks of its own on the database.
pub(super) fn locked(path: &Path) -> Result<File, StoreError> {
    let mut name = path.as_os_str().to_owned();
    name.push("-lock");
    let beside = PathBuf::from(name);
    let file = for_us(&beside).map_err(|reason| StoreError::Open(beside.clone(), reason))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StoreError::Locked(path.to_path_buf())),
        Err(TryLockError::Error(reason)) => Err(StoreError::Open(beside, reason)),
    }
}

/// Creates the file for this user only: the database contains sealed bids.
fn for_us(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    if file.metadata()?.is_file() {
        return Ok(file);
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "this is not a regular file"))
}
