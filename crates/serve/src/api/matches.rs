//! Matches: setting one up, and watching it.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use richman_hall::refused::Refusal;
use richman_hall::setup::random_seed;
use richman_hall::token::Token;
use richman_hall::{MatchJson, MatchView, NewMatch, Viewer};
use richman_pages::extract::{NamedMatch, QueryString};
use richman_pages::finished::FinishedPage;
use richman_pages::{PLAIN, game_file_type, typed};
use serde::Serialize;
use utoipa::ToSchema;

use super::error::ErrorBody;
use super::input::JsonBody;
use super::shown::shown_once;
use super::wait::{self, WaitQuery};
use crate::{SharedState, events};

/// A match that was set up. Its secrets are sent only here.
#[derive(Serialize, ToSchema)]
pub struct CreatedMatch {
    /// The public name: whoever knows it may watch.
    id: String,
    /// The secrets of your seats; at one screen both are the same.
    tokens: Tokens,
    /// The secret with which somebody else takes the other seat.
    invitation: Option<String>,
    /// The match as a spectator sees it.
    r#match: MatchJson,
}

/// The secrets of seats. Whoever has one plays for that seat.
#[derive(Serialize, ToSchema)]
struct Tokens {
    /// Alice's; null if the seat is not yours.
    alice: Option<String>,
    /// Bob's; null if the seat is not yours.
    bob: Option<String>,
}

fn revealed(token: Option<Token>) -> Option<String> {
    token.map(|token| token.reveal().to_string())
}

/// Set up a match
#[utoipa::path(
    post, path = "/api/v1/matches", tag = "matches",
    request_body = NewMatch,
    responses(
        (status = 201, description = "The match is set up.", body = CreatedMatch),
        (status = "4XX", description = "The match cannot be set up.", body = ErrorBody),
    ),
)]
pub async fn create_match(State(app): SharedState, JsonBody(wanted): JsonBody<NewMatch>) -> Result<Response, Refusal> {
    let setup = match wanted.has_file() {
        true => app.desk.read(move || wanted.setup(random_seed()?)).await??,
        false => wanted.setup(random_seed()?)?,
    };
    let created = app.hall.create(setup).await?;
    let viewed = app.hall.watch(&created.id).await?;
    let [alice, bob] = created.tokens.map(revealed);
    let answer = move |shown| CreatedMatch {
        id: created.id.to_string(),
        tokens: Tokens { alice, bob },
        invitation: revealed(created.invitation),
        r#match: shown,
    };
    shown_once(&app, StatusCode::CREATED, viewed, answer).await
}

/// Look at a match as a spectator, at once or after a change
#[utoipa::path(
    get, path = "/api/v1/matches/{id}", tag = "matches",
    params(("id" = String, Path, description = "The public name of the match."), WaitQuery),
    responses(
        (status = 200, description = "The match.", body = MatchJson),
        (status = "4XX", description = "There is no such match.", body = ErrorBody),
    ),
)]
pub async fn watch_match(
    State(app): SharedState,
    NamedMatch(id): NamedMatch,
    QueryString(waiting): QueryString<WaitQuery>,
) -> Result<Response, Refusal> {
    wait::change(&app, waiting, || app.hall.watch(&id)).await
}

/// Follow every change of a match
///
/// A stream of server-sent events `version`, whose data is only the number of the version; the last
/// event is `over`.
#[utoipa::path(
    get, path = "/api/v1/matches/{id}/events", tag = "matches",
    params(("id" = String, Path, description = "The public name of the match.")),
    responses(
        (status = 200, description = "The stream.", body = String, content_type = "text/event-stream"),
        (status = "4XX", description = "There is no such match, or too many listen.", body = ErrorBody),
    ),
)]
pub async fn match_events(State(app): SharedState, NamedMatch(id): NamedMatch) -> Result<impl IntoResponse, Refusal> {
    let listener = app.hall.listen(&id, Viewer::Spectator).await?;
    Ok(events::stream(app, id, listener, wait::STREAM))
}

/// The record of a match
///
/// A text that `richman review` reads. It never contains sealed bids.
#[utoipa::path(
    get, path = "/api/v1/matches/{id}/record", tag = "matches",
    params(("id" = String, Path, description = "The public name of the match.")),
    responses(
        (status = 200, description = "The record.", body = String, content_type = "text/plain"),
        (status = "4XX", description = "There is no such match.", body = ErrorBody),
    ),
)]
pub async fn match_record(State(app): SharedState, NamedMatch(id): NamedMatch) -> Result<Response, Refusal> {
    let viewed = app.hall.watch(&id).await?;
    let write = |_: &richman_pages::Pages, viewed: &MatchView| Ok(FinishedPage::of(PLAIN, viewed.record().to_string()));
    Ok(app.pages.written(viewed, "record", write).await?.into_response())
}

/// The game file of a match
///
/// The rules, if the match was set up with a file.
#[utoipa::path(
    get, path = "/api/v1/matches/{id}/file", tag = "matches",
    params(("id" = String, Path, description = "The public name of the match.")),
    responses(
        (status = 200, description = "The game file, as it was given: an object, or text.", body = Object),
        (status = "4XX", description = "There is no such match, or its game has a name.", body = ErrorBody),
    ),
)]
pub async fn match_file(State(app): SharedState, NamedMatch(id): NamedMatch) -> Result<Response, Refusal> {
    let text = app.hall.watch(&id).await?.setup.file.clone().ok_or(Refusal::NotFound("game file"))?;
    Ok(typed(game_file_type(&text), Bytes::from(text)))
}
