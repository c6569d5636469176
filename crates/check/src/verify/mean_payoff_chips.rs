//! Mean payoff with chips: potentials prove the average of every position and holding in one pass.
//!
//! **Why.** At every configuration Alice has a bid after which the claimed average is at least as
//! large, however the bid ends and whatever Bob does. If it is equal, the weight plus the change in
//! her potential is at least the average. The averages cannot rise forever. So from some turn on
//! they are constant, and the total shortfall of the weights below the average is bounded. Bob has
//! a bid after which the opposite holds. Theorem 29 (mean payoff with chips) of `docs/design.md`.

use dashu_ratio::RBig;
use richman_core::{
    ByPlayer, ChipPayoffs, Configurations, MeanPayoffArena, Mechanism, Node, Payment, Player, Total, Turn, Watch,
};

use super::{Flaw, at, watched};

/// Proves the averages of a mean-payoff game with chips.
///
/// # Errors
/// The first [`Flaw`].
pub fn mean_payoff_chips(arena: &MeanPayoffArena, claim: &ChipPayoffs, watch: &dyn Watch) -> Result<(), Flaw> {
    let ChipPayoffs { mechanism, averages, ranks, potentials, .. } = claim;
    let configurations = claim.configurations();
    let per_position = configurations.per_position();
    for claimed in [ranks.len(), potentials.alice.len(), potentials.bob.len()] {
        if claimed != arena.len() * per_position {
            return Err(Flaw::Size { claimed: claimed / per_position, actual: arena.len() });
        }
    }
    if mechanism.payment != Payment::Richman || !mechanism.is_ordered_by_chips() || !mechanism.is_determined() {
        return Err(Flaw::Unprovable("one average needs payment richman, 0 among the bids, and determined play"));
    }
    if !averages.is_sorted_by(|one, next| one < next) {
        return Err(Flaw::Unprovable("the averages are not in ascending order"));
    }
    let part = |average: &RBig| -> Option<[i128; 2]> {
        Some([average.numerator().try_into().ok()?, average.denominator().try_into().ok()?])
    };
    let Some(parts) = averages.iter().map(part).collect::<Option<Vec<[i128; 2]>>>() else {
        return Err(Flaw::Unprovable("an average with more than 128 bits"));
    };
    let turn = WeightedTurn { arena, mechanism, total: claim.total };
    let proof = PayoffProof { turn, claim, configurations, parts };
    arena.nodes().try_for_each(|node| proof.check_order(node))?;
    for node in arena.nodes() {
        watched(watch, "averages", node, arena)?;
        for &star in configurations.stars() {
            for chips in 0..=claim.total.chips() {
                for player in Player::BOTH {
                    proof.check(node, chips, star, player)?;
                }
            }
        }
    }
    Ok(())
}

/// One turn by its definition, from any configuration.
pub(super) struct WeightedTurn<'a> {
    pub arena: &'a MeanPayoffArena,
    pub mechanism: &'a Mechanism,
    pub total: Total,
}

impl WeightedTurn<'_> {
    /// Whether a player has a bid, or answers, after which every result is good: the number of the
    /// next configuration, with the weight of the move to it.
    pub(super) fn is_kept(
        &self,
        node: Node,
        chips: u32,
        star: bool,
        player: Player,
        is_good: impl Fn(usize, i64) -> bool,
    ) -> bool {
        let configurations = Configurations::new(self.mechanism, self.total);
        let total = self.total.chips();
        let follows = |own: u32, own_star: bool, mover: Player| {
            let (alice, star) = player.either((own, own_star), (total - own, !own_star));
            let mut moves = self.arena.labelled(node, mover);
            let is_good = |(to, weight)| is_good(configurations.index(to, alice, star), weight);
            if mover == player { moves.any(is_good) } else { moves.all(is_good) }
        };
        let (own, own_star) = player.either((chips, star), (total - chips, !star));
        if let Some(owner) = self.arena.owner(node) {
            return follows(own, own_star, owner);
        }
        let content = |won: bool, own: u32, _: u32, star: bool| {
            let by = |is_own: bool| follows(own, star, if is_own { player } else { player.other() });
            self.mechanism.right.sees_to(won, by)
        };
        Turn { mechanism: self.mechanism, player, own, other: total - own, star: own_star, content }.is_content()
    }
}

struct PayoffProof<'a> {
    turn: WeightedTurn<'a>,
    claim: &'a ChipPayoffs,
    configurations: Configurations,
    /// Numerator and denominator of each average.
    parts: Vec<[i128; 2]>,
}

impl PayoffProof<'_> {
    /// Checks that more chips never have a lower claimed value. Then the sets that players want to
    /// reach start at some number of chips, and few bids need checking.
    fn check_order(&self, node: Node) -> Result<(), Flaw> {
        let ChipPayoffs { ranks, potentials: ByPlayer { alice, bob }, .. } = self.claim;
        for &star in self.configurations.stars() {
            let start = self.configurations.index(node, 0, star);
            for more in start..=start + self.claim.total.chips() as usize {
                if ranks[more] as usize >= self.parts.len() {
                    return Err(at(node, "no such average".to_string()));
                }
                if more == start || ranks[more - 1] < ranks[more] {
                    continue;
                }
                if ranks[more - 1] > ranks[more] || alice[more - 1] > alice[more] || bob[more - 1] > bob[more] {
                    return Err(at(node, "more chips are said to be worth less".to_string()));
                }
            }
        }
        Ok(())
    }

    /// Checks that a player has a bid, or answers, after which every result is as good.
    fn check(&self, node: Node, chips: u32, star: bool, player: Player) -> Result<(), Flaw> {
        let from = self.configurations.index(node, chips, star);
        let is_good = |to: usize, weight: i64| self.is_good(from, to, weight, player);
        if self.turn.is_kept(node, chips, star, player, is_good) {
            return Ok(());
        }
        let average = &self.claim.averages[self.claim.ranks[from] as usize];
        let star = if star { "*" } else { "" };
        let what =
            format!("Alice has {chips}{star} chips, and {player} has no bid that keeps to an average of {average}");
        Err(at(node, what))
    }

    /// Whether a move between configurations is as good for the player as claimed.
    fn is_good(&self, from: usize, to: usize, weight: i64, player: Player) -> bool {
        let ranks = &self.claim.ranks;
        if ranks[from] != ranks[to] {
            return (ranks[to] > ranks[from]) == (player == Player::Alice);
        }
        let [numerator, denominator] = self.parts[ranks[from] as usize];
        let potentials = &self.claim.potentials[player];
        let change = || {
            let gain = i128::from(weight).checked_mul(denominator)?.checked_sub(numerator)?;
            gain.checked_add(potentials[to])?.checked_sub(potentials[from])
        };
        change().is_some_and(|change| player.either(change >= 0, change <= 0))
    }
}
