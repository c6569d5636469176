//! Checks for every request: size and time limits, origin, response headers.
//!
//! - A request that changes something must come from a page of this server, or from no page, so
//!   that other sites cannot act here.
//! - A server for one machine answers only to that machine's names, so that another site whose name
//!   resolves here (DNS rebinding) reads nothing.
//! - Bodies, concurrent requests and the time for each are limited. A panic is answered with an
//!   error that tells nothing.
//! - An event for every answer has the pattern of the address, never the address, because addresses
//!   hold tokens. Another event has the cause of a failure.

mod headers;
mod origin;

use std::borrow::Cow;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{DefaultBodyLimit, MatchedPath, Request, State};
use axum::http::header::CONTENT_LENGTH;
use axum::http::{Method, StatusCode};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use maud::html;
use tokio::sync::Semaphore;
use tower_http::limit::RequestBodyLimitLayer;

use crate::api::ApiError;
use crate::pages::page;
use crate::refused::FailureCause;
pub use origin::HostNames;

/// The most bytes of a body, unless an address takes more.
pub const SMALL: usize = 64 << 10;
/// The most bytes of any body: a game file, a record and their form.
pub const LARGE: usize = 3 << 20;

/// The limits.
#[derive(Debug, Clone)]
pub struct Guard {
    /// The names of the server.
    pub hosts: HostNames,
    /// The time limit until the answer begins.
    pub time: Duration,
    requests: Arc<Semaphore>,
    large: Arc<Semaphore>,
}

impl Default for Guard {
    fn default() -> Guard {
        Guard::new(HostNames::Any)
    }
}

impl Guard {
    /// The default limits for a server with these names.
    pub fn new(hosts: HostNames) -> Guard {
        /// The most concurrent requests, including those that wait for a change of a match.
        const REQUESTS: usize = 16 << 10;
        /// Of them, the most with a large body.
        const LARGE_ONES: usize = 32;
        Guard {
            hosts,
            time: Duration::from_secs(60),
            requests: Arc::new(Semaphore::new(REQUESTS)),
            large: Arc::new(Semaphore::new(LARGE_ONES)),
        }
    }

    async fn pass(&self, request: Request, next: Next) -> Result<Response, ApiError> {
        let headers = request.headers();
        if !self.hosts.know(headers) {
            return Err(WRONG_HOST);
        }
        let changes = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
        if changes && !origin::is_own(headers) {
            return Err(OTHER_SITE);
        }
        let length = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
        if length.is_some_and(|length| length > LARGE as u64) {
            return Err(TOO_LARGE);
        }
        let _one = self.requests.try_acquire().map_err(|_| BUSY)?;
        // A body without a declared length must be small.
        let is_large = length.is_some_and(|length| length > SMALL as u64);
        let _large = if is_large { Some(self.large.try_acquire().map_err(|_| BUSY)?) } else { None };
        let answered = tokio::time::timeout(self.time, AssertUnwindSafe(next.run(request)).catch_unwind()).await;
        answered.map_err(|_| TOO_SLOW)?.map_err(|_| panicked())
    }
}

/// The routes within the limits.
pub fn guarded(routes: Router, guard: Guard) -> Router {
    routes
        .layer(DefaultBodyLimit::max(SMALL))
        .layer(RequestBodyLimitLayer::new(LARGE))
        .layer(from_fn_with_state(Arc::new(guard), check))
        .layer(from_fn(logged))
}

/// The answer to a request that is rejected before it is handled, as JSON or as a page.
fn refusal(stopped: ApiError, path: &str) -> Response {
    if path == "/api" || path.starts_with("/api/") {
        return stopped.into_response();
    }
    let content = html! {
        h1 { "That did not work" }
        p role="alert" { (stopped.message) }
        p { a href="/" { "To the first page" } }
    };
    FailureCause::carried(stopped.cause, (stopped.status, page("Not done", content)).into_response())
}

const WRONG_HOST: ApiError = ApiError::fixed(
    StatusCode::MISDIRECTED_REQUEST,
    "wrong-host",
    "this server does not answer to that name: open it under the address that it printed, or start it with \
     --host NAME",
);
const OTHER_SITE: ApiError = ApiError::fixed(
    StatusCode::FORBIDDEN,
    "cross-site",
    "this request comes from a page of another site: do it from a page of this one",
);
const BUSY: ApiError =
    ApiError::fixed(StatusCode::SERVICE_UNAVAILABLE, "busy", "too much is asked at once: try again in a moment");
const TOO_SLOW: ApiError =
    ApiError::fixed(StatusCode::REQUEST_TIMEOUT, "out-of-time", "this took too long: try again later");
const TOO_LARGE: ApiError =
    ApiError::fixed(StatusCode::PAYLOAD_TOO_LARGE, "too-large", "the request is larger than this server accepts");
const BROKEN: ApiError = ApiError::fixed(
    StatusCode::INTERNAL_SERVER_ERROR,
    "internal",
    "something went wrong here; nothing that was answered before is lost",
);

/// After a panic, which is reported when it happens.
fn panicked() -> ApiError {
    let mut broken = BROKEN;
    broken.cause = Some(FailureCause(Cow::Borrowed("a panic")));
    broken
}

async fn check(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let path = request.uri().path().to_string();
    let mut response = match guard.pass(request, next).await {
        Ok(response) => response,
        Err(stopped) => refusal(stopped, &path),
    };
    headers::add(&path, &mut response);
    response
}

/// Tells the log of every answer, and of the cause of a failure.
async fn logged(matched: Option<MatchedPath>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let method = known(request.method().as_str());
    let response = next.run(request).await;
    let page = matched.as_ref().map_or("-", MatchedPath::as_str);
    let (status, milliseconds) = (response.status().as_u16(), begun.elapsed().as_millis() as u64);
    tracing::info!(%method, %page, status, milliseconds, "answered");
    if let Some(FailureCause(cause)) = response.extensions().get() {
        tracing::error!(%method, %page, status, %cause, "failed");
    }
    response
}

/// The name of a standard method; others are not repeated.
fn known(method: &str) -> &'static str {
    const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
    METHODS.into_iter().find(|known| *known == method).unwrap_or("-")
}

#[cfg(test)]
mod tests;
