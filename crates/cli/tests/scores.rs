//! `richman scores` from outside: the documented JSON, tables in the layout of LPR20, figures, and
//! unusable input.

use std::fs;
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempPath;

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_richman")).arg("scores").args(args).output().unwrap()
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

/// Checks for one clear message, status 2 and no output.
#[track_caller]
fn refused(args: &[&str], fragments: &[&str]) {
    let output = run(args);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
    assert!(output.stdout.is_empty() && message.len() < 1000, "{args:?}: {message}");
    let heads = message.lines().filter(|line| line.starts_with("richman: ") || line.starts_with("error: ")).count();
    assert_eq!(heads, 1, "{message}");
    for fragment in fragments {
        assert!(message.contains(fragment), "{fragment:?} is missing: {args:?}: {message}");
    }
}

fn written(name: &str, text: &str) -> TempPath {
    let file = tempfile::Builder::new().suffix(name).tempfile().unwrap().into_temp_path();
    fs::write(&file, text).unwrap();
    file
}

/// A path whose middle move is worth nothing: with 4 chips the start has no equilibrium.
const PATH: &str = r#"{ "name": "path", "start": "d", "positions": {
    "a": { "score": 0 }, "b": { "both": [{ "to": "a", "weight": 1 }] },
    "c": { "both": ["b"] }, "d": { "both": [{ "to": "c", "weight": 1 }] } } }"#;

/// LPR20's example 11, and the row of heap 9 from which example 12 starts.
#[test]
fn values_run_from_all_chips_to_none() {
    let scores = report(&["subtraction:heap=2", "--total", "5"]);
    assert_eq!(scores["total"], 5);
    assert_eq!(scores["star_alice"], json!([2, 2, 0, 0, 0, -2]));
    assert_eq!(scores["star_bob"], json!([2, 0, 0, 0, -2, -2]));
    assert_eq!((&scores["unique"], scores.get("minimax")), (&json!(true), None));
    let one = report(&["subtraction", "--total", "5", "--position", "1"]);
    assert_eq!((&one["position"], &one["star_alice"]), (&json!("1"), &json!([1, 1, 1, -1, -1, -1])));
    let text = done(&["subtraction:heap=2", "--total", "5", "--all"]);
    assert!(text.lines().any(|line| line.split_whitespace().eq(["position", "5*", "4*", "3*", "2*", "1*", "0*"])));
    assert!(text.lines().any(|line| line.split_whitespace().eq(["2", "2", "2", "0", "0", "0", "-2"])), "{text}");
}

/// LPR20's example 12. Its second table is labelled as a heap of 9 but is that of a heap of 5.
#[test]
fn matrices_of_bids_are_those_of_example_12() {
    let matrix = |heap: &str, alice: &str| {
        report(&[&format!("subtraction:heap={heap}"), "--total", "9", "--alice", alice, "--bids-table"])["bids_table"]
            .clone()
    };
    let first = matrix("9", "6*");
    assert_eq!(first["alice_bids"], json!([0, 1, 2, 3, 4, 5, 6]));
    assert_eq!(first["bob_bids"], json!([0, 1, 2, 3]));
    assert_eq!(
        first["rows"],
        json!([
            [1, 1, 1, 1, -1, -1, -3],
            [1, 1, 1, 1, -1, -1, -3],
            [3, 3, 1, 1, -1, -1, -3],
            [3, 3, 3, -1, -1, -1, -3]
        ])
    );
    assert_eq!((&first["min"], &first["max"]), (&json!([1, 1, 1, -1, -1, -1, -3]), &json!([1, 1, 3, 3])));
    assert_eq!(first["saddle_points"], json!([[0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [2, 1]]));
    let printed = json!([
        [1, 1, -1, -1, -1],
        [-1, 1, -1, -1, -1],
        [-1, -1, -1, -1, -1],
        [1, 1, 1, -1, -1],
        [1, 1, 1, 1, -3],
        [3, 3, 3, 3, 3]
    ]);
    assert_eq!(matrix("5", "4*")["rows"], printed);
    assert_ne!(matrix("9", "4*")["rows"], printed);
    let text = done(&["subtraction", "--total", "9", "--alice", "6*", "--bids-table"]);
    for line in ["r \\ l 0 1 2 3 4 5 6 max", "2 3 3 1 1 -1 -1 -3 3", "min 1 1 1 -1 -1 -1 -3 1"] {
        assert!(text.lines().any(|found| found.split_whitespace().eq(line.split(' '))), "{line}: {text}");
    }
}

#[test]
fn where_there_is_no_equilibrium_both_values_are_given() {
    let file = written("path.json", PATH);
    let scores = report(&[file.to_str().unwrap(), "--total", "4", "--alice", "3*", "--bids-table"]);
    assert_eq!(scores["unique"], json!(false));
    assert_eq!(scores["star_alice"], json!([2, 0, 0, 0, -2]));
    assert_eq!(scores["minimax"], json!({"star_alice": [2, 2, 0, 0, -2], "star_bob": [2, 0, 0, 0, -2]}));
    assert_eq!((&scores["value"], &scores["bids_table"]["saddle_points"]), (&json!([0, 2]), &json!([])));
    let broken = scores["properties"].as_array().unwrap().iter().find(|property| property["letter"] == "B").unwrap();
    assert_eq!((&broken["holds"], &broken["violation"]["position"]), (&json!(false), &json!("c")));
    let text = done(&[file.to_str().unwrap(), "--total", "4", "--alice", "3*"]);
    assert!(text.contains("she can make sure of 0, he can hold her to 2"), "{text}");
    assert!(
        text.contains("(B) marker monotonicity fails first at c: 2* is worth -1 to Alice, 2 is worth 1."),
        "{text}"
    );
    let text = done(&[file.to_str().unwrap(), "--total", "4", "--all"]);
    assert!(text.lines().any(|line| line.split_whitespace().eq(["d", "2", "0..2", "0", "0", "-2"])), "{text}");
    let csv = done(&[file.to_str().unwrap(), "--total", "4", "--csv"]);
    assert!(csv.starts_with("position,star,alice,maximin,minimax\nd,alice,4,2,2\nd,alice,3,0,2\n"), "{csv}");
}

/// A player without an allowed bid cannot win it, and a player who is stuck ends the game.
#[test]
fn files_have_weights_and_stuck_scores() {
    let file = written(
        "stuck.json",
        r#"{ "name": "stuck", "start": "s", "positions": {
            "s": { "alice": [{ "to": "e", "weight": 2 }], "stuck": { "bob": 7 } }, "e": { "score": -1 } } }"#,
    );
    // Whoever wins the bid must move: Alice gets 2 - 1, Bob is stuck, so both want to lose it.
    let scores = report(&[file.to_str().unwrap(), "--total", "0"]);
    assert_eq!((&scores["star_alice"], &scores["star_bob"]), (&json!([1]), &json!([7])));
    // If the winner chooses who moves, Bob lets her move.
    let chooses = report(&[file.to_str().unwrap(), "--total", "0", "--right", "chooses"]);
    assert_eq!((&chooses["star_alice"], &chooses["star_bob"]), (&json!([7]), &json!([1])));
    // Bob cannot bid 2 with 1 chip, so he cannot win the bid.
    let scores = report(&[file.to_str().unwrap(), "--total", "4", "--bids", "2"]);
    assert_eq!(scores["star_bob"], json!([1, 1, 7, 7, 7]));
}

#[test]
fn heat_maps_are_well_formed_and_have_every_cell() {
    let svg = done(&["subtraction:heap=11", "--total", "7", "--svg", "-"]);
    let document = roxmltree::Document::parse(&svg).unwrap();
    let panels: Vec<_> = document.descendants().filter(|node| node.attribute("class") == Some("values")).collect();
    assert_eq!(panels.len(), 2);
    for panel in panels {
        let runs = panel.descendants().filter_map(|node| node.attribute("d")).flat_map(|d| d.split('M').skip(1));
        let lengths = runs.map(|run| run.split_once('h').unwrap().1.split_once('v').unwrap().0.parse::<u32>().unwrap());
        assert_eq!(lengths.sum::<u32>(), 12 * 8);
    }
    assert_eq!(svg, done(&["subtraction:heap=11", "--total", "7", "--svg", "-"]));
    let path = written("path2.json", PATH);
    assert!(done(&[path.to_str().unwrap(), "--total", "4", "--svg", "-"]).contains("class=\"apart\""));
    refused(&["subtraction:heap=2000", "--total", "3", "--svg", "-"], &["more than 1024 positions"]);
}

#[test]
fn unusable_input_is_told_what_is_wrong() {
    refused(&["subtraction"], &["--chips"]);
    refused(&["subtraction:heap=-1", "--total", "3"], &["heap=-1 is out of range: write a whole number from 0"]);
    refused(&["subtraction:set=", "--total", "3"], &["the parameter set of subtraction has no value"]);
    refused(&["subtraction:set=+", "--total", "3"], &["set=+ is not a subtraction set"]);
    refused(&["subtraction:set=0+1", "--total", "3"], &["set=0+1 is not a subtraction set: write numbers from 1"]);
    refused(&["subtraction", "--total", "-3"], &["\"-3\" is not a number of chips"]);
    refused(&["subtraction", "--total", "9999999999"], &["9999999999 chips are too many"]);
    refused(&["subtraction", "--total", "1000000000"], &["GiB but the limit is 4.0 GiB", "--memory"]);
    refused(&["subtraction", "--total", "4", "--bids", "3"], &["bids 3", "nobody can bid when Alice has 2 and Bob 2"]);
    refused(&["subtraction", "--total", "4", "--bids", "7+9"], &["nobody can bid", "a bid of at most 2, such as 0"]);
    refused(&["subtraction", "--total", "4", "--bids", ""], &["bids"]);
    refused(&["subtraction", "--total", "4", "--alice", "5"], &["a holding of 5 does not fit in a total of 4"]);
    refused(&["subtraction", "--total", "4", "--bids-table"], &["--alice"]);
    refused(&["subtraction", "--total", "4", "--position", "10"], &["write a heap from 0 to 9"]);
    refused(
        &["subtraction", "--total", "4", "--ties", "loser"],
        &["ties loser is not supported", "marker or advantage"],
    );
    refused(&["subtraction", "--total", "4", "--payment", "poorman"], &["payment richman"]);
    refused(&["subtraction", "--total", "4", "--bidding", "bob-first"], &["bidding sealed"]);
    refused(&["connect", "--total", "4"], &["connect is played to win", "richman solve"]);
    let cycle = r#"{"name":"c","start":"x","positions":{
        "x":{"alice":[{"to":"y","weight":1}]},"y":{"bob":["x"]},"z":{"score":1}}}"#;
    let file = written("cycle.json", cycle);
    refused(&[file.to_str().unwrap(), "--total", "4"], &["cycle.json", "come back to a position: x -> y -> x"]);
    let mixed = r#"{"name":"m","start":"x","positions":{"x":{"both":["y"]},"y":{"score":1},"z":{"winner":"bob"}}}"#;
    let file = written("mixed.json", mixed);
    refused(&[file.to_str().unwrap(), "--total", "4"], &["position \"y\" has a score but position \"z\" has a winner"]);
    let huge =
        r#"{"name":"h","start":"x","positions":{"x":{"both":[{"to":"y","weight":1000000001}]},"y":{"score":1}}}"#;
    let file = written("huge.json", huge);
    refused(
        &[file.to_str().unwrap(), "--total", "4"],
        &["position \"x\"", "a weight is 1000000001", "whole number from -1000000000"],
    );
    for command in ["solve", "table", "tree"] {
        let output = Command::new(env!("CARGO_BIN_EXE_richman")).args([command, "subtraction"]).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains("is played for a score: use richman scores"));
    }
}
