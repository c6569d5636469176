//! The interface of a kind of database. Its reports are plain data, printed in one place.

use std::sync::Arc;

use bytesize::ByteSize;
use richman_core::{Effort, Error, Walk};
use richman_files::ObjectStore;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::Value;

use super::{DatabaseStake, KeptUnits};

/// The database to build, and its limits.
#[derive(Clone, Copy)]
pub struct BuildOrder<'a> {
    /// The game at its start.
    pub start: &'a dyn Walk,
    /// The stake.
    pub stake: &'a DatabaseStake,
    /// The destination of the files.
    pub store: &'a Arc<dyn ObjectStore>,
    /// The most numbers of a unit, where a database consists of units; by default few enough to
    /// compute a unit for a single answer. A resumed database keeps its units.
    pub unit: Option<u64>,
    /// The units to keep, where a database consists of units.
    pub keep: KeptUnits,
    /// The most bytes of files allowed.
    pub disk: u64,
    /// The limits on memory, and the watch.
    pub effort: Effort<'a>,
}

richman_core::debug_by_name!(BuildOrder<'_> {});

/// Machines that build a database together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Machines {
    /// The number of workers.
    pub workers: u32,
    /// The cores of each.
    pub cores: u32,
    /// Bytes per second between a worker and the store.
    pub bandwidth: u64,
    /// Bytes per second that the store reads and writes in all.
    pub store: u64,
}

/// A report on a database or a part of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportRow {
    /// For programs.
    pub json: Value,
    /// For people, with line ends.
    pub words: String,
}

impl ReportRow {
    /// The same report in JSON and in words.
    pub fn new(report: &(impl Serialize + JsonSchema), words: String) -> ReportRow {
        ReportRow { json: serde_json::to_value(report).unwrap_or_default(), words } // all keys are text
    }
}

/// The JSON schemas of the rows of a kind of database.
#[derive(Debug, Clone, Default)]
pub struct RowSchemas {
    /// What is known before anything is computed.
    pub plans: Vec<Schema>,
    /// Completed parts.
    pub parts: Vec<Schema>,
    /// Notable facts about parts.
    pub surveys: Vec<Schema>,
}

/// The name of a table column, and the JSON pointer to its value in a row.
pub type TableColumn = (&'static str, &'static str);

/// One kind of database, for the games of one family.
pub trait DatabaseKind: Sync {
    /// Whether this kind serves games like this one.
    fn serves(&self, walk: &dyn Walk) -> bool;

    /// The games served, for the error about another game.
    fn games(&self) -> &'static str;

    /// The schemas of all its rows.
    fn schemas(&self, of: &mut SchemaGenerator) -> RowSchemas;

    /// The cost of a database, before anything is computed.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if the game or a total is not served.
    fn plan(&self, order: &BuildOrder) -> Result<ReportRow, Error>;

    /// The time that machines take for a database together, before anything is computed.
    ///
    /// # Errors
    /// As for [`DatabaseKind::plan`]; [`Error::Unsupported`] if this kind is not built together;
    /// [`Error::TooLarge`] if there are too many parts.
    fn schedule(&self, order: &BuildOrder, machines: &Machines) -> Result<ReportRow, Error> {
        let _ = machines;
        let what = format!("a database of {} by several workers", order.start.game());
        Err(Error::unsupported(what, "boards of connect and tic-tac-toe"))
    }

    /// Builds a database or resumes a build. `each` receives every completed part. Returns a
    /// closing remark, perhaps empty.
    ///
    /// # Errors
    /// The errors of [`DatabaseKind::plan`]; [`Error::Storage`] if a file cannot be read or
    /// written, or the folder holds something else; [`Error::TooMuchDisk`] or
    /// [`Error::TooMuchMemory`]; [`Error::Cancelled`]. Completed parts remain.
    fn build(&self, order: &BuildOrder, each: &mut dyn FnMut(ReportRow)) -> Result<String, Error>;

    /// The files of a complete database in this store; `start` is its game at the start.
    ///
    /// # Errors
    /// [`Error::Storage`] if the store cannot be read.
    fn files(&self, store: &Arc<dyn ObjectStore>, start: &dyn Walk) -> Result<Vec<String>, Error>;

    /// The game whose build makes a given file of a database of `game`.
    fn game_of_file(&self, game: &str, file: &str) -> String {
        let _ = file;
        game.to_string()
    }

    /// Reports notable facts about each part of a database and returns the columns of their table;
    /// `None` for a kind without a survey.
    ///
    /// # Errors
    /// [`Error::Storage`] if files are missing or damaged; [`Error::Cancelled`] if the watch says
    /// stop.
    fn survey(
        &self,
        store: &Arc<dyn ObjectStore>,
        effort: &Effort,
        each: &mut dyn FnMut(ReportRow),
    ) -> Result<Option<&[TableColumn]>, Error> {
        let _ = (store, effort, each);
        Ok(None)
    }
}

/// A number of bytes, for people.
pub fn size(bytes: u64) -> String {
    ByteSize(bytes).to_string()
}

/// An approximate duration, for people.
pub fn time(seconds: u64) -> String {
    match seconds {
        0 | 1 => "a second".to_string(),
        seconds @ ..120 => format!("{seconds} seconds"),
        seconds @ ..7200 => format!("{} minutes", seconds / 60),
        seconds @ ..172_800 => format!("{} hours", seconds / 3600),
        seconds => format!("{} days", seconds / 86_400),
    }
}
