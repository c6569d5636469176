//! Taking a seat by invitation. Viewing one does not take it: link previews view it too.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use maud::{Markup, PreEscaped, html};
use richman_core::Player;
use richman_hall::MatchView;
use richman_hall::refused::Refusal;
use richman_hall::token::Token;
use richman_render::board::{self, BoardOptions};
use richman_render::words;

use super::visitor::{self, PageOrigin};
use super::{about, holdings};
use crate::{Pages, SharedPages};
use crate::{class_of, page};

/// The match of the invitation.
pub async fn show(
    State(app): SharedPages,
    origin: PageOrigin,
    headers: HeaderMap,
    Path(invitation): Path<String>,
) -> Result<Response, Refusal> {
    let invitation = Token::read(&invitation).ok_or(Refusal::NotFound("invitation"))?;
    let (viewed, player) = match app.hall.invited(&invitation).await {
        Err(Refusal::NotFound(_)) => return taken(&app, &invitation).await,
        found => found?,
    };
    let is_own = visitor::is_own_invitation(&headers, &origin);
    let write = move |viewed: &MatchView| match is_own {
        true => own(viewed, player, &invitation, &origin),
        false => invited(viewed, player, &invitation),
    };
    Ok(app.written_once(viewed, write).await?.into_response())
}

/// The page for whoever sent the invitation.
fn own(viewed: &MatchView, player: Player, invitation: &Token, origin: &PageOrigin) -> Markup {
    let path = format!("/join/{}", invitation.reveal());
    let content = html! {
        h1 { "This is your own invitation" }
        p class="lead" {
            "Send its link to the friend who is to play " b { (about::titled(viewed)) } " with you as "
            b class=(class_of(player)) { (player) } ". Nobody has taken that seat yet."
        }
        label for="invitation" { "The link for your friend" }
        (about::to_copy("invitation", &format!("{}{path}", origin.text)))
        @if origin.is_local { (about::local_only()) }
        p class="links" { a class="button big" href=(visitor::address(&viewed.id)) { "Back to the match" } }
        details {
            summary { "Play both sides" }
            p { "This browser can hold the other seat too. The invitation is then used." }
            form method="post" action=(path) { button class="button quiet" { "Take this seat" } }
        }
    };
    page("Your own invitation", content)
}

fn invited(viewed: &MatchView, player: Player, invitation: &Token) -> Markup {
    let hands = viewed.view().hands;
    let most = hands.iter().map(|hand| hand.chips()).max().unwrap_or(0);
    let stones = if player == Player::Alice { "the red side" } else { "the blue side" };
    let content = html! {
        h1 { "You are invited to a game" }
        p class="lead" {
            "You are asked to play " b { (about::titled(viewed)) }
            " as " b class=(class_of(player)) { (player) } ". You play " (stones) "."
        }
        @if let Some(description) = about::described(viewed) { p { "The game: " (description) } }
        form method="post" action={ "/join/" (invitation.reveal()) } { button class="button big" { "Take this seat" } }
        p class="aside" { "The seat is then kept in this browser. The invitation works once." }
        div class="two" {
            section {
                h2 { "How to play" }
                @for line in words::rules(&viewed.rules().mechanism, viewed.walk().aim()) { p { (line) } }
            }
            section {
                h2 { "What each player holds" }
                div class="players" {
                    @for player in Player::BOTH { (holdings::one(player, None, hands[player], most)) }
                }
                div class="frame" { (PreEscaped(board::svg(viewed.walk(), &BoardOptions::default()))) }
            }
        }
    };
    page("An invitation", content)
}

/// The page for a used invitation.
async fn taken(app: &Pages, invitation: &Token) -> Result<Response, Refusal> {
    let id = app.hall.used_invitation(invitation).await?;
    let content = html! {
        h1 { "This seat is taken" }
        p class="lead" { "Somebody has used this invitation already. It works once." }
        p class="links" { a class="button big" href=(visitor::address(&id)) { "Watch the match" } }
        p class="aside" { "If you took the seat in this browser, the button leads to your own page of the match." }
    };
    Ok((StatusCode::GONE, page("This seat is taken", content)).into_response())
}

/// Takes the seat.
pub async fn take(
    State(app): SharedPages,
    origin: PageOrigin,
    Path(invitation): Path<String>,
) -> Result<Response, Refusal> {
    let invitation = Token::read(&invitation).ok_or(Refusal::NotFound("invitation"))?;
    match app.hall.accept(&invitation).await {
        Ok(token) => {
            app.hall.note_pace(&token);
            visitor::sit(&app, &token, &origin).await
        }
        Err(Refusal::NotFound(_)) => taken(&app, &invitation).await,
        Err(refused) => Err(refused),
    }
}
