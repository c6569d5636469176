//! Output formats, and words in any case, for all commands in `commands.rs`.

mod commands;
pub mod questions;

use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use commands::{Call, NO_REPORTS, REPORTS, Report};
use serde_json::Value;
use tempfile::TempDir;

const RECORD: &str = include_str!("../../../../examples/dp10-1-1.txt");

/// A folder with the files that the calls name.
struct Files(TempDir);

impl Files {
    fn new() -> Files {
        let files = Files(tempfile::tempdir().unwrap());
        fs::write(files.0.path().join("record"), RECORD).unwrap();
        files.done(&["solve", "tug-of-war", "--chips", "5", "--save", files.0.path().join("saved").to_str().unwrap()]);
        files
    }

    fn args(&self, report: &Report, call: &Call) -> Vec<String> {
        let path = |word: &str| match word.strip_prefix('{').and_then(|word| word.strip_suffix('}')) {
            Some("folder") => {
                self.0.path().join(format!("{}-{}", report.command, call.args.len())).display().to_string()
            }
            Some(name) => self.0.path().join(name).display().to_string(),
            None => word.replace('_', " "),
        };
        std::iter::once(report.command.to_string()).chain(call.args.split_whitespace().map(path)).collect()
    }

    fn run(&self, args: &[&str]) -> Output {
        self.run_wide(args, None)
    }

    /// Runs with text of a given width.
    fn run_wide(&self, args: &[&str], columns: Option<usize>) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_richman"));
        command.args(args).current_dir(self.0.path()).env_remove("COLUMNS");
        command.envs(columns.map(|columns| ("COLUMNS", columns.to_string())));
        command.output().unwrap()
    }

    #[track_caller]
    fn done(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    #[track_caller]
    fn printed(&self, args: &[String], more: &[&str]) -> String {
        let args: Vec<&str> = args.iter().map(String::as_str).chain(more.iter().copied()).collect();
        self.done(&args)
    }
}

fn calls(files: &Files) -> impl Iterator<Item = (&'static Report, &'static Call, Vec<String>)> {
    let of = |report: &'static Report| report.calls.iter().map(move |call| (report, call));
    REPORTS.iter().flat_map(of).map(|(report, call)| (report, call, files.args(report, call)))
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(words) => words.iter().map(cell).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

/// The header and the rows of a table, which have equally many cells.
#[track_caller]
fn read(table: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let mut rows = csv::ReaderBuilder::new().has_headers(false).from_reader(table.as_bytes()).into_records();
    let row = |row: Result<csv::StringRecord, csv::Error>| row.unwrap().iter().map(str::to_string).collect();
    let header: Vec<String> = row(rows.next().expect("a header"));
    (header, rows.map(row).collect())
}

#[test]
fn every_table_has_a_header_and_even_rows_and_says_what_json_says() {
    let files = Files::new();
    for (_, call, args) in calls(&files) {
        let (header, rows) = read(&files.printed(&args, &["--csv"]));
        assert!(!rows.is_empty(), "{args:?}");
        assert!(header.iter().all(|name| !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_')));
        let json: Value = serde_json::from_str(&files.printed(&args, &["--json"])).unwrap();
        let listed = json.pointer(call.rows).unwrap_or_else(|| panic!("{args:?}: no {:?} in {json}", call.rows));
        let listed: Vec<&Value> = listed.as_array().map_or_else(|| vec![listed], |rows| rows.iter().collect());
        for (column, pointer) in call.columns {
            let at = header.iter().position(|name| name == column).unwrap_or_else(|| panic!("{args:?}: {header:?}"));
            for (value, row) in listed.iter().zip(&rows) {
                let value = value.pointer(pointer).unwrap_or(&Value::Null);
                assert_eq!(row[at], cell(value), "{args:?}, column {column}");
            }
            assert!(rows.iter().any(|row| !row[at].is_empty()), "{args:?}: nothing in column {column}");
        }
    }
}

/// Programs rely on this shape of shares.
#[test]
fn shares_have_two_exact_ends_and_decimals() {
    fn look(value: &Value, found: &mut usize) {
        let number = |share: &Value| match share {
            Value::String(fraction) => {
                let (above, below) = fraction.split_once('/').expect("a fraction");
                above.parse::<f64>().unwrap() / below.parse::<f64>().unwrap()
            }
            other => other.as_f64().expect("a number"),
        };
        if let Value::Object(keys) = value {
            for (key, bounds) in keys.iter().filter(|(key, _)| key.ends_with("_bounds")) {
                let name = key.strip_suffix("_bounds").unwrap();
                let (share, decimals) = (&keys[name], &keys[&format!("{name}_decimals")]);
                if bounds.is_null() {
                    assert!(share.is_null() && decimals.is_null(), "{name}: {value}");
                    continue;
                }
                let (ends, rounded) = (bounds.as_array().unwrap(), decimals.as_array().unwrap());
                assert_eq!((ends.len(), rounded.len()), (2, 2), "{name}: {value}");
                assert!(
                    ends.iter().zip(rounded).all(|(end, near)| (number(end) - near.as_f64().unwrap()).abs() < 1e-15)
                );
                assert!(number(&ends[0]) <= number(&ends[1]), "{name}: {value}");
                match share {
                    Value::Array(both) => assert!(both == ends && ends[0] != ends[1], "{name}: {value}"),
                    Value::Null => assert_eq!([0, 1].map(Value::from), **ends, "{name}: {value}"),
                    share => assert!(*share == ends[0] && *share == ends[1], "{name}: {value}"),
                }
                *found += 1;
            }
        }
        match value {
            Value::Object(keys) => keys.values().for_each(|value| look(value, found)),
            Value::Array(items) => items.iter().for_each(|value| look(value, found)),
            _ => {}
        }
    }
    let files = Files::new();
    let mut found = [0; 4];
    for (_, _, args) in calls(&files) {
        let json: Value = serde_json::from_str(&files.printed(&args, &["--json"])).unwrap();
        let is_share = |key: &str| json[key].as_str().is_some_and(|text| text.contains('/')) || json[key].is_array();
        for key in ["win", "draw", "bid", "chance"].into_iter().filter(|key| is_share(key)) {
            assert!(json[format!("{key}_bounds")].is_array(), "{args:?}: {key}");
        }
        if let Some(at) = ["solve", "tree", "random-turn", "review"].iter().position(|name| *name == args[0]) {
            look(&json, &mut found[at]);
        }
    }
    // A review uses real money only with too many chips.
    assert!(found[..3].iter().all(|found| *found > 2), "{found:?}");
}

/// Text has the given width, and the output for programs does not depend on it.
#[test]
fn no_line_is_wider_than_the_text() {
    let files = Files::new();
    for (_, _, args) in calls(&files) {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        for width in [40, 80] {
            let output = files.run_wide(&args, Some(width));
            assert!(output.status.success(), "{args:?}");
            let text = String::from_utf8(output.stdout).unwrap();
            let wide = text.lines().find(|line| line.chars().count() > width);
            assert!(wide.is_none() && !text.is_empty(), "{args:?}: {wide:?}");
        }
        if args[0] != "build" && !args.contains(&"chess") {
            for flag in ["--json", "--csv"] {
                let all = [&args[..], &[flag]].concat();
                assert_eq!(files.run_wide(&all, Some(40)).stdout, files.run(&all).stdout, "{all:?}");
            }
        }
    }
    let usual = files.done(&["solve", "tic-tac-toe"]);
    assert!(usual.lines().any(|line| line.chars().count() > 65), "a sentence is a line in a pipe: {usual}");
}

#[test]
fn several_games_are_a_report_each() {
    let files = Files::new();
    let games = ["tic-tac-toe", "hex:size=3", "tug-of-war"];
    let alone = |flags: &[&str]| games.map(|game| files.done(&[&["solve", game], flags].concat()));
    let together = |flags: &[&str]| files.done(&[&["solve"], &games[..], flags].concat());
    assert_eq!(together(&[]), alone(&[]).join("\n"));
    assert_eq!(together(&["--json"]), alone(&["--json"]).concat(), "one document on each line");
    assert_eq!(together(&["--chips", "5", "--json", "--all"]), alone(&["--chips", "5", "--json", "--all"]).concat());
    let (header, rows) = read(&together(&["--csv"]));
    assert_eq!(rows.iter().map(|row| row[0].as_str()).collect::<Vec<_>>(), games);
    assert_eq!((header[0].as_str(), header.len()), ("game", 16));
    let (_, all) = read(&together(&["--csv", "--all"]));
    let counted = alone(&["--csv", "--all"]).map(|table| read(&table).1.len());
    assert_eq!(all.len(), counted.iter().sum::<usize>());
    for (args, reason) in [
        (&["-", "-"][..], "one game"),
        (&["tic-tac-toe", "nogame"], "nogame"),
        (&["tic-tac-toe", "hex", "--position", "..."], "--position"),
        (&["tic-tac-toe", "hex", "--save", "x"], "--save"),
        (&["tic-tac-toe", "--all", "--trace"], "--all"),
    ] {
        let output = files.run(&[&["solve"], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(reason), "{args:?}");
    }
}

#[test]
fn signs_in_tables_are_explained() {
    let files = Files::new();
    let zugzwang = files.0.path().join("zugzwang.json");
    let rules = r#"{"name": "z", "start": "z", "positions": {"z": {"alice": ["l"], "bob": ["w"]},
        "w": {"winner": "alice"}, "l": {"winner": "bob"}}}"#;
    fs::write(&zugzwang, rules).unwrap();
    let table = files.done(&["table", zugzwang.to_str().unwrap(), "--right", "moves", "--chips", "0..9"]);
    let two = table
        .lines()
        .flat_map(|line| line.split("  "))
        .map(str::trim)
        .find(|cell| cell.ends_with('*') && cell.contains(" or "));
    let two = two.unwrap_or_else(|| panic!("{table}"));
    assert!(table.contains(&format!("\n{two}: ")), "{table}");
    let record = files.0.path().join("record");
    let review = files.done(&["review", record.to_str().unwrap()]);
    assert!(review.contains("\n+2/-1: 2 chips more than a win needs"), "{review}");
}

#[test]
fn what_prints_no_report_has_no_formats() {
    let files = Files::new();
    for command in NO_REPORTS {
        for flag in ["--json", "--csv", "--svg"] {
            assert_eq!(files.run(&[command, flag]).status.code(), Some(2), "{command} {flag}");
        }
    }
}

#[test]
fn every_drawing_is_a_file_or_takes_the_place_of_the_text() {
    let files = Files::new();
    for (report, call, args) in calls(&files).filter(|(report, ..)| report.draws) {
        let file = files.0.path().join("drawing.svg");
        let all: Vec<&str> = args.iter().map(String::as_str).chain(["--svg", file.to_str().unwrap()]).collect();
        if files.run(&all).status.success() {
            let (text, drawing) = (files.printed(&args, &[]), fs::read_to_string(&file).unwrap());
            assert!(drawing.contains("<svg") && drawing.trim_end().ends_with("</svg>"), "{args:?}");
            roxmltree::Document::parse(&drawing).unwrap();
            assert_eq!(files.done(&all), text, "{args:?}");
            assert_eq!(files.printed(&args, &["--svg", "-"]), drawing, "{args:?}");
            fs::remove_file(&file).unwrap();
        } else {
            // Not every question of these commands has a drawing.
            assert!(["solve", "table"].contains(&report.command), "{} {}", report.command, call.args);
        }
    }
}

fn mixed(word: &str) -> String {
    let letter = |(at, c): (usize, char)| if at % 2 == 0 { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
    word.char_indices().map(letter).collect()
}

/// Calls in which every word except flags may be written in any case.
#[rustfmt::skip]
const WORDS: [&str; 25] = [
    "solve tic-tac-toe:rows=2,cols=2,line=2",
    "solve connect:rows=2,cols=3,line=2",
    "solve hex:size=2",
    "solve y:size=3",
    "solve tug-of-war:length=5,at=2 --payment poorman",
    "solve ultimatum:degree=2 --payment taxman:1/2",
    "solve chess:size=4,pieces=KRK --position k3/4/4/K2R",
    "solve chomp:rows=2,cols=2",
    "solve race:alice=2,bob=1",
    "solve tug-of-war --chips 5 --preset develin-payne",
    "solve tug-of-war --chips 5 --preset gasarch --bids all",
    "solve tug-of-war --chips 5 --preset larsson --ties advantage",
    "solve tug-of-war --chips 5 --ties marker --bidding sealed",
    "solve tug-of-war --chips 5 --ties alice --bidding alice-first",
    "solve tug-of-war --chips 5 --ties bob --bidding bob-first --right moves",
    "solve tug-of-war --chips 5 --ties loser --right chooses",
    "solve tug-of-war --chips 5 --ties winner --memory 100mb --payment richman",
    "scores subtraction:heap=5,set=1+2 --chips 4",
    "export tug-of-war:length=3 --memory 100mb",
    "random-turn tug-of-war --games 10",
    "duel tug-of-war --alice perfect --bob beginner --chips 2 --games 4",
    "duel hex:size=2 --alice monte-carlo:fillings=10 --bob rounding:errs=1/4 --chips 2 --games 4",
    "play tug-of-war --as bob --level intermediate --seed 1",
    "reproduce dp10_figure_3",
    "completions bash",
];

#[test]
fn words_are_read_in_any_case() {
    let files = Files::new();
    let printed = |call: &str, change: fn(&str) -> String| {
        let mut words = call.split_whitespace();
        let mut command = Command::new(env!("CARGO_BIN_EXE_richman"));
        command.arg(words.next().unwrap()).current_dir(files.0.path());
        let mut follows_position = false;
        for word in words {
            let keep = word.starts_with("--") || follows_position;
            follows_position = word == "--position";
            command.arg(if keep { word.to_string() } else { change(word).replace('_', " ") });
        }
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(b"QUIT\n").unwrap_or_default(); // only play reads it
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{call}: {}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    for call in WORDS {
        let usual = printed(call, str::to_string);
        assert!(!usual.is_empty(), "{call}");
        assert_eq!(usual, printed(call, str::to_uppercase), "{call}");
        assert_eq!(usual, printed(call, mixed), "{call}");
    }
    let words: String = WORDS.concat();
    for game in serde_json::from_str::<Value>(&files.done(&["list", "--json"])).unwrap()["games"].as_array().unwrap() {
        let name = game["name"].as_str().unwrap();
        assert!(name == "expr" || words.contains(name), "{name} is in no call"); // what follows expr: has capitals
    }
    assert_eq!(files.done(&["solve", "EXPR:A & B"]), files.done(&["solve", "expr:A & B"]));
}

#[test]
fn one_holding_and_the_total_tell_the_other() {
    let files = Files::new();
    let both = ["--alice", "4*", "--bob", "4"];
    for (alice, bob) in [("--alice", "4*"), ("--bob", "4")].map(|one| (one, "8")) {
        let given = [alice.0, alice.1, "--chips", bob];
        for (command, game) in [("solve", "tic-tac-toe"), ("scores", "subtraction")] {
            let printed = |holdings: &[&str]| files.done(&[&[command, game], holdings].concat());
            assert_eq!(printed(&given), printed(&both), "{command}");
        }
        let poorman =
            |holdings: &[&str]| files.done(&[&["solve", "tug-of-war", "--payment", "poorman"], holdings].concat());
        assert_eq!(poorman(&given), poorman(&both));
    }
    let star = files.done(&["solve", "tic-tac-toe", "--alice", "3", "--chips", "8"]);
    assert!(star.contains("With 3 for Alice against 5* for Bob"), "{star}");
    let none = files.done(&["solve", "tic-tac-toe", "--bob", "3", "--chips", "8", "--ties", "alice"]);
    assert!(none.contains("With 5 for Alice against 3 for Bob"), "{none}");
    for (flags, reason) in [
        (&["--alice", "4*"][..], "what Bob holds: add --bob, or add --chips"),
        (&["--bob", "4*"], "what Alice holds: add --alice, or add --chips"),
        (&["--alice", "9", "--chips", "8"], "9"),
        (&["--alice", "4*", "--chips", "8", "--ties", "bob"], "star"),
        (&["--alice", "4*", "--bob", "4", "--chips", "9"], "make 8 chips, not 9"),
        (&["--trace"], "add --alice and --bob"),
    ] {
        let output = files.run(&[&["solve", "tic-tac-toe"], flags].concat());
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{flags:?}");
        assert!(message.contains(reason), "{flags:?}: {message}");
    }
}
