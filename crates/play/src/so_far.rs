//! The result so far of a play that need not end, for a cut-off.

use richman_core::{MatchCounts, PlaySoFar};

use crate::Match;

impl Match {
    /// The result so far, in a game that need not end.
    pub fn so_far(&self) -> Option<PlaySoFar> {
        let weights = self.walk().weights().unwrap_or(0).saturating_sub(self.weights_before);
        let turns = u32::try_from(self.turns().len()).unwrap_or(u32::MAX);
        let counts = MatchCounts { priorities: self.priorities.clone(), weights, turns };
        (self.walk().aim().facts().so_far)(counts)
    }
}
