//! Sizes and checksums of files.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

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
