//! Computer players: one trait, from beginner to perfect.
//!
//! A player sees a match only through a [`Seat`], which hides the other player's sealed bid. The
//! slow part, solving the game, happens once for a match ([`Knowledge`]) and is shared by its
//! players.

mod certain;
mod endless;
mod estimate;
mod knowledge;
mod monte_carlo;
mod perfect;
mod rounding;
mod simple;
mod source;
mod strength;

pub use certain::{Certain, corrected};
pub use endless::{EndlessChoice, EndlessWorth};
pub use estimate::{ChipEstimate, EstimatedChoice};
pub use knowledge::Knowledge;
pub use monte_carlo::MonteCarlo;
pub use perfect::Perfect;
pub use rounding::Rounding;
pub use simple::{Greedy, Random, Weakened};
pub use source::SourcePlayer;
pub use strength::{Base, STRENGTHS, Strength, StrengthInfo, USUAL_LEVEL};

use richman_core::{Effort, Holding, Player, Walk, did_you_mean};

use crate::certain::bid_from;
use crate::{Action, Decision, Match, MatchRules, MatchTurn, TurnStage, View};

/// A match from one player's seat.
#[derive(Debug)]
pub struct Seat<'a> {
    game: &'a Match,
    /// The player.
    pub player: Player,
    /// The player's current view.
    pub view: View,
}

impl<'a> Seat<'a> {
    /// The seat of `player` in a match.
    pub fn new(game: &'a Match, player: Player) -> Seat<'a> {
        Seat { game, player, view: game.view(Some(player)) }
    }

    /// The player's pending decision.
    pub fn decision(&self) -> Option<Decision> {
        self.view.decision
    }

    /// The pending decision, or an error if there is none.
    fn asked(&self) -> Result<Decision, PlayerError> {
        self.decision().ok_or(self.not_now())
    }

    fn not_now(&self) -> PlayerError {
        PlayerError::NotNow { player: self.player }
    }

    /// The lowest allowed bid of at least `least`.
    fn bid_from(&self, least: u32) -> Option<u32> {
        bid_from(&self.view.bids, least)
    }

    fn may_bid(&self, bid: u32) -> bool {
        self.view.bids.iter().any(|range| range[0] <= bid && bid <= range[1])
    }

    /// The rules of the match.
    pub fn rules(&self) -> &'a MatchRules {
        self.game.rules()
    }

    /// The position.
    pub fn walk(&self) -> &'a dyn Walk {
        self.game.walk()
    }

    /// The finished turns.
    pub fn turns(&self) -> &'a [MatchTurn] {
        self.game.turns()
    }

    /// The player's holding.
    pub fn own(&self) -> Holding {
        self.view.hands[self.player]
    }

    /// The other player's holding.
    pub fn other(&self) -> Holding {
        self.view.hands[self.player.other()]
    }

    /// The other player's open bid, if it must be answered.
    pub fn named(&self) -> Option<u32> {
        match self.view.stage {
            TurnStage::Bids { named, .. } if self.view.own_bid.is_none() => named,
            _ => None,
        }
    }

    /// The player's allowed bids, even if no bid is due.
    fn own_bids(&self) -> Vec<[u32; 2]> {
        self.game.allowed_bids(self.player)
    }

    /// The other player's allowed bids.
    pub fn other_bids(&self) -> Vec<[u32; 2]> {
        self.game.allowed_bids(self.player.other())
    }

    /// The turns left after this one until the match is cut off.
    fn left(&self) -> u32 {
        let limit = self.rules().limit.unwrap_or(u32::MAX);
        if limit == u32::MAX { limit } else { limit.saturating_sub(self.turns().len() as u32 + 1) }
    }
}

/// A program that plays.
pub trait Computer: Send {
    /// The player's action for the pending decision; at the deadline it uses the results so far.
    ///
    /// # Errors
    /// [`PlayerError`]; it holds [`richman_core::Error::Cancelled`] if the watch says stop.
    fn act(&mut self, seat: &Seat, effort: &Effort) -> Result<Action, PlayerError>;
}

/// The reason why a computer player cannot play.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlayerError {
    /// Solving failed, or the solution lacks a position.
    #[error(transparent)]
    Analysis(#[from] richman_analysis::Error),
    /// No such player.
    #[error(
        "{text:?} is not a player{}: write {known}, with a chance to err or a time for each turn if you like, such as \
         perfect:errs=1/4 or best:ms=100",
        did_you_mean(text, known.split(", "))
    )]
    NotAStrength {
        /// The given text.
        text: String,
        /// The known names.
        known: String,
    },
    /// No such setting of a player, or no such value of it.
    #[error(
        "{text:?} is not a setting of the player {player}{}: write errs=PROBABILITY, such as errs=1/4, or \
         ms=MILLISECONDS{}",
        did_you_mean(text.split('=').next().unwrap_or_default(), ["errs", "ms", "fillings"]),
        if *player == "monte-carlo" { ", or fillings=NUMBER" } else { "" }
    )]
    NotASetting {
        /// The player.
        player: &'static str,
        /// The given text.
        text: String,
    },
    /// The player cannot play this game.
    #[error("{player} cannot play {game}: {reason}")]
    Unfit {
        /// The player.
        player: String,
        /// The game.
        game: String,
        /// The reason, and advice.
        reason: String,
    },
    /// The match does not wait for this player.
    #[error("nothing is waited for from {player}")]
    NotNow {
        /// The player.
        player: Player,
    },
}

impl PlayerError {
    fn unfit(player: impl ToString, game: String, reason: impl Into<String>) -> PlayerError {
        PlayerError::Unfit { player: player.to_string(), game, reason: reason.into() }
    }
}

impl From<richman_core::Error> for PlayerError {
    fn from(error: richman_core::Error) -> PlayerError {
        PlayerError::Analysis(error.into())
    }
}

/// Alice's need in a lost position, in half-steps.
fn half_steps(seat: &Seat) -> f64 {
    2.0 * (f64::from(seat.own().chips()) + f64::from(seat.other().chips()) + 1.0)
}

fn any(options: &[Action], rng: &mut fastrand::Rng, seat: &Seat) -> Result<Action, PlayerError> {
    one_of(options, rng).cloned().ok_or(seat.not_now())
}

/// One of several, at random; the same one by the same seed on every machine, while numbers of type
/// `usize` depend on its width.
pub(crate) fn one_of<'a, T>(items: &'a [T], rng: &mut fastrand::Rng) -> Option<&'a T> {
    let at = (!items.is_empty()).then(|| rng.u64(..items.len() as u64))?;
    items.get(at as usize)
}

/// All bids of ascending ranges if they are few, else the ends of every range and some evenly
/// spaced between.
fn spread(ranges: &[[u32; 2]], most: u32) -> Vec<u32> {
    let count = ranges.iter().map(|range| u64::from(range[1] - range[0]) + 1).sum::<u64>();
    if count <= u64::from(most) {
        return ranges.iter().flat_map(|range| range[0]..=range[1]).collect();
    }
    let step = (count / u64::from(most)).max(1) as usize;
    let mut bids: Vec<u32> =
        ranges.iter().flat_map(|range| (range[0]..=range[1]).step_by(step).chain([range[1]])).collect();
    bids.dedup();
    bids
}
