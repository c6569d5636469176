//! Which hints were given in a match. Its review does not hold against a player what a hint or the
//! coach suggested, so the record of a match that is over names them.

use richman_core::{End, Player, Walk};
use richman_play::Action;
use richman_play::review::{GivenHint, HintedPlay, MatchNotes};
use rusqlite::Connection;

use super::matches::live;
use super::{Hall, MatchView};
use crate::refused::Refusal;
use crate::store::room::MatchStage;
use crate::store::rows;
use crate::token::{GameId, Token};

impl Hall {
    /// Stores that hints were given in the match of the seat.
    ///
    /// # Errors
    /// [`Refusal::NotFound`] if the token has no seat.
    pub(crate) async fn note_hints(&self, token: &Token, hints: Vec<GivenHint>) -> Result<(), Refusal> {
        let (place, _) = self.seated(token).await?;
        let number = live(&place)?.number;
        let words = MatchNotes { hints, ..MatchNotes::default() }.hint_words();
        let add = move |connection: &Connection| {
            for (player, word) in &words {
                rows::add_hint(connection, number, *player, word, MatchStage::Unbegun)?;
            }
            Ok(())
        };
        Ok(self.inner.store.write(add).await?)
    }

    /// The tags of a record that name the hints given in a match: nothing while it goes on, because
    /// hints tell what a player may bid.
    pub(super) async fn hint_tags(&self, id: &GameId, sight: &MatchView) -> Result<Vec<(String, String)>, Refusal> {
        if sight.closed().is_none() {
            return Ok(Vec::new());
        }
        let number = live(&*self.place(id).await?)?.number;
        let words = self.inner.store.read(move |connection| rows::hints(connection, number)).await?;
        let mut notes = MatchNotes::of_hint_words(words.iter().map(|(player, word)| (*player, word.as_str())));
        notes.hints.extend(coached(sight)?);
        Ok(notes.hint_tags())
    }
}

/// What the coach of a guided match suggested before the bids.
fn coached(sight: &MatchView) -> Result<Vec<GivenHint>, Refusal> {
    let mut given = Vec::new();
    let person = Player::BOTH.into_iter().find(|&player| !sight.setup.seats[player].is_computer());
    let Some(player) = person.filter(|_| sight.setup.guided) else { return Ok(given) };
    let subject = sight.subject()?;
    for (index, turn) in sight.turns().iter().enumerate() {
        let walk = subject.walk(Some(&turn.position))?;
        let [own, other] = turn.hands.own_first(player);
        let mut suggest = |suggests| given.push(GivenHint { turn: index + 1, player, suggests });
        let [wins, threats] = [player, player.other()].map(|player| winning(walk.as_ref(), player));
        if index == 0 {
            suggest(HintedPlay::Bids([first_bid(own.chips()); 2]));
        } else if !wins.is_empty() || !threats.is_empty() {
            let certain = other.chips().saturating_add(u32::from(!own.has_star()));
            if certain <= own.chips() {
                suggest(HintedPlay::Bids([certain; 2]));
            }
        }
        let moves = if wins.is_empty() { threats } else { wins };
        moves.into_iter().for_each(|name| suggest(HintedPlay::Action(Action::Move(name))));
    }
    Ok(given)
}

/// The coach's suggestion for the first bid.
fn first_bid(chips: u32) -> u32 {
    (chips / 4).max(1)
}

/// The moves with which `player` wins at once.
fn winning(walk: &dyn Walk, player: Player) -> Vec<String> {
    let wins = |after: &dyn Walk| after.end() == Some(End::Win(player));
    walk.after_moves(player).into_iter().filter(|(_, after)| wins(after.as_ref())).map(|(name, _)| name).collect()
}
