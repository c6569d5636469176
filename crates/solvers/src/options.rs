//! What every solver is told besides the arena and the mechanism.

use richman_core::{Error, Unwatched, Watch};

/// Limits, the truncation, and who watches.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Win in at most this many moves; a play that goes on is then a draw (the truncation `G[n]` of DP10 3.3).
    pub within: Option<u32>,
    /// Most bytes that a solver may allocate.
    pub memory: u64,
    /// Hears of progress and may cancel.
    pub watch: &'a dyn Watch,
}

impl Default for Options<'_> {
    /// No truncation, 4 GiB, unwatched.
    fn default() -> Self {
        Options { within: None, memory: 4 << 30, watch: &Unwatched }
    }
}

impl Options<'_> {
    /// Refuses to allocate more than allowed.
    pub(crate) fn check_memory(&self, what: &'static str, needed: u64) -> Result<(), Error> {
        if needed > self.memory {
            return Err(Error::TooMuchMemory { what, needed, limit: self.memory });
        }
        Ok(())
    }

    pub(crate) fn check_cancelled(&self) -> Result<(), Error> {
        if self.watch.cancelled() { Err(Error::Cancelled) } else { Ok(()) }
    }
}
