//! Matches as answers.

use std::sync::Arc;

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use richman_hall::refused::Refusal;
use richman_hall::{MatchJson, MatchView};
use richman_pages::finished::FinishedPage;
use richman_pages::{JSON, typed};
use serde::Serialize;

use crate::App;

/// The match as one viewer sees it, as an answer.
///
/// # Errors
/// As for [`App::written`].
pub async fn shown(app: &Arc<App>, viewed: MatchView) -> Result<Response, Refusal> {
    let write = |_: &richman_pages::Pages, viewed: &MatchView| {
        let json = serde_json::to_string(&MatchJson::from(viewed)).map_err(Refusal::internal)?;
        Ok(FinishedPage::secret(JSON, json))
    };
    Ok(app.pages.written(viewed, "json", write).await?.into_response())
}

/// An answer around a match, which is sent once.
///
/// # Errors
/// As for [`App::written_once`].
pub async fn shown_once<T: Serialize>(
    app: &App,
    status: StatusCode,
    viewed: MatchView,
    answer: impl FnOnce(MatchJson) -> T + Send + 'static,
) -> Result<Response, Refusal> {
    let write = |viewed: &MatchView| serde_json::to_string(&answer(MatchJson::from(viewed)));
    let json = app.pages.written_once(viewed, write).await?.map_err(Refusal::internal)?;
    Ok((status, typed(JSON, json)).into_response())
}
