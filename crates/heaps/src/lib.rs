//! Games whose positions are numbers of items: a race, and Cumulative Subtraction of one item a
//! turn.
//!
//! | module | game | result |
//! | --- | --- | --- |
//! | [`board`] | a race: each player takes an item of their own heap, and wins with the last | plain data |
//! | `engine` | a race | the closed form for real money, and rows of chip thresholds |
//! | [`subtraction`] | one heap, and a point for every item | values of every heap, and of all large ones |
//!
//! The feature `engine` adds the module of that name.

pub mod board;
#[cfg(feature = "engine")]
pub mod engine;
pub mod subtraction;
