//! An oracle that plays out the definition of the game without any theory, and a verifier that
//! accepts or refuses a solution without solving. Neither uses a solver.

pub mod arenas;
pub mod averages;
#[cfg(feature = "chess")]
pub mod chess;
#[cfg(feature = "chess")]
pub mod endgames;
pub mod energy;
pub mod one_sided_judge;
pub mod oracle;
pub mod parity_judge;
pub mod payoff_judge;
pub mod policies;
pub mod random_turn;
pub mod regions;
pub mod score_oracle;
pub mod scoring_arenas;
pub mod verify;
pub mod written;
pub mod zielonka;
