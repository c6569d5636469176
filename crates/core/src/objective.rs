//! Objectives, as labels of positions and moves.
//!
//! Arenas of all objectives share one type, [`LabelledArena`](crate::LabelledArena), and differ in
//! the labels of moves, ends and other positions.

use std::collections::BTreeMap;
use std::fmt::{self, Debug};
use std::hash::Hash;

use crate::{
    AskedQuestion, ByPlayer, End, Error, GraphError, Node, PlayedAverage, Player, PositionKind, Preset, Priority,
    Remedy,
};

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

/// How a play is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Judged {
    /// By its end, where a player wins or nobody does.
    ByEnd,
    /// By its score.
    ByScore,
    /// By the labels that recur forever: play need not end.
    Forever,
    /// By its end, which chance decides too. Such games are not played in matches.
    ByChance,
}

/// The facts common to all games of an objective, and its words.
#[derive(Debug)]
pub struct ObjectiveFacts {
    /// The objective in words: "this game is played ...".
    pub played: &'static str,
    /// The questions that such games answer, the value of a position first.
    pub questions: &'static [AskedQuestion],
    /// The default preset.
    pub preset: Preset,
    /// How a play is judged.
    pub judged: Judged,
    /// The rule that follows from it, in a sentence.
    pub rule: &'static str,
    /// What happens at a limit on turns: "After 40 turns ...".
    pub at_limit: &'static str,
    /// The result so far of a play that need not end; `None` for other plays.
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

/// The result so far of a play that need not end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlaySoFar {
    /// In a parity game: how often each priority came, at the positions from which a move was made.
    /// No finite play tells who would have won.
    Priorities(BTreeMap<u32, u32>),
    /// In a mean-payoff game: the average weight of the moves; `None` before the first.
    Average(Option<PlayedAverage>),
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

    /// How a play is judged.
    pub fn judged(self) -> Judged {
        self.facts().judged
    }

    /// The objective of a question about thresholds. Scoring games have no thresholds; the question
    /// becomes one to win, which they refuse.
    #[must_use]
    pub fn of_thresholds(self) -> Aim {
        if self.judged() == Judged::ByScore { Aim::default() } else { self }
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

/// A player wins, or nobody does. Moves have no labels. Where play goes on, both players need a
/// move [DP10, 2.1], or the one who moves there without a bid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct WinLose;

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Terminal {
    /// That player won.
    Win(Player),
    /// Nobody won.
    Draw,
}

/// That player won.
impl From<Player> for Terminal {
    fn from(winner: Player) -> Terminal {
        Terminal::Win(winner)
    }
}

impl Terminal {
    /// The winner, if there is one.
    pub fn winner(self) -> Option<Player> {
        match self {
            Terminal::Win(player) => Some(player),
            Terminal::Draw => None,
        }
    }
}

impl Label for Terminal {
    fn mirror(self) -> Terminal {
        match self {
            Terminal::Win(player) => Terminal::Win(player.other()),
            Terminal::Draw => Terminal::Draw,
        }
    }
}

impl Objective for WinLose {
    type Move = ();
    type Position = PositionKind;
    type End = Terminal;
    const CYCLES: bool = true;

    fn owner(kind: PositionKind) -> Option<Player> {
        kind.owner()
    }

    fn with_bids(_: PositionKind) -> PositionKind {
        PositionKind::Bid
    }

    fn check(node: Node, data: NodeData<WinLose>, moves: ByPlayer<&[()]>) -> Result<(), Error> {
        match data {
            NodeData::End(_) => Ok(()),
            NodeData::On(kind) => kind.check(node, moves),
        }
    }
}

impl Winnable for WinLose {
    fn winner(end: Terminal) -> Option<Player> {
        end.winner()
    }
}

impl Playable for WinLose {
    const AIM: Aim = Aim::Win;

    const FACTS: ObjectiveFacts = ObjectiveFacts {
        played: "to win",
        questions: &[AskedQuestion::Worth, AskedQuestion::Table],
        preset: Preset::DevelinPayne,
        judged: Judged::ByEnd,
        rule: "Chips left over at the end are worth nothing.",
        at_limit: "the match is a draw.",
        so_far: |_| None,
    };

    fn weight((): ()) -> i64 {
        0
    }

    fn end(_: i64, end: Terminal) -> End {
        match end {
            Terminal::Win(player) => End::Win(player),
            Terminal::Draw => End::Draw,
        }
    }

    fn stuck(_: i64, _: PositionKind, _: Player) -> Option<End> {
        None
    }
}

/// Alice wants a large score, Bob a small one [LPR20, 2]. Each move, Bob's too, adds a weight to
/// Alice's score, and the end adds a last number. Play has no cycles. If a player is to move and
/// cannot, the game ends and adds that player's number in the position's label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Scores;

/// The largest absolute value of a weight, score or stuck score. The sum over 2^32 positions then
/// fits in 64 bits.
pub const MAX_WEIGHT: i64 = 1_000_000_000;

impl Label for i64 {
    fn mirror(self) -> i64 {
        -self
    }
}

impl Label for ByPlayer<i64> {
    fn mirror(self) -> ByPlayer<i64> {
        self.swapped().map(|score| -score)
    }
}

impl Objective for Scores {
    type Move = i64;
    type Position = ByPlayer<i64>;
    type End = i64;
    const CYCLES: bool = false;

    fn moves_after_end(position: String) -> GraphError {
        GraphError::MovesAfterScore(position)
    }

    fn check(node: Node, data: NodeData<Scores>, moves: ByPlayer<&[i64]>) -> Result<(), Error> {
        let labels = match data {
            NodeData::End(score) => ByPlayer::new(score, 0),
            NodeData::On(stuck) => stuck,
        };
        let mut numbers = moves.into_iter().flatten().copied().chain(labels);
        match numbers.find(|number| !(-MAX_WEIGHT..=MAX_WEIGHT).contains(number)) {
            Some(number) => Err(Error::WeightTooLarge { position: node.to_string(), number }),
            None => Ok(()),
        }
    }
}

impl Playable for Scores {
    const AIM: Aim = Aim::Score;

    const FACTS: ObjectiveFacts = ObjectiveFacts {
        played: "for a score",
        questions: &[AskedQuestion::Scores],
        preset: Preset::Larsson,
        judged: Judged::ByScore,
        rule: "Moves score: Alice wants a high score, Bob a low one. Chips left over are worth nothing.",
        at_limit: "the match is a draw.",
        so_far: |_| None,
    };

    fn weight(label: i64) -> i64 {
        label
    }

    fn end(score: i64, end: i64) -> End {
        End::Score(score.saturating_add(end))
    }

    fn stuck(score: i64, label: ByPlayer<i64>, player: Player) -> Option<End> {
        Some(End::Score(score.saturating_add(label[player])))
    }
}
