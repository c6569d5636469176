//! A chip table as a figure, in SVG.
//!
//! Written with the crate `svg`, not with a charting library: `plotters` puts everything on whole pixels, which bends curves
//! of 256 points and leaves gaps in maps of small cells, and three panels with their legends would still be laid out here.
//! Texts have no measured width: there are no fonts in the program, so [`width`] estimates it from above.

use std::fmt::Write;

use richman_analysis::plot::{Curve, Figure, Goal, Holdings, Outcomes, Repeat};
use richman_core::{Player, Right, Share, ShareBounds};
use svg::Document;
use svg::node::element::{Group, Line, Path, Rectangle, Text, Title};

/// Lightness 47, 31 and 90 of 100: told apart by colour-blind readers and in grey print.
const ALICE: &str = "#db5443";
const BOB: &str = "#1c4a8a";
const NEITHER: &str = "#e4e4e4";
const INK: &str = "#222";
const FAINT: &str = "#999";

const WIDTH: f64 = 720.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 18.0;
/// Of one line of small text.
const LINE: f64 = 17.0;
const SMALL: f64 = 12.0;
/// Between the two maps: the labels of the second one's axis.
const GAP: f64 = 72.0;
const CURVES: f64 = 230.0;
const MAP: f64 = (WIDTH - LEFT - RIGHT - GAP) / 2.0;

/// The figure as an SVG document.
pub fn svg(figure: &Figure) -> String {
    let mut page = Page { parts: Group::new(), y: 14.0 };
    page.title(figure);
    page.curves(figure);
    page.maps(figure);
    let height = page.y + 12.0;
    let document = Document::new()
        .set("viewBox", (0, 0, WIDTH, short(height)))
        .set("width", WIDTH)
        .set("height", short(height))
        .set("font-family", "sans-serif")
        .set("font-size", SMALL)
        .set("fill", INK)
        .add(Title::new(clean(&format!("{} {}", figure.game, figure.position))))
        .add(Rectangle::new().set("width", "100%").set("height", "100%").set("fill", "#fff"))
        .add(page.parts);
    format!("{document}\n")
}

/// What has been drawn, and how far down the page reaches.
struct Page {
    parts: Group,
    y: f64,
}

/// A straight scale from values to places on the page.
#[derive(Clone, Copy)]
struct Scale {
    from: (f64, f64),
    to: (f64, f64),
}

impl Scale {
    fn at(self, value: f64) -> f64 {
        let part = (value - self.from.0) / (self.from.1 - self.from.0);
        self.to.0 + part * (self.to.1 - self.to.0)
    }
}

/// What a legend shows before its text.
enum Swatch {
    Cell(&'static str),
    Curve(Style),
    Stroke(&'static str, &'static str),
    Nothing,
}

#[derive(Clone, Copy)]
struct Style {
    colour: &'static str,
    width: f64,
    dashes: &'static str,
    round: bool,
}

impl Page {
    fn add(&mut self, part: impl Into<Box<dyn svg::Node>>) {
        self.parts = std::mem::take(&mut self.parts).add(part);
    }

    fn text(&mut self, text: &str, x: f64, y: f64, anchor: &str) {
        self.add(Text::new(clean(text)).set("x", short(x)).set("y", short(y)).set("text-anchor", anchor));
    }

    fn heading(&mut self, text: &str, x: f64) {
        let text = Text::new(clean(text)).set("x", short(x)).set("y", short(self.y));
        self.add(text.set("font-size", 13).set("font-weight", "bold"));
    }

    fn line(&mut self, from: (f64, f64), to: (f64, f64), colour: &str, width: f64, dashes: &str) {
        let line = Line::new().set("x1", short(from.0)).set("y1", short(from.1));
        let line = line.set("x2", short(to.0)).set("y2", short(to.1)).set("stroke", colour).set("stroke-width", width);
        self.add(if dashes.is_empty() { line } else { line.set("stroke-dasharray", dashes) });
    }

    fn title(&mut self, figure: &Figure) {
        const LARGE: f64 = 16.0;
        self.y += LARGE + 3.0;
        // Bold letters are a tenth wider.
        let name = fitted(&figure.game, 1.1 * LARGE, WIDTH - LEFT - RIGHT);
        let name = Text::new(clean(&name)).set("x", LEFT).set("y", short(self.y));
        self.add(name.set("font-size", LARGE).set("font-weight", "bold"));
        let mut lines = vec![format!("position {}", figure.position), figure.mechanism.to_string()];
        if let Some(moves) = figure.truncated {
            lines.push(format!("a play of more than {moves} moves counts as a draw"));
        }
        lines.extend(shares(&figure.win, &figure.draw));
        for line in lines {
            self.y += LINE;
            self.text(&fitted(&line, SMALL, WIDTH - LEFT - RIGHT), LEFT, self.y, "start");
        }
        self.y += 10.0;
    }

    /// Legend entries from left to right, on as many lines as they need.
    fn legend(&mut self, entries: Vec<(Swatch, String)>) {
        const SWATCH: f64 = 30.0;
        self.y += LINE;
        let mut x = LEFT;
        for (swatch, label) in entries {
            let before = if matches!(swatch, Swatch::Nothing) { 0.0 } else { SWATCH };
            let needed = before + width(&label, SMALL);
            if x > LEFT && x + needed > WIDTH - RIGHT {
                x = LEFT;
                self.y += LINE;
            }
            let middle = self.y - 4.0;
            let ends = ((x, middle), (x + SWATCH - 7.0, middle));
            match swatch {
                Swatch::Cell(colour) => {
                    let cell = Rectangle::new().set("x", short(x + 9.0)).set("y", short(middle - 6.5));
                    self.add(cell.set("width", 13).set("height", 13).set("fill", colour));
                }
                Swatch::Curve(style) => {
                    self.line(ends.0, ends.1, style.colour, style.width, style.dashes);
                    let marker = marker(x + (SWATCH - 7.0) / 2.0, middle, style.round, 3.0);
                    self.add(Path::new().set("d", marker).set("fill", style.colour));
                }
                Swatch::Stroke(colour, dashes) => self.line(ends.0, ends.1, colour, 1.3, dashes),
                Swatch::Nothing => {}
            }
            self.text(&label, x + before, self.y, "start");
            x += needed + 18.0;
        }
        self.y += 9.0;
    }

    fn frame(&mut self, x: f64, y: f64, width: f64, height: f64) {
        let frame = Rectangle::new().set("x", short(x)).set("y", short(y)).set("width", short(width));
        self.add(frame.set("height", short(height)).set("fill", "none").set("stroke", INK));
    }

    fn ticks_below(&mut self, scale: Scale, y: f64, label: &str) {
        for (value, name) in ticks(scale.from, 8, true) {
            let x = scale.at(value);
            self.line((x, y), (x, y + 4.0), INK, 1.0, "");
            self.text(&name, x, y + 17.0, "middle");
        }
        self.text(label, (scale.to.0 + scale.to.1) / 2.0, y + 35.0, "middle");
    }

    fn ticks_beside(&mut self, scale: Scale, x: f64, whole: bool, most: usize, label: &str) {
        for (value, name) in ticks(scale.from, most, whole) {
            let y = scale.at(value);
            self.line((x - 4.0, y), (x, y), INK, 1.0, "");
            self.text(&name, x - 7.0, y + 4.0, "end");
        }
        let middle = (scale.to.0 + scale.to.1) / 2.0;
        let turned = format!("translate({} {}) rotate(-90)", short(x - 42.0), short(middle));
        self.add(Text::new(clean(label)).set("transform", turned).set("text-anchor", "middle"));
    }

    fn curves(&mut self, figure: &Figure) {
        let subtracted = if figure.win.share.is_some() { "R k" } else { "k/2" };
        self.y += 16.0;
        self.heading("(a) Chip thresholds less their share in real money", LEFT);
        let goals = [(&figure.draw, "draw", BOB, false), (&figure.win, "win", ALICE, true)];
        let mut legend = Vec::new();
        for (goal, name, colour, round) in goals.iter().rev() {
            for curve in &goal.curves {
                let which = match curve.holdings {
                    Holdings::Ordered => "",
                    Holdings::Plain => " without the star",
                    Holdings::Star => " with the star",
                };
                legend.push((Swatch::Curve(style(curve, colour, *round)), format!("{name} threshold{which}")));
            }
        }
        let repeats = repeats(figure);
        for (repeat, name, colour) in &repeats {
            let text = format!("{name} from {} on in blocks of {}", repeat.from, repeat.block);
            legend.push((Swatch::Stroke(colour, "4 3"), text));
        }
        if let Some(run) = figure.thinned {
            let text = format!("(of every {run} totals only the least and the greatest value are drawn)");
            legend.push((Swatch::Nothing, text));
        }
        self.legend(legend);

        let (first, last) = (f64::from(figure.totals.0), f64::from(figure.totals.1));
        let pad = ((last - first) * 0.012).max(0.25);
        let x = Scale { from: (first - pad, last + pad), to: (LEFT, WIDTH - RIGHT) };
        let (top, bottom) = (self.y, self.y + CURVES);
        let values =
            || goals.iter().flat_map(|goal| &goal.0.curves).flat_map(|curve| &curve.points).map(|point| point.1);
        let (low, high) = (values().fold(0.0, f64::min), values().fold(0.0, f64::max));
        let pad = ((high - low) * 0.06).max(0.05);
        let y = Scale { from: (low - pad, high + pad), to: (bottom, top) };

        for (repeat, _, colour) in &repeats {
            let ends = [repeat.from, repeat.from.saturating_add(repeat.block)].map(f64::from);
            let shaded = ends.map(|end| x.at(end.clamp(x.from.0, x.from.1)));
            let shade = Rectangle::new().set("x", short(shaded[0])).set("y", short(top));
            let shade = shade.set("width", short(shaded[1] - shaded[0])).set("height", CURVES);
            self.add(shade.set("fill", *colour).set("fill-opacity", 0.08));
            for end in ends.into_iter().filter(|end| (first..=last).contains(end)) {
                self.line((x.at(end), top), (x.at(end), bottom), colour, 1.0, "4 3");
            }
        }
        self.line((LEFT, y.at(0.0)), (WIDTH - RIGHT, y.at(0.0)), FAINT, 0.8, "");
        for (goal, name, colour, round) in goals {
            for curve in &goal.curves {
                self.curve(curve, style(curve, colour, round), x, y, name);
            }
        }
        self.frame(LEFT, top, WIDTH - LEFT - RIGHT, CURVES);
        self.ticks_below(x, bottom, "total k (chips)");
        self.ticks_beside(y, LEFT, false, 7, &format!("threshold \u{2212} {subtracted} (chips)"));
        self.y = bottom + 55.0;
    }

    fn curve(&mut self, curve: &Curve, style: Style, x: Scale, y: Scale, class: &str) {
        let places: Vec<(f64, f64)> =
            curve.points.iter().map(|&(total, value)| (x.at(f64::from(total)), y.at(value))).collect();
        let mut line = String::new();
        let mut markers = String::new();
        let apart = (x.to.1 - x.to.0) / places.len() as f64;
        for (i, &(x, y)) in places.iter().enumerate() {
            let _ = write!(line, "{}{} {}", if i == 0 { "M" } else { "L" }, short(x), short(y));
            if apart >= 6.0 {
                markers.push_str(&marker(x, y, style.round, 3.0));
            }
        }
        let path = Path::new().set("class", class).set("d", line).set("fill", "none").set("stroke", style.colour);
        let path = path.set("stroke-width", style.width).set("stroke-linejoin", "round");
        self.add(if style.dashes.is_empty() { path } else { path.set("stroke-dasharray", style.dashes) });
        if !markers.is_empty() {
            self.add(Path::new().set("d", markers).set("fill", style.colour));
        }
    }

    fn maps(&mut self, figure: &Figure) {
        self.y += 16.0;
        for (heading, left) in [("(b) Alice holds the star", LEFT), ("(c) Bob holds the star", LEFT + MAP + GAP)] {
            self.heading(heading, left);
        }
        let nobody = match figure.mechanism.right {
            Right::Chooses => "draw",
            Right::Moves => "neither can force a win",
        };
        let mut legend = vec![
            (Swatch::Cell(ALICE), "Alice wins".to_string()),
            (Swatch::Cell(NEITHER), nobody.to_string()),
            (Swatch::Cell(BOB), "Bob wins".to_string()),
        ];
        let lines = share_lines(figure);
        for (_, dashes, name) in &lines {
            legend.push((Swatch::Stroke(INK, dashes), name.to_string()));
        }
        self.legend(legend);
        let top = self.y;
        for (star, left) in [(Player::Alice, LEFT), (Player::Bob, LEFT + MAP + GAP)] {
            self.map(&figure.outcomes, star, left, top);
            for (share, dashes, _) in &lines {
                self.share_line(&figure.outcomes, *share, dashes, left, top);
            }
        }
        self.y = top + MAP + 38.0;
    }

    fn map(&mut self, outcomes: &Outcomes, star: Player, left: f64, top: f64) {
        let cells = f64::from(outcomes.side + 1);
        let size = MAP / cells;
        // In units of cells, the row of Bob's 0 chips lowest.
        let place = format!("translate({} {}) scale({:.6} {:.6})", short(left), short(top + MAP), size, -size);
        let class = match star {
            Player::Alice => "outcomes alice-star",
            Player::Bob => "outcomes bob-star",
        };
        let mut map = Group::new().set("class", class).set("transform", place).set("shape-rendering", "crispEdges");
        for (winner, class, colour) in
            [(Some(Player::Alice), "alice", ALICE), (None, "neither", NEITHER), (Some(Player::Bob), "bob", BOB)]
        {
            let cells = runs(outcomes, star, winner);
            if !cells.is_empty() {
                map = map.add(Path::new().set("class", class).set("d", cells).set("fill", colour));
            }
        }
        self.add(map);
        self.frame(left, top, MAP, MAP);
        let values = (-0.5, cells - 0.5);
        self.ticks_below(Scale { from: values, to: (left, left + MAP) }, top + MAP, "Alice\u{2019}s chips");
        let scale = Scale { from: values, to: (top + MAP, top) };
        self.ticks_beside(scale, left, true, 8, "Bob\u{2019}s chips");
    }

    fn share_line(&mut self, outcomes: &Outcomes, share: f64, dashes: &str, left: f64, top: f64) {
        let size = MAP / f64::from(outcomes.side + 1);
        let most = f64::from(outcomes.side) + 0.5;
        // Alice has the share of every total, to the edge of the map.
        let total = f64::from(outcomes.total).min(most / share.max(1.0 - share));
        let place =
            |total: f64| (left + (share * total + 0.5) * size, top + MAP - ((1.0 - share) * total + 0.5) * size);
        self.line(place(0.0), place(total), INK, 1.3, dashes);
    }
}

fn style(curve: &Curve, colour: &'static str, round: bool) -> Style {
    let dashes = if curve.holdings == Holdings::Star { "5 2.5" } else { "" };
    // The win threshold is drawn on top; where both coincide the draw threshold still shows at its sides.
    Style { colour, width: if round { 1.0 } else { 2.2 }, dashes, round }
}

/// A disc or a square, so that curves differ in more than colour.
fn marker(x: f64, y: f64, round: bool, size: f64) -> String {
    if round {
        let (start, radius) = (short(x - size), short(size));
        let across = short(2.0 * size);
        format!("M{start} {}a{radius} {radius} 0 1 0 {across} 0a{radius} {radius} 0 1 0 -{across} 0z", short(y))
    } else {
        let side = short(2.0 * size);
        format!("M{} {}h{side}v{side}h-{side}z", short(x - size), short(y - size))
    }
}

/// The cells that `winner` wins, in units of cells, those next to each other in a row as one rectangle.
fn runs(outcomes: &Outcomes, star: Player, winner: Option<Player>) -> String {
    let mut path = String::new();
    for bob in 0..=outcomes.side {
        let mut alice = 0;
        while alice <= outcomes.side {
            let length = (alice..=outcomes.side)
                .take_while(|&alice| outcomes.winner(alice, bob, star) == Some(winner))
                .count() as u32;
            if length > 0 {
                let _ = write!(path, "M{alice} {bob}h{length}v1h-{length}z");
            }
            alice += length + 1;
        }
    }
    path
}

/// The lines of the title that state the real-money thresholds.
fn shares(win: &Goal, draw: &Goal) -> Vec<String> {
    let (Some(win), Some(draw)) = (&win.share, &draw.share) else {
        return vec!["no real-money threshold (a zugzwang): k/2 is taken for its share".to_string()];
    };
    if win == draw {
        return vec![format!("R {} for the win and the draw", share(win))];
    }
    let (win, draw) = (format!("R {} for the win", share(win)), format!("R {} for the draw", share(draw)));
    let line = format!("{win}, {draw}");
    if width(&line, SMALL) <= WIDTH - LEFT - RIGHT { vec![line] } else { vec![win, draw] }
}

fn share(bounds: &ShareBounds) -> String {
    const LONGEST: usize = 60;
    match bounds.as_exact().map(Share::to_string) {
        None => format!("between {:.15} and {:.15}", bounds.low.to_f64(), bounds.high.to_f64()),
        Some(fraction) if fraction.len() <= LONGEST => format!("= {fraction}"),
        Some(fraction) => {
            format!("= {:.15}\u{2026} (a fraction of {} digits)", bounds.low.to_f64(), fraction.len() - 1)
        }
    }
}

/// Lines along which Alice has the share of a real-money threshold. At 0 and 1 they would be the axes.
fn share_lines(figure: &Figure) -> Vec<(f64, &'static str, &'static str)> {
    let middle = |goal: &Goal| goal.share.as_ref().map(|share| Share::mean(&share.low, &share.high).to_f64());
    let inside = |share: &f64| 0.0 < *share && *share < 1.0;
    let (win, draw) = (middle(&figure.win).filter(inside), middle(&figure.draw).filter(inside));
    if win == draw {
        return win.map(|share| (share, "5 3", "Alice has the share R")).into_iter().collect();
    }
    let win = win.map(|share| (share, "5 3", "R for the win"));
    win.into_iter().chain(draw.map(|share| (share, "1.5 2", "R for the draw"))).collect()
}

fn repeats(figure: &Figure) -> Vec<(Repeat, &'static str, &'static str)> {
    if figure.win.repeat == figure.draw.repeat {
        return figure.win.repeat.map(|repeat| (repeat, "both repeat", INK)).into_iter().collect();
    }
    let win = figure.win.repeat.map(|repeat| (repeat, "win threshold repeats", ALICE));
    win.into_iter().chain(figure.draw.repeat.map(|repeat| (repeat, "draw threshold repeats", BOB))).collect()
}

/// Round values inside a range with their names, at most about `most`, at least 1 apart if only whole numbers are wanted.
fn ticks((from, to): (f64, f64), most: usize, whole: bool) -> Vec<(f64, String)> {
    let least = ((to - from) / most as f64).max(if whole { 1.0 } else { 0.0 });
    let power = least.log10().floor();
    let step =
        [1.0, 2.0, 5.0, 10.0].map(|digit| digit * 10f64.powf(power)).into_iter().find(|step| *step >= least * 0.999);
    let step = step.unwrap_or(10f64.powf(power + 1.0));
    let decimals = (-step.log10().floor()).max(0.0) as usize;
    let (first, last) = ((from / step).ceil() as i64, (to / step).floor() as i64);
    let name = |value: f64| format!("{value:.decimals$}").replace('-', "\u{2212}");
    (first..=last).map(|i| i as f64 * step).map(|value| (value, name(value))).collect()
}

/// At least the width of a text in any usual sans-serif font.
fn width(text: &str, size: f64) -> f64 {
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

/// The text, or as much of its beginning as fits.
fn fitted(text: &str, size: f64, most: f64) -> String {
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

/// The text without what XML cannot hold even as a reference. The crate `svg` escapes the rest.
fn clean(text: &str) -> String {
    text.chars()
        .map(
            |letter| if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') { '\u{fffd}' } else { letter },
        )
        .collect()
}

/// A length in hundredths: as much as a page can show, in few bytes.
fn short(length: f64) -> f64 {
    (length * 100.0).round() / 100.0 + 0.0
}
