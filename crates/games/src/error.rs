//! Errors in the name of a game.

use richman_core::{Aim, Remedy, did_you_mean};

use crate::ExprError;
use crate::parameters::keys;

/// The reason why a text names no game. If the fault is in a name, the message says what to write
/// instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// No game has this name.
    #[error("there is no game {name:?}{}: the games are {known}", did_you_mean(name, known.split(", ")))]
    UnknownGame {
        /// The text given, shortened.
        name: String,
        /// All names.
        known: String,
    },
    /// Parameters follow the name of a game without a colon.
    #[error("the parameters of a game follow its name after a colon: write {written}")]
    NoColon {
        /// The name as it should be written, shortened.
        written: String,
    },
    /// A program lists two games of this name.
    #[error("there are two games {name:?}: give yours another name")]
    NameTaken {
        /// The name, shortened.
        name: String,
    },
    /// A program lists a game that calls itself something else.
    #[error(
        "the game listed as {listed} calls itself {name:?}: its name begins with {listed}, so that it is found again"
    )]
    OtherName {
        /// The name in the list.
        listed: String,
        /// Its own name, shortened.
        name: String,
    },
    /// A program lists a game with a name that cannot be found.
    #[error("{name:?} is not a name for a game: write lower-case letters, digits and hyphens")]
    InvalidName {
        /// The name, shortened.
        name: String,
    },
    /// The game has no such parameter.
    #[error(
        "{game} has no parameter {parameter:?}{}: its parameters are {known}",
        did_you_mean(parameter, keys(known))
    )]
    UnknownParameter {
        /// The game.
        game: String,
        /// The text given, shortened.
        parameter: String,
        /// All parameters with their defaults.
        known: String,
    },
    /// A parameter is given twice.
    #[error("the parameter {parameter} of {game} is given twice: give it once")]
    DuplicateParameter {
        /// The game.
        game: String,
        /// The parameter.
        parameter: String,
    },
    /// A parameter has no value.
    #[error("the parameter {parameter} of {game} has no value: write one, such as {game}:{known}")]
    NoValue {
        /// The game.
        game: String,
        /// The parameter.
        parameter: String,
        /// All parameters with their defaults.
        known: String,
    },
    /// A parameter is not of the form key=value.
    #[error("{pair:?} is not a parameter of {game}: write key=value pairs separated by commas, such as {game}:{known}")]
    MalformedPair {
        /// The game.
        game: String,
        /// The text given, shortened.
        pair: String,
        /// All parameters with their defaults.
        known: String,
    },
    /// A value is not a whole number.
    #[error("{parameter}={value} is not a number: write a whole number from {low} to {high}")]
    NotANumber {
        /// The parameter.
        parameter: String,
        /// The text given, shortened.
        value: String,
        /// The least value.
        low: u64,
        /// The largest value.
        high: u64,
    },
    /// A number is outside the range of its parameter.
    #[error("{parameter}={value} is out of range: write a whole number from {low} to {high}")]
    OutOfRange {
        /// The parameter.
        parameter: String,
        /// The text given, shortened.
        value: String,
        /// The least value.
        low: u64,
        /// The largest value.
        high: u64,
    },
    /// A board does not fit in a machine word.
    #[error(
        "a board of {rows} rows and {cols} columns is too large: (rows + 1) x cols may be at most 64, \
         so with rows={rows} write cols from 1 to {}",
        64 / (u64::from(*rows) + 1)
    )]
    BoardTooLarge {
        /// Rows, at most 63.
        rows: u32,
        /// Columns.
        cols: u32,
    },
    /// A Hex board has no cells or too many.
    #[error("a Hex board of {rows} x {cols} has more than {most} cells: write a smaller size, rows or cols")]
    HexBoard {
        /// Rows.
        rows: u32,
        /// Columns.
        cols: u32,
        /// The most cells.
        most: u32,
    },
    /// The text is not a subtraction set.
    #[error(
        "set={value} is not a subtraction set: write numbers from 1 to {high}, at most {most} of them, such as 1+3+5"
    )]
    NotASet {
        /// The text given, shortened.
        value: String,
        /// The largest number.
        high: u32,
        /// The most numbers.
        most: usize,
    },
    /// The text is not the pieces of a chess endgame.
    #[error(
        "pieces={given} are not pieces of chess: write Alice's king and pieces, then Bob's, \
         such as KRK or KQKR, at most {most} for each"
    )]
    ChessPieces {
        /// The text given, shortened.
        given: String,
        /// The most pieces per player.
        most: usize,
    },
    /// The game has another objective than the question.
    #[error("{name} is played {aim}")]
    OtherAim {
        /// The game, shortened.
        name: String,
        /// Its objective.
        aim: Aim,
    },
    /// The text is longer than any game's name.
    #[error("a game's name of {length} bytes is too long: it may have at most {limit}")]
    TooLong {
        /// Bytes given.
        length: usize,
        /// Bytes allowed.
        limit: usize,
    },
    /// The text after `expr:` is not an expression.
    #[error(transparent)]
    Expression(#[from] ExprError),
}

impl GameError {
    /// Remedies that the message does not name.
    pub fn remedies(&self) -> Vec<Remedy> {
        match self {
            GameError::OtherAim { aim, .. } => aim.questions(),
            _ => Vec::new(),
        }
    }
}
