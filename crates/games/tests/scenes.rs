//! Drawings of all games: every place has a name and a label, every move has its places.

use std::collections::HashSet;

use richman_core::{Mark, MarkShape, Player, Scene, Walk};
use richman_games::Games;

/// Small, long and large games besides those listed.
const DRAWN: [&str; 12] = [
    "tic-tac-toe:rows=1,cols=32,line=5",
    "connect:rows=3,cols=3,line=3",
    "connect:rows=63,cols=1,line=3",
    "hex:size=5",
    "y:size=8",
    "tug-of-war:length=1,at=0",
    "tug-of-war:length=1000000",
    "tug-of-war:length=10000000,at=4",
    "ultimatum:degree=1",
    "ultimatum:degree=10000000",
    "subtraction:heap=60,set=1+4+9",
    "subtraction:heap=0",
];

/// Listed games without a drawing, or whose own tests check the drawing.
const NOT_HERE: [&str; 2] = ["chess", "expr"];

fn drawn() -> impl Iterator<Item = &'static str> {
    Games::default().list().into_iter().map(|info| info.name).filter(|name| !NOT_HERE.contains(name)).chain(DRAWN)
}

fn walk(spec: &str) -> Box<dyn Walk> {
    Games::default().find(spec).unwrap().walk(None).unwrap()
}

/// The walk after each of some random moves, including the start.
fn visited(spec: &str, seed: u64) -> Vec<Box<dyn Walk>> {
    let mut random = seed;
    let mut below = |bound: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % bound
    };
    let mut at = walk(spec);
    let mut visited = vec![at.boxed()];
    for _ in 0..80 {
        let player = Player::BOTH[below(2)];
        let moves = at.moves(player);
        if moves.is_empty() {
            break;
        }
        at.play(player, &moves[below(moves.len())]).unwrap();
        visited.push(at.boxed());
    }
    visited
}

fn places(scene: &Scene) -> Vec<&Mark> {
    scene.marks.iter().filter(|mark| mark.place.is_some()).collect()
}

/// The corners of a mark's bounding box or polygon.
fn corners(shape: &MarkShape) -> Vec<[i32; 2]> {
    match shape {
        MarkShape::Rectangle { at, width, height } => vec![*at, [at[0] + width, at[1] + height]],
        MarkShape::Disc { at, radius } => vec![at.map(|at| at - radius), at.map(|at| at + radius)],
        MarkShape::Polygon { points } => points.clone(),
        MarkShape::Line { from, to } => vec![*from, *to],
        MarkShape::Text { at, size, .. } => vec![at.map(|at| at - size / 2), at.map(|at| at + size / 2)],
    }
}

#[test]
fn every_move_has_places_of_its_own() {
    for spec in drawn() {
        for at in (0..6).flat_map(|seed| visited(spec, seed)) {
            let scene = at.scene().unwrap_or_else(|| panic!("{spec} at {}", at.notation()));
            let known: HashSet<&str> = places(&scene).iter().filter_map(|mark| mark.place.as_deref()).collect();
            assert_eq!(known.len(), places(&scene).len(), "{spec}: places have different names");
            for player in Player::BOTH {
                let pointing = at.pointing(player);
                assert_eq!(pointing.len(), at.moves(player).len());
                assert!(pointing.iter().all(|places| !places.is_empty()), "{spec} at {}", at.notation());
                assert!(pointing.iter().flatten().all(|place| known.contains(place.as_str())), "{spec}: {pointing:?}");
                let different: HashSet<&Vec<String>> = pointing.iter().collect();
                assert_eq!(different.len(), pointing.len(), "{spec} at {}", at.notation());
            }
        }
    }
}

#[test]
fn places_are_labelled_and_drawings_are_bounded() {
    for spec in drawn() {
        for at in visited(spec, 9) {
            let scene = at.scene().unwrap();
            assert!(scene.marks.len() <= 250, "{spec}: {}", scene.marks.len());
            for mark in places(&scene) {
                let place = mark.place.as_deref().unwrap();
                assert!(!place.is_empty() && !place.contains(char::is_whitespace), "{spec}: {place:?}");
                assert!(mark.label.contains(place), "{spec}: {place:?} is {:?}", mark.label);
            }
            for [x, y] in scene.marks.iter().flat_map(|mark| corners(&mark.shape)) {
                let inside = (0..=scene.width).contains(&x) && (0..=scene.height).contains(&y);
                assert!(inside, "{spec}: {x} {y}");
            }
        }
    }
}

#[test]
fn drawings_say_what_the_notation_says() {
    let mut at = walk("tic-tac-toe");
    at.play(Player::Alice, "b2").unwrap();
    at.play(Player::Bob, "a1").unwrap();
    let scene = at.scene().unwrap();
    let labels: Vec<&str> = places(&scene).iter().map(|mark| mark.label.as_str()).collect();
    assert_eq!(labels[..5], ["a1, Bob", "b1, empty", "c1, empty", "a2, empty", "b2, Alice"]);

    let mut at = walk("connect:rows=2,cols=2,line=2");
    at.play(Player::Alice, "b").unwrap();
    at.play(Player::Bob, "b").unwrap();
    let scene = at.scene().unwrap();
    let labels: Vec<&str> = places(&scene).iter().map(|mark| mark.label.as_str()).collect();
    assert_eq!(labels, ["column a, empty", "column b, full; from below Alice, Bob"]);

    let scene = walk("tug-of-war").scene().unwrap();
    let labels: Vec<&str> = places(&scene).iter().map(|mark| mark.label.as_str()).collect();
    assert_eq!(labels, ["0, where Alice wins", "1", "2", "3, the token", "4", "5", "6, where Bob wins"]);

    let mut at = walk("ultimatum:degree=2");
    assert_eq!(at.pointing(Player::Alice), [["2"]]);
    at.play(Player::Alice, "2").unwrap();
    assert_eq!(
        (at.pointing(Player::Alice), at.pointing(Player::Bob)),
        (vec![vec!["A".into()]], vec![vec!["1".into()]])
    );

    // Taking three of five points at the third pebble.
    let at = walk("subtraction:heap=5,set=1+3");
    assert_eq!(at.pointing(Player::Bob), [["1"], ["3"]]);
    let scene = at.scene().unwrap();
    let labels: Vec<&str> = places(&scene).iter().map(|mark| mark.label.as_str()).collect();
    assert_eq!(labels, ["take 3 of 5", "take 1 of 5"]);
}

#[test]
fn some_games_have_no_drawing() {
    for spec in ["expr:A & B", "subtraction:heap=61"] {
        let at = walk(spec);
        assert_eq!(at.scene(), None);
        assert!(Player::BOTH.into_iter().all(|player| at.pointing(player).iter().all(Vec::is_empty)), "{spec}");
    }
}
