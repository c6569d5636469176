//! Solving, saving and proving under other mechanisms, from outside.

use std::fs;
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::NamedTempFile;

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_richman")).args(args).output().unwrap()
}

#[track_caller]
fn done(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn report(args: &[&str]) -> Value {
    serde_json::from_str(&done(&[args, &["--json"]].concat())).unwrap()
}

#[test]
fn what_is_solved_is_saved_and_proved_and_a_changed_file_is_not() {
    let file = NamedTempFile::new().unwrap().into_temp_path();
    let path = file.to_str().unwrap();
    for (flags, changes) in [
        (
            &["solve", "tug-of-war", "--chips", "7", "--ties", "marker"][..],
            [("\"marker\"", "\"loser\""), ("\"total\": 7", "\"total\": 6")],
        ),
        (
            &["solve", "tug-of-war", "--chips", "7", "--preset", "gasarch"],
            [("alice-first", "bob-first"), ("[2,", "[3,")],
        ),
        (
            &["solve", "tug-of-war", "--payment", "poorman", "--alice", "7*", "--bob", "6"],
            [("\"poorman\"", "\"richman\""), ("\"alice\":7", "\"alice\":8")],
        ),
        (
            &["solve", "tug-of-war", "--payment", "taxman:1/2", "--alice", "5", "--bob", "6*"],
            [("taxman:1/2", "taxman:1/3"), ("\"together\":11", "\"together\":12")],
        ),
        (
            &["table", "tug-of-war", "--bids", "1+2", "--chips", "1..6"],
            [("\"bids\":\"1+2\"", "\"bids\":\"1+3\""), ("\"exactly\":1}", "\"exactly\":2}")],
        ),
        (
            &["table", "tug-of-war", "--ties", "winner", "--right", "moves", "--chips", "0..6"],
            [("winner", "loser"), ("\"total\": 6", "\"total\": 7")],
        ),
    ] {
        done(&[flags, &["--save", path]].concat());
        assert_eq!(report(&["verify", path])["valid"], true, "{flags:?}");
        let text = fs::read_to_string(path).unwrap();
        for (from, to) in changes {
            let changed = text.replacen(from, to, 1);
            assert_ne!(text, changed, "{flags:?}: {from}");
            fs::write(path, changed).unwrap();
            let status = run(&["verify", path]).status.code();
            // Another order of bidding has the same thresholds (theorem 12 (where play is
            // determined)), so the claim stays true.
            let expected: &[i32] = if from == "alice-first" { &[0] } else { &[1, 2] };
            assert!(status.is_some_and(|status| expected.contains(&status)), "{flags:?}: {from} to {to}: {status:?}");
        }
    }
}

#[test]
fn tables_against_bobs_chips() {
    let table = report(&["table", "tug-of-war", "--payment", "poorman", "--ties", "alice", "--bob", "0..3"]);
    // From the middle Alice needs as many chips as Bob has, minus her advantage from ties.
    assert_eq!(table["rows"][0], json!({"bob": 0, "win": {"plain": 0, "star": 0}, "draw": {"plain": 0, "star": 0}}));
    assert_eq!(table.get("reason"), None);
    let all = done(&["table", "tic-tac-toe", "--payment", "poorman", "--csv"]);
    assert_eq!(all.lines().count(), 22); // 0..20 and the header
    // If Alice cannot win, no number suffices, and that is proved.
    let lost = report(&["table", "tug-of-war:length=2,at=2", "--payment", "taxman:1/2"]);
    assert_eq!(lost["rows"][5]["win"], json!({"plain": null, "star": null}));
    assert_eq!(lost.get("reason"), None);
}

#[test]
fn where_more_chips_can_hurt_all_holdings_are_listed() {
    let rows = report(&["table", "expr:E & B^2", "--bids", "3", "--chips", "5..12"])["rows"].clone();
    let listed = rows.as_array().unwrap().iter().filter(|row| row["win"].get("wins").is_some()).collect::<Vec<_>>();
    assert!(!listed.is_empty(), "{rows}");
    for row in listed {
        assert_eq!(row["win"]["threshold"], Value::Null);
        for star in ["plain", "star"] {
            let ranges = row["win"]["wins"][star].as_array().unwrap();
            let least = ranges.first().map_or(row["chips"].as_u64().unwrap() + 1, |range| range[0].as_u64().unwrap());
            assert_eq!(row["win"][star], least);
        }
    }
}

#[test]
fn an_undetermined_outcome_says_who_is_sure_of_what() {
    let file = NamedTempFile::new().unwrap().into_temp_path();
    let path = file.to_str().unwrap();
    // Whoever moves at z loses. At the start Alice can move there, and Bob can win.
    let game = r#"{ "name": "z", "start": "s", "positions": {
        "alice won": { "winner": "alice" }, "bob won": { "winner": "bob" },
        "z": { "alice": ["bob won"], "bob": ["alice won"] }, "s": { "alice": ["z"], "bob": ["bob won"] } } }"#;
    fs::write(path, game).unwrap();
    let flags = ["solve", path, "--preset", "larsson", "--alice", "1*", "--bob", "1"];
    let sealed = report(&flags);
    assert_eq!(sealed["outcome"], "undetermined");
    assert_eq!(sealed["guarantee"], json!({"alice": "nothing", "bob": "nothing"}));
    assert_eq!(sealed["undetermined"], json!({"plain": [], "star": [[1, 1]]}));
    assert!(done(&flags).contains("undetermined: with sealed bids nobody can force anything"));
    for (bidding, winner) in [("alice-first", "bob"), ("bob-first", "alice")] {
        assert_eq!(report(&[&flags[..], &["--bidding", bidding]].concat())["outcome"], winner);
    }
}

#[test]
fn a_line_of_best_play_ends_with_the_win() {
    let line = report(&["solve", "tic-tac-toe", "--alice", "4*", "--bob", "4", "--trace"]);
    let turns = line["trace"]["turns"].as_array().unwrap();
    assert_eq!((turns.len() as u64, &line["trace"]["end"]), (line["within"].as_u64().unwrap(), &json!("alice")));
    assert_eq!((&turns[0]["alice"], &turns[0]["move"]), (&json!("4*"), &json!("b2")));
    let text = done(&[
        "solve",
        "tug-of-war",
        "--payment",
        "poorman",
        "--preset",
        "gasarch",
        "--alice",
        "5",
        "--bob",
        "5",
        "--trace",
    ]);
    assert!(text.contains("A line of best play:") && text.contains("has won."), "{text}");
}
