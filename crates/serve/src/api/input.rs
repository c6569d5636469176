//! The parts of a request, checked before a handler sees them: a body, and a secret in the header.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use richman_hall::refused::Refusal;
use richman_hall::token::Token;
use richman_requests::{RequestError, from_slice};
use serde::de::DeserializeOwned;

use crate::App;
use crate::guard::SMALL;

const NOT_JSON: Refusal = Refusal::unhandled(
    StatusCode::UNSUPPORTED_MEDIA_TYPE,
    "content-type",
    "send the header Content-Type: application/json",
);
const NO_TOKEN: Refusal = Refusal::unhandled(
    StatusCode::UNAUTHORIZED,
    "no-token",
    "this needs the secret of a seat: send the header Authorization: Bearer TOKEN",
);

/// A body of JSON.
pub struct JsonBody<T>(pub T);

/// The secret in the header.
pub struct BearerSecret(pub Token);

/// Whether the content type is `wanted`, ignoring parameters such as the character set.
fn is_of_type(headers: &HeaderMap, wanted: &str) -> bool {
    let given = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    given.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case(wanted))
}

impl<T: DeserializeOwned + Send + 'static> FromRequest<Arc<App>> for JsonBody<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<JsonBody<T>, Refusal> {
        if !is_of_type(request.headers(), "application/json") {
            return Err(NOT_JSON);
        }
        let bytes = Bytes::from_request(request, app).await.map_err(|rejection| match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => {
                Refusal::TooLarge("the body is larger than this address accepts".to_string())
            }
            _ => Refusal::BadRequest("the body cannot be read to its end".to_string()),
        })?;
        let read = match bytes.len() <= SMALL {
            true => from_slice(&bytes),
            // Reading a long body takes milliseconds.
            false => app.desk.read(move || from_slice(&bytes)).await?,
        };
        let refused = |error| {
            let reason = RequestError::from(error);
            Refusal::BadRequest(format!("the body does not fit this request: {reason}"))
        };
        Ok(JsonBody(read.map_err(refused)?))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for BearerSecret {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<BearerSecret, Refusal> {
        let given = parts.headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
        given
            .and_then(|text| text.split_once(' '))
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
            .and_then(|(_, token)| Token::read(token.trim()))
            .map(BearerSecret)
            .ok_or(NO_TOKEN)
    }
}
