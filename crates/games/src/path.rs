//! Drawings of a token on a path, with Alice's end on the left and Bob's on the right.

use std::collections::BTreeSet;

use richman_core::{Game, Mark, MarkRole, MarkShape, Scene, Terminal};

/// Longer paths are drawn only around the token.
const LONGEST: u32 = 12;
/// The nodes drawn on each side of the token.
const AROUND: u32 = 3;
const APART: i32 = 100;
const RADIUS: i32 = 38;
const TOKEN: i32 = 26;
const LINE: i32 = 60;
const NAMES: i32 = 125;
const HEIGHT: i32 = 150;
const NAME: i32 = 34;

/// The path with nodes 0 to `last` and its token. Each node drawn is a place. Of a long path, only
/// the ends, the nodes around the token and those in `kept` are drawn. `at` is the position at a
/// node.
pub(crate) fn scene<G: Game>(game: &G, last: u32, token: u32, kept: &[u32], at: impl Fn(u32) -> G::Position) -> Scene {
    let mut marks = Vec::new();
    let mut x = APART / 2;
    let mut before: Option<(u32, i32)> = None;
    for node in drawn(last, token, kept) {
        if let Some((other, from)) = before {
            let is_gap = node > other + 1;
            x += if is_gap { 2 * APART } else { APART };
            marks.extend(link(from, x, is_gap));
        }
        let position = at(node);
        marks.extend(node_marks(game.notation(&position), game.terminal(&position), x, node == token));
        before = Some((node, x));
    }
    Scene { width: x + APART / 2, height: HEIGHT, marks }
}

fn drawn(last: u32, token: u32, kept: &[u32]) -> BTreeSet<u32> {
    if last <= LONGEST {
        return (0..=last).collect();
    }
    let around = token.saturating_sub(AROUND)..=token.saturating_add(AROUND).min(last);
    let mut drawn: BTreeSet<u32> = kept.iter().copied().chain([0, last]).chain(around).collect();
    // A single node takes less room than an ellipsis.
    let lonely: Vec<u32> = drawn.iter().map(|node| node + 1).filter(|node| drawn.contains(&(node + 1))).collect();
    drawn.extend(lonely);
    drawn
}

/// The line between two nodes, with an ellipsis if others are left out.
fn link(from: i32, to: i32, is_gap: bool) -> Vec<Mark> {
    let line = |from: i32, to: i32| Mark::seen(MarkShape::Line { from: [from, LINE], to: [to, LINE] }, MarkRole::Guide);
    let (from, to) = (from + RADIUS, to - RADIUS);
    if !is_gap {
        return vec![line(from, to)];
    }
    let middle = (from + to) / 2;
    let sign = MarkShape::Text { at: [middle, LINE], size: NAME, text: "\u{2026}".to_string() };
    vec![line(from, middle - TOKEN), Mark::seen(sign, MarkRole::Guide), line(middle + TOKEN, to)]
}

fn node_marks(name: String, end: Option<Terminal>, x: i32, has_token: bool) -> Vec<Mark> {
    let (look, mut label) = match end {
        Some(Terminal::Win(player)) => (MarkRole::Of(player), format!("{name}, where {player} wins")),
        _ => (MarkRole::Field, name.clone()),
    };
    if has_token {
        label += ", the token";
    }
    let shape = MarkShape::Disc { at: [x, LINE], radius: RADIUS };
    let mut marks = vec![Mark::place(shape, look, name.clone(), label)];
    if has_token {
        marks.push(Mark::seen(MarkShape::Disc { at: [x, LINE], radius: TOKEN }, MarkRole::Neutral));
    }
    // Long names are written smaller.
    let size = NAME.min(3 * APART / 2 / name.len().max(1) as i32);
    let text = MarkShape::Text { at: [x, NAMES], size, text: name };
    marks.push(Mark::seen(text, MarkRole::Guide));
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
