//! What a review says, as plain data.

use std::fmt;

use richman_analysis::advice::Advice;
use richman_analysis::{BoundsJson, Error, HoldingJson, ScoreJson, ShareJson, ThresholdJson, shares};
use richman_core::{Aim, Holding, Outcome, Player, Watch};
use richman_engine::Method;
use richman_formats::MechanismJson;
use serde::{Serialize, Serializer};

use super::Samples;

/// What a review rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RestsOn {
    /// The exact solution with chips.
    Chips,
    /// The exact values of a scoring game.
    Scores,
    /// Real-money thresholds: what a position is worth is then an estimate, and decisions are not judged.
    Money,
    /// What an engine says of every position without unfolding the game; decisions are not judged.
    Engine(&'static Method),
    /// Random games from each position, which say who stands better; decisions are not judged.
    Samples,
    /// Nothing: the game was not solved.
    Nothing,
}

impl RestsOn {
    /// Its name for programs, and what it is in a few words.
    fn names(self) -> [&'static str; 2] {
        match self {
            RestsOn::Chips => ["exact chips", "the exact solution with chips"],
            RestsOn::Scores => ["exact scores", "the exact values of the scoring game"],
            RestsOn::Money => ["real money", "real-money thresholds, an estimate"],
            RestsOn::Engine(method) => [method.name, method.rests_on],
            RestsOn::Samples => ["samples", "random games, an estimate"],
            RestsOn::Nothing => ["nothing", "nothing"],
        }
    }
}

impl fmt::Display for RestsOn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.names()[1])
    }
}

impl Serialize for RestsOn {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.names()[0])
    }
}

/// What a player is sure of: a loss, a draw or a win, or so many points of Alice's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ResultJson {
    /// Nothing.
    Loss,
    /// At least a draw.
    Draw,
    /// A win.
    Win,
    /// At least so many points of the player's own.
    #[serde(untagged)]
    Points(ScoreJson),
}

impl ResultJson {
    pub(super) fn new(result: i64, aim: Aim) -> ResultJson {
        match result {
            points if aim == Aim::Score => ResultJson::Points(ScoreJson(points)),
            2 => ResultJson::Win,
            1 => ResultJson::Draw,
            _ => ResultJson::Loss,
        }
    }

    /// 0, 1 or 2, or the points.
    pub fn number(self) -> i64 {
        match self {
            ResultJson::Loss => 0,
            ResultJson::Draw => 1,
            ResultJson::Win => 2,
            ResultJson::Points(points) => points.0,
        }
    }
}

/// How many chips more than needed a player has, negative if short; null where no number of chips would do, or nothing is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Margin {
    /// For a win.
    pub win: Option<i64>,
    /// For at least a draw.
    pub draw: Option<i64>,
}

/// Something for each player.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Both<T> {
    /// Alice's.
    pub alice: T,
    /// Bob's.
    pub bob: T,
}

impl<T> Both<T> {
    pub(super) fn of(each: impl Fn(Player) -> T) -> Both<T> {
        Both { alice: each(Player::Alice), bob: each(Player::Bob) }
    }

    /// That of `player`.
    pub fn get(&self, player: Player) -> &T {
        if player == Player::Alice { &self.alice } else { &self.bob }
    }
}

/// What a position is worth in real money.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MoneyWorth {
    /// Alice's part of all chips.
    #[serde(flatten, serialize_with = "shares::share")]
    pub share: ShareJson,
    /// With more than this Alice wins with real money.
    #[serde(flatten, serialize_with = "shares::win")]
    pub win: BoundsJson,
    /// With less than this Bob does.
    #[serde(flatten, serialize_with = "shares::draw")]
    pub draw: BoundsJson,
}

/// What a position is worth with what both hold.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Worth {
    /// What best play leads to: `alice`, `bob`, `draw`, or `undetermined` where nobody can be sure. Not of scoring games.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_word")]
    pub outcome: Option<Outcome>,
    /// What each player is sure of; null where that is only estimated.
    pub sure: Option<Both<ResultJson>>,
    /// The fewest moves in which the winner can force it.
    pub within: Option<u32>,
    /// What Alice needs to force a win, under Richman payment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub win: Option<ThresholdJson>,
    /// What Alice needs for at least a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<ThresholdJson>,
    /// Chips to spare; null in scoring games, and where more chips can hurt.
    pub margin: Option<Both<Margin>>,
    /// Real money, where the review rests on it. The outcome is then that of real money, null where it is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub money: Option<MoneyWorth>,
    /// What Alice seems to need of all the money, as a share, where the review rests on a search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<f64>,
    /// Random games, where the review rests on them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub samples: Option<Samples>,
}

fn as_word<S: Serializer, T: std::fmt::Display>(word: &Option<T>, serializer: S) -> Result<S::Ok, S::Error> {
    match word {
        Some(word) => serializer.collect_str(word),
        None => serializer.serialize_none(),
    }
}

fn player<S: Serializer>(player: &Player, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&Outcome::Win(*player))
}

fn maybe_player<S: Serializer>(winner: &Option<Player>, serializer: S) -> Result<S::Ok, S::Error> {
    as_word(&winner.map(Outcome::Win), serializer)
}

/// How much a decision cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grade {
    /// It changed what the player could be sure of.
    Result,
    /// The result is as sure as it was, with fewer chips to spare.
    Margin,
    /// The win is as sure as it was, but takes longer. A note, no mistake.
    Slower,
}

/// What was wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Every better bid was higher.
    BidTooLow,
    /// Every better bid was lower.
    BidTooHigh,
    /// There were better bids, higher and lower.
    WrongBid,
    /// The star was used and should have been kept.
    UsedStar,
    /// The star was kept and should have been used.
    KeptStar,
    /// There was a better move.
    WrongMove,
    /// The player moved and should have let the other one move.
    ShouldHaveLet,
    /// The player let the other one move and should have moved.
    ShouldHaveMoved,
    /// The player gave up what was not lost.
    Resigned,
}

/// What would have been better.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Better {
    /// All better bids, ascending ranges.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bids: Vec<[u32; 2]>,
    /// Whether to use the star.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub use_star: Option<bool>,
    /// Better moves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
    /// Whether letting the other player move was better too.
    pub let_other_move: bool,
}

/// A decision that cost something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mistake {
    /// The turn, from 1.
    pub turn: usize,
    /// Whose decision it was.
    #[serde(serialize_with = "player")]
    pub player: Player,
    /// How much it cost.
    pub grade: Grade,
    /// What was wrong.
    pub kind: Kind,
    /// What the player could be sure of.
    pub before: ResultJson,
    /// What the player was sure of after it, whatever followed.
    pub guaranteed: ResultJson,
    /// What came of it: of a sealed bid once both were shown, of any other decision at once, as the other player then knows it.
    pub came_to: ResultJson,
    /// The chips to spare that it lost; null where the result changed, and where no number of chips would do any more.
    pub lost_chips: Option<i64>,
    /// By how many moves the sure win got slower.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost_moves: Option<u32>,
    /// Whether what followed made it cost anything; null for a note.
    pub punished: Option<bool>,
    /// What would have been better.
    pub better: Better,
    /// The same in a sentence.
    pub text: String,
}

/// One turn.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TurnReview {
    /// Its number, from 1.
    pub turn: usize,
    /// The position before it.
    pub position: String,
    /// What Alice held before it.
    pub alice: HoldingJson,
    /// What Bob held before it.
    pub bob: HoldingJson,
    /// What that was worth; null where nothing is known.
    pub worth: Option<Worth>,
    /// How both play best; null where nothing is known.
    pub advice: Both<Option<Advice>>,
    /// Alice's bid.
    pub alice_bids: Option<u32>,
    /// Bob's bid.
    pub bob_bids: Option<u32>,
    /// In a tie, whether the star was used.
    pub star_used: Option<bool>,
    /// Who won the bid.
    #[serde(serialize_with = "player")]
    pub winner: Player,
    /// Who moved.
    #[serde(serialize_with = "player")]
    pub mover: Player,
    /// The move; null if the game ended because the mover had none.
    #[serde(rename = "move")]
    pub played: Option<String>,
}

/// How a match stands before the turn that is being played, or how it ended.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Standing {
    /// The position.
    pub position: String,
    /// What Alice holds.
    pub alice: HoldingJson,
    /// What Bob holds.
    pub bob: HoldingJson,
    /// What that is worth; null where nothing is known.
    pub worth: Option<Worth>,
    /// Whether the match is over.
    pub over: bool,
    /// Why: `game`, `resigned`, `limit` or `no bids`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub how: Option<&'static str>,
    /// Who won, null if nobody did.
    #[serde(serialize_with = "maybe_player")]
    pub winner: Option<Player>,
}

/// A reviewed match.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Review {
    /// The game with its parameters.
    pub game: String,
    /// How bids are made, won and paid.
    pub mechanism: MechanismJson,
    /// The number of turns after which the match is a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// What the review rests on.
    pub rests_on: RestsOn,
    /// Why it does not rest on an exact solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What happened, in a few sentences.
    pub summary: String,
    /// The turns.
    pub turns: Vec<TurnReview>,
    /// Decisions that cost something, in the order of play.
    pub mistakes: Vec<Mistake>,
    /// The last position.
    pub now: Standing,
}

impl Review {
    /// Fills in what every position was worth.
    pub(super) fn fill(
        &mut self,
        watch: &dyn Watch,
        mut worth: impl FnMut(&str, [Holding; 2]) -> Result<Option<Worth>, Error>,
    ) -> Result<(), Error> {
        let turns = self.turns.len();
        for (index, turn) in self.turns.iter_mut().enumerate() {
            watch.progress("turns", index as u64, Some(turns as u64));
            turn.worth = worth(&turn.position, [turn.alice.0, turn.bob.0])?;
        }
        let now = &mut self.now;
        now.worth = worth(&now.position, [now.alice.0, now.bob.0])?;
        Ok(())
    }
}
