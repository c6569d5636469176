//! A seat on another device, by a link with its secret. Opening the link takes the seat; the
//! earlier browser keeps it too.

use axum::extract::{Path, State};
use axum::response::{Redirect, Response};
use maud::{Markup, html};
use richman_hall::refused::Refusal;
use richman_hall::token::Token;

use super::about;
use super::visitor::{self, MatchVisitor, PageOrigin};
use crate::SharedPages;
use crate::extract::NamedMatch;
use crate::page;

/// The link, which only a holder of the seat gets.
pub async fn show(visit: MatchVisitor) -> Result<Markup, Refusal> {
    let token = visit.token().await?;
    let link = format!("{}/play/{}", visit.origin.text, token.reveal());
    let content = html! {
        h1 { "Play on another device" }
        p { "Open this link there. Whoever opens it plays for you, so show it to nobody else." }
        label for="seat" { "The link of your seat" }
        (about::to_copy("seat", &link))
        @if visit.origin.is_local { (about::local_only()) }
        p { "This browser keeps the seat too: both show the match as it goes on." }
        p { a class="button quiet" href=(visit.look().await?.link.page()) { "Back to the match" } }
    };
    Ok(page("Play on another device", content))
}

/// Takes a seat by its secret.
pub async fn sit(State(app): SharedPages, origin: PageOrigin, Path(token): Path<String>) -> Result<Response, Refusal> {
    let token = Token::read(&token).ok_or(Refusal::NotFound("match"))?;
    visitor::sit(&app, &token, &origin).await
}

/// Takes a seat by a link to one of its pages.
pub async fn sit_from(
    app: SharedPages,
    origin: PageOrigin,
    Path((token, _)): Path<(String, String)>,
) -> Result<Response, Refusal> {
    sit(app, origin, Path(token)).await
}

/// Goes to the page of a match.
pub async fn watch(NamedMatch(id): NamedMatch) -> Redirect {
    Redirect::to(&visitor::address(&id))
}
