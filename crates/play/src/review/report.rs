//! Reviews as plain data.

use std::fmt;

use richman_analysis::advice::Advice;
use richman_analysis::{
    BoundsJson, Error, HoldingJson, OutcomeWord, PlayerWord, ScoreJson, ShareJson, ThresholdJson, shares,
};
use richman_core::{ByPlayer, Holding, Outcome, Player, Watch};
use richman_engine::Method;
use richman_formats::MechanismJson;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::digest::{self, DigestBasis};
use super::words::{self, ToldSentence};
use super::{ReviewDigest, Samples};
use crate::Voice;

/// The basis of a review.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema)]
#[schemars(with = "String")]
pub enum RestsOn {
    /// The exact solution with chips.
    Chips,
    /// The exact values of a scoring game.
    Scores,
    /// Real-money thresholds: values are estimates, decisions are not judged.
    Money,
    /// An engine's values without unfolding the game; decisions are not judged.
    Engine(&'static Method),
    /// Random games from each position, which show who stands better; only certainties by the rules
    /// are judged.
    Samples,
    /// Nothing: the game was not solved.
    Nothing,
}

impl RestsOn {
    /// Its machine-readable name, and a short description.
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

/// A guaranteed result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "GuaranteedResult")]
pub enum ResultJson {
    /// Nothing.
    Loss,
    /// At least a draw.
    Draw,
    /// A win.
    Win,
    /// Unknown, because the game was not solved.
    Unknown,
    /// At least this many of the player's own points.
    #[serde(untagged)]
    Points(ScoreJson),
}

impl ResultJson {
    pub(super) fn new(result: i64, counts_points: bool) -> ResultJson {
        match result {
            points if counts_points => ResultJson::Points(ScoreJson(points)),
            2 => ResultJson::Win,
            1 => ResultJson::Draw,
            _ => ResultJson::Loss,
        }
    }

    /// 0, 1 or 2, or the points; 0 if unknown.
    pub fn number(self) -> i64 {
        match self {
            ResultJson::Loss | ResultJson::Unknown => 0,
            ResultJson::Draw => 1,
            ResultJson::Win => 2,
            ResultJson::Points(points) => points.0,
        }
    }
}

/// Chips beyond a player's need, negative if short; null if no number of chips suffices, or it is
/// unknown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Margin {
    /// For a win.
    pub win: Option<i64>,
    /// For at least a draw.
    pub draw: Option<i64>,
}

/// The value of a position in real money.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(transform = shares::described)]
pub struct MoneyWorth {
    /// Alice's share of the chips.
    pub share: ShareJson,
    /// The nearest double.
    pub share_decimal: f64,
    /// Alice can force a win with a larger share.
    #[serde(flatten, serialize_with = "shares::win")]
    #[schemars(!flatten)]
    pub win: BoundsJson,
    /// Bob can force a win if Alice has a smaller share.
    #[serde(flatten, serialize_with = "shares::draw")]
    #[schemars(!flatten)]
    pub draw: BoundsJson,
}

/// The value of a position with given holdings.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct ReviewWorth {
    /// The result of best play: `alice`, `bob`, `draw`, or `undetermined` if no result is certain.
    /// Absent in scoring games.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_word")]
    #[schemars(with = "Option<OutcomeWord>")]
    pub outcome: Option<Outcome>,
    /// The result that each player can guarantee; null if only estimated.
    #[serde(serialize_with = "richman_formats::by_player::option")]
    #[schemars(schema_with = "richman_formats::by_player::option_schema::<ResultJson>")]
    pub sure: Option<ByPlayer<ResultJson>>,
    /// The fewest moves in which the winner can force it.
    pub within: Option<u32>,
    /// Alice's need to force a win, under Richman payment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub win: Option<ThresholdJson>,
    /// Alice's need for at least a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<ThresholdJson>,
    /// Chips to spare; null in scoring games, and if more chips can hurt.
    #[serde(serialize_with = "richman_formats::by_player::option")]
    #[schemars(schema_with = "richman_formats::by_player::option_schema::<Margin>")]
    pub margin: Option<ByPlayer<Margin>>,
    /// Real-money values, if the review rests on them. The outcome is then that of real money, or
    /// null.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub money: Option<MoneyWorth>,
    /// Alice's need, as a share, estimated by a search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<f64>,
    /// Random games, if the review rests on them.
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

/// The cost of a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MistakeGrade {
    /// It changed the result that the player could guarantee.
    Result,
    /// It overlooked a certainty by the rules alone: a win at once that nobody could prevent, or a
    /// loss at once that could have been prevented. The position may have been lost anyway.
    AtOnce,
    /// By bounds or estimates its loss of chips to spare exceeds the uncertainty.
    Probable,
    /// The result is as safe, with fewer chips to spare.
    Margin,
    /// The win is as safe but slower: a note, not a mistake.
    Slower,
}

/// The kind of a mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MistakeKind {
    /// Every better bid was higher.
    BidTooLow,
    /// Every better bid was lower.
    BidTooHigh,
    /// There were higher and lower better bids.
    WrongBid,
    /// The star was used and should have been kept.
    UsedStar,
    /// The star was kept and should have been used.
    KeptStar,
    /// There was a better move.
    WrongMove,
    /// The player moved instead of letting the other move.
    ShouldHaveLet,
    /// The player let the other move instead of moving.
    ShouldHaveMoved,
    /// The player resigned a position that was not lost.
    Resigned,
}

/// Better alternatives.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BetterPlay {
    /// All better bids, ascending ranges.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bids: Vec<[u32; 2]>,
    /// Whether to use the star.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub use_star: Option<bool>,
    /// Better moves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
    /// Whether letting the other player move was also better.
    pub let_other_move: bool,
}

/// A costly decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Mistake {
    /// The turn, from 1.
    pub turn: usize,
    /// The player who decided.
    #[serde(serialize_with = "player")]
    #[schemars(with = "PlayerWord")]
    pub player: Player,
    /// The cost.
    pub grade: MistakeGrade,
    /// The kind of mistake.
    pub kind: MistakeKind,
    /// The result that the player could guarantee before.
    pub before: ResultJson,
    /// The result guaranteed after it, whatever followed.
    pub guaranteed: ResultJson,
    /// The result after its consequence: for a sealed bid once both were shown, for any other
    /// decision at once, as the other player then knows it.
    pub came_to: ResultJson,
    /// The chips to spare that it lost, at least if estimated; null if the result changed, or if no
    /// number of chips suffices any more.
    pub lost_chips: Option<i64>,
    /// The number of moves by which the sure win became slower.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost_moves: Option<u32>,
    /// Whether later play made it cost anything; null for a note.
    pub punished: Option<bool>,
    /// The better alternatives.
    pub better: BetterPlay,
    /// The mistake in a sentence.
    pub text: String,
    /// The same to each player.
    #[serde(skip)]
    pub(super) told: ByPlayer<String>,
}

impl Mistake {
    /// Whether it is about a move rather than a bid or the star.
    pub fn is_move(&self) -> bool {
        use MistakeKind::{ShouldHaveLet, ShouldHaveMoved, WrongMove};
        matches!(self.kind, WrongMove | ShouldHaveLet | ShouldHaveMoved)
    }

    /// A mistake without details yet.
    pub(super) fn unknown(player: Player) -> Mistake {
        Mistake {
            turn: 0,
            player,
            grade: MistakeGrade::AtOnce,
            kind: MistakeKind::WrongBid,
            before: ResultJson::Unknown,
            guaranteed: ResultJson::Unknown,
            came_to: ResultJson::Unknown,
            lost_chips: None,
            lost_moves: None,
            punished: None,
            better: BetterPlay::default(),
            text: String::new(),
            told: ByPlayer::default(),
        }
    }

    /// The mistake with its sentence.
    pub(super) fn with_text(self, ToldSentence { plain, to }: ToldSentence) -> Mistake {
        Mistake { text: plain, told: to, ..self }
    }
}

/// One turn.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TurnReview {
    /// Its number, from 1.
    pub turn: usize,
    /// The position before it.
    pub position: String,
    /// Alice's holding before it.
    pub alice: HoldingJson,
    /// Bob's holding before it.
    pub bob: HoldingJson,
    /// The value of that position; null if unknown.
    pub worth: Option<ReviewWorth>,
    /// Best play of both; null if unknown.
    #[serde(serialize_with = "richman_formats::by_player::serialize")]
    #[schemars(schema_with = "richman_formats::by_player::schema::<Option<Advice>>")]
    pub advice: ByPlayer<Option<Advice>>,
    /// Alice's bid.
    pub alice_bids: Option<u32>,
    /// Bob's bid.
    pub bob_bids: Option<u32>,
    /// In a tie, whether the star was used.
    pub star_used: Option<bool>,
    /// The winner of the bid; the mover where nobody bids.
    #[serde(serialize_with = "player")]
    #[schemars(with = "PlayerWord")]
    pub winner: Player,
    /// The player who moved.
    #[serde(serialize_with = "player")]
    #[schemars(with = "PlayerWord")]
    pub mover: Player,
    /// The move; null if the game ended because the mover had none.
    #[serde(rename = "move")]
    pub played: Option<String>,
}

impl TurnReview {
    /// A player's bid.
    pub fn bid_of(&self, player: Player) -> Option<u32> {
        player.either(self.alice_bids, self.bob_bids)
    }
}

/// A match before the current turn, or at its end.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MatchStanding {
    /// The position.
    pub position: String,
    /// Alice's holding.
    pub alice: HoldingJson,
    /// Bob's holding.
    pub bob: HoldingJson,
    /// The value of the position; null if unknown.
    pub worth: Option<ReviewWorth>,
    /// Whether the match is over.
    pub over: bool,
    /// How it ended: `game`, `resigned`, `limit` or `no bids`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub how: Option<&'static str>,
    /// The winner; null if there is none.
    #[serde(serialize_with = "maybe_player")]
    #[schemars(with = "Option<PlayerWord>")]
    pub winner: Option<Player>,
}

/// A reviewed match.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Review {
    /// The game with its parameters.
    pub game: String,
    /// The bidding mechanism.
    pub mechanism: MechanismJson,
    /// The turns after which the match is a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// The basis of the review.
    pub rests_on: RestsOn,
    /// The reason why it does not rest on an exact solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The course of the match, in a few sentences.
    pub summary: String,
    /// The turning point, the best decision of each player, and one thing to learn.
    pub digest: ReviewDigest,
    /// The turns.
    pub turns: Vec<TurnReview>,
    /// Costly decisions, in the order of play.
    pub mistakes: Vec<Mistake>,
    /// Costly decisions that a hint suggested, not counted against the player.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suggested: Vec<Mistake>,
    /// The last position.
    pub now: MatchStanding,
    #[serde(skip)]
    pub(super) basis: DigestBasis,
}

impl Review {
    /// The review as it is told to a player, who is called "you" in every sentence.
    #[must_use]
    pub fn told_to(&self, player: Player) -> Review {
        let mut told = self.clone();
        for mistake in told.mistakes.iter_mut().chain(&mut told.suggested) {
            mistake.text.clone_from(&mistake.told[player]);
        }
        told.conclude(Voice::to(player));
        told
    }

    /// Sums the review up, once everything else is known.
    pub(super) fn conclude(&mut self, voice: Voice) {
        self.summary = words::summary(self, voice);
        self.digest = digest::digest(self, voice);
    }

    /// Fills in the value of every position.
    pub(super) fn fill_worths(
        &mut self,
        watch: &dyn Watch,
        mut worth: impl FnMut(&str, ByPlayer<Holding>) -> Result<Option<ReviewWorth>, Error>,
    ) -> Result<(), Error> {
        let turns = self.turns.len();
        for (index, turn) in self.turns.iter_mut().enumerate() {
            watch.progress("turns", index as u64, Some(turns as u64));
            turn.worth = worth(&turn.position, ByPlayer::new(turn.alice.0, turn.bob.0))?;
        }
        let now = &mut self.now;
        now.worth = worth(&now.position, ByPlayer::new(now.alice.0, now.bob.0))?;
        Ok(())
    }
}
