//! Chip tables: the thresholds of a position for a range of totals.

use std::ops::RangeInclusive;

use richman_core::{Effort, Error as CoreError, Holding, Player, Rule, RuleSide, Thresholds, Total};
use richman_solvers::{chips, rules};
use schemars::JsonSchema;
use serde::Serialize;

use crate::class::{Class, RuleClasses};
use crate::stability::{self, StabilityReport};
use crate::{Error, HoldingJson, ReportHead, Request, ThresholdJson};

/// The thresholds for one total.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TableRow {
    /// The total of chips.
    pub chips: u32,
    /// Alice's win threshold.
    pub win: ThresholdJson,
    /// Alice's draw threshold.
    pub draw: ThresholdJson,
}

impl TableRow {
    pub(crate) fn new(total: Total, Thresholds { win, draw }: Thresholds) -> TableRow {
        TableRow { chips: total.chips(), win: win.into(), draw: draw.into() }
    }
}

/// The period of one threshold: threshold(k + block) = threshold(k) + step for every k >= from,
/// proved.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PeriodReport {
    /// The least number of totals after which the threshold repeats, raised by a whole number of
    /// chips.
    pub block: u32,
    /// The raise, in chips.
    pub step: u32,
    /// The least total from which this holds.
    pub from: u32,
    /// Always true: only proved periods are reported.
    pub proved: bool,
    /// A smaller block whose step is no whole number of chips: threshold(k + block) = threshold(k)
    /// + step, in half-steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finer: Option<FinerPeriod>,
}

/// A block whose step is not a whole number of chips.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct FinerPeriod {
    /// The number of totals.
    pub block: u32,
    /// The step, such as `"66*"`.
    pub step: HoldingJson,
}

impl From<&Rule> for PeriodReport {
    fn from(rule: &Rule) -> PeriodReport {
        let step = HoldingJson(Holding::from_half_steps(rule.step()));
        let finer = (rule.block() != rule.chip_block()).then_some(FinerPeriod { block: rule.block(), step });
        let (block, step) = (rule.chip_block(), rule.chip_step());
        PeriodReport { block, step, from: rule.from(), proved: true, finer }
    }
}

/// The periods of the thresholds; null where none was proved.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TablePeriods {
    /// Of the win threshold.
    pub win: Option<PeriodReport>,
    /// Of the draw threshold.
    pub draw: Option<PeriodReport>,
    /// Why a period is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl TablePeriods {
    /// The periods of the start's rules, or why there are none.
    fn new(win: Result<Rule, Error>, draw: Result<Rule, Error>) -> Result<TablePeriods, Error> {
        let mut reason = None;
        let mut period = |rule: Result<Rule, Error>| match rule {
            Ok(rule) => Ok(Some(PeriodReport::from(&rule))),
            Err(Error::Core(richman_core::Error::Cancelled)) => Err(richman_core::Error::Cancelled),
            Err(error) => {
                reason.get_or_insert(error.to_string());
                Ok(None)
            }
        };
        Ok(TablePeriods { win: period(win)?, draw: period(draw)?, reason })
    }
}

/// A chip table.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TableReport {
    /// Game, position and mechanism.
    #[serde(flatten)]
    pub head: ReportHead,
    /// The limit of moves, if any; longer plays are draws.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truncated: Option<u32>,
    /// A row for every total, ascending.
    pub rows: Vec<TableRow>,
    /// The periods.
    pub period: TablePeriods,
    /// The shortest wedge expression with this win threshold for all totals; null if none of up to
    /// nine letters has it, or no rule was proved.
    pub class: Option<Class>,
    /// The unstable totals, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stability: Option<StabilityReport>,
}

/// The table of the start for `totals`, with its stability if `stable`. If no period is proved, it
/// says why.
///
/// # Errors
/// `Unsupported`, `TooMuchMemory` or `Cancelled`; with `stable`, fails also if a real-money
/// threshold is not exact or moves are limited.
pub fn report(request: &Request, totals: RangeInclusive<Total>, stable: bool) -> Result<TableReport, Error> {
    if !request.mechanism.is_ordered_by_chips() && !request.mechanism.has_bank() {
        return unordered(request, totals, stable);
    }
    let first = totals.start().chips();
    let thresholds = chips::table(request.unfolding.arena(), request.mechanism, totals.clone(), &request.effort)?;
    let stability = if stable { Some(stability::report(request, totals, &thresholds)?) } else { None };
    let rows = (first..)
        .zip(thresholds)
        .map(|(chips, row)| TableRow { chips, win: row.win.into(), draw: row.draw.into() })
        .collect();
    let rule = |player, effort: &Effort| Ok(rules::side(request.unfolding.arena(), request.mechanism, player, effort)?);
    // The second proof gets the time that the first leaves.
    let half = request.effort.time_left().map_or(request.effort, |left| request.effort.at_most(left / 2));
    let start = request.unfolding.arena().start();
    let win = rule(Player::Alice, &half).map(|side: RuleSide| side.rule(start).clone());
    let draw = rule(Player::Bob, &request.effort).map(|side| side.rule(start).opposite());
    let class = match &win {
        Ok(rule) => RuleClasses::default().name(rule)?,
        Err(_) => None,
    };
    let period = TablePeriods::new(win, draw)?;
    Ok(TableReport { head: request.head(), truncated: request.effort.within, rows, period, class, stability })
}

/// The table, total by total, for mechanisms in which more chips can hurt.
fn unordered(request: &Request, totals: RangeInclusive<Total>, stable: bool) -> Result<TableReport, Error> {
    if stable {
        return Err(CoreError::unsupported("stability where more chips can hurt", "bids with 0 among them").into());
    }
    let (first, last) = (totals.start().chips(), totals.end().chips());
    let mut rows = Vec::new();
    for chips in first..=last {
        let [win, draw] = crate::chips::unordered(request, Total::new(chips)?)?;
        rows.push(TableRow { chips, win, draw });
        request.effort.watch.progress("totals", u64::from(chips - first) + 1, Some(u64::from(last - first) + 1));
    }
    let reason = Some("more chips can hurt with these bids".to_string());
    Ok(TableReport {
        head: request.head(),
        truncated: request.effort.within,
        rows,
        period: TablePeriods { win: None, draw: None, reason },
        class: None,
        stability: None,
    })
}
