//! Solvers: functions from an arena, a mechanism and an effort to a solution.
//!
//! | solver | answers | accepts | result |
//! | --- | --- | --- | --- |
//! | [`chips::table`] | thresholds of the start, many totals | Richman payment, 0 among the bids | exact |
//! | [`chips::solve`] | thresholds, fewest moves, forced draws, one total | the same | exact |
//! | [`purses::solve`] | the same for a range of purses | see [`registry::purses`] | exact |
//! | [`rules::solve`] | rules for all totals | Richman payment, `advantage`, `chooses`, all bids | exact or no proof |
//! | [`money::solve`] | real-money thresholds | all bids; `chooses`, or no zugzwang | exact if it fits, else bounds |
//! | [`parity::chips`] | thresholds for play that never ends, one total | as [`chips::solve`], if determined | exact |
//! | [`parity::money`] | the same with real money | all bids; `chooses` or equal moves | exact, else bounds |
//! | [`mean_payoff::money`] | long-run averages with real money | the same | exact if small, else bounds |
//! | [`mean_payoff::chips`] | the same with chips, one total | as [`parity::chips`] | exact |
//! | [`exact_bids`] | whether the best bid alone wins | exact thresholds | exact or unknown |
//! | [`without_money`] | whether a player with no money wins | see its documentation | exact |
//! | [`mean_payoff::energy`] | least credits with chips, one total | the same | exact |
//! | [`scores::solve`] | maximin and minimax, one total | Richman payment, sealed, `marker` or `advantage` | exact |
//!
//! All accept every arena and, except [`chips::table`], answer at every position. No solver knows a
//! game or a file, prints, or panics on input. Solvers for one kind of board have their own crates:
//! `richman-hex`, `richman-lines`, `richman-chess`, `richman-heaps`.

pub mod chips;
pub mod exact_bids;
#[cfg(feature = "faults")]
pub mod fault;
pub mod mean_payoff;
pub mod money;
pub mod parity;
pub mod purses;
pub mod random_turn;
pub mod registry;
mod rounds;
pub mod rules;
pub mod scores;
pub mod without_money;
