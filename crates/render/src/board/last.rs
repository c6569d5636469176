//! The changes by the last move: the difference of two scenes.

use std::collections::HashSet;

use richman_core::{Mark, MarkRole, MarkShape, Scene};

/// The differences between the scenes before and after the last move.
#[derive(Default)]
pub(super) struct LastMove<'a> {
    /// The pieces before the move; `None` if the position before is unknown.
    before: Option<HashSet<(&'a MarkShape, MarkRole)>>,
    /// The places with a new piece, by name.
    pub(super) went: HashSet<&'a str>,
    /// The places that lost their piece.
    pub(super) left: HashSet<&'a str>,
}

impl<'a> LastMove<'a> {
    pub(super) fn new(before: &'a Scene, now: &'a Scene) -> LastMove<'a> {
        let pieces = |scene: &'a Scene| -> HashSet<(&MarkShape, MarkRole)> {
            scene.marks.iter().filter(|mark| is_piece(mark)).map(|mark| (&mark.shape, mark.look)).collect()
        };
        let (then, here) = (pieces(before), pieces(now));
        let places = |pieces: &mut dyn Iterator<Item = &(&MarkShape, MarkRole)>| -> HashSet<&'a str> {
            let middles: Vec<[i32; 2]> = pieces.filter_map(|(shape, _)| shape.middle()).collect();
            let has_one = |mark: &&Mark| middles.iter().any(|at| mark.shape.contains(*at));
            let places = now.marks.iter().filter(|mark| mark.place.is_some() && mark.look != MarkRole::Clear);
            places.filter(has_one).filter_map(|mark| mark.place.as_deref()).collect()
        };
        let went = places(&mut here.difference(&then));
        let left = places(&mut then.difference(&here)).difference(&went).copied().collect();
        LastMove { went, left, before: Some(then) }
    }

    /// Whether the last move put that piece there.
    pub(super) fn is_fresh(&self, mark: &Mark) -> bool {
        let is_new = |before: &HashSet<_>| is_piece(mark) && !before.contains(&(&mark.shape, mark.look));
        self.before.as_ref().is_some_and(is_new)
    }
}

fn is_piece(mark: &Mark) -> bool {
    match mark.look {
        MarkRole::Of(_) => matches!(mark.shape, MarkShape::Disc { .. } | MarkShape::Rectangle { .. }),
        MarkRole::Neutral | MarkRole::Block | MarkRole::Figure(_) => true,
        _ => false,
    }
}
