//! Hex: its board, and its engine.
//!
//! [`board`] is plain data. The feature `engine` adds the solvers, and the engine that answers
//! questions with them.

pub mod board;
#[cfg(feature = "engine")]
pub mod engine;
