//! What players, hints and reviews know of the positions of a game.

use std::any::Any;
use std::sync::Arc;

use richman_core::{
    Error as CoreError, Holding, MatchCounts, Mechanism, Node, ParityPlan, PayoffBounds, Player, ScoreSolution, Scores,
    Total, Unfolding,
};
use richman_engine::Source;

use crate::chips::SolvedChips;

/// What is known of the positions of a [`Scope`](super::Scope).
pub enum Insight {
    /// Who can force which outcome at every position.
    Chips(Arc<dyn Unfolding>, Box<SolvedChips>),
    /// The score of every position.
    Scores(Box<dyn Unfolding<Scores>>, ScoreSolution),
    /// How to play a game that need not end.
    Endless(Box<dyn EndlessInsight>),
    /// An engine's evaluations, position by position.
    Seen(Arc<dyn Source>),
}

richman_core::debug_by_name!(Insight {});

impl Insight {
    /// Its size in bytes, roughly.
    pub fn bytes(&self) -> u64 {
        match self {
            Insight::Chips(unfolding, solved) => unfolding.bytes() + solved.bytes(),
            Insight::Scores(unfolding, solution) => {
                let values = solution.maximin.len() + solution.minimax.as_ref().map_or(0, Vec::len);
                unfolding.bytes() + 8 * values as u64
            }
            Insight::Endless(known) => known.bytes(),
            Insight::Seen(source) => source.bytes(),
        }
    }
}

/// What a player can be sure of in a game that need not end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EndlessWorth {
    /// A win.
    Win,
    /// Nothing: the other player can force a win.
    Loss,
    /// The long-run average.
    Average(PayoffBounds),
}

/// What a position with a holding is worth to a player; more is better.
pub type EndlessRank = (i64, i128);

/// A player and what they hold.
#[derive(Debug, Clone, Copy)]
pub struct PlayersHolding {
    /// The player.
    pub player: Player,
    /// Their chips.
    pub chips: u32,
    /// Whether they hold the star.
    pub star: bool,
}

/// How to play a game that need not end: the worth of every position for every holding, and plans
/// for some.
pub trait EndlessInsight: Any + Send + Sync {
    /// The bidding mechanism.
    fn mechanism(&self) -> &Mechanism;

    /// Both players' chips.
    fn total(&self) -> Total;

    /// Its size in bytes, roughly.
    fn bytes(&self) -> u64;

    /// The node of a position in the game's notation. An objective with memory has a node for each
    /// position and memory of the play so far.
    ///
    /// # Errors
    /// [`CoreError::BadPosition`] for a position outside of the solution.
    fn node(&self, position: &str, so_far: &MatchCounts) -> Result<Node, CoreError>;

    /// What the player can be sure of with a holding.
    fn sure(&self, node: Node, player: Player, own: Holding) -> EndlessWorth;

    /// The plan by which the player who holds enough is sure of a win; `None` without one.
    fn plan(&self, node: Node, player: Player, own: Holding) -> Option<&ParityPlan>;

    /// The worth that a good turn does not fall below; `None` if any worth that can be made certain
    /// is the aim.
    fn goal(&self, node: Node, player: Player, own: Holding) -> Option<EndlessRank>;

    /// The worth of each move of `mover` to a player, with what the player then holds.
    fn after_moves(&self, node: Node, mover: Player, holds: PlayersHolding, visit: &mut dyn FnMut(EndlessRank));

    /// The player's own moves by name, with the node and the worth after each.
    ///
    /// # Errors
    /// [`CoreError::BadPosition`] for a position outside of the solution.
    fn named_moves(
        &self,
        position: &str,
        so_far: &MatchCounts,
        holds: PlayersHolding,
    ) -> Result<Vec<(String, Node, EndlessRank)>, CoreError>;
}
