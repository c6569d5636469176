//! The tree as a graph for Graphviz.

use std::fmt::Write;

use richman_analysis::tree::TreeReport;

/// The longest wedge sum of a label, in characters.
const LONGEST: usize = 40;

/// The graph: positions with label, picture, threshold and wedge sum, ranked by rows; Alice's moves
/// in red, Bob's in blue.
pub fn render(report: &TreeReport) -> String {
    let title = format!("{}\n{}", report.head.game, super::heading(report));
    let mut text = format!("digraph {} {{\n", quoted(&report.head.game));
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
        if report.is_owned(index) {
            lines.push("no bid".to_string());
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
        let color = super::colour(edge.player);
        let (from, to, name) = (edge.from.index, to.index, quoted(&edge.name));
        let _ = writeln!(text, "  n{from} -> n{to} [color=\"{color}\", fontcolor=\"{color}\", label={name}];");
    }
    text.push_str("}\n");
    text
}

/// A DOT string; line breaks are escaped.
fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{}\"", escaped.replace(char::is_control, "\u{fffd}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::tests::{GAMES, grown};

    /// The tokens, with each string as one token.
    fn tokens(text: &str) -> Vec<String> {
        let mut tokens = Vec::new();
        let mut letters = text.chars();
        while let Some(letter) = letters.next() {
            if letter == '"' {
                let mut string = String::new();
                loop {
                    match letters.next().expect("a string that ends") {
                        '"' => break,
                        '\\' => string.extend(letters.next()),
                        letter => string.push(letter),
                    }
                }
                tokens.push(format!("string {string}"));
            } else if !letter.is_whitespace() {
                tokens.push(letter.to_string());
            }
        }
        tokens
    }

    #[test]
    fn graphs_are_balanced() {
        for report in GAMES.into_iter().flat_map(grown) {
            let text = render(&report);
            assert_eq!(text, render(&report));
            let mut open = Vec::new();
            for token in tokens(&text) {
                match token.as_str() {
                    "{" | "[" => open.push(token),
                    "}" => assert_eq!(open.pop().as_deref(), Some("{")),
                    "]" => assert_eq!(open.pop().as_deref(), Some("[")),
                    _ => {}
                }
            }
            assert!(open.is_empty(), "{text}");
            assert_eq!(text.matches(" -> ").count(), report.edges.iter().filter(|edge| edge.to.is_some()).count());
            for index in 0..report.nodes.len() {
                assert_eq!(text.matches(&format!("\n  n{index} [label=")).count(), 1, "{text}");
            }
        }
    }

    #[test]
    fn strings_are_quoted() {
        assert_eq!(quoted("a\"b\\c\nd\u{7}"), "\"a\\\"b\\\\c\\nd\u{fffd}\"");
    }
}
