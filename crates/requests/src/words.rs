//! Types that many requests and answers share: players, holdings, mechanisms.

use std::collections::BTreeMap;

use richman_core::{ByPlayer, Holding, MechanismChoices, Player};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use utoipa::openapi::Ref;

use crate::error::RequestError;
use crate::strict::whole_number;

/// A player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = Player)]
pub enum PlayerJson {
    /// Left, who plays for a high score.
    Alice,
    /// Right, who plays for a low score.
    Bob,
}

impl From<Player> for PlayerJson {
    fn from(player: Player) -> PlayerJson {
        if player == Player::Alice { PlayerJson::Alice } else { PlayerJson::Bob }
    }
}

impl From<PlayerJson> for Player {
    fn from(player: PlayerJson) -> Player {
        if player == PlayerJson::Alice { Player::Alice } else { Player::Bob }
    }
}

/// A value for each player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Both<T>)]
pub struct ByPlayerJson<T> {
    /// Alice's.
    pub alice: T,
    /// Bob's.
    pub bob: T,
}

impl<T> From<ByPlayer<T>> for ByPlayerJson<T> {
    fn from(ByPlayer { alice, bob }: ByPlayer<T>) -> ByPlayerJson<T> {
        ByPlayerJson { alice, bob }
    }
}

/// A player's holding: a number of chips such as 4, or text such as `"4*"` for the holder of the
/// star.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = Holding)]
pub enum Hand {
    /// Chips without the star.
    Chips(u32),
    /// Chips, with the star if a `*` follows.
    Text(String),
}

impl<'de> Deserialize<'de> for Hand {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Hand, D::Error> {
        const WANTED: &str = "a holding is a number of chips such as 4, or with the star text such as \"4*\"";
        let json = <&RawValue>::deserialize(from)?.get();
        let chips = whole_number(json).and_then(|chips| u32::try_from(chips).ok()).map(Hand::Chips);
        chips.or_else(|| serde_json::from_str(json).ok().map(Hand::Text)).ok_or_else(|| D::Error::custom(WANTED))
    }
}

impl From<Holding> for Hand {
    fn from(holding: Holding) -> Hand {
        if holding.has_star() { Hand::Text(holding.to_string()) } else { Hand::Chips(holding.chips()) }
    }
}

impl Hand {
    /// The holding.
    ///
    /// # Errors
    /// [`RequestError::Unfit`] if it is not a holding.
    pub fn read(&self) -> Result<Holding, RequestError> {
        Ok(match self {
            Hand::Chips(chips) => Holding::new(*chips, false)?,
            Hand::Text(text) => text.parse()?,
        })
    }
}

/// A game file: the object, or the text of a file in another form.
#[derive(Debug, ToSchema)]
#[serde(untagged)]
#[schema(as = GameFile)]
pub enum FileOrText {
    /// The object.
    Object(BTreeMap<String, Value>),
    /// The text of a file.
    Text(String),
}

/// How bids are made, won and paid: a preset, and single choices that override it. The default
/// preset is develin-payne, or larsson to solve a scoring game.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MechanismChoice {
    /// A mechanism named after the paper that uses it: develin-payne, larsson, gasarch.
    #[schema(example = "develin-payne")]
    pub preset: Option<String>,
    /// Who is paid: richman (the other player), poorman (the bank), or taxman:T (the part T to the
    /// other player, the rest to the bank).
    #[schema(example = "taxman:1/2")]
    pub payment: Option<String>,
    /// Who wins ties: advantage (the holder of the star, who may keep it instead), marker (the
    /// holder, who must use it), alice, bob, or the loser or winner of the last bid.
    #[schema(example = "advantage")]
    pub ties: Option<String>,
    /// sealed (both at once), alice-first or bob-first.
    #[schema(example = "sealed")]
    pub bidding: Option<String>,
    /// What the winner of a bid does: chooses (who moves), or moves.
    #[schema(example = "chooses")]
    pub right: Option<String>,
    /// all, or the amounts that may be bid, such as 0+5.
    #[schema(example = "all")]
    pub bids: Option<String>,
}

impl MechanismChoice {
    /// The choices.
    ///
    /// # Errors
    /// [`RequestError::Unfit`] if a choice has an unknown word.
    pub fn read(&self) -> Result<MechanismChoices, RequestError> {
        let MechanismChoice { preset, payment, ties, bidding, right, bids } = self;
        let given = [preset, payment, ties, bidding, right, bids];
        Ok(MechanismChoices::of_words(given.map(|word| word.as_deref().unwrap_or_default()))?)
    }
}

/// The schema of a [`MechanismJson`](richman_formats::MechanismJson), which reports have too.
pub fn mechanism_schema() -> Ref {
    Ref::from_schema_name("Mechanism")
}
