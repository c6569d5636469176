//! The first page.

use axum::extract::State;
use maud::{Markup, PreEscaped, html};
use richman_analysis::Subject;
use richman_core::{ByPlayer, Holding, Player};
use richman_render::board::{self, BoardOptions};

use super::{holdings, reveal};
use crate::SharedPages;
use crate::gallery::gallery;
use crate::{WIDE, page_with};

/// Explains bidding games and what this site offers.
pub async fn show(State(app): SharedPages) -> Markup {
    app.make_cards().await;
    let content = html! {
        div class="hero" {
            div {
                h1 { "Games where you bid for the move" }
                p class="lead" {
                    "In a bidding game nobody has a turn. Before every move both players secretly bid some of their \
                     chips. The higher bid wins the move, and those chips go to the other player. So the question is \
                     never only what to do, but what it is worth."
                }
                form method="post" action="/first" class="choices" {
                    button class="button big" { "Play your first game" }
                    " " a class="button big quiet" href="/new" { "Choose a game" }
                }
                p class="aside" { "The first game takes three minutes; a coach explains every step." }
            }
            (picture())
        }
        // The script fills it from the browser's storage.
        section id="your-matches" class="needs-script" aria-labelledby="your-matches-title" hidden {
            h2 id="your-matches-title" { "Your matches" }
        }
        section class="ways" aria-label="What you can do here" {
            a class="way" href="/new" {
                h2 { "Play" }
                p {
                    "Against the computer, " @if !app.is_alone { "with a friend by a link, " } "or two at one screen."
                }
            }
            a class="way" href="/explore" {
                h2 { "Explore" }
                p { "Set up any position and see who wins, with which bids and moves. Most answers are exact." }
            }
            a class="way" href="/review" {
                h2 { "Review" }
                p { "See where a match was decided, which bids and moves were mistakes, and what was better." }
            }
            a class="way" href="/guide" {
                h2 { "Learn" }
                p { "The guide says how bidding games work, and everything that Richman can do with them." }
            }
        }
        section {
            h2 { "The games" }
            (gallery(&app))
        }
    };
    page_with("Bidding games", &WIDE, content)
}

fn picture() -> Markup {
    let board = Subject::named("tic-tac-toe").and_then(|subject| subject.walk(Some("..B/.A./A..")));
    let hands = [Holding::new(7, false), Holding::new(9, true)];
    html! {
        figure class="picture" {
            @if let Ok(walk) = board {
                div class="frame" { (PreEscaped(board::svg(walk.as_ref(), &BoardOptions::default()))) }
            }
            div class="picture-side" {
                div class="players" {
                    @for (player, hand) in Player::BOTH.into_iter().zip(hands) {
                        @if let Ok(hand) = hand { (holdings::one(player, None, hand, 9)) }
                    }
                }
                (reveal::cards(ByPlayer::new(Some(3), Some(2)), Some(Player::Alice), false))
            }
            figcaption { "Alice bids 3 and Bob bids 2, so Alice pays Bob 3 chips and moves." }
        }
    }
}
