//! How to play a parity game with chips. A player who has the threshold of the position follows the
//! plan there and keeps what is more aside, so the win is never lost. A player who has less keeps
//! as near to the thresholds of the next positions as can be made certain.

use richman_core::{
    ByPlayer, Error as CoreError, Holding, MatchCounts, Mechanism, Node, Parity, ParityPlan, ParitySolution, Player,
    Threshold, Total, Unfolding,
};
use richman_solvers::parity::ParityPlans;

use crate::{EndlessInsight, EndlessRank, EndlessWorth, PlayersHolding};

/// What Alice needs to win at every position, and how both players do.
pub struct ParityInsight {
    /// The game.
    pub unfolding: Box<dyn Unfolding<Parity>>,
    /// What Alice needs.
    pub solution: ParitySolution,
    /// Both players' plans.
    pub plans: ByPlayer<ParityPlans>,
}

richman_core::debug_by_name!(ParityInsight {});

impl ParityInsight {
    /// The player's chips beyond the threshold.
    fn surplus(&self, node: Node, PlayersHolding { player, chips, star }: PlayersHolding) -> EndlessRank {
        let needed = self.solution.needed(player, node);
        let needed = if star && self.solution.mechanism.has_star() { needed.star } else { needed.plain };
        (i64::from(chips) - i64::from(needed), 0)
    }
}

impl EndlessInsight for ParityInsight {
    fn mechanism(&self) -> &Mechanism {
        &self.solution.mechanism
    }

    fn total(&self) -> Total {
        self.solution.total
    }

    fn bytes(&self) -> u64 {
        let of = |plans: &ParityPlans| plans.len() * size_of::<[Option<ParityPlan>; 2]>();
        let thresholds = self.solution.thresholds.len() * size_of::<Threshold>();
        self.unfolding.bytes() + (thresholds + self.plans.iter().map(of).sum::<usize>()) as u64
    }

    fn node(&self, position: &str, _: &MatchCounts) -> Result<Node, CoreError> {
        self.unfolding.node(position)
    }

    fn sure(&self, node: Node, player: Player, own: Holding) -> EndlessWorth {
        if self.solution.needed(player, node).is_met_by(own) { EndlessWorth::Win } else { EndlessWorth::Loss }
    }

    fn plan(&self, node: Node, player: Player, own: Holding) -> Option<&ParityPlan> {
        let plan = self.plans[player][node as usize][usize::from(own.has_star())].as_ref();
        plan.filter(|_| self.solution.needed(player, node).is_met_by(own))
    }

    fn goal(&self, _: Node, _: Player, _: Holding) -> Option<EndlessRank> {
        None
    }

    fn after_moves(&self, node: Node, mover: Player, holds: PlayersHolding, visit: &mut dyn FnMut(EndlessRank)) {
        self.unfolding.arena().labelled(node, mover).for_each(|(to, ())| visit(self.surplus(to, holds)));
    }

    fn named_moves(
        &self,
        position: &str,
        _: &MatchCounts,
        holds: PlayersHolding,
    ) -> Result<Vec<(String, Node, EndlessRank)>, CoreError> {
        let steps = self.unfolding.steps(position, holds.player)?.into_iter();
        Ok(steps.map(|step| (step.step.name, step.step.to, self.surplus(step.step.to, holds))).collect())
    }
}
