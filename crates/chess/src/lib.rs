//! Bidding chess: positions and moves, classes of endgames, and solvers.
//!
//! [`board`] is plain data. The feature `engine` adds the solvers, databases and the engine.

pub mod board;
#[cfg(feature = "engine")]
pub mod engine;
