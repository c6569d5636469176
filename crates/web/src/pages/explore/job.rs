//! One output of explore, made at the desk: the question is read, answered and shown.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use richman_analysis::{AnyTable, ThresholdJson};
use richman_core::Total;

use super::answer::{self, ExploreAnswer};
use super::asked::ExploreFields;
use super::page;
use super::question::{ExploreView, Inquiry};
use crate::App;
use crate::desk::Deadline;
use crate::file_text::FileText;
use crate::kept::AnswerCache;
use crate::pages::finished::{FinishedPage, FinishedPages};
use crate::pages::{JSON, SVG};
use crate::refused::Refusal;

/// What may be asked for about a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ExploreOutput {
    Page,
    SolveJson,
    SolveCsv,
    TableJson,
    TableCsv,
    FigureSvg,
    TreeSvg,
    TreeJson,
}

impl ExploreOutput {
    /// The time at the desk: the page has a report and a table.
    pub fn time(self) -> Duration {
        if self == ExploreOutput::Page { 2 * answer::TIME + Duration::from_secs(1) } else { answer::TIME }
    }
}

/// Cached answers: what outputs share, and the outputs.
pub(crate) struct Answers {
    solved: AnswerCache<ExploreFields, ExploreAnswer>,
    tables: AnswerCache<ExploreFields, AnyTable>,
    trees: AnswerCache<ExploreFields, DrawnTree>,
    pub(super) finished: FinishedPages<(ExploreOutput, ExploreFields)>,
}

impl Default for Answers {
    fn default() -> Answers {
        Answers {
            solved: AnswerCache::default(),
            tables: AnswerCache::default(),
            trees: AnswerCache::default(),
            finished: FinishedPage::cache(),
        }
    }
}

struct DrawnTree {
    svg: Bytes,
    json: Bytes,
}

/// A question at the desk.
pub struct ExploreJob<'a> {
    pub app: &'a App,
    pub asked: ExploreFields,
    /// The text of the game file.
    pub file: Option<FileText>,
    pub deadline: &'a Deadline,
}

impl ExploreJob<'_> {
    /// The output. A page also shows why a question has no answer.
    ///
    /// # Errors
    /// [`Refusal`] says why there is no other output.
    pub fn make(&self, output: ExploreOutput) -> Result<FinishedPage, Refusal> {
        Ok(match output {
            ExploreOutput::Page => self.page(),
            ExploreOutput::SolveJson => FinishedPage::of(JSON, self.solved(&self.question()?)?.json.clone()),
            ExploreOutput::SolveCsv => {
                let answer = self.solved(&self.question()?)?;
                FinishedPage::csv("solve.csv", richman_render::csv::worth(&answer.report, true))?
            }
            ExploreOutput::TableJson => {
                let table = self.tabled(&self.question_of_thresholds()?)?;
                FinishedPage::of(JSON, answer::json_line(table.as_ref())?)
            }
            ExploreOutput::TableCsv => {
                let rows = match self.tabled(&self.question_of_thresholds()?)?.as_ref() {
                    AnyTable::Totals(report) => richman_render::csv::table(report),
                    AnyTable::Holdings(report) => richman_render::csv::holdings(report),
                };
                FinishedPage::csv("table.csv", rows)?
            }
            ExploreOutput::FigureSvg => {
                FinishedPage::of(SVG, answer::figure(&self.question_of_thresholds()?, self.deadline)?)
            }
            ExploreOutput::TreeSvg => FinishedPage::of(SVG, self.treed(&self.question()?)?.svg.clone()),
            ExploreOutput::TreeJson => FinishedPage::of(JSON, self.treed(&self.question()?)?.json.clone()),
        })
    }

    fn view(&self) -> Result<ExploreView, Refusal> {
        ExploreView::new(self.app.games(), &self.asked, self.file.as_deref())
    }

    fn question(&self) -> Result<Inquiry, Refusal> {
        self.view()?.question
    }

    /// The question about a game with thresholds.
    fn question_of_thresholds(&self) -> Result<Inquiry, Refusal> {
        let question = self.question()?;
        if question.is_scoring() {
            let reason = "a scoring game has no thresholds: its values are in solve.csv";
            return Err(Refusal::BadRequest(reason.to_string()));
        }
        Ok(question)
    }

    fn page(&self) -> FinishedPage {
        let games = self.app.games();
        let view = match self.view() {
            Ok(view) => view,
            Err(error) => return FinishedPage::refused(page::refused(games, &self.asked, &error), error),
        };
        let question = match &view.question {
            Ok(question) => question,
            Err(error) => {
                return FinishedPage::refused(page::render(games, &view, None, None, false), error.clone());
            }
        };
        let answer = self.solved(question);
        let too_large = match &answer {
            Ok(answer) => answer.too_large,
            Err(_) => answer::is_too_large(question, view.walk.as_ref()),
        };
        let has_table = answer.is_ok() && !question.is_scoring() && view.walk.end().is_none() && !too_large;
        let table = has_table.then(|| self.tabled(question));
        let refused = answer.as_ref().err().cloned();
        let page = page::render(games, &view, Some(answer), table, too_large);
        match refused {
            None => FinishedPage::page(page),
            Some(refused) => FinishedPage::refused(page, refused),
        }
    }

    fn solved(&self, question: &Inquiry) -> Result<Arc<ExploreAnswer>, Refusal> {
        let none = String::new;
        let key = ExploreFields { mover: none(), goal: none(), depth: none(), table: none(), ..self.asked.clone() };
        let find = || self.deadline.part(answer::TIME, |deadline| answer::solve(question, deadline));
        let bytes = |answer: &ExploreAnswer| 4 * answer.json.len() as u64;
        self.app.answers.solved.answer_at_desk(&key, self.deadline, bytes, find)
    }

    fn tabled(&self, question: &Inquiry) -> Result<Arc<AnyTable>, Refusal> {
        let find = || self.deadline.part(answer::TIME, |deadline| answer::table(question, deadline));
        let bytes = |table: &AnyTable| table_weight(table, question.table_end);
        self.app.answers.tables.answer_at_desk(&of_table(&self.asked), self.deadline, bytes, find)
    }

    fn treed(&self, question: &Inquiry) -> Result<Arc<DrawnTree>, Refusal> {
        if question.is_scoring() {
            return Err(Refusal::BadRequest("a scoring game has no tree of optimal moves".to_string()));
        }
        let key = ExploreFields { mover: String::new(), table: String::new(), ..self.asked.clone() };
        let find = || {
            let report = answer::tree(question, self.deadline)?;
            let (svg, json) = (richman_render::tree::svg::render(&report), answer::json_line(&report)?);
            Ok(DrawnTree { svg: svg.into(), json: json.into() })
        };
        let bytes = |tree: &DrawnTree| (tree.svg.len() + tree.json.len()) as u64;
        self.app.answers.trees.answer_at_desk(&key, self.deadline, bytes, find)
    }
}

/// The fields that a table depends on.
fn of_table(asked: &ExploreFields) -> ExploreFields {
    let none = String::new;
    ExploreFields {
        mover: none(),
        goal: none(),
        depth: none(),
        chips: none(),
        alice: none(),
        bob: none(),
        ..asked.clone()
    }
}

/// The approximate bytes of a table.
fn table_weight(table: &AnyTable, end: Total) -> u64 {
    const EACH: u64 = 512;
    let listed = |needed: &ThresholdJson| needed.wins.as_ref().map_or(0, |wins| wins.plain.len() + wins.star.len());
    let rows = if let AnyTable::Totals(report) = table { &report.rows[..] } else { &[] };
    let listed: usize = rows.iter().map(|row| listed(&row.win) + listed(&row.draw)).sum();
    EACH * (u64::from(end.chips()) + 1) + 8 * listed as u64
}
