//! Files of any content: written completely or not at all ([`NewFile`]), read up to a limit
//! ([`read_bounded`]); files of a folder or another [`ObjectStore`], checksummed ([`sum_of`]);
//! layers of numbers ([`LayerFile`]); and results of units of work ([`PackedFrames`]).
//!
//! A layer file stores numbers in separately compressed chunks, so that each can be read alone. It
//! consists of a header ([`HEADER`] bytes), the chunks, an index with each chunk's length and
//! checksum, and a footer with the offset of the index and the checksum of header and index.
//! Numbers are little-endian. A file gets its name when it is complete and on the disk; equal
//! numbers give equal bytes. Files are not trusted: sizes are checked against the file length
//! before allocation, and chunks against their checksums when read.

use std::io;
use std::path::Path;

use richman_core::Error;

mod bounded;
#[cfg(feature = "disk")]
mod frames;
#[cfg(feature = "disk")]
mod layer_file;
#[cfg(feature = "disk")]
mod new_file;
#[cfg(feature = "s3")]
mod remote;
#[cfg(feature = "disk")]
mod store;
#[cfg(feature = "disk")]
mod sum;
#[cfg(feature = "disk")]
mod watched;

pub use bounded::{read_bounded, read_limited, too_large};
#[cfg(feature = "disk")]
pub use frames::{PackedFrames, pack_frames};
#[cfg(feature = "disk")]
pub use layer_file::{HEADER, LayerFile, LayerHead, LayerWriter, damaged};
#[cfg(feature = "disk")]
pub use new_file::{NewFile, abandon, folder_of, is_unfinished, sync_folder, write_file};
#[cfg(feature = "disk")]
pub use store::{FolderStore, ObjectStore, folder, is_url, open_store, sum_of};
#[cfg(feature = "disk")]
pub use sum::FileSum;
#[cfg(feature = "disk")]
pub use watched::{WriteFault, write_watched};

/// An [`Error::Storage`]: the failed operation on a file, and the system's error.
pub fn cannot(do_what: &str, path: &Path, error: &io::Error) -> Error {
    Error::Storage { what: format!("cannot {do_what} {}: {error}", path.display()) }
}
