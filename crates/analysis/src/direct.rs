//! Reports on positions that are better not unfolded: Hex, chess, and large boards of lines. Asked first by the command, the pages and the interface for programs.

use richman_core::{Mechanism, Total, Walk};
use richman_solvers::Options;

use crate::Error;
use crate::boards::{self, Deepen};
use crate::chess::{self, ChessReport};
use crate::chips::ChipsReport;
use crate::endgames;
use crate::hex::{self, HexReport};
use crate::money::MoneyReport;

/// What a position is worth in real money.
pub enum Direct {
    /// A position of Hex.
    Hex(Box<HexReport>),
    /// One of a board of lines, or of a chess endgame.
    Money(Box<MoneyReport>),
    /// One of chess, estimated.
    Chess(Box<ChessReport>),
}

/// Reports in real money; `None` for what an arena tells better, or alone.
///
/// # Errors
/// Those of [`hex::report`], [`endgames::solve`] and [`boards::report`].
pub fn money(
    walk: &dyn Walk,
    mechanism: &Mechanism,
    task: &Deepen,
    options: &Options,
) -> Result<Option<Direct>, Error> {
    if let Some(report) = hex::report(walk, mechanism, options)? {
        return Ok(Some(Direct::Hex(Box::new(report))));
    }
    if let Some(report) = endgames::solve(walk, mechanism, options)? {
        return Ok(Some(Direct::Money(Box::new(report))));
    }
    if let Some(report) = chess::report(walk, mechanism, options) {
        return Ok(Some(Direct::Chess(Box::new(report))));
    }
    Ok(boards::report(walk, mechanism, task, options)?.map(|report| Direct::Money(Box::new(report))))
}

/// The same with a total of chips.
///
/// # Errors
/// Those of [`hex::chips_report`] and [`boards::chips_report`].
pub fn chips(
    walk: &dyn Walk,
    mechanism: &Mechanism,
    total: Total,
    options: &Options,
) -> Result<Option<ChipsReport>, Error> {
    match hex::chips_report(walk, mechanism, total, options)? {
        Some(report) => Ok(Some(report)),
        None => boards::chips_report(walk, mechanism, total, options),
    }
}
