//! Scoring games: Alice wants a large score, Bob a small one.

mod chips;
pub mod uniqueness;

use richman_core::{Choice, Effort, Scores, Unfolding};
use richman_solvers::registry;

pub use chips::*;

use super::{Kind, Solved};
use crate::ask::{Insight, Scope};
use crate::kinds::Report;
use crate::{Error, Question};

/// A total of chips.
pub(crate) struct ScoreWithChips {
    map: Option<Map>,
}

impl Kind for ScoreWithChips {
    type Objective = Scores;

    const TAKES: &'static [Choice] = &[];
    const HAS_THRESHOLDS: bool = false;

    fn is_asked(_: &Question) -> bool {
        true
    }

    fn refusal(choice: Choice) -> Option<Error> {
        match choice {
            Choice::AT_LEAST => Some(Error::NoAverage),
            Choice::WITHIN => Some(Error::ScoreWithin),
            Choice::SHARE => Some(Error::ShareOfChips),
            Choice::CREDITS => Some(Error::CreditsOfOther),
            _ => None,
        }
    }

    fn serves(question: &Question) -> Result<(), Error> {
        let (total, _) = question.stake.chips(&question.mechanism)?;
        Ok(registry::scores(&question.mechanism, total)?)
    }

    fn solve(
        unfolding: Box<dyn Unfolding<Scores>>,
        question: &Question,
        effort: &Effort,
    ) -> Result<(Report, Option<ScoreWithChips>), Error> {
        let (total, hands) = question.stake.chips(&question.mechanism)?;
        let request = ScoreRequest { unfolding: unfolding.as_ref(), mechanism: &question.mechanism, effort: *effort };
        if question.map {
            check_map(&request, total)?;
        }
        let solution = request.solve(total)?;
        let alice = hands.map(|hands| hands.alice);
        let choices = ScoreOptions { alice, bids_table: question.bids_table, all: question.all };
        let report = report(&request, &solution, &choices)?;
        let map = if question.map { Some(map(&request, &solution)?) } else { None };
        Ok((Report::Scores(Box::new(report)), Some(ScoreWithChips { map })))
    }

    fn insight(unfolding: Box<dyn Unfolding<Scores>>, scope: &Scope, effort: &Effort) -> Result<Insight, Error> {
        registry::scores(scope.mechanism, scope.total)?;
        let solution = richman_solvers::scores::solve(unfolding.arena(), scope.mechanism, scope.total, effort)?;
        Ok(Insight::Scores(unfolding, solution))
    }
}

impl Solved for ScoreWithChips {
    fn map(&self) -> Option<&Map> {
        self.map.as_ref()
    }
}
