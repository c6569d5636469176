//! Bidding chess from outside: matches, reviews, estimates and invalid positions.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn run(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_richman"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes()); // a command that refuses does not read
    child.wait_with_output().unwrap()
}

#[track_caller]
fn told(args: &[&str], input: &str) -> String {
    let output = run(args, input);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn positions_that_are_none_are_refused_with_one_clear_error() {
    for (position, cause) in [
        ("8/8/8/8/8/8/8/8", "no white king"),
        ("k7/8/8/8/8/8/8/KK6", "2 white kings"),
        ("k7/8/8/8/8/8/8/8/K7", "9 ranks instead of 8"),
        ("k6P/8/8/8/8/8/8/K7", "a pawn stands on rank 8"),
        ("k7/8/8/8/8/8/8/K7 w - - 0 1", "no side to move"),
        ("hello", "1 rank instead of 8"),
        ("k8/8/8/8/8/8/8/K7", "more than 8 squares"),
    ] {
        let output = run(&["solve", "chess", "--position", position], "");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{position}: {message}");
        assert_eq!(message.lines().filter(|line| line.starts_with("richman: ")).count(), 1, "{message}");
        assert!(message.contains(cause), "{position}: {cause:?} is missing: {message}");
    }
}

#[test]
fn large_positions_are_estimated_and_say_so() {
    let position = ["solve", "chess", "--position", "4k3/4p3/8/7Q/8/8/4P3/4K3", "--time", "1"];
    let text = told(&position, "");
    assert!(text.contains("an estimate, nothing is proved") && text.contains("Alice moves: Qxe8"), "{text}");
    let json: Value = serde_json::from_str(&told(&[&position[..], &["--json"]].concat(), "")).unwrap();
    // Only the trivial bounds of a share are proved.
    let any = serde_json::json!([0, 1]);
    assert_eq!((&json["exact"], &json["win"], &json["draw"]), (&Value::Bool(false), &any, &any));
    assert!(json["estimate"]["needs"].as_f64().unwrap() < 0.5, "{json}");
    // With chips there is no estimate.
    let output = run(&["solve", "chess", "--chips", "8"], "");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
}

#[test]
fn matches_are_played_by_the_names_of_moves() {
    // Alice bids all she has and takes the king.
    let start =
        ["play", "chess:size=5", "--position", "k4/5/5/Q4/K4", "--alice", "5*", "--bob", "4", "--level", "best:ms=5"];
    let text = told(&start, "5\nQxa5\n");
    assert!(text.contains("Alice moves Qxa5") && text.contains("k4/5/5/Q4/K4"), "{text}");
    let text = told(&["play", "chess", "--chips", "200", "--level", "best:ms=5", "--seed", "1"], "50\nhelp\nNf3\n");
    assert!(text.contains("Nf3"), "{text}");
}

#[test]
fn the_printed_game_is_reviewed_as_an_estimate() {
    let text = told(&["review", "-"], include_str!("../../../examples/dp10-1-2.txt"));
    assert!(text.contains("rests on a search, an estimate"), "{text}");
    assert!(text.contains("Alice needs about") && !text.contains(" wins"), "{text}");
}
