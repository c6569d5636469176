//! All tests of this crate in one program, which is linked once and runs them side by side.

mod advice;
mod agreement;
mod at_least;
mod boards;
mod certificates;
mod compare;
mod corruption;
mod cyclic_money;
#[path = "../../formats/tests/common/mod.rs"]
mod documents;
mod endgame_chips;
mod endgames;
mod ends;
mod energy;
mod engines;
mod every_mechanism;
mod forged;
#[path = "common/games.rs"]
mod games;
mod hex;
#[path = "common/judge.rs"]
mod judge;
mod lines;
mod mean_payoff;
mod mean_payoff_chips;
mod mechanisms;
mod money_payments;
mod named_moves;
#[path = "common/offered.rs"]
mod offered;
mod offers;
mod parity;
mod parity_money;
mod parity_without_bids;
mod rules;
mod saved_files;
mod saved_mechanisms;
mod scores;
#[path = "common/seeds.rs"]
mod seeds;
#[path = "common/solutions.rs"]
mod solutions;
mod stochastic;
mod stops;
mod tables_by_engines;
mod tree;
#[path = "common/unfolded.rs"]
mod unfolded;
mod units;
