//! The manifest of a database: its game, stake and files.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::slice;

use richman_core::{BuildStep, DatabaseRecipe, Error, RecipeStake, Remedy, Total, Watch};
use richman_files::{FileSum, ObjectStore, cannot, sum_of};
use serde::{Deserialize, Serialize};

use crate::{FileLocation, FormatError};

pub(super) const MANIFEST: &str = "database.json";
pub(super) const LOCK: &str = "database.lock";
const FORMAT: &str = "richman database";
/// The first version, which lists no files.
const FIRST: u64 = 1;
const VERSION: u64 = 2;
const MAX_BYTES: u64 = 1 << 26;
/// The most totals of a database of a board.
pub const MOST_TOTALS: u32 = 1024;
/// The ending of the names of unit files.
pub const UNIT: &str = ".rmu";

/// The stake of the game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum DatabaseStake {
    /// Real money.
    Money,
    /// Chips, for each of these totals.
    Chips(#[serde(with = "numbers")] Vec<Total>),
    /// Bounds on needs in real money, from lines after this many stones.
    Bounds(u32),
}

impl DatabaseStake {
    /// Chips with these totals, or real money if there are none.
    pub fn of(totals: Option<&[Total]>) -> DatabaseStake {
        totals.map_or(DatabaseStake::Money, |totals| DatabaseStake::Chips(totals.to_vec()))
    }
}

/// Totals as numbers of chips.
mod numbers {
    use richman_core::Total;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

    pub fn serialize<S: Serializer>(totals: &[Total], to: S) -> Result<S::Ok, S::Error> {
        totals.iter().map(|total| total.chips()).collect::<Vec<_>>().serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Total>, D::Error> {
        let chips = Vec::<u32>::deserialize(from)?;
        chips.into_iter().map(Total::new).collect::<Result<_, _>>().map_err(de::Error::custom)
    }
}

impl fmt::Display for DatabaseStake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DatabaseStake::Money => f.write_str("real money"),
            DatabaseStake::Chips(totals) => match totals[..] {
                [one] if one.chips() == 1 => f.write_str("1 chip"),
                [one] => write!(f, "{one} chips"),
                [first, .., last]
                    if totals.is_sorted() && (last.chips() - first.chips()) as usize == totals.len() - 1 =>
                {
                    write!(f, "{first} to {last} chips")
                }
                _ => write!(f, "{} totals of chips", totals.len()),
            },
            DatabaseStake::Bounds(1) => f.write_str("bounds from lines after 1 stone"),
            DatabaseStake::Bounds(stones) => write!(f, "bounds from lines after {stones} stones"),
        }
    }
}

/// The units of a board to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KeptUnits {
    /// All.
    #[default]
    All,
    /// Units with at most one fixed stone, which answer the first position. Others are deleted
    /// after their last reader.
    TwoLayers,
}

impl KeptUnits {
    fn are_all(&self) -> bool {
        *self == KeptUnits::All
    }
}

/// How a board is cut into units.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DatabaseCut {
    /// The fixed cells of each column, from below.
    pub depth: Vec<u32>,
    /// The target size of joined small units: positions computed and read.
    pub aim: u64,
    /// The units to keep.
    #[serde(default, skip_serializing_if = "KeptUnits::are_all")]
    pub keep: KeptUnits,
}

/// The manifest. The database stores Alice's needs to force a win.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Database {
    format: String,
    version: u64,
    /// The name of the game with its parameters.
    pub game: String,
    /// The stake.
    pub stake: DatabaseStake,
    /// How the board is cut into the units that the files are; `None` for other databases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut: Option<DatabaseCut>,
    /// Its files by name, with sums if complete; `None` for the first version, which lists none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<BTreeMap<String, Option<FileSum>>>,
}

/// The result of checking a database folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FolderCheck {
    /// The first file that is missing or has changed.
    pub wrong: Option<String>,
    /// The remedy that remakes that file.
    pub remedy: Option<Remedy>,
    /// Further files, not part of the database.
    pub others: Vec<String>,
    /// Whether the database lists its files, so that sizes and checksums could be compared.
    pub listed: bool,
}

impl Database {
    /// A database without any complete file.
    pub fn new(game: String, stake: DatabaseStake) -> Database {
        Database { format: FORMAT.to_string(), version: VERSION, game, stake, cut: None, files: Some(BTreeMap::new()) }
    }

    /// The same of a board in units.
    pub fn in_units(self, cut: DatabaseCut) -> Database {
        Database { cut: Some(cut), ..self }
    }

    /// Whether files are kept after use.
    pub fn keeps_all(&self) -> bool {
        self.cut.as_ref().is_none_or(|cut| cut.keep.are_all())
    }

    /// Whether both have the same game, stake and cut.
    pub fn is_like(&self, other: &Database) -> bool {
        (&self.game, &self.stake, &self.cut) == (&other.game, &other.stake, &other.cut)
    }

    /// Describes this database, for the error if another one is wanted.
    pub(super) fn differs(&self, wanted: &Database) -> String {
        let Database { game, stake, .. } = self;
        match (&self.game, &self.stake) == (&wanted.game, &wanted.stake) {
            false => format!("another database, of {game} with {stake}"),
            true if self.keeps_all() != wanted.keeps_all() => {
                let kept = if self.keeps_all() { "all units" } else { "two layers only" };
                format!("a database of {game} that keeps {kept}")
            }
            true if self.cut.is_some() => format!("a database of {game} that is cut into other units"),
            true => format!("a database of {game} that an older version made"),
        }
    }

    /// Whether the database lists a file of this name; always true for the first version.
    pub fn lists(&self, name: &str) -> bool {
        self.files.as_ref().is_none_or(|files| files.contains_key(name))
    }

    /// Reads the manifest of a place; `None` if there is none.
    ///
    /// # Errors
    /// [`Error::Storage`] if `database.json` cannot be read or has an unknown version.
    pub fn read(store: &dyn ObjectStore) -> Result<Option<Database>, Error> {
        let path = store.at(MANIFEST);
        let bytes = match store.read(MANIFEST, MAX_BYTES) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            bytes => bytes.map_err(|error| cannot("read", &path, &error))?,
        };
        let place = || Box::new(FileLocation { file: path.display().to_string(), line: None, position: None });
        let found: Database = serde_json::from_slice(&bytes)
            .map_err(|error| storage(FormatError::NotJson { place: place(), reason: error.to_string() }))?;
        let refused = |reason: String| Err(storage(FormatError::BadValue { place: place(), reason }));
        match (found.version, &found.files) {
            (FIRST, None) | (VERSION, Some(_)) if found.format == FORMAT => {}
            _ => return refused(format!("this is not a database of version {FIRST} or {VERSION}")),
        }
        match found.files.iter().flatten().find(|(name, _)| !is_plain(name)) {
            Some((name, _)) => refused(format!("{name:?} is not the name of a file in this folder")),
            None => Ok(Some(found)),
        }
    }

    /// Reads the manifest of a place that must be a database.
    ///
    /// # Errors
    /// [`Error::Missing`] if there is no manifest; those of [`Database::read`].
    pub fn open(store: &dyn ObjectStore) -> Result<Database, Error> {
        let place = store.place().display();
        let none = || {
            let recipe = DatabaseRecipe { game: None, stake: RecipeStake::Money };
            let remedies = vec![Remedy::Build(BuildStep::Begin, recipe)];
            Error::Missing { what: format!("{place} is not a database"), remedies }
        };
        Database::read(store)?.ok_or_else(none)
    }

    /// The error for a request with another stake: that total of chips, or real money.
    pub fn has_not(&self, place: &Path, asked: Option<Total>) -> Error {
        let asked = DatabaseStake::of(asked.as_ref().map(slice::from_ref));
        storage(format!("{} is of {}, not of {asked}", place.display(), self.stake))
    }

    fn text(&self) -> io::Result<String> {
        Ok(format!("{}\n", serde_json::to_string_pretty(self)?))
    }

    /// Writes the manifest if there is none; returns whether it did.
    pub(super) fn create(&self, store: &dyn ObjectStore) -> Result<bool, Error> {
        match self.text().and_then(|text| store.create(MANIFEST, text.as_bytes())) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
            created => created.map(|()| true).map_err(|error| cannot("write", &store.at(MANIFEST), &error)),
        }
    }

    pub(super) fn write(&self, store: &dyn ObjectStore) -> Result<(), Error> {
        let written = self.text().and_then(|text| store.replace(MANIFEST, text.as_bytes()));
        written.map_err(|error| cannot("write", &store.at(MANIFEST), &error))
    }

    /// The list of files; upgrades databases of the first version, which have none.
    pub(super) fn list(&mut self) -> &mut BTreeMap<String, Option<FileSum>> {
        self.version = VERSION;
        self.files.get_or_insert_default()
    }

    /// Checks each listed file's length and checksum or, in databases of the first version, that
    /// each `expected` file exists. Every expected file must be listed. `recipe` tells how a file
    /// is made.
    ///
    /// # Errors
    /// [`Error::Storage`] if a file or the place cannot be read; [`Error::Cancelled`] if the watch
    /// says stop.
    pub fn check(
        &self,
        store: &dyn ObjectStore,
        expected: &[String],
        recipe: &dyn Fn(&str) -> DatabaseRecipe,
        watch: &dyn Watch,
    ) -> Result<FolderCheck, Error> {
        let unlisted: BTreeMap<String, Option<FileSum>>;
        let files = match &self.files {
            Some(files) => files,
            None => {
                unlisted = expected.iter().map(|name| (name.clone(), None)).collect();
                &unlisted
            }
        };
        let there = store.list().map_err(|error| cannot("read", store.place(), &error))?;
        let known: BTreeSet<&String> = expected.iter().collect();
        let belongs = |name: &String| files.contains_key(name) && known.contains(name);
        let is_other = |name: &&String| !(*name == MANIFEST || *name == LOCK || belongs(name));
        let others = there.keys().filter(is_other).cloned().collect();
        let mut found = FolderCheck { wrong: None, remedy: None, others, listed: self.files.is_some() };
        if let Some(name) = expected.iter().find(|name| !files.contains_key(*name)) {
            let manifest = store.at(MANIFEST);
            found.wrong = Some(format!("{} does not list {name}, which belongs to the database", manifest.display()));
            found.remedy = Some(Remedy::Build(BuildStep::Resume, recipe(name)));
            return Ok(found);
        }
        let total = files.values().flatten().fold(0, |total: u64, sum| total.saturating_add(sum.bytes));
        let mut done = 0;
        for (name, sum) in files {
            let wrong = match (there.contains_key(name), sum) {
                (false, None) if self.files.is_some() => {
                    Some(("is missing, because the build did not finish", BuildStep::Resume))
                }
                (false, _) => Some(("is missing", BuildStep::Complete)),
                (true, None) if self.files.is_some() => Some(("is not listed as complete", BuildStep::Resume)),
                (true, None) => None,
                (true, Some(sum)) => {
                    let is_same = sum_of(store, name, Some(sum.bytes), &mut |bytes| {
                        watch.progress("bytes", done + bytes, Some(total));
                        if watch.cancelled() { Err(Error::Cancelled) } else { Ok(()) }
                    })?;
                    done += is_same.bytes;
                    let what = "is not as it was written (its size or its checksum differs)";
                    (is_same != *sum).then_some((what, BuildStep::Replace))
                }
            };
            if let Some((what, step)) = wrong {
                found.wrong = Some(format!("{} {what}", store.at(name).display()));
                found.remedy = Some(Remedy::Build(step, recipe(name)));
                break;
            }
        }
        Ok(found)
    }
}

pub(super) fn storage(what: impl ToString) -> Error {
    Error::Storage { what: what.to_string() }
}

/// Whether the name denotes a file directly in the folder.
fn is_plain(name: &str) -> bool {
    let is_usual = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
    let is_ours = name.ends_with(".rml") || name.ends_with(UNIT);
    is_ours && name.len() < 200 && name.chars().all(is_usual)
}
