//! Signs on the places to point at: dots on empty places, rings around pieces.

use std::collections::HashSet;
use std::fmt::Write;

use richman_core::{Mark, MarkRole, MarkShape, Player, Scene, Walk};
use svg::node::element::{Circle, Element};

use super::shapes::{element, inside, path, unspoken, with};
use super::{Heat, places};

/// The distance of the ring around a piece from the edge of its place.
const INSET: i32 = 4;
const TARGET: i32 = 12;

/// The places of a player's moves.
#[derive(Default)]
pub(super) struct PointedPlaces {
    /// The only place of a move, or the first.
    first: HashSet<String>,
    /// Further places.
    later: HashSet<String>,
    /// Places without signs.
    plain: HashSet<String>,
}

impl PointedPlaces {
    pub(super) fn of(walk: &dyn Walk, player: Player) -> PointedPlaces {
        let mut pointing = PointedPlaces::default();
        for places in places(walk, player) {
            let mut places = places.into_iter();
            pointing.first.extend(places.next());
            pointing.later.extend(places);
        }
        pointing
    }

    /// All places of these marks, without signs on them.
    pub(super) fn without_signs(marks: &[Mark]) -> PointedPlaces {
        PointedPlaces { plain: marks.iter().filter_map(|mark| mark.place.clone()).collect(), ..Self::default() }
    }

    pub(super) fn is_open(&self, place: &str) -> bool {
        [&self.first, &self.later, &self.plain].iter().any(|places| places.contains(place))
    }

    /// Drawn right after a place where a move can end.
    pub(super) fn target(&self, mark: &Mark, scene: &Scene) -> Option<Element> {
        let is_target = mark.place.as_ref().is_some_and(|place| self.later.contains(place));
        let [x, y] = spot(mark).filter(|_| is_target)?;
        Some(match is_covered(scene, [x, y]) {
            true => unspoken(with(element(&inside(&mark.shape, INSET)), &[("fill", "none")]), "target taken"),
            false => unspoken(Circle::new().set("cx", x).set("cy", y).set("r", TARGET).into(), "target"),
        })
    }

    /// The signs on the places where a move can begin, in front of the pieces.
    pub(super) fn signs(&self, scene: &Scene, heat: &[Heat]) -> Vec<Element> {
        let (mut dots, mut dots_on_blocks) = (String::new(), String::new());
        let mut rings = Vec::new();
        let is_first = |mark: &&Mark| mark.place.as_ref().is_some_and(|place| self.first.contains(place));
        for mark in scene.marks.iter().filter(is_first) {
            let Some([x, y]) = spot(mark) else { continue };
            if heat.iter().any(|heat| Some(&heat.place) == mark.place.as_ref()) {
                continue; // the number is already a sign
            }
            if matches!(mark.look, MarkRole::Side(_) | MarkRole::Of(_)) || is_covered(scene, [x, y]) {
                rings.push(movable(mark));
            } else {
                let dots = if mark.look == MarkRole::Block { &mut dots_on_blocks } else { &mut dots };
                let _ = write!(dots, "M{x} {y}h0");
            }
        }
        let dots = [(dots, "dots"), (dots_on_blocks, "dots on-block")].into_iter().filter(|(dots, _)| !dots.is_empty());
        rings.into_iter().chain(dots.map(|(dots, class)| unspoken(path(dots), class))).collect()
    }
}

/// A ring; of a square, only the corners, and four arcs of a disc.
fn movable(mark: &Mark) -> Element {
    let mut classes = vec!["movable"];
    match mark.shape {
        MarkShape::Rectangle { width, height, .. } if width == height => classes.push("corners"),
        MarkShape::Disc { .. } => classes.push("arcs"),
        _ => {}
    }
    match mark.look {
        MarkRole::Neutral => classes.push("on-token"),
        MarkRole::Block => classes.push("on-block"),
        _ => {}
    }
    let ring = element(&inside(&mark.shape, INSET));
    // The dashes of corners and arcs are measured in quarters of the way around.
    unspoken(with(ring, &[("fill", "none"), ("pathLength", "4")]), &classes.join(" "))
}

fn spot(mark: &Mark) -> Option<[i32; 2]> {
    mark.spot.or_else(|| mark.shape.middle())
}

/// Whether a piece or a text is around the point.
fn is_covered(scene: &Scene, at: [i32; 2]) -> bool {
    scene.marks.iter().any(|mark| match (&mark.shape, mark.look) {
        (_, MarkRole::Won(_)) => false,
        (MarkShape::Text { at: text, .. }, _) => *text == at,
        (shape, MarkRole::Figure(_) | MarkRole::Neutral | MarkRole::Of(_)) => shape.middle() == Some(at),
        _ => false,
    })
}
