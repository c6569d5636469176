//! All turns as a table.

use maud::{Markup, html};
use richman_core::{Outcome, Player};
use richman_play::review::{Grade, Margin, ResultJson, Review, TurnReview, Worth};

use super::turn::{grade_class, link};
use crate::token::GameId;

/// Every turn with its bids, its move and what it was worth; each a link to the turn.
pub fn turns(id: &GameId, review: &Review, number: usize) -> Markup {
    let has_margin = review.turns.iter().any(|turn| turn.worth.as_ref().is_some_and(|worth| worth.margin.is_some()));
    html! {
        div.scroll tabindex="0" role="region" aria-label="Every turn" {
            table.values.turns {
                thead {
                    tr {
                        th scope="col" { "turn" } th scope="col" { "Alice" } th scope="col" { "Bob" } th scope="col" { "bids" }
                        th scope="col" { "move" } th scope="col" { "worth before" }
                        @if has_margin { th scope="col" { "Alice win/draw" } th scope="col" { "Bob win/draw" } }
                        th scope="col" { "mistakes" }
                    }
                }
                tbody {
                    @for turn in &review.turns { (row(id, review, turn, number, has_margin)) }
                    tr.current[number > review.turns.len()] {
                        th scope="row" { a href=(link(id, review.turns.len() + 1)) { @if review.now.over { "end" } @else { "now" } } }
                        td { (review.now.alice.0) } td { (review.now.bob.0) } td {} td {}
                        td { (review.now.worth.as_ref().map(worth_in_words).unwrap_or_default()) }
                        @if has_margin { (margins(review.now.worth.as_ref())) }
                        td {}
                    }
                }
            }
        }
    }
}

fn row(id: &GameId, review: &Review, turn: &TurnReview, number: usize, has_margin: bool) -> Markup {
    let star = |player: Player| if turn.star_used == Some(true) && turn.winner == player { "*" } else { "" };
    let bid = |bid: Option<u32>| bid.map_or_else(|| "none".to_string(), |bid| bid.to_string());
    let lets = if turn.winner == turn.mover { String::new() } else { format!("{} lets ", turn.winner) };
    let bids = format!("{}{}-{}{}", bid(turn.alice_bids), star(Player::Alice), bid(turn.bob_bids), star(Player::Bob));
    html! {
        tr.current[turn.turn == number] {
            th scope="row" { a href=(link(id, turn.turn)) aria-current=[(turn.turn == number).then_some("true")] { (turn.turn) } }
            td { (turn.alice.0) } td { (turn.bob.0) } td { (bids) }
            td class=(if turn.mover == Player::Alice { "alice" } else { "bob" }) { (lets) (turn.mover) " " (turn.played.as_deref().unwrap_or("(stuck)")) }
            td { (turn.worth.as_ref().map(worth_in_words).unwrap_or_default()) }
            @if has_margin { (margins(turn.worth.as_ref())) }
            td {
                @for mistake in review.mistakes.iter().filter(|mistake| mistake.turn == turn.turn && mistake.grade != Grade::Slower) {
                    span class=(grade_class(mistake.grade)) title=(mistake.text) { (mistake.player) @if mistake.grade == Grade::Result { "??" } @else { "?" } } " "
                }
            }
        }
    }
}

/// What a position was worth, in a few words.
pub fn worth_in_words(worth: &Worth) -> String {
    match worth.outcome {
        Some(Outcome::Win(player)) => match worth.within {
            Some(0) => format!("{player} has won"),
            Some(moves) => format!("{player} wins in {moves}"),
            None => format!("{player} wins"),
        },
        Some(Outcome::Draw) => "draw".to_string(),
        Some(Outcome::Undetermined) => "undetermined".to_string(),
        None if worth.estimate.is_some() => worth.estimate.map_or(String::new(), richman_render::words::estimate),
        None => match (worth.samples, worth.sure) {
            (Some(samples), _) => {
                format!("of {} random games Alice wins {}, Bob {}", samples.games, samples.alice, samples.bob)
            }
            (None, Some(sure)) => match (sure.alice, sure.bob) {
                (ResultJson::Points(low), ResultJson::Points(high)) if low.0 == -high.0 => format!("{} points", low.0),
                (ResultJson::Points(low), ResultJson::Points(high)) => format!("{} to {} points", low.0, -high.0),
                _ => "?".to_string(),
            },
            (None, None) => "?".to_string(),
        },
    }
}

fn margins(worth: Option<&Worth>) -> Markup {
    let margin = worth.and_then(|worth| worth.margin);
    let both = |margin: &Margin| format!("{}/{}", signed(margin.win), signed(margin.draw));
    html! {
        td { (margin.as_ref().map(|margin| both(&margin.alice)).unwrap_or_default()) }
        td { (margin.as_ref().map(|margin| both(&margin.bob)).unwrap_or_default()) }
    }
}

/// `+2`, `0`, `-1`, or a dash where no number of chips would do.
fn signed(margin: Option<i64>) -> String {
    match margin {
        Some(0) => "0".to_string(),
        Some(margin) => format!("{margin:+}"),
        None => "-".to_string(),
    }
}
