//! Files of bounds on boards too large to solve: their headers.

use serde::Deserialize;

/// The word that identifies the files.
pub const BOUNDS_FORMAT: &str = "richman bounds";

/// The most bytes of one.
pub const MOST_BOUNDS_BYTES: u64 = 1 << 20;

/// The game and the position of a file of bounds.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct BoundsHead {
    format: String,
    /// The game with its parameters.
    pub game: String,
    /// The position in the game's notation.
    pub position: String,
}

impl BoundsHead {
    /// The head of a file with these bytes; `None` if it is not a file of bounds.
    pub fn read(bytes: &[u8]) -> Option<BoundsHead> {
        let head: BoundsHead = serde_json::from_slice(bytes).ok()?;
        Some(head).filter(|head| head.format == BOUNDS_FORMAT)
    }
}
