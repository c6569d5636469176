//! The catalog of published results, with the outcome of recomputing each.
//!
//! The papers' statements and printed values are data (`*.toml`, misprints included), never the
//! source of a result. Code (`dp10.rs`, `g12.rs` and so on) checks theorems over a stated range.
//! New results stand in docs/connect.md (`boards.rs`) and do not count as published. Every claim
//! ends with a [`Status`]; unless that is "checked", `recorded.toml` records it with the reason. A
//! result that differs from the record is an error.
//!
//! Some checks are useful by themselves: [`tug_of_war`] by formulas, [`subtraction`] heap by heap,
//! [`selection`] games by fillings, the smallest [`counterexamples`]. Only the command
//! `reproduce` uses this crate, no code that answers questions.
//!
//! ```
//! use richman_catalog::{Status, reproduce};
//!
//! let report = reproduce("G12 Theorem 2", false, &richman_core::Effort::default())?;
//! assert_eq!(report.claims[0].status, Status::Checked);
//! # Ok::<(), richman_catalog::Error>(())
//! ```
//!
//! A check that cannot fail proves nothing. `tests/faults.rs` plants faults in the solvers and
//! states, claim by claim, which of them the catalog must notice.

use std::collections::BTreeMap;

use richman_analysis::class::RuleClasses;
use richman_core::Effort;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod boards;
pub mod counterexamples;
mod data;
mod dp10;
mod error;
mod g12;
mod gsz09;
mod k;
mod lpr20;
mod printed;
mod samples;
pub mod selection;
mod solved;
pub mod subtraction;
pub mod tug_of_war;

pub use error::Error;

use data::{ClaimRecord, PrintedPaper};
use solved::Library;

/// The result of checking a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Everything compared agrees, and a wrong solver would fail the comparison.
    Checked,
    /// Some part disagrees.
    Differs,
    /// A question whose answers match the record.
    Answered,
    /// It holds whatever a solver says, because of how the numbers are computed; the reason is
    /// given.
    #[serde(rename = "by construction")]
    ByConstruction,
    /// A question that no computation settled; the attempts are described.
    Open,
    /// The copy of the paper lacks the claim; the reason is given.
    #[serde(rename = "not checkable from the copy")]
    NotInCopy,
}

impl Status {
    /// All statuses, most important first.
    pub const ALL: [Status; 6] =
        [Status::Differs, Status::Answered, Status::Open, Status::ByConstruction, Status::NotInCopy, Status::Checked];

    /// Its word in reports.
    pub fn word(self) -> &'static str {
        match self {
            Status::Checked => "checked",
            Status::Differs => "differs",
            Status::Answered => "answered",
            Status::ByConstruction => "by construction",
            Status::Open => "open",
            Status::NotInCopy => "not checkable from the copy",
        }
    }
}

/// A place where print and computation differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Differ {
    /// The total of a table, position, or instance of a theorem.
    pub at: String,
    /// The printed value.
    pub printed: String,
    /// The computed value.
    pub computed: String,
    /// The reason for the difference, if it concerns only this place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// An answer to a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct QuestionAnswer {
    /// The subject: a board, a habit.
    pub at: String,
    /// The answer found.
    pub answer: String,
}

/// Parts of a claim that this run omitted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Omission {
    /// The parts.
    pub what: Vec<String>,
    /// The reason, and how to have them computed.
    pub why: String,
}

/// A claim and its result.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CheckedClaim {
    /// The paper's key, and the place as printed.
    pub id: String,
    /// Whether it is from a paper, and not a new result.
    pub published: bool,
    /// The claim or question, in our words.
    pub what: String,
    /// The result.
    pub status: Status,
    /// The number of values, positions, instances or answers compared.
    pub cells: u64,
    /// The number of these that agree.
    #[serde(rename = "match")]
    pub matching: u64,
    /// The places that disagree.
    pub differ: Vec<Differ>,
    /// The answers to a question.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<QuestionAnswer>,
    /// The parts not computed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_computed: Vec<Omission>,
    /// The range checked for a theorem, and other remarks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<String>,
    /// The reason for differences or for a status other than `checked`, or an answer in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The deviation from the record, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unexpected: Option<String>,
}

impl CheckedClaim {
    /// The number of omitted parts.
    pub fn omitted(&self) -> u64 {
        self.not_computed.iter().map(|omission| omission.what.len() as u64).sum()
    }
}

/// The results of the requested claims.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Reproduction {
    /// In the order of the papers.
    pub claims: Vec<CheckedClaim>,
    /// Whether every result matches the record.
    pub as_recorded: bool,
}

/// A check's findings before comparison with the record.
#[derive(Debug, Default)]
struct Finding {
    cells: u64,
    differ: Vec<Differ>,
    answers: Vec<QuestionAnswer>,
    not_computed: Vec<Omission>,
    range: String,
}

impl Finding {
    fn over(range: impl Into<String>) -> Finding {
        Finding { range: range.into(), ..Finding::default() }
    }

    fn compare(&mut self, at: impl FnOnce() -> String, printed: impl ToString, computed: impl ToString) {
        self.cells += 1;
        let (printed, computed) = (printed.to_string(), computed.to_string());
        if printed != computed {
            self.differ.push(Differ { at: at(), printed, computed, why: None });
        }
    }

    /// Counts one instance of a statement.
    fn holds(&mut self, holds: bool, at: impl FnOnce() -> String) {
        if holds { self.cells += 1 } else { self.compare(at, true, false) }
    }

    fn answer(&mut self, at: impl Into<String>, answer: impl ToString) {
        self.answers.push(QuestionAnswer { at: at.into(), answer: answer.to_string() });
    }

    /// Names omitted parts, if any.
    fn omit(&mut self, what: Vec<String>, why: impl Into<String>) {
        if !what.is_empty() {
            self.not_computed.push(Omission { what, why: why.into() });
        }
    }
}

type Check = fn(&mut Session) -> Result<Finding, Error>;

/// The checks of a paper's claims by place, in the order of the paper; `claims.toml` has their
/// text.
type Claims = &'static [(&'static str, Check)];

/// Data shared by checks: solved games, and the range to check.
struct Session<'a> {
    library: Library,
    classes: RuleClasses,
    deep: bool,
    effort: Effort<'a>,
}

/// The papers' keys, and that of new results.
pub const KEYS: [&str; 6] = ["DP10", "G12", "K", "GSZ09", "LPR20", FOUND_HERE];
const FOUND_HERE: &str = "BOARDS";

/// Reason for omitting slow computations.
const WITH_DEEP: &str = "with --deep";

/// Each paper's claims checked by code, and its printed data.
const PAPERS: [(&str, Claims, &str); 6] = [
    ("DP10", dp10::CLAIMS, data::DP10),
    ("G12", g12::CLAIMS, data::G12),
    ("K", k::CLAIMS, ""),
    ("GSZ09", gsz09::CLAIMS, ""),
    ("LPR20", lpr20::CLAIMS, ""),
    (FOUND_HERE, boards::CLAIMS, ""),
];

/// Computes the published results whose id begins with `key` (all if empty) and compares them with
/// the print. `deep` checks theorems over larger ranges. Of `effort` only memory and watch count;
/// parts that need more memory are omitted, as the range then says.
///
/// # Errors
/// [`Error::NoClaim`] if no id begins with `key`; [`Error::Damaged`] if the catalog's data cannot
/// be read; cancellation.
pub fn reproduce(key: &str, deep: bool, effort: &Effort) -> Result<Reproduction, Error> {
    let (recorded, words) = (data::recorded()?, data::words()?);
    let mut session = Session { library: Library::default(), classes: RuleClasses::default(), deep, effort: *effort };
    let papers = PAPERS.map(|(paper, checks, text)| Ok((paper, checks, data::read(paper, text)?)));
    let papers = papers.into_iter().collect::<Result<Vec<(&str, Claims, PrintedPaper)>, Error>>()?;
    let ids = papers.iter().flat_map(|(paper, checks, print)| {
        places(checks, print).into_iter().map(move |place| (format!("{paper} {place}"), place, *checks, print))
    });
    let ids: Vec<_> = ids.collect();
    // A complete id selects one claim: `G12 Connect Three table` excludes `G12 Connect Three table
    // 4g`.
    let one = ids.iter().any(|(id, ..)| id.eq_ignore_ascii_case(key));
    let begins = |id: &str| id.get(..key.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(key));
    let (chosen, others): (Vec<_>, Vec<_>) =
        ids.into_iter().partition(|(id, ..)| if one { id.eq_ignore_ascii_case(key) } else { begins(id) });
    if chosen.is_empty() {
        let ids = others.into_iter().map(|(id, ..)| id).collect();
        return Err(Error::NoClaim { key: key.to_string(), ids });
    }
    let mut claims = Vec::new();
    for (id, place, checks, print) in chosen {
        if effort.watch.cancelled() {
            return Err(richman_core::Error::Cancelled.into());
        }
        effort.watch.progress("published results", claims.len() as u64, None);
        let finding = match found(checks, print, &place, &mut session) {
            Err(error) if error.is_cancelled() => return Err(error),
            finding => finding,
        };
        let what = words.get(&id).cloned().unwrap_or_else(|| print.what(&place));
        claims.push(judged(id, what, finding, &recorded, deep));
    }
    let as_recorded = claims.iter().all(|claim| claim.unexpected.is_none());
    Ok(Reproduction { claims, as_recorded })
}

/// A paper's claims in the order of its checks, then those that are only data.
fn places(checks: Claims, print: &PrintedPaper) -> Vec<String> {
    let mut places: Vec<String> = checks.iter().map(|(place, _)| place.to_string()).collect();
    for place in print.places() {
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places
}

/// Runs the check of a claim, if any, and compares the printed data.
fn found(checks: Claims, print: &PrintedPaper, place: &str, session: &mut Session) -> Result<Finding, Error> {
    let mut finding = match checks.iter().find(|(known, _)| *known == place) {
        Some((_, check)) => check(session)?,
        None => Finding::default(),
    };
    print.check(place, session, &mut finding)?;
    Ok(finding)
}

/// Compares a finding with the record.
fn judged(
    id: String,
    what: String,
    found: Result<Finding, Error>,
    recorded: &BTreeMap<String, ClaimRecord>,
    deep: bool,
) -> CheckedClaim {
    let record = recorded.get(&id);
    let expected = record.map_or(Status::Checked, |record| record.status);
    let (mut finding, failure) = match found {
        Ok(finding) => (finding, None),
        Err(error) => (Finding::default(), Some(format!("could not be computed: {error}"))),
    };
    if let Some(record) = record {
        for found in &mut finding.differ {
            found.why = record.cells.get(&found.at).cloned();
        }
    }
    let status = match (finding.differ.is_empty(), expected) {
        (false, _) => Status::Differs,
        (true, Status::Differs) => Status::Checked,
        (true, expected) => expected,
    };
    let unexpected = failure.or_else(|| match record {
        _ if status != expected => Some(format!("recorded as {}, found as {}", expected.word(), status.word())),
        Some(record) => record.contradicted_by(&finding, deep),
        None if finding.cells == 0 => Some("nothing was compared".to_string()),
        None => None,
    });
    let cells = finding.cells + finding.answers.len() as u64;
    CheckedClaim {
        published: !id.starts_with(FOUND_HERE),
        id,
        what,
        status,
        cells,
        matching: cells - finding.differ.len() as u64,
        differ: finding.differ,
        answers: finding.answers,
        not_computed: finding.not_computed,
        range: Some(finding.range).filter(|range| !range.is_empty()),
        why: record.map(|record| record.why.clone()),
        unexpected,
    }
}

impl ClaimRecord {
    /// The first contradiction between a finding and the record.
    fn contradicted_by(&self, finding: &Finding, deep: bool) -> Option<String> {
        let found: BTreeMap<&str, &str> =
            finding.differ.iter().map(|found| (found.at.as_str(), found.computed.as_str())).collect();
        let recorded = self.differ.iter().chain(self.differ_deep.iter().filter(|_| deep));
        let expected: BTreeMap<&str, &str> = recorded.map(|(at, computed)| (at.as_str(), computed.as_str())).collect();
        if found != expected || found.len() != finding.differ.len() {
            return Some(format!("the differences are not the recorded ones, {expected:?}"));
        }
        let wrong = finding.answers.iter().find(|found| self.answers.get(&found.at) != Some(&found.answer));
        if let Some(QuestionAnswer { at, answer }) = wrong {
            return Some(format!("another answer is on record than {at}: {answer}"));
        }
        match self.status {
            Status::Checked | Status::Differs if finding.cells == 0 => Some("nothing was compared".to_string()),
            Status::Answered if finding.answers.is_empty() && finding.cells == 0 => {
                Some("nothing was answered".to_string())
            }
            _ => None,
        }
    }
}
