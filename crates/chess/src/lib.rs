//! Bidding chess: positions and moves, classes of endgames, and solvers that know it.
//!
//! [`board`] is plain data. The feature `engine` adds the solvers.

pub mod board;
#[cfg(feature = "engine")]
pub mod engine;
