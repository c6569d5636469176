//! Attacks by many requests.

use std::time::Duration;

use serde_json::json;

use crate::attack::Target;
use crate::client::{Answer, Ask, Client};

/// Connections that ask in turn.
const LOOPS: usize = 40;

/// Asks, counts the answer, and waits a moment after a failed connection.
async fn ask(target: &Target, client: &mut Client, ask: Ask) -> Option<Answer> {
    target.count_sent(ask.bytes());
    let answer = client.ask(ask).await.ok();
    target.count(answer.as_ref().is_some_and(Answer::is_success));
    if answer.is_none() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    answer
}

/// Loops that ask without a pause, each with other numbers.
async fn flood(target: Target, loops: usize, question: fn(usize) -> Ask) {
    let attack = |target: Target, number: usize, source| async move {
        let mut client = Client::new(target.server, source);
        for round in 0.. {
            ask(&target, &mut client, question(number + loops * round)).await;
        }
    };
    target.each(loops, attack).await;
}

/// That many requests, once.
async fn volley(target: Target, many: usize, question: fn(usize) -> Ask) {
    let attack = |target: Target, number: usize, source| async move {
        ask(&target, &mut Client::new(target.server, source), question(number)).await;
    };
    target.each(many, attack).await;
}

fn best_match(game: &str, payment: &str, total: usize) -> Ask {
    let wanted = json!({ "game": game, "total": total, "mechanism": { "payment": payment },
                         "seats": { "alice": "person", "bob": { "computer": "best" } } });
    Ask::post("/api/v1/matches", wanted)
}

/// 300 matches against the computer, each of a game that takes eight seconds to solve.
pub async fn own_games(target: Target) {
    volley(target, 300, |number| best_match("tug-of-war:length=30", "poorman", 2000 + number)).await;
}

/// 200 games of chess against the computer, each with other chips.
pub async fn chess_games(target: Target) {
    volley(target, 200, |number| best_match("chess", "richman", 100 + number)).await;
}

/// One large page again and again.
pub async fn hex_pages(target: Target) {
    flood(target, 20, |_| Ask::get("/explore?game=hex:size=16&whole=yes")).await;
}

/// New guided games.
pub async fn first_games(target: Target) {
    flood(target, LOOPS, |_| Ask::post("/first", "")).await;
}

/// Questions that take a while: pages and answers.
pub async fn questions(target: Target) {
    flood(target, LOOPS, |number| {
        let total = 100 + number;
        match number % 3 {
            0 => Ask::get(format!("/explore?game=connect:rows=4,cols=4&chips={total}&whole=yes")),
            1 => Ask::post("/api/v1/solve", json!({ "game": "connect:rows=4,cols=4", "total": total })),
            _ => Ask::get(format!("/explore?game=hex:size=4&chips={total}&whole=yes")),
        }
    })
    .await;
}

/// Reviews of matches that take a while.
pub async fn reviews(target: Target) {
    let attack = |target: Target, number: usize, source| async move {
        let mut client = Client::new(target.server, source);
        for round in 0.. {
            let chips = 100 + number + LOOPS * round;
            let text =
                format!("[Game \"connect:rows=4,cols=4\"] [Alice \"{chips}*\"] [Bob \"{chips}\"] 1. 1*-1 Alice b");
            let kept = ask(&target, &mut client, Ask::post("/api/v1/records", json!({ "record": text }))).await;
            let id = kept.and_then(|kept| Some(kept.json()["id"].as_str()?.to_string()));
            if let Some(id) = id {
                ask(&target, &mut client, Ask::get(format!("/api/v1/records/{id}/review"))).await;
            }
        }
    };
    target.each(LOOPS, attack).await;
}

/// Positions of chess that are estimated, each with other chips. Those with fewer pieces are solved
/// for them beside.
pub async fn estimates(target: Target) {
    let question = |number| {
        let position = "8/8/2n5/1K3R2/8/3kPP2/8/8";
        Ask::get(format!("/explore?game=chess&position={position}&chips={}&whole=yes", 2 + number))
    };
    flood(target, LOOPS, question).await;
}

/// Questions that take as much memory as they may.
pub async fn heavy_questions(target: Target) {
    flood(target, LOOPS, |number| {
        let question = match number % 4 {
            0 => json!({ "game": "tug-of-war:length=1000000" }),
            1 => json!({ "game": "connect", "mechanism": { "payment": "poorman" } }),
            2 => json!({ "game": "connect:rows=4,cols=4", "total": 20 + number,
                         "mechanism": { "ties": "marker", "right": "moves" } }),
            _ => json!({ "game": "hex:size=4", "mechanism": { "payment": "poorman" } }),
        };
        Ask::post("/api/v1/solve", question)
    })
    .await;
}

/// Return matches of a match whose game has a file of 0.9 MB.
pub async fn rematches(target: Target) {
    const LENGTH: usize = 900_000;
    let attack = |target: Target, number: usize, source| async move {
        let mut client = Client::new(target.server, source);
        let spaces = " ".repeat(LENGTH);
        let file = format!(
            r#"{{{spaces}"name": "long {number}", "start": "a", "positions": {{
                "a": {{"both": ["b", "c"]}}, "b": {{"winner": "alice"}}, "c": {{"winner": "bob"}}}}}}"#
        );
        let wanted = format!(
            r#"{{"file": {file}, "total": 8, "one_screen": true, "seats": {{"alice": "person", "bob": "person"}}}}"#
        );
        let made = ask(&target, &mut client, Ask::post("/api/v1/matches", wanted)).await;
        let secret = made.and_then(|made| Some(made.json()["tokens"]["alice"].as_str()?.to_string()));
        let Some(secret) = secret else { return };
        loop {
            let resign = json!({ "step": 0, "player": "alice", "action": "resign" });
            ask(&target, &mut client, Ask::post("/api/v1/seat/actions", resign).by(&secret)).await;
            ask(&target, &mut client, Ask::post("/api/v1/seat/rematch", "").by(&secret)).await;
        }
    };
    target.each(4, attack).await;
}

/// Matches and questions about short files that stand for `credit` positions and more.
async fn of_credit(target: Target, credit: usize) {
    let attack = move |target: Target, number: usize, source| async move {
        let mut client = Client::new(target.server, source);
        for round in 0.. {
            let credit = credit + number + LOOPS * round;
            let file = json!({ "name": "c", "start": "a", "objective": format!("energy:{credit}"),
                               "positions": { "a": { "both": ["a"] } } });
            let seats = json!({ "alice": "person", "bob": "person" });
            let asked = match round % 2 {
                0 => Ask::post("/api/v1/matches", json!({ "file": file, "one_screen": true, "seats": seats })),
                _ => Ask::post("/api/v1/solve", json!({ "file": file })),
            };
            ask(&target, &mut client, asked).await;
        }
    };
    target.each(LOOPS, attack).await;
}

/// Short files that stand for more positions than there is room for.
pub async fn credits(target: Target) {
    of_credit(target, 8_000_000).await;
}

/// Short files that stand for as many positions as are allowed.
pub async fn large_credits(target: Target) {
    of_credit(target, 50_000).await;
}

/// A game in which both players may go to many ends, all with long names, with this many bytes
/// of white space in its file.
fn wide_game(number: usize, room: usize) -> String {
    const ENDS: usize = 400;
    let mut positions: serde_json::Map<String, serde_json::Value> =
        (1..=ENDS).map(|at| (long_name(at), json!({ "winner": "alice" }))).collect();
    let moves: Vec<String> = (1..=ENDS).map(long_name).collect();
    positions.insert(long_name(0), json!({ "both": moves }));
    let positions = serde_json::Value::Object(positions);
    let room = " ".repeat(room);
    format!(r#"{{{room}"name": "wide {number}", "start": "{}", "positions": {positions}}}"#, long_name(0))
}

/// A name of the greatest length.
fn long_name(number: usize) -> String {
    format!("{number:03}{}", "x".repeat(997))
}

/// The page of a match with many moves of long names, again and again.
pub async fn wide_pages(target: Target) {
    let attack = |target: Target, number: usize, source| async move {
        let mut client = Client::new(target.server, source);
        let file = wide_game(number, 0);
        let wanted = format!(r#"{{"file": {file}, "seats": {{"alice": "person", "bob": "person"}}}}"#);
        let made = ask(&target, &mut client, Ask::post("/api/v1/matches", wanted)).await;
        let Some(id) = made.and_then(|made| Some(made.json()["id"].as_str()?.to_string())) else { return };
        for round in 0.. {
            // Pages differ by the turn that is looked back at, so that none is at hand.
            ask(&target, &mut client, Ask::get(format!("/m/{id}/now?turn={round}"))).await;
        }
    };
    target.each(20, attack).await;
}

/// Large files in matches, questions and records.
pub async fn large_files(target: Target) {
    const ROOM: usize = 100_000;
    let attack = |target: Target, number: usize, source| async move {
        let mut client = Client::new(target.server, source);
        for round in 0.. {
            let file = wide_game(number + LOOPS * round, ROOM);
            let asked = match (number + round) % 3 {
                0 => (
                    "/api/v1/matches",
                    format!(r#"{{"file": {file}, "seats": {{"alice": "person", "bob": "person"}}}}"#),
                ),
                1 => ("/api/v1/solve", format!(r#"{{"file": {file}, "total": 8}}"#)),
                _ => {
                    let played = format!("1. 1*-1 Alice {}", long_name(1));
                    let record = json!(format!("[Game \"wide\"] [File \"wide\"] [Alice \"4*\"] [Bob \"4\"] {played}"));
                    ("/api/v1/records", format!(r#"{{"file": {file}, "record": {record}}}"#))
                }
            };
            ask(&target, &mut client, Ask::post(asked.0, asked.1)).await;
        }
    };
    target.each(LOOPS, attack).await;
}
