//! Classes of pieces with chips in a database: reports on their positions, and proofs.

use richman_check::verify::{self, Flaw};
use richman_chess::board::{ChessClass, ChessIndex};
use richman_chess::engine::database::chips::{ChipEndgames, bytes_of_a_position, part};
use richman_chess::engine::database::files::{no_class, path};
use richman_chess::engine::database::index;
use richman_chess::engine::endgames::needed;
use richman_core::{Arena, Effort, Mechanism, Share, Total, Walk};

use super::Proved;
use super::classes::{prepare, wrong};
use crate::chips::{ChipsReport, Hands, Solved, solved_report};
use crate::{Error, Request, ShareJson};

/// Reports on a position with a total, and for given holdings; `None` where the game is over.
///
/// # Errors
/// Those of [`ChipEndgames::around`]; [`richman_core::Error::Unsupported`] for a line of play.
pub fn report_chips(
    database: &ChipEndgames,
    walk: &dyn Walk,
    total: Total,
    hands: Option<Hands>,
) -> Result<Option<ChipsReport>, Error> {
    let Some((around, solution)) = database.around(walk, total)? else { return Ok(None) };
    let mechanism = Mechanism::default();
    let request = Request { unfolding: &around, mechanism: &mechanism, effort: Effort::default() };
    let report = solved_report(&request, &Solved::Total(solution), total, hands)?;
    Ok(Some(ChipsReport {
        positions: around.class_positions as usize,
        stop: format!("from the database in {}", database.folder().display()),
        ..report
    }))
}

/// Proves every total of every class that is there, from the files alone, and tells each class; the first that is
/// wrong, in words.
///
/// # Errors
/// [`richman_core::Error::Storage`] for files that are missing or damaged, [`richman_core::Error::Cancelled`].
pub fn verify_chip_classes(
    database: &ChipEndgames,
    effort: &Effort,
    each: &mut dyn FnMut(&Proved),
) -> Result<Option<String>, Error> {
    let (found, totals) = (database.classes()?, database.totals());
    if found.is_empty() {
        return Err(no_class(database.folder(), " --chips TOTALS").into());
    }
    // Each together with what it becomes, as they were built, so that it takes no more memory.
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
            let wrong = prove(database, &arena, &indices, total, effort)?;
            if wrong.is_some() {
                return Ok(wrong);
            }
        }
    }
    for class in &found {
        each(&Proved { class: class.to_string(), exact: true, width: ShareJson(Share::ZERO) });
    }
    Ok(None)
}

fn prove(
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
    wrong(indices, proof, |class| path(database.folder(), class, &part(total)))
}
