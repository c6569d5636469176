//! Playing on from a turn of a review, against the computer or a friend.

use maud::{Markup, html};
use richman_core::{ByPlayer, Holding};

use super::load::Reviewed;
use crate::pages::play::start::MatchStart;

/// Links to the form of a new match that starts at this position with these holdings.
pub fn play_from_here(reviewed: &Reviewed, position: &str, hands: ByPlayer<Holding>) -> Markup {
    let over = reviewed.subject.walk(Some(position)).map_or(true, |walk| walk.end().is_some());
    // The form takes a game file only as a text, which an address cannot hold.
    if over || reviewed.file.is_some() {
        return html! {};
    }
    let Some(info) = &reviewed.info else { return html! {} };
    let review = &reviewed.review;
    let start = MatchStart {
        game: &review.game,
        info,
        position,
        hands: Some(hands),
        mechanism: &review.mechanism.0,
        limit: review.limit,
    };
    let link = |opponent: &str| start.link(opponent);
    html! {
        p.again {
            "Play from here: "
            a href=(link("computer")) { "against the computer" }
            " or "
            a href=(link("friend")) { "against a friend" }
        }
    }
}
