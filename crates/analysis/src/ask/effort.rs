//! How much an answer is worth: all its limits, and what they are unless somebody says otherwise.

use std::time::Instant;

use richman_core::{Limits, Watch};
use richman_solvers::{Exactness, Options};

/// How much an answer is worth. All limits of an answer stand here.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Real money is answered by what is known then, the rest by [`richman_core::Error::OutOfTime`].
    pub deadline: Option<Instant>,
    /// Most bytes.
    pub memory: u64,
    /// Most positions that are unfolded.
    pub positions: u64,
    /// Whether bounds are an answer.
    pub exactness: Exactness,
    /// The width of bounds that is aimed at, as a share of all the money.
    pub width: f64,
}

impl Default for Effort {
    /// The defaults of [`Options`] and of [`Limits`].
    fn default() -> Effort {
        let Options { deadline, memory, exactness, width, .. } = Options::default();
        Effort { deadline, memory, positions: Limits::default().positions, exactness, width }
    }
}

impl Effort {
    /// Seconds after which real money is answered by what is known.
    pub const MONEY_SECONDS: u64 = 60;
    /// Seconds after which the proofs of the periods of a table end.
    pub const TABLE_SECONDS: u64 = 60;
    /// Seconds after which the proofs for a tree end.
    pub const TREE_SECONDS: u64 = 40;
    /// Seconds after which the proofs for a comparison end.
    pub const COMPARE_SECONDS: u64 = 150;

    pub(super) fn options<'a>(&self, within: Option<u32>, held: u64, watch: &'a dyn Watch) -> Options<'a> {
        let Effort { deadline, memory, exactness, width, .. } = *self;
        Options { within, memory, held, exactness, width, deadline, watch }
    }

    pub(super) fn limits(&self) -> Limits {
        Limits { positions: self.positions, memory: self.memory }
    }
}
