//! Game files: a game given position by position, as JSON.
//!
//! ```json
//! { "name": "ultimatum-1", "start": "0",
//!   "positions": {
//!     "win":  { "winner": "alice" }, "loss": { "winner": "bob" }, "tie": { "winner": "none" },
//!     "0":    { "alice": ["1"],   "bob": ["-1"] },
//!     "1":    { "alice": ["win"], "bob": ["0"] },
//!     "-1":   { "alice": ["0"],   "bob": ["loss"] } } }
//! ```
//!
//! A move is the name of a position or `{"to": "name"}`; moves under `"both"` are both players'.
//! Each player needs a move where the game goes on. With `"kind": "alice"` (or `"bob"`) that player
//! moves there without a bid, and the other has no move. With `"name"` a move has a name of its
//! own; without, it is called by its target. `"description"` says who wins where.
//! `docs/game-file.md` describes the format completely, and `docs/game-file.schema.json` is its
//! schema.
//!
//! A game with any score, stuck score or nonzero weight is a scoring game, a [`ScoringFile`]:
//!
//! ```json
//! { "name": "two or one", "start": "heap",
//!   "positions": {
//!     "heap": { "both": [{ "to": "one", "weight": 2 }], "bob": ["done"] },
//!     "one":  { "alice": [{ "to": "done", "weight": 1 }], "stuck": { "bob": 1 } },
//!     "done": { "score": 0 } } }
//! ```
//!
//! Weights under `alice` and `bob` are added to Alice's score as written; under `both`, Bob's copy
//! is negated. If the player to move cannot, the game ends and adds that player's `stuck` score, by
//! default 0.
//!
//! A game with any priority is a parity game, a [`ParityFile`]: play need not end, and Alice wins
//! if the greatest priority that recurs forever is even. Positions without one have 0.
//!
//! ```json
//! { "name": "guard", "start": "gate",
//!   "positions": {
//!     "gate":  { "both": ["gate", "tower"], "priority": 1 },
//!     "tower": { "both": ["gate", "tower"], "priority": 2 } } }
//! ```
//!
//! `"objective"`, before the positions, states the objective where the positions do not imply it:
//! see [`StatedObjective`](crate::StatedObjective). A [`MeanPayoffFile`] is played for the long-run
//! average of the weights of its moves, each of which is added as written, and a position's own
//! weight to every move made there.
//!
//! ```json
//! { "name": "path", "start": "left", "objective": "mean-payoff",
//!   "positions": {
//!     "left":   { "both": ["left", "middle"] },
//!     "middle": { "both": ["left", "right"] },
//!     "right":  { "both": ["middle", "right"], "weight": 1 } } }
//! ```
//!
//! A game in which chance moves at some position is a [`StochasticFile`]; there, `"moves"` has the
//! moves with their chances, which add up to 1:
//!
//! ```json
//! { "name": "die", "start": "toss",
//!   "positions": {
//!     "toss": { "alice": ["throw"], "bob": ["lost"] },
//!     "throw": { "kind": "chance", "moves": [{ "to": "won", "chance": "1/6" }, { "to": "toss", "chance": "5/6" }] },
//!     "won": { "winner": "alice" }, "lost": { "winner": "bob" } } }
//! ```

use std::borrow::Borrow;

use richman_core::{
    ByPlayer, Game, GraphMove, GraphPosition, LabelledGraph, MeanPayoff, NodeData, Objective, Parity, Player,
    PositionKind, Priority, Scores, Stochastic, StochasticLabel, Terminal, WinLose,
};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::error::FormatError;
use crate::excerpt::excerpt;
use crate::labels::{FileLabel, FilePosition};
use crate::objectives::FileObjective;

/// A game as written in a file. The name is only a label: it never selects the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenGame<L: Objective> {
    /// The name of the game.
    pub name: String,
    /// The game's own description: who wins, and where.
    pub description: Option<String>,
    /// The start position.
    pub start: String,
    /// The positions in file order. No player has a move twice with the same weight and name.
    pub positions: Vec<GraphPosition<L>>,
}

/// A win-lose game.
pub type GameFile = WrittenGame<WinLose>;

/// A scoring game.
pub type ScoringFile = WrittenGame<Scores>;

/// A parity game.
pub type ParityFile = WrittenGame<Parity>;

/// A mean-payoff game.
pub type MeanPayoffFile = WrittenGame<MeanPayoff>;

/// A game in which chance moves too.
pub type StochasticFile = WrittenGame<Stochastic>;

impl<L: FileObjective> WrittenGame<L> {
    /// The game over these positions.
    ///
    /// # Errors
    /// [`FormatError::NotAGame`] if the positions are not a game, which cannot happen for a parsed
    /// file. It names the game instead of the file.
    pub fn graph(&self) -> Result<LabelledGraph<L>, FormatError> {
        LabelledGraph::new(&self.name, &self.start, &self.positions)
            .map(|graph| graph.described(self.description.clone()))
            .map_err(FormatError::not_a_game(&excerpt(&self.name)))
    }
}

impl<L: Objective> From<&LabelledGraph<L>> for WrittenGame<L> {
    fn from(graph: &LabelledGraph<L>) -> WrittenGame<L> {
        WrittenGame {
            name: graph.name(),
            description: graph.description(),
            start: graph.notation(&graph.start()),
            positions: graph.positions(),
        }
    }
}

/// The value under the name of a position. Its moves are written one by one.
pub(crate) struct PositionBody<L: FileObjective, M> {
    pub(crate) data: NodeData<L>,
    /// The moves of a player.
    pub(crate) moves: M,
}

/// The value under the name of that position.
pub(crate) fn body<'p, L: FileObjective>(
    position: &'p GraphPosition<L>,
) -> PositionBody<L, impl Fn(Player) -> std::slice::Iter<'p, GraphMove<L>>> {
    PositionBody { data: position.data, moves: |player| position.moves[player].iter() }
}

impl<L, M, I> Serialize for PositionBody<L, M>
where
    L: FileObjective,
    M: Fn(Player) -> I,
    I: ExactSizeIterator<Item: Borrow<GraphMove<L>>>,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct MoveList<'a, L: FileObjective, M>(&'a PositionBody<L, M>, Player);
        impl<L, M, I> Serialize for MoveList<'_, L, M>
        where
            L: FileObjective,
            M: Fn(Player) -> I,
            I: ExactSizeIterator<Item: Borrow<GraphMove<L>>>,
        {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let MoveList(PositionBody { data, moves }, player) = self;
                let position = L::written(*data);
                serializer.collect_seq(moves(*player).map(|step| written_move(&position, step.borrow())))
            }
        }
        let mut object = serializer.serialize_map(None)?;
        let position = L::written(self.data);
        if let Some(end) = position.end {
            let winner = match end {
                Terminal::Win(player) => player.either("alice", "bob"),
                Terminal::Draw => "none",
            };
            object.serialize_entry("winner", winner)?;
        }
        if let Some(score) = position.score {
            object.serialize_entry("score", &score)?;
        }
        if let Some(ByPlayer { alice, bob }) = position.stuck {
            object.serialize_entry("stuck", &json!({ "alice": alice, "bob": bob }))?;
        }
        if let Some(Priority(priority)) = position.priority {
            object.serialize_entry("priority", &priority)?;
        }
        match position.mover {
            StochasticLabel::Player(PositionKind::Bid) => {}
            StochasticLabel::Player(PositionKind::Owned(owner)) => {
                object.serialize_entry("kind", owner.either("alice", "bob"))?;
            }
            StochasticLabel::Chance => object.serialize_entry("kind", "chance")?,
        }
        for player in Player::BOTH {
            // Moves of an ended position are written too, so that reading rejects them.
            if (self.moves)(player).len() > 0 {
                let key = if position.is_by_chance() { "moves" } else { player.either("alice", "bob") };
                object.serialize_entry(key, &MoveList(self, player))?;
            }
        }
        object.end()
    }
}

fn written_move<L: FileObjective>(position: &FilePosition, step: &GraphMove<L>) -> Value {
    let label = match (position.is_by_chance(), step.label.weight()) {
        (true, _) => Some(("chance", step.label.chance().to_string().into())),
        (false, 0) => None,
        (false, weight) => Some(("weight", weight.into())),
    };
    let name = step.name.as_ref().map(|name| ("name", name.as_str().into()));
    if label.is_none() && name.is_none() {
        return step.to.as_str().into();
    }
    let to = ("to", step.to.as_str().into());
    Value::Object([to].into_iter().chain(label).chain(name).map(|(key, value)| (key.to_string(), value)).collect())
}
