//! Proofs of databases of layers, from the last layer to the first, so that they take no more
//! memory than building them.

use std::path::Path;

use richman_check::layers::{LayerFault, check_layer};
use richman_core::{Effort, StoredLayer, Total, Walk};
use richman_files::LayerFile;
use richman_formats::Database;
use richman_lines::engine::BoardStake;
use richman_lines::engine::database::{Answers, LayerDatabases};

use super::{DatabaseEntry, ProvedPart};
use crate::Error;

/// Databases of layers.
pub(super) const ENTRY: DatabaseEntry = DatabaseEntry { kind: &LayerDatabases, prove };

/// Checks every number of every layer by the rules of the game and the layer after it.
fn prove(folder: &Path, start: &dyn Walk, effort: &Effort, _: &mut Vec<ProvedPart>) -> Result<Option<String>, Error> {
    let database = Answers::open(folder, start)?;
    let totals: Option<Vec<Total>> = match database.stake() {
        BoardStake::Money | BoardStake::Rounded => None,
        BoardStake::Chips(totals) => Some(totals.clone()),
    };
    let mut after: Option<&LayerFile> = None;
    for stones in (0..database.layers()).rev() {
        let file = database.file(stones)?;
        let after_layer = after.map(|file| file as &dyn StoredLayer);
        let fault = check_layer(database.board(), totals.as_deref(), stones, file, after_layer, effort.watch)?;
        if let Some(LayerFault { shape, number, lane, claimed, should_be }) = fault {
            return Ok(Some(format!(
                "{}: with stones on the cells {shape:#x}, position {number}, value {lane}: {claimed}, and it should be \
                 {should_be}",
                Database::layer(folder, stones).display()
            )));
        }
        after = Some(file);
    }
    Ok(None)
}
