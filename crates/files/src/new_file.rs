//! Writing files: the only place in the workspace where that is done, but for the database of the web application, which SQLite writes.
//!
//! A regular file appears, or replaces an older one, when it is complete and on the disk: it is written under an unpredictable name in the same folder, with `O_EXCL`,
//! flushed to the disk, renamed, and then the folder is flushed. Permissions, owner and group of the older file are kept where the system allows it; nobody gets
//! permissions that they did not have. A symbolic link stays, and what it leads to is replaced. Devices, pipes, and whatever is this process's standard output are written to directly. Other hard links to an older file keep its old content.
//!
//! Who ends the process while it may be writing calls [`abandon`] first. What a killed process leaves is a file that [`is_unfinished`] knows by its name.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, TempPath};

const PREFIX: &str = ".richman-";
const SUFFIX: &str = ".unfinished";

/// The temporary files that are there. As long as it is locked, none appears and none gets its name.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes what this process is writing. From then on it writes no file that replaces another, but waits: it is about to end.
pub fn abandon() {
    let unfinished = unfinished();
    for path in unfinished.iter() {
        let _ = fs::remove_file(path); // nobody is left to be told
    }
    std::mem::forget(unfinished);
}

/// A temporary file that is in the list.
#[derive(Debug)]
struct Temporary(Option<TempPath>);

impl Temporary {
    /// Gives the file its name.
    fn persist(mut self, target: &Path) -> io::Result<()> {
        let mut unfinished = unfinished();
        let Some(path) = self.0.take() else { return Ok(()) };
        unfinished.retain(|known| *known != *path);
        path.persist(target).map_err(|error| error.error)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(path) = self.0.take() {
            let mut unfinished = unfinished();
            unfinished.retain(|known| *known != *path);
            drop(path); // before somebody who ends the process could think that it is gone
        }
    }
}

/// A file that is being written. Dropped without [`NewFile::finish`] it leaves everything as it was.
#[derive(Debug)]
pub struct NewFile {
    out: BufWriter<File>,
    /// The temporary file and the name it is to get; `None` for what is written to directly.
    replaces: Option<(Temporary, PathBuf)>,
}

impl NewFile {
    /// Begins to write to `path`.
    ///
    /// # Errors
    /// What the system says: no such folder, a file or folder that may not be written, a folder in place of a file.
    pub fn create(path: &Path) -> io::Result<NewFile> {
        let direct = |file| Ok(NewFile { out: buffered(file), replaces: None });
        match fs::metadata(path) {
            Ok(about) if about.is_dir() => Err(io::Error::new(io::ErrorKind::IsADirectory, "this is a folder")),
            Ok(about) => match standard_stream(&about) {
                Some(file) => direct(file),
                None if about.is_file() => {
                    let target = followed(path);
                    // A file that may not be written is not replaced either.
                    OpenOptions::new().write(true).open(&target)?;
                    NewFile::beside(target, Some(&about))
                }
                None => direct(OpenOptions::new().write(true).open(path)?),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => NewFile::beside(followed(path), None),
            Err(error) => Err(error),
        }
    }

    /// A temporary file in the folder of `target`, with the permissions of `older`, or those of any new file.
    fn beside(target: PathBuf, older: Option<&Metadata>) -> io::Result<NewFile> {
        if target.file_name().is_none() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "this is not the name of a file"));
        }
        let mut builder = Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(12);
        #[cfg(unix)]
        if older.is_none() {
            // Less what the user's umask takes away.
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        }
        let mut unfinished = unfinished();
        let (file, temporary) = builder.tempfile_in(folder_of(&target)).map_err(without_name)?.into_parts();
        unfinished.push(temporary.to_path_buf());
        drop(unfinished);
        let temporary = Temporary(Some(temporary));
        if let Some(older) = older {
            keep_permissions(&file, older)?;
        }
        Ok(NewFile { out: buffered(file), replaces: Some((temporary, target)) })
    }

    /// Gives the file its name, when it is on the disk.
    ///
    /// # Errors
    /// What the system says; an older file is then as it was.
    pub fn finish(mut self) -> io::Result<()> {
        self.out.flush()?;
        let Some((temporary, target)) = self.replaces.take() else { return Ok(()) };
        self.out.get_ref().sync_all()?;
        temporary.persist(&target)?;
        sync_folder(folder_of(&target));
        Ok(())
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Writes a file, all of it or nothing.
///
/// # Errors
/// Those of [`NewFile::create`], `write` and [`NewFile::finish`].
pub fn write_file(path: &Path, write: impl FnOnce(&mut NewFile) -> io::Result<()>) -> io::Result<()> {
    let mut file = NewFile::create(path)?;
    write(&mut file)?;
    file.finish()
}

/// Whether a file of this name was left by a process that was killed while it wrote, or is being written.
pub fn is_unfinished(name: &str) -> bool {
    name.starts_with(PREFIX) && name.ends_with(SUFFIX)
}

/// A new name is on the disk when its folder is; where folders cannot be flushed, the file still is.
pub fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

fn buffered(file: File) -> BufWriter<File> {
    BufWriter::with_capacity(1 << 20, file)
}

/// The folder that a file is in, which is the current one for a name alone.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Where the links of a path lead, whether or not there is something.
fn followed(path: &Path) -> PathBuf {
    /// As many as Linux follows.
    const MOST: usize = 40;
    let mut path = path.to_path_buf();
    for _ in 0..MOST {
        let Ok(to) = fs::read_link(&path) else { break };
        path = folder_of(&path).join(to);
    }
    path
}

/// This process's standard output or standard error, if that is the file: a name such as `/dev/stdout` may lead to a regular file, which must not be replaced.
#[cfg(unix)]
fn standard_stream(about: &Metadata) -> Option<File> {
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;
    let (out, error) = (io::stdout(), io::stderr());
    [out.as_fd(), error.as_fd()].into_iter().find_map(|stream| {
        let file = File::from(stream.try_clone_to_owned().ok()?);
        let found = file.metadata().ok()?;
        ((found.dev(), found.ino()) == (about.dev(), about.ino())).then_some(file)
    })
}

#[cfg(not(unix))]
fn standard_stream(_: &Metadata) -> Option<File> {
    None
}

#[cfg(unix)]
fn keep_permissions(file: &File, older: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    /// What the group may do.
    const GROUP: u32 = 0o070;
    // Only the superuser can give files away: for others the file becomes theirs, in the group where they are in it.
    let has_group =
        fchown(file, Some(older.uid()), Some(older.gid())).is_ok() || fchown(file, None, Some(older.gid())).is_ok();
    let kept = if has_group { 0o777 } else { 0o777 & !GROUP };
    file.set_permissions(fs::Permissions::from_mode(older.mode() & kept))
}

#[cfg(not(unix))]
fn keep_permissions(file: &File, older: &Metadata) -> io::Result<()> {
    file.set_permissions(older.permissions())
}

/// The error of the system, without the temporary name, which means nothing to anybody.
fn without_name(error: io::Error) -> io::Error {
    match error.to_string().split_once(" at path ") {
        Some((reason, _)) => io::Error::new(error.kind(), reason),
        None => error,
    }
}
