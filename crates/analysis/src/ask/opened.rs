//! A game that was unfolded, and what its arena tells beside what one position is worth: tables, trees, comparisons.

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

/// A game that was unfolded, for reports within an effort.
pub struct Opened {
    pub(super) unfolding: Box<dyn Unfolding>,
    question: Question,
    effort: Effort<'static>,
}

/// A table of one kind or the other.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Table {
    /// What Alice needs of each total.
    Totals(Box<TableReport>),
    /// What one player needs against what the other holds.
    Holdings(Box<HoldingsTable>),
}

impl Table {
    /// The last total of a table unless somebody says which, or the last number of Bob's chips where chips leave the game.
    pub fn usual_end(mechanism: &Mechanism) -> u32 {
        if mechanism.has_bank() { 20 } else { 31 }
    }
}

impl Question {
    /// Whether there is a tree: with chips or with real money, which knows no restricted bids.
    pub fn has_tree(&self) -> bool {
        self.within.is_none() && self.mechanism.bids == Bids::All && self.aim == Aim::Win
    }

    /// The total whose best moves a tree shows; `None` for real money, and where holdings have no order.
    pub fn tree_chips(&self) -> Option<Total> {
        self.stake.total(&self.mechanism).ok()?.filter(|_| registry::rules(&self.mechanism).is_ok())
    }
}

impl Opened {
    /// Unfolds the game that a question is about.
    ///
    /// # Errors
    /// Those of [`Subject::unfold`]; [`Error::TooLarge`] where an engine could tell what real money is worth.
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

    /// The same for a question about real money, which no advice to ask for real money helps.
    pub(super) fn open(subject: &Subject, question: &Question, effort: &Effort) -> Result<Opened, Error> {
        let unfolding = subject.unfold(question.position.as_deref(), effort)?;
        Ok(Opened { unfolding, question: question.clone(), effort: effort.unwatched() })
    }

    /// Whether the game has too many positions for a table or a tree: as far as one can see it in a moment.
    pub fn is_too_much(walk: &dyn Walk, question: &Question, effort: &Effort) -> bool {
        /// Costs are met within this factor.
        const MARGIN: u32 = 4;
        let total = question.stake.total(&question.mechanism).ok().flatten().unwrap_or_default();
        let question = Question { stake: Stake::Total(total), ..question.clone() };
        match arena_cost(walk, &question, effort) {
            Cost::TooMuch { .. } => true,
            Cost::About { time, .. } => effort.time_left().is_some_and(|left| time > MARGIN * left),
            Cost::Anytime | Cost::Unknown => false,
        }
    }

    /// The game, and the names of its positions.
    pub fn unfolding(&self) -> &dyn Unfolding {
        self.unfolding.as_ref()
    }

    /// The limit of moves.
    pub(super) fn within(&self) -> Option<u32> {
        self.question.within
    }

    /// What reports are made from: figures, saved totals, random-turn play and those below.
    pub fn request<'a>(&'a self, watch: &'a dyn Watch) -> Request<'a> {
        let effort = Effort { within: self.question.within, held: self.unfolding.bytes(), watch, ..self.effort };
        Request { unfolding: self.unfolding.as_ref(), mechanism: &self.question.mechanism, effort }
    }

    /// The chip table: what is needed of each total, or against so many chips `of` a player; where chips leave the game,
    /// against Bob's unless somebody else's are asked for.
    ///
    /// # Errors
    /// Those of [`table::report`] and [`holdings::report`].
    pub fn table(
        &self,
        of: Option<Player>,
        chips: RangeInclusive<Total>,
        stability: bool,
        watch: &dyn Watch,
    ) -> Result<Table, Error> {
        let request = self.request(watch);
        let leave = request.mechanism.has_bank();
        Ok(match of.or(leave.then_some(Player::Bob)) {
            Some(player) => Table::Holdings(Box::new(holdings::report(&request, player, chips)?)),
            None => Table::Totals(Box::new(table::report(&request, chips, stability)?)),
        })
    }

    /// The rules of every position for all totals, to be saved; `subject` is the game.
    ///
    /// # Errors
    /// Those of [`rules::solve`] and [`saved::rules`].
    pub fn certificate(&self, subject: &Subject, watch: &dyn Watch) -> Result<SavedSolution, Error> {
        let request = self.request(watch);
        let solution = rules::solve(request.unfolding.arena(), request.mechanism, &request.effort)?;
        saved::rules(subject, &request, solution)
    }

    /// Unfolds the game that a question is about, for the tree of its optimal moves.
    ///
    /// # Errors
    /// [`Error::TreeWithin`] with a limit of moves, those of [`Opened::new`] and [`tree::report`].
    pub fn with_tree(
        subject: &Subject,
        question: &Question,
        choices: &tree::Choices,
        effort: &Effort,
    ) -> Result<(Opened, TreeReport), Error> {
        if question.within.is_some() {
            return Err(Error::TreeWithin);
        }
        let opened = Opened::new(subject, question, effort)?;
        let tree = tree::report(&opened.request(effort.watch), choices)?;
        Ok((opened, tree))
    }

    /// How the game stands to another one, under the mechanism and within the effort of this one.
    ///
    /// # Errors
    /// Those of [`Opened::new`] for the other game, and of [`compare::report`].
    pub fn compare(
        &self,
        other: Subject,
        position: Option<&str>,
        watch: &dyn Watch,
    ) -> Result<compare::CompareReport, Error> {
        let question = Question { position: position.map(str::to_string), ..self.question.clone() };
        let opened = Opened::new(&other, &question, &Effort { watch, ..self.beside() })?;
        drop(other);
        let [g, h] = [self.request(watch), opened.request(watch)];
        let effort = Effort { held: g.effort.held + h.effort.held, ..g.effort };
        compare::report(&Request { effort, ..g }, &Request { effort, ..h })
    }

    /// What of the effort is left for another game beside this one.
    pub fn beside(&self) -> Effort<'static> {
        Effort { memory: self.effort.memory.saturating_sub(self.unfolding.bytes()), ..self.effort }
    }
}
