//! Playing on from a turn of a review, against the computer or a friend.

use maud::{Markup, html};
use richman_core::{ByPlayer, Holding};

use super::load::Reviewed;
use crate::play::start::{MatchStart, StartedGame};

/// Links to the form of a new match that starts at this position with these holdings.
pub fn play_from_here(reviewed: &Reviewed, position: &str, hands: ByPlayer<Holding>) -> Markup {
    let over = reviewed.subject.walk(Some(position)).map_or(true, |walk| walk.end().is_some());
    let (review, kept) = (&reviewed.review, reviewed.id.to_string());
    let game = match (&reviewed.file, reviewed.info) {
        _ if over => return html! {},
        (Some(_), _) => StartedGame::Kept(&kept),
        (None, Some(info)) => StartedGame::Listed(&review.game, info),
        (None, None) => return html! {},
    };
    let start = MatchStart { game, position, hands: Some(hands), mechanism: &review.mechanism.0, limit: review.limit };
    let link = |opponent: &str| start.link(opponent);
    html! {
        p.again {
            "Play from here: "
            a href=(link("computer")) { "against the computer" }
            " or "
            @match reviewed.is_alone {
                true => a href=(link("screen")) { "two at this screen" },
                false => a href=(link("friend")) { "against a friend" },
            }
        }
    }
}
