//! Drawings of all games: every place has a name and a label, every move has its places.

use std::collections::HashSet;

use richman_core::{End, Mark, MarkRole, MarkShape, Player, Scene, Walk};
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
        MarkShape::Rectangle { at, width, height } | MarkShape::Sheet { at, width, height, .. } => {
            vec![*at, [at[0] + width, at[1] + height]]
        }
        MarkShape::Figure { at, .. } => vec![*at, at.map(|at| at + MarkShape::FIGURE)],
        // The ends, and the point in the middle, which is nearest to where the curve is drawn to.
        MarkShape::Curve { from, towards, to } => {
            let half = |axis: usize| (from[axis] + 2 * towards[axis] + to[axis]) / 4;
            vec![*from, [half(0), half(1)], *to]
        }
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

/// The middles of the rings around won stones, as the names of the places where they are.
fn won_places(scene: &Scene, player: Player) -> Vec<&str> {
    let won = scene.marks.iter().filter(|mark| mark.look == MarkRole::Won(player));
    let rings = won.filter_map(|mark| if let MarkShape::Disc { at, .. } = mark.shape { Some(at) } else { None });
    let mut names: Vec<&str> = rings
        .map(|at| places(scene).into_iter().find(|place| place.shape.contains(at)).unwrap().place.as_deref().unwrap())
        .collect();
    names.sort_unstable();
    names
}

fn at(spec: &str, position: &str) -> Scene {
    Games::default().find(spec).unwrap().walk(Some(position)).unwrap().scene().unwrap()
}

#[test]
fn winning_lines_and_chains_are_marked() {
    for (spec, position, won) in [
        ("tic-tac-toe", "A.B/BA./..A", &["a1", "b2", "c3"][..]),
        ("tic-tac-toe", "AAA/ABB/AB.", &["a1", "a2", "a3", "b1", "c1"]),
        ("tic-tac-toe", "A.B/BA./...", &[]),
        ("tic-tac-toe", "ABA/ABB/BAA", &[]),
        ("connect:rows=3,cols=3,line=3", "..A/.AB/ABB", &["a", "b", "c"]),
        ("connect:rows=4,cols=2,line=4", "A./A./AB/AB", &["a", "a", "a", "a"]),
        // The shortest chain, although others connect the sides too.
        ("hex:size=4", "AA../AB../AB../AAA.", &["a1", "a2", "a3", "a4"]),
        ("hex:size=3", "A../.A./BAB", &[]),
        ("hex:size=3", ".A./.A./BAB", &["b1", "b2", "b3"]),
        ("y:size=3", "A../AA/B", &["a1", "a2", "b2"]),
    ] {
        let scene = at(spec, position);
        assert_eq!(won_places(&scene, Player::Alice), won, "{spec} {position}");
        assert_eq!(won_places(&scene, Player::Bob), [""; 0], "{spec} {position}");
        let said = places(&scene).iter().filter(|place| place.label.contains("in the winning")).count();
        let different: HashSet<&&str> = won.iter().collect();
        assert_eq!(said, different.len(), "{spec} {position}");
    }
    // Every stone of a chain is beside the next: Bob's goes around.
    let scene = at("hex:rows=3,cols=5", "..BBB/BB.A./..A..");
    assert_eq!(won_places(&scene, Player::Bob), ["a2", "b2", "c1", "d1", "e1"]);
}

#[test]
fn a_finished_game_of_random_moves_shows_how_it_was_won() {
    for spec in ["hex:size=5", "hex:rows=1,cols=4", "hex:rows=4,cols=1", "y:size=5", "tic-tac-toe", "connect"] {
        for seed in 0..30 {
            let ended = visited(spec, seed).pop().unwrap();
            let scene = ended.scene().unwrap();
            for player in Player::BOTH {
                let has_won = ended.end() == Some(End::Win(player));
                assert_eq!(!won_places(&scene, player).is_empty(), has_won, "{spec} {}", ended.notation());
            }
        }
    }
}

#[test]
fn columns_say_where_a_stone_comes_to_rest() {
    let scene = at("connect:rows=3,cols=3,line=3", "B../A.B/BAA");
    let holes = scene.marks.iter().find_map(|mark| match &mark.shape {
        MarkShape::Sheet { holes, .. } => Some(holes.clone()),
        _ => None,
    });
    let holes = holes.unwrap();
    let spots: Vec<Option<[i32; 2]>> = places(&scene).iter().map(|place| place.spot).collect();
    // Row by row from the top: column a is full.
    assert_eq!(spots, [None, Some(holes[4]), Some(holes[2])]);
}

#[test]
fn jumps_are_arrows_and_steps_are_not() {
    let arrows = |spec: &str, position: &str| {
        let curves = at(spec, position).marks.into_iter();
        let curves = curves.filter(|mark| matches!(mark.shape, MarkShape::Curve { .. }));
        curves.map(|mark| mark.look).collect::<Vec<MarkRole>>()
    };
    let [alice, bob] = Player::BOTH.map(MarkRole::Side);
    assert_eq!(arrows("ultimatum", "0"), [alice, bob]);
    assert_eq!(arrows("ultimatum", "2"), [alice], "Bob's answer is a step");
    assert_eq!(arrows("ultimatum", "A"), []);
    assert_eq!(arrows("tug-of-war", "3"), []);
}

#[test]
fn some_games_have_no_drawing() {
    for spec in ["expr:A & B", "subtraction:heap=61"] {
        let at = walk(spec);
        assert_eq!(at.scene(), None);
        assert!(Player::BOTH.into_iter().all(|player| at.pointing(player).iter().all(Vec::is_empty)), "{spec}");
    }
}
