//! Sizes and checksums of files.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use richman_core::Error;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::cannot;

/// The size and checksum of a complete file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileSum {
    /// The number of bytes.
    pub bytes: u64,
    /// Their SHA-256 in hexadecimal, as `sha256sum` prints it.
    pub sha256: String,
}

impl FileSum {
    /// The size and checksum of bytes.
    pub fn of(bytes: &[u8]) -> FileSum {
        let mut sum = RunningSum::default();
        sum.take(bytes);
        sum.sum()
    }
}

#[derive(Debug, Clone, Default)]
pub(crate) struct RunningSum {
    pub(crate) bytes: u64,
    hash: Sha256,
}

impl RunningSum {
    pub(crate) fn take(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.hash.update(bytes);
    }

    pub(crate) fn sum(self) -> FileSum {
        let sha256 = self.hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        FileSum { bytes: self.bytes, sha256 }
    }
}

/// The sum of a file, of which at most `most` + 1 bytes are read; `each` gets the number read so
/// far.
///
/// # Errors
/// [`Error::Storage`] if the file cannot be read; the errors of `each`.
pub fn sum_of(
    path: &Path,
    most: Option<u64>,
    each: &mut dyn FnMut(u64) -> Result<(), Error>,
) -> Result<FileSum, Error> {
    let failed = |error: std::io::Error| cannot("read", path, &error);
    let mut file = File::open(path).map_err(failed)?.take(most.map_or(u64::MAX, |most| most.saturating_add(1)));
    let (mut summer, mut buffer) = (RunningSum::default(), vec![0; 1 << 20]);
    loop {
        let count = file.read(&mut buffer).map_err(failed)?;
        if count == 0 {
            return Ok(summer.sum());
        }
        summer.take(&buffer[..count]);
        each(summer.bytes)?;
    }
}
