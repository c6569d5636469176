//! The JSON schemas of all reports but those of the catalog, derived from their types. Other keys
//! are allowed, because reports gain keys.

use richman_analysis::compare::CompareReport;
use richman_analysis::databases::{self, RowSchemas, Verdict};
use richman_analysis::positions::WithPositions;
use richman_analysis::random_turn::RandomTurnReport;
use richman_analysis::saved::VerifyReport;
use richman_analysis::scores::ScoresReport;
use richman_analysis::tree::TreeReport;
use richman_analysis::unitary::{Automaton, ConvergenceReport};
use richman_analysis::{AnyTable, EngineOffers, GameList, Report};
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::Value;

use crate::duel::DuelReport;
use crate::review::Review;

/// A generator of schemas whose definitions get this place in a document, such as `/$defs`.
pub fn generator(definitions: &'static str) -> SchemaGenerator {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let settings = settings.with(|settings| settings.definitions_path = definitions.into());
    settings.with_transform(RecursiveTransform(unwrapped)).into_generator()
}

/// Each command, and the schema of what it prints with `--json`.
pub fn reports(of: &mut SchemaGenerator) -> Vec<(&'static str, Schema)> {
    let solve =
        [of.subschema_for::<Report>(), of.subschema_for::<WithPositions<Report>>(), of.subschema_for::<EngineOffers>()];
    let RowSchemas { plans, parts, surveys } = databases::schemas(of);
    let list = |rows: Vec<Schema>| json_schema!({ "type": "array", "items": { "anyOf": rows } });
    let build: Vec<Schema> = plans.into_iter().chain([list(parts)]).collect();
    let verify = [of.subschema_for::<VerifyReport>(), of.subschema_for::<Verdict>(), list(surveys)];
    let unitary = [of.subschema_for::<ConvergenceReport>(), of.subschema_for::<Automaton>()];
    vec![
        ("solve", json_schema!({ "anyOf": solve })),
        ("scores", of.subschema_for::<ScoresReport>()),
        ("table", of.subschema_for::<AnyTable>()),
        ("tree", of.subschema_for::<TreeReport>()),
        ("compare", of.subschema_for::<CompareReport>()),
        ("random-turn", of.subschema_for::<RandomTurnReport>()),
        ("verify", json_schema!({ "anyOf": verify })),
        ("list", of.subschema_for::<GameList>()),
        ("unitary", json_schema!({ "anyOf": unitary })),
        ("review", of.subschema_for::<Review>()),
        ("duel", of.subschema_for::<DuelReport>()),
        ("build", json_schema!({ "anyOf": build })),
    ]
}

/// Comments are wrapped, descriptions are not.
fn unwrapped(schema: &mut Schema) {
    if let Some(Value::String(description)) = schema.get_mut("description") {
        *description = description.replace('\n', " ");
    }
}
