//! The margins of a reviewed match over its turns, in SVG: a solid line with discs for Alice, a
//! dashed one with squares for Bob.
//!
//! At or above 0 the player can force a win. Mistakes have marks of different shapes, so that no
//! reader depends on colour.

use richman_core::{ByPlayer, Player};
use richman_play::review::{Mistake, MistakeGrade, Review, ReviewWorth};
use svg::node::element::{Description, Path, Title};

use crate::page::{
    ALICE, BOB, FAINT, INK, LEFT, Page, RIGHT, SMALL, WIDTH, circle, clean, paper, rectangle, sheet, short, stroked,
    ticks, width,
};

const TOP: f64 = 86.0;
const HEIGHT: f64 = 260.0;

/// The figure as an SVG document; `None` if no position has a margin.
pub fn svg(review: &Review) -> Option<String> {
    let worths: Vec<Option<&ReviewWorth>> =
        review.turns.iter().map(|turn| turn.worth.as_ref()).chain([review.now.worth.as_ref()]).collect();
    let curves = ByPlayer::from_fn(|player| -> Vec<Option<f64>> {
        worths.iter().map(|worth| worth.and_then(|worth| margin(worth, player))).collect()
    });
    let known: Vec<f64> = curves.iter().flatten().copied().flatten().collect();
    if known.is_empty() {
        return None;
    }
    let least = known.iter().copied().fold(0.0, f64::min) - 1.0;
    let most = known.iter().copied().fold(0.0, f64::max) + 1.0;
    let mut plot = Plot { page: Page::new(30.0), scales: PlotScales { least, most, places: worths.len() } };
    plot.axes(review);
    for (player, curve) in Player::BOTH.into_iter().zip(curves.iter()) {
        plot.curve(player, curve);
    }
    for (at, mistake) in review.mistakes.iter().enumerate() {
        // One player's marks in one turn stand side by side.
        let same = |other: &&Mistake| other.turn == mistake.turn && other.player == mistake.player;
        let before = review.mistakes[..at].iter().filter(same).count();
        let value = curves[mistake.player].get(mistake.turn - 1).copied().flatten();
        plot.mark(mistake, value.unwrap_or(0.0), before);
    }
    let title = format!("Margins in {}", review.game);
    let description = format!(
        "Chips to spare for a win, before each of {} turns: Alice a solid line with discs, Bob a dashed line with \
         squares. {}",
        review.turns.len(),
        review.summary
    );
    let document = sheet(WIDTH, TOP + HEIGHT + 50.0)
        .set("role", "img")
        .set("aria-labelledby", "title description")
        .add(Title::new(clean(&title)).set("id", "title"))
        .add(Description::new().set("id", "description").add(svg::node::Text::new(clean(&description))))
        .add(paper())
        .add(plot.page.parts);
    Some(format!("{document}\n"))
}

/// Chips to spare for a win, or in a scoring game the guaranteed points.
fn margin(worth: &ReviewWorth, player: Player) -> Option<f64> {
    match &worth.margin {
        Some(margin) => margin[player].win.map(|chips| chips as f64),
        None if worth.outcome.is_none() => worth.sure.map(|sure| sure[player].number() as f64),
        None => None,
    }
}

struct Plot {
    page: Page,
    scales: PlotScales,
}

#[derive(Clone, Copy)]
struct PlotScales {
    least: f64,
    most: f64,
    places: usize,
}

impl PlotScales {
    fn x(&self, place: usize) -> f64 {
        let room = WIDTH - LEFT - RIGHT - 24.0;
        LEFT + 12.0 + room * place as f64 / (self.places.max(2) - 1) as f64
    }

    fn y(&self, value: f64) -> f64 {
        TOP + HEIGHT * (self.most - value) / (self.most - self.least)
    }
}

impl Plot {
    fn axes(&mut self, review: &Review) {
        self.page.title(&review.game);
        let is_scoring =
            review.now.worth.as_ref().is_some_and(|worth| worth.outcome.is_none() && worth.margin.is_none());
        let what = if is_scoring { "points that each is sure of" } else { "chips to spare for a win" };
        self.page.text(&format!("{what}, before each turn"), LEFT, 48.0, "start");
        let legend = [("Alice", Player::Alice), ("Bob", Player::Bob)];
        let mut x = LEFT;
        for (label, player) in legend {
            self.stroke(format!("M{} 63h26", short(x)), player);
            self.point(x + 13.0, 63.0, player);
            self.page.text(label, x + 32.0, 67.0, "start");
            x += 48.0 + width(label, SMALL);
        }
        for (grade, label) in [(MistakeGrade::Result, "changed the result"), (MistakeGrade::Margin, "lost margin")] {
            self.shape(grade, x + 6.0, 63.0, INK, "");
            self.page.text(label, x + 18.0, 67.0, "start");
            x += 34.0 + width(label, SMALL);
        }
        self.page.frame((LEFT, TOP), WIDTH - LEFT - RIGHT, HEIGHT, FAINT);
        let scales = self.scales;
        let zero = scales.y(0.0);
        self.page.line((LEFT, zero), (WIDTH - RIGHT, zero), INK, 1.6, "");
        self.page.ticks_beside(ticks((scales.least, scales.most), 8, true), |value| scales.y(value), LEFT);
        let places = scales.places;
        let step = places.div_ceil(24);
        let is_named = |place: &usize| place + 1 == places || (place.is_multiple_of(step) && place + step < places);
        for place in (0..places).filter(is_named) {
            let last = if review.now.over { "end" } else { "now" };
            let name = if place + 1 == places { last.to_string() } else { (place + 1).to_string() };
            let x = scales.x(place);
            self.page.line((x, TOP + HEIGHT), (x, TOP + HEIGHT + 4.0), INK, 1.0, "");
            self.page.text(&name, x, TOP + HEIGHT + 17.0, "middle");
        }
        self.page.text("turn", (LEFT + WIDTH - RIGHT) / 2.0, TOP + HEIGHT + 36.0, "middle");
    }

    fn stroke(&mut self, d: String, player: Player) {
        let (colour, dashes) = style(player);
        self.page.add(stroked(d, colour, dashes).set("stroke-width", 1.6));
    }

    fn point(&mut self, x: f64, y: f64, player: Player) {
        let (colour, _) = style(player);
        if player == Player::Alice {
            self.page.add(circle(x, y, 3.0).set("fill", colour));
        } else {
            let square = rectangle(x - 3.0, y - 3.0, 6.0, 6.0).set("fill", "#fff");
            self.page.add(square.set("stroke", colour).set("stroke-width", 1.4));
        }
    }

    /// A player's curve, broken where no number of chips suffices.
    fn curve(&mut self, player: Player, values: &[Option<f64>]) {
        let point = |(at, value): (usize, &Option<f64>)| Some((self.scales.x(at), self.scales.y((*value)?)));
        let points: Vec<Option<(f64, f64)>> = values.iter().enumerate().map(point).collect();
        let mut path = String::new();
        let mut is_down = false;
        for point in &points {
            if let Some((x, y)) = point {
                path += &format!("{}{} {}", if is_down { "L" } else { "M" }, short(*x), short(*y));
            }
            is_down = point.is_some();
        }
        if !path.is_empty() {
            self.stroke(path, player);
        }
        for (x, y) in points.into_iter().flatten() {
            self.point(x, y, player);
        }
    }

    fn mark(&mut self, mistake: &Mistake, value: f64, before: usize) {
        let (colour, _) = style(mistake.player);
        let x = self.scales.x(mistake.turn - 1) + 11.0 * before as f64;
        let text = format!("turn {}: {}", mistake.turn, mistake.text);
        self.shape(mistake.grade, x, self.scales.y(value) - 12.0, colour, &text);
    }

    /// A cross for a changed result, a diamond for a lost margin, nothing for a note.
    fn shape(&mut self, grade: MistakeGrade, x: f64, y: f64, colour: &str, title: &str) {
        let (x, y) = (short(x), short(y));
        let (class, d, width, fill) = match grade {
            MistakeGrade::Result | MistakeGrade::AtOnce => ("result", "m-5 -5l10 10m0 -10l-10 10", 2.6, "none"),
            MistakeGrade::Margin | MistakeGrade::Probable => ("margin", "m0 -5l4 5l-4 5l-4 -5z", 1.2, "#fff"),
            MistakeGrade::Slower => return,
        };
        let path = Path::new().set("class", class).set("d", format!("M{x} {y}{d}")).set("stroke-width", width);
        let path = path.set("fill", fill).set("stroke", colour);
        self.page.add(if title.is_empty() { path } else { path.add(Title::new(clean(title))) });
    }
}

fn style(player: Player) -> (&'static str, &'static str) {
    player.either((ALICE, ""), (BOB, "5 3"))
}
