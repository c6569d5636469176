//! A folder that holds every layer of a board, or every class of chess endgames: `database.json`, its manifest, and one file for each layer or class.
//!
//! The manifest says what was asked, and lists every file of the database: its size and its SHA-256 once it is complete, `null` until then. Databases of the first version do not list their files: they are read,
//! looked up and proved all the same, their files known by their names, and a build that goes on in their folder lists them. `database.lock` is locked by the build that is at work.
//!
//! A layer file holds numbers, in chunks that are compressed each on its own, so that one of them can be read without the others: a header ([`HEADER`] bytes), the chunks, an index with
//! length and checksum of every chunk, and a footer that says where the index is and has the checksum of header and index. All numbers have their least byte first. A file gets its
//! name when it is complete and on the disk; the same numbers give the same bytes. Nothing in a file is trusted: sizes are compared with the length of the file before
//! anything is allocated, and every chunk with its checksum when it is read.

mod building;
mod layer_file;
mod manifest;

pub use building::Building;
pub use layer_file::{HEADER, LayerFile, LayerHead, LayerWriter};
pub use manifest::{Database, DatabaseStake, FileSum, FolderCheck};
