//! What a database is of.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::{FormatError, Place, read_bounded};

const FILE: &str = "database.json";
const FORMAT: &str = "richman database";
const VERSION: u64 = 1;
const MAX_BYTES: u64 = 1 << 16;

/// With what is played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum DatabaseStake {
    /// Real money.
    Money,
    /// Chips, for each of these totals.
    Chips(Vec<u32>),
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
}

impl Database {
    /// A database of a game.
    pub fn new(game: String, stake: DatabaseStake) -> Database {
        Database { format: FORMAT.to_string(), version: VERSION, game, stake }
    }

    /// The file of the layer with so many stones.
    pub fn layer(folder: &Path, stones: u32) -> PathBuf {
        folder.join(format!("layer-{stones:02}.rml"))
    }

    /// Reads what a folder is a database of; `None` where it is none.
    ///
    /// # Errors
    /// A [`FormatError`] for a `database.json` that cannot be read or is not of this version.
    pub fn read(folder: &Path) -> Result<Option<Database>, FormatError> {
        let path = folder.join(FILE);
        if !path.exists() {
            return Ok(None);
        }
        let place = || Box::new(Place { file: path.display().to_string(), line: None, position: None });
        let bytes = read_bounded(&path, MAX_BYTES)?;
        let found: Database = serde_json::from_slice(&bytes)
            .map_err(|error| FormatError::NotJson { place: place(), reason: error.to_string() })?;
        if found.format != FORMAT || found.version != VERSION {
            let reason = format!("this is not a database of version {VERSION}");
            return Err(FormatError::BadValue { place: place(), reason });
        }
        Ok(Some(found))
    }

    /// Makes the folder, if there is none, and writes into it what it is a database of.
    ///
    /// # Errors
    /// [`FormatError::Unreadable`] with what the system says.
    pub fn write(&self, folder: &Path) -> Result<(), FormatError> {
        let path = folder.join(FILE);
        let failed = |error| FormatError::Unreadable { file: path.display().to_string(), error };
        let text = serde_json::to_string_pretty(self).map_err(|error| failed(error.into()))?;
        fs::create_dir_all(folder).map_err(failed)?;
        let unfinished = path.with_extension("unfinished");
        let mut file = File::create(&unfinished).map_err(failed)?;
        file.write_all(format!("{text}\n").as_bytes()).map_err(failed)?;
        file.sync_all().map_err(failed)?;
        fs::rename(&unfinished, &path).map_err(failed)
    }
}
