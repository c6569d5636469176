//! Reading files without trusting their size.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::FormatError;

/// The bytes of the file at `path`, at most `limit` of them.
///
/// Devices and pipes, whose size is not known, are read up to `limit` + 1 bytes and no further.
///
/// # Errors
/// [`FormatError::Unreadable`], or [`FormatError::TooLarge`] above `limit` bytes; both name the path.
pub fn read_bounded(path: &Path, limit: u64) -> Result<Vec<u8>, FormatError> {
    let name = path.display().to_string();
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) => return Err(FormatError::Unreadable { file: name, error }),
    };
    if file.metadata().is_ok_and(|about| about.is_file() && about.len() > limit) {
        return Err(FormatError::TooLarge { file: name, limit });
    }
    read_limited(&name, file, limit)
}

/// The bytes that `reader`, called `name` in messages, gives up to its end, at most `limit` of them.
///
/// # Errors
/// Those of [`read_bounded`].
pub fn read_limited(name: &str, reader: impl Read, limit: u64) -> Result<Vec<u8>, FormatError> {
    let mut bytes = Vec::new();
    let read = reader.take(limit.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|error| FormatError::Unreadable { file: name.to_string(), error })?;
    if bytes.len() as u64 > limit {
        return Err(FormatError::TooLarge { file: name.to_string(), limit });
    }
    Ok(bytes)
}
