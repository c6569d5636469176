//! Computer players: one trait, strengths from a beginner's to perfect.
//!
//! A player sees a match only through a [`Seat`], which has no way to the other player's sealed bid. What takes long, solving the game, is
//! done once for a match ([`Knowledge`]) and shared by its players.

mod knowledge;
mod monte_carlo;
mod perfect;
mod rounding;
mod simple;
mod source;
mod strength;

pub use knowledge::Knowledge;
pub use monte_carlo::MonteCarlo;
pub use perfect::Perfect;
pub use rounding::Rounding;
pub use simple::{Greedy, Random, Weakened};
pub use source::SourcePlayer;
pub use strength::{Base, STRENGTHS, Strength, StrengthInfo, USUAL_LEVEL};

use richman_core::{Effort, Holding, Player, Walk};

use crate::{Action, Decision, Match, Rules, Stage, Turn, View};

/// A match as one player sees it.
pub struct Seat<'a> {
    game: &'a Match,
    /// Whose seat it is.
    pub player: Player,
    /// What the player sees now.
    pub view: View,
}

impl<'a> Seat<'a> {
    /// What `player` sees of a match.
    pub fn new(game: &'a Match, player: Player) -> Seat<'a> {
        Seat { game, player, view: game.view(Some(player)) }
    }

    /// What is waited for from the player.
    pub fn decision(&self) -> Option<Decision> {
        self.view.decision
    }

    /// What is waited for, or the error that nothing is.
    fn asked(&self) -> Result<Decision, PlayerError> {
        self.decision().ok_or(self.not_now())
    }

    fn not_now(&self) -> PlayerError {
        PlayerError::NotNow { player: self.player }
    }

    /// The lowest of the player's bids that is at least this high.
    fn bid_from(&self, least: u32) -> Option<u32> {
        self.view.bids.iter().find(|range| range[1] >= least).map(|range| range[0].max(least))
    }

    /// Whether a bid is among the player's.
    fn may_bid(&self, bid: u32) -> bool {
        self.view.bids.iter().any(|range| range[0] <= bid && bid <= range[1])
    }

    /// What the match is played under.
    pub fn rules(&self) -> &'a Rules {
        self.game.rules()
    }

    /// The position.
    pub fn walk(&self) -> &'a dyn Walk {
        self.game.walk()
    }

    /// The turns that were completed.
    pub fn turns(&self) -> &'a [Turn] {
        self.game.turns()
    }

    /// What the player holds.
    pub fn own(&self) -> Holding {
        self.view.hands[self.player as usize]
    }

    /// What the other player holds.
    pub fn other(&self) -> Holding {
        self.view.hands[self.player.other() as usize]
    }

    /// The other player's bid, where it is open and the player answers it.
    pub fn named(&self) -> Option<u32> {
        match self.view.stage {
            Stage::Bids { named, .. } if self.view.own_bid.is_none() => named,
            _ => None,
        }
    }

    /// The player's allowed bids, also where none is waited for.
    fn own_bids(&self) -> Vec<[u32; 2]> {
        self.game.allowed_bids(self.player)
    }

    /// The other player's allowed bids.
    pub fn other_bids(&self) -> Vec<[u32; 2]> {
        self.game.allowed_bids(self.player.other())
    }

    /// Turns after this one before a limit makes the match a draw.
    fn left(&self) -> u32 {
        let limit = self.rules().limit.unwrap_or(u32::MAX);
        if limit == u32::MAX { limit } else { limit.saturating_sub(self.turns().len() as u32 + 1) }
    }
}

/// A player that is a program.
pub trait Computer: Send {
    /// What it does in a match where something is waited for from it, with what was found at the deadline.
    ///
    /// # Errors
    /// [`PlayerError`]; [`richman_core::Error::Cancelled`] inside it when the watch says so.
    fn act(&mut self, seat: &Seat, effort: &Effort) -> Result<Action, PlayerError>;
}

/// Why a computer player cannot play.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlayerError {
    /// Solving, or a position that is not in what was solved.
    #[error(transparent)]
    Analysis(#[from] richman_analysis::Error),
    /// No such strength.
    #[error(
        "{text:?} is not a player: write {known}, with a chance to err or a time for each turn if you like, such as perfect:errs=1/4 or best:ms=100"
    )]
    NotAStrength {
        /// What was given.
        text: String,
        /// The names.
        known: String,
    },
    /// The game does not go with the player.
    #[error("{player} cannot play {game}: {reason}")]
    Unfit {
        /// The player.
        player: String,
        /// The game.
        game: String,
        /// Why, and what to do.
        reason: String,
    },
    /// Nothing is waited for from this player.
    #[error("nothing is waited for from {player}")]
    NotNow {
        /// The player.
        player: Player,
    },
}

impl PlayerError {
    /// [`PlayerError::Unfit`].
    fn unfit(player: impl ToString, game: String, reason: impl Into<String>) -> PlayerError {
        PlayerError::Unfit { player: player.to_string(), game, reason: reason.into() }
    }
}

impl From<richman_core::Error> for PlayerError {
    fn from(error: richman_core::Error) -> PlayerError {
        PlayerError::Analysis(error.into())
    }
}

/// What Alice needs where she has lost, in half-steps.
fn half_steps(seat: &Seat) -> f64 {
    2.0 * (f64::from(seat.own().chips()) + f64::from(seat.other().chips()) + 1.0)
}

/// One of the options, whichever comes out.
fn any(options: &[Action], rng: &mut fastrand::Rng, seat: &Seat) -> Result<Action, PlayerError> {
    rng.choice(options).cloned().ok_or(seat.not_now())
}

/// Some bids of ascending ranges: all if they are few, else the ends of every range and some between, evenly.
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
