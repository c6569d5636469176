//! Errors in files, with their places.

use std::fmt;

use richman_core::{Aim, GraphError, Remedy};

use crate::excerpt::{excerpt, printable};
use crate::objectives::StatedObjective;

/// The place of an error in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileLocation {
    /// The name of the file as given; empty if there is none.
    pub file: String,
    /// Line and column (in bytes) where the reader stopped, both from 1. `None` if the error
    /// concerns the whole file.
    pub line: Option<(usize, usize)>,
    /// The position being read, in the game's notation.
    pub position: Option<String>,
}

impl fmt::Display for FileLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if !self.file.is_empty() {
            parts.push(printable(&self.file));
        }
        if let Some((line, column)) = self.line {
            parts.push(format!("line {line}, column {column}"));
        }
        if let Some(position) = &self.position {
            parts.push(format!("position {:?}", excerpt(position)));
        }
        if !parts.is_empty() {
            write!(f, "{}: ", parts.join(", "))?;
        }
        Ok(())
    }
}

/// The reason why a file is unusable. Messages name the file, the position if any, and the reason;
/// [`FormatError::remedies`] lists remedies.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The file cannot be opened or read, or exceeds the size limit.
    #[error("{}: {error}", printable(file))]
    Unreadable {
        /// The file.
        file: String,
        /// The system's error.
        error: std::io::Error,
    },
    /// Reading exceeded a limit or was stopped.
    #[error("{}: {error}", printable(file))]
    Stopped {
        /// The file.
        file: String,
        /// The limit exceeded, or the stop.
        error: Box<richman_core::Error>,
    },
    /// Bytes that are not UTF-8.
    #[error("{place}this is not UTF-8: save the file as UTF-8")]
    NotUtf8 {
        /// The place of the first such byte.
        place: Box<FileLocation>,
    },
    /// Text that is not JSON.
    #[error("{place}this is not JSON: {reason}")]
    NotJson {
        /// The place where the JSON is broken.
        place: Box<FileLocation>,
        /// The reason.
        reason: String,
    },
    /// A value of the wrong type, out of range or against the format; an unknown, missing or
    /// duplicate key.
    #[error("{place}{reason}")]
    BadValue {
        /// The place of the value.
        place: Box<FileLocation>,
        /// What is wrong and what is allowed.
        reason: String,
    },
    /// An input that accompanies the file is missing.
    #[error("{place}{reason}")]
    Lacking {
        /// The place in the file.
        place: Box<FileLocation>,
        /// The missing input.
        reason: String,
        /// How to give it.
        remedy: Remedy,
    },
    /// A game with scores, and with winners, priorities or kinds.
    #[error(
        "{}: position {:?} has a {} but position {:?} has a {}: a game with scores has no winners, priorities or kinds",
        printable(file), positions[0], keys[0], positions[1], keys[1]
    )]
    MixedAims {
        /// The file.
        file: String,
        /// The first position with a score, a stuck score or a weight, and the first with a winner,
        /// or else a priority, or else a kind.
        positions: Box<[String; 2]>,
        /// `score`, `stuck` or `weight`, and `winner`, `priority` or `kind`.
        keys: [&'static str; 2],
    },
    /// Chance in a game with another objective than to win.
    #[error(
        "{}: chance moves at position {position:?}, and {other}: it moves only in games that are won or lost at an end",
        printable(file)
    )]
    ChanceWithObjective {
        /// The file.
        file: String,
        /// The first position where chance moves.
        position: String,
        /// The other objective, or the position and the key that show it.
        other: String,
    },
    /// A game with the objective to reach targets, but without targets.
    #[error("{}: no position is a target: write \"target\": true where Alice wants to be", printable(file))]
    NoTarget {
        /// The file.
        file: String,
    },
    /// A score in a game with another objective.
    #[error(
        "{}: position {position:?} has a {key}, and the objective is {objective}: a scoring game has no objective",
        printable(file)
    )]
    ScoreWithObjective {
        /// The file.
        file: String,
        /// The first such position.
        position: String,
        /// `score` or `stuck`.
        key: &'static str,
        /// The objective.
        objective: StatedObjective,
    },
    /// A game with another objective than the requested one.
    #[error("{}: this game is played {aim}", printable(file))]
    OtherAim {
        /// The file.
        file: String,
        /// The objective of the game.
        aim: Aim,
    },
    /// Positions that do not make a game.
    #[error("{}: {error}", printable(file))]
    NotAGame {
        /// The file.
        file: String,
        /// The reason, naming the position.
        error: GraphError,
    },
    /// A saved solution in a newer, unknown format.
    #[error("{place}the solution was written by a newer version (format {found}, this version reads up to {newest})")]
    NewerVersion {
        /// The place of the version.
        place: Box<FileLocation>,
        /// The file's version.
        found: u64,
        /// The newest readable version.
        newest: u64,
    },
}

impl FileLocation {
    /// The place after the given first bytes of a file.
    pub(crate) fn after(file: &str, before: &[u8]) -> FileLocation {
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        let column = 1 + before.iter().rev().take_while(|&&byte| byte != b'\n').count();
        FileLocation { file: file.to_string(), line: Some((line, column)), position: None }
    }
}

impl FormatError {
    /// Remedies that the message does not name.
    pub fn remedies(&self) -> Vec<Remedy> {
        match self {
            FormatError::Stopped { error, .. } => error.remedies(),
            FormatError::Lacking { remedy, .. } => vec![remedy.clone()],
            FormatError::OtherAim { aim, .. } => aim.questions(),
            _ => Vec::new(),
        }
    }

    /// The error for a file of more than `limit` bytes.
    pub fn too_large(file: &str, limit: u64) -> FormatError {
        FormatError::Unreadable { file: file.to_string(), error: richman_files::too_large(limit) }
    }

    /// The error for a value at a place of a file, or in the whole file.
    pub(crate) fn bad_value(file: &str, line: Option<(usize, usize)>, reason: impl Into<String>) -> FormatError {
        let place = Box::new(FileLocation { file: file.to_string(), line, position: None });
        FormatError::BadValue { place, reason: reason.into() }
    }

    /// The error for positions of a file that do not make a game.
    pub(crate) fn not_a_game(file: &str) -> impl Fn(GraphError) -> FormatError {
        move |error| FormatError::NotAGame { file: file.to_string(), error }
    }
}
