//! Chip thresholds, without and with the star.

use std::fmt;

use crate::{Holding, Player, Total};

/// The least chips of Alice, without and with the star, that suffice; total + 1 if none do.
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

    /// The threshold met by `half_steps` and every higher holding.
    ///
    /// ```
    /// use richman_core::Threshold;
    /// assert_eq!(Threshold::at(9), Threshold { plain: 5, star: 4 }); // 4*, 5, 5*, ...
    /// ```
    pub fn at(half_steps: u32) -> Threshold {
        Threshold { plain: half_steps.div_ceil(2), star: half_steps / 2 }
    }

    /// The least holding in the order 0 < 0* < 1 < ... that meets the threshold. `None` if some
    /// higher holding does not meet it, which is possible if the winner of a bid must move.
    ///
    /// Total + 1 chips if no holding suffices [DP10, 3.4].
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

    /// The opponent's threshold to prevent the result that this one forces.
    ///
    /// (A player with c chips and no star faces total - c chips and the star.)
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

/// Alice's thresholds to force a win and to prevent one of Bob's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Thresholds {
    /// The win threshold.
    pub win: Threshold,
    /// The draw threshold.
    pub draw: Threshold,
}

impl Thresholds {
    /// The player who can force a win when Alice holds `alice`, if either can.
    pub fn winner(self, alice: Holding) -> Option<Player> {
        let (alice_wins, bob_wins) = (self.win.is_met_by(alice), !self.draw.is_met_by(alice));
        if alice_wins { Some(Player::Alice) } else { bob_wins.then_some(Player::Bob) }
    }
}

/// Why a solver stopped, which tells what its answer proves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StopReason {
    /// No play returns to a position: every position was evaluated once, after its successors.
    Acyclic,
    /// The values within t moves stopped changing.
    FixedPoint {
        /// The last number of moves at which a value changed.
        moves: u32,
    },
    /// Exact rationals were proved: every equation holds, and winning play makes progress.
    Proved,
    /// Bounds were proved from both sides; exact rationals would not fit the limits.
    Bounded,
    /// The time was up before exact rationals or sufficiently narrow bounds; the bounds are proved.
    TimeUp,
    /// The requested number of moves was reached; the values are those within it.
    Within {
        /// The requested number of moves.
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
