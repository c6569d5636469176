//! Return matches.

use std::sync::Arc;

use richman_core::{ByPlayer, Player};
use rusqlite::Connection;

use super::matches::{admitted, live, view_for};
use super::state::MatchState;
use super::{Hall, LiveMatch, MatchView};
use crate::refused::Refusal;
use crate::store::room::NeededRoom;
use crate::store::{NewMatchRow, rows};

impl Hall {
    /// Asks for a return match with sides exchanged. It begins when both players want it: at once
    /// against the computer and at one screen. The token then belongs to the new match.
    ///
    /// # Errors
    /// [`Refusal::Conflict`] before the end of the match.
    pub async fn rematch(&self, token: &crate::token::Token) -> Result<MatchView, Refusal> {
        let (slot, viewer) = self.seated(token).await?;
        let old = live(&slot)?;
        let changing = old.change().await?;
        let now = old.now();
        if now.next.is_some() {
            drop(changing);
            return self.seat(token).await; // the other player was faster
        }
        if now.game.closed().is_none() {
            return Err(Refusal::Conflict("the match is not over: a return match comes after it".to_string()));
        }
        let mut wishes = now.wishes;
        for player in viewer.players() {
            wishes[player] = true;
        }
        if wishes == now.wishes && wishes != ByPlayer::both(true) {
            return view_for(&slot, viewer);
        }
        let asked: Vec<Player> = viewer.players().collect();
        let number = old.number;
        if wishes != ByPlayer::both(true) {
            let state = MatchState { wishes, ..MatchState::clone(&now) };
            let wish = move |connection: &Connection| rows::add_wishes(connection, number, &asked).map(Ok);
            self.inner.change(changing, &slot, state, wish).await?;
            return view_for(&slot, viewer);
        }
        let setup = Arc::new(old.setup.exchanged());
        setup.check_names()?;
        let game = self.inner.begun(&setup).await?;
        // Players keep their tokens and need no invitation.
        let (new, created) = admitted(&setup)?;
        self.inner.shares.charge(new.bytes())?;
        let new = NewMatchRow { seats: Vec::new(), invitation: None, ..new };
        let state = MatchState { wishes, next: Some(created.id.clone()), ..MatchState::clone(&now) };
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
