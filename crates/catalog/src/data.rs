//! The data printed in the papers, and the record of our checks.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::Status;
use crate::Error;

pub const DP10: &str = include_str!("dp10_tables.toml");
pub const G12: &str = include_str!("g12_tables.toml");
const CLAIMS: &str = include_str!("claims.toml");
const RECORDED: &str = include_str!("recorded.toml");

/// The printed data of one paper.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrintedPaper {
    #[serde(default, rename = "table")]
    pub tables: Vec<PrintedTable>,
    /// Wedge expressions claimed for positions.
    #[serde(default, rename = "class")]
    pub classes: Vec<PrintedEntry>,
    /// Critical thresholds for real money.
    #[serde(default, rename = "share")]
    pub shares: Vec<PrintedEntry>,
    /// Thresholds for one total of chips.
    #[serde(default, rename = "value")]
    pub values: Vec<PrintedEntry>,
    #[serde(default, rename = "figure")]
    pub figures: Vec<FigureTotal>,
    #[serde(default, rename = "label")]
    pub labels: Vec<FigureLabel>,
    #[serde(default, rename = "move")]
    pub moves: Vec<FigureMove>,
}

/// A chip table: the threshold for block n + i chips is step n + cell i.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrintedTable {
    pub place: String,
    pub game: String,
    pub position: Option<String>,
    /// Alice's move from the position, if the table is about one.
    pub alice_move: Option<String>,
    pub equivalent: Option<String>,
    pub block: u32,
    pub step: u32,
    pub cells: String,
    #[serde(rename = "note")]
    pub _note: Option<String>,
}

/// A printed value of one position, or of several if the text means each of them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrintedEntry {
    pub place: String,
    pub game: String,
    pub position: Option<String>,
    #[serde(default)]
    pub positions: Vec<String>,
    /// The total, for a chip threshold.
    pub chips: Option<u32>,
    #[serde(alias = "equivalent")]
    pub printed: String,
    pub note: Option<String>,
}

/// A figure whose moves are best for a total of chips, not for real money.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FigureTotal {
    pub figure: String,
    pub chips: u32,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FigureLabel {
    pub figure: String,
    pub label: String,
    pub game: Option<String>,
    pub position: Option<String>,
    #[serde(rename = "note")]
    pub _note: Option<String>,
}

/// A move of a figure, from one label to another or to a position.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FigureMove {
    pub figure: String,
    pub from: String,
    pub player: String,
    pub to: Option<String>,
    pub position: Option<String>,
    #[serde(rename = "note")]
    pub _note: Option<String>,
}

/// The record of a claim that is not simply checked.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClaimRecord {
    pub id: String,
    pub status: Status,
    /// The reason why our value is right, or why the claim cannot be checked or cannot fail; or the
    /// answer in words.
    pub why: String,
    #[serde(default)]
    pub answers: BTreeMap<String, String>,
    /// The places that differ, with the computed values.
    #[serde(default)]
    pub differ: BTreeMap<String, String>,
    /// The further places that differ in the larger range of `--deep`.
    #[serde(default)]
    pub differ_deep: BTreeMap<String, String>,
    /// Reasons about single places.
    #[serde(default)]
    pub cells: BTreeMap<String, String>,
}

/// Parses the data of a file; `name` appears in errors.
pub fn read<T: DeserializeOwned>(name: &str, text: &str) -> Result<T, Error> {
    toml::from_str(text).map_err(|error| Error::Damaged { reason: format!("{name}: {error}") })
}

/// The text of the claims checked by code, by id.
pub fn words() -> Result<BTreeMap<String, String>, Error> {
    let papers: BTreeMap<String, BTreeMap<String, String>> = read("claims", CLAIMS)?;
    let of = |(paper, claims): (String, BTreeMap<String, String>)| {
        claims.into_iter().map(move |(place, what)| (format!("{paper} {place}"), what))
    };
    Ok(papers.into_iter().flat_map(of).collect())
}

pub fn recorded() -> Result<BTreeMap<String, ClaimRecord>, Error> {
    let records: BTreeMap<String, Vec<ClaimRecord>> = read("recorded", RECORDED)?;
    Ok(records.into_values().flatten().map(|record| (record.id.clone(), record)).collect())
}
