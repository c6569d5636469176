//! What requests cost the threads that serve everybody, with the largest games, matches and records
//! that are accepted: what grows with them is done elsewhere.

use std::time::Duration;

use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use serde_json::{Map, Value, json};

use crate::api::client::{Answer, Server, Table, request, request_with_cookie};
use crate::page_costs::{reference, timed};

/// The most for one request, in references. Here much of it is the price of code that is compiled
/// without optimization.
const MOST: u32 = 6;
/// Of several tries the least is what a request costs: others may disturb one of them.
const TRIES: usize = 3;

/// A server and the requests that cost too much.
struct Costs {
    server: Server,
    unit: Duration,
    wrong: Vec<String>,
}

impl Costs {
    fn new() -> Costs {
        let unit = reference();
        println!("the unit is {unit:?}");
        Costs { server: Server::new(), unit, wrong: Vec::new() }
    }

    /// Asks several times, and notes what it cost the thread that serves.
    async fn ask(&mut self, name: &str, request: impl Fn() -> Request<Body>) -> Answer {
        let mut least = Duration::MAX;
        let mut last = None;
        for _ in 0..TRIES {
            let request = request();
            let ((head, body), took) = timed(self.server.open(request)).await;
            least = least.min(took);
            last = Some((head, body));
        }
        let (head, body) = last.unwrap();
        let body = axum::body::to_bytes(body, 64 << 20).await.unwrap().to_vec();
        println!("{} with {} bytes:", head.status, body.len());
        self.note(name, least);
        Answer { status: head.status, headers: head.headers, body }
    }

    fn note(&mut self, name: &str, cost: Duration) {
        println!("{:9.3}  {name}", cost.as_secs_f64() / self.unit.as_secs_f64());
        if cost > MOST * self.unit {
            self.wrong.push(format!("{name}: {cost:?}, {:?} is the unit", self.unit));
        }
    }

    async fn get(&mut self, path: &str) -> Answer {
        self.ask(&format!("GET {path}"), || request(Method::GET, path, None, None)).await
    }

    async fn seen(&mut self, path: &str, secret: &str) -> Answer {
        self.ask(&format!("GET {path}, a seat"), || request(Method::GET, path, Some(secret), None)).await
    }

    async fn post(&mut self, path: &str, body: &Value) -> Answer {
        let body = body.to_string().into_bytes();
        self.ask(&format!("POST {path}"), || request(Method::POST, path, None, Some(body.clone()))).await
    }

    async fn form(&mut self, path: &str, fields: &[(&str, &str)]) -> Answer {
        const BETWEEN: &str = "----richman-test";
        let part = |(name, value): &(&str, &str)| {
            format!("--{BETWEEN}\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
        };
        let body = fields.iter().map(part).collect::<String>() + &format!("--{BETWEEN}--\r\n");
        self.ask(&format!("form {path}"), || {
            let form = Request::builder().method("POST").uri(path).header(header::HOST, "127.0.0.1");
            let form = form.header(header::CONTENT_TYPE, format!("multipart/form-data; boundary={BETWEEN}"));
            form.body(Body::from(body.clone())).unwrap()
        })
        .await
    }

    fn check(&self) {
        assert!(self.wrong.is_empty(), "{}", self.wrong.join("\n"));
    }
}

/// A game with the most moves and the longest names: from its start each player goes to one of 510
/// ends or stays there.
fn wide() -> Value {
    let name = |at: usize| format!("{at:03}{}", "x".repeat(997));
    let ends: Vec<String> = (0..510).map(name).collect();
    let mut positions: Map<String, Value> =
        ends.iter().map(|name| (name.clone(), json!({ "winner": "alice" }))).collect();
    let start = name(999);
    let moves: Vec<&String> = ends.iter().chain([&start]).collect();
    positions.insert(start.clone(), json!({ "both": moves }));
    json!({ "name": "wide", "start": start, "positions": positions })
}

/// A match of the game that stays at its start for this many turns, and what the last actions cost.
async fn played(server: &Server, turns: usize) -> (Table, Vec<Duration>) {
    let start = wide()["start"].clone();
    let table = server.set_up(json!({ "file": wide(), "limit": 1000, "mechanism": { "ties": "alice" } })).await;
    let mut costs = Vec::new();
    for _ in 0..turns {
        for (seat, action) in [(0, json!({ "bid": 0 })), (1, json!({ "bid": 0 })), (0, json!({ "move": start }))] {
            let token = &table.tokens[seat];
            let step = server.seen(token).await["decision"]["step"].clone();
            let (acted, took) = timed(server.act(token, &step, action)).await;
            assert_eq!(acted.status, StatusCode::OK, "{}", String::from_utf8_lossy(&acted.body));
            costs.push(took);
        }
    }
    (table, costs.split_off(costs.len() - TRIES))
}

#[tokio::test]
async fn the_threads_that_serve_do_no_work_that_grows_with_a_match() {
    let mut costs = Costs::new();
    let (Table { id, tokens, .. }, acted) = played(&costs.server.clone(), 200).await;
    costs.note("an action", *acted.iter().min().unwrap());
    for below in ["", "/now"] {
        let path = format!("/m/{id}{below}");
        costs.get(&path).await;
        let cookie = format!("seat-alice={}", tokens[0]);
        costs.ask(&format!("GET {path}, a seat"), || request_with_cookie(Method::GET, &path, &cookie)).await;
    }
    costs.get(&format!("/api/v1/matches/{id}")).await;
    costs.get(&format!("/api/v1/matches/{id}/record")).await;
    costs.get(&format!("/api/v1/matches/{id}/file")).await;
    costs.get(&format!("/api/v1/matches/{id}/review")).await;
    costs.get(&format!("/record/{id}")).await;
    costs.get(&format!("/review/{id}")).await;
    for token in &tokens {
        costs.seen("/api/v1/seat", token).await;
    }
    costs.check();
}

#[tokio::test]
async fn the_threads_that_serve_do_no_work_that_grows_with_a_file() {
    let mut costs = Costs::new();
    let mut file = wide();
    file["description"] = json!("d".repeat(2000));
    let text = file.to_string();
    // The same with room between, up to the largest file.
    let largest = format!("{}{}{}", &text[..1], " ".repeat((1 << 20) - text.len()), &text[1..]);
    let raw = serde_json::value::RawValue::from_string(largest.clone()).unwrap();
    let with = |more: Value| {
        let mut body = String::from("{\"file\":") + raw.get();
        for (key, value) in more.as_object().unwrap() {
            body += &format!(",\"{key}\":{value}");
        }
        body + "}"
    };
    for (path, more) in [
        ("/api/v1/matches", json!({ "seats": { "alice": "person", "bob": "invited" } })),
        ("/api/v1/solve", json!({ "total": 8 })),
        ("/api/v1/table", json!({ "chips": [0, 8] })),
        ("/api/v1/records", json!({ "record": "[Game \"wide\"] [File \"wide.json\"] [Alice \"4*\"] [Bob \"4\"]" })),
        ("/api/v1/records", json!({ "record": "nonsense ".repeat(100_000) })),
    ] {
        let body = with(more).into_bytes();
        costs.ask(&format!("POST {path}"), || request(Method::POST, path, None, Some(body.clone()))).await;
    }
    let record = "nonsense ".repeat(110_000);
    costs.post("/api/v1/records", &json!({ "record": record })).await;
    costs.form("/review", &[("record", &record)]).await;
    costs
        .form("/review", &[("record", "[Game \"wide\"] [File \"w\"] [Alice \"4*\"] [Bob \"4\"]"), ("rules", &largest)])
        .await;
    costs.form("/explore/file", &[("text", &largest)]).await;
    costs.form("/new", &[("game", "file"), ("file_text", &largest), ("opponent", "screen"), ("chips", "x")]).await;
    costs.form("/new", &[("game", "file"), ("file_text", &largest), ("opponent", "screen"), ("chips", "8")]).await;
    costs.check();
}
