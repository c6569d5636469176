//! A chip table as an SVG figure.
//!
//! It uses the crate `svg` and no charting library: `plotters` rounds everything to whole pixels,
//! which bends curves of 256 points and leaves gaps in maps of small cells, and the layout of three
//! panels with legends would still be done here. The program has no fonts to measure, so
//! `page::width` bounds text widths from above.

use std::fmt::Write;

use richman_analysis::plot::{Holdings, OutcomeSquare, PlottedThreshold, TableFigure};
use richman_analysis::table::PeriodReport;
use richman_core::{Player, Right, Share, ShareBounds};
use svg::node::element::{Group, Path};

use crate::page::{
    ALICE, BOB, FAINT, INK, LEFT, Page, RIGHT, SMALL, WIDTH, fitted, label, rectangle, short, stroked, through, ticks,
    turned, width,
};

/// Lightness 90 of 100, against Alice's 54 and Bob's 32: distinguishable by colour-blind readers
/// and in grey print.
const NEITHER: &str = "#e4e4e4";

/// The height of a line of small text.
const LINE: f64 = 17.0;
/// The gap between the two maps, for the axis labels of the second.
const GAP: f64 = 72.0;
/// The height of a strip of curves, and the gap between two.
const STRIP: f64 = 132.0;
const BETWEEN: f64 = 12.0;
const BLOCK_ENDS: &str = "4 3";
const MAP: f64 = (WIDTH - LEFT - RIGHT - GAP) / 2.0;

/// The figure as an SVG document.
pub fn svg(figure: &TableFigure) -> String {
    let mut page = Page::new(14.0);
    page.head(figure);
    page.curves(figure);
    page.maps(figure);
    let height = page.y + 12.0;
    page.figure(WIDTH, height, &format!("{} {}", figure.head.game, figure.head.position))
}

/// A linear scale from values to coordinates.
#[derive(Clone, Copy)]
struct AxisScale {
    from: (f64, f64),
    to: (f64, f64),
}

impl AxisScale {
    fn at(self, value: f64) -> f64 {
        let part = (value - self.from.0) / (self.from.1 - self.from.0);
        self.to.0 + part * (self.to.1 - self.to.0)
    }
}

enum Swatch {
    Cell(&'static str),
    Curve(Holdings, &'static str),
    Stroke(&'static str, &'static str),
    Nothing,
}

impl Page {
    fn head(&mut self, figure: &TableFigure) {
        self.y += 19.0;
        self.title(&figure.head.game);
        let mut lines = vec![format!("position {}", figure.head.position), figure.head.mechanism.0.to_string()];
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

    /// Legend entries from left to right, on as many lines as needed.
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
                    self.add(rectangle(x + 9.0, middle - 6.5, 13.0, 13.0).set("fill", colour));
                }
                Swatch::Curve(holdings, colour) => {
                    self.line(ends.0, ends.1, colour, 1.1, dashes(holdings));
                    let marker = marker(x + (SWATCH - 7.0) / 2.0, middle, holdings, 2.6);
                    self.add(Path::new().set("d", marker).set("fill", colour));
                }
                Swatch::Stroke(colour, dashes) => self.line(ends.0, ends.1, colour, 1.3, dashes),
                Swatch::Nothing => {}
            }
            self.text(&label, x + before, self.y, "start");
            x += needed + 18.0;
        }
        self.y += 9.0;
    }

    fn ticks_below(&mut self, scale: AxisScale, y: f64, label: &str) {
        let most = if scale.from.1 < 1e6 { 8 } else { 4 };
        for (value, name) in ticks(scale.from, most, true) {
            let x = scale.at(value);
            self.line((x, y), (x, y + 4.0), INK, 1.0, "");
            let inside = WIDTH - 3.0 - width(&name, SMALL) / 2.0;
            self.text(&name, x.min(inside), y + 17.0, "middle");
        }
        self.text(label, (scale.to.0 + scale.to.1) / 2.0, y + 35.0, "middle");
    }

    fn label_beside(&mut self, x: f64, middle: f64, label: &str) {
        self.add(turned(label, (x - 8.0).max(13.0), middle));
    }

    fn curves(&mut self, figure: &TableFigure) {
        self.y += 16.0;
        self.heading("(a) Chip threshold minus real-money share of the total", LEFT, 13.0);
        let goals = [(&figure.win, "win", ALICE), (&figure.draw, "draw", BOB)];
        let mut legend = Vec::new();
        for (goal, name, colour) in goals {
            for curve in &goal.curves {
                let which = match curve.holdings {
                    Holdings::Ordered => "",
                    Holdings::Plain => " without the star",
                    Holdings::Star => " with the star",
                };
                legend.push((Swatch::Curve(curve.holdings, colour), format!("{name} threshold{which}")));
            }
        }
        for (goal, name, colour) in goals {
            if let Some(PeriodReport { from, block, .. }) = &goal.period {
                let text = format!("{name} threshold repeats from {from} on in blocks of {block}");
                legend.push((Swatch::Stroke(colour, BLOCK_ENDS), text));
            }
        }
        if let Some(run) = figure.thinned {
            let text = format!("(of every {run} totals only the least and the greatest value are drawn)");
            legend.push((Swatch::Nothing, text));
        }
        self.legend(legend);

        let (first, last) = (f64::from(figure.totals.0), f64::from(figure.totals.1));
        let pad = ((last - first) * 0.012).max(0.25);
        let x = AxisScale { from: (first - pad, last + pad), to: (LEFT, WIDTH - RIGHT) };
        let values =
            || goals.iter().flat_map(|goal| &goal.0.curves).flat_map(|curve| &curve.points).map(|point| point.1);
        let (low, high) = (values().fold(0.0, f64::min), values().fold(0.0, f64::max));
        let pad = ((high - low) * 0.07).max(0.05);
        // A strip each, because the curves often cross or coincide; one scale, to compare them.
        let top = self.y;
        let mut reach = 0.0;
        for (goal, name, colour) in goals {
            let y = AxisScale { from: (low - pad, high + pad), to: (self.y + STRIP, self.y) };
            reach = self.strip(goal, name, colour, x, y);
            self.y += STRIP + BETWEEN;
        }
        let bottom = self.y - BETWEEN;
        self.ticks_below(x, bottom, "total k (chips)");
        let subtracted = if figure.win.share.is_some() { "R k" } else { "k/2" };
        self.label_beside(LEFT - reach, (top + bottom) / 2.0, &format!("threshold \u{2212} {subtracted} (chips)"));
        self.y = bottom + 56.0;
    }

    /// Returns the extent of the labels to the left.
    fn strip(&mut self, goal: &PlottedThreshold, name: &str, colour: &'static str, x: AxisScale, y: AxisScale) -> f64 {
        let (bottom, top) = y.to;
        if let Some(period) = &goal.period {
            let ends = [period.from, period.from.saturating_add(period.block)].map(f64::from);
            let shaded = ends.map(|end| x.at(end.clamp(x.from.0, x.from.1)));
            let shade = rectangle(shaded[0], top, shaded[1] - shaded[0], STRIP);
            self.add(shade.set("class", "block").set("fill", colour).set("fill-opacity", 0.09));
            for end in ends.into_iter().filter(|end| (x.from.0..=x.from.1).contains(end)) {
                self.line((x.at(end), top), (x.at(end), bottom), colour, 1.0, BLOCK_ENDS);
            }
        }
        self.line((LEFT, y.at(0.0)), (WIDTH - RIGHT, y.at(0.0)), FAINT, 0.8, "");
        for curve in &goal.curves {
            let places: Vec<(f64, f64)> =
                curve.points.iter().map(|&(total, value)| (x.at(f64::from(total)), y.at(value))).collect();
            let radius = match (x.to.1 - x.to.0) / places.len() as f64 {
                apart if apart >= 6.0 => Some(2.6),
                apart if apart >= 2.2 => Some(1.3),
                _ => None,
            };
            let marked = radius.into_iter().flat_map(|radius| places.iter().map(move |place| (place, radius)));
            let markers: String = marked.map(|(&(x, y), radius)| marker(x, y, curve.holdings, radius)).collect();
            let path = stroked(through(places), colour, dashes(curve.holdings)).set("class", name);
            let path = path.set("stroke-width", if radius.is_some() { 0.9 } else { 1.1 });
            self.add(path.set("stroke-linejoin", "round"));
            if !markers.is_empty() {
                self.add(Path::new().set("d", markers).set("fill", colour));
            }
        }
        self.frame((LEFT, top), WIDTH - LEFT - RIGHT, STRIP, INK);
        self.ticks_beside(ticks(y.from, 5, false), |value| y.at(value), LEFT)
    }

    fn maps(&mut self, figure: &TableFigure) {
        let nobody = match figure.head.mechanism.0.right {
            Right::Chooses => "draw",
            Right::Moves => "neither can force a win",
        };
        let lines = share_lines(figure);
        let cells = [(Some(Player::Alice), "Alice wins"), (None, nobody), (Some(Player::Bob), "Bob wins")];
        let somewhere = |winner| Player::BOTH.into_iter().any(|star| !runs(&figure.outcomes, star, winner).is_empty());
        let cells = cells.into_iter().filter(|(winner, _)| somewhere(*winner));
        let cells = cells.map(|(winner, name)| (Swatch::Cell(colour(winner)), name.to_string()));
        let strokes = lines.iter().map(|(_, dashes, name)| (Swatch::Stroke(INK, dashes), name.to_string()));
        self.legend(cells.chain(strokes).collect());
        self.y += 13.0;
        let both = [
            (Player::Alice, LEFT, "(b) Outcome when Alice holds the star"),
            (Player::Bob, LEFT + MAP + GAP, "(c) Outcome when Bob holds the star"),
        ];
        let one = [(Player::Alice, LEFT, "(b) Outcome")];
        for &(star, left, heading) in if figure.head.mechanism.0.has_star() { &both[..] } else { &one } {
            self.heading(heading, left, 13.0);
            self.map(figure, star, left, self.y + 9.0);
            for (share, dashes, _) in &lines {
                self.share_line(&figure.outcomes, *share, dashes, left, self.y + 9.0);
            }
        }
        self.y += 9.0 + MAP + 38.0;
    }

    fn map(&mut self, figure: &TableFigure, star: Player, left: f64, top: f64) {
        let outcomes = &figure.outcomes;
        let cells = f64::from(outcomes.side + 1);
        let size = MAP / cells;
        // In cell units, with the row of Bob's 0 chips lowest.
        let place = format!("translate({} {}) scale({:.6} {:.6})", short(left), short(top + MAP), size, -size);
        let class = match star {
            _ if !figure.head.mechanism.0.has_star() => "outcomes",
            Player::Alice => "outcomes alice-star",
            Player::Bob => "outcomes bob-star",
        };
        let mut map = Group::new().set("class", class).set("transform", place).set("shape-rendering", "crispEdges");
        for (winner, class) in [(Some(Player::Alice), "alice"), (None, "neither"), (Some(Player::Bob), "bob")] {
            let cells = runs(outcomes, star, winner);
            if !cells.is_empty() {
                map = map.add(Path::new().set("class", class).set("d", cells).set("fill", colour(winner)));
            }
        }
        self.add(map);
        if size >= 8.0 {
            let mut grid = String::new();
            for i in 1..=outcomes.side {
                let at = f64::from(i) * size;
                let _ = write!(grid, "M{} {}v{}", short(left + at), short(top), short(MAP));
                let _ = write!(grid, "M{} {}h{}", short(left), short(top + at), short(MAP));
            }
            self.add(Path::new().set("d", grid).set("stroke", "#fff").set("stroke-width", 0.4));
        }
        let note = format!("more than {} chips in all", outcomes.total);
        // Only if the corner without cells has room: at the foot of the note the cells end here.
        let cells_end = (f64::from(outcomes.total) - f64::from(outcomes.side) + 1.0) * size + 26.0;
        if cells_end + width(&note, SMALL) + 16.0 < MAP {
            self.add(label(&note, left + MAP - 8.0, top + 18.0, "end").set("fill", FAINT));
        }
        self.frame((left, top), MAP, MAP, INK);
        let values = (-0.5, cells - 0.5);
        self.ticks_below(AxisScale { from: values, to: (left, left + MAP) }, top + MAP, "Alice\u{2019}s chips");
        let scale = AxisScale { from: values, to: (top + MAP, top) };
        let reach = self.ticks_beside(ticks(values, 8, true), |value| scale.at(value), left);
        self.label_beside(left - reach, top + MAP / 2.0, "Bob\u{2019}s chips");
    }

    fn share_line(&mut self, outcomes: &OutcomeSquare, share: f64, dashes: &str, left: f64, top: f64) {
        let size = MAP / f64::from(outcomes.side + 1);
        let most = f64::from(outcomes.side) + 0.5;
        // Alice has the share of every total, up to the edge of the map.
        let total = f64::from(outcomes.total).min(most / share.max(1.0 - share));
        let place =
            |total: f64| (left + (share * total + 0.5) * size, top + MAP - ((1.0 - share) * total + 0.5) * size);
        // White in the gaps: visible on every colour, and thin, because the cells along it matter
        // most.
        self.line(place(0.0), place(total), "#fff", 1.1, "");
        self.line(place(0.0), place(total), "#000", 1.1, dashes);
    }
}

fn colour(winner: Option<Player>) -> &'static str {
    match winner {
        Some(Player::Alice) => ALICE,
        Some(Player::Bob) => BOB,
        None => NEITHER,
    }
}

fn dashes(holdings: Holdings) -> &'static str {
    if holdings == Holdings::Star { "5 2.5" } else { "" }
}

/// A disc, or a square if the star is held.
fn marker(x: f64, y: f64, holdings: Holdings, size: f64) -> String {
    let across = short(2.0 * size);
    if holdings == Holdings::Star {
        format!("M{} {}h{across}v{across}h-{across}z", short(x - size), short(y - size))
    } else {
        let (start, radius) = (short(x - size), short(size));
        format!("M{start} {}a{radius} {radius} 0 1 0 {across} 0a{radius} {radius} 0 1 0 -{across} 0z", short(y))
    }
}

/// The cells that `winner` wins, in cell units, horizontal neighbours as one rectangle.
fn runs(outcomes: &OutcomeSquare, star: Player, winner: Option<Player>) -> String {
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

/// The title lines that state the real-money thresholds.
fn shares(win: &PlottedThreshold, draw: &PlottedThreshold) -> Vec<String> {
    let (Some(win), Some(draw)) = (&win.share, &draw.share) else {
        return vec!["no real-money threshold (a zugzwang); (a) takes k/2 for it".to_string()];
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

/// Lines on which Alice has the share of a real-money threshold. At 0 and 1 they would cover the
/// axes.
fn share_lines(figure: &TableFigure) -> Vec<(f64, &'static str, &'static str)> {
    let middle =
        |goal: &PlottedThreshold| goal.share.as_ref().map(|share| Share::mean(&share.low, &share.high).to_f64());
    let inside = |share: &f64| 0.0 < *share && *share < 1.0 && figure.outcomes.total > 0;
    let (win, draw) = (middle(&figure.win).filter(inside), middle(&figure.draw).filter(inside));
    if win == draw {
        return win.map(|share| (share, "5 3", "Alice has the share R")).into_iter().collect();
    }
    let win = win.map(|share| (share, "5 3", "R for the win"));
    win.into_iter().chain(draw.map(|share| (share, "1.5 2", "R for the draw"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use richman_analysis::plot::figure;
    use richman_analysis::{Request, Subject, table};
    use richman_core::{Effort, Mechanism, Total};

    fn drawn([win, draw]: [Option<PeriodReport>; 2]) -> String {
        let game = Subject::named("tug-of-war:length=6").unwrap();
        let unfolding = game.unfold(None, &Effort::default()).unwrap();
        let mechanism = Mechanism::default();
        let request = Request { unfolding: unfolding.as_ref(), mechanism: &mechanism, effort: Effort::default() };
        let totals = Total::new(10).unwrap()..=Total::new(60).unwrap();
        let mut report = table::report(&request, totals, false).unwrap();
        (report.period.win, report.period.draw) = (win, draw);
        svg(&figure(&request, &report).unwrap())
    }

    #[test]
    fn blocks_are_marked_as_far_as_the_table_goes() {
        let of = |from, block| Some(PeriodReport { block, step: 1, from, proved: true, finer: None });
        let ends = |svg: &str| svg.matches(&format!("stroke-dasharray=\"{BLOCK_ENDS}\"")).count();
        assert_eq!(ends(&drawn([None, None])), 0);
        // The swatch in the legend, and each end inside the table.
        for (from, block, count) in [(15, 20, 3), (15, 200, 2), (0, 6, 1), (0, 20, 2), (61, 6, 1), (5, u32::MAX, 1)] {
            let svg = drawn([of(from, block), None]);
            assert_eq!(ends(&svg), count, "{from} {block}");
            assert_eq!(svg.matches("class=\"block\"").count(), 1);
            assert!(!svg.contains("width=\"-"), "{from} {block}");
            assert!(svg.contains(&format!("win threshold repeats from {from} on in blocks of {block}")));
        }
        assert_eq!(ends(&drawn([of(15, 20), of(17, 6)])), 6);
    }

    #[test]
    fn ticks_are_round() {
        let names = |from, to, most, whole| -> Vec<String> {
            ticks((from, to), most, whole).into_iter().map(|(_, name)| name).collect()
        };
        assert_eq!(names(-3.0, 258.0, 8, true), ["0", "50", "100", "150", "200", "250"]);
        assert_eq!(names(-0.5, 2.5, 8, true), ["0", "1", "2"]);
        assert_eq!(names(-0.51, 1.57, 5, false), ["\u{2212}0.5", "0.0", "0.5", "1.0", "1.5"]);
        assert_eq!(names(-0.05, 0.05, 5, false), ["\u{2212}0.04", "\u{2212}0.02", "0.00", "0.02", "0.04"]);
        assert_eq!(names(-3.1e6, 3.1e6, 5, false), ["\u{2212}2e6", "0", "2e6"]);
        assert_eq!(names(999_999_997.0, 1_000_000_003.0, 4, true), ["999999998", "1000000000", "1000000002"]);
    }

    #[test]
    fn long_shares_and_bounds_fit_the_title() {
        let third: Share = "1/3".parse().unwrap();
        assert_eq!(share(&ShareBounds::exact(third.clone())), "= 1/3");
        let bounds = ShareBounds { low: third.clone(), high: Share::dyadic(1, 1) };
        assert_eq!(share(&bounds), "between 0.333333333333333 and 0.500000000000000");
        let long: Share = format!("1/1{}", "0".repeat(70)).parse().unwrap();
        assert!(share(&ShareBounds::exact(long)).ends_with("\u{2026} (a fraction of 72 digits)"));
        assert_eq!(fitted("short", SMALL, 100.0), "short");
        let cut = fitted(&"W".repeat(100), SMALL, 100.0);
        assert!(cut.ends_with('\u{2026}') && width(&cut, SMALL) <= 100.0);
    }
}
