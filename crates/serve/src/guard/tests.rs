//! Accepted requests, and the headers of every answer.

use axum::body::Body;
use axum::http::HeaderMap;
use axum::routing::{get, post};
use futures_util::stream::StreamExt;
use tower::ServiceExt;

use super::*;
use crate::quotas::Allotment;

fn app(guard: Guard) -> Router {
    let routes = Router::new()
        .route("/", get(|| async { "page" }))
        .route("/assets/{name}", get(|| async { ([("cache-control", "max-age=60")], "file") }))
        .route(
            "/events",
            get(|| async { ([("content-type", "text/event-stream"), ("cache-control", "no-cache")], "") }),
        )
        .route("/api/v1/do", post(|body: String| async move { body.len().to_string() }))
        .route("/do", post(|body: String| async move { body.len().to_string() }))
        .route("/large", post(|body: String| async move { body.len().to_string() }).layer(DefaultBodyLimit::max(LARGE)))
        .route("/panic", get(panics))
        .route("/api/panic", get(panics))
        .route("/slow", get(|| tokio::time::sleep(Duration::from_secs(60))));
    guarded(routes, guard, Arc::new(App::in_memory().unwrap()))
}

async fn panics() -> &'static str {
    let secrets: Vec<&'static str> = Vec::new();
    secrets[std::hint::black_box(7)]
}

async fn send(app: &Router, request: axum::http::request::Builder, body: impl Into<Body>) -> (u16, String, HeaderMap) {
    let response = app.clone().oneshot(request.body(body.into()).unwrap()).await.unwrap();
    let (parts, body) = response.into_parts();
    let body = axum::body::to_bytes(body, 1 << 20).await.unwrap();
    (parts.status.as_u16(), String::from_utf8(body.to_vec()).unwrap(), parts.headers)
}

#[tokio::test]
async fn every_answer_has_the_headers() {
    let app = app(Guard { time: Duration::from_millis(50), ..Guard::default() });
    for (path, status) in
        [("/", 200), ("/none", 404), ("/panic", 500), ("/api/panic", 500), ("/do", 405), ("/slow", 408)]
    {
        let (found, body, headers) = send(&app, Request::get(path), "").await;
        assert_eq!(found, status, "{path}");
        assert!(!body.contains("index out of bounds"), "{body}");
        assert_eq!(headers["content-security-policy"].to_str().unwrap().matches("'none'").count(), 3, "{path}");
        assert_eq!(headers["cache-control"], "no-store", "{path}");
        for name in [
            "x-content-type-options",
            "referrer-policy",
            "cross-origin-opener-policy",
            "permissions-policy",
            "x-frame-options",
        ] {
            assert!(headers.contains_key(name), "{path} {name}");
        }
    }
    let (_, body, _) = send(&app, Request::get("/api/panic"), "").await;
    assert_eq!(serde_json::from_str::<serde_json::Value>(&body).unwrap()["error"]["code"], "internal");
    assert_eq!(send(&app, Request::get("/assets/a.css"), "").await.2["cache-control"], "max-age=60");
    assert_eq!(send(&app, Request::get("/events"), "").await.2["cache-control"], "no-cache");
}

#[tokio::test]
async fn pages_of_other_sites_cannot_act() {
    let app = app(Guard::default());
    let post = || Request::post("/do").header("host", "localhost:8080");
    let allowed = [
        post(),
        post().header("sec-fetch-site", "same-origin").header("origin", "http://localhost:8080"),
        post().header("sec-fetch-site", "none"),
        post().header("origin", "http://localhost:8080"),
        // Behind an HTTPS proxy that forwards its own name.
        post().header("sec-fetch-site", "same-origin").header("origin", "https://richman.example"),
    ];
    for request in allowed {
        assert_eq!(send(&app, request, "abc").await.0, 200);
    }
    let refused = [
        post().header("sec-fetch-site", "cross-site"),
        post().header("sec-fetch-site", "same-site"),
        post().header("sec-fetch-site", "cross-site").header("origin", "http://localhost:8080"),
        post().header("origin", "http://evil.example"),
        post().header("origin", "http://localhost:8081"),
        post().header("origin", "null"),
        Request::post("/do").header("origin", "http://localhost:8080"),
        post().header("origin", [255u8].as_slice()),
    ];
    for request in refused {
        let (status, body, _) = send(&app, request, "abc").await;
        assert_eq!((status, body.contains("another site")), (403, true));
    }
    let reading = Request::get("/").header("sec-fetch-site", "cross-site");
    assert_eq!(send(&app, reading, "").await.0, 200, "links from elsewhere lead here");
}

#[tokio::test]
async fn a_server_for_one_machine_answers_to_its_own_names() {
    let local = HostNames::new([127, 0, 0, 1].into(), &["Richman.example".to_string()]);
    let app = app(Guard { hosts: local, ..Guard::default() });
    for host in [
        "localhost",
        "LOCALHOST:8080",
        "localhost.",
        "localhost.:8080",
        "localhost:",
        "127.0.0.1:1",
        "[::1]:8080",
        "[0:0:0:0:0:0:0:1]",
        "richman.example",
        "Richman.example.:443",
        "a.localhost:80",
    ] {
        assert_eq!(send(&app, Request::get("/").header("host", host), "").await.0, 200, "{host}");
    }
    for host in [
        "evil.example",
        "localhost.evil.example",
        "richman.example.evil",
        "10.0.0.1",
        "",
        ".",
        "[::1",
        "127.0.0.1.evil",
        "localhost:80.evil.example",
        "localhost:8080:80",
        "localhost: 80",
        "localhost:+80",
        "localhost..",
        "[::1].evil.example",
        "[::1]80",
        "[localhost]",
        "::1",
        "localhost@evil.example",
        "localhost/",
    ] {
        assert_eq!(send(&app, Request::get("/").header("host", host), "").await.0, 421, "{host}");
    }
    let two = Request::get("/").header("host", "localhost").header("host", "evil.example");
    assert_eq!(send(&app, two, "").await.0, 421);
    assert_eq!(HostNames::new([0, 0, 0, 0].into(), &[]), HostNames::Any);
    assert_ne!(HostNames::new([0, 0, 0, 0].into(), &["a".to_string()]), HostNames::Any);
}

/// Only requests that store nothing, only where allowed, and never with credentials.
#[tokio::test]
async fn other_sites_may_ask_what_keeps_nothing() {
    let routes = || {
        let post = || post(async || "answer");
        let get = || get(async || "answer");
        Router::new()
            .route("/api/v1/solve", post())
            .route("/api/v1/seat/actions", post())
            .route("/api/v1/matches/{id}", get())
            .route("/api/v1/games", get())
            .route("/explore/solve.json", get())
            .route("/explore", get())
    };
    let app =
        |other_sites| guarded(routes(), Guard { other_sites, ..Guard::default() }, Arc::new(App::in_memory().unwrap()));
    let elsewhere = |method: &str, path: &str| {
        let request = Request::builder().method(method).uri(path).header("host", "localhost");
        request.header("origin", "https://elsewhere.example").header("sec-fetch-site", "cross-site")
    };
    let (open, closed) = (app(true), app(false));
    for (method, path, may_open) in [
        ("POST", "/api/v1/solve", true),
        ("GET", "/api/v1/games", true),
        ("HEAD", "/api/v1/games", true),
        ("GET", "/explore/solve.json?game=hex", true),
        ("GET", "/explore/solve.json?game=hex&file=", true),
        ("GET", "/explore/solve.json?file=abcdefghijkmnpqrstuvwxyz23", false),
        ("GET", "/explore/solve.json?game=hex&f%69le=abcdefghijkmnpqrstuvwxyz23", false),
        ("GET", "/explore?game=hex", false),
        ("GET", "/api/v1/matches/abcdefghijkmnpqrstuvwxyz23", false),
        ("POST", "/api/v1/seat/actions", false),
        ("GET", "/api/v1/solve", false),
    ] {
        for (app, is_open) in [(&open, may_open), (&closed, false)] {
            let (status, body, headers) = send(app, elsewhere(method, path), "").await;
            let origin = headers.get("access-control-allow-origin").map(|origin| origin.to_str().unwrap());
            assert_eq!(origin, is_open.then_some("*"), "{method} {path}");
            assert!(!headers.contains_key("access-control-allow-credentials"), "{path}");
            let policy = if is_open { "cross-origin" } else { "same-origin" };
            assert_eq!(headers["cross-origin-resource-policy"], policy, "{method} {path}");
            let is_refused = method == "POST" && !is_open;
            assert_eq!((status == 403, body.contains("another site")), (is_refused, is_refused), "{method} {path}");
            let asked = elsewhere("OPTIONS", path).header("access-control-request-method", method);
            let (status, body, headers) = send(app, asked, "").await;
            assert_eq!((status, body.as_str()), (204, ""), "OPTIONS {path}");
            assert!(["POST", "GET,HEAD"].contains(&headers["allow"].to_str().unwrap()), "{path}");
            let allowed = headers.get("access-control-allow-headers").map(|allowed| allowed.to_str().unwrap());
            let is_open = is_open || (path == "/api/v1/solve" && std::ptr::eq(app, &open));
            assert_eq!(allowed, is_open.then_some("content-type"), "OPTIONS {path}");
            assert_eq!(headers.contains_key("access-control-allow-origin"), is_open, "OPTIONS {path}");
        }
    }
    assert_eq!(send(&open, Request::builder().method("OPTIONS").uri("/nowhere"), "").await.0, 404);
}

#[tokio::test]
async fn a_compressed_body_is_refused_as_such() {
    let app = app(Guard::default());
    for coding in ["gzip", "br", "deflate, gzip", "nonsense"] {
        let (status, body, _) = send(&app, Request::post("/api/v1/do").header("content-encoding", coding), "abc").await;
        assert_eq!((status, body.contains("\"content-encoding\"")), (415, true), "{coding}: {body}");
    }
    let plain = Request::post("/api/v1/do").header("content-encoding", "Identity");
    assert_eq!(send(&app, plain, "abc").await.0, 200);
}

#[tokio::test]
async fn bodies_are_limited() {
    let app = app(Guard::default());
    let body = |length: usize| "x".repeat(length);
    assert_eq!(send(&app, Request::post("/do"), body(SMALL)).await.0, 200);
    assert_eq!(send(&app, Request::post("/do"), body(SMALL + 1)).await.0, 413);
    assert_eq!(send(&app, Request::post("/large"), body(SMALL + 1)).await.0, 200);
    assert_eq!(send(&app, Request::post("/large"), body(LARGE + 1)).await.0, 413);
    let announced = Request::post("/api/v1/do").header("content-length", "99999999999");
    let (status, text, _) = send(&app, announced, "").await;
    assert_eq!(status, 413);
    assert!(text.contains("\"too-large\""), "{text}");
}

#[tokio::test]
async fn requests_at_once_are_limited() {
    let one = Quotas { requests: Allotment { all: 1, one: 1 }, ..Quotas::default() };
    let guard = Guard { shares: Arc::new(Shares::new(&one)), ..Guard::default() };
    let app = app(guard);
    let slow = tokio::spawn(app.clone().oneshot(Request::get("/slow").body(Body::empty()).unwrap()));
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(send(&app, Request::get("/"), "").await.0, 503);
    slow.abort();
    let _ = slow.await;
    assert_eq!(send(&app, Request::get("/"), "").await.0, 200);
}

/// A body that never ends.
fn stalled() -> Body {
    let first = futures_util::stream::once(async { Ok::<_, std::io::Error>("x") });
    Body::from_stream(first.chain(futures_util::stream::pending()))
}

#[tokio::test]
async fn a_body_that_does_not_come_is_given_up() {
    let app = app(Guard { arrival: Duration::from_millis(50), ..Guard::default() });
    let (status, _, _) = send(&app, Request::post("/do"), stalled()).await;
    assert_eq!(status, 408);
    let slow = send(&app, Request::get("/"), "").await;
    assert_eq!(slow.0, 200);
}

#[tokio::test]
async fn large_bodies_of_one_client_leave_room_for_those_of_others() {
    let most = LARGE / 1024;
    let quotas = Quotas { bodies: Allotment { all: 3 * most, one: 2 * most }, ..Quotas::default() };
    let app = app(Guard { shares: Arc::new(Shares::new(&quotas)), ..Guard::default() });
    let from = |number: u8| Request::post("/large").extension(PeerAddress([10, 0, 0, number].into()));
    let stalls: Vec<_> = (0..2)
        .map(|_| {
            let (app, request) = (app.clone(), from(1).body(stalled()).unwrap());
            tokio::spawn(async move { app.oneshot(request).await.unwrap().status().as_u16() })
        })
        .collect();
    tokio::time::sleep(Duration::from_millis(50)).await;
    let large = "x".repeat(SMALL);
    let length = |request: axum::http::request::Builder| request.header("content-length", SMALL);
    let refused = send(&app, length(from(1)), large.clone()).await;
    assert_eq!((refused.0, refused.2["retry-after"].to_str().unwrap()), (503, "30"));
    for other in 2..6 {
        assert_eq!(send(&app, length(from(other)), large.clone()).await.0, 200);
    }
    for stall in &stalls {
        stall.abort();
    }
}

#[tokio::test]
async fn a_trusted_proxy_says_whose_request_it_is() {
    let one = Quotas { requests: Allotment { all: 100, one: 1 }, ..Quotas::default() };
    let proxies = TrustedProxies(vec!["127.0.0.1".parse().unwrap()]);
    let app = app(Guard { proxies, shares: Arc::new(Shares::new(&one)), ..Guard::default() });
    let by_proxy = |path: &str, client: &str| {
        Request::get(path).extension(PeerAddress([127, 0, 0, 1].into())).header("x-forwarded-for", client)
    };
    let waiting = by_proxy("/slow", "1.2.3.4, 192.0.2.1").body(Body::empty()).unwrap();
    let slow = tokio::spawn(app.clone().oneshot(waiting));
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(send(&app, by_proxy("/", "192.0.2.1"), "").await.0, 503, "its one request is in progress");
    assert_eq!(send(&app, by_proxy("/", "192.0.2.2"), "").await.0, 200);
    assert_eq!(send(&app, by_proxy("/", "nonsense"), "").await.0, 400);
    let direct = Request::get("/").extension(PeerAddress([192, 0, 2, 3].into()));
    assert_eq!(send(&app, direct.header("x-forwarded-for", "192.0.2.1"), "").await.0, 200, "nobody else is believed");
    slow.abort();
}
