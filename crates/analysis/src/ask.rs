//! The single entry point to answers. The command line, the web pages and the HTTP interface put a
//! [`Question`] with an [`Effort`]; [`ask`] finds an engine that can answer and returns its report.

mod arena_cost;
mod engines;
mod insight;
mod opened;
mod scope;
mod solve;
mod stake;
mod tables;

use std::io;

use richman_core::{ByPlayer, Effort, Terminal, Walk};
use richman_engine::{EvaluatedMove, Evaluation, Value};
use serde::{Serialize, Serializer};

use crate::kinds::{Report, Solved};
use crate::positions::Positions;
use crate::saved::SavedSolution;
use crate::scores::Map;
use crate::{BoundsJson, Error, Question, ReportHead, Subject, ThresholdJson, chips, money};

pub(crate) use engines::CostedQuestion;
pub use engines::{ConsideredCost, ConsideredEngine, EngineOffers};
pub use insight::{EndlessInsight, EndlessRank, EndlessWorth, Insight, PlayersHolding};
pub use opened::{AnyTable, Opened};
pub use scope::Scope;
pub use solve::{solve_chips, solve_money, solve_scores};
pub use stake::Stake;
pub(crate) use tables::table_of_totals;
pub use tables::{TableRows, TableSource, open_table};

/// Alice's thresholds after a move.
#[derive(Debug, Clone, PartialEq)]
pub enum AfterMove {
    /// With real money: the win and the draw threshold.
    Money([BoundsJson; 2]),
    /// With chips: the same.
    Chips([ThresholdJson; 2]),
}

/// A report with the solved game.
pub struct Answer {
    /// The value of the position.
    pub report: Report,
    /// The position as text.
    pub picture: String,
    /// The solved game, if more than the report was asked for, or an engine's evaluation.
    pub(crate) solved: Option<Box<dyn Solved>>,
}

richman_core::debug_by_name!(Answer { report, picture });

/// A solution to be saved.
pub struct Saving(pub(crate) SavedBy);

/// How a solution is saved.
pub(crate) enum SavedBy {
    /// As a whole.
    Whole(Box<SavedSolution>),
    /// By a function that makes it while it is written.
    Streamed(Box<WriteSolution>),
}

richman_core::debug_by_name!(Saving {});

type WriteSolution = dyn Fn(&mut dyn io::Write) -> io::Result<()> + Send + Sync;

impl Saving {
    /// A whole solution.
    pub(crate) fn new(saved: SavedSolution) -> Saving {
        Saving(SavedBy::Whole(Box::new(saved)))
    }

    /// A solution that is made while it is written.
    pub(crate) fn streamed(write: impl Fn(&mut dyn io::Write) -> io::Result<()> + Send + Sync + 'static) -> Saving {
        Saving(SavedBy::Streamed(Box::new(write)))
    }

    /// Writes the solution in the format that `richman verify` reads.
    ///
    /// # Errors
    /// Fails if `out` fails.
    pub fn write(&self, out: &mut dyn io::Write) -> io::Result<()> {
        match &self.0 {
            SavedBy::Whole(saved) => richman_formats::write(saved, out),
            SavedBy::Streamed(write) => write(out),
        }
    }
}

/// An engine's evaluation of a position in place of its solved game.
impl Solved for Evaluation {
    fn after(&self, most: usize) -> ByPlayer<Vec<(String, AfterMove)>> {
        let then = |after: &EvaluatedMove| {
            let then = match after.value.as_ref()? {
                Value::Money { win, draw } => AfterMove::Money([win, draw].map(|share| BoundsJson(share.clone()))),
                &Value::Chips { win, draw, .. } => AfterMove::Chips([win, draw].map(ThresholdJson::from)),
                Value::Sampled(_) | Value::Estimate(_) => return None,
            };
            Some((after.name.clone(), then))
        };
        self.after.as_ref().map(|after| after.iter().take(most).filter_map(then).collect())
    }
}

/// As its report.
impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.report.serialize(serializer)
    }
}

impl Answer {
    fn alone(report: Report, picture: String) -> Answer {
        Answer { report, picture, solved: None }
    }

    /// The answer from an engine's evaluation of the current position of `walk`; `None` if it does
    /// not answer the question.
    fn seen(walk: &dyn Walk, question: &Question, evaluation: Option<Evaluation>) -> Option<Answer> {
        let evaluation = evaluation?;
        let head = ReportHead::at(walk, &question.mechanism);
        let report = match question.stake {
            Stake::Money => Report::Money(Box::new(money::of_evaluation(head, &evaluation))),
            Stake::Total(_) => Report::Chips(Box::new(chips::of_evaluation(head, &evaluation, None)?)),
            Stake::Hands(hands) => Report::Chips(Box::new(chips::of_evaluation(head, &evaluation, Some(hands))?)),
        };
        Some(Answer { report, picture: walk.picture(), solved: Some(Box::new(evaluation)) })
    }

    /// The result if the game is over and the answer comes from its arena.
    pub fn end(&self) -> Option<Terminal> {
        self.solved.as_ref()?.end()
    }

    /// The answer for its position alone, which takes less memory.
    #[must_use]
    pub fn without_positions(self) -> Answer {
        Answer { solved: None, ..self }
    }

    /// Every position that can follow, if requested.
    pub fn positions(&self) -> Option<Positions<'_>> {
        self.solved.as_ref()?.positions()
    }

    /// The values of every position of a scoring game as the cells of a picture, if requested.
    pub fn map(&self) -> Option<&Map> {
        self.solved.as_ref()?.map()
    }

    /// The solution of the game `subject`, to be saved; `None` if not every position was requested.
    ///
    /// # Errors
    /// [`richman_core::Error::TooMuchMemory`] or [`richman_core::Error::Cancelled`].
    pub fn saving(self, subject: &Subject, effort: &Effort) -> Result<Option<Saving>, Error> {
        self.solved.map_or(Ok(None), |solved| solved.saving(subject, effort))
    }

    /// Alice's thresholds after each of both players' first `most` moves; empty if unknown.
    pub fn after(&self, most: usize) -> ByPlayer<Vec<(String, AfterMove)>> {
        self.solved.as_ref().map(|solved| solved.after(most)).unwrap_or_default()
    }
}

/// Answers a question about a game.
///
/// # Errors
/// [`richman_core::Error::TooManyPositions`], [`richman_core::Error::TooMuchMemory`] or
/// [`richman_core::Error::OutOfTime`] if the effort does not suffice; [`Error::NotServed`];
/// [`richman_core::Error::Cancelled`]; also fails for a bad position or mechanism.
pub fn ask(subject: &Subject, question: &Question, effort: &Effort) -> Result<Answer, Error> {
    let walk = subject.walk(question.position.as_deref())?;
    engines::answer(&CostedQuestion { subject, walk: walk.as_ref(), question, effort })
}

/// The answers of engines by name; `None` from an engine that found no answer.
pub type AnswersByEngine = Vec<(&'static str, Result<Option<Answer>, Error>)>;

/// The answers of all engines that offer one, to compare them.
///
/// # Errors
/// Fails if the position does not exist.
pub fn ask_all(subject: &Subject, question: &Question, effort: &Effort) -> Result<AnswersByEngine, Error> {
    let walk = subject.walk(question.position.as_deref())?;
    Ok(engines::all_answers(&CostedQuestion { subject, walk: walk.as_ref(), question, effort }))
}

/// Every engine's offer for a question (the quality and the rough cost of its answer, or why it has
/// none), and the order in which the engines are tried.
///
/// # Errors
/// Fails if the position does not exist.
pub fn consider(subject: &Subject, question: &Question, effort: &Effort) -> Result<EngineOffers, Error> {
    let walk = subject.walk(question.position.as_deref())?;
    Ok(engines::considered(&CostedQuestion { subject, walk: walk.as_ref(), question, effort }))
}
