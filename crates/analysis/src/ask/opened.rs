//! An unfolded game, and its tables, trees and comparisons.

use std::borrow::Borrow;
use std::ops::RangeInclusive;

use richman_core::{Aim, Bids, Effort, Error as CoreError, Mechanism, Player, Total, Unfolding, Walk, Watch};
use richman_engine::Cost;
use richman_formats::SavedSolution;
use richman_solvers::{registry, rules};
use serde::Serialize;

use super::arena_cost::arena_cost;
use super::{Question, Stake};
use crate::holdings::{self, HoldingsTable};
use crate::table::{self, TableReport};
use crate::tree::{self, TreeReport};
use crate::{Error, Request, Subject, compare, saved, sources};

/// An unfolded game, for reports within an effort.
pub struct Opened {
    pub(super) unfolding: Box<dyn Unfolding>,
    question: Question,
    effort: Effort<'static>,
}

/// A table of either kind.
#[derive(Debug, Serialize)]
#[serde(untagged)]
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
    /// Whether there is a table of chips.
    pub fn has_table(&self) -> bool {
        self.aim == Aim::Win || self.is_won_for_ever() && registry::parity_chips(&self.mechanism).is_ok()
    }

    /// Whether there is a tree: for chips, or for real money if every bid is allowed.
    pub fn has_tree(&self) -> bool {
        let is_won = self.aim == Aim::Win || self.is_won_for_ever();
        self.within.is_none() && self.mechanism.bids == Bids::All && is_won
    }

    /// Whether the game need not end, and is won by what comes back for ever.
    fn is_won_for_ever(&self) -> bool {
        self.aim == Aim::Parity || self.aim == Aim::MeanPayoff && self.at_least.is_some()
    }

    /// The total for which a tree shows best moves; `None` for real money, or if holdings have no
    /// order.
    pub fn tree_chips(&self) -> Option<Total> {
        let total = self.stake.total(&self.mechanism).ok()?;
        match self.is_won_for_ever() {
            true => total.filter(|_| registry::parity_chips(&self.mechanism).is_ok()),
            false => total.filter(|_| registry::rules(&self.mechanism).is_ok()),
        }
    }
}

impl Opened {
    /// Unfolds the game of a question.
    ///
    /// # Errors
    /// Fails if the position does not exist, has a dead end or exceeds a limit; [`Error::TooLarge`]
    /// if an engine could answer for real money; `Cancelled`.
    pub fn new(subject: &Subject, question: &Question, effort: &Effort) -> Result<Opened, Error> {
        let walk = || subject.walk(question.position.as_deref());
        Opened::open(subject, question, effort).map_err(|error| match (error, walk()) {
            (Error::Core(CoreError::TooManyPositions { limit }), Ok(walk))
                if question.within.is_none() && sources::engine(walk.as_ref(), &question.mechanism).is_some() =>
            {
                Error::TooLarge { limit }
            }
            (error, _) => error,
        })
    }

    /// The same for a question about real money, where the advice of [`Error::TooLarge`] does not
    /// help.
    pub(super) fn open(subject: &Subject, question: &Question, effort: &Effort) -> Result<Opened, Error> {
        let unfolding = subject.unfold(question.position.as_deref(), effort)?;
        Ok(Opened { unfolding, question: question.clone(), effort: effort.unwatched() })
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

    pub(super) fn within(&self) -> Option<u32> {
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
        match (subject.aim(), &question.at_least) {
            (Aim::Parity, None) | (Aim::MeanPayoff, _) => {
                return tree::endless_report(subject, question, choices, effort);
            }
            (_, Some(_)) => return Err(Error::NoAverage),
            (_, None) => {}
        }
        let opened = Opened::new(subject, question, effort)?;
        let tree = tree::report(&opened.request(effort.watch), choices)?;
        Ok((opened.unfolding.picture(opened.unfolding.arena().start()), tree))
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
