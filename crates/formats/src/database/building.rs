//! A database that is being built, by one process at a time.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use richman_core::Error;
use richman_files::{FileSum, LayerFile, cannot, damaged, folder_of, is_unfinished, sum_of, sync_folder};

use super::Database;
use super::manifest::{LOCK, storage};

/// The folder of a database, locked until this is dropped or the process ends, in whatever way.
#[derive(Debug)]
pub struct Building {
    folder: PathBuf,
    about: Database,
    _lock: File,
}

impl Building {
    /// Makes the folder, if there is none, locks it, and lists the files that it is about to have. What builds that were killed left half written is removed.
    ///
    /// # Errors
    /// [`Error::Storage`] where another build is at work, and for a folder that holds a database of something else.
    pub fn begin(folder: &Path, about: Database, names: impl IntoIterator<Item = String>) -> Result<Building, Error> {
        let known = |folder: &Path| -> Result<Database, Error> {
            match Database::read(folder).map_err(storage)? {
                None => Ok(about.clone()),
                Some(found) if found.is_like(&about) => Ok(found),
                Some(Database { game, stake, .. }) => {
                    let what = format!("another database, of {game} with {stake}: choose another folder");
                    Err(storage(format!("{} holds {what}", folder.display())))
                }
            }
        };
        known(folder)?; // nothing is written into a folder of another one
        let failed = |error: std::io::Error| cannot("write", folder, &error);
        if !folder.exists() {
            fs::create_dir_all(folder).map_err(failed)?;
            sync_folder(folder_of(folder));
        }
        let lock = locked(folder)?;
        let mut about = known(folder)?;
        for entry in fs::read_dir(folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            if entry.file_name().to_str().is_some_and(is_unfinished) {
                fs::remove_file(entry.path()).map_err(failed)?;
            }
        }
        let files = about.list();
        names.into_iter().for_each(|name| {
            files.entry(name).or_default();
        });
        let building = Building { folder: folder.to_path_buf(), about, _lock: lock };
        building.write()?;
        Ok(building)
    }

    /// Where a file of the database is.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Whether a file is there already. One that is not listed as complete, since the build was killed before it was, or the database is of the first version, is listed now.
    ///
    /// # Errors
    /// [`Error::Storage`] for one that is damaged, or not as long as it was.
    pub fn has(&mut self, name: &str) -> Result<bool, Error> {
        let path = self.path(name);
        let Ok(found) = fs::metadata(&path) else { return Ok(false) };
        match self.about.list().get(name) {
            Some(Some(sum)) if sum.bytes == found.len() => {}
            Some(Some(sum)) => return Err(damaged(&path, &format!("it had {} bytes", sum.bytes))),
            _ => {
                LayerFile::open(&path)?;
                let sum = sum_of(&path, None, &mut |_| Ok(()))?;
                self.keep(name, sum)?;
            }
        }
        Ok(true)
    }

    /// Lists a file as complete.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub fn keep(&mut self, name: &str, sum: FileSum) -> Result<(), Error> {
        self.about.list().insert(name.to_string(), Some(sum));
        self.write()
    }

    fn write(&self) -> Result<(), Error> {
        self.about.write(&self.folder).map_err(storage)
    }
}

/// The system gives the lock back when a process ends, so a build that was killed locks nobody out.
fn locked(folder: &Path) -> Result<File, Error> {
    let path = folder.join(LOCK);
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
    let file = file.map_err(|error| cannot("write", &path, &error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            let what = "wait until it has ended, or choose another folder";
            Err(storage(format!("another build is at work in {}: {what}", folder.display())))
        }
        Err(TryLockError::Error(error)) => Err(cannot("read", &path, &error)),
    }
}
