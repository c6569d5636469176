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
    /// A description for those who cannot see it, such as "b2, Alice"; empty for decoration.
    pub label: String,
}

/// The form of a mark.
#[derive(Debug, Clone, PartialEq, Eq)]
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
    /// An empty field of the darker of two alternating colours.
    DarkField,
    /// A player's piece or goal.
    Of(Player),
    /// A place or an edge that belongs to a player, fainter than a piece.
    Side(Player),
    /// A thing that belongs to nobody, such as a token or a pebble.
    Neutral,
    /// Guide lines, and names of rows and columns.
    Guide,
    /// Invisible, but can be clicked.
    Clear,
}

impl Mark {
    /// A mark that cannot be clicked.
    pub fn seen(shape: MarkShape, look: MarkRole) -> Mark {
        Mark { shape, look, place: None, label: String::new() }
    }

    /// A place that can be clicked.
    pub fn place(shape: MarkShape, look: MarkRole, place: String, label: String) -> Mark {
        Mark { shape, look, place: Some(place), label }
    }
}
