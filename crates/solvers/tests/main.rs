//! All tests of this crate in one program, which is linked once and runs them side by side. Solvers
//! are compared with the judges of `check`, and their results are proved by its verifiers.

mod agreement;
mod at_least;
mod cyclic_money;
mod energy;
#[path = "common/every_mechanism.rs"]
mod every_mechanism;
#[path = "common/games.rs"]
mod games;
mod mean_payoff;
mod mean_payoff_chips;
mod mechanisms;
mod money_payments;
mod parity;
mod parity_money;
mod parity_without_bids;
mod random_turn;
mod rules;
mod scores;
#[path = "common/seeds.rs"]
mod seeds;
mod stochastic;
