//! Files of bidding games: game files, saved solutions and records of played games.
//!
//! The first two are JSON, read strictly: an unknown, missing or duplicate key is an error, and
//! errors name the file, the position if any, and the reason. Game files have further forms
//! ([`GameForm`]). Records ([`Record`]) are text for people. This crate uses no solver: a verifier
//! checks saved solutions, and a replay checks records.

mod binary;
mod binary_reader;
mod binary_writer;
mod bounds_head;
pub mod by_player;
pub mod database;
mod drn;
mod energy;
mod error;
mod form;
mod game_file;
mod game_reader;
mod game_writer;
mod gm;
mod gm_writer;
mod goal;
mod json;
mod mechanism;
mod numbers;
mod opening;
mod record;
mod record_reader;
mod saved;
mod saved_mean_payoff;
mod saved_parity;
mod saved_purses;
mod saved_reader;
mod saved_rules;
mod saved_sides;
mod source;
mod states;
mod states_reader;
mod states_writer;
mod tra;
mod umb;
mod umb_writer;

pub use bounds_head::{BOUNDS_FORMAT, BoundsHead, MOST_BOUNDS_BYTES};
pub use database::{Building, Database, DatabaseCut, DatabaseStake, FolderCheck};
pub use error::{FileLocation, FormatError};
pub use form::GameForm;
pub use game_file::{
    AnyGraph, FileObjective, GameFile, LONGEST_DESCRIPTION, LONGEST_NAME, MAX_BYTES, MeanPayoffFile, ParityFile,
    ScoringFile, StochasticFile, WrittenGame,
};
pub use game_reader::read_game;
pub use game_writer::GameWriter;
pub use gm_writer::write_winners;
pub use goal::{FileGoal, PriorityOrder};
pub use json::Reading;
pub use mechanism::MechanismJson;
pub use numbers::{HoldingJson, ShareJson};
pub use record::{
    LONGEST_WORD, MAX_RECORD_BYTES, MAX_TAGS, MAX_TURNS, MoverAction, OpenTurn, Record, RecordResult, RecordTurn,
    Resignation, TAGS,
};
#[doc(hidden)]
pub use richman_core::of_every_objective;
pub use saved::{
    ChipClaim, HeldClaim, MAX_SAVED_BYTES, MoneyValue, SavedGame, SavedSolution, SolutionClaim, write, write_money,
};
pub use saved_mean_payoff::{AverageClaim, ChipAveragesClaim, MeanPayoffClaim, PayoffShareValue, PayoffSharesClaim};
pub use saved_parity::{AfterClaim, ParityClaim, ParityMoneyValue, ParityValue, PlanClaim, Truth};
pub use saved_purses::PurseClaim;
pub use saved_reader::{read, read_within};
pub use saved_rules::{PeriodClaim, RuleValue, RulesClaim};
pub use saved_sides::{CellStage, ChipValue, PositionClaim, PurseValue};
pub use tra::read_transitions;
