//! A bot that plays one match over HTTP on a server started with `richman serve`.
//!
//! ```text
//! cargo run -p richman-serve --example bot -- http://127.0.0.1:8080               against the computer
//! cargo run -p richman-serve --example bot -- http://127.0.0.1:8080 INVITATION    against whoever invited it
//! ```
//!
//! It bids a random part of its chips and moves anywhere. To make it better, change [`choose`];
//! everything else can stay.

use serde_json::{Value, json};

type Failure = Box<dyn std::error::Error>;

/// One of the allowed actions.
fn choose(seen: &Value) -> Value {
    let decision = &seen["decision"];
    match decision["kind"].as_str() {
        Some("bid") => {
            let ranges: Vec<[u32; 2]> = serde_json::from_value(decision["bids"].clone()).unwrap_or_default();
            let affordable = ranges.last().map_or(0, |range| range[1]);
            let wanted = fastrand::u32(0..=affordable / 2); // never all at once
            let allowed = ranges.iter().rev().find(|range| range[0] <= wanted).or(ranges.first());
            json!({ "bid": allowed.map_or(0, |range| wanted.clamp(range[0], range[1])) })
        }
        Some("star") => json!({ "use_star": fastrand::bool() }),
        _ => match fastrand::choice(decision["moves"].as_array().map(Vec::as_slice).unwrap_or_default()) {
            Some(name) => json!({ "move": name }),
            None if decision["may_stay"] == true => json!("stay"),
            None => json!("let"),
        },
    }
}

/// One request with the secret of the seat, or of the invitation, and its answer.
fn ask(server: &str, path: &str, secret: &str, body: Option<Value>) -> Result<Value, Failure> {
    let (url, secret) = (format!("{server}/api/v1/{path}"), format!("Bearer {secret}"));
    let mut answer = match body {
        Some(body) => ureq::post(url).header("Authorization", secret).send_json(body)?,
        None => ureq::get(url).header("Authorization", secret).call()?,
    };
    Ok(answer.body_mut().read_json()?)
}

/// The secret of a seat: the one of the invitation, or one in a new match against the computer.
fn sit_down(server: &str, invitation: Option<&str>) -> Result<String, Failure> {
    let token = match invitation {
        Some(invitation) => ask(server, "invitation", invitation, Some(json!({})))?["token"].clone(),
        None => {
            let seats = json!({ "alice": "person", "bob": { "computer": "beginner" } });
            let wanted = json!({ "game": "tic-tac-toe", "total": 16, "seats": seats });
            ask(server, "matches", "", Some(wanted))?["tokens"]["alice"].clone()
        }
    };
    Ok(token.as_str().ok_or("the answer holds no token")?.to_string())
}

/// Plays until the match is over, and returns the match.
pub fn play(server: &str, invitation: Option<&str>) -> Result<Value, Failure> {
    let token = sit_down(server, invitation)?;
    let mut seen = ask(server, "seat", &token, None)?;
    while seen["result"].is_null() {
        seen = if seen["decision"].is_null() {
            // The answer comes as soon as something happens, or after a while.
            ask(server, &format!("seat?after={}", seen["version"]), &token, None)?
        } else {
            let action = json!({ "step": seen["decision"]["step"], "action": choose(&seen) });
            ask(server, "seat/actions", &token, Some(action))?
        };
    }
    Ok(seen)
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let server = arguments.first().ok_or("say where the server is, such as http://127.0.0.1:8080")?;
    let end = play(server.trim_end_matches('/'), arguments.get(1).map(String::as_str))?;
    println!("I was {}. The winner: {}, after {} turns.", end["you"], end["result"]["winner"], end["turn"]);
    Ok(())
}
