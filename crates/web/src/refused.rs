//! Why a request is not done: one type, with a status, a word for programs and a sentence for people.

use std::sync::Arc;

use axum::http::StatusCode;
use richman_play::Illegal;
use richman_play::players::PlayerError;

/// Why a request is not done.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// The request is not understood.
    #[error("{0}")]
    BadRequest(String),
    /// No such match, seat, invitation, review or page; also where a secret is wrong.
    #[error("there is no {0} here: the link is wrong, or what it led to is gone")]
    NotFound(&'static str),
    /// The seat is not that player's, or a page of another site asks.
    #[error("{0}")]
    Forbidden(String),
    /// What is asked for cannot be done now: not the player's turn, or done already.
    #[error("{0}")]
    Conflict(String),
    /// The rules do not allow it.
    #[error(transparent)]
    Illegal(#[from] Illegal),
    /// The game, position or holdings make no sense.
    #[error(transparent)]
    Unfit(Arc<richman_analysis::Error>),
    /// The request is too large.
    #[error("{0}")]
    TooLarge(String),
    /// Too many at once.
    #[error("{0}")]
    Busy(String),
    /// It would take longer than is allowed here.
    #[error("{0}")]
    OutOfTime(String),
    /// Something broke here; the sentence for people tells nothing more.
    #[error("something went wrong here; what was answered before is safe")]
    Internal(#[source] Arc<dyn std::error::Error + Send + Sync>),
}

impl Refused {
    /// The status of the answer.
    pub fn status(&self) -> StatusCode {
        match self {
            Refused::BadRequest(_) => StatusCode::BAD_REQUEST,
            Refused::NotFound(_) => StatusCode::NOT_FOUND,
            Refused::Forbidden(_) => StatusCode::FORBIDDEN,
            Refused::Conflict(_) | Refused::Illegal(Illegal::Over | Illegal::NotNow(_)) => StatusCode::CONFLICT,
            Refused::Illegal(_) | Refused::Unfit(_) | Refused::OutOfTime(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Refused::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Refused::Busy(_) => StatusCode::TOO_MANY_REQUESTS,
            Refused::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// The word for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Refused::BadRequest(_) => "bad-request",
            Refused::NotFound(_) => "not-found",
            Refused::Forbidden(_) => "forbidden",
            Refused::Conflict(_) => "conflict",
            Refused::Illegal(Illegal::Over) => "over",
            Refused::Illegal(Illegal::NotNow(_)) => "not-now",
            Refused::Illegal(_) => "illegal",
            Refused::Unfit(_) => "unfit",
            Refused::TooLarge(_) => "too-large",
            Refused::Busy(_) => "busy",
            Refused::OutOfTime(_) => "out-of-time",
            Refused::Internal(_) => "internal",
        }
    }

    /// An error of this program's own making.
    pub fn internal(error: impl std::error::Error + Send + Sync + 'static) -> Refused {
        Refused::Internal(Arc::new(error))
    }
}

impl From<richman_analysis::Error> for Refused {
    fn from(error: richman_analysis::Error) -> Refused {
        if error.is_contradiction() { Refused::BadRequest(error.to_string()) } else { Refused::Unfit(Arc::new(error)) }
    }
}

impl From<PlayerError> for Refused {
    fn from(error: PlayerError) -> Refused {
        match error {
            PlayerError::Analysis(error) => error.into(),
            other => Refused::BadRequest(other.to_string()),
        }
    }
}

impl From<richman_core::Error> for Refused {
    fn from(error: richman_core::Error) -> Refused {
        richman_analysis::Error::from(error).into()
    }
}
