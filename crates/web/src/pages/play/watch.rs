//! Looking on, and the record of a match.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{Html, IntoResponse, Response};

use super::{Id, seat};
use crate::Shared;
use crate::pages::PageError;
use crate::refused::Refused;

/// The page of a spectator.
pub async fn show(State(app): Shared, Id(id): Id, headers: HeaderMap) -> Result<Html<String>, PageError> {
    let sight = app.hall.watch(&id).await?;
    Ok(seat::whole(&sight, &format!("/watch/{id}"), &headers, None))
}

/// The changing part of it.
pub async fn now(State(app): Shared, Id(id): Id, headers: HeaderMap) -> Result<Html<String>, PageError> {
    let sight = app.hall.watch(&id).await?;
    Ok(seat::part(&sight, &format!("/watch/{id}"), &headers))
}

/// The record of a match as far as it has gone, or a record that was kept, to be saved.
pub async fn record(State(app): Shared, Id(id): Id) -> Result<Response, PageError> {
    let text = match app.hall.watch(&id).await {
        Ok(sight) => sight.record().to_string(),
        Err(Refused::NotFound(_)) => app.hall.record(&id).await?.text,
        Err(refused) => return Err(refused.into()),
    };
    let name = format!("attachment; filename=\"richman-{}.txt\"", &id.as_str()[..8.min(id.as_str().len())]);
    let headers = [(CONTENT_TYPE, "text/plain; charset=utf-8".to_string()), (CONTENT_DISPOSITION, name)];
    Ok((headers, text).into_response())
}
