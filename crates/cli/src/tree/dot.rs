//! The tree as a graph for Graphviz.

use std::fmt::Write;

use richman_analysis::tree::TreeReport;
use richman_core::Player;

/// The longest wedge sum of a label, in characters.
const LONGEST: usize = 40;

/// The graph: positions with label, picture, threshold and wedge sum, ranked by rows; moves of Alice in red, of Bob in blue.
pub fn render(report: &TreeReport) -> String {
    let title = format!("{}\n{}", report.game, super::heading(report));
    let mut text = format!("digraph {} {{\n", quoted(&report.game));
    let _ = writeln!(text, "  graph [label={}, labelloc=t, fontname=\"Helvetica\", ranksep=0.6];", quoted(&title));
    text.push_str("  node [shape=box, style=rounded, fontname=\"Courier\", fontsize=11];\n");
    text.push_str("  edge [fontname=\"Helvetica\", fontsize=10];\n");
    for (index, node) in report.nodes.iter().enumerate() {
        let mut lines = vec![node.label.clone()];
        match super::board(&node.position) {
            Some(rows) => lines.extend(rows.map(String::from)),
            None => lines.push(node.position.clone()),
        }
        lines.push(node.worth().to_string());
        if let Some(wedge) = &node.wedge {
            lines.push(super::sum(wedge, |sum| sum.chars().count() <= LONGEST));
        }
        if node.zugzwang {
            lines.push("zugzwang".to_string());
        }
        let _ = writeln!(text, "  n{index} [label={}];", quoted(&lines.join("\n")));
    }
    let mut first = 0;
    for row in report.nodes.chunk_by(|a, b| a.row == b.row) {
        let names: Vec<String> = (first..first + row.len()).map(|index| format!("n{index};")).collect();
        let _ = writeln!(text, "  {{ rank=same; {} }}", names.join(" "));
        first += row.len();
    }
    for edge in &report.edges {
        let Some(to) = &edge.to else { continue };
        let color = match edge.player {
            Player::Alice => super::ALICE,
            Player::Bob => super::BOB,
        };
        let (from, to, name) = (edge.from.index, to.index, quoted(&edge.name));
        let _ = writeln!(text, "  n{from} -> n{to} [color=\"{color}\", fontcolor=\"{color}\", label={name}];");
    }
    text.push_str("}\n");
    text
}

/// A string as DOT writes it; lines end with an escape.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for letter in text.chars() {
        match letter {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            letter if letter.is_control() => quoted.push(char::REPLACEMENT_CHARACTER),
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}
