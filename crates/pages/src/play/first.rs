//! The first game: a short match against a weak computer, with the coach.

use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};
use richman_core::ByPlayer;
use richman_hall::refused::Refusal;
use richman_hall::setup::{MatchSetup, SeatChoice, random_seed};

use super::visitor::{self, PageOrigin};
use crate::SharedPages;
use crate::page;

/// Enough chips to save some, few enough for mental arithmetic.
const CHIPS: u32 = 8;
/// Tic-tac-toe ends after nine.
const TURNS: u32 = 20;

pub async fn show() -> Markup {
    let content = html! {
        h1 { "Your first game" }
        p class="lead" {
            "You play tic-tac-toe against a weak computer, with a coach at your side. It takes about three minutes."
        }
        p {
            "Before every move you bid some of your " (CHIPS) " chips. The coach explains each step as it comes, so \
             you can start right away."
        }
        form method="post" action="/first" { button class="button big" { "Start" } }
    };
    page("Your first game", content)
}

pub async fn begin(State(app): SharedPages, origin: PageOrigin) -> Result<Response, Refusal> {
    let created = app.hall.create(setup()?).await?;
    visitor::sit_first(&app, &created, &origin).await
}

/// The setup of first games.
///
/// # Errors
/// [`Refusal::Busy`] if the system has no random numbers.
pub fn setup() -> Result<MatchSetup, Refusal> {
    let seats = ByPlayer::new(SeatChoice::Person, SeatChoice::Computer("beginner".to_string()));
    let holdings = ByPlayer::new(format!("{CHIPS}*"), CHIPS.to_string());
    Ok(MatchSetup { holdings, limit: TURNS, guided: true, ..MatchSetup::new("tic-tac-toe", seats, random_seed()?) })
}
