//! The play so far: what an objective with memory decides by, and the result of a play that is cut
//! off.

use richman_core::{MatchCounts, PlaySoFar};

use crate::Match;

impl Match {
    /// What its turns counted, for any objective.
    pub fn counts(&self) -> MatchCounts {
        let weights = self.walk().weights().saturating_sub(self.weights_before);
        let turns = u32::try_from(self.turns().len()).unwrap_or(u32::MAX);
        MatchCounts { priorities: self.priorities.clone(), weights, turns }
    }

    /// What counts in the play so far, in a game that need not end.
    pub fn so_far(&self) -> Option<PlaySoFar> {
        (self.walk().aim().facts().so_far)(self.counts())
    }
}
