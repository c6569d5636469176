//! Errors as `richman.Error`: what is wrong in the words of the library, and what helps in those of
//! the package.

use std::io;
use std::path::PathBuf;

use pyo3::exceptions::PyException;
use pyo3::{PyErr, create_exception};
use richman::analysis;
use richman::analysis::WriteFault;

use crate::remedies::{refused, worded};

create_exception!(
    richman,
    Error,
    PyException,
    "A request that cannot be served. The message says what is wrong, and which arguments or functions help."
);

/// Why a question has no answer.
#[derive(Debug)]
pub enum Fault {
    /// The watch or a time limit said stop.
    Stopped,
    /// A sentence that says what to do.
    Refused(String),
}

impl Fault {
    /// Refuses with a sentence.
    pub fn because(reason: impl ToString) -> Fault {
        Fault::Refused(reason.to_string())
    }

    /// A file that could not be written.
    pub fn unsaved(path: PathBuf) -> impl FnOnce(WriteFault) -> Fault {
        move |fault| match fault {
            WriteFault::Stopped => Fault::Stopped,
            WriteFault::Failed(error) => {
                Fault::Refused(format!("{}: {error}; nothing was saved there", path.display()))
            }
        }
    }

    /// Adds the name of the file in which the request was.
    pub fn in_file(name: &str) -> impl FnOnce(analysis::Error) -> Fault + '_ {
        move |error| match Fault::from(error) {
            Fault::Stopped => Fault::Stopped,
            Fault::Refused(reason) => Fault::Refused(format!("{name}: {reason}")),
        }
    }
}

impl From<analysis::Error> for Fault {
    fn from(error: analysis::Error) -> Fault {
        match error {
            analysis::Error::Core(richman::core::Error::Cancelled) => Fault::Stopped,
            error => Fault::Refused(worded(&error)),
        }
    }
}

impl From<richman::core::Error> for Fault {
    fn from(error: richman::core::Error) -> Fault {
        analysis::Error::from(error).into()
    }
}

impl From<richman::formats::FormatError> for Fault {
    fn from(error: richman::formats::FormatError) -> Fault {
        analysis::Error::from(error).into()
    }
}

impl From<richman::catalog::Error> for Fault {
    fn from(error: richman::catalog::Error) -> Fault {
        match error {
            richman::catalog::Error::Analysis(error) => error.into(),
            error => Fault::because(error),
        }
    }
}

impl From<richman::play::players::PlayerError> for Fault {
    fn from(error: richman::play::players::PlayerError) -> Fault {
        match error {
            richman::play::players::PlayerError::Analysis(error) => error.into(),
            error => Fault::because(error),
        }
    }
}

impl From<richman::play::duel::DuelError> for Fault {
    fn from(error: richman::play::duel::DuelError) -> Fault {
        match error {
            richman::play::duel::DuelError::Player(error) => error.into(),
            richman::play::duel::DuelError::Illegal(error) => Fault::Refused(refused(&error, &error.remedies())),
            error => Fault::because(error),
        }
    }
}

impl From<serde_json::Error> for Fault {
    fn from(error: serde_json::Error) -> Fault {
        Fault::because(error)
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Fault {
        Fault::because(error)
    }
}

impl From<Fault> for PyErr {
    fn from(fault: Fault) -> PyErr {
        match fault {
            Fault::Stopped => Error::new_err(worded(&richman::core::Error::OutOfTime { what: "this" }.into())),
            Fault::Refused(reason) => Error::new_err(reason),
        }
    }
}
