//! Hints for people, in matches where they are fair.

use std::sync::Arc;
use std::time::Duration;

use richman_core::Effort;
use richman_hall::computer::{self, HintKey};
use richman_hall::refused::Refusal;
use richman_hall::setup::MatchSetup;
use richman_hall::token::Token;
use richman_hall::{hint, hinted_decision};
use richman_pages::desk::Deadline;
use richman_play::Match;
use richman_render::hint::{Hint, Hints, MOST_POSITIONS};

use super::{Computers, SLACK};
use crate::hall::Hall;

/// Time to solve a game for a hint.
const SOLVING: Duration = Duration::from_secs(8);

impl Hall {
    /// The best choice for the player in the seat, in words to that player. Only against the
    /// computer, in a guided match and at one screen, where it is fair.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`] in other matches; [`Refusal::Conflict`] if no decision is due from
    /// the player; [`Refusal::Unfit`] or [`Refusal::OutOfTime`] if the game is not solved in time.
    pub async fn hint(&self, token: &Token) -> Result<Hint, Refusal> {
        let viewed = self.seat(token).await?;
        let due = hinted_decision(&viewed)?;
        let hints = self.computers().hints(&viewed.setup, viewed.game()).await?;
        let (game, viewer) = (Arc::clone(viewed.game()), viewed.viewer());
        let find = move |deadline: &Deadline| hint(&hints, &game, viewer, due, deadline);
        let (hint, given) = self.computers().desk.run(SOLVING, find).await?;
        self.note_hints(token, &given).await?;
        Ok(hint)
    }
}

impl Computers {
    async fn hints(&self, setup: &Arc<MatchSetup>, game: &Arc<Match>) -> Result<Arc<Hints>, Refusal> {
        let key = HintKey::of(setup, game)?;
        let solve = async {
            let (setup, game, games) = (Arc::clone(setup), Arc::clone(game), self.games.clone());
            let memory = self.desk.memory;
            let work = move |deadline: &Deadline| {
                let effort =
                    Effort { positions: MOST_POSITIONS, memory, ..Effort::watched(deadline) }.within_time(SOLVING);
                computer::hints(&setup, &games, &game, deadline, &effort)
            };
            self.desk.run(SOLVING + SLACK, work).await
        };
        self.hints.answer(&key, Hints::bytes, solve).await
    }
}
