//! The games of Richman, one file per game: rules to unfold into an arena or to walk move by move.
//!
//! Games are found by their name on the command line:
//!
//! ```
//! use richman_core::{Effort, WinLose};
//! use richman_games::Games;
//!
//! let game = Games::default().find("tic-tac-toe:rows=2,cols=2,line=2")?;
//! let unfolding = game.played_for::<WinLose>()?.unfold(None, &Effort::default())?;
//! assert_eq!(unfolding.game(), "tic-tac-toe:rows=2,cols=2,line=2");
//! assert_eq!(unfolding.notation(unfolding.arena().start()), "../..");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A new game is a file with a type that implements [`richman_core::Game`], and a line in the list
//! here. A program adds games of its own with [`Games::with`]. This crate uses no solver.

mod any_game;
pub mod board;
#[cfg(feature = "chess")]
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
mod won;
pub mod y;

pub use any_game::{AnyGame, ErasedGame};
#[cfg(feature = "chess")]
pub use chess::Chess;
pub use chomp::Chomp;
pub use connect::Connect;
pub use error::GameError;
pub use expr::{Expr, ExprError};
pub use hex::Hex;
pub use line_game::LineGame;
pub use parameters::{GameParameter, Parameters, canonical_name, within};
pub use race::Race;
pub use registry::{GameEntry, GameInfo, Games};
pub use stones::{Cells, Stones};
pub use subtraction::Subtraction;
pub use tic_tac_toe::TicTacToe;
pub use tug_of_war::TugOfWar;
pub use ultimatum::Ultimatum;
pub use y::Y;

/// The games of this crate, in listing order.
const STOCK_GAMES: &[GameEntry] = &[
    GameEntry::new(tic_tac_toe::INFO, |given| TicTacToe::from_parameters(given).map(ErasedGame::new)),
    GameEntry::new(connect::INFO, |given| Connect::from_parameters(given).map(ErasedGame::new)),
    GameEntry::new(hex::INFO, |given| hex::from_parameters(given).map(ErasedGame::from)),
    GameEntry::new(y::INFO, |given| Y::from_parameters(given).map(ErasedGame::new)),
    #[cfg(feature = "chess")]
    GameEntry::new(chess::INFO, |given| Chess::from_parameters(given).map(ErasedGame::new)),
    GameEntry::new(chomp::INFO, |given| Chomp::from_parameters(given).map(ErasedGame::new)),
    GameEntry::new(race::INFO, |given| Race::from_parameters(given).map(ErasedGame::new)),
    GameEntry::new(tug_of_war::INFO, |given| TugOfWar::from_parameters(given).map(ErasedGame::new)),
    GameEntry::new(ultimatum::INFO, |given| Ultimatum::from_parameters(given).map(ErasedGame::new)),
    GameEntry::new(subtraction::INFO, |given| Subtraction::from_parameters(given).map(ErasedGame::new)),
    GameEntry::of_text(expr::INFO, |text| Ok(ErasedGame::new(Expr::parse(text)?))),
];
