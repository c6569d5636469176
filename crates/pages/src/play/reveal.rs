//! The last bids side by side, the winner and the payment.

use maud::{Markup, html};
use richman_core::{ByPlayer, Player};
use richman_play::{BegunTurn, MatchTurn};
use richman_render::words::{self, Paid};

use super::fragment::ShownMatch;
use crate::class_of;

/// The last known bids, of this turn or the previous one.
struct LastBids {
    turn: usize,
    /// Whether that turn is over.
    is_past: bool,
    bids: ByPlayer<Option<u32>>,
    /// `None` while a tie is undecided.
    winner: Option<Player>,
    /// The events in words.
    told: String,
}

fn last(shown: &ShownMatch) -> Option<LastBids> {
    let viewed = shown.viewed;
    let (turns, begun) = (viewed.turns(), viewed.begun());
    let (turn, BegunTurn { bids, star_used, won }, before, done) = match (begun, turns.last()) {
        (Some(begun), _) => (turns.len(), begun, viewed.hands_before(), None),
        (None, Some(turn)) => {
            let begun = BegunTurn { bids: turn.bids, star_used: turn.star_used, won: Some([turn.winner, turn.mover]) };
            (turns.len() - 1, begun, turn.hands, Some(turn))
        }
        (None, None) => return None,
    };
    let paid = won.map(|[winner, _]| Paid { winner, before, after: shown.view.hands });
    let had_star = Player::BOTH.into_iter().find(|player| before[*player].has_star());
    let holder = had_star.unwrap_or(viewed.tie_holder());
    let has_bids = done.is_none_or(MatchTurn::has_bids);
    let mut told = vec![match (star_used, &paid) {
        _ if !has_bids => String::new(),
        (Some(used), Some(paid)) if bids.alice == bids.bob => {
            format!("Both bid {}, a tie. {}", bids.alice.unwrap_or(0), words::star_decided(holder, used, paid))
        }
        (_, paid) => words::revealed(bids, paid.as_ref(), holder),
    }];
    if let Some([winner, mover]) = won
        && winner != mover
    {
        told.push(words::lets(winner));
    }
    if let Some(turn) = done {
        told.push(match &turn.played {
            Some(name) => {
                let leads = viewed.walk().notation() == *name;
                let moves = if has_bids { words::moves } else { words::moves_alone };
                moves(turn.mover, name, leads)
            }
            None => words::cannot_move(turn.mover),
        });
    }
    Some(LastBids {
        turn,
        is_past: done.is_some() && viewed.closed().is_none(),
        bids,
        winner: paid.map(|paid| paid.winner),
        told: told.join(" ").trim_start().to_string(),
    })
}

/// The last events in words.
pub fn sentence(shown: &ShownMatch) -> Option<String> {
    last(shown).map(|last| last.told)
}

pub fn reveal(shown: &ShownMatch) -> Markup {
    let Some(last) = last(shown) else { return unrevealed(shown) };
    html! {
        section class={ "reveal" @if last.is_past { " last-turn" } } aria-label="The bids" data-turn=(last.turn) {
            @if last.bids != ByPlayer::both(None) { (cards(last.bids, last.winner, last.is_past)) }
            p class="told" { @if last.is_past { "Last turn: " } (last.told) }
        }
    }
}

/// Empty cards before the first bids, so that the layout does not move.
fn unrevealed(shown: &ShownMatch) -> Markup {
    let given = shown.given();
    html! {
        section class="reveal" aria-hidden="true" {
            div class="cards" {
                @for player in Player::BOTH {
                    div class={ "card " (class_of(player)) } { span class="who" {
                            (player) @if given[player] { " has bid" } @else { " has not bid yet" }
                        } }
                }
            }
        }
    }
}

/// Two bids as cards, of this turn or of the last one.
pub fn cards(bids: ByPlayer<Option<u32>>, winner: Option<Player>, is_past: bool) -> Markup {
    let (who, wins) = if is_past { (" bid", "and won") } else { ("", "wins the bid") };
    html! {
        div class="cards" aria-hidden="true" {
            @for player in Player::BOTH {
                div class={ "card " (class_of(player)) @if winner == Some(player) { " won" } } {
                    span class="who" { (player) (who) }
                    span class="bid" { @match bids[player] { Some(bid) => (bid), None => "-" } }
                    span class="verdict" {
                        @if winner == Some(player) { (wins) } @else if winner.is_none() { "tie" } @else { " " }
                    }
                }
            }
        }
    }
}
