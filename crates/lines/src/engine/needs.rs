//! The needs at a position and after every move ([`PositionNeeds`]), from layers or a database.

use std::time::Duration;

use richman_core::{
    ByPlayer, Effort, Error, Mechanism, Player, Share, ShareBounds, Threshold, Thresholds, Total, Walk,
};
use richman_engine::{Cost, EvaluatedMove, Evaluation, Origin, Value};

use serde::{Deserialize, Serialize};

use super::{BoardPlan, BoardQuestion, BoardStake, FirstLayers, ROUNDED_BITS};
use crate::board::LinePosition;

/// Boards with at most this many fillings are unfolded, which takes under a second and lets the
/// report count positions.
const UNFOLDED: u64 = 1 << 22;

/// Alice's needs in units of money or half-steps. If only bounds are known, `win` is the upper and
/// `draw` the lower bound on both needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "[u64; 2]", into = "[u64; 2]")]
pub struct NeedPair {
    /// To force a win.
    pub win: u64,
    /// To keep Bob from winning.
    pub draw: u64,
}

impl NeedPair {
    /// Converts needs in half-steps.
    pub(super) fn thresholds(self) -> Thresholds {
        let threshold = |need: u64| Threshold::at(u32::try_from(need).unwrap_or(u32::MAX));
        Thresholds { win: threshold(self.win), draw: threshold(self.draw) }
    }

    /// Bounds in units of 2^-[`ROUNDED_BITS`], as shares of all the money.
    pub fn shares(self) -> ShareBounds {
        let [low, high] = <[u64; 2]>::from(self).map(|parts| Share::dyadic(parts, ROUNDED_BITS));
        ShareBounds { low, high }
    }
}

impl From<[u64; 2]> for NeedPair {
    fn from([draw, win]: [u64; 2]) -> NeedPair {
        NeedPair { win, draw }
    }
}

impl From<NeedPair> for [u64; 2] {
    fn from(NeedPair { win, draw }: NeedPair) -> [u64; 2] {
        [draw, win]
    }
}

/// The needs after a move on one cell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoveNeeds {
    /// The name of the move, the same for both players.
    pub name: String,
    /// After Alice's move.
    pub alice: NeedPair,
    /// After Bob's.
    pub bob: NeedPair,
}

/// The needs at an unfinished position and after every move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionNeeds {
    /// At the position.
    pub here: NeedPair,
    /// After every move.
    pub after: Vec<MoveNeeds>,
    /// [`BoardQuestion::unreachable`] at the position.
    pub unreachable: u64,
    /// The same after a move.
    pub unreachable_after: u64,
    /// The fillings evaluated, or in the database.
    pub positions: u64,
}

/// The position of a game of stones and lines, if [`super::Layers`] serves the mechanism.
pub fn board(walk: &dyn Walk, mechanism: &Mechanism, chips: bool) -> Option<LinePosition> {
    let served = if chips { mechanism.is_develin_payne() } else { mechanism.is_develin_payne_in_money() };
    walk.board().filter(|_| served)
}

/// Whether a position is better solved layer by layer than unfolded.
pub fn is_large(at: &LinePosition) -> bool {
    at.rest().is_some() && positions(at, UNFOLDED).is_none()
}

/// The number of fillings of the remaining game; `None` if it exceeds `most` or the game is over.
pub fn positions(at: &LinePosition, most: u64) -> Option<u64> {
    let question = BoardQuestion { board: at.rest()?, stake: BoardStake::Money };
    u64::try_from(BoardPlan::of(&question).ok()?.positions()).ok().filter(|&all| all <= most)
}

/// The cost of computing the layers of the remaining game; `None` if the game is over.
pub fn cost(at: &LinePosition, stake: BoardStake) -> Option<Cost> {
    let rest = at.rest()?;
    let passes = if rest.is_fair() { 1 } else { 2 };
    let question = BoardQuestion { board: rest, stake };
    let plan = BoardPlan::of(&question).ok()?;
    let milliseconds = 1 + passes * plan.positions() * question.lanes() as u128 * 1000 / u128::from(SPEED);
    Some(Cost::About {
        time: Duration::from_millis(u64::try_from(milliseconds).unwrap_or(u64::MAX)),
        memory: Some(u64::try_from(plan.memory()).unwrap_or(u64::MAX)),
    })
}

/// Numbers computed in a second, measured on two cores.
pub(super) const SPEED: u64 = 150_000_000;

/// Solves a position by the layers of the remaining game; `None` if the game is over.
///
/// # Errors
/// [`Error::TooMuchMemory`] with the bytes needed; [`Error::TooLarge`] for too many sets of cells;
/// [`Error::Unsupported`] if there is no total; [`Error::Cancelled`].
pub fn solve(walk: &dyn Walk, stake: BoardStake, effort: &Effort) -> Result<Option<Vec<PositionNeeds>>, Error> {
    FirstLayers::of(walk, stake, 0, effort)?.map_or(Ok(None), |layers| layers.needs(walk))
}

/// The answer with real money or one total.
///
/// # Errors
/// [`Error::TooMuchMemory`]; [`Error::TooLarge`]; [`Error::Cancelled`].
pub(super) fn see(walk: &dyn Walk, total: Option<Total>, effort: &Effort) -> Result<Option<Evaluation>, Error> {
    FirstLayers::of(walk, BoardStake::of(total), 0, effort)?.map_or(Ok(None), |layers| layers.see(walk, total))
}

/// The names of the moves and the cells they fill.
pub(super) fn moves(walk: &dyn Walk, stones: [u64; 2]) -> Vec<(String, u64)> {
    let cell = |(name, next): (String, Box<dyn Walk>)| {
        let filled = next.board().map_or(0, |LinePosition { stones: [alice, _], .. }| alice & !stones[0]);
        (name, filled)
    };
    walk.after_moves(Player::Alice).into_iter().map(cell).collect()
}

impl PositionNeeds {
    /// Collects the needs at `stones` and after one more on each of `cells`. `alice` gives Alice's
    /// need to win, `bob` Bob's, for stones with his first.
    pub(super) fn found(
        question: &BoardQuestion,
        lane: usize,
        stones: [u64; 2],
        cells: &[(String, u64)],
        positions: u64,
        [alice, bob]: [&dyn Fn([u64; 2]) -> Result<u64, Error>; 2],
    ) -> Result<PositionNeeds, Error> {
        let count = |[alice, bob]: [u64; 2]| (alice | bob).count_ones();
        let pair = |stones: [u64; 2]| -> Result<NeedPair, Error> {
            // Alice keeps the rest of Bob's need to win.
            let unreachable = question.unreachable(count(stones), lane);
            let draw = unreachable.saturating_sub(bob([stones[1], stones[0]])?);
            Ok(NeedPair { win: alice(stones)?, draw })
        };
        let after = |(name, cell): &(String, u64)| -> Result<MoveNeeds, Error> {
            Ok(MoveNeeds {
                name: name.clone(),
                alice: pair([stones[0] | cell, stones[1]])?,
                bob: pair([stones[0], stones[1] | cell])?,
            })
        };
        let here = pair(stones)?; // first, because its unit, once computed, also has the positions after moves
        let after = cells.iter().map(after).collect::<Result<_, Error>>()?;
        let [unreachable, unreachable_after] = [0, 1].map(|more| question.unreachable(count(stones) + more, lane));
        Ok(PositionNeeds { here, after, unreachable, unreachable_after, positions })
    }

    /// The answer as shares of all the money, or with a total of chips.
    pub fn evaluation(&self, total: Option<Total>, how: String) -> Evaluation {
        let value = |pair: NeedPair, unreachable: u64| match total {
            None => {
                let share = |parts: u64| {
                    let share = Share::ratio(parts.into(), unreachable.into());
                    ShareBounds::exact(share.unwrap_or(Share::ONE)) // at most all the money
                };
                Value::Money { win: share(pair.win), draw: share(pair.draw) }
            }
            Some(total) => {
                let Thresholds { win, draw } = pair.thresholds();
                Value::Chips { win, draw, total }
            }
        };
        let here = value(self.here, self.unreachable);
        let origin = Origin::exact(how, self.positions);
        evaluation(here, &self.after, |pair| value(pair, self.unreachable_after), origin)
    }
}

/// The answer with the moves by name.
pub(super) fn evaluation(
    here: Value,
    after: &[MoveNeeds],
    value: impl Fn(NeedPair) -> Value,
    origin: Origin,
) -> Evaluation {
    let after = |player: Player| {
        let of = |after: &MoveNeeds| if player == Player::Alice { after.alice } else { after.bob };
        after.iter().map(|after| EvaluatedMove::new(after.name.clone(), value(of(after)))).collect()
    };
    Evaluation { here, after: ByPlayer::from_fn(after), origin }
}

/// The reason why a result from layers is complete.
pub const STOP: &str = "layer by layer: every filling of the board evaluated once";
