//! An unfolded game, and its tables, trees and comparisons.

use std::borrow::Borrow;
use std::ops::RangeInclusive;

use richman_core::{Effort, Mechanism, Player, Total, Unfolding, Walk, Watch, WinLose};
use richman_engine::Cost;
use richman_solvers::rules;
use schemars::JsonSchema;
use serde::Serialize;

use super::arena_cost::arena_cost;
use super::{Question, Stake};
use crate::holdings::{self, HoldingsTable};
use crate::kinds::{kind_of, unfolded};
use crate::saved::SavedSolution;
use crate::table::{self, TableReport};
use crate::tree::{self, TreeReport};
use crate::{Error, Request, Subject, compare, saved};

/// An unfolded game, for reports within an effort.
pub struct Opened {
    unfolding: Box<dyn Unfolding>,
    question: Question,
    effort: Effort<'static>,
}

richman_core::debug_by_name!(Opened {});

/// A table of either kind.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "Table")]
pub enum AnyTable {
    /// Alice's thresholds for each total.
    Totals(Box<TableReport>),
    /// One player's needs against the other's chips.
    Holdings(Box<HoldingsTable>),
}

impl AnyTable {
    /// The usual last total of a table, or, if chips leave the game, last number of Bob's chips.
    pub fn usual_end(mechanism: &Mechanism) -> u32 {
        if mechanism.has_bank() { 20 } else { 31 }
    }
}

impl Question {
    /// The same question for another stake.
    fn with_stake(&self, stake: Stake) -> Question {
        Question { stake, ..self.clone() }
    }

    /// Whether the answer tells what Alice needs to win, rather than what the game is worth.
    pub fn has_thresholds(&self) -> bool {
        kind_of(self).is_ok_and(|kind| kind.has_thresholds())
    }

    /// Whether there is a table of chips.
    pub fn has_table(&self) -> bool {
        let question = self.with_stake(Stake::Total(Total::default()));
        kind_of(&question).is_ok_and(|kind| kind.has_table(&question))
    }

    /// Whether there is a tree: for chips, or for real money if every bid is allowed.
    pub fn has_tree(&self) -> bool {
        let question = self.with_stake(Stake::Money);
        self.within.is_none() && kind_of(&question).is_ok_and(|kind| kind.has_tree(&question))
    }

    /// The total for which a tree shows best moves; `None` for real money, or if holdings have no
    /// order.
    pub fn tree_chips(&self) -> Option<Total> {
        let total = self.stake.total(&self.mechanism).ok().flatten()?;
        let question = self.with_stake(Stake::Total(total));
        kind_of(&question).is_ok_and(|kind| kind.has_tree(&question)).then_some(total)
    }
}

impl Opened {
    /// Unfolds the game of a question.
    ///
    /// # Errors
    /// Fails if the position does not exist, has a dead end or exceeds a limit; [`Error::TooLarge`]
    /// if an engine could answer for real money; `Cancelled`.
    pub fn new(subject: &Subject, question: &Question, effort: &Effort) -> Result<Opened, Error> {
        Ok(Opened::of(unfolded::<WinLose>(subject, question, effort)?, question, effort))
    }

    /// The unfolded game of a question.
    pub(crate) fn of(unfolding: Box<dyn Unfolding>, question: &Question, effort: &Effort) -> Opened {
        Opened { unfolding, question: question.clone(), effort: effort.unwatched() }
    }

    /// Whether the game has too many positions for a table or a tree, by a quick estimate.
    pub fn is_too_much(walk: &dyn Walk, question: &Question, effort: &Effort) -> bool {
        /// The estimates are right within this factor.
        const MARGIN: u32 = 4;
        let total = question.stake.total(&question.mechanism).ok().flatten().unwrap_or_default();
        let question = Question { stake: Stake::Total(total), ..question.clone() };
        match arena_cost(walk, &question, effort) {
            Cost::TooMuch { .. } => true,
            Cost::About { time, .. } => effort.time_left().is_some_and(|left| time > MARGIN * left),
            Cost::Anytime | Cost::Unknown => false,
        }
    }

    /// The game and its notation.
    pub fn unfolding(&self) -> &dyn Unfolding {
        self.unfolding.as_ref()
    }

    pub(crate) fn within(&self) -> Option<u32> {
        self.question.within
    }

    /// A request for figures, saved totals, random-turn play and the reports below.
    pub fn request<'a>(&'a self, watch: &'a dyn Watch) -> Request<'a> {
        let effort = Effort { within: self.question.within, held: self.unfolding.bytes(), watch, ..self.effort };
        Request { unfolding: self.unfolding.as_ref(), mechanism: &self.question.mechanism, effort }
    }

    /// The chip table: thresholds for each total, or needs against the given chips of player `of`.
    /// If chips leave the game, `of` is Bob by default.
    ///
    /// # Errors
    /// `Unsupported`, `NoRule`, `TotalTooLarge`, `TooMuchMemory`, `OutOfTime` or `Cancelled`.
    pub fn table(
        &self,
        of: Option<Player>,
        chips: RangeInclusive<Total>,
        stability: bool,
        watch: &dyn Watch,
    ) -> Result<AnyTable, Error> {
        let request = self.request(watch);
        let leave = request.mechanism.has_bank();
        Ok(match of.or(leave.then_some(Player::Bob)) {
            Some(player) => AnyTable::Holdings(Box::new(holdings::report(&request, player, chips)?)),
            None => AnyTable::Totals(Box::new(table::report(&request, chips, stability)?)),
        })
    }

    /// The rules of every position for all totals, ready to save; `subject` is the game.
    ///
    /// # Errors
    /// `NoRule`, `Unsupported`, `TooMuchMemory`, `OutOfTime` or `Cancelled`.
    pub fn certificate(&self, subject: &Subject, watch: &dyn Watch) -> Result<SavedSolution, Error> {
        let request = self.request(watch);
        let solution = rules::solve(request.unfolding.arena(), request.mechanism, &request.effort)?;
        saved::rules(subject, &request, solution)
    }

    /// Unfolds the game of a question, and makes the tree of its optimal moves; with the picture of
    /// its start.
    ///
    /// # Errors
    /// [`Error::TreeWithin`] with a limit of moves; otherwise fails as [`Opened::new`] and
    /// [`tree::report`] do.
    pub fn with_tree(
        subject: &Subject,
        question: &Question,
        choices: &tree::TreeOptions,
        effort: &Effort,
    ) -> Result<(String, TreeReport), Error> {
        if question.within.is_some() {
            return Err(Error::TreeWithin);
        }
        let stake = choices.chips.map_or(Stake::Money, Stake::Total);
        let question = Question { aim: subject.aim(), ..question.with_stake(stake) };
        let kind = kind_of(&question)?;
        kind.check_choices(&question)?;
        kind.tree(subject, &question, choices, effort)
    }

    /// The tree of optimal moves, with the picture of its start.
    pub(crate) fn tree(&self, choices: &tree::TreeOptions, watch: &dyn Watch) -> Result<(String, TreeReport), Error> {
        let report = tree::report(&self.request(watch), choices)?;
        Ok((self.unfolding.picture(self.unfolding.arena().start()), report))
    }

    /// Compares the game with another under this mechanism, within this effort. The other game is
    /// given up once it is unfolded.
    ///
    /// # Errors
    /// Fails as [`Opened::new`] does for the other game, or as [`compare::report`] does.
    pub fn compare(
        &self,
        other: impl Borrow<Subject>,
        position: Option<&str>,
        watch: &dyn Watch,
    ) -> Result<compare::CompareReport, Error> {
        let question = Question { position: position.map(str::to_string), ..self.question.clone() };
        let opened = Opened::new(other.borrow(), &question, &Effort { watch, ..self.beside() })?;
        drop(other);
        let [g, h] = [self.request(watch), opened.request(watch)];
        // Reading and unfolding two games leaves gaps in memory, up to a quarter of what they hold.
        let held = (g.effort.held + h.effort.held) / 4 * 5;
        let effort = Effort { held, ..g.effort };
        compare::report(&Request { effort, ..g }, &Request { effort, ..h })
    }

    /// The effort that remains for another game.
    pub fn beside(&self) -> Effort<'static> {
        Effort { memory: self.effort.memory.saturating_sub(self.unfolding.bytes()), ..self.effort }
    }
}
