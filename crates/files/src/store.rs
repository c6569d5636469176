//! Objects by name in one place: the files of a folder, or the objects of a bucket.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use richman_core::Error;
#[cfg(not(feature = "s3"))]
use richman_core::Remedy;

use crate::sum::RunningSum;
use crate::{FileSum, cannot, folder_of, read_bounded, read_limited, sync_folder, write_file};

/// A place for objects; each exists completely or not at all.
///
/// All functions return the system's errors, without a name; of kind [`ErrorKind::NotFound`] if
/// there is no such object.
pub trait ObjectStore: Debug + Send + Sync {
    /// The place, as given by the user.
    fn place(&self) -> &Path;

    /// The location of an object, for messages.
    fn at(&self, name: &str) -> PathBuf {
        self.place().join(name)
    }

    /// The folder, if the store is one.
    fn folder(&self) -> Option<&Path> {
        None
    }

    /// Creates the place, if needed.
    fn prepare(&self) -> io::Result<()> {
        Ok(())
    }

    /// Reads an object.
    fn reader(&self, name: &str) -> io::Result<Box<dyn Read + '_>>;

    /// The bytes of an object, at most `most`; of kind [`ErrorKind::FileTooLarge`] if it has more.
    fn read(&self, name: &str, most: u64) -> io::Result<Vec<u8>> {
        read_limited(self.reader(name)?, most)
    }

    /// Writes a new object; of kind [`ErrorKind::AlreadyExists`] if it exists.
    fn create(&self, name: &str, bytes: &[u8]) -> io::Result<()>;

    /// Writes an object, replacing an existing one.
    fn replace(&self, name: &str, bytes: &[u8]) -> io::Result<()>;

    /// Removes an object.
    fn remove(&self, name: &str) -> io::Result<()>;

    /// The names of all objects, with their bytes.
    fn list(&self) -> io::Result<BTreeMap<String, u64>>;
}

/// The store at a path, or at a URL such as `file:///data/boards` or, with the feature `s3`,
/// `s3://bucket/prefix`.
///
/// # Errors
/// [`Error::Unsupported`] for the URL of another kind of store; [`Error::Storage`] for one that
/// cannot be opened.
pub fn open_store(place: &Path) -> Result<Arc<dyn ObjectStore>, Error> {
    match place.to_str().and_then(|text| text.split_once("://")) {
        None => Ok(Arc::new(FolderStore::new(place))),
        Some(("file", path)) if path.starts_with('/') => Ok(Arc::new(FolderStore::new(Path::new(path)))),
        #[cfg(feature = "s3")]
        Some(("s3", place)) => Ok(Arc::new(crate::remote::RemoteStore::open(place)?)),
        #[cfg(not(feature = "s3"))]
        Some(("s3", _)) => {
            let [what, serves] = ["S3 in this program", "folders"].map(str::to_string);
            Err(Error::Unsupported { what, serves, remedies: vec![Remedy::Compile("s3")] })
        }
        Some(_) => Err(Error::unsupported(
            format!("a store at {}", place.display()),
            "folders, and URLs such as file:///data and s3://bucket/prefix",
        )),
    }
}

/// Whether a place is written as a URL, not as a path.
pub fn is_url(place: &Path) -> bool {
    place.to_str().is_some_and(|text| text.contains("://"))
}

/// The folder of a store that must be one.
///
/// # Errors
/// [`Error::Unsupported`] for other stores.
pub fn folder(store: &dyn ObjectStore) -> Result<&Path, Error> {
    let other = || Error::unsupported(format!("this database at {}", store.place().display()), "a folder");
    store.folder().ok_or_else(other)
}

/// The checksum of an object, reading at most `most` + 1 bytes; `each` gets the number read so far.
///
/// # Errors
/// [`Error::Storage`] if it cannot be read; the errors of `each`.
pub fn sum_of(
    store: &dyn ObjectStore,
    name: &str,
    most: Option<u64>,
    each: &mut dyn FnMut(u64) -> Result<(), Error>,
) -> Result<FileSum, Error> {
    let failed = |error: io::Error| cannot("read", &store.at(name), &error);
    let mut reader = store.reader(name).map_err(failed)?.take(most.map_or(u64::MAX, |most| most.saturating_add(1)));
    let (mut summer, mut buffer) = (RunningSum::default(), vec![0; 1 << 20]);
    loop {
        let count = reader.read(&mut buffer).map_err(failed)?;
        if count == 0 {
            return Ok(summer.sum());
        }
        summer.take(&buffer[..count]);
        each(summer.bytes)?;
    }
}

/// The files of a folder.
#[derive(Debug)]
pub struct FolderStore {
    folder: PathBuf,
}

impl FolderStore {
    /// The files of this folder, which need not exist.
    pub fn new(folder: &Path) -> FolderStore {
        FolderStore { folder: folder.to_path_buf() }
    }
}

impl ObjectStore for FolderStore {
    fn place(&self) -> &Path {
        &self.folder
    }

    fn folder(&self) -> Option<&Path> {
        Some(&self.folder)
    }

    fn prepare(&self) -> io::Result<()> {
        if !self.folder.exists() {
            fs::create_dir_all(&self.folder)?;
            sync_folder(folder_of(&self.folder));
        }
        Ok(())
    }

    fn reader(&self, name: &str) -> io::Result<Box<dyn Read + '_>> {
        Ok(Box::new(File::open(self.at(name))?))
    }

    fn read(&self, name: &str, most: u64) -> io::Result<Vec<u8>> {
        read_bounded(&self.at(name), most)
    }

    fn create(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        // The second of two simultaneous writes replaces the first.
        match fs::symlink_metadata(self.at(name)) {
            Ok(_) => Err(ErrorKind::AlreadyExists.into()),
            Err(_) => self.replace(name, bytes),
        }
    }

    fn replace(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let write = || write_file(&self.at(name), |out| out.write_all(bytes));
        match write() {
            // A build that begins here removes files that others have not finished.
            Err(error) if error.kind() == ErrorKind::NotFound && self.folder.exists() => write(),
            written => written,
        }
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        fs::remove_file(self.at(name))
    }

    fn list(&self) -> io::Result<BTreeMap<String, u64>> {
        let entry = |entry: io::Result<fs::DirEntry>| {
            let entry = entry?;
            Ok((entry.file_name().to_string_lossy().into_owned(), entry.metadata().map_or(0, |about| about.len())))
        };
        fs::read_dir(&self.folder)?.map(entry).collect()
    }
}
