//! A scoring game given position by position, with names.

use std::sync::Arc;

use crate::graph_builder::Table;
use crate::{BuiltPosition, Error, GraphBuilder, GraphError, Node, Player, ScoringArenaBuilder, ScoringGame};

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

/// A scoring game given by its graph. Positions are numbers into the list they were given in. Copies share the positions.
#[derive(Debug, Clone)]
pub struct ScoringGraph {
    name: String,
    start: u32,
    parts: Arc<Parts>,
}

#[derive(Debug)]
struct Parts {
    table: Table,
    /// Of every move of the table.
    weights: Vec<i64>,
    scores: Vec<Option<i64>>,
    stuck: Vec<[i64; 2]>,
}

impl ScoringGraph {
    /// A scoring game over `positions`, which starts at the position named `start`.
    ///
    /// # Errors
    /// A [`GraphError`] that names the first position that is wrong.
    pub fn new(name: &str, start: &str, positions: &[ScoringPosition]) -> Result<ScoringGraph, GraphError> {
        let mut builder = GraphBuilder::new();
        for position in positions {
            let name = builder.name(&position.name);
            let moves = [&position.alice, &position.bob];
            let [alice, bob] =
                moves.map(|moves| moves.iter().map(|step| (builder.name(&step.to), step.weight)).collect::<Vec<_>>());
            let (score, stuck, moves) = (position.score, position.stuck, [&alice[..], &bob]);
            builder.position(BuiltPosition { name, terminal: None, score, stuck, moves });
        }
        builder.build_scoring(name, start)
    }

    /// The positions, as they were given.
    pub fn positions(&self) -> Vec<ScoringPosition> {
        let Parts { table, scores, stuck, .. } = self.parts.as_ref();
        let steps = |position, player| {
            let step = |(to, weight)| WeightedMove { to: table.notation(to).to_string(), weight };
            self.steps(position, player).map(step).collect()
        };
        let position = |position: u32| ScoringPosition {
            name: table.notation(position).to_string(),
            score: scores[position as usize],
            stuck: stuck[position as usize],
            alice: steps(position, Player::Alice),
            bob: steps(position, Player::Bob),
        };
        (0..table.len() as u32).map(position).collect()
    }

    fn steps(&self, position: u32, player: Player) -> impl Iterator<Item = (u32, i64)> {
        let Parts { table, weights, .. } = self.parts.as_ref();
        let weights = &weights[table.range(position, player)];
        table.moves(position, player).iter().copied().zip(weights.iter().copied())
    }

    /// The game, if it keeps the limits of an arena; errors have the names of positions in place of numbers.
    pub(crate) fn checked(
        name: String,
        start: u32,
        table: Table,
        weights: Vec<i64>,
        scores: Vec<Option<i64>>,
        stuck: Vec<[i64; 2]>,
    ) -> Result<ScoringGraph, GraphError> {
        let graph = ScoringGraph { name, start, parts: Arc::new(Parts { table, weights, scores, stuck }) };
        let mut builder = ScoringArenaBuilder::new();
        let mut moves = [Vec::new(), Vec::new()];
        for position in 0..graph.parts.table.len() as u32 {
            if let Some(score) = graph.score(&position) {
                builder.terminal(score);
                continue;
            }
            for player in Player::BOTH {
                moves[player as usize].clear();
                graph.moves(&position, player, &mut moves[player as usize]);
            }
            builder.labelled(&moves[0], &moves[1], graph.parts.stuck[position as usize]);
        }
        let named =
            |number: &String| number.parse().map_or_else(|_| number.clone(), |node: Node| graph.notation(&node));
        match builder.build(graph.start) {
            Err(Error::Cycle { positions }) => Err(GraphError::Cycle(positions.iter().map(named).collect())),
            Err(Error::WeightTooLarge { position, number }) => {
                Err(GraphError::WeightTooLarge { position: named(&position), number })
            }
            _ => Ok(graph),
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
        self.parts.scores[position as usize]
    }

    fn moves(&self, &position: &u32, player: Player, into: &mut Vec<(u32, i64)>) {
        into.extend(self.steps(position, player));
    }

    fn stuck(&self, &position: &u32, player: Player) -> i64 {
        self.parts.stuck[position as usize][player as usize]
    }

    fn notation(&self, &position: &u32) -> String {
        self.parts.table.notation(position).to_string()
    }

    fn bytes(&self) -> u64 {
        let Parts { table, weights, scores, stuck } = self.parts.as_ref();
        let numbers = size_of_val(&weights[..]) + size_of_val(&scores[..]) + size_of_val(&stuck[..]);
        table.bytes() + numbers as u64
    }

    fn parse(&self, notation: &str) -> Result<u32, Error> {
        self.parts.table.find(notation).ok_or_else(|| {
            let first = self.parts.table.notation(0);
            Error::bad_position(notation, &self.name, format!("its positions have names such as {first:?}"))
        })
    }
}
