//! The long-run average with real money where one player has all of it.

use dashu_ratio::RBig;
use richman_core::{
    ByPlayer, ChipPayoffs, Effort, Holding, MeanPayoffArena, Mechanism, Node, PayoffBounds, Player, Rate, Share, Total,
};
use richman_solvers::{mean_payoff, without_money};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::{AveragesByHolding, ends};
use crate::json::OneOrTwo;
use crate::{Error, NumberJson};

/// The average where one player has all the money, by who holds the star. Without a star both
/// numbers are the same.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct OneSidedAverage {
    /// If Alice holds the star.
    #[serde(serialize_with = "one_or_two")]
    #[schemars(with = "OneOrTwo<NumberJson>")]
    pub star_alice: PayoffBounds,
    /// If Bob holds the star.
    #[serde(serialize_with = "one_or_two")]
    #[schemars(with = "OneOrTwo<NumberJson>")]
    pub star_bob: PayoffBounds,
    /// What the average from all positions comes near to as the share comes near to this one; with
    /// Richman payment the average for every share strictly between 0 and 1.
    #[serde(serialize_with = "one_or_two")]
    #[schemars(with = "OneOrTwo<NumberJson>")]
    pub nearby: PayoffBounds,
}

impl OneSidedAverage {
    /// Whether the average is known for each holder of the star.
    pub fn is_exact(&self) -> bool {
        self.star_alice.as_exact().is_some() && self.star_bob.as_exact().is_some()
    }

    /// Bounds for both holders of the star.
    pub fn whole(&self) -> PayoffBounds {
        let OneSidedAverage { star_alice, star_bob, .. } = self;
        let low = (&star_alice.low).min(&star_bob.low).clone();
        PayoffBounds { low, high: (&star_alice.high).max(&star_bob.high).clone() }
    }
}

fn one_or_two<S: Serializer>(average: &PayoffBounds, serializer: S) -> Result<S::Ok, S::Error> {
    let ends = ends(average);
    if average.as_exact().is_some() { ends[0].serialize(serializer) } else { ends.serialize(serializer) }
}

/// The player without money, if part of the bids of the other is paid to them.
fn paid(mechanism: &Mechanism, share: &Share) -> Option<Player> {
    let poor = match share {
        share if *share == Share::ZERO => Player::Alice,
        share if *share == Share::ONE => Player::Bob,
        _ => return None,
    };
    (mechanism.payment.rate() != Rate::POORMAN).then_some(poor)
}

/// Whether one player has all the money and pays part of it to the other, so that theorem 28 (mean
/// payoff with real money) of `docs/design.md` says nothing about one of them.
pub(super) fn is_one_sided(mechanism: &Mechanism, share: &Share) -> bool {
    paid(mechanism, share).is_some()
}

/// The averages of the game with no chips, where one player has all the money.
pub(super) struct OneSided {
    poor: Player,
    averages: ChipPayoffs,
}

impl OneSided {
    /// `None` if both have money, or all of a bid goes to the bank: then theorem 28 (mean payoff
    /// with real money) of `docs/design.md` holds.
    pub fn new(
        arena: &MeanPayoffArena,
        mechanism: &Mechanism,
        share: &Share,
        effort: &Effort,
    ) -> Result<Option<OneSided>, Error> {
        let Some(poor) = paid(mechanism, share) else { return Ok(None) };
        let Some(rules) = without_money::with_no_chips(mechanism, poor) else { return Ok(None) };
        let until = effort.until();
        let averages = mean_payoff::chips(arena, &rules, Total::new(0)?, &Effort { watch: &until, ..*effort })?;
        Ok(Some(OneSided { poor, averages }))
    }

    /// From the averages nearby: who has all the money can come to them by any bid above 0.
    fn average(&self, node: Node, star: Player, nearby: &PayoffBounds) -> PayoffBounds {
        let has_star = self.averages.mechanism.has_star();
        let held = if has_star { without_money::holding(star) } else { Holding::from_half_steps(0) };
        // Every holding of the total has an average.
        let without = self.averages.average(node, held).cloned().unwrap_or_default();
        let with = |one: &RBig| match self.poor {
            Player::Alice => one.min(&without).clone(),
            Player::Bob => one.max(&without).clone(),
        };
        PayoffBounds { low: with(&nearby.low), high: with(&nearby.high) }
    }

    pub fn report(&self, node: Node, nearby: &PayoffBounds) -> OneSidedAverage {
        let ByPlayer { alice, bob } = ByPlayer::from_fn(|star| self.average(node, star, nearby));
        OneSidedAverage { star_alice: alice, star_bob: bob, nearby: nearby.clone() }
    }

    /// The averages of Alice without the star and with it; `None` if only bounds are known.
    pub fn by_holding(&self, node: Node, nearby: &PayoffBounds) -> Option<AveragesByHolding> {
        let of = |star: Player| {
            let average = self.average(node, star, nearby).as_exact().cloned()?;
            Some(vec![(0, 0, NumberJson(average))])
        };
        let star = if self.averages.mechanism.has_star() { of(Player::Alice)? } else { Vec::new() };
        Some(AveragesByHolding { plain: of(Player::Bob)?, star })
    }
}
