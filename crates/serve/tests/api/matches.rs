//! Matches played by programs.

use std::time::Duration;

use axum::http::Method;
use http_body_util::BodyExt;
use serde_json::{Value, json};

use super::client::{Server, chips, request};

const GAMES: [&str; 7] = [
    "tic-tac-toe",
    "connect:rows=4,cols=4,line=3",
    "tug-of-war:length=6,at=3",
    "ultimatum:degree=3",
    "subtraction:heap=9,set=1+3",
    "expr:A & (B & E)",
    "tug-of-war:length=2,at=1",
];

fn mechanisms() -> Vec<Value> {
    vec![
        json!({}),
        json!({ "preset": "larsson" }),
        json!({ "preset": "gasarch" }),
        json!({ "payment": "poorman", "ties": "loser" }),
        json!({ "payment": "taxman:1/3", "bidding": "bob-first", "ties": "bob", "right": "moves" }),
        json!({ "bids": "0+2+5", "ties": "winner" }),
        json!({ "bids": "3+5" }),
    ]
}

#[tokio::test]
async fn every_game_is_played_to_its_end_under_every_kind_of_mechanism() {
    let server = Server::new();
    let mut rng = fastrand::Rng::with_seed(1);
    for game in GAMES {
        for mechanism in mechanisms() {
            let table = server.set_up(json!({ "game": game, "mechanism": mechanism, "total": 13, "limit": 40 })).await;
            let end = server.play_out(&table, &mut rng).await;
            assert_eq!(end["stage"], "over", "{game} {mechanism}");
            assert_eq!(chips(&end), 13, "{game} {mechanism}");
            assert_eq!(end["decision"], Value::Null);
            assert_eq!(end["waiting_for"], json!([]));
            let bob = server.seen(&table.tokens[1]).await;
            assert_eq!((&bob["turns"], &bob["result"]), (&end["turns"], &end["result"]));
        }
    }
}

/// The public view of the pending decisions and the turn agrees with the players' views.
#[tokio::test]
async fn what_anybody_sees_agrees_with_what_players_are_asked() {
    let server = Server::new();
    let mut rng = fastrand::Rng::with_seed(2);
    for mechanism in mechanisms() {
        let table = server.set_up(json!({ "game": "tic-tac-toe", "mechanism": mechanism, "total": 12 })).await;
        loop {
            let watched = server.get(&format!("/api/v1/matches/{}", table.id), None).await.done();
            let seats = [server.seen(&table.tokens[0]).await, server.seen(&table.tokens[1]).await];
            let asked: Vec<Value> = ["alice", "bob"]
                .iter()
                .zip(&seats)
                .filter(|(_, seat)| !seat["decision"].is_null())
                .map(|(name, _)| json!(name))
                .collect();
            assert_eq!(watched["waiting_for"], json!(asked), "{mechanism}");
            assert_eq!(watched["decision"], Value::Null);
            assert_eq!(watched["you"], "spectator");
            for (seat, name) in seats.iter().zip(["alice", "bob"]) {
                assert_eq!(seat["you"], name);
                for key in
                    ["version", "position", "holdings", "stage", "turns", "open_turn", "steps", "named_bid", "result"]
                {
                    assert_eq!(seat[key], watched[key], "{key} {mechanism}");
                }
                if !seat["decision"].is_null() {
                    assert_eq!(seat["decision"]["player"], name);
                    assert_eq!(seat["decision"]["step"], seat["steps"][name]);
                }
            }
            let Some(index) = seats.iter().position(|seat| !seat["decision"].is_null()) else { break };
            let action = super::client::choose(&seats[index], &mut rng);
            let after = server.act(&table.tokens[index], &seats[index]["decision"]["step"], action).await.done();
            assert!(after["version"].as_u64() > watched["version"].as_u64());
        }
    }
}

#[tokio::test]
async fn a_friend_takes_the_other_seat_once() {
    let server = Server::new();
    let wanted = json!({ "game": "tic-tac-toe", "seats": { "alice": "invited", "bob": "person" } });
    let table = server.set_up(wanted).await;
    let invitation = table.invitation.clone().expect("an invitation");
    assert_eq!(table.tokens.len(), 1);
    let invited = server.get("/api/v1/invitation", Some(&invitation)).await.done();
    assert_eq!((&invited["player"], &invited["match"]["id"]), (&json!("alice"), &json!(table.id)));
    let taken = server.post("/api/v1/invitation", Some(&invitation), json!({})).await.done();
    assert_eq!((&taken["player"], &taken["match"]["you"]), (&json!("alice"), &json!("alice")));
    for method in [Method::GET, Method::POST] {
        let again = server.send(request(method, "/api/v1/invitation", Some(&invitation), None)).await;
        assert_eq!(again.code(), "not-found");
    }
    let alice = taken["token"].as_str().expect("a token").to_string();
    let table = super::client::Table { tokens: vec![alice, table.tokens[0].clone()], ..table };
    server.play_out(&table, &mut fastrand::Rng::with_seed(3)).await;
}

#[tokio::test]
async fn the_computer_answers_and_gives_a_return_match_with_the_sides_exchanged() {
    let server = Server::new();
    let seats = json!({ "alice": "person", "bob": { "computer": "greedy" } });
    let table = server.set_up(json!({ "game": "tic-tac-toe", "total": 8, "seats": seats })).await;
    let token = &table.tokens[0];
    let mut rng = fastrand::Rng::with_seed(4);
    let mut seen = server.seen(token).await;
    while seen["result"].is_null() {
        seen = if seen["decision"].is_null() {
            server.get(&format!("/api/v1/seat?after={}", seen["version"]), Some(token)).await.done()
        } else {
            let action = super::client::choose(&seen, &mut rng);
            server.act(token, &seen["decision"]["step"], action).await.done()
        };
        assert_eq!(seen["trouble"], Value::Null);
    }
    assert_eq!(chips(&seen), 8);
    let again = server.post("/api/v1/seat/rematch", Some(token), json!({})).await.done();
    assert_ne!(again["id"], seen["id"]);
    assert_eq!(again["you"], "bob");
    assert_eq!(again["turns"], json!([]));
    let old = server.get(&format!("/api/v1/matches/{}", table.id), None).await.done();
    assert_eq!(old["next"], again["id"]);
}

#[tokio::test]
async fn one_secret_acts_for_both_at_one_screen() {
    let server = Server::new();
    let table = server.set_up(json!({ "game": "tug-of-war:length=2,at=1", "total": 4, "one_screen": true })).await;
    let token = &table.tokens[0];
    assert_eq!(table.tokens[0], table.tokens[1]);
    assert_eq!(server.act(token, &json!(0), json!({ "bid": 1 })).await.code(), "bad-request");
    for (player, bid) in [("alice", 2), ("bob", 1)] {
        let seen = server.seen(token).await;
        assert_eq!((&seen["you"], &seen["decision"]["player"]), (&json!("both"), &json!(player)));
        let act = json!({ "step": 0, "player": player, "action": { "bid": bid } });
        server.post("/api/v1/seat/actions", Some(token), act).await.done();
    }
    assert_eq!(server.seen(token).await["open_turn"]["winner"], "alice");
}

#[tokio::test]
async fn a_game_of_ones_own_is_played_and_reviewed() {
    let server = Server::new();
    let file = r#"{"name": "coin", "start": "toss", "positions": {
        "toss": {"alice": ["heads"], "bob": ["tails"]}, "heads": {"winner": "alice"}, "tails": {"winner": "bob"}}}"#;
    // As text, so that the file arrives as it was written.
    let body = format!(r#"{{"seats": {{"alice": "person", "bob": "person"}}, "file": {file}}}"#);
    let made = server.send(request(Method::POST, "/api/v1/matches", None, Some(body.into_bytes()))).await.done();
    let (id, alice, bob) = (
        made["id"].as_str().unwrap(),
        made["tokens"]["alice"].as_str().unwrap(),
        made["tokens"]["bob"].as_str().unwrap(),
    );
    assert_eq!(made["match"]["game"], "coin");
    assert_eq!(server.get(&format!("/api/v1/matches/{id}/file"), None).await.body, file.as_bytes());
    assert_eq!(server.get(&format!("/api/v1/matches/{id}/review"), None).await.code(), "conflict");
    server.act(alice, &json!(0), json!({ "bid": 0 })).await.done();
    server.act(bob, &json!(0), json!({ "bid": 1 })).await.done();
    let end = server.act(bob, &json!(1), json!({ "move": "tails" })).await.done();
    assert_eq!(end["result"], json!({ "how": "game", "winner": "bob", "score": null }));
    let review = server.get(&format!("/api/v1/matches/{id}/review"), None).await.done();
    assert_eq!((&review["rests_on"], &review["now"]["winner"]), (&json!("exact chips"), &json!("bob")));
    let record = String::from_utf8(server.get(&format!("/api/v1/matches/{id}/record"), None).await.body).unwrap();
    assert!(record.contains("[Game \"coin\"]"), "{record}");
    let kept = format!(r#"{{"record": {}, "file": {file}}}"#, json!(record));
    let kept = server.send(request(Method::POST, "/api/v1/records", None, Some(kept.into_bytes()))).await.done();
    let again = server.get(&format!("/api/v1/records/{}/review", kept["id"].as_str().unwrap()), None).await.done();
    assert_eq!(again["mistakes"], review["mistakes"]);
}

/// Alice moves without a bid at one position, Bob at another; play need not end.
fn owned(objective: &str) -> Value {
    let file = r#"{"name": "owned", "start": "a", "objective": "OBJECTIVE", "positions": {
        "a": {"kind": "alice", "alice": ["a", "b"], "priority": 1}, "b": {"both": ["a", "c"], "priority": 3},
        "c": {"kind": "bob", "bob": ["b", "d"], "priority": 2}, "d": {"both": ["d"], "priority": 4, "weight": 1} }}"#;
    serde_json::from_str(&file.replace("OBJECTIVE", objective)).unwrap()
}

#[tokio::test]
async fn players_move_without_a_bid_and_play_is_cut_off() {
    let server = Server::new();
    for objective in ["parity", "mean-payoff"] {
        let table = server.set_up(json!({ "file": owned(objective), "total": 4, "limit": 3 })).await;
        let (alice, bob) = (&table.tokens[0], &table.tokens[1]);
        let page = || async { String::from_utf8(server.get(&format!("/m/{}", table.id), None).await.body).unwrap() };
        let before = server.seen(alice).await;
        assert_eq!((&before["stage"], &before["waiting_for"]), (&json!("move"), &json!(["alice"])));
        assert_eq!(before["decision"]["moves"], json!(["a", "b"]));
        assert_eq!((&before["open_turn"], &server.seen(bob).await["decision"]), (&Value::Null, &Value::Null));
        assert!(page().await.contains("Alice moves without a bid"));
        assert_eq!(server.act(alice, &json!(0), json!({ "bid": 0 })).await.code(), "not-now");
        assert_eq!(server.act(bob, &json!(0), json!({ "move": "a" })).await.code(), "not-now");
        server.act(alice, &json!(0), json!({ "move": "b" })).await.done();
        assert!(page().await.contains("Alice moves to b without a bid."));
        server.act(alice, &json!(1), json!({ "bid": 1 })).await.done();
        let bids = server.act(bob, &json!(0), json!({ "bid": 0 })).await.done();
        assert_eq!(bids["open_turn"]["winner"], "alice");
        server.act(alice, &json!(2), json!({ "move": "c" })).await.done();
        assert!(page().await.contains("Bob moves without a bid"));
        let end = server.act(bob, &json!(1), json!({ "move": "d" })).await.done();
        assert_eq!(end["result"], json!({ "how": "limit", "winner": null, "score": null }));
        let winners: Vec<&Value> = end["turns"].as_array().unwrap().iter().map(|turn| &turn["winner"]).collect();
        assert_eq!(winners, [&Value::Null, &json!("alice"), &Value::Null]);
        assert_eq!((&end["turns"][2]["mover"], &end["turns"][2]["alice_bids"]), (&json!("bob"), &Value::Null));
        let page = page().await;
        if objective == "parity" {
            assert_eq!((&end["priorities"], &end["average"]), (&json!([[1, 1], [2, 1], [3, 1]]), &Value::Null));
            assert!(page.contains("Play is cut off") && page.to_lowercase().contains("nobody has won"), "{page}");
        } else {
            assert_eq!((&end["priorities"], &end["average"]), (&Value::Null, &json!("0")));
            assert!(page.contains("The average is 0"), "{page}");
        }
        assert!(!page.contains("Review the match"));
        let review = server.get(&format!("/api/v1/matches/{}/review", table.id), None).await;
        assert_eq!(review.code(), "unfit");
    }
}

#[tokio::test]
async fn the_computer_plays_games_that_need_not_end() {
    let server = Server::new();
    for level in ["perfect", "beginner"] {
        for objective in ["parity", "mean-payoff"] {
            let body = json!({
                "file": owned(objective), "total": 6, "limit": 12,
                "seats": { "alice": "person", "bob": { "computer": level } },
            });
            let made = server.post("/api/v1/matches", None, body).await.done();
            let token = made["tokens"]["alice"].as_str().unwrap();
            let end = loop {
                let seen = server.get("/api/v1/seat", Some(token)).await.done();
                assert_eq!(seen["trouble"], Value::Null);
                let (decision, version) = (&seen["decision"], &seen["version"]);
                let action = match decision["kind"].as_str() {
                    Some("bid") => json!({ "bid": decision["bids"][0][0] }),
                    Some("star") => json!({ "use_star": true }),
                    Some(_) => json!({ "move": decision["moves"].as_array().unwrap().last() }),
                    None if seen["stage"] == "over" => break seen,
                    None => {
                        server.get(&format!("/api/v1/seat?after={version}&wait=10"), Some(token)).await.done();
                        continue;
                    }
                };
                server.act(token, &decision["step"], action).await.done();
            };
            assert_eq!((&end["result"]["how"], end["turns"].as_array().unwrap().len()), (&json!("limit"), 12));
        }
    }
}

#[tokio::test]
async fn waiting_ends_with_a_change_or_with_the_time() {
    let server = Server::new();
    let table = server.set_up(json!({ "game": "tic-tac-toe" })).await;
    let version = server.seen(&table.tokens[0]).await["version"].clone();
    let waiting = format!("/api/v1/seat?after={version}&wait=1");
    // Nobody acts: the request times out and leaves no listener.
    let begun = std::time::Instant::now();
    assert_eq!(server.get(&waiting, Some(&table.tokens[1])).await.done()["version"], version);
    assert!(begun.elapsed() >= Duration::from_secs(1));
    assert_eq!(server.app.hall.listeners(), 0);
    // Alice bids while Bob and a spectator wait.
    let wait = |path: String, secret: Option<String>| {
        let server = server.clone();
        tokio::spawn(async move { server.get(&path, secret.as_deref()).await.done() })
    };
    let begun = std::time::Instant::now();
    let bob = wait(format!("/api/v1/seat?after={version}"), Some(table.tokens[1].clone()));
    let spectator = wait(format!("/api/v1/matches/{}?after={version}", table.id), None);
    while server.app.hall.listeners() < 2 {
        tokio::task::yield_now().await;
    }
    server.act(&table.tokens[0], &json!(0), json!({ "bid": 3 })).await.done();
    assert_eq!(bob.await.unwrap()["waiting_for"], json!(["bob"]));
    assert_eq!(spectator.await.unwrap()["waiting_for"], json!(["bob"]));
    assert!(begun.elapsed() < Duration::from_secs(20), "it is the change that ends the waiting");
    // A past version is answered at once.
    assert_eq!(server.get(&waiting, Some(&table.tokens[1])).await.done()["steps"], json!({ "alice": 1, "bob": 0 }));
    for wait in ["26", "-1", "1.5", "x", "18446744073709551616"] {
        let path = format!("/api/v1/seat?after={version}&wait={wait}");
        assert_eq!(server.get(&path, Some(&table.tokens[1])).await.code(), "bad-request", "{wait}");
    }
}

#[tokio::test]
async fn events_name_versions_and_end_with_the_match() {
    let server = Server::new();
    let table = server.set_up(json!({ "game": "tug-of-war:length=2,at=1", "total": 4 })).await;
    let (head, mut body) =
        server.open(request(Method::GET, &format!("/api/v1/matches/{}/events", table.id), None, None)).await;
    assert_eq!(head.headers["content-type"], "text/event-stream");
    assert_eq!(server.app.hall.listeners(), 1);
    let mut heard = String::new();
    let mut versions = vec![server.seen(&table.tokens[0]).await["version"].clone()];
    for (index, action) in [(0, json!({ "bid": 2 })), (1, json!({ "bid": 1 })), (0, json!({ "move": "0" }))] {
        let frame = body.frame().await.unwrap().unwrap().into_data().unwrap();
        heard.push_str(std::str::from_utf8(&frame).unwrap());
        let seen = server.seen(&table.tokens[index]).await;
        versions
            .push(server.act(&table.tokens[index], &seen["decision"]["step"], action).await.done()["version"].clone());
    }
    heard.push_str(std::str::from_utf8(&body.collect().await.unwrap().to_bytes()).unwrap());
    let last = versions.pop().unwrap();
    let expected: String = versions.iter().map(|version| format!("event: version\ndata: {version}\n\n")).collect();
    assert_eq!(heard, format!("{expected}event: over\ndata: {last}\n\n"));
    assert_eq!(server.app.hall.listeners(), 0);
}

#[tokio::test]
async fn positions_are_solved_as_on_the_command_line() {
    let server = Server::new();
    let solve = |body: Value| {
        let server = server.clone();
        async move { server.post("/api/v1/solve", None, body).await.done() }
    };
    let money = solve(json!({ "game": "tic-tac-toe" })).await;
    assert_eq!((&money["win"], &money["draw"], &money["exact"]), (&json!("133/256"), &json!("123/256"), &json!(true)));
    let chips = solve(json!({ "game": "tic-tac-toe", "total": 8 })).await;
    assert_eq!(chips["win"], json!({ "threshold": "4*", "plain": 5, "star": 4 }));
    let hands = solve(json!({ "game": "tic-tac-toe", "holdings": { "alice": "4*", "bob": 4 } })).await;
    assert_eq!((&hands["outcome"], &hands["within"]), (&json!("alice"), &json!(7)));
    let poorman = json!({ "payment": "poorman" });
    let purses =
        solve(json!({ "game": "tic-tac-toe", "mechanism": poorman, "holdings": { "alice": "4*", "bob": 4 } })).await;
    assert!(purses["outcome"].is_string());
    let table = server.post("/api/v1/table", None, json!({ "game": "tic-tac-toe", "chips": [0, 5] })).await.done();
    let thresholds: Vec<&Value> =
        table["rows"].as_array().unwrap().iter().map(|row| &row["win"]["threshold"]).collect();
    assert_eq!(thresholds, [&json!(1), &json!(1), &json!("1*"), &json!("2*"), &json!("2*"), &json!(3)]);
    assert_eq!(table["period"]["win"]["step"], 133);
    let against = server
        .post("/api/v1/table", None, json!({ "game": "tic-tac-toe", "mechanism": poorman, "chips": [0, 3] }))
        .await
        .done();
    assert_eq!(against["rows"].as_array().unwrap().len(), 4);
    let text = "parity 2;\n0 1 0 1,2 \"start\";\n1 2 0 1 \"even\";\n2 3 1 2 \"odd\";\n";
    let parity = solve(json!({ "file": text, "total": 3, "mechanism": { "ties": "alice" } })).await;
    assert_eq!(parity["win"]["threshold"], json!(0)); // an even priority decides, whoever moves
}
