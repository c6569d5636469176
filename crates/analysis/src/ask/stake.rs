//! What is bid, from what somebody says of the chips.

use richman_core::{Aim, Holding, Mechanism, Player, Total};

use crate::Error;
use crate::chips::Hands;

/// What is bid.
#[derive(Debug, Clone, Copy, Default)]
pub enum Stake {
    /// Real money.
    #[default]
    Money,
    /// So many chips in all.
    Total(Total),
    /// What both hold.
    Hands(Hands),
}

impl Stake {
    /// What is bid where `chips` are the total and `hands` what Alice and Bob hold, as far as they are given: without
    /// any chips real money.
    ///
    /// # Errors
    /// Those of [`Hands::given`]; [`Error::NoTotal`] for a total alone where chips leave the game, which a game for a score
    /// does not serve.
    pub fn given(
        mechanism: &Mechanism,
        aim: Aim,
        chips: Option<Total>,
        hands: [Option<Holding>; 2],
    ) -> Result<Stake, Error> {
        let hands = Hands::given(mechanism, chips, hands)?;
        match (hands, chips) {
            (None, None) => Ok(Stake::Money),
            (Some(hands), _) => Ok(Stake::Hands(hands)),
            (None, Some(total)) if aim == Aim::Score || !mechanism.has_bank() => Ok(Stake::Total(total)),
            (None, Some(_)) => Err(Error::NoTotal {
                payment: mechanism.payment.clone(),
                star: if mechanism.has_star() { "*" } else { "" },
            }),
        }
    }

    /// All chips; `None` for real money.
    ///
    /// # Errors
    /// Those of [`Hands::total`].
    pub fn total(&self, mechanism: &Mechanism) -> Result<Option<Total>, Error> {
        match self {
            Stake::Money => Ok(None),
            Stake::Total(total) => Ok(Some(*total)),
            Stake::Hands(hands) => hands.total(mechanism).map(Some),
        }
    }
}

impl Hands {
    /// What both hold, where one holding is given: the other one from the total, with the star if there is one and the
    /// first lacks it.
    ///
    /// # Errors
    /// [`Error::OneHolding`] without a total, [`Error::NotTheTotal`] for holdings that make another one, those of
    /// [`Hands::total`].
    pub fn given(
        mechanism: &Mechanism,
        chips: Option<Total>,
        [alice, bob]: [Option<Holding>; 2],
    ) -> Result<Option<Hands>, Error> {
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
        let hands = Hands { alice, bob, trace: false };
        let total = hands.total(mechanism)?;
        match chips {
            Some(chips) if chips != total => Err(Error::NotTheTotal { alice, bob, total, chips }),
            _ => Ok(Some(hands)),
        }
    }
}
