//! A folder that holds every layer of a board, or every class of chess endgames: `database.json`, its manifest, and one file for each layer or class.
//!
//! The manifest says what was asked, and lists every file of the database: its size and its SHA-256 once it is complete, `null` until then. Databases of the first version do not list their files: they are read,
//! looked up and proved all the same, their files known by their names, and a build that goes on in their folder lists them. `database.lock` is locked by the build that is at work.
//!
//! What is in a layer file is in the documentation of `richman-files`.

mod building;
mod kind;
mod manifest;

pub use building::Building;
pub use kind::{BuildOrder, Column, DatabaseKind, ReportRow, size, time};
pub use manifest::{Database, DatabaseStake, FolderCheck};
