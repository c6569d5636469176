//! A position as a drawing, which user interfaces show and players click.
//!
//! The game says where things are and what they mean. The user interface chooses colours and
//! strokes, and turns clicks into moves.

use crate::Player;

/// A drawing, in its own units: x to the right from 0 to `width`, y down from 0 to `height`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scene {
    /// The width.
    pub width: i32,
    /// The height.
    pub height: i32,
    /// The marks, from back to front.
    pub marks: Vec<Mark>,
}

/// One item of a drawing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The form.
    pub shape: MarkShape,
    /// The meaning.
    pub look: MarkRole,
    /// The name of the place if it can be clicked; unique in the scene.
    pub place: Option<String>,
    /// A description for screen readers, such as "b2, Alice"; empty for decoration.
    pub label: String,
    /// The point that a move there concerns, if it is not the middle of the form.
    pub spot: Option<[i32; 2]>,
}

/// The form of a mark.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum MarkShape {
    /// A rectangle by its upper left corner.
    Rectangle {
        /// The corner.
        at: [i32; 2],
        /// The width.
        width: i32,
        /// The height.
        height: i32,
    },
    /// A disc.
    Disc {
        /// The middle.
        at: [i32; 2],
        /// The radius.
        radius: i32,
    },
    /// The area inside a closed line through these points.
    Polygon {
        /// The points.
        points: Vec<[i32; 2]>,
    },
    /// A line.
    Line {
        /// One end.
        from: [i32; 2],
        /// The other end.
        to: [i32; 2],
    },
    /// A curved line that starts and ends in the direction of a point.
    Curve {
        /// One end.
        from: [i32; 2],
        /// The point.
        towards: [i32; 2],
        /// The other end.
        to: [i32; 2],
    },
    /// A figure drawn in a square of [`MarkShape::FIGURE`] units.
    Figure {
        /// The upper left corner of the square.
        at: [i32; 2],
        /// The outline as the path data of SVG, relative to that corner.
        outline: &'static str,
    },
    /// A rectangle with round holes.
    Sheet {
        /// The upper left corner.
        at: [i32; 2],
        /// The width.
        width: i32,
        /// The height.
        height: i32,
        /// The middles of the holes.
        holes: Vec<[i32; 2]>,
        /// The radius of the holes.
        radius: i32,
    },
    /// A text, centred.
    Text {
        /// The middle.
        at: [i32; 2],
        /// The height of its letters.
        size: i32,
        /// The text.
        text: String,
    },
}

/// The meaning of a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MarkRole {
    /// The board behind everything.
    Board,
    /// An empty field.
    Field,
    /// A field of the lighter of two alternating colours.
    LightField,
    /// A field of the darker of two alternating colours.
    DarkField,
    /// A player's piece or goal.
    Of(Player),
    /// A place or an edge that belongs to a player, fainter than a piece.
    Side(Player),
    /// A figure of a player: Alice's are white, Bob's black.
    Figure(Player),
    /// A line on a figure of a player.
    FigureLine(Player),
    /// A thing that belongs to nobody, such as a token or a pebble.
    Neutral,
    /// A piece of something that the players use up, such as a square of chocolate.
    Block,
    /// The way along which a token moves.
    Track,
    /// A line or a ring that shows how a player has won.
    Won(Player),
    /// Guide lines, and names of rows and columns.
    Guide,
    /// The name of a row or a column, written on a light or a dark field.
    FieldName,
    /// Invisible, but can be clicked.
    Clear,
}

impl MarkShape {
    /// The side of the square in which a figure is drawn.
    pub const FIGURE: i32 = 100;

    /// The middle, unless it is a line or a text.
    pub fn middle(&self) -> Option<[i32; 2]> {
        match self {
            MarkShape::Rectangle { at: [x, y], width, height } | MarkShape::Sheet { at: [x, y], width, height, .. } => {
                Some([x + width / 2, y + height / 2])
            }
            MarkShape::Disc { at, .. } => Some(*at),
            MarkShape::Figure { at, .. } => Some(at.map(|at| at + MarkShape::FIGURE / 2)),
            MarkShape::Polygon { points } => {
                let count = i32::try_from(points.len()).ok().filter(|count| *count > 0)?;
                let sum = points.iter().fold([0; 2], |sum, point| [sum[0] + point[0], sum[1] + point[1]]);
                Some(sum.map(|sum| sum / count))
            }
            MarkShape::Line { .. } | MarkShape::Curve { .. } | MarkShape::Text { .. } => None,
        }
    }

    /// Whether the point is on a rectangle, a disc or a polygon.
    pub fn contains(&self, [x, y]: [i32; 2]) -> bool {
        match self {
            MarkShape::Rectangle { at, width, height } => {
                (at[0]..=at[0] + width).contains(&x) && (at[1]..=at[1] + height).contains(&y)
            }
            MarkShape::Disc { at, radius } => (x - at[0]).pow(2) + (y - at[1]).pow(2) <= radius.pow(2),
            MarkShape::Polygon { points } => {
                // The ray to the right crosses an odd number of sides.
                let sides = points.iter().zip(points.iter().cycle().skip(1));
                let crosses = |([x1, y1], [x2, y2]): &(&[i32; 2], &[i32; 2])| {
                    (*y1 > y) != (*y2 > y) && ((x - x1) * (y2 - y1) < (x2 - x1) * (y - y1)) == (y2 > y1)
                };
                sides.filter(crosses).count() % 2 == 1
            }
            _ => false,
        }
    }
}

impl Mark {
    /// A mark that cannot be clicked.
    pub fn seen(shape: MarkShape, look: MarkRole) -> Mark {
        Mark { shape, look, place: None, label: String::new(), spot: None }
    }

    /// A place that can be clicked.
    pub fn place(shape: MarkShape, look: MarkRole, place: String, label: String) -> Mark {
        Mark { shape, look, place: Some(place), label, spot: None }
    }

    /// The same mark, whose moves concern this point.
    #[must_use]
    pub fn with_spot(self, spot: Option<[i32; 2]>) -> Mark {
        Mark { spot, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_inside_or_outside_of_forms() {
        let hexagon = [[0, -60], [52, -30], [52, 30], [0, 60], [-52, 30], [-52, -30]];
        let forms = [
            MarkShape::Polygon { points: hexagon.to_vec() },
            MarkShape::Polygon { points: hexagon.into_iter().rev().collect() },
            MarkShape::Disc { at: [0, 0], radius: 55 },
            MarkShape::Rectangle { at: [-50, -50], width: 100, height: 100 },
        ];
        for form in forms {
            assert!(form.contains([0, 0]) && form.contains([40, 20]) && form.contains([-40, -20]), "{form:?}");
            assert!(!form.contains([0, 70]) && !form.contains([-60, 0]) && !form.contains([50, 55]), "{form:?}");
            assert_eq!(form.middle(), Some([0, 0]), "{form:?}");
        }
    }
}
