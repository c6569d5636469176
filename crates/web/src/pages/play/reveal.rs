//! The bids that were made last, side by side, who won and what was paid.

use maud::{Markup, html};
use richman_core::{Holding, Player};
use richman_play::Turn;
use richman_render::words::{self, Paid};

use super::fragment::Shown;
use crate::pages::class_of;

/// The last bids that are known, of this turn or of the one before.
struct Last {
    turn: usize,
    bids: [Option<u32>; 2],
    /// `None` while a tie is undecided.
    paid: Option<Paid>,
    star_used: Option<bool>,
    holder: Player,
    /// What happened then.
    then: Vec<String>,
}

fn last(shown: &Shown) -> Option<Last> {
    let sight = shown.sight;
    let turns = sight.turns();
    if let Some(begun) = sight.begun() {
        let before = sight.hands_before();
        let paid = begun.won.map(|[winner, _]| Paid { winner, before, after: shown.view.hands });
        let then = match begun.won {
            Some([winner, mover]) if winner != mover => vec![words::lets(winner)],
            _ => Vec::new(),
        };
        let holder = holder(before, sight.tie_holder());
        return Some(Last { turn: turns.len(), bids: begun.bids, paid, star_used: begun.star_used, holder, then });
    }
    let turn = turns.last()?;
    let paid = Paid { winner: turn.winner, before: turn.hands, after: shown.view.hands };
    let then = then(turn, || shown.sight.walk().notation());
    let holder = holder(turn.hands, sight.tie_holder());
    Some(Last { turn: turns.len() - 1, bids: turn.bids, paid: Some(paid), star_used: turn.star_used, holder, then })
}

fn holder(hands: [Holding; 2], otherwise: Player) -> Player {
    Player::BOTH.into_iter().find(|player| hands[*player as usize].has_star()).unwrap_or(otherwise)
}

fn then(turn: &Turn, now: impl Fn() -> String) -> Vec<String> {
    let mut told = Vec::new();
    if turn.mover != turn.winner {
        told.push(words::lets(turn.winner));
    }
    told.push(match &turn.played {
        Some(name) => words::moves(turn.mover, name, now() == *name),
        None => words::cannot_move(turn.mover),
    });
    told
}

impl Last {
    fn sentence(&self) -> String {
        let mut told = match (self.star_used, &self.paid) {
            (Some(used), Some(paid)) if self.bids[0] == self.bids[1] => {
                let bid = self.bids[0].unwrap_or(0);
                format!("Both bid {bid}, a tie. {}", words::star_decided(self.holder, used, paid))
            }
            (_, paid) => words::revealed(self.bids, paid.as_ref(), self.holder),
        };
        for more in &self.then {
            told.push(' ');
            told.push_str(more);
        }
        told
    }
}

/// What happened last, in words.
pub fn sentence(shown: &Shown) -> Option<String> {
    last(shown).map(|last| last.sentence())
}

/// The last bids, big.
pub fn reveal(shown: &Shown) -> Markup {
    let Some(last) = last(shown) else { return html! {} };
    let winner = last.paid.as_ref().map(|paid| paid.winner);
    html! {
        section class="reveal" aria-label="The bids" data-turn=(last.turn) {
            (cards(last.bids, winner))
            p class="told" { (last.sentence()) }
        }
    }
}

/// Two bids as cards.
pub fn cards(bids: [Option<u32>; 2], winner: Option<Player>) -> Markup {
    html! {
        div class="cards" aria-hidden="true" {
            @for player in Player::BOTH {
                div class={ "card " (class_of(player)) @if winner == Some(player) { " won" } } {
                    span class="who" { (player) }
                    span class="bid" { @match bids[player as usize] { Some(bid) => (bid), None => "-" } }
                    span class="verdict" { @if winner == Some(player) { "wins the bid" } @else if winner.is_none() { "tie" } @else { " " } }
                }
            }
        }
    }
}
