//! The numbers: the command line's reports, computed at the desk within a time limit.

use std::time::Duration;

use axum::body::Bytes;
use richman_analysis::tree::TreeReport;
use richman_analysis::{AfterMove, AnyTable, Opened, Report, Scope, Stake, ask, plot, sources};
use richman_core::{ByPlayer, Effort, Holding, Total, Walk};
use richman_hall::refused::Refusal;
use richman_play::players::ChipEstimate;
use serde::Serialize;

use super::question::Inquiry;
use crate::desk::{Deadline, MOST_POSITIONS};

pub const TIME: Duration = Duration::from_secs(5);
/// The most moves of a player to list with their results.
pub const MOST_MOVES: usize = 256;

/// A report, with more for the page.
#[derive(Debug)]
pub struct ExploreAnswer {
    pub report: Report,
    /// The command line's output with `--json`.
    pub json: Bytes,
    /// For Alice's and Bob's moves by name, Alice's need after them; empty if unknown.
    pub then: ByPlayer<Vec<(String, AfterMove)>>,
    /// Whether too many positions can follow for a table and a tree.
    pub too_large: bool,
}

/// A report as `--json` prints it.
pub fn json_line(report: &impl Serialize) -> Result<String, Refusal> {
    Ok(serde_json::to_string(report).map_err(Refusal::internal)? + "\n")
}

/// The value of the position.
pub fn solve(question: &Inquiry, deadline: &Deadline) -> Result<ExploreAnswer, Refusal> {
    let subject = &question.source.subject;
    let answer = ask(subject, &question.of, &deadline.effort())?;
    let then = answer.after(MOST_MOVES);
    let too_large = is_too_large(question, subject.walk(question.of.position.as_deref())?.as_ref());
    Ok(ExploreAnswer { json: json_line(&answer.report)?.into(), report: answer.report, then, too_large })
}

/// Whether there may be an estimate with chips where there is no exact answer.
pub fn has_estimate(question: &Inquiry, walk: &dyn Walk) -> bool {
    let asks = !matches!(question.of.stake, Stake::Money) && question.of.aim.facts().won_at_end;
    asks && question.of.within.is_none()
        && walk.end().is_none()
        && sources::engine(walk, &question.of.mechanism).is_some()
}

/// What the best computer player goes by.
pub fn estimate(question: &Inquiry, deadline: &Deadline) -> Result<Option<ChipEstimate>, Refusal> {
    let (of, subject) = (&question.of, &question.source.subject);
    let Some(total) = of.stake.total(&of.mechanism)? else { return Ok(None) };
    let hands = if let Stake::Hands(hands) = of.stake { Some(ByPlayer::new(hands.alice, hands.bob)) } else { None };
    let half = total.chips() / 2;
    let chips = hands.map_or(ByPlayer::new(half, total.chips() - half), |hands| hands.map(Holding::chips));
    let purses = of.mechanism.purses(chips, total.chips());
    let scope = Scope { subject, position: of.position.as_deref(), mechanism: &of.mechanism, total, purses };
    Ok(ChipEstimate::of(&scope, hands, &deadline.effort())?)
}

/// Whether too many positions can follow for a table and a tree.
pub fn is_too_large(question: &Inquiry, walk: &dyn Walk) -> bool {
    let effort = Effort { positions: MOST_POSITIONS, ..Effort::default() }.within_time(TIME);
    Opened::is_too_much(walk, &question.of, &effort)
}

pub fn table(question: &Inquiry, deadline: &Deadline) -> Result<AnyTable, Refusal> {
    Ok(question.of_table().table(&question.source.subject, &deadline.effort())?)
}

/// The figure of the chip table, as `richman table --svg` draws it.
pub fn figure(question: &Inquiry, deadline: &Deadline) -> Result<String, Refusal> {
    let reason = "with payment to the bank the total shrinks, so there is no such figure";
    let refused = || Refusal::BadRequest(reason.to_string());
    if question.is_bank() {
        return Err(refused());
    }
    let opened = Opened::new(&question.source.subject, &question.of, &deadline.effort())?;
    match opened.table(None, Total::new(0)?..=question.table_end, false, deadline)? {
        AnyTable::Totals(table) => Ok(richman_render::plot::svg(&plot::figure(&opened.request(deadline), &table)?)),
        AnyTable::Holdings(_) => Err(refused()),
    }
}

pub fn tree(question: &Inquiry, deadline: &Deadline) -> Result<TreeReport, Refusal> {
    Ok(question.of_tree().tree(&question.source.subject, &deadline.effort())?.1)
}
