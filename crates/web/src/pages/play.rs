//! Playing: the first page, setting up a match, a player's own page, taking a seat by invitation, looking on.

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
use crate::refused::Refused;
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
mod reveal;
mod seat;
mod watch;

/// What else a form with a game file may hold.
const FORM: usize = 64 << 10;

/// The addresses of these pages.
pub fn routes() -> Router<Arc<App>> {
    let largest = DefaultBodyLimit::max(LARGEST_FILE + FORM);
    Router::new()
        .route("/", get(home::show))
        .route("/first", get(first::show).post(first::begin))
        .route("/new", get(new::show).post(create::create).layer(largest))
        .route("/play/{token}", get(seat::show))
        .route("/play/{token}/now", get(seat::now))
        .route("/play/{token}/events", get(events::of_seat))
        .route("/play/{token}/act", post(seat::act).get(seat::back))
        .route("/play/{token}/hint", post(seat::hint).get(seat::back))
        .route("/play/{token}/rematch", post(seat::rematch).get(seat::back))
        .route("/join/{invitation}", get(join::show).post(join::take))
        .route("/watch/{id}", get(watch::show))
        .route("/watch/{id}/now", get(watch::now))
        .route("/watch/{id}/events", get(events::of_match))
        .route("/record/{id}", get(watch::record))
}

/// The secret of a seat, which the address of its page ends with.
struct Secret(Token);

impl FromRequestParts<Arc<App>> for Secret {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Secret, Response> {
        Token::read(&last(parts, app).await?).map(Secret).ok_or_else(no_match)
    }
}

/// The public name of a match in an address.
struct Id(GameId);

impl FromRequestParts<Arc<App>> for Id {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Id, Response> {
        GameId::read(&last(parts, app).await?).map(Id).ok_or_else(no_match)
    }
}

/// The changing part of the address.
async fn last(parts: &mut Parts, app: &Arc<App>) -> Result<String, Response> {
    let path = Path::<String>::from_request_parts(parts, app).await;
    path.map(|Path(text)| text).map_err(IntoResponse::into_response)
}

fn no_match() -> Response {
    PageError(Refused::NotFound("match")).into_response()
}

/// Where the server is, as the browser addressed it; empty if that is unclear. Only for links shown to the one who asked.
fn origin(headers: &HeaderMap) -> String {
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
