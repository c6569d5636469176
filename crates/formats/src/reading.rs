//! Settings for reading a file: limits and objective.

use std::io::{self, ErrorKind};

use richman_core::{Effort, Error};

use crate::error::FormatError;
use crate::objectives::StatedObjective;

/// Settings for reading a file.
#[derive(Clone, Copy)]
pub struct Reading<'a> {
    /// The most bytes for the result and the lookahead, the most positions, the deadline, and the
    /// watch.
    pub effort: Effort<'a>,
    /// The length of the file in bytes, if known.
    pub size: Option<u64>,
    /// The objective, overriding the file.
    pub objective: Option<StatedObjective>,
    /// The label of states where Alice has won in a file of Storm, in place of `alice`.
    pub target: Option<&'a str>,
}

richman_core::debug_by_name!(Reading<'_> {});

impl<'a> Reading<'a> {
    /// The file without changes, within these limits.
    pub fn within(effort: Effort<'a>) -> Reading<'a> {
        Reading { effort, size: None, objective: None, target: None }
    }

    /// Checks that there is time left.
    pub(crate) fn check_time(&self, file: &str) -> Result<(), FormatError> {
        self.effort.check_time("reading the game file").map_err(|error| stopped(file, error))
    }

    /// Checks that `needed` bytes may be held for `what`.
    pub(crate) fn check_memory(&self, file: &str, what: &'static str, needed: u64) -> Result<(), FormatError> {
        self.effort.check_memory(what, needed).map_err(|error| stopped(file, error))
    }

    /// Checks that `count` positions are allowed.
    pub(crate) fn check_positions(&self, file: &str, count: u64) -> Result<(), FormatError> {
        let limit = self.effort.positions;
        if count > limit { Err(stopped(file, Error::TooManyPositions { limit })) } else { Ok(()) }
    }

    /// The error for bytes that cannot be read, perhaps because the watch says stop.
    pub(crate) fn unreadable(&self, file: &str, error: io::Error) -> FormatError {
        if error.kind() != ErrorKind::TimedOut && self.effort.watch.cancelled() {
            return stopped(file, Error::Cancelled);
        }
        FormatError::Unreadable { file: file.to_string(), error }
    }

    pub(crate) fn progress(&self, stage: &'static str, done: u64, total: Option<u64>) {
        self.effort.watch.progress(stage, done, total);
    }
}

/// The error if a limit is exceeded.
pub(crate) fn stopped(file: &str, error: Error) -> FormatError {
    FormatError::Stopped { file: file.to_string(), error: Box::new(error) }
}
