//! Chip thresholds: the least number of chips without and with the star.

use std::fmt;

use crate::{Holding, Player, Total};

/// The least chips of Alice, without and with the star, that reach a goal; total + 1 where none do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Threshold {
    /// The least chips without the star.
    pub plain: u32,
    /// The least chips with the star.
    pub star: u32,
}

impl Threshold {
    /// The threshold met by every holding.
    pub const NOTHING: Threshold = Threshold { plain: 0, star: 0 };

    /// The threshold that no holding meets.
    pub fn unreachable(total: Total) -> Threshold {
        Threshold { plain: total.chips() + 1, star: total.chips() + 1 }
    }

    /// The threshold in the order of holdings: `half_steps` and everything above it.
    ///
    /// ```
    /// use richman_core::Threshold;
    /// assert_eq!(Threshold::at(9), Threshold { plain: 5, star: 4 }); // 4*, 5, 5*, ...
    /// ```
    pub fn at(half_steps: u32) -> Threshold {
        Threshold { plain: half_steps.div_ceil(2), star: half_steps / 2 }
    }

    /// The least holding in the order 0 < 0* < 1 < ..., or `None` where the holdings that meet the threshold are not
    /// upward closed in that order (possible where the winner of a bid must move).
    ///
    /// Where no holding suffices this is the holding of total + 1 chips [DP10, 3.4].
    pub fn holding(self) -> Option<Holding> {
        if self.star <= self.plain && self.plain - self.star <= 1 && self.plain <= crate::MAX_TOTAL + 1 {
            Some(Holding::from_half_steps(self.plain + self.star))
        } else {
            None
        }
    }

    /// Whether `holding` suffices.
    pub fn is_met_by(self, holding: Holding) -> bool {
        holding.chips() >= if holding.has_star() { self.star } else { self.plain }
    }

    /// From a player's threshold to win, the opponent's threshold to prevent it.
    ///
    /// A player with c chips and no star faces total - c chips and the star.
    pub fn opposite(self, total: Total) -> Threshold {
        let most = total.chips() + 1;
        Threshold { plain: most.saturating_sub(self.star), star: most.saturating_sub(self.plain) }
    }
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.holding() {
            Some(holding) => holding.fmt(f),
            None => f.pad(&format!("{} or {}*", self.plain, self.star)),
        }
    }
}

/// What Alice needs to force a win, and what she needs so that Bob cannot force one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Thresholds {
    /// The win threshold.
    pub win: Threshold,
    /// The draw threshold.
    pub draw: Threshold,
}

impl Thresholds {
    /// Who can force a win, if either can, where Alice holds `alice`.
    pub fn winner(self, alice: Holding) -> Option<Player> {
        let (alice_wins, bob_wins) = (self.win.is_met_by(alice), !self.draw.is_met_by(alice));
        if alice_wins { Some(Player::Alice) } else { bob_wins.then_some(Player::Bob) }
    }
}

/// Why a solver stopped, and so what its answer is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StopReason {
    /// No play comes back to a position: every position was evaluated once, after its successors.
    Acyclic,
    /// The values within t moves no longer changed after this many moves.
    FixedPoint {
        /// The last number of moves at which a value changed.
        moves: u32,
    },
    /// Exact rationals were found, and proved by checking every equation and that winning play makes progress.
    Proved,
    /// Bounds were proved from both sides where exact rationals would not fit the limits.
    Bounded,
    /// The time was up before exact rationals, or bounds as narrow as was asked for, were found: these bounds were proved by then.
    TimeUp,
    /// The number of moves that was asked for was reached; the values are those within that many moves.
    Within {
        /// That number of moves.
        moves: u32,
    },
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StopReason::Acyclic => write!(f, "acyclic: every position evaluated once"),
            StopReason::FixedPoint { moves } => write!(f, "no value changed after {moves} moves"),
            StopReason::Proved => write!(f, "every equation and progress proved in exact arithmetic"),
            StopReason::Bounded => write!(f, "bounds proved from both sides"),
            StopReason::TimeUp => write!(f, "bounds proved from both sides; the time was up"),
            StopReason::Within { moves } => write!(f, "truncated after {moves} moves, as asked"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_steps_split_and_join() {
        for half_steps in 0..20 {
            let holding = Threshold::at(half_steps).holding().unwrap();
            assert_eq!(holding.half_steps(), half_steps);
            for other in 0..20 {
                let met = Threshold::at(half_steps).is_met_by(Holding::from_half_steps(other));
                assert_eq!(met, other >= half_steps);
            }
        }
        assert_eq!(Threshold { plain: 5, star: 2 }.holding(), None);
    }

    #[test]
    fn opposite_is_the_complement() {
        let total = Total::new(5).unwrap();
        for half_steps in 0..=total.unreachable() {
            let bob = Threshold::at(half_steps);
            for alice in (0..total.unreachable()).map(Holding::from_half_steps) {
                let bob_wins = bob.is_met_by(total.rest(alice).unwrap());
                assert_eq!(bob.opposite(total).is_met_by(alice), !bob_wins);
            }
        }
    }
}
