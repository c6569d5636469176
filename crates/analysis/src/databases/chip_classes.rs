//! Proofs of the chip thresholds of chess classes in a database.

use std::path::Path;

use richman_check::verify::{self, Flaw};
use richman_chess::board::{ChessClass, ChessIndex};
use richman_chess::engine::database::chips::{ChipEndgames, bytes_of_a_position, part};
use richman_chess::engine::database::files::{no_class, path};
use richman_chess::engine::database::index;
use richman_chess::engine::endgames::needed;
use richman_core::{Arena, Effort, RecipeStake, Share, Total};

use super::ProvedPart;
use super::classes::{prepare, wrong};
use crate::{Error, ShareJson};

/// Proves every total of every class in the folder from the files alone, and lists the classes;
/// returns a description of the first wrong number.
///
/// # Errors
/// [`richman_core::Error::Storage`] for missing or damaged files;
/// [`richman_core::Error::Cancelled`].
pub(super) fn prove(
    folder: &Path,
    database: &ChipEndgames,
    effort: &Effort,
    proved: &mut Vec<ProvedPart>,
) -> Result<Option<String>, Error> {
    let (found, totals) = (database.classes()?, database.totals());
    if found.is_empty() {
        return Err(no_class(folder, RecipeStake::Chips(None)).into());
    }
    // Each class is proved with those it can become, as it was built, so that the proof takes no
    // more memory.
    let is_largest =
        |class: &&ChessClass| !found.iter().any(|larger| larger != *class && needed(larger).contains(class));
    let groups: Vec<&ChessClass> = found.iter().filter(is_largest).collect();
    let rounds = groups.len() as u64 * totals.len() as u64;
    for (done, class) in (0..).zip(&groups) {
        let indices: Vec<ChessIndex> = needed(class).iter().map(index).collect::<Result<_, _>>()?;
        let arena = prepare(&indices, bytes_of_a_position(totals), effort)?;
        let effort = &Effort { held: effort.held + arena.bytes(), ..*effort };
        for (at, &total) in (0..).zip(totals) {
            effort.watch.progress("totals", done * totals.len() as u64 + at, Some(rounds));
            let wrong = prove_total(folder, database, &arena, &indices, total, effort)?;
            if wrong.is_some() {
                return Ok(wrong);
            }
        }
    }
    let exact =
        |class: &ChessClass| ProvedPart { class: class.to_string(), exact: true, width: ShareJson(Share::ZERO) };
    proved.extend(found.iter().map(exact));
    Ok(None)
}

fn prove_total(
    folder: &Path,
    database: &ChipEndgames,
    arena: &Arena,
    indices: &[ChessIndex],
    total: Total,
    effort: &Effort,
) -> Result<Option<String>, Error> {
    let proof = match database.told(indices, total)? {
        Ok(solution) => verify::chips(arena, &solution, effort.watch),
        Err(node) => Err(Flaw::At { node, what: "more chips are said to be worse".to_string() }),
    };
    wrong(indices, proof, |class| path(folder, class, &part(total)))
}
