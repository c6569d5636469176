//! The pages of [`richman_pages`] in a browser tab, without a server: one visitor, one request
//! after another, and documents that the browser keeps.
//!
//! ```text
//! hall       the matches and records
//! kept       documents in which they outlive the tab
//! solutions  what was solved for computer players and hints
//! desk       work, done at once, and answers that may be asked for again
//! seats      the secrets of the browser's seats
//! own        pages that only a tab has
//! export     a site as files, with the feature `export`
//! ```

mod desk;
#[cfg(feature = "export")]
pub mod export;
mod hall;
mod kept;
mod own;
mod seats;
mod solutions;

use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::header::{HOST, LOCATION};
use axum::http::{HeaderName, HeaderValue, Method};
use axum::response::{IntoResponse, Response};
use parking_lot::Mutex;
use richman_analysis::Games;
use richman_hall::refused::Refusal;
use richman_hall::token::GameId;
use richman_pages::Pages;
use richman_pages::base::BasePath;
use richman_pages::play::Alone;
use tower::ServiceExt;

pub use hall::MatchNews;
pub use kept::KeptChange;
pub use solutions::Solutions;

use desk::{KeptAnswers, TabDesk};
use hall::TabHall;
use kept::KeptDocuments;
use seats::Seats;

/// The pages of a tab, and all that they know.
pub struct Tab {
    base: BasePath,
    alone: Alone,
    routes: Router,
    #[cfg(feature = "export")]
    pages: Arc<Pages>,
    hall: Arc<TabHall>,
    seats: Seats,
    documents: Arc<Mutex<KeptDocuments>>,
}

richman_core::debug_by_name!(Tab {});

/// What a page asks for.
#[derive(Debug, Clone, Default)]
pub struct TabRequest {
    /// `GET` or `POST`.
    pub method: String,
    /// The path with its query.
    pub address: String,
    /// The host, with its port.
    pub host: String,
    /// Headers by their names.
    pub headers: Vec<(String, String)>,
    /// What is sent.
    pub body: Vec<u8>,
}

/// What it gets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TabAnswer {
    /// The status of HTTP.
    pub status: u16,
    /// Headers by their names in small letters.
    pub headers: Vec<(String, String)>,
    /// The address after redirects.
    pub address: String,
    /// The content.
    pub body: Vec<u8>,
}

/// The most redirects of one request.
const REDIRECTS: usize = 5;

impl Tab {
    /// A tab whose pages are below that path. `server` is the address of a server where others can
    /// be met.
    pub fn new(games: Games, base: BasePath, server: Option<String>) -> Tab {
        let documents = Arc::new(Mutex::new(KeptDocuments::default()));
        let hall = Arc::new(TabHall::new(games.clone(), Arc::clone(&documents)));
        let (desk, answers) = (Arc::new(TabDesk), Arc::new(KeptAnswers::default()));
        let pages = Arc::new(Pages::new(games, Arc::clone(&hall) as _, desk, answers, None).alone());
        let routes = richman_pages::routes().merge(own::routes(Arc::clone(&documents))).with_state(Arc::clone(&pages));
        Tab {
            base,
            alone: Alone { server },
            routes,
            #[cfg(feature = "export")]
            pages,
            hall,
            seats: Seats::new(Arc::clone(&documents)),
            documents,
        }
    }

    /// Takes a document in that the browser has kept; of one with the same name, the later one
    /// counts.
    pub fn load(&mut self, name: &str, text: &str) {
        self.documents.lock().load(name, text);
        self.hall.forget(name);
    }

    /// What changed since the last call, for the browser to keep.
    pub fn changes(&mut self) -> Vec<KeptChange> {
        self.documents.lock().changes()
    }

    /// Matches that changed since the last call.
    pub fn news(&mut self) -> Vec<MatchNews> {
        self.hall.news()
    }

    /// The versions of matches, for whoever begins to listen to them.
    pub fn versions(&self, names: &[String]) -> Vec<MatchNews> {
        names.iter().map(|name| self.hall.version(name)).collect()
    }

    /// The name of the match that was looked at last.
    pub fn seen(&self) -> Option<String> {
        self.hall.seen().map(|id| id.to_string())
    }

    /// Goes on with a match that another tab of this kind looked at.
    pub fn look(&mut self, name: &str) {
        self.hall.look(GameId::read(name));
    }

    /// Whether the computer is to decide in a match that was looked at.
    pub fn is_waited_for(&self) -> bool {
        self.hall.waiting().is_some()
    }

    /// Decides for the computer, once.
    pub fn work(&mut self) {
        self.hall.work();
    }

    /// The answer to a request, after redirects.
    pub fn answer(&mut self, request: TabRequest) -> TabAnswer {
        let mut request = request;
        for _ in 0..REDIRECTS {
            let address = request.address.clone();
            let answer = self.answer_once(&request);
            let target = answer.headers.iter().find(|(name, _)| name == LOCATION.as_str());
            let Some((_, target)) = target.filter(|_| (300..400).contains(&answer.status)) else {
                return TabAnswer { address, ..answer };
            };
            let headers = request.headers.into_iter().filter(|(name, _)| name != "content-type").collect();
            request =
                TabRequest { method: "GET".into(), address: target.clone(), headers, body: Vec::new(), ..request };
        }
        TabAnswer { status: 508, address: request.address, ..TabAnswer::default() }
    }

    fn answer_once(&mut self, asked: &TabRequest) -> TabAnswer {
        let Some(mut request) = read(asked) else {
            return now(written(Refusal::BadRequest("this is no address".to_string()).into_response()));
        };
        let path = self.base.inside(request.uri().path()).to_string();
        self.seats.send(&path, request.headers_mut());
        request.extensions_mut().insert(self.alone.clone());
        let (base, routes) = (self.base.clone(), self.routes.clone());
        let answered = async {
            let response = match base.enter(request) {
                Ok(request) => routes.oneshot(request).await.unwrap_or_else(|never| match never {}),
                Err(elsewhere) => elsewhere.into_response(),
            };
            let mut response = shown(response);
            self.seats.keep(response.headers_mut());
            written(base.leave(response).await).await
        };
        now(answered)
    }
}

/// The request as the routes take it.
fn read(asked: &TabRequest) -> Option<Request> {
    let method = Method::from_bytes(asked.method.as_bytes()).ok()?;
    let address = asked.address.split('#').next().unwrap_or_default();
    let mut request = Request::builder().method(method).uri(address);
    if !asked.host.is_empty() {
        request = request.header(HOST, &asked.host);
    }
    for (name, value) in &asked.headers {
        request = request.header(name, HeaderValue::from_str(value).ok()?);
    }
    request.body(Body::from(asked.body.clone())).ok()
}

/// A refusal as its page.
fn shown(mut response: Response) -> Response {
    match response.extensions_mut().remove::<Refusal>() {
        Some(refusal) => richman_pages::refused(&refusal),
        None => response,
    }
}

async fn written(response: Response) -> TabAnswer {
    let (parts, body) = response.into_parts();
    let text = |(name, value): (&HeaderName, &HeaderValue)| Some((name.to_string(), value.to_str().ok()?.to_string()));
    let headers = parts.headers.iter().filter_map(text).collect();
    let body = to_bytes(body, usize::MAX).await.unwrap_or_default();
    TabAnswer { status: parts.status.as_u16(), headers, address: String::new(), body: body.into() }
}

/// The outcome of what waits for nobody: in a tab everything is done when it is asked for.
fn now<T: Default>(future: impl Future<Output = T>) -> T {
    /// Some futures let others go first, though there are none.
    const YIELDS: usize = 10_000;
    let mut future = std::pin::pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    for _ in 0..YIELDS {
        if let Poll::Ready(found) = future.as_mut().poll(&mut context) {
            return found;
        }
    }
    T::default()
}
