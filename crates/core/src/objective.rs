//! Objectives, as labels of positions and moves.
//!
//! Arenas of all objectives share one type, [`LabelledArena`](crate::LabelledArena), and differ in
//! the labels of moves, ends and other positions.

mod mean_payoff;
mod parity;
mod score;
mod stochastic;
mod win;

use std::collections::BTreeMap;
use std::fmt::{self, Debug};
use std::hash::Hash;

pub use mean_payoff::*;
pub use parity::*;
pub use score::*;
pub use stochastic::*;
pub use win::*;

use crate::{AskedQuestion, ByPlayer, End, Error, GraphError, Node, Player, Preset, Remedy};

/// A label of a move or a position.
pub trait Label: Copy + Debug + Eq + Ord + Hash + Send + Sync + 'static {
    /// The label with the players exchanged.
    #[must_use]
    fn mirror(self) -> Self;
}

impl Label for () {
    fn mirror(self) {}
}

/// The objective of a game.
pub trait Objective: Copy + Debug + Eq + Hash + Send + Sync + 'static {
    /// The label of a move.
    type Move: Label + Default;
    /// The label of a position where play goes on.
    type Position: Label + Default;
    /// How play can end.
    type End: Label;
    /// Whether play may return to a position; if not, a cycle is an [`Error::Cycle`].
    const CYCLES: bool;

    /// The player who moves without a bid at a position with that label; `None` where both bid.
    fn owner(label: Self::Position) -> Option<Player> {
        let _ = label;
        None
    }

    /// The label with which both players bid for the move.
    #[must_use]
    fn with_bids(label: Self::Position) -> Self::Position {
        label
    }

    /// The error for an end of a graph that has moves.
    fn moves_after_end(position: String) -> GraphError {
        GraphError::MovesAfterEnd(position)
    }

    /// Checks one position and the labels of Alice's and Bob's moves.
    ///
    /// # Errors
    /// Why the objective rejects the position, which is named by its number.
    fn check(node: Node, data: NodeData<Self>, moves: ByPlayer<&[Self::Move]>) -> Result<(), Error>;
}

/// The list of objectives of playable games. Calls the macro `$then` with its own input, in
/// brackets, and for each objective a sentence, its name in [`Aim`], and its type in full. Such a
/// macro makes an enum with a variant for each objective, or a `match` over one.
///
/// ```
/// use richman_core::{Aim, Playable, of_every_objective};
/// macro_rules! aims {
///     ([$count:ident] $($(#[$doc:meta])* $name:ident: $objective:ty,)*) => {
///         const $count: usize = [$(<$objective>::AIM),*].len();
///     };
/// }
/// of_every_objective!(aims, OBJECTIVES);
/// assert_eq!(OBJECTIVES, 5);
/// ```
#[macro_export]
macro_rules! of_every_objective {
    ($($then:tt)::+ $(, $($given:tt)*)?) => {
        $($then)::+! {
            [$($($given)*)?]
            /// A game that is won or lost at an end.
            Win: $crate::WinLose,
            /// A game for a score.
            Score: $crate::Scores,
            /// A game for the priorities that recur forever.
            Parity: $crate::Parity,
            /// A game for the long-run average of its weights.
            MeanPayoff: $crate::MeanPayoff,
            /// A game that is won or lost at an end, in which chance moves too.
            Stochastic: $crate::Stochastic,
        }
    };
}

macro_rules! aim {
    (
        [] $(#[$first_doc:meta])* $first:ident: $first_objective:ty,
        $($(#[$doc:meta])* $name:ident: $objective:ty,)*
    ) => {
        /// The objectives of playable games. They determine which questions and solvers apply.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
        pub enum Aim {
            $(#[$first_doc])*
            #[default]
            $first,
            $($(#[$doc])* $name,)*
        }
    };
}
of_every_objective!(aim);

/// The facts common to all games of an objective, and its words.
#[derive(Debug)]
pub struct ObjectiveFacts {
    /// The objective in words: "this game is played ...".
    pub played: &'static str,
    /// The questions that such games answer, the value of a position first.
    pub questions: &'static [AskedQuestion],
    /// The default preset.
    pub preset: Preset,
    /// Whether the players alone decide, and a player wins at an end or nobody does. Engines look
    /// ahead to such ends.
    pub won_at_end: bool,
    /// Whether a play ends with points.
    pub counts_points: bool,
    /// Whether play need not end, so that a match has a limit of turns.
    pub need_not_end: bool,
    /// Whether chance moves too. Such games have no thresholds and no matches.
    pub has_chance: bool,
    /// The rule that follows from it, in a sentence.
    pub rule: &'static str,
    /// What happens at a limit on turns: "After 40 turns ...".
    pub at_limit: &'static str,
    /// What counts in the play so far if play need not end; `None` for other plays.
    pub so_far: fn(MatchCounts) -> Option<PlaySoFar>,
}

/// The counts of a match.
#[derive(Debug, Clone, Default)]
pub struct MatchCounts {
    /// How often each priority came, at the positions from which a move was made.
    pub priorities: BTreeMap<u32, u32>,
    /// The sum of the weights of all moves.
    pub weights: i64,
    /// The number of turns.
    pub turns: u32,
}

/// What counts in the play so far, if play need not end.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PlaySoFar {
    /// How often each priority came, at the positions from which a move was made; `None` if
    /// priorities do not count.
    pub priorities: Option<BTreeMap<u32, u32>>,
    /// The average weight of the moves; `None` before the first, or if weights do not count.
    pub average: Option<PlayedAverage>,
    /// What the winner depends on, if no finite play has one.
    pub left_open: Option<&'static str>,
}

macro_rules! facts {
    ([] $($(#[$doc:meta])* $name:ident: $objective:ty,)*) => {
        impl Aim {
            /// The facts of the objective, and its words.
            pub fn facts(self) -> &'static ObjectiveFacts {
                match self {
                    $(Aim::$name => &<$objective as Playable>::FACTS,)*
                }
            }
        }
    };
}
of_every_objective!(facts);

impl Aim {
    /// The questions that such games answer, as remedies for another question.
    pub fn questions(self) -> Vec<Remedy> {
        self.facts().questions.iter().map(|&question| Remedy::Ask(question)).collect()
    }

    /// The objective of a question about thresholds. Scoring games have no thresholds; the question
    /// becomes one to win, which they refuse.
    #[must_use]
    pub fn of_thresholds(self) -> Aim {
        if self.facts().counts_points { Aim::default() } else { self }
    }
}

impl fmt::Display for Aim {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.facts().played)
    }
}

/// An objective whose games can be played move by move.
pub trait Playable: Objective {
    /// The name of the objective.
    const AIM: Aim;

    /// The facts of the objective, and its words.
    const FACTS: ObjectiveFacts;

    /// The score that a move adds.
    fn weight(label: Self::Move) -> i64;

    /// The end of a play with this score so far.
    fn end(score: i64, end: Self::End) -> End;

    /// The end of a play in which `player` is to move and cannot, if that is an end.
    fn stuck(score: i64, label: Self::Position, player: Player) -> Option<End>;

    /// The priority of a position with that label, if the objective has priorities.
    fn priority(label: Self::Position) -> Option<Priority> {
        let _ = label;
        None
    }
}

/// An objective whose plays are won by a player or by nobody.
pub trait Winnable: Objective {
    /// Who won with this end.
    fn winner(end: Self::End) -> Option<Player>;
}

/// The labels of a position in an arena.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NodeData<L: Objective> {
    /// The game has ended.
    End(L::End),
    /// Play goes on.
    On(L::Position),
}

impl<L: Objective> NodeData<L> {
    /// How the game ended, or `None` if it goes on.
    pub fn end(self) -> Option<L::End> {
        match self {
            NodeData::End(end) => Some(end),
            NodeData::On(_) => None,
        }
    }

    /// The labels with the players exchanged.
    #[must_use]
    pub fn mirror(self) -> NodeData<L> {
        match self {
            NodeData::End(end) => NodeData::End(end.mirror()),
            NodeData::On(label) => NodeData::On(label.mirror()),
        }
    }
}
