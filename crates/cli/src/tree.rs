//! Trees of optimal moves as text, as Graphviz DOT and as SVG.

pub mod dot;
pub mod layout;
pub mod svg;
pub mod text;

use richman_analysis::tree::{Goal, TreeReport};

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
