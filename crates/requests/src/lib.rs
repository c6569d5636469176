//! Questions as programs send them: the JSON documents of the interface over HTTP and of the
//! package for JavaScript, read strictly and turned into the document of a question.
//!
//! ```text
//! strict      JSON as it is documented, and nothing else
//! words       types that many requests and answers share: players, holdings, mechanisms
//! question    questions about a position, and about a range of chips
//! others      trees, orders, random-turn play, proofs, reviews
//! remedies    what would help a refused request, in the keys of these documents
//! error       why a request cannot be read
//! ```

mod error;
mod others;
mod question;
mod remedies;
mod strict;
mod words;

pub use error::RequestError;
pub use others::{
    CompareRequest, ConvertRequest, ExportRequest, ListRequest, RandomTurnRequest, ReviewRequest, TreeRequest,
    VerifyRequest,
};
pub use question::{ChipRange, SolveRequest, TableRequest, file_text, game_or_file};
pub use remedies::{ErrorJson, RemedyJson, remedy};
pub use strict::from_slice;
pub use words::{ByPlayerJson, FileOrText, Hand, MechanismChoice, PlayerJson, mechanism_schema};
