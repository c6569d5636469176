//! Return matches.

use std::sync::Arc;

use richman_core::Player;
use richman_hall::refused::Refusal;
use richman_hall::token::Token;
use richman_hall::{MatchState, MatchView, NewMatchRow, Rematch};
use rusqlite::Connection;

use super::matches::{live, view_for};
use super::{Hall, LiveMatch};
use crate::store::room::NeededRoom;
use crate::store::rows;

impl Hall {
    /// Asks for a return match with sides exchanged. It begins when both players want it: at once
    /// against the computer and at one screen. The token then belongs to the new match.
    ///
    /// # Errors
    /// [`Refusal::Conflict`] before the end of the match.
    pub async fn rematch(&self, token: &Token) -> Result<MatchView, Refusal> {
        let (slot, viewer) = self.seated(token).await?;
        let old = live(&slot)?;
        let changing = old.change().await?;
        let asked: Vec<Player> = viewer.players().collect();
        let number = old.number;
        let wished = match old.now().rematch(viewer)? {
            Rematch::Begun => {
                drop(changing);
                return self.seat(token).await; // the other player was faster
            }
            Rematch::Awaited => return view_for(&slot, viewer),
            Rematch::Asked(state) => {
                let wish = move |connection: &Connection| rows::add_wishes(connection, number, &asked).map(Ok);
                self.inner.change(changing, &slot, state, wish).await?;
                return view_for(&slot, viewer);
            }
            Rematch::Begins(state) => state,
        };
        let setup = Arc::new(old.setup.exchanged());
        setup.check_names()?;
        let game = self.inner.begun(&setup).await?;
        // Players keep their tokens and need no invitation.
        let (new, created) = NewMatchRow::of(&setup)?;
        self.inner.shares.charge(new.bytes())?;
        let new = NewMatchRow { seats: Vec::new(), invitation: None, ..new };
        let state = MatchState { next: Some(created.id.clone()), ..wished };
        self.inner.make_room(NeededRoom { spared: number, ..NeededRoom::of_match(new.bytes()) }).await?;
        let begin = move |connection: &Connection| {
            rows::add_wishes(connection, number, &asked)?;
            rows::add_next(connection, number, &new).map(Ok)
        };
        let next = self.inner.change(changing, &slot, state, begin).await?;
        let state = MatchState::new(game, &setup, None);
        self.put(&created.id, LiveMatch::new(&self.inner, next, setup, state)).await;
        self.seat(token).await
    }
}
