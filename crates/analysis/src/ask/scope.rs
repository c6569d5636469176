//! All positions that can follow on one: solved for every division of the chips, or seen by an engine. Players, hints and
//! reviews of a match rest on this.

use std::sync::Arc;

use richman_core::{
    Effort, Error as CoreError, Exactness, Mechanism, Purses, ScoreSolution, Scores, Total, Unfolding, Walk,
};
use richman_engine::{Asked, Cost, Engine, Grade, Offer, Source, pick};

use super::arena;
use super::arena_cost::arena_cost;
use super::engines::{in_turn, room};
use super::{Question, Stake};
use crate::chips::Solved;
use crate::{Error, Subject, sources};

/// A game from a position on, and with how many chips it is played.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    /// The game.
    pub subject: &'a Subject,
    /// The position in the game's notation; its start where it is `None`.
    pub position: Option<&'a str>,
    /// How bids are made, won and paid.
    pub mechanism: &'a Mechanism,
    /// The chips of both together.
    pub total: Total,
    /// How they may be divided, and how many may be left, where chips leave the game.
    pub purses: Purses,
}

/// Knowledge of the positions of a [`Scope`].
pub enum Insight {
    /// Who can force what, in every position.
    Chips(Arc<dyn Unfolding>, Box<Solved>),
    /// The score of every position.
    Scores(Box<dyn Unfolding<Scores>>, ScoreSolution),
    /// What an engine sees, position by position.
    Seen(Arc<dyn Source>),
}

impl Insight {
    /// About how many bytes are held.
    pub fn bytes(&self) -> u64 {
        match self {
            Insight::Chips(unfolding, solved) => unfolding.bytes() + solved.bytes(),
            Insight::Scores(unfolding, solution) => {
                let values = solution.maximin.len() + solution.minimax.as_ref().map_or(0, Vec::len);
                unfolding.bytes() + 8 * values as u64
            }
            Insight::Seen(source) => source.bytes(),
        }
    }
}

/// The two that open a scope.
#[derive(Clone, Copy)]
enum Opener {
    Engine(&'static dyn Engine),
    Arena,
}

impl<'a> Scope<'a> {
    /// The engine that sees the positions, if there is one.
    ///
    /// # Errors
    /// Positions that there are not.
    pub fn engine(&self) -> Result<Option<&'static dyn Engine>, Error> {
        Ok(sources::engine(self.walk()?.as_ref(), self.mechanism))
    }

    /// The best knowledge to play by: the arena if it is there in a moment, else an engine that need not unfold the game, else
    /// the arena all the same. Only an exact engine serves an effort that requires exactness.
    ///
    /// # Errors
    /// Those of [`Scope::solve`] and [`Scope::see`].
    pub fn open(&self, effort: &Effort) -> Result<Insight, Error> {
        let cost = self.arena_cost(effort)?;
        let arena = Offer { grade: Grade::Exact, cost };
        let engine =
            self.engine()?.map(|engine| (Opener::Engine(engine), Offer { grade: Grade::Exact, cost: Cost::Unknown }));
        let (who, offers): (Vec<Opener>, Vec<Offer>) = engine.into_iter().chain([(Opener::Arena, arena)]).unzip();
        let mut order: Vec<Opener> = pick(&offers, &room(effort)).into_iter().map(|number| who[number]).collect();
        // An engine knows at once that a game is too large, an arena once it has unfolded as much as it may.
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
            (None, None, _) => self.solve(effort), // the arena knows best what is missing
        }
    }

    /// What the arena tells.
    ///
    /// # Errors
    /// Those of unfolding and of the solvers; mechanisms that are not served; [`CoreError::OutOfTime`] at the deadline.
    pub fn solve(&self, effort: &Effort) -> Result<Insight, Error> {
        let until = effort.until();
        let in_time = Effort { watch: &until, within: None, ..*effort };
        arena::solve(self, &in_time).map_err(|error| match error {
            Error::Core(CoreError::Cancelled) if !effort.watch.cancelled() => {
                CoreError::OutOfTime { what: "solving the game" }.into()
            }
            error => error,
        })
    }

    /// What an engine opens. It has no deadline, but stops there.
    ///
    /// # Errors
    /// Those of [`Engine::open`].
    pub fn see(&self, engine: &dyn Engine, effort: &Effort) -> Result<Option<Arc<dyn Source>>, Error> {
        let (walk, until) = (self.walk()?, effort.until());
        let effort = Effort { deadline: None, watch: &until, ..*effort };
        Ok(engine.open(&Asked::new(walk.as_ref(), self.mechanism, Some(self.total), effort))?)
    }

    /// The game at the position.
    fn walk(&self) -> Result<Box<dyn Walk>, Error> {
        self.subject.walk(self.position)
    }

    /// What the arena costs; where chips leave the game about as much as where they do not.
    fn arena_cost(&self, effort: &Effort) -> Result<Cost, Error> {
        let question = Question { stake: Stake::Total(self.total), ..Question::new(Mechanism::default()) };
        Ok(arena_cost(self.walk()?.as_ref(), &question, effort))
    }
}
