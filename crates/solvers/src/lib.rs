//! Solvers. Each is a function from an arena, a mechanism and an effort to a solution.
//!
//! | solver | answers | accepts | result |
//! | --- | --- | --- | --- |
//! | [`chips::table`] | thresholds of the start for many totals at once | Richman payment, sealed bids, all bids, advantage ties, `chooses` or `moves`; every arena | exact |
//! | [`chips::solve`] | everything about one total: thresholds, fewest moves, who can force a draw, at every position | the same | exact |
//! | [`rules::solve`] | the rule that the thresholds of every position follow, for all totals | the same with `chooses`, or says why there is no proof | exact |
//! | [`money::solve`] | real-money thresholds at every position | every payment; `chooses`, or `moves` without zugzwang; every arena | exact where it fits, else proved bounds |
//! | [`scores::solve`] | maximin and minimax values of a scoring game at every position, for one total | Richman payment, sealed bids, any bids, marker or advantage ties, `chooses` or `moves`; every scoring arena | exact |
//!
//! No solver knows a game or a file, prints, or panics on input. Solvers for one kind of board have
//! their own crates: `richman-hex`, `richman-lines`, `richman-chess`, `richman-subtraction`.

pub mod chips;
#[cfg(feature = "faults")]
pub mod fault;
pub mod money;
pub mod purses;
pub mod random_turn;
pub mod registry;
mod rounds;
pub mod rules;
pub mod scores;

pub use rounds::Goal;
