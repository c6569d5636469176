//! Solving a position: the reports of `richman solve` and `richman table`.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use richman_analysis::{QuestionDocument, TableRows, Wanted, ask, parse};
use richman_core::{Player, Total};
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::create::game_or_file;
use super::error::ErrorBody;
use super::input::JsonBody;
use super::report::report;
use super::strict;
use super::words::{ByPlayerJson, Hand, MechanismChoice, PlayerJson};
use crate::SharedState;
use crate::refused::Refusal;
use crate::setup::{MOST_CHIPS, check_stake, subject};

const TIME: Duration = Duration::from_secs(10);
const MOST_ROWS: u32 = 256;

/// A position to solve, for real money, for a total of chips or for both holdings. A scoring game
/// needs a total or holdings.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ToSolve)]
pub struct SolveRequest {
    /// The game with its parameters, as `GET /api/v1/games` lists them.
    #[schema(example = "tic-tac-toe")]
    game: Option<String>,
    /// The rules as a game file (a JSON object), instead of a name.
    #[schema(value_type = Option<Object>)]
    file: Option<Box<RawValue>>,
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
    fn document(&self) -> Result<QuestionDocument, Refusal> {
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
    /// The game with its parameters, as `GET /api/v1/games` lists them.
    #[schema(example = "tic-tac-toe")]
    game: Option<String>,
    /// The rules as a game file (a JSON object), instead of a name.
    #[schema(value_type = Option<Object>)]
    file: Option<Box<RawValue>>,
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
    fn document(&self) -> Result<QuestionDocument, Refusal> {
        let document = QuestionDocument {
            wanted: Wanted::Table,
            position: self.position.clone(),
            mechanism: self.mechanism.read()?,
            within: self.within,
            at_least: self.at_least.as_ref().map(|least| least.parse()).transpose()?,
            ..QuestionDocument::default()
        };
        let of = self.of.map(Player::from).or(document.rows().of);
        Ok(QuestionDocument { rows: Some(TableRows { of, chips: rows(&self.chips)? }), ..document })
    }
}

/// Solve a position
///
/// The output of `richman solve --json`, or of `richman scores --json` for scoring games. It takes
/// a few seconds at most; the command has no such limit.
#[utoipa::path(
    post, path = "/api/v1/solve", tag = "solve",
    request_body = SolveRequest,
    responses(
        (status = 200, description = "The report.", body = ref("#/components/schemas/Report")),
        (status = "4XX", description = "It cannot be solved, or not here.", body = ErrorBody),
    ),
)]
pub async fn solve(State(app): SharedState, JsonBody(asked): JsonBody<SolveRequest>) -> Result<Response, Refusal> {
    let document = asked.document()?;
    let (game, file) = game_or_file(asked.game, asked.file)?;
    report(&Arc::clone(&app).desk, TIME, move |deadline| {
        let subject = subject(app.games(), &game, file.as_deref(), &deadline.effort())?;
        let question = document.question(subject.aim())?;
        check_stake(&question)?;
        Ok(ask(&subject, &question, &deadline.effort())?.report)
    })
    .await
}

/// Tabulate a position
///
/// The output of `richman table --json`. It takes a few seconds at most; the command has no such
/// limit.
#[utoipa::path(
    post, path = "/api/v1/table", tag = "solve",
    request_body = TableRequest,
    responses(
        (status = 200, description = "The table.", body = ref("#/components/schemas/Table")),
        (status = "4XX", description = "It cannot be solved, or not here.", body = ErrorBody),
    ),
)]
pub async fn tabulate(State(app): SharedState, JsonBody(asked): JsonBody<TableRequest>) -> Result<Response, Refusal> {
    let document = asked.document()?;
    let (game, file) = game_or_file(asked.game, asked.file)?;
    report(&Arc::clone(&app).desk, TIME, move |deadline| {
        let effort = deadline.effort();
        Ok(document.table(&subject(app.games(), &game, file.as_deref(), &effort)?, &effort)?)
    })
    .await
}

/// The first and the last number of chips.
#[derive(Debug, ToSchema)]
#[serde(untagged)]
enum ChipRange {
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

fn rows(chips: &ChipRange) -> Result<RangeInclusive<Total>, Refusal> {
    let refused = |message: String| Err(Refusal::BadRequest(message));
    let totals = match chips {
        ChipRange::Ends([first, last]) => Total::new(*first)?..=Total::new(*last)?,
        ChipRange::Text(text) => parse::totals(text).map_err(Refusal::BadRequest)?,
    };
    let (first, last) = (totals.start().chips(), totals.end().chips());
    match last.checked_sub(first) {
        None => refused("the chips of a table start above where they end: exchange the two".to_string()),
        Some(more) if more >= MOST_ROWS => refused(format!("ask for at most {MOST_ROWS} rows at once")),
        Some(_) if last > MOST_CHIPS => refused(format!("take at most {MOST_CHIPS} chips")),
        Some(_) => Ok(totals),
    }
}
