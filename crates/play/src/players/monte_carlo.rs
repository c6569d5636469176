//! K's algorithm for bidding Hex [K, section 5], after Payne and Robeva:
//!
//! 1. From a given game state, fill in the rest of the board at random a large number of times.
//! 2. Let H be the hex that is least often the colour of the loser, and L_H that part of the
//!    fillings. Bid the integer part of 1/2 - L_H times the total number of chips in the game.
//! 3. If this wins, move in H.
//!
//! The algorithm's own numbers settle everything that the notes leave open. A bid above its chips
//! is reduced to them; a forbidden bid becomes the next lower allowed one (or the lowest). An
//! answering bid is chosen the same way. In a tie it uses the star if that leaves it better off in
//! real money, counting the star as half a chip: if (1/2 - L_H) times the total is at least a
//! quarter above the bid. It never lets the other player move. Of equally good cells, H is the
//! first.

use richman_analysis::sources;
use richman_core::Effort;
use richman_engine::{Care, Look};

use super::{Computer, PlayerError, Seat};
use crate::{Action, Decision};

/// Plays from random fillings.
pub struct MonteCarlo {
    fillings: u32,
    rng: fastrand::Rng,
    found: Option<FillingCounts>,
}

richman_core::debug_by_name!(MonteCarlo {});

/// The result of filling a position.
struct FillingCounts {
    position: String,
    /// H.
    cell: Option<String>,
    /// 1/2 - L_H, at least 0.
    share: f64,
}

impl MonteCarlo {
    /// A player that fills each position at least `fillings` times (a multiple of 16,384), using
    /// `seed`.
    pub fn new(fillings: u32, seed: u64) -> MonteCarlo {
        MonteCarlo { fillings, rng: fastrand::Rng::with_seed(seed), found: None }
    }

    /// Fills the position once for the bid, the star and the move.
    fn found(&mut self, seat: &Seat, effort: &Effort) -> Result<&FillingCounts, PlayerError> {
        let position = seat.walk().notation();
        let found = match self.found.take().filter(|found| found.position == position) {
            Some(found) => found,
            None => {
                let look = Look { seed: self.rng.u64(..), ..Look::new(Care::Usual, effort.watch) };
                let sampled = sources::random_plays(seat.walk(), self.fillings.into(), &look)?;
                let unfit = || PlayerError::unfit("monte-carlo", seat.walk().game(), "it is not Hex");
                let sampled = sampled.ok_or_else(unfit)?;
                let cell = sampled.losing.into_iter().min_by_key(|&(_, losing)| losing);
                let losing = cell.as_ref().map_or(0, |&(_, losing)| losing);
                let share = 0.5 - losing as f64 / sampled.plays as f64;
                FillingCounts { position, cell: cell.map(|(name, _)| name), share: share.max(0.0) }
            }
        };
        Ok(self.found.insert(found))
    }
}

impl Computer for MonteCarlo {
    fn act(&mut self, seat: &Seat, effort: &Effort) -> Result<Action, PlayerError> {
        let total = f64::from(seat.own().chips()) + f64::from(seat.other().chips());
        let found = self.found(seat, effort)?;
        let target = found.share * total;
        match seat.asked()? {
            Decision::Bid => {
                let ranges = &seat.view.bids;
                let below = ranges.iter().rev().find(|range| f64::from(range[0]) <= target);
                let lowest = || ranges.first().map(|range| range[0]);
                let bid = below.map(|range| (target as u32).min(range[1])).or_else(lowest);
                bid.map(Action::Bid).ok_or(seat.not_now())
            }
            Decision::Star { bid } => Ok(Action::UseStar(target >= f64::from(bid) + 0.25)),
            Decision::Move { .. } => found.cell.clone().map(Action::Move).ok_or(seat.not_now()),
        }
    }
}
