//! Databases: folders that hold every layer of a board, or every class of chess endgames. A folder
//! contains `database.json`, the manifest, and one file per layer or class.
//!
//! The manifest states the game and the stake and lists every file: its size and SHA-256 if it is
//! complete, `null` otherwise. Databases of the first version list no files. They can be read,
//! looked up and proved all the same, with files known by their names, and a build resumed in their
//! folder lists them. A running build locks `database.lock`.
//!
//! The documentation of `richman-files` describes the layer files.

mod building;
mod kind;
mod manifest;

pub use building::Building;
pub use kind::{BuildOrder, DatabaseKind, ReportRow, TableColumn, size, time};
pub use manifest::{Database, DatabaseStake, FolderCheck};
