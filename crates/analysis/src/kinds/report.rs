//! The reports of the kinds of solutions, and what they have in common.

use richman_core::{ByPlayer, Effort, Player};
use schemars::JsonSchema;
use serde::Serialize;

use crate::ReportHead;
use crate::advice::Advice;
use crate::chips::{ChipsReport, PursesReport};
use crate::mean_payoff::{AverageChipsReport, AverageReport, OneSidedAverage};
use crate::money::{CellReport, MoneyReport};
use crate::scores::ScoresReport;

/// The value of a position.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Report {
    /// With real money.
    Money(Box<MoneyReport>),
    /// With chips.
    Chips(Box<ChipsReport>),
    /// With chips, if the bank is paid.
    Purses(Box<PursesReport>),
    /// In a scoring game.
    Scores(Box<ScoresReport>),
    /// In a mean-payoff game with real money.
    Average(Box<AverageReport>),
    /// In a mean-payoff game with chips.
    Averages(Box<AverageChipsReport>),
}

/// What the numbers of a report rest on.
#[derive(Debug)]
pub struct Grounds<'a> {
    /// How certain they are.
    pub certainty: Certainty,
    /// The positions that were solved; `None` if they were not unfolded.
    pub positions: Option<u64>,
    /// How the numbers were found.
    pub stop: &'a str,
}

/// How certain numbers are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Certainty {
    /// Exact.
    Exact,
    /// Proved bounds.
    Bounds,
    /// Each interval holds the truth with this confidence.
    Confidence(&'static str),
    /// Nothing is proved.
    Estimate,
}

impl Report {
    /// The game, the position and the mechanism.
    pub fn head(&self) -> &ReportHead {
        match self {
            Report::Money(report) => &report.head,
            Report::Chips(report) => &report.head,
            Report::Purses(report) => &report.head,
            Report::Scores(report) => &report.head,
            Report::Average(report) => &report.head,
            Report::Averages(report) => &report.head,
        }
    }

    /// The limit of moves, if any.
    pub fn truncated(&self) -> Option<u32> {
        match self {
            Report::Money(report) => report.truncated,
            Report::Chips(report) => report.truncated,
            Report::Purses(report) => report.truncated,
            Report::Scores(_) | Report::Average(_) | Report::Averages(_) => None,
        }
    }

    /// What the numbers rest on.
    pub fn grounds(&self) -> Grounds<'_> {
        fn exact(positions: usize, stop: &str) -> (Certainty, Option<u64>, &str) {
            (Certainty::Exact, Some(positions as u64), stop)
        }
        let (certainty, positions, stop) = match self {
            Report::Money(report) => {
                let certainty = match (&report.estimate, report.confidence) {
                    (Some(_), _) => Certainty::Estimate,
                    (None, Some(confidence)) => Certainty::Confidence(confidence),
                    (None, None) if report.exact => Certainty::Exact,
                    (None, None) => Certainty::Bounds,
                };
                (certainty, report.positions, report.stop.as_str())
            }
            Report::Chips(report) => exact(report.positions, &report.stop),
            Report::Purses(report) => exact(report.positions, &report.stop),
            Report::Scores(report) => exact(report.positions, "every position evaluated once"),
            Report::Averages(report) => exact(report.positions, &report.stop),
            Report::Average(report) => {
                let is_exact = report.one_sided.as_ref().map_or(report.exact, OneSidedAverage::is_exact);
                let certainty = if is_exact { Certainty::Exact } else { Certainty::Bounds };
                (certainty, Some(report.positions as u64), report.stop.as_str())
            }
        };
        Grounds { certainty, positions, stop }
    }

    /// The best moves of a player, by name; empty if unknown.
    pub fn best_moves(&self, player: Player) -> &[String] {
        match self {
            Report::Money(report) => report.moves.of(player),
            Report::Chips(report) => report.holdings.as_ref().map_or(&[], |holdings| advised(&holdings.advice, player)),
            Report::Purses(report) => advised(&report.holdings.advice, player),
            Report::Average(report) => &report.moves[player],
            Report::Scores(_) | Report::Averages(_) => &[],
        }
    }

    /// How often each cell of a board decides; empty if unknown.
    pub fn cells(&self) -> &[CellReport] {
        if let Report::Money(report) = self { &report.cells } else { &[] }
    }

    /// Adds to the report's account of how it was found, if it has one.
    pub(crate) fn add_to_stop(&mut self, what: &str) {
        let stop = match self {
            Report::Money(report) => &mut report.stop,
            Report::Chips(report) => &mut report.stop,
            Report::Purses(report) => &mut report.stop,
            Report::Average(report) => &mut report.stop,
            Report::Averages(report) => &mut report.stop,
            Report::Scores(_) => return,
        };
        *stop += &format!("; {what}");
    }

    /// Says if the bounds are wider than `width` asks for. Averages and estimates aim at widths of
    /// their own, so of these it says so only for a width that somebody chose.
    pub(crate) fn add_missed_width(&mut self, width: f64) {
        let is_chosen = width != Effort::default().width;
        let reached = match self {
            Report::Money(report) if report.estimate.is_some() || report.confidence.is_some() => {
                is_chosen.then_some(f64::INFINITY)
            }
            Report::Money(report) => {
                [&report.win, &report.draw].map(|bounds| bounds.0.width()).into_iter().reduce(f64::max)
            }
            Report::Average(report) if is_chosen => Some(report.width()),
            _ => None,
        };
        let written = |width: f64| if width < 1e-3 { format!("{width:.1e}") } else { format!("{width:.3}") };
        match reached {
            Some(f64::INFINITY) => self.add_to_stop(&format!("no bounds of the width {} are proved", written(width))),
            Some(reached) if reached > width => {
                let (reached, width) = (written(reached), written(width));
                self.add_to_stop(&format!("the bounds are {reached} wide, wider than the {width} aimed at"));
            }
            _ => {}
        }
    }
}

fn advised(advice: &ByPlayer<Option<Advice>>, player: Player) -> &[String] {
    advice[player].as_ref().map_or(&[], |advice| match &advice.moves_by_bid[..] {
        [cheapest, ..] if advice.depends_on_bid() => &cheapest.moves,
        _ if advice.moves.is_empty() => &advice.made_to_move,
        _ => &advice.moves,
    })
}
