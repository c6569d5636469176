//! Reads files without trusting their size.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// The bytes of the file at `path`, at most `limit` of them.
///
/// Devices and pipes have no known size and are read up to `limit` + 1 bytes.
///
/// # Errors
/// The system's error or [`too_large`], without the path.
pub fn read_bounded(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    if file.metadata().is_ok_and(|about| about.is_file() && about.len() > limit) {
        return Err(too_large(limit));
    }
    read_limited(file, limit)
}

/// All bytes of `reader`, at most `limit` of them.
///
/// # Errors
/// The reader's error, or [`too_large`].
pub fn read_limited(reader: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(too_large(limit)) } else { Ok(bytes) }
}

/// The error of kind [`ErrorKind::FileTooLarge`] for a file of more than `limit` bytes.
pub fn too_large(limit: u64) -> io::Error {
    io::Error::new(ErrorKind::FileTooLarge, format!("the file is larger than {limit} bytes, the most that is read"))
}
