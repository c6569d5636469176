//! Bounds on the needs at positions of boards too large to solve.
//!
//! Layers of the remaining game start from one where lines bound Alice's need from above
//! ([`Layers::bounds`]). With the players exchanged, they bound Bob's need from above, and so
//! Alice's from below.

use richman_core::{Effort, Error, Walk};
use richman_engine::{Evaluation, Origin, Value};

use super::needs::{MoveNeeds, NeedPair, evaluation};
use super::{FirstLayers, Layers};

/// Bounds on the needs at an unfinished position and after every move, in units of
/// 2^-[`super::ROUNDED_BITS`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NeedBounds {
    /// At the position.
    pub here: NeedPair,
    /// After every move.
    pub after: Vec<MoveNeeds>,
    /// The number of stones at which lines gave the bounds. If they fill the board, the bounds are
    /// the two thresholds, up to rounding of half a unit per stone.
    pub depth: u32,
}

impl NeedBounds {
    /// The bounds as an [`Evaluation`].
    pub(super) fn evaluation(&self, origin: Origin) -> Evaluation {
        let value = |pair: NeedPair| Value::Money { win: pair.shares(), draw: pair.shares() };
        evaluation(value(self.here), &self.after, value, origin)
    }
}

/// Bounds from layers of the remaining game with at most `positions` positions for each player;
/// `None` if the game is over.
///
/// # Errors
/// [`Error::TooMuchMemory`] if two adjacent layers do not fit; [`Error::Cancelled`]; fails if a
/// move cannot be played.
pub fn bounds(walk: &dyn Walk, positions: u64, effort: &Effort) -> Result<Option<NeedBounds>, Error> {
    let layers = |board| Layers::bounds(board, positions, *effort);
    let Some(first) = FirstLayers::run(walk, |_| Ok(1), layers)? else { return Ok(None) };
    let depth = first.alice.shapes().len() as u32 - 1;
    let needs = first.needs(walk)?.and_then(|needs| needs.into_iter().next());
    Ok(needs.map(|needs| NeedBounds { here: needs.here, after: needs.after, depth }))
}
