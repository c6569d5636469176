//! Files, whatever is in them: written complete or not at all ([`NewFile`]), read within a limit ([`read_bounded`]), summed up
//! ([`sum_of`]), and layers of numbers in files ([`LayerFile`]).
//!
//! A layer file holds numbers, in chunks that are compressed each on its own, so that one of them can be read without the others: a
//! header ([`HEADER`] bytes), the chunks, an index with length and checksum of every chunk, and a footer that says where the index is
//! and has the checksum of header and index. All numbers have their least byte first. A file gets its name when it is complete and on
//! the disk; the same numbers give the same bytes. Nothing in a file is trusted: sizes are compared with the length of the file before
//! anything is allocated, and every chunk with its checksum when it is read.

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

/// An [`Error::Storage`]: what could not be done with a file, and what the system says.
pub fn cannot(do_what: &str, path: &Path, error: &io::Error) -> Error {
    Error::Storage { what: format!("cannot {do_what} {}: {error}", path.display()) }
}
