//! Explore: any position of any game with its value, the chip table and the tree of optimal moves.
//!
//! The address holds the question, so every view is a link to share. The numbers are the command
//! line's reports, each with its command.
//!
//! Every answer is made by one job at the desk, from reading the question to the last byte, and
//! cached as bytes. It depends on the address alone, never on the visitor.

mod answer;
mod asked;
mod best;
mod board;
mod cells;
mod chip_table;
mod command;
mod files;
mod form;
mod job;
pub(super) mod number;
mod page;
mod picture;
mod question;
mod setup;
pub(super) mod worth;

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, FromRequestParts};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use richman_core::{ByPlayer, Holding, Mechanism};
use richman_hall::refused::Refusal;
use richman_hall::token::GameId;

use self::asked::ExploreFields;
pub(super) use self::files::{kept as kept_file, read as read_form};
use self::job::{ExploreJob, ExploreOutput};
use super::finished::FinishedPage;
use super::needs::AnswerKind;
use super::remedies::worded;
use super::{SVG, typed};
use crate::Pages;
use crate::extract::QueryString;

/// The routes of these pages.
pub fn routes() -> Router<Arc<Pages>> {
    let output = |output: ExploreOutput| get(async move |visit: ExploreRequest| visit.answer(output).await);
    Router::new()
        .route("/explore", get(show))
        .route("/explore/file", post(files::upload).layer(DefaultBodyLimit::max(2 * files::LARGEST)))
        .route("/explore/solve.json", output(ExploreOutput::SolveJson))
        .route("/explore/solve.csv", output(ExploreOutput::SolveCsv))
        .route("/explore/table.json", output(ExploreOutput::TableJson))
        .route("/explore/table.csv", output(ExploreOutput::TableCsv))
        .route("/explore/figure.svg", output(ExploreOutput::FigureSvg))
        .route("/explore/tree.svg", get(tree_svg))
        .route("/explore/tree.json", output(ExploreOutput::TreeJson))
        .route("/embed", output(ExploreOutput::Frame))
}

/// A request with the fields of its address.
struct ExploreRequest {
    app: Arc<Pages>,
    asked: ExploreFields,
}

impl FromRequestParts<Arc<Pages>> for ExploreRequest {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<Pages>) -> Result<ExploreRequest, Refusal> {
        let QueryString(asked) = QueryString::<ExploreFields>::from_request_parts(parts, app).await?;
        asked.check_lengths()?;
        Ok(ExploreRequest { app: Arc::clone(app), asked })
    }
}

impl ExploreRequest {
    /// The key of an output among the answers.
    fn key(&self, output: ExploreOutput) -> String {
        format!("{output:?} {}", self.asked.key_without(&[]))
    }

    /// The finished output, cached or made at the desk.
    async fn finished(&self, output: ExploreOutput) -> Result<Arc<FinishedPage>, Refusal> {
        let make = async {
            let file = match self.asked.file.as_str() {
                "" => None,
                id => Some(files::text(&self.app, id).await?),
            };
            let (app, asked) = (Arc::clone(&self.app), self.asked.clone());
            let make = move |deadline: &_| {
                ExploreJob { app: &app, asked: asked.clone(), file: file.clone(), deadline }.make(output)
            };
            self.app.desk.run(output.time(), make).await.map(Arc::new)
        };
        self.app.answers.answer(AnswerKind::Explore, self.key(output), Box::pin(make)).await
    }

    /// The whole page, if it is cached or the visitor waits for it; else what can be shown at once.
    async fn page(&self, waits: bool) -> Result<Arc<FinishedPage>, Refusal> {
        match self.app.answers.cached(AnswerKind::Explore, &self.key(ExploreOutput::Whole)) {
            Some(page) => Ok(page),
            None if waits => self.finished(ExploreOutput::Whole).await,
            None => self.finished(ExploreOutput::Page).await,
        }
    }

    async fn answer(&self, output: ExploreOutput) -> Result<Response, Refusal> {
        Ok(self.finished(output).await?.into_response())
    }
}

async fn show(mut visit: ExploreRequest) -> Response {
    if !visit.asked.was.is_empty() || !visit.asked.put.is_empty() {
        let tidied = visit.asked.tidied();
        // Whoever sets a board up stays at the board.
        let place = if tidied.setup.is_empty() { "" } else { "#setup" };
        return Redirect::to(&(tidied.link("/explore") + place)).into_response();
    }
    let waits = !std::mem::take(&mut visit.asked.whole).is_empty();
    match visit.page(waits).await {
        Ok(page) => page.into_response(),
        Err(error) => error.with_body(page::refused(visit.app.games(), &visit.asked, &error)),
    }
}

async fn tree_svg(visit: Result<ExploreRequest, Refusal>) -> Response {
    let tree = async { visit?.finished(ExploreOutput::TreeSvg).await };
    match tree.await {
        Ok(tree) => tree.into_response(),
        // The page expects a picture.
        Err(error) => error.with_body(typed(SVG, picture::sentence(&worded(&error)))),
    }
}

/// The link to a position with both holdings; `file` names a kept game file.
pub(super) fn link_to(
    game: &str,
    file: Option<&GameId>,
    position: &str,
    hands: ByPlayer<Holding>,
    mechanism: &Mechanism,
) -> String {
    let (words, usual) = (mechanism.words(), Mechanism::default().words());
    let [payment, ties, bidding, right, bids] =
        std::array::from_fn(|at| if words[at] == usual[at] { String::new() } else { words[at].clone() });
    let ByPlayer { alice, bob } = hands.map(|holding| holding.to_string());
    let asked = ExploreFields {
        game: if file.is_some() { String::new() } else { game.to_string() },
        file: file.map(GameId::to_string).unwrap_or_default(),
        position: position.to_string(),
        alice,
        bob,
        // Scoring games have another default.
        preset: "develin-payne".to_string(),
        payment,
        ties,
        bidding,
        right,
        bids,
        ..ExploreFields::default()
    };
    asked.link("/explore")
}
