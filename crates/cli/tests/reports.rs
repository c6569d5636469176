//! The schema of reports follows from their types, and what the commands print has its keys and no
//! others.
//!
//! `INSTA_UPDATE=always cargo test -p richman-cli --test all -- reports::` writes a wanted change.

use std::fs;
use std::path::Path;

use boon::{Compiler, Schemas};
use richman_play::schema;
use serde_json::{Value, json};

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

/// Refuses unknown keys wherever a value is described.
fn close(schema: &mut Value) {
    let Some(schema) = schema.as_object_mut() else { return };
    for (key, inner) in schema.iter_mut() {
        match (key.as_str(), inner) {
            ("properties", Value::Object(properties)) => properties.values_mut().for_each(close_value),
            ("items", items) => close_value(items),
            ("prefixItems", Value::Array(items)) => items.iter_mut().for_each(close_value),
            ("anyOf" | "oneOf" | "allOf", Value::Array(choices)) => choices.iter_mut().for_each(close),
            ("$defs", Value::Object(types)) => types.values_mut().for_each(close),
            _ => {}
        }
    }
}

fn close_value(schema: &mut Value) {
    close(schema);
    schema.as_object_mut().unwrap().insert("unevaluatedProperties".to_string(), false.into());
}

#[test]
fn what_is_printed_has_the_keys_of_the_schema_and_no_others() {
    const WITHOUT_SCHEMA: [&str; 1] = ["build"];
    let mut closed = derived();
    close(&mut closed);
    let commands: Vec<String> =
        closed["anyOf"].as_array().unwrap().iter().map(|link| link["$ref"].to_string()).collect();
    for command in &commands {
        let name = command.trim_matches('"').rsplit('/').next().unwrap();
        closed["$defs"][format!("{name} alone")] =
            json!({ "$ref": format!("#/$defs/{name}"), "unevaluatedProperties": false });
    }
    let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
    compiler.add_resource("reports.json", closed.clone()).unwrap();
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
            let index = compiler.compile(&format!("reports.json#/$defs/{command}%20alone"), &mut schemas).unwrap();
            for document in output.lines().filter(|line| line.starts_with(['{', '['])) {
                let document: Value = serde_json::from_str(document).unwrap();
                if let Err(error) = schemas.validate(&document, index) {
                    panic!("{line}: {error}");
                }
                *seen.entry(command.to_string()).or_insert(0) += 1;
            }
        }
    }
    assert_eq!(seen.len(), commands.len(), "{seen:?}");
}
