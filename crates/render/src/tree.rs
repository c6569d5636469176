//! Trees of optimal moves as text, as Graphviz DOT and as SVG.

pub mod dot;
pub mod layout;
pub mod svg;
pub mod text;

use richman_analysis::tree::{TreeGoal, TreeReport, Wedge};
use richman_core::{Player, counted};
use serde_json::json;

use crate::csv::from_json;

const ALICE: &str = "#c0272d";
const BOB: &str = "#1f5fbf";

fn colour(player: Player) -> &'static str {
    if player == Player::Alice { ALICE } else { BOB }
}

/// The rows of a position written as a board, from the top: A, B or . for every cell, all equally
/// long.
///
/// Names such as A and B themselves are not boards.
fn board(position: &str) -> Option<std::str::Split<'_, char>> {
    let cells = position.split('/').next().map_or(0, str::len);
    let is_row = |row: &str| row.len() == cells && row.bytes().all(|cell| matches!(cell, b'A' | b'B' | b'.'));
    (position.len() > 1 && position.split('/').all(is_row)).then(|| position.split('/'))
}

/// The tree's conditions, in words.
fn heading(report: &TreeReport) -> String {
    let money = match report.chips {
        None => "real money".to_string(),
        Some(chips) => counted(chips.into(), "chip"),
    };
    let bound = match (report.exact, report.edges.iter().all(|edge| edge.decided)) {
        (true, _) => "",
        (false, true) => ", by bounds on the thresholds",
        (false, false) => ", as far as bounds on the thresholds decide (else moves that keep to the bounds)",
    };
    let draw = match report.goal {
        _ if !report.has_draws => "",
        TreeGoal::Win => "; a draw counts as a win of Bob",
        TreeGoal::Draw => "; a draw counts as a win of Alice",
    };
    format!("Optimal moves for {money}{bound}{draw}.")
}

/// The first total for which the tree's moves are not best.
fn failure(total: u32) -> String {
    format!("fails with {}", counted(total.into(), "chip"))
}

/// The wedge sum, or labels if it is too long, and the first total at which the moves fail.
fn sum(wedge: &Wedge, fits: impl Fn(&str) -> bool) -> String {
    let terms = wedge.terms.as_ref().unwrap_or(&wedge.sum);
    let sum = if fits(&wedge.sum) { &wedge.sum } else { terms };
    match wedge.fails_at {
        None => sum.clone(),
        Some(total) if sum == terms => format!("{sum} ({})", failure(total)),
        Some(total) => format!("{sum}, but {terms} ({})", failure(total)),
    }
}

/// A tree: a row for each move with the position where it is made, and one for each position
/// without moves.
pub fn rows(report: &TreeReport) -> Vec<Vec<String>> {
    const COLUMNS: [(&str, &str); 2] = [
        ("/node", "label row position win~ draw~ winner wedge=wedge/sum zugzwang"),
        ("/move", "player move to to_position=position wins as_good"),
    ];
    let rows = report.nodes.iter().enumerate().flat_map(|(index, node)| {
        let moves = report.moves(index).iter().map(Some);
        let none = report.moves(index).is_empty().then_some(None);
        moves.chain(none).map(move |played| json!({ "node": node, "move": played }))
    });
    from_json(&COLUMNS, rows)
}

#[cfg(test)]
mod tests {
    use richman_analysis::tree::{self, TreeOptions};
    use richman_analysis::{Request, Subject};
    use richman_core::{Effort, Mechanism};

    use super::*;

    pub const GAMES: [&str; 9] = [
        "tic-tac-toe",
        "connect:rows=1,cols=4,line=2",
        "connect:rows=3,cols=3,line=3",
        "connect:rows=6,cols=1,line=2",
        "tug-of-war:length=9",
        "ultimatum",
        "expr:A",
        "expr:(A & B^2) & (A^3 & (E & B^4))",
        r#"{"name": "<a \"b\" & \\c>", "start": "<s & t>", "positions": {"<s & t>": {"both": ["\\z", "B"]},
            "\\z": {"alice": ["B"], "bob": ["A"]}, "A": {"winner": "alice"}, "B": {"winner": "bob"}}}"#,
    ];

    /// Trees of a game for several kinds of money.
    pub fn grown(game: &str) -> Vec<TreeReport> {
        let subject = if game.starts_with('{') {
            Subject::from_file("test", game.as_bytes(), &Effort::default())
        } else {
            Subject::named(game)
        };
        let unfolding = subject.unwrap().unfold(None, &Effort::default()).unwrap();
        let mechanism = Mechanism::default();
        let request = Request { unfolding: unfolding.as_ref(), mechanism: &mechanism, effort: Effort::default() };
        let usual = TreeOptions::default();
        let ways = [
            usual,
            TreeOptions { short: true, ..usual },
            TreeOptions { full: true, all: true, ..usual },
            TreeOptions { goal: TreeGoal::Draw, depth: Some(2), ..usual },
            TreeOptions { chips: Some("5".parse().unwrap()), short: true, ..usual },
        ];
        ways.iter().map(|choices| tree::report(&request, choices).unwrap()).collect()
    }

    #[test]
    fn boards_are_told_from_names() {
        for position in ["...", "A.B/.A./...", "AB", "./A"] {
            assert_eq!(board(position).map(|rows| rows.collect::<Vec<_>>().join("/")).as_deref(), Some(position));
        }
        for position in ["A", "B", ".", "", "3", "A & B", "A./.", "A/", "a.b", "/"] {
            assert!(board(position).is_none(), "{position:?}");
        }
    }
}
