//! The record of a match.

use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::IntoResponse;
use richman_hall::refused::Refusal;

use crate::SharedPages;
use crate::extract::NamedMatch;

/// The record of a match so far, or a kept record, to save.
pub async fn record(State(app): SharedPages, NamedMatch(id): NamedMatch) -> Result<impl IntoResponse, Refusal> {
    let (shown, _) = app.hall.shown(&id).await?;
    let name = format!("attachment; filename=\"richman-{}.txt\"", id.short());
    let headers = [(CONTENT_TYPE, "text/plain; charset=utf-8".to_string()), (CONTENT_DISPOSITION, name)];
    Ok((headers, shown.text))
}
