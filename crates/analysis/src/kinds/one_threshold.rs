//! What the kinds share in which a position has one threshold: a play is won by one of the players,
//! so what Alice needs to win is what she needs to prevent Bob's win.

use std::ops::RangeInclusive;

use richman_core::{
    ByPlayer, Effort, Holding, LabelledArena, Outcome, Playable, Player, ShareBounds, Threshold, Thresholds, Total,
    Unfolding, Winnable,
};
use richman_solvers::registry;

use super::beside;
use crate::advice::Advice;
use crate::ask::TableSource;
use crate::chips::{ChipsReport, HoldingsQuery, HoldingsReport};
use crate::positions::{HoldingsWorth, PositionWorth};
use crate::table::{TablePeriods, TableReport, TableRow};
use crate::tree::{TreeOptions, TreeReport, TreeValues, of_endless};
use crate::{BoundsJson, Error, HoldingJson, Question, ReportHead, Request, Subject, ThresholdJson};

/// Who wins with these holdings.
fn outcome(needed: Threshold, hands: HoldingsQuery) -> Outcome {
    Outcome::Win(if needed.is_met_by(hands.alice) { Player::Alice } else { Player::Bob })
}

/// A position with chips.
pub(super) fn worth_in_chips(needed: Threshold, hands: Option<HoldingsQuery>) -> PositionWorth {
    let [win, draw] = [(); 2].map(|()| ThresholdJson::from(needed));
    let holdings = hands.map(|hands| HoldingsWorth { outcome: outcome(needed, hands), within: None });
    PositionWorth::Chips { win, draw, holdings }
}

/// A position with real money.
pub(super) fn worth_in_money(needed: ShareBounds) -> PositionWorth {
    PositionWorth::Money { win: BoundsJson(needed.clone()), draw: BoundsJson(needed) }
}

/// The report with chips; `advice` is for a player with an own holding against the other's.
pub(super) fn report_in_chips(
    head: ReportHead,
    (total, positions, stop): (Total, usize, &str),
    needed: Threshold,
    hands: Option<HoldingsQuery>,
    advice: impl Fn(Player, Holding, Holding) -> Option<Advice>,
) -> ChipsReport {
    let with_hands = |hands: HoldingsQuery| HoldingsReport {
        alice: HoldingJson(hands.alice),
        bob: HoldingJson(hands.bob),
        outcome: outcome(needed, hands),
        within: None,
        guarantee: None,
        advice: ByPlayer::new(
            advice(Player::Alice, hands.alice, hands.bob),
            advice(Player::Bob, hands.bob, hands.alice),
        ),
        trace: None,
    };
    let thresholds = [(); 2].map(|()| ThresholdJson::from(needed));
    let holdings = hands.map(with_hands);
    ChipsReport { holdings, ..ChipsReport::new(head, total, thresholds, positions, stop.to_string()) }
}

/// The table for a range of totals, each solved on its own.
pub(super) fn table<L: Playable>(
    subject: &Subject,
    question: &Question,
    totals: Option<RangeInclusive<Total>>,
    effort: &Effort,
    needed: impl Fn(&LabelledArena<L>, Total, &Effort) -> Result<Threshold, richman_core::Error>,
) -> Result<TableSource, Error> {
    registry::parity_chips(&question.mechanism)?;
    let totals = totals.ok_or_else(|| {
        let what = "a table of play that never ends with more than its rows";
        richman_core::Error::unsupported(what, "the rows alone; the saved solution for one total")
    })?;
    let unfolding = subject.unfold_for::<L>(question.position.as_deref(), effort)?;
    // The deadline is for proofs of periods, and there are none.
    let effort = Effort { deadline: None, ..beside(effort, unfolding.as_ref()) };
    let (arena, first, last) = (unfolding.arena(), totals.start().chips(), totals.end().chips());
    let row = |chips: u32| {
        let total = Total::new(chips)?;
        let needed = needed(arena, total, &effort)?;
        effort.watch.progress("totals", u64::from(chips - first) + 1, Some(u64::from(last - first) + 1));
        Ok(TableRow::new(total, Thresholds { win: needed, draw: needed }))
    };
    let reason = "none is known for play that never ends".to_string();
    let request = Request { unfolding: unfolding.as_ref(), mechanism: &question.mechanism, effort };
    Ok(TableSource::Report(Box::new(TableReport {
        head: ReportHead { at_least: question.at_least.clone(), ..request.head() },
        truncated: None,
        rows: (first..=last).map(row).collect::<Result<_, Error>>()?,
        period: TablePeriods { win: None, draw: None, reason: Some(reason) },
        class: None,
        stability: None,
    })))
}

/// The tree by the values of all positions, with the picture of its start.
pub(super) fn tree<L: Playable + Winnable>(
    subject: &Subject,
    question: &Question,
    choices: &TreeOptions,
    effort: &Effort,
    values: impl Fn(&dyn Unfolding<L>, &Effort) -> Result<TreeValues, Error>,
) -> Result<(String, TreeReport), Error> {
    let until = effort.until();
    let unfolding = subject.unfold_for::<L>(question.position.as_deref(), effort)?;
    let effort = Effort { watch: &until, ..beside(effort, unfolding.as_ref()) };
    let values = values(unfolding.as_ref(), &effort)?;
    let request = Request { unfolding: unfolding.as_ref(), mechanism: &question.mechanism, effort };
    let report = of_endless(&request, choices, values)?;
    let head = ReportHead { at_least: question.at_least.clone(), ..report.head };
    Ok((unfolding.picture(unfolding.arena().start()), TreeReport { head, ..report }))
}
