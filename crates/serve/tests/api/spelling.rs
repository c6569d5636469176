//! Values of another kind are refused in plain words, and a number is read however it is written.

use axum::http::StatusCode;
use serde_json::{Value, json};

use super::client::Server;
use super::hostile::{post, setup};

/// All values of a kind other than the one that stands there, in every place of a request.
fn of_other_kinds(body: &Value) -> Vec<Value> {
    let others = [json!(null), json!(true), json!(-7), json!(7.5), json!("?"), json!([]), json!([1]), json!({})];
    let mut all = others.to_vec();
    let inside: Vec<(String, Value)> = match body {
        Value::Object(entries) => entries.clone().into_iter().collect(),
        _ => Vec::new(),
    };
    for (key, value) in inside {
        all.extend(of_other_kinds(&value).into_iter().map(|other| {
            let mut changed = body.clone();
            changed[&key] = other;
            changed
        }));
        let mut without = body.clone();
        without.as_object_mut().unwrap().remove(&key);
        all.extend([without, json!([body.clone(), value])]);
    }
    all
}

/// Requests that a client may send who knows the documentation alone.
fn requests() -> [(&'static str, Value); 6] {
    let both = json!({ "alice": "8*", "bob": 8.0 });
    let table = json!({ "game": "tic-tac-toe", "chips": [0, 5], "of": "alice", "mechanism": { "ties": "marker" } });
    [
        ("matches", setup()),
        ("matches", json!({ "game": "hex", "holdings": both, "seats": { "alice": "person", "bob": "person" } })),
        ("seat/actions", json!({ "step": 0, "player": "alice", "action": { "bid": 1 } })),
        ("seat/actions", json!({ "step": 0, "action": "let" })),
        ("solve", json!({ "game": "tug-of-war", "total": 8, "within": 9 })),
        ("table", table),
    ]
}

/// Whoever reads an error does not know the types of this program.
#[tokio::test]
async fn errors_name_no_types_and_lists_are_no_objects() {
    const TYPES: [&str; 14] = [
        "struct",
        "enum ",
        "tuple",
        "unit",
        "newtype",
        "identifier",
        "u8",
        "u16",
        "u32",
        "u64",
        "i64",
        "usize",
        "f64",
        "Option",
    ];
    let server = Server::new();
    let table = server.set_up(json!({ "game": "tic-tac-toe" })).await;
    let mut refused = 0;
    for (path, body) in requests() {
        for wrong in of_other_kinds(&body) {
            let answer = server.send(post(&format!("/api/v1/{path}"), Some(&table.tokens[0]), wrong.to_string())).await;
            assert!(answer.status.is_success() || answer.status.is_client_error(), "{path} {wrong}");
            assert!(!wrong.is_array() || answer.code() == "bad-request", "{path} {wrong}");
            if answer.status.is_client_error() {
                refused += 1;
                let message = answer.json()["error"]["message"].as_str().unwrap().to_string();
                let named = TYPES.iter().find(|name| message.contains(**name));
                assert_eq!(named, None, "{path} {wrong}: {message}");
            }
        }
    }
    assert!(refused > 200, "{refused}");
    // Every value of an object in its order is still no object.
    for (path, body) in [
        ("solve", json!(["tic-tac-toe", null, null, {}, null, 8, null, null, null])),
        ("solve", json!({ "game": "tic-tac-toe", "holdings": ["8*", 8] })),
        ("solve", json!({ "game": "tic-tac-toe", "mechanism": ["larsson", null, null, null, null, null] })),
        ("seat/actions", json!([0, { "bid": 1 }, null])),
    ] {
        let answer = server.post(&format!("/api/v1/{path}"), Some(&table.tokens[0]), body.clone()).await;
        assert_eq!((answer.status, answer.code().as_str()), (StatusCode::BAD_REQUEST, "bad-request"), "{body}");
        let message = answer.json()["error"]["message"].as_str().unwrap().to_string();
        assert!(message.contains("write an object, not a list, at line 1"), "{message}");
    }
}

/// `8.0` is 8, and a range is a list or a text.
#[tokio::test]
async fn whole_numbers_and_ranges_are_taken_in_every_spelling() {
    let server = Server::new();
    let send = async |path: &str, body: &str| server.send(post(&format!("/api/v1/{path}"), None, body)).await;
    let of_total = async |total: &str| {
        let body = format!(r#"{{"game":"tic-tac-toe","total":{total},"within":9.0}}"#);
        send("solve", &body).await
    };
    let eight = of_total("8").await.done();
    for total in ["8.0", "8.000", "80e-1", "0.8E+1"] {
        assert_eq!(of_total(total).await.done(), eight, "{total}");
    }
    for total in ["8.5", "8.00000000000000000000000001", "7.99999999999999999999", "-8", "8e99", "4294967304", "\"8\""]
    {
        let answer = of_total(total).await;
        assert_eq!((answer.status, answer.code().as_str()), (StatusCode::BAD_REQUEST, "bad-request"), "{total}");
    }
    let holding = r#"{"game":"tic-tac-toe","holdings":{"alice":"8*","bob":8.0}}"#;
    assert_eq!(send("solve", holding).await.done(), send("solve", &holding.replace("8.0", "\"8\"")).await.done());
    let rows = async |chips: &str| send("table", &format!(r#"{{"game":"tic-tac-toe","chips":{chips}}}"#)).await;
    let table = rows("[0, 8]").await.done();
    for chips in ["\"0..8\"", "[0.0, 8]"] {
        assert_eq!(rows(chips).await.done(), table, "{chips}");
    }
    for chips in ["\"8..0\"", "\"0..\"", "\"a\"", "[0]", "[0,1,2]", "[0,-1]", "{}", "null", "\"0..1000000000\""] {
        assert_eq!(rows(chips).await.code(), "bad-request", "{chips}");
    }
    let table = server.set_up(json!({ "game": "tic-tac-toe" })).await;
    let bid = post("/api/v1/seat/actions", Some(&table.tokens[0]), r#"{"step":0.0,"action":{"bid":5.0}}"#);
    server.send(bid).await.done();
    assert_eq!(server.seen(&table.tokens[0]).await["steps"]["alice"], 1);
}
