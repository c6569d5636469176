//! Figures of chip tables: well formed, reproducible, and consistent with the table.

use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Output};

use roxmltree::{Document, Node};
use serde_json::Value;

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_richman")).args(args).output().unwrap()
}

#[track_caller]
fn done(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!(output.status.code(), Some(0), "{args:?} {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn classed<'a>(root: Node<'a, 'a>, class: &str) -> Vec<Node<'a, 'a>> {
    let has = |node: &Node| node.attribute("class").is_some_and(|names| names.split(' ').any(|name| name == class));
    root.descendants().filter(has).collect()
}

fn texts(document: &Document) -> Vec<String> {
    document
        .descendants()
        .filter(|node| node.has_tag_name("text"))
        .filter_map(|node| node.text())
        .map(|text| text.trim().to_string())
        .collect()
}

/// The winner for each pair of chips, from a map.
fn cells(map: Node) -> BTreeMap<(u32, u32), String> {
    let mut cells = BTreeMap::new();
    for path in map.children().filter(Node::is_element) {
        for run in path.attribute("d").unwrap().split('M').skip(1) {
            let (place, rest) = run.split_once('h').unwrap();
            let (alice, bob) = place.split_once(' ').unwrap();
            let (alice, bob): (u32, u32) = (alice.parse().unwrap(), bob.parse().unwrap());
            let (length, rest) = rest.split_once('v').unwrap();
            assert_eq!(rest, format!("1h-{length}z"));
            for alice in alice..alice + length.parse::<u32>().unwrap() {
                let before = cells.insert((alice, bob), path.attribute("class").unwrap().to_string());
                assert_eq!(before, None, "a cell has one colour");
            }
        }
    }
    cells
}

/// The expected maps, from the thresholds that the table prints.
fn expected(rows: &[Value], last: u32, star: &str) -> BTreeMap<(u32, u32), String> {
    let (side, which) = (last.min(63), if star == "alice" { "star" } else { "plain" });
    let mut cells = BTreeMap::new();
    for (alice, bob) in (0..=side).flat_map(|alice| (0..=side).map(move |bob| (alice, bob))) {
        if alice + bob <= last {
            let row = &rows[(alice + bob) as usize];
            let reaches = |goal: &str| u64::from(alice) >= row[goal][which].as_u64().unwrap();
            let winner = if reaches("win") {
                "alice"
            } else if reaches("draw") {
                "neither"
            } else {
                "bob"
            };
            cells.insert((alice, bob), winner.to_string());
        }
    }
    cells
}

#[test]
fn maps_agree_with_the_thresholds() {
    let three = "connect:rows=3,cols=3,line=3";
    for (game, first, last) in [
        (&["tic-tac-toe"][..], 0, 20),
        (&["tic-tac-toe", "--within", "7"], 5, 9),
        (&[three], 20, 100),
        (&[three], 0, 126),
        (&[three], 1000, 1003),
        (&[three, "--right", "moves"], 0, 40),
        (&["tug-of-war:length=6"], 0, 63),
        (&["expr:E"], 0, 0),
        (&["expr:(A & B^2) & B"], 64, 64),
    ] {
        let table = |chips: &str, flags: &[&str]| done(&[&["table"], game, &["--chips", chips], flags].concat());
        let report: Value = serde_json::from_str(&table(&format!("0..{}", last.min(126)), &["--json"])).unwrap();
        let figure = table(&format!("{first}..{last}"), &["--svg", "-"]);
        let document = Document::parse(&figure).unwrap();
        for star in ["alice", "bob"] {
            let maps = classed(document.root(), &format!("{star}-star"));
            assert_eq!(maps.len(), 1);
            let (shown, expected) = (cells(maps[0]), expected(report["rows"].as_array().unwrap(), last, star));
            let count = |of: &BTreeMap<(u32, u32), String>| {
                ["alice", "neither", "bob"].map(|winner| of.values().filter(|cell| *cell == winner).count())
            };
            assert_eq!(count(&shown), count(&expected), "{game:?} {first}..{last} {star}");
            assert_eq!(shown, expected, "{game:?} {first}..{last} {star}");
        }
        for goal in ["win", "draw"] {
            let curves = classed(document.root(), goal);
            assert_eq!(curves.len(), 1);
            let points = curves[0].attribute("d").unwrap().split(['M', 'L']).count() - 1;
            assert_eq!(points as u32, last - first + 1);
        }
    }
}

#[test]
fn names_are_text_and_not_markup() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.json");
    let name = "<b>&amp; \"q\" 'a' ]]> \u{fffe}";
    let game = serde_json::json!({ "name": name, "start": "</svg>&", "positions": {
        "</svg>&": { "alice": ["l"], "bob": ["w"] }, "w": { "winner": "alice" }, "l": { "winner": "bob" } } });
    fs::write(&file, game.to_string()).unwrap();
    let figure = done(&["table", file.to_str().unwrap(), "--right", "moves", "--chips", "0..9", "--svg", "-"]);
    let document = Document::parse(&figure).unwrap();
    let texts = texts(&document);
    assert_eq!(texts[0], "<b>&amp; \"q\" 'a' ]]> \u{fffd}");
    assert_eq!(texts[1], "position </svg>&");
    // In a zugzwang holdings have no order and there is no share: two curves each, relative to half
    // the total.
    assert_eq!([classed(document.root(), "win").len(), classed(document.root(), "draw").len()], [2, 2]);
    assert!(texts.iter().any(|text| text.contains("zugzwang")), "{texts:?}");
    assert!(texts.iter().any(|text| text == "win threshold with the star"), "{texts:?}");
}

#[test]
fn the_title_states_the_question_and_the_shares() {
    let figure = done(&["table", "tic-tac-toe", "--position", "A../.../...", "--svg", "-"]);
    let shown = texts(&Document::parse(&figure).unwrap());
    assert_eq!(shown[..2], ["tic-tac-toe", "position A../.../..."]);
    assert!(shown[2].contains("payment richman") && shown[2].contains("right chooses"), "{shown:?}");
    let solved: Value =
        serde_json::from_str(&done(&["solve", "tic-tac-toe", "--position", "A../.../...", "--json"])).unwrap();
    let share = |goal: &str| solved[goal].as_str().unwrap().to_string();
    assert_eq!(shown[3], format!("R = {} for the win, R = {} for the draw", share("win"), share("draw")));

    let figure = done(&["table", &format!("expr:{}A{}", "A & (".repeat(30), ")".repeat(30)), "--svg", "-"]);
    let document = Document::parse(&figure).unwrap();
    assert!(texts(&document)[0].ends_with('\u{2026}'), "long names are cut");
}

#[test]
fn a_file_is_the_same_figure_and_the_table_is_still_printed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("figure.svg");
    let path = file.to_str().unwrap();
    let table = ["table", "tug-of-war:length=6", "--chips", "3..40"];
    for format in [&[][..], &["--json"], &["--csv"]] {
        fs::write(&file, "older").unwrap();
        assert_eq!(done(&[&table, format, &["--svg", path]].concat()), done(&[&table, format].concat()));
        assert_eq!(fs::read_to_string(&file).unwrap(), done(&[&table[..], &["--svg", "-"]].concat()));
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
}

#[test]
fn large_tables_are_thinned_and_say_so() {
    let figure = done(&["table", "expr:A & B^2", "--chips", "0..100000", "--svg", "-"]);
    assert!(figure.len() < 300_000, "{} bytes", figure.len());
    let document = Document::parse(&figure).unwrap();
    let said = "(of every 49 totals only the least and the greatest value are drawn)";
    assert!(texts(&document).iter().any(|text| text == said));
    let points = classed(document.root(), "win")[0].attribute("d").unwrap().split(['M', 'L']).count() - 1;
    assert!(points <= 4096, "{points}");
}
