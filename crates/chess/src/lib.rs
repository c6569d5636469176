//! Bidding chess: positions and moves, classes of endgames, and solvers that know the game.
//!
//! [`board`] is plain data. The feature `engine` adds the solvers, databases, and the engine that
//! answers questions with them.

pub mod board;
#[cfg(feature = "engine")]
pub mod engine;
