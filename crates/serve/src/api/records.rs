//! Stored records, and reviews of records and matches.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use richman_analysis::Subject;
use richman_core::Effort;
use richman_hall::refused::Refusal;
use richman_pages::desk::Deadline;
use richman_pages::extract::NamedMatch;
use richman_pages::{PLAIN, typed};
use richman_play::{MOST_POSITIONS, Match, review};
use richman_requests::{FileOrText, file_text};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::error::ErrorBody;
use super::input::JsonBody;
use super::report::report;
use crate::SharedState;
use crate::desk::Desk;

const REVIEW_TIME: Duration = Duration::from_secs(15);

/// A record to store.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewRecord {
    /// The record, as `richman play` saves it.
    #[schema(example = "[Game \"tic-tac-toe\"] [Alice \"4*\"] [Bob \"4\"] 1. 1*-1 Alice b2")]
    record: String,
    /// The game file with the rules, if the record names one.
    #[schema(value_type = Option<FileOrText>)]
    file: Option<Box<RawValue>>,
}

/// A stored record.
#[derive(Serialize, ToSchema)]
pub struct KeptRecord {
    /// Its public name.
    id: String,
}

/// Store a record
#[utoipa::path(
    post, path = "/api/v1/records", tag = "records",
    request_body = NewRecord,
    responses(
        (status = 201, description = "The record is stored.", body = KeptRecord),
        (status = "4XX", description = "The text is not the record of a match.", body = ErrorBody),
    ),
)]
pub async fn keep_record(
    State(app): SharedState,
    JsonBody(new): JsonBody<NewRecord>,
) -> Result<(StatusCode, Json<KeptRecord>), Refusal> {
    let id = app.hall.keep_record(new.record, new.file.map(file_text)).await?;
    Ok((StatusCode::CREATED, Json(KeptRecord { id: id.to_string() })))
}

/// A stored record
#[utoipa::path(
    get, path = "/api/v1/records/{id}", tag = "records",
    params(("id" = String, Path, description = "The public name of the record.")),
    responses(
        (status = 200, description = "The record.", body = String, content_type = "text/plain"),
        (status = "4XX", description = "There is no such record.", body = ErrorBody),
    ),
)]
pub async fn read_record(State(app): SharedState, NamedMatch(id): NamedMatch) -> Result<Response, Refusal> {
    Ok(typed(PLAIN, app.hall.record(&id).await?.text))
}

/// The review of a stored record
///
/// The value of each turn, each mistake and the better choice, as `richman review --json` prints
/// them.
#[utoipa::path(
    get, path = "/api/v1/records/{id}/review", tag = "records",
    params(("id" = String, Path, description = "The public name of the record.")),
    responses(
        (status = 200, description = "The review.", body = ref("#/components/schemas/Review")),
        (status = "4XX", description = "There is no such record, or the game takes too long to solve.",
            body = ErrorBody),
    ),
)]
pub async fn review_record(State(app): SharedState, NamedMatch(id): NamedMatch) -> Result<Response, Refusal> {
    let shown = app.hall.record(&id).await?;
    reviewed(&Arc::clone(&app).desk, move || shown.replayed(app.games())).await
}

/// The review of a match that is over
///
/// The value of each turn, each mistake and the better choice, as `richman review --json` prints
/// them.
#[utoipa::path(
    get, path = "/api/v1/matches/{id}/review", tag = "matches",
    params(("id" = String, Path, description = "The public name of the match.")),
    responses(
        (status = 200, description = "The review.", body = ref("#/components/schemas/Review")),
        (status = "4XX", description = "The match is not over, or the game takes too long to solve.", body = ErrorBody),
    ),
)]
pub async fn review_match(State(app): SharedState, NamedMatch(id): NamedMatch) -> Result<Response, Refusal> {
    let viewed = app.hall.watch(&id).await?;
    let Some(played) = viewed.finished().cloned() else {
        return Err(Refusal::Conflict("the match is not over yet: a review would give it away".to_string()));
    };
    reviewed(&app.desk, move || Ok((viewed.subject()?, played.clone()))).await
}

async fn reviewed(
    desk: &Desk,
    of: impl Fn() -> Result<(Subject, Match), Refusal> + Send + Sync + 'static,
) -> Result<Response, Refusal> {
    let memory = desk.memory;
    let work = move |deadline: &Deadline| {
        let (subject, played) = of()?;
        let effort = Effort { memory, positions: MOST_POSITIONS, ..Effort::watched(deadline) };
        Ok(review::review(&subject, &played, &effort)?)
    };
    report(desk, REVIEW_TIME, work).await
}
