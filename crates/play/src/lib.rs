//! Playing bidding games: matches as a state machine, who may see what, computer players, review.
//!
//! Nothing here reads, writes or draws. A [`Match`] takes one [`Action`] at a time; an illegal one is an [`Illegal`] and
//! changes nothing. [`players`] are programs that see a match as one player does; a [`duel`] plays two of them against each other.

pub mod duel;
mod game;
pub mod players;
pub mod record;
pub mod review;
mod solved;

/// The most positions of a game that is solved for the sake of a match: with more one would wait too long.
pub const MOST_POSITIONS: u64 = 10_000_000;

pub use game::{Action, Begun, Closed, Decision, Illegal, Match, Rules, Stage, Turn, View};
