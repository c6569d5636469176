//! What Alice needs with real money for a long-run average: reports, saved solutions, and their
//! proofs.

use dashu_ratio::RBig;
use richman_check::verify;
use richman_core::{
    ByPlayer, Effort, MeanPayoff, MeanPayoffArena, Mechanism, Move, Node, PayoffThresholds, Player, Share, StopReason,
    Unfolding, Watch,
};
use richman_engine::{EvaluatedMove, Evaluation, Origin, Value};
use richman_formats::{PayoffShareValue, PayoffSharesClaim, SavedSolution, SolutionClaim};
use richman_solvers::{mean_payoff, without_money};

use super::NumberJson;
use crate::money::{self, EndWins, MoneyReport, mark_progress, winning_stages};
use crate::parity::Endless;
use crate::positions::{PositionRow, PositionWorth, Positions};
use crate::saved::{SavingFault, at_every_position, by_node, named, same, with_game};
use crate::{BoundsJson, Error, ReportHead, Request, Subject};

/// A mean-payoff game in which Alice wants an average, solved with real money.
pub(crate) struct MeanPayoffAtLeast {
    unfolding: Box<dyn Unfolding<MeanPayoff>>,
    solution: PayoffThresholds,
    at_end: EndWins,
}

impl MeanPayoffAtLeast {
    /// Solves the game.
    ///
    /// # Errors
    /// `Unsupported`, `TooMuchMemory`, `OutOfTime` or `Cancelled`.
    pub fn new(
        unfolding: Box<dyn Unfolding<MeanPayoff>>,
        mechanism: &Mechanism,
        least: &RBig,
        effort: &Effort,
    ) -> Result<MeanPayoffAtLeast, Error> {
        let arena = unfolding.arena();
        let solution = mean_payoff::at_least(arena, mechanism, least, effort)?;
        let thresholds = &solution.thresholds;
        let needs = BoundsJson(thresholds[arena.start() as usize].clone());
        let at_end = money::of_one_threshold(&needs, effort, |poor, end, effort| {
            let is_enough = |node: Node| thresholds[node as usize].as_exact() == Some(end);
            without_money::at_least(arena, mechanism, (poor, least), &is_enough, effort)
        })?;
        Ok(MeanPayoffAtLeast { unfolding, solution, at_end })
    }

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
            place: Some(step.to),
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
    pub fn report(&self, watch: &dyn Watch) -> Result<MoneyReport, Error> {
        let PayoffThresholds { least, thresholds, stop, .. } = &self.solution;
        let how = match stop {
            StopReason::Proved => "proved by potentials and bids",
            StopReason::TimeUp => "bounds proved by potentials and bids; the time was up",
            _ => "bounds proved by potentials and bids",
        };
        let exact = thresholds.iter().filter(|bounds| bounds.as_exact().is_some()).count() as u64;
        let origin = Origin { exact_positions: Some(exact), ..Origin::exact(how.to_string(), thresholds.len() as u64) };
        let here = self.value(self.unfolding.arena().start());
        let sight = Evaluation { here, after: self.after(watch)?, origin };
        let head = ReportHead { at_least: Some(NumberJson(least.clone())), ..self.request().head() };
        Ok(MoneyReport { at_end: self.at_end, ..money::of_sight(head, &sight) })
    }
}

impl Endless for MeanPayoffAtLeast {
    fn winner(&self) -> Option<Player> {
        None
    }

    fn positions(&self) -> Positions<'_> {
        let count = self.unfolding.arena().len() as Node;
        Positions::of(self.unfolding.game(), count, move |node| {
            let [win, draw] = [(); 2].map(|()| BoundsJson(self.solution.thresholds[node as usize].clone()));
            let worth = PositionWorth::Money { win, draw };
            PositionRow { position: self.unfolding.notation(node), end: None, worth }
        })
    }

    fn saved(&self, subject: &Subject, effort: &Effort) -> Result<Option<SavedSolution>, Error> {
        let PayoffThresholds { least, thresholds, potentials, .. } = &self.solution;
        let claim = |node: Node| PayoffShareValue {
            position: self.unfolding.notation(node),
            needs: thresholds[node as usize].clone(),
            potentials: potentials.as_ref().map(|of| of[node as usize].clone()),
        };
        let needs = thresholds[self.unfolding.arena().start() as usize].clone();
        let positions = at_every_position(self.unfolding.as_ref(), effort, claim)?;
        let claim = PayoffSharesClaim { least: least.clone(), needs, positions };
        Ok(Some(with_game(subject, &self.request(), SolutionClaim::PayoffShares(claim))))
    }
}

/// How near each position is, for a player, to a component that play cannot leave and where the
/// player has the average.
pub(crate) fn stages(
    arena: &MeanPayoffArena,
    solution: &PayoffThresholds,
    player: Player,
    watch: &dyn Watch,
) -> Result<Vec<Option<u32>>, richman_core::Error> {
    let components = arena.components();
    let closed: Vec<bool> = (0..components.len()).map(|index| arena.is_closed(index)).collect();
    let bounds = |node: Node| solution.thresholds[node as usize].clone();
    let is_won = |node: Node| {
        let hopeless = player.either(bounds(node).high == Share::ONE, bounds(node).low == Share::ZERO);
        closed[components.component(node) as usize] && !hopeless
    };
    winning_stages(arena, solution.mechanism.payment.rate(), bounds, player, is_won, watch)
}

/// Proves a claim about what Alice needs for an average.
pub(crate) fn check(
    unfolding: &dyn Unfolding<MeanPayoff>,
    mechanism: &Mechanism,
    claim: PayoffSharesClaim,
    watch: &dyn Watch,
) -> Result<(), SavingFault> {
    let PayoffSharesClaim { least, needs, positions } = claim;
    let values = positions.into_iter().map(|value| (value.position, (value.needs, value.potentials)));
    let (thresholds, potentials): (Vec<_>, Vec<_>) = by_node(unfolding, values)?.into_iter().unzip();
    let (alice, bob) = potentials.into_iter().map(|ByPlayer { alice, bob }| (alice, bob)).unzip();
    let potentials = ByPlayer::new(alice, bob);
    same("win", &needs, &thresholds[unfolding.arena().start() as usize])?;
    let (mechanism, stop) = (mechanism.clone(), StopReason::Proved);
    let claimed = PayoffThresholds { mechanism, least, thresholds, potentials, stop };
    verify::payoff_thresholds(unfolding.arena(), &claimed, watch).map_err(|flaw| named(unfolding, flaw))
}
