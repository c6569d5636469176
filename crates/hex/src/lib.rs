//! Hex: its board, and its engine.
//!
//! [`board`] is plain data. The feature `engine` adds the solvers and the engine.

pub mod board;
#[cfg(feature = "engine")]
pub mod engine;
