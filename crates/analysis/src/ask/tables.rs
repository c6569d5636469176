//! Tables by total: from the arena, which also proves periods, or from an engine if the game is too
//! large to unfold.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use richman_core::{ByPlayer, Effort, Mechanism, Player, Thresholds, Total, excerpt};
use richman_engine::{Cost, Grade, Offer, Way, pick};

use super::arena_cost::arena_cost;
use super::engines::{CostedQuestion, Responder, in_turn, room};
use super::{AnyTable, Opened, Question, Stake};
use crate::kinds::kind_of;
use crate::table::{TablePeriods, TableReport, TableRow};
use crate::{Error, ReportHead, Subject, parse};

/// The rows of a table: totals, or one player's chips.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableRows {
    /// The player whose chips are given; `None` for totals.
    pub of: Option<Player>,
    /// The totals, or that player's chips.
    pub chips: RangeInclusive<Total>,
}

impl TableRows {
    /// The rows that are given: totals `chips`, or the chips of one of `hands`.
    pub fn given(
        chips: Option<RangeInclusive<Total>>,
        ByPlayer { alice, bob }: ByPlayer<Option<RangeInclusive<Total>>>,
    ) -> Option<TableRows> {
        let given = [(Some(Player::Alice), alice), (Some(Player::Bob), bob), (None, chips)];
        given.into_iter().find_map(|(of, chips)| Some(TableRows { of, chips: chips? }))
    }

    /// The usual rows: totals, or Bob's chips if chips leave the game.
    pub(crate) fn usual(mechanism: &Mechanism) -> TableRows {
        let last = Total::new(AnyTable::usual_end(mechanism)).unwrap_or_default(); // it is small
        TableRows { of: mechanism.has_bank().then_some(Player::Bob), chips: Total::default()..=last }
    }
}

/// The rows in the form `chips 0..31`, `alice 0..20` or `bob 0..20`.
impl fmt::Display for TableRows {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let of = match self.of {
            None => "chips",
            Some(player) => player.either("alice", "bob"),
        };
        write!(f, "{of} {}..{}", self.chips.start(), self.chips.end())
    }
}

impl FromStr for TableRows {
    type Err = String;

    fn from_str(text: &str) -> Result<TableRows, String> {
        let (of, chips) = text.split_once(' ').unwrap_or(("chips", text));
        let of = match of {
            "chips" => None,
            "alice" => Some(Player::Alice),
            "bob" => Some(Player::Bob),
            _ => return Err(format!("{} are no rows: write chips 0..31, alice 0..20 or bob 0..20", excerpt(text))),
        };
        Ok(TableRows { of, chips: parse::totals(chips)? })
    }
}

/// The origin of a table's rows.
pub enum TableSource {
    /// The unfolded game, from which the table is still to be made.
    Arena(Box<Opened>),
    /// The table: an engine's, or that of play that need not end.
    Report(Box<TableReport>),
}

richman_core::debug_by_name!(TableSource {});

/// Unfolds the game of a question for a table. If it is too large, an engine makes the table of
/// `totals`; `None` stands for other kinds of tables.
///
/// # Errors
/// Fails as [`Opened::new`] does, if no engine can make the table either; [`Error::NoAverage`].
pub fn open_table(
    subject: &Subject,
    question: &Question,
    totals: Option<RangeInclusive<Total>>,
    effort: &Effort,
) -> Result<TableSource, Error> {
    let total = totals.as_ref().map_or_else(Total::default, |totals| *totals.end());
    let question = Question { aim: subject.aim(), stake: Stake::Total(total), ..question.clone() };
    let kind = kind_of(&question)?;
    kind.check_choices(&question)?;
    kind.table(subject, &question, totals, effort)
}

/// The table of a game that a player wins.
pub(crate) fn table_of_totals(
    subject: &Subject,
    question: &Question,
    totals: Option<RangeInclusive<Total>>,
    effort: &Effort,
) -> Result<TableSource, Error> {
    /// The bytes of a row while the table is made, including the engine's.
    const ROW: u64 = 256;
    let opened = || Ok(TableSource::Arena(Box::new(Opened::new(subject, question, effort)?)));
    let fits = |totals: &RangeInclusive<Total>| {
        let rows = (u64::from(totals.end().chips()) + 1).checked_sub(totals.start().chips().into());
        question.within.is_none() && rows.is_some_and(|rows| rows > 0 && rows <= effort.memory_left() / ROW)
    };
    let Some(totals) = totals.filter(fits) else { return opened() };
    let walk = subject.walk(question.position.as_deref())?;
    // The deadline is for proofs: an engine gets none, and the arena all of it.
    let asked =
        CostedQuestion { subject, walk: walk.as_ref(), question, effort: &Effort { deadline: None, ..*effort } };
    let of_position = asked.of_position()?;
    let chips = totals.start().chips()..=totals.end().chips();
    let totals: Vec<Total> = chips.map(Total::new).collect::<Result<_, _>>()?;
    let offer = |who: Responder| match who {
        Responder::Arena => Some((who, Offer { grade: Grade::Exact, cost: arena_cost(asked.walk, question, effort) })),
        Responder::Engine(way) => {
            let cost = way.table_offer(&of_position, &totals).ok()?.cost;
            // If nothing fits, the arena's error tells best what is missing. A table without
            // periods is second best.
            let has_room = !matches!(cost, Cost::About { memory: Some(memory), .. } if memory > effort.memory_left());
            has_room.then_some((who, Offer { grade: Grade::Bounds, cost }))
        }
    };
    let (who, offers): (Vec<Responder>, Vec<Offer>) = Responder::all(&asked).into_iter().filter_map(offer).unzip();
    let order: Vec<Responder> = pick(&offers, &room(effort)).into_iter().map(|number| who[number]).collect();
    let (found, gave_up) = in_turn(&order, effort, |who, _| match who {
        Responder::Arena => opened().map(Some),
        Responder::Engine(way) => {
            let rows = way.table(&of_position, &totals)?;
            Ok(rows.map(|rows| TableSource::Report(Box::new(report(&asked, &totals, rows, way)))))
        }
    })?;
    match (found, gave_up.into_iter().next()) {
        (Some(found), _) => Ok(found),
        (None, Some((_, _, error))) => Err(error),
        (None, None) => opened(), // the arena's error says best what is missing
    }
}

fn report(asked: &CostedQuestion, totals: &[Total], rows: Vec<Thresholds>, way: &dyn Way) -> TableReport {
    let reason = format!("the game was not unfolded, which a proof needs; the thresholds are exact ({})", way.name());
    TableReport {
        head: ReportHead::at(asked.walk, &asked.question.mechanism),
        truncated: None,
        rows: totals.iter().zip(rows).map(|(total, row)| TableRow::new(*total, row)).collect(),
        period: TablePeriods { win: None, draw: None, reason: Some(reason) },
        class: None,
        stability: None,
    }
}
