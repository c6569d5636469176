//! Decides the objective of a game from its file, in forms that need not state it.
//!
//! | in the file | objective | not with |
//! | --- | --- | --- |
//! | chance moves | a win, by chance too | an objective other than `reach`; a score or a priority |
//! | `"objective"` | as stated | a score |
//! | a score, a stuck score or a weight | a score | a winner, a priority or a kind |
//! | a priority | the priorities | |
//! | none of these | a win | |
//!
//! The first row that holds decides. If the objective is stated, weights and priorities that it
//! does not use are ignored.

use richman_core::{Aim, BuiltMove, ByPlayer, PositionKind, Probability, Terminal, of_every_objective};

use super::{FileObjective, StatedObjective};
use crate::error::FormatError;
use crate::labels::FilePosition;

/// A position as a file describes it. Names are the numbers that a builder gave them.
#[derive(Clone, Copy, Default)]
pub(crate) struct ReadPosition<'a> {
    pub(crate) name: u32,
    pub(crate) data: FilePosition,
    pub(crate) is_target: bool,
    /// Alice's moves and Bob's, with their weights.
    pub(crate) moves: ByPlayer<&'a [BuiltMove<i64>]>,
    /// The chances of Alice's moves where chance makes them.
    pub(crate) chances: &'a [Probability],
}

/// A position, and a key found there.
type Sign = (u32, &'static str);

/// The first position of a game with each sign of an objective.
#[derive(Default)]
pub struct Signs {
    /// The objective, if it is stated.
    pub(crate) objective: Option<StatedObjective>,
    by_chance: Option<u32>,
    /// A score, a stuck score or a weight.
    scored: Option<Sign>,
    ranked: Option<Sign>,
    pub(crate) won: Option<Sign>,
    pub(crate) drawn: Option<u32>,
    /// A position where a player moves without a bid.
    owned: Option<Sign>,
    /// A position with both a score and stuck scores.
    pub(crate) mixed: Option<u32>,
    has_target: bool,
}

richman_core::debug_by_name!(Signs {});

impl Signs {
    /// No signs yet, except the objective if it is stated.
    pub(crate) fn for_objective(objective: Option<StatedObjective>) -> Signs {
        Signs { objective, ..Signs::default() }
    }

    /// Looks at a position.
    pub(crate) fn see(&mut self, position: &ReadPosition) {
        let ReadPosition { name, data, .. } = *position;
        let FilePosition { end, score, stuck, priority, .. } = data;
        let is_weighted = || position.moves.into_iter().flatten().any(|step| step.label != 0);
        let scored = match () {
            () if score.is_some() => Some("score"),
            () if stuck.is_some() => Some("stuck"),
            () if self.objective.is_none() && is_weighted() => Some("weight"),
            () => None,
        };
        let sign = |holds: bool, key| holds.then_some((name, key));
        self.scored = self.scored.or(scored.map(|key| (name, key)));
        self.ranked = self.ranked.or(sign(priority.is_some(), "priority"));
        self.won = self.won.or(sign(end.is_some(), "winner"));
        self.owned = self.owned.or(sign(end.is_none() && data.kind() != PositionKind::Bid, "kind"));
        let first = |holds: bool| holds.then_some(name);
        self.by_chance = self.by_chance.or(first(data.is_by_chance()));
        self.drawn = self.drawn.or(first(end == Some(Terminal::Draw)));
        self.mixed = self.mixed.or(first(score.is_some() && stuck.unwrap_or_default() != ByPlayer::both(0)));
        self.has_target |= position.is_target;
    }

    /// The objective, by the signs so far.
    pub(crate) fn aim(&self) -> Aim {
        let is_to_win = self.objective.is_none_or(|objective| objective == StatedObjective::Reach);
        let rows = [
            (self.by_chance.is_some() && is_to_win).then_some(Aim::Stochastic),
            self.objective.map(StatedObjective::aim),
            self.scored.map(|_| Aim::Score),
            self.ranked.map(|_| Aim::Parity),
        ];
        rows.into_iter().find_map(|aim| aim).unwrap_or(Aim::Win)
    }

    /// The objective of a whole file; `text` returns the name of a number.
    ///
    /// # Errors
    /// The first two signs that contradict each other; a target that is missing; a position that
    /// the objective has no label for.
    pub(crate) fn decided(&self, file: &str, text: impl Fn(u32) -> String) -> Result<Aim, FormatError> {
        let (aim, file) = (self.aim(), || file.to_string());
        if let (Some(objective), Some((position, key))) = (self.objective, self.scored) {
            return Err(FormatError::ScoreWithObjective { file: file(), position: text(position), key, objective });
        }
        if let Some(position) = self.by_chance {
            let shown = self.scored.or(self.ranked).map(|(name, key)| format!("position {:?} has a {key}", text(name)));
            let other = match self.objective {
                None => shown,
                Some(objective) => {
                    (objective != StatedObjective::Reach).then(|| format!("the objective is {objective}"))
                }
            };
            return match other {
                None => Ok(aim),
                Some(other) => Err(FormatError::ChanceWithObjective { file: file(), position: text(position), other }),
            };
        }
        let needs_target = match self.objective {
            Some(StatedObjective::Buechi | StatedObjective::CoBuechi) => true,
            Some(StatedObjective::Reach) => self.won.is_none(),
            _ => false,
        };
        if needs_target && !self.has_target {
            return Err(FormatError::NoTarget { file: file() });
        }
        let unscored = self.won.or(self.ranked).or(self.owned);
        if let (None, Some(scored), Some(other)) = (self.objective, self.scored, unscored) {
            let (positions, keys) = (Box::new([scored.0, other.0].map(text)), [scored.1, other.1]);
            return Err(FormatError::MixedAims { file: file(), positions, keys });
        }
        macro_rules! misfit {
            ([] $($(#[$doc:meta])* $name:ident: $objective:ty,)*) => {
                match aim {
                    $(Aim::$name => <$objective as FileObjective>::misfit(self),)*
                }
            };
        }
        match of_every_objective!(misfit) {
            None => Ok(aim),
            Some((name, error)) => Err(FormatError::NotAGame { file: file(), error: error(text(name)) }),
        }
    }
}
