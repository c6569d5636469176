//! Looking on, and the record of a match.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{Html, IntoResponse, Response};

use super::fragment::{Shown, fragment};
use super::{origin, seat};
use crate::App;
use crate::pages::PageError;
use crate::refused::Refused;
use crate::token::GameId;

fn read(id: &str) -> Result<GameId, PageError> {
    GameId::read(id).ok_or(PageError(Refused::NotFound("match")))
}

/// The page of a spectator.
pub async fn show(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, PageError> {
    let id = read(&id)?;
    let sight = app.hall.watch(&id).await?;
    Ok(seat::whole(&sight, &format!("/watch/{id}"), &headers, None).into_response())
}

/// The changing part of it.
pub async fn now(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, PageError> {
    let id = read(&id)?;
    let sight = app.hall.watch(&id).await?;
    let (base, origin) = (format!("/watch/{id}"), origin(&headers));
    Ok(Html(fragment(&Shown::new(&sight, &base, &origin)).into_string()).into_response())
}

/// The record of a match as far as it has gone, or a record that was kept, to be saved.
pub async fn record(State(app): State<Arc<App>>, Path(id): Path<String>) -> Result<Response, PageError> {
    let id = read(&id)?;
    let text = match app.hall.watch(&id).await {
        Ok(sight) => sight.record().to_string(),
        Err(Refused::NotFound(_)) => app.hall.record(&id).await?.text,
        Err(refused) => return Err(refused.into()),
    };
    let name = format!("attachment; filename=\"richman-{}.txt\"", &id.as_str()[..8.min(id.as_str().len())]);
    let headers = [(CONTENT_TYPE, "text/plain; charset=utf-8".to_string()), (CONTENT_DISPOSITION, name)];
    Ok((headers, text).into_response())
}
