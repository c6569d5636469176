//! The request that sets up a match.

use richman_core::{ByPlayer, Holding, Mechanism, Player, Preset};
use richman_formats::MechanismJson;
use richman_requests::{ByPlayerJson, FileOrText, Hand, MechanismChoice, PlayerJson, game_or_file};
use serde::Deserialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::file_text::FileText;
use crate::refused::Refusal;
use crate::setup::{MatchSetup, SeatChoice, USUAL_TURNS, check_chips};

/// The default total of chips in a match.
const USUAL_CHIPS: u32 = 16;

/// An action.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Action)]
pub enum ActionSchema {
    /// Bids this many chips.
    Bid(u32),
    /// In a tie: uses the star (true) or keeps it (false).
    UseStar(bool),
    /// Makes this move.
    Move(String),
    /// After winning the bid: lets the other player move.
    Let,
    /// Ends a scoring game, having no move.
    Stay,
    /// Resigns.
    Resign,
}

/// A match to set up.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewMatch {
    /// The game with its parameters, as the list of games has them.
    #[schema(example = "tic-tac-toe:rows=3,cols=3")]
    game: Option<String>,
    /// The rules as a game file, instead of a name.
    #[schema(value_type = Option<FileOrText>)]
    file: Option<Box<RawValue>>,
    /// The first position, in the game's notation; the start of the game if left out.
    position: Option<String>,
    /// How bids are made, won and paid; develin-payne if left out.
    #[serde(default)]
    mechanism: MechanismChoice,
    /// Chips in the match, half for each; 16 if left out. An odd chip goes to the player without
    /// the star.
    total: Option<u32>,
    /// The first holder of the star, with a total; Alice if left out.
    star: Option<PlayerJson>,
    /// The first holding of each player, instead of a total.
    holdings: Option<ByPlayerJson<Hand>>,
    /// The number of turns after which the match is a draw, or cut off if the game need not end;
    /// 200 if left out.
    #[schema(maximum = 1000, minimum = 1)]
    limit: Option<u32>,
    /// Who plays Alice and Bob.
    seats: ByPlayerJson<SeatChoice>,
    /// Whether one secret acts for both players, as at one screen.
    #[serde(default)]
    one_screen: bool,
}

impl NewMatch {
    /// Whether it comes with a game file, which may be long.
    pub fn has_file(&self) -> bool {
        self.file.is_some()
    }

    /// The setup, with a seed for the computer's random numbers. Whether a match can start from it
    /// is not checked.
    ///
    /// # Errors
    /// [`Refusal`] if the request contradicts itself, or has too many chips or an unknown word.
    pub fn setup(self, seed: u64) -> Result<MatchSetup, Refusal> {
        let mechanism = self.mechanism.read()?.mechanism_or(Preset::default());
        let holdings = self.holdings(&mechanism)?;
        let (game, file) = game_or_file(self.game, self.file)?;
        Ok(MatchSetup {
            game,
            file: file.map(FileText::from),
            position: self.position,
            mechanism: MechanismJson(mechanism),
            holdings: holdings.map(|holding| holding.to_string()),
            limit: self.limit.unwrap_or(USUAL_TURNS),
            seats: ByPlayer::new(self.seats.alice, self.seats.bob),
            one_screen: self.one_screen,
            guided: false,
            seed,
        })
    }

    /// The first holdings: as given, or an equal split, with an odd chip for the player without the
    /// star.
    fn holdings(&self, mechanism: &Mechanism) -> Result<ByPlayer<Holding>, Refusal> {
        let refused = |message: &str| Err(Refusal::BadRequest(message.to_string()));
        if let Some(ByPlayerJson { alice, bob }) = &self.holdings {
            if self.total.is_some() || self.star.is_some() {
                return refused("the holdings say everything: leave out total and star, or the holdings");
            }
            return Ok(ByPlayer::new(alice.read()?, bob.read()?));
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
        Ok(ByPlayer::new(hand(Player::Alice)?, hand(Player::Bob)?))
    }
}
