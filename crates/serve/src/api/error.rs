//! Errors as JSON.

use axum::Json;
use axum::http::header::{HeaderValue, WWW_AUTHENTICATE};
use axum::http::{Method, StatusCode};
use axum::response::Response;
use richman_core::AskedQuestion;
use richman_hall::refused::Refusal;
use richman_requests::{ErrorJson, remedy};
use serde::Serialize;
use utoipa::ToSchema;

/// The answer to a refused request.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorBody {
    /// The error.
    error: ErrorJson,
}

/// A refusal as JSON.
pub fn refused(refusal: &Refusal) -> Response {
    let remedies = refusal.remedies();
    let error = ErrorJson::new(refusal.code(), refusal, remedies.iter().filter_map(|of| remedy(of, path)));
    let mut answer = refusal.with_body(Json(ErrorBody { error }));
    if refusal.status() == StatusCode::UNAUTHORIZED {
        answer.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    answer
}

/// The answer to an unknown address.
pub async fn unknown() -> Refusal {
    let reason = "there is no such address: /api/openapi.json lists them all";
    Refusal::unhandled(StatusCode::NOT_FOUND, "not-found", reason)
}

/// The answer to a method that an address does not support.
pub async fn wrong_method(method: Method) -> Refusal {
    let reason = format!("this address has no {method}: /api/openapi.json says what it has");
    Refusal::Unhandled(StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed", reason.into())
}

/// The address that answers a question.
fn path(question: AskedQuestion) -> Option<&'static str> {
    match question {
        AskedQuestion::Worth | AskedQuestion::Scores => Some("/api/v1/solve"),
        AskedQuestion::Table => Some("/api/v1/table"),
        _ => None,
    }
}
