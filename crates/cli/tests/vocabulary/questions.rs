//! The document of a question in the forms of the doors: flags, the body of a request over HTTP,
//! and the fields of a form.

use richman_analysis::QuestionDocument;
use serde_json::{Map, Value, json};

/// The given keys of a document, besides what is wanted.
fn given(document: &QuestionDocument) -> Map<String, Value> {
    let Value::Object(mut given) = serde_json::to_value(document).unwrap() else { panic!("{document:?}") };
    given.remove("wanted");
    given
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) if number.is_f64() => number.as_f64().unwrap().to_string(), // 3.0 is 3
        value => value.to_string(),
    }
}

/// The flags of the command.
pub fn flags(document: &QuestionDocument) -> Vec<String> {
    let flag = |(key, value): (String, Value)| match (key.as_str(), &value) {
        ("rows", _) => format!("--{}", text(&value).replace(' ', "=")),
        (_, Value::Bool(_)) => format!("--{}", key.replace('_', "-")),
        _ => format!("--{}={}", key.replace('_', "-"), text(&value)),
    };
    given(document).into_iter().map(flag).collect()
}

/// The body of a request, besides the game.
pub fn body(document: &QuestionDocument) -> Value {
    let mut body = json!({ "mechanism": {} });
    for (key, value) in given(document) {
        match key.as_str() {
            "chips" => body["total"] = serde_json::from_str(&text(&value)).unwrap(),
            "alice" | "bob" => body["holdings"][key] = value,
            "preset" | "payment" | "ties" | "bidding" | "right" | "bids" => body["mechanism"][key] = value,
            "rows" => {
                let (of, chips) = value.as_str().and_then(|rows| rows.split_once(' ')).unwrap();
                body["chips"] = json!(chips);
                if of != "chips" {
                    body["of"] = json!(of);
                }
            }
            _ => body[key] = value,
        }
    }
    body
}

/// The fields of a form. That of `/explore` asks for a table from 0 on, of what is usual.
pub fn fields(document: &QuestionDocument) -> Vec<(String, String)> {
    let field = |(key, value): (String, Value)| match key.as_str() {
        "rows" => ("table".to_string(), text(&value).rsplit('.').next().unwrap().to_string()),
        _ => (key, text(&value)),
    };
    given(document).into_iter().map(field).collect()
}
