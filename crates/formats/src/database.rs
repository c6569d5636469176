//! A folder that holds every layer of a board: `database.json`, which says what was asked, and one file for each layer.
//!
//! A layer file holds numbers, in chunks that are compressed each on its own, so that one of them can be read without the others: a header ([`HEADER`] bytes), the chunks, an index with
//! length and checksum of every chunk, and a footer that says where the index is and has the checksum of header and index. All numbers have their least byte first. A file gets its
//! name when it is complete and on the disk; the same numbers give the same bytes. Nothing in a file is trusted: sizes are compared with the length of the file before
//! anything is allocated, and every chunk with its checksum when it is read.

mod layer_file;
mod manifest;

pub use layer_file::{HEADER, LayerFile, LayerHead, LayerWriter};
pub use manifest::{Database, DatabaseStake};
