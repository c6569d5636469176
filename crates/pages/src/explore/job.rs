//! One output of explore, made at the desk: the question is read, answered and shown.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use maud::Markup;
use richman_analysis::{AnyTable, Subject, ThresholdJson};
use richman_core::{Total, Walk};
use richman_hall::FileText;
use richman_hall::refused::Refusal;
use richman_render::reports::{Printed, rows};

use super::answer::{self, ExploreAnswer};
use super::asked::ExploreFields;
use super::files;
use super::page::{self, FoundAnswer, PageAnswer};
use super::question::{ExploreView, Inquiry, RulesSource};
use crate::Pages;
use crate::desk::Deadline;
use crate::finished::FinishedPage;
use crate::link::holding;
use crate::needs::PartKind;
use crate::{JSON, SVG};

/// The time for an answer that is shown at once with its page.
const AT_ONCE: Duration = Duration::from_millis(100);

/// What may be asked for about a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ExploreOutput {
    /// The page, without its answer if that takes long.
    Page,
    /// The page with its answer.
    Whole,
    SolveJson,
    SolveCsv,
    TableJson,
    TableCsv,
    FigureSvg,
    TreeSvg,
    TreeJson,
    /// The board and what it is worth, for a frame of another site.
    Frame,
}

impl ExploreOutput {
    /// The time at the desk: the page has a report and a table.
    pub fn time(self) -> Duration {
        match self {
            ExploreOutput::Page | ExploreOutput::Whole => 2 * answer::TIME + Duration::from_secs(1),
            _ => answer::TIME,
        }
    }
}

struct DrawnTree {
    svg: Bytes,
    json: Bytes,
}

/// A question at the desk.
pub struct ExploreJob<'a> {
    pub app: &'a Pages,
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
            ExploreOutput::Page => self.page(&self.deadline.glance(AT_ONCE), false),
            ExploreOutput::Whole => self.page(self.deadline, true),
            ExploreOutput::SolveJson => {
                FinishedPage::of(JSON, self.solved(&self.question()?, self.deadline)?.json.clone())
            }
            ExploreOutput::SolveCsv => {
                let answer = self.solved(&self.question()?, self.deadline)?;
                FinishedPage::csv("solve.csv", rows(&answer.report))?
            }
            ExploreOutput::TableJson => {
                let table = self.tabled(&self.question()?, self.deadline)?;
                FinishedPage::of(JSON, answer::json_line(table.as_ref())?)
            }
            ExploreOutput::TableCsv => {
                FinishedPage::csv("table.csv", self.tabled(&self.question()?, self.deadline)?.rows())?
            }
            ExploreOutput::FigureSvg => FinishedPage::of(SVG, answer::figure(&self.question()?, self.deadline)?),
            ExploreOutput::TreeSvg => FinishedPage::of(SVG, self.treed(&self.question()?)?.svg.clone()),
            ExploreOutput::TreeJson => FinishedPage::of(JSON, self.treed(&self.question()?)?.json.clone()),
            ExploreOutput::Frame => {
                let view = self.view()?;
                let answer = self.solved(&view.question.clone()?, self.deadline)?;
                FinishedPage::framed(page::framed_board(&view, &answer.report))
            }
        })
    }

    /// The game without its position.
    fn rules(&self) -> Result<RulesSource, Refusal> {
        if let Some(text) = &self.file {
            return files::source(text, self.deadline);
        }
        let name = self.asked.game_or_file();
        let subject = Arc::new(Subject::among(self.app.games(), name)?);
        Ok(RulesSource { name: name.to_string(), is_file: false, subject })
    }

    fn view(&self) -> Result<ExploreView, Refusal> {
        let source = self.rules()?;
        let walk = source.subject.walk(self.asked.position())?;
        let question = Inquiry::new(&self.asked, source.clone());
        let file = self.file.as_ref().filter(|_| self.app.is_alone);
        let shared = file.map(|text| holding("/explore", &[("text", text)]));
        Ok(ExploreView { shared, asked: self.asked.clone(), source, walk, question })
    }

    fn question(&self) -> Result<Inquiry, Refusal> {
        self.view()?.question
    }

    /// The page; unless it is to be whole, without an answer that takes longer than `deadline`.
    fn page(&self, deadline: &Deadline, whole: bool) -> FinishedPage {
        let view = match self.view() {
            Ok(view) => view,
            Err(error) => return FinishedPage::refused(self.without_position(&error), error),
        };
        let question = match &view.question {
            Ok(question) => question,
            Err(error) => {
                return FinishedPage::refused(page::render(self.app, &view, &PageAnswer::Wrong), error.clone());
            }
        };
        let found = match self.found(question, view.walk.as_ref(), deadline, whole) {
            Some(found) if whole || !deadline.is_cut_off() => found,
            _ => return FinishedPage::page(page::render(self.app, &view, &PageAnswer::Awaited)),
        };
        let refused = found.worth.as_ref().err().filter(|_| found.estimate.is_none()).cloned();
        let page = page::render(self.app, &view, &PageAnswer::Found(Box::new(found)));
        match refused {
            None => FinishedPage::page(page),
            Some(refused) => FinishedPage::refused(page, refused),
        }
    }

    /// The page if the question has no position: its board may be one that is being set up.
    fn without_position(&self, error: &Refusal) -> Markup {
        let (games, asked) = (self.app.games(), &self.asked);
        let set_up = || page::draft(games, asked, &self.rules().ok()?.subject, error);
        let draft = if asked.setup.is_empty() { None } else { set_up() };
        draft.unwrap_or_else(|| page::refused(games, asked, error))
    }

    /// The answer and what goes with it; `None` if an estimate has to be waited for.
    fn found(&self, question: &Inquiry, walk: &dyn Walk, deadline: &Deadline, whole: bool) -> Option<FoundAnswer> {
        let worth = self.solved(question, deadline);
        let too_large = match &worth {
            Ok(answer) => answer.too_large,
            Err(_) => answer::is_too_large(question, walk),
        };
        let estimate = match worth {
            Err(Refusal::Unfit(_) | Refusal::OutOfTime(_)) if answer::has_estimate(question, walk) => {
                if !whole {
                    return None;
                }
                deadline.part(answer::TIME, |deadline| answer::estimate(question, deadline)).ok().flatten()
            }
            _ => None,
        };
        let has_table = worth.is_ok() && question.of.has_table() && walk.end().is_none() && !too_large;
        let table = has_table.then(|| self.tabled(question, deadline));
        Some(FoundAnswer { worth, estimate, table, too_large })
    }

    fn solved(&self, question: &Inquiry, deadline: &Deadline) -> Result<Arc<ExploreAnswer>, Refusal> {
        let find = || deadline.part(answer::TIME, |deadline| answer::solve(question, deadline));
        let bytes = |answer: &ExploreAnswer| 4 * answer.json.len() as u64;
        let key = self.asked.key_without(&["mover", "goal", "depth", "table", "setup"]);
        self.app.answers.part_of(PartKind::Report, key, deadline, bytes, find)
    }

    fn tabled(&self, question: &Inquiry, deadline: &Deadline) -> Result<Arc<AnyTable>, Refusal> {
        let find = || deadline.part(answer::TIME, |deadline| answer::table(question, deadline));
        let bytes = |table: &AnyTable| table_weight(table, question.table_end);
        let key = self.asked.key_without(&["mover", "goal", "depth", "chips", "alice", "bob", "setup"]);
        self.app.answers.part_of(PartKind::Table, key, deadline, bytes, find)
    }

    fn treed(&self, question: &Inquiry) -> Result<Arc<DrawnTree>, Refusal> {
        let find = || {
            let report = answer::tree(question, self.deadline)?;
            let (svg, json) = (richman_render::tree::svg::render(&report), answer::json_line(&report)?);
            Ok(DrawnTree { svg: svg.into(), json: json.into() })
        };
        let bytes = |tree: &DrawnTree| (tree.svg.len() + tree.json.len()) as u64;
        let key = self.asked.key_without(&["mover", "table", "setup"]);
        self.app.answers.part_of(PartKind::Tree, key, self.deadline, bytes, find)
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
