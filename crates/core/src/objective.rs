//! What a game is played for, as labels of its positions and moves.
//!
//! An arena of any objective is one type, a [`LabelledArena`](crate::LabelledArena). What differs is a label on each
//! move, on each position where play goes on, and on each end. Labels of type `()` take no memory.

use std::fmt::{self, Debug};
use std::hash::Hash;

use crate::{End, Error, Node, Player, Preset};

/// Something written on a move or on a position.
pub trait Label: Copy + Debug + Eq + Ord + Hash + Send + Sync + 'static {
    /// The same with the players exchanged.
    #[must_use]
    fn mirror(self) -> Self;
}

impl Label for () {
    fn mirror(self) {}
}

/// What a game is played for.
pub trait Objective: Copy + Debug + Eq + Hash + Send + Sync + 'static {
    /// The label of a move.
    type Move: Label + Default;
    /// The label of a position where play goes on.
    type Position: Label + Default;
    /// How play can end.
    type End: Label;
    /// Whether play may come back to a position. Where it may not, a cycle is an [`Error::Cycle`].
    const CYCLES: bool;

    /// Checks one position with the labels of Alice's moves and of Bob's.
    ///
    /// # Errors
    /// What the objective refuses, with the position by its number.
    fn check(node: Node, place: Place<Self>, moves: [&[Self::Move]; 2]) -> Result<(), Error>;
}

/// The objectives whose games can be played, by name: what is asked and who can answer depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Aim {
    /// [`WinLose`].
    #[default]
    Win,
    /// [`Scores`].
    Score,
}

impl Aim {
    /// The commands that ask about such a game.
    pub fn commands(self) -> &'static str {
        match self {
            Aim::Win => "richman solve or richman table",
            Aim::Score => "richman scores",
        }
    }

    /// How bids are made where nobody says it: for a score as in the paper on scores.
    pub fn usual_preset(self) -> Preset {
        match self {
            Aim::Win => Preset::default(),
            Aim::Score => Preset::Larsson,
        }
    }
}

impl fmt::Display for Aim {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Aim::Win => "to win",
            Aim::Score => "for a score",
        })
    }
}

/// An objective whose games can be played move by move.
pub trait Played: Objective {
    /// Its name.
    const AIM: Aim;

    /// What a move adds to the score.
    fn weight(label: Self::Move) -> i64;

    /// How a play has ended that had a score before.
    fn end(score: i64, end: Self::End) -> End;

    /// How it ends where `player` is to move and cannot, if that ends it.
    fn stuck(score: i64, label: Self::Position, player: Player) -> Option<End>;
}

/// What an arena holds of a position besides its moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place<L: Objective> {
    /// The game has ended.
    End(L::End),
    /// Play goes on.
    On(L::Position),
}

impl<L: Objective> Place<L> {
    /// How the game ended, or `None` where it goes on.
    pub fn end(self) -> Option<L::End> {
        match self {
            Place::End(end) => Some(end),
            Place::On(_) => None,
        }
    }

    /// The same with the players exchanged.
    #[must_use]
    pub fn mirror(self) -> Place<L> {
        match self {
            Place::End(end) => Place::End(end.mirror()),
            Place::On(label) => Place::On(label.mirror()),
        }
    }
}

/// A player wins, or nobody: nothing is written on moves, and each player needs a move wherever play goes on [DP10,
/// 2.1].
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
    type Position = ();
    type End = Terminal;
    const CYCLES: bool = true;

    fn check(node: Node, place: Place<WinLose>, moves: [&[()]; 2]) -> Result<(), Error> {
        // DP10 2.2 leaves open what happens to a player without a move.
        let stuck = Player::BOTH.into_iter().find(|&player| moves[player as usize].is_empty());
        match stuck {
            Some(player) if place.end().is_none() => Err(Error::DeadEnd { position: node.to_string(), player }),
            _ => Ok(()),
        }
    }
}

impl Played for WinLose {
    const AIM: Aim = Aim::Win;

    fn weight((): ()) -> i64 {
        0
    }

    fn end(_: i64, end: Terminal) -> End {
        match end {
            Terminal::Win(player) => End::Win(player),
            Terminal::Draw => End::Draw,
        }
    }

    fn stuck(_: i64, (): (), _: Player) -> Option<End> {
        None
    }
}

/// Alice wants a large number, Bob a small one [LPR20, 2]: each move adds a weight to Alice's score, Bob's moves
/// included, and the end adds a last number. Play goes on without a cycle. A player who is to move and cannot ends
/// the game; the label of the position says what is added then, for Alice and for Bob.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Scores;

/// The largest weight, score or stuck score, and the least is its negative: the sum over a play through 2^32
/// positions then fits in 64 bits.
pub const MAX_WEIGHT: i64 = 1_000_000_000;

impl Label for i64 {
    fn mirror(self) -> i64 {
        -self
    }
}

impl Label for [i64; 2] {
    fn mirror(self) -> [i64; 2] {
        let [alice, bob] = self;
        [-bob, -alice]
    }
}

impl Objective for Scores {
    type Move = i64;
    type Position = [i64; 2];
    type End = i64;
    const CYCLES: bool = false;

    fn check(node: Node, place: Place<Scores>, moves: [&[i64]; 2]) -> Result<(), Error> {
        let labels = match place {
            Place::End(score) => [score, 0],
            Place::On(stuck) => stuck,
        };
        let mut numbers = moves.into_iter().flatten().copied().chain(labels);
        match numbers.find(|number| !(-MAX_WEIGHT..=MAX_WEIGHT).contains(number)) {
            Some(number) => Err(Error::WeightTooLarge { position: node.to_string(), number }),
            None => Ok(()),
        }
    }
}

impl Played for Scores {
    const AIM: Aim = Aim::Score;

    fn weight(label: i64) -> i64 {
        label
    }

    fn end(score: i64, end: i64) -> End {
        End::Score(score.saturating_add(end))
    }

    fn stuck(score: i64, label: [i64; 2], player: Player) -> Option<End> {
        Some(End::Score(score.saturating_add(label[player as usize])))
    }
}
