//! A position as a drawing: what faces show of a game, and what a player points at to move.
//!
//! A game says where things are and what they mean; a face chooses colours and strokes, draws them, and turns pointing at places
//! into moves. A game with a [`Game::scene`](crate::Game::scene) needs nothing else to appear in every face.

use crate::Player;

/// A drawing, in its own units: x to the right from 0 to `width`, y down from 0 to `height`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scene {
    /// The width.
    pub width: i32,
    /// The height.
    pub height: i32,
    /// What is drawn, the first at the back.
    pub marks: Vec<Mark>,
}

/// Something drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// Its form.
    pub shape: Shape,
    /// What it means.
    pub look: Look,
    /// The name of the place, if it can be pointed at; different for different places.
    pub place: Option<String>,
    /// What it is in words, for those who do not see it, such as "b2, Alice"; empty where it is only decoration.
    pub label: String,
}

/// The form of a mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
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
    /// The inside of a closed line through these points.
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
        /// What it says.
        text: String,
    },
}

/// What a mark means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Look {
    /// The board behind everything.
    Board,
    /// An empty field.
    Field,
    /// An empty field, darker, where fields alternate.
    DarkField,
    /// A piece of a player, or a goal of theirs.
    Of(Player),
    /// A place or an edge that belongs to a player, fainter than a piece.
    Side(Player),
    /// Something of nobody's, such as a token or a pebble.
    Neutral,
    /// Lines and names of rows and columns.
    Guide,
    /// Not to be seen, only pointed at.
    Clear,
}

impl Mark {
    /// A mark that is only seen.
    pub fn seen(shape: Shape, look: Look) -> Mark {
        Mark { shape, look, place: None, label: String::new() }
    }

    /// A place that can be pointed at.
    pub fn place(shape: Shape, look: Look, place: String, label: String) -> Mark {
        Mark { shape, look, place: Some(place), label }
    }
}
