//! The computer players of the hall.

use std::sync::Arc;

use richman_play::Match;

use crate::hall::{Hall, Place};
use crate::refused::Refused;
use crate::setup::Setup;

/// Finds what computer players do.
#[derive(Default)]
pub struct Computers {}

impl Computers {
    /// What has to be known before a match begins.
    ///
    /// # Errors
    /// [`Refused`] where the level cannot play the game.
    pub(crate) async fn prepare(&self, setup: &Arc<Setup>, game: &Match) -> Result<(), Refused> {
        let _ = (setup, game);
        Ok(())
    }
}

impl Hall {
    /// Sets the computer player to work, if something is waited for from it.
    pub(crate) fn wake(&self, place: &Arc<Place>) {
        let _ = place;
    }
}
