//! A player's own page.

use std::time::Duration;

use axum::Form;
use axum::extract::State;
use axum::extract::rejection::FormRejection;
use axum::http::HeaderMap;
use axum::response::{Html, IntoResponse, Redirect, Response};
use richman_core::Player;
use richman_play::Action;
use serde::Deserialize;

use super::fragment::{Shown, Told, fragment};
use super::{Secret, origin};
use crate::hall::Sight;
use crate::pages::{Frame, PageError, in_sentence, page_with};
use crate::refused::Refused;
use crate::setup::Sitter;
use crate::token::Token;
use crate::{App, Shared};

/// How long an answer waits for the computer, so that whoever has no script sees its bid at once.
const PATIENCE: Duration = Duration::from_millis(1500);

/// Seconds after which a page without a script looks again.
const LOOK_AGAIN: u32 = 5;

fn base(token: &Token) -> String {
    format!("/play/{}", token.reveal())
}

/// The page.
pub async fn show(State(app): Shared, Secret(token): Secret, headers: HeaderMap) -> Result<Response, PageError> {
    let sight = app.hall.seat(&token).await?;
    Ok(whole(&sight, &base(&token), &headers, None).into_response())
}

/// The changing part of the page.
pub async fn now(State(app): Shared, Secret(token): Secret, headers: HeaderMap) -> Result<Response, PageError> {
    let sight = app.hall.seat(&token).await?;
    Ok(part(&sight, &base(&token), &headers).into_response())
}

/// Back from an address that only takes forms.
pub async fn back(Secret(token): Secret) -> Redirect {
    Redirect::to(&base(&token))
}

/// The changing part of the page of a match.
pub fn part(sight: &Sight, base: &str, headers: &HeaderMap) -> Html<String> {
    Html(fragment(&Shown::new(sight, base, &origin(headers))).into_string())
}

/// The whole page of a match.
pub fn whole(sight: &Sight, base: &str, headers: &HeaderMap, told: Option<Told>) -> Html<String> {
    let origin = origin(headers);
    let shown = Shown { told, ..Shown::new(sight, base, &origin) };
    let again = (shown.is_waiting() && shown.told.is_none()).then_some(LOOK_AGAIN);
    let frame = Frame { again, wide: true };
    Html(page_with(&shown.headline(), &frame, fragment(&shown)).into_string())
}

/// What a form says that a player does.
#[derive(Deserialize)]
pub struct ActForm {
    step: u32,
    player: Option<String>,
    bid: Option<String>,
    star: Option<String>,
    #[serde(rename = "let")]
    let_other: Option<String>,
    #[serde(rename = "move")]
    moves: Option<String>,
    stay: Option<String>,
    resign: Option<String>,
}

impl ActForm {
    fn player(&self) -> Result<Option<Player>, Refused> {
        match self.player.as_deref() {
            None => Ok(None),
            Some("Alice") => Ok(Some(Player::Alice)),
            Some("Bob") => Ok(Some(Player::Bob)),
            Some(_) => Err(Refused::BadRequest("a player is Alice or Bob".to_string())),
        }
    }

    fn action(&self) -> Result<Action, Refused> {
        if self.resign.is_some() {
            return Ok(Action::Resign);
        }
        if self.let_other.is_some() {
            return Ok(Action::Let);
        }
        if self.stay.is_some() {
            return Ok(Action::Stay);
        }
        match (self.star.as_deref(), &self.moves, &self.bid) {
            (Some("use"), ..) => Ok(Action::UseStar(true)),
            (Some("keep"), ..) => Ok(Action::UseStar(false)),
            (Some(_), ..) => Err(Refused::BadRequest("use the star or keep it".to_string())),
            (None, Some(name), _) => Ok(Action::Move(name.clone())),
            (None, None, Some(bid)) => number(bid).map(Action::Bid),
            (None, None, None) => Err(Refused::BadRequest("choose something to do".to_string())),
        }
    }
}

fn number(text: &str) -> Result<u32, Refused> {
    let text = text.trim();
    let is_number = !text.is_empty() && text.len() <= 9 && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = if is_number { text.parse().ok() } else { None };
    number.ok_or_else(|| Refused::BadRequest("a bid is a whole number of chips, such as 2".to_string()))
}

/// Takes an action.
pub async fn act(
    State(app): Shared,
    Secret(token): Secret,
    headers: HeaderMap,
    form: Result<Form<ActForm>, FormRejection>,
) -> Result<Response, PageError> {
    let typed = form.as_ref().ok().and_then(|Form(form)| form.bid.clone()).filter(|bid| bid.len() <= 9);
    let done = match form {
        Ok(Form(form)) => taken(&app, &token, &form).await,
        Err(error) => Err(Refused::BadRequest(error.body_text())),
    };
    match done {
        Ok(sight) => {
            answered(&app, &sight).await;
            Ok(Redirect::to(&base(&token)).into_response())
        }
        Err(refused) => refuse(&app, &token, &headers, refused, typed).await,
    }
}

async fn taken(app: &App, token: &Token, form: &ActForm) -> Result<Sight, Refused> {
    app.hall.act(token, form.player()?, form.step, form.action()?).await
}

/// The page once more, with what was wrong.
async fn refuse(
    app: &App,
    token: &Token,
    headers: &HeaderMap,
    refused: Refused,
    typed: Option<String>,
) -> Result<Response, PageError> {
    if matches!(refused, Refused::NotFound(_) | Refused::Busy(_) | Refused::Internal(_)) {
        return Err(PageError(refused));
    }
    let sight = app.hall.seat(token).await?;
    let why = match &refused {
        Refused::Conflict(_) => {
            "That was done already, or the match has gone on. This is how it stands now.".to_string()
        }
        other => in_sentence(&other.to_string()),
    };
    let told = Told::Refused(why, typed);
    Ok((refused.status(), whole(&sight, &base(token), headers, Some(told))).into_response())
}

/// Waits a little while it is the computer who has to decide.
async fn answered(app: &App, sight: &Sight) {
    let against_computer = sight.setup.seats.iter().any(|sitter| matches!(sitter, Sitter::Computer(_)));
    if !against_computer || sight.closed().is_some() || sight.deciding().is_some() || sight.trouble.is_some() {
        return;
    }
    let Ok(mut listener) = app.hall.listen(&sight.id).await else { return };
    let wait = async {
        while listener.version.changed().await.is_ok() {
            match app.hall.watch(&sight.id).await {
                Ok(now) if now.trouble.is_none() && now.closed().is_none() && is_computers(&now) => {}
                _ => return,
            }
        }
    };
    let first = app.hall.watch(&sight.id).await;
    if first.is_ok_and(|now| is_computers(&now) && now.closed().is_none()) {
        let _ = tokio::time::timeout(PATIENCE, wait).await;
    }
}

/// Whether a computer has to decide something.
fn is_computers(sight: &Sight) -> bool {
    let is_computer = |player: Player| matches!(sight.setup.seats[player as usize], Sitter::Computer(_));
    sight.waiting_for().any(is_computer)
}

/// What the solution of the game says.
pub async fn hint(State(app): Shared, Secret(token): Secret, headers: HeaderMap) -> Result<Response, PageError> {
    match app.hall.hint(&token).await {
        Ok(hint) => {
            let sight = app.hall.seat(&token).await?;
            Ok(whole(&sight, &base(&token), &headers, Some(Told::Hint(hint))).into_response())
        }
        Err(refused) => refuse(&app, &token, &headers, refused, None).await,
    }
}

/// Asks for a return match.
pub async fn rematch(State(app): Shared, Secret(token): Secret, headers: HeaderMap) -> Result<Response, PageError> {
    match app.hall.rematch(&token).await {
        Ok(_) => Ok(Redirect::to(&base(&token)).into_response()),
        Err(refused) => refuse(&app, &token, &headers, refused, None).await,
    }
}
