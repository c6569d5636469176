//! Writes all files of the workspace, except the SQLite database of the web application.
//!
//! A regular file appears, or replaces an older one, when it is complete and on the disk. It is
//! written under an unpredictable name in the same folder, with `O_EXCL`, flushed and renamed; then
//! the folder is flushed. The older file's permissions, owner and group are kept where the system
//! allows it; nobody gains permissions. A symbolic link stays, and its target is replaced. Devices,
//! pipes and this process's standard output are written directly. Other hard links keep the old
//! content.
//!
//! Code that ends the process while a file may be open calls [`abandon`] first. A killed process
//! leaves a file whose name satisfies [`is_unfinished`].

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, TempPath};

const PREFIX: &str = ".richman-";
const SUFFIX: &str = ".unfinished";

/// The existing temporary files. While this is locked, none is created or renamed.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes this process's unfinished files before it ends. Later attempts to replace a file wait
/// forever.
pub fn abandon() {
    let unfinished = unfinished();
    for path in unfinished.iter() {
        let _ = fs::remove_file(path); // no caller remains to report to
    }
    std::mem::forget(unfinished);
}

/// A temporary file in the list.
#[derive(Debug)]
struct TemporaryFile(Option<TempPath>);

impl TemporaryFile {
    /// Renames the file to `target`.
    fn persist(mut self, target: &Path) -> io::Result<()> {
        let mut unfinished = unfinished();
        let Some(path) = self.0.take() else { return Ok(()) };
        unfinished.retain(|known| *known != *path);
        match cfg!(windows) {
            true => path.persist(target).map_err(|error| error.error),
            // Uses the system's library, whose calls tests can make fail.
            false => fs::rename(&path, target).map(|()| drop(path.keep())),
        }
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        if let Some(path) = self.0.take() {
            let mut unfinished = unfinished();
            unfinished.retain(|known| *known != *path);
            drop(path); // under the lock, so that `abandon` cannot miss the file
        }
    }
}

/// A file being written. If it is dropped without [`NewFile::finish`], everything stays as it was.
#[derive(Debug)]
pub struct NewFile {
    out: BufWriter<File>,
    /// The temporary file and its final name; `None` for direct writing.
    replaces: Option<(TemporaryFile, PathBuf)>,
}

impl NewFile {
    /// Starts writing to `path`.
    ///
    /// # Errors
    /// The system's error, such as a missing folder, missing permission, or a folder in place of
    /// the file.
    pub fn create(path: &Path) -> io::Result<NewFile> {
        let direct = |file| Ok(NewFile { out: buffered(file), replaces: None });
        match fs::metadata(path) {
            Ok(about) if about.is_dir() => Err(io::Error::new(io::ErrorKind::IsADirectory, "this is a folder")),
            Ok(about) => match standard_stream(&about) {
                Some(file) => direct(file),
                None if about.is_file() => {
                    let target = followed(path);
                    // A write-protected file must not be replaced.
                    OpenOptions::new().write(true).open(&target)?;
                    NewFile::beside(target, Some(&about))
                }
                None => direct(OpenOptions::new().write(true).open(path)?),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => NewFile::beside(followed(path), None),
            Err(error) => Err(error),
        }
    }

    /// A temporary file in the folder of `target`, with default permissions or those of `older`.
    fn beside(target: PathBuf, older: Option<&Metadata>) -> io::Result<NewFile> {
        if target.file_name().is_none() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "this is not the name of a file"));
        }
        let mut builder = Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(12);
        #[cfg(unix)]
        if older.is_none() {
            // The system subtracts the umask.
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        }
        let mut unfinished = unfinished();
        let (file, temporary) = builder.tempfile_in(folder_of(&target)).map_err(without_name)?.into_parts();
        unfinished.push(temporary.to_path_buf());
        drop(unfinished);
        let temporary = TemporaryFile(Some(temporary));
        if let Some(older) = older {
            keep_permissions(&file, older)?;
        }
        Ok(NewFile { out: buffered(file), replaces: Some((temporary, target)) })
    }

    /// Flushes the file and renames it.
    ///
    /// # Errors
    /// The system's error; an older file is then unchanged.
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

/// Writes a file completely or not at all.
///
/// # Errors
/// The system's error on creating, writing or finishing the file.
pub fn write_file(path: &Path, write: impl FnOnce(&mut NewFile) -> io::Result<()>) -> io::Result<()> {
    let mut file = NewFile::create(path)?;
    write(&mut file)?;
    file.finish()
}

/// Whether a file of this name is being written, or was left by a killed process.
pub fn is_unfinished(name: &str) -> bool {
    name.starts_with(PREFIX) && name.ends_with(SUFFIX)
}

/// Flushes a folder, which puts new names on the disk. Does nothing where folders cannot be
/// flushed.
pub fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

fn buffered(file: File) -> BufWriter<File> {
    BufWriter::with_capacity(1 << 20, file)
}

/// The folder of a file; the current folder for a bare name.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The target of a path's symbolic links, existing or not.
fn followed(path: &Path) -> PathBuf {
    /// The limit of Linux.
    const MOST: usize = 40;
    let mut path = path.to_path_buf();
    for _ in 0..MOST {
        let Ok(to) = fs::read_link(&path) else { break };
        path = folder_of(&path).join(to);
    }
    path
}

/// This process's standard output or standard error, if it is that file. A name such as
/// `/dev/stdout` may lead to a regular file, which must not be replaced.
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
    /// The group's permissions.
    const GROUP: u32 = 0o070;
    // Only the superuser can give files away. Other users get the file, in the old group if they
    // belong to it.
    let has_group =
        fchown(file, Some(older.uid()), Some(older.gid())).is_ok() || fchown(file, None, Some(older.gid())).is_ok();
    let kept = if has_group { 0o777 } else { 0o777 & !GROUP };
    file.set_permissions(fs::Permissions::from_mode(older.mode() & kept))
}

#[cfg(not(unix))]
fn keep_permissions(file: &File, older: &Metadata) -> io::Result<()> {
    file.set_permissions(older.permissions())
}

/// The system's error without the temporary name, which means nothing to users.
fn without_name(error: io::Error) -> io::Error {
    match error.to_string().split_once(" at path ") {
        Some((reason, _)) => io::Error::new(error.kind(), reason),
        None => error,
    }
}
