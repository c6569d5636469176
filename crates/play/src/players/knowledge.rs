//! Solutions that players share, computed once for a match or a duel.

use std::sync::Arc;
use std::time::Duration;

use richman_analysis::{Error, Insight, Scope, Subject};
use richman_core::{
    Bids, Effort, Error as CoreError, Exactness, Mechanism, Node, Purses, Right, ShareBounds, Total, Unfolding,
};
use richman_engine::Source;
use richman_solvers::money;

use super::strength::fills_boards;
use super::{Base, PlayerError, Strength};
use crate::solved::SolvedGame;

/// The most positions to unfold for a player who does not need it.
const WORTH_UNFOLDING: u64 = 2_000_000;

/// The players' knowledge of a game: its solution with chips, with real money or for scores, or
/// nothing. Games that need not end have only solutions with chips.
pub struct Knowledge {
    /// The name of the game.
    pub game: String,
    /// Whether a player wins at an end or nobody does.
    pub won_at_end: bool,
    /// Whether an engine can fill the board at random.
    pub fills_boards: bool,
    /// The possible divisions of the chips.
    purses: Purses,
    /// The solution or engine of the strongest players.
    insight: Option<Insight>,
    /// The engine or real-money values of rounding players.
    rounded: Option<RoundedNeeds>,
}

richman_core::debug_by_name!(Knowledge {});

enum RoundedNeeds {
    Seen(Arc<dyn Source>),
    /// Alice's need at every node, as a share of all the money.
    Needs(Arc<dyn Unfolding>, Vec<f64>),
}

impl Knowledge {
    /// The knowledge that players of these strengths need: the game from a position, or its start,
    /// for every division of `total` chips.
    ///
    /// # Errors
    /// [`PlayerError::Analysis`] if the position is invalid, if a perfect player is wanted and the
    /// game cannot be solved within the effort, or if cancelled.
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
        let (game, won_at_end) = (subject.name(), subject.aim().facts().won_at_end);
        let fills_boards = fills_boards(subject.walk(position)?.as_ref(), mechanism);
        let purses = Purses::Together(total.chips());
        let mut known = Knowledge { game, won_at_end, fills_boards, purses, insight: None, rounded: None };
        let scope = Scope { subject, position, mechanism, total, purses };
        if perfect || best {
            let (exactness, most) = match perfect {
                true => (Exactness::Required, crate::MOST_POSITIONS),
                false => (Exactness::Preferred, WORTH_UNFOLDING),
            };
            let effort = Effort { exactness, positions: effort.positions.min(most), ..*effort };
            match scope.open(&effort) {
                Ok(insight) => known.insight = Some(insight),
                Err(error) => known.do_without(perfect, error, &effort)?,
            }
        }
        if won_at_end && (rounding || best && known.insight.is_none()) {
            match known.rounded(&scope, effort) {
                Ok(rounded) => known.rounded = Some(rounded),
                Err(error) => known.do_without(false, error, effort)?,
            }
        }
        Ok(Arc::new(known))
    }

    /// The knowledge of players who play by a known solution.
    ///
    /// # Errors
    /// [`PlayerError::Analysis`] if the position is invalid.
    pub fn given(scope: &Scope, insight: Insight) -> Result<Arc<Knowledge>, PlayerError> {
        let (game, won_at_end) = (scope.subject.name(), scope.subject.aim().facts().won_at_end);
        let fills_boards = fills_boards(scope.subject.walk(scope.position)?.as_ref(), scope.mechanism);
        let insight = Some(insight);
        Ok(Arc::new(Knowledge { game, won_at_end, fills_boards, purses: scope.purses, insight, rounded: None }))
    }

    /// An engine if there is one, else real-money values.
    fn rounded(&self, scope: &Scope, effort: &Effort) -> Result<RoundedNeeds, Error> {
        if let Some(Insight::Seen(source)) = &self.insight {
            return Ok(RoundedNeeds::Seen(Arc::clone(source)));
        }
        if let Some(engine) = scope.engine()?
            && let Some(source) = scope.see(engine, effort)?
        {
            return Ok(RoundedNeeds::Seen(source));
        }
        let until = effort.until();
        let smaller = Effort { positions: effort.positions.min(WORTH_UNFOLDING), watch: &until, ..*effort };
        let unfolding = match &self.insight {
            Some(Insight::Chips(unfolding, _)) => Arc::clone(unfolding),
            _ => scope.subject.unfold(scope.position, &smaller)?.into(),
        };
        let (arena, held) = (unfolding.arena(), unfolding.bytes() + self.bytes());
        let effort = Effort { held, exactness: Exactness::Bounds, width: 2f64.powi(-20), within: None, ..smaller };
        // Leaves time to report the bounds.
        let effort = effort.at_most(effort.time_left().map_or(Duration::from_secs(60), |left| left / 5 * 4));
        let all = Mechanism { bids: Bids::All, ..scope.mechanism.clone() };
        let solution = money::solve(arena, &all, &effort)
            .or_else(|_| money::solve(arena, &Mechanism { right: Right::Chooses, ..all }, &effort))?;
        let middle = |bounds: ShareBounds| (bounds.low.to_f64() + bounds.high.to_f64()) / 2.0;
        let needed = |node: Node| (middle(solution.win.get(node)) + middle(solution.draw.get(node))) / 2.0;
        let needs = arena.nodes().map(needed).collect();
        Ok(RoundedNeeds::Needs(unfolding, needs))
    }

    /// Returns the error if a perfect player needs the missing solution, or if its cause is neither
    /// size nor time.
    fn do_without(&self, perfect: bool, error: Error, effort: &Effort) -> Result<(), PlayerError> {
        use CoreError::{Cancelled, OutOfTime, TooManyPositions, TooMuchMemory};
        match error {
            Error::Core(Cancelled) if effort.watch.cancelled() => Err(Cancelled.into()),
            _ if !perfect => Ok(()),
            Error::Core(OutOfTime { .. } | Cancelled) => {
                Err(OutOfTime { what: "solving the game for a perfect player" }.into())
            }
            Error::Core(TooManyPositions { .. } | TooMuchMemory { .. }) => {
                Err(too_large(&self.game, super::source::OR))
            }
            error => Err(error.into()),
        }
    }

    /// Its size in bytes, roughly.
    pub fn bytes(&self) -> u64 {
        let rounded = match (&self.rounded, &self.insight) {
            (Some(RoundedNeeds::Needs(_, needs)), Some(Insight::Chips(..))) => 8 * needs.len() as u64,
            (Some(RoundedNeeds::Needs(unfolding, needs)), _) => unfolding.bytes() + 8 * needs.len() as u64,
            (Some(RoundedNeeds::Seen(_)), Some(Insight::Seen(_))) | (None, _) => 0,
            (Some(RoundedNeeds::Seen(source)), _) => source.bytes(),
        };
        rounded + self.insight.as_ref().map_or(0, Insight::bytes)
    }

    /// The solution with chips.
    pub fn solved(&self) -> Option<&Insight> {
        self.insight.as_ref().filter(|insight| !matches!(insight, Insight::Seen(_)))
    }

    /// The solution, ready for questions.
    pub(super) fn solution(&self) -> Option<(&Insight, SolvedGame<'_>)> {
        let insight = self.insight.as_ref()?;
        let values = match insight {
            Insight::Chips(_, solved) => SolvedGame::Chips { solved, purses: self.purses },
            Insight::Scores(_, solution) => SolvedGame::Scores(solution),
            Insight::Endless(_) | Insight::Seen(_) => return None,
        };
        Some((insight, values))
    }

    /// The unfolded game, and for each node the midpoint of Alice's needs not to lose and to win,
    /// as a share of real money; `None` if unknown.
    pub fn needs(&self) -> Option<(&dyn Unfolding, &[f64])> {
        match &self.rounded {
            Some(RoundedNeeds::Needs(unfolding, needs)) => Some((unfolding.as_ref(), needs)),
            _ => None,
        }
    }

    /// The source of position values, if players use an engine.
    pub fn source(&self) -> Option<&Arc<dyn Source>> {
        match (&self.insight, &self.rounded) {
            (Some(Insight::Seen(source)), _) | (_, Some(RoundedNeeds::Seen(source))) => Some(source),
            _ => None,
        }
    }
}

/// The error if no perfect player is possible.
pub(super) fn too_large(game: &str, or: &str) -> PlayerError {
    PlayerError::unfit("perfect", game.to_string(), format!("too many positions can follow; take best, or {or}"))
}
