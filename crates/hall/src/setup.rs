//! The setup of a match: checked once, kept as JSON, and built into a match when needed.

use std::time::Duration;

use richman_analysis::{Games, Question, Subject};
use richman_core::{ByPlayer, Effort, Holding, Mechanism, Player, Unwatched, Watch};
use richman_formats::MechanismJson;
use richman_play::players::Strength;
use richman_play::{Match, MatchRules};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;

use crate::file_text::FileText;
use crate::refused::Refusal;

/// The most turns of a match, after which it is a draw. Cyclic games would never end.
pub const MOST_TURNS: u32 = 1000;
/// The default limit on turns.
pub const USUAL_TURNS: u32 = 200;
/// The most chips in a match.
pub const MOST_CHIPS: u32 = 1_000_000;
/// The largest accepted game file, in bytes.
pub const LARGEST_FILE: usize = 1 << 20;
/// The most moves of a player at a position of a game file in a new match.
const MOST_MOVES: usize = 512;
/// The longest name of a game, and of a first position, in a new match, in bytes.
pub const LONGEST_NAME: usize = 4 << 10;

/// A seed for a match. It must not be guessable, because it reveals the computer's bids.
///
/// # Errors
/// [`Refusal::Busy`] if the system has no random numbers.
pub fn random_seed() -> Result<u64, Refusal> {
    getrandom::u64().map_err(|_| Refusal::Busy("the system has no random numbers now: try again".to_string()))
}

/// Refuses more than [`MOST_CHIPS`].
///
/// # Errors
/// [`Refusal::BadRequest`] if there are more.
pub fn check_chips(chips: u64) -> Result<(), Refusal> {
    match chips > u64::from(MOST_CHIPS) {
        true => Err(Refusal::BadRequest(format!("take at most {MOST_CHIPS} chips in all"))),
        false => Ok(()),
    }
}

/// Refuses a question about more than [`MOST_CHIPS`].
///
/// # Errors
/// [`Refusal::BadRequest`] if it is about more.
pub fn check_stake(question: &Question) -> Result<(), Refusal> {
    check_chips(question.stake.total(&question.mechanism)?.map_or(0, |total| total.chips().into()))
}

/// The limits for reading the game file of a match or a record. Even a short file can describe far
/// more positions.
pub fn reading(watch: &dyn Watch) -> Effort<'_> {
    const MEMORY: u64 = 64 << 20;
    const POSITIONS: u64 = 60_000;
    const TIME: Duration = Duration::from_secs(5);
    Effort { memory: MEMORY, positions: POSITIONS, ..Effort::watched(watch) }.within_time(TIME)
}

/// The game of that name among `games`, or the game in the text of a game file called `name`, read
/// within the limits of `effort`.
///
/// # Errors
/// [`Refusal::Unfit`] if the name or the file is invalid, or the file exceeds a limit.
pub fn subject(games: &Games, name: &str, file: Option<&str>, effort: &Effort) -> Result<Subject, Refusal> {
    Ok(match file {
        Some(text) => Subject::from_file(name, text.as_bytes(), effort)?,
        None => Subject::among(games, name)?,
    })
}

/// Who sits at one side: `"person"` is whoever sets the match up, `"invited"` whoever takes the
/// invitation, and `{"computer": "beginner"}` the computer at that level.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = Seat)]
pub enum SeatChoice {
    /// Whoever sets the match up.
    Person,
    /// Whoever takes the invitation.
    Invited,
    /// The computer at a level, as the list of games has them.
    #[schema(example = "beginner")]
    Computer(String),
}

impl SeatChoice {
    /// Whether the computer plays.
    pub fn is_computer(&self) -> bool {
        matches!(self, SeatChoice::Computer(_))
    }
}

/// The setup of a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchSetup {
    /// The game with its parameters; for a game file only its name.
    pub game: String,
    /// The game file, if there is one. It is stored apart, once for all matches.
    #[serde(skip)]
    pub file: Option<FileText>,
    /// The starting position, if not the start of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// How bids are made, won and paid.
    pub mechanism: MechanismJson,
    /// The holdings of Alice and Bob, as text such as `8*`.
    #[serde(serialize_with = "write_pair", deserialize_with = "read_pair")]
    pub holdings: ByPlayer<String>,
    /// The match is a draw after this many turns.
    pub limit: u32,
    /// The sitters of Alice and Bob.
    #[serde(serialize_with = "write_pair", deserialize_with = "read_pair")]
    pub seats: ByPlayer<SeatChoice>,
    /// Whether both players share one screen and one link.
    #[serde(default)]
    pub one_screen: bool,
    /// Whether the page explains every step.
    #[serde(default)]
    pub guided: bool,
    /// The seed of the computer's random numbers: a secret of the server, because it reveals the
    /// computer's bids.
    pub seed: u64,
}

/// A value for each player is stored as a list of two.
fn write_pair<T: Serialize, S: Serializer>(values: &ByPlayer<T>, serializer: S) -> Result<S::Ok, S::Error> {
    [&values.alice, &values.bob].serialize(serializer)
}

fn read_pair<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<ByPlayer<T>, D::Error> {
    <[T; 2]>::deserialize(deserializer).map(ByPlayer::from)
}

impl MatchSetup {
    /// From the start of a game, under the default mechanism, with 8 chips each and the star for
    /// Alice.
    pub fn new(game: &str, seats: ByPlayer<SeatChoice>, seed: u64) -> MatchSetup {
        MatchSetup {
            game: game.to_string(),
            file: None,
            position: None,
            mechanism: Mechanism::default().into(),
            holdings: ByPlayer::new("8*".to_string(), "8".to_string()),
            limit: MOST_TURNS,
            seats,
            one_screen: false,
            guided: false,
            seed,
        }
    }

    /// The game.
    ///
    /// # Errors
    /// [`Refusal::Unfit`] if the name or the file is invalid.
    pub fn subject(&self, games: &Games, watch: &dyn Watch) -> Result<Subject, Refusal> {
        subject(games, &self.game, self.file.as_deref(), &reading(watch))
    }

    /// Refuses names that a new match must not have, although stored matches may.
    ///
    /// # Errors
    /// [`Refusal::TooLarge`] if the name of the game or of the position is too long.
    pub fn check_names(&self) -> Result<(), Refusal> {
        for (what, name) in [("game", Some(&self.game)), ("position", self.position.as_ref())] {
            if name.is_some_and(|name| name.len() > LONGEST_NAME) {
                let reason = "has at most 4 KiB here: put the game into a game file that starts there";
                return Err(Refusal::TooLarge(format!("the name of a {what} {reason}")));
            }
        }
        Ok(())
    }

    /// Refuses a match of visitors without one who sets it up.
    fn check_persons(&self) -> Result<(), Refusal> {
        // At least one seat must be the creator's; at one screen, both.
        let persons = self.seats.iter().filter(|seat| **seat == SeatChoice::Person).count();
        let missing = match persons {
            0 => Some("take one side yourself: a match needs a person who sets it up"),
            1 => self.one_screen.then_some("at one screen both sides must be people"),
            _ => None,
        };
        missing.map_or(Ok(()), |missing| Err(Refusal::BadRequest(missing.to_string())))
    }

    /// A new match before its first turn. Pages list all moves of a position, so their number is
    /// limited; stored matches may have more.
    ///
    /// # Errors
    /// [`Refusal`] names the invalid part of the setup.
    pub fn begin(&self, games: &Games) -> Result<Match, Refusal> {
        self.check_persons()?;
        let game = self.start(games)?;
        if game.walk().most_moves().is_some_and(|most| most > MOST_MOVES) {
            let reason = format!("each player has at most {MOST_MOVES} moves at a position of a game file here");
            return Err(Refusal::TooLarge(reason));
        }
        Ok(game)
    }

    /// The match before its first turn.
    ///
    /// # Errors
    /// [`Refusal`] names the invalid part of the setup.
    pub fn start(&self, games: &Games) -> Result<Match, Refusal> {
        if self.file.as_ref().is_some_and(|text| text.len() > LARGEST_FILE) {
            return Err(Refusal::TooLarge(format!("a game file has at most {LARGEST_FILE} bytes here")));
        }
        if !(1..=MOST_TURNS).contains(&self.limit) {
            return Err(Refusal::BadRequest(format!("write a limit from 1 to {MOST_TURNS} turns")));
        }
        let ByPlayer { alice, bob } = &self.holdings;
        let start: ByPlayer<Holding> = ByPlayer::new(alice.parse()?, bob.parse()?);
        check_chips(start.iter().map(|hand| u64::from(hand.chips())).sum())?;
        let walk = self.subject(games, &Unwatched)?.walk(self.position.as_deref())?;
        for player in Player::BOTH {
            if let Some(strength) = self.strength(player)? {
                strength.suits(walk.as_ref(), &self.mechanism.0)?;
            }
        }
        let rules = MatchRules { mechanism: self.mechanism.0.clone(), start, limit: Some(self.limit) };
        Ok(Match::new(walk, rules)?)
    }

    /// The strength of the computer that plays for `player`; `None` for a person.
    ///
    /// # Errors
    /// [`Refusal::BadRequest`] if the strength is invalid.
    pub fn strength(&self, player: Player) -> Result<Option<Strength>, Refusal> {
        match &self.seats[player] {
            SeatChoice::Computer(name) => Ok(Some(name.parse()?)),
            SeatChoice::Person | SeatChoice::Invited => Ok(None),
        }
    }

    /// The setup of a return match: the players exchange sides.
    pub fn exchanged(&self) -> MatchSetup {
        MatchSetup { seats: self.seats.clone().swapped(), seed: self.seed.wrapping_add(1), ..self.clone() }
    }
}
