//! Tables of thresholds.

use std::fmt::Write;

use richman_analysis::holdings::HoldingsTable;
use richman_analysis::stability::Stability;
use richman_analysis::table::{PeriodReport, TablePeriods, TableReport};
use richman_analysis::{AnyTable, ThresholdJson};
use richman_core::Player;

use super::Printed;
use super::chips::{NEEDS, cell};
use super::parts::head;
use crate::csv::from_json;
use crate::layout::Layout;

impl Printed for AnyTable {
    fn text(&self, layout: Layout) -> String {
        match self {
            AnyTable::Totals(table) => table.text(layout),
            AnyTable::Holdings(table) => table.text(layout),
        }
    }

    fn rows(&self) -> Vec<Vec<String>> {
        match self {
            AnyTable::Totals(table) => table.rows(),
            AnyTable::Holdings(table) => table.rows(),
        }
    }
}

impl Printed for TableReport {
    fn text(&self, layout: Layout) -> String {
        let mut text = head(&self.head, None, self.truncated);
        text.push_str("What Alice needs to force a win (win), and to prevent Bob from forcing one (draw):\n\n");
        let header = ["chips", "win", "draw"].map(String::from).to_vec();
        let rows = self.rows.iter().map(|row| vec![row.chips.to_string(), cell(&row.win), cell(&row.draw)]);
        text.push_str(&layout.aligned(std::iter::once(header).chain(rows), 0));
        let legend = legend(self.rows.iter().flat_map(|row| [&row.win, &row.draw]));
        let is_above = |threshold: &ThresholdJson, chips: u32| match threshold.threshold {
            Some(holding) => holding.0.chips() > chips,
            None => threshold.wins.is_none() && threshold.plain.max(threshold.star) > chips,
        };
        if self.rows.iter().any(|row| is_above(&row.win, row.chips) || is_above(&row.draw, row.chips)) {
            text.push_str("\nA number above the chips in the game: no holding suffices.\n");
        } else if !legend.is_empty() {
            text.push('\n');
        }
        text.push_str(&legend);
        text.push('\n');
        text.push_str(&periods(&self.period));
        if let Some(class) = &self.class {
            let _ = writeln!(text, "The win threshold is that of {} for all totals.", class.expression);
        }
        if let Some(stability) = &self.stability {
            stable(&mut text, "win", &stability.win);
            stable(&mut text, "draw", &stability.draw);
        }
        text
    }

    fn rows(&self) -> Vec<Vec<String>> {
        from_json(&[("", "chips win# draw#")], &self.rows)
    }
}

impl Printed for HoldingsTable {
    fn text(&self, layout: Layout) -> String {
        let fixed = fixed(self);
        let mut text = head(&self.head, None, self.truncated);
        let question = match fixed {
            Player::Bob => {
                "What Alice needs against Bob's chips: to force a win (win), and to prevent Bob from forcing one (draw)"
            }
            Player::Alice => {
                "What Bob needs against Alice's chips: to prevent her win (stop her), and to force his own (win)"
            }
        };
        let has_star = self.head.mechanism.0.has_star();
        let star = if has_star { format!("With the star: {} holds it. ", fixed.other()) } else { String::new() };
        let none = if self.reason.is_none() { "suffices" } else { "that was looked at suffices" };
        let _ = writeln!(text, "{question}.\n{star}-: no number of chips {none}.\n");
        let (head, rows) = against(self);
        text.push_str(&layout.aligned(std::iter::once(head).chain(rows), 0));
        if let Some(reason) = &self.reason {
            let _ = writeln!(text, "\nNot proved where a number is missing: {reason}.");
        }
        text
    }

    /// A cell is empty if no number of chips suffices.
    fn rows(&self) -> Vec<Vec<String>> {
        let fixed = fixed(self).either("alice", "bob");
        from_json(&[("", fixed), NEEDS], &self.rows)
    }
}

/// The player whose chips head the rows.
fn fixed(report: &HoldingsTable) -> Player {
    if report.rows.first().is_some_and(|row| row.alice.is_some()) { Player::Alice } else { Player::Bob }
}

/// Explains the thresholds in a table that are not a single holding.
fn legend<'a>(thresholds: impl Iterator<Item = &'a ThresholdJson>) -> String {
    let mut text = String::new();
    let (mut two, mut several) = (false, false);
    for threshold in thresholds {
        if let Some(wins) = &threshold.wins
            && !std::mem::replace(&mut several, true)
        {
            text.push_str(if wins.has_star {
                "2..4 6*: from 2 to 4 chips without the star or 6 with it suffice, and nothing else.\n"
            } else {
                "2..4 6: from 2 to 4 chips or 6 suffice, and nothing else.\n"
            });
        }
        if threshold.wins.is_none() && threshold.threshold.is_none() && !std::mem::replace(&mut two, true) {
            let ThresholdJson { plain, star, .. } = threshold;
            let _ = writeln!(
                text,
                "{plain} or {star}*: {plain} or more chips without the star, or {star} or more with it."
            );
        }
    }
    text
}

/// The proved periods, in lines.
pub fn periods(period: &TablePeriods) -> String {
    let said = |period: &PeriodReport| {
        let PeriodReport { block, step, from, .. } = period;
        let finer = period.finer.as_ref().map_or_else(String::new, |finer| {
            format!(" (with steps of half a chip: {} chips more, {} more)", finer.block, finer.step.0)
        });
        format!("threshold(k + {block}) = threshold(k) + {step} for every k >= {from}{finer}")
    };
    let mut text = String::new();
    match (&period.win, &period.draw) {
        (Some(win), Some(draw)) => {
            let _ = writeln!(text, "Proved for all totals:\n  win:  {}\n  draw: {}", said(win), said(draw));
        }
        (win, draw) => {
            for (name, period) in [("win", win), ("draw", draw)] {
                if let Some(period) = period {
                    let _ = writeln!(text, "Proved for all totals, {name}: {}", said(period));
                }
            }
        }
    }
    if let Some(reason) = &period.reason {
        let _ = writeln!(text, "No period proved: {reason}. The rows above are exact.");
    }
    text
}

/// The totals at which a threshold needs other moves than real money does.
pub fn stable(text: &mut String, name: &str, stability: &Stability) {
    let listed: Vec<String> = stability.unstable.iter().map(u32::to_string).collect();
    let here = if listed.is_empty() { "no total of the table".to_string() } else { listed.join(", ") };
    let of_all = match (stability.proved, stability.last, &stability.reason) {
        (true, Some(last), _) => format!("the last of all is {last}"),
        (true, None, None) => "none at all".to_string(),
        (_, _, reason) => format!("the last of all is not known: {}", reason.as_deref().unwrap_or_default()),
    };
    let _ = writeln!(text, "Unstable for the {name}: {here}; {of_all}.");
}

/// The table of one player's needs against the other's holdings: head and rows, with a dash if
/// no number of chips suffices.
pub fn against(report: &HoldingsTable) -> (Vec<String>, Vec<Vec<String>>) {
    let fixed = fixed(report);
    let has_star = report.head.mechanism.0.has_star();
    let goals = if fixed == Player::Bob { ["win", "draw"] } else { ["stop her", "win"] };
    let columns = |goal: &str| match has_star {
        true => vec![format!("{goal}, without star"), format!("{goal}, with star")],
        false => vec![goal.to_string()],
    };
    let head = [fixed.to_string()].into_iter().chain(goals.into_iter().flat_map(columns)).collect();
    let rows = report.rows().into_iter().skip(1).map(|row| {
        let shown = row.into_iter().enumerate().filter(|(at, _)| has_star || ![2, 4].contains(at));
        shown.map(|(_, cell)| if cell.is_empty() { "-".to_string() } else { cell }).collect()
    });
    (head, rows.collect())
}
