//! Hints for people, in matches where they are fair.

use std::sync::Arc;
use std::time::Duration;

use richman_core::{ByPlayer, Effort, Holding};
use richman_play::players::Base;
use richman_play::review::GivenHint;
use richman_play::{Match, Voice};
use richman_render::hint::{Hint, Hints, MOST_POSITIONS};

use super::key::KnowledgeKey;
use super::{Computers, SLACK};
use crate::desk::Deadline;
use crate::hall::{Hall, MatchView, Viewer};
use crate::refused::Refusal;
use crate::setup::{MatchSetup, SeatChoice};
use crate::token::Token;

/// Time to solve a game for a hint.
const SOLVING: Duration = Duration::from_secs(8);

/// Hints depend on the game and the initial holdings.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct HintKey {
    key: KnowledgeKey,
    start: ByPlayer<Holding>,
}

impl Hall {
    /// The best choice for the player in the seat, in words to that player. Only against the
    /// computer, in a guided match and at one screen, where it is fair.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`] in other matches; [`Refusal::Conflict`] if no decision is due from
    /// the player; [`Refusal::Unfit`] or [`Refusal::OutOfTime`] if the game is not solved in time.
    pub async fn hint(&self, token: &Token) -> Result<Hint, Refusal> {
        let viewed = self.seat(token).await?;
        if !is_fair(&viewed) {
            return Err(Refusal::Forbidden("hints are for matches against the computer, or at one screen".to_string()));
        }
        let Some((player, decision)) = viewed.deciding() else {
            return Err(Refusal::Conflict("no decision is due from you now".to_string()));
        };
        let (hints, game) = (self.computers().hints(&viewed.setup, viewed.game()).await?, Arc::clone(viewed.game()));
        let desk = &self.computers().desk;
        let turn = game.turns().len() + 1;
        let voice = if viewed.viewer() == Viewer::Both { Voice::default() } else { Voice::to(player) };
        let find = move |deadline: &Deadline| Ok(hints.hint_in(voice, &game, player, decision, deadline)?);
        let hint = desk.run(SOLVING, find).await?;
        let given = hint.suggests.iter().cloned().map(|suggests| GivenHint { turn, player, suggests });
        self.note_hints(token, given.collect()).await?;
        Ok(hint)
    }
}

fn is_fair(viewed: &MatchView) -> bool {
    let has_program = viewed.setup.seats.iter().any(SeatChoice::is_computer);
    has_program || viewed.setup.guided || viewed.viewer() == Viewer::Both
}

impl Computers {
    async fn hints(&self, setup: &Arc<MatchSetup>, game: &Match) -> Result<Arc<Hints>, Refusal> {
        let rules = game.rules().clone();
        let key = HintKey { key: KnowledgeKey::of(setup, game, Base::Perfect, false)?, start: rules.start };
        let solve = async {
            let (setup, games, memory) = (Arc::clone(setup), self.games.clone(), self.desk.memory);
            let work = move |deadline: &Deadline| {
                let subject = setup.subject(&games, deadline)?;
                let effort =
                    Effort { positions: MOST_POSITIONS, memory, ..Effort::watched(deadline) }.within_time(SOLVING);
                Ok(Hints::solve(&subject, setup.position.as_deref(), &rules, &effort)?)
            };
            self.desk.run(SOLVING + SLACK, work).await
        };
        self.hints.answer(&key, Hints::bytes, solve).await
    }
}
