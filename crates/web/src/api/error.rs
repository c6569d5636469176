//! Errors as JSON.

use std::borrow::Cow;

use axum::Json;
use axum::extract::rejection::BytesRejection;
use axum::http::header::{HeaderValue, WWW_AUTHENTICATE};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use richman_core::with_remedies;
use serde::Serialize;
use utoipa::ToSchema;

use super::remedies::{RemedyJson, remedy};
use crate::refused::{FailureCause, Refusal};

/// The longest message, since it may repeat parts of the request.
const LONGEST_MESSAGE: usize = 600;

/// Why a request is refused.
#[derive(Debug)]
pub struct ApiError {
    pub(crate) status: StatusCode,
    code: &'static str,
    pub(crate) message: Cow<'static, str>,
    remedies: Vec<RemedyJson>,
    /// Why the server failed, for the log.
    pub(crate) cause: Option<FailureCause>,
}

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
    message: Cow<'static, str>,
    /// What would help, if anything is known: each of these alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    remedies: Vec<RemedyJson>,
}

impl ApiError {
    fn new(status: StatusCode, code: &'static str, message: impl Into<Cow<'static, str>>) -> ApiError {
        ApiError { status, code, message: message.into(), remedies: Vec::new(), cause: None }
    }

    /// A refusal with a fixed message.
    pub(crate) const fn fixed(status: StatusCode, code: &'static str, message: &'static str) -> ApiError {
        ApiError { status, code, message: Cow::Borrowed(message), remedies: Vec::new(), cause: None }
    }

    /// A malformed request.
    pub fn bad_request(message: impl Into<Cow<'static, str>>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, "bad-request", message)
    }

    /// A request without the secret of a seat.
    pub fn no_token() -> ApiError {
        let message = "this needs the secret of a seat: send the header Authorization: Bearer TOKEN";
        ApiError::new(StatusCode::UNAUTHORIZED, "no-token", message)
    }

    /// A body of the wrong content type.
    pub fn content_type(wanted: &'static str) -> ApiError {
        let message = format!("send the header Content-Type: {wanted}");
        ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "content-type", message)
    }

    /// A body that cannot be read.
    pub fn body(rejection: &BytesRejection) -> ApiError {
        if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
            return ApiError::new(
                StatusCode::PAYLOAD_TOO_LARGE,
                "too-large",
                "the body is larger than this address accepts",
            );
        }
        ApiError::bad_request("the body cannot be read to its end")
    }
}

impl<E: Into<Refusal>> From<E> for ApiError {
    fn from(error: E) -> ApiError {
        let refused = error.into();
        let cause = refused.cause();
        let (remedies, words): (Vec<_>, Vec<_>) = refused.remedies().iter().filter_map(remedy).unzip();
        let message = with_remedies(&refused, words);
        ApiError { cause, remedies, ..ApiError::new(refused.status(), refused.code(), message) }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let message = richman_core::shortened(&self.message, LONGEST_MESSAGE);
        let error = ErrorJson { code: self.code, message: message.into(), remedies: self.remedies };
        let mut response = (self.status, Json(ErrorBody { error })).into_response();
        if self.status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        FailureCause::carried(self.cause, response)
    }
}

/// The answer to an unknown address.
pub async fn unknown() -> ApiError {
    ApiError::new(StatusCode::NOT_FOUND, "not-found", "there is no such address: /api/openapi.json lists them all")
}

/// The answer to a method that an address does not support.
pub async fn wrong_method(method: Method) -> ApiError {
    let message = format!("this address has no {method}: /api/openapi.json says what it has");
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed", message)
}
