//! Objectives with memory: a play is judged by where it is and by something that it remembers. Such
//! a game is played for another objective over pairs of a position and a memory.

use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::marker::PhantomData;
use std::str::FromStr;

use crate::{
    Effort, Error, Game, LabelledArena, MatchCounts, Move, Node, NodeData, Objective, Player, Step, Unfolded,
    Unfolding, unfold,
};

/// An objective with memory, which is reduced to another objective.
pub trait Remembering: Objective {
    /// The objective over pairs of a position and a memory.
    type Reduced: Objective<Move = Self::Move>;
    /// What a play remembers; by default nothing.
    type Memory: Copy + Debug + Default + Display + Eq + FromStr + Hash + Send + Sync + 'static;

    /// The memory when play comes to a position with that label.
    fn remember(before: Self::Memory, label: Self::Position) -> Self::Memory;

    /// The memory before the current position of a match.
    fn of_play(counts: &MatchCounts) -> Self::Memory;

    /// The label of a position with a memory.
    fn reduced(memory: Self::Memory, label: Self::Position) -> <Self::Reduced as Objective>::Position;

    /// How a play ends with a memory.
    fn reduced_end(memory: Self::Memory, end: Self::End) -> <Self::Reduced as Objective>::End;
}

/// A game over pairs of a position of another game and a memory, written `POSITION after MEMORY`.
#[derive(Debug, Clone)]
pub struct RememberingGame<L, U> {
    unfolding: U,
    objective: PhantomData<fn() -> L>,
}

const AFTER: &str = " after ";

impl<L: Remembering, U: Unfolding<L>> RememberingGame<L, U> {
    /// The game over the positions of `unfolding`.
    pub fn new(unfolding: U) -> RememberingGame<L, U> {
        RememberingGame { unfolding, objective: PhantomData }
    }

    /// A position of the other game, as written there, in a match with these counts.
    ///
    /// # Errors
    /// [`Error::BadPosition`] if the text is not a position of the other game.
    pub fn in_play(&self, position: &str, counts: &MatchCounts) -> Result<String, Error> {
        let node = self.unfolding.node(position)?;
        Ok(written(position, self.reached(node, L::of_play(counts)).1))
    }

    /// The position of the other game.
    ///
    /// # Errors
    /// [`Error::BadPosition`] if the text is not a position of this game.
    pub fn without_memory(&self, notation: &str) -> Result<String, Error> {
        self.parse(notation).map(|(node, _)| self.unfolding.notation(node))
    }

    /// Unfolds the game from its start.
    ///
    /// # Errors
    /// The errors of [`unfold`].
    pub fn unfold(self, effort: &Effort) -> Result<RememberingUnfolding<L, U>, Error> {
        let start = self.start();
        Ok(RememberingUnfolding(unfold(self, start, effort)?))
    }

    fn reached(&self, node: Node, before: L::Memory) -> (Node, L::Memory) {
        match self.unfolding.arena().data(node) {
            NodeData::End(_) => (node, before),
            NodeData::On(label) => (node, L::remember(before, label)),
        }
    }

    /// A position as written, with its memory.
    fn split<'a>(&self, notation: &'a str) -> Result<(&'a str, L::Memory), Error> {
        let split = || {
            let (position, memory) = notation.rsplit_once(AFTER)?;
            Some((position, memory.parse().ok()?))
        };
        let reason = format!("write POSITION{AFTER}MEMORY");
        split().ok_or_else(|| Error::bad_position(notation, self.unfolding.game(), reason))
    }
}

fn written(position: &str, memory: impl Display) -> String {
    format!("{position}{AFTER}{memory}")
}

impl<L: Remembering, U: Unfolding<L>> Game<L::Reduced> for RememberingGame<L, U> {
    type Position = (Node, L::Memory);

    fn name(&self) -> String {
        self.unfolding.game()
    }

    fn start(&self) -> Self::Position {
        self.reached(self.unfolding.arena().start(), L::Memory::default())
    }

    fn terminal(&self, &(node, memory): &Self::Position) -> Option<<L::Reduced as Objective>::End> {
        self.unfolding.arena().data(node).end().map(|end| L::reduced_end(memory, end))
    }

    fn moves(&self, &(node, memory): &Self::Position, player: Player, into: &mut Vec<Self::Position>) {
        into.extend(self.unfolding.moves(node, player).into_iter().map(|step| self.reached(step.to, memory)));
    }

    fn labels(&self, &(node, _): &Self::Position, player: Player, _: usize, into: &mut Vec<L::Move>) {
        into.extend(self.unfolding.moves(node, player).into_iter().map(|step| step.label));
    }

    fn label(&self, &(node, memory): &Self::Position) -> <L::Reduced as Objective>::Position {
        match self.unfolding.arena().data(node) {
            NodeData::End(_) => <L::Reduced as Objective>::Position::default(),
            NodeData::On(label) => L::reduced(memory, label),
        }
    }

    fn notation(&self, &(node, memory): &Self::Position) -> String {
        written(&self.unfolding.notation(node), memory)
    }

    fn parse(&self, notation: &str) -> Result<Self::Position, Error> {
        let (position, memory) = self.split(notation)?;
        Ok((self.unfolding.node(position)?, memory))
    }

    fn move_names(&self, &(node, _): &Self::Position, _: &[Self::Position], player: Player) -> Vec<String> {
        self.unfolding.moves(node, player).into_iter().map(|step| step.name).collect()
    }

    fn picture(&self, &(node, _): &Self::Position) -> String {
        self.unfolding.picture(node)
    }

    fn bytes(&self) -> u64 {
        self.unfolding.bytes()
    }
}

/// A [`RememberingGame`] with its arena.
#[derive(Debug)]
pub struct RememberingUnfolding<L: Remembering, U: Unfolding<L>>(Unfolded<RememberingGame<L, U>, L::Reduced>);

impl<L: Remembering, U: Unfolding<L>> Unfolding<L::Reduced> for RememberingUnfolding<L, U> {
    fn game(&self) -> String {
        self.0.game()
    }

    fn arena(&self) -> &LabelledArena<L::Reduced> {
        self.0.arena()
    }

    fn bytes(&self) -> u64 {
        self.0.bytes()
    }

    fn notation(&self, node: Node) -> String {
        self.0.notation(node)
    }

    fn picture(&self, node: Node) -> String {
        self.0.picture(node)
    }

    fn moves(&self, node: Node, player: Player) -> Vec<Move<L::Reduced>> {
        self.0.moves(node, player)
    }

    /// The moves of the position itself, where the other game folds it into a symmetric one.
    fn steps(&self, notation: &str, player: Player) -> Result<Vec<Step<L::Reduced>>, Error> {
        let game = self.0.rules();
        let (position, memory) = game.split(notation)?;
        let steps = game.unfolding.steps(position, player)?.into_iter();
        let reduced = |Step { step: Move { name, to, label }, notation }: Step<L>| {
            let reached = game.reached(to, memory);
            let to = self.0.number(&reached)?;
            Some(Step { step: Move { name, to, label }, notation: written(&notation, reached.1) })
        };
        Ok(steps.filter_map(reduced).collect())
    }

    fn node(&self, notation: &str) -> Result<Node, Error> {
        self.0.node(notation)
    }
}
