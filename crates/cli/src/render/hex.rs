//! A Hex position in real money for people.

use std::fmt::Write;

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};
use richman_analysis::hex::HexReport;
use richman_core::Player;
use richman_render::hex::percent;

/// The most cells that are listed.
const LISTED: usize = 12;

/// Threshold, best bid and moves, and the cells that decide most often.
pub fn text(report: &HexReport, picture: &str) -> String {
    let mut text = format!("{}\n\n{}\n\n", report.game, picture.trim_end());
    if report.mechanism.0 != richman_core::Mechanism::default() {
        let _ = writeln!(text, "{}", report.mechanism.0);
    }
    let _ = writeln!(text, "Alice wins with more than {} of the money, and loses with less.", decimal(report));
    if let Some(bid) = &report.bid {
        let _ = writeln!(
            text,
            "Best bid {}; moves: {}",
            super::decimal(bid, super::PRINTED),
            richman_render::report::moves_of(&report.moves, Player::Alice)
        );
        text.push_str("\nHow often a cell decides when the others are filled at random:\n\n");
        text.push_str(&cells(report));
    }
    let how = match report.confidence {
        None => "exact: all fillings counted".to_string(),
        Some(confidence) => {
            format!("estimates from random fillings: each interval holds the truth with {confidence} confidence")
        }
    };
    let _ = writeln!(text, "({how}; {} open cells)", report.open);
    text
}

fn decimal(report: &HexReport) -> String {
    super::decimal(&report.win, super::PRINTED)
}

fn cells(report: &HexReport) -> String {
    let mut cells: Vec<_> = report.cells.iter().collect();
    cells.sort_by(|one, other| other.critical.0.high.cmp(&one.critical.0.high));
    let mut table = Table::new();
    table.load_style(NOTHING);
    for row in cells[..cells.len().min(LISTED)].chunks(4) {
        table.add_row(row.iter().flat_map(|cell| [cell.cell.clone(), format!("{}%", percent(cell))]));
    }
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let mut text = super::lines(table);
    if cells.len() > LISTED {
        let _ = writeln!(text, "and {} more, printed by --json and drawn by --svg", cells.len() - LISTED);
    }
    text + "\n"
}
