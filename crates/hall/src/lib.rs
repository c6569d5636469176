//! The rules of matches between visitors, for a server and for a browser tab alike: who may see
//! what, who may do what, and what follows. It stores nothing and waits for nothing.
//!
//! ```text
//! setup        what a match is made of, checked
//! new_match    a request for one, as programs send it
//! create       its names and secrets
//! state        the match after each event; return matches
//! view         what each viewer may see
//! match_json   the same as a document
//! kept_match   a match as a document that keeps it
//! record       records, and their reading
//! hinted       hints, and the coach
//! computer     computer players
//! token        secrets and public names
//! file_text    game files, each kept once
//! refused      why something is refused
//! weight       how much room it takes where it is stored
//! ```

mod create;
mod file_text;
mod hinted;
mod match_json;
mod new_match;
mod record;
mod state;
mod view;

pub mod computer;
pub mod kept_match;
pub mod refused;
pub mod setup;
pub mod token;
pub mod weight;

pub use create::{Created, NewMatchRow};
pub use file_text::{FileText, SharedTexts, sha256};
pub use hinted::{CoachedTurn, hint, hinted_decision};
pub use match_json::MatchJson;
pub use new_match::{ActionSchema, NewMatch};
pub use record::{LONGEST_RECORD, ShownRecord};
pub use state::{MatchStage, MatchState, Pace, Rematch, StoredMatch};
pub use view::{MatchView, Viewer, is_small};
