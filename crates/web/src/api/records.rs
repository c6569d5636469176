//! Records that somebody wants to keep, and reviews of them and of matches.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use richman_analysis::Subject;
use richman_core::Limits;
use richman_formats::Record;
use richman_play::{MOST_POSITIONS, Match, record, review};
use richman_solvers::Options;
use serde::Serialize;
use utoipa::ToSchema;

use super::error::{ApiError, ErrorBody};
use super::input::{Id, Text};
use super::matches::plain;
use super::report::{Report, report};
use crate::App;
use crate::desk::{Deadline, Desk};
use crate::refused::Refused;

/// How long a review may take.
const REVIEW_TIME: Duration = Duration::from_secs(15);

/// A record that is kept.
#[derive(Serialize, ToSchema)]
pub struct KeptRecord {
    /// Its public name.
    id: String,
}

/// Keep a record
#[utoipa::path(
    post,
    path = "/api/v1/records",
    tag = "records",
    request_body(content = String, content_type = "text/plain", description = "The record, as `richman play` saves it."),
    responses(
        (status = 201, description = "It is kept.", body = KeptRecord),
        (status = "4XX", description = "It is no record of a match.", body = ErrorBody),
    ),
)]
pub async fn keep(State(app): State<Arc<App>>, Text(text): Text) -> Result<(StatusCode, Json<KeptRecord>), ApiError> {
    let id = app.hall.keep_record(text).await?;
    Ok((StatusCode::CREATED, Json(KeptRecord { id: id.to_string() })))
}

/// A record that was kept
#[utoipa::path(
    get,
    path = "/api/v1/records/{id}",
    tag = "records",
    params(("id" = String, Path, description = "The public name of the record.")),
    responses(
        (status = 200, description = "The record.", body = String, content_type = "text/plain"),
        (status = "4XX", description = "There is none.", body = ErrorBody),
    ),
)]
pub async fn read(State(app): State<Arc<App>>, Id(id): Id) -> Result<impl IntoResponse, ApiError> {
    Ok(plain(app.hall.record(&id).await?))
}

/// The review of a record that was kept
///
/// What each turn was worth, each mistake and the better choice: what `richman review --json` prints.
#[utoipa::path(
    get,
    path = "/api/v1/records/{id}/review",
    tag = "records",
    params(("id" = String, Path, description = "The public name of the record.")),
    responses(
        (status = 200, description = "The review.", body = Report),
        (status = "4XX", description = "There is no such record, or the game takes too long to solve.", body = ErrorBody),
    ),
)]
pub async fn review_record(State(app): State<Arc<App>>, Id(id): Id) -> Result<Response, ApiError> {
    let text = app.hall.record(&id).await?;
    reviewed(&app.desk, move || {
        let record = Record::parse("the record", text.as_bytes()).map_err(richman_analysis::Error::from)?;
        if record.file.is_some() {
            let message = "the rules of this game are in a file, which is not kept with the record: use richman review";
            return Err(Refused::BadRequest(message.to_string()));
        }
        let subject = Subject::named(&record.game)?;
        let played = record::replay(subject.walk(record.position.as_deref())?, &record)
            .map_err(|error| Refused::BadRequest(error.to_string()))?;
        Ok((subject, played))
    })
    .await
}

/// The review of a match that is over
///
/// What each turn was worth, each mistake and the better choice: what `richman review --json` prints.
#[utoipa::path(
    get,
    path = "/api/v1/matches/{id}/review",
    tag = "matches",
    params(("id" = String, Path, description = "The public name of the match.")),
    responses(
        (status = 200, description = "The review.", body = Report),
        (status = "4XX", description = "The match is not over, or the game takes too long to solve.", body = ErrorBody),
    ),
)]
pub async fn review_match(State(app): State<Arc<App>>, Id(id): Id) -> Result<Response, ApiError> {
    let sight = app.hall.watch(&id).await?;
    let Some(played) = sight.finished().cloned() else {
        return Err(Refused::Conflict("the match is not over yet: a review would give it away".to_string()).into());
    };
    let setup = Arc::clone(&sight.setup);
    reviewed(&app.desk, move || Ok((setup.subject()?, played))).await
}

async fn reviewed(
    desk: &Desk,
    of: impl FnOnce() -> Result<(Subject, Match), Refused> + Send + 'static,
) -> Result<Response, ApiError> {
    let memory = desk.memory;
    let work = move |deadline: &Deadline| {
        let (subject, played) = of()?;
        let limits = Limits { memory, positions: MOST_POSITIONS };
        let options = Options { memory, watch: deadline, ..Options::default() };
        Ok(review::review(&subject, &played, &limits, &options)?)
    };
    report(desk, REVIEW_TIME, work).await
}
