//! The one way to an answer: the command, the pages and the interface for programs put a [`Question`] and say how much
//! [`Effort`] it is worth; [`ask`] finds out who can answer it, and returns the report.

mod arena;
mod arena_cost;
mod engines;
mod opened;
mod scope;
mod stake;
mod tables;

use std::io;
use std::path::PathBuf;

use richman_core::{Aim, Effort, Mechanism, MoneySolution, Node, Player, Terminal, Unwatched, Walk};
use richman_engine::{After, Sight, Value};
use richman_formats::SavedSolution;
use serde::Serialize;

use crate::chips::{ChipsReport, PursesReport, Solved};
use crate::money::MoneyReport;
use crate::positions::{ArenaSolution, Positions};
use crate::scores::{Map, ScoresReport};
use crate::{BoundsJson, Error, ReportHead, Subject, ThresholdJson, chips, money, saved};

use engines::Asked;
pub use engines::{Considered, ConsideredCost, EngineOffers};
pub use opened::{Opened, Table};
pub use scope::{Insight, Scope};
pub use stake::Stake;
pub use tables::{TableSource, open_table};

/// What somebody wants to know about a position. It says nothing about how that is found out.
#[derive(Debug, Clone, Default)]
pub struct Question {
    /// The position in the game's notation, if not the start.
    pub position: Option<String>,
    /// How bids are made, won and paid.
    pub mechanism: Mechanism,
    /// What the game is played for. A game of another objective is refused.
    pub aim: Aim,
    /// What is bid.
    pub stake: Stake,
    /// Win in at most so many moves.
    pub within: Option<u32>,
    /// Whether every position that can follow is asked about, to be listed or saved.
    pub all: bool,
    /// In a game for a score, whether what every pair of bids leads to is asked about.
    pub bids_table: bool,
    /// In a game for a score, whether every position is asked about as the cells of a picture.
    pub map: bool,
    /// A file of bounds on a large board, to go on with and to keep what is found.
    pub bounds: Option<PathBuf>,
    /// The folder of a database in which the answer is looked up.
    pub database: Option<PathBuf>,
}

impl Question {
    /// What the start of a game that is won or lost is worth in real money.
    pub fn new(mechanism: Mechanism) -> Question {
        Question { mechanism, ..Question::default() }
    }
}

/// What a position is worth.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Report {
    /// With real money.
    Money(Box<MoneyReport>),
    /// With chips.
    Chips(Box<ChipsReport>),
    /// With chips, where the bank is paid.
    Purses(Box<PursesReport>),
    /// In a scoring game.
    Scores(Box<ScoresReport>),
}

impl Report {
    /// Says more of how the answer came about, where the report says anything of it.
    fn add_to_stop(&mut self, what: &str) {
        let stop = match self {
            Report::Money(report) => &mut report.stop,
            Report::Chips(report) => &mut report.stop,
            Report::Purses(report) => &mut report.stop,
            Report::Scores(_) => return,
        };
        *stop += &format!("; {what}");
    }
}

/// What Alice needs after a move.
#[derive(Debug, Clone, PartialEq)]
pub enum Then {
    /// With real money: the win threshold, the draw threshold.
    Money([BoundsJson; 2]),
    /// With chips.
    Chips([ThresholdJson; 2]),
}

/// A report, and what else is known by then.
pub struct Answer {
    /// What the position is worth.
    pub report: Report,
    /// The position as text.
    pub picture: String,
    /// The values of every position of a scoring game, where they were asked for.
    pub map: Option<Map>,
    /// What was seen of the position, where its game was not unfolded.
    sight: Option<Sight>,
    known: Option<SolvedArena>,
}

/// A game that was unfolded and solved.
struct SolvedArena {
    opened: Opened,
    solution: ArenaSolution,
}

/// A solution that is to be saved.
pub struct Saving {
    head: SavedSolution,
    /// Thresholds of real money are written position by position.
    values: Option<(Opened, MoneySolution)>,
}

impl Saving {
    /// Writes it as `richman verify` reads it.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, out: &mut dyn io::Write) -> io::Result<()> {
        let Some((opened, solution)) = &self.values else { return richman_formats::write(&self.head, out) };
        richman_formats::write_money(&self.head, saved::money_values(&opened.request(&Unwatched), solution), out)
    }
}

impl Answer {
    fn alone(report: Report, picture: String) -> Answer {
        Answer { report, picture, map: None, sight: None, known: None }
    }

    /// What was seen of the position that `walk` is at; `None` where that is not what was asked.
    fn seen(walk: &dyn Walk, question: &Question, sight: Option<Sight>) -> Option<Answer> {
        let sight = sight?;
        let head = ReportHead::at(walk, &question.mechanism);
        let report = match question.stake {
            Stake::Money => Report::Money(Box::new(money::of_sight(head, &sight))),
            Stake::Total(_) => Report::Chips(Box::new(chips::of_sight(head, &sight, None)?)),
            Stake::Hands(hands) => Report::Chips(Box::new(chips::of_sight(head, &sight, Some(hands))?)),
        };
        Some(Answer { sight: Some(sight), ..Answer::alone(report, walk.picture()) })
    }

    /// How the game has ended, where the answer comes from its arena.
    pub fn end(&self) -> Option<Terminal> {
        let arena = self.known.as_ref()?.opened.unfolding.arena();
        arena.terminal(arena.start())
    }

    /// Every position that can follow, where they were asked for.
    pub fn positions(&self) -> Option<Positions<'_>> {
        let known = self.known.as_ref()?;
        Some(Positions::new(known.opened.request(&Unwatched), &known.solution))
    }

    /// What is to be saved; `subject` is the game. `None` where every position was not asked for.
    ///
    /// # Errors
    /// [`richman_core::Error::TooMuchMemory`].
    pub fn saving(self, subject: &Subject) -> Result<Option<Saving>, Error> {
        let Some(SolvedArena { opened, solution }) = self.known else { return Ok(None) };
        Ok(Some(match solution {
            ArenaSolution::Money(solution) => {
                let head = saved::money_head(subject, &opened.request(&Unwatched), &solution)?;
                Saving { head, values: Some((opened, solution)) }
            }
            ArenaSolution::Chips(solved, ..) | ArenaSolution::Purses(solved, _) => {
                Saving { head: saved::solved(subject, &opened.request(&Unwatched), solved)?, values: None }
            }
        }))
    }

    /// For the moves of Alice and of Bob, at most so many, what Alice needs after them; empty where that is not known.
    pub fn after(&self, most: usize) -> [Vec<(String, Then)>; 2] {
        if let Some(sight) = &self.sight {
            let then = |after: &After| {
                let then = match after.value.as_ref()? {
                    Value::Money { win, draw } => Then::Money([win, draw].map(|share| BoundsJson(share.clone()))),
                    &Value::Chips { win, draw, .. } => Then::Chips([win, draw].map(ThresholdJson::from)),
                    Value::Sampled(_) | Value::Estimate(_) => return None,
                };
                Some((after.name.clone(), then))
            };
            return sight.after.each_ref().map(|after| after.iter().take(most).filter_map(then).collect());
        }
        // Within t moves what follows is worth what it is within t - 1: not what was solved.
        let Some(known) = self.known.as_ref().filter(|known| known.opened.within().is_none()) else {
            return Default::default();
        };
        let then = |node: Node| match &known.solution {
            ArenaSolution::Money(MoneySolution { win, draw, .. }) => {
                Some(Then::Money([win, draw].map(|shares| BoundsJson(shares.get(node)))))
            }
            ArenaSolution::Chips(Solved::Total(solution), ..) => {
                let thresholds = solution.thresholds(node);
                Some(Then::Chips([thresholds.win.into(), thresholds.draw.into()]))
            }
            ArenaSolution::Chips(..) | ArenaSolution::Purses(..) => None,
        };
        let unfolding = &known.opened.unfolding;
        let start = unfolding.arena().start();
        Player::BOTH.map(|player| {
            let moves = unfolding.moves(start, player).into_iter().take(most);
            moves.filter_map(|step| Some((step.name, then(step.to)?))).collect()
        })
    }
}

/// Answers a question about a game.
///
/// # Errors
/// What cannot be answered within the effort, and why: [`richman_core::Error::TooManyPositions`],
/// [`richman_core::Error::TooMuchMemory`], [`richman_core::Error::OutOfTime`]; [`Error::NotServed`];
/// [`richman_core::Error::Cancelled`] where its watch says stop; a position or a mechanism that does not exist.
pub fn ask(subject: &Subject, question: &Question, effort: &Effort) -> Result<Answer, Error> {
    let walk = subject.walk(question.position.as_deref())?;
    engines::answer(&Asked { subject, walk: walk.as_ref(), question, effort })
}

/// What engines answer, each by its name; `None` where one turned out to have no answer.
pub type AnswersByEngine = Vec<(&'static str, Result<Option<Answer>, Error>)>;

/// The answers of all engines that offer one: so that they can be compared.
///
/// # Errors
/// Positions that there are not.
pub fn ask_all(subject: &Subject, question: &Question, effort: &Effort) -> Result<AnswersByEngine, Error> {
    let walk = subject.walk(question.position.as_deref())?;
    Ok(engines::all_answers(&Asked { subject, walk: walk.as_ref(), question, effort }))
}

/// What every engine says of a question: how good its answer would be and about what it would cost, or why it has none; and
/// the order in which they are tried.
///
/// # Errors
/// Positions that there are not.
pub fn consider(subject: &Subject, question: &Question, effort: &Effort) -> Result<EngineOffers, Error> {
    let walk = subject.walk(question.position.as_deref())?;
    Ok(engines::considered(&Asked { subject, walk: walk.as_ref(), question, effort }))
}
