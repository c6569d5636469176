//! Questions about a position, and about a range of chips.

use std::ops::RangeInclusive;

use richman_analysis::{QuestionDocument, TableRows, Wanted, parse};
use richman_core::{Player, Total};
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::error::RequestError;
use crate::strict;
use crate::words::{ByPlayerJson, FileOrText, Hand, MechanismChoice, PlayerJson};

/// The text of a game file, which is an object, or the text of a file in another form.
pub fn file_text(file: Box<RawValue>) -> String {
    serde_json::from_str(file.get()).unwrap_or_else(|_| String::from(Box::<str>::from(file)))
}

/// The name of the game, and the text of its file if one was given.
///
/// # Errors
/// [`RequestError::Malformed`] unless exactly one of the two was given.
pub fn game_or_file(
    game: Option<String>,
    file: Option<Box<RawValue>>,
) -> Result<(String, Option<String>), RequestError> {
    match (game, file) {
        (Some(game), None) => Ok((game, None)),
        (None, Some(file)) => Ok(("game.json".to_string(), Some(file_text(file)))),
        _ => Err(RequestError::Malformed("write either game or file".to_string())),
    }
}

/// A position to solve, for real money, for a total of chips or for both holdings. A scoring game
/// needs a total or holdings.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ToSolve)]
pub struct SolveRequest {
    /// The game with its parameters, as the list of games has them.
    #[schema(example = "tic-tac-toe")]
    pub game: Option<String>,
    /// The rules as a game file, instead of a name.
    #[schema(value_type = Option<FileOrText>)]
    pub file: Option<Box<RawValue>>,
    /// The position in the game's notation; the start if left out.
    position: Option<String>,
    /// How bids are made, won and paid; if left out, develin-payne, or larsson for scoring games.
    #[serde(default)]
    mechanism: MechanismChoice,
    /// The number of moves after which a play is a draw.
    within: Option<u32>,
    /// Chips in the game.
    #[schema(example = 8)]
    total: Option<u32>,
    /// Alice's share of the money as a fraction, in a game for a long-run average; a half if left
    /// out.
    #[schema(example = "1/2")]
    share: Option<String>,
    /// The long-run average with which Alice wins, as a fraction; if left out, the average itself
    /// is reported.
    #[schema(example = "3/2")]
    at_least: Option<String>,
    /// Whether to report the least credits too, in a game for a long-run average with chips.
    #[serde(default)]
    credits: bool,
    /// The holding of each player, instead of a total.
    holdings: Option<ByPlayerJson<Hand>>,
}

impl SolveRequest {
    /// The document of the question.
    ///
    /// # Errors
    /// [`RequestError::Unfit`] if a value is not possible.
    pub fn document(&self) -> Result<QuestionDocument, RequestError> {
        let holdings = self.holdings.as_ref();
        Ok(QuestionDocument {
            position: self.position.clone(),
            mechanism: self.mechanism.read()?,
            within: self.within,
            chips: self.total.map(Total::new).transpose()?,
            alice: holdings.map(|hands| hands.alice.read()).transpose()?,
            bob: holdings.map(|hands| hands.bob.read()).transpose()?,
            share: self.share.as_ref().map(|share| share.parse()).transpose()?,
            at_least: self.at_least.as_ref().map(|least| least.parse()).transpose()?,
            credits: self.credits,
            ..QuestionDocument::default()
        })
    }
}

/// A table of thresholds for a range of chips.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ToTabulate)]
pub struct TableRequest {
    /// The game with its parameters, as the list of games has them.
    #[schema(example = "tic-tac-toe")]
    pub game: Option<String>,
    /// The rules as a game file, instead of a name.
    #[schema(value_type = Option<FileOrText>)]
    pub file: Option<Box<RawValue>>,
    /// The position in the game's notation; the start if left out.
    position: Option<String>,
    /// How bids are made, won and paid; develin-payne if left out.
    #[serde(default)]
    mechanism: MechanismChoice,
    /// The number of moves after which a play is a draw.
    within: Option<u32>,
    /// The first and the last number of chips, as `[0, 31]` or `"0..31"`; at most 256 rows.
    chips: ChipRange,
    /// The long-run average with which Alice wins, as a fraction, in a game for one.
    #[schema(example = "3/2")]
    at_least: Option<String>,
    /// Whose chips these are; if left out, the total, or Bob's chips with payment to the bank.
    of: Option<PlayerJson>,
}

impl TableRequest {
    /// The document of the question.
    ///
    /// # Errors
    /// [`RequestError::Unfit`] if a value is not possible.
    pub fn document(&self) -> Result<QuestionDocument, RequestError> {
        let document = QuestionDocument {
            wanted: Wanted::Table,
            position: self.position.clone(),
            mechanism: self.mechanism.read()?,
            within: self.within,
            at_least: self.at_least.as_ref().map(|least| least.parse()).transpose()?,
            ..QuestionDocument::default()
        };
        let of = self.of.map(Player::from).or(document.rows().of);
        Ok(QuestionDocument { rows: Some(TableRows { of, chips: self.chips.totals()? }), ..document })
    }
}

/// The first and the last number of chips.
#[derive(Debug, ToSchema)]
#[serde(untagged)]
pub enum ChipRange {
    /// Both numbers.
    #[schema(example = json!([0, 31]))]
    Ends([u32; 2]),
    /// Both numbers with two dots between them.
    #[schema(example = "0..31")]
    Text(String),
}

impl<'de> Deserialize<'de> for ChipRange {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<ChipRange, D::Error> {
        const WANTED: &str = "a range of chips is a list such as [0, 31], or text such as \"0..31\"";
        let json = <&RawValue>::deserialize(from)?.get();
        let ends = strict::from_slice(json.as_bytes()).map(ChipRange::Ends);
        ends.or_else(|_| serde_json::from_str(json).map(ChipRange::Text)).map_err(|_| D::Error::custom(WANTED))
    }
}

impl ChipRange {
    fn totals(&self) -> Result<RangeInclusive<Total>, RequestError> {
        let totals = match self {
            ChipRange::Ends([first, last]) => Total::new(*first)?..=Total::new(*last)?,
            ChipRange::Text(text) => parse::totals(text).map_err(RequestError::Malformed)?,
        };
        match totals.start() <= totals.end() {
            true => Ok(totals),
            false => Err(RequestError::Malformed(
                "the chips of a table start above where they end: exchange the two".to_string(),
            )),
        }
    }
}
