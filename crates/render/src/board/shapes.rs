//! Forms as elements of SVG.

use std::fmt::Write;

use richman_core::MarkShape;
use svg::node::element::{Circle, Element, Line, Path, Polygon, Rectangle, Text};

use crate::page::clean;

/// The rounding of corners.
const ROUND: i32 = 6;
const SHEET_ROUND: i32 = 22;

pub(super) fn with(mut element: Element, attributes: &[(&str, &str)]) -> Element {
    for (name, value) in attributes {
        svg::Node::assign(&mut element, *name, *value);
    }
    element
}

/// An element hidden from screen readers, because its place has the same text.
pub(super) fn unspoken(element: Element, class: &str) -> Element {
    with(element, &[("class", class), ("aria-hidden", "true")])
}

pub(super) fn element(shape: &MarkShape) -> Element {
    match shape {
        MarkShape::Rectangle { at: [x, y], width, height } => {
            let rectangle = Rectangle::new().set("x", *x).set("y", *y);
            let rectangle = rectangle.set("width", *width).set("height", *height);
            // Squares that touch have sharp corners.
            if *width == MarkShape::FIGURE && height == width { rectangle } else { rectangle.set("rx", ROUND) }.into()
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
        MarkShape::Curve { from, towards, to } => {
            let [[x1, y1], [x, y], [x2, y2]] = [from, towards, to];
            path(format!("M{x1} {y1}Q{x} {y} {x2} {y2}"))
        }
        MarkShape::Figure { at: [x, y], outline } => {
            Path::new().set("transform", format!("translate({x},{y})")).set("d", *outline).into()
        }
        MarkShape::Sheet { at: [x, y], width, height, holes, radius } => {
            let (round, across, down) = (SHEET_ROUND, width - 2 * SHEET_ROUND, height - 2 * SHEET_ROUND);
            let mut data = format!("M{} {y}h{across}a{round} {round} 0 0 1 {round} {round}v{down}", x + round);
            let _ =
                write!(data, "a{round} {round} 0 0 1-{round} {round}h-{across}a{round} {round} 0 0 1-{round}-{round}");
            let _ = write!(data, "v-{down}a{round} {round} 0 0 1 {round}-{round}z");
            let across = 2 * radius;
            for [x, y] in holes {
                let _ = write!(data, "M{} {y}a{radius} {radius} 0 1 0 {across} 0", x - radius);
                let _ = write!(data, "a{radius} {radius} 0 1 0-{across} 0z");
            }
            with(path(data), &[("fill-rule", "evenodd")])
        }
        MarkShape::Text { at, size, text } => text_at(*at, *size, text),
    }
}

pub(super) fn path(data: String) -> Element {
    Path::new().set("d", data).into()
}

/// A text around a point: the style sheet centres it.
pub(super) fn text_at([x, y]: [i32; 2], size: i32, text: &str) -> Element {
    Text::new(clean(text)).set("x", x).set("y", y).set("font-size", size).into()
}

/// The shape, smaller on all sides if that is simple.
pub(super) fn inside(shape: &MarkShape, by: i32) -> MarkShape {
    match shape {
        MarkShape::Rectangle { at, width, height } => MarkShape::Rectangle {
            at: at.map(|at| at + by),
            width: (width - 2 * by).max(0),
            height: (height - 2 * by).max(0),
        },
        MarkShape::Disc { at, radius } => MarkShape::Disc { at: *at, radius: (radius - by).max(0) },
        MarkShape::Polygon { points } => {
            let [x, y] = shape.middle().unwrap_or_default();
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

/// A light on the upper left of a disc, or the bevel of a square, as path data.
pub(super) fn shine(shape: &MarkShape) -> Option<String> {
    match shape {
        MarkShape::Disc { at: [x, y], radius } => {
            let (far, round) = (radius * 3 / 4, radius * 4 / 5);
            Some(format!("M{} {}a{round} {round} 0 0 1 {far}-{far}", x - far, y - radius / 12))
        }
        MarkShape::Rectangle { at: [x, y], width, height } => {
            let by = width / 7;
            Some(format!("M{} {}v-{}h{}", x + by, y + height - by, height - 2 * by, width - 2 * by))
        }
        _ => None,
    }
}
