//! Reports: the content of a command's output or of a page, as plain data.
//!
//! A [`Subject`] is a game as the user named it; [`Subject::unfold`] gives its arena; [`money`],
//! [`chips`], [`table`], [`scores`] and [`saved`] turn solutions into reports that serialise to the
//! documented JSON. There is no input or output here.

pub mod advice;
mod ask;
pub mod class;
pub mod compare;
#[cfg(feature = "files")]
pub mod databases;
mod error;
mod export;
pub mod holdings;
mod json;
mod kinds;
mod listing;
mod number;
pub mod parse;
pub mod plot;
pub mod positions;
mod proved;
mod question;
pub mod random_turn;
pub mod saved;
pub mod sources;
pub mod stability;
mod subject;
pub mod table;
pub mod trace;
pub mod tree;
pub mod unitary;

pub use ask::{
    AfterMove, Answer, AnswersByEngine, AnyTable, ConsideredCost, ConsideredEngine, EndlessInsight, EndlessRank,
    EndlessWorth, EngineOffers, Insight, Opened, PlayersHolding, Saving, Scope, Stake, TableRows, TableSource, ask,
    ask_all, consider, open_table, solve_chips, solve_money, solve_scores,
};
pub use error::Error;
pub use export::ExportedGame;
pub use json::{
    BoundsJson, HoldingSets, OneOrTwo, OutcomeWord, PlayerWord, ReportHead, ScoreJson, ThresholdJson, shares,
};
pub use kinds::score::uniqueness;
pub use kinds::win::{chips, money};
pub use kinds::{Certainty, Grounds, Report, takes};
pub use kinds::{mean_payoff, parity, score as scores};
pub use listing::{GameList, ListedGame, ListedParameter};
pub use number::NumberJson;
pub use question::{Question, QuestionDocument, Wanted};
pub use scores::ScoreRequest;
pub use subject::{Request, Subject};

#[cfg(feature = "files")]
pub use richman_files::{WriteFault, write_watched};
pub use richman_formats::{FormatError, HoldingJson, MAX_SAVED_BYTES, Reading, ShareJson};
pub use richman_games::{GameEntry, GameError, GameInfo, Games};
