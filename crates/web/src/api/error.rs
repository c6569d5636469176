//! Errors as JSON.

use axum::Json;
use axum::http::header::{HeaderValue, WWW_AUTHENTICATE};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::refused::Refusal;

/// The longest message, since it may repeat parts of the request.
const LONGEST_MESSAGE: usize = 600;

/// A refusal as JSON.
#[derive(Debug)]
pub struct ApiError(pub Refusal);

/// An answer in JSON that describes a new resource.
pub type CreatedAnswer<T> = Result<(StatusCode, Json<T>), ApiError>;

/// The answer to a refused request.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorBody {
    /// The error.
    error: ErrorJson,
}

/// Why a request is refused.
#[derive(Debug, Serialize, ToSchema)]
struct ErrorJson {
    /// The reason as a stable code.
    #[schema(example = "not-now")]
    code: &'static str,
    /// The reason as a sentence for people.
    #[schema(example = "Bob is not to do that now")]
    message: String,
}

impl<E: Into<Refusal>> From<E> for ApiError {
    fn from(error: E) -> ApiError {
        ApiError(error.into())
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let ApiError(refused) = self;
        let message = richman_core::shortened(&refused.to_string(), LONGEST_MESSAGE);
        let error = ErrorJson { code: refused.code(), message };
        let mut response = refused.with_body(Json(ErrorBody { error }));
        if refused.status() == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

/// The answer to an unknown address.
pub async fn unknown() -> ApiError {
    let reason = "there is no such address: /api/openapi.json lists them all";
    ApiError(Refusal::unhandled(StatusCode::NOT_FOUND, "not-found", reason))
}

/// The answer to a method that an address does not support.
pub async fn wrong_method(method: Method) -> ApiError {
    let reason = format!("this address has no {method}: /api/openapi.json says what it has");
    ApiError(Refusal::Unhandled(StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed", reason.into()))
}
