//! The games of Richman, one file per game: rules that unfold into an arena or are walked position by position.
//!
//! Games are found by the name they have on the command line:
//!
//! ```
//! use richman_core::{Limits, Unwatched};
//!
//! let game = richman_games::find("tic-tac-toe:rows=2,cols=2,line=2")?;
//! let unfolding = game.unfold(None, &Limits::default(), &Unwatched)?;
//! assert_eq!(unfolding.game(), "tic-tac-toe:rows=2,cols=2,line=2");
//! assert_eq!(unfolding.notation(unfolding.arena().start()), "../..");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A new game is a file with a type that implements [`richman_core::Game`] or [`richman_core::ScoringGame`], and a line in the registry.
//! This crate knows no solver.

pub mod board;
pub mod chess;
pub mod connect;
mod error;
pub mod expr;
mod grid;
pub mod hex;
mod hexagons;
mod parameters;
mod path;
pub mod registry;
pub mod subtraction;
#[cfg(test)]
mod testing;
pub mod tic_tac_toe;
pub mod tug_of_war;
pub mod ultimatum;
pub mod y;

pub use chess::Chess;
pub use connect::Connect;
pub use error::GameError;
pub use expr::{Expr, ExprError};
pub use hex::{Hex, HexStones};
pub use registry::{AnyGame, AnyScoringGame, Found, GameInfo, find, find_scoring, list, look_up};
pub use subtraction::Subtraction;
pub use tic_tac_toe::TicTacToe;
pub use tug_of_war::TugOfWar;
pub use ultimatum::Ultimatum;
pub use y::Y;
