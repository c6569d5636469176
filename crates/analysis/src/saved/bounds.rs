//! Proves a file of bounds, which `solve --bounds` writes.

use std::path::Path;

use richman_core::{Effort, Mechanism};
use richman_files::read_bounded;
use richman_formats::saved::Claim;
use richman_formats::{BoundsHead, MOST_BOUNDS_BYTES};
use richman_games::Games;

use super::{ProvedClaim, VerifyReport};
use crate::kinds::win::claims::MoneyClaim;
use crate::sources::engines;
use crate::{Error, Subject};

/// Proves the bounds in a file anew from the rules of its game; `None` if it is no file of bounds.
///
/// # Errors
/// [`Error::MissingGame`] for a game that is not among `games`; [`richman_core::Error::Storage`] if
/// the file is unusable; [`richman_core::Error::TooMuchMemory`];
/// [`richman_core::Error::Cancelled`].
pub fn verify_bounds(games: &Games, file: &Path, effort: &Effort) -> Result<Option<VerifyReport>, Error> {
    if !file.is_file() {
        return Ok(None);
    }
    let Ok(bytes) = read_bounded(file, MOST_BOUNDS_BYTES) else { return Ok(None) };
    let Some(head) = BoundsHead::read(&bytes) else { return Ok(None) };
    let subject = Subject::recorded(games, &head.game)?;
    let walk = subject.walk(Some(&head.position))?;
    for way in engines(walk.as_ref()).flat_map(|engine| engine.ways().iter()).filter(|way| way.resumes()) {
        let Some(proof) = way.prove_bounds(walk.as_ref(), file, effort)? else { continue };
        let proved = ProvedClaim {
            exact: proof.exact_positions == proof.positions,
            exact_positions: proof.exact_positions,
            ..ProvedClaim::nothing(MoneyClaim::KEY, &Mechanism::default())
        };
        return Ok(Some(VerifyReport {
            valid: proof.wrong.is_none(),
            game: head.game,
            position: head.position,
            positions: proof.positions,
            proved: Some(proved).filter(|_| proof.wrong.is_none()),
            wrong: proof.wrong,
        }));
    }
    let what = format!("{}: no bounds are kept of {}", file.display(), head.game);
    Err(richman_core::Error::Storage { what }.into())
}
