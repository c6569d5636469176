//! Validates JSON against the document's schemas, with every keyword that they use.

use serde_json::{Map, Value};

/// The places where `value` violates `schema`; `components` resolves names. Objects with declared
/// keys may have no others here, though clients must expect more.
pub fn errors(schema: &Value, value: &Value, components: &Value) -> Vec<String> {
    let mut errors = Vec::new();
    check(schema.as_object().expect("a schema is an object"), value, components, "", &mut errors);
    errors
}

fn check(schema: &Map<String, Value>, value: &Value, components: &Value, at: &str, errors: &mut Vec<String>) {
    let fits = |schema: &Value| {
        let mut errors = Vec::new();
        check(schema.as_object().expect("a schema"), value, components, at, &mut errors);
        errors
    };
    for (keyword, said) in schema {
        match keyword.as_str() {
            "description" | "example" | "format" | "required" | "additionalProperties" | "propertyNames" => {}
            "$ref" => {
                let place = said.as_str().and_then(|place| place.strip_prefix("#/components")).expect("a place");
                errors.extend(fits(components.pointer(place).unwrap_or_else(|| panic!("there is no {place}"))));
            }
            "type" => {
                let kinds = said.as_array().map_or(std::slice::from_ref(said), Vec::as_slice);
                if !kinds.iter().any(|kind| is(value, kind.as_str().expect("a type"))) {
                    errors.push(format!("{at} is {value}, not {said}"));
                }
            }
            "enum" if !said.as_array().expect("values").contains(value) => {
                errors.push(format!("{at} is {value}, not of {said}"))
            }
            "enum" => {}
            "minimum" if value.as_f64() < said.as_f64() && value.is_number() => {
                errors.push(format!("{at} is {value}, below {said}"))
            }
            "maximum" if value.as_f64() > said.as_f64() && value.is_number() => {
                errors.push(format!("{at} is {value}, above {said}"))
            }
            "minimum" | "maximum" => {}
            "oneOf" => {
                let each: Vec<Vec<String>> = said.as_array().expect("schemas").iter().map(fits).collect();
                if each.iter().filter(|errors| errors.is_empty()).count() != 1 {
                    errors.push(format!("{at} is not one of {}: {each:?}", each.len()));
                }
            }
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(said.as_object().expect("a schema"), item, components, &format!("{at}/{index}"), errors);
                }
            }
            "properties" => properties(schema, value, components, at, errors),
            other => panic!("{at}: nothing is known of {other}"),
        }
    }
}

fn properties(schema: &Map<String, Value>, value: &Value, components: &Value, at: &str, errors: &mut Vec<String>) {
    let (Some(object), Some(said)) = (value.as_object(), schema["properties"].as_object()) else { return };
    for key in schema.get("required").and_then(Value::as_array).into_iter().flatten() {
        if !object.contains_key(key.as_str().expect("a key")) {
            errors.push(format!("{at} lacks {key}"));
        }
    }
    for (key, value) in object {
        match said.get(key) {
            Some(said) => check(said.as_object().expect("a schema"), value, components, &format!("{at}/{key}"), errors),
            None => errors.push(format!("{at} has {key}, which is not said")),
        }
    }
}

fn is(value: &Value, kind: &str) -> bool {
    match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("{other} is no type"),
    }
}

#[test]
fn what_is_wrong_is_found() {
    let schema = serde_json::json!({ "type": "object", "required": ["a", "b"], "properties": {
        "a": { "type": ["integer", "null"], "minimum": 0 },
        "b": { "oneOf": [{ "type": "string", "enum": ["x"] }, { "$ref": "#/components/schemas/B" }] } } });
    let components = serde_json::json!({ "schemas": { "B": { "type": "array", "items": { "type": "boolean" } } } });
    let wrong = |text: &str| errors(&schema, &serde_json::from_str(text).unwrap(), &components).len();
    for right in [r#"{"a":1,"b":"x"}"#, r#"{"a":null,"b":[]}"#, r#"{"a":0,"b":[true,false]}"#] {
        assert_eq!(wrong(right), 0, "{right}");
    }
    for text in [
        "7",
        r#"{"a":1}"#,
        r#"{"a":-1,"b":"x"}"#,
        r#"{"a":"1","b":"x"}"#,
        r#"{"a":1,"b":"y"}"#,
        r#"{"a":1,"b":[1]}"#,
        r#"{"a":1,"b":"x","c":0}"#,
    ] {
        assert_eq!(wrong(text), 1, "{text}");
    }
}
