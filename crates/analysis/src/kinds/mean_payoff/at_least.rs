//! What Alice needs with real money for a long-run average.

use dashu_ratio::RBig;
use richman_check::verify;
use richman_core::{
    Bids, ByPlayer, Choice, Effort, MeanPayoff, MeanPayoffArena, Mechanism, Move, Node, PayoffThresholds, Player,
    Share, StopReason, Unfolding, Watch,
};
use richman_engine::{EvaluatedMove, Evaluation, Origin, Value};
use richman_solvers::{mean_payoff, registry, without_money};

use super::claims::{PayoffShareValue, PayoffSharesClaim};
use super::refusal;
use crate::ask::Saving;
use crate::kinds::Report;
use crate::kinds::{Kind, ProvableClaim, Solved, one_threshold};
use crate::money::{self, EndWins, MoneyReport, mark_progress, winning_stages};
use crate::positions::{PositionRow, Positions};
use crate::saved::{ProvedClaim, SavingFault, at_every_position, by_node, named, same, with_game};
use crate::tree::{Progress, TreeOptions, TreeReport, TreeValues, Worths};
use crate::{BoundsJson, Error, NumberJson, Question, ReportHead, Request, Stake, Subject};

/// A mean-payoff game in which Alice wants an average, solved with real money.
pub(crate) struct AtLeastWithMoney {
    unfolding: Box<dyn Unfolding<MeanPayoff>>,
    solution: PayoffThresholds,
    at_end: EndWins,
}

impl AtLeastWithMoney {
    fn request(&self) -> Request<'_, MeanPayoff> {
        let effort = Effort::default();
        Request { unfolding: self.unfolding.as_ref(), mechanism: &self.solution.mechanism, effort }
    }

    fn value(&self, node: Node) -> Value {
        let needs = self.solution.thresholds[node as usize].clone();
        Value::Money { win: needs.clone(), draw: needs }
    }

    fn is_closed(&self, node: Node) -> bool {
        let arena = self.unfolding.arena();
        arena.is_closed(arena.components().component(node) as usize)
    }

    /// The moves at the start. Where play stays they do not decide what is needed.
    fn after(&self, watch: &dyn Watch) -> Result<ByPlayer<Vec<EvaluatedMove>>, Error> {
        let arena = self.unfolding.arena();
        let (start, components) = (arena.start(), arena.components());
        if self.is_closed(start) {
            return Ok(ByPlayer::default());
        }
        let one = |step: Move<MeanPayoff>| EvaluatedMove {
            target: Some(step.to),
            ..EvaluatedMove::new(step.name, self.value(step.to))
        };
        let mut after: ByPlayer<Vec<EvaluatedMove>> =
            ByPlayer::from_fn(|player| self.unfolding.moves(start, player).into_iter().map(one).collect());
        if components.is_cyclic(components.component(start) as usize) {
            for player in Player::BOTH {
                let stages = stages(arena, &self.solution, player, watch)?;
                mark_progress(arena, start, &stages, &mut after[player]);
            }
        }
        Ok(after)
    }

    /// The report on the start: there are no draws, so both thresholds are the same.
    ///
    /// # Errors
    /// `Cancelled`.
    fn report(&self, watch: &dyn Watch) -> Result<MoneyReport, Error> {
        let PayoffThresholds { least, thresholds, stop, .. } = &self.solution;
        let how = match stop {
            StopReason::Proved => "proved by potentials and bids",
            StopReason::TimeUp => "bounds proved by potentials and bids; the time was up",
            _ => "bounds proved by potentials and bids",
        };
        let exact = thresholds.iter().filter(|bounds| bounds.as_exact().is_some()).count() as u64;
        let origin = Origin { exact_positions: Some(exact), ..Origin::exact(how.to_string(), thresholds.len() as u64) };
        let here = self.value(self.unfolding.arena().start());
        let evaluation = Evaluation { here, after: self.after(watch)?, origin };
        let head = ReportHead { at_least: Some(NumberJson(least.clone())), ..self.request().head() };
        Ok(MoneyReport { at_end: self.at_end, ..money::of_evaluation(head, &evaluation) })
    }
}

impl Kind for AtLeastWithMoney {
    type Objective = MeanPayoff;

    const TAKES: &'static [Choice] = &[Choice::AT_LEAST];

    fn is_asked(question: &Question) -> bool {
        question.at_least.is_some() && matches!(question.stake, Stake::Money)
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
    ) -> Result<(Report, Option<AtLeastWithMoney>), Error> {
        let (arena, mechanism, least) = (unfolding.arena(), &question.mechanism, wanted(question)?);
        let solution = mean_payoff::at_least(arena, mechanism, least, effort)?;
        let thresholds = &solution.thresholds;
        let needs = BoundsJson(thresholds[arena.start() as usize].clone());
        let at_end = money::of_one_threshold(&needs, effort, |poor, end, effort| {
            let is_enough = |node: Node| thresholds[node as usize].as_exact() == Some(end);
            without_money::at_least(arena, mechanism, (poor, least), &is_enough, effort)
        })?;
        let solved = AtLeastWithMoney { unfolding, solution, at_end };
        Ok((Report::Money(Box::new(solved.report(effort.watch)?)), Some(solved)))
    }

    fn has_tree(question: &Question) -> bool {
        question.mechanism.bids == Bids::All
    }

    fn tree(
        subject: &Subject,
        question: &Question,
        choices: &TreeOptions,
        effort: &Effort,
    ) -> Result<(String, TreeReport), Error> {
        let least = wanted(question)?;
        one_threshold::tree(subject, question, choices, effort, |unfolding: &dyn Unfolding<MeanPayoff>, effort| {
            let arena = unfolding.arena();
            let solved = mean_payoff::at_least(arena, &question.mechanism, least, effort)?;
            let mut near = ByPlayer::both(Vec::new());
            for player in Player::BOTH {
                near[player] = stages(arena, &solved, player, effort.watch)?;
            }
            let worths = Worths::Bounds(solved.thresholds);
            Ok(TreeValues { worths, progress: Progress::Stages(near), stays: stays(arena) })
        })
    }
}

impl Solved for AtLeastWithMoney {
    fn positions(&self) -> Option<Positions<'_>> {
        let count = self.unfolding.arena().len() as Node;
        Some(Positions::of(self.unfolding.game(), count, move |node| {
            let worth = one_threshold::worth_in_money(self.solution.thresholds[node as usize].clone());
            PositionRow { position: self.unfolding.notation(node), end: None, worth }
        }))
    }

    fn saving(self: Box<Self>, subject: &Subject, effort: &Effort) -> Result<Option<Saving>, Error> {
        let PayoffThresholds { least, thresholds, potentials, .. } = &self.solution;
        let claim = |node: Node| PayoffShareValue {
            position: self.unfolding.notation(node),
            needs: thresholds[node as usize].clone(),
            potentials: potentials.as_ref().map(|of| of[node as usize].clone()),
        };
        let needs = thresholds[self.unfolding.arena().start() as usize].clone();
        let positions = at_every_position(self.unfolding.as_ref(), effort, claim)?;
        let claim = PayoffSharesClaim { least: least.clone(), needs, positions };
        let saved = with_game(subject, &self.request(), claim);
        Ok(Some(Saving::new(saved)))
    }
}

/// The average that Alice wants.
pub(super) fn wanted(question: &Question) -> Result<&RBig, Error> {
    question.at_least.as_ref().map(|least| &least.0).ok_or(Error::TreeOfAverage)
}

/// For each position whether play cannot leave its component, so that no move decides.
pub(super) fn stays(arena: &MeanPayoffArena) -> Vec<bool> {
    let components = arena.components();
    let closed: Vec<bool> = (0..components.len()).map(|index| arena.is_closed(index)).collect();
    arena.nodes().map(|node| closed[components.component(node) as usize]).collect()
}

/// How near each position is, for a player, to a component that play cannot leave and where the
/// player has the average.
fn stages(
    arena: &MeanPayoffArena,
    solution: &PayoffThresholds,
    player: Player,
    watch: &dyn Watch,
) -> Result<Vec<Option<u32>>, richman_core::Error> {
    let stays = stays(arena);
    let bounds = |node: Node| solution.thresholds[node as usize].clone();
    let is_won = |node: Node| {
        let hopeless = player.either(bounds(node).high == Share::ONE, bounds(node).low == Share::ZERO);
        stays[node as usize] && !hopeless
    };
    winning_stages(arena, solution.mechanism.payment.rate(), bounds, player, is_won, watch)
}

impl ProvableClaim for PayoffSharesClaim {
    type Objective = MeanPayoff;
    type Compact = PayoffSharesClaim;

    fn serves(&self, mechanism: &Mechanism) -> Result<(), Error> {
        Ok(registry::money(mechanism).map(drop)?)
    }

    fn positions(&self) -> usize {
        self.positions.len()
    }

    fn describe(&self, proved: &mut ProvedClaim) -> usize {
        proved.at_least = Some(NumberJson(self.least.clone()));
        self.positions.iter().filter(|value| value.needs.as_exact().is_some()).count()
    }

    fn prove(
        PayoffSharesClaim { least, needs, positions }: PayoffSharesClaim,
        unfolding: &dyn Unfolding<MeanPayoff>,
        mechanism: &Mechanism,
        effort: &Effort,
    ) -> Result<(), SavingFault> {
        let values = positions.into_iter().map(|value| (value.position, (value.needs, value.potentials)));
        let (thresholds, potentials): (Vec<_>, Vec<_>) = by_node(unfolding, values)?.into_iter().unzip();
        let (alice, bob) = potentials.into_iter().map(|ByPlayer { alice, bob }| (alice, bob)).unzip();
        let potentials = ByPlayer::new(alice, bob);
        same("win", &needs, &thresholds[unfolding.arena().start() as usize])?;
        let (mechanism, stop) = (mechanism.clone(), StopReason::Proved);
        let claimed = PayoffThresholds { mechanism, least, thresholds, potentials, stop };
        verify::payoff_thresholds(unfolding.arena(), &claimed, effort.watch).map_err(|flaw| named(unfolding, flaw))
    }
}
