//! What the papers print, and what is recorded about it.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::Status;
use crate::Error;

pub const DP10: &str = include_str!("dp10_tables.toml");
pub const G12: &str = include_str!("g12_tables.toml");
const RECORDED: &str = include_str!("recorded.toml");

/// Everything printed in one paper.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Print {
    #[serde(default, rename = "table")]
    pub tables: Vec<Table>,
    #[serde(default, rename = "class")]
    pub classes: Vec<Class>,
    #[serde(default, rename = "share")]
    pub shares: Vec<PrintedShare>,
    #[serde(default, rename = "value")]
    pub values: Vec<Value>,
    #[serde(default, rename = "figure")]
    pub figures: Vec<FigureTotal>,
    #[serde(default, rename = "label")]
    pub labels: Vec<Label>,
    #[serde(default, rename = "move")]
    pub moves: Vec<Move>,
}

/// A chip table: the threshold for block n + i chips is step n + cell i.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    pub place: String,
    pub game: String,
    pub position: Option<String>,
    /// Alice's move from the position, where the table is about it.
    pub alice_move: Option<String>,
    pub equivalent: Option<String>,
    pub block: u32,
    pub step: u32,
    pub cells: String,
    #[serde(rename = "note")]
    pub _note: Option<String>,
}

/// A position that is said to be equivalent to a wedge expression.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Class {
    pub place: String,
    pub game: String,
    pub position: Option<String>,
    /// Several positions, where the text means each of them.
    #[serde(default)]
    pub positions: Vec<String>,
    pub equivalent: String,
    pub note: Option<String>,
}

/// A critical threshold for real money.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrintedShare {
    pub place: String,
    pub game: String,
    pub position: Option<String>,
    pub printed: String,
    #[serde(rename = "note")]
    pub _note: Option<String>,
}

/// A threshold for one total of chips.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Value {
    pub place: String,
    pub game: String,
    pub position: Option<String>,
    pub chips: u32,
    pub printed: String,
    #[serde(rename = "note")]
    pub _note: Option<String>,
}

/// A figure whose moves are best for a total of chips, not for real money.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FigureTotal {
    pub figure: String,
    pub chips: u32,
}

/// A position of a figure.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Label {
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
pub struct Move {
    pub figure: String,
    pub from: String,
    pub player: String,
    pub to: Option<String>,
    pub position: Option<String>,
    #[serde(rename = "note")]
    pub _note: Option<String>,
}

/// What is recorded of a claim that is not simply checked.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recorded {
    pub id: String,
    pub status: Status,
    /// Why we are right, why it cannot be checked or fail, or the answer in words.
    pub why: String,
    /// The answers to a question.
    #[serde(default)]
    pub answers: BTreeMap<String, String>,
    /// Where it differs, and what is computed there.
    #[serde(default)]
    pub differ: BTreeMap<String, String>,
    /// Reasons about single places.
    #[serde(default)]
    pub cells: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Records {
    recorded: Vec<Recorded>,
}

pub fn parse(paper: &str, text: &str) -> Result<Print, Error> {
    toml::from_str(text).map_err(|error| Error::Damaged { reason: format!("{paper}: {error}") })
}

pub fn recorded() -> Result<BTreeMap<String, Recorded>, Error> {
    let records: Records =
        toml::from_str(RECORDED).map_err(|error| Error::Damaged { reason: format!("recorded: {error}") })?;
    Ok(records.recorded.into_iter().map(|record| (record.id.clone(), record)).collect())
}
