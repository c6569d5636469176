//! Trees of optimal moves as text, as Graphviz DOT and as SVG.

pub mod dot;
pub mod layout;
pub mod svg;
pub mod text;

use richman_analysis::tree::{Goal, TreeReport, Wedge};

/// The colour of Alice's moves.
const ALICE: &str = "#c0272d";
/// The colour of Bob's moves.
const BOB: &str = "#1f5fbf";

/// The rows of a position that is written as a board, from the top: A, B or . for every cell, all rows equally long.
///
/// Names of other positions, such as A and B themselves, are no boards.
fn board(position: &str) -> Option<std::str::Split<'_, char>> {
    let cells = position.split('/').next().map_or(0, str::len);
    let is_row = |row: &str| row.len() == cells && row.bytes().all(|cell| matches!(cell, b'A' | b'B' | b'.'));
    (position.len() > 1 && position.split('/').all(is_row)).then(|| position.split('/'))
}

/// What the tree is for, in words.
fn heading(report: &TreeReport) -> String {
    let money = match report.chips {
        None => "real money".to_string(),
        Some(1) => "1 chip".to_string(),
        Some(chips) => format!("{chips} chips"),
    };
    let bound = if report.exact { "" } else { ", by bounds on the thresholds" };
    let draw = match report.goal {
        Goal::Win => "a draw counts as a win of Bob",
        Goal::Draw => "a draw counts as a win of Alice",
    };
    format!("Optimal moves for {money}{bound}; {draw}.")
}

/// For which total the tree's moves are the first time not best.
fn failure(total: u32) -> String {
    if total == 1 { "fails with 1 chip".to_string() } else { format!("fails with {total} chips") }
}

/// The wedge sum where it is not too long, else by labels, and where the moves fail.
fn sum(wedge: &Wedge, fits: impl Fn(&str) -> bool) -> String {
    let terms = wedge.terms.as_ref().unwrap_or(&wedge.sum);
    let sum = if fits(&wedge.sum) { &wedge.sum } else { terms };
    match wedge.fails_at {
        None => sum.clone(),
        Some(total) if sum == terms => format!("{sum} ({})", failure(total)),
        Some(total) => format!("{sum}, but {terms} ({})", failure(total)),
    }
}
