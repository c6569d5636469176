//! Race: both players need some points, and every move scores one.
//!
//! [`board`] is plain data. The feature `engine` adds the closed form in real money, and tables with chips.

pub mod board;
#[cfg(feature = "engine")]
pub mod engine;
