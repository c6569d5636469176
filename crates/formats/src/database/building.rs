//! A database under construction, by one process at a time.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use richman_core::Error;
use richman_files::{FileSum, cannot, damaged, folder_of, is_unfinished, sum_of, sync_folder};

use super::Database;
use super::manifest::{LOCK, storage};

/// The folder of a database, locked until this is dropped or the process ends.
#[derive(Debug)]
pub struct Building {
    folder: PathBuf,
    about: Database,
    _lock: File,
}

impl Building {
    /// Creates the folder if needed, locks it, and lists the files to be built. Removes unfinished
    /// files of killed builds.
    ///
    /// # Errors
    /// [`Error::Storage`] if another build is running, or if the folder holds another database or
    /// cannot be read or written.
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
        known(folder)?; // before anything is written into another database's folder
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

    /// The path of a file of the database.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Whether a file exists. If it is not listed as complete, because a build was killed or the
    /// database is of the first version, this lists it, after `check` has found it whole.
    ///
    /// # Errors
    /// [`Error::Storage`] if the length of the file has changed; the errors of `check`.
    pub fn has(&mut self, name: &str, check: impl FnOnce(&Path) -> Result<(), Error>) -> Result<bool, Error> {
        let path = self.path(name);
        let Ok(found) = fs::metadata(&path) else { return Ok(false) };
        match self.about.list().get(name) {
            Some(Some(sum)) if sum.bytes == found.len() => {}
            Some(Some(sum)) => return Err(damaged(&path, &format!("it had {} bytes", sum.bytes))),
            _ => {
                check(&path)?;
                let sum = sum_of(&path, None, &mut |_| Ok(()))?;
                self.keep(name, sum)?;
            }
        }
        Ok(true)
    }

    /// Lists a file as complete.
    ///
    /// # Errors
    /// [`Error::Storage`] if the manifest cannot be written.
    pub fn keep(&mut self, name: &str, sum: FileSum) -> Result<(), Error> {
        self.note(name, sum);
        self.write()
    }

    /// The same, written by a later [`Building::write`].
    pub fn note(&mut self, name: &str, sum: FileSum) {
        self.about.list().insert(name.to_string(), Some(sum));
    }

    /// Writes the manifest.
    ///
    /// # Errors
    /// [`Error::Storage`] if it cannot be written.
    pub fn write(&self) -> Result<(), Error> {
        self.about.write(&self.folder).map_err(storage)
    }
}

/// Locks the folder. The lock ends with the process, so a killed build blocks nobody.
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
