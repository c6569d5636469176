//! What it takes to be a game: a start, ends, moves, and a notation.

use std::fmt::Debug;
use std::hash::Hash;

use crate::{Error, Objective, Player, Scene, Structure, WinLose};

/// How large an arena is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArenaSize {
    /// Its positions, symmetric ones counted once.
    pub positions: u64,
    /// The most moves of a play, or more than that; `None` where positions can repeat, and where that is not known.
    pub longest_play: Option<u64>,
    /// It surely has at least `positions / margin` of them; 1 where they were counted.
    pub margin: u64,
}

/// The rules of a game. A bidding position has no side to move: both players' moves are asked for.
///
/// Six methods are required; the others improve names, pictures and speed, and a game that is played for a score, a
/// `Game<Scores>`, says with two of them what is scored.
pub trait Game<L: Objective = WinLose>: Send + Sync {
    /// A position, cheap to copy and compare.
    type Position: Clone + Eq + Hash + Debug + Send + Sync;

    /// The name with its parameters, as it is written on the command line.
    fn name(&self) -> String;

    /// Where the game starts.
    fn start(&self) -> Self::Position;

    /// How the game ended at `position`, or `None` where it goes on.
    fn terminal(&self, position: &Self::Position) -> Option<L::End>;

    /// Appends to `into` where `player` can move from a position that has not ended, in a fixed order.
    fn moves(&self, position: &Self::Position, player: Player, into: &mut Vec<Self::Position>);

    /// Appends to `into` the labels of all those moves, `count` in number, in the same order.
    fn labels(&self, position: &Self::Position, player: Player, count: usize, into: &mut Vec<L::Move>) {
        let _ = (position, player);
        into.resize(into.len() + count, L::Move::default());
    }

    /// The label of a position that has not ended.
    fn label(&self, position: &Self::Position) -> L::Position {
        let _ = position;
        L::Position::default()
    }

    /// The position in the game's own notation.
    fn notation(&self, position: &Self::Position) -> String;

    /// The position that a notation stands for.
    ///
    /// # Errors
    /// [`Error::BadPosition`] for text that is not a position of the game.
    fn parse(&self, notation: &str) -> Result<Self::Position, Error>;

    /// What to call the move of `player` from one position to the next.
    fn move_name(&self, from: &Self::Position, to: &Self::Position, player: Player) -> String {
        let _ = (from, player);
        self.notation(to)
    }

    /// The position drawn for people, over several lines where it is a board.
    fn picture(&self, position: &Self::Position) -> String {
        self.notation(position)
    }

    /// The position as a drawing with places to point at; `None` where faces should list the moves instead.
    fn scene(&self, position: &Self::Position) -> Option<Scene> {
        let _ = position;
        None
    }

    /// The places of the scene that a player points at, in this order, to move from one position to the next; empty
    /// where the move can only be chosen by its name.
    fn pointing(&self, from: &Self::Position, to: &Self::Position, player: Player) -> Vec<String> {
        let _ = (from, to, player);
        Vec::new()
    }

    /// The board that a position is, where there are engines or players for boards of that kind.
    fn structure(&self, position: &Self::Position) -> Option<Structure> {
        let _ = position;
        None
    }

    /// The position that stands for all positions symmetric to `position`.
    fn canonical(&self, position: Self::Position) -> Self::Position {
        position
    }

    /// Appends to `into` the positions that stand for those where `player` can move, in the order of [`Game::moves`].
    fn successors(&self, position: &Self::Position, player: Player, into: &mut Vec<Self::Position>) {
        let before = into.len();
        self.moves(position, player, into);
        into[before..].iter_mut().for_each(|next| *next = self.canonical(next.clone()));
    }

    /// About how large the arena of what follows on `position` is, with `most` positions where there are more: at
    /// once, from the rules alone. `None` where they do not tell.
    fn about_arena(&self, position: &Self::Position, most: u64) -> Option<ArenaSize> {
        let _ = (position, most);
        None
    }

    /// How far Alice is ahead in what players count before they look ahead, such as the worth of pieces; 0 where
    /// nothing is.
    fn lead(&self, position: &Self::Position) -> i64 {
        let _ = position;
        0
    }

    /// Bytes that the rules hold: the positions of a graph, nothing for rules that are code.
    fn bytes(&self) -> u64 {
        0
    }

    /// A numbering of the positions without large gaps, where the game has one.
    fn perfect_index(&self) -> Option<&dyn PerfectIndex<Self::Position>> {
        None
    }
}

/// A numbering of positions from 0 to `size` - 1, so that a flat array can stand in for a hash map.
pub trait PerfectIndex<Position>: Send + Sync {
    /// One more than the largest number.
    fn size(&self) -> u64;

    /// The number of a position, different for different positions.
    fn rank(&self, position: &Position) -> u64;

    /// Appends the numbers of positions to `into`.
    fn ranks(&self, positions: &[Position], into: &mut Vec<u64>) {
        into.extend(positions.iter().map(|position| self.rank(position)));
    }
}
