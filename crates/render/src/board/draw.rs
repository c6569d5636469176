//! Scenes as SVG.

use std::collections::{HashMap, HashSet};

use richman_core::{ByPlayer, Mark, MarkRole, MarkShape, Player, Scene, Walk};
use svg::Document;
use svg::node::element::{Element, Rectangle, Style};

use super::last::LastMove;
use super::pointing::PointedPlaces;
use super::shapes::{element, inside, path, shine, text_at, unspoken, with};
use super::{BoardOptions, Heat, class, places, scene, scene_of};
use crate::page::{clean, shortened};

/// Longer names of games and positions are cut in labels.
const LONGEST_LABEL: usize = 200;
const LEVELS: [&str; Heat::MOST as usize + 1] =
    ["heat-0", "heat-1", "heat-2", "heat-3", "heat-4", "heat-5", "heat-6", "heat-7", "heat-8", "heat-9"];
/// The font size of the numbers on places.
const HEAT_TEXT: i32 = 28;
/// How far inside a good place the rings for Alice's and Bob's moves are drawn.
const INSET: ByPlayer<i32> = ByPlayer::new(5, 12);
/// How far inside a place that a piece left the ring is drawn, and inside a new piece.
const LEFT_INSET: i32 = 6;
const NEWEST_INSET: i32 = 7;

pub(super) fn document(walk: &dyn Walk, options: &BoardOptions) -> Document {
    let mut scene = scene(walk, options);
    let mut pointing = options.mover.map(|mover| PointedPlaces::of(walk, mover)).unwrap_or_default();
    if options.set_up {
        scene.marks.iter_mut().for_each(|mark| mark.place = None);
        let pressed: Vec<Mark> = walk.set_up().into_iter().map(|(mark, _)| mark).collect();
        pointing = PointedPlaces::without_signs(&pressed);
        scene.marks.extend(pressed);
    }
    let before = options.last.and_then(|last| scene_of(last, options));
    let drawing = SceneDrawing {
        scene: &scene,
        heat: options.heat.iter().map(|heat| (heat.place.as_str(), heat)).collect(),
        pointing,
        marked: marked(walk, options.marked),
        last: before.as_ref().map(|before| LastMove::new(before, &scene)).unwrap_or_default(),
        sheet: scene.marks.iter().position(|mark| matches!(mark.shape, MarkShape::Sheet { .. })).unwrap_or(0),
    };
    let about = format!("{}, position {}", walk.game(), walk.notation());
    let document = Document::new()
        .set("class", "board")
        .set("viewBox", (0, 0, scene.width, scene.height))
        .set("role", "group")
        .set("aria-label", clean(&shortened(&about, LONGEST_LABEL)));
    let parts = scene.marks.iter().enumerate().flat_map(|(number, mark)| drawing.parts(number, mark));
    let rings = scene.marks.iter().flat_map(|mark| drawing.rings(mark));
    let signs = drawing.pointing.signs(&scene, options.heat);
    parts.chain(drawing.shine()).chain(signs).chain(rings).fold(document, Document::add)
}

/// Adds a style sheet, a background and a size.
pub(super) fn with_style(mut document: Document) -> Document {
    let paper = Rectangle::new().set("class", "paper").set("width", "100%").set("height", "100%");
    let mut children: Vec<Box<dyn svg::Node>> = vec![Box::new(Style::new(super::STYLE)), Box::new(paper)];
    children.append(document.get_children_mut());
    *document.get_children_mut() = children;
    document
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

/// A scene, and the decoration of its places.
struct SceneDrawing<'a> {
    scene: &'a Scene,
    heat: HashMap<&'a str, &'a Heat>,
    pointing: PointedPlaces,
    marked: HashMap<String, ByPlayer<bool>>,
    last: LastMove<'a>,
    /// The number of marks behind a sheet with holes.
    sheet: usize,
}

impl SceneDrawing<'_> {
    /// A mark and its decoration.
    fn parts(&self, number: usize, mark: &Mark) -> Vec<Element> {
        let mut classes = vec![class(mark.look)];
        let is_fresh = self.last.is_fresh(mark);
        if is_fresh {
            classes.push("fresh");
            classes.extend((number < self.sheet).then_some("falls"));
        }
        if let MarkShape::Curve { .. } = mark.shape {
            classes.push("curve");
        }
        let drawn = element(&mark.shape);
        let shade = (number == self.sheet && number > 0)
            .then(|| with(element(&mark.shape), &[("class", "shade"), ("transform", "translate(0,6)")]));
        let mut parts: Vec<Element> = shade.into_iter().collect();
        parts.push(match &mark.place {
            Some(place) => self.place(drawn, mark, place, classes),
            None => with(drawn, &[("class", &classes.join(" "))]),
        });
        if mark.look == MarkRole::Track {
            parts.push(with(element(&mark.shape), &[("class", "twist")]));
        }
        if let (MarkRole::Of(player), MarkShape::Disc { at, radius }) = (mark.look, &mark.shape) {
            let text = player.either("A", "B");
            parts.push(unspoken(text_at(*at, radius * 4 / 5, text), "letter"));
            if is_fresh {
                parts.push(unspoken(element(&inside(&mark.shape, NEWEST_INSET)), "newest"));
            }
        }
        if let Some((heat, at)) = self.heat(mark).zip(mark.shape.middle()) {
            parts.push(unspoken(text_at(at, HEAT_TEXT, &heat.text), "heat-text"));
        }
        parts.extend(self.pointing.target(mark, self.scene));
        parts
    }

    fn heat(&self, mark: &Mark) -> Option<&Heat> {
        self.heat.get(mark.place.as_deref()?).copied()
    }

    fn place(&self, element: Element, mark: &Mark, place: &str, mut classes: Vec<&str>) -> Element {
        classes.push("place");
        let is_open = self.pointing.is_open(place);
        classes.extend(is_open.then_some("open"));
        classes.extend(self.last.went.contains(place).then_some("went"));
        classes.extend(self.last.left.contains(place).then_some("left"));
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

    /// The light on all stones, in one element. New stones may still move, so they have none.
    fn shine(&self) -> Option<Element> {
        let is_solid = |mark: &&Mark| match (mark.look, &mark.shape) {
            (MarkRole::Of(_) | MarkRole::Neutral, MarkShape::Disc { .. }) => !self.last.is_fresh(mark),
            (MarkRole::Block, MarkShape::Rectangle { .. }) => true,
            _ => false,
        };
        let data: String = self.scene.marks.iter().filter(is_solid).filter_map(|mark| shine(&mark.shape)).collect();
        (!data.is_empty()).then(|| unspoken(path(data), "shine"))
    }

    /// The rings on top of everything: around a place that a piece left, and around one with good
    /// moves.
    fn rings(&self, mark: &Mark) -> Vec<Element> {
        let Some(place) = mark.place.as_deref() else { return Vec::new() };
        let ring = |by: i32, class: &str| unspoken(with(element(&inside(&mark.shape, by)), &[("fill", "none")]), class);
        let is_square = matches!(mark.look, MarkRole::LightField | MarkRole::DarkField);
        let trace = if is_square { "trace on-square" } else { "trace" };
        let left = self.last.left.contains(place).then(|| ring(LEFT_INSET, trace));
        let good = self.marked.get(place).copied().unwrap_or_default();
        let good = Player::BOTH.into_iter().filter(|player| good[*player]);
        let good = good.map(|player| ring(INSET[player], player.either("marked ring-alice", "marked ring-bob")));
        left.into_iter().chain(good).collect()
    }
}
