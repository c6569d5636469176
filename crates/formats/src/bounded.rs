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
    let name = || path.display().to_string();
    let unreadable = |error| FormatError::Unreadable { file: name(), error };
    let file = File::open(path).map_err(unreadable)?;
    if file.metadata().is_ok_and(|about| about.is_file() && about.len() > limit) {
        return Err(FormatError::TooLarge { file: name(), limit });
    }
    let mut bytes = Vec::new();
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > limit {
        return Err(FormatError::TooLarge { file: name(), limit });
    }
    Ok(bytes)
}
