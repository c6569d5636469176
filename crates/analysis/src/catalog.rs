//! The catalog of published results, and what became of each when it was computed again.
//!
//! What the papers print is data (`catalog/*.toml`, misprints included) and never the source of a result. Theorems are checked over a
//! stated range by code (`catalog/dp10.rs`, `catalog/g12.rs` and so on). What was found here stands in docs/connect.md (`catalog/boards.rs`). A claim ends as confirmed, as differing in listed cells, or as not
//! checkable; every difference is recorded with the reason in `catalog/recorded.toml`, and one that is not recorded is an error.

use std::collections::BTreeMap;

use richman_solvers::Options;
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::class::Classes;

mod boards;
mod data;
mod dp10;
mod g12;
mod gsz09;
mod k;
mod lpr20;
mod printed;
mod samples;
mod solved;

use data::Recorded;
use solved::Library;

/// What became of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Status {
    /// Everything that was compared agrees.
    #[serde(rename = "confirmed")]
    Confirmed,
    /// Some of it does not.
    #[serde(rename = "differs")]
    Differs,
    /// It cannot be compared; the reason is given.
    #[serde(rename = "not checkable")]
    NotCheckable,
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

/// A published claim and its result.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Claim {
    /// The paper's key and the place as printed.
    pub id: String,
    /// What is claimed, in our words.
    pub what: String,
    /// The result.
    pub status: Status,
    /// How many values, positions or instances were compared.
    pub cells: u64,
    /// How many of them agree.
    #[serde(rename = "match")]
    pub matching: u64,
    /// Where they do not.
    pub differ: Vec<Differ>,
    /// Over which range a theorem was checked, and what else a reader should know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<String>,
    /// Why print and computation differ, or why the claim cannot be checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// What is not as recorded, if anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unexpected: Option<String>,
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
    range: String,
    /// Set where the claim cannot be checked.
    not_checkable: bool,
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
        self.compare(at, true, holds);
    }

    fn absorb(&mut self, other: Finding) {
        self.cells += other.cells;
        self.differ.extend(other.differ);
    }
}

type Check = fn(&mut Session) -> Result<Finding, Error>;

/// A claim that code checks.
struct Coded {
    place: &'static str,
    what: &'static str,
    check: Check,
}

const fn coded(place: &'static str, what: &'static str, check: Check) -> Coded {
    Coded { place, what, check }
}

/// What checks share: solved games, and how far to go.
struct Session<'a> {
    library: Library,
    classes: Classes,
    deep: bool,
    options: Options<'a>,
}

/// The keys of the papers in the catalog, and of what was found here.
pub const KEYS: [&str; 6] = ["DP10", "G12", "K", "GSZ09", "LPR20", "BOARDS"];

/// Each paper's claims in code, and what it prints as data.
const PAPERS: [(&str, &[Coded], &str); 6] = [
    ("DP10", dp10::CLAIMS, data::DP10),
    ("G12", g12::CLAIMS, data::G12),
    ("K", k::CLAIMS, ""),
    ("GSZ09", gsz09::CLAIMS, ""),
    ("LPR20", lpr20::CLAIMS, ""),
    ("BOARDS", boards::CLAIMS, ""),
];

/// Computes the published results whose id begins with `key` (all of them for an empty key) and compares them with the print.
/// `deep` checks theorems over larger ranges. Of the options memory and watch are heeded; what needs more memory is not computed, which its range says.
///
/// # Errors
/// [`Error::NoClaim`] if no id begins with `key`, and errors of solvers.
pub fn reproduce(key: &str, deep: bool, options: &Options) -> Result<Reproduction, Error> {
    let recorded = data::recorded()?;
    let mut session = Session { library: Library::default(), classes: Classes::new(), deep, options: *options };
    let mut claims = Vec::new();
    let is_paper = KEYS.iter().any(|paper| paper.eq_ignore_ascii_case(key));
    let all_that_begin = is_paper || !claim_exists(key);
    let wanted = |id: &str| id.eq_ignore_ascii_case(key) || (all_that_begin && begins(id, key));
    for (paper, coded, text) in PAPERS {
        let print = data::parse(paper, text)?;
        let mut printed = printed::claims(&print);
        let places: Vec<String> = order(coded, &printed);
        for place in places {
            let id = format!("{paper} {place}");
            if !wanted(&id) {
                continue;
            }
            if options.watch.cancelled() {
                return Err(richman_core::Error::Cancelled.into());
            }
            options.watch.progress("published results", claims.len() as u64, None);
            let code = coded.iter().find(|coded| coded.place == place);
            let data = printed.remove(&place);
            let mut finding = match code {
                Some(code) => (code.check)(&mut session)?,
                None => Finding::default(),
            };
            let mut what = code.map(|code| code.what.to_string());
            if let Some(data) = data {
                what.get_or_insert_with(|| data.what());
                finding.absorb(data.check(&mut session)?);
            }
            claims.push(judged(id, what.unwrap_or_default(), finding, &recorded));
        }
    }
    if claims.is_empty() {
        return Err(Error::NoClaim { key: key.to_string() });
    }
    let as_recorded = claims.iter().all(|claim| claim.unexpected.is_none());
    Ok(Reproduction { claims, as_recorded })
}

/// Whether an id begins with `key`, in any case.
fn begins(id: &str, key: &str) -> bool {
    id.get(..key.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(key))
}

/// Whether `key` is the id of one claim, so that `G12 Connect Three table` does not also ask for `G12 Connect Three table 4g`.
fn claim_exists(key: &str) -> bool {
    PAPERS.iter().any(|(paper, coded, text)| {
        let Ok(print) = data::parse(paper, text) else { return false };
        order(coded, &printed::claims(&print)).iter().any(|place| format!("{paper} {place}").eq_ignore_ascii_case(key))
    })
}

/// Places in the order of the coded claims; those that are only data come where their section's do.
fn order(coded: &[Coded], printed: &BTreeMap<String, printed::Printed>) -> Vec<String> {
    let mut places: Vec<String> = coded.iter().map(|coded| coded.place.to_string()).collect();
    let mut rest: Vec<&String> = printed.keys().filter(|place| !places.contains(place)).collect();
    rest.sort_by_key(|place| printed[*place].order);
    places.extend(rest.into_iter().cloned());
    places
}

/// Compares what was found with what is recorded.
fn judged(id: String, what: String, finding: Finding, recorded: &BTreeMap<String, Recorded>) -> Claim {
    let status = match (finding.not_checkable || finding.cells == 0, finding.differ.is_empty()) {
        (true, _) => Status::NotCheckable,
        (false, true) => Status::Confirmed,
        (false, false) => Status::Differs,
    };
    let record = recorded.get(&id);
    let mut differ = finding.differ;
    let mut unexpected = match record.map_or(Status::Confirmed, |record| record.status) {
        expected if expected == status => None,
        expected => Some(format!("recorded as {expected:?}, found to be {status:?}")),
    };
    if let Some(record) = record {
        for found in &mut differ {
            found.why = record.cells.get(&found.at).cloned();
        }
        let found: BTreeMap<&str, &str> =
            differ.iter().map(|found| (found.at.as_str(), found.computed.as_str())).collect();
        let expected = record.differ.iter().map(|(at, computed)| (at.as_str(), computed.as_str())).collect();
        if status == Status::Differs && (found != expected || found.len() != differ.len()) {
            unexpected = Some(format!("the differences are not the recorded ones, {:?}", record.differ));
        }
    }
    Claim {
        id,
        what,
        status,
        cells: finding.cells,
        matching: finding.cells - differ.len() as u64,
        differ,
        range: Some(finding.range).filter(|range| !range.is_empty()),
        why: record.map(|record| record.why.clone()),
        unexpected,
    }
}
