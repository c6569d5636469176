//! Positions of boards that are too large to solve: between which bounds what is needed lies.
//!
//! The layers of what is left are computed from one that ends nothing, where lines tell what Alice needs at most ([`Layers::bounds`]). The same with the
//! players exchanged bounds what Bob needs, which is what Alice needs at the least.

use richman_core::{Effort, Error, Walk};
use richman_engine::{Origin, Sight, Value};

use super::needs::{MoveNeeds, Pair, sight};
use super::{FirstLayers, Layers};

/// Between what lies what is needed at a position that is not over, and after every move, in parts of 2^[`super::ROUNDED_BITS`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bounds {
    /// At the position.
    pub here: Pair,
    /// After every move.
    pub after: Vec<MoveNeeds>,
    /// The stones after which lines told the rest. Where that is the end of the board, the bounds are the two thresholds but for
    /// rounding, half a part for every stone.
    pub depth: u32,
}

impl Bounds {
    /// The same with the moves by name.
    pub(super) fn sight(&self, origin: Origin) -> Sight {
        let value = |pair: Pair| Value::Money { win: pair.shares(), draw: pair.shares() };
        sight(value(self.here), &self.after, value, origin)
    }
}

/// Bounds from the layers of what is left of a board, at most so many positions of them for each player; `None` where the game is over.
///
/// # Errors
/// Those of [`Layers::bounds`] and [`Layers::step`].
pub fn bounds(walk: &dyn Walk, positions: u64, effort: &Effort) -> Result<Option<Bounds>, Error> {
    let layers = |board| Layers::bounds(board, positions, *effort);
    let Some(first) = FirstLayers::run(walk, |_| Ok(1), layers)? else { return Ok(None) };
    let depth = first.alice.shapes().len() as u32 - 1;
    let needs = first.needs(walk)?.and_then(|needs| needs.into_iter().next());
    Ok(needs.map(|needs| Bounds { here: needs.here, after: needs.after, depth }))
}
