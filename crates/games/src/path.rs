//! Drawings of a token on a path, with Alice's end on the left and Bob's on the right.

use std::collections::BTreeSet;

use richman_core::{Game, Mark, MarkRole, MarkShape, Player, Scene, Terminal};

/// Longer paths are drawn only around the token.
const LONGEST: u32 = 12;
/// The nodes drawn on each side of the token.
const AROUND: u32 = 3;
const APART: i32 = 100;
const RADIUS: i32 = 30;
/// The radius of the ends.
const GOAL: i32 = 40;
/// The margin at the sides.
const EDGE: i32 = 10;
/// The height of the path without jumps drawn above it, and with them.
const LINE: [i32; 2] = [52, 130];
/// The distance of the names and the lower edge below the path.
const NAMES: i32 = 62;
const BELOW: i32 = 80;
const NAME: i32 = 24;

/// A ribbon tied around the path.
const TOKEN: &str = "M37 24q13-6 26 0l3 38q-2 5-6 5l10 22-12-3-8 7-8-7-12 3 10-22q-4 0-6-5z";

/// A game in which a token moves along a path.
pub(crate) trait PathGame: Game {
    /// The last node; the first is 0.
    fn last(&self) -> u32;
    /// The position with the token at a node.
    fn at(&self, node: u32) -> Self::Position;
    /// The player to whom an unfinished node belongs.
    fn side(&self, _node: u32) -> Option<Player> {
        None
    }
    /// The targets of moves to nodes not adjacent to the token.
    fn jumps(&self, _token: u32) -> Vec<(Player, u32)> {
        Vec::new()
    }
    /// Whether there are such moves.
    const HAS_JUMPS: bool = false;
}

/// The path with its token. Each node drawn is a place. Of a long path, only the ends, the nodes
/// around the token and those in `kept` are drawn.
pub(crate) fn scene<G: PathGame>(game: &G, token: u32, kept: &[u32]) -> Scene {
    let line = LINE[usize::from(G::HAS_JUMPS)];
    let (mut track, mut marks) = (Vec::new(), Vec::new());
    let mut x = EDGE + GOAL;
    let mut middles: Vec<(u32, i32)> = Vec::new();
    for node in drawn(game.last(), token, kept) {
        if let Some((before, from)) = middles.last() {
            let is_gap = node > before + 1;
            let from = *from;
            x += if is_gap { 2 * APART } else { APART };
            track.extend(link([from, x], line, is_gap));
        }
        marks.extend(node_marks(game, node, [x, line], node == token));
        middles.push((node, x));
    }
    let x_of = |node| middles.iter().find(|(other, _)| *other == node).map(|(_, x)| *x);
    let jumps = game.jumps(token).into_iter();
    let jumps = jumps.filter_map(|(player, to)| Some(jump(player, x_of(token)?, x_of(to)?, line))).flatten();
    let marks = track.into_iter().chain(marks).chain(jumps).collect();
    Scene { width: x + GOAL + EDGE, height: line + BELOW, marks }
}

/// Pressing a node moves the token there.
pub(crate) fn set_up<G: PathGame>(game: &G, position: &G::Position) -> Vec<(Mark, G::Position)> {
    let marks = game.scene(position).into_iter().flat_map(|scene| scene.marks);
    let pressed = |mark: Mark| {
        let to = game.parse(mark.place.as_deref()?).ok().filter(|to| to != position)?;
        let at = mark.shape.middle()?.map(|at| at - APART / 2);
        let room = MarkShape::Rectangle { at, width: APART, height: APART };
        Some((Mark { shape: room, look: MarkRole::Clear, ..mark }, to))
    };
    marks.filter_map(pressed).collect()
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

/// The path between two nodes, with an ellipsis if nodes between them are omitted.
fn link([from, to]: [i32; 2], y: i32, is_gap: bool) -> Vec<Mark> {
    let line = |from: i32, to: i32| Mark::seen(MarkShape::Line { from: [from, y], to: [to, y] }, MarkRole::Track);
    if !is_gap {
        return vec![line(from, to)];
    }
    let middle = (from + to) / 2;
    let sign = MarkShape::Text { at: [middle, y], size: 2 * NAME, text: "\u{2026}".to_string() };
    vec![line(from, middle - RADIUS), Mark::seen(sign, MarkRole::Guide), line(middle + RADIUS, to)]
}

fn node_marks<G: PathGame>(game: &G, node: u32, at: [i32; 2], has_token: bool) -> Vec<Mark> {
    let position = game.at(node);
    let name = game.notation(&position);
    let (look, radius, mut label) = match (game.terminal(&position), game.side(node)) {
        (Some(Terminal::Win(player)), _) => (MarkRole::Of(player), GOAL, format!("{name}, where {player} wins")),
        (_, Some(player)) => (MarkRole::Side(player), RADIUS, name.clone()),
        _ => (MarkRole::Field, RADIUS, name.clone()),
    };
    if has_token {
        label += ", the token";
    }
    let mut marks = vec![Mark::place(MarkShape::Disc { at, radius }, look, name.clone(), label)];
    if has_token {
        let at = at.map(|at| at - MarkShape::FIGURE / 2);
        marks.push(Mark::seen(MarkShape::Figure { at, outline: TOKEN }, MarkRole::Neutral));
    }
    // Long names get a smaller size.
    let size = NAME.min(3 * APART / 2 / name.len().max(1) as i32);
    let text = MarkShape::Text { at: [at[0], at[1] + NAMES], size, text: name };
    marks.push(Mark::seen(text, MarkRole::Guide));
    marks
}

/// An arrow above the path.
fn jump(player: Player, from: i32, to: i32, line: i32) -> [Mark; 2] {
    const LONG: f64 = 22.0;
    const WIDE: f64 = 0.5;
    let towards = [(from + to) / 2, 4 - line / 2];
    let end = [to, line - GOAL - 6];
    // The unit vector along the arrow's head.
    let along = [end[0] - towards[0], end[1] - towards[1]].map(f64::from);
    let along = along.map(|part| LONG * part / along[0].hypot(along[1]));
    let back = |sideways: f64| {
        let [right, down] = [along[0] + sideways * along[1], along[1] - sideways * along[0]];
        [end[0] - right.round() as i32, end[1] - down.round() as i32]
    };
    let curve = MarkShape::Curve { from: [from, line - RADIUS - 12], towards, to: back(0.0) };
    let head = MarkShape::Polygon { points: vec![end, back(WIDE), back(-WIDE)] };
    [Mark::seen(curve, MarkRole::Side(player)), Mark::seen(head, MarkRole::Of(player))]
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
