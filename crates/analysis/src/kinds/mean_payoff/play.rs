//! How to play a mean-payoff game with chips. The player makes certain that the average of the next
//! position and holding is no worse and, if it is the same, that the potential pays for what the
//! move lacks. So the long-run average is never lost.

use richman_core::{
    ChipPayoffs, Error as CoreError, Holding, MatchCounts, MeanPayoff, Mechanism, Node, ParityPlan, PayoffBounds,
    Player, Total, Unfolding,
};

use crate::{EndlessInsight, EndlessRank, EndlessWorth, PlayersHolding};

/// The long-run average at every position, for every holding.
pub struct AveragesInsight {
    /// The game.
    pub unfolding: Box<dyn Unfolding<MeanPayoff>>,
    /// The averages.
    pub solution: ChipPayoffs,
}

richman_core::debug_by_name!(AveragesInsight {});

impl AveragesInsight {
    /// The number of the average, and the potential with what a move of that weight adds to it.
    fn rank(
        &self,
        node: Node,
        PlayersHolding { player, chips, star }: PlayersHolding,
        weight: Option<i64>,
    ) -> EndlessRank {
        let solution = &self.solution;
        let (alice, star) = player.either((chips, star), (solution.total.chips() - chips, !star));
        let at = solution.configurations().index(node, alice, star);
        let rank = solution.ranks[at];
        let average = &solution.averages[rank as usize];
        // Both parts have at most 128 bits, or the averages could not be proved.
        let [numerator, denominator] = [average.numerator().try_into(), i128::try_from(average.denominator().clone())]
            .map(|part| part.unwrap_or(0));
        let gain = weight.map_or(0, |weight| i128::from(weight).saturating_mul(denominator).saturating_sub(numerator));
        let worth = (i64::from(rank), gain.saturating_add(solution.potentials[player][at]));
        player.either(worth, (-worth.0, worth.1.saturating_neg()))
    }
}

impl EndlessInsight for AveragesInsight {
    fn mechanism(&self) -> &Mechanism {
        &self.solution.mechanism
    }

    fn total(&self) -> Total {
        self.solution.total
    }

    fn bytes(&self) -> u64 {
        let each = size_of::<u32>() + 2 * size_of::<i128>();
        self.unfolding.bytes() + (self.solution.ranks.len() * each) as u64
    }

    fn node(&self, position: &str, _: &MatchCounts) -> Result<Node, CoreError> {
        self.unfolding.node(position)
    }

    fn sure(&self, node: Node, player: Player, own: Holding) -> EndlessWorth {
        let alice = if player == Player::Alice { Ok(own) } else { self.solution.total.rest(own) };
        let average = alice.ok().and_then(|alice| self.solution.average(node, alice)).cloned().unwrap_or_default();
        EndlessWorth::Average(PayoffBounds { low: average.clone(), high: average })
    }

    fn plan(&self, _: Node, _: Player, _: Holding) -> Option<&ParityPlan> {
        None
    }

    fn goal(&self, node: Node, player: Player, own: Holding) -> Option<EndlessRank> {
        let holds = PlayersHolding { player, chips: own.chips(), star: own.has_star() };
        Some(self.rank(node, holds, None))
    }

    fn after_moves(&self, node: Node, mover: Player, holds: PlayersHolding, visit: &mut dyn FnMut(EndlessRank)) {
        let moves = self.unfolding.arena().labelled(node, mover);
        moves.for_each(|(to, weight)| visit(self.rank(to, holds, Some(weight))));
    }

    fn named_moves(
        &self,
        position: &str,
        _: &MatchCounts,
        holds: PlayersHolding,
    ) -> Result<Vec<(String, Node, EndlessRank)>, CoreError> {
        let steps = self.unfolding.steps(position, holds.player)?.into_iter();
        let of = |to, weight| self.rank(to, holds, Some(weight));
        Ok(steps.map(|step| (step.step.name, step.step.to, of(step.step.to, step.step.label))).collect())
    }
}
