//! The values of a scoring game as an SVG heat map: positions, such as heaps, against Alice's
//! chips.

use std::collections::BTreeMap;
use std::fmt::Write;

use richman_analysis::scores::Map;
use richman_core::Score;
use svg::node::element::{Group, Path};

use crate::page::{INK, Page, SMALL, fitted, label, rectangle, short, text_at, width};

const TOP: f64 = 74.0;
const GAP: f64 = 34.0;
/// The height of a panel of many positions, and the width of one with many chips.
const PANEL: f64 = 420.0;
const LARGEST_CELL: f64 = 26.0;
/// Cells at least this large show their values.
const WRITTEN: f64 = 20.0;
const ALICE: [f64; 3] = [219.0, 84.0, 67.0];
const BOB: [f64; 3] = [28.0, 74.0, 138.0];
const MIDDLE: [f64; 3] = [244.0, 244.0, 244.0];

/// The figure as an SVG document, with a panel for each owner of the star. Where maximin and
/// minimax differ, a cell has the colour of their mean, and a dot.
pub fn svg(map: &Map) -> String {
    const LONGEST_NAME: f64 = 160.0;
    let (rows, columns) = (map.positions.len() as f64, f64::from(map.total) + 1.0);
    let names = map.positions.iter().map(|name| width(name, SMALL)).fold(0.0, f64::max).min(LONGEST_NAME);
    let left = names + 34.0;
    let (across, down) = ((PANEL / columns).min(LARGEST_CELL), (PANEL / rows).min(LARGEST_CELL));
    let panel = (across * columns).max(150.0);
    let total = (left + 2.0 * panel + GAP + 20.0).max(420.0);
    let height = TOP + down * rows + 86.0;
    let scores = map.values.iter().flatten().flatten();
    let largest = scores.map(|score| score.low.abs().max(score.high.abs())).max().unwrap_or(0);
    let mut page = Page::new(0.0);
    let bold = |text: &str, x: f64, y: f64| label(text, x, y, "start").set("font-weight", "bold");
    page.add(bold(&fitted(&map.game, SMALL * 1.1, total - 24.0), 12.0, 22.0));
    page.text(&fitted(&map.mechanism, SMALL, total - 24.0), 12.0, 40.0, "start");
    for (star, heading) in ["Alice holds the star", "Bob holds the star"].into_iter().enumerate() {
        let x = left + star as f64 * (panel + GAP);
        page.add(bold(heading, x, TOP - 10.0));
        for chips in every(columns, across, 26.0) {
            page.text(&chips.to_string(), x + (chips as f64 + 0.5) * across, TOP + down * rows + 16.0, "middle");
        }
        page.text("Alice\u{2019}s chips", x + across * columns / 2.0, TOP + down * rows + 34.0, "middle");
    }
    for row in every(rows, down, 14.0) {
        let name = fitted(&map.positions[row], SMALL, LONGEST_NAME);
        page.text(&name, left - 6.0, TOP + (row as f64 + 0.5) * down + 4.0, "end");
    }
    for (star, values) in map.values.iter().enumerate() {
        let x = left + star as f64 * (panel + GAP);
        page.add(cells(values, largest, x, across, down));
        if across.min(down) >= WRITTEN {
            page.add(written(values, largest, x, across, down));
        }
        page.frame((x, TOP), across * columns, down * rows, INK);
    }
    page.add(legend(largest, left, height - 24.0));
    page.figure(total, height, &format!("{}, values for {} chips", map.game, map.total))
}

/// The indices of the labels for which `count` cells of this size have room.
fn every(count: f64, size: f64, room: f64) -> impl Iterator<Item = usize> {
    let steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
    let step = steps.into_iter().find(|step| *step as f64 * size >= room).unwrap_or(2000);
    (0..count as usize).step_by(step)
}

/// One path for each colour: horizontal runs of equal cells as rectangles.
fn cells(values: &[Vec<Score>], largest: i64, x: f64, across: f64, down: f64) -> Group {
    let mut paths: BTreeMap<String, String> = BTreeMap::new();
    let mut dots = String::new();
    for (at, row) in values.iter().enumerate() {
        let mut first = 0;
        while first < row.len() {
            let colour = colour(row[first], largest);
            let length = row[first..].iter().take_while(|score| self::colour(**score, largest) == colour).count();
            let _ = write!(paths.entry(colour).or_default(), "M{first} {at}h{length}v1h-{length}z");
            first += length;
        }
        for (chips, _) in row.iter().enumerate().filter(|(_, score)| score.as_exact().is_none()) {
            let _ = write!(dots, "M{} {}h0.2v0.2h-0.2z", chips as f64 + 0.4, at as f64 + 0.1);
        }
    }
    let place = format!("translate({} {TOP}) scale({across:.6} {down:.6})", short(x));
    let mut group = Group::new().set("class", "values").set("transform", place).set("shape-rendering", "crispEdges");
    for (colour, path) in paths {
        group = group.add(Path::new().set("d", path).set("fill", colour));
    }
    if !dots.is_empty() {
        group = group.add(Path::new().set("class", "apart").set("d", dots).set("fill", INK));
    }
    group
}

fn written(values: &[Vec<Score>], largest: i64, x: f64, across: f64, down: f64) -> Group {
    let mut group = Group::new().set("class", "numbers").set("text-anchor", "middle").set("font-size", 9.5);
    for (at, row) in values.iter().enumerate() {
        for (chips, score) in row.iter().enumerate() {
            let number = match score.as_exact() {
                Some(value) => value.to_string(),
                None => format!("{}..{}", score.low, score.high),
            };
            if width(&number, 9.5) > across + 6.0 {
                continue;
            }
            let dark = strength(*score, largest).abs() > 0.55;
            let place = (x + (chips as f64 + 0.5) * across, TOP + (at as f64 + 0.5) * down + 3.5);
            let text = text_at(&number.replace('-', "\u{2212}"), place.0, place.1);
            group = group.add(if dark { text.set("fill", "#fff") } else { text });
        }
    }
    group
}

/// From -1, good for Bob, to 1.
fn strength(score: Score, largest: i64) -> f64 {
    if largest == 0 { 0.0 } else { (score.low as f64 / 2.0 + score.high as f64 / 2.0) / largest as f64 }
}

fn colour(score: Score, largest: i64) -> String {
    let strength = strength(score, largest);
    let end = if strength < 0.0 { BOB } else { ALICE };
    let part = |i: usize| (MIDDLE[i] + (end[i] - MIDDLE[i]) * strength.abs()).round() as u8;
    format!("#{:02x}{:02x}{:02x}", part(0), part(1), part(2))
}

fn legend(largest: i64, left: f64, y: f64) -> Group {
    const STEPS: i64 = 8;
    let mut group = Group::new().set("class", "legend");
    for step in -STEPS..=STEPS {
        let value = Score::exact(step);
        let cell = rectangle(left + (step + STEPS) as f64 * 9.0, y, 9.0, 11.0);
        group = group.add(cell.set("fill", colour(value, STEPS)));
    }
    let x = left + (2 * STEPS + 1) as f64 * 9.0 + 8.0;
    group.add(text_at(&format!("\u{2212}{largest} to {largest} for Alice"), x, y + 10.0))
}
