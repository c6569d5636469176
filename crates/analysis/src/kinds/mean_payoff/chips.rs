//! Mean-payoff games with a total of chips: long-run averages, and what Alice needs for one.

use std::ops::RangeInclusive;

use dashu_ratio::RBig;
use richman_check::verify;
use richman_core::{
    ByPlayer, ChipPayoffs, Choice, Configurations, Effort, Holding, MeanPayoff, MeanPayoffArena, Mechanism, Node,
    Player, Total, Unfolding, Watch,
};
use richman_solvers::{mean_payoff, registry};
use schemars::JsonSchema;
use serde::Serialize;

use super::at_least::{stays, wanted};
use super::claims::{AverageClaim, ChipAveragesClaim};
use super::{AveragesInsight, CreditsByHolding, refusal_with_chips};
use crate::ask::{Insight, Saving, Scope, TableSource};
use crate::chips::HoldingsQuery;
use crate::kinds::Report;
use crate::kinds::{Kind, ProvableClaim, Solved, one_threshold};
use crate::positions::{PositionRow, PositionWorth, Positions};
use crate::proved::of_total;
use crate::saved::{ProvedClaim, SavingFault, at_every_position, by_node, named, with_game};
use crate::tree::{Progress, TreeOptions, TreeReport, TreeValues, Worths};
use crate::{Error, HoldingJson, NumberJson, Question, ReportHead, Request, Stake, Subject};

/// The long-run averages of a position for every holding of Alice: the first and the last number of
/// chips with an average, and the average.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AveragesByHolding {
    /// Without the star, from 0 chips to the total.
    pub plain: Vec<(u32, u32, NumberJson)>,
    /// With the star; empty if there is none.
    pub star: Vec<(u32, u32, NumberJson)>,
}

/// The long-run averages of a position with chips.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct AverageChipsReport {
    /// Game, position and mechanism.
    #[serde(flatten)]
    pub head: ReportHead,
    /// The total of chips.
    pub total: u32,
    /// What both can hold the average to, for every holding of Alice.
    pub averages: AveragesByHolding,
    /// The least credits with which Alice never goes below 0, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub credits: Option<CreditsByHolding>,
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AverageOfHoldings {
    /// Alice's holding.
    pub alice: HoldingJson,
    /// Bob's holding.
    pub bob: HoldingJson,
    /// The average.
    pub average: NumberJson,
}

const STOP: &str = "no strategy can be improved";

/// Runs of equal values by numbers of chips from 0: the first and the last number, and the value.
pub(super) fn runs<T: PartialEq, J>(values: &[T], shown: impl Fn(&T) -> J) -> Vec<(u32, u32, J)> {
    let mut first = 0;
    let run = |run: &[T]| {
        let from = first;
        first += run.len() as u32;
        (from, first - 1, shown(&run[0]))
    };
    values.chunk_by(PartialEq::eq).map(run).collect()
}

/// The averages of every position with chips, for several kinds.
pub(super) struct SolvedAverages {
    pub unfolding: Box<dyn Unfolding<MeanPayoff>>,
    pub solution: ChipPayoffs,
    pub hands: Option<HoldingsQuery>,
}

impl SolvedAverages {
    fn new(
        unfolding: Box<dyn Unfolding<MeanPayoff>>,
        question: &Question,
        effort: &Effort,
    ) -> Result<SolvedAverages, Error> {
        let until = effort.until();
        let (total, hands) = question.stake.chips(&question.mechanism)?;
        let effort = Effort { watch: &until, ..*effort };
        let solution = mean_payoff::chips(unfolding.arena(), &question.mechanism, total, &effort)?;
        Ok(SolvedAverages { unfolding, solution, hands })
    }

    pub fn request(&self) -> Request<'_, MeanPayoff> {
        let effort = Effort::default();
        Request { unfolding: self.unfolding.as_ref(), mechanism: &self.solution.mechanism, effort }
    }

    pub fn rows<'a>(&'a self, worth: impl Fn(Node) -> PositionWorth + 'a) -> Positions<'a> {
        let count = self.unfolding.arena().len() as Node;
        Positions::of(self.unfolding.game(), count, move |node| PositionRow {
            position: self.unfolding.notation(node),
            end: None,
            worth: worth(node),
        })
    }

    /// What is saved of a position.
    pub fn claim(&self, node: Node) -> AverageClaim {
        let ChipPayoffs { ranks, potentials, .. } = &self.solution;
        let per_position = self.solution.configurations().per_position();
        let run = node as usize * per_position..(node as usize + 1) * per_position;
        AverageClaim {
            position: self.unfolding.notation(node),
            ranks: ranks[run.clone()].to_vec(),
            potentials: potentials.as_ref().map(|of| of[run.clone()].to_vec()),
        }
    }

    fn saving(&self, subject: &Subject, effort: &Effort) -> Result<Option<Saving>, Error> {
        let positions = at_every_position(self.unfolding.as_ref(), effort, |node| self.claim(node))?;
        let (total, averages) = (self.solution.total, self.solution.averages.clone());
        let saved = with_game(subject, &self.request(), ChipAveragesClaim { total, averages, positions });
        Ok(Some(Saving::new(saved)))
    }
}

/// The long-run averages with a total of chips.
pub(crate) struct AverageWithChips(pub(super) SolvedAverages);

impl AverageWithChips {
    fn average(&self, node: Node, alice: Holding) -> NumberJson {
        // Every holding of the total has an average.
        NumberJson(self.0.solution.average(node, alice).cloned().unwrap_or_default())
    }

    pub(super) fn averages(&self, node: Node) -> AveragesByHolding {
        let ChipPayoffs { total, ranks, averages, mechanism, .. } = &self.0.solution;
        let of = |star: bool| {
            let start = self.0.solution.configurations().index(node, 0, star);
            let run = &ranks[start..=start + total.chips() as usize];
            runs(run, |rank| NumberJson(averages[*rank as usize].clone()))
        };
        AveragesByHolding { plain: of(false), star: if mechanism.has_star() { of(true) } else { Vec::new() } }
    }

    pub(super) fn report(&self) -> AverageChipsReport {
        let arena = self.0.unfolding.arena();
        let worth = |HoldingsQuery { alice, bob, .. }| {
            let average = self.average(arena.start(), alice);
            AverageOfHoldings { alice: HoldingJson(alice), bob: HoldingJson(bob), average }
        };
        AverageChipsReport {
            head: self.0.request().head(),
            total: self.0.solution.total.chips(),
            averages: self.averages(arena.start()),
            credits: None,
            holdings: self.0.hands.map(worth),
            exact: true,
            positions: arena.len(),
            stop: STOP.to_string(),
        }
    }
}

impl Kind for AverageWithChips {
    type Objective = MeanPayoff;

    const TAKES: &'static [Choice] = &[];

    const HAS_THRESHOLDS: bool = false;

    fn is_asked(question: &Question) -> bool {
        !question.credits && question.at_least.is_none() && !matches!(question.stake, Stake::Money)
    }

    fn refusal(choice: Choice) -> Option<Error> {
        refusal_with_chips(choice)
    }

    fn serves(question: &Question) -> Result<(), Error> {
        Ok(registry::parity_chips(&question.mechanism)?)
    }

    fn solve(
        unfolding: Box<dyn Unfolding<MeanPayoff>>,
        question: &Question,
        effort: &Effort,
    ) -> Result<(Report, Option<AverageWithChips>), Error> {
        let solved = AverageWithChips(SolvedAverages::new(unfolding, question, effort)?);
        Ok((Report::Averages(Box::new(solved.report())), Some(solved)))
    }

    fn tree(_: &Subject, _: &Question, _: &TreeOptions, _: &Effort) -> Result<(String, TreeReport), Error> {
        Err(Error::TreeOfAverage)
    }

    fn insight(unfolding: Box<dyn Unfolding<MeanPayoff>>, scope: &Scope, effort: &Effort) -> Result<Insight, Error> {
        registry::parity_chips(scope.mechanism)?;
        let solution = mean_payoff::chips(unfolding.arena(), scope.mechanism, scope.total, effort)?;
        Ok(Insight::Endless(Box::new(AveragesInsight { unfolding, solution })))
    }
}

impl Solved for AverageWithChips {
    fn positions(&self) -> Option<Positions<'_>> {
        Some(self.0.rows(move |node| match self.0.hands {
            Some(hands) => PositionWorth::Average { average: self.average(node, hands.alice) },
            None => PositionWorth::Averages { averages: self.averages(node), credits: None },
        }))
    }

    fn saving(self: Box<Self>, subject: &Subject, effort: &Effort) -> Result<Option<Saving>, Error> {
        self.0.saving(subject, effort)
    }
}

/// What Alice needs of a total of chips for a long-run average. The averages of all holdings prove
/// it.
pub(crate) struct AtLeastWithChips {
    averages: SolvedAverages,
    least: RBig,
}

impl Kind for AtLeastWithChips {
    type Objective = MeanPayoff;

    const TAKES: &'static [Choice] = &[Choice::AT_LEAST];

    fn is_asked(question: &Question) -> bool {
        question.at_least.is_some() && !matches!(question.stake, Stake::Money)
    }

    fn refusal(choice: Choice) -> Option<Error> {
        if choice == Choice::CREDITS { Some(Error::CreditsAtLeast) } else { refusal_with_chips(choice) }
    }

    fn serves(question: &Question) -> Result<(), Error> {
        Ok(registry::parity_chips(&question.mechanism)?)
    }

    fn solve(
        unfolding: Box<dyn Unfolding<MeanPayoff>>,
        question: &Question,
        effort: &Effort,
    ) -> Result<(Report, Option<AtLeastWithChips>), Error> {
        let least = wanted(question)?.clone();
        let averages = SolvedAverages::new(unfolding, question, effort)?;
        let (arena, solution) = (averages.unfolding.arena(), &averages.solution);
        let head = ReportHead { at_least: question.at_least.clone(), ..averages.request().head() };
        let needed = solution.needed(arena.start(), &least);
        let about = (solution.total, arena.len(), STOP);
        let report = one_threshold::report_in_chips(head, about, needed, averages.hands, |_, _, _| None);
        Ok((Report::Chips(Box::new(report)), Some(AtLeastWithChips { averages, least })))
    }

    fn has_table(question: &Question) -> bool {
        Self::serves(question).is_ok()
    }

    fn table(
        subject: &Subject,
        question: &Question,
        totals: Option<RangeInclusive<Total>>,
        effort: &Effort,
    ) -> Result<TableSource, Error> {
        let least = wanted(question)?;
        one_threshold::table(subject, question, totals, effort, |arena: &MeanPayoffArena, total, effort| {
            Ok(mean_payoff::chips(arena, &question.mechanism, total, effort)?.needed(arena.start(), least))
        })
    }

    fn has_tree(question: &Question) -> bool {
        Self::serves(question).is_ok()
    }

    fn tree(
        subject: &Subject,
        question: &Question,
        choices: &TreeOptions,
        effort: &Effort,
    ) -> Result<(String, TreeReport), Error> {
        let (least, (total, _)) = (wanted(question)?, question.stake.chips(&question.mechanism)?);
        one_threshold::tree(subject, question, choices, effort, |unfolding: &dyn Unfolding<MeanPayoff>, effort| {
            let arena = unfolding.arena();
            let solved = mean_payoff::chips(arena, &question.mechanism, total, effort)?;
            let worths = Worths::Chips(arena.nodes().map(|node| solved.needed(node, least)).collect(), total);
            let progress = Progress::Stages(ByPlayer::both(Vec::new()));
            Ok(TreeValues { worths, progress, stays: stays(arena) })
        })
    }
}

impl Solved for AtLeastWithChips {
    fn positions(&self) -> Option<Positions<'_>> {
        let SolvedAverages { solution, hands, .. } = &self.averages;
        Some(self.averages.rows(move |node| one_threshold::worth_in_chips(solution.needed(node, &self.least), *hands)))
    }

    fn saving(self: Box<Self>, subject: &Subject, effort: &Effort) -> Result<Option<Saving>, Error> {
        self.averages.saving(subject, effort)
    }
}

/// The solution that is claimed.
pub(super) fn claimed(
    unfolding: &dyn Unfolding<MeanPayoff>,
    mechanism: &Mechanism,
    (total, averages): (Total, Vec<RBig>),
    positions: Vec<AverageClaim>,
) -> Result<ChipPayoffs, SavingFault> {
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
    Ok(ChipPayoffs { mechanism: mechanism.clone(), total, averages, ranks, potentials })
}

/// Proves a claim, and returns it as a solution.
fn proved(
    unfolding: &dyn Unfolding<MeanPayoff>,
    mechanism: &Mechanism,
    ChipAveragesClaim { total, averages, positions }: ChipAveragesClaim,
    watch: &dyn Watch,
) -> Result<ChipPayoffs, SavingFault> {
    let claimed = claimed(unfolding, mechanism, (total, averages), positions)?;
    verify::mean_payoff_chips(unfolding.arena(), &claimed, watch).map_err(|flaw| named(unfolding, flaw))?;
    Ok(claimed)
}

impl ProvableClaim for ChipAveragesClaim {
    type Objective = MeanPayoff;
    type Compact = ChipAveragesClaim;

    fn serves(&self, mechanism: &Mechanism) -> Result<(), Error> {
        Ok(registry::parity_chips(mechanism)?)
    }

    fn positions(&self) -> usize {
        self.positions.len()
    }

    fn describe(&self, proved: &mut ProvedClaim) -> usize {
        proved.what = "the long-run averages of all holdings";
        proved.totals = vec![self.total.chips()];
        self.positions.len()
    }

    fn prove(
        claim: ChipAveragesClaim,
        unfolding: &dyn Unfolding<MeanPayoff>,
        mechanism: &Mechanism,
        effort: &Effort,
    ) -> Result<(), SavingFault> {
        proved(unfolding, mechanism, claim, effort.watch).map(drop)
    }

    fn insight(self, scope: &Scope, effort: &Effort) -> Result<Insight, Error> {
        let picked = Some(self).filter(|claim| claim.total == scope.total);
        of_total::<ChipAveragesClaim, _>(scope, effort, picked, |unfolding, claim| {
            let solution = proved(unfolding.as_ref(), scope.mechanism, claim, effort.watch)?;
            Ok(Insight::Endless(Box::new(AveragesInsight { unfolding, solution })))
        })
    }
}
