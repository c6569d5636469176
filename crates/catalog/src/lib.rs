//! The catalog of published results, and what became of each when it was computed again.
//!
//! What the papers say and print is data (`*.toml`, misprints included) and never the source of a result. Theorems are
//! checked over a stated range by code (`dp10.rs`, `g12.rs` and so on). What was found here stands in docs/connect.md (`boards.rs`) and is
//! not counted among published results. Every claim ends with a [`Status`]; all that is not simply checked is recorded with the reason in
//! `recorded.toml`, and what is not as recorded is an error.
//!
//! Some of what is checked is of use by itself: [`tug_of_war`] by formulas, [`subtraction`] heap by heap, [`selection`] games
//! by fillings, a search for [`counterexamples`], what [`hex_rules`] for bids lose.
//! Nothing that answers a question knows this crate: of the faces, only the command `reproduce` does.
//!
//! ```
//! use richman_catalog::{Status, reproduce};
//!
//! let report = reproduce("G12 Theorem 2", false, &richman_core::Effort::default())?;
//! assert_eq!(report.claims[0].status, Status::Checked);
//! # Ok::<(), richman_catalog::Error>(())
//! ```
//!
//! A check that cannot fail says nothing. `tests/faults.rs` runs the catalog with faults planted in the solvers and holds, claim by claim, which of
//! them it must notice.

use std::collections::BTreeMap;

use richman_analysis::class::Classes;
use richman_core::Effort;
use serde::{Deserialize, Serialize};

mod boards;
pub mod counterexamples;
mod data;
mod dp10;
mod error;
mod g12;
mod gsz09;
pub mod hex_rules;
mod k;
mod lpr20;
mod printed;
mod samples;
pub mod selection;
mod solved;
pub mod subtraction;
pub mod tug_of_war;

pub use error::Error;

use data::{Print, Recorded};
use solved::Library;

/// What became of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Everything that was compared agrees, by a comparison that a wrong solver would fail.
    Checked,
    /// Some of it does not agree.
    Differs,
    /// A question; the answers are given, and are those on record.
    Answered,
    /// It holds whatever a solver says, because of how the numbers are made; the reason is given.
    #[serde(rename = "by construction")]
    ByConstruction,
    /// A question that no computation settled; what was tried is given.
    Open,
    /// What is claimed is not in the copy of the paper; the reason is given.
    #[serde(rename = "not checkable from the copy")]
    NotInCopy,
}

impl Status {
    /// All of them, those that a reader should see first at the beginning.
    pub const ALL: [Status; 6] =
        [Status::Differs, Status::Answered, Status::Open, Status::ByConstruction, Status::NotInCopy, Status::Checked];

    /// The word for it.
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

/// One place where print and computation differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Differ {
    /// Where: a total of a table, a position, an instance of a theorem.
    pub at: String,
    /// What is printed.
    pub printed: String,
    /// What is computed.
    pub computed: String,
    /// Why they differ, where that is about this place only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// One answer to a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// What is asked about: a board, a habit.
    pub at: String,
    /// What was found.
    pub answer: String,
}

/// Parts of a claim that were not computed this time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Omission {
    /// Which parts.
    pub what: Vec<String>,
    /// Why, and how to have them computed.
    pub why: String,
}

/// A claim and its result.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Claim {
    /// The paper's key and the place as printed.
    pub id: String,
    /// Whether a paper has it; otherwise it was found here.
    pub published: bool,
    /// What is claimed or asked, in our words.
    pub what: String,
    /// The result.
    pub status: Status,
    /// How many values, positions, instances or answers were compared.
    pub cells: u64,
    /// How many of them agree.
    #[serde(rename = "match")]
    pub matching: u64,
    /// Where they do not.
    pub differ: Vec<Differ>,
    /// The answers to a question.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Answer>,
    /// What was not computed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_computed: Vec<Omission>,
    /// Over which range a theorem was checked, and what else a reader should know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<String>,
    /// Why print and computation differ, why the claim has another status than `checked`, or an answer in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// What is not as recorded, if anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unexpected: Option<String>,
}

impl Claim {
    /// How many parts of it were not computed.
    pub fn omitted(&self) -> u64 {
        self.not_computed.iter().map(|omission| omission.what.len() as u64).sum()
    }
}

/// The claims that were asked for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reproduction {
    /// In the order of the papers.
    pub claims: Vec<Claim>,
    /// Whether every result is the recorded one.
    pub as_recorded: bool,
}

/// What a check found, before it is compared with the record.
#[derive(Debug, Default)]
struct Finding {
    cells: u64,
    differ: Vec<Differ>,
    answers: Vec<Answer>,
    not_computed: Vec<Omission>,
    range: String,
}

impl Finding {
    fn over(range: impl Into<String>) -> Finding {
        Finding { range: range.into(), ..Finding::default() }
    }

    /// Counts one comparison.
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

    /// An answer to the question, to be compared with the one on record.
    fn answer(&mut self, at: impl Into<String>, answer: impl ToString) {
        self.answers.push(Answer { at: at.into(), answer: answer.to_string() });
    }

    /// Names parts that were not computed, unless there are none.
    fn omit(&mut self, what: Vec<String>, why: impl Into<String>) {
        if !what.is_empty() {
            self.not_computed.push(Omission { what, why: why.into() });
        }
    }
}

type Check = fn(&mut Session) -> Result<Finding, Error>;

/// The checks of a paper's claims by place, in the order of the paper. What the claims say is in `claims.toml`.
type Claims = &'static [(&'static str, Check)];

/// What checks share: solved games, and how far to go.
struct Session<'a> {
    library: Library,
    classes: Classes,
    deep: bool,
    effort: Effort<'a>,
}

/// The keys of the papers in the catalog, and of what was found here.
pub const KEYS: [&str; 6] = ["DP10", "G12", "K", "GSZ09", "LPR20", FOUND_HERE];
/// The key of what was found here.
const FOUND_HERE: &str = "BOARDS";

/// Why something that takes longer was not computed.
const WITH_DEEP: &str = "with --deep";

/// The claims of each paper that code checks, and what it prints as data.
const PAPERS: [(&str, Claims, &str); 6] = [
    ("DP10", dp10::CLAIMS, data::DP10),
    ("G12", g12::CLAIMS, data::G12),
    ("K", k::CLAIMS, ""),
    ("GSZ09", gsz09::CLAIMS, ""),
    ("LPR20", lpr20::CLAIMS, ""),
    (FOUND_HERE, boards::CLAIMS, ""),
];

/// Computes the published results whose id begins with `key` (all of them for an empty key) and compares them with the print.
/// `deep` checks theorems over larger ranges. Of the effort memory and watch are heeded; what needs more memory is not computed, which its range says.
///
/// # Errors
/// [`Error::NoClaim`] if no id begins with `key`, and errors of solvers.
pub fn reproduce(key: &str, deep: bool, effort: &Effort) -> Result<Reproduction, Error> {
    let (recorded, words) = (data::recorded()?, data::words()?);
    let mut session = Session { library: Library::default(), classes: Classes::default(), deep, effort: *effort };
    let papers = PAPERS.map(|(paper, checks, text)| Ok((paper, checks, data::read(paper, text)?)));
    let papers = papers.into_iter().collect::<Result<Vec<(&str, Claims, Print)>, Error>>()?;
    let ids = papers.iter().flat_map(|(paper, checks, print)| {
        places(checks, print).into_iter().map(move |place| (format!("{paper} {place}"), place, *checks, print))
    });
    let ids: Vec<_> = ids.collect();
    // The id of one claim is meant alone: `G12 Connect Three table` does not also ask for `G12 Connect Three table 4g`.
    let one = ids.iter().any(|(id, ..)| id.eq_ignore_ascii_case(key));
    let begins = |id: &str| id.get(..key.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(key));
    let mut claims = Vec::new();
    for (id, place, checks, print) in ids {
        if !(if one { id.eq_ignore_ascii_case(key) } else { begins(&id) }) {
            continue;
        }
        if effort.watch.cancelled() {
            return Err(richman_core::Error::Cancelled.into());
        }
        effort.watch.progress("published results", claims.len() as u64, None);
        let finding = match found(checks, print, &place, &mut session) {
            Err(error) if error.is_cancelled() => return Err(error),
            finding => finding,
        };
        let what = words.get(&id).cloned().unwrap_or_else(|| print.what(&place));
        claims.push(judged(id, what, finding, &recorded));
    }
    if claims.is_empty() {
        return Err(Error::NoClaim { key: key.to_string() });
    }
    let as_recorded = claims.iter().all(|claim| claim.unexpected.is_none());
    Ok(Reproduction { claims, as_recorded })
}

/// The places of a paper's claims in the order of its checks; those that are only data follow.
fn places(checks: Claims, print: &Print) -> Vec<String> {
    let mut places: Vec<String> = checks.iter().map(|(place, _)| place.to_string()).collect();
    for place in print.places() {
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places
}

/// What the code of a claim finds, and the comparison with what is printed as data.
fn found(checks: Claims, print: &Print, place: &str, session: &mut Session) -> Result<Finding, Error> {
    let mut finding = match checks.iter().find(|(known, _)| *known == place) {
        Some((_, check)) => check(session)?,
        None => Finding::default(),
    };
    print.check(place, session, &mut finding)?;
    Ok(finding)
}

/// Compares what was found with what is recorded.
fn judged(id: String, what: String, found: Result<Finding, Error>, recorded: &BTreeMap<String, Recorded>) -> Claim {
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
        Some(record) => record.contradicted_by(&finding),
        None if finding.cells == 0 => Some("nothing was compared".to_string()),
        None => None,
    });
    let cells = finding.cells + finding.answers.len() as u64;
    Claim {
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

impl Recorded {
    /// What a finding of the recorded status has that the record has not, or the other way round.
    fn contradicted_by(&self, finding: &Finding) -> Option<String> {
        let found: BTreeMap<&str, &str> =
            finding.differ.iter().map(|found| (found.at.as_str(), found.computed.as_str())).collect();
        let expected = self.differ.iter().map(|(at, computed)| (at.as_str(), computed.as_str())).collect();
        if found != expected || found.len() != finding.differ.len() {
            return Some(format!("the differences are not the recorded ones, {:?}", self.differ));
        }
        let wrong = finding.answers.iter().find(|found| self.answers.get(&found.at) != Some(&found.answer));
        if let Some(Answer { at, answer }) = wrong {
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
