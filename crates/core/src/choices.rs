//! The choices of a mechanism that a user made; a preset fills in the others.

use std::str::FromStr;

use crate::{Bidding, Bids, Error, Mechanism, Payment, Preset, Right, Ties};

/// A preset, and the choices that differ from it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MechanismChoices {
    /// The mechanism of a paper.
    pub preset: Option<Preset>,
    /// Who is paid.
    pub payment: Option<Payment>,
    /// Who wins ties.
    pub ties: Option<Ties>,
    /// The order of bidding.
    pub bidding: Option<Bidding>,
    /// What the winner of a bid gets.
    pub right: Option<Right>,
    /// The bids allowed.
    pub bids: Option<Bids>,
}

impl MechanismChoices {
    /// The preset, the payment, the ties, the bidding, the right and the bids as words; a choice
    /// that is not made is empty.
    ///
    /// # Errors
    /// An unknown word.
    pub fn of_words([preset, payment, ties, bidding, right, bids]: [&str; 6]) -> Result<MechanismChoices, Error> {
        fn read<T: FromStr<Err = Error>>(word: &str) -> Result<Option<T>, Error> {
            if word.is_empty() { Ok(None) } else { word.parse().map(Some) }
        }
        Ok(MechanismChoices {
            preset: read(preset)?,
            payment: read(payment)?,
            ties: read(ties)?,
            bidding: read(bidding)?,
            right: read(right)?,
            bids: read(bids)?,
        })
    }

    /// The preset, by default `usual`, with the given choices in place of its own.
    ///
    /// ```
    /// use richman_core::{MechanismChoices, Preset, Right, Ties};
    ///
    /// let choices = MechanismChoices { right: Some(Right::Chooses), ..MechanismChoices::default() };
    /// let mechanism = choices.mechanism_or(Preset::Larsson);
    /// assert_eq!((mechanism.ties, mechanism.right), (Ties::Marker, Right::Chooses));
    /// ```
    pub fn mechanism_or(self, usual: Preset) -> Mechanism {
        let preset = self.preset.unwrap_or(usual).mechanism();
        Mechanism {
            payment: self.payment.unwrap_or(preset.payment),
            ties: self.ties.unwrap_or(preset.ties),
            bidding: self.bidding.unwrap_or(preset.bidding),
            right: self.right.unwrap_or(preset.right),
            bids: self.bids.unwrap_or(preset.bids),
        }
    }
}
