//! `richman unitary` from outside.

use std::process::{Command, Output};

use roxmltree::Document;
use serde_json::Value;

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_richman")).args(args).output().unwrap()
}

fn done(args: &[&str]) -> String {
    let output = run(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn totals_converge_as_recorded() {
    let report: Value = serde_json::from_str(&done(&["unitary", "--totals", "0..12", "--json"])).unwrap();
    let rows = report["rows"].as_array().unwrap();
    let heaps: Vec<u64> = rows.iter().map(|row| row["converged"].as_u64().unwrap()).collect();
    assert_eq!(heaps, [0, 1, 1, 3, 3, 7, 7, 11, 11, 17, 17, 25, 25]);
    assert!(rows.iter().all(|row| row["automaton"] == true && row["converged"].as_u64() <= row["bound"].as_u64()));
    assert_eq!(done(&["unitary", "--totals", "3", "--csv"]), "total,converged,bound,proved,automaton\n3,3,3,3,true\n");
    assert!(done(&["unitary"]).contains("m^2"));
}

#[test]
fn the_automaton_is_that_of_the_paper() {
    let nine: Value = serde_json::from_str(&done(&["unitary", "--automaton", "9", "--json"])).unwrap();
    assert_eq!(nine["even"], serde_json::json!([6, 4, 4, 2, 2, 0, -2, -2, -4, -4]));
    assert_eq!(nine["odd"], serde_json::json!([5, 5, 3, 3, 1, -1, -1, -3, -3, -5]));
    assert!(done(&["unitary", "--automaton", "9"]).contains("+6"));
}

#[test]
fn figures_are_documents_with_every_edge() {
    let svg = done(&["unitary", "--automaton", "5", "--svg", "-"]);
    let document = Document::parse(&svg).unwrap();
    let count = |class: &str| document.descendants().filter(|node| node.attribute("class") == Some(class)).count();
    // Ties 6+4+2; each player's wins 5+4+3+2+1; without dominated bids 4+2 and 5+3+1.
    assert_eq!((count("tie"), count("alice"), count("bob")), (12, 15 + 6, 15 + 9));
    let svg = done(&["unitary", "--totals", "0..30", "--svg", "-"]);
    let document = Document::parse(&svg).unwrap();
    let points = document.descendants().filter(|node| node.has_tag_name("circle")).count();
    assert_eq!(points, 31);
}

#[test]
fn bad_input_is_one_clear_error() {
    for args in [
        &["unitary", "--totals", "5..3"][..],
        &["unitary", "--totals", "-1"],
        &["unitary", "--automaton", "-5"],
        &["unitary", "--automaton", "99999999999"],
        &["unitary", "--automaton", "1000000000"],
        &["unitary", "--automaton", "41", "--svg", "-"],
        &["unitary", "--automaton", "4", "--totals", "0..3"],
    ] {
        let output = run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{args:?}");
    }
}
