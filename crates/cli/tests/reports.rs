//! The schema of reports follows from their types, and what the commands print has its keys and no
//! others.
//!
//! `INSTA_UPDATE=always cargo test -p richman-cli --test all -- reports::` writes a wanted change.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use richman_play::schema;
use serde_json::{Value, json};

use super::described::Described;
use super::recorded::folder;

/// The schema by the types: a definition for each, and one with the name of each command.
fn derived() -> Value {
    let mut generator = schema::generator("/$defs");
    let mut reports = schema::reports(&mut generator);
    reports.push(("reproduce", generator.subschema_for::<richman_catalog::Reproduction>()));
    let links: Vec<Value> =
        reports.iter().map(|(command, _)| json!({ "$ref": format!("#/$defs/{command}") })).collect();
    let reports = reports.into_iter().map(|(command, schema)| (command.to_string(), schema.to_value()));
    let mut types = generator.take_definitions(true);
    types.sort_keys();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Reports",
        "description": "What a command of richman prints with --json is in $defs under the name of the command. \
                        Reports gain keys, so a program must expect others.",
        "anyOf": links,
        "$defs": reports.chain(types).collect::<serde_json::Map<_, _>>(),
    })
}

#[test]
fn the_schema_follows_from_the_types() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reports.schema.json");
    let derived = serde_json::to_string_pretty(&derived()).unwrap() + "\n";
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        fs::write(&path, &derived).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(written == derived, "docs/reports.schema.json is not what follows; see the head of this file");
}

/// The documents of commands, which have the keys of the schema and no others.
struct Documents {
    described: Described,
    commands: Vec<String>,
    seen: BTreeSet<String>,
}

impl Documents {
    fn new() -> Documents {
        let mut document = derived();
        let links = document["anyOf"].as_array().unwrap().clone();
        let name = |link: &Value| link["$ref"].as_str().unwrap().rsplit('/').next().unwrap().to_string();
        let commands: Vec<String> = links.iter().map(name).collect();
        for (command, link) in commands.iter().zip(links) {
            document["commands"][command]["schema"] = link;
        }
        Documents { described: Described::by(document), commands, seen: BTreeSet::new() }
    }

    fn check(&mut self, line: &str, output: &str) {
        let command = line.split(' ').next().unwrap();
        for document in output.lines().filter(|line| line.starts_with(['{', '['])) {
            let document: Value = serde_json::from_str(document).unwrap();
            assert_eq!(self.described.fault(&["commands", command, "schema"], &document), None, "{line}");
            self.seen.insert(command.to_string());
        }
    }
}

#[test]
fn what_is_printed_has_the_keys_of_the_schema_and_no_others() {
    let mut documents = Documents::new();
    let snapshots = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded/snapshots");
    for file in fs::read_dir(snapshots).unwrap() {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        let said = text.split("$ richman ").skip(1).map(|said| said.split_once('\n').unwrap());
        for (line, output) in said.filter(|(line, _)| line.contains("--json")) {
            documents.check(line, output);
        }
    }
    assert_eq!(documents.seen.len(), documents.commands.len(), "{:?}", documents.seen);
}

/// Keys that no recorded command has, and numbers that differ from machine to machine.
#[test]
fn rare_keys_are_described_too() {
    let mut documents = Documents::new();
    let inputs = folder("rare-keys");
    for line in [
        "review hex.txt --json",
        "review ties.txt --json",
        "review dp10-1-2.txt --json",
        "scores subtraction:heap=6,set=1+2 --alice 3* --bob 3 --bids-table --json",
        "scores subtraction:heap=8 --chips 5 --ties marker --all --json",
        "solve tic-tac-toe --right moves --ties marker --alice 2* --bob 2 --json",
        "solve tic-tac-toe --chips 8 --all --json",
        "solve tic-tac-toe --alice 3* --bob 3 --payment poorman --all --json",
        "solve hex:size=14 --time 1 --json",
        "solve chess --position 4k3/8/8/8/8/8/4P3/4K3 --time 1 --json",
        "solve tic-tac-toe --why --json",
        "duel tic-tac-toe --alice greedy --bob random --chips 4 --games 4 --times --json",
        "reproduce LPR20 --json",
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_richman"));
        let output = command.args(line.split(' ')).current_dir(&inputs).output().unwrap();
        documents.check(line, std::str::from_utf8(&output.stdout).unwrap());
        assert!(output.status.success(), "{line}: {output:?}");
    }
}
