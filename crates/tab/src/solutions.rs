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
pub struct Solutions {
    known: Mutex<RecentlyUsed<KnowledgeKey, Arc<Knowledge>>>,
    hints: Mutex<RecentlyUsed<HintKey, Arc<Hints>>>,
}

richman_core::debug_by_name!(Solutions {});

/// The least size that is counted for one of them, so that few are kept.
const LEAST_BYTES: u64 = 4 << 20;

impl Solutions {
    /// Their size in bytes, roughly.
    pub fn bytes(&self) -> u64 {
        self.known.lock().bytes() + self.hints.lock().bytes()
    }

    /// What a program must know of a match; `solve` finds it unless it is known.
    ///
    /// # Errors
    /// [`Refusal`] if `solve` fails, or there are too many chips.
    pub fn knowledge<E: From<Refusal>>(
        &self,
        setup: &MatchSetup,
        now: &MatchState,
        strength: Strength,
        solve: impl FnOnce(&KnowledgeKey) -> Result<Arc<Knowledge>, E>,
    ) -> Result<Arc<Knowledge>, E> {
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
    /// [`Refusal`] if `solve` fails, or there are too many chips.
    pub fn hints<E: From<Refusal>>(
        &self,
        setup: &MatchSetup,
        game: &Match,
        solve: impl FnOnce() -> Result<Hints, E>,
    ) -> Result<Arc<Hints>, E> {
        let key = HintKey::of(setup, game)?;
        if let Some(found) = self.hints.lock().get(&key) {
            return Ok(found);
        }
        let found = Arc::new(solve()?);
        self.hints.lock().put(key, Arc::clone(&found), found.bytes().max(LEAST_BYTES));
        Ok(found)
    }
}
