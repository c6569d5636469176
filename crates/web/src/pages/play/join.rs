//! Taking a seat by invitation. Viewing one does not take it: link previews view it too.

use axum::extract::{Path, State};
use axum::response::Redirect;
use maud::{Markup, PreEscaped, html};
use richman_core::Player;
use richman_render::board::{self, BoardOptions};
use richman_render::words;

use super::{PageAddress, about, holdings};
use crate::SharedState;
use crate::pages::{PageError, class_of, page};
use crate::refused::Refusal;
use crate::token::Token;

fn read(invitation: &str) -> Result<Token, PageError> {
    Token::read(invitation).ok_or(PageError(Refusal::NotFound("invitation")))
}

/// The match of the invitation.
pub async fn show(State(app): SharedState, Path(invitation): Path<String>) -> Result<Markup, PageError> {
    let invitation = read(&invitation)?;
    let (sight, player) = app.hall.invited(&invitation).await?;
    let setup = &sight.setup;
    let hands = sight.view().hands;
    let most = hands.iter().map(|hand| hand.chips()).max().unwrap_or(0);
    let stones = if player == Player::Alice { "red" } else { "blue" };
    let content = html! {
        h1 { "You are invited to a game" }
        p class="lead" {
            "A friend asks you to play " b { (setup.game) }
            " as " b class=(class_of(player)) { (player) } " (" (stones) ")."
        }
        @if let Some(description) = about::described(&sight) { p { "The game: " (description) "." } }
        form method="post" action={ "/join/" (invitation.reveal()) } { button class="button big" { "Take this seat" } }
        p class="aside" { "You then get an address of your own. This link works once." }
        div class="two" {
            section {
                h2 { "How to play" }
                @for line in words::rules(&sight.rules().mechanism, sight.walk().aim()) { p { (line) } }
            }
            section {
                h2 { "What each player holds" }
                div class="players" {
                    @for player in Player::BOTH { (holdings::one(player, None, hands[player], most)) }
                }
                div class="frame" { (PreEscaped(board::svg(sight.walk(), &BoardOptions::default()))) }
            }
        }
    };
    Ok(page("An invitation", content))
}

/// Takes the seat.
pub async fn take(State(app): SharedState, Path(invitation): Path<String>) -> Result<Redirect, PageError> {
    let token = app.hall.accept(&read(&invitation)?).await?;
    Ok(Redirect::to(&token.base()))
}
