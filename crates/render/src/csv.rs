//! Reports as rows of comma-separated values, the names of the columns first.
//!
//! Every face writes its rows by [`text`], which keeps spreadsheets from taking a name for a formula.

use std::io;

mod listed;

use richman_analysis::chips::{ChipsReport, PursesReport};
use richman_analysis::holdings::HoldingsTable;
use richman_analysis::money::{CellReport, Estimate, MoneyReport, Undecided};
use richman_analysis::scores::{BidsTable, Outcomes, ScoresReport};
use richman_analysis::table::TableReport;
use richman_analysis::unitary::{Automaton, Convergence};
use richman_analysis::{BoundsJson, Report, ThresholdJson};

pub use listed::*;

/// What a position is worth; of several games in one table all have the same columns.
pub fn worth(report: &Report, is_one: bool) -> Vec<Vec<String>> {
    match report {
        Report::Money(report) => match &report.estimate {
            Some(estimate) if is_one => estimated(report, estimate),
            None if is_one && !report.cells.is_empty() => with_cells(report),
            _ => money(report),
        },
        Report::Chips(report) => chips(report),
        Report::Purses(report) => purses(report),
        Report::Scores(report) => scores(report),
    }
}

/// The rows as a text of comma-separated values.
///
/// A spreadsheet takes a cell that begins with `=`, `+`, `-` or `@` for a formula, and names of positions come from files that anybody
/// wrote. Such a cell gets an apostrophe in front, by which spreadsheets mark a text; a number, also a negative one, stays as it is.
///
/// # Errors
/// Rows of different lengths.
pub fn text(rows: impl IntoIterator<Item = Vec<String>>) -> io::Result<String> {
    let mut bytes = Vec::new();
    write(&mut bytes, rows)?;
    String::from_utf8(bytes).map_err(io::Error::other)
}

/// Writes the rows one by one.
///
/// # Errors
/// Rows of different lengths, and those of `out`.
pub fn write(out: impl io::Write, rows: impl IntoIterator<Item = Vec<String>>) -> io::Result<()> {
    let mut writer = ::csv::Writer::from_writer(out);
    for row in rows {
        writer.write_record(row.into_iter().map(neutral)).map_err(|error| match error.into_kind() {
            ::csv::ErrorKind::Io(error) => error, // which tells that a reader has gone
            kind => io::Error::other(format!("{kind:?}")),
        })?;
    }
    writer.flush()
}

/// The cell, with an apostrophe in front where a spreadsheet would take a text for a formula.
fn neutral(cell: String) -> String {
    // Some importers drop white space first, and some read the wide forms of the signs.
    let mut start = cell.trim_start().chars();
    let begins = start.next().is_some_and(|sign| "=+-@\u{ff1d}\u{ff0b}\u{ff0d}\u{ff20}".contains(sign));
    if begins && start.next().is_some() && !is_number(&cell) { format!("'{cell}") } else { cell }
}

/// Whether the text is a decimal number or a fraction.
fn is_number(text: &str) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (numerator, denominator) = unsigned.split_once('/').unwrap_or((unsigned, "1"));
    let is_decimal = |text: &str| text.starts_with(|c: char| c.is_ascii_digit()) && text.parse::<f64>().is_ok();
    is_decimal(numerator) && denominator.bytes().all(|byte| byte.is_ascii_digit()) && !denominator.is_empty()
}

/// A share, exact where it can be, and the decimals of its bounds; empty where there is none.
fn share(share: Option<&BoundsJson>) -> [String; 3] {
    match share {
        Some(BoundsJson(bounds)) => {
            [bounds.to_string(), format!("{:?}", bounds.low.to_f64()), format!("{:?}", bounds.high.to_f64())]
        }
        None => Default::default(),
    }
}

const MONEY_COLUMNS: [&str; 16] = [
    "game",
    "position",
    "win",
    "win_low",
    "win_high",
    "draw",
    "draw_low",
    "draw_high",
    "exact",
    "bid",
    "bid_low",
    "bid_high",
    "alice_moves",
    "bob_moves",
    "alice_undecided",
    "bob_undecided",
];

/// A real-money report.
fn money(report: &MoneyReport) -> Vec<Vec<String>> {
    let MoneyReport { game, position, win, draw, exact, bid, moves, .. } = report;
    let mut row = words(&[game, position]);
    row.extend([win, draw].into_iter().flat_map(|bounds| share(Some(bounds))));
    row.push(exact.to_string());
    row.extend(share(bid.as_ref()));
    row.extend([moves.alice.join(" "), moves.bob.join(" ")]);
    row.extend([&moves.undecided.alice, &moves.undecided.bob].map(undecided));
    vec![words(&MONEY_COLUMNS), row]
}

/// The moves between which bounds do not decide.
fn undecided(undecided: &Option<Undecided>) -> String {
    undecided.as_ref().map_or_else(String::new, |undecided| undecided.moves.join(" "))
}

/// A position of which it is known how often each cell decides: a row for the whole, and one for every open cell.
fn with_cells(report: &MoneyReport) -> Vec<Vec<String>> {
    let header = words(&[
        "game",
        "position",
        "cell",
        "threshold_or_critical",
        "low",
        "high",
        "bid",
        "bid_low",
        "bid_high",
        "moves",
    ]);
    let row = |cell: &str, critical: &BoundsJson, bid: Option<&BoundsJson>, moves: String| {
        let place = words(&[&report.game, &report.position, cell]);
        [place, share(Some(critical)).to_vec(), share(bid).to_vec(), vec![moves]].concat()
    };
    let whole = row("", &report.win, report.bid.as_ref(), report.moves.alice.join(" "));
    let cell = |cell: &CellReport| row(&cell.cell, &cell.critical, None, String::new());
    [header, whole].into_iter().chain(report.cells.iter().map(cell)).collect()
}

/// An estimate of a position.
fn estimated(report: &MoneyReport, estimate: &Estimate) -> Vec<Vec<String>> {
    let [needs, bid] = [estimate.needs, estimate.bid].map(|share| share.to_string());
    let moves = [&report.moves.alice, &report.moves.bob].map(|moves| moves.join(" "));
    let row = [report.game.clone(), report.position.clone(), needs, bid].into_iter().chain(moves).collect();
    vec![words(&["game", "position", "estimated_need", "estimated_bid", "alice_moves", "bob_moves"]), row]
}

/// A chip report.
fn chips(report: &ChipsReport) -> Vec<Vec<String>> {
    let mut header = words(&["game", "position", "chips"]);
    header.extend(words(&THRESHOLD_COLUMNS));
    let mut row = vec![report.game.clone(), report.position.clone(), report.total.to_string()];
    row.extend(threshold_cells(&report.win, &report.draw));
    if let Some(holdings) = &report.holdings {
        header.extend(words(&["alice", "bob", "outcome", "within"]));
        row.push(holdings.alice.0.to_string());
        row.push(holdings.bob.0.to_string());
        row.push(holdings.outcome.to_string());
        row.push(holdings.within.map_or_else(String::new, |moves| moves.to_string()));
    }
    vec![header, row]
}

/// A chip table.
pub fn table(report: &TableReport) -> Vec<Vec<String>> {
    let mut header = words(&["chips"]);
    header.extend(words(&THRESHOLD_COLUMNS));
    let rows = report.rows.iter().map(|row| {
        let mut cells = vec![row.chips.to_string()];
        cells.extend(threshold_cells(&row.win, &row.draw));
        cells
    });
    std::iter::once(header).chain(rows).collect()
}

/// What one player needs against what the other holds; empty where no number of chips suffices.
pub fn holdings(report: &HoldingsTable) -> Vec<Vec<String>> {
    let fixed = if report.rows.first().is_some_and(|row| row.alice.is_some()) { "alice" } else { "bob" };
    let header = words(&[fixed, "win_plain", "win_star", "draw_plain", "draw_star"]);
    let rows = report.rows.iter().map(|row| {
        let fixed = row.alice.or(row.bob).map(u64::from);
        let chips = [fixed, row.win.plain, row.win.star, row.draw.plain, row.draw.star];
        chips.iter().map(|chips| chips.map_or_else(String::new, |chips| chips.to_string())).collect()
    });
    std::iter::once(header).chain(rows).collect()
}

/// A report where the bank is paid; empty where no number of chips suffices.
fn purses(report: &PursesReport) -> Vec<Vec<String>> {
    let PursesReport { game, position, win, draw, holdings, .. } = report;
    let chips = [win.plain, win.star, draw.plain, draw.star];
    let mut row = vec![game.clone(), position.clone()];
    row.extend(chips.map(|chips| chips.map_or_else(String::new, |chips| chips.to_string())));
    row.extend([holdings.alice.0.to_string(), holdings.bob.0.to_string(), holdings.outcome.to_string()]);
    row.push(holdings.within.map_or_else(String::new, |moves| moves.to_string()));
    let header =
        ["game", "position", "win_plain", "win_star", "draw_plain", "draw_star", "alice", "bob", "outcome", "within"];
    vec![words(&header), row]
}

fn words(row: &[&str]) -> Vec<String> {
    row.iter().map(ToString::to_string).collect()
}

const THRESHOLD_COLUMNS: [&str; 6] = ["win", "win_plain", "win_star", "draw", "draw_plain", "draw_star"];

fn threshold_cells(win: &ThresholdJson, draw: &ThresholdJson) -> Vec<String> {
    let cells = |threshold: &ThresholdJson| {
        let holding = threshold.threshold.map_or_else(String::new, |holding| holding.0.to_string());
        [holding, threshold.plain.to_string(), threshold.star.to_string()]
    };
    [cells(win), cells(draw)].concat()
}

/// A report on a scoring game as rows: for each position (only the start unless all were asked for), holder of the star and number of Alice's chips both
/// values; or the matrix of bids.
fn scores(report: &ScoresReport) -> Vec<Vec<String>> {
    if let Some(matrix) = report.holding.as_ref().and_then(|holding| holding.bids_table.as_ref()) {
        return matrix_csv(matrix);
    }
    let header = ["position", "star", "alice", "maximin", "minimax"].map(str::to_string).to_vec();
    let mut lines = vec![header];
    let mut add = |position: &str, low: &Outcomes, high: &Outcomes| {
        let stars = [("alice", &low.star_alice, &high.star_alice), ("bob", &low.star_bob, &high.star_bob)];
        for (star, low, high) in stars {
            for (chips, (low, high)) in (0..=report.total).rev().zip(low.iter().zip(high)) {
                let cells: [&dyn std::fmt::Display; 5] = [&position, &star, &chips, &low.0, &high.0];
                lines.push(cells.map(ToString::to_string).to_vec());
            }
        }
    };
    match &report.rows {
        None => add(&report.position, &report.maximin, report.minimax.as_ref().unwrap_or(&report.maximin)),
        Some(rows) => {
            for row in rows {
                add(&row.position, &row.maximin, row.minimax.as_ref().unwrap_or(&row.maximin));
            }
        }
    }
    lines
}

fn matrix_csv(matrix: &BidsTable) -> Vec<Vec<String>> {
    let mut lines = vec![["alice", "bob", "maximin", "minimax"].map(str::to_string).to_vec()];
    let high = matrix.minimax_rows.as_ref().unwrap_or(&matrix.rows);
    let word = |bid: Option<u32>| bid.map_or_else(String::new, |bid| bid.to_string());
    for (row, bob) in matrix.bob_bids.iter().enumerate() {
        for (column, alice) in matrix.alice_bids.iter().enumerate() {
            let (low, high) = (matrix.rows[row][column].0, high[row][column].0);
            lines.push(vec![word(*alice), word(*bob), low.to_string(), high.to_string()]);
        }
    }
    lines
}

/// Where the totals of unitary games converge.
pub fn convergence(rows: &[Convergence]) -> Vec<Vec<String>> {
    let header = ["total", "converged", "bound", "proved", "automaton"].map(String::from).to_vec();
    let row = |row: &Convergence| {
        let Convergence { total, converged, bound, proved, automaton } = row;
        vec![total.to_string(), converged.to_string(), bound.to_string(), proved.to_string(), automaton.to_string()]
    };
    std::iter::once(header).chain(rows.iter().map(row)).collect()
}

/// The automaton of unitary games.
pub fn automaton(automaton: &Automaton) -> Vec<Vec<String>> {
    let header = ["chips", "even", "odd"].map(String::from).to_vec();
    let values = (0..=automaton.total).rev().zip(automaton.even.iter().zip(&automaton.odd));
    let rows = values.map(|(chips, (even, odd))| vec![chips.to_string(), even.to_string(), odd.to_string()]);
    std::iter::once(header).chain(rows).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_no_formulas_and_numbers_stay_numbers() {
        let same = ["", "-", "=", "7", "-3", "+5", "-1/2", "-0.25", "-1e-5", "4*", "won", "a=b", "1-2", "'=1", "p -3"];
        for cell in same {
            assert_eq!(neutral(cell.to_string()), cell);
        }
        let texts =
            ["=1+1", "+a", "-a", "@SUM(A1)", "-1-2", "-1 +2", "+2/+3", "-3/", "-1e", "-inf", " =1", "\u{ff1d}1"];
        for cell in texts {
            assert_eq!(neutral(cell.to_string()), format!("'{cell}"));
        }
        let rows = vec![words(&["name", "value"]), words(&["=cmd|' /C calc'!A0", "-3"]), words(&["a,\"b\"", "-a"])];
        assert_eq!(text(rows).unwrap(), "name,value\n'=cmd|' /C calc'!A0,-3\n\"a,\"\"b\"\"\",'-a\n");
        assert!(text(vec![words(&["a", "b"]), words(&["a"])]).is_err());
    }
}
