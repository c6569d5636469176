//! The page of a match, for players and for spectators.

use std::time::Duration;

use axum::Form;
use axum::extract::rejection::FormRejection;
use axum::response::{IntoResponse, Redirect, Response};
use maud::Markup;
use richman_core::Player;
use richman_play::Action;
use serde::Deserialize;

use super::fragment::{Notice, ShownMatch, fragment};
use super::{PageAddress, PageVisitor};
use crate::App;
use crate::hall::MatchView;
use crate::pages::{PageError, PageFrame, WIDE, in_sentence, page_with, whole_number};
use crate::refused::Refusal;
use crate::token::Token;

/// How long an answer waits for the computer: visitors without a script see its bid at once.
const PATIENCE: Duration = Duration::from_millis(1500);

/// Seconds after which a page without a script reloads.
const LOOK_AGAIN: u32 = 5;

pub async fn show<D: PageAddress>(visit: PageVisitor<D>) -> Result<Markup, PageError> {
    Ok(visit.page(&visit.look().await?, None))
}

/// The changing part of the page.
pub async fn now<D: PageAddress>(visit: PageVisitor<D>) -> Result<Markup, PageError> {
    let sight = visit.look().await?;
    Ok(fragment(&ShownMatch::new(&sight, &visit.door.base(), &visit.origin)))
}

/// Redirects from an address that only takes forms.
pub async fn back(visit: PageVisitor<Token>) -> Redirect {
    visit.back()
}

impl<D: PageAddress> PageVisitor<D> {
    fn page(&self, sight: &MatchView, told: Option<Notice>) -> Markup {
        let base = self.door.base();
        let shown = ShownMatch { told, ..ShownMatch::new(sight, &base, &self.origin) };
        let again = (shown.is_waiting() && shown.told.is_none()).then_some(LOOK_AGAIN);
        page_with(&shown.headline(), &PageFrame { again, ..WIDE }, fragment(&shown))
    }

    fn back(&self) -> Redirect {
        Redirect::to(&self.door.base())
    }

    /// The page again, with the error.
    async fn refuse(&self, refused: Refusal, typed: Option<String>) -> Result<Response, PageError> {
        if matches!(refused, Refusal::NotFound(_) | Refusal::Busy(_) | Refusal::Internal(_)) {
            return Err(PageError(refused));
        }
        let why = match &refused {
            Refusal::Conflict(_) => {
                "That was done already, or the match has gone on. This is how it stands now.".to_string()
            }
            other => in_sentence(&other.to_string()),
        };
        let page = self.page(&self.look().await?, Some(Notice::Refused(why, typed)));
        Ok(refused.with_body(page))
    }
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
            _ => refused("choose something to do"),
        }
    }
}

pub async fn act(visit: PageVisitor<Token>, form: Result<Form<ActForm>, FormRejection>) -> Result<Response, PageError> {
    let typed = form.as_ref().ok().and_then(|Form(form)| form.bid.clone()).filter(|bid| bid.len() <= 9);
    let taken = async {
        let Form(form) = form.map_err(|error| Refusal::BadRequest(error.body_text()))?;
        visit.app.hall.act(&visit.door, form.player()?, form.step, form.action()?).await
    };
    match taken.await {
        Ok(sight) => {
            answered(&visit.app, &sight).await;
            Ok(visit.back().into_response())
        }
        Err(refused) => visit.refuse(refused, typed).await,
    }
}

/// Waits briefly if the computer has to decide.
async fn answered(app: &App, sight: &MatchView) {
    /// Whether the match waits for a working computer.
    fn is_waited_for(now: &MatchView) -> bool {
        now.trouble.is_none() && now.waiting_for().any(|player| now.setup.seats[player].is_computer())
    }
    if sight.deciding().is_some() || !is_waited_for(sight) {
        return;
    }
    let Ok(mut listener) = app.hall.listen(&sight.id, sight.viewer()).await else { return };
    let wait = async {
        while app.hall.watch(&sight.id).await.is_ok_and(|now| is_waited_for(&now)) {
            let seen = *listener.version.borrow();
            if listener.changed(Some(seen)).await.is_none() {
                return;
            }
        }
    };
    let _ = tokio::time::timeout(PATIENCE, wait).await;
}

/// The hint from the game's solution.
pub async fn hint(visit: PageVisitor<Token>) -> Result<Response, PageError> {
    match visit.app.hall.hint(&visit.door).await {
        Ok(hint) => Ok(visit.page(&visit.look().await?, Some(Notice::Hint(hint))).into_response()),
        Err(refused) => visit.refuse(refused, None).await,
    }
}

/// Asks for a return match.
pub async fn rematch(visit: PageVisitor<Token>) -> Result<Response, PageError> {
    match visit.app.hall.rematch(&visit.door).await {
        Ok(_) => Ok(visit.back().into_response()),
        Err(refused) => visit.refuse(refused, None).await,
    }
}
