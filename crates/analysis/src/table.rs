//! Chip tables: the thresholds of a position for a range of totals.

use std::ops::RangeInclusive;

use richman_core::Total;
use richman_formats::MechanismJson;
use richman_solvers::chips;
use serde::Serialize;

use crate::{Error, Request, ThresholdJson};

/// One total.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The number of chips in the game.
    pub chips: u32,
    /// What Alice needs to force a win.
    pub win: ThresholdJson,
    /// What Alice needs so that Bob cannot force a win.
    pub draw: ThresholdJson,
}

/// The periods of the thresholds. They are not proved yet, so both are null and the reason says so.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Period {
    /// Of the win threshold.
    pub win: Option<()>,
    /// Of the draw threshold.
    pub draw: Option<()>,
    /// Why there is none.
    pub reason: String,
}

/// A chip table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TableReport {
    /// The game with its parameters.
    pub game: String,
    /// The position in the game's notation.
    pub position: String,
    /// How bids are made, won and paid.
    pub mechanism: MechanismJson,
    /// The number of moves after which a play counts as a draw, if one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truncated: Option<u32>,
    /// A row for every total, ascending.
    pub rows: Vec<Row>,
    /// The periods.
    pub period: Period,
}

/// The table of the start for `totals`.
///
/// # Errors
/// Those of [`chips::table`].
pub fn report(request: &Request, totals: RangeInclusive<Total>) -> Result<TableReport, Error> {
    let first = totals.start().chips();
    let thresholds = chips::table(request.unfolding.arena(), request.mechanism, totals, &request.options)?;
    let rows = (first..)
        .zip(thresholds)
        .map(|(chips, row)| Row { chips, win: row.win.into(), draw: row.draw.into() })
        .collect();
    Ok(TableReport {
        game: request.game(),
        position: request.position(),
        mechanism: MechanismJson::from(request.mechanism),
        truncated: request.options.within,
        rows,
        period: Period {
            win: None,
            draw: None,
            reason: "this version does not prove periods; the rows are exact".to_string(),
        },
    })
}
