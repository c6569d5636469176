//! How boards look: whose side is below, what the last move changed, where one can point, how a
//! game was won, and that drawings are small and fill their room.

use std::collections::{BTreeMap, HashSet};

use richman_analysis::Subject;
use richman_core::{Player, Walk};
use richman_render::board::{BoardOptions, STYLE, places, svg};

fn walk(game: &str, position: Option<&str>) -> Box<dyn Walk> {
    Subject::named(game).unwrap().walk(position).unwrap()
}

/// An element: its name, its attributes and its text.
#[derive(Debug, Clone)]
struct DrawnElement {
    tag: String,
    attributes: BTreeMap<String, String>,
    text: String,
}

impl DrawnElement {
    fn get(&self, name: &str) -> &str {
        self.attributes.get(name).map_or("", String::as_str)
    }

    fn number(&self, name: &str) -> f64 {
        self.get(name).parse().unwrap_or_else(|_| panic!("{name} of {self:?}"))
    }

    fn has(&self, class: &str) -> bool {
        self.get("class").split(' ').any(|one| one == class)
    }
}

struct Drawing(Vec<DrawnElement>);

impl Drawing {
    fn of(walk: &dyn Walk, options: &BoardOptions) -> Drawing {
        let drawn = svg(walk, options);
        let document = roxmltree::Document::parse(&drawn).unwrap();
        let elements = document.descendants().filter(roxmltree::Node::is_element);
        let element = |node: roxmltree::Node| DrawnElement {
            tag: node.tag_name().name().to_string(),
            attributes: node.attributes().map(|one| (one.name().to_string(), one.value().to_string())).collect(),
            text: node.text().unwrap_or_default().trim().to_string(),
        };
        Drawing(elements.map(element).collect())
    }

    fn with(&self, class: &str) -> Vec<&DrawnElement> {
        self.0.iter().filter(|element| element.has(class)).collect()
    }

    /// The names of the places with that class.
    fn places(&self, class: &str) -> Vec<&str> {
        self.with(class).into_iter().map(|element| element.get("data-place")).filter(|name| !name.is_empty()).collect()
    }

    fn place(&self, name: &str) -> &DrawnElement {
        self.0.iter().find(|element| element.get("data-place") == name).unwrap()
    }

    fn size(&self) -> [f64; 2] {
        let numbers: Vec<f64> = self.0[0].get("viewBox").split([' ', ',']).map(|one| one.parse().unwrap()).collect();
        assert_eq!(numbers[..2], [0.0, 0.0]);
        [numbers[2], numbers[3]]
    }

    /// Where the dots are.
    fn dots(&self) -> Vec<[f64; 2]> {
        let dots = self.with("dots").into_iter().flat_map(|path| path.get("d").split('M').skip(1));
        let dot = |text: &str| {
            let numbers: Vec<f64> = text.trim_end_matches("h0").split(' ').map(|one| one.parse().unwrap()).collect();
            [numbers[0], numbers[1]]
        };
        dots.map(dot).collect()
    }
}

fn plain(walk: &dyn Walk) -> Drawing {
    Drawing::of(walk, &BoardOptions::default())
}

fn after(walk: &dyn Walk, last: &dyn Walk, below: Option<Player>) -> Drawing {
    Drawing::of(walk, &BoardOptions { last: Some(last), below, ..BoardOptions::default() })
}

fn to_move(walk: &dyn Walk, mover: Player) -> Drawing {
    Drawing::of(walk, &BoardOptions { mover: Some(mover), ..BoardOptions::default() })
}

#[test]
fn players_see_their_own_side_below() {
    let chess = walk("chess", None);
    let [alice, bob] = Player::BOTH
        .map(|player| Drawing::of(chess.as_ref(), &BoardOptions { below: Some(player), ..BoardOptions::default() }));
    assert_eq!(svg(chess.as_ref(), &BoardOptions::default()).len(), {
        let below = BoardOptions { below: Some(Player::Alice), ..BoardOptions::default() };
        svg(chess.as_ref(), &below).len()
    });
    let [width, height] = bob.size();
    for (name, white_below) in [("a1", true), ("h1", true), ("e8", false), ("c7", false), ("d3", true)] {
        let (seen, turned) = (alice.place(name), bob.place(name));
        assert_eq!(seen.number("y") > height / 2.0, white_below, "{name}");
        let [x, y] = ["x", "y"].map(|axis| seen.number(axis) + turned.number(axis) + seen.number("width"));
        assert_eq!([x, y], [width, height], "{name} is turned by half a turn");
        assert_eq!((seen.get("aria-label"), seen.get("class")), (turned.get("aria-label"), turned.get("class")));
    }
    // Squares come in the order in which they are read.
    assert_eq!([&alice, &bob].map(|drawing| drawing.places("place")[0].to_string()), ["a8", "h1"]);
    // The names stay at the left and below, and name the squares beside them.
    for (drawing, left_below, others) in [(&alice, ["1", "a"], ["8", "h"]), (&bob, ["8", "h"], ["1", "a"])] {
        let name = |text: &str| drawing.with("look-name").into_iter().find(|one| one.text == text).unwrap();
        assert!(name(left_below[0]).number("y") > height / 2.0 && name(left_below[1]).number("x") < width / 2.0);
        assert!(name(others[0]).number("y") < height / 2.0 && name(others[1]).number("x") > width / 2.0);
        for text in ["1", "8"] {
            assert!(name(text).number("x") < width / 8.0);
        }
        for text in ["a", "h"] {
            assert!(name(text).number("y") > height * 7.0 / 8.0);
        }
    }
    // Boards whose sides do not face each other are the same for both.
    for game in ["tic-tac-toe", "connect", "hex:size=5", "y", "tug-of-war", "race", "expr:A & B"] {
        let walk = walk(game, None);
        let seen = |below| svg(walk.as_ref(), &BoardOptions { below, ..BoardOptions::default() });
        assert_eq!(seen(Some(Player::Bob)), seen(None), "{game}");
    }
}

/// The colours of a class by day and by night.
fn colours(class: &str, property: &str) -> [[f64; 3]; 2] {
    let start = format!(".board .{class} {{");
    let rules = STYLE.split(&start).skip(1).map(|rest| rest.split('}').next().unwrap());
    let values = rules
        .flat_map(|rule| rule.split(';'))
        .filter_map(|line| line.trim().strip_prefix(property)?.strip_prefix(": "));
    let last = values.last().unwrap_or_else(|| panic!("{class} has {property}"));
    let colour = |text: &str| -> [f64; 3] {
        let digits: Vec<f64> = text.chars().map(|digit| f64::from(digit.to_digit(16).unwrap())).collect();
        match digits[..] {
            [r, g, b] => [r, g, b].map(|part| part * 17.0),
            [r, s, g, h, b, c] => [16.0 * r + s, 16.0 * g + h, 16.0 * b + c],
            _ => panic!("{text}"),
        }
    };
    let found: Vec<[f64; 3]> =
        last.split('#').skip(1).map(|rest| colour(rest.split([',', ')', ' ']).next().unwrap())).collect();
    [found[0], *found.last().unwrap()]
}

/// The luminance of the guidelines for accessible pages.
fn luminance(colour: [f64; 3]) -> f64 {
    let [r, g, b] = colour.map(|part| part / 255.0).map(|part| match part <= 0.04045 {
        true => part / 12.92,
        false => ((part + 0.055) / 1.055).powf(2.4),
    });
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

fn contrast(one: [f64; 3], other: [f64; 3]) -> f64 {
    let [one, other] = [one, other].map(|colour| luminance(colour) + 0.05);
    (one / other).max(other / one)
}

#[test]
fn square_colours_are_right_and_figures_are_legible_by_day_and_by_night() {
    let [light, dark] = ["look-light-field", "look-dark-field"].map(|class| colours(class, "fill"));
    for time in 0..2 {
        assert!(luminance(light[time]) > 1.5 * luminance(dark[time]), "light squares are lighter");
        for square in [light, dark] {
            assert!(contrast(colours("look-name", "fill")[time], square[time]) > 3.0, "names of rows");
            for player in ["alice", "bob"] {
                let [fill, stroke] =
                    ["fill", "stroke"].map(|what| colours(&format!("look-figure-{player}"), what)[time]);
                let most = contrast(fill, square[time]).max(contrast(stroke, square[time]));
                assert!(most > 3.0, "figures of {player}: {most}");
            }
        }
        let [white, black] = ["alice", "bob"].map(|player| colours(&format!("look-figure-{player}"), "fill")[time]);
        assert!(luminance(white) > luminance(black) + 0.5);
    }
    let board = plain(walk("chess", None).as_ref());
    let is_light = |name: &str| board.place(name).has("look-light-field");
    assert_eq!(["a1", "h1", "d1", "d8", "a8"].map(is_light), [false, true, true, false, true]);
    assert_eq!((board.with("look-figure-alice").len(), board.with("look-figure-bob").len()), (16, 16));
    let shapes = |class: &str| board.with(class).iter().map(|one| one.get("d").to_string()).collect::<HashSet<_>>();
    assert_eq!(shapes("look-figure-alice").len(), 6);
    assert_eq!(shapes("look-figure-alice"), shapes("look-figure-bob"));
}

#[test]
fn winning_stones_are_marked_once_the_game_is_over() {
    for (game, position, won, rings) in [
        ("tic-tac-toe", "A.B/BA./..A", Player::Alice, 3),
        ("connect", "......./......./......./......./AAA..../BBBB...", Player::Bob, 4),
        ("hex:size=3", ".A./.A./BAB", Player::Alice, 3),
        ("y:size=3", "B../BB/A", Player::Bob, 3),
        ("chess:size=4", "4/4/4/3K 1-0", Player::Alice, 1),
    ] {
        let over = walk(game, Some(position));
        assert!(over.end().is_some(), "{game}");
        let drawing = plain(over.as_ref());
        let class = won.either("look-won-alice", "look-won-bob");
        let marks = drawing.with(class);
        assert_eq!(marks.iter().filter(|mark| mark.tag == "circle").count(), rings, "{game}");
        assert_eq!(marks.iter().filter(|mark| mark.tag == "line").count(), rings - 1, "{game}");
        assert!(drawing.with(won.either("look-won-bob", "look-won-alice")).is_empty(), "{game}");
        let start = plain(walk(game, None).as_ref());
        assert!(start.with("look-won-alice").is_empty() && start.with("look-won-bob").is_empty(), "{game}");
    }
}

#[test]
fn the_last_move_shows_where_it_came_from() {
    let played = |game: &str, position: Option<&str>, player, name: &str| {
        let before = walk(game, position);
        let mut now = before.boxed();
        now.play(player, name).unwrap();
        [before, now]
    };
    for below in [None, Some(Player::Bob)] {
        for (game, position, player, name, went, left) in [
            ("chess", None, Player::Alice, "Nf3", &["f3"][..], &["g1"][..]),
            ("chess", Some("4k3/8/8/3p4/4P3/8/8/4K3"), Player::Alice, "exd5", &["d5"], &["e4"]),
            ("chess", Some("4k3/8/8/8/8/8/8/4K2R K"), Player::Alice, "O-O", &["f1", "g1"], &["e1", "h1"]),
            ("tug-of-war", None, Player::Bob, "4", &["4"], &["3"]),
            ("ultimatum", None, Player::Bob, "-3", &["-3"], &["0"]),
            ("tic-tac-toe", Some("A.B/.A./..."), Player::Bob, "c3", &["c3"], &[]),
            ("chomp", None, Player::Bob, "c3", &[], &["c3", "d3"]),
        ] {
            let [before, now] = played(game, position, player, name);
            let drawing = after(now.as_ref(), before.as_ref(), below);
            let mut places = ["went", "left"].map(|class| drawing.places(class));
            places.iter_mut().for_each(|places| places.sort_unstable());
            assert_eq!(places, [went, left], "{game}, {name}");
            // Not by colour alone: a dashed ring around what was left.
            assert_eq!(drawing.with("trace").len(), left.len(), "{game}, {name}");
            assert!(
                Drawing::of(now.as_ref(), &BoardOptions { below, ..BoardOptions::default() }).with("went").is_empty()
            );
        }
    }
    // What is taken from a heap is not new, though the others are renumbered.
    let [before, now] = played("subtraction:heap=9,set=1+3", None, Player::Alice, "6");
    assert!(after(now.as_ref(), before.as_ref(), None).with("fresh").is_empty());
}

#[test]
fn places_to_point_at_are_plain_to_see() {
    // A dot in the middle of each open place, and none on others.
    for game in ["tic-tac-toe", "hex:size=16", "y"] {
        let walk = walk(game, None);
        assert!(plain(walk.as_ref()).dots().is_empty(), "{game}");
        let drawing = to_move(walk.as_ref(), Player::Bob);
        assert_eq!(drawing.dots().len(), walk.moves(Player::Bob).len(), "{game}");
        assert_eq!(drawing.with("dots").len(), 1, "{game}: one element for all");
    }
    let taken = walk("tic-tac-toe", Some("A.B/.A./..."));
    assert_eq!(to_move(taken.as_ref(), Player::Bob).dots().len(), 6);

    // Where a stone would land.
    let columns = walk("connect:rows=3,cols=3,line=3", Some("B../A.B/BAA"));
    let drawing = to_move(columns.as_ref(), Player::Alice);
    let mut below: Vec<bool> = Vec::new();
    let [_, height] = drawing.size();
    below.extend(drawing.dots().iter().map(|[_, y]| *y > height / 3.0));
    assert_eq!(below, [true, false]);

    // Pieces that can move have a mark; so has every place where the chosen one can go.
    let chess = walk("chess", None);
    let drawing = to_move(chess.as_ref(), Player::Alice);
    assert!(drawing.dots().is_empty());
    let first: HashSet<String> =
        places(chess.as_ref(), Player::Alice).into_iter().map(|mut one| one.swap_remove(0)).collect();
    assert_eq!(drawing.with("movable").len(), first.len());
    for (number, element) in drawing.0.iter().enumerate().filter(|(_, element)| element.has("target")) {
        let place = &drawing.0[number - 1];
        assert!(place.has("open") && !first.contains(place.get("data-place")), "{element:?}");
    }
    assert_eq!(drawing.with("target").len(), 16);
    assert!(
        STYLE.contains(".board .target { display: none;")
            && STYLE.contains(".board .next + .target { display: inline;")
    );
    let capture = to_move(walk("chess", Some("4k3/8/8/3p4/4P3/8/8/4K3")).as_ref(), Player::Alice);
    let number = capture.0.iter().position(|element| element.get("data-place") == "d5").unwrap();
    assert!(capture.0[number + 1].has("target") && capture.0[number + 1].has("taken"), "a ring around the piece");
}

#[test]
fn stones_can_fall_behind_the_board() {
    let [before, now] =
        ["......./......./......./......./......./...A...", "......./......./......./......./...B.../...A..."]
            .map(|position| walk("connect", Some(position)));
    let drawing = after(now.as_ref(), before.as_ref(), None);
    let falling = drawing.with("falls");
    assert_eq!(falling.len(), 1);
    assert!(falling[0].has("fresh") && falling[0].has("look-bob"));
    let of = |class: &str| drawing.0.iter().position(|element| element.has(class)).unwrap();
    assert!(of("look-field") < of("falls") && of("falls") < of("shade") && of("shade") < of("look-board") + 3);
    let sheet = drawing.0.iter().rfind(|element| element.has("look-board")).unwrap();
    assert_eq!((sheet.get("fill-rule"), sheet.get("d").matches('z').count()), ("evenodd", 1 + 42));
    // Elsewhere stones stay in front.
    let [before, now] = ["...", "A.."].map(|row| walk("tic-tac-toe:rows=1,cols=3", Some(row)));
    assert!(after(now.as_ref(), before.as_ref(), None).with("falls").is_empty());
    // Nothing moves for those who do not like it.
    let [still, moving] = STYLE.split_once("@media (prefers-reduced-motion: no-preference)").unwrap().into();
    assert!(!still.contains("animation") && moving.contains(".moving .falls"));
}

/// The pixels of a place across, if the drawing is as high or as wide as that.
fn pixels(game: &str, high: Option<f64>, wide: Option<f64>) -> f64 {
    let drawing = to_move(walk(game, None).as_ref(), Player::Alice);
    let [width, height] = drawing.size();
    let scale = high.map_or(f64::MAX, |high| high / height).min(wide.map_or(f64::MAX, |wide| wide / width));
    let place = drawing.with("place").into_iter().find(|place| place.tag != "circle").unwrap();
    let across = match place.tag.as_str() {
        "rect" => place.number("width").min(place.number("height")),
        _ => {
            let points =
                place.get("points").split(' ').map(|point| point.split(',').next().unwrap().parse::<f64>().unwrap());
            let (least, most) = points.fold((f64::MAX, f64::MIN), |(least, most), x| (least.min(x), most.max(x)));
            most - least
        }
    };
    across * scale
}

#[test]
fn boards_fill_their_room() {
    // A phone in landscape, if the page gives the board its full height.
    assert!(pixels("hex", Some(360.0), None) > 35.0);
    assert!(pixels("chess", Some(360.0), None) > 44.0);
    assert!(pixels("connect", Some(360.0), None) > 50.0);
    // In portrait, where the width decides.
    assert!(pixels("chess", None, Some(360.0)) > 44.0);
    assert!(pixels("hex", None, Some(360.0)) > 21.0);
    // Of a rhombus of cells in rows that are shifted, hardly any width is left free.
    let drawing = plain(walk("hex:rows=11,cols=11", None).as_ref());
    let [width, height] = drawing.size();
    let cells = [104.0 * 16.0, 60.0 + 10.0 * 90.0 + 60.0];
    assert!(width < 1.06 * cells[0] && height < 1.06 * cells[1], "{width} x {height} for {cells:?}");
}

#[test]
fn drawings_are_small() {
    for (game, most) in
        [("hex:size=16", 54_000), ("hex", 34_000), ("chess", 36_000), ("connect", 14_000), ("tic-tac-toe", 4_500)]
    {
        let mut walk = walk(game, None);
        for turn in 0..60 {
            let player = Player::BOTH[turn % 2];
            let moves = walk.moves(player);
            if moves.is_empty() {
                break;
            }
            let before = walk.boxed();
            walk.play(player, &moves[(turn * 7) % moves.len()]).unwrap();
            let mover = Some(player.other());
            let options = BoardOptions { mover, last: Some(before.as_ref()), ..BoardOptions::default() };
            let drawn = svg(walk.as_ref(), &options);
            assert!(drawn.len() < most, "{game}: {}", drawn.len());
        }
    }
}
