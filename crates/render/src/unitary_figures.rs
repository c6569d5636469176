//! Figures of unitary games, in SVG: the winning bids of the bidding automaton, and where totals converge.

use std::fmt::Write;

use richman_analysis::unitary::{Bidding, Convergence, Drawing, Law};
use richman_subtraction::automaton::{Edge, Won};
use svg::node::element::{Circle, Group, Path};

use crate::page::{self, ALICE, BOB, INK, SMALL, label, rectangle, short, text_at, ticks};

/// The most chips whose bids are drawn.
pub const MOST_CHIPS: u32 = 40;

const LEFT: f64 = 78.0;
const STEP: f64 = 46.0;
const RADIUS: f64 = 11.0;

/// The bids of a total: figures 3 to 6 of LPR20 one below the other.
pub fn bids(drawings: &[(Bidding, Drawing)]) -> String {
    let total = drawings.first().map_or(0, |(_, drawing)| drawing.total.chips());
    let mut page = Page { parts: Group::new(), y: 14.0 };
    page.y += 16.0;
    page.text(&format!("Winning bids with a total of {total}"), 14.0, 15.0, true);
    page.y += 18.0;
    page.text("The nodes are the chips of Alice, who has the star.", 14.0, SMALL, false);
    for (bidding, drawing) in drawings {
        page.y += 30.0;
        page.text(&format!("[LPR20, Figure {}] {}", bidding.figure(), drawing.title), 14.0, 13.0, true);
        for picture in &drawing.pictures {
            page.picture(total, picture.bid, &picture.edges);
        }
    }
    let width = (LEFT + STEP * f64::from(total) + 40.0).max(620.0);
    page::figure(width, page.y + 14.0, &format!("winning bids, total {total}"), page.parts)
}

/// Where totals converge, against the bound of LPR20 and the fitted law.
pub fn law(rows: &[Convergence], law: Option<&Law>) -> String {
    const WIDTH: f64 = 720.0;
    const HEIGHT: f64 = 380.0;
    const RIGHT: f64 = 20.0;
    let mut page = Page { parts: Group::new(), y: 30.0 };
    page.text("Where unitary games converge: the heap against the total", 14.0, 15.0, true);
    page.y += 20.0;
    page.text("points: the heap; dashed: the bound of LPR20; line: a fitted law", 14.0, SMALL, false);
    if let Some(law) = law {
        page.y += 17.0;
        page.text(&format!("law: {law}, where m is half the total, rounded up"), 14.0, SMALL, false);
    }
    let (first, last) = (rows.first().map_or(0, |row| row.total), rows.last().map_or(1, |row| row.total));
    let across = (f64::from(first), f64::from(last.max(first + 1)));
    let highest = rows.iter().map(|row| row.bound.max(row.converged)).max().unwrap_or(1).max(1) as f64;
    let top = page.y + 16.0;
    let bottom = top + HEIGHT;
    let x = |total: f64| LEFT + (total - across.0) / (across.1 - across.0) * (WIDTH - LEFT - RIGHT);
    let y = |heap: f64| bottom - heap / highest * HEIGHT;
    for (value, name) in ticks(across, 8, true) {
        page.line((x(value), bottom), (x(value), bottom + 4.0));
        page.label(&name, x(value), bottom + 18.0, "middle");
    }
    for (value, name) in ticks((0.0, highest), 8, true) {
        page.line((LEFT - 4.0, y(value)), (LEFT, y(value)));
        page.label(&name, LEFT - 8.0, y(value) + 4.0, "end");
    }
    page.label("total", (LEFT + WIDTH - RIGHT) / 2.0, bottom + 36.0, "middle");
    let curve = |heap: &dyn Fn(&Convergence) -> f64| {
        let mut path = String::new();
        for (index, row) in rows.iter().enumerate() {
            let command = if index == 0 { "M" } else { "L" };
            let _ = write!(path, "{command}{} {}", short(x(f64::from(row.total))), short(y(heap(row).max(0.0))));
        }
        path
    };
    let bound = Path::new().set("class", "bound").set("d", curve(&|row| row.bound as f64)).set("fill", "none");
    page.add(bound.set("stroke", INK).set("stroke-dasharray", "5 3"));
    if let Some(law) = law {
        let fitted = Path::new().set("class", "law").set("d", curve(&|row| law.at(row.total).to_f64().value()));
        page.add(fitted.set("fill", "none").set("stroke", BOB));
    }
    for row in rows {
        let point = Circle::new().set("cx", short(x(f64::from(row.total)))).set("cy", short(y(row.converged as f64)));
        page.add(point.set("r", if rows.len() > 100 { 1.2 } else { 2.4 }).set("fill", ALICE));
    }
    page.add(rectangle(LEFT, top, WIDTH - LEFT - RIGHT, HEIGHT).set("fill", "none").set("stroke", INK));
    page::figure(WIDTH, bottom + 60.0, "where unitary games converge", page.parts)
}

/// What has been drawn, and how far down the page reaches.
struct Page {
    parts: Group,
    y: f64,
}

impl Page {
    fn add(&mut self, part: impl Into<Box<dyn svg::Node>>) {
        page::add(&mut self.parts, part);
    }

    fn text(&mut self, text: &str, x: f64, size: f64, bold: bool) {
        let text = text_at(text, x, self.y).set("font-size", size);
        self.add(if bold { text.set("font-weight", "bold") } else { text });
    }

    fn label(&mut self, text: &str, x: f64, y: f64, anchor: &str) {
        self.add(label(text, x, y, anchor));
    }

    fn line(&mut self, from: (f64, f64), to: (f64, f64)) {
        self.add(page::line(from, to).set("stroke", INK));
    }

    /// One bid: nodes from the richest Alice on the left, her wins above them and Bob's below.
    fn picture(&mut self, total: u32, bid: u32, edges: &[Edge]) {
        let place = |chips: u32| LEFT + STEP * f64::from(total - chips);
        let height = |edge: &Edge| 12.0 + 7.0 * f64::from(edge.from.abs_diff(edge.to).max(1));
        let reach = |below: bool| {
            let heights = edges.iter().filter(|edge| (edge.won == Won::Bob) == below).map(height);
            heights.fold(0.0, f64::max)
        };
        self.y += 14.0 + reach(false) + RADIUS;
        let middle = self.y;
        self.label(&format!("bid {bid}"), 14.0, middle + 4.0, "start");
        for edge in edges {
            let (class, colour) = match edge.won {
                Won::Tie => ("tie", BOB),
                Won::Alice => ("alice", ALICE),
                Won::Bob => ("bob", BOB),
            };
            let side = if edge.won == Won::Bob { 1.0 } else { -1.0 };
            let (from, to, lift) = (place(edge.from), place(edge.to), height(edge));
            let (start, end) = (middle + side * RADIUS, middle + side * (RADIUS + 1.0));
            // Ends and controls apart, so that two edges between the same nodes can be told apart; a loop where they are the same.
            let lean = if from == to { 9.0 } else { (to - from).signum() * 4.0 };
            let control = middle + side * (RADIUS + 1.35 * lift);
            let first = if from == to { from - 1.8 * lean } else { from + lean };
            let second = if from == to { to + 1.8 * lean } else { to - lean };
            let curve = format!(
                "M{} {}C{} {} {} {} {} {}",
                short(from + if from == to { -4.0 } else { lean }),
                short(start),
                short(first),
                short(control),
                short(second),
                short(control),
                short(to + if from == to { 4.0 } else { -lean }),
                short(end)
            );
            let path = Path::new().set("class", class).set("d", curve).set("fill", "none").set("stroke", colour);
            self.add(path.set("stroke-width", 1.2));
            let tip = (to + if from == to { 4.0 } else { -lean }, end);
            let head = format!("M{} {}l-3.2 {}h6.4z", short(tip.0), short(tip.1), short(side * 7.0));
            self.add(Path::new().set("d", head).set("fill", colour));
        }
        for chips in 0..=total {
            let node = Circle::new().set("cx", short(place(chips))).set("cy", short(middle)).set("r", RADIUS);
            self.add(node.set("fill", "#fff").set("stroke", INK));
            self.label(&chips.to_string(), place(chips), middle + 4.0, "middle");
        }
        self.y += RADIUS + reach(true) + 6.0;
    }
}
