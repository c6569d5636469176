//! Checks for every request: size and time limits, origin, response headers.
//!
//! - A request that changes something must come from a page of this server, or from no page, so
//!   that other sites cannot act here. Requests that store nothing may be open to them, without
//!   credentials.
//! - A server for one machine answers only to that machine's names, so that another site whose name
//!   resolves here (DNS rebinding) reads nothing.
//! - Bodies, concurrent requests and the time for each are limited, and clients have fair shares of
//!   them. A panic is answered with an error that tells nothing.
//! - An event for every answer has the pattern of the address, never the address, because addresses
//!   hold tokens. Another event has the cause of a failure.

mod answer;
mod body;
mod headers;
mod origin;
mod sites;

use std::future::pending;
use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{DefaultBodyLimit, MatchedPath, Request, State};
use axum::http::header::{CONTENT_ENCODING, CONTENT_LENGTH};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use richman_hall::refused::{FailureCause, Refusal};
use richman_pages::base::BasePath;
use richman_pages::packed;
use tokio::time::timeout;
use tower_http::limit::RequestBodyLimitLayer;

use crate::client::{Client, TrustedProxies};
use crate::fair::FairTicket;
use crate::quotas::{Quotas, Shares};

use crate::{App, api};
pub use origin::HostNames;

/// The most bytes of a body, unless an address takes more.
pub const SMALL: usize = 64 << 10;
/// The most bytes of any body: a game file, a record and their form.
pub const LARGE: usize = 3 << 20;

/// The address from which a connection comes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PeerAddress(pub(crate) IpAddr);

/// The limits.
#[derive(Clone)]
pub struct Guard {
    /// The names of the server.
    pub hosts: HostNames,
    /// The time limit until the answer begins.
    pub time: Duration,
    /// The time limit until the body has arrived.
    pub arrival: Duration,
    /// The proxies trusted about clients.
    pub proxies: TrustedProxies,
    /// Whether pages of other sites may send requests that store nothing.
    pub other_sites: bool,
    /// The path above all addresses.
    pub base: BasePath,
    shares: Arc<Shares>,
}

richman_core::debug_by_name!(Guard {});

impl Default for Guard {
    fn default() -> Guard {
        Guard::new(HostNames::Any, TrustedProxies::default(), Arc::new(Shares::new(&Quotas::default())))
    }
}

impl Guard {
    /// The limits of a server with these names and proxies.
    pub(crate) fn new(hosts: HostNames, proxies: TrustedProxies, shares: Arc<Shares>) -> Guard {
        let time = Duration::from_secs(60);
        Guard { hosts, time, arrival: body::ARRIVAL, proxies, other_sites: false, base: BasePath::default(), shares }
    }

    async fn pass(&self, request: Request, next: Next) -> Result<Response, Refusal> {
        let headers = request.headers();
        if !self.hosts.know(headers) {
            return Err(WRONG_HOST);
        }
        let changes = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
        if changes && !self.is_open(&request) && !origin::is_own(headers) {
            return Err(OTHER_SITE);
        }
        let coding = headers.get(CONTENT_ENCODING).map(HeaderValue::as_bytes);
        if coding.is_some_and(|coding| !coding.eq_ignore_ascii_case(b"identity")) {
            return Err(COMPRESSED);
        }
        let client = self.client(&request)?;
        let length = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
        if length.is_some_and(|length| length > LARGE as u64) {
            return Err(TOO_LARGE);
        }
        let mut tickets = vec![self.shares.requests.take(client, 1).ok_or(BUSY)?];
        if let Some(size) = body::counted(&request) {
            tickets.push(self.shares.bodies.take(client, size).ok_or(BUSY)?);
        }
        let (request, arrival) = body::watched(request);
        let late = async {
            if timeout(self.arrival, arrival).await.is_ok() {
                pending::<()>().await; // it has arrived
            }
        };
        let answer = client.scope(AssertUnwindSafe(next.run(request)).catch_unwind());
        tokio::select! {
            // A panic is reported when it happens.
            answered = timeout(self.time, answer) => answered
                .map_err(|_| TOO_SLOW)?
                .map_err(|_| Refusal::internal(std::io::Error::other("a panic"))),
            () = late => Err(TOO_SLOW),
            () = FairTicket::one_lost(&tickets) => Err(BUSY),
        }
    }

    /// Whether pages of other sites may send the request and read its answer.
    fn is_open(&self, request: &Request) -> bool {
        self.other_sites && sites::is_stateless(request.method(), request.uri())
    }

    /// The client of the request.
    fn client(&self, request: &Request) -> Result<Client, Refusal> {
        match request.extensions().get() {
            Some(PeerAddress(peer)) => self.proxies.client(*peer, request.headers()).map_err(|_| MALFORMED_FORWARDING),
            None => Ok(Client::SERVER),
        }
    }
}

/// The routes within the limits, below the base.
pub(crate) fn guarded(routes: Router, guard: Guard, app: Arc<App>) -> Router {
    let base = guard.base.clone();
    let routes = routes
        .layer(DefaultBodyLimit::max(SMALL))
        .layer(RequestBodyLimitLayer::new(LARGE))
        .layer(from_fn_with_state(Arc::new(guard), check))
        .layer(from_fn_with_state(app, logged));
    if base.as_str().is_empty() {
        return routes;
    }
    // Around all routes, as a route is chosen by the address in the site.
    Router::new().fallback_service(routes).layer(from_fn_with_state(base, enter))
}

/// Takes the base off the address of a request.
async fn enter(State(base): State<BasePath>, request: Request, next: Next) -> Response {
    match base.enter(request) {
        Ok(request) => next.run(request).await,
        Err(elsewhere) => elsewhere.into_response(),
    }
}

/// The answer to a refused request, as JSON or as a page.
fn shown(refusal: &Refusal, path: &str) -> Response {
    let is_of_program = path == "/api" || path.starts_with("/api/");
    if is_of_program { api::refused(refusal) } else { richman_pages::refused(refusal) }
}

const WRONG_HOST: Refusal = Refusal::unhandled(
    StatusCode::MISDIRECTED_REQUEST,
    "wrong-host",
    "this server does not answer to that name: open it under the address that it printed, or start it with \
     --host NAME",
);
const OTHER_SITE: Refusal = Refusal::unhandled(
    StatusCode::FORBIDDEN,
    "cross-site",
    "this request comes from a page of another site: do it from a page of this one",
);
const COMPRESSED: Refusal = Refusal::unhandled(
    StatusCode::UNSUPPORTED_MEDIA_TYPE,
    "content-encoding",
    "the body is compressed, which this server does not take: send it as it is, without the header Content-Encoding",
);
const MALFORMED_FORWARDING: Refusal = Refusal::unhandled(
    StatusCode::BAD_REQUEST,
    "bad-request",
    "the proxy's header X-Forwarded-For is not a list of addresses: let the proxy write it",
);
const BUSY: Refusal =
    Refusal::unhandled(StatusCode::SERVICE_UNAVAILABLE, "busy", "too many requests at once: try again in a moment");
const UNREAD: Refusal = Refusal::unhandled(
    StatusCode::SERVICE_UNAVAILABLE,
    "busy",
    "too many large answers to your address are not read yet: read them, then ask again",
);
const TOO_SLOW: Refusal =
    Refusal::unhandled(StatusCode::REQUEST_TIMEOUT, "out-of-time", "this took too long: try again later");
const TOO_LARGE: Refusal =
    Refusal::unhandled(StatusCode::PAYLOAD_TOO_LARGE, "too-large", "the request is larger than this server accepts");

async fn check(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let path = request.uri().path().to_string();
    let takes_gzip = packed::is_accepted(request.headers());
    let (is_options, is_open) = (request.method() == Method::OPTIONS, guard.is_open(&request));
    let client = guard.client(&request).unwrap_or(Client::SERVER); // `pass` refuses an unreadable one
    let mut response = match guard.pass(request, next).await {
        Ok(response) if is_options => sites::options(response, is_open),
        Ok(response) => response,
        Err(refused) => refused.into_response(),
    };
    if let Some(refused) = response.extensions_mut().remove() {
        response = shown(&refused, &path);
    }
    response = guard.base.leave(response).await;
    packed::unwrap(&mut response, takes_gzip);
    let answers = &guard.shares.answers;
    let mut response = answer::counted(response, client, answers).unwrap_or_else(|| shown(&UNREAD, &path));
    headers::add(&mut response);
    if is_open {
        sites::open(response.headers_mut());
    }
    response
}

/// Logs and counts every answer, with the cause of a failure. The answer carries its number in the
/// log.
async fn logged(State(app): State<Arc<App>>, matched: Option<MatchedPath>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let method = known(request.method().as_str());
    let number = request_number();
    let mut response = next.run(request).await;
    let page = matched.as_ref().map_or("-", MatchedPath::as_str);
    let (status, milliseconds) = (response.status().as_u16(), begun.elapsed().as_millis() as u64);
    app.metrics.answered(page, status, begun.elapsed());
    if let Ok(number) = HeaderValue::from_str(&number) {
        response.headers_mut().insert("x-request-id", number);
    }
    tracing::info!(%method, %page, status, milliseconds, request = %number, "answered");
    if let Some(FailureCause(cause)) = response.extensions().get() {
        tracing::error!(%method, %page, status, %cause, request = %number, "failed");
    }
    response
}

/// A number for a request, in letters, because tests search answers for bids.
fn request_number() -> String {
    const DIGITS: &[u8; 16] = b"ghjkmnpqrstvwxyz";
    let bytes = getrandom::u64().unwrap_or_default().to_le_bytes();
    bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]).map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}

/// The name of a standard method; others are not repeated.
fn known(method: &str) -> &'static str {
    const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
    METHODS.into_iter().find(|known| *known == method).unwrap_or("-")
}

#[cfg(test)]
mod tests;
