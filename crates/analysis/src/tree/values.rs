//! The thresholds of a tree, for real money or for a total of chips.

use richman_core::{Arena, ChipSide, Error as CoreError, Holding, Node, Player, Rate, Share, Shares, Total, Watch};
use richman_solvers::{chips, money, registry};

use super::{TreeGoal, TreeOptions, TreeThreshold};
use crate::money::winning_stages;
use crate::{BoundsJson, Error, HoldingJson, Request};

/// The threshold of every position.
pub enum TreeValues {
    Money(Shares, Rate, TreeGoal),
    Chips(ChipSide, Total, TreeGoal),
}

/// The value of a position to the player who moves there: of two bounds, the one that the player
/// can rely on. Less is better for Alice, more for Bob.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub enum PositionRank {
    Share(Share),
    HalfSteps(u32),
}

impl TreeValues {
    pub fn solve(request: &Request, choices: &TreeOptions) -> Result<TreeValues, Error> {
        let (arena, mechanism, options) = (request.unfolding.arena(), request.mechanism, &request.effort);
        let goal = choices.goal;
        let Some(total) = choices.chips else {
            let solution = money::solve(arena, mechanism, options).map_err(|error| request.translate(error))?;
            let rate = request.mechanism.payment.rate();
            return Ok(TreeValues::Money(if goal == TreeGoal::Win { solution.win } else { solution.draw }, rate, goal));
        };
        registry::chips(mechanism)?;
        if let Err(CoreError::NoRule { .. }) = registry::rules(mechanism) {
            let serves = "ties advantage with right chooses and bids all";
            return Err(CoreError::unsupported("a tree for chips where holdings have no order", serves).into());
        }
        let solution = chips::solve(arena, mechanism, total, options).map_err(|error| request.translate(error))?;
        let side = if goal == TreeGoal::Win { solution.wins.alice } else { solution.wins.bob };
        Ok(TreeValues::Chips(side, total, goal))
    }

    fn half_steps(side: &ChipSide, total: Total, goal: TreeGoal, node: Node) -> u32 {
        let own = side.threshold(node, total);
        let threshold = if goal == TreeGoal::Win { own } else { own.opposite(total) };
        threshold.holding().map_or(total.unreachable(), Holding::half_steps)
    }

    pub fn grade(&self, player: Player, node: Node) -> PositionRank {
        match self {
            TreeValues::Money(shares, ..) => {
                let bounds = shares.get(node);
                // Alice can rely on the upper bound, Bob on the lower.
                PositionRank::Share(if player == Player::Alice { bounds.high } else { bounds.low })
            }
            &TreeValues::Chips(ref side, total, goal) => {
                PositionRank::HalfSteps(TreeValues::half_steps(side, total, goal, node))
            }
        }
    }

    pub fn worth(&self, node: Node) -> TreeThreshold {
        match self {
            TreeValues::Money(shares, ..) => TreeThreshold::Share(BoundsJson(shares.get(node))),
            &TreeValues::Chips(ref side, total, goal) => {
                let half_steps = TreeValues::half_steps(side, total, goal, node);
                TreeThreshold::Chips(HoldingJson(Holding::from_half_steps(half_steps)))
            }
        }
    }

    /// The winner, if certain.
    pub fn winner(&self, node: Node) -> Option<Player> {
        let (none, all) = match self {
            TreeValues::Money(shares, ..) => {
                let bounds = shares.get(node);
                (bounds.high == Share::ZERO, bounds.low == Share::ONE)
            }
            &TreeValues::Chips(ref side, total, goal) => {
                let half_steps = TreeValues::half_steps(side, total, goal, node);
                (half_steps == 0, half_steps == total.unreachable())
            }
        };
        if none { Some(Player::Alice) } else { all.then_some(Player::Bob) }
    }

    /// How near each position is to the goal of the player who must reach it; empty if play cannot
    /// circle.
    pub fn stages(&self, arena: &Arena, watch: &dyn Watch) -> Result<Vec<Option<u32>>, CoreError> {
        if arena.is_acyclic() {
            return Ok(Vec::new());
        }
        match self {
            TreeValues::Money(shares, rate, goal) => {
                let player = goal.forcing();
                let is_won = |node| arena.winner(node) == Some(player);
                winning_stages(arena, *rate, |node| shares.get(node), player, is_won, watch)
            }
            TreeValues::Chips(side, ..) => {
                Ok(arena.nodes().map(|node| side.stages(node).last().map(|stage| stage.within)).collect())
            }
        }
    }
}
