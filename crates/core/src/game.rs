//! The trait of a game: a start, ends, moves and a notation.

use std::fmt::Debug;
use std::hash::Hash;

use crate::{Error, Mark, Objective, Player, Scene, Structure, WinLose};

/// The size of an arena.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArenaSize {
    /// The number of positions, symmetric ones counted once.
    pub positions: u64,
    /// An upper bound on the moves of a play; `None` if unknown, or if positions can repeat.
    pub longest_play: Option<u64>,
    /// The arena has at least `positions / margin` positions; 1 if they were counted.
    pub margin: u64,
}

/// The rules of a game. In a bidding position no side is to move, so both players' moves are asked
/// for.
///
/// Six methods are required. A scoring game (`Game<Scores>`) also defines weights with `labels` and
/// stuck scores with `label`. The others mainly improve names, pictures and speed.
pub trait Game<L: Objective = WinLose>: Send + Sync {
    /// A position, cheap to copy and compare.
    type Position: Clone + Eq + Hash + Debug + Send + Sync;

    /// The name with its parameters, as written on the command line.
    fn name(&self) -> String;

    /// Where the game starts.
    fn start(&self) -> Self::Position;

    /// How the game ended at `position`, or `None` if it goes on.
    fn terminal(&self, position: &Self::Position) -> Option<L::End>;

    /// Appends the targets of `player`'s moves, in a fixed order. The game has not ended at
    /// `position`.
    fn moves(&self, position: &Self::Position, player: Player, into: &mut Vec<Self::Position>);

    /// Appends the labels of those `count` moves, in the same order.
    fn labels(&self, position: &Self::Position, player: Player, count: usize, into: &mut Vec<L::Move>) {
        let _ = (position, player);
        into.resize(into.len() + count, L::Move::default());
    }

    /// The label of a position where the game goes on.
    fn label(&self, position: &Self::Position) -> L::Position {
        let _ = position;
        L::Position::default()
    }

    /// The position in the game's own notation.
    fn notation(&self, position: &Self::Position) -> String;

    /// Parses a position from its notation.
    ///
    /// # Errors
    /// [`Error::BadPosition`] if the text is not a position of the game.
    fn parse(&self, notation: &str) -> Result<Self::Position, Error>;

    /// The name of `player`'s move from one position to the next.
    fn move_name(&self, from: &Self::Position, to: &Self::Position, player: Player) -> String {
        let _ = (from, player);
        self.notation(to)
    }

    /// The names of all moves of `player` from a position, whose targets [`Game::moves`] lists.
    /// Several moves to one position may have different names here.
    fn move_names(&self, from: &Self::Position, targets: &[Self::Position], player: Player) -> Vec<String> {
        targets.iter().map(|to| self.move_name(from, to, player)).collect()
    }

    /// For a game outside the list: who wins and where, in its own words.
    fn description(&self) -> Option<String> {
        None
    }

    /// The position drawn as text; a board takes several lines.
    fn picture(&self, position: &Self::Position) -> String {
        self.notation(position)
    }

    /// The position as a drawing with places to click; `None` if the moves should be listed
    /// instead.
    fn scene(&self, position: &Self::Position) -> Option<Scene> {
        let _ = position;
        None
    }

    /// The drawing for a player who wants to see their own side below. The places are the same. The
    /// default is [`Game::scene`], for drawings that need not be turned.
    fn scene_for(&self, position: &Self::Position, below: Player) -> Option<Scene> {
        let _ = below;
        self.scene(position)
    }

    /// The places of the scene to click, in order, to make a move; empty if only its name selects
    /// it.
    fn pointing(&self, from: &Self::Position, to: &Self::Position, player: Player) -> Vec<String> {
        let _ = (from, to, player);
        Vec::new()
    }

    /// For setting positions up by hand: places to draw over the scene, each with the position
    /// after it is pressed. Empty if positions can only be typed.
    fn set_up(&self, position: &Self::Position) -> Vec<(Mark, Self::Position)> {
        let _ = position;
        Vec::new()
    }

    /// The board of this position, for the engines and computer players that know its type.
    fn structure(&self, position: &Self::Position) -> Option<Structure> {
        let _ = position;
        None
    }

    /// The representative of all positions symmetric to `position`.
    fn canonical(&self, position: Self::Position) -> Self::Position {
        position
    }

    /// Appends the representatives of the targets of `player`'s moves, in the order of
    /// [`Game::moves`].
    fn successors(&self, position: &Self::Position, player: Player, into: &mut Vec<Self::Position>) {
        let before = into.len();
        self.moves(position, player, into);
        into[before..].iter_mut().for_each(|next| *next = self.canonical(next.clone()));
    }

    /// A quick estimate of the arena reachable from `position`, counting at most `most` positions;
    /// `None` if the rules alone do not give one.
    fn about_arena(&self, position: &Self::Position, most: u64) -> Option<ArenaSize> {
        let _ = (position, most);
        None
    }

    /// Alice's lead by a measure without lookahead, such as piece values; 0 if there is none.
    fn lead(&self, position: &Self::Position) -> i64 {
        let _ = position;
        0
    }

    /// Bytes held by the rules: the positions of a graph, or 0 for rules that are code.
    fn bytes(&self) -> u64 {
        0
    }

    /// The most moves of a player at any position of a graph; `None` for rules that are code.
    fn most_moves(&self) -> Option<usize> {
        None
    }

    /// The perfect index of the positions, if the game has one.
    fn perfect_index(&self) -> Option<&dyn PerfectIndex<Self::Position>> {
        None
    }
}

/// A numbering of positions from 0 to `size` - 1 without large gaps, which lets an array replace a
/// hash map.
pub trait PerfectIndex<Position>: Debug + Send + Sync {
    /// One more than the largest number.
    fn size(&self) -> u64;

    /// The number of a position, different for different positions.
    fn rank(&self, position: &Position) -> u64;

    /// Appends the numbers of positions to `into`.
    fn ranks(&self, positions: &[Position], into: &mut Vec<u64>) {
        into.extend(positions.iter().map(|position| self.rank(position)));
    }
}
