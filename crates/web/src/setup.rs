//! What a match is set up with: checked once, kept as JSON, built into a match whenever it is needed.

use richman_analysis::Subject;
use richman_core::{Holding, Mechanism, Player, Preset};
use richman_formats::MechanismJson;
use richman_play::players::Strength;
use richman_play::{Match, Rules};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::refused::Refused;

/// The most turns of a match; then it is a draw. Cyclic games would go on for ever.
pub const MOST_TURNS: u32 = 1000;
/// The limit on turns where nothing else is said.
pub const USUAL_TURNS: u32 = 200;
/// The most chips in a match.
pub const MOST_CHIPS: u32 = 1_000_000;
/// The largest game file that is taken, in bytes.
pub const LARGEST_FILE: usize = 1 << 20;

/// Refuses more than [`MOST_CHIPS`].
///
/// # Errors
/// [`Refused::BadRequest`].
pub fn check_chips(chips: u64) -> Result<(), Refused> {
    match chips > u64::from(MOST_CHIPS) {
        true => Err(Refused::BadRequest(format!("take at most {MOST_CHIPS} chips in all"))),
        false => Ok(()),
    }
}

/// The game of that name, or the game in the text of a game file that is called so.
///
/// # Errors
/// [`Refused::Unfit`] for a game that is none.
pub fn subject(name: &str, file: Option<&str>) -> Result<Subject, Refused> {
    Ok(match file {
        Some(text) => Subject::from_file(name, text.as_bytes())?,
        None => Subject::named(name)?,
    })
}

/// How bids are made, won and paid: by the preset, or the usual one, with what else is given in place of its own choices.
///
/// # Errors
/// [`Refused::Unfit`] for a word that is none of the choice.
pub fn mechanism(usual: Preset, given: [&str; 6]) -> Result<Mechanism, Refused> {
    let [preset, choices @ ..] = given;
    let preset: Preset = if preset.is_empty() { usual } else { preset.parse()? };
    let mut mechanism = preset.mechanism();
    for (choice, word) in Mechanism::CHOICES.into_iter().zip(choices).filter(|(_, word)| !word.is_empty()) {
        mechanism.choose(choice, word)?;
    }
    Ok(mechanism)
}

/// Who sits at one side: `"person"` is whoever sets the match up, `"invited"` whoever takes the invitation, and `{"computer": "beginner"}` the
/// computer at that level.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = Seat)]
pub enum Sitter {
    /// Whoever sets the match up.
    Person,
    /// Whoever takes the invitation.
    Invited,
    /// The computer at a level, as `GET /api/v1/games` lists them.
    #[schema(example = "beginner")]
    Computer(String),
}

impl Sitter {
    /// Whether the computer plays.
    pub fn is_computer(&self) -> bool {
        matches!(self, Sitter::Computer(_))
    }
}

/// What a match is set up with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// The name of the game with its parameters; of a game file only what it is called.
    pub game: String,
    /// The text of a game file, where the game is in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Where the match starts, if not where the game does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// How bids are made, won and paid.
    pub mechanism: MechanismJson,
    /// What Alice and Bob hold, as text such as `8*`.
    pub holdings: [String; 2],
    /// After so many turns it is a draw.
    pub limit: u32,
    /// Who plays Alice and Bob.
    pub seats: [Sitter; 2],
    /// Whether both players share one screen and one link.
    #[serde(default)]
    pub one_screen: bool,
    /// Whether the page explains every step.
    #[serde(default)]
    pub guided: bool,
    /// Where the computer's chance comes from: a secret of the server, for who knows it can tell what the computer bids.
    pub seed: u64,
}

impl Setup {
    /// From the start of a game, under the usual mechanism, with 8 chips each and the star for Alice.
    pub fn new(game: &str, seats: [Sitter; 2], seed: u64) -> Setup {
        Setup {
            game: game.to_string(),
            file: None,
            position: None,
            mechanism: Mechanism::default().into(),
            holdings: ["8*".to_string(), "8".to_string()],
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
    /// [`Refused::Unfit`] for a game that is none.
    pub fn subject(&self) -> Result<Subject, Refused> {
        subject(&self.game, self.file.as_deref())
    }

    /// The match before its first turn.
    ///
    /// # Errors
    /// [`Refused`] says what of the setup makes no sense.
    pub fn start(&self) -> Result<Match, Refused> {
        if self.file.as_ref().is_some_and(|text| text.len() > LARGEST_FILE) {
            return Err(Refused::TooLarge(format!("a game file has at most {LARGEST_FILE} bytes here")));
        }
        if !(1..=MOST_TURNS).contains(&self.limit) {
            return Err(Refused::BadRequest(format!("write a limit from 1 to {MOST_TURNS} turns")));
        }
        let [alice, bob] = &self.holdings;
        let start: [Holding; 2] = [alice.parse()?, bob.parse()?];
        check_chips(start.iter().map(|hand| u64::from(hand.chips())).sum())?;
        // Somebody has to be there who sets the match up; at one screen there is nobody else.
        let persons = self.seats.iter().filter(|seat| **seat == Sitter::Person).count();
        let missing = match persons {
            0 => Some("take one side yourself: a match needs a person who sets it up"),
            1 => self.one_screen.then_some("at one screen both sides are persons who are there"),
            _ => None,
        };
        if let Some(missing) = missing {
            return Err(Refused::BadRequest(missing.to_string()));
        }
        let walk = self.subject()?.walk(self.position.as_deref())?;
        for player in Player::BOTH {
            if let Some(strength) = self.strength(player)? {
                strength.suits(walk.as_ref(), &self.mechanism.0)?;
            }
        }
        let rules = Rules { mechanism: self.mechanism.0.clone(), start, limit: Some(self.limit) };
        Ok(Match::new(walk, rules)?)
    }

    /// How strong the computer is that plays for `player`; `None` for a person.
    ///
    /// # Errors
    /// [`Refused::BadRequest`] for a strength that is none.
    pub fn strength(&self, player: Player) -> Result<Option<Strength>, Refused> {
        match &self.seats[player as usize] {
            Sitter::Computer(name) => Ok(Some(name.parse()?)),
            Sitter::Person | Sitter::Invited => Ok(None),
        }
    }

    /// The same with the players' sides exchanged: for a return match.
    pub fn exchanged(&self) -> Setup {
        let [alice, bob] = self.seats.clone();
        Setup { seats: [bob, alice], seed: self.seed.wrapping_add(1), ..self.clone() }
    }
}
