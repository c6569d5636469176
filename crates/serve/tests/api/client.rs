//! A server in this process, and its clients.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use http_body_util::BodyExt;
use richman_serve::App;
use serde_json::{Value, json};
use tower::ServiceExt;

/// A server in this process.
#[derive(Clone)]
pub struct Server {
    pub app: Arc<App>,
    router: Router,
}

#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Answer {
    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{}: {error}: {}", self.status, String::from_utf8_lossy(&self.body)))
    }

    /// The JSON of a successful request.
    pub fn done(&self) -> Value {
        assert!(self.status.is_success(), "{}: {}", self.status, String::from_utf8_lossy(&self.body));
        self.json()
    }

    /// The code of a refused request.
    pub fn code(&self) -> String {
        assert!(self.status.is_client_error(), "{}: {}", self.status, String::from_utf8_lossy(&self.body));
        self.json()["error"]["code"].as_str().expect("an error has a code").to_string()
    }
}

impl Server {
    /// A server without matches.
    pub fn new() -> Server {
        let app = Arc::new(App::in_memory().expect("SQLite works in memory"));
        Server { router: richman_serve::server::routes(Arc::clone(&app)), app }
    }

    /// The same server behind another layer.
    pub fn wrapped<L>(&self, layer: L) -> Server
    where
        L: tower::Layer<axum::routing::Route> + Clone + Send + Sync + 'static,
        L::Service: tower::Service<
                axum::extract::Request,
                Error: Into<std::convert::Infallible>,
                Response: axum::response::IntoResponse,
                Future: Send,
            > + Clone
            + Send
            + Sync
            + 'static,
    {
        Server { app: Arc::clone(&self.app), router: self.router.clone().layer(layer) }
    }

    /// Any request.
    pub async fn send(&self, request: Request<Body>) -> Answer {
        let (head, body) = self.open(request).await;
        let body = body.collect().await.expect("the body comes to its end").to_bytes().to_vec();
        Answer { status: head.status, headers: head.headers, body }
    }

    /// Any request; the body of its answer is not read yet.
    pub async fn open(&self, request: Request<Body>) -> (axum::http::response::Parts, Body) {
        self.router.clone().oneshot(request).await.expect("routes cannot fail").into_parts()
    }

    pub async fn get(&self, path: &str, secret: Option<&str>) -> Answer {
        self.send(request(Method::GET, path, secret, None)).await
    }

    /// A page of a match, for a browser with the cookie of a seat.
    pub async fn page(&self, id: &str, below: &str, role: &str, token: &str) -> Answer {
        let cookie = format!("seat-{role}={token}");
        self.send(request_with_cookie(Method::GET, &format!("/m/{id}{below}"), &cookie)).await
    }

    pub async fn post(&self, path: &str, secret: Option<&str>, body: Value) -> Answer {
        self.send(request(Method::POST, path, secret, Some(body.to_string().into_bytes()))).await
    }

    /// Sets up a match with both seats ours; returns its name and the secrets.
    pub async fn set_up(&self, mut wanted: Value) -> Table {
        if wanted["seats"].is_null() {
            wanted["seats"] = json!({ "alice": "person", "bob": "person" });
        }
        Table::of(&self.post("/api/v1/matches", None, wanted).await.done())
    }

    /// The match as a player sees it.
    pub async fn seen(&self, token: &str) -> Value {
        self.get("/api/v1/seat", Some(token)).await.done()
    }

    /// Acts as number `step`.
    pub async fn act(&self, token: &str, step: &Value, action: Value) -> Answer {
        self.post("/api/v1/seat/actions", Some(token), json!({ "step": step, "action": action })).await
    }

    /// Plays randomly to the end, and returns Alice's view of it.
    pub async fn play_out(&self, table: &Table, rng: &mut fastrand::Rng) -> Value {
        loop {
            for token in &table.tokens {
                let seen = self.seen(token).await;
                if !seen["result"].is_null() {
                    return seen;
                }
                if !seen["decision"].is_null() {
                    self.act(token, &seen["decision"]["step"], choose(&seen, rng)).await.done();
                }
            }
        }
    }
}

/// A match, and the secrets of our seats.
#[derive(Debug, Clone)]
pub struct Table {
    pub id: String,
    pub tokens: Vec<String>,
    pub invitation: Option<String>,
}

impl Table {
    /// The names of the players whose secrets are here, their roles on pages, and the secrets.
    pub fn seats(&self) -> Vec<(&str, &str, &str)> {
        let is_shared = self.tokens.len() == 2 && self.tokens[0] == self.tokens[1];
        let role = |name| if is_shared { "both" } else { name };
        ["alice", "bob"].into_iter().zip(&self.tokens).map(|(name, token)| (name, role(name), token.as_str())).collect()
    }

    fn of(created: &Value) -> Table {
        let text = |value: &Value| value.as_str().map(str::to_string);
        Table {
            id: text(&created["id"]).expect("a match has a name"),
            tokens: ["alice", "bob"].iter().filter_map(|player| text(&created["tokens"][player])).collect(),
            invitation: text(&created["invitation"]),
        }
    }
}

/// A request as a well-behaved program sends it.
pub fn request(method: Method, path: &str, secret: Option<&str>, json: Option<Vec<u8>>) -> Request<Body> {
    let mut request = Request::builder().method(method).uri(path).header(header::HOST, "127.0.0.1:8080");
    if let Some(secret) = secret {
        request = request.header(header::AUTHORIZATION, format!("Bearer {secret}"));
    }
    if json.is_some() {
        request = request.header(header::CONTENT_TYPE, "application/json");
    }
    request.body(json.map_or_else(Body::empty, Body::from)).expect("a request")
}

/// A request of a browser.
pub fn request_with_cookie(method: Method, path: &str, cookie: &str) -> Request<Body> {
    let mut request = request(method, path, None, None);
    request.headers_mut().insert(header::COOKIE, cookie.parse().expect("a cookie"));
    request
}

/// A random allowed action.
pub fn choose(seen: &Value, rng: &mut fastrand::Rng) -> Value {
    let decision = &seen["decision"];
    match decision["kind"].as_str() {
        Some("bid") => {
            let range = rng.choice(decision["bids"].as_array().expect("bids")).expect("an allowed bid");
            let ends = [0, 1].map(|end| u32::try_from(range[end].as_u64().expect("a bid")).expect("chips"));
            json!({ "bid": rng.u32(ends[0]..=ends[1].min(ends[0] + (ends[1] - ends[0]) / 2)) })
        }
        Some("star") => json!({ "use_star": rng.bool() }),
        Some("move") => match rng.choice(decision["moves"].as_array().expect("moves")) {
            Some(_) if decision["may_let"] == true && rng.u32(..8) == 0 => json!("let"),
            Some(name) => json!({ "move": name }),
            None if decision["may_stay"] == true => json!("stay"),
            None => json!("let"),
        },
        other => panic!("no decision: {other:?}"),
    }
}

/// Chips of both players and the bank.
pub fn chips(seen: &Value) -> u64 {
    let of = |holding: &Value| match holding {
        Value::String(text) => text.trim_end_matches('*').parse().expect("chips"),
        number => number.as_u64().expect("chips"),
    };
    of(&seen["holdings"]["alice"]) + of(&seen["holdings"]["bob"]) + seen["bank"].as_u64().expect("chips")
}
