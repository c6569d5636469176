//! A database under construction, by one process at a time.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use richman_core::Error;
use richman_files::{FileSum, ObjectStore, cannot, damaged, is_unfinished, sum_of};

use super::Database;
use super::manifest::{LOCK, storage};

/// A database under construction. A folder is locked until this is dropped or the process ends.
#[derive(Debug)]
pub struct Building {
    store: Arc<dyn ObjectStore>,
    about: Database,
    lock: Option<File>,
}

impl Building {
    /// Prepares the store, locks it if it is a folder, and lists the files to be built. Removes
    /// files of this folder that killed builds did not finish.
    ///
    /// # Errors
    /// [`Error::Storage`] if another build is running, or if the store holds another database or
    /// cannot be read or written.
    pub fn begin(
        store: &Arc<dyn ObjectStore>,
        about: Database,
        names: impl IntoIterator<Item = String>,
    ) -> Result<Building, Error> {
        let known = || -> Result<Database, Error> {
            match Database::read(store.as_ref())? {
                None => Ok(about.clone()),
                Some(found) if found.is_like(&about) => Ok(found),
                Some(found) => {
                    let what = format!("{}: choose another folder", found.differs(&about));
                    Err(storage(format!("{} holds {what}", store.place().display())))
                }
            }
        };
        known()?; // before anything is written into another database's folder
        store.prepare().map_err(|error| cannot("write", store.place(), &error))?;
        let lock = store.folder().map(locked).transpose()?;
        let mut about = if about.create(store.as_ref())? { about } else { known()? };
        if let Some(folder) = store.folder() {
            remove_unfinished(folder)?;
        }
        let files = about.list();
        names.into_iter().for_each(|name| {
            files.entry(name).or_default();
        });
        let mut building = Building { store: Arc::clone(store), about, lock };
        building.write()?;
        Ok(building)
    }

    /// The path of a file of the database.
    pub fn path(&self, name: &str) -> PathBuf {
        self.store.at(name)
    }

    /// The sum of a file that is listed as complete.
    pub fn listed(&self, name: &str) -> Option<&FileSum> {
        self.about.files.as_ref()?.get(name)?.as_ref()
    }

    /// Whether a file of a folder exists. If it is not listed as complete, because a build was
    /// killed or the database is of the first version, this lists it once `check` has found it
    /// undamaged.
    ///
    /// # Errors
    /// [`Error::Storage`] if the length of the file has changed; the errors of `check`.
    pub fn has(&mut self, name: &str, check: impl FnOnce(&Path) -> Result<(), Error>) -> Result<bool, Error> {
        let path = self.path(name);
        let Ok(found) = fs::metadata(&path) else { return Ok(false) };
        match self.listed(name) {
            Some(sum) if sum.bytes == found.len() => {}
            Some(sum) => return Err(damaged(&path, &format!("it had {} bytes", sum.bytes))),
            None => {
                check(&path)?;
                let sum = sum_of(self.store.as_ref(), name, None, &mut |_| Ok(()))?;
                self.note(name, sum);
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

    /// Lists files as incomplete, and writes the manifest if any was complete.
    ///
    /// # Errors
    /// As for [`Building::write`].
    pub fn forget(&mut self, names: impl Iterator<Item = String>) -> Result<(), Error> {
        let files = self.about.list();
        let listed = names.filter_map(|name| files.get_mut(&name).and_then(Option::take)).count();
        if listed > 0 { self.about.write(self.store.as_ref()) } else { Ok(()) }
    }

    /// Writes the manifest. Where others may build at the same time, it keeps their entries.
    ///
    /// # Errors
    /// [`Error::Storage`] if it cannot be read or written.
    pub fn write(&mut self) -> Result<(), Error> {
        if self.lock.is_none()
            && let Some(found) = Database::read(self.store.as_ref())?.filter(|found| found.is_like(&self.about))
        {
            let files = self.about.list();
            for (name, sum) in found.files.into_iter().flatten().filter(|(_, sum)| sum.is_some()) {
                files.entry(name).and_modify(|own| *own = own.take().or(sum.clone())).or_insert(sum);
            }
        }
        self.about.write(self.store.as_ref())
    }

    /// Writes the manifest, and removes files that killed processes did not finish meanwhile.
    ///
    /// # Errors
    /// [`Error::Storage`] if it cannot be written, or the folder cannot be read.
    pub fn finish(mut self) -> Result<(), Error> {
        self.write()?;
        self.store.folder().map_or(Ok(()), remove_unfinished)
    }
}

/// Removes the files that killed processes left.
fn remove_unfinished(folder: &Path) -> Result<(), Error> {
    let failed = |error: std::io::Error| cannot("write", folder, &error);
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if entry.file_name().to_str().is_some_and(is_unfinished) {
            match fs::remove_file(entry.path()) {
                Err(error) if error.kind() == ErrorKind::NotFound => {} // just finished
                removed => removed.map_err(failed)?,
            }
        }
    }
    Ok(())
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
