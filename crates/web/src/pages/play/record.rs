//! The record of a match.

use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::IntoResponse;

use super::PageVisitor;
use crate::pages::PageError;
use crate::token::GameId;

/// The record of a match so far, or a kept record, to save.
pub async fn record(PageVisitor { app, door: id, .. }: PageVisitor<GameId>) -> Result<impl IntoResponse, PageError> {
    let (shown, _) = app.hall.shown(&id).await?;
    let name = format!("attachment; filename=\"richman-{}.txt\"", id.short());
    let headers = [(CONTENT_TYPE, "text/plain; charset=utf-8".to_string()), (CONTENT_DISPOSITION, name)];
    Ok((headers, shown.text))
}
