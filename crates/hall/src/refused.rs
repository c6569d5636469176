//! Refusals of requests: one type, with a status, a code for programs and a sentence for people.

use std::borrow::Cow;
use std::error::Error;
use std::sync::Arc;

use axum_core::response::{IntoResponse, Response};
use http::StatusCode;
use richman_core::Remedy;
use richman_play::Illegal;
use richman_play::players::PlayerError;
use richman_requests::RequestError;

/// The reason for refusing a request.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The request is malformed.
    #[error("{0}")]
    BadRequest(String),
    /// No such match, seat, invitation, review or page; also for a wrong secret.
    #[error("there is no {0} here: the link is wrong, or what it led to is gone")]
    NotFound(&'static str),
    /// The seat is not that player's, or a page of another site asks.
    #[error("{0}")]
    Forbidden(String),
    /// Not possible now: not the player's turn, or already done.
    #[error("{0}")]
    Conflict(String),
    /// A page's form decides right after the same seat's last decision.
    #[error(
        "this came within half a second of your last decision, like the second half of a double click, and was ignored"
    )]
    TooSoon,
    /// The rules do not allow it.
    #[error(transparent)]
    Illegal(#[from] Illegal),
    /// The game, position or holdings are invalid, or contradict each other.
    #[error(transparent)]
    Unfit(Arc<richman_analysis::Error>),
    /// The request is too large.
    #[error("{0}")]
    TooLarge(String),
    /// Too many requests at once.
    #[error("{0}")]
    Busy(String),
    /// It would exceed the time limit.
    #[error("{0}")]
    OutOfTime(String),
    /// The request cannot be handled, with this status, code and reason.
    #[error("{2}")]
    Unhandled(StatusCode, &'static str, Cow<'static, str>),
    /// Something failed in the server. The sentence for people reveals no more.
    #[error("something went wrong here; nothing that was answered before is lost")]
    Internal(#[source] Arc<dyn Error + Send + Sync>),
}

impl Refusal {
    /// Too many requests wait already.
    pub fn crowded() -> Refusal {
        Refusal::Busy("too many requests at once: try again in a moment".to_string())
    }

    /// The refusal of a request that cannot be handled.
    pub const fn unhandled(status: StatusCode, code: &'static str, reason: &'static str) -> Refusal {
        Refusal::Unhandled(status, code, Cow::Borrowed(reason))
    }

    /// The status of the answer.
    pub fn status(&self) -> StatusCode {
        self.kind().0
    }

    /// The code for programs.
    pub fn code(&self) -> &'static str {
        self.kind().1
    }

    fn kind(&self) -> (StatusCode, &'static str) {
        match self {
            Refusal::BadRequest(_) => (StatusCode::BAD_REQUEST, "bad-request"),
            Refusal::NotFound(_) => (StatusCode::NOT_FOUND, "not-found"),
            Refusal::Forbidden(_) => (StatusCode::FORBIDDEN, "forbidden"),
            Refusal::Conflict(_) => (StatusCode::CONFLICT, "conflict"),
            Refusal::TooSoon => (StatusCode::CONFLICT, "too-soon"),
            Refusal::Illegal(Illegal::Over) => (StatusCode::CONFLICT, "over"),
            Refusal::Illegal(Illegal::NotNow(_)) => (StatusCode::CONFLICT, "not-now"),
            Refusal::Illegal(_) => (StatusCode::UNPROCESSABLE_ENTITY, "illegal"),
            Refusal::Unfit(error) if error.is_contradiction() => (StatusCode::BAD_REQUEST, "bad-request"),
            Refusal::Unfit(_) => (StatusCode::UNPROCESSABLE_ENTITY, "unfit"),
            Refusal::OutOfTime(_) => (StatusCode::UNPROCESSABLE_ENTITY, "out-of-time"),
            Refusal::TooLarge(_) => (StatusCode::PAYLOAD_TOO_LARGE, "too-large"),
            Refusal::Busy(_) => (StatusCode::TOO_MANY_REQUESTS, "busy"),
            Refusal::Unhandled(status, code, _) => (*status, code),
            Refusal::Internal(_) => (StatusCode::INTERNAL_SERVER_ERROR, "internal"),
        }
    }

    /// Whether it says nothing about the request, so that nothing in a form is wrong.
    pub fn is_of_server(&self) -> bool {
        matches!(self, Refusal::Busy(_) | Refusal::Internal(_))
    }

    /// Remedies that the message does not name.
    pub fn remedies(&self) -> Vec<Remedy> {
        match self {
            Refusal::Unfit(error) => error.remedies(),
            Refusal::Illegal(error) => error.remedies(),
            _ => Vec::new(),
        }
    }

    /// Hides an error of the server.
    pub fn internal(error: impl Error + Send + Sync + 'static) -> Refusal {
        Refusal::Internal(Arc::new(error))
    }

    /// The cause of an internal error, for the log; `None` for any other refusal.
    pub fn cause(&self) -> Option<FailureCause> {
        let Refusal::Internal(error) = self else { return None };
        let mut text = error.to_string();
        let mut source = error.source();
        while let Some(error) = source {
            let reason = error.to_string();
            // Transparent errors repeat their sources.
            if !text.ends_with(&reason) {
                text = format!("{text}: {reason}");
            }
            source = error.source();
        }
        Some(FailureCause(text.into()))
    }

    /// The answer with this body, with the status of the refusal and its cause.
    pub fn with_body(&self, body: impl IntoResponse) -> Response {
        let mut answer = (self.status(), body).into_response();
        if let Some(cause) = self.cause() {
            answer.extensions_mut().insert(cause);
        }
        answer
    }
}

/// The guard shows the refusal: as JSON to programs, and as a page to people.
impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut answer = self.with_body(());
        answer.extensions_mut().insert(self);
        answer
    }
}

/// The reason why an answer failed in the server. Answers carry it to the log, and clients never
/// see it.
#[derive(Debug, Clone)]
pub struct FailureCause(pub Cow<'static, str>);

impl From<richman_analysis::Error> for Refusal {
    fn from(error: richman_analysis::Error) -> Refusal {
        Refusal::Unfit(Arc::new(error))
    }
}

impl From<PlayerError> for Refusal {
    fn from(error: PlayerError) -> Refusal {
        match error {
            PlayerError::Analysis(error) => error.into(),
            other => Refusal::BadRequest(other.to_string()),
        }
    }
}

impl From<richman_core::Error> for Refusal {
    fn from(error: richman_core::Error) -> Refusal {
        richman_analysis::Error::from(error).into()
    }
}

impl From<RequestError> for Refusal {
    fn from(error: RequestError) -> Refusal {
        match error {
            RequestError::Malformed(reason) => Refusal::BadRequest(reason),
            RequestError::Unfit(error) => error.into(),
        }
    }
}
