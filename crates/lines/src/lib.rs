//! Boards of stones and lines: Connect, Tic-Tac-Toe.
//!
//! [`board`] is plain data. The feature `engine` adds the solvers, databases and the engine.

pub mod board;
#[cfg(feature = "engine")]
pub mod engine;
