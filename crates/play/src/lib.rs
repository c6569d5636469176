//! Playing bidding games: matches as a state machine, each player's view, computer players,
//! reviews.
//!
//! Nothing here reads files, writes or draws. A [`Match`] takes one [`Action`] at a time; an
//! illegal action returns [`Illegal`] and changes nothing. [`players`] are programs that see a
//! match from one player's seat; a [`duel`] plays two of them against each other.

mod certain;
pub mod duel;
mod game;
mod illegal;
pub mod players;
pub mod record;
pub mod review;
#[cfg(feature = "files")]
pub mod schema;
mod so_far;
mod solved;
mod voice;

/// The most positions of a game that is solved for a match; more would take too long.
pub const MOST_POSITIONS: u64 = 10_000_000;

pub use game::{Action, BegunTurn, Decision, Match, MatchEnd, MatchRules, MatchTurn, TurnStage, View};
pub use illegal::Illegal;
pub use richman_core::PlaySoFar;
pub use voice::Voice;
