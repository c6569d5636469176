//! The width of bounds on 6 x 7 Connect Four after a given time: `cargo bench -p richman-lines
//! --bench bounds -- SECONDS`.
//!
//! Compares layers that start from bounds by the lines with a plain search that uses the same
//! bounds at its leaves. Both deepen while there is time, and must agree at equal depths. Prints
//! what Alice needs at most and the width of the bounds on the win threshold, which is at least one
//! half because the start is fair. The layers' width must be at most half the search's.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use richman_core::{Effort, Player};
use richman_lines::board::LineBoard;
use richman_lines::engine::{Layers, LeafLines, ROUNDED_BITS, gather};

mod common;
use common::board;

const ROWS: usize = 6;
const COLS: usize = 7;
const ALL: u64 = 1 << ROUNDED_BITS;

/// The search that a programmer would write first.
struct Plain<'a> {
    board: &'a LineBoard,
    leaves: HashMap<u64, LeafLines>,
    end: Instant,
}

impl Plain<'_> {
    fn need(&mut self, [alice, bob]: [u64; 2], depth: u32) -> Option<u64> {
        if self.board.has_line(Player::Alice, alice) {
            return Some(0);
        }
        if self.board.has_line(Player::Bob, bob) {
            return Some(ALL);
        }
        let shape = alice | bob;
        if depth == 0 {
            let leaves = self.leaves.entry(shape).or_insert_with(|| LeafLines::new(self.board, shape));
            return (Instant::now() < self.end).then(|| leaves.need(gather(alice, shape)));
        }
        let (mut least, mut most, mut open) = (ALL, 0, self.board.open(shape));
        while open != 0 {
            let cell = open & open.wrapping_neg();
            open ^= cell;
            least = least.min(self.need([alice | cell, bob], depth - 1)?);
            most = most.max(self.need([alice, bob | cell], depth - 1)?);
        }
        Some((least + most).div_ceil(2))
    }
}

fn width(need: u64) -> f64 {
    need as f64 / ALL as f64 - 0.5
}

fn main() {
    let seconds = std::env::args().skip(1).find_map(|text| text.parse().ok()).unwrap_or(20);
    let time = Duration::from_secs(seconds);
    let board = board(ROWS, COLS);
    let mut plain = Plain { board: &board, leaves: HashMap::new(), end: Instant::now() + time };
    let mut found = Vec::new();
    while let Some(need) = plain.need([0, 0], found.len() as u32 + 1) {
        found.push(need);
    }
    let reached = *found.last().expect("one stone ahead takes no time");
    println!(
        "plain search, {seconds} s: {} stones ahead, at most {reached} / 2^{ROUNDED_BITS}, width {:.4}",
        found.len(),
        width(reached)
    );
    let start = Instant::now();
    let (mut best, mut depth, mut positions, mut last) = (ALL, 0, 1_u64 << 10, Duration::ZERO);
    while start.elapsed() + 3 * last < time {
        positions *= 2;
        let (deeper, _) = Layers::bounds_depth(&board, positions);
        if deeper == depth {
            continue;
        }
        depth = deeper;
        let before = Instant::now();
        let effort = Effort { memory: 16 << 30, ..Effort::default() };
        let mut layers = Layers::bounds(board.clone(), positions, effort).expect("not cancelled");
        while layers.step().expect("it fits").is_some() {}
        best = layers.need([0, 0], 0).expect("in memory").expect("the start");
        last = before.elapsed();
        if let Some(need) = found.get(depth as usize - 1) {
            assert_eq!(best, *need, "{depth} stones ahead");
        }
    }
    println!(
        "layers, {seconds} s:       {depth} stones ahead, at most {best} / 2^{ROUNDED_BITS}, width {:.4}",
        width(best)
    );
    assert!(2.0 * width(best) <= width(reached), "more than half as wide");
}
