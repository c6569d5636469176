//! Databases: folders with the units of a board, or classes of chess endgames. A folder contains
//! `database.json`, the manifest, and one file per unit or part of a class.
//!
//! The manifest states the game, the stake and, of a board, the cut into units. It lists every file
//! with its size and SHA-256 if complete, else `null`. Databases of the first version list no
//! files. Those of chess can still be read and proved, with files known by their names, and a
//! resumed build lists them. A running build locks `database.lock`.
//!
//! `richman-files` documents the files.

mod building;
mod kind;
mod manifest;

pub use building::Building;
pub use kind::{BuildOrder, DatabaseKind, Machines, ReportRow, RowSchemas, TableColumn, size, time};
pub use manifest::{Database, DatabaseCut, DatabaseStake, FolderCheck, KeptUnits, MOST_TOTALS, UNIT};
