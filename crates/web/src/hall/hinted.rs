//! The hints given in a match. A review does not blame a player for following a hint or the coach,
//! so the record of a finished match names them.

use richman_core::{ByPlayer, End, Holding, Player, Walk};
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
    pub async fn note_hints(&self, token: &Token, hints: Vec<GivenHint>) -> Result<(), Refusal> {
        let (slot, _) = self.seated(token).await?;
        let number = live(&slot)?.number;
        let words = MatchNotes { hints, ..MatchNotes::default() }.hint_words();
        let add = move |connection: &Connection| {
            for (player, word) in &words {
                rows::add_hint(connection, number, *player, word, MatchStage::Unbegun)?;
            }
            Ok(())
        };
        Ok(self.inner.store.write(add).await?)
    }

    /// The hints given in a match: none while it goes on, because hints reveal probable bids.
    pub(super) async fn hints_given(&self, id: &GameId, viewed: &MatchView) -> Result<HintsGiven, Refusal> {
        if viewed.closed().is_none() {
            return Ok(HintsGiven(None));
        }
        let number = live(&*self.slot(id).await?)?.number;
        let words = self.inner.store.read(move |connection| rows::hints(connection, number)).await?;
        Ok(HintsGiven(Some(words)))
    }
}

/// The stored words for the hints given in a finished match.
pub(super) struct HintsGiven(Option<Vec<(Player, String)>>);

impl HintsGiven {
    /// The tags of a record that name them and the coach's suggestions.
    pub(super) fn tags(&self, viewed: &MatchView) -> Result<Vec<(String, String)>, Refusal> {
        let Some(words) = &self.0 else { return Ok(Vec::new()) };
        let mut notes = MatchNotes::of_hint_words(words.iter().map(|(player, word)| (*player, word.as_str())));
        notes.hints.extend(coached(viewed)?);
        Ok(notes.hint_tags())
    }
}

/// The suggestions of the coach of a guided match before the bids.
fn coached(viewed: &MatchView) -> Result<Vec<GivenHint>, Refusal> {
    let mut given = Vec::new();
    let person = Player::BOTH.into_iter().find(|&player| !viewed.setup.seats[player].is_computer());
    let Some(player) = person.filter(|_| viewed.setup.guided) else { return Ok(given) };
    let subject = viewed.subject()?;
    for (index, turn) in viewed.turns().iter().enumerate() {
        let walk = subject.walk(Some(&turn.position))?;
        let facts = CoachedTurn::of(walk.as_ref(), turn.hands, player);
        let mut suggest = |suggests| given.push(GivenHint { turn: index + 1, player, suggests });
        let bid = if index == 0 { Some(facts.first_bid()) } else { facts.sure_bid };
        if let Some(bid) = bid.filter(|_| index == 0 || facts.is_urgent()) {
            suggest(HintedPlay::Bids([bid; 2]));
        }
        let moves = if facts.wins.is_empty() { facts.threats } else { facts.wins };
        moves.into_iter().for_each(|name| suggest(HintedPlay::Action(Action::Move(name))));
    }
    Ok(given)
}

/// The facts used by the coach of a guided match.
pub(crate) struct CoachedTurn {
    /// The player's chips, and the computer's.
    pub chips: [u32; 2],
    /// The moves with which the player wins at once.
    pub wins: Vec<String>,
    /// The moves with which the computer wins at once.
    pub threats: Vec<String>,
    /// The least bid that is sure to win the move.
    pub sure_bid: Option<u32>,
}

impl CoachedTurn {
    /// The turn at a position, for `player`.
    pub(crate) fn of(walk: &dyn Walk, hands: ByPlayer<Holding>, player: Player) -> CoachedTurn {
        let [own, other] = hands.own_first(player);
        let [wins, threats] = [player, player.other()].map(|player| winning(walk, player));
        let sure = other.chips().saturating_add(u32::from(!own.has_star()));
        let chips = [own.chips(), other.chips()];
        CoachedTurn { chips, wins, threats, sure_bid: Some(sure).filter(|sure| *sure <= own.chips()) }
    }

    /// Whether somebody can win with the next move.
    pub(crate) fn is_urgent(&self) -> bool {
        !self.wins.is_empty() || !self.threats.is_empty()
    }

    /// The suggestion for the first bid.
    pub(crate) fn first_bid(&self) -> u32 {
        (self.chips[0] / 4).max(1)
    }
}

/// The moves with which `player` wins at once.
fn winning(walk: &dyn Walk, player: Player) -> Vec<String> {
    const TRIED: usize = 64;
    let tried = walk.after_moves(player).into_iter().take(TRIED);
    tried.filter(|(_, after)| after.end() == Some(End::Win(player))).map(|(name, _)| name).collect()
}
