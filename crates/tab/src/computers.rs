//! Computer players and hints, with what was solved for them last.

use std::sync::Arc;

use parking_lot::Mutex;
use richman_hall::MatchState;
use richman_hall::computer::{HintKey, KnowledgeKey};
use richman_hall::refused::Refusal;
use richman_hall::setup::MatchSetup;
use richman_play::Match;
use richman_play::players::{Knowledge, Strength};
use richman_render::hint::Hints;

use crate::desk::RecentlyUsed;

/// What computer players and hints know.
#[derive(Default)]
pub struct Computers {
    known: Mutex<RecentlyUsed<KnowledgeKey, Arc<Knowledge>>>,
    hints: Mutex<RecentlyUsed<HintKey, Arc<Hints>>>,
}

richman_core::debug_by_name!(Computers {});

/// What one of them counts at least, so that there are a few at most, however small.
const LEAST_BYTES: u64 = 4 << 20;

impl Computers {
    /// What a program must know of a match; `solve` finds it unless it is known.
    ///
    /// # Errors
    /// Those of `solve`; [`Refusal::Unfit`] if there are too many chips.
    pub fn knowledge(
        &self,
        setup: &MatchSetup,
        now: &MatchState,
        strength: Strength,
        solve: impl FnOnce(&KnowledgeKey) -> Result<Arc<Knowledge>, Refusal>,
    ) -> Result<Arc<Knowledge>, Refusal> {
        let key = KnowledgeKey::of(setup, &now.game, strength.base, false)?;
        if let Some(found) = self.known.lock().get(&key) {
            return Ok(found);
        }
        let found = solve(&key)?;
        let bytes = found.bytes().max(LEAST_BYTES);
        self.known.lock().put(key, Arc::clone(&found), bytes);
        Ok(found)
    }

    /// The hints of a match; `solve` finds them unless they are known.
    ///
    /// # Errors
    /// Those of `solve`; [`Refusal::Unfit`] if there are too many chips.
    pub fn hints(
        &self,
        setup: &MatchSetup,
        game: &Match,
        solve: impl FnOnce() -> Result<Hints, Refusal>,
    ) -> Result<Arc<Hints>, Refusal> {
        let key = HintKey::of(setup, game)?;
        if let Some(found) = self.hints.lock().get(&key) {
            return Ok(found);
        }
        let found = Arc::new(solve()?);
        self.hints.lock().put(key, Arc::clone(&found), found.bytes().max(LEAST_BYTES));
        Ok(found)
    }
}
