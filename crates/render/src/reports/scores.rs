//! Reports on scoring games for people.

use std::fmt::Write;

use richman_analysis::scores::{BidsTable, HoldingScores, ScorePositionRow, ScoresReport, StarOutcomes};
use richman_analysis::{Answer, HoldingJson, ReportHead, ScoreJson};
use richman_core::{Player, Preset};
use serde_json::json;

use super::Solution;
use super::parts::ranges;
use crate::csv::from_json;
use crate::layout::Layout;
use crate::review::bid_in_words;

/// The most columns of a horizontal table.
const WIDEST: usize = 25;

impl Solution for ScoresReport {
    fn text(&self, _answer: &Answer, layout: Layout) -> String {
        let ReportHead { game, position, mechanism, .. } = &self.head;
        let mut text = format!("{game}\nposition {position}\n");
        if mechanism.0 != Preset::Larsson.mechanism() {
            let _ = writeln!(text, "{}", mechanism.0);
        }
        match &self.rows {
            Some(rows) => positions(&mut text, self, rows, layout),
            None => values(&mut text, self, layout),
        }
        if let Some(holding) = &self.holding {
            with_holding(&mut text, holding, layout);
        }
        let (holding, broken): (Vec<_>, Vec<_>) = self.properties.iter().partition(|property| property.holds);
        let names: Vec<String> =
            holding.iter().map(|property| format!("({}) {}", property.letter, property.name)).collect();
        if !names.is_empty() {
            let everywhere = if self.positions == 1 { "here" } else { "at every position from here on" };
            let _ = writeln!(text, "\nUniqueness properties that hold {everywhere}: {}.", names.join(", "));
        }
        for property in broken {
            if let Some(violation) = &property.violation {
                let worth = |holding: &HoldingJson, value: &ScoreJson| format!("{} is worth {}", holding.0, value.0);
                let better = worth(&violation.better, &violation.better_value);
                let worse = worth(&violation.worse, &violation.worse_value);
                let failure = format!("({}) {} fails first at {}", property.letter, property.name, violation.position);
                let _ = writeln!(text, "{failure}: {better} to Alice, {worse}.");
            }
        }
        text
    }

    /// Both values for each position (only the start unless all are requested), owner of the star
    /// and number of Alice's chips; or the matrix of bids.
    fn rows(&self) -> Vec<Vec<String>> {
        if let Some(matrix) = self.holding.as_ref().and_then(|holding| holding.bids_table.as_ref()) {
            return bids_table(matrix);
        }
        let mut rows = Vec::new();
        let mut add = |position: &str, low: &StarOutcomes, high: &Option<StarOutcomes>| {
            let high = high.as_ref().unwrap_or(low);
            for (star, low, high) in
                [("alice", &low.star_alice, &high.star_alice), ("bob", &low.star_bob, &high.star_bob)]
            {
                let values = (0..=self.total).rev().zip(low.iter().zip(high));
                rows.extend(values.map(|(alice, (low, high))| {
                    json!({ "position": position, "star": star, "alice": alice, "maximin": low, "minimax": high })
                }));
            }
        };
        match &self.rows {
            None => add(&self.head.position, &self.maximin, &self.minimax),
            Some(rows) => rows.iter().for_each(|row| add(&row.position, &row.maximin, &row.minimax)),
        }
        from_json(&[("", "position star alice maximin minimax")], rows)
    }
}

fn values(text: &mut String, report: &ScoresReport, layout: Layout) {
    let mut lines = vec![line("Alice's chips", (0..=report.total).rev().map(|chips| chips.to_string()))];
    let mut add = |outcomes: &StarOutcomes, what: &str| {
        for (star, row) in [("with the star", &outcomes.star_alice), ("without it", &outcomes.star_bob)] {
            lines.push(line(format!("{star}{what}"), row.iter().map(shown)));
        }
    };
    match &report.minimax {
        None => add(&report.maximin, ""),
        Some(minimax) => {
            add(&report.maximin, ", at least");
            add(minimax, ", at most");
        }
    }
    let in_game = format!("with {} chips in the game", report.total);
    let (title, note) = match report.unique {
        true => (
            format!("What Alice gets {in_game} when both bid best:"),
            "Every value is one of an equilibrium: maximin and minimax are equal.",
        ),
        false => (
            format!("What Alice can make sure of (at least) and what Bob can hold her to (at most), {in_game}:"),
            "Where the two differ there is no equilibrium in pure strategies.",
        ),
    };
    let _ = writeln!(text, "{title}\n");
    if lines[0].len() > WIDEST {
        lines = (0..lines[0].len()).map(|at| lines.iter().map(|line| line[at].clone()).collect()).collect();
    }
    layout.split(text, lines);
    let _ = writeln!(text, "\n{note}");
}

pub(super) fn line(name: impl Into<String>, cells: impl Iterator<Item = String>) -> Vec<String> {
    std::iter::once(name.into()).chain(cells).collect()
}

/// The values of all positions, one table for each holder of the star.
fn positions(text: &mut String, report: &ScoresReport, rows: &[ScorePositionRow], layout: Layout) {
    for star in Player::BOTH {
        let (title, mark) = star.either(("Alice holds the star", "*"), ("Bob holds the star", ""));
        let pick = |outcomes| row_of(outcomes, star);
        let _ = writeln!(text, "\n{title}. What Alice gets from each position, by her number of chips:\n");
        let head = (0..=report.total).rev().map(|chips| format!("{chips}{mark}"));
        let mut lines = vec![line("position", head)];
        for row in rows {
            let high = pick(row.minimax.as_ref().unwrap_or(&row.maximin));
            let cells = pick(&row.maximin).iter().zip(high).map(|(low, high)| score(*low, *high));
            lines.push(line(&row.position, cells));
        }
        layout.split(text, lines);
    }
    if rows.iter().any(|row| row.minimax.is_some()) {
        text.push_str("\na..b: Alice can make sure of a, Bob can hold her to b, and there is no equilibrium.\n");
    }
}

fn row_of(outcomes: &StarOutcomes, star: Player) -> &[ScoreJson] {
    star.either(&outcomes.star_alice, &outcomes.star_bob)
}

fn with_holding(text: &mut String, holding: &HoldingScores, layout: Layout) {
    let [low, high] = &holding.value;
    let value = match low == high {
        true => low.0.to_string(),
        false => format!("she can make sure of {}, he can hold her to {}", low.0, high.0),
    };
    let _ = writeln!(text, "\nWith {} for Alice against {} for Bob: {value}.", holding.alice.0, holding.bob.0);
    let _ = writeln!(text, "  Alice: bid {}", scoring_bids(&holding.bids.alice));
    let _ = writeln!(text, "  Bob: bid {}", scoring_bids(&holding.bids.bob));
    if let Some(bids_table) = &holding.bids_table {
        text.push('\n');
        matrix(text, bids_table, layout);
    }
}

/// The matrix of bids as LPR20 prints it: a row for each of Bob's bids r, a column for each of
/// Alice's bids l, and the score that each bid guarantees.
fn matrix(text: &mut String, matrix: &BidsTable, layout: Layout) {
    let head = matrix.alice_bids.iter().map(|bid| bid_in_words(*bid)).chain(["max".to_string()]);
    let mut lines = vec![line("r \\ l", head)];
    let high = matrix.minimax_rows.as_ref().unwrap_or(&matrix.rows);
    for (at, bid) in matrix.bob_bids.iter().enumerate() {
        let cells = matrix.rows[at].iter().zip(&high[at]).map(|(low, high)| score(*low, *high));
        lines.push(line(bid_in_words(*bid), cells.chain([shown(&matrix.max[at])])));
    }
    let corner = match (matrix.min.iter().map(|least| least.0).max(), matrix.max.iter().map(|most| most.0).min()) {
        (Some(low), Some(high)) => score(ScoreJson(low), ScoreJson(high)),
        _ => String::new(),
    };
    lines.push(line("min", matrix.min.iter().map(shown).chain([corner])));
    layout.split(text, lines);
    if matrix.saddle_points.is_empty() {
        text.push_str("\nNo saddle point: there is no equilibrium in pure strategies.\n");
    } else {
        const SHOWN: usize = 24;
        let points = matrix.saddle_points.iter().take(SHOWN);
        let points: Vec<String> =
            points.map(|(l, r)| format!("({}, {})", bid_in_words(*l), bid_in_words(*r))).collect();
        let more = matrix.saddle_points.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let _ = writeln!(text, "\nSaddle points (l, r): {}{more}.", points.join(", "));
    }
}

fn shown(score: &ScoreJson) -> String {
    score.0.to_string()
}

fn bids_table(matrix: &BidsTable) -> Vec<Vec<String>> {
    let high = matrix.minimax_rows.as_ref().unwrap_or(&matrix.rows);
    let rows = matrix.bob_bids.iter().zip(matrix.rows.iter().zip(high)).flat_map(|(bob, (low, high))| {
        let cells = matrix.alice_bids.iter().zip(low.iter().zip(high));
        cells.map(move |(alice, (low, high))| json!({ "alice": alice, "bob": bob, "maximin": low, "minimax": high }))
    });
    from_json(&[("", "alice bob maximin minimax")], rows)
}

/// The best bids of a scoring game, ascending, neighbours as ranges.
pub fn scoring_bids(bids: &[Option<u32>]) -> String {
    match bids.iter().copied().collect::<Option<Vec<u32>>>() {
        Some(bids) => ranges(&richman_core::ranges(bids)),
        None => "nothing: no bid is allowed".to_string(),
    }
}

/// A score, or the maximin and the minimax.
pub fn score(low: ScoreJson, high: ScoreJson) -> String {
    if low == high { low.0.to_string() } else { format!("{}..{}", low.0, high.0) }
}
