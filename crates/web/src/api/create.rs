//! What a program asks for when it sets up a match.

use richman_core::{Holding, Mechanism, Player, Preset};
use richman_formats::MechanismJson;
use serde::Deserialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::words::{Both, Hand, MechanismChoice, PlayerJson};
use crate::refused::Refused;
use crate::setup::{Setup, Sitter, USUAL_TURNS, check_chips};

/// Chips in a match, where nothing else is said.
const USUAL_CHIPS: u32 = 16;

/// The name of a game, or what a game in a file is called with the text of the file; exactly one was given.
///
/// # Errors
/// [`Refused::BadRequest`] for both and for neither.
pub fn game_or_file(game: Option<String>, file: Option<Box<RawValue>>) -> Result<(String, Option<String>), Refused> {
    match (game, file) {
        (Some(game), None) => Ok((game, None)),
        (None, Some(file)) => Ok(("game.json".to_string(), Some(String::from(Box::<str>::from(file))))),
        _ => Err(Refused::BadRequest("write either game or file".to_string())),
    }
}

/// A match to set up.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewMatch {
    /// The game with its parameters, as `GET /api/v1/games` lists them.
    #[schema(example = "tic-tac-toe:rows=3,cols=3")]
    game: Option<String>,
    /// In place of the name, the rules as a game file, which is a JSON object.
    #[schema(value_type = Option<Object>)]
    file: Option<Box<RawValue>>,
    /// Where the match starts, in the game's notation, if not where the game does.
    position: Option<String>,
    /// How bids are made, won and paid; develin-payne if left out.
    #[serde(default)]
    mechanism: MechanismChoice,
    /// Chips in the match, half for each; 16 if left out. Of an odd number one more goes to who lacks the star.
    total: Option<u32>,
    /// Who holds the star at first, with a total; Alice if left out.
    star: Option<PlayerJson>,
    /// In place of a total, what each holds.
    holdings: Option<Both<Hand>>,
    /// After so many turns the match is a draw; 200 if left out.
    #[schema(maximum = 1000, minimum = 1)]
    limit: Option<u32>,
    /// Who plays Alice and Bob.
    seats: Both<Sitter>,
    /// Whether one secret acts for both players, as at one screen.
    #[serde(default)]
    one_screen: bool,
}

impl NewMatch {
    /// What is to be set up. Whether a match can start like that is checked there.
    ///
    /// # Errors
    /// [`Refused`] says what contradicts itself.
    pub fn setup(self) -> Result<Setup, Refused> {
        let mechanism = self.mechanism.read(Preset::default())?;
        let holdings = self.holdings(&mechanism)?;
        let (game, file) = game_or_file(self.game, self.file)?;
        Ok(Setup {
            game,
            file,
            position: self.position,
            mechanism: MechanismJson(mechanism),
            holdings: holdings.map(|holding| holding.to_string()),
            limit: self.limit.unwrap_or(USUAL_TURNS),
            seats: [self.seats.alice, self.seats.bob],
            one_screen: self.one_screen,
            guided: false,
            seed: getrandom::u64()
                .map_err(|_| Refused::Busy("there is no randomness here now: try again".to_string()))?,
        })
    }

    /// What both hold at first: as given, or an equal split of which an odd chip goes to who lacks the star.
    fn holdings(&self, mechanism: &Mechanism) -> Result<[Holding; 2], Refused> {
        let refused = |message: &str| Err(Refused::BadRequest(message.to_string()));
        if let Some(Both { alice, bob }) = &self.holdings {
            if self.total.is_some() || self.star.is_some() {
                return refused("the holdings say everything: leave out total and star, or the holdings");
            }
            return Ok([alice.read()?, bob.read()?]);
        }
        if self.star.is_some() && !mechanism.has_star() {
            return refused("with those ties there is no star: leave it out");
        }
        let total = self.total.unwrap_or(USUAL_CHIPS);
        check_chips(total.into())?;
        let holder = self.star.map_or(Player::Alice, Player::from);
        let hand = |player: Player| {
            let is_holder = player == holder;
            Holding::new(if is_holder { total / 2 } else { total - total / 2 }, is_holder && mechanism.has_star())
        };
        Ok([hand(Player::Alice)?, hand(Player::Bob)?])
    }
}
