//! Errors in reproducing published results.

use richman_core::{did_you_mean, excerpt};

/// Results that cannot be computed; the message says how to proceed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An error about a game, a position, a mechanism or a limit.
    #[error(transparent)]
    Analysis(#[from] richman_analysis::Error),
    /// No published claim has this id.
    #[error(
        "there is no published result {:?}{}: write a paper's key, {}, the beginning of an id, or nothing for all",
        excerpt(key), did_you_mean(key, crate::KEYS.into_iter().chain(ids.iter().map(String::as_str))),
        crate::KEYS.join(", ")
    )]
    NoClaim {
        /// The id requested.
        key: String,
        /// All ids.
        ids: Vec<String>,
    },
    /// The catalog itself contains an error.
    #[error("the catalog of published results is damaged: {reason}")]
    Damaged {
        /// The place and the reason.
        reason: String,
    },
}

impl From<richman_core::Error> for Error {
    fn from(error: richman_core::Error) -> Error {
        Error::Analysis(error.into())
    }
}

impl From<richman_games::GameError> for Error {
    fn from(error: richman_games::GameError) -> Error {
        Error::Analysis(error.into())
    }
}

impl From<richman_check::verify::Flaw> for Error {
    fn from(flaw: richman_check::verify::Flaw) -> Error {
        Error::Damaged { reason: format!("a solver is wrong: {flaw}") }
    }
}

impl Error {
    /// Whether the computation was cancelled.
    pub fn is_cancelled(&self) -> bool {
        matches!(self, Error::Analysis(richman_analysis::Error::Core(richman_core::Error::Cancelled)))
    }
}
