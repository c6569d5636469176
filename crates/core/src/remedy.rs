//! Remedies for a refused request, as data. An error says what is wrong; each front end words the
//! remedies in its own terms: flags, keys, arguments or fields.

use std::fmt;

use crate::{Player, Total};

/// A change to a request, or to what it rests on, after which it may be answered.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remedy {
    /// A higher limit of memory.
    MoreMemory,
    /// A higher limit of disk space.
    MoreDisk,
    /// A higher limit of time.
    MoreTime,
    /// A smaller request.
    AskForLess,
    /// The value in real money.
    AskForMoney,
    /// A position later in the game.
    LaterPosition,
    /// A game, or a position, that is small enough for exact values.
    SmallerGame,
    /// The request without a choice.
    LeaveOut(Choice),
    /// The request with a choice that it lacks.
    Give(Choice),
    /// Another value of a choice.
    Change(Choice),
    /// This value of a choice.
    Take(Choice, String),
    /// A table by the chips of one player, where there is no total.
    TableByChips,
    /// Another question about the game.
    Ask(AskedQuestion),
    /// A step of building a database.
    Build(BuildStep, DatabaseRecipe),
    /// The program with this Cargo feature.
    Compile(&'static str),
}

/// An optional part of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Choice {
    /// The demand for exact values.
    Exactness,
    /// The width of bounds to aim at.
    Width,
    /// Alice's share of the money.
    Share,
    /// The long-run average with which Alice wins.
    AtLeast,
    /// The least credits.
    Credits,
    /// The number of moves after which a play is a draw.
    Within,
    /// A line of play.
    Trace,
    /// A list of all positions.
    All,
    /// The results of all pairs of bids.
    BidsTable,
    /// The total of chips.
    Chips,
    /// The totals of a table.
    Totals,
    /// A player's holding.
    Holding(Player),
    /// Both players' holdings.
    Holdings,
    /// The file in which a solution is saved.
    Save,
    /// The file for a certificate.
    Certificate,
    /// A picture.
    Picture,
    /// The stability of a table.
    Stability,
    /// The database that is looked up.
    Database,
    /// How many layers of a database are kept.
    KeptLayers,
    /// The file of bounds to resume from.
    Bounds,
    /// The payment of a bid.
    Payment,
    /// Whether the winner of a bid must move.
    Right,
    /// The depth of a tree.
    Depth,
    /// The short form of a tree.
    Short,
    /// The label of the states where Alice wins.
    Target,
    /// The file with the labels of a model.
    Labels,
}

impl Choice {
    /// The key of the choice in the document of a question, from which doors make their own words.
    pub fn key(self) -> &'static str {
        match self {
            Choice::Exactness => "exact",
            Choice::Width => "width",
            Choice::Share => "share",
            Choice::AtLeast => "at_least",
            Choice::Credits => "credits",
            Choice::Within => "within",
            Choice::Trace => "trace",
            Choice::All => "all",
            Choice::BidsTable => "bids_table",
            Choice::Chips | Choice::Totals => "chips",
            Choice::Holding(player) => player.either("alice", "bob"),
            Choice::Holdings => "alice and bob",
            Choice::Save => "save",
            Choice::Certificate => "certificate",
            Choice::Picture => "svg",
            Choice::Stability => "stability",
            Choice::Database => "db",
            Choice::KeptLayers => "keep",
            Choice::Bounds => "bounds",
            Choice::Payment => "payment",
            Choice::Right => "right",
            Choice::Depth => "depth",
            Choice::Short => "short",
            Choice::Target => "target",
            Choice::Labels => "labels",
        }
    }
}

/// A question about a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AskedQuestion {
    /// The value of a position.
    Worth,
    /// Alice's threshold at every total.
    Table,
    /// The scores of a scoring game.
    Scores,
    /// The chances if a coin decides who moves.
    RandomTurn,
}

/// A step of building a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BuildStep {
    /// Building one.
    Begin,
    /// Making a missing part.
    Complete,
    /// Resuming a build that did not finish.
    Resume,
    /// Deleting and remaking a damaged part.
    Replace,
}

/// How a database is built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatabaseRecipe {
    /// The game; `None` for any game.
    pub game: Option<String>,
    /// The stake.
    pub stake: RecipeStake,
}

/// The stake of a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecipeStake {
    /// Real money.
    Money,
    /// Totals of chips; `None` for any.
    Chips(Option<Total>),
    /// Bounds in real money, from this number of stones on.
    Bounds(u32),
}

impl DatabaseRecipe {
    /// A database of a game.
    pub fn of(game: impl Into<String>, stake: RecipeStake) -> DatabaseRecipe {
        DatabaseRecipe { game: Some(game.into()), stake }
    }
}

/// Names the choice, for messages about it.
impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Choice::Exactness => "exactness",
            Choice::Width => "width of bounds",
            Choice::Share => "share of the money",
            Choice::Credits => "the least credits",
            Choice::AtLeast => "wanted average",
            Choice::Within => "number of moves",
            Choice::Trace => "line of play",
            Choice::All => "list of all positions",
            Choice::BidsTable => "table of bids",
            Choice::Chips => "total of chips",
            Choice::Totals => "table by totals of chips",
            Choice::Holding(Player::Alice) => "holding of Alice's",
            Choice::Holding(Player::Bob) => "holding of Bob's",
            Choice::Holdings => "pair of holdings",
            Choice::Save => "saved solution",
            Choice::Certificate => "certificate",
            Choice::Picture => "picture",
            Choice::Stability => "stability",
            Choice::Database => "database",
            Choice::KeptLayers => "limit of layers",
            Choice::Bounds => "file of bounds",
            Choice::Payment => "payment",
            Choice::Right => "right to move",
            Choice::Depth => "depth",
            Choice::Short => "short tree",
            Choice::Target => "target",
            Choice::Labels => "file of labels",
        })
    }
}

/// The problem, and the remedies in a front end's words: `what: this, or that`.
pub fn with_remedies(what: impl fmt::Display, remedies: impl IntoIterator<Item = String>) -> String {
    let remedies: Vec<String> = remedies.into_iter().collect();
    if remedies.is_empty() { what.to_string() } else { format!("{what}: {}", remedies.join(", or ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remedies_follow_what_is_wrong() {
        let said = |remedies: &[&str]| with_remedies("it is too large", remedies.iter().map(|text| text.to_string()));
        assert_eq!(said(&[]), "it is too large");
        assert_eq!(said(&["ask for less"]), "it is too large: ask for less");
        assert_eq!(said(&["ask for less", "wait"]), "it is too large: ask for less, or wait");
    }
}
