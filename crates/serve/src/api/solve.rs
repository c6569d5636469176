//! Solving a position: the reports of `richman solve` and `richman table`.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use richman_analysis::{QuestionDocument, ask};
use richman_hall::refused::Refusal;
use richman_hall::setup::{MOST_CHIPS, check_stake, subject};
use richman_requests::{SolveRequest, TableRequest, game_or_file};

use super::error::ErrorBody;
use super::input::JsonBody;
use super::report::report;
use crate::SharedState;

const TIME: Duration = Duration::from_secs(10);
const MOST_ROWS: u32 = 256;

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
    check_rows(&document)?;
    let (game, file) = game_or_file(asked.game, asked.file)?;
    report(&Arc::clone(&app).desk, TIME, move |deadline| {
        let effort = deadline.effort();
        Ok(document.table(&subject(app.games(), &game, file.as_deref(), &effort)?, &effort)?)
    })
    .await
}

/// Refuses tables that are too large for a server.
fn check_rows(document: &QuestionDocument) -> Result<(), Refusal> {
    let chips = document.rows().chips;
    let (first, last) = (chips.start().chips(), chips.end().chips());
    match last.saturating_sub(first) {
        more if more >= MOST_ROWS => Err(Refusal::BadRequest(format!("ask for at most {MOST_ROWS} rows at once"))),
        _ if last > MOST_CHIPS => Err(Refusal::BadRequest(format!("take at most {MOST_CHIPS} chips"))),
        _ => Ok(()),
    }
}
