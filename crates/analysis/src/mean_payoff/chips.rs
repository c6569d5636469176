//! Mean-payoff games with chips: reports, saved solutions, and their proofs.

use std::ops::RangeInclusive;

use dashu_ratio::RBig;
use richman_check::verify;
use richman_core::{
    ByPlayer, ChipPayoffs, Configurations, Effort, Holding, MeanPayoff, MeanPayoffArena, Mechanism, Node, Outcome,
    Player, Total, Unfolding, Watch,
};
use richman_formats::{AverageClaim, ChipAveragesClaim, SavedSolution, SolutionClaim};
use richman_solvers::mean_payoff;
use serde::Serialize;

use super::NumberJson;
use crate::ask::Report;
use crate::chips::{ChipsReport, HoldingsQuery, HoldingsReport};
use crate::parity::{Endless, endless_table};
use crate::positions::{HoldingsWorth, PositionRow, PositionWorth, Positions};
use crate::saved::{SavingFault, at_every_position, by_node, named, with_game};
use crate::table::TableReport;
use crate::{Error, HoldingJson, Question, ReportHead, Request, Subject, ThresholdJson};

/// The long-run averages of a position for every holding of Alice: the first and the last number of
/// chips with an average, and the average.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AveragesByHolding {
    /// Without the star, from 0 chips to the total.
    pub plain: Vec<(u32, u32, NumberJson)>,
    /// With the star; empty if there is none.
    pub star: Vec<(u32, u32, NumberJson)>,
}

/// The long-run averages of a position with chips.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AverageChipsReport {
    /// Game, position and mechanism.
    #[serde(flatten)]
    pub head: ReportHead,
    /// The total of chips.
    pub total: u32,
    /// What both can hold the average to, for every holding of Alice.
    pub averages: AveragesByHolding,
    /// The given holdings and their average.
    #[serde(flatten)]
    pub holdings: Option<AverageOfHoldings>,
    /// Always true.
    pub exact: bool,
    /// The number of positions; symmetric ones count once.
    pub positions: usize,
    /// Why the solver stopped.
    pub stop: String,
}

/// What given holdings are worth.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AverageOfHoldings {
    /// Alice's holding.
    pub alice: HoldingJson,
    /// Bob's holding.
    pub bob: HoldingJson,
    /// The average.
    pub average: NumberJson,
}

const STOP: &str = "no strategy can be improved";

/// A mean-payoff game solved with chips.
pub(crate) struct MeanPayoffWithChips {
    unfolding: Box<dyn Unfolding<MeanPayoff>>,
    solution: ChipPayoffs,
    hands: Option<HoldingsQuery>,
    /// The average that Alice wants, if it is what counts.
    least: Option<RBig>,
}

impl MeanPayoffWithChips {
    /// Solves the game for one total.
    ///
    /// # Errors
    /// `Unsupported`, `TooMuchMemory`, `OutOfTime` or `Cancelled`.
    pub fn new(
        unfolding: Box<dyn Unfolding<MeanPayoff>>,
        (mechanism, total, hands): (&Mechanism, Total, Option<HoldingsQuery>),
        least: Option<RBig>,
        effort: &Effort,
    ) -> Result<MeanPayoffWithChips, Error> {
        let solution = mean_payoff::chips(unfolding.arena(), mechanism, total, effort)?;
        Ok(MeanPayoffWithChips { unfolding, solution, hands, least })
    }

    fn request(&self) -> Request<'_, MeanPayoff> {
        let effort = Effort::default();
        Request { unfolding: self.unfolding.as_ref(), mechanism: &self.solution.mechanism, effort }
    }

    fn average(&self, node: Node, alice: Holding) -> NumberJson {
        // Every holding of the total has an average.
        NumberJson(self.solution.average(node, alice).cloned().unwrap_or_default())
    }

    fn averages(&self, node: Node) -> AveragesByHolding {
        let ChipPayoffs { total, ranks, averages, .. } = &self.solution;
        let of = |star: bool| {
            let start = self.solution.configurations().index(node, 0, star);
            let mut first = 0;
            let run = |run: &[u32]| {
                let from = first;
                first += run.len() as u32;
                (from, first - 1, NumberJson(averages[run[0] as usize].clone()))
            };
            ranks[start..=start + total.chips() as usize].chunk_by(|one, next| one == next).map(run).collect()
        };
        let star = if self.solution.mechanism.has_star() { of(true) } else { Vec::new() };
        AveragesByHolding { plain: of(false), star }
    }

    /// Who wins with these holdings.
    fn outcome(&self, node: Node, least: &RBig, hands: HoldingsQuery) -> Outcome {
        let is_met = self.solution.needed(node, least).is_met_by(hands.alice);
        Outcome::Win(if is_met { Player::Alice } else { Player::Bob })
    }

    /// The report on the start.
    pub fn report(&self) -> Report {
        match &self.least {
            Some(least) => Report::Chips(Box::new(self.report_at_least(least))),
            None => Report::Averages(Box::new(self.averages_report())),
        }
    }

    /// What Alice needs for an average: there are no draws, so both thresholds are the same.
    fn report_at_least(&self, least: &RBig) -> ChipsReport {
        let start = self.unfolding.arena().start();
        let (total, positions) = (self.solution.total, self.unfolding.arena().len());
        let both = [(); 2].map(|()| ThresholdJson::from(self.solution.needed(start, least)));
        let head = ReportHead { at_least: Some(NumberJson(least.clone())), ..self.request().head() };
        let holdings = self.hands.map(|hands| HoldingsReport {
            alice: HoldingJson(hands.alice),
            bob: HoldingJson(hands.bob),
            outcome: self.outcome(start, least, hands),
            within: None,
            guarantee: None,
            advice: ByPlayer::both(None),
            trace: None,
        });
        ChipsReport { holdings, ..ChipsReport::new(head, total, both, positions, STOP.to_string()) }
    }

    fn averages_report(&self) -> AverageChipsReport {
        let start = self.unfolding.arena().start();
        let worth = |HoldingsQuery { alice, bob, .. }| {
            let average = self.average(start, alice);
            AverageOfHoldings { alice: HoldingJson(alice), bob: HoldingJson(bob), average }
        };
        AverageChipsReport {
            head: self.request().head(),
            total: self.solution.total.chips(),
            averages: self.averages(start),
            holdings: self.hands.map(worth),
            exact: true,
            positions: self.unfolding.arena().len(),
            stop: STOP.to_string(),
        }
    }
}

impl Endless for MeanPayoffWithChips {
    fn winner(&self) -> Option<Player> {
        None
    }

    fn positions(&self) -> Positions<'_> {
        let count = self.unfolding.arena().len() as Node;
        Positions::of(self.unfolding.game(), count, move |node| {
            let worth = match (&self.least, self.hands) {
                (Some(least), hands) => {
                    let [win, draw] = [(); 2].map(|()| ThresholdJson::from(self.solution.needed(node, least)));
                    let outcome = |hands| HoldingsWorth { outcome: self.outcome(node, least, hands), within: None };
                    PositionWorth::Chips { win, draw, holdings: hands.map(outcome) }
                }
                (None, Some(hands)) => PositionWorth::Average { average: self.average(node, hands.alice) },
                (None, None) => PositionWorth::Averages { averages: self.averages(node) },
            };
            PositionRow { position: self.unfolding.notation(node), end: None, worth }
        })
    }

    fn saved(&self, subject: &Subject, effort: &Effort) -> Result<Option<SavedSolution>, Error> {
        let ChipPayoffs { total, averages, ranks, potentials, .. } = &self.solution;
        let per_position = self.solution.configurations().per_position();
        let claim = |node: Node| {
            let run = node as usize * per_position..(node as usize + 1) * per_position;
            AverageClaim {
                position: self.unfolding.notation(node),
                ranks: ranks[run.clone()].to_vec(),
                potentials: potentials.as_ref().map(|of| of[run.clone()].to_vec()),
            }
        };
        let positions = at_every_position(self.unfolding.as_ref(), effort, claim)?;
        let claim = ChipAveragesClaim { total: *total, averages: averages.clone(), positions };
        Ok(Some(with_game(subject, &self.request(), SolutionClaim::ChipAverages(claim))))
    }
}

/// What Alice needs for an average, for a range of totals.
pub(crate) fn table(
    subject: &Subject,
    question: &Question,
    least: &RBig,
    totals: RangeInclusive<Total>,
    effort: &Effort,
) -> Result<TableReport, Error> {
    if question.within.is_some() {
        return Err(Error::AverageWithin);
    }
    let solve = |arena: &MeanPayoffArena, total: Total, effort: &Effort| {
        let solved = mean_payoff::chips(arena, &question.mechanism, total, effort)?;
        Ok(solved.needed(arena.start(), least))
    };
    let report = endless_table(subject, question, totals, effort, solve)?;
    let head = ReportHead { at_least: Some(NumberJson(least.clone())), ..report.head };
    Ok(TableReport { head, ..report })
}

/// Proves a claim about a mean-payoff game with chips, and returns it.
pub(crate) fn check(
    unfolding: &dyn Unfolding<MeanPayoff>,
    mechanism: &Mechanism,
    claim: ChipAveragesClaim,
    watch: &dyn Watch,
) -> Result<ChipPayoffs, SavingFault> {
    let ChipAveragesClaim { total, averages, positions } = claim;
    let per_position = Configurations::new(mechanism, total).per_position();
    let values = positions.into_iter().map(|one| (one.position, (one.ranks, one.potentials)));
    let (mut ranks, mut potentials) = (Vec::new(), ByPlayer::both(Vec::new()));
    for (node, (own, of)) in (0..).zip(by_node(unfolding, values)?) {
        if [own.len(), of.alice.len(), of.bob.len()] != [per_position; 3] {
            let position = unfolding.notation(node);
            let what = format!("position {position:?}: there must be {per_position} numbers of each kind");
            return Err(SavingFault::Claim(what));
        }
        ranks.extend(own);
        for player in Player::BOTH {
            potentials[player].extend_from_slice(&of[player]);
        }
    }
    let claimed = ChipPayoffs { mechanism: mechanism.clone(), total, averages, ranks, potentials };
    verify::mean_payoff_chips(unfolding.arena(), &claimed, watch).map_err(|flaw| named(unfolding, flaw))?;
    Ok(claimed)
}
