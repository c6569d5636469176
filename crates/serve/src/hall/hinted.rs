//! The hints given in a match.

use richman_core::Player;
use richman_hall::refused::Refusal;
use richman_hall::token::{GameId, Token};
use richman_hall::{MatchStage, MatchView};
use richman_play::review::MatchNotes;
use rusqlite::Connection;

use super::Hall;
use super::matches::live;
use crate::store::rows;

impl Hall {
    /// Stores the hints given in the match of the seat.
    ///
    /// # Errors
    /// [`Refusal::NotFound`] if the token has no seat.
    pub async fn note_hints(&self, token: &Token, given: &MatchNotes) -> Result<(), Refusal> {
        let (slot, _) = self.seated(token).await?;
        let number = live(&slot)?.number;
        let words = given.hint_words();
        let add = move |connection: &Connection| {
            for (player, word) in &words {
                rows::add_hint(connection, number, *player, word, MatchStage::Unbegun)?;
            }
            Ok(())
        };
        Ok(self.inner.store.write(add).await?)
    }

    /// The stored words for the hints given in a match; none while it goes on.
    pub(super) async fn hints_given(&self, id: &GameId, viewed: &MatchView) -> Result<Vec<(Player, String)>, Refusal> {
        if viewed.closed().is_none() {
            return Ok(Vec::new());
        }
        let number = live(&*self.slot(id).await?)?.number;
        Ok(self.inner.store.read(move |connection| rows::hints(connection, number)).await?)
    }
}
