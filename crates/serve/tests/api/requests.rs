//! The schema of requests and matches follows from their types.
//!
//! `INSTA_UPDATE=always cargo test -p richman-serve --test all -- requests::` writes a change.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use richman_formats::MechanismJson;
use richman_hall::{ActionSchema, MatchJson, NewMatch};
use richman_play::schema;
use richman_requests::{
    CompareRequest, ConvertRequest, ExportRequest, ListRequest, RandomTurnRequest, ReviewRequest, SolveRequest,
    TableRequest, TreeRequest, VerifyRequest,
};
use serde_json::{Value, json};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// What programs send, and matches, by the types: a definition for each.
fn derived() -> Value {
    let mut parts = Vec::new();
    let mut names: Vec<String> = Vec::new();
    let mut add = |name: Cow<str>, schema: RefOr<Schema>, parts_of: fn(&mut Vec<(String, RefOr<Schema>)>)| {
        names.push(name.to_string());
        parts.push((name.to_string(), schema));
        parts_of(&mut parts);
    };
    macro_rules! add {
        ($($type:ty),*) => { $(add(<$type>::name(), <$type>::schema(), <$type>::schemas);)* };
    }
    add!(SolveRequest, TableRequest, TreeRequest, CompareRequest, RandomTurnRequest, VerifyRequest, ReviewRequest);
    add!(ConvertRequest, ExportRequest, ListRequest, NewMatch, ActionSchema, MatchJson);
    let mut generator = schema::generator("/$defs");
    generator.subschema_for::<MechanismJson>(); // matches have it, as reports do
    let mut types = generator.take_definitions(true);
    let text = serde_json::to_string(&parts.into_iter().collect::<BTreeMap<_, _>>()).unwrap();
    let parts: Value = serde_json::from_str(&text.replace("#/components/schemas/", "#/$defs/")).unwrap();
    types.extend(parts.as_object().unwrap().clone());
    types.sort_keys();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Requests",
        "description": "What programs send to the functions of the package for JavaScript and over HTTP, and matches \
                        as a viewer sees them.",
        "anyOf": names.iter().map(|name| json!({ "$ref": format!("#/$defs/{name}") })).collect::<Vec<_>>(),
        "$defs": types,
    })
}

#[test]
fn the_schema_follows_from_the_types() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/requests.schema.json");
    let derived = serde_json::to_string_pretty(&derived()).unwrap() + "\n";
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        fs::write(&path, &derived).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(written == derived, "docs/requests.schema.json is not what follows; see the head of this file");
}
