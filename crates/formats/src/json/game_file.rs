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
//! if the greatest priority that comes back for ever is even. Positions without one have 0.
//!
//! ```json
//! { "name": "guard", "start": "gate",
//!   "positions": {
//!     "gate":  { "both": ["gate", "tower"], "priority": 1 },
//!     "tower": { "both": ["gate", "tower"], "priority": 2 } } }
//! ```
//!
//! `"objective"` says what a game is played for where that does not follow, before the positions:
//! see [`FileGoal`](crate::FileGoal). A [`MeanPayoffFile`] is played for the long-run average of
//! the weights of its moves, each of which is added as written, and a position's own weight to
//! every move made there.
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
    ByPlayer, Game, GraphMove, GraphPosition, LabelledGraph, MeanPayoff, NodeData, Objective, Parity, ParityPlace,
    Player, PositionKind, Priority, Probability, Scores, Stochastic, StochasticPlace, Terminal, WinLose,
};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::error::FormatError;
use crate::excerpt::excerpt;
use crate::goal::FileGoal;

/// A game as written in a file. The name is only a label: it never selects the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenGame<L: Objective> {
    /// The name of the game.
    pub name: String,
    /// What the game says about itself: who wins, and where.
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

/// An objective whose games can be written in files.
pub trait FileObjective: Objective {
    /// The objective as the file names it, where the positions do not show it.
    const GOAL: Option<FileGoal> = None;

    /// The keys that describe a position, and their values.
    fn place(place: NodeData<Self>) -> Vec<(&'static str, Value)>;

    /// The key for the moves of a player at a position.
    fn list(_: NodeData<Self>, player: Player) -> &'static str {
        player.either("alice", "bob")
    }

    /// The key that describes a move at a position, and its value, unless it is the usual one.
    fn label(place: NodeData<Self>, label: Self::Move) -> Option<(&'static str, Value)>;
}

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
    pub(crate) place: NodeData<L>,
    /// The moves of a player.
    pub(crate) moves: M,
}

/// The value under the name of that position.
pub(crate) fn body<'p, L: FileObjective>(
    position: &'p GraphPosition<L>,
) -> PositionBody<L, impl Fn(Player) -> std::slice::Iter<'p, GraphMove<L>>> {
    PositionBody { place: position.place, moves: |player| position.moves[player].iter() }
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
                let MoveList(PositionBody { place, moves }, player) = self;
                serializer.collect_seq(moves(*player).map(|step| written_move(*place, step.borrow())))
            }
        }
        let mut object = serializer.serialize_map(None)?;
        for (key, value) in L::place(self.place) {
            object.serialize_entry(key, &value)?;
        }
        for player in Player::BOTH {
            // Moves of an ended position are written too, so that reading rejects them.
            if (self.moves)(player).len() > 0 {
                object.serialize_entry(L::list(self.place, player), &MoveList(self, player))?;
            }
        }
        object.end()
    }
}

fn written_move<L: FileObjective>(place: NodeData<L>, step: &GraphMove<L>) -> Value {
    let label = L::label(place, step.label);
    let name = step.name.as_ref().map(|name| ("name", name.as_str().into()));
    if label.is_none() && name.is_none() {
        return step.to.as_str().into();
    }
    let to = ("to", step.to.as_str().into());
    Value::Object([to].into_iter().chain(label).chain(name).map(|(key, value)| (key.to_string(), value)).collect())
}

fn weight(weight: i64) -> Option<(&'static str, Value)> {
    (weight != 0).then(|| ("weight", weight.into()))
}

impl FileObjective for WinLose {
    fn place(place: NodeData<WinLose>) -> Vec<(&'static str, Value)> {
        match place {
            NodeData::On(kind) => kind_key(kind).into_iter().collect(),
            NodeData::End(end) => vec![winner(end)],
        }
    }

    fn label(_: NodeData<WinLose>, (): ()) -> Option<(&'static str, Value)> {
        None
    }
}

fn winner(end: Terminal) -> (&'static str, Value) {
    let winner = match end {
        Terminal::Win(player) => player.either("alice", "bob"),
        Terminal::Draw => "none",
    };
    ("winner", winner.into())
}

impl FileObjective for Scores {
    fn place(place: NodeData<Scores>) -> Vec<(&'static str, Value)> {
        vec![match place {
            NodeData::End(score) => ("score", score.into()),
            // This marks a game without other numbers as a scoring game.
            NodeData::On(ByPlayer { alice, bob }) => ("stuck", json!({ "alice": alice, "bob": bob })),
        }]
    }

    fn label(_: NodeData<Scores>, label: i64) -> Option<(&'static str, Value)> {
        weight(label)
    }
}

impl FileObjective for Parity {
    fn place(place: NodeData<Parity>) -> Vec<(&'static str, Value)> {
        match place {
            NodeData::End(winner) => vec![("winner", winner.either("alice", "bob").into())],
            NodeData::On(ParityPlace { priority: Priority(priority), kind }) => {
                // This marks a game as a parity game.
                let ranked = ("priority", priority.into());
                [ranked].into_iter().chain(kind_key(kind)).collect()
            }
        }
    }

    fn label(_: NodeData<Parity>, (): ()) -> Option<(&'static str, Value)> {
        None
    }
}

impl FileObjective for MeanPayoff {
    const GOAL: Option<FileGoal> = Some(FileGoal::MeanPayoff);

    fn place(NodeData::On(kind): NodeData<MeanPayoff>) -> Vec<(&'static str, Value)> {
        kind_key(kind).into_iter().collect()
    }

    fn label(_: NodeData<MeanPayoff>, label: i64) -> Option<(&'static str, Value)> {
        weight(label)
    }
}

impl FileObjective for Stochastic {
    fn place(place: NodeData<Stochastic>) -> Vec<(&'static str, Value)> {
        let key = match place {
            NodeData::End(end) => Some(winner(end)),
            NodeData::On(StochasticPlace::Player(kind)) => kind_key(kind),
            NodeData::On(StochasticPlace::Chance) => Some(("kind", "chance".into())),
        };
        key.into_iter().collect()
    }

    fn list(place: NodeData<Stochastic>, player: Player) -> &'static str {
        let is_by_chance = place == NodeData::On(StochasticPlace::Chance);
        if is_by_chance { "moves" } else { player.either("alice", "bob") }
    }

    fn label(place: NodeData<Stochastic>, chance: Probability) -> Option<(&'static str, Value)> {
        (place == NodeData::On(StochasticPlace::Chance)).then(|| ("chance", chance.to_string().into()))
    }
}

fn kind_key(kind: PositionKind) -> Option<(&'static str, Value)> {
    Some(("kind", kind.owner()?.either("alice", "bob").into()))
}
