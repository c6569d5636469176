//! What a database is of, and the files that belong to it.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};

use richman_core::{Error, Total, Watch};
use richman_files::{FileSum, cannot, read_bounded, sum_of, write_file};
use serde::{Deserialize, Serialize};

use crate::{FormatError, Place};

/// The manifest of a database.
pub(super) const MANIFEST: &str = "database.json";
/// What a build locks as long as it is at work.
pub(super) const LOCK: &str = "database.lock";
const FORMAT: &str = "richman database";
/// Databases of the first version do not list their files.
const FIRST: u64 = 1;
const VERSION: u64 = 2;
const MAX_BYTES: u64 = 1 << 22;

/// With what is played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum DatabaseStake {
    /// Real money.
    Money,
    /// Chips, for each of these totals.
    Chips(Vec<u32>),
}

impl fmt::Display for DatabaseStake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DatabaseStake::Money => f.write_str("real money"),
            DatabaseStake::Chips(totals) => match totals[..] {
                [1] => f.write_str("1 chip"),
                [one] => write!(f, "{one} chips"),
                [first, .., last] if totals.is_sorted() && last - first + 1 == totals.len() as u32 => {
                    write!(f, "{first} to {last} chips")
                }
                _ => write!(f, "{} totals of chips", totals.len()),
            },
        }
    }
}

/// What a database is of: the game's name, and the stake. It holds what Alice needs to force a win.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Database {
    format: String,
    version: u64,
    /// The name of the game with its parameters.
    pub game: String,
    /// With what is played.
    pub stake: DatabaseStake,
    /// The names of its files, with their sums where they are complete; `None` for databases of the first version, which do not list them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<BTreeMap<String, Option<FileSum>>>,
}

/// What was found in the folder of a database, its manifest apart.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FolderCheck {
    /// The first file that is missing, or is not as it was written.
    pub wrong: Option<String>,
    /// Whatever else is there and is not part of the database.
    pub others: Vec<String>,
    /// Whether the database lists its files, so that sizes and checksums were compared.
    pub listed: bool,
}

impl Database {
    /// A database of a game, of which no file is there yet.
    pub fn new(game: String, stake: DatabaseStake) -> Database {
        Database { format: FORMAT.to_string(), version: VERSION, game, stake, files: Some(BTreeMap::new()) }
    }

    /// Whether both are of the same game and stake.
    pub fn is_like(&self, other: &Database) -> bool {
        (&self.game, &self.stake) == (&other.game, &other.stake)
    }

    /// Whether a file of this name is part of the database; of the first version any may be.
    pub fn lists(&self, name: &str) -> bool {
        self.files.as_ref().is_none_or(|files| files.contains_key(name))
    }

    /// The name of the file of the layer with so many stones.
    pub fn layer_name(stones: u32) -> String {
        format!("layer-{stones:02}.rml")
    }

    /// The file of the layer with so many stones.
    pub fn layer(folder: &Path, stones: u32) -> PathBuf {
        folder.join(Database::layer_name(stones))
    }

    /// Reads what a folder is a database of; `None` where it is none.
    ///
    /// # Errors
    /// A [`FormatError`] for a `database.json` that cannot be read or is of a version that is not known.
    pub fn read(folder: &Path) -> Result<Option<Database>, FormatError> {
        let path = folder.join(MANIFEST);
        if !path.exists() {
            return Ok(None);
        }
        let place = || Box::new(Place { file: path.display().to_string(), line: None, position: None });
        let failed = |error| FormatError::Unreadable { file: path.display().to_string(), error };
        let bytes = read_bounded(&path, MAX_BYTES).map_err(failed)?;
        let found: Database = serde_json::from_slice(&bytes)
            .map_err(|error| FormatError::NotJson { place: place(), reason: error.to_string() })?;
        let refused = |reason: String| Err(FormatError::BadValue { place: place(), reason });
        match (found.version, &found.files) {
            (FIRST, None) | (VERSION, Some(_)) if found.format == FORMAT => {}
            _ => return refused(format!("this is not a database of version {FIRST} or {VERSION}")),
        }
        match found.files.iter().flatten().find(|(name, _)| !is_plain(name)) {
            Some((name, _)) => refused(format!("{name:?} is no name of a file in this folder")),
            None => Ok(Some(found)),
        }
    }

    /// Reads what a folder is a database of.
    ///
    /// # Errors
    /// [`Error::Storage`] for a folder that is none, and for a manifest that [`Database::read`] refuses.
    pub fn open(folder: &Path) -> Result<Database, Error> {
        let none = || format!("{} is no database: make one with `richman build GAME --out FOLDER`", folder.display());
        Database::read(folder).map_err(storage)?.ok_or_else(|| storage(none()))
    }

    /// That the database in a folder does not have what is asked for: with so many chips, or real money.
    pub fn has_not(&self, folder: &Path, asked: Option<Total>) -> Error {
        let asked = asked.map_or(DatabaseStake::Money, |total| DatabaseStake::Chips(vec![total.chips()]));
        storage(format!("{} is of {}, not of {asked}", folder.display(), self.stake))
    }

    pub(super) fn write(&self, folder: &Path) -> Result<(), FormatError> {
        let path = folder.join(MANIFEST);
        let failed = |error| FormatError::Unreadable { file: path.display().to_string(), error };
        let text = serde_json::to_string_pretty(self).map_err(|error| failed(error.into()))?;
        write_file(&path, |out| writeln!(out, "{text}")).map_err(failed)
    }

    /// Lists files from now on, which databases of the first version do not.
    pub(super) fn list(&mut self) -> &mut BTreeMap<String, Option<FileSum>> {
        self.version = VERSION;
        self.files.get_or_insert_default()
    }

    /// Compares the folder with the files that are listed, or for databases of the first version with those that are
    /// `expected`: whether each is there, as long as it was and with the same checksum. What is expected must be listed.
    /// `command` says for a file what makes it.
    ///
    /// # Errors
    /// [`Error::Storage`] for what cannot be read, [`Error::Cancelled`].
    pub fn check(
        &self,
        folder: &Path,
        expected: &[String],
        command: &dyn Fn(&str) -> String,
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
        let mut found = FolderCheck { wrong: None, others: Vec::new(), listed: self.files.is_some() };
        let failed = |error: std::io::Error| cannot("read", folder, &error);
        for entry in std::fs::read_dir(folder).map_err(failed)? {
            let name = entry.map_err(failed)?.file_name().to_string_lossy().into_owned();
            if name != MANIFEST && name != LOCK && !files.contains_key(&name) {
                found.others.push(name);
            }
        }
        found.others.sort();
        if let Some(name) = expected.iter().find(|name| !files.contains_key(*name)) {
            let (manifest, command) = (folder.join(MANIFEST), command(name));
            found.wrong = Some(format!(
                "{} does not list {name}, which belongs to the database: `{command}` lists it",
                manifest.display()
            ));
            return Ok(found);
        }
        let total = files.values().flatten().map(|sum| sum.bytes).sum();
        let mut done = 0;
        for (name, sum) in files {
            let (path, command) = (folder.join(name), command(name));
            let wrong = |what: fmt::Arguments| Some(format!("{} {what}", path.display()));
            found.wrong = match (path.exists(), sum) {
                (false, None) if self.files.is_some() => {
                    wrong(format_args!("is missing: the build did not finish; `{command}` goes on"))
                }
                (false, _) => wrong(format_args!("is missing: `{command}` makes it")),
                (true, None) if self.files.is_some() => {
                    wrong(format_args!("is not listed as complete: `{command}` goes on from there"))
                }
                (true, None) => None,
                (true, Some(sum)) => {
                    let is_same = sum_of(&path, Some(sum.bytes), &mut |bytes| {
                        watch.progress("bytes", done + bytes, Some(total));
                        if watch.cancelled() { Err(Error::Cancelled) } else { Ok(()) }
                    })?;
                    done += sum.bytes;
                    match is_same == *sum {
                        true => None,
                        false => wrong(format_args!(
                            "is not as it was written (its size or its checksum differs): delete it, and `{command}` makes it again"
                        )),
                    }
                }
            };
            if found.wrong.is_some() {
                break;
            }
        }
        Ok(found)
    }
}

/// Why a database cannot be used.
pub(super) fn storage(what: impl ToString) -> Error {
    Error::Storage { what: what.to_string() }
}

/// Whether a name leads to a file in the folder itself.
fn is_plain(name: &str) -> bool {
    let is_usual = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
    name.ends_with(".rml") && name.len() < 100 && name.chars().all(is_usual)
}
