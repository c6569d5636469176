//! File handling independent of content: files written completely or not at all ([`NewFile`]), read
//! up to a limit ([`read_bounded`]) and checksummed ([`sum_of`]), and files of layers of numbers
//! ([`LayerFile`]).
//!
//! A layer file stores numbers in separately compressed chunks, so that one chunk can be read
//! alone. It consists of a header ([`HEADER`] bytes), the chunks, an index with each chunk's length
//! and checksum, and a footer with the offset of the index and the checksum of header and index.
//! All numbers are little-endian. A file gets its name when it is complete and on the disk; equal
//! numbers give equal bytes. No file is trusted: sizes are compared with the length of the file
//! before anything is allocated, and each chunk is compared with its checksum when read.

use std::io;
use std::path::Path;

use richman_core::Error;

mod bounded;
mod layer_file;
mod new_file;
mod sum;

pub use bounded::{read_bounded, read_limited, too_large};
pub use layer_file::{HEADER, LayerFile, LayerHead, LayerWriter, damaged};
pub use new_file::{NewFile, abandon, folder_of, is_unfinished, sync_folder, write_file};
pub use sum::{FileSum, sum_of};

/// An [`Error::Storage`]: what could not be done with a file, and the system's error.
pub fn cannot(do_what: &str, path: &Path, error: &io::Error) -> Error {
    Error::Storage { what: format!("cannot {do_what} {}: {error}", path.display()) }
}
