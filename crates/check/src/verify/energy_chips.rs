//! Least credits with chips, proved in one pass.
//!
//! **Why a credit suffices.** Alice has a bid after which she has the credit that the next
//! configuration needs, however the bid ends and whatever Bob does. **Why no less does.** Against
//! less Bob has a bid after which the shortfall grows, or stays while the stage falls, until she is
//! below 0; the shortfall is at most the greatest credit, and stages are whole numbers. **Why none
//! suffices.** The average is below 0.

use dashu_ratio::RBig;
use richman_core::{ChipCredits, Configurations, MeanPayoffArena, Node, Player, Watch};

use super::mean_payoff_chips::{WeightedTurn, mean_payoff_chips};
use super::{Flaw, at, watched};

/// Proves the least credits of a game with chips.
///
/// # Errors
/// The first [`Flaw`].
pub fn energy_chips(arena: &MeanPayoffArena, claim: &ChipCredits, watch: &dyn Watch) -> Result<(), Flaw> {
    let ChipCredits { mechanism, total, credits, stages, payoffs } = claim;
    if (mechanism, total) != (&payoffs.mechanism, &payoffs.total) {
        return Err(Flaw::Unprovable("the averages are those of another mechanism or total"));
    }
    mean_payoff_chips(arena, payoffs, watch)?;
    let configurations = Configurations::new(mechanism, *total);
    let per_position = configurations.per_position();
    for claimed in [credits.len(), stages.len()] {
        if claimed != arena.len() * per_position {
            return Err(Flaw::Size { claimed: claimed / per_position, actual: arena.len() });
        }
    }
    let turn = WeightedTurn { arena, mechanism, total: *total };
    let proof = CreditProof { turn, claim, configurations };
    arena.nodes().try_for_each(|node| proof.check_order(node))?;
    for node in arena.nodes() {
        watched(watch, "credits", node, arena)?;
        for &star in configurations.stars() {
            for chips in 0..=total.chips() {
                for player in Player::BOTH {
                    proof.check(node, chips, star, player)?;
                }
            }
        }
    }
    Ok(())
}

struct CreditProof<'a> {
    turn: WeightedTurn<'a>,
    claim: &'a ChipCredits,
    configurations: Configurations,
}

impl CreditProof<'_> {
    fn check_order(&self, node: Node) -> Result<(), Flaw> {
        let ChipCredits { credits, stages, payoffs, .. } = self.claim;
        let size = |credit: Option<i64>| credit.unwrap_or(i64::MAX);
        for &star in self.configurations.stars() {
            let start = self.configurations.index(node, 0, star);
            for more in start..=start + self.claim.total.chips() as usize {
                if credits[more].is_some_and(|credit| !(0..i64::MAX).contains(&credit)) {
                    return Err(at(node, "a credit is 0 or more".to_string()));
                }
                if credits[more].is_none() && payoffs.averages[payoffs.ranks[more] as usize] >= RBig::ZERO {
                    return Err(at(node, "a credit is missing where the average is not below 0".to_string()));
                }
                if more == start || size(credits[more - 1]) > size(credits[more]) {
                    continue;
                }
                if size(credits[more - 1]) < size(credits[more]) || stages[more - 1] > stages[more] {
                    return Err(at(node, "more chips are said to be worth less".to_string()));
                }
            }
        }
        Ok(())
    }

    /// Checks that Alice keeps to the credits, or that Bob does against less.
    fn check(&self, node: Node, chips: u32, star: bool, player: Player) -> Result<(), Flaw> {
        let from = self.configurations.index(node, chips, star);
        let Some(credit) = self.claim.credits[from] else { return Ok(()) };
        if player == Player::Bob && credit == 0 {
            return Ok(());
        }
        let is_good = |to: usize, weight: i64| {
            let left = i128::from(credit) + i128::from(weight);
            let Some(needed) = self.claim.credits[to] else { return player == Player::Bob };
            let nearer = || needed == 0 || self.claim.stages[to] < self.claim.stages[from];
            match (i128::from(needed), player) {
                (needed, Player::Alice) => needed <= left,
                (needed, Player::Bob) => needed > left || (needed == left && nearer()),
            }
        };
        if self.turn.is_kept(node, chips, star, player, is_good) {
            return Ok(());
        }
        let star = if star { "*" } else { "" };
        let what = player.either("may need more than", "does not always lose with less than");
        Err(at(node, format!("with {chips}{star} chips Alice {what} a credit of {credit}")))
    }
}
