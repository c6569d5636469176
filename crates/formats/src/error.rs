//! What can be wrong with a file, and where.

use std::fmt;

use richman_core::{Aim, GraphError};

/// Where in a file something is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The name of the file, as it was given; empty where there is none.
    pub file: String,
    /// Line and column, both from 1 (columns count bytes), where the reader stopped. `None` where the reason concerns
    /// the file as a whole.
    pub line: Option<(usize, usize)>,
    /// The position that was being read, in the game's notation.
    pub position: Option<String>,
}

impl fmt::Display for Place {
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

/// A file that cannot be used. Every message names the file, the position where there is one, and the reason.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The file cannot be opened or read, or has more bytes than are read.
    #[error("{}: {error}", printable(file))]
    Unreadable {
        /// The file.
        file: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// Reading went above a limit, or was stopped.
    #[error("{}: {error}", printable(file))]
    Stopped {
        /// The file.
        file: String,
        /// The limit, or that it was stopped.
        error: Box<richman_core::Error>,
    },
    /// Bytes that are not UTF-8.
    #[error("{place}this is not UTF-8: save the file as UTF-8")]
    NotUtf8 {
        /// Where the first such byte is.
        place: Box<Place>,
    },
    /// Text that is not JSON.
    #[error("{place}this is not JSON: {reason}")]
    NotJson {
        /// Where the JSON is broken.
        place: Box<Place>,
        /// What is wrong there.
        reason: String,
    },
    /// A value of the wrong type, out of range, or against the rules of the format, or a key that is unknown, missing or
    /// given twice.
    #[error("{place}{reason}")]
    BadValue {
        /// Where the value is.
        place: Box<Place>,
        /// What is wrong and what can be written.
        reason: String,
    },
    /// A game with both scores and winners.
    #[error(
        "{}: position {scored:?} has a {key} but position {won:?} has a winner: a game has either scores or winners",
        printable(file)
    )]
    ScoreAndWinner {
        /// The file.
        file: String,
        /// The first position with a score, a stuck score or a weight.
        scored: String,
        /// `score`, `stuck` or `weight`.
        key: &'static str,
        /// The first position with a winner.
        won: String,
    },
    /// A game that is played for something else than was asked about.
    #[error("{}: this game is played {aim}: use {}", printable(file), aim.commands())]
    OtherAim {
        /// The file.
        file: String,
        /// What it is played for.
        aim: Aim,
    },
    /// Positions that do not make a game.
    #[error("{}: {error}", printable(file))]
    NotAGame {
        /// The file.
        file: String,
        /// What is wrong; it names the position.
        error: GraphError,
    },
    /// A saved solution in a format this version does not know.
    #[error("{place}the solution was written by a newer version (format {found}, this version reads up to {newest})")]
    NewerVersion {
        /// Where the version is.
        place: Box<Place>,
        /// The version of the file.
        found: u64,
        /// The newest version that can be read.
        newest: u64,
    },
}

/// The text of a file.
pub(crate) fn utf8<'t>(file: &str, bytes: &'t [u8]) -> Result<&'t str, FormatError> {
    std::str::from_utf8(bytes)
        .map_err(|error| FormatError::NotUtf8 { place: Box::new(Place::after(file, &bytes[..error.valid_up_to()])) })
}

impl Place {
    /// Behind the first bytes of a file.
    pub(crate) fn after(file: &str, before: &[u8]) -> Place {
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        let column = 1 + before.iter().rev().take_while(|&&byte| byte != b'\n').count();
        Place { file: file.to_string(), line: Some((line, column)), position: None }
    }
}

impl FormatError {
    /// That a file has more than `limit` bytes.
    pub fn too_large(file: &str, limit: u64) -> FormatError {
        FormatError::Unreadable { file: file.to_string(), error: richman_files::too_large(limit) }
    }
}

const LONGEST_SHOWN: usize = 200;

/// At most 200 characters of `text`, so that an error stays readable whatever the file contains.
pub(crate) fn excerpt(text: &str) -> String {
    richman_core::shortened(text, LONGEST_SHOWN)
}

/// The beginning and the end of a long message, which may quote the file in between.
pub(crate) fn shorten(message: &str) -> String {
    let end = message.char_indices().rev().nth(LONGEST_SHOWN).map_or(0, |(at, _)| at);
    match message.char_indices().nth(LONGEST_SHOWN) {
        Some((start, _)) if start < end => printable(&format!("{}...{}", &message[..start], &message[end..])),
        _ => printable(message),
    }
}

/// Whether `c` could move the cursor, start a new line or reorder what stands next to it on a terminal.
pub(crate) fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_control(c) {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    shown
}
