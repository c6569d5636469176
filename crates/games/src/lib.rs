//! The games of Richman, one file per game: rules that can be unfolded into an arena or walked
//! position by position.
//!
//! Games are found by their name on the command line:
//!
//! ```
//! use richman_core::{Effort, WinLose};
//!
//! let game = richman_games::find("tic-tac-toe:rows=2,cols=2,line=2")?;
//! let unfolding = game.played_for::<WinLose>()?.unfold(None, &Effort::default())?;
//! assert_eq!(unfolding.game(), "tic-tac-toe:rows=2,cols=2,line=2");
//! assert_eq!(unfolding.notation(unfolding.arena().start()), "../..");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A new game is a file with a type that implements [`richman_core::Game`], and a line in the list
//! here. This crate knows no solver.

pub mod board;
pub mod chess;
pub mod chomp;
pub mod connect;
mod error;
pub mod expr;
mod grid;
pub mod hex;
mod hexagons;
mod line_game;
mod parameters;
mod path;
mod placing;
pub mod race;
pub mod registry;
mod stones;
pub mod subtraction;
#[cfg(test)]
mod testing;
pub mod tic_tac_toe;
pub mod tug_of_war;
pub mod ultimatum;
pub mod y;

pub use chess::Chess;
pub use chomp::Chomp;
pub use connect::Connect;
pub use error::GameError;
pub use expr::{Expr, ExprError};
pub use hex::Hex;
pub use line_game::LineGame;
pub use parameters::within;
pub use race::Race;
pub use registry::{AnyGame, ErasedGame, GameInfo, find, list};
pub use stones::{Cells, Stones};
pub use subtraction::Subtraction;
pub use tic_tac_toe::TicTacToe;
pub use tug_of_war::TugOfWar;
pub use ultimatum::Ultimatum;
pub use y::Y;

use registry::GameEntry;

/// The games with parameters. Expressions are not key=value pairs, so they are read separately.
const GAMES: [GameEntry; 10] = [
    GameEntry { info: tic_tac_toe::INFO, build: |given| TicTacToe::from_parameters(given).map(ErasedGame::new) },
    GameEntry { info: connect::INFO, build: |given| Connect::from_parameters(given).map(ErasedGame::new) },
    GameEntry { info: hex::INFO, build: |given| hex::from_parameters(given).map(ErasedGame::from) },
    GameEntry { info: y::INFO, build: |given| Y::from_parameters(given).map(ErasedGame::new) },
    GameEntry { info: chess::INFO, build: |given| Chess::from_parameters(given).map(ErasedGame::new) },
    GameEntry { info: chomp::INFO, build: |given| Chomp::from_parameters(given).map(ErasedGame::new) },
    GameEntry { info: race::INFO, build: |given| Race::from_parameters(given).map(ErasedGame::new) },
    GameEntry { info: tug_of_war::INFO, build: |given| TugOfWar::from_parameters(given).map(ErasedGame::new) },
    GameEntry { info: ultimatum::INFO, build: |given| Ultimatum::from_parameters(given).map(ErasedGame::new) },
    GameEntry { info: subtraction::INFO, build: |given| Subtraction::from_parameters(given).map(ErasedGame::new) },
];
