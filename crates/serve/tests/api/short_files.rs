//! Short game files that stand for many positions: whoever reads one keeps to the limits of the
//! question, and nothing is unfolded that exceeds them.

use std::time::{Duration, Instant};

use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use serde_json::{Value, json};

use super::client::Server;

fn file(credit: u32) -> Value {
    json!({ "name": "credit", "start": "a", "objective": format!("energy:{credit}"),
            "positions": { "a": { "both": ["a"] } } })
}

/// Each address that reads a game file.
async fn sent(server: &Server, credit: u32) -> Vec<(&'static str, StatusCode, String)> {
    let (file, text) = (file(credit), file(credit).to_string());
    let record = "[Game \"credit\"] [File \"credit.json\"] [Alice \"4*\"] [Bob \"4\"]";
    let form = |fields: &[(&str, &str)]| {
        let part = |(name, value): &(&str, &str)| {
            format!("--end\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
        };
        fields.iter().map(part).collect::<String>() + "--end--\r\n"
    };
    let seats = json!({ "alice": "person", "bob": "person" });
    let bodies = [
        ("/api/v1/matches", json!({ "file": file, "one_screen": true, "seats": seats }).to_string()),
        ("/api/v1/records", json!({ "record": record, "file": file }).to_string()),
        ("/api/v1/solve", json!({ "file": file }).to_string()),
        ("/api/v1/table", json!({ "file": file, "chips": [0, 3] }).to_string()),
        ("/new", form(&[("game", "file"), ("file_text", &text)])),
        ("/explore/file", form(&[("text", &text)])),
    ];
    let mut answers = Vec::new();
    for (path, body) in bodies {
        let kind = if body.starts_with("--") { "multipart/form-data; boundary=end" } else { "application/json" };
        let request = Request::builder()
            .method(Method::POST)
            .uri(path)
            .header(header::CONTENT_TYPE, kind)
            .body(Body::from(body))
            .unwrap();
        let answer = server.send(request).await;
        answers.push((path, answer.status, String::from_utf8_lossy(&answer.body).into_owned()));
    }
    answers
}

#[tokio::test(flavor = "multi_thread")]
async fn a_short_file_of_many_positions_is_refused_at_once_at_every_address() {
    let server = Server::new();
    for credit in [8_000_000, 60_000_000, 1_000_000_000] {
        let started = Instant::now();
        for (path, status, body) in sent(&server, credit).await {
            assert!(status.is_client_error(), "{path} {status}: {body}");
            assert!(body.contains("positions") || body.contains("but the limit is"), "{path}: {body}");
        }
        assert!(started.elapsed() < Duration::from_secs(5), "{credit}: {:?}", started.elapsed());
    }
    for (path, status, body) in sent(&server, 3).await {
        assert!(status.is_success() || status.is_redirection(), "{path} {status}: {body}");
    }
}

#[tokio::test]
async fn a_match_has_no_more_moves_than_a_page_can_list() {
    let server = Server::new();
    let set_up = async |moves: usize| {
        let names: Vec<String> = (0..moves).map(|at| format!("end {at}")).collect();
        let mut positions: serde_json::Map<String, Value> =
            names.iter().map(|name| (name.clone(), json!({ "winner": "alice" }))).collect();
        positions.insert("a".to_string(), json!({ "both": names }));
        let file = json!({ "name": "wide", "start": "a", "positions": positions });
        let seats = json!({ "alice": "person", "bob": "person" });
        server.post("/api/v1/matches", None, json!({ "file": file, "one_screen": true, "seats": seats })).await
    };
    assert_eq!(set_up(512).await.status, StatusCode::CREATED);
    let refused = set_up(513).await;
    assert_eq!(refused.status, StatusCode::PAYLOAD_TOO_LARGE);
    assert!(String::from_utf8_lossy(&refused.body).contains("at most 512 moves"));
}
