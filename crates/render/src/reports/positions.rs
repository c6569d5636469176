//! Every position of a game for people.

use std::io;

use richman_analysis::positions::{HoldingsWorth, PositionRow, PositionWorth, Positions};
use richman_core::excerpt;
use serde_json::json;

use super::chips::cell;
use super::mean_payoff::{average_runs, credit_runs};
use crate::csv::{lazily, named};
use crate::layout::Layout;

/// Every position, in columns as wide as needed. The rows may be too many to hold, so they are
/// generated twice.
pub fn table(out: &mut dyn io::Write, positions: &Positions, layout: Layout) -> io::Result<()> {
    let header = || std::iter::once(header(positions.rows().next().as_ref()));
    let shown = || header().chain(positions.rows().map(|row| shown(&row)));
    let mut widths: Vec<usize> = Vec::new();
    let (mut dashes, mut two) = (false, None);
    for row in shown() {
        widths.resize(row.len(), 0);
        let mut values = row.iter().skip(1); // after the position, whose name is arbitrary
        dashes |= values.clone().any(|cell| cell == "-");
        two = two.or_else(|| values.find(|cell| cell.contains(" or ") && cell.ends_with('*')).cloned());
        widths.iter_mut().zip(&row).for_each(|(width, cell)| *width = (*width).max(cell.chars().count()));
    }
    for row in shown() {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}"));
        let line = cells.collect::<Vec<_>>().join("  ");
        writeln!(out, "{}", layout.wrapped(line.trim_end()).trim_end())?;
    }
    writeln!(out)?;
    if dashes {
        writeln!(out, "{}", layout.wrapped("-: the game goes on there, or nobody can force a win.").trim_end())?;
    }
    if let Some(cell) = two {
        let legend = format!("{cell}: the first number of chips suffices without the star, the second with it.");
        writeln!(out, "{}", layout.wrapped(&legend).trim_end())?;
    }
    Ok(())
}

fn header(row: Option<&PositionRow>) -> Vec<String> {
    let names: &[&str] = match row.map(|row| &row.worth) {
        Some(PositionWorth::Chips { holdings: Some(_), .. }) => &["position", "end", "win", "draw", "outcome", "moves"],
        Some(PositionWorth::Potential { .. }) => &["position", "potential"],
        Some(PositionWorth::Average { .. }) => &["position", "average"],
        Some(PositionWorth::Averages { credits: Some(_), .. }) => {
            &["position", "averages by Alice's holding", "least credits by Alice's holding"]
        }
        Some(PositionWorth::Averages { .. }) => &["position", "averages by Alice's holding"],
        Some(PositionWorth::Purses(_)) => &["position", "end", "outcome", "moves"],
        _ => &["position", "end", "win", "draw"],
    };
    names.iter().map(ToString::to_string).collect()
}

fn in_one_cell(runs: Vec<[String; 2]>) -> String {
    runs.into_iter().map(|[held, value]| format!("{held}: {value}")).collect::<Vec<_>>().join("; ")
}

fn shown(PositionRow { position, end, worth }: &PositionRow) -> Vec<String> {
    let held = |held: &HoldingsWorth| {
        [held.outcome.to_string(), held.within.map_or_else(|| "-".to_string(), |moves| moves.to_string())]
    };
    let mut cells = vec![position.clone()];
    use PositionWorth::{Average, Averages, Potential};
    if !matches!(worth, Potential { .. } | Average { .. } | Averages { .. }) {
        cells.push(end.unwrap_or("-").to_string());
    }
    match worth {
        PositionWorth::Money { win, draw } => cells.extend([win, draw].map(|share| excerpt(&share.0.to_string()))),
        PositionWorth::Chips { win, draw, holdings } => {
            cells.extend([cell(win), cell(draw)]);
            cells.extend(holdings.iter().flat_map(held));
        }
        PositionWorth::Average { average } => cells.push(excerpt(&average.to_string())),
        PositionWorth::Averages { averages, credits } => {
            cells.push(in_one_cell(average_runs(averages)));
            cells.extend(credits.iter().map(|credits| in_one_cell(credit_runs(credits))));
        }
        PositionWorth::Potential { potential } => cells.push(excerpt(&potential.0.to_string())),
        PositionWorth::Purses(purses) => cells.extend(held(purses)),
    }
    cells
}

/// Every position of a game, row by row.
pub fn rows<'a>(positions: &'a Positions) -> impl Iterator<Item = Vec<String>> + 'a {
    const WORTH: &str = "position end outcome within win~ potential average \
                         averages_plain=averages/plain averages_star=averages/star \
                         credits_plain=credits/plain credits_star=credits/star win_plain=win/plain \
                         win_star=win/star draw~ draw_plain=draw/plain draw_star=draw/star";
    let game = positions.game();
    let mut rows = positions.rows().map(move |row| json!({ "game": game, "row": row })).peekable();
    let mut columns = named(&[("", "game"), ("/row", WORTH)]);
    // Drops columns without values for this question.
    let first = rows.peek().cloned().unwrap_or_default();
    columns.retain(|(_, pointer)| first.pointer(pointer).is_some());
    lazily(columns, rows)
}
