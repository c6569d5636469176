//! A scoring game given position by position, with names.

use std::collections::HashMap;

use crate::{Error, GraphError, Node, Player, ScoringArenaBuilder, ScoringGame};

/// A move to the position of a name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct WeightedMove {
    /// The name of the position it leads to.
    pub to: String,
    /// What it adds to Alice's score, whoever makes it.
    pub weight: i64,
}

/// One position of a [`ScoringGraph`]: the score it ends with, or where each player can move.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ScoringPosition {
    /// The name of the position.
    pub name: String,
    /// What the game ends with here, or `None` where there is a bid.
    pub score: Option<i64>,
    /// What is added when Alice, or Bob, is to move and cannot.
    pub stuck: [i64; 2],
    /// Alice's moves.
    pub alice: Vec<WeightedMove>,
    /// Bob's moves.
    pub bob: Vec<WeightedMove>,
}

/// A scoring game given by its graph. Positions are numbers into the list they were given in.
#[derive(Debug, Clone)]
pub struct ScoringGraph {
    name: String,
    start: u32,
    names: Vec<String>,
    scores: Vec<Option<i64>>,
    stuck: Vec<[i64; 2]>,
    moves: [Vec<Vec<(u32, i64)>>; 2],
    numbers: HashMap<String, u32>,
}

impl ScoringGraph {
    /// A scoring game over `positions`, which starts at the position named `start`.
    ///
    /// # Errors
    /// A [`GraphError`] that names the first position that is wrong.
    pub fn new(name: &str, start: &str, positions: &[ScoringPosition]) -> Result<ScoringGraph, GraphError> {
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
        for position in positions {
            let listed = position.alice.iter().chain(&position.bob);
            if position.score.is_some() && (listed.clone().count() > 0 || position.stuck != [0, 0]) {
                return Err(GraphError::MovesAfterScore(position.name.clone()));
            }
            for (player, steps) in [(Player::Alice, &position.alice), (Player::Bob, &position.bob)] {
                let mut targets = Vec::with_capacity(steps.len());
                for step in steps {
                    let number = numbers.get(step.to.as_str()).ok_or_else(|| GraphError::UnknownSuccessor {
                        from: position.name.clone(),
                        player,
                        to: step.to.clone(),
                    })?;
                    targets.push((*number, step.weight));
                }
                moves[player as usize].push(targets);
            }
        }
        let graph = ScoringGraph {
            name: name.to_string(),
            start,
            names: positions.iter().map(|position| position.name.clone()).collect(),
            scores: positions.iter().map(|position| position.score).collect(),
            stuck: positions.iter().map(|position| position.stuck).collect(),
            moves,
            numbers,
        };
        graph.check()?;
        Ok(graph)
    }

    /// The limits of an arena, with the names of positions in place of numbers.
    fn check(&self) -> Result<(), GraphError> {
        let mut builder = ScoringArenaBuilder::new();
        for (node, score) in self.scores.iter().enumerate() {
            match score {
                Some(score) => builder.ended(*score),
                None => builder.position(&self.moves[0][node], &self.moves[1][node], self.stuck[node]),
            };
        }
        let named = |number: &String| number.parse().map_or_else(|_| number.clone(), |node: Node| self.notation(&node));
        match builder.build(self.start) {
            Err(Error::Cycle { positions }) => Err(GraphError::Cycle(positions.iter().map(named).collect())),
            Err(Error::WeightTooLarge { position, number }) => {
                Err(GraphError::WeightTooLarge { position: named(&position), number })
            }
            _ => Ok(()),
        }
    }
}

impl ScoringGame for ScoringGraph {
    type Position = u32;

    fn name(&self) -> String {
        self.name.clone()
    }

    fn start(&self) -> u32 {
        self.start
    }

    fn score(&self, &position: &u32) -> Option<i64> {
        self.scores[position as usize]
    }

    fn moves(&self, &position: &u32, player: Player, into: &mut Vec<(u32, i64)>) {
        into.extend_from_slice(&self.moves[player as usize][position as usize]);
    }

    fn stuck(&self, &position: &u32, player: Player) -> i64 {
        self.stuck[position as usize][player as usize]
    }

    fn notation(&self, &position: &u32) -> String {
        self.names[position as usize].clone()
    }

    fn parse(&self, notation: &str) -> Result<u32, Error> {
        self.numbers.get(notation).copied().ok_or_else(|| {
            Error::bad_position(notation, &self.name, format!("its positions have names such as {:?}", self.names[0]))
        })
    }
}
