//! The parts of an address, checked before a handler sees them.

use axum::extract::{FromRequestParts, Path, Query};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::refused::Refusal;
use crate::token::GameId;

/// The part after the question mark.
pub(crate) struct QueryString<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for QueryString<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<QueryString<T>, Refusal> {
        let asked = Query::from_request_parts(parts, state).await;
        let Query(asked) = asked.map_err(|rejection| Refusal::BadRequest(rejection.body_text()))?;
        Ok(QueryString(asked))
    }
}

/// The public name in the address.
impl<S: Send + Sync> FromRequestParts<S> for GameId {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<GameId, Refusal> {
        let Ok(Path(name)) = Path::<String>::from_request_parts(parts, state).await else {
            return Err(Refusal::BadRequest("the name in the address is not text in UTF-8".to_string()));
        };
        GameId::read(&name).ok_or(Refusal::NotFound("match or record"))
    }
}
