//! All tests of this crate in one program, which is linked once and runs them side by side.

mod advice;
mod boards;
mod certificates;
mod compare;
mod corruption;
#[path = "../../formats/tests/common/mod.rs"]
mod documents;
mod endgame_chips;
mod endgames;
mod ends;
mod engines;
#[path = "../../solvers/tests/common/every_mechanism.rs"]
mod every_mechanism;
mod forged;
#[path = "common/games.rs"]
mod games;
mod hex;
#[path = "common/judge.rs"]
mod judge;
mod lines;
mod mean_payoff;
mod money;
mod named_moves;
#[path = "common/offered.rs"]
mod offered;
mod offers;
#[path = "../../lines/tests/common/positions.rs"]
mod positions;
mod saved_files;
mod saved_mechanisms;
#[path = "../../solvers/tests/common/seeds.rs"]
mod seeds;
#[path = "common/solutions.rs"]
mod solutions;
mod stops;
mod tables_by_engines;
mod tree;
#[path = "common/unfolded.rs"]
mod unfolded;
