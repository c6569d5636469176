//! The file of a database: for one user of the machine, and one server at a time.
//!
//! Two locks keep other servers out. One is on a separate lock file, on every system. On Linux the
//! other is on the database itself, so it also works where a folder or file is mounted at two
//! places; elsewhere it would conflict with SQLite's own locks. A database with a second name (a
//! hard link) is refused, because its log has only one.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::StoreError;

/// The place of a database, locked until this is dropped.
///
/// It must outlive every connection: closing a file frees SQLite's locks on it.
pub(crate) struct LockedStore {
    /// The path without links.
    pub(crate) path: PathBuf,
    /// Both are only held.
    _beside: File,
    #[cfg(target_os = "linux")]
    _itself: Option<File>,
}

impl LockedStore {
    /// Locks the place at `path`, even if there is no file yet.
    ///
    /// # Errors
    /// [`StoreError::Locked`] if another server uses the file; [`StoreError::Open`] if the lock
    /// file cannot be opened; [`StoreError::HardLinked`] if the database has another name.
    pub(crate) fn at(path: &Path) -> Result<LockedStore, StoreError> {
        let open = |reason| StoreError::Open(path.to_path_buf(), reason);
        let path = followed(path).map_err(open)?;
        if fs::metadata(&path).is_ok_and(|about| !about.is_file()) {
            return Err(open(io::Error::new(io::ErrorKind::InvalidInput, "this is not a regular file")));
        }
        let place = beside(&path, "-lock");
        let lock = private(&place, OpenOptions::new().create(true).truncate(false))
            .map_err(|reason| StoreError::Open(place.clone(), reason))?;
        try_lock(&lock, &path, &place)?;
        let mut locked = LockedStore {
            path,
            _beside: lock,
            #[cfg(target_os = "linux")]
            _itself: None,
        };
        if locked.path.exists() {
            locked.lock_itself()?;
        }
        Ok(locked)
    }

    /// Locks the database itself, once it exists.
    fn lock_itself(&mut self) -> Result<(), StoreError> {
        let open = |reason| StoreError::Open(self.path.clone(), reason);
        #[cfg(unix)]
        if std::os::unix::fs::MetadataExt::nlink(&fs::metadata(&self.path).map_err(open)?) > 1 {
            return Err(StoreError::HardLinked(self.path.clone()));
        }
        #[cfg(target_os = "linux")]
        {
            let itself = OpenOptions::new().read(true).write(true).open(&self.path).map_err(open)?;
            try_lock(&itself, &self.path, &self.path)?;
            self._itself = Some(itself);
        }
        Ok(())
    }

    /// Creates a database if there is no file.
    ///
    /// # Errors
    /// [`StoreError::Empty`] if the file is empty; [`StoreError::OnlyLog`] if only the log of a
    /// database exists; the errors of `fill`.
    pub(crate) fn create_missing(
        &mut self,
        fill: impl FnOnce(&Path) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        match fs::metadata(&self.path) {
            Ok(about) if about.len() > 0 => Ok(()),
            // A log with contents would bring the database back.
            Ok(_) if has_contents(&beside(&self.path, "-wal")) => Ok(()),
            Ok(_) => Err(StoreError::Empty(self.path.clone())),
            Err(_) if has_contents(&beside(&self.path, "-wal")) => Err(StoreError::OnlyLog(beside(&self.path, "-wal"))),
            Err(_) => self.replace(fill),
        }
    }

    /// Puts a complete database at the place, made by `fill` under another name.
    ///
    /// # Errors
    /// The errors of `fill`; [`StoreError::Open`] if the file cannot be created. An existing file
    /// is then unchanged.
    pub(crate) fn replace(&mut self, fill: impl FnOnce(&Path) -> Result<(), StoreError>) -> Result<(), StoreError> {
        complete(&beside(&self.path, "-new"), &self.path, fill)?;
        self.lock_itself()
    }
}

/// Makes a database readable by this user only, and renames it when it is complete.
///
/// # Errors
/// The errors of `fill`; [`StoreError::Open`] if the file cannot be created or renamed.
pub(crate) fn complete(
    unfinished: &Path,
    name: &Path,
    fill: impl FnOnce(&Path) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let cannot = |reason| StoreError::Open(name.to_path_buf(), reason);
    remove_database(unfinished).map_err(cannot)?;
    let filled = private(unfinished, OpenOptions::new().create_new(true)).map_err(cannot).and_then(|file| {
        drop(file);
        fill(unfinished)?;
        let written = OpenOptions::new().read(true).write(true).open(unfinished).and_then(|file| file.sync_all());
        // The log of an older database would be mistaken for this one's.
        let alone = written.and_then(|()| remove_log(name));
        alone.and_then(|()| fs::rename(unfinished, name)).map_err(cannot)
    });
    if filled.is_err() {
        // The first error is the one that matters.
        let _ = remove_database(unfinished);
    }
    filled?;
    richman_files::sync_folder(richman_files::folder_of(name));
    Ok(())
}

/// Removes a database and its accompanying SQLite files.
fn remove_database(path: &Path) -> io::Result<()> {
    remove(path)?;
    remove_log(path)
}

fn remove_log(path: &Path) -> io::Result<()> {
    ["-wal", "-shm", "-journal"].iter().try_for_each(|end| remove(&beside(path, end)))
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn has_contents(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|about| about.len() > 0)
}

/// The path with `end` after its name.
pub(crate) fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

/// The path without links; its file may be missing.
fn followed(path: &Path) -> io::Result<PathBuf> {
    if fs::symlink_metadata(path).is_ok() {
        return path.canonicalize();
    }
    let name = path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "this is not a file"))?;
    let folder = richman_files::folder_of(path);
    let nowhere = |reason: io::Error| io::Error::new(reason.kind(), format!("its folder: {reason}"));
    Ok(folder.canonicalize().map_err(nowhere)?.join(name))
}

/// Opens a file that no other user of the machine may read, because the database contains sealed
/// bids.
fn private(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    options.read(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options.open(path)
}

fn try_lock(file: &File, path: &Path, locked: &Path) -> Result<(), StoreError> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(StoreError::Locked(path.to_path_buf())),
        Err(TryLockError::Error(reason)) => Err(StoreError::Open(locked.to_path_buf(), reason)),
    }
}

/// The files of an open database, which must stay in place. Systems that give files no identity do
/// not allow removing open files either.
pub(super) struct OpenFiles {
    path: PathBuf,
    #[cfg(unix)]
    files: Vec<(PathBuf, (u64, u64))>,
    /// Whether their loss was logged.
    is_lost: bool,
}

impl OpenFiles {
    /// The files of the database at `path`, after a first write.
    pub(super) fn of(path: &Path) -> OpenFiles {
        OpenFiles {
            path: path.to_path_buf(),
            #[cfg(unix)]
            files: ["", "-wal", "-shm"]
                .iter()
                .map(|end| beside(path, end))
                .filter_map(|path| identity(&path).map(|identity| (path, identity)))
                .collect(),
            is_lost: false,
        }
    }

    /// Refuses if a file was deleted or exchanged.
    pub(super) fn check(&mut self) -> Result<(), StoreError> {
        #[cfg(unix)]
        let lost = self.files.iter().find(|(path, before)| identity(path) != Some(*before)).map(|(path, _)| path);
        #[cfg(not(unix))]
        let lost: Option<&PathBuf> = None;
        match lost {
            Some(lost) => {
                let error = StoreError::Vanished(lost.clone());
                if !std::mem::replace(&mut self.is_lost, true) {
                    tracing::error!(cause = %error, "nothing is written any more");
                }
                Err(error)
            }
            None => {
                if std::mem::take(&mut self.is_lost) {
                    tracing::warn!(store = %self.path.display(), "the files of the store are back");
                }
                Ok(())
            }
        }
    }
}

/// The identity of a file: its device and its number there.
#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    fs::symlink_metadata(path).ok().map(|about| (about.dev(), about.ino()))
}
