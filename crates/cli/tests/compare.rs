//! `richman compare` from outside: the documented JSON, the sentence for people, and refused input.

use std::fs::File;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

fn richman(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_richman"));
    command.arg("compare").args(args).stdin(Stdio::null());
    command
}

#[track_caller]
fn done(mut command: Command) -> String {
    let Output { status, stdout, stderr } = command.output().unwrap();
    assert_eq!(status.code(), Some(0), "{command:?}\n{}", String::from_utf8_lossy(&stderr));
    assert!(stderr.is_empty() && !stdout.is_empty(), "{command:?}");
    String::from_utf8(stdout).unwrap()
}

#[track_caller]
fn report(args: &[&str]) -> Value {
    serde_json::from_str(&done(richman(&[args, &["--json"]].concat()))).unwrap()
}

/// Checks for status 2, nothing on standard output, and one message that contains all `fragments`.
#[track_caller]
fn refused(args: &[&str], fragments: &[&str]) {
    let Output { status, stdout, stderr } = richman(args).output().unwrap();
    let message = String::from_utf8(stderr).unwrap();
    assert_eq!((status.code(), stdout.len()), (Some(2), 0), "{args:?}\n{message}");
    assert!(message.starts_with("richman: ") || message.starts_with("error: "), "{message}");
    assert!(message.len() < 1500 && !message.contains("panicked"), "{message}");
    for fragment in fragments {
        assert!(message.contains(fragment), "{fragment:?} is missing: {args:?}\n{message}");
    }
}

#[test]
fn the_documented_json() {
    let less = report(&["expr:(A & B^2) & B", "expr:B^2"]);
    let pick = |report: &Value| [&report["order"], &report["proved"], &report["witness"]].map(Value::clone);
    assert_eq!(pick(&less), [json!("less"), json!(true), json!({"below": 2, "above": null})]);
    assert_eq!(less["thresholds"]["below"]["g"], json!({"threshold": 2, "plain": 2, "star": 2}));
    assert_eq!(less["thresholds"]["below"]["h"], json!({"threshold": "2*", "plain": 3, "star": 2}));
    assert_eq!(less["thresholds"]["above"], Value::Null);
    assert_eq!(less["g"]["class"], "(A & B^2) & B");
    assert_eq!(less["h"]["rule"], json!({"from": 0, "block": 4, "step": 3}));
    assert!(less.get("reason").is_none() && less.get("totals").is_none());

    let greater = report(&["expr:B^2", "expr:(A & B^2) & B"]);
    assert_eq!(pick(&greater), [json!("greater"), json!(true), json!({"below": null, "above": 2})]);
    let equal = report(&["expr:B & (B^2 & A)", "expr:(A & B^2) & B"]);
    assert_eq!(pick(&equal), [json!("equal"), json!(true), json!({"below": null, "above": null})]);
    assert_eq!(equal["g"]["class"], equal["h"]["class"]);
    let incomparable = report(&["tic-tac-toe", "connect:rows=3,cols=3,line=3"]);
    assert_eq!(pick(&incomparable), [json!("incomparable"), json!(true), json!({"below": 17, "above": 0})]);
    assert_eq!(incomparable["g"]["class"], Value::Null);

    let open = report(&["expr:B^300", "expr:B^301"]);
    assert_eq!(pick(&open), [json!("equal"), json!(false), json!({"below": null, "above": null})]);
    assert_eq!((&open["totals"], &open["g"]["rule"]), (&json!(1023), &Value::Null));
    assert!(open["reason"].as_str().is_some_and(|reason| reason.contains("G: ") && reason.contains("H: ")), "{open}");
    let hurried = report(&["tic-tac-toe", "expr:E", "--time", "0"]);
    assert_eq!(pick(&hurried), [json!("greater"), json!(false), json!({"below": null, "above": 0})]);
    let moves = report(&["tug-of-war", "tug-of-war", "--right", "moves"]);
    assert_eq!(pick(&moves), [json!("equal"), json!(false), json!({"below": null, "above": null})]);
}

#[test]
fn one_sentence_for_people() {
    for (args, sentence) in [
        (
            &["expr:(A & B^2) & B", "expr:B^2"][..],
            "G is less than H: Alice never needs more in G than in H, and with 2 chips she wins G with 2 or more and \
             wins H with 2* or more.\n(proved for every total)\n",
        ),
        (
            &["expr:B", "expr:A"],
            "G is greater than H: Alice never needs less in G than in H, and with 0 chips she cannot win G and wins H \
             with any holding.\n(proved for every total)\n",
        ),
        (&["expr:E", "expr:A^3 & B^3"], "G and H are equal: Alice needs the same in both.\n(proved for every total)\n"),
        (
            &["tic-tac-toe", "connect:rows=3,cols=3,line=3"],
            "G and H are incomparable: for Alice, with 17 chips she wins G with 9 or more and wins H with 9* or more; \
             with 0 chips she cannot win G and wins H with 0* or more.\n(proved by these two totals)\n",
        ),
    ] {
        let text = done(richman(args));
        assert!(text.ends_with(sentence), "{text}");
    }
    let text = done(richman(&["expr:A^300", "expr:A"]));
    assert!(text.contains("With up to 1023 chips G and H are equal"), "{text}");
    assert!(text.contains("Nothing is proved beyond that (G: no rule for all totals"), "{text}");
}

#[test]
fn positions_and_files() {
    let positions = ["--position", "A.B/.A./..B", "--other-position", "B.A/.A./..B"];
    let greater = report(&[&["tic-tac-toe", "tic-tac-toe"], &positions[..]].concat());
    assert_eq!((&greater["order"], &greater["g"]["position"]), (&json!("greater"), &json!("A.B/.A./..B")));
    assert_eq!((&greater["g"]["class"], &greater["h"]["class"]), (&json!("(A & B^2) & B"), &json!("A & B^2")));
    let text = done(richman(&["ultimatum:degree=4", "ultimatum", "--position", "4", "--other-position", "-1"]));
    assert!(text.starts_with("G: ultimatum:degree=4, position 4; "), "{text}");
    assert!(text.contains("\nH: ultimatum, position -1; "), "{text}");

    let path = tempfile::NamedTempFile::new().unwrap().into_temp_path();
    let file = r#"{"name": "toss", "start": "s", "positions": {"s": {"alice": ["w"], "bob": ["l", "s"]},
        "w": {"winner": "alice"}, "l": {"winner": "bob"}}}"#;
    std::fs::write(&path, file).unwrap();
    let name = path.display().to_string();
    assert_eq!(report(&[&name, "expr:E"])["order"], "equal");
    let mut command = richman(&["-", &name, "--position", "s", "--other-position", "l", "--json"]);
    command.stdin(File::open(&path).unwrap());
    let less: Value = serde_json::from_str(&done(command)).unwrap();
    assert_eq!((&less["order"], &less["h"]["class"]), (&json!("less"), &json!("B")));

    let within = report(&["tic-tac-toe", "tic-tac-toe", "--within", "3"]);
    assert_eq!((&within["order"], &within["truncated"]), (&json!("equal"), &json!(3)));
}

#[test]
fn unusable_input() {
    refused(&[], &["<G>", "<H>"]);
    refused(&["tic-tac-toe"], &["<H>"]);
    refused(&["tic-tac-toe", "connect", "ultimatum"], &["ultimatum"]);
    refused(&["tictactoe", "expr:E"], &["no game \"tictactoe\"", "did you mean"]);
    refused(&["expr:E", "tictactoe"], &["no game \"tictactoe\"", "did you mean"]);
    refused(&["expr:E", "expr:A & B & E"], &["& joins two games only"]);
    refused(&["expr:E", "expr:"], &["an expression is missing"]);
    refused(&["expr:E", ""], &["no game \"\""]);
    refused(&["expr:E", "missing.json"], &["missing.json", "No such file"]);
    refused(&["expr:E", "-"], &["not JSON"]);
    refused(&["-", "-"], &["standard input holds one game"]);
    refused(&["tic-tac-toe", "tic-tac-toe", "--position", "x"], &["\"x\" is not a position of tic-tac-toe"]);
    refused(&["tic-tac-toe", "expr:E", "--other-position", "B^2"], &["\"B^2\" is not a position of expr:E"]);
    refused(&["expr:E", "expr:E", "--within", "-1"], &["-1"]);
    refused(&["expr:E", "expr:E", "--time", "-1"], &["-1"]);
    refused(&["expr:E", "expr:E", "--time", "soon"], &["soon"]);
    refused(&["expr:E", "expr:E", "--memory", "lots"], &["lots"]);
    refused(&["expr:E", "expr:E", "--chips", "8"], &["--chips"]);
    refused(&["expr:E", "expr:E", "--csv", "--json"], &["--csv", "--json"]);
    refused(&["tic-tac-toe", "connect:rows=4,cols=4", "--memory", "1MiB"], &["the limit is", "--memory"]);
    refused(&["expr:E", "expr:E", "--memory", "0"], &["the limit is", "--memory"]);
    refused(&["expr:E", "expr:E", "--payment", "poorman"], &["a total of chips with payment poorman is not supported"]);
    refused(&["expr:E", "expr:E", "--bids", "1+2"], &["bids 1+2", "supported: bids with 0 among them"]);
    refused(&["expr:E", "expr:E", "--right", "stays"], &["chooses or moves"]);
}

/// A difference at one total is a proof.
#[test]
fn other_mechanisms_are_compared_total_by_total() {
    let report = report(&["tic-tac-toe", "tug-of-war", "--ties", "alice"]);
    assert_eq!((&report["order"], &report["proved"]), (&json!("incomparable"), &json!(true)));
    assert_eq!(report["witness"], json!({"below": 4, "above": 14}));
}
