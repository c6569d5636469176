//! What else is asked about games: trees, orders, random-turn play, proofs, reviews.

use std::num::NonZeroU32;

use richman_analysis::{QuestionDocument, Wanted};
use richman_core::Total;
use serde::Deserialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::error::RequestError;
use crate::words::{FileOrText, MechanismChoice};

/// A tree of best moves.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TreeRequest {
    /// The game with its parameters.
    pub game: Option<String>,
    /// The rules as a game file, instead of a name.
    #[schema(value_type = Option<FileOrText>)]
    pub file: Option<Box<RawValue>>,
    /// The position in the game's notation; the start if left out.
    position: Option<String>,
    /// How bids are made, won and paid.
    #[serde(default)]
    mechanism: MechanismChoice,
    /// The number of moves after which a play is a draw.
    within: Option<u32>,
    /// Chips in the game; real money if left out.
    total: Option<u32>,
    /// The long-run average with which Alice wins, as a fraction.
    at_least: Option<String>,
    /// Whether the tree has every equally good move.
    #[serde(default)]
    all: bool,
    /// Whether it is that of the draw threshold.
    #[serde(default)]
    draw: bool,
    /// Whether it has the positions that are won at once.
    #[serde(default)]
    full: bool,
    /// Whether it leaves out what equals A^n, B^n or E.
    #[serde(default)]
    short: bool,
    /// The number of moves after which it is cut.
    depth: Option<u32>,
}

impl TreeRequest {
    /// The document of the question.
    ///
    /// # Errors
    /// [`RequestError::Unfit`] if a value is not possible.
    pub fn document(&self) -> Result<QuestionDocument, RequestError> {
        Ok(QuestionDocument {
            wanted: Wanted::Tree,
            position: self.position.clone(),
            mechanism: self.mechanism.read()?,
            within: self.within,
            chips: self.total.map(Total::new).transpose()?,
            at_least: self.at_least.as_ref().map(|least| least.parse()).transpose()?,
            all: self.all,
            draw: self.draw,
            full: self.full,
            short: self.short,
            depth: self.depth,
            ..QuestionDocument::default()
        })
    }
}

/// The order of two games.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CompareRequest {
    /// The first game with its parameters.
    pub game: Option<String>,
    /// The rules of the first game as a game file, instead of a name.
    #[schema(value_type = Option<FileOrText>)]
    pub file: Option<Box<RawValue>>,
    /// The position of the first game; its start if left out.
    position: Option<String>,
    /// The second game with its parameters.
    pub other_game: Option<String>,
    /// The rules of the second game as a game file, instead of a name.
    #[schema(value_type = Option<FileOrText>)]
    pub other_file: Option<Box<RawValue>>,
    /// The position of the second game; its start if left out.
    pub other_position: Option<String>,
    /// How bids are made, won and paid.
    #[serde(default)]
    mechanism: MechanismChoice,
    /// The number of moves after which a play is a draw.
    within: Option<u32>,
}

impl CompareRequest {
    /// The document of the question.
    ///
    /// # Errors
    /// [`RequestError::Unfit`] if a value is not possible.
    pub fn document(&self) -> Result<QuestionDocument, RequestError> {
        Ok(QuestionDocument {
            wanted: Wanted::Comparison,
            position: self.position.clone(),
            mechanism: self.mechanism.read()?,
            within: self.within,
            ..QuestionDocument::default()
        })
    }
}

/// The chances where a coin decides who moves.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RandomTurnRequest {
    /// The game with its parameters.
    pub game: Option<String>,
    /// The rules as a game file, instead of a name.
    #[schema(value_type = Option<FileOrText>)]
    pub file: Option<Box<RawValue>>,
    /// The position in the game's notation; the start if left out.
    pub position: Option<String>,
    /// The most moves to look ahead, and in a game played out.
    #[schema(value_type = Option<u32>, minimum = 1)]
    pub within: Option<NonZeroU32>,
    /// The number of games played for each end of an interval.
    #[schema(value_type = Option<u32>, minimum = 1)]
    pub games: Option<NonZeroU32>,
    /// The seed of all randomness.
    pub seed: Option<u64>,
}

/// A saved solution to prove.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct VerifyRequest {
    /// The saved solution, as `richman solve --save` writes it.
    #[schema(value_type = BTreeMap<String, Value>)]
    pub solution: Box<RawValue>,
}

/// A match to review.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewRequest {
    /// The record, as `richman play` saves it.
    pub record: String,
    /// The game file with the rules, if the record names one.
    #[schema(value_type = Option<FileOrText>)]
    pub file: Option<Box<RawValue>>,
}

/// A game to write as a game file.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExportRequest {
    /// The game with its parameters.
    pub game: Option<String>,
    /// The rules as a game file, instead of a name.
    #[schema(value_type = Option<FileOrText>)]
    pub file: Option<Box<RawValue>>,
    /// The first position; the start of the game if left out.
    pub position: Option<String>,
}

/// A game file to write in another form.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConvertRequest {
    /// The game file.
    #[schema(value_type = FileOrText)]
    pub file: Box<RawValue>,
    /// The form: json, gm, drn, tra, lab, or sol for who wins a parity game.
    #[schema(example = "gm")]
    pub to: String,
    /// What the game is played for, in place of its own objective.
    #[schema(example = "parity-max-odd")]
    pub objective: Option<String>,
}

/// What to list.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ListRequest {
    /// One game, also with parameters; all games if left out.
    pub game: Option<String>,
}
