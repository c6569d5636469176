//! Figures of unitary games, in SVG: the automaton's winning bids, and the heaps at which totals
//! converge.

use richman_analysis::unitary::{BidFigure, BidGraph, BidWin, Convergence, ConvergenceLaw, Edge};
use svg::node::element::Path;

use crate::page::{ALICE, BOB, INK, Page, SMALL, WIDTH, circle, line, short, stroked, text_at, through, ticks};

/// The most chips whose bids are drawn.
pub const MOST_CHIPS: u32 = 40;

const MARGIN: f64 = 14.0;
const LEFT: f64 = 78.0;
const STEP: f64 = 46.0;
const RADIUS: f64 = 11.0;

/// The bids of a total: figures 3 to 6 of LPR20, stacked.
pub fn bids(drawings: &[(BidFigure, BidGraph)]) -> String {
    let total = drawings.first().map_or(0, |(_, drawing)| drawing.total.chips());
    let mut page = Page::new(30.0);
    page.heading(&format!("Winning bids with a total of {total}"), MARGIN, 15.0);
    page.note(18.0, "The nodes are the chips of Alice, who has the star.");
    for (bidding, drawing) in drawings {
        page.y += 30.0;
        page.heading(&format!("[LPR20, Figure {}] {}", bidding.figure(), drawing.title), MARGIN, 13.0);
        for picture in &drawing.pictures {
            page.picture(total, picture.bid, &picture.edges);
        }
    }
    let width = (LEFT + STEP * f64::from(total) + 40.0).max(620.0);
    let height = page.y + 14.0;
    page.figure(width, height, &format!("winning bids, total {total}"))
}

/// Where totals converge, against LPR20's bound and the fitted law.
pub fn law(rows: &[Convergence], law: Option<&ConvergenceLaw>) -> String {
    const HEIGHT: f64 = 380.0;
    const RIGHT: f64 = 20.0;
    let mut page = Page::new(30.0);
    page.heading("Where unitary games converge: the heap against the total", MARGIN, 15.0);
    page.note(20.0, "points: the heap; dashed: the bound of LPR20; line: a fitted law");
    if let Some(law) = law {
        page.note(17.0, &format!("law: {law}, where m is half the total, rounded up"));
    }
    let (first, last) = (rows.first().map_or(0, |row| row.total), rows.last().map_or(1, |row| row.total));
    let across = (f64::from(first), f64::from(last.max(first + 1)));
    let highest = rows.iter().map(|row| row.bound.max(row.converged)).max().unwrap_or(1).max(1) as f64;
    let top = page.y + 16.0;
    let bottom = top + HEIGHT;
    let x = |total: f64| LEFT + (total - across.0) / (across.1 - across.0) * (WIDTH - LEFT - RIGHT);
    let y = |heap: f64| bottom - heap / highest * HEIGHT;
    for (value, name) in ticks(across, 8, true) {
        page.add(line((x(value), bottom), (x(value), bottom + 4.0)).set("stroke", INK));
        page.text(&name, x(value), bottom + 18.0, "middle");
    }
    for (value, name) in ticks((0.0, highest), 8, true) {
        page.add(line((LEFT - 4.0, y(value)), (LEFT, y(value))).set("stroke", INK));
        page.text(&name, LEFT - 8.0, y(value) + 4.0, "end");
    }
    page.text("total", (LEFT + WIDTH - RIGHT) / 2.0, bottom + 36.0, "middle");
    let curve = |class: &str, colour: &str, dashes: &str, heap: &dyn Fn(&Convergence) -> f64| {
        let places = rows.iter().map(|row| (x(f64::from(row.total)), y(heap(row).max(0.0))));
        stroked(through(places), colour, dashes).set("class", class)
    };
    page.add(curve("bound", INK, "5 3", &|row| row.bound as f64));
    if let Some(law) = law {
        page.add(curve("law", BOB, "", &|row| law.at(row.total).to_f64().value()));
    }
    for row in rows {
        let radius = if rows.len() > 100 { 1.2 } else { 2.4 };
        page.add(circle(x(f64::from(row.total)), y(row.converged as f64), radius).set("fill", ALICE));
    }
    page.frame((LEFT, top), WIDTH - LEFT - RIGHT, HEIGHT, INK);
    page.figure(WIDTH, bottom + 60.0, "where unitary games converge")
}

impl Page {
    /// A line of text at the given distance below the last.
    fn note(&mut self, below: f64, text: &str) {
        self.y += below;
        self.add(text_at(text, MARGIN, self.y).set("font-size", SMALL));
    }

    /// One bid: nodes from the richest Alice on the left, her wins above and Bob's below.
    fn picture(&mut self, total: u32, bid: u32, edges: &[Edge]) {
        let place = |chips: u32| LEFT + STEP * f64::from(total - chips);
        let height = |edge: &Edge| 12.0 + 7.0 * f64::from(edge.from.abs_diff(edge.to).max(1));
        let reach = |below: bool| {
            let heights = edges.iter().filter(|edge| (edge.won == BidWin::Bob) == below).map(height);
            heights.fold(0.0, f64::max)
        };
        self.y += 14.0 + reach(false) + RADIUS;
        let middle = self.y;
        self.text(&format!("bid {bid}"), MARGIN, middle + 4.0, "start");
        for edge in edges {
            let (class, colour) = match edge.won {
                BidWin::Tie => ("tie", BOB),
                BidWin::Alice => ("alice", ALICE),
                BidWin::Bob => ("bob", BOB),
            };
            let side = if edge.won == BidWin::Bob { 1.0 } else { -1.0 };
            let (from, to, lift) = (place(edge.from), place(edge.to), height(edge));
            let (start, end) = (short(middle + side * RADIUS), short(middle + side * (RADIUS + 1.0)));
            let control = short(middle + side * (RADIUS + 1.35 * lift));
            // Ends and controls apart, to separate two edges between the same nodes; a loop if the
            // nodes are equal.
            let lean = (to - from).signum() * 4.0;
            let across = match from == to {
                true => [from - 4.0, from - 16.2, to + 16.2, to + 4.0],
                false => [from + lean, from + lean, to - lean, to - lean],
            };
            let [first, first_control, second_control, last] = across.map(short);
            let curve = format!("M{first} {start}C{first_control} {control} {second_control} {control} {last} {end}");
            self.add(stroked(curve, colour, "").set("class", class).set("stroke-width", 1.2));
            let head = format!("M{last} {end}l-3.2 {}h6.4z", short(side * 7.0));
            self.add(Path::new().set("d", head).set("fill", colour));
        }
        for chips in 0..=total {
            self.add(circle(place(chips), middle, RADIUS).set("fill", "#fff").set("stroke", INK));
            self.text(&chips.to_string(), place(chips), middle + 4.0, "middle");
        }
        self.y += RADIUS + reach(true) + 6.0;
    }
}
