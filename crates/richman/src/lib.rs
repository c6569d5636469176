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
//! let report = solve_money(&game, &Question::default(), &Effort::default())?;
//! assert_eq!(report.win.0.to_string(), "263/512");
//! # Ok::<(), richman::Error>(())
//! ```
//!
//! With chips, in all or as two holdings:
//!
//! ```
//! use richman::prelude::*;
//!
//! let (game, effort) = (Subject::named("tic-tac-toe")?, Effort::default());
//! let report = solve_chips(&game, &Question::default().with_total(Total::new(8)?), &effort)?;
//! assert_eq!(report.win.threshold.map(|holding| holding.0.to_string()), Some("4*".to_string()));
//!
//! let held = Question::default().with_holdings("4*".parse()?, "4".parse()?);
//! let advice = solve_chips(&game, &held, &effort)?.holdings.expect("it is about holdings").advice;
//! assert_eq!(advice.alice.expect("the game goes on").moves, ["b2"]);
//! # Ok::<(), richman::Error>(())
//! ```
//!
//! In a scoring game:
//!
//! ```
//! use richman::core::Preset;
//! use richman::prelude::*;
//!
//! let game = Subject::named("subtraction:heap=9")?;
//! let question = Question::new(Preset::Larsson.mechanism()).with_total(Total::new(9)?).about_scores();
//! let report = solve_scores(&game, &question, &Effort::default())?;
//! let values: Vec<i64> = report.maximin.star_alice.iter().map(|score| score.0).collect();
//! assert_eq!(values, [5, 3, 3, 1, 1, -1, -1, -1, -3, -3]);
//! # Ok::<(), richman::Error>(())
//! ```
//!
//! [`ask`](prelude::ask) answers any question, with a [`Report`](prelude::Report) of the kind that
//! the game and the stake have.
//!
//! # A solution that others can check
//!
//! [`save`](prelude::save) writes the values of every position; [`verify`](prelude::verify) proves
//! them from the rules of the game, without solving:
//!
//! ```
//! use richman::prelude::*;
//!
//! let (game, effort) = (Subject::named("tic-tac-toe")?, Effort::default());
//! let mut file = Vec::new();
//! save(&game, &Question::default(), &mut file, &effort)?;
//!
//! let saved = read_saved("the file", &file, &effort)?;
//! assert!(verify(&Games::default(), saved, &effort)?.valid);
//! # Ok::<(), richman::Error>(())
//! ```
//!
//! # A graph in one line
//!
//! A list of edges and the positions that end the game:
//!
//! ```
//! use richman::prelude::Player::{Alice, Bob};
//! use richman::prelude::*;
//!
//! let walk = Graph::from_edges("walk", "1", [("1", "0"), ("1", "2")], [("0", Bob), ("2", Alice)])?;
//! assert_eq!(solve_money(&walk.into(), &Question::default(), &Effort::default())?.win.0.to_string(), "1/2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
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
//! let report = solve_money(&Subject::own(Nim(5)), &Question::default(), &Effort::default())?;
//! assert_eq!(report.win.0.to_string(), "1/2");
//! # Ok::<(), richman::Error>(())
//! ```
//!
//! # A computer player of your own
//!
//! A [`Computer`](prelude::Computer) sees a match from its own seat, and takes one decision after
//! another:
//!
//! ```
//! use richman::prelude::*;
//!
//! /// Bids a third of its chips, uses the star, and makes the first move.
//! struct Third;
//!
//! impl Computer for Third {
//!     fn act(&mut self, seat: &Seat, _: &Effort) -> Result<Action, PlayerError> {
//!         Ok(match seat.decision().ok_or(PlayerError::NotNow { player: seat.player })? {
//!             Decision::Bid => Action::Bid(seat.own().chips() / 3),
//!             Decision::Star { .. } => Action::UseStar(true),
//!             Decision::Move { .. } => Action::Move(seat.view.moves[0].clone()),
//!         })
//!     }
//! }
//!
//! let (game, mechanism, total) = (Subject::named("tic-tac-toe")?, Mechanism::default(), Total::new(8)?);
//! let best: Strength = "best".parse()?;
//! let knowledge = Knowledge::of(&game, None, &mechanism, total, &[best], &Effort::default())?;
//! let mut players = [best.computer(&knowledge, 1)?, Box::new(Third)];
//!
//! let mut game = Match::new(game.walk(None)?, MatchRules::equal(mechanism, total))?;
//! while game.closed().is_none() {
//!     for (computer, player) in players.iter_mut().zip(Player::BOTH) {
//!         let seat = Seat::new(&game, player);
//!         if seat.decision().is_some() {
//!             let action = computer.act(&seat, &Effort::default())?;
//!             game.act(player, &action)?;
//!         }
//!     }
//! }
//! assert_eq!(game.closed().and_then(MatchEnd::winner), Some(Player::Alice));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! Without features the library has every game but chess, and reads and writes game files, saved
//! solutions and records as text. `chess` adds chess endgames; `draw` pictures, tables and
//! sentences (`richman::render`); `files` databases, archives and compressed files; `s3` databases
//! in a bucket; `catalog` the published results.
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
#[cfg(feature = "draw")]
pub use richman_render as render;
#[cfg(feature = "web")]
pub use richman_serve as web;

pub use richman_analysis::Error;

/// What most programs need.
pub mod prelude {
    pub use richman_analysis::saved::{read_saved, save, verify};
    pub use richman_analysis::{Answer, Question, Report, Stake, Subject, ask, solve_chips, solve_money, solve_scores};
    pub use richman_core::{Effort, Game, Graph, Holding, Mechanism, Player, Share, Terminal, Total};
    pub use richman_games::{ErasedGame, GameEntry, GameInfo, Games, Parameters};
    pub use richman_play::players::{Computer, Knowledge, PlayerError, Seat, Strength};
    pub use richman_play::{Action, Decision, Match, MatchEnd, MatchRules};
}

/// README's example, as it is pasted.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
