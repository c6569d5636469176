//! The workbench for *bidding games*: games in which nobody has a turn. Before every move both
//! players bid for the right to make it; the higher bid wins the move and is paid away.
//!
//! This crate is the door to the library. The [`prelude`] has what most programs need; the modules
//! have the rest. Only this crate's items keep to semantic versioning.
//!
//! # What a position is worth
//!
//! ```
//! use richman::prelude::*;
//!
//! let game = Subject::named("connect:rows=3,cols=3,line=3")?;
//! let question = Question::new(Mechanism::default());
//! let answer = ask(&game, &question, &Effort::default())?;
//! let Report::Money(report) = answer.report else { unreachable!("the question is about real money") };
//! assert_eq!(report.win.0.to_string(), "263/512");
//! # Ok::<(), richman::Error>(())
//! ```
//!
//! With chips, the question has a [`Stake`](prelude::Stake):
//!
//! ```
//! use richman::prelude::*;
//!
//! let game = Subject::named("tic-tac-toe")?;
//! let question = Question { stake: Stake::Total(Total::new(8)?), ..Question::new(Mechanism::default()) };
//! let answer = ask(&game, &question, &Effort::default())?;
//! let Report::Chips(report) = answer.report else { unreachable!("the question is about chips") };
//! assert_eq!(report.win.threshold.map(|holding| holding.0.to_string()), Some("4*".to_string()));
//! # Ok::<(), richman::Error>(())
//! ```
//!
//! In a scoring game the question has the aim of a score:
//!
//! ```
//! use richman::core::{Aim, Preset};
//! use richman::prelude::*;
//!
//! let game = Subject::named("subtraction:heap=9")?;
//! let stake = Stake::Total(Total::new(9)?);
//! let question = Question { aim: Aim::Score, stake, ..Question::new(Preset::Larsson.mechanism()) };
//! let answer = ask(&game, &question, &Effort::default())?;
//! let Report::Scores(report) = answer.report else { unreachable!("the game is played for a score") };
//! let values: Vec<i64> = report.maximin.star_alice.iter().map(|score| score.0).collect();
//! assert_eq!(values, [5, 3, 3, 1, 1, -1, -1, -1, -3, -3]);
//! # Ok::<(), richman::Error>(())
//! ```
//!
//! # A game of your own
//!
//! A game is a type that implements [`Game`](prelude::Game): its start, its ends, its moves, and a
//! notation for its positions. That is enough to solve it, save and verify solutions, play, review
//! and draw it. In *Nim* of one heap, a player takes one or two stones, and whoever takes the last
//! one wins:
//!
//! ```
//! use richman::prelude::*;
//!
//! #[derive(Clone)]
//! struct Nim(u32);
//!
//! impl Game for Nim {
//!     /// The stones, and who took the last one.
//!     type Position = (u32, Option<Player>);
//!
//!     fn name(&self) -> String {
//!         format!("nim:heap={}", self.0)
//!     }
//!     fn start(&self) -> Self::Position {
//!         (self.0, None)
//!     }
//!     fn terminal(&self, &(_, last): &Self::Position) -> Option<Terminal> {
//!         last.map(Terminal::Win)
//!     }
//!     fn moves(&self, &(heap, _): &Self::Position, player: Player, into: &mut Vec<Self::Position>) {
//!         into.extend((1..=heap.min(2)).map(|taken| (heap - taken, (taken == heap).then_some(player))));
//!     }
//!     fn notation(&self, &(heap, last): &Self::Position) -> String {
//!         last.map_or(heap.to_string(), |winner| format!("{winner} won"))
//!     }
//!     fn parse(&self, text: &str) -> Result<Self::Position, richman::core::Error> {
//!         let ends = Player::BOTH.map(|player| (0, Some(player)));
//!         let mut all = (1..=self.0).map(|heap| (heap, None)).chain(ends);
//!         let wrong = || richman::core::Error::bad_position(text, self.name(), "write the number of stones");
//!         all.find(|position| self.notation(position) == text).ok_or_else(wrong)
//!     }
//! }
//!
//! let answer = ask(&Subject::own(Nim(5)), &Question::new(Mechanism::default()), &Effort::default())?;
//! let Report::Money(report) = answer.report else { unreachable!("the question is about real money") };
//! assert_eq!(report.win.0.to_string(), "1/2");
//! # Ok::<(), richman::Error>(())
//! ```
//!
//! With the feature `cli`, a program of one line is the whole `richman` command with this game in
//! its list: `richman::cli::run([GameEntry::new(INFO, build)])`. With the feature `web`, its
//! `serve` serves the web application. The folder `examples/kayles` of the repository is such a
//! program.

pub use richman_analysis as analysis;
#[cfg(feature = "catalog")]
pub use richman_catalog as catalog;
#[cfg(feature = "cli")]
pub use richman_cli as cli;
pub use richman_core as core;
pub use richman_formats as formats;
pub use richman_games as games;
pub use richman_play as play;
pub use richman_render as render;
#[cfg(feature = "web")]
pub use richman_web as web;

pub use richman_analysis::Error;

/// What most programs need.
pub mod prelude {
    pub use richman_analysis::{Answer, Question, Report, Stake, Subject, ask};
    pub use richman_core::{Effort, Game, Holding, Mechanism, Player, Share, Terminal, Total};
    pub use richman_games::{ErasedGame, GameEntry, GameInfo, Games, Parameters};
    pub use richman_play::{Action, Match, MatchRules};
}
