//! Writes a value for each player as an object with the keys `alice` and `bob`.

use richman_core::ByPlayer;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

/// Writes the values of both players.
///
/// # Errors
/// The serializer's.
pub fn serialize<T: Serialize, S: Serializer>(values: &ByPlayer<T>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map([("alice", &values.alice), ("bob", &values.bob)])
}

/// The schema of the values of both players.
pub fn schema<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    let value = generator.subschema_for::<T>();
    json_schema!({
        "type": "object",
        "properties": { "alice": value, "bob": value },
        "required": ["alice", "bob"]
    })
}

/// The schema of the values of both players, or null.
pub fn option_schema<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({ "anyOf": [schema::<T>(generator), { "type": "null" }] })
}

/// Writes the values of both players, or null.
///
/// # Errors
/// The serializer's.
pub fn option<T: Serialize, S: Serializer>(values: &Option<ByPlayer<T>>, serializer: S) -> Result<S::Ok, S::Error> {
    match values {
        Some(values) => serialize(values, serializer),
        None => serializer.serialize_none(),
    }
}
