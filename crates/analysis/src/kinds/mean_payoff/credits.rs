//! The least credits with a total of chips: every weight is added to Alice's credit, and she wants
//! it never to fall below 0. Exactly where the average is below 0 no credit suffices, so the
//! averages are solved too.

use richman_check::verify;
use richman_core::{ChipCredits, Choice, Effort, MeanPayoff, Mechanism, Node, Unfolding};
use richman_solvers::{mean_payoff, registry};
use schemars::JsonSchema;
use serde::Serialize;

use super::chips::{AverageWithChips, SolvedAverages};
use super::claims::{CreditClaim, CreditsClaim};
use super::refusal_with_chips;
use crate::ask::Saving;
use crate::kinds::Report;
use crate::kinds::{Kind, ProvableClaim, Solved};
use crate::positions::{PositionWorth, Positions};
use crate::saved::{ProvedClaim, SavingFault, at_every_position, by_node, named, with_game};
use crate::tree::{TreeOptions, TreeReport};
use crate::{Error, Question, ScoreJson, Stake, Subject};

/// The least credits of a position for every holding of Alice: the first and the last number of
/// chips with a credit, and the credit; null where none suffices.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CreditsByHolding {
    /// Without the star, from 0 chips to the total.
    pub plain: Vec<(u32, u32, Option<ScoreJson>)>,
    /// With the star; empty if there is none.
    pub star: Vec<(u32, u32, Option<ScoreJson>)>,
}

/// The least credits with a total of chips, and the averages.
pub(crate) struct CreditsWithChips {
    averages: AverageWithChips,
    credits: Vec<Option<i64>>,
    stages: Vec<u64>,
}

impl CreditsWithChips {
    fn credits(&self, node: Node) -> CreditsByHolding {
        let solution = &self.averages.0.solution;
        let of = |star: bool| {
            let start = solution.configurations().index(node, 0, star);
            let run = &self.credits[start..=start + solution.total.chips() as usize];
            super::chips::runs(run, |credit| credit.map(ScoreJson))
        };
        let star = if solution.mechanism.has_star() { of(true) } else { Vec::new() };
        CreditsByHolding { plain: of(false), star }
    }
}

impl Kind for CreditsWithChips {
    type Objective = MeanPayoff;

    const TAKES: &'static [Choice] = &[Choice::CREDITS];

    const HAS_THRESHOLDS: bool = false;

    fn is_asked(question: &Question) -> bool {
        question.credits && question.at_least.is_none() && !matches!(question.stake, Stake::Money)
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
    ) -> Result<(Report, Option<CreditsWithChips>), Error> {
        let until = effort.until();
        let (total, hands) = question.stake.chips(&question.mechanism)?;
        let (arena, effort) = (unfolding.arena(), Effort { watch: &until, ..*effort });
        let ChipCredits { credits, stages, payoffs, .. } =
            mean_payoff::energy(arena, &question.mechanism, total, &effort)?;
        let start = arena.start();
        let averages = AverageWithChips(SolvedAverages { unfolding, solution: payoffs, hands });
        let mut report = averages.report();
        let solved = CreditsWithChips { averages, credits, stages };
        report.credits = Some(solved.credits(start));
        Ok((Report::Averages(Box::new(report)), Some(solved)))
    }

    fn tree(_: &Subject, _: &Question, _: &TreeOptions, _: &Effort) -> Result<(String, TreeReport), Error> {
        Err(Error::TreeOfAverage)
    }
}

impl Solved for CreditsWithChips {
    fn positions(&self) -> Option<Positions<'_>> {
        Some(self.averages.0.rows(|node| PositionWorth::Averages {
            averages: self.averages.averages(node),
            credits: Some(self.credits(node)),
        }))
    }

    fn saving(self: Box<Self>, subject: &Subject, effort: &Effort) -> Result<Option<Saving>, Error> {
        let SolvedAverages { unfolding, solution, .. } = &self.averages.0;
        let per_position = solution.configurations().per_position();
        let claim = |node: Node| {
            let run = node as usize * per_position..(node as usize + 1) * per_position;
            CreditClaim {
                average: self.averages.0.claim(node),
                credits: self.credits[run.clone()].to_vec(),
                stages: self.stages[run].to_vec(),
            }
        };
        let positions = at_every_position(unfolding.as_ref(), effort, claim)?;
        let claim = CreditsClaim { total: solution.total, averages: solution.averages.clone(), positions };
        Ok(Some(Saving::new(with_game(subject, &self.averages.0.request(), claim))))
    }
}

impl ProvableClaim for CreditsClaim {
    type Objective = MeanPayoff;
    type Compact = CreditsClaim;

    fn serves(&self, mechanism: &Mechanism) -> Result<(), Error> {
        Ok(registry::parity_chips(mechanism)?)
    }

    fn positions(&self) -> usize {
        self.positions.len()
    }

    fn describe(&self, proved: &mut ProvedClaim) -> usize {
        proved.what = "the least credits and the long-run averages of all holdings";
        proved.totals = vec![self.total.chips()];
        self.positions.len()
    }

    fn prove(
        CreditsClaim { total, averages, positions }: CreditsClaim,
        unfolding: &dyn Unfolding<MeanPayoff>,
        mechanism: &Mechanism,
        effort: &Effort,
    ) -> Result<(), SavingFault> {
        let values = positions.into_iter().map(|one| (one.average.position.clone(), one));
        let (mut credits, mut stages, mut of_averages) = (Vec::new(), Vec::new(), Vec::new());
        for (node, one) in (0..).zip(by_node(unfolding, values)?) {
            if one.credits.len() != one.average.ranks.len() || one.stages.len() != one.credits.len() {
                let position = unfolding.notation(node);
                let what = format!("position {position:?}: there must be as many credits as averages");
                return Err(SavingFault::Claim(what));
            }
            credits.extend(one.credits);
            stages.extend(one.stages);
            of_averages.push(one.average);
        }
        let payoffs = super::chips::claimed(unfolding, mechanism, (total, averages), of_averages)?;
        let claimed = ChipCredits { mechanism: mechanism.clone(), total, credits, stages, payoffs };
        verify::energy_chips(unfolding.arena(), &claimed, effort.watch).map_err(|flaw| named(unfolding, flaw))
    }
}
