//! What a saved solution claims, in a few words: for the report of its proof.

use richman_core::{Mechanism, Purses, ShareBounds, Total};
use richman_formats::{MechanismJson, SolutionClaim};
use serde::{Serialize, Serializer};

use crate::ShareJson;
use crate::mean_payoff::NumberJson;

/// What was proved at every position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ProvedClaim {
    /// The kind of solution: the name of the claim in the file.
    pub claim: ProvedKind,
    /// The bidding mechanism.
    pub mechanism: MechanismJson,
    /// The totals of chips, if the claim is about some totals.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub totals: Vec<u32>,
    /// The purses, if the claim is about both purses.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "purses")]
    pub purses: Vec<Purses>,
    /// Alice's share of the money, if the claim is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<ShareJson>,
    /// The average that Alice wants, if the claim is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_least: Option<NumberJson>,
    /// The least and the greatest long-run average, if there is one for all positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub average_bounds: Option<[NumberJson; 2]>,
    /// Whether all numbers are exact, and no bounds.
    pub exact: bool,
    /// The number of positions at which all numbers are exact.
    pub exact_positions: usize,
}

/// The kind of a saved solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ProvedKind {
    /// Thresholds with real money.
    Money,
    /// What each player needs with a total of chips.
    Chips,
    /// The same for all totals.
    Rules,
    /// The same for all purses of a range.
    Purses,
    /// A parity game with chips.
    Parity,
    /// A parity game with real money.
    ParityMoney,
    /// A long-run average with real money.
    MeanPayoff,
    /// The shares of the money that Alice needs for a long-run average.
    MeanPayoffShares,
    /// Long-run averages with chips.
    MeanPayoffChips,
}

fn purses<S: Serializer>(purses: &[Purses], serializer: S) -> Result<S::Ok, S::Error> {
    let words = |purses: &Purses| match purses {
        Purses::UpTo { alice, bob } => format!("up to {alice} and {bob}"),
        Purses::Together(total) => format!("together up to {total}"),
        Purses::Exactly(total) => format!("exactly {total}"),
    };
    serializer.collect_seq(purses.iter().map(words))
}

impl ProvedClaim {
    /// Nothing at no position.
    pub(super) fn none(mechanism: &Mechanism) -> ProvedClaim {
        ProvedClaim {
            claim: ProvedKind::Money,
            mechanism: mechanism.into(),
            totals: Vec::new(),
            purses: Vec::new(),
            share: None,
            at_least: None,
            average_bounds: None,
            exact: true,
            exact_positions: 0,
        }
    }

    pub(super) fn of(mechanism: &Mechanism, claim: &SolutionClaim) -> ProvedClaim {
        let is_exact = |bounds: &ShareBounds| bounds.as_exact().is_some();
        let chips = |total: Total| total.chips();
        let mut proved = ProvedClaim::none(mechanism);
        // The numbers of positions, and of those with exact numbers.
        let all = |count: usize| [count; 2];
        let [positions, exact] = match claim {
            SolutionClaim::Money { positions, .. } => {
                let both = positions.iter().filter(|value| is_exact(&value.win) && is_exact(&value.draw));
                [positions.len(), both.count()]
            }
            SolutionClaim::Chips { totals } => {
                proved.claim = ProvedKind::Chips;
                proved.totals = totals.iter().map(|claim| chips(claim.total)).collect();
                all(totals.first().map_or(0, |claim| claim.positions.len()))
            }
            SolutionClaim::Rules(claim) => {
                proved.claim = ProvedKind::Rules;
                all(claim.positions.len())
            }
            SolutionClaim::Purses { ranges } => {
                proved.claim = ProvedKind::Purses;
                proved.purses = ranges.iter().map(|claim| claim.purses).collect();
                all(ranges.first().map_or(0, |claim| claim.positions.len()))
            }
            SolutionClaim::Parity { totals } => {
                proved.claim = ProvedKind::Parity;
                proved.totals = totals.iter().map(|claim| chips(claim.total)).collect();
                all(totals.first().map_or(0, |claim| claim.positions.len()))
            }
            SolutionClaim::ParityMoney { positions, .. } => {
                proved.claim = ProvedKind::ParityMoney;
                [positions.len(), positions.iter().filter(|value| is_exact(&value.needs)).count()]
            }
            SolutionClaim::MeanPayoff(claim) => {
                proved.claim = ProvedKind::MeanPayoff;
                proved.share = Some(ShareJson(claim.share.clone()));
                let bounds = [&claim.average.low, &claim.average.high];
                proved.average_bounds = Some(bounds.map(|end| NumberJson(end.clone())));
                let count = claim.positions.len();
                [count, if claim.average.as_exact().is_some() { count } else { 0 }]
            }
            SolutionClaim::PayoffShares(claim) => {
                proved.claim = ProvedKind::MeanPayoffShares;
                proved.at_least = Some(NumberJson(claim.least.clone()));
                [claim.positions.len(), claim.positions.iter().filter(|value| is_exact(&value.needs)).count()]
            }
            SolutionClaim::ChipAverages(claim) => {
                proved.claim = ProvedKind::MeanPayoffChips;
                proved.totals = vec![chips(claim.total)];
                all(claim.positions.len())
            }
        };
        ProvedClaim { exact: exact == positions, exact_positions: exact, ..proved }
    }
}
