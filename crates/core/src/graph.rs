//! A game given position by position, with names.

use std::sync::Arc;

use crate::graph_builder::Table;
use crate::{BuiltPosition, Error, Game, GraphBuilder, PerfectIndex, Player, Terminal};

/// One position of a [`Graph`]: how it ended, or where each player can move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphPosition {
    /// The name of the position.
    pub name: String,
    /// How the game ended here, or `None` where it goes on.
    pub terminal: Option<Terminal>,
    /// The names that Alice can move to.
    pub alice: Vec<String>,
    /// The names that Bob can move to.
    pub bob: Vec<String>,
}

/// A game given by its graph. Positions are numbers into the list they were given in. Copies share the positions.
#[derive(Debug, Clone)]
pub struct Graph {
    pub(crate) name: String,
    pub(crate) start: u32,
    pub(crate) table: Arc<Table>,
}

/// Why positions do not make a game. Every variant names the position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GraphError {
    /// No position was given.
    #[error("there are no positions: give at least one")]
    Empty,
    /// The start is not a position.
    #[error("the start {0:?} is not a position: name one of the positions")]
    UnknownStart(String),
    /// Two positions have one name.
    #[error("position {0:?} is given twice: give every position a name of its own")]
    Duplicate(String),
    /// A move leads nowhere.
    #[error("position {from:?}: {player} moves to {to:?}, which is not a position: add it or correct the name")]
    UnknownSuccessor {
        /// Where the move starts.
        from: String,
        /// Who moves.
        player: Player,
        /// Where it should lead.
        to: String,
    },
    /// A position where play goes on but a player cannot move.
    #[error(
        "position {position:?}: {player} has no move although the game is not over: give {player} a move, or the position a winner"
    )]
    DeadEnd {
        /// The position.
        position: String,
        /// Who cannot move.
        player: Player,
    },
    /// A position with a score that has moves or stuck scores.
    #[error(
        "position {0:?} has a score and also moves or stuck scores: a position with a score ends the game, so leave out one of the two"
    )]
    MovesAfterScore(String),
    /// A scoring game in which play can come back to a position.
    #[error("play can come back to a position: {}; scoring games must end, so leave out one of these moves", crate::error::arrows(.0))]
    Cycle(Vec<String>),
    /// A weight or a score that is too large.
    #[error(
        "position {position:?}: {number} is out of range: weights and scores are whole numbers from -{most} to {most}",
        most = crate::MAX_WEIGHT
    )]
    WeightTooLarge {
        /// The position.
        position: String,
        /// The weight or score.
        number: i64,
    },
    /// A position that has ended but has moves.
    #[error("position {0:?} has both a winner and moves: a position with a winner ends the game")]
    MovesAfterEnd(String),
}

impl Graph {
    /// A game over `positions`, which starts at the position named `start`.
    ///
    /// # Errors
    /// A [`GraphError`] that names the first position that is wrong.
    pub fn new(name: &str, start: &str, positions: Vec<GraphPosition>) -> Result<Graph, GraphError> {
        let mut builder = GraphBuilder::new();
        for GraphPosition { name, terminal, alice, bob } in positions {
            let name = builder.name(&name);
            let [alice, bob] =
                [alice, bob].map(|moves| moves.iter().map(|to| (builder.name(to), 0)).collect::<Vec<_>>());
            builder.position(BuiltPosition { name, terminal, moves: [&alice, &bob], ..BuiltPosition::default() });
        }
        builder.build(name, start)
    }

    /// The positions, as they were given.
    pub fn positions(&self) -> Vec<GraphPosition> {
        let table = &self.table;
        let names =
            |position, player| table.moves(position, player).iter().map(|&to| table.notation(to).to_string()).collect();
        let position = |position| GraphPosition {
            name: table.notation(position).to_string(),
            terminal: table.terminal(position),
            alice: names(position, Player::Alice),
            bob: names(position, Player::Bob),
        };
        (0..table.len() as u32).map(position).collect()
    }
}

impl Game for Graph {
    type Position = u32;

    fn name(&self) -> String {
        self.name.clone()
    }

    fn start(&self) -> u32 {
        self.start
    }

    fn terminal(&self, &position: &u32) -> Option<Terminal> {
        self.table.terminal(position)
    }

    fn moves(&self, &position: &u32, player: Player, into: &mut Vec<u32>) {
        into.extend_from_slice(self.table.moves(position, player));
    }

    fn notation(&self, &position: &u32) -> String {
        self.table.notation(position).to_string()
    }

    fn parse(&self, notation: &str) -> Result<u32, Error> {
        self.table.find(notation).ok_or_else(|| {
            let first = self.table.notation(0);
            Error::bad_position(notation, &self.name, format!("its positions have names such as {first:?}"))
        })
    }

    fn bytes(&self) -> u64 {
        self.table.bytes()
    }

    fn perfect_index(&self) -> Option<&dyn PerfectIndex<u32>> {
        Some(self)
    }
}

impl PerfectIndex<u32> for Graph {
    fn size(&self) -> u64 {
        self.table.len() as u64
    }

    fn rank(&self, position: &u32) -> u64 {
        u64::from(*position)
    }
}
