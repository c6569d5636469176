//! Files of bidding games: game files, saved solutions and records of played games.
//!
//! The first two are JSON, read strictly: an unknown, missing or duplicate key is an error, and
//! errors name the file, the position if any, and the reason. Game files have further forms
//! ([`GameForm`]). Records ([`Record`]) are text for people. This crate uses no solver: a verifier
//! checks saved solutions, and a replay checks records.

mod any_builder;
mod any_graph;
mod binary;
mod bounds_head;
pub mod by_player;
#[cfg(feature = "files")]
pub mod database;
mod error;
mod excerpt;
mod file_kind;
mod form;
mod forms;
mod json;
mod labels;
mod mechanism;
mod moves;
mod names;
mod numbers;
mod objectives;
mod opening;
mod reading;
mod record;
mod record_reader;
pub mod saved;
mod source;
mod states;
mod text;
#[cfg(feature = "files")]
mod umb;

pub use any_graph::AnyGraph;
pub use bounds_head::{BOUNDS_FORMAT, BoundsHead, MOST_BOUNDS_BYTES};
#[cfg(feature = "files")]
pub use database::{Building, Database, DatabaseCut, DatabaseStake, FolderCheck};
pub use error::{FileLocation, FormatError};
pub use file_kind::FileKind;
pub use forms::{GameForm, MAX_BYTES, read_game};
pub use json::{
    GameFile, GameWriter, JsonReader, JsonText, MeanPayoffFile, ParityFile, ScoringFile, StochasticFile, WrittenGame,
};
pub use labels::{FileLabel, FilePosition};
pub use mechanism::MechanismJson;
pub use names::{LONGEST_DESCRIPTION, LONGEST_NAME};
pub use numbers::{HoldingJson, IntegerOrText, ShareJson};
pub use objectives::{FileObjective, PriorityOrder, StatedObjective};
pub use reading::Reading;
pub use record::{
    LONGEST_WORD, MAX_RECORD_BYTES, MAX_TAGS, MAX_TURNS, MoverAction, OpenTurn, Record, RecordResult, RecordTurn,
    Resignation, TAGS,
};
#[doc(hidden)]
pub use richman_core::of_every_objective;
pub use saved::{MAX_SAVED_BYTES, SavedGame, SolutionFile, read, read_within, write};
pub use text::{read_transitions, write_winners};
