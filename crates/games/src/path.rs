//! Drawings of a token on a path, with Alice's end at the left and Bob's at the right.

use std::collections::BTreeSet;

use richman_core::{Look, Mark, Player, Scene, Shape};

/// Longer paths are drawn around the token only.
const LONGEST: u32 = 12;
/// How far around the token.
const AROUND: u32 = 3;
const APART: i32 = 100;
const RADIUS: i32 = 38;
const TOKEN: i32 = 26;
const LINE: i32 = 60;
const NAMES: i32 = 125;
const HEIGHT: i32 = 150;
const NAME: i32 = 34;

/// A node of the path.
pub(crate) struct Stop {
    /// What it is called.
    pub name: String,
    /// Who wins here.
    pub goal: Option<Player>,
}

/// The path with nodes 0 to `last` and its token, every node drawn a place; of a long path the ends, the nodes around the token and those in
/// `kept`.
pub(crate) fn scene(last: u32, token: u32, kept: &[u32], stop: impl Fn(u32) -> Stop) -> Scene {
    let mut marks = Vec::new();
    let mut x = APART / 2;
    let mut before: Option<(u32, i32)> = None;
    for node in drawn(last, token, kept) {
        if let Some((other, from)) = before {
            let is_gap = node > other + 1;
            x += if is_gap { 2 * APART } else { APART };
            marks.extend(link(from, x, is_gap));
        }
        marks.extend(node_marks(&stop(node), x, node == token));
        before = Some((node, x));
    }
    Scene { width: x + APART / 2, height: HEIGHT, marks }
}

/// The nodes that are drawn.
fn drawn(last: u32, token: u32, kept: &[u32]) -> BTreeSet<u32> {
    if last <= LONGEST {
        return (0..=last).collect();
    }
    let around = token.saturating_sub(AROUND)..=token.saturating_add(AROUND).min(last);
    let mut drawn: BTreeSet<u32> = kept.iter().copied().chain([0, last]).chain(around).collect();
    // One node takes less room than the sign for its absence.
    let lonely: Vec<u32> = drawn.iter().map(|node| node + 1).filter(|node| drawn.contains(&(node + 1))).collect();
    drawn.extend(lonely);
    drawn
}

/// The line between two nodes, and a sign where others are left out.
fn link(from: i32, to: i32, is_gap: bool) -> Vec<Mark> {
    let line = |from: i32, to: i32| Mark::seen(Shape::Line { from: [from, LINE], to: [to, LINE] }, Look::Guide);
    let (from, to) = (from + RADIUS, to - RADIUS);
    if !is_gap {
        return vec![line(from, to)];
    }
    let middle = (from + to) / 2;
    let sign = Shape::Text { at: [middle, LINE], size: NAME, text: "\u{2026}".to_string() };
    vec![line(from, middle - TOKEN), Mark::seen(sign, Look::Guide), line(middle + TOKEN, to)]
}

fn node_marks(stop: &Stop, x: i32, has_token: bool) -> Vec<Mark> {
    let look = stop.goal.map_or(Look::Field, Look::Of);
    let mut label = match stop.goal {
        Some(player) => format!("{}, where {player} wins", stop.name),
        None => stop.name.clone(),
    };
    if has_token {
        label += ", the token";
    }
    let shape = Shape::Disc { at: [x, LINE], radius: RADIUS };
    let mut marks = vec![Mark::place(shape, look, stop.name.clone(), label)];
    if has_token {
        marks.push(Mark::seen(Shape::Disc { at: [x, LINE], radius: TOKEN }, Look::Neutral));
    }
    // Long names are written smaller.
    let size = NAME.min(3 * APART / 2 / stop.name.len().max(1) as i32);
    let text = Shape::Text { at: [x, NAMES], size, text: stop.name.clone() };
    marks.push(Mark::seen(text, Look::Guide));
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_path_keeps_its_ends_and_what_is_near() {
        let nodes = |last, token, kept: &[u32]| drawn(last, token, kept).into_iter().collect::<Vec<u32>>();
        assert_eq!(nodes(4, 0, &[]), [0, 1, 2, 3, 4]);
        assert_eq!(nodes(1_000_000, 500, &[]), [0, 497, 498, 499, 500, 501, 502, 503, 1_000_000]);
        assert_eq!(nodes(1_000_000, 5, &[]), [0, 1, 2, 3, 4, 5, 6, 7, 8, 1_000_000]);
        assert_eq!(nodes(100, 100, &[1, 50]), [0, 1, 50, 97, 98, 99, 100]);
    }
}
