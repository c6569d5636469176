//! What players know about a game from solving it, once for a match or a duel.

use std::sync::Arc;
use std::time::Duration;

use richman_analysis::chips::{self, Solved};
use richman_analysis::{Subject, sources};
use richman_core::{
    Bids, Effort, Error, Exactness, Forces, Mechanism, Node, Purses, Right, ScoreSolution, ScoringUnfolding,
    ShareBounds, Total, Unfolding, Until,
};
use richman_engine::{Asked, Source, is_larger};
use richman_solvers::{money, purses, scores};

use super::strength::fills_boards;
use super::{Base, PlayerError, Strength};

/// The most positions that are unfolded for a player who can do without.
const WORTH_UNFOLDING: u64 = 2_000_000;

/// Games with more positions are better seen by an engine that does not unfold them, by all but perfect players.
const QUICKLY_UNFOLDED: u64 = 20_000;

/// A game as players know it: solved for chips, for real money, for scores, or not at all.
pub struct Knowledge {
    /// The name of the game.
    pub game: String,
    /// Whether the game is played for a score.
    pub is_scoring: bool,
    unfolding: Option<Box<dyn Unfolding>>,
    forces: Option<Solved>,
    /// What Alice needs in real money at every node, as a share.
    needs: Option<Vec<f64>>,
    scores: Option<(Box<dyn ScoringUnfolding>, ScoreSolution)>,
    /// What sees positions of the game, where there is an engine that needs not unfold it.
    pub source: Option<Arc<dyn Source>>,
    /// Whether there is an engine with random fillings of the board.
    pub fills_boards: bool,
}

impl Knowledge {
    /// What players of these strengths need: the game from a position, or its start, for every division of `total` chips. `effort` limits
    /// memory and time.
    ///
    /// # Errors
    /// [`PlayerError::Analysis`] where a perfect player is asked for and the game cannot be solved within the limits, and when cancelled.
    pub fn of(
        subject: &Subject,
        position: Option<&str>,
        mechanism: &Mechanism,
        total: Total,
        strengths: &[Strength],
        effort: &Effort,
    ) -> Result<Arc<Knowledge>, PlayerError> {
        let wanted = |base: Base| strengths.iter().any(|strength| strength.base == base);
        let (perfect, best, rounding) = (wanted(Base::Perfect), wanted(Base::Best), wanted(Base::Rounding));
        let mut known = Knowledge {
            game: subject.name(),
            is_scoring: subject.is_scoring(),
            unfolding: None,
            forces: None,
            needs: None,
            scores: None,
            source: None,
            fills_boards: false,
        };
        let until = effort.until();
        let effort = Effort { watch: &until, within: None, ..*effort };
        let walk = subject.walk(position)?;
        let walk = walk.as_ref();
        known.fills_boards = fills_boards(walk, mechanism);
        let engine = sources::engine(walk, mechanism).filter(|_| perfect || best || rounding);
        let is_large = engine.is_some() && is_larger(walk, QUICKLY_UNFOLDED);
        if let Some(engine) = engine {
            let exactness = if perfect && is_large { Exactness::Required } else { Exactness::Preferred };
            let effort = Effort { exactness, deadline: None, ..effort };
            match engine.open(&Asked::new(walk, mechanism, Some(total), effort)) {
                Ok(source) => known.source = source,
                Err(error) => refuse(&until, perfect, needed(&known.game, error))?,
            }
        }
        let is_known = is_large && known.source.as_ref().is_some_and(|source| source.is_exact() || !perfect);
        if is_known {
            return Ok(Arc::new(known));
        }
        if (perfect || best)
            && let Err(error) = known.solve(subject, position, mechanism, total, perfect, &effort)
        {
            refuse(&until, perfect, error)?;
        }
        if (rounding || (best && known.forces.is_none()))
            && known.source.is_none()
            && !known.is_scoring
            && let Err(error) = known.value(subject, position, mechanism, &effort)
        {
            refuse(&until, false, error)?;
        }
        Ok(Arc::new(known))
    }

    fn solve(
        &mut self,
        subject: &Subject,
        position: Option<&str>,
        mechanism: &Mechanism,
        total: Total,
        whole: bool,
        effort: &Effort,
    ) -> Result<(), PlayerError> {
        let positions = if whole { crate::MOST_POSITIONS } else { WORTH_UNFOLDING };
        let effort = &Effort { positions, ..*effort };
        if self.is_scoring {
            let unfolding = subject.unfold_scoring(position, effort)?;
            let effort = Effort { held: unfolding.bytes(), ..*effort };
            let solution = scores::solve(unfolding.arena(), mechanism, total, &effort)?;
            self.scores = Some((unfolding, solution));
            return Ok(());
        }
        let unfolding = subject.unfold(position, effort).map_err(|error| match error {
            richman_analysis::Error::Core(error) => needed(&self.game, error),
            error => error.into(),
        })?;
        let effort = Effort { held: unfolding.bytes(), ..*effort };
        let unfolding = self.unfolding.insert(unfolding);
        self.forces = Some(if mechanism.has_bank() {
            let purses = Purses::Together(total.chips());
            Solved::Purses(purses::solve(unfolding.arena(), mechanism, purses, &effort)?)
        } else {
            chips::solve(unfolding.arena(), mechanism, total, &effort)?
        });
        Ok(())
    }

    fn value(
        &mut self,
        subject: &Subject,
        position: Option<&str>,
        mechanism: &Mechanism,
        effort: &Effort,
    ) -> Result<(), PlayerError> {
        let unfolding = match &mut self.unfolding {
            Some(unfolding) => unfolding,
            none => {
                let smaller = Effort { positions: WORTH_UNFOLDING, ..*effort };
                none.insert(subject.unfold(position, &smaller)?)
            }
        };
        let arena = unfolding.arena();
        let effort = Effort {
            held: unfolding.bytes() + self.forces.as_ref().map_or(0, Solved::bytes),
            exactness: Exactness::Bounds,
            width: 2f64.powi(-20),
            ..*effort
        };
        // Bounds are there a little before the watch says stop.
        let effort = effort.at_most(effort.time_left().map_or(Duration::from_secs(60), |left| left / 5 * 4));
        let all = Mechanism { bids: Bids::All, ..mechanism.clone() };
        let solution = money::solve(arena, &all, &effort)
            .or_else(|_| money::solve(arena, &Mechanism { right: Right::Chooses, ..all }, &effort))?;
        let middle = |bounds: ShareBounds| (bounds.low.to_f64() + bounds.high.to_f64()) / 2.0;
        let needed = |node: Node| (middle(solution.win.get(node)) + middle(solution.draw.get(node))) / 2.0;
        self.needs = Some(arena.nodes().map(needed).collect());
        Ok(())
    }

    /// About how many bytes are held.
    pub fn bytes(&self) -> u64 {
        let unfolding = self.unfolding.as_ref().map_or(0, |unfolding| unfolding.bytes());
        let forces = self.forces.as_ref().map_or(0, Solved::bytes);
        let scores = self.scores.as_ref().map_or(0, |(unfolding, solution)| {
            let values = solution.maximin.len() + solution.minimax.as_ref().map_or(0, Vec::len);
            unfolding.bytes() + 8 * values as u64
        });
        let needs = self.needs.as_ref().map_or(0, |needs| 8 * needs.len() as u64);
        let source = self.source.as_ref().map_or(0, |source| source.bytes());
        unfolding + forces + needs + scores + source
    }

    /// The unfolded game and who can force what, if it was solved with chips.
    pub fn forces(&self) -> Option<(&dyn Unfolding, &dyn Forces)> {
        Some((self.unfolding.as_deref()?, self.forces.as_ref()?.forces()))
    }

    /// The unfolded game and what Alice needs at each of its nodes as a share of real money, halfway between not losing and winning; if
    /// that was found.
    pub fn needs(&self) -> Option<(&dyn Unfolding, &[f64])> {
        Some((self.unfolding.as_deref()?, self.needs.as_deref()?))
    }

    /// The unfolded scoring game and its solution.
    pub fn scores(&self) -> Option<(&dyn ScoringUnfolding, &ScoreSolution)> {
        self.scores.as_ref().map(|(unfolding, solution)| (unfolding.as_ref(), solution))
    }
}

/// Why there is no source for a perfect player.
fn needed(game: &str, error: Error) -> PlayerError {
    match error {
        Error::TooManyPositions { .. } | Error::TooMuchMemory { .. } => too_large(game, super::source::OR),
        other => other.into(),
    }
}

/// Why there is no perfect player.
pub(super) fn too_large(game: &str, or: &str) -> PlayerError {
    PlayerError::Unfit {
        player: "perfect".to_string(),
        game: game.to_string(),
        reason: format!("too many positions can follow; take best, or {or}"),
    }
}

/// An error is passed on if the solution is needed, or if it is not one of size or time.
fn refuse(until: &Until, needed: bool, error: PlayerError) -> Result<(), PlayerError> {
    let too_long = matches!(error, PlayerError::Analysis(richman_analysis::Error::Core(Error::Cancelled)));
    if too_long && !until.watch.cancelled() {
        return if needed {
            Err(Error::OutOfTime { what: "solving the game for a perfect player" }.into())
        } else {
            Ok(())
        };
    }
    if needed || too_long { Err(error) } else { Ok(()) }
}
