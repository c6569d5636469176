//! The tree as indented lines.

use std::fmt::Write;

use richman_analysis::tree::{TreeEdge, TreeReport};

use crate::reports;
use crate::words::counted;

/// The longest wedge sum printed by default, in characters.
const LONGEST: usize = 60;

/// Wider columns are not aligned, in characters.
const WIDEST: usize = 120;

/// Marks a move that is best for the total of chips but not for real money.
const UNSTABLE: &str = " !";

/// Marks a move that keeps to bounds that do not tell whether it is best.
const UNDECIDED: &str = " ?";

/// The tree below the picture of its start; wedge sums in full if `wide`.
pub fn render(report: &TreeReport, picture: String, wide: bool) -> String {
    let mut text = reports::parts::head(&report.head, Some(picture), None);
    let _ = writeln!(text, "{}\n", super::heading(report));
    let mut lines = TreeText { report, wide, rows: Vec::new(), printed: vec![false; report.nodes.len()] };
    lines.node(0, "", "", String::new());
    let width = |cell: fn(&[String; 3]) -> &String| {
        lines.rows.iter().filter(|row| !row[1].is_empty()).map(|row| cell(row).chars().count()).max().unwrap_or(0)
    };
    let (first, second) = (width(|row| &row[0]).min(WIDEST), width(|row| &row[1]).min(WIDEST));
    for [place, worth, rest] in &lines.rows {
        let line = format!("{place:first$}  {worth:second$}  {rest}");
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text.push('\n');
    notes(&mut text, report);
    text
}

struct TreeText<'a> {
    report: &'a TreeReport,
    wide: bool,
    /// The position, its threshold, its wedge sum and remarks.
    rows: Vec<[String; 3]>,
    printed: Vec<bool>,
}

impl TreeText<'_> {
    /// A position and its descendants; `stem` precedes its own line, `trunk` those below.
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
        let fits = |sum: &str| self.wide || sum.chars().count() <= LONGEST;
        let mut rest = node.wedge.as_ref().map_or_else(String::new, |wedge| super::sum(wedge, fits));
        for (remark, holds) in [
            ("won by Alice", node.winner == Some("alice") && !node.needs_money),
            ("won by Bob", node.winner == Some("bob") && !node.needs_money),
            ("won by Alice with any money", node.winner == Some("alice") && node.needs_money),
            ("won by Bob with any money", node.winner == Some("bob") && node.needs_money),
            ("zugzwang", node.zugzwang),
            ("no bid", self.report.is_owned(index)),
            ("...", node.cut && node.wedge.is_none()),
        ] {
            if holds {
                rest = if rest.is_empty() { remark.to_string() } else { format!("{rest}  {remark}") };
            }
        }
        self.rows.push([place, node.worth().to_string(), rest]);
        let moves = self.report.moves(index);
        // Winning moves share one line for each player.
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
            let shown = moves.iter().filter(|edge| edge.player == branch[0].player).count();
            let by = played(&branch, shown);
            match &branch[0].to {
                Some(to) => self.node(to.index, &stem, &trunk, by),
                None => self.rows.push([format!("{stem}{by} wins"), String::new(), String::new()]),
            }
        }
    }
}

/// The player, the move and remarks; the tree has `shown` of the player's moves.
fn played(branch: &[&TreeEdge], shown: usize) -> String {
    let names: Vec<&str> = branch.iter().map(|edge| edge.name.as_str()).collect();
    let edge = branch[0];
    let others = edge.as_good + 1 - shown;
    let mut mark = String::new();
    if others > 0 && edge.to.is_some() {
        let _ = write!(mark, " (+{others})");
    }
    if edge.stable == Some(false) {
        mark.push_str(UNSTABLE);
    }
    if !edge.decided {
        mark.push_str(UNDECIDED);
    }
    format!("{} {}{mark}", edge.player, names.join(", "))
}

fn notes(text: &mut String, report: &TreeReport) {
    let moves = report.edges.iter().filter(|edge| edge.to.is_some()).count();
    let _ = write!(text, "{} and {}", counted(report.nodes.len() as u64, "position"), counted(moves as u64, "move"));
    let _ = match report.edges.len() - moves {
        0 => writeln!(text, ". Symmetric positions count as one."),
        1 => writeln!(text, ", and 1 that wins at once. Symmetric positions count as one."),
        wins => writeln!(text, ", and {wins} that win at once. Symmetric positions count as one."),
    };
    if text.contains(" (+") {
        text.push_str("(+1): one other move, to another position, is as good.\n");
    }
    if report.edges.iter().any(|edge| edge.stable == Some(false)) {
        text.push_str("!: for real money another move is better.\n");
    }
    if report.edges.iter().any(|edge| !edge.decided) {
        text.push_str("?: it keeps to the bounds, which do not decide whether another move is better.\n");
    }
    if report.nodes.iter().any(|node| node.wedge.is_some()) {
        text.push_str("2a & 2b: a game with the same thresholds, in which either player may move to 2a or 2b.\n");
    }
    if (0..report.nodes.len()).any(|index| report.is_owned(index)) {
        text.push_str("no bid: only the player whose move is shown moves there.\n");
    }
    let failures = report.nodes.iter().filter_map(|node| node.wedge.as_ref()?.fails_at);
    if let Some(total) = failures.min() {
        let failure = super::failure(total);
        let _ = writeln!(text, "({failure}): not for all totals; this is the first for which other moves are better.");
    }
    if let Some(reason) = &report.unproved {
        let _ = writeln!(text, "No wedge sums: {reason}.");
    }
}

#[cfg(test)]
mod tests {
    use richman_core::Effort;

    use super::*;
    use crate::tree::tests::grown;

    #[test]
    fn a_tree_as_text() {
        let game = "connect:rows=1,cols=4,line=2";
        let subject = richman_analysis::Subject::named(game).unwrap();
        let unfolding = subject.unfold(None, &Effort::default()).unwrap();
        let text = render(&grown(game)[0], reports::parts::picture(unfolding.as_ref()), false);
        let expected = "\
connect:rows=1,cols=4,line=2

  a b c d
1 . . . .

Optimal moves for real money; a draw counts as a win of Bob.

start  ....                 1/2  E
├─ Alice b: 1a  .A..        1/4  A^2
│  ├─ Alice a wins
│  └─ Bob a (+2): 2a  BA..  1/2  E
│     ├─ Alice c wins
│     └─ Bob c wins
└─ Bob a (+1): 1b  B...     3/4  B^2
   ├─ Alice b (+2) = 2a
   └─ Bob b wins

4 positions and 4 moves, and 4 that win at once. Symmetric positions count as one.
(+1): one other move, to another position, is as good.
2a & 2b: a game with the same thresholds, in which either player may move to 2a or 2b.
";
        assert_eq!(text, expected);
    }
}
