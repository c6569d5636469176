//! The stake of a game: real money or chips.

use richman_core::{Aim, ByPlayer, Holding, Mechanism, Player, Total};

use crate::Error;
use crate::chips::HoldingsQuery;

/// The stake of a game.
#[derive(Debug, Clone, Copy, Default)]
pub enum Stake {
    /// Real money.
    #[default]
    Money,
    /// A total of chips.
    Total(Total),
    /// The holdings of both players.
    Hands(HoldingsQuery),
}

impl Stake {
    /// The stake for a total `chips` and holdings `hands` of Alice and Bob; real money if none is
    /// given.
    ///
    /// # Errors
    /// `OneHolding`, `NotTheTotal`, `HoldingAboveTotal`, `StarCount`, `NoStar` or `TotalTooLarge`;
    /// [`Error::NoTotal`] for a total alone if chips leave the game, except in a scoring game.
    pub fn given(
        mechanism: &Mechanism,
        aim: Aim,
        chips: Option<Total>,
        hands: ByPlayer<Option<Holding>>,
    ) -> Result<Stake, Error> {
        let hands = HoldingsQuery::given(mechanism, chips, hands)?;
        match (hands, chips) {
            (None, None) => Ok(Stake::Money),
            (Some(hands), _) => Ok(Stake::Hands(hands)),
            (None, Some(total)) if aim.facts().counts_points || !mechanism.has_bank() => Ok(Stake::Total(total)),
            (None, Some(_)) => Err(Error::no_total(mechanism)),
        }
    }

    /// The same stake with a line of best play, which follows given holdings.
    pub(crate) fn traced(self) -> Stake {
        if let Stake::Hands(hands) = self { Stake::Hands(HoldingsQuery { trace: true, ..hands }) } else { self }
    }

    /// The total of chips and, if given, the holdings.
    ///
    /// # Errors
    /// [`Error::ScoreMoney`] for real money; `StarCount`, `NoStar` or `TotalTooLarge`.
    pub(crate) fn chips(&self, mechanism: &Mechanism) -> Result<(Total, Option<HoldingsQuery>), Error> {
        let hands = if let Stake::Hands(hands) = self { Some(*hands) } else { None };
        Ok((self.total(mechanism)?.ok_or(Error::ScoreMoney)?, hands))
    }

    /// The total of chips; `None` for real money.
    ///
    /// # Errors
    /// `StarCount`, `NoStar` or `TotalTooLarge`.
    pub fn total(&self, mechanism: &Mechanism) -> Result<Option<Total>, Error> {
        match self {
            Stake::Money => Ok(None),
            Stake::Total(total) => Ok(Some(*total)),
            Stake::Hands(hands) => hands.total(mechanism).map(Some),
        }
    }
}

impl HoldingsQuery {
    /// Both holdings from one or two. A missing one follows from the total; it has the star if
    /// there is one and the given holding does not.
    ///
    /// # Errors
    /// [`Error::OneHolding`] without a total; [`Error::NotTheTotal`] if the holdings do not add up
    /// to it; `HoldingAboveTotal`, `StarCount`, `NoStar` or `TotalTooLarge`.
    pub fn given(
        mechanism: &Mechanism,
        chips: Option<Total>,
        ByPlayer { alice, bob }: ByPlayer<Option<Holding>>,
    ) -> Result<Option<HoldingsQuery>, Error> {
        let rest = |player: Player, own: Holding| -> Result<Holding, Error> {
            let rest = chips.ok_or(Error::OneHolding { player, own })?.rest(own)?;
            Ok(Holding::new(rest.chips(), rest.has_star() && mechanism.has_star())?)
        };
        let (alice, bob) = match (alice, bob) {
            (None, None) => return Ok(None),
            (Some(alice), None) => (alice, rest(Player::Alice, alice)?),
            (None, Some(bob)) => (rest(Player::Bob, bob)?, bob),
            (Some(alice), Some(bob)) => (alice, bob),
        };
        let hands = HoldingsQuery { alice, bob, trace: false };
        let total = hands.total(mechanism)?;
        match chips {
            Some(chips) if chips != total => Err(Error::NotTheTotal { alice, bob, total, chips }),
            _ => Ok(Some(hands)),
        }
    }
}
