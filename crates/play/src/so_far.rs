//! What a play that need not end has come to when it is cut off.

use std::collections::BTreeMap;

use richman_core::{Aim, PlayedAverage};

use crate::Match;

/// What a play that need not end has come to so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlaySoFar {
    /// In a parity game: how often each priority came, at the positions from which a move was made.
    /// No number of moves tells who would have won.
    Priorities(BTreeMap<u32, u32>),
    /// In a mean-payoff game: the average weight of the moves; `None` before the first.
    Average(Option<PlayedAverage>),
}

impl Match {
    /// What play has come to so far, in a game that need not end.
    pub fn so_far(&self) -> Option<PlaySoFar> {
        match self.walk().aim() {
            Aim::Parity => Some(PlaySoFar::Priorities(self.priorities.clone())),
            Aim::MeanPayoff => {
                let turns = u32::try_from(self.turns().len()).unwrap_or(u32::MAX);
                let weights = self.walk().weights()?.saturating_sub(self.weights_before);
                Some(PlaySoFar::Average(PlayedAverage::new(weights, turns)))
            }
            Aim::Win | Aim::Score | Aim::Stochastic => None,
        }
    }
}
