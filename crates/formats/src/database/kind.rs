//! What a kind of database is: for which games it is built, and what is said of that, as plain data that one piece of code prints.

use std::path::Path;

use bytesize::ByteSize;
use richman_core::{Effort, Error, Total, Walk};
use serde::Serialize;
use serde_json::Value;

/// Which database to build, and within what.
#[derive(Clone, Copy)]
pub struct BuildOrder<'a> {
    /// The game at its start.
    pub start: &'a dyn Walk,
    /// The totals of chips; `None` for real money.
    pub totals: Option<&'a [Total]>,
    /// Where the files go.
    pub folder: &'a Path,
    /// The most bytes of files that may be there.
    pub disk: u64,
    /// Memory, progress, cancelling.
    pub effort: Effort<'a>,
}

/// What is said of a database or of a part of it, such as a layer or a class.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportRow {
    /// For programs.
    pub json: Value,
    /// For people, with the ends of lines.
    pub words: String,
}

impl ReportRow {
    /// The same in JSON and in words.
    pub fn new(report: &impl Serialize, words: String) -> ReportRow {
        ReportRow { json: serde_json::to_value(report).unwrap_or_default(), words } // reports have no keys but text
    }
}

/// The name of a column of a table, and the JSON pointer of its value in a row.
pub type Column = (&'static str, &'static str);

/// One kind of database, for the games of one family.
pub trait DatabaseKind: Sync {
    /// Whether databases of this kind are of games like this one.
    fn serves(&self, walk: &dyn Walk) -> bool;

    /// Those games in words, for those who asked for another.
    fn games(&self) -> &'static str;

    /// What a database would cost, before anything is computed.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for games and totals of which there is none.
    fn plan(&self, order: &BuildOrder) -> Result<ReportRow, Error>;

    /// Builds a database, or resumes a build that was stopped. `each` hears of every part that is complete. Returns what is
    /// to be said at the end, if anything.
    ///
    /// # Errors
    /// Those of the plan; [`Error::Storage`] for what cannot be written or read, and for a folder with something else;
    /// [`Error::TooMuchDisk`], [`Error::TooMuchMemory`]; [`Error::Cancelled`]: complete parts stay.
    fn build(&self, order: &BuildOrder, each: &mut dyn FnMut(ReportRow)) -> Result<String, Error>;

    /// The names of the files that the database in a folder must have; its game is at its start.
    ///
    /// # Errors
    /// [`Error::Storage`] for a folder that cannot be read.
    fn files(&self, folder: &Path, start: &dyn Walk) -> Result<Vec<String>, Error>;

    /// The game whose build makes a file, in a database of `game`.
    fn game_of_file(&self, game: &str, file: &str) -> String {
        let _ = file;
        game.to_string()
    }

    /// Tells what is remarkable about the parts of a database; returns the columns of the table of that. `None` for a kind of
    /// which nothing is told.
    ///
    /// # Errors
    /// [`Error::Storage`] for files that are missing or damaged, [`Error::Cancelled`].
    fn survey(
        &self,
        folder: &Path,
        effort: &Effort,
        each: &mut dyn FnMut(ReportRow),
    ) -> Result<Option<&[Column]>, Error> {
        let _ = (folder, effort, each);
        Ok(None)
    }
}

/// Bytes for people.
pub fn size(bytes: u64) -> String {
    ByteSize(bytes).to_string()
}

/// About how long something takes, for people.
pub fn time(seconds: u64) -> String {
    match seconds {
        0 | 1 => "a second".to_string(),
        seconds @ ..120 => format!("{seconds} seconds"),
        seconds @ ..7200 => format!("{} minutes", seconds / 60),
        seconds @ ..172_800 => format!("{} hours", seconds / 3600),
        seconds => format!("{} days", seconds / 86_400),
    }
}
