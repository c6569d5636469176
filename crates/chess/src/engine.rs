//! The worth of chess positions: endgames with proved bounds, and a search that estimates the rest.

pub mod database;
pub mod endgames;
pub mod estimate;
pub mod position;
pub mod search;
mod source;
mod ways;

pub use source::ChessEngine;
