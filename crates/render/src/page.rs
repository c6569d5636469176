//! Building blocks of all drawings: colours, growing pages, shapes in hundredths of a unit, and
//! texts that fit and are valid XML.

use svg::node::element::{Circle, Group, Line, Path, Rectangle, Text, Title};
use svg::{Document, Node};

pub(crate) const ALICE: &str = "#db5443";
pub(crate) const BOB: &str = "#1c4a8a";
pub(crate) const INK: &str = "#222";
pub(crate) const FAINT: &str = "#888";
/// The font size of most texts.
pub(crate) const SMALL: f64 = 12.0;
/// The width of a page, and its side margins.
pub(crate) const WIDTH: f64 = 720.0;
pub(crate) const LEFT: f64 = 76.0;
pub(crate) const RIGHT: f64 = 18.0;

/// The drawing so far, and its height.
pub(crate) struct Page {
    pub(crate) parts: Group,
    pub(crate) y: f64,
}

impl Page {
    pub(crate) fn new(y: f64) -> Page {
        Page { parts: Group::new(), y }
    }

    pub(crate) fn add(&mut self, part: impl Into<Box<dyn Node>>) {
        self.parts.append(part);
    }

    /// A text that ends, begins or has its middle at a place.
    pub(crate) fn text(&mut self, text: &str, x: f64, y: f64, anchor: &str) {
        self.add(label(text, x, y, anchor));
    }

    /// A heading at the current height.
    pub(crate) fn heading(&mut self, text: &str, x: f64, size: f64) {
        self.add(text_at(text, x, self.y).set("font-size", size).set("font-weight", "bold"));
    }

    /// The game's name, cut to fit.
    pub(crate) fn title(&mut self, name: &str) {
        const LARGE: f64 = 16.0;
        // Bold letters are a tenth wider.
        self.heading(&fitted(name, 1.1 * LARGE, WIDTH - LEFT - RIGHT), LEFT, LARGE);
    }

    /// A line, dashed if `dashes` is not empty.
    pub(crate) fn line(&mut self, from: (f64, f64), to: (f64, f64), colour: &str, width: f64, dashes: &str) {
        let line = line(from, to).set("stroke", colour).set("stroke-width", width);
        self.add(if dashes.is_empty() { line } else { line.set("stroke-dasharray", dashes) });
    }

    pub(crate) fn frame(&mut self, (x, y): (f64, f64), width: f64, height: f64, colour: &str) {
        self.add(rectangle(x, y, width, height).set("fill", "none").set("stroke", colour));
    }

    /// Ticks to the left of an axis; returns the extent of their labels.
    pub(crate) fn ticks_beside(&mut self, ticks: Vec<(f64, String)>, at: impl Fn(f64) -> f64, x: f64) -> f64 {
        let mut reach: f64 = 0.0;
        for (value, name) in ticks {
            let y = at(value);
            self.line((x - 4.0, y), (x, y), INK, 1.0, "");
            self.text(&name, x - 7.0, y + 4.0, "end");
            reach = reach.max(7.0 + width(&name, SMALL));
        }
        reach
    }

    /// The page as a figure on white paper, with a title.
    pub(crate) fn figure(self, width: f64, height: f64, title: &str) -> String {
        format!("{}\n", sheet(width, height).add(Title::new(clean(title))).add(paper()).add(self.parts))
    }
}

pub(crate) fn sheet(width: f64, height: f64) -> Document {
    Document::new()
        .set("viewBox", (0, 0, short(width), short(height)))
        .set("width", short(width))
        .set("height", short(height))
        .set("font-family", "sans-serif")
        .set("font-size", SMALL)
        .set("fill", INK)
}

/// The white background of a figure.
pub(crate) fn paper() -> Rectangle {
    Rectangle::new().set("width", "100%").set("height", "100%").set("fill", "#fff")
}

/// A text that ends, begins or has its middle at a place.
pub(crate) fn label(text: &str, x: f64, y: f64, anchor: &str) -> Text {
    text_at(text, x, y).set("text-anchor", anchor)
}

/// A text that begins at a place.
pub(crate) fn text_at(text: &str, x: f64, y: f64) -> Text {
    Text::new(clean(text)).set("x", short(x)).set("y", short(y))
}

/// A text rotated to read upwards, with its middle at a place.
pub(crate) fn turned(text: &str, x: f64, middle: f64) -> Text {
    let place = format!("translate({} {}) rotate(-90)", short(x), short(middle));
    Text::new(clean(text)).set("transform", place).set("text-anchor", "middle")
}

pub(crate) fn line(from: (f64, f64), to: (f64, f64)) -> Line {
    let line = Line::new().set("x1", short(from.0)).set("y1", short(from.1));
    line.set("x2", short(to.0)).set("y2", short(to.1))
}

pub(crate) fn rectangle(x: f64, y: f64, width: f64, height: f64) -> Rectangle {
    let rectangle = Rectangle::new().set("x", short(x)).set("y", short(y));
    rectangle.set("width", short(width)).set("height", short(height))
}

pub(crate) fn circle(x: f64, y: f64, radius: f64) -> Circle {
    Circle::new().set("cx", short(x)).set("cy", short(y)).set("r", radius)
}

/// An unfilled path, dashed if `dashes` is not empty.
pub(crate) fn stroked(d: String, colour: &str, dashes: &str) -> Path {
    let path = Path::new().set("d", d).set("fill", "none").set("stroke", colour);
    if dashes.is_empty() { path } else { path.set("stroke-dasharray", dashes) }
}

/// Straight lines from each place to the next.
pub(crate) fn through(places: impl IntoIterator<Item = (f64, f64)>) -> String {
    let step = |(at, (x, y))| format!("{}{} {}", if at == 0 { "M" } else { "L" }, short(x), short(y));
    places.into_iter().enumerate().map(step).collect()
}

/// An upper bound on a text's width in any usual sans-serif font.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    let of = |letter: char| match letter {
        ' ' | '.' | ',' | ':' | ';' | '/' | '|' | '\'' | '!' | '(' | ')' | '[' | ']' | 'i' | 'j' | 'l' | 'f' | 't' => {
            0.4
        }
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 1.0,
        'A'..='Z' | '&' | '=' | '+' | '<' | '>' | '~' => 0.84,
        ' '..='~' => 0.64,
        _ => 1.05,
    };
    text.chars().map(of).sum::<f64>() * size
}

/// The longest beginning of the text that fits.
pub(crate) fn fitted(text: &str, size: f64, most: f64) -> String {
    if width(text, size) <= most {
        return text.to_string();
    }
    let mut left = most - width("\u{2026}", size);
    let fits = |letter: &char| {
        left -= width(letter.encode_utf8(&mut [0; 4]), size);
        left >= 0.0
    };
    text.chars().take_while(fits).chain(['\u{2026}']).collect()
}

/// At most `most` letters from the beginning of the text.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}\u{2026}", &text[..end]),
        None => text.to_string(),
    }
}

/// The text without characters that XML cannot contain even as references. The crate `svg` escapes
/// the rest.
pub(crate) fn clean(text: &str) -> String {
    let is_refused = |letter: char| letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}');
    text.replace(is_refused, "\u{fffd}")
}

/// At most about `most` round values inside a range with their labels, at least 1 apart if `whole`.
pub(crate) fn ticks((from, to): (f64, f64), most: usize, whole: bool) -> Vec<(f64, String)> {
    let least = ((to - from) / most as f64).max(if whole { 1.0 } else { 0.0 });
    let power = least.log10().floor();
    let step =
        [1.0, 2.0, 5.0, 10.0].map(|digit| digit * 10f64.powf(power)).into_iter().find(|step| *step >= least * 0.999);
    let step = step.unwrap_or(10f64.powf(power + 1.0));
    let decimals = (-step.log10().floor()).max(0.0) as usize;
    let (first, last) = ((from / step).ceil() as i64, (to / step).floor() as i64);
    let long = !whole && from.abs().max(to.abs()) >= 1e5;
    let plain = |value: f64| if long && value != 0.0 { format!("{value:e}") } else { format!("{value:.decimals$}") };
    let name = |value| plain(value).replace('-', "\u{2212}");
    (first..=last).map(|i| i as f64 * step).map(|value| (value, name(value))).collect()
}

/// A length rounded to hundredths, which is all that a page can show, in few bytes.
pub(crate) fn short(length: f64) -> f64 {
    (length * 100.0).round() / 100.0 + 0.0
}
