//! Playing: the first page, setting up a match, playing it, taking a seat by invitation, watching.

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, FromRequestParts, Path};
use axum::http::HeaderMap;
use axum::http::header::HOST;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use super::PageError;
use crate::App;
use crate::hall::{Hall, MatchView};
use crate::refused::Refusal;
use crate::setup::LARGEST_FILE;
use crate::token::{GameId, Token};

mod about;
mod coach;
mod create;
mod decide;
mod events;
mod first;
mod fragment;
mod holdings;
mod home;
mod join;
mod new;
mod record;
mod reveal;
mod seat;

pub(crate) use first::prepare;

/// The most bytes of a form besides its game file.
const FORM: usize = 64 << 10;

/// The routes of these pages.
pub fn routes() -> Router<Arc<App>> {
    let largest = DefaultBodyLimit::max(LARGEST_FILE + FORM);
    Router::new()
        .route("/", get(home::show))
        .route("/first", get(first::show).post(first::begin))
        .route("/new", get(new::show).post(create::create).layer(largest))
        .route("/play/{token}", get(seat::show::<Token>))
        .route("/play/{token}/now", get(seat::now::<Token>))
        .route("/play/{token}/events", get(events::events::<Token>))
        .route("/play/{token}/act", post(seat::act).get(seat::back))
        .route("/play/{token}/hint", post(seat::hint).get(seat::back))
        .route("/play/{token}/rematch", post(seat::rematch).get(seat::back))
        .route("/join/{invitation}", get(join::show).post(join::take))
        .route("/watch/{id}", get(seat::show::<GameId>))
        .route("/watch/{id}/now", get(seat::now::<GameId>))
        .route("/watch/{id}/events", get(events::events::<GameId>))
        .route("/record/{id}", get(record::record))
}

/// The key in a match page's address: the secret of a seat, or the public name of the match.
trait PageAddress: Sized + Send + Sync {
    /// `None` if the key is malformed.
    fn read(text: &str) -> Option<Self>;

    fn base(&self) -> String;

    /// The match as the key's holder may see it.
    fn look(&self, hall: &Hall) -> impl Future<Output = Result<MatchView, Refusal>> + Send;
}

impl PageAddress for Token {
    fn read(text: &str) -> Option<Token> {
        Token::read(text)
    }

    fn base(&self) -> String {
        format!("/play/{}", self.reveal())
    }

    async fn look(&self, hall: &Hall) -> Result<MatchView, Refusal> {
        hall.seat(self).await
    }
}

impl PageAddress for GameId {
    fn read(text: &str) -> Option<GameId> {
        GameId::read(text)
    }

    fn base(&self) -> String {
        format!("/watch/{self}")
    }

    async fn look(&self, hall: &Hall) -> Result<MatchView, Refusal> {
        hall.watch(self).await
    }
}

/// A request to a page of a match.
struct PageVisitor<D> {
    app: Arc<App>,
    door: D,
    /// The origin that the browser used, for links shown to this visitor; empty if unclear.
    origin: String,
}

impl<D: PageAddress> FromRequestParts<Arc<App>> for PageVisitor<D> {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<PageVisitor<D>, Response> {
        let path = Path::<String>::from_request_parts(parts, app).await.map_err(IntoResponse::into_response)?;
        let door = D::read(&path).ok_or_else(|| PageError(Refusal::NotFound("match")).into_response())?;
        Ok(PageVisitor { app: Arc::clone(app), door, origin: origin(&parts.headers) })
    }
}

impl<D: PageAddress> PageVisitor<D> {
    async fn look(&self) -> Result<MatchView, Refusal> {
        self.door.look(&self.app.hall).await
    }
}

/// The origin that the browser used; empty if unclear.
pub(crate) fn origin(headers: &HeaderMap) -> String {
    let of = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let is_host = |host: &&str| {
        host.len() <= 255 && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte))
    };
    let scheme = if of("x-forwarded-proto") == Some("https") { "https" } else { "http" };
    match of(HOST.as_str()).filter(is_host) {
        Some(host) => format!("{scheme}://{host}"),
        None => String::new(),
    }
}
