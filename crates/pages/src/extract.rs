//! The parts of an address, checked before a handler sees them.

use axum::extract::{FromRequestParts, Path, Query};
use axum::http::request::Parts;
use richman_hall::refused::Refusal;
use richman_hall::token::GameId;
use serde::de::DeserializeOwned;

/// The part after the question mark.
#[derive(Debug)]
pub struct QueryString<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for QueryString<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<QueryString<T>, Refusal> {
        let asked = Query::from_request_parts(parts, state).await;
        let Query(asked) = asked.map_err(|rejection| Refusal::BadRequest(rejection.body_text()))?;
        Ok(QueryString(asked))
    }
}

/// The public name in the address.
#[derive(Debug)]
pub struct NamedMatch(pub GameId);

impl<S: Send + Sync> FromRequestParts<S> for NamedMatch {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<NamedMatch, Refusal> {
        let Ok(Path(name)) = Path::<String>::from_request_parts(parts, state).await else {
            return Err(Refusal::BadRequest("the name in the address is not text in UTF-8".to_string()));
        };
        GameId::read(&name).map(NamedMatch).ok_or(Refusal::NotFound("match or record"))
    }
}
