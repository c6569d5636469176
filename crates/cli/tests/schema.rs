//! The schema of game files agrees with the reader: what the reader accepts is valid, and what it
//! refuses for its shape is invalid.

use richman_core::Effort;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use boon::{Compiler, SchemaIndex, Schemas};
use richman_formats::{Reading, read_game};
use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

struct GameSchema(Schemas, SchemaIndex);

impl GameSchema {
    fn new() -> GameSchema {
        let path = root().join("docs/game-file.schema.json").canonicalize().unwrap();
        let text: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        assert_eq!(text["$schema"], "https://json-schema.org/draft/2020-12/schema");
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        compiler.add_resource("game-file.schema.json", text).unwrap();
        let index = compiler.compile("game-file.schema.json", &mut schemas).unwrap();
        GameSchema(schemas, index)
    }

    /// Why the text is invalid, if it is.
    fn fault(&self, text: &str) -> Option<String> {
        let value: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
        self.0.validate(&value, self.1).err().map(|error| error.to_string())
    }
}

fn read(text: &str) -> Result<(), String> {
    // Some texts of tests stand for millions of positions.
    let effort = Effort { positions: 100_000, ..Effort::default() };
    read_game("file.json", &mut text.as_bytes(), &Reading::within(effort)).map(drop).map_err(|error| error.to_string())
}

/// The files below a folder, build output left out.
fn files(folder: PathBuf) -> Vec<PathBuf> {
    let (mut folders, mut found) = (vec![folder], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true if path.ends_with("target") => {}
                true => folders.push(path),
                false => found.push(path),
            }
        }
    }
    found
}

/// The texts between `open` and `close`.
fn between<'a>(text: &'a str, open: &'a str, close: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(open).skip(1).filter_map(move |rest| Some(rest.split_once(close)?.0))
}

/// Every text of the repository that could be a game file: whole files, blocks of documents, and
/// texts in the sources of tests.
fn candidates() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let folders = ["crates", "docs", "examples", "fuzz"].into_iter().flat_map(|folder| files(root().join(folder)));
    for path in folders.chain(["README.md", "CONTRIBUTING.md"].map(|page| root().join(page))) {
        let Ok(text) = fs::read_to_string(&path) else { continue }; // not text
        let name = path.display().to_string();
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("rs") => {
                let raw = between(&text, "r#\"", "\"#").chain(between(&text, "r\"", "\""));
                found.extend(raw.map(|raw| (name.clone(), raw.to_string())));
                let comments: String = text
                    .lines()
                    .filter_map(|line| line.trim_start().strip_prefix("//!"))
                    .collect::<Vec<_>>()
                    .join("\n");
                found.extend(between(&comments, "```json", "```").map(|block| (name.clone(), block.to_string())));
            }
            Some("md") => {
                for block in between(&text, "```json", "```") {
                    let block = block.split_once('\n').map_or(block, |(_, lines)| lines);
                    found.push((name.clone(), block.to_string()));
                }
            }
            _ => found.push((name, text)),
        }
    }
    found
}

#[test]
fn every_game_file_of_the_repository_is_valid() {
    let schema = GameSchema::new();
    let mut places = std::collections::BTreeMap::new();
    // Parity games of other programs are read too, and have no schema.
    let is_json = |text: &str| text.trim_start().starts_with('{');
    for (place, text) in candidates().into_iter().filter(|(_, text)| is_json(text) && read(text).is_ok()) {
        assert_eq!(schema.fault(&text), None, "{place}: {text}");
        *places.entry(place).or_insert(0) += 1;
    }
    let in_a =
        |part: &str| places.iter().filter(|(place, _)| place.contains(part)).map(|(_, count)| count).sum::<i32>();
    for (part, least) in [
        ("docs/game-file.md", 2),
        ("docs/guide/src/own-game.md", 1),
        ("docs/guide/src/scoring.md", 1),
        ("examples/", 10),
        ("recorded/inputs", 4),
        ("fuzz/corpus/game_file", 5),
        ("formats/src/json/game_file.rs", 2),
        ("crates/", 30),
    ] {
        assert!(in_a(part) >= least, "{} of {part}: {places:#?}", in_a(part));
    }
}

#[test]
fn exported_games_are_valid() {
    let schema = GameSchema::new();
    for game in [
        "tic-tac-toe",
        "hex:size=3",
        "chess:size=4,pieces=KRK",
        "tug-of-war",
        "ultimatum",
        "race",
        "chomp:rows=2,cols=3",
        "expr:(A & B^2) & ~(E & B^2)",
        "subtraction",
        "subtraction:heap=6,set=2+3",
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_richman")).args(["export", game]).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(read(&text), Ok(()), "{game}");
        assert_eq!(schema.fault(&text), None, "{game}");
    }
}

/// A game that is won with these positions besides its ends "w" and "l".
fn won(positions: &str) -> String {
    format!(r#"{{"name":"g","start":"s","positions":{{"w":{{"winner":"alice"}},"l":{{"winner":"bob"}},{positions}}}}}"#)
}

/// A scoring game with these positions besides its end "e".
fn scored(positions: &str) -> String {
    format!(r#"{{"name":"g","start":"s","positions":{{"e":{{"score":0}},{positions}}}}}"#)
}

/// Texts of the right shape at the edges of what is allowed.
#[test]
fn files_that_are_only_just_right_are_valid() {
    let schema = GameSchema::new();
    let [name, description] = [1000, 2000].map(|length| "é".repeat(length));
    for text in [
        won(r#""s":{"both":["w"]}"#),
        won(r#""s":{"alice":["w"],"bob":[{"to":"l","weight":0.0,"name":"x y"}],"both":[]}"#),
        won(r#""s":{"both":["w",{"to":"s","name":"a\u00a0b"},{"to":"l","name":"\ufeff"}]}"#),
        won(&format!(r#""s":{{"both":["w",{{"to":"l","name":"{name}"}}]}}"#)),
        won(r#""s":{"winner":"none","alice":[],"bob":[],"both":[]}"#),
        r#"{"name":"g","start":"s","positions":{"s":{"both":["s"]}}}"#.to_string(),
        format!(r#"{{"positions":{{"{name}":{{"winner":"bob"}}}},"start":"{name}","name":"{name}"}}"#),
        format!(r#"{{"name":"g","description":"{description}","start":"s","positions":{{"s":{{"winner":"bob"}}}}}}"#),
        scored(r#""s":{}"#),
        scored(r#""s":{"alice":["e"],"both":[{"to":"e","weight":-1e9}],"stuck":{"bob":1000000000}}"#),
        scored(r#""s":{"score":2.0,"stuck":{"alice":0,"bob":-0.0},"both":[]}"#),
        r#"{"name":"g","start":"s","positions":{"s":{"stuck":{}}}}"#.to_string(),
        r#"{"name":"g","start":"s","positions":{"s":{"both":["s"],"priority":1048576}}}"#.to_string(),
        r#"{"name":"g","start":"s","positions":{"s":{"both":["s","t"],"priority":2.0},"t":{"both":["s"]}}}"#
            .to_string(),
        r#"{"name":"g","start":"s","positions":{"s":{"both":["t"],"priority":0},"t":{"winner":"bob"}}}"#.to_string(),
        r#"{"name":"g","start":"s","positions":{"s":{"alice":["t"],"bob":[],"kind":"alice","priority":0},
            "t":{"bob":["s"],"kind":"bob"}}}"#
            .to_string(),
        won(r#""s":{"both":["w"],"kind":"bid"}"#),
        won(r#""s":{"alice":["w"],"both":[],"kind":"alice"}"#),
        r#"{"objective":"energy:10","name":"g","start":"s","positions":{"s":{"both":[{"to":"s","weight":-1}]}}}"#
            .to_string(),
        r#"{"name":"g","start":"s","positions":{"s":{"bob":[{"to":"t","weight":2}]},"t":{}}}"#.to_string(),
        won(r#""s":{"kind":"chance","moves":[{"to":"w","chance":"1/3"},{"chance":"2/3","to":"s"}]}"#),
        won(
            r#""s":{"moves":[{"to":"t","chance":"1.0"}],"kind":"chance"},"t":{"kind":"bob","bob":["s"],"both":[]},"u":{"both":["w"]}"#,
        ),
        r#"{"name":"g","start":"s","objective":"reach","positions":{"s":{"moves":[{"to":"t","chance":"0.5"},
            {"to":"s","chance":"0.50"}],"kind":"chance"},"t":{"both":["s"],"target":true}}}"#
            .to_string(),
        r#"{"name":"g","start":"s","objective":"reach","positions":{"s":{"both":["t","d"]},
            "t":{"both":["s"],"target":true},"d":{"winner":"none"}}}"#
            .to_string(),
    ] {
        assert_eq!(read(&text), Ok(()), "{text}");
        assert_eq!(schema.fault(&text), None, "{text}");
    }
}

#[test]
fn files_of_another_shape_are_invalid() {
    let schema = GameSchema::new();
    let [name, description] = [1001, 2001].map(|length| "é".repeat(length));
    for text in [
        // The game.
        "[]".to_string(),
        "{}".to_string(),
        r#"{"start":"s","positions":{"s":{"winner":"bob"}}}"#.to_string(),
        r#"{"name":"g","positions":{"s":{"winner":"bob"}}}"#.to_string(),
        r#"{"name":"g","start":"s"}"#.to_string(),
        r#"{"name":"g","start":"s","positions":{}}"#.to_string(),
        r#"{"name":"g","start":"s","positions":["s"]}"#.to_string(),
        r#"{"name":7,"start":"s","positions":{"s":{"winner":"bob"}}}"#.to_string(),
        r#"{"name":"","start":"s","positions":{"s":{"winner":"bob"}}}"#.to_string(),
        r#"{"name":"a\u202eb","start":"s","positions":{"s":{"winner":"bob"}}}"#.to_string(),
        r#"{"name":"g","start":null,"positions":{"s":{"winner":"bob"}}}"#.to_string(),
        r#"{"name":"g","start":"s","moves":[],"positions":{"s":{"winner":"bob"}}}"#.to_string(),
        format!(r#"{{"name":"{name}","start":"s","positions":{{"s":{{"winner":"bob"}}}}}}"#),
        // The description.
        r#"{"name":"g","description":"","start":"s","positions":{"s":{"winner":"bob"}}}"#.to_string(),
        r#"{"name":"g","description":["a"],"start":"s","positions":{"s":{"winner":"bob"}}}"#.to_string(),
        r#"{"name":"g","description":"a\nb","start":"s","positions":{"s":{"winner":"bob"}}}"#.to_string(),
        format!(r#"{{"name":"g","description":"{description}","start":"s","positions":{{"s":{{"winner":"bob"}}}}}}"#),
        // Positions.
        won(r#""s":["w"]"#),
        won(r#""s":{}"#),
        won(r#""s":{"alice":["w"]}"#),
        won(r#""s":{"alice":["w"],"bob":[]}"#),
        won(r#""s":{"both":[]}"#),
        won(r#""s":{"winner":"carol"}"#),
        won(r#""s":{"winner":null}"#),
        won(r#""s":{"winner":"bob","both":["w"]}"#),
        won(r#""s":{"winner":"bob","score":1}"#),
        won(r#""s":{"alice":["w"],"bobb":["l"]}"#),
        won(r#""s":{"alice":"w","bob":["l"]}"#),
        won(r#""s":{"both":["w"]},"":{"winner":"bob"}"#),
        won(r#""s":{"both":["w"]},"a\u0085":{"winner":"bob"}"#),
        won(r#""s":{"both":["w"]}," t":{"both":["w"]}"#),
        won(r#""s":{"both":["w"]},"t\u2003":{"both":["w"]}"#),
        r#"{"name":"g","start":" ","positions":{" ":{"both":[" "]}}}"#.to_string(),
        r#"{"name":"g ","start":"s","positions":{"s":{"both":["s"]}}}"#.to_string(),
        // Moves.
        won(r#""s":{"both":[7]}"#),
        won(r#""s":{"both":["w "]}"#),
        won(r#""s":{"both":[""]}"#),
        won(r#""s":{"both":[["w"]]}"#),
        won(r#""s":{"both":[{}]}"#),
        won(r#""s":{"both":[{"name":"a"}]}"#),
        won(r#""s":{"both":[{"to":"w","cost":1}]}"#),
        won(r#""s":{"both":[{"to":7}]}"#),
        won(r#""s":{"both":[{"to":"w","weight":"1"}]}"#),
        won(r#""s":{"both":[{"to":"w","name":7}]}"#),
        won(r#""s":{"both":[{"to":"w","name":null}]}"#),
        won(r#""s":{"both":[{"to":"w","name":""}]}"#),
        won(r#""s":{"both":[{"to":"w","name":" a"}]}"#),
        won(r#""s":{"both":[{"to":"w","name":"a\u2003"}]}"#),
        won(r#""s":{"both":[{"to":"w","name":"a\tb"}]}"#),
        won(&format!(r#""s":{{"both":[{{"to":"w","name":"{name}"}}]}}"#)),
        // Scores, and scores beside winners.
        won(r#""s":{"score":1}"#),
        won(r#""s":{"both":["w"],"stuck":{"alice":0}}"#),
        won(r#""s":{"both":["w",{"to":"l","weight":-1}]}"#),
        // Priorities.
        won(r#""s":{"both":["w"],"priority":-1}"#),
        won(r#""s":{"both":["w"],"priority":1048577}"#),
        won(r#""s":{"both":["w"],"priority":0.5}"#),
        won(r#""s":{"both":["w"],"priority":"1"}"#),
        won(r#""s":{"priority":1}"#),
        won(r#""s":{"alice":["w"],"priority":1}"#),
        won(r#""s":{"winner":"bob","priority":1}"#),
        won(r#""s":{"winner":"bob","kind":"bob"}"#),
        won(r#""s":{"alice":["w"],"kind":"bob"}"#),
        won(r#""s":{"both":["w"],"kind":"alice"}"#),
        won(r#""s":{"both":["w"],"kind":"alice","priority":1}"#),
        won(r#""s":{"alice":["w"],"kind":"bob","priority":1}"#),
        won(r#""s":{"alice":["w"],"bob":["l"],"kind":"bob","priority":1}"#),
        won(r#""s":{"bob":["l"],"kind":"carol","priority":1}"#),
        won(r#""s":{"both":["t"],"priority":1},"t":{"winner":"none"}"#),
        won(r#""s":{"both":[{"to":"w","weight":1}],"priority":1}"#),
        scored(r#""s":{"both":["e"],"priority":1}"#),
        scored(r#""s":{"alice":["e"],"kind":"alice"}"#),
        // Chance.
        won(r#""s":{"kind":"chance"}"#),
        won(r#""s":{"kind":"chance","moves":[]}"#),
        won(r#""s":{"moves":[{"to":"w","chance":"1"}]}"#),
        won(r#""s":{"kind":"chance","moves":["w"]}"#),
        won(r#""s":{"kind":"chance","moves":[{"to":"w"}]}"#),
        won(r#""s":{"kind":"chance","moves":[{"to":"w","chance":1}]}"#),
        won(r#""s":{"kind":"chance","moves":[{"to":"w","chance":"one"}]}"#),
        won(r#""s":{"kind":"chance","moves":[{"to":"w","chance":"1","name":"a"}]}"#),
        won(r#""s":{"kind":"chance","both":["w"],"moves":[{"to":"w","chance":"1"}]}"#),
        won(r#""s":{"kind":"chance","moves":[{"to":"w","chance":"1"}],"priority":1}"#),
        won(r#""s":{"kind":"chance","moves":[{"to":"w","chance":"1"}]},"t":{"both":["w"],"priority":1}"#),
        scored(r#""s":{"kind":"chance","moves":[{"to":"e","chance":"1"}]}"#),
        // Scores.
        scored(r#""s":{"score":"1"}"#),
        scored(r#""s":{"score":0.5}"#),
        scored(r#""s":{"score":1000000001}"#),
        scored(r#""s":{"score":1,"both":["e"]}"#),
        scored(r#""s":{"score":1,"stuck":{"bob":2}}"#),
        scored(r#""s":{"stuck":3}"#),
        scored(r#""s":{"stuck":{"carol":3}}"#),
        scored(r#""s":{"stuck":{"alice":"3"}}"#),
        scored(r#""s":{"both":[{"to":"e","weight":1e300}]}"#),
        scored(r#""s":{"both":[{"to":"e","weight":null}]}"#),
    ] {
        assert!(read(&text).is_err(), "{text}");
        assert!(schema.fault(&text).is_some(), "{text}");
    }
}

/// Every small position under every objective, beside a target: the schema accepts what the reader
/// does, and nothing else.
#[test]
fn schema_and_reader_agree_on_positions_with_objectives() {
    let schema = GameSchema::new();
    let lists = ["", r#""both":["s"]"#, r#""alice":["s"],"bob":["t"]"#, r#""alice":["s"]"#, r#""bob":["t"]"#, CHANCE];
    const CHANCE: &str = r#""moves":[{"to":"s","chance":"1"}]"#;
    let winners = ["", r#""winner":"alice""#, r#""winner":"none""#];
    let targets = ["", r#""target":true"#, r#""target":false"#];
    let kinds = ["", r#""kind":"bid""#, r#""kind":"bob""#, r#""kind":"chance""#];
    let labels = ["", r#""priority":1"#, r#""weight":-2"#];
    let objectives = ["reach", "buechi", "cobuechi", "parity-min-odd", "mean-payoff", "energy:3"];
    let mut accepted = 0;
    for objective in objectives {
        for (list, winner) in lists.iter().flat_map(|list| winners.map(|winner| (list, winner))) {
            for (target, kind) in targets.iter().flat_map(|target| kinds.map(|kind| (target, kind))) {
                for label in labels {
                    let parts = [list, winner, target, kind, label].into_iter().filter(|part| !part.is_empty());
                    let position = parts.collect::<Vec<&str>>().join(",");
                    let text = format!(
                        r#"{{"name":"g","objective":"{objective}","start":"s","positions":{{"s":{{{position}}},
                        "t":{{"both":["s"],"target":true}}}}}}"#
                    );
                    let (read, fault) = (read(&text), schema.fault(&text));
                    assert_eq!(read.is_ok(), fault.is_none(), "{text}: {read:?}, {fault:?}");
                    accepted += u32::from(read.is_ok());
                }
            }
        }
    }
    assert!(accepted > 100, "{accepted}");
}
