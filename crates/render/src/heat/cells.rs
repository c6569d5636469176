//! The contents of a heat map's cells.

use std::collections::BTreeSet;
use std::fmt::Write;

use richman_analysis::ThresholdJson;
use richman_analysis::holdings::{self, HoldingNeeds, HoldingsTable};
use richman_analysis::table::{self, TableReport};
use richman_core::Player;

use super::MOST_COLUMNS;
use crate::reports::chips::cell as threshold_cell;
use crate::words::counted;

/// The result known for a pair of holdings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CellResult {
    /// Alice can force a win.
    Alice,
    /// Neither player can.
    Neither,
    /// Bob can force a win.
    Bob,
    /// Not proved.
    Nothing,
}

impl CellResult {
    pub(super) const ALL: [CellResult; 4] =
        [CellResult::Alice, CellResult::Neither, CellResult::Bob, CellResult::Nothing];

    pub(super) fn class(self) -> &'static str {
        match self {
            CellResult::Alice => "outcome-alice",
            CellResult::Neither => "outcome-neither",
            CellResult::Bob => "outcome-bob",
            CellResult::Nothing => "outcome-unknown",
        }
    }
}

/// One column: a total, or a number of one player's chips.
pub(super) struct HeatColumn {
    pub(super) at: u32,
    /// Run lengths of equal cells, from 0 chips upwards.
    runs: Vec<(CellResult, u32)>,
    /// The thresholds, in words.
    pub(super) said: String,
}

pub(super) struct Cells {
    pub(super) columns: Vec<HeatColumn>,
    /// The number of chips in the top row.
    pub(super) most: u32,
    /// Whether the table has more columns.
    pub(super) cut: bool,
}

impl Cells {
    pub(super) fn of_totals(table: &TableReport, star: Option<Player>) -> Cells {
        let has_star = star == Some(Player::Alice);
        let column = |row: &table::TableRow| {
            let both = [&row.win, &row.draw].map(|threshold| sufficient(threshold, has_star));
            let cell = |alice| {
                let meets = |ranges: &Vec<[u32; 2]>| ranges.iter().any(|[low, high]| (*low..=*high).contains(&alice));
                match both.each_ref().map(meets) {
                    [true, _] => CellResult::Alice,
                    [_, true] => CellResult::Neither,
                    _ => CellResult::Bob,
                }
            };
            let [win, draw] = [&row.win, &row.draw].map(threshold_cell);
            let said = format!("{} in the game: win {win}, draw {draw}", counted(u64::from(row.chips), "chip"));
            let ends = both.iter().flatten().flat_map(|[low, high]| [u64::from(*low), u64::from(*high) + 1]);
            HeatColumn { at: row.chips, runs: runs(row.chips, ends, cell), said }
        };
        let columns: Vec<HeatColumn> = table.rows.iter().take(MOST_COLUMNS).map(column).collect();
        let most = columns.last().map_or(0, |column| column.at);
        Cells { most, cut: table.rows.len() > columns.len(), columns }
    }

    pub(super) fn of_holdings(table: &HoldingsTable, fixed: Player, star: Option<Player>) -> Cells {
        let other_has_star = star == Some(fixed.other());
        let need = |needs: &HoldingNeeds| if other_has_star { needs.star } else { needs.plain };
        let rows = &table.rows[..table.rows.len().min(MOST_COLUMNS)];
        let needed = rows.iter().flat_map(|row| [need(&row.win), need(&row.draw)]).flatten().max().unwrap_or(0);
        // A little more than the greatest need, to show the last thresholds.
        let most = u32::try_from(needed.saturating_add(needed / 8 + 1)).unwrap_or(u32::MAX).min(u32::MAX / 2);
        let column = |row: &holdings::HoldingsRow| {
            let [win, draw] = [need(&row.win), need(&row.draw)];
            let cell = |own: u32| against(fixed, [win, draw], u64::from(own), table.reason.is_none());
            let at = row.alice.or(row.bob).unwrap_or(0);
            let ends = [win, draw].into_iter().flatten();
            HeatColumn { at, runs: runs(most, ends, cell), said: needs(fixed, at, win, draw) }
        };
        Cells { columns: rows.iter().map(column).collect(), most, cut: table.rows.len() > rows.len() }
    }

    pub(super) fn has(&self, known: CellResult) -> bool {
        self.columns.iter().flat_map(|column| &column.runs).any(|(run, _)| *run == known)
    }

    /// The cells of a kind in cell units, vertical neighbours as one rectangle.
    pub(super) fn path(&self, known: CellResult) -> String {
        let mut path = String::new();
        for (x, column) in self.columns.iter().enumerate() {
            let mut from = 0;
            for (run, length) in &column.runs {
                if *run == known {
                    let _ = write!(path, "M{x} {from}h1v{length}h-1z");
                }
                from += length;
            }
        }
        path
    }
}

/// The runs of equal cells from 0 to `most`, which change only at `ends`: there may be too many
/// chips to test each.
fn runs(most: u32, ends: impl Iterator<Item = u64>, cell: impl Fn(u32) -> CellResult) -> Vec<(CellResult, u32)> {
    let inside = ends.filter_map(|end| u32::try_from(end).ok()).filter(|end| *end <= most);
    let starts: BTreeSet<u32> = inside.chain([0]).collect();
    let next = starts.iter().skip(1).copied().chain([most.saturating_add(1)]);
    starts.iter().zip(next).map(|(start, next)| (cell(*start), next - start)).collect()
}

/// The ranges of Alice's chips that meet a total's threshold.
fn sufficient(threshold: &ThresholdJson, has_star: bool) -> Vec<[u32; 2]> {
    match &threshold.wins {
        Some(sets) => (if has_star { &sets.star } else { &sets.plain }).clone(),
        None => vec![[if has_star { threshold.star } else { threshold.plain }, u32::MAX]],
    }
}

/// Who wins with `own` chips against those of `fixed`. If `proved`, a missing need means that no
/// number suffices.
fn against(fixed: Player, [win, draw]: [Option<u64>; 2], own: u64, proved: bool) -> CellResult {
    let reaches = |need: Option<u64>| need.map(|need| own >= need).or(proved.then_some(false));
    let (alice_wins, bob_wins) = match fixed {
        // Alice's needs to win, and to prevent Bob's win.
        Player::Bob => (reaches(win), reaches(draw).map(|reached| !reached)),
        // Bob's needs to prevent Alice's win, and to win.
        Player::Alice => (reaches(win).map(|reached| !reached), reaches(draw)),
    };
    match (alice_wins, bob_wins) {
        (Some(true), _) => CellResult::Alice,
        (_, Some(true)) => CellResult::Bob,
        (Some(false), Some(false)) => CellResult::Neither,
        _ => CellResult::Nothing,
    }
}

fn needs(fixed: Player, at: u32, win: Option<u64>, draw: Option<u64>) -> String {
    let said =
        |need: Option<u64>| need.map_or_else(|| "nothing known suffices".to_string(), |need| format!("{need} or more"));
    let (win, draw) = (said(win), said(draw));
    let against = format!("against {} of {fixed}", counted(u64::from(at), "chip"));
    match fixed {
        Player::Bob => format!("{against}: Alice wins with {win}, and does not lose with {draw}"),
        Player::Alice => format!("{against}: Bob does not lose with {win}, and wins with {draw}"),
    }
}
