//! A game given position by position, with names.

use std::collections::HashMap;

use crate::{Error, Game, PerfectIndex, Player, Terminal};

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

/// A game given by its graph. Positions are numbers into the list they were given in.
#[derive(Debug, Clone)]
pub struct Graph {
    name: String,
    start: u32,
    names: Vec<String>,
    ends: Vec<Option<Terminal>>,
    moves: [Vec<Vec<u32>>; 2],
    numbers: HashMap<String, u32>,
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
        let mut numbers = HashMap::new();
        for (number, position) in positions.iter().enumerate() {
            if numbers.insert(position.name.clone(), number as u32).is_some() {
                return Err(GraphError::Duplicate(position.name.clone()));
            }
        }
        if positions.is_empty() {
            return Err(GraphError::Empty);
        }
        let start = *numbers.get(start).ok_or_else(|| GraphError::UnknownStart(start.to_string()))?;
        let mut moves = [Vec::with_capacity(positions.len()), Vec::with_capacity(positions.len())];
        for position in &positions {
            if position.terminal.is_some() && !(position.alice.is_empty() && position.bob.is_empty()) {
                return Err(GraphError::MovesAfterEnd(position.name.clone()));
            }
            for (player, names) in [(Player::Alice, &position.alice), (Player::Bob, &position.bob)] {
                if position.terminal.is_none() && names.is_empty() {
                    return Err(GraphError::DeadEnd { position: position.name.clone(), player });
                }
                let mut targets = Vec::with_capacity(names.len());
                for to in names {
                    let number = numbers.get(to.as_str()).ok_or_else(|| GraphError::UnknownSuccessor {
                        from: position.name.clone(),
                        player,
                        to: to.clone(),
                    })?;
                    targets.push(*number);
                }
                moves[player as usize].push(targets);
            }
        }
        let ends = positions.iter().map(|position| position.terminal).collect();
        let names = positions.into_iter().map(|position| position.name).collect();
        Ok(Graph { name: name.to_string(), start, names, ends, moves, numbers })
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
        self.ends[position as usize]
    }

    fn moves(&self, &position: &u32, player: Player, into: &mut Vec<u32>) {
        into.extend_from_slice(&self.moves[player as usize][position as usize]);
    }

    fn notation(&self, &position: &u32) -> String {
        self.names[position as usize].clone()
    }

    fn parse(&self, notation: &str) -> Result<u32, Error> {
        self.numbers.get(notation).copied().ok_or_else(|| {
            Error::bad_position(notation, &self.name, format!("its positions have names such as {:?}", self.names[0]))
        })
    }

    fn perfect_index(&self) -> Option<&dyn PerfectIndex<u32>> {
        Some(self)
    }
}

impl PerfectIndex<u32> for Graph {
    fn size(&self) -> u64 {
        self.names.len() as u64
    }

    fn rank(&self, position: &u32) -> u64 {
        u64::from(*position)
    }
}
