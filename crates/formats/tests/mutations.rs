//! Damaged documents: none makes a reader panic, and those still accepted read back unchanged.

use richman_core::Effort;
use richman_formats::{GameFile, Record, ScoringFile};

use crate::common::{MUTATIONS, Random, coin};
use crate::samples;

#[test]
fn damaged_game_files() {
    let plain = coin().to_json();
    let pretty = r#"{ "name": "both", "start": "s", "positions": {
        "w": {"winner": "none"}, "s": {"both": [{"to": "w", "weight": 0}, "s"], "bob": ["w"]} } }"#;
    let named = r#"{"name":"n","description":"who goes south","start":"a","positions":{"w":{"winner":"bob"},
        "a":{"both":[{"to":"w","name":"south"},{"name":"a","to":"a"}],"bob":[{"to":"w","name":"out"}]}}}"#;
    let documents = [plain.as_bytes(), pretty.as_bytes(), named.as_bytes()];
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut accepted = 0;
    for round in 0..MUTATIONS {
        let at = round as usize % documents.len();
        let bytes = random.mutate(documents[at], documents[(at + 1) % documents.len()]);
        match GameFile::parse("a.json", &bytes, &Effort::default()) {
            Ok(game) => {
                accepted += 1;
                game.graph().unwrap();
                assert_eq!(GameFile::parse("a.json", game.to_json().as_bytes(), &Effort::default()).unwrap(), game);
            }
            Err(error) => assert!(error.to_string().starts_with("a.json"), "{error}"),
        }
    }
    assert!(accepted > 100 && accepted < MUTATIONS, "{accepted}");
}

#[test]
fn damaged_scoring_files() {
    let first = concat!(
        r#"{"name":"s","start":"a","positions":{"a":{"both":[{"to":"b","weight":2}],"#,
        r#""stuck":{"alice":0,"bob":-1}},
        "b":{"alice":["c"],"bob":[{"weight":-30,"to":"c"}]},"c":{"score":3}}}"#
    );
    let second = concat!(
        r#"{"name":"t","start":"x","positions":{"x":{"both":["y","y"],"#,
        r#""bob":[{"to":"y","weight":1e1}]},"y":{"score":-7}}}"#
    );
    let documents = [first.as_bytes(), second.as_bytes()];
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut accepted = 0;
    for round in 0..MUTATIONS {
        let at = round as usize % 2;
        let bytes = random.mutate(documents[at], documents[1 - at]);
        match ScoringFile::parse("a.json", &bytes, &Effort::default()) {
            Ok(game) => {
                accepted += 1;
                game.graph().unwrap();
                assert_eq!(ScoringFile::parse("a.json", game.to_json().as_bytes(), &Effort::default()).unwrap(), game);
            }
            Err(error) => assert!(error.to_string().starts_with("a.json"), "{error}"),
        }
    }
    assert!(accepted > 100 && accepted < MUTATIONS, "{accepted}");
}

#[test]
fn damaged_records() {
    let documents = [samples::RECORD.as_bytes(), samples::OPEN_RECORD.as_bytes()];
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut accepted = 0;
    for round in 0..MUTATIONS {
        let at = round as usize % 2;
        let bytes = random.mutate(documents[at], documents[1 - at]);
        match Record::parse("a.txt", &bytes) {
            Ok(record) => {
                accepted += 1;
                let text = record.to_string();
                let again = Record::parse("a.txt", text.as_bytes()).unwrap_or_else(|error| panic!("{error}:\n{text}"));
                assert_eq!(again, record);
                assert_eq!(again.to_string(), text);
            }
            Err(error) => assert!(error.to_string().starts_with("a.txt"), "{error}"),
        }
    }
    assert!(accepted > 100 && accepted < MUTATIONS, "{accepted}");
}
