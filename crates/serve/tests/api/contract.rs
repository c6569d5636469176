//! The API document is complete, and answers match it.

use std::collections::{BTreeMap, BTreeSet};

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::client::{Answer, Server, Table, request};
use crate::described::Described;

const METHODS: [Method; 5] = [Method::GET, Method::POST, Method::PUT, Method::DELETE, Method::PATCH];

async fn document(server: &Server) -> Value {
    server.get("/api/openapi.json", None).await.done()
}

/// Every documented operation: its path, its method, its entry.
fn operations(document: &Value) -> Vec<(String, Method, Value)> {
    let paths = document["paths"].as_object().expect("paths");
    let of_path = |(path, item): (&String, &Value)| {
        let path = path.clone();
        let operations = item.as_object().expect("operations").clone();
        operations
            .into_iter()
            .map(move |(method, said)| (path.clone(), method.to_uppercase().parse().expect("a method"), said))
    };
    paths.iter().flat_map(of_path).collect()
}

#[tokio::test]
async fn every_documented_address_is_there_and_has_no_other_methods() {
    let server = Server::new();
    let document = document(&server).await;
    let table = server.set_up(json!({ "game": "tic-tac-toe" })).await;
    let operations = operations(&document);
    assert!(operations.len() >= 16);
    let mut names = BTreeSet::new();
    for (path, _, said) in &operations {
        assert!(names.insert(said["operationId"].as_str().unwrap()), "{} is said twice", said["operationId"]);
        for method in METHODS {
            // With an unknown name, operations find no match and change nothing.
            let filled = path.replace("{id}", &table.id[1..]);
            let answer = server.send(request(method.clone(), &filled, None, Some(b"{}".to_vec()))).await;
            let is_documented = operations.iter().any(|(other, of, _)| other == path && *of == method);
            let is_there = answer.status != StatusCode::METHOD_NOT_ALLOWED;
            assert_eq!(is_there, is_documented, "{method} {path}");
            let is_unknown = answer.status == StatusCode::NOT_FOUND
                && answer.json()["error"]["message"].as_str().unwrap().contains("address");
            assert!(!is_unknown, "{method} {path}");
        }
        let of_path = operations.iter().filter(|(other, ..)| other == path).map(|(_, method, _)| method.to_string());
        let mut methods: BTreeSet<String> = of_path.collect();
        if methods.contains("GET") {
            methods.insert("HEAD".to_string());
        }
        let asked = request(Method::OPTIONS, &path.replace("{id}", &table.id), None, None);
        let answer = server.send(asked).await;
        assert_eq!((answer.status, answer.body.len()), (StatusCode::NO_CONTENT, 0), "{path}");
        let allowed = answer.headers["allow"].to_str().unwrap().split(',');
        assert_eq!(allowed.map(str::to_string).collect::<BTreeSet<_>>(), methods, "{path}");
    }
}

#[tokio::test]
async fn what_is_not_there_is_said_in_json() {
    let server = Server::new();
    for path in
        ["/api/", "/api/v1", "/api/v1/", "/api/v2/games", "/api/v1/matches/", "/api/v1/matches/a/b/c", "/api/v1/games/"]
    {
        for method in METHODS.into_iter().chain([Method::OPTIONS]) {
            let answer = server.send(request(method, path, None, None)).await;
            assert_eq!((answer.status, answer.code().as_str()), (StatusCode::NOT_FOUND, "not-found"), "{path}");
        }
    }
    for path in ["/api/openapi.json", "/api", "/api/v1/games"] {
        let answer = server.post(path, None, json!({})).await;
        assert_eq!((answer.status, answer.code().as_str()), (StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed"));
    }
    let page = server.get("/api", None).await;
    assert!(page.status.is_success());
    assert!(String::from_utf8(page.body).unwrap().contains("/api/openapi.json"));
}

/// Answers against the document.
struct Checked {
    document: Value,
    described: Described,
    seen: BTreeMap<(String, String), BTreeSet<String>>,
}

impl Checked {
    fn new(document: Value) -> Checked {
        Checked { described: Described::by(document.clone()), document, seen: BTreeMap::new() }
    }

    fn answer(&mut self, method: &str, path: &str, answer: &Answer) {
        let method = method.to_lowercase();
        let said = &self.document["paths"][path][&method]["responses"];
        let exact = answer.status.as_str().to_string();
        let status = if said[&exact].is_object() { exact } else { format!("{}XX", &exact[..1]) };
        let content =
            said[&status]["content"].as_object().unwrap_or_else(|| panic!("{method} {path}: {status} is not said"));
        let kind = content.keys().next().expect("content");
        assert!(answer.headers["content-type"].to_str().unwrap().starts_with(kind.as_str()), "{method} {path}");
        if kind == "application/json" {
            let body = answer.json();
            let place = ["paths", path, &method, "responses", &status, "content", kind, "schema"];
            let fault = self.described.fault(&place, &body);
            assert_eq!(fault, None, "{method} {path}: {body:#}");
        }
        self.seen.entry((path.to_string(), method.to_uppercase())).or_default().insert(status);
    }
}

#[tokio::test]
async fn answers_are_what_the_document_says() {
    let server = Server::new();
    let document = document(&server).await;
    let mut checked = Checked::new(document.clone());
    let mut rng = fastrand::Rng::with_seed(8);
    checked.answer("GET", "/api/v1/games", &server.get("/api/v1/games", None).await);
    // A match of each kind, checked in every state.
    for (game, mechanism) in [
        ("tic-tac-toe", json!({})),
        ("subtraction", json!({ "preset": "larsson" })),
        ("tug-of-war", json!({ "preset": "gasarch" })),
        ("tic-tac-toe", json!({ "bids": "1+2" })),
    ] {
        let seats = json!({ "alice": "person", "bob": "invited" });
        let wanted = json!({ "game": game, "mechanism": mechanism, "total": 10, "limit": 12, "seats": seats });
        let made = server.post("/api/v1/matches", None, wanted).await;
        checked.answer("POST", "/api/v1/matches", &made);
        let made = made.done();
        let invitation = made["invitation"].as_str();
        checked.answer("GET", "/api/v1/invitation", &server.get("/api/v1/invitation", invitation).await);
        let taken = server.post("/api/v1/invitation", invitation, json!({})).await;
        checked.answer("POST", "/api/v1/invitation", &taken);
        let text = |value: &Value| value.as_str().unwrap().to_string();
        let table = Table {
            id: text(&made["id"]),
            tokens: vec![text(&made["tokens"]["alice"]), text(&taken.json()["token"])],
            invitation: None,
        };
        play_and_check(&server, &mut checked, &table, &mut rng).await;
    }
    records_and_reports(&server, &mut checked).await;
    refusals(&server, &mut checked, &operations(&document)).await;
    for (path, method, said) in operations(&document) {
        if path.ends_with("/events") {
            continue; // it is heard in another test
        }
        let seen = checked.seen.get(&(path.clone(), method.to_string())).cloned().unwrap_or_default();
        for status in said["responses"].as_object().unwrap().keys() {
            assert!(seen.contains(status), "{method} {path} {status} was not checked");
        }
    }
}

async fn play_and_check(server: &Server, checked: &mut Checked, table: &Table, rng: &mut fastrand::Rng) {
    let at = |path: &str| path.replace("{id}", &table.id);
    loop {
        for path in ["/api/v1/matches/{id}", "/api/v1/matches/{id}/record"] {
            checked.answer("GET", path, &server.get(&at(path), None).await);
        }
        let mut acted = false;
        for token in &table.tokens {
            let seen = server.get("/api/v1/seat", Some(token)).await;
            checked.answer("GET", "/api/v1/seat", &seen);
            let seen = seen.json();
            if !seen["decision"].is_null() {
                let answer = server.act(token, &seen["decision"]["step"], super::client::choose(&seen, rng)).await;
                checked.answer("POST", "/api/v1/seat/actions", &answer);
                answer.done();
                acted = true;
                break;
            }
        }
        if !acted {
            break;
        }
    }
    checked.answer("GET", "/api/v1/matches/{id}/review", &server.get(&at("/api/v1/matches/{id}/review"), None).await);
    for token in &table.tokens {
        let again = server.post("/api/v1/seat/rematch", Some(token), json!({})).await;
        checked.answer("POST", "/api/v1/seat/rematch", &again);
    }
}

async fn records_and_reports(server: &Server, checked: &mut Checked) {
    let record = include_str!("../../../../examples/dp10-1-1.txt");
    let kept = server.post("/api/v1/records", None, json!({ "record": record })).await;
    checked.answer("POST", "/api/v1/records", &kept);
    let id = kept.done()["id"].as_str().unwrap().to_string();
    for path in ["/api/v1/records/{id}", "/api/v1/records/{id}/review"] {
        checked.answer("GET", path, &server.get(&path.replace("{id}", &id), None).await);
    }
    let solved = server.post("/api/v1/solve", None, json!({ "game": "tic-tac-toe", "total": 8 })).await;
    checked.answer("POST", "/api/v1/solve", &solved);
    let table = server.post("/api/v1/table", None, json!({ "game": "tic-tac-toe", "chips": [0, 3] })).await;
    checked.answer("POST", "/api/v1/table", &table);
    let file = json!({ "name": "coin", "start": "toss", "positions": {
        "toss": { "alice": ["heads"], "bob": ["tails"] },
        "heads": { "winner": "alice" }, "tails": { "winner": "bob" } } });
    let table = server.set_up(json!({ "file": file })).await;
    let file = server.get(&format!("/api/v1/matches/{}/file", table.id), None).await;
    checked.answer("GET", "/api/v1/matches/{id}/file", &file);
}

/// Requests without a secret, without a body, or with an unknown name.
async fn refusals(server: &Server, checked: &mut Checked, operations: &[(String, Method, Value)]) {
    for (path, method, _) in operations.iter().filter(|(path, ..)| path != "/api/v1/games") {
        let filled = path.replace("{id}", "abcdefghijkmnpqrstuvwxyz23");
        let answer = server.send(request(method.clone(), &filled, None, Some(b"{}".to_vec()))).await;
        answer.code();
        checked.answer(method.as_str(), path, &answer);
    }
}

/// Hex of any size is solved for real money; other questions are refused with advice.
#[tokio::test]
async fn hex_is_solved_without_unfolding_it() {
    let server = Server::new();
    let solve = |body: Value| {
        let server = &server;
        async move { server.post("/api/v1/solve", None, body).await }
    };
    let found = solve(json!({ "game": "hex:size=11" })).await.done();
    assert_eq!((&found["win"], &found["moves"]["alice"][0]), (&json!("1/2"), &json!("f6")));
    assert_eq!((&found["exact"], found["cells"].as_array().unwrap().len()), (&json!(true), 121));
    let wide = solve(json!({ "game": "hex:size=14" })).await.done();
    assert_eq!((&wide["exact"], &wide["confidence"]), (&json!(false), &json!("99%")));
    let refused = [
        (json!({ "game": "hex:size=11", "total": 100 }), "start from a later position"),
        (json!({ "game": "hex:size=11", "holdings": { "alice": "4*", "bob": 4 } }), "start from a later position"),
        (json!({ "game": "hex:size=11", "within": 3 }), "start from a later position"),
        (json!({ "game": "hex:size=17" }), "more than 256 cells"),
        (json!({ "game": "hex:size=3", "position": "AB." }), "it has 1 row"),
        (json!({ "game": "hex:size=3", "position": "A../.X./..." }), "is none of A, B and ."),
    ];
    for (body, cause) in refused {
        let answer = solve(body.clone()).await;
        assert!(answer.status.is_client_error(), "{body}");
        assert!(answer.json()["error"]["message"].as_str().unwrap().contains(cause), "{body}: {}", answer.json());
    }
    let table = server.post("/api/v1/table", None, json!({ "game": "hex:size=11", "chips": [0, 8] })).await;
    assert_eq!(table.status, StatusCode::UNPROCESSABLE_ENTITY);
}

/// Programs read what would help from the codes, whatever the message says.
#[tokio::test]
async fn refusals_say_what_would_help() {
    let server = Server::new();
    let endless = json!({ "name": "endless", "start": "a", "positions": { "a": { "both": ["a"], "priority": 2 } } });
    let zugzwang = json!({ "name": "zugzwang", "start": "a", "positions": {
        "a": { "alice": ["lost"], "bob": ["won"] }, "won": { "winner": "alice" }, "lost": { "winner": "bob" } } });
    for (body, expected) in [
        (json!({ "file": endless, "within": 3 }), json!([{ "remedy": "leave-out", "key": "within" }])),
        (
            json!({ "game": "hex:size=11", "total": 100 }),
            json!([{ "remedy": "later-position", "key": "position" }, { "remedy": "money", "key": null }]),
        ),
        (
            json!({ "file": zugzwang, "mechanism": { "right": "moves" } }),
            json!([{ "remedy": "change", "key": "mechanism.right" }, { "remedy": "add", "key": "total" }]),
        ),
        (
            json!({ "game": "tic-tac-toe", "total": 8, "mechanism": { "payment": "poorman" } }),
            json!([
                { "remedy": "add", "key": "holdings" },
                { "remedy": "money", "key": null },
                { "remedy": "table", "key": "of" },
            ]),
        ),
    ] {
        let answer = server.post("/api/v1/solve", None, body.clone()).await;
        assert!(answer.status.is_client_error(), "{body}");
        assert_eq!(answer.json()["error"]["remedies"], expected, "{body}: {}", answer.json());
    }
}
