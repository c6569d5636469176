//! What can be wrong with the name of a game.

use richman_core::Aim;

use crate::ExprError;

/// Why a text names no game. Every message says what to write instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// No game has this name.
    #[error("there is no game {name:?}{}: the games are {known}", did_you_mean(nearest))]
    UnknownGame {
        /// What was given, cut to a readable length.
        name: String,
        /// The name that looks most like it, where one does.
        nearest: Option<String>,
        /// All names.
        known: String,
    },
    /// The game has no such parameter.
    #[error("{game} has no parameter {parameter:?}{}: its parameters are {known}", did_you_mean(nearest))]
    UnknownParameter {
        /// The name of the game.
        game: String,
        /// What was given, cut to a readable length.
        parameter: String,
        /// The parameter that looks most like it, where one does.
        nearest: Option<String>,
        /// All parameters with their defaults.
        known: String,
    },
    /// A parameter is given twice.
    #[error("the parameter {parameter} of {game} is given twice: give it once")]
    DuplicateParameter {
        /// The name of the game.
        game: String,
        /// The parameter.
        parameter: String,
    },
    /// A parameter without a value.
    #[error("the parameter {parameter} of {game} has no value: write one, such as {game}:{known}")]
    NoValue {
        /// The game.
        game: String,
        /// The parameter.
        parameter: String,
        /// Its parameters with their defaults.
        known: String,
    },
    /// Not of the form key=value.
    #[error("{pair:?} is not a parameter of {game}: write key=value pairs separated by commas, such as {game}:{known}")]
    MalformedPair {
        /// The name of the game.
        game: String,
        /// What was given, cut to a readable length.
        pair: String,
        /// All parameters with their defaults.
        known: String,
    },
    /// A value that is not a whole number.
    #[error("{parameter}={value} is not a number: write a whole number from {low} to {high}")]
    NotANumber {
        /// The parameter.
        parameter: String,
        /// What was given, cut to a readable length.
        value: String,
        /// The least value.
        low: u64,
        /// The largest value.
        high: u64,
    },
    /// A number outside the range of its parameter.
    #[error("{parameter}={value} is out of range: write a whole number from {low} to {high}")]
    OutOfRange {
        /// The parameter.
        parameter: String,
        /// What was given, cut to a readable length.
        value: String,
        /// The least value.
        low: u64,
        /// The largest value.
        high: u64,
    },
    /// A board with more cells than fit in one machine word.
    #[error(
        "a board of {rows} rows and {cols} columns is too large: (rows + 1) x cols may be at most 64, \
         so with rows={rows} write cols from 1 to {}",
        64 / (u64::from(*rows) + 1)
    )]
    BoardTooLarge {
        /// The number of rows, at most 63.
        rows: u32,
        /// The number of columns.
        cols: u32,
    },
    /// A Hex board without cells, or with too many.
    #[error("a Hex board of {rows} x {cols} has more than {most} cells: write a smaller size, rows or cols")]
    HexBoard {
        /// The number of rows.
        rows: u32,
        /// The number of columns.
        cols: u32,
        /// The most cells.
        most: u32,
    },
    /// A set of numbers that may be taken away, which is none.
    #[error(
        "set={value} is not a subtraction set: write numbers from 1 to {high}, at most {most} of them, such as 1+3+5"
    )]
    NotASet {
        /// What was given, cut to a readable length.
        value: String,
        /// The largest number.
        high: u32,
        /// The most numbers.
        most: usize,
    },
    /// Not the pieces of a chess endgame.
    #[error(
        "pieces={given} are not pieces of chess: write Alice's king and pieces, then Bob's, such as KRK or KQKR, at most {most} for each"
    )]
    ChessPieces {
        /// What was given, cut to a readable length.
        given: String,
        /// The most pieces of a player.
        most: usize,
    },
    /// A game that is played for something else than was asked about.
    #[error("{name} is played {aim}: use {}", aim.commands())]
    OtherAim {
        /// The game, cut to a readable length.
        name: String,
        /// What it is played for.
        aim: Aim,
    },
    /// Text far longer than any game's name.
    #[error("a game's name of {length} bytes is too long: it may have at most {limit}")]
    TooLong {
        /// Bytes given.
        length: usize,
        /// Bytes allowed.
        limit: usize,
    },
    /// What follows `expr:` is not an expression.
    #[error(transparent)]
    Expression(#[from] ExprError),
}

fn did_you_mean(nearest: &Option<String>) -> String {
    nearest.as_ref().map(|name| format!(" (did you mean {name:?}?)")).unwrap_or_default()
}
