//! The chip table on the page: its figures, its rows, its periods.

use maud::{Markup, PreEscaped, Render, html};
use richman_analysis::AnyTable;
use richman_analysis::holdings::HoldingsTable;
use richman_analysis::table::{PeriodReport, TableReport};
use richman_core::{Mechanism, Player};
use richman_render::heat;
use richman_render::reports::chips::cell;

/// The most rows of a table on a page.
pub const MOST_ROWS: usize = 256;

/// The table as a part of the page.
pub fn table(table: &AnyTable) -> Markup {
    match table {
        AnyTable::Totals(report) => html! {
            (maps(&report.head.mechanism.0, report.rows.len(), |star| heat::of_totals(report, star)))
            (periods(report))
            (totals(report))
        },
        AnyTable::Holdings(report) => against(report),
    }
}

/// The heat maps, one for each owner of the star.
fn maps(mechanism: &Mechanism, rows: usize, map: impl Fn(Option<Player>) -> String) -> Markup {
    html! {
        div.maps { @for star in heat::stars(mechanism) { div.map { (PreEscaped(map(star))) } } }
        @if rows > heat::MOST_COLUMNS {
            p.small { "The maps show the first " (heat::MOST_COLUMNS) " of " (rows) " columns." }
        }
    }
}

fn totals(report: &TableReport) -> Markup {
    let rows = &report.rows;
    let shown = rows.iter().map(|row| vec![row.chips.to_string(), cell(&row.win), cell(&row.draw)]);
    html! {
        details open[rows.len() <= 40] {
            summary { "The thresholds as a table" }
            p.small { "What Alice needs to force a win (win), and to prevent Bob from forcing one (draw)." }
            (values("Chip table", &["chips", "win", "draw"], shown))
            @if rows.len() > MOST_ROWS {
                p.small { "The first " (MOST_ROWS) " of " (rows.len()) " rows; the CSV has all." }
            }
        }
    }
}

fn periods(report: &TableReport) -> Markup {
    let period = &report.period;
    html! {
        ul.facts.periods {
            @for (name, found) in [("win", &period.win), ("draw", &period.draw)] {
                @if let Some(found) = found { li { "Proved for all totals, " (name) ": " (said(found)) } }
            }
            @if let Some(class) = &report.class {
                li { "The win threshold is that of " code { (class.expression) } " for all totals." }
            }
            @if let Some(reason) = &period.reason { li.note { "No period proved: " (reason) ". The rows are exact." } }
        }
    }
}

fn said(period: &PeriodReport) -> Markup {
    html! {
        "threshold(k + " b { (period.block) } ") = threshold(k) + " b { (period.step) }
        " for every k ≥ " b { (period.from) }
        @if let Some(finer) = &period.finer {
            " (with steps of half a chip: " (finer.block) " chips more, " (finer.step.0) " more)"
        }
    }
}

fn against(report: &HoldingsTable) -> Markup {
    let has_star = report.head.mechanism.0.has_star();
    let (heads, rows) = richman_render::reports::table::against(report);
    let none = if report.reason.is_none() { "suffices" } else { "that was looked at suffices" };
    html! {
        p {
            "What Alice needs against Bob's chips: to force a win (win), and to prevent Bob from forcing one (draw). "
            @if has_star { "With the star: Alice holds it. " }
            "-: no number of chips " (none) "."
        }
        (maps(&report.head.mechanism.0, report.rows.len(), |star| heat::of_holdings(report, Player::Bob, star)))
        (values("Chip table", &heads, rows.into_iter()))
        @if let Some(reason) = &report.reason { p.note { "Not proved where a number is missing: " (reason) "." } }
    }
}

/// Rows with headings, as many as a page shows; the first column labels each row.
pub fn values(label: &str, heads: &[impl Render], rows: impl Iterator<Item = Vec<String>>) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label=(format!("{label}, in rows")) {
            table.values {
                thead { tr { @for head in heads { th scope="col" { (head) } } } }
                tbody {
                    @for row in rows.take(MOST_ROWS) {
                        tr { th scope="row" { (row[0]) } @for cell in &row[1..] { td { (cell) } } }
                    }
                }
            }
        }
    }
}
