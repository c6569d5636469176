//! Boards are well-formed, escaped SVG with the places that moves point at.

use std::collections::HashSet;

use richman_analysis::Subject;
use richman_core::{Effort, Player, Walk};

use super::*;

const GAMES: [&str; 8] = [
    "tic-tac-toe",
    "connect",
    "tug-of-war",
    "tug-of-war:length=1000000",
    "ultimatum",
    "subtraction",
    "subtraction:heap=100,set=1+3",
    "expr:(A & B^2) & B",
];

fn walk(game: &str, position: Option<&str>) -> Box<dyn Walk> {
    Subject::named(game).unwrap().walk(position).unwrap()
}

fn file(text: &str) -> Box<dyn Walk> {
    Subject::from_file("game.json", text.as_bytes(), &Effort::default()).unwrap().walk(None).unwrap()
}

/// The attributes of a place that a page needs.
#[derive(Debug, PartialEq)]
struct CellView {
    name: String,
    label: String,
    classes: Vec<String>,
    is_button: bool,
}

fn places_of(svg: &str) -> Vec<CellView> {
    let document = roxmltree::Document::parse(svg).unwrap_or_else(|error| panic!("{error}: {svg}"));
    let of = |node: roxmltree::Node, name: &str| node.attribute(name).unwrap_or_default().to_string();
    let places = document.descendants().filter(|node| node.has_attribute("data-place"));
    places
        .map(|node| CellView {
            name: of(node, "data-place"),
            label: of(node, "aria-label"),
            classes: of(node, "class").split(' ').map(str::to_string).collect(),
            is_button: node.attribute("role") == Some("button") && node.attribute("tabindex") == Some("0"),
        })
        .collect()
}

#[test]
fn the_movers_places_are_buttons_and_no_others() {
    for game in GAMES {
        let walk = walk(game, None);
        for mover in [None, Some(Player::Alice), Some(Player::Bob)] {
            let svg = svg(walk.as_ref(), &BoardOptions { mover, ..BoardOptions::default() });
            let pointed: HashSet<String> =
                mover.map(|mover| places(walk.as_ref(), mover)).unwrap_or_default().into_iter().flatten().collect();
            let found = places_of(&svg);
            assert!(!found.is_empty(), "{game}");
            for place in &found {
                assert!(!place.label.is_empty(), "{game}");
                assert_eq!(place.is_button, pointed.contains(&place.name), "{game}: {place:?}");
                assert_eq!(place.is_button, place.classes.contains(&"open".to_string()), "{game}: {place:?}");
            }
            let names: HashSet<&String> = found.iter().map(|place| &place.name).collect();
            assert!(pointed.iter().all(|place| names.contains(place)), "{game}");
        }
    }
}

#[test]
fn pages_need_no_style_and_files_have_one() {
    for game in GAMES {
        let walk = walk(game, None);
        let inline = svg(walk.as_ref(), &BoardOptions::default());
        assert!(!inline.contains("style") && !inline.contains('#'), "{inline}");
        let document = roxmltree::Document::parse(&inline).unwrap();
        assert_eq!(document.root_element().attribute("width"), None);
        let file = standalone_svg(walk.as_ref(), &BoardOptions::default());
        let document = roxmltree::Document::parse(&file).unwrap();
        let style = document.descendants().find(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "style")));
        assert_eq!(style.and_then(|style| style.text()).map(str::trim), Some(STYLE.trim()));
        // Everything drawn has a colour.
        for node in document.descendants().filter(|node| node.has_attribute("class")) {
            let classes = node.attribute("class").unwrap_or_default();
            assert!(classes.split(' ').any(|class| STYLE.contains(&format!(".{class} "))), "{classes}");
        }
    }
}

#[test]
fn stones_carry_letters() {
    let walk = walk("tic-tac-toe", Some("A.B/.A./..."));
    let svg = svg(walk.as_ref(), &BoardOptions::default());
    let document = roxmltree::Document::parse(&svg).unwrap();
    let letters = document.descendants().filter(|node| node.attribute("class") == Some("letter"));
    let letters: String = letters.filter_map(|node| node.text().map(str::trim)).collect();
    assert_eq!(letters, "ABA");
}

#[test]
fn good_moves_are_marked_and_said() {
    let good = [(Player::Alice, "b2".to_string()), (Player::Bob, "b2".to_string()), (Player::Bob, "c3".to_string())];
    let board = walk("tic-tac-toe", None);
    let drawn = svg(board.as_ref(), &BoardOptions { marked: &good, ..BoardOptions::default() });
    let label = |name: &str| places_of(&drawn).into_iter().find(|place| place.name == name).unwrap().label;
    assert_eq!(label("b2"), "b2, empty; good for both");
    assert_eq!(label("c3"), "c3, empty; good for Bob");
    assert_eq!(label("a1"), "a1, empty");
    assert_eq!((drawn.matches("ring-alice").count(), drawn.matches("ring-bob").count()), (1, 2));

    // In a diagram the moves of the two players are separate, though they lead to the same
    // position.
    let wedge = walk("expr:(A & B) & A", None);
    let shared = wedge.moves(Player::Alice).into_iter().find(|name| wedge.moves(Player::Bob).contains(name));
    let good = [(Player::Bob, shared.unwrap())];
    let drawn = svg(wedge.as_ref(), &BoardOptions { marked: &good, ..BoardOptions::default() });
    assert_eq!((drawn.matches("ring-alice").count(), drawn.matches("ring-bob").count()), (0, 1));
}

#[test]
fn the_last_move_is_shown() {
    let before = walk("tic-tac-toe", Some("A.B/.A./..."));
    let after = walk("tic-tac-toe", Some("A.B/.A./..B"));
    let fresh = |last| svg(after.as_ref(), &BoardOptions { last, ..BoardOptions::default() }).matches("fresh").count();
    assert_eq!((fresh(Some(before.as_ref())), fresh(None), fresh(Some(after.as_ref()))), (1, 0, 0));
    let [before, after] = ["3", "4"].map(|node| walk("tug-of-war", Some(node)));
    let token = svg(after.as_ref(), &BoardOptions { last: Some(before.as_ref()), ..BoardOptions::default() });
    assert_eq!(token.matches("fresh").count(), 1);
}

#[test]
fn names_from_files_stay_text() {
    let hostile = r#"<script>alert(1)</script>\" onload=\"x"#;
    let text = format!(
        r#"{{"name": "{hostile}", "start": "{hostile}", "positions": {{
            "{hostile}": {{"both": ["a&b", "<i>", "'"]}}, "a&b": {{"winner": "alice"}}, "<i>": {{"winner": "bob"}},
            "'": {{"winner": "none"}} }} }}"#
    );
    let walk = file(&text);
    let drawn = svg(walk.as_ref(), &BoardOptions { mover: Some(Player::Alice), ..BoardOptions::default() });
    let document = roxmltree::Document::parse(&drawn).unwrap();
    assert!(!document.descendants().any(|node| node.tag_name().name() == "script" || node.has_attribute("onload")));
    let labels: Vec<String> = places_of(&drawn).into_iter().map(|place| place.label).collect();
    assert_eq!(labels[..3], ["Alice to a&b", "Alice to <i>", "Alice to '"]);
    assert!(!drawn.contains("<script") && !drawn.contains("<i>"));
}

#[test]
fn a_diagram_is_bounded_and_has_the_good_moves() {
    let ends: Vec<String> = (0..500).map(|end| format!(r#""end {end}": {{"winner": "alice"}}"#)).collect();
    let names: Vec<String> = (0..500).map(|end| format!(r#""end {end}""#)).collect();
    let text = format!(
        r#"{{"name": "wide", "start": "s", "positions": {{
            "s": {{"alice": [{0}], "bob": ["{1}"]}}, "{1}": {{"winner": "bob"}}, {2}}}}}"#,
        names.join(","),
        "long".repeat(50),
        ends.join(",")
    );
    let walk = file(&text);
    let good = [(Player::Alice, "end 400".to_string())];
    let drawn = svg(walk.as_ref(), &BoardOptions { marked: &good, ..BoardOptions::default() });
    let found: Vec<String> = places_of(&drawn).into_iter().map(|place| place.name).collect();
    assert_eq!(found, ["A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8", "A9", "A10", "A11", "A401", "B1"]);
    assert!(drawn.contains("and 488 more"));
    assert!(drawn.len() < 12_000, "{}", drawn.len());
    assert_eq!(places(walk.as_ref(), Player::Alice)[400], ["A401"]);
    // An ended game shows its result.
    let mut ended = walk;
    ended.play(Player::Alice, "end 3").unwrap();
    assert!(svg(ended.as_ref(), &BoardOptions::default()).contains("Alice has won"));
}
