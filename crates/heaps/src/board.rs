//! The standing of a race.

/// The points that each player still needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RacePoints {
    /// Alice wins once this is 0.
    pub alice: u32,
    /// Bob wins once this is 0.
    pub bob: u32,
}
