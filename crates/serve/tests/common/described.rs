//! JSON against the schemas of a document. Here an object may have no keys but those that are
//! described, though programs must expect others.

use boon::{Compiler, Schemas};
use serde_json::Value;

pub struct Described {
    schemas: Schemas,
    compiler: Compiler,
}

impl Described {
    pub fn by(mut document: Value) -> Described {
        close(&mut document);
        let mut compiler = Compiler::new();
        compiler.add_resource("document.json", document).unwrap();
        Described { schemas: Schemas::new(), compiler }
    }

    /// Why a value is not as the schema at these keys says, if it is not.
    pub fn fault(&mut self, keys: &[&str], value: &Value) -> Option<String> {
        let escaped = |key: &&str| key.replace('/', "~1").replace('{', "%7B").replace('}', "%7D");
        let place = keys.iter().map(escaped).collect::<Vec<_>>().join("/");
        let schema = self.compiler.compile(&format!("document.json#/{place}"), &mut self.schemas).unwrap();
        self.schemas.validate(value, schema).err().map(|error| error.to_string())
    }
}

/// Closes every object that is described in a part of a document.
fn close(part: &mut Value) {
    match part {
        Value::Array(parts) => parts.iter_mut().for_each(close),
        Value::Object(parts) => {
            for (key, part) in parts {
                match (key.as_str(), part) {
                    ("properties", Value::Object(values)) => values.values_mut().for_each(close_value),
                    ("prefixItems", Value::Array(values)) => values.iter_mut().for_each(close_value),
                    ("items" | "schema", value) => close_value(value),
                    (_, part) => close(part),
                }
            }
        }
        _ => {}
    }
}

/// Closes what is described by a schema, which may combine several. Of some objects nothing is
/// said.
fn close_value(schema: &mut Value) {
    close(schema);
    if let Value::Object(schema) = schema
        && (schema.len() > 1 || schema.get("type").is_none_or(|kind| kind != "object"))
    {
        schema.insert("unevaluatedProperties".to_string(), false.into());
    }
}

#[test]
fn what_is_wrong_is_found() {
    let mut described = Described::by(serde_json::json!({
        "a": { "schema": { "$ref": "#/types/A" } },
        "types": {
            "A": { "type": "object", "required": ["a", "b"], "properties": {
                "a": { "type": ["integer", "null"], "minimum": 0 },
                "b": { "oneOf": [{ "type": "string", "enum": ["x"] }, { "$ref": "#/types/B" }] } } },
            "B": { "type": "array", "items": { "anyOf": [{ "type": "boolean" }, { "$ref": "#/types/C" }] } },
            "C": { "type": "object", "properties": { "c": { "type": "object" } },
                "anyOf": [{ "properties": { "d": {} } }] },
        },
    }));
    let mut fault = |text: &str| described.fault(&["a", "schema"], &serde_json::from_str(text).unwrap());
    for right in [
        r#"{"a":1,"b":"x"}"#,
        r#"{"a":null,"b":[]}"#,
        r#"{"a":0,"b":[true,false]}"#,
        r#"{"a":0,"b":[{"c":{"e":1},"d":7}]}"#,
    ] {
        assert_eq!(fault(right), None, "{right}");
    }
    for wrong in [
        "7",
        r#"{"a":1}"#,
        r#"{"a":-1,"b":"x"}"#,
        r#"{"a":"1","b":"x"}"#,
        r#"{"a":1,"b":"y"}"#,
        r#"{"a":1,"b":[1]}"#,
        r#"{"a":1,"b":"x","c":0}"#,
        r#"{"a":1,"b":[{"e":0}]}"#,
    ] {
        assert!(fault(wrong).is_some(), "{wrong}");
    }
}
