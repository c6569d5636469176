//! How a long computation tells how far it is, and is told to stop.

/// Handed to everything that may take over a second.
pub trait Watch: Sync {
    /// `done` of `total` steps of `stage` are finished; `total` is `None` while it is unknown.
    fn progress(&self, stage: &'static str, done: u64, total: Option<u64>) {
        let _ = (stage, done, total);
    }

    /// Whether to stop; the computation then returns [`crate::Error::Cancelled`].
    fn cancelled(&self) -> bool {
        false
    }
}

/// Watches nothing and never cancels.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unwatched;

impl Watch for Unwatched {}
