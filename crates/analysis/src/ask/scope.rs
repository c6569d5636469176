//! All positions that can follow one, solved for every division of the chips or judged by an
//! engine. Players, hints and reviews use this.

use std::sync::Arc;

use richman_core::{Effort, Error as CoreError, Exactness, Mechanism, Purses, Total, Walk};
use richman_engine::{Cost, Engine, EngineRequest, Grade, Offer, Source, pick};

use super::arena_cost::arena_cost;
use super::engines::{in_turn, room};
use super::{Insight, Question, Stake};
use crate::kinds::kind_of;
use crate::{Error, Subject, sources};

/// A game from a position on, with chips.
#[derive(Debug, Clone, Copy)]
pub struct Scope<'a> {
    /// The game.
    pub subject: &'a Subject,
    /// The position in the game's notation; `None` for the start.
    pub position: Option<&'a str>,
    /// The bidding mechanism.
    pub mechanism: &'a Mechanism,
    /// Both players' chips.
    pub total: Total,
    /// The possible divisions of the chips and, if chips leave the game, the totals that may
    /// remain.
    pub purses: Purses,
}

#[derive(Clone, Copy)]
enum Opener {
    Engine(&'static dyn Engine),
    Arena,
}

impl<'a> Scope<'a> {
    /// The engine that judges the positions, if there is one.
    ///
    /// # Errors
    /// Fails if the position does not exist.
    pub fn engine(&self) -> Result<Option<&'static dyn Engine>, Error> {
        Ok(sources::engine(self.walk()?.as_ref(), self.mechanism))
    }

    /// The best knowledge to play by: the arena if it can be solved at once, else an engine that
    /// need not unfold the game, else the arena however long it takes. If the effort requires
    /// exactness, only an exact engine serves.
    ///
    /// # Errors
    /// Fails as [`Scope::solve`] and [`Scope::see`] do.
    pub fn open(&self, effort: &Effort) -> Result<Insight, Error> {
        let cost = self.arena_cost(effort)?;
        let arena = Offer { grade: Grade::Exact, cost };
        let engine =
            self.engine()?.map(|engine| (Opener::Engine(engine), Offer { grade: Grade::Exact, cost: Cost::Unknown }));
        let (who, offers): (Vec<Opener>, Vec<Offer>) = engine.into_iter().chain([(Opener::Arena, arena)]).unzip();
        let mut order: Vec<Opener> = pick(&offers, &room(effort)).into_iter().map(|number| who[number]).collect();
        // An engine sees at once that a game is too large; the arena must unfold it up to the
        // limit.
        order.retain(|who| !matches!((who, cost), (Opener::Arena, Cost::TooMuch { .. })) || offers.len() == 1);
        let required = effort.exactness == Exactness::Required;
        let (insight, gave_up) = in_turn(&order, effort, |who, effort| match who {
            Opener::Arena => self.solve(effort).map(Some),
            Opener::Engine(engine) => {
                let source = self.see(engine, effort)?.filter(|source| source.is_exact() || !required);
                Ok(source.map(Insight::Seen))
            }
        })?;
        match (insight, gave_up.into_iter().next(), cost) {
            (Some(insight), ..) => Ok(insight),
            (None, Some((_, _, error)), _) => Err(error),
            (None, None, Cost::TooMuch { positions }) => Err(CoreError::TooManyPositions { limit: positions }.into()),
            (None, None, _) => self.solve(effort), // the arena's error says best what is missing
        }
    }

    /// Whether [`Scope::open`] may find exact answers: not if the game is surely too large. Takes
    /// no longer than `effort` allows.
    ///
    /// # Errors
    /// Fails if the position does not exist, or if cancelled.
    pub fn may_be_exact(&self, effort: &Effort) -> Result<bool, Error> {
        use CoreError::{Cancelled, TooManyPositions, TooMuchMemory};
        let Some(engine) = self.engine()? else {
            return Ok(!self.walk()?.is_surely_larger(effort.positions));
        };
        if !matches!(self.arena_cost(effort)?, Cost::TooMuch { .. }) {
            return Ok(true);
        }
        match self.see(engine, &Effort { exactness: Exactness::Required, ..*effort }) {
            Ok(source) => Ok(source.is_some_and(|source| source.is_exact())),
            Err(Error::Core(TooManyPositions { .. } | TooMuchMemory { .. })) => Ok(false),
            // It began to solve the game, which is more than this asks.
            Err(Error::Core(Cancelled)) if !effort.watch.cancelled() => Ok(true),
            Err(error) => Err(error),
        }
    }

    /// Unfolds and solves the arena.
    ///
    /// # Errors
    /// Fails if the position does not exist; `Unsupported`, `TooManyPositions`, `TooMuchMemory`,
    /// `Cancelled`; [`CoreError::OutOfTime`] at the deadline.
    pub fn solve(&self, effort: &Effort) -> Result<Insight, Error> {
        let until = effort.until();
        let in_time = Effort { watch: &until, within: None, ..*effort };
        kind_of(&self.question())?.insight(self, &in_time).map_err(|error| match error {
            Error::Core(CoreError::Cancelled) if !effort.watch.cancelled() => {
                CoreError::OutOfTime { what: "solving the game" }.into()
            }
            error => error,
        })
    }

    /// Opens an engine's source. It has no deadline of its own, but opening stops at that of
    /// `effort`.
    ///
    /// # Errors
    /// Fails if the position does not exist; `TooMuchMemory`; `Cancelled`, also at the deadline.
    pub fn see(&self, engine: &dyn Engine, effort: &Effort) -> Result<Option<Arc<dyn Source>>, Error> {
        let (walk, until) = (self.walk()?, effort.until());
        let effort = Effort { deadline: None, watch: &until, ..*effort };
        Ok(engine.open(&EngineRequest::new(walk.as_ref(), self.mechanism, Some(self.total), effort))?)
    }

    fn walk(&self) -> Result<Box<dyn Walk>, Error> {
        self.subject.walk(self.position)
    }

    /// What is asked about every position.
    fn question(&self) -> Question {
        let (aim, stake) = (self.subject.aim(), Stake::Total(self.total));
        Question { aim, stake, ..Question::new(self.mechanism.clone()) }
    }

    /// The cost of the arena; about the same whether or not chips leave the game.
    fn arena_cost(&self, effort: &Effort) -> Result<Cost, Error> {
        let question = Question { stake: Stake::Total(self.total), ..Question::new(Mechanism::default()) };
        Ok(arena_cost(self.walk()?.as_ref(), &question, effort))
    }
}
