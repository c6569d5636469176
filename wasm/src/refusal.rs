//! Why there is no answer, and what would help.

use std::sync::Arc;

use richman::analysis;
use richman::core::{AskedQuestion, Error as CoreError, Remedy};
use richman_hall::refused;
use richman_requests::{ErrorJson, RemedyJson, RequestError, remedy};

/// Why a request has no answer.
#[derive(Debug)]
pub enum Refusal {
    /// It is not written as documented.
    Malformed(String),
    /// The rules of a match forbid it.
    Hall(refused::Refusal),
    /// It is no question about a game, or its answer takes more than it may.
    Unfit(Arc<analysis::Error>),
}

impl Refusal {
    /// Refuses with a sentence.
    pub fn because(reason: impl ToString) -> Refusal {
        Refusal::Malformed(reason.to_string())
    }

    /// The refusal as JSON.
    pub fn json(&self) -> String {
        let (code, reason, remedies) = match self {
            Refusal::Malformed(reason) => ("bad-request", reason.clone(), Vec::new()),
            Refusal::Hall(refusal) => (refusal.code(), refusal.to_string(), refusal.remedies()),
            Refusal::Unfit(error) => {
                let stopped = analysis::Error::from(CoreError::OutOfTime { what: "this" });
                // Nobody but the clock stops a question here.
                let is_stopped = matches!(**error, analysis::Error::Core(CoreError::Cancelled));
                let error = if is_stopped { &stopped } else { &**error };
                let is_late = matches!(error, analysis::Error::Core(CoreError::OutOfTime { .. }));
                let code = match () {
                    () if is_late => "out-of-time",
                    () if error.is_contradiction() => "bad-request",
                    () => "unfit",
                };
                (code, error.to_string(), error.remedies())
            }
        };
        serde_json::to_string(&ErrorJson::new(code, reason, remedies.iter().filter_map(help))).unwrap_or_default()
    }
}

/// A remedy in the words of the package: keys of requests, and of limits.
fn help(of: &Remedy) -> Option<(RemedyJson, String)> {
    let limit = |key| Some((RemedyJson { remedy: "change", key: Some(key) }, format!("raise {key}")));
    match of {
        Remedy::MoreMemory => limit("memory"),
        Remedy::MoreTime => limit("time"),
        of => remedy(of, function),
    }
}

/// The function that answers a question.
fn function(question: AskedQuestion) -> Option<&'static str> {
    match question {
        AskedQuestion::Worth | AskedQuestion::Scores => Some("solve"),
        AskedQuestion::Table => Some("table"),
        AskedQuestion::RandomTurn => Some("randomTurn"),
        _ => None,
    }
}

impl From<analysis::Error> for Refusal {
    fn from(error: analysis::Error) -> Refusal {
        Refusal::Unfit(Arc::new(error))
    }
}

impl From<refused::Refusal> for Refusal {
    fn from(refusal: refused::Refusal) -> Refusal {
        match refusal {
            refused::Refusal::Unfit(error) => Refusal::Unfit(error),
            other => Refusal::Hall(other),
        }
    }
}

impl From<CoreError> for Refusal {
    fn from(error: CoreError) -> Refusal {
        analysis::Error::from(error).into()
    }
}

impl From<richman::formats::FormatError> for Refusal {
    fn from(error: richman::formats::FormatError) -> Refusal {
        analysis::Error::from(error).into()
    }
}

impl From<RequestError> for Refusal {
    fn from(error: RequestError) -> Refusal {
        match error {
            RequestError::Malformed(reason) => Refusal::Malformed(reason),
            RequestError::Unfit(error) => error.into(),
        }
    }
}
