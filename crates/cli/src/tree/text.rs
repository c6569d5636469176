//! The tree as indented lines, for people.

use std::fmt::Write;

use richman_analysis::tree::{TreeEdge, TreeReport, Wedge};
use richman_core::Unfolding;

use crate::render;

/// The longest wedge sum that is printed unless more is asked for, in characters.
const LONGEST: usize = 60;

/// The tree; wedge sums in full where `wide`.
pub fn render(report: &TreeReport, unfolding: &dyn Unfolding, wide: bool) -> String {
    let mut text = render::head(&report.game, &report.position, &report.mechanism, Some(unfolding));
    let _ = writeln!(text, "{}\n", super::heading(report));
    let mut lines = Lines { report, wide, rows: Vec::new(), printed: vec![false; report.nodes.len()] };
    lines.node(0, "", "", String::new());
    let width = |cell: fn(&[String; 3]) -> &String| {
        lines.rows.iter().filter(|row| !row[1].is_empty()).map(|row| cell(row).chars().count()).max().unwrap_or(0)
    };
    let (first, second) = (width(|row| &row[0]), width(|row| &row[1]));
    for [place, worth, rest] in &lines.rows {
        let line = format!("{place:first$}  {worth:second$}  {rest}");
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text.push('\n');
    notes(&mut text, report);
    text
}

struct Lines<'a> {
    report: &'a TreeReport,
    wide: bool,
    /// The position, its threshold, its wedge sum and remarks.
    rows: Vec<[String; 3]>,
    printed: Vec<bool>,
}

impl Lines<'_> {
    /// A position and what follows; `stem` stands before its own line, `trunk` before those below.
    fn node(&mut self, index: usize, stem: &str, trunk: &str, by: String) {
        let node = &self.report.nodes[index];
        if std::mem::replace(&mut self.printed[index], true) {
            self.rows.push([format!("{stem}{by} = {}", node.label), String::new(), String::new()]);
            return;
        }
        let place = match by.is_empty() {
            true => format!("{}  {}", node.label, node.position),
            false => format!("{stem}{by}: {}  {}", node.label, node.position),
        };
        let mut rest = node.wedge.as_ref().map_or_else(String::new, |wedge| self.sum(wedge));
        for (remark, holds) in [
            ("won by Alice", node.winner == Some("alice")),
            ("won by Bob", node.winner == Some("bob")),
            ("zugzwang", node.zugzwang),
            ("...", node.cut),
        ] {
            if holds {
                rest = if rest.is_empty() { remark.to_string() } else { format!("{rest}  {remark}") };
            }
        }
        self.rows.push([place, node.worth().to_string(), rest]);
        let moves = self.report.moves(index);
        // Moves that win are named on one line for each player.
        let mut branches: Vec<Vec<&TreeEdge>> = Vec::new();
        for edge in moves {
            match branches.last_mut() {
                Some(last) if edge.to.is_none() && last[0].to.is_none() && last[0].player == edge.player => {
                    last.push(edge)
                }
                _ => branches.push(vec![edge]),
            }
        }
        let count = branches.len();
        for (number, branch) in branches.into_iter().enumerate() {
            let (fork, below) = if number + 1 < count { ("├─ ", "│  ") } else { ("└─ ", "   ") };
            let (stem, trunk) = (format!("{trunk}{fork}"), format!("{trunk}{below}"));
            let by = played(&branch);
            match &branch[0].to {
                Some(to) => self.node(to.index, &stem, &trunk, by),
                None => self.rows.push([format!("{stem}{by} wins"), String::new(), String::new()]),
            }
        }
    }

    fn sum(&self, wedge: &Wedge) -> String {
        let terms = wedge.terms.as_ref().unwrap_or(&wedge.sum);
        let sum = if self.wide || wedge.sum.chars().count() <= LONGEST { &wedge.sum } else { terms };
        match (wedge.fails_at, sum == terms) {
            (None, _) => sum.clone(),
            (Some(total), true) => format!("{sum} not for all totals (first not for {total})"),
            (Some(total), false) => format!("{sum}; {terms} not for all totals (first not for {total})"),
        }
    }
}

/// The player, the move, and how many others are as good.
fn played(branch: &[&TreeEdge]) -> String {
    let names: Vec<&str> = branch.iter().map(|edge| edge.name.as_str()).collect();
    let others = (branch[0].as_good + 1).saturating_sub(branch.len());
    let mark =
        if others > 0 && branch[0].to.is_some() && branch.len() == 1 { format!(" (+{others})") } else { String::new() };
    format!("{} {}{mark}", branch[0].player, names.join(", "))
}

/// What the marks mean, those that occur.
fn notes(text: &mut String, report: &TreeReport) {
    let moves = report.edges.iter().filter(|edge| edge.to.is_some()).count();
    let wins = report.edges.len() - moves;
    let _ = write!(text, "{} and {}", counted(report.nodes.len(), "position"), counted(moves, "move"));
    if wins > 0 {
        let _ = write!(
            text,
            ", and {} at once",
            if wins == 1 { "1 that wins".to_string() } else { format!("{wins} that win") }
        );
    }
    text.push_str(". Symmetric positions are one.\n");
    if report.edges.iter().any(|edge| edge.as_good > 0 && edge.to.is_some()) {
        text.push_str("(+1): one other move, to another position, is as good.\n");
    }
    if report.nodes.iter().any(|node| node.wedge.is_some()) {
        text.push_str(
            "A position 2a & 2b is for every total of chips the game in which whoever moves may move to 2a or to 2b.\n",
        );
    }
    if let Some(reason) = &report.unproved {
        let _ = writeln!(text, "No wedge sums: {reason}.");
    }
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
