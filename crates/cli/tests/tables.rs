//! Tables and published results from outside.

use std::fs;
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::NamedTempFile;

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_richman")).args(args).output().unwrap()
}

fn done(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn report(args: &[&str]) -> Value {
    serde_json::from_str(&done(args)).unwrap()
}

#[test]
fn a_certificate_is_proved_and_a_changed_one_is_not() {
    let file = NamedTempFile::new().unwrap().into_temp_path();
    let path = file.to_str().unwrap();
    done(&["table", "connect:rows=3,cols=3,line=3", "--chips", "0..3", "--certificate", path]);
    let proved = report(&["verify", path, "--json"]);
    assert_eq!(proved["valid"], true);
    let text = fs::read_to_string(path).unwrap();
    let changed = text.replacen("\"step\":263", "\"step\":264", 1);
    assert_ne!(text, changed);
    fs::write(path, changed).unwrap();
    let output = run(&["verify", path, "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let wrong: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(wrong["valid"], false);
    assert!(wrong["wrong"].as_str().unwrap().contains("264"), "{wrong}");
}

#[test]
fn stability_names_the_last_unstable_total() {
    let table = report(&["table", "tic-tac-toe", "--chips", "0..40", "--stability", "--json"]);
    assert_eq!(table["stability"]["win"], json!({"unstable": [5], "last": 5, "proved": true}));
    let even = report(&["table", "expr:E", "--chips", "3", "--stability", "--json"]);
    assert_eq!(even["stability"]["draw"], json!({"unstable": [], "last": null, "proved": true}));
    let text = done(&["table", "connect:rows=3,cols=3,line=3", "--stability"]);
    assert!(text.contains("Unstable for the win: 0, 12; the last of all is 12."), "{text}");
    let refused = run(&["table", "tic-tac-toe", "--stability", "--within", "3"]);
    assert_eq!(refused.status.code(), Some(2));
}

/// For a number of one player's chips, the answer is the least number of the other's chips that
/// suffices by the chip table.
#[test]
fn tables_by_one_players_chips_agree_with_chip_tables() {
    for game in
        ["tic-tac-toe", "tug-of-war:length=6,at=2", "expr:(A & B^2) & B", "ultimatum:degree=2", "expr:A", "expr:B"]
    {
        let totals = report(&["table", game, "--chips", "0..80", "--json"]);
        let threshold = |total: u64, goal: &str, star: bool| {
            totals["rows"][total as usize][goal][if star { "star" } else { "plain" }].as_u64().unwrap()
        };
        let by_bob = report(&["table", game, "--bob", "0..12", "--json"]);
        let by_alice = report(&["table", game, "--alice", "0..12", "--json"]);
        for chips in 0..=12u64 {
            for (goal, star) in [("win", false), ("win", true), ("draw", false), ("draw", true)] {
                let key = if star { "star" } else { "plain" };
                // Alice's least number of chips against this many of Bob's
                let least = (0..=68).find(|alice| *alice >= threshold(alice + chips, goal, star));
                let said = &by_bob["rows"][chips as usize];
                assert_eq!(said["bob"], chips);
                assert_eq!(said[goal][key].as_u64(), least, "{game}, Bob {chips}, {goal} {key}");
                // Bob's least number against this many of Alice's; he has the star if she does not
                let least = (0..=68).find(|bob| chips < threshold(chips + bob, goal, !star));
                let said = &by_alice["rows"][chips as usize];
                assert_eq!(said["alice"], chips);
                assert_eq!(said[goal][key].as_u64(), least, "{game}, Alice {chips}, {goal} {key}");
            }
        }
    }
    // Answers may exceed the chips that a game may have, which differs from no answer.
    let large = report(&["table", "expr:B^20", "--bob", "1023..1025", "--json"]);
    let expected: Vec<u64> = (1023..=1025).map(|bob| ((bob + 1) << 20) - 1).collect();
    let found: Vec<u64> =
        large["rows"].as_array().unwrap().iter().map(|row| row["win"]["plain"].as_u64().unwrap()).collect();
    assert!(found.iter().zip(&expected).all(|(found, most)| *found <= *most && *found > 1 << 29), "{found:?}");
    let refused = run(&["table", "expr:E", "--bob", "0..1073741822"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--memory"));
    // The largest total of all
    let last = report(&["table", "expr:E", "--chips", "1073741822", "--json"]);
    assert_eq!(last["rows"][0]["win"]["threshold"], "536870911*");
    let text = done(&["table", "expr:B", "--bob", "0..1"]);
    assert!(text.lines().any(|line| line.split_whitespace().eq(["0", "-", "-", "-", "-"])), "{text}");
    for args in
        [["--bob", "0..3", "--alice", "0..3"], ["--bob", "0..3", "--chips", "0..3"], ["--bob", "3..0", "--bob", "1"]]
    {
        let refused = run(&[&["table", "expr:E"][..], &args].concat());
        assert_eq!(refused.status.code(), Some(2), "{args:?}");
    }
}

#[test]
fn published_results_are_reproduced() {
    let some = report(&["reproduce", "LPR20", "--json"]);
    let claims = some["claims"].as_array().unwrap();
    assert!(claims.len() > 20, "{}", claims.len());
    for claim in claims {
        for key in ["id", "status", "cells", "match", "differ"] {
            assert!(claim.get(key).is_some(), "{key} is missing from {claim}");
        }
        let status = claim["status"].as_str().unwrap();
        let words = ["checked", "differs", "answered", "by construction", "open", "not checkable from the copy"];
        assert!(words.contains(&status), "{claim}");
    }
    let one = report(&["reproduce", "DP10 Figure 4", "--json"]);
    let claim = &one["claims"][0];
    assert_eq!((&claim["cells"], &claim["match"], &claim["status"]), (&json!(256), &json!(251), &json!("differs")));
    let misprint = claim["differ"].as_array().unwrap().iter().find(|differ| differ["at"] == "155").unwrap();
    assert_eq!((&misprint["printed"], &misprint["computed"]), (&json!("84*"), &json!("83*")));
    let text = done(&["reproduce"]);
    for words in [
        "DP10 Theorem 3.13",
        "A misprint for 83*",
        "Every difference is recorded with its reason.",
        "225 published results: ",
        "5 results found here: 5 checked.",
        "Answer: Mostly, not always.",
    ] {
        assert!(text.contains(words), "{words}");
    }
    // Results that were not computed are named, even if all others agree.
    let boards = done(&["reproduce", "BOARDS Connect Four"]);
    for words in ["22 of 29", "Not computed: 4 x 5, 5 x 4, 5 x 5, 4 x 6, 6 x 4 (with --deep)", "6 x 5 (8.8 GiB)"] {
        assert!(boards.contains(words), "{words}: {boards}");
    }
    assert!(!boards.contains("published"), "{boards}");
    let unknown = run(&["reproduce", "XYZ"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("DP10, G12, K, GSZ09"));
}
