//! The first game: a short match against a weak computer, with the coach.

use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};
use richman_core::ByPlayer;

use super::visitor::{self, PageOrigin};
use crate::SharedState;
use crate::hall::Hall;
use crate::pages::page;
use crate::refused::Refusal;
use crate::setup::{MatchSetup, SeatChoice, random_seed};

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

pub async fn begin(State(app): SharedState, origin: PageOrigin) -> Result<Response, Refusal> {
    let created = app.hall.create(setup()?).await?;
    visitor::sit_first(&app, &created, &origin).await
}

/// Finds the computer's knowledge for first games in advance, so that no player waits for it.
pub(crate) async fn prepare(hall: Hall) {
    // If it fails now, it is tried again in the first game.
    if let Ok(setup) = setup() {
        let _ = hall.prepare_first(setup).await;
    }
}

pub(crate) fn setup() -> Result<MatchSetup, Refusal> {
    let seats = ByPlayer::new(SeatChoice::Person, SeatChoice::Computer("beginner".to_string()));
    let holdings = ByPlayer::new(format!("{CHIPS}*"), CHIPS.to_string());
    Ok(MatchSetup { holdings, limit: TURNS, guided: true, ..MatchSetup::new("tic-tac-toe", seats, random_seed()?) })
}
