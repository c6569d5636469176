//! The long-run average with real money.

use dashu_ratio::RBig;
use richman_check::verify;
use richman_core::{
    ByPlayer, Choice, Effort, MeanPayoff, MeanPayoffSolution, Mechanism, Node, PayoffBounds, Player, Potentials, Share,
    StopReason, Unfolding,
};
use richman_solvers::{mean_payoff, registry};
use schemars::JsonSchema;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::claims::{MeanPayoffClaim, PotentialValue};
use super::one_sided::{self, OneSided, OneSidedAverage};
use super::{AveragesByHolding, ends, refusal};
use crate::ask::Saving;
use crate::json::OneOrTwo;
use crate::kinds::Report;
use crate::kinds::{Kind, ProvableClaim, Solved};
use crate::positions::{PositionRow, PositionWorth, Positions};
use crate::saved::{ProvedClaim, SavingFault, at_every_position, by_node, named, with_game};
use crate::tree::{TreeOptions, TreeReport};
use crate::{Error, NumberJson, Question, ReportHead, Request, ShareJson, Stake, Subject};

/// The long-run average with real money.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(transform = crate::json::shares::described)]
pub struct AverageReport {
    /// Game, position and mechanism.
    #[serde(flatten)]
    pub head: ReportHead,
    /// Alice's share of the money.
    pub share: ShareJson,
    /// The average that Alice can be sure of, and the one that Bob can hold her to, from every
    /// position: they come as close to it as they like, and perhaps do not reach it.
    #[serde(flatten, serialize_with = "averages")]
    #[schemars(!flatten, with = "OneOrTwo<NumberJson>")]
    pub average: PayoffBounds,
    /// Whether both are the same.
    pub exact: bool,
    /// Whether the average is the same for every share strictly between 0 and 1.
    pub any_share: bool,
    /// If one player has all the money and a part of a bid goes to the other: the average by who
    /// wins ties, for this position alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub one_sided: Option<OneSidedAverage>,
    /// The moves with which the players are sure of it.
    #[serde(serialize_with = "richman_formats::by_player::serialize")]
    #[schemars(schema_with = "richman_formats::by_player::schema::<Vec<String>>")]
    pub moves: ByPlayer<Vec<String>>,
    /// Whether the winner of the bid should let the other player move.
    pub zugzwang: bool,
    /// The number of positions; symmetric ones count once.
    pub positions: usize,
    /// Why the solver stopped.
    pub stop: String,
}

impl AverageReport {
    /// How far apart the bounds are; with all the money on one side those for either holder of the
    /// star.
    pub(crate) fn width(&self) -> f64 {
        let width = |bounds: &PayoffBounds| NumberJson(bounds.high.clone() - bounds.low.clone()).to_f64();
        match &self.one_sided {
            Some(OneSidedAverage { star_alice, star_bob, .. }) => width(star_alice).max(width(star_bob)),
            None => width(&self.average),
        }
    }

    /// The least and the greatest that the average can be.
    pub fn bounds(&self) -> [NumberJson; 2] {
        ends(&self.average)
    }
}

/// Writes `average`, which is one number or two, `average_bounds` and `average_decimals`.
fn averages<S: Serializer>(average: &PayoffBounds, serializer: S) -> Result<S::Ok, S::Error> {
    let bounds = ends(average);
    let mut map = serializer.serialize_map(Some(3))?;
    match average.as_exact() {
        Some(_) => map.serialize_entry("average", &bounds[0])?,
        None => map.serialize_entry("average", &bounds)?,
    }
    map.serialize_entry("average_bounds", &bounds)?;
    map.serialize_entry("average_decimals", &bounds.each_ref().map(NumberJson::to_f64))?;
    map.end()
}

/// A mean-payoff game solved with real money.
pub(crate) struct AverageWithMoney {
    unfolding: Box<dyn Unfolding<MeanPayoff>>,
    solution: MeanPayoffSolution,
    one_sided: Option<OneSided>,
}

impl AverageWithMoney {
    fn request(&self) -> Request<'_, MeanPayoff> {
        let effort = Effort::default();
        Request { unfolding: self.unfolding.as_ref(), mechanism: &self.solution.mechanism, effort }
    }

    fn potential(&self, node: Node) -> RBig {
        let Potentials { numerators, denominator } = &self.solution.potentials;
        RBig::from_parts(numerators[node as usize].clone(), denominator.clone())
    }

    /// The report on the start. The moves are those that the proof of the bounds makes.
    fn report(&self) -> AverageReport {
        let MeanPayoffSolution { mechanism, share, value, stop, .. } = &self.solution;
        let start = self.unfolding.arena().start();
        let after = |player: Player| {
            let moves = self.unfolding.moves(start, player).into_iter();
            let worth = moves.map(|step| (self.potential(step.to) + RBig::from(step.label), step.name));
            let worth: Vec<(RBig, String)> = worth.collect();
            let all = worth.iter().map(|(worth, _)| worth);
            let best = if player == Player::Alice { all.max() } else { all.min() }.cloned();
            let kept = best.clone();
            let names = worth.into_iter().filter(|(worth, _)| Some(worth) == kept.as_ref()).map(|(_, name)| name);
            (best, names.collect::<Vec<_>>())
        };
        let ((alice, alices), (bob, bobs)) = (after(Player::Alice), after(Player::Bob));
        let one_sided = self.one_sided.as_ref().map(|found| found.report(start, value));
        let average = one_sided.as_ref().map_or_else(|| value.clone(), OneSidedAverage::whole);
        // The potentials are about shares strictly between 0 and 1.
        let (alice, bob) = if one_sided.is_some() { (None, None) } else { (alice, bob) };
        let mut how = match stop {
            StopReason::Proved => "proved by potentials",
            StopReason::TimeUp => "bounds proved by potentials; the time was up",
            _ => "bounds proved by potentials",
        }
        .to_string();
        if one_sided.is_some() {
            how += "; bids of 0 by strategies that cannot be improved";
        }
        AverageReport {
            head: self.request().head(),
            share: ShareJson(share.clone()),
            exact: average.as_exact().is_some(),
            average,
            any_share: mechanism.payment.rate().is_richman() && one_sided.is_none(),
            moves: if one_sided.is_some() { ByPlayer::default() } else { ByPlayer::new(alices, bobs) },
            one_sided,
            zugzwang: alice.zip(bob).is_some_and(|(alice, bob)| alice < bob),
            positions: self.unfolding.arena().len(),
            stop: how,
        }
    }
}

impl Kind for AverageWithMoney {
    type Objective = MeanPayoff;

    const TAKES: &'static [Choice] = &[Choice::SHARE];

    const HAS_THRESHOLDS: bool = false;

    fn is_asked(question: &Question) -> bool {
        question.at_least.is_none() && matches!(question.stake, Stake::Money)
    }

    fn refusal(choice: Choice) -> Option<Error> {
        refusal(choice)
    }

    fn serves(question: &Question) -> Result<(), Error> {
        Ok(registry::money(&question.mechanism).map(drop)?)
    }

    fn solve(
        unfolding: Box<dyn Unfolding<MeanPayoff>>,
        question: &Question,
        effort: &Effort,
    ) -> Result<(Report, Option<AverageWithMoney>), Error> {
        let mechanism = &question.mechanism;
        let share = question.share.clone().unwrap_or(Share::dyadic(1, 1));
        let solution = mean_payoff::money(unfolding.arena(), mechanism, &share, effort)?;
        let one_sided = OneSided::new(unfolding.arena(), mechanism, &share, effort)?;
        let solved = AverageWithMoney { unfolding, solution, one_sided };
        Ok((Report::Average(Box::new(solved.report())), Some(solved)))
    }

    fn tree(_: &Subject, _: &Question, _: &TreeOptions, _: &Effort) -> Result<(String, TreeReport), Error> {
        Err(Error::TreeOfAverage)
    }
}

impl Solved for AverageWithMoney {
    fn positions(&self) -> Option<Positions<'_>> {
        let count = self.unfolding.arena().len() as Node;
        Some(Positions::of(self.unfolding.game(), count, move |node| {
            let by_star = self.one_sided.as_ref().and_then(|found| found.by_holding(node, &self.solution.value));
            let worth = match by_star {
                Some(AveragesByHolding { plain, star }) if star.is_empty() || star == plain => {
                    PositionWorth::Average { average: plain[0].2.clone() }
                }
                Some(averages) => PositionWorth::Averages { averages, credits: None },
                None => PositionWorth::Potential { potential: NumberJson(self.potential(node)) },
            };
            PositionRow { position: self.unfolding.notation(node), end: None, worth }
        }))
    }

    fn saving(self: Box<Self>, subject: &Subject, effort: &Effort) -> Result<Option<Saving>, Error> {
        if self.one_sided.is_some() {
            return Err(Error::OneSidedAverage);
        }
        let MeanPayoffSolution { share, value, potentials, .. } = &self.solution;
        let numerators = &potentials.numerators;
        let claim = |node: Node| PotentialValue {
            position: self.unfolding.notation(node),
            numerator: numerators[node as usize].clone(),
        };
        let claim = MeanPayoffClaim {
            share: share.clone(),
            average: value.clone(),
            denominator: potentials.denominator.clone(),
            positions: at_every_position(self.unfolding.as_ref(), effort, claim)?,
        };
        let saved = with_game(subject, &self.request(), claim);
        Ok(Some(Saving::new(saved)))
    }
}

impl ProvableClaim for MeanPayoffClaim {
    type Objective = MeanPayoff;
    type Compact = MeanPayoffClaim;

    fn serves(&self, mechanism: &Mechanism) -> Result<(), Error> {
        Ok(registry::money(mechanism).map(drop)?)
    }

    fn positions(&self) -> usize {
        self.positions.len()
    }

    fn describe(&self, proved: &mut ProvedClaim) -> usize {
        proved.share = Some(ShareJson(self.share.clone()));
        proved.average_bounds = Some(ends(&self.average));
        if self.average.as_exact().is_some() { self.positions.len() } else { 0 }
    }

    fn prove(
        MeanPayoffClaim { share, average, denominator, positions }: MeanPayoffClaim,
        unfolding: &dyn Unfolding<MeanPayoff>,
        mechanism: &Mechanism,
        effort: &Effort,
    ) -> Result<(), SavingFault> {
        if one_sided::is_one_sided(mechanism, &share) {
            return Err(SavingFault::Claim(
                "potentials prove no average where one player has all the money".to_string(),
            ));
        }
        let potentials = Potentials {
            numerators: by_node(unfolding, positions.into_iter().map(|value| (value.position, value.numerator)))?,
            denominator,
        };
        let stop = StopReason::Proved;
        let claimed = MeanPayoffSolution { mechanism: mechanism.clone(), share, value: average, potentials, stop };
        verify::mean_payoff(unfolding.arena(), &claimed, effort.watch).map_err(|flaw| named(unfolding, flaw))
    }
}
