//! The schema of reports follows from their types, and what the commands print has its keys and no
//! others.
//!
//! `INSTA_UPDATE=always cargo test -p richman-cli --test all -- reports::` writes a wanted change.

use std::fs;
use std::path::Path;

use richman_play::schema;
use serde_json::{Value, json};

use super::described::Described;

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

#[test]
fn what_is_printed_has_the_keys_of_the_schema_and_no_others() {
    const WITHOUT_SCHEMA: [&str; 1] = ["build"];
    let mut document = derived();
    let links = document["anyOf"].as_array().unwrap().clone();
    for link in &links {
        let command = link["$ref"].as_str().unwrap().rsplit('/').next().unwrap();
        document["commands"][command]["schema"] = link.clone();
    }
    let mut described = Described::by(document);
    let mut seen = std::collections::BTreeMap::new();
    let snapshots = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded/snapshots");
    for file in fs::read_dir(snapshots).unwrap() {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        for said in text.split("$ richman ").skip(1) {
            let (line, output) = said.split_once('\n').unwrap();
            let command = line.split(' ').next().unwrap();
            if !line.contains("--json") || WITHOUT_SCHEMA.contains(&command) {
                continue;
            }
            for document in output.lines().filter(|line| line.starts_with(['{', '['])) {
                let document: Value = serde_json::from_str(document).unwrap();
                assert_eq!(described.fault(&["commands", command, "schema"], &document), None, "{line}");
                *seen.entry(command.to_string()).or_insert(0) += 1;
            }
        }
    }
    assert_eq!(seen.len(), links.len(), "{seen:?}");
}
