//! The choices of a mechanism that a user made; a preset fills in the others.

use crate::{Bidding, Bids, Mechanism, Payment, Preset, Right, Ties};

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
