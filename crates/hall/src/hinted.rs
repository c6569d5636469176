//! The hints given in a match, and when they are fair. A review does not blame a player for
//! following a hint or the coach, so the record of a finished match names them.

use richman_core::{ByPlayer, End, Holding, Player, Walk, Watch};
use richman_play::review::{GivenHint, HintedPlay, MatchNotes};
use richman_play::{Action, Decision, Match, Voice};
use richman_render::hint::{Hint, Hints};

use crate::refused::Refusal;
use crate::setup::SeatChoice;
use crate::view::{MatchView, Viewer};

/// A player's pending decision, in a match where hints are fair: against the computer, in a guided
/// match and at one screen.
///
/// # Errors
/// [`Refusal::Forbidden`] in other matches; [`Refusal::Conflict`] if no decision is due from the
/// player.
pub fn hinted_decision(viewed: &MatchView) -> Result<(Player, Decision), Refusal> {
    let has_program = viewed.setup.seats.iter().any(SeatChoice::is_computer);
    if !has_program && !viewed.setup.guided && viewed.viewer() != Viewer::Both {
        return Err(Refusal::Forbidden("hints are for matches against the computer, or at one screen".to_string()));
    }
    viewed.deciding().ok_or_else(|| Refusal::Conflict("no decision is due from you now".to_string()))
}

/// The best choice, in words to the player, and what to store of it.
///
/// # Errors
/// [`Refusal::Unfit`] if there is no hint, or not in time.
pub fn hint(
    hints: &Hints,
    game: &Match,
    viewer: Viewer,
    (player, decision): (Player, Decision),
    watch: &dyn Watch,
) -> Result<(Hint, MatchNotes), Refusal> {
    let turn = game.turns().len() + 1;
    let voice = if viewer == Viewer::Both { Voice::default() } else { Voice::to(player) };
    let hint = hints.hint_in(voice, game, player, decision, watch)?;
    let hints = hint.suggests.iter().cloned().map(|suggests| GivenHint { turn, player, suggests }).collect();
    Ok((hint, MatchNotes { hints, ..MatchNotes::default() }))
}

/// The suggestions of the coach of a guided match before the bids.
pub(crate) fn coached(viewed: &MatchView) -> Result<Vec<GivenHint>, Refusal> {
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
#[derive(Debug)]
pub struct CoachedTurn {
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
    pub fn of(walk: &dyn Walk, hands: ByPlayer<Holding>, player: Player) -> CoachedTurn {
        let [own, other] = hands.own_first(player);
        let [wins, threats] = [player, player.other()].map(|player| winning(walk, player));
        let sure = other.chips().saturating_add(u32::from(!own.has_star()));
        let chips = [own.chips(), other.chips()];
        CoachedTurn { chips, wins, threats, sure_bid: Some(sure).filter(|sure| *sure <= own.chips()) }
    }

    /// Whether somebody can win with the next move.
    pub fn is_urgent(&self) -> bool {
        !self.wins.is_empty() || !self.threats.is_empty()
    }

    /// The suggestion for the first bid.
    pub fn first_bid(&self) -> u32 {
        (self.chips[0] / 4).max(1)
    }
}

/// The moves with which `player` wins at once.
fn winning(walk: &dyn Walk, player: Player) -> Vec<String> {
    const TRIED: usize = 64;
    let tried = walk.after_moves(player).into_iter().take(TRIED);
    tried.filter(|(_, after)| after.end() == Some(End::Win(player))).map(|(name, _)| name).collect()
}
