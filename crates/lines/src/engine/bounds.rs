//! Positions of boards that are too large to solve: between which bounds what is needed lies.
//!
//! The layers of what is left are computed from one that ends nothing, where lines tell what Alice needs at most ([`Layers::bounds`]). The same with the
//! players exchanged bounds what Bob needs, which is what Alice needs at the least.

use richman_core::{Effort, Error, Player, Share, ShareBounds, Walk};
use richman_engine::{After, Origin, Sight, Value};

use super::needs::{FirstValues, first_moves, moves_left};
use super::{Layers, ROUNDED_BITS};
use crate::board::LineBoard;

/// Both thresholds of a position lie here, ends included, in parts of 2^[`ROUNDED_BITS`] of all the money.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interval {
    /// Alice needs no less, even for a draw.
    pub low: u64,
    /// She needs no more, even for a win.
    pub high: u64,
}

impl Interval {
    /// As shares of all the money.
    pub fn shares(self) -> ShareBounds {
        let [low, high] = [self.low, self.high].map(|parts| Share::dyadic(parts, ROUNDED_BITS));
        ShareBounds { low, high }
    }
}

/// What is needed after a move on one cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AfterBounds {
    /// The name of the move, the same for both players.
    pub name: String,
    /// After Alice's move.
    pub alice: Interval,
    /// After Bob's.
    pub bob: Interval,
}

/// What is needed at a position that is not over, and after every move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bounds {
    /// At the position.
    pub here: Interval,
    /// After every move.
    pub after: Vec<AfterBounds>,
    /// The stones after which lines told the rest.
    pub depth: u32,
    /// Whether that is the end of the board: the ends of the intervals are then the two thresholds but for rounding, half a part for every stone.
    pub exact: bool,
}

impl Bounds {
    /// The same with the moves by name.
    pub(super) fn sight(&self, origin: Origin) -> Sight {
        let value = |interval: Interval| Value::Money { win: interval.shares(), draw: interval.shares() };
        let after = |player: Player| {
            let of = |after: &AfterBounds| if player == Player::Alice { after.alice } else { after.bob };
            self.after.iter().map(|after| After::new(after.name.clone(), value(of(after)))).collect()
        };
        Sight { here: value(self.here), after: Player::BOTH.map(after), origin }
    }
}

/// Bounds from the layers of what is left of a board, at most so many positions of them for each player; `None` where the game is over.
///
/// # Errors
/// Those of [`Layers::bounds`] and [`Layers::step`].
pub fn bounds(
    walk: &dyn Walk,
    board: &LineBoard,
    stones: [u64; 2],
    positions: u64,
    effort: &Effort,
) -> Result<Option<Bounds>, Error> {
    const ALL: u64 = 1 << ROUNDED_BITS;
    let Some(rest) = board.after(stones) else { return Ok(None) };
    let cells = moves_left(walk, board, stones)?;
    let (fair, exchanged, size) = (rest.is_fair(), rest.exchanged(), rest.cells());
    let layers = Layers::bounds(rest, positions, *effort)?;
    let depth = layers.shapes().len() as u32 - 1;
    let one = |values: FirstValues| values.into_iter().next().unwrap_or_default();
    let high = one(first_moves(layers, &cells)?);
    let other = match fair {
        true => high.clone(),
        false => one(first_moves(Layers::bounds(exchanged, positions, *effort)?, &cells)?),
    };
    let interval = |high: u64, other: u64| Interval { low: ALL - other, high };
    let after = cells.into_iter().zip(high.1.into_iter().zip(other.1)).map(|((name, _), (high, other))| AfterBounds {
        name,
        alice: interval(high[0], other[1]),
        bob: interval(high[1], other[0]),
    });
    let (after, here) = (after.collect(), interval(high.0, other.0));
    Ok(Some(Bounds { here, after, depth, exact: depth == size }))
}
