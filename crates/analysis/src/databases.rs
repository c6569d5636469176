//! Databases that `richman build` made: opened, compared with their manifest, and proved by the rules of the game.

mod chip_classes;
mod classes;

use std::path::Path;

use richman_check::layers::{LayerFault, check_layer};
use richman_chess::engine::database::GAME;
use richman_chess::engine::database::files::expected;
use richman_core::{Effort, StoredLayer, Total, Watch};
use richman_files::LayerFile;
use richman_formats::{Database, DatabaseStake, FolderCheck};
use richman_lines::engine::Stake;
use richman_lines::engine::database::Answers;

use crate::{Error, Subject};

pub use chip_classes::{report_chips, verify_chip_classes};
pub use classes::{Proved, verify_classes};

/// Opens a database of layers.
///
/// # Errors
/// [`richman_core::Error::Storage`] for a folder that is none, [`richman_core::Error::Unsupported`] for a database of
/// another kind.
pub fn layers(folder: &Path) -> Result<Answers, Error> {
    let about = Database::open(folder)?;
    let start = Subject::named(&about.game)?.walk(None)?;
    Ok(Answers::open(folder, about, start.as_ref())?)
}

/// Compares the folder of a database with its manifest: whether every file is there and as it was written, and what
/// else is there. Proves no number.
///
/// # Errors
/// [`richman_core::Error::Storage`] for a folder that is no database or cannot be read, [`richman_core::Error::Cancelled`].
pub fn check_folder(folder: &Path, watch: &dyn Watch) -> Result<FolderCheck, Error> {
    let about = Database::open(folder)?;
    let is_chess = about.game == GAME;
    let expected: Vec<String> = match is_chess {
        true => expected(folder, &about)?.into_iter().collect(),
        false => (0..layers(folder)?.layers()).map(Database::layer_name).collect(),
    };
    let command = |name: &str| {
        let class = name.split(['-', '.']).next().unwrap_or_default();
        let game = if is_chess { format!("chess:pieces={class}") } else { about.game.clone() };
        let chips = if about.stake == DatabaseStake::Money { "" } else { " --chips TOTALS" };
        format!("richman build {game} --out FOLDER{chips}")
    };
    Ok(about.check(folder, &expected, &command, watch)?)
}

/// Checks every number of every layer against the rules of the game and the layer after it, from the files alone, and
/// tells each layer; the first number that is wrong, in words.
///
/// # Errors
/// [`richman_core::Error::Storage`] for layers that are missing or damaged, [`richman_core::Error::Cancelled`].
pub fn verify_layers(database: &Answers, effort: &Effort, each: &mut dyn FnMut(u32)) -> Result<Option<String>, Error> {
    let totals: Option<Vec<Total>> = match database.stake() {
        Stake::Money | Stake::Rounded => None,
        Stake::Chips(totals) => Some(totals.clone()),
    };
    let mut after: Option<&LayerFile> = None;
    for stones in (0..database.layers()).rev() {
        let file = database.file(stones)?;
        let after_layer = after.map(|file| file as &dyn StoredLayer);
        let fault = check_layer(database.board(), totals.as_deref(), stones, file, after_layer, effort.watch)?;
        if let Some(LayerFault { shape, number, lane, claimed, should_be }) = fault {
            return Ok(Some(format!(
                "{}: with stones on the cells {shape:#x}, position {number}, value {lane}: {claimed}, and it should be {should_be}",
                Database::layer(database.folder(), stones).display()
            )));
        }
        each(stones);
        after = Some(file);
    }
    Ok(None)
}
