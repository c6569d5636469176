//! Race: both players need some points, and every move scores one.
//!
//! [`board`] is plain data. The feature `engine` adds the closed form for real money and rows of
//! chip thresholds.

pub mod board;
#[cfg(feature = "engine")]
pub mod engine;
