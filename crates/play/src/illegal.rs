//! Why a match or an action is refused.

use richman_core::{Bids, Player, Remedy};

/// Why an action is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Illegal {
    /// The match is over.
    #[error("the match is over")]
    Over,
    /// The match waits for another action, or another player.
    #[error("{0} is not to do that now")]
    NotNow(Player),
    /// A bid of more chips than the player has.
    #[error("{player} has {chips} {} and cannot bid {bid}", if *chips == 1 { "chip" } else { "chips" })]
    TooMuch {
        /// The bidder.
        player: Player,
        /// The player's chips.
        chips: u32,
        /// The bid.
        bid: u32,
    },
    /// The mechanism does not allow the amount.
    #[error("{bid} may not be bid: the bids are {allowed}")]
    NotAllowed {
        /// The bid.
        bid: u32,
        /// The allowed bids.
        allowed: Bids,
    },
    /// Not a move.
    #[error(transparent)]
    Move(#[from] richman_core::Error),
    /// The holdings do not suit the mechanism.
    #[error("{0}")]
    Hands(String),
    /// A game that need not end, without a limit.
    #[error("a match of this game might never end: give it a limit of at least one turn")]
    Endless,
    /// A game in which chance moves too.
    #[error("{}", richman_analysis::Error::ByChance)]
    ByChance,
}

impl Illegal {
    /// What would help, besides what the message says.
    pub fn remedies(&self) -> Vec<Remedy> {
        match self {
            Illegal::ByChance => richman_analysis::Error::ByChance.remedies(),
            Illegal::Move(error) => error.remedies(),
            _ => Vec::new(),
        }
    }
}
