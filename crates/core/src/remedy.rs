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

/// An optional part of a request: its key in the document of a question, from which front ends
/// make their own words, and its name in messages about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Choice {
    key: &'static str,
    name: &'static str,
}

impl Choice {
    /// The demand for exact values.
    pub const EXACTNESS: Choice = Choice::of("exact", "exactness");
    /// The width of bounds to aim at.
    pub const WIDTH: Choice = Choice::of("width", "width of bounds");
    /// Alice's share of the money.
    pub const SHARE: Choice = Choice::of("share", "share of the money");
    /// The long-run average with which Alice wins.
    pub const AT_LEAST: Choice = Choice::of("at_least", "wanted average");
    /// The least credits.
    pub const CREDITS: Choice = Choice::of("credits", "the least credits");
    /// The number of moves after which a play is a draw.
    pub const WITHIN: Choice = Choice::of("within", "number of moves");
    /// A line of play.
    pub const TRACE: Choice = Choice::of("trace", "line of play");
    /// A list of all positions.
    pub const ALL: Choice = Choice::of("all", "list of all positions");
    /// The results of all pairs of bids.
    pub const BIDS_TABLE: Choice = Choice::of("bids_table", "table of bids");
    /// The total of chips.
    pub const CHIPS: Choice = Choice::of("chips", "total of chips");
    /// The totals of a table.
    pub const TOTALS: Choice = Choice::of("chips", "table by totals of chips");
    /// Alice's holding.
    pub const ALICE: Choice = Choice::of("alice", "holding of Alice's");
    /// Bob's holding.
    pub const BOB: Choice = Choice::of("bob", "holding of Bob's");
    /// Both players' holdings.
    pub const HOLDINGS: Choice = Choice::of("alice and bob", "pair of holdings");
    /// The file in which a solution is saved.
    pub const SAVE: Choice = Choice::of("save", "saved solution");
    /// The file for a certificate.
    pub const CERTIFICATE: Choice = Choice::of("certificate", "certificate");
    /// A picture.
    pub const PICTURE: Choice = Choice::of("svg", "picture");
    /// The stability of a table.
    pub const STABILITY: Choice = Choice::of("stability", "stability");
    /// The database that is looked up.
    pub const DATABASE: Choice = Choice::of("db", "database");
    /// How many layers of a database are kept.
    pub const KEPT_LAYERS: Choice = Choice::of("keep", "limit of layers");
    /// The file of bounds to resume from.
    pub const BOUNDS: Choice = Choice::of("bounds", "file of bounds");
    /// The payment of a bid.
    pub const PAYMENT: Choice = Choice::of("payment", "payment");
    /// Whether the winner of a bid must move.
    pub const RIGHT: Choice = Choice::of("right", "right to move");
    /// The depth of a tree.
    pub const DEPTH: Choice = Choice::of("depth", "depth");
    /// The short form of a tree.
    pub const SHORT: Choice = Choice::of("short", "short tree");
    /// The label of the states where Alice wins.
    pub const TARGET: Choice = Choice::of("target", "target");
    /// The file with the labels of a model.
    pub const LABELS: Choice = Choice::of("labels", "file of labels");

    /// The choice with this key and this name.
    pub const fn of(key: &'static str, name: &'static str) -> Choice {
        Choice { key, name }
    }

    /// A player's holding.
    pub const fn holding(player: Player) -> Choice {
        match player {
            Player::Alice => Choice::ALICE,
            Player::Bob => Choice::BOB,
        }
    }

    /// The key in the document of a question.
    pub const fn key(self) -> &'static str {
        self.key
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

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
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
