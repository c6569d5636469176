//! Scenes as SVG.

use std::collections::{HashMap, HashSet};

use richman_core::{ByPlayer, Mark, MarkRole, MarkShape, Player, Scene, Walk};
use svg::Document;
use svg::node::element::{Circle, Element, Line, Polygon, Rectangle, Style, Text};

use super::{BoardOptions, Heat, class, places, scene};
use crate::page::{clean, shortened};

/// Longer names of games and positions are cut in labels.
const LONGEST_LABEL: usize = 200;
const LEVELS: [&str; Heat::MOST as usize + 1] =
    ["heat-0", "heat-1", "heat-2", "heat-3", "heat-4", "heat-5", "heat-6", "heat-7", "heat-8", "heat-9"];
/// The font size of the numbers on places.
const HEAT_TEXT: i32 = 30;
/// How far inside a good place the rings for Alice's and Bob's moves are drawn.
const INSET: ByPlayer<i32> = ByPlayer::new(5, 13);

pub(super) fn document(walk: &dyn Walk, options: &BoardOptions) -> Document {
    let scene = scene(walk, options);
    let drawing = SceneDrawing {
        heat: options.heat.iter().map(|heat| (heat.place.as_str(), heat)).collect(),
        open: options.mover.map(|mover| pointed_at(walk, mover)).unwrap_or_default(),
        marked: marked(walk, options.marked),
        before: options.last.and_then(|last| last.scene()),
    };
    let about = format!("{}, position {}", walk.game(), walk.notation());
    let document = Document::new()
        .set("class", "board")
        .set("viewBox", (0, 0, scene.width, scene.height))
        .set("role", "group")
        .set("aria-label", clean(&shortened(&about, LONGEST_LABEL)));
    let parts = scene.marks.iter().flat_map(|mark| drawing.parts(mark));
    let rings = scene.marks.iter().flat_map(|mark| drawing.rings(mark));
    parts.chain(rings).fold(document, Document::add)
}

/// Adds a style sheet, a background and a size.
pub(super) fn with_style(mut document: Document) -> Document {
    let paper = Rectangle::new().set("class", "paper").set("width", "100%").set("height", "100%");
    let mut children: Vec<Box<dyn svg::Node>> = vec![Box::new(Style::new(super::STYLE)), Box::new(paper)];
    children.append(document.get_children_mut());
    *document.get_children_mut() = children;
    document
}

/// The places of the player's moves.
fn pointed_at(walk: &dyn Walk, player: Player) -> HashSet<String> {
    places(walk, player).into_iter().flatten().collect()
}

/// The players with good moves at each place.
fn marked(walk: &dyn Walk, moves: &[(Player, String)]) -> HashMap<String, ByPlayer<bool>> {
    let mut found: HashMap<String, ByPlayer<bool>> = HashMap::new();
    for player in Player::BOTH {
        let good: HashSet<&str> = moves.iter().filter(|one| one.0 == player).map(|one| one.1.as_str()).collect();
        if good.is_empty() {
            continue;
        }
        let moves = walk.moves(player).into_iter().zip(places(walk, player));
        for place in moves.filter(|(name, _)| good.contains(name.as_str())).flat_map(|(_, places)| places) {
            found.entry(place).or_default()[player] = true;
        }
    }
    found
}

/// What decorates a scene's places.
struct SceneDrawing<'a> {
    heat: HashMap<&'a str, &'a Heat>,
    open: HashSet<String>,
    marked: HashMap<String, ByPlayer<bool>>,
    before: Option<Scene>,
}

impl SceneDrawing<'_> {
    /// A mark, and the letter on it.
    fn parts(&self, mark: &Mark) -> Vec<Element> {
        let mut classes = vec![class(mark.look)];
        let is_piece = matches!(mark.look, MarkRole::Of(_) | MarkRole::Neutral);
        if is_piece && self.before.as_ref().is_some_and(|before| !before.marks.contains(mark)) {
            classes.push("fresh");
        }
        let element = element(&mark.shape);
        let mut parts = vec![match &mark.place {
            Some(place) => self.place(element, mark, place, classes),
            None => with(element, &[("class", &classes.join(" ")), ("pointer-events", "none")]),
        }];
        if let (MarkRole::Of(player), MarkShape::Disc { at, radius }) = (mark.look, &mark.shape) {
            let text = if player == Player::Alice { "A" } else { "B" };
            parts.push(unspoken(element_of_text(*at, *radius, text), "letter"));
        }
        if let Some((heat, at)) = self.heat(mark).zip(middle(&mark.shape)) {
            parts.push(unspoken(element_of_text(at, HEAT_TEXT, &heat.text), "heat-text"));
        }
        parts
    }

    fn heat(&self, mark: &Mark) -> Option<&Heat> {
        self.heat.get(mark.place.as_deref()?).copied()
    }

    fn place(&self, element: Element, mark: &Mark, place: &str, mut classes: Vec<&str>) -> Element {
        classes.push("place");
        let is_open = self.open.contains(place);
        if is_open {
            classes.push("open");
        }
        let mut label = shortened(&mark.label, LONGEST_LABEL);
        let heat = self.heat(mark);
        if let Some(heat) = heat {
            classes.push("heat");
            classes.push(LEVELS[usize::from(heat.level.min(Heat::MOST))]);
            label = format!("{label}; {}", heat.label);
        }
        if let Some(good) = self.marked.get(place) {
            classes.push("marked");
            label += match good {
                ByPlayer { alice: true, bob: true } => "; good for both",
                ByPlayer { alice: true, bob: false } => "; good for Alice",
                _ => "; good for Bob",
            };
        }
        let (class, label, place) = (classes.join(" "), clean(&label), clean(place));
        let element = with(element, &[("class", &class), ("aria-label", &label), ("data-place", &place)]);
        if is_open {
            with(element, &[("role", "button"), ("tabindex", "0")])
        } else {
            with(element, &[("role", "img")])
        }
    }

    /// The rings around a place with good moves, on top of everything.
    fn rings(&self, mark: &Mark) -> Vec<Element> {
        let good = mark.place.as_ref().and_then(|place| self.marked.get(place));
        let ring = |player: Player| {
            good?[player].then(|| {
                let class = if player == Player::Alice { "marked ring-alice" } else { "marked ring-bob" };
                let ring = element(&inside(&mark.shape, INSET[player]));
                unspoken(with(ring, &[("fill", "none")]), class)
            })
        };
        Player::BOTH.into_iter().filter_map(ring).collect()
    }
}

fn with(mut element: Element, attributes: &[(&str, &str)]) -> Element {
    for (name, value) in attributes {
        svg::Node::assign(&mut element, *name, *value);
    }
    element
}

/// An element hidden from pointers and screen readers: its place says the same.
fn unspoken(element: Element, class: &str) -> Element {
    with(element, &[("class", class), ("pointer-events", "none"), ("aria-hidden", "true")])
}

fn element(shape: &MarkShape) -> Element {
    match shape {
        MarkShape::Rectangle { at: [x, y], width, height } => {
            let rectangle = Rectangle::new().set("x", *x).set("y", *y);
            rectangle.set("width", *width).set("height", *height).set("rx", 6).into()
        }
        MarkShape::Disc { at: [x, y], radius } => Circle::new().set("cx", *x).set("cy", *y).set("r", *radius).into(),
        MarkShape::Polygon { points } => {
            let points: Vec<String> = points.iter().map(|[x, y]| format!("{x},{y}")).collect();
            Polygon::new().set("points", points.join(" ")).into()
        }
        MarkShape::Line { from, to } => {
            let line = Line::new().set("x1", from[0]).set("y1", from[1]);
            line.set("x2", to[0]).set("y2", to[1]).into()
        }
        MarkShape::Text { at, size, text } => element_of_text(*at, *size, text),
    }
}

fn element_of_text([x, y]: [i32; 2], size: i32, text: &str) -> Element {
    let text = Text::new(clean(text)).set("x", x).set("y", y).set("font-size", size);
    text.set("text-anchor", "middle").set("dominant-baseline", "central").into()
}

fn middle(shape: &MarkShape) -> Option<[i32; 2]> {
    match shape {
        MarkShape::Rectangle { at: [x, y], width, height } => Some([x + width / 2, y + height / 2]),
        MarkShape::Disc { at, .. } => Some(*at),
        MarkShape::Polygon { points } => {
            let count = i32::try_from(points.len()).ok().filter(|count| *count > 0)?;
            let sum = points.iter().fold([0; 2], |sum, point| [sum[0] + point[0], sum[1] + point[1]]);
            Some(sum.map(|sum| sum / count))
        }
        MarkShape::Line { .. } | MarkShape::Text { .. } => None,
    }
}

/// The shape, smaller on all sides if that is simple.
fn inside(shape: &MarkShape, by: i32) -> MarkShape {
    match shape {
        MarkShape::Rectangle { at, width, height } => MarkShape::Rectangle {
            at: at.map(|at| at + by),
            width: (width - 2 * by).max(0),
            height: (height - 2 * by).max(0),
        },
        MarkShape::Disc { at, radius } => MarkShape::Disc { at: *at, radius: (radius - by).max(0) },
        MarkShape::Polygon { points } => {
            let [x, y] = middle(shape).unwrap_or_default();
            // A corner at distance d moves inwards in proportion, which moves every side of a
            // regular polygon by about as much.
            let nearer = |at: i32, to: i32| to + (at - to) * (60 - by).max(0) / 60;
            MarkShape::Polygon {
                points: points.iter().map(|point| [nearer(point[0], x), nearer(point[1], y)]).collect(),
            }
        }
        other => other.clone(),
    }
}
