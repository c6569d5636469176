//! The thresholds of a tree, for real money or for a total of chips.

use richman_core::{Arena, Error as CoreError, Holding, Node, Player, Rate, Share, Shares, Side, Total, Watch};
use richman_solvers::{chips, money, registry};

use super::{Choices, Goal, Worth};
use crate::money::winning_stages;
use crate::{BoundsJson, Error, HoldingJson, Request};

/// The threshold of every position.
pub enum Values {
    Money(Shares, Rate, Goal),
    Chips(Side, Total, Goal),
}

/// The value of a position for a player who moves to it; if only bounds are known, the one that the
/// player can rely on. Less is better for Alice, more for Bob.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    Share(Share),
    HalfSteps(u32),
}

impl Values {
    pub fn solve(request: &Request, choices: &Choices) -> Result<Values, Error> {
        let (arena, mechanism, options) = (request.unfolding.arena(), request.mechanism, &request.effort);
        let goal = choices.goal;
        let Some(total) = choices.chips else {
            let solution = money::solve(arena, mechanism, options).map_err(|error| request.translate(error))?;
            let rate = request.mechanism.payment.rate();
            return Ok(Values::Money(if goal == Goal::Win { solution.win } else { solution.draw }, rate, goal));
        };
        registry::chips(mechanism)?;
        if let Err(CoreError::NoRule { .. }) = registry::rules(mechanism) {
            let serves = "ties advantage with right chooses and bids all";
            return Err(CoreError::unsupported("a tree for chips where holdings have no order", serves).into());
        }
        let solution = chips::solve(arena, mechanism, total, options).map_err(|error| request.translate(error))?;
        let side = if goal == Goal::Win { solution.wins.alice } else { solution.wins.bob };
        Ok(Values::Chips(side, total, goal))
    }

    fn half_steps(side: &Side, total: Total, goal: Goal, node: Node) -> u32 {
        let own = side.threshold(node, total);
        let threshold = if goal == Goal::Win { own } else { own.opposite(total) };
        threshold.holding().map_or(total.unreachable(), Holding::half_steps)
    }

    pub fn grade(&self, player: Player, node: Node) -> Grade {
        match self {
            Values::Money(shares, ..) => {
                let bounds = shares.get(node);
                // Alice can rely on the upper bound, Bob on the lower.
                Grade::Share(if player == Player::Alice { bounds.high } else { bounds.low })
            }
            &Values::Chips(ref side, total, goal) => Grade::HalfSteps(Values::half_steps(side, total, goal, node)),
        }
    }

    pub fn worth(&self, node: Node) -> Worth {
        match self {
            Values::Money(shares, ..) => Worth::Share(BoundsJson(shares.get(node))),
            &Values::Chips(ref side, total, goal) => {
                let half_steps = Values::half_steps(side, total, goal, node);
                Worth::Chips(HoldingJson(Holding::from_half_steps(half_steps)))
            }
        }
    }

    /// The winner, if certain.
    pub fn winner(&self, node: Node) -> Option<Player> {
        let (none, all) = match self {
            Values::Money(shares, ..) => {
                let bounds = shares.get(node);
                (bounds.high == Share::ZERO, bounds.low == Share::ONE)
            }
            &Values::Chips(ref side, total, goal) => {
                let half_steps = Values::half_steps(side, total, goal, node);
                (half_steps == 0, half_steps == total.unreachable())
            }
        };
        if none { Some(Player::Alice) } else { all.then_some(Player::Bob) }
    }

    /// How near each position is to the goal for the player who must reach it; empty if play cannot
    /// circle.
    pub fn stages(&self, arena: &Arena, watch: &dyn Watch) -> Result<Vec<Option<u32>>, CoreError> {
        if arena.is_acyclic() {
            return Ok(Vec::new());
        }
        match self {
            Values::Money(shares, rate, goal) => winning_stages(arena, *rate, shares, goal.forcing(), watch),
            Values::Chips(side, ..) => {
                Ok(arena.nodes().map(|node| side.stages(node).last().map(|stage| stage.within)).collect())
            }
        }
    }
}
