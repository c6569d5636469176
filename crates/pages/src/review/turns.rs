//! All turns as a table.

use maud::{Markup, html};
use richman_play::review::{MistakeGrade, ReviewWorth, TurnReview};
use richman_render::review::{bids, played, worth};

use super::load::Reviewed;
use super::turn::grade_class;
use crate::class_of;

/// Every turn with its bids, move and value, linked to its page.
pub fn turns(reviewed: &Reviewed, number: usize) -> Markup {
    let review = &reviewed.review;
    let has_margin = review.turns.iter().any(|turn| turn.worth.as_ref().is_some_and(|worth| worth.margin.is_some()));
    html! {
        div.scroll tabindex="0" role="region" aria-label="Table of every turn" {
            table.values.turns {
                thead {
                    tr {
                        th scope="col" { "turn" } th scope="col" { "Alice" } th scope="col" { "Bob" }
                        th scope="col" { "bids" } th scope="col" { "move" } th scope="col" { "worth before" }
                        @if has_margin { th scope="col" { "Alice win/draw" } th scope="col" { "Bob win/draw" } }
                        th scope="col" { "mistakes" }
                    }
                }
                tbody {
                    @for turn in &review.turns { (row(reviewed, turn, number, has_margin)) }
                    tr.current[number > review.turns.len()] {
                        th scope="row" {
                            a href=(reviewed.link(review.turns.len() + 1)) {
                                @if review.now.over { "end" } @else { "now" }
                            }
                        }
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

fn row(reviewed: &Reviewed, turn: &TurnReview, number: usize, has_margin: bool) -> Markup {
    let review = &reviewed.review;
    html! {
        tr.current[turn.turn == number] {
            th scope="row" {
                a href=(reviewed.link(turn.turn)) aria-current=[(turn.turn == number).then_some("true")] { (turn.turn) }
            }
            td { (turn.alice.0) } td { (turn.bob.0) } td { (bids(turn)) }
            td class=(class_of(turn.mover)) { (played(turn)) }
            td { (turn.worth.as_ref().map(worth_in_words).unwrap_or_default()) }
            @if has_margin { (margins(turn.worth.as_ref())) }
            td {
                @let here = review.mistakes.iter().filter(|mistake| mistake.turn == turn.turn);
                @for mistake in here.filter(|mistake| mistake.grade != MistakeGrade::Slower) {
                    span class=(grade_class(mistake.grade)) title=(mistake.text) {
                        (mistake.player) @if grade_class(mistake.grade) == "grade-result" { "??" } @else { "?" }
                    } " "
                }
            }
        }
    }
}

/// The value of a position, in a few words.
pub fn worth_in_words(position: &ReviewWorth) -> String {
    worth(position, " points")
}

fn margins(worth: Option<&ReviewWorth>) -> Markup {
    html! { @for margin in richman_render::review::margins(worth) { td { (margin) } } }
}
