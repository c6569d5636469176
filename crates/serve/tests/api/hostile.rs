//! Bad requests: each gets a typed refusal, changes nothing, and leaves nothing behind.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use serde_json::{Value, json};

use super::client::{Answer, Server, Table, chips, request};

/// Matches in many states, as targets.
struct Targets {
    /// Nothing has happened.
    fresh: Table,
    /// Alice has bid.
    bid: Table,
    /// Both bid the same; Alice decides.
    tie: Table,
    /// Bob won the bid and is to move.
    moving: Table,
    /// Alice has resigned.
    over: Table,
    /// One secret for both.
    screen: Table,
    /// The other seat is free.
    invited: Table,
}

impl Targets {
    async fn new(server: &Server) -> Targets {
        let set_up = |more: Value| {
            let mut wanted = json!({ "game": "tic-tac-toe", "total": 16 });
            wanted.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            server.set_up(wanted)
        };
        let bids = async |bids: &[u32]| {
            let table = set_up(json!({})).await;
            for (token, bid) in table.tokens.iter().zip(bids) {
                server.act(token, &json!(0), json!({ "bid": bid })).await.done();
            }
            table
        };
        let over = bids(&[3]).await;
        server.act(&over.tokens[0], &json!(1), json!("resign")).await.done();
        Targets {
            fresh: bids(&[]).await,
            bid: bids(&[5]).await,
            tie: bids(&[2, 2]).await,
            moving: bids(&[1, 4]).await,
            over,
            screen: set_up(json!({ "one_screen": true })).await,
            invited: set_up(json!({ "seats": { "alice": "person", "bob": "invited" } })).await,
        }
    }

    fn all(&self) -> [&Table; 7] {
        [&self.fresh, &self.bid, &self.tie, &self.moving, &self.over, &self.screen, &self.invited]
    }
}

/// One bad request, with its description.
type Bad = (String, Request<Body>);

pub fn post(path: &str, secret: Option<&str>, body: impl Into<Vec<u8>>) -> Request<Body> {
    request(Method::POST, path, secret, Some(body.into()))
}

/// An action that the match does not allow.
fn wrong_action(targets: &Targets, rng: &mut fastrand::Rng) -> Bad {
    let huge = rng.u32(17..);
    let cases: [(&Table, usize, u32, Value); 21] = [
        (&targets.fresh, 0, 0, json!({ "bid": huge })),
        (&targets.fresh, 1, 0, json!({ "bid": rng.u32(9..40) })),
        (&targets.fresh, 0, 0, json!("let")),
        (&targets.fresh, 0, 0, json!("stay")),
        (&targets.fresh, 1, 0, json!({ "use_star": rng.bool() })),
        (&targets.fresh, 1, 0, json!({ "move": "b2" })),
        (&targets.fresh, 0, rng.u32(1..), json!({ "bid": 1 })),
        (&targets.bid, 0, 0, json!({ "bid": 5 })),
        (&targets.bid, 0, 1, json!({ "bid": rng.u32(0..8) })),
        (&targets.bid, 1, 0, json!({ "bid": rng.u32(9..) })),
        (&targets.bid, 0, 0, json!("resign")),
        (&targets.tie, 1, 1, json!({ "use_star": rng.bool() })),
        (&targets.tie, 0, 1, json!({ "bid": 1 })),
        (&targets.tie, 0, 0, json!({ "use_star": rng.bool() })),
        (&targets.moving, 0, 1, json!({ "move": "b2" })),
        (&targets.moving, 1, 1, json!({ "move": noise(rng) })),
        (&targets.moving, 1, 1, json!({ "bid": 1 })),
        (&targets.moving, 1, 0, json!({ "move": "b2" })),
        (&targets.over, 1, 0, json!({ "bid": 1 })),
        (&targets.over, 0, 2, json!("resign")),
        (&targets.screen, 0, 0, json!({ "bid": 1 })),
    ];
    let (table, player, step, action) = cases[rng.usize(..cases.len())].clone();
    let what = format!("action {action} as number {step}");
    let body = json!({ "step": step, "action": action }).to_string();
    (what, post("/api/v1/seat/actions", Some(&table.tokens[player]), body))
}

fn wrong_player(targets: &Targets, rng: &mut fastrand::Rng) -> Bad {
    let player = rng.usize(..2);
    let other = ["bob", "alice"][player];
    let body = json!({ "step": 0, "player": other, "action": { "bid": 1 } });
    (
        "the other's action".to_string(),
        post("/api/v1/seat/actions", Some(&targets.fresh.tokens[player]), body.to_string()),
    )
}

/// A secret that opens nothing.
fn wrong_secret(targets: &Targets, rng: &mut fastrand::Rng) -> Bad {
    const LETTERS: &[u8] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let random: String = (0..26).map(|_| char::from(LETTERS[rng.usize(..32)])).collect();
    let token = &targets.fresh.tokens[0];
    let mut near = token.clone().into_bytes();
    let place = rng.usize(..26);
    near[place] = LETTERS[(LETTERS.iter().position(|letter| *letter == near[place]).unwrap() + 1) % 32];
    let near = String::from_utf8(near).unwrap();
    let invitation = targets.invited.invitation.clone().unwrap();
    let secrets: [Vec<u8>; 11] = [
        format!("Bearer {random}").into_bytes(),
        format!("Bearer {near}").into_bytes(),
        format!("Bearer {}", targets.fresh.id).into_bytes(),
        format!("Bearer {invitation}").into_bytes(),
        format!("Basic {token}").into_bytes(),
        format!("Bearer{token}").into_bytes(),
        format!("Bearer {token}{token}").into_bytes(),
        format!("Bearer {}", token.to_uppercase()).into_bytes(),
        b"Bearer \xff\xfe\x80".to_vec(),
        format!("Bearer {}", "a".repeat(rng.usize(..4000))).into_bytes(),
        Vec::new(),
    ];
    let secret = secrets[rng.usize(..secrets.len())].clone();
    let (method, path) =
        [(Method::GET, "/api/v1/seat"), (Method::POST, "/api/v1/seat/actions"), (Method::POST, "/api/v1/seat/rematch")]
            [rng.usize(..3)]
        .clone();
    let mut bad = post(path, None, json!({ "step": 0, "action": { "bid": 1 } }).to_string());
    *bad.method_mut() = method;
    bad.headers_mut().insert(header::AUTHORIZATION, header::HeaderValue::from_bytes(&secret).unwrap());
    (format!("secret {}", String::from_utf8_lossy(&secret)), bad)
}

pub fn setup() -> Value {
    json!({ "game": "tic-tac-toe", "total": 16, "limit": 9, "position": ".../.../...",
            "mechanism": { "ties": "marker" }, "one_screen": false,
            "seats": { "alice": "person", "bob": { "computer": "random" } } })
}

/// A setup with one invalid part.
fn wrong_setup(rng: &mut fastrand::Rng) -> Bad {
    let deep = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let cases: Vec<(&str, Value)> = vec![
        ("/game", json!(noise(rng))),
        ("/game", json!("../../etc/passwd")),
        ("/game", json!("/dev/zero")),
        ("/game", json!(format!("tic-tac-toe:rows={}", rng.u64(64..)))),
        ("/game", json!("tic-tac-toe:rows=4294967295,cols=4294967295")),
        ("/game", json!(format!("tug-of-war:length={}", rng.u64(1 << 33..)))),
        ("/game", json!(format!("expr:{}", "(".repeat(rng.usize(1..5000))))),
        ("/game", Value::Null),
        ("/game", json!(7)),
        ("/file", json!({})),
        ("/file", json!({ "name": "x", "start": "0", "positions": {} })),
        ("/position", json!(noise(rng))),
        ("/position", json!("A".repeat(rng.usize(10..9000)))),
        ("/total", json!(rng.u32(1_000_001..))),
        ("/total", json!(rng.u64(1 << 32..))),
        ("/total", json!(-1)),
        ("/total", json!(1.5)),
        ("/total", json!("16")),
        ("/total", serde_json::from_str("1e400").unwrap_or(json!(1e300))),
        ("/limit", json!(0)),
        ("/limit", json!(rng.u32(1001..))),
        ("/star", json!("nobody")),
        ("/holdings", json!({ "alice": "8*", "bob": 8 })),
        ("/mechanism/preset", json!(noise(rng))),
        ("/mechanism/payment", json!("taxman:3/2")),
        ("/mechanism/payment", json!("taxman:1/0")),
        ("/mechanism/ties", json!("coin")),
        ("/mechanism/bids", json!(format!("0{}", "+1".repeat(2000)))),
        ("/mechanism/luck", json!("good")),
        ("/mechanism", json!([])),
        ("/seats/alice", json!({ "computer": "random" })),
        ("/seats/alice", json!("invited")),
        ("/seats/bob", json!({ "computer": noise(rng) })),
        ("/seats/bob", json!({ "computer": "best:errs=NaN" })),
        ("/seats/bob", json!({ "computer": "best:errs=2" })),
        ("/seats/bob", json!("nobody")),
        ("/seats/carol", json!("person")),
        ("/seats", Value::Null),
        ("/one_screen", json!(true)),
        ("/one_screen", json!("yes")),
        ("/guided", json!(true)),
        ("/seed", json!(1)),
        ("/deep", serde_json::from_str(&deep(100)).unwrap()),
    ];
    let (place, value) = cases[rng.usize(..cases.len())].clone();
    let (parent, key) = place.rsplit_once('/').unwrap();
    let mut body = setup();
    body.pointer_mut(parent).unwrap()[key] = value;
    (
        format!("setup with {place}: {:.80}", body.pointer(place).unwrap().to_string()),
        post("/api/v1/matches", None, body.to_string()),
    )
}

/// Invalid JSON, to an address that accepts JSON.
fn broken_json(targets: &Targets, rng: &mut fastrand::Rng) -> Bad {
    let bodies = [
        ("/api/v1/matches", setup()),
        ("/api/v1/seat/actions", json!({ "step": 0, "action": { "bid": 1 } })),
        ("/api/v1/records", json!({ "record": "[Game \"tic-tac-toe\"]" })),
        ("/api/v1/solve", json!({ "game": "tic-tac-toe", "total": 8 })),
        ("/api/v1/table", json!({ "game": "tic-tac-toe", "chips": [0, 5] })),
    ];
    let (path, value) = bodies[rng.usize(..bodies.len())].clone();
    let text = value.to_string().into_bytes();
    let depth = 1 << rng.u32(7..15);
    let (how, body) = match rng.u32(..8) {
        0 => ("cut off", text[..rng.usize(..text.len())].to_vec()),
        1 => ("with something behind", [text.clone(), b"{".to_vec()].concat()),
        2 => {
            let mut body = text.clone();
            let place = rng.usize(1..body.len());
            body.insert(place, [0, 0x1f, 0xff, 0xc0, 0x80][rng.usize(..5)]);
            ("with a byte that is no text", body)
        }
        3 => ("nested", [b"[".repeat(depth), b"]".repeat(depth)].concat()),
        4 => ("nested in itself", [br#"{"game":"#.repeat(depth / 8), b"1".to_vec(), b"}".repeat(depth / 8)].concat()),
        5 => ("with an unknown key", [&text[..text.len() - 1], br#","x":1}"#].concat()),
        6 => {
            let first =
                value.as_object().unwrap().iter().next().map(|(key, value)| json!({ key: value }).to_string()).unwrap();
            ("with a key twice", [&text[..text.len() - 1], b",", &first.as_bytes()[1..]].concat())
        }
        _ => (
            "of another kind",
            [json!([]), json!(null), json!("x"), json!(1e300), json!(true)][rng.usize(..5)].to_string().into_bytes(),
        ),
    };
    (format!("JSON {how} to {path}"), post(path, Some(&targets.fresh.tokens[0]), body))
}

/// A wrong method, a wrong type of body, an unknown address, or an invalid query.
fn wrong_address(targets: &Targets, rng: &mut fastrand::Rng) -> Bad {
    let (id, token) = (&targets.fresh.id, Some(targets.fresh.tokens[0].as_str()));
    let queries = [
        "after=-1",
        "after=x",
        "wait=26",
        "wait=99999999999999999999",
        "after=1&after=2",
        "x=1",
        "after=%ff",
        "wait=0x5",
        "after=1.0",
    ];
    let names = [
        "%ff",
        "%zz",
        "%00",
        "..%2f..%2fetc",
        "%",
        "%e0%80",
        "a",
        "abcdefghijkmnpqrstuvwxyz2%33",
        "*",
        "'%20or%201=1--",
    ];
    match rng.u32(..7) {
        0 => {
            let (path, method) = [
                (format!("/api/v1/matches/{id}"), Method::DELETE),
                ("/api/v1/seat/actions".to_string(), Method::GET),
                ("/api/v1/seat".to_string(), Method::PUT),
                ("/api/v1/games".to_string(), Method::POST),
                ("/api/v1/matches".to_string(), Method::from_bytes(b"BREW").unwrap()),
                ("/api/v1/matches".to_string(), Method::TRACE),
            ][rng.usize(..6)]
            .clone();
            (format!("{method} {path}"), request(method, &path, token, None))
        }
        1 => {
            let mut bad = post("/api/v1/matches", None, setup().to_string());
            let kinds = [
                "text/plain",
                "application/x-www-form-urlencoded",
                "multipart/form-data; boundary=x",
                "application/jsonx",
                "",
            ];
            bad.headers_mut().insert(header::CONTENT_TYPE, kinds[rng.usize(..5)].parse().unwrap());
            ("JSON of another type".to_string(), bad)
        }
        2 => {
            let query = queries[rng.usize(..queries.len())];
            let path =
                [format!("/api/v1/matches/{id}?{query}"), format!("/api/v1/seat?{query}")][rng.usize(..2)].clone();
            (format!("GET {path}"), request(Method::GET, &path, token, None))
        }
        3 => {
            let end = ["", "/events", "/record", "/review", "/file"][rng.usize(..5)];
            let path =
                format!("/api/v1/{}/{}{end}", ["matches", "records"][rng.usize(..2)], names[rng.usize(..names.len())]);
            (format!("GET {path}"), request(Method::GET, &path, None, None))
        }
        4 => {
            let path: String = (0..rng.usize(1..6)).map(|_| format!("/{}", rng.u32(..))).collect();
            (format!("GET /api{path}"), request(Method::GET, &format!("/api{path}"), None, None))
        }
        5 => {
            let path = format!("/api/v1/matches/{}", "x".repeat(rng.usize(100..6000)));
            ("a long address".to_string(), request(Method::GET, &path, None, None))
        }
        _ => {
            let path =
                [format!("/api/v1/matches/{id}/review"), format!("/api/v1/matches/{id}/file")][rng.usize(..2)].clone();
            (format!("GET {path}"), request(Method::GET, &path, None, None))
        }
    }
}

/// A form or a script of another site that sends an otherwise allowed request.
fn cross_site(targets: &Targets, rng: &mut fastrand::Rng) -> Bad {
    let mut bad = match rng.u32(..2) {
        0 => post("/api/v1/matches", None, setup().to_string()),
        _ => post(
            "/api/v1/seat/actions",
            Some(&targets.fresh.tokens[0]),
            json!({ "step": 0, "action": { "bid": 1 } }).to_string(),
        ),
    };
    let sent = [
        ("origin", "https://elsewhere.example"),
        ("origin", "null"),
        ("origin", "http://127.0.0.1:8081"),
        ("sec-fetch-site", "cross-site"),
    ];
    let (name, value) = sent[rng.usize(..sent.len())];
    bad.headers_mut().insert(name, value.parse().unwrap());
    (format!("{name}: {value}"), bad)
}

/// An invalid record, or an invalid position to solve.
fn wrong_question(rng: &mut fastrand::Rng) -> Bad {
    let record = include_str!("../../../../examples/dp10-1-1.txt");
    let cut = (0..=rng.usize(..record.len())).rev().find(|place| record.is_char_boundary(*place)).unwrap_or_default();
    let cases: [(&str, Value); 12] = [
        ("records", json!({ "record": noise(rng) })),
        ("records", json!({ "record": format!("{}{}", &record[..cut], "\u{0} 99. 1-1 Alice b2") })),
        ("records", json!({ "record": "[Game \"tic-tac-toe\"] [Alice \"4*\"] [Bob \"4\"] 1. 9-9 Alice b2" })),
        ("records", json!({ "record": "[Game \"x\"] [File \"/etc/passwd\"] [Alice \"4*\"] [Bob \"4\"]" })),
        ("solve", json!({ "game": "tic-tac-toe", "total": rng.u32(1_000_001..) })),
        ("solve", json!({ "game": "tic-tac-toe", "holdings": { "alice": "4*", "bob": "4*" } })),
        ("solve", json!({ "game": "tic-tac-toe", "position": noise(rng) })),
        ("solve", json!({ "game": "subtraction" })),
        ("solve", json!({ "game": "connect", "file": {} })),
        ("table", json!({ "game": "tic-tac-toe", "chips": [0, rng.u32(256..)] })),
        ("table", json!({ "game": "tic-tac-toe", "chips": [rng.u32(9..), rng.u32(..9)] })),
        ("table", json!({ "game": "tic-tac-toe", "chips": [1_000_001, 1_000_001] })),
    ];
    let (path, body) = cases[rng.usize(..cases.len())].clone();
    (format!("{path} {:.100}", body.to_string()), post(&format!("/api/v1/{path}"), None, body.to_string()))
}

fn too_large(targets: &Targets, rng: &mut fastrand::Rng) -> Bad {
    let (path, size) =
        [("/api/v1/seat/actions", 65 << 10), ("/api/v1/matches", (1 << 20) + (17 << 10)), ("/api/v1/records", 2 << 20)]
            [rng.usize(..3)];
    let body = format!(r#"{{"step":0,"action":{{"bid":1}},"x":"{}"}}"#, "x".repeat(size));
    (format!("{size} bytes to {path}"), post(path, Some(&targets.fresh.tokens[0]), body))
}

fn noise(rng: &mut fastrand::Rng) -> String {
    format!("?{}", (0..rng.usize(1..60)).map(|_| rng.char(..)).collect::<String>())
}

fn any_bad(targets: &Targets, rng: &mut fastrand::Rng) -> Bad {
    match rng.u32(..100) {
        0..25 => wrong_action(targets, rng),
        25..30 => wrong_player(targets, rng),
        30..42 => wrong_secret(targets, rng),
        42..60 => wrong_setup(rng),
        60..75 => broken_json(targets, rng),
        75..87 => wrong_address(targets, rng),
        87..92 => cross_site(targets, rng),
        92..99 => wrong_question(rng),
        _ => too_large(targets, rng),
    }
}

/// Checks that a refusal is typed, and has the headers of every answer.
fn check_refusal(what: &str, answer: &Answer) {
    let text = String::from_utf8_lossy(&answer.body);
    assert!(answer.status.is_client_error(), "{what}: {} {text}", answer.status);
    assert!(
        answer.status != StatusCode::TOO_MANY_REQUESTS && answer.status != StatusCode::REQUEST_TIMEOUT,
        "{what}: {text}"
    );
    let error = &answer.json()["error"];
    for key in ["code", "message"] {
        assert!(error[key].as_str().is_some_and(|text| !text.is_empty()), "{what}: {text}");
    }
    assert!(answer.body.len() < 4096, "{what}: {text}");
    check_headers(what, answer);
}

fn check_headers(what: &str, answer: &Answer) {
    let header = |name: &str| answer.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    assert!(header("content-security-policy").contains("default-src 'none'"), "{what}: {:?}", answer.headers);
    assert_eq!(header("x-content-type-options"), "nosniff", "{what}");
    assert_eq!(header("referrer-policy"), "same-origin", "{what}");
    assert_eq!(header("cache-control"), "no-store", "{what}");
}

#[tokio::test]
async fn ten_thousand_bad_requests_are_refused_and_change_nothing() {
    static PANICS: AtomicUsize = AtomicUsize::new(0);
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        // Only panics of the library count: other tests of this program may fail meanwhile.
        if panic.location().is_some_and(|place| !place.file().contains("tests")) {
            PANICS.fetch_add(1, Ordering::Relaxed);
        }
        usual(panic);
    }));
    let server = Server::new();
    let mut rng = fastrand::Rng::with_seed(9);
    let targets = Targets::new(&server).await;
    let before = state(&server, &targets).await;
    let mut statuses = std::collections::BTreeMap::<u16, usize>::new();
    let held = Arc::strong_count(&server.app);
    for number in 0..10_000 {
        let (what, bad) = any_bad(&targets, &mut rng);
        let answer = server.send(bad).await;
        check_refusal(&format!("request {number}, {what}"), &answer);
        *statuses.entry(answer.status.as_u16()).or_default() += 1;
    }
    assert_eq!(Arc::strong_count(&server.app), held, "something is still at work");
    assert!(statuses.len() >= 9, "{statuses:?}");
    assert_eq!(state(&server, &targets).await, before);
    assert_eq!(PANICS.load(Ordering::Relaxed), 0);
    assert_eq!(server.app.hall.listeners(), 0);
    // The matches go on as if nothing had happened.
    for table in [&targets.fresh, &targets.bid, &targets.tie, &targets.moving] {
        let end = server.play_out(table, &mut rng).await;
        assert_eq!((&end["stage"], chips(&end)), (&json!("over"), 16));
    }
}

/// Everything visible of the matches.
async fn state(server: &Server, targets: &Targets) -> Vec<Value> {
    let mut state = Vec::new();
    for table in targets.all() {
        for token in &table.tokens {
            state.push(server.seen(token).await);
        }
    }
    state
}

/// Arbitrary requests break nothing.
#[tokio::test]
async fn anything_may_be_sent() {
    let server = Server::new();
    let mut rng = fastrand::Rng::with_seed(10);
    let targets = Targets::new(&server).await;
    let paths = ["matches", "seat/actions", "records", "table", "seat/rematch", "invitation"];
    for number in 0..2000 {
        let body = match rng.u32(..3) {
            0 => setup(),
            1 => json!({ "step": 0, "action": { "bid": 1 }, "player": "alice" }),
            _ => json!({ "record": include_str!("../../../../examples/dp10-1-1.txt") }),
        };
        let mut body = body.to_string().into_bytes();
        for _ in 0..rng.u32(..4) {
            let (from, to) = (rng.usize(..body.len()), rng.usize(..body.len()));
            match rng.u32(..4) {
                0 => body[from] = rng.u8(..),
                1 => body.swap(from, to),
                2 => body.insert(from, b"0123456789\"{}[]:,-eE.*"[rng.usize(..22)]),
                _ => {
                    body.remove(from);
                }
            }
        }
        let path = format!("/api/v1/{}", paths[rng.usize(..paths.len())]);
        let secret = rng.choice(targets.all()).and_then(|table| table.tokens.first().cloned());
        let answer = server.send(post(&path, secret.as_deref(), body)).await;
        assert!(answer.status.is_success() || answer.status.is_client_error(), "{number}: {}", answer.status);
        check_headers(&format!("{number} to {path}"), &answer);
        assert!(serde_json::from_slice::<Value>(&answer.body).is_ok());
    }
}

/// An action sent many times at once is taken once.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_action_is_taken_once_however_often_it_is_sent() {
    let server = Server::new();
    for _ in 0..20 {
        let table = server.set_up(json!({ "game": "tic-tac-toe" })).await;
        let senders: Vec<_> = (0..16)
            .map(|bid| {
                let (server, token) = (server.clone(), table.tokens[0].clone());
                tokio::spawn(async move { server.act(&token, &json!(0), json!({ "bid": bid % 3 })).await.status })
            })
            .collect();
        let mut taken = 0;
        for sender in senders {
            match sender.await.unwrap() {
                StatusCode::OK => taken += 1,
                status => assert_eq!(status, StatusCode::CONFLICT),
            }
        }
        assert_eq!(taken, 1);
        assert_eq!(server.seen(&table.tokens[0]).await["steps"], json!({ "alice": 1, "bob": 0 }));
    }
}

/// Of many who accept an invitation at once, one gets the seat.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_invitation_is_taken_once() {
    let server = Server::new();
    let table = server.set_up(json!({ "game": "tic-tac-toe", "seats": { "alice": "invited", "bob": "person" } })).await;
    let senders: Vec<_> = (0..16)
        .map(|_| {
            let (server, invitation) = (server.clone(), table.invitation.clone());
            tokio::spawn(
                async move { server.post("/api/v1/invitation", invitation.as_deref(), json!({})).await.status },
            )
        })
        .collect();
    let mut taken = 0;
    for sender in senders {
        taken += usize::from(sender.await.unwrap() == StatusCode::CREATED);
    }
    assert_eq!(taken, 1);
}
