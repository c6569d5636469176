//! The page of a match, for players and for spectators.

use std::sync::Arc;
use std::time::Duration;

use axum::Form;
use axum::extract::rejection::FormRejection;
use axum::http::HeaderName;
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse, Redirect, Response};
use maud::Markup;
use richman_core::Player;
use richman_hall::MatchView;
use richman_hall::refused::Refusal;
use richman_play::Action;
use serde::Deserialize;

use super::about;
use super::fragment::{Notice, ShownMatch, fragment};
use super::visitor::{MatchVisitor, VisitedMatch};
use crate::Pages;
use crate::finished::FinishedPage;
use crate::{HTML, PageFrame, in_sentence, page_with, whole_number};

/// The time for which an answer waits for the computer, so that visitors without a script see its
/// bid at once.
const PATIENCE: Duration = Duration::from_millis(1500);

/// Seconds after which a page without a script reloads.
const LOOK_AGAIN: u32 = 5;

pub async fn show(visit: MatchVisitor) -> Result<Response, Refusal> {
    let VisitedMatch { viewed, link, moved } = visit.look().await?;
    if let Some(cookie) = moved {
        return Ok((cookie, Redirect::to(&link.page())).into_response());
    }
    let (origin, turn) = (visit.origin, visit.turn);
    let form = format!("page {turn:?} {link:?} {origin:?}");
    let write = move |app: &Pages, viewed: &MatchView| {
        let shown = ShownMatch::new(viewed, &link, &origin).at(turn);
        Ok(FinishedPage::secret(HTML, page(app, &shown).into_string()))
    };
    Ok(visit.app.written(viewed, form, write).await?.into_response())
}

/// Headers for the script's requests: if a script fetches an answer with "no-store", Chromium does
/// not keep its page for a returning visitor. The script itself requests no storing.
pub const UNSTORED: [(HeaderName, &str); 1] = [(CACHE_CONTROL, "private, no-cache")];

/// The changing part of the page.
pub async fn now(visit: MatchVisitor) -> Result<Response, Refusal> {
    let VisitedMatch { viewed, link, moved } = visit.look().await?;
    let (origin, turn) = (visit.origin, visit.turn);
    let form = format!("now {turn:?} {link:?} {origin:?}");
    let write = move |_: &Pages, viewed: &MatchView| {
        let shown = ShownMatch::new(viewed, &link, &origin).at(turn);
        Ok(FinishedPage::secret(HTML, fragment(&shown).into_string()))
    };
    Ok((moved, UNSTORED, &*visit.app.written(viewed, form, write).await?).into_response())
}

/// The answer to GET at an address for forms: the changing part for the script, otherwise a
/// redirect to the page.
pub async fn back(visit: MatchVisitor) -> Result<Response, Refusal> {
    if visit.by_script {
        return now(visit).await;
    }
    let VisitedMatch { link, moved, .. } = visit.look().await?;
    Ok((moved, Redirect::to(&link.page())).into_response())
}

fn page(app: &Pages, shown: &ShownMatch) -> Markup {
    let again = (shown.is_waiting() && shown.told.is_none()).then_some(LOOK_AGAIN);
    let viewed = shown.viewed;
    let position = viewed.walk().notation();
    let board = viewed.setup.file.is_none().then_some((viewed.setup.game.as_str(), position.as_str()));
    let link = app.shared_link(&shown.link.base, board);
    let about = format!("A match of {}, in which both players bid for every move.", about::titled(viewed));
    let frame = PageFrame {
        again,
        layout: Some("wide playing"),
        about: Some(&about),
        link: link.as_ref(),
        ..PageFrame::default()
    };
    page_with(&shown.headline(), &frame, fragment(shown))
}

/// The page again, with a notice.
async fn told(visit: &MatchVisitor, notice: Notice) -> Result<Response, Refusal> {
    let VisitedMatch { viewed, link, moved } = visit.look().await?;
    let (app, origin) = (Arc::clone(&visit.app), visit.origin.clone());
    let write = move |viewed: &MatchView| {
        page(&app, &ShownMatch { told: Some(notice), ..ShownMatch::new(viewed, &link, &origin) })
    };
    let unstored = visit.by_script.then_some(UNSTORED);
    Ok((moved, unstored, visit.app.written_once(viewed, write).await?).into_response())
}

/// The page again, with the error.
async fn refuse(visit: &MatchVisitor, refused: Refusal, typed: Option<String>) -> Result<Response, Refusal> {
    if matches!(refused, Refusal::NotFound(_) | Refusal::Busy(_) | Refusal::Internal(_)) {
        return Err(refused);
    }
    let why = match &refused {
        Refusal::Conflict(_) => {
            "That was done already, or the match has gone on. This is how it stands now.".to_string()
        }
        other => in_sentence(&other.to_string()),
    };
    Ok(refused.with_body(told(visit, Notice::Refused(why, typed)).await?))
}

/// A form with an action.
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
    fn player(&self) -> Result<Option<Player>, Refusal> {
        let Some(name) = &self.player else { return Ok(None) };
        let found = Player::BOTH.into_iter().find(|player| player.to_string() == *name);
        found.map(Some).ok_or_else(|| Refusal::BadRequest("a player is Alice or Bob".to_string()))
    }

    fn action(&self) -> Result<Action, Refusal> {
        let refused = |reason: &str| Err(Refusal::BadRequest(reason.to_string()));
        match self {
            ActForm { resign: Some(_), .. } => Ok(Action::Resign),
            ActForm { let_other: Some(_), .. } => Ok(Action::Let),
            ActForm { stay: Some(_), .. } => Ok(Action::Stay),
            ActForm { star: Some(star), .. } => match star.as_str() {
                "use" => Ok(Action::UseStar(true)),
                "keep" => Ok(Action::UseStar(false)),
                _ => refused("use the star or keep it"),
            },
            ActForm { moves: Some(name), .. } => Ok(Action::Move(name.clone())),
            ActForm { bid: Some(bid), .. } => match whole_number(bid.trim()) {
                Some(bid) => Ok(Action::Bid(bid)),
                None => refused("a bid is a whole number of chips, such as 2"),
            },
            _ => refused("choose a bid or a move"),
        }
    }
}

pub async fn act(visit: MatchVisitor, form: Result<Form<ActForm>, FormRejection>) -> Result<Response, Refusal> {
    let typed = form.as_ref().ok().and_then(|Form(form)| form.bid.clone()).filter(|bid| bid.len() <= 9);
    let taken = async {
        let Form(form) = form.map_err(|error| Refusal::BadRequest(error.body_text()))?;
        let (token, hall) = (visit.token().await?, &visit.app.hall);
        hall.check_pace(token)?;
        let viewed = hall.act(token, form.player()?, form.step, form.action()?).await?;
        hall.note_pace(token);
        Ok(viewed)
    };
    match taken.await {
        Ok(viewed) => {
            answered(&visit.app, &viewed).await;
            back(visit).await
        }
        Err(refused) => refuse(&visit, refused, typed).await,
    }
}

/// Waits briefly if the computer has to decide.
async fn answered(app: &Pages, viewed: &MatchView) {
    if viewed.deciding().is_none() && viewed.waits_for_computer() {
        app.hall.computer_acted(viewed, PATIENCE).await;
    }
}

/// The hint from the game's solution.
pub async fn hint(visit: MatchVisitor) -> Result<Response, Refusal> {
    let found = async { visit.app.hall.hint(visit.token().await?).await };
    match found.await {
        Ok(hint) => told(&visit, Notice::Hint(hint)).await,
        Err(refused) => refuse(&visit, refused, None).await,
    }
}

/// Asks for a return match.
pub async fn rematch(visit: MatchVisitor) -> Result<Response, Refusal> {
    let asked = async {
        let (token, hall) = (visit.token().await?, &visit.app.hall);
        hall.check_pace(token)?;
        hall.rematch(token).await?;
        hall.note_pace(token);
        Ok(())
    };
    match asked.await {
        Ok(()) => back(visit).await,
        Err(refused) => refuse(&visit, refused, None).await,
    }
}
