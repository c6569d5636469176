//! Positions with the chance that each cell decides.

use richman_analysis::Report;
use richman_analysis::money::CellReport;
use richman_core::{Player, Walk};

use crate::board::{self, BoardOptions, Heat};

/// The position of `walk` as an SVG file, with the best moves and, if counted, every open cell
/// coloured by the percentage of fillings in which it decides.
pub fn standalone_svg(walk: &dyn Walk, report: &Report) -> String {
    let of = |player| report.best_moves(player).iter().map(move |name| (player, name.clone()));
    let marked: Vec<_> = Player::BOTH.into_iter().flat_map(of).collect();
    let options = BoardOptions { heat: &heat(report), marked: &marked, ..BoardOptions::default() };
    board::standalone_svg(walk, &options)
}

/// The colours and numbers of the open cells.
pub fn heat(report: &Report) -> Vec<Heat> {
    let most = report.cells().iter().map(often).fold(0.0, f64::max);
    let level = |part: f64| if most > 0.0 { (part / most * f64::from(Heat::MOST)).round() as u8 } else { 0 };
    let heat = |cell: &CellReport| Heat {
        place: cell.cell.clone(),
        level: level(often(cell)),
        text: percent(cell),
        label: format!("decides {}% of the fillings", percent(cell)),
    };
    report.cells().iter().map(heat).collect()
}

/// A cell's chance to decide, in percent with one decimal.
pub fn percent(cell: &CellReport) -> String {
    format!("{:.1}", 100.0 * often(cell))
}

fn often(cell: &CellReport) -> f64 {
    let bounds = &cell.critical.0;
    (bounds.low.to_f64() + bounds.high.to_f64()) / 2.0
}
