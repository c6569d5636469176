//! Errors of the command line and their exit status.

use std::path::PathBuf;
use std::process::ExitCode;

use richman_core::with_remedies;

use crate::remedies::{worded, words};
use crate::watch::STOPPED;

/// The result of a command: its exit status.
pub type Done = Result<ExitCode, CliError>;

/// Why a command could not do its work.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    #[error("{}", worded(.0))]
    Analysis(#[source] richman_analysis::Error),
    #[error(transparent)]
    Catalog(richman_catalog::Error),
    /// A request read from the file of this name failed.
    #[error("{file}: {}", worded(.1), file = .0)]
    InFile(String, richman_analysis::Error),
    /// A request that cannot be carried out as it is written.
    #[error("{0}")]
    Usage(String),
    /// A file cannot be written.
    #[error("{path}: {1}; nothing was saved there", path = .0.display())]
    Save(PathBuf, std::io::Error),
    #[cfg(feature = "web")]
    #[error(transparent)]
    Serve(#[from] richman_serve::ServeError),
    #[error("standard output: {0}")]
    Output(std::io::Error),
    #[error("standard input: {0}")]
    Input(std::io::Error),
    /// The reader of standard output is gone.
    #[error("the reader of standard output has gone")]
    Pipe,
}

#[cfg(feature = "web")]
impl From<richman_serve::store::StoreError> for CliError {
    fn from(error: richman_serve::store::StoreError) -> CliError {
        match error {
            richman_serve::store::StoreError::Stopped => richman_core::Error::Cancelled.into(),
            error => CliError::Serve(error.into()),
        }
    }
}

impl From<richman_analysis::Error> for CliError {
    fn from(error: richman_analysis::Error) -> CliError {
        CliError::Analysis(error)
    }
}

impl From<richman_core::Error> for CliError {
    fn from(error: richman_core::Error) -> CliError {
        CliError::Analysis(error.into())
    }
}

impl From<richman_catalog::Error> for CliError {
    fn from(error: richman_catalog::Error) -> CliError {
        match error {
            richman_catalog::Error::Analysis(error) => CliError::Analysis(error),
            error => CliError::Catalog(error),
        }
    }
}

impl From<richman_formats::FormatError> for CliError {
    fn from(error: richman_formats::FormatError) -> CliError {
        CliError::Analysis(error.into())
    }
}

impl From<richman_play::Illegal> for CliError {
    fn from(error: richman_play::Illegal) -> CliError {
        CliError::Usage(with_remedies(&error, error.remedies().iter().map(words)))
    }
}

impl From<richman_play::players::PlayerError> for CliError {
    fn from(error: richman_play::players::PlayerError) -> CliError {
        match error {
            richman_play::players::PlayerError::Analysis(error) => CliError::Analysis(error),
            error => CliError::Usage(error.to_string()),
        }
    }
}

impl From<richman_play::duel::DuelError> for CliError {
    fn from(error: richman_play::duel::DuelError) -> CliError {
        match error {
            richman_play::duel::DuelError::Player(error) => error.into(),
            richman_play::duel::DuelError::Illegal(error) => error.into(),
            error => CliError::Usage(error.to_string()),
        }
    }
}

impl CliError {
    /// Adds the name of the request's file, unless the error is a stop.
    pub fn in_file(source_name: String, error: richman_analysis::Error) -> CliError {
        match error {
            richman_analysis::Error::Core(richman_core::Error::Cancelled) => CliError::Analysis(error),
            error => CliError::InFile(source_name, error),
        }
    }

    /// Adds the name of the game, if the error is about the game and does not name it.
    pub fn about(self, game: &str) -> CliError {
        match self {
            CliError::Analysis(richman_analysis::Error::Format(_)) => self,
            CliError::Analysis(error) => CliError::in_file(game.to_string(), error),
            CliError::Usage(reason) => CliError::Usage(format!("{game}: {reason}")),
            other => other,
        }
    }

    /// Whether other games may be answered nevertheless.
    pub fn is_about_one_game(&self) -> bool {
        matches!(self, CliError::Analysis(_) | CliError::InFile(..) | CliError::Usage(_)) && !self.is_stop()
    }

    pub fn is_stop(&self) -> bool {
        matches!(self, CliError::Analysis(richman_analysis::Error::Core(richman_core::Error::Cancelled)))
    }

    /// 130 if stopped by Ctrl-C, otherwise 2.
    pub fn status(&self) -> u8 {
        if self.is_stop() { STOPPED } else { 2 }
    }
}
