//! The parts of a request, checked before a handler sees them: a body, a query, a name in the
//! address, a secret in the header.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::HeaderMap;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use super::error::ApiError;
use super::strict;
use crate::App;
use crate::guard::SMALL;
use crate::refused::Refusal;
use crate::token::{GameId, Token};

/// A body of JSON.
pub struct JsonBody<T>(pub T);

pub struct QueryString<T>(pub T);

/// The public name in the address.
pub struct PublicName(pub GameId);

/// The secret in the header.
pub struct BearerSecret(pub Token);

/// Whether the content type is `wanted`, ignoring parameters such as the character set.
fn is_of_type(headers: &HeaderMap, wanted: &str) -> bool {
    let given = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    given.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case(wanted))
}

impl<T: DeserializeOwned + Send + 'static> FromRequest<Arc<App>> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<JsonBody<T>, ApiError> {
        const JSON: &str = "application/json";
        if !is_of_type(request.headers(), JSON) {
            return Err(ApiError::content_type(JSON));
        }
        let bytes = Bytes::from_request(request, app).await.map_err(|rejection| ApiError::body(&rejection))?;
        let read = match bytes.len() <= SMALL {
            true => strict::from_slice(&bytes),
            // That takes milliseconds.
            false => app.desk.read(move || strict::from_slice(&bytes)).await?,
        };
        read.map(JsonBody).map_err(|error| ApiError::bad_request(format!("the body is not what is asked for: {error}")))
    }
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for QueryString<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<QueryString<T>, ApiError> {
        match Query::from_request_parts(parts, state).await {
            Ok(Query(asked)) => Ok(QueryString(asked)),
            Err(rejection) => Err(ApiError::bad_request(rejection.body_text())),
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for PublicName {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<PublicName, ApiError> {
        let Ok(Path(name)) = Path::<String>::from_request_parts(parts, state).await else {
            return Err(ApiError::bad_request("the name in the address is not text in UTF-8"));
        };
        GameId::read(&name).map(PublicName).ok_or_else(|| Refusal::NotFound("match or record").into())
    }
}

impl<S: Send + Sync> FromRequestParts<S> for BearerSecret {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<BearerSecret, ApiError> {
        let given = parts.headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
        given
            .and_then(|text| text.split_once(' '))
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
            .and_then(|(_, token)| Token::read(token.trim()))
            .map(BearerSecret)
            .ok_or_else(ApiError::no_token)
    }
}
