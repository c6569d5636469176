//! The record of a match.

use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::IntoResponse;

use super::Visit;
use crate::pages::PageError;
use crate::refused::Refused;
use crate::token::GameId;

/// The record of a match as far as it has gone, or a record that was kept, to be saved.
pub async fn record(Visit { app, door: id, .. }: Visit<GameId>) -> Result<impl IntoResponse, PageError> {
    let text = match app.hall.watch(&id).await {
        Ok(sight) => sight.record().to_string(),
        Err(Refused::NotFound(_)) => app.hall.record(&id).await?.text,
        Err(refused) => return Err(refused.into()),
    };
    let name = format!("attachment; filename=\"richman-{}.txt\"", id.short());
    let headers = [(CONTENT_TYPE, "text/plain; charset=utf-8".to_string()), (CONTENT_DISPOSITION, name)];
    Ok((headers, text))
}
