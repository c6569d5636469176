//! Tables of totals: from the arena, which proves periods too; of games that are too large to unfold from an engine.

use std::ops::RangeInclusive;

use richman_core::{Effort, Thresholds, Total};
use richman_engine::{Cost, Grade, Offer, Way, pick};
use richman_formats::MechanismJson;

use super::arena_cost::arena_cost;
use super::engines::{Asked, in_turn, room};
use super::{Opened, Question, Stake};
use crate::sources::engines;
use crate::table::{Period, Row, TableReport};
use crate::{Error, Subject};

/// Where the rows of a table come from.
pub enum TableSource {
    /// From the game unfolded: the table is still to be made.
    Arena(Box<Opened>),
    /// From an engine: this is the table.
    Engine(Box<TableReport>),
}

/// Who makes a table.
#[derive(Clone, Copy)]
enum Who {
    Arena,
    Way(&'static dyn Way),
}

/// Unfolds the game that a question is about, for a table. Where that is too much, an engine that knows thresholds makes
/// the table of these totals; of other tables `totals` is `None`.
///
/// # Errors
/// Those of [`Opened::new`], where no engine makes the table either.
pub fn open_table(
    subject: &Subject,
    question: &Question,
    totals: Option<RangeInclusive<Total>>,
    effort: &Effort,
) -> Result<TableSource, Error> {
    let opened = |effort: &Effort| Ok(TableSource::Arena(Box::new(Opened::new(subject, question, effort)?)));
    /// Bytes of a row while a table is made, with what an engine needs for it.
    const ROW: u64 = 256;
    let fits = |totals: &RangeInclusive<Total>| {
        let rows = (u64::from(totals.end().chips()) + 1).checked_sub(totals.start().chips().into());
        question.within.is_none() && rows.is_some_and(|rows| rows > 0 && rows <= effort.memory_left() / ROW)
    };
    let Some(totals) = totals.filter(fits) else { return opened(effort) };
    let question = &Question { stake: Stake::Total(*totals.end()), ..question.clone() };
    let walk = subject.walk(question.position.as_deref())?;
    let asked = Asked { subject, walk: walk.as_ref(), question, effort };
    let chips = u64::from(totals.start().chips())..=u64::from(totals.end().chips());
    let totals: Vec<Total> = chips.map(Total::new).collect::<Result<_, _>>()?;
    // An engine proves no periods, so its table is the second best.
    let arena = Offer { grade: Grade::Exact, cost: arena_cost(asked.walk, question, effort) };
    let ways = engines(asked.walk).flat_map(|engine| engine.ways().iter().copied()).filter(|way| !way.looks_up());
    let offer = |way: &'static dyn Way| {
        let cost = way.table_offer(&asked.of_position().ok()?, &totals).ok()?.cost;
        // Where neither fits, the arena says best what is missing.
        let has_room = !matches!(cost, Cost::About { memory: Some(memory), .. } if memory > effort.memory_left());
        has_room.then_some((Who::Way(way), Offer { grade: Grade::Bounds, cost }))
    };
    let (who, offers): (Vec<Who>, Vec<Offer>) = [(Who::Arena, arena)].into_iter().chain(ways.filter_map(offer)).unzip();
    let order: Vec<Who> = pick(&offers, &room(effort)).into_iter().map(|number| who[number]).collect();
    let (found, gave_up) = in_turn(&order, effort, |who, effort| match who {
        Who::Arena => opened(asked.effort).map(Some),
        Who::Way(way) => {
            // The deadline is that of proofs.
            let asked = Asked { effort: &Effort { deadline: None, ..*effort }, ..asked };
            let rows = way.table(&asked.of_position()?, &totals)?;
            Ok(rows.map(|rows| TableSource::Engine(Box::new(report(&asked, &totals, rows, way)))))
        }
    })?;
    match (found, gave_up.into_iter().next()) {
        (Some(found), _) => Ok(found),
        (None, Some((_, _, error))) => Err(error),
        (None, None) => opened(effort), // the arena knows best what is missing
    }
}

fn report(asked: &Asked, totals: &[Total], rows: Vec<Thresholds>, way: &dyn Way) -> TableReport {
    let reason = format!("the game was not unfolded, which a proof needs; the thresholds are exact ({})", way.name());
    TableReport {
        game: asked.walk.game(),
        position: asked.walk.notation(),
        mechanism: MechanismJson::from(&asked.question.mechanism),
        truncated: None,
        rows: totals.iter().zip(rows).map(|(total, row)| Row::new(*total, row)).collect(),
        period: Period { win: None, draw: None, reason: Some(reason) },
        class: None,
        stability: None,
    }
}
