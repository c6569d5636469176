//! A game given as a list of named positions.

use std::borrow::Cow;
use std::sync::Arc;

use crate::graph_builder::GraphTable;
use crate::{
    BuiltMove, ByPlayer, Error, Game, GraphBuilder, LabelledArena, LabelledArenaBuilder, MeanPayoff, MoveName, Node,
    NodeData, Objective, Parity, PerfectIndex, Player, Scores, Stochastic, WinLose,
};

/// A move of a graph.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GraphMove<L: Objective = WinLose> {
    /// The name of the target.
    pub to: String,
    /// The label.
    pub label: L::Move,
    /// The move's own name; without one it is called by its target.
    pub name: Option<String>,
}

/// A move called by its target.
impl<L: Objective<Move = M>, M> From<(String, M)> for GraphMove<L> {
    fn from((to, label): (String, M)) -> GraphMove<L> {
        GraphMove { to, label, name: None }
    }
}

/// A move of a graph, with numbers for names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NumberedMove<L: Objective = WinLose> {
    /// The target, by its number in the list of positions.
    pub to: u32,
    /// The label.
    pub label: L::Move,
    /// The number of the move's own name.
    pub name: Option<MoveName>,
}

/// One position of a graph: its labels and each player's moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphPosition<L: Objective = WinLose> {
    /// The name of the position.
    pub name: String,
    /// Whether and how the game ended here.
    pub data: NodeData<L>,
    /// Alice's moves and Bob's.
    pub moves: ByPlayer<Vec<GraphMove<L>>>,
}

/// A win-lose game given by its graph.
pub type Graph = LabelledGraph<WinLose>;

/// A scoring game given by its graph.
pub type ScoringGraph = LabelledGraph<Scores>;

/// A parity game given by its graph.
pub type ParityGraph = LabelledGraph<Parity>;

/// A mean-payoff game.
pub type MeanPayoffGraph = LabelledGraph<MeanPayoff>;

/// A game in which chance moves too, given by its graph.
pub type StochasticGraph = LabelledGraph<Stochastic>;

/// A game given by its graph. Positions are indices into the given list. Clones share the list.
#[derive(Debug, Clone)]
pub struct LabelledGraph<L: Objective> {
    name: String,
    start: u32,
    description: Option<Arc<str>>,
    parts: Arc<GraphParts<L>>,
}

/// Equal games have the same positions and moves in the same order.
impl<L: Objective> PartialEq for LabelledGraph<L> {
    fn eq(&self, other: &LabelledGraph<L>) -> bool {
        let head = |graph: &LabelledGraph<L>| (graph.start, graph.len());
        head(self) == head(other)
            && (&self.name, &self.description) == (&other.name, &other.description)
            && (0..self.len()).all(|position| self.position(position) == other.position(position))
    }
}

impl<L: Objective> Eq for LabelledGraph<L> {}

#[derive(Debug)]
struct GraphParts<L: Objective> {
    table: GraphTable,
    data: Vec<NodeData<L>>,
    labels: Vec<L::Move>,
}

/// The reason why a list of positions is not a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GraphError {
    /// No position was given.
    #[error("there are no positions: give at least one")]
    Empty,
    /// The start is not a position.
    #[error("the start {0:?} is not a position: name one of the positions")]
    UnknownStart(String),
    /// Two positions have the same name.
    #[error("position {0:?} is given twice: give every position a name of its own")]
    Duplicate(String),
    /// A move leads to an unknown position.
    #[error("position {from:?}: {player} moves to {to:?}, which is not a position: add it or correct the name")]
    UnknownSuccessor {
        /// Where the move starts.
        from: String,
        /// Who moves.
        player: Player,
        /// Where it should lead.
        to: String,
    },
    /// A name of a move that could mean another move of the player.
    #[error(
        "position {position:?}: {player}'s move {name:?} could be mistaken for another of {player}'s moves, \
         which has that name too or leads to the position of that name: give it a name of its own"
    )]
    AmbiguousMove {
        /// Where the moves start.
        position: String,
        /// Whose moves they are.
        player: Player,
        /// The name.
        name: String,
    },
    /// A position with a score that also has moves or stuck scores.
    #[error(
        "position {0:?} has a score and also moves or stuck scores: a position with a score ends the game, \
         so leave out one of the two"
    )]
    MovesAfterScore(String),
    /// A position with a winner that also has moves.
    #[error("position {0:?} has both a winner and moves: a position with a winner ends the game")]
    MovesAfterEnd(String),
    /// A draw in a game with priorities.
    #[error("position {0:?} is a draw, and other positions have priorities: there, somebody wins every play")]
    DrawWithPriorities(String),
    /// An end in a game for an average.
    #[error("position {0:?} has a winner, and play for an average or a credit never ends: give it a move to itself")]
    EndWithAverages(String),
    /// A position that the objective rejects.
    #[error(transparent)]
    Refused(Box<Error>),
}

impl<L: Objective> LabelledGraph<L> {
    /// A game over `positions` that starts at `start`.
    ///
    /// # Errors
    /// A [`GraphError`] for the first invalid position.
    pub fn new(name: &str, start: &str, positions: &[GraphPosition<L>]) -> Result<LabelledGraph<L>, GraphError> {
        let mut builder = GraphBuilder::default();
        for position in positions {
            let name = builder.name(&position.name);
            let moves = position.moves.as_ref().map(|moves| {
                let built = moves.iter().map(|step| BuiltMove {
                    to: builder.name(&step.to),
                    name: step.name.as_ref().map(|name| builder.move_name(name)),
                    label: step.label,
                });
                built.collect::<Vec<_>>()
            });
            builder.position(name, position.data, moves);
        }
        builder.build(name, start)
    }

    /// The game of a table whose moves are still names.
    pub(crate) fn linked(
        name: &str,
        start: &str,
        table: GraphTable,
        data: Vec<NodeData<L>>,
        labels: Vec<L::Move>,
    ) -> Result<LabelledGraph<L>, GraphError> {
        let (table, start) = table.linked(start, |table, position| {
            let data = data[position as usize];
            let ranges = ByPlayer::from_fn(|player| table.range(position, player));
            if data.end().is_some() && ranges.iter().any(|range| !range.is_empty()) {
                return Err(L::moves_after_end(table.notation(position).into_owned()));
            }
            let quoted = |node| format!("{:?}", table.notation(node));
            L::check(position, data, ranges.map(|range| &labels[range])).map_err(|error| refused(error, quoted))
        })?;
        let parts = Arc::new(GraphParts { table, data, labels });
        let graph = LabelledGraph { name: name.to_string(), start, description: None, parts };
        if !L::CYCLES {
            graph.arena().map_err(|error| refused(error, |node| graph.notation(&node)))?;
        }
        Ok(graph)
    }

    /// The same game with a description for people, or without one.
    #[must_use]
    pub fn described(self, description: Option<String>) -> LabelledGraph<L> {
        LabelledGraph { description: description.map(Arc::from), ..self }
    }

    /// The positions as given.
    pub fn positions(&self) -> Vec<GraphPosition<L>> {
        (0..self.len()).map(|position| self.position(position)).collect()
    }

    /// The number of positions.
    pub fn len(&self) -> u32 {
        self.parts.data.len() as u32
    }

    /// False for every graph, which has at least its start.
    pub fn is_empty(&self) -> bool {
        self.parts.data.is_empty()
    }

    /// One of the positions as given, by its number in the list.
    pub fn position(&self, position: u32) -> GraphPosition<L> {
        GraphPosition {
            name: self.name_of(position).into_owned(),
            data: self.data(position),
            moves: ByPlayer::from_fn(|player| self.given_moves(position, player).collect()),
        }
    }

    /// A player's moves at a position, as given.
    pub fn given_moves(&self, position: u32, player: Player) -> impl ExactSizeIterator<Item = GraphMove<L>> + '_ {
        self.numbered_moves(position, player).map(|step| GraphMove {
            to: self.parts.table.notation(step.to).into_owned(),
            label: step.label,
            name: step.name.map(|name| self.own_name(name).into_owned()),
        })
    }

    /// The name of a position.
    pub fn name_of(&self, position: u32) -> Cow<'_, str> {
        self.parts.table.notation(position)
    }

    /// The name of a position as a number, if it is one in canonical form.
    pub fn numeral(&self, position: u32) -> Option<u32> {
        self.parts.table.numeral(position)
    }

    /// The labels of a position.
    pub fn data(&self, position: u32) -> NodeData<L> {
        self.parts.data[position as usize]
    }

    /// A player's moves as given, with numbers for names.
    pub fn numbered_moves(&self, position: u32, player: Player) -> impl ExactSizeIterator<Item = NumberedMove<L>> + '_ {
        let GraphParts { table, labels, .. } = self.parts.as_ref();
        table.range(position, player).map(|at| NumberedMove {
            to: table.moves[at],
            label: labels[at],
            name: table.own_number(at),
        })
    }

    /// The different names of moves that have one of their own, in the order of their numbers.
    pub fn own_names(&self) -> impl ExactSizeIterator<Item = Cow<'_, str>> {
        self.parts.table.move_names()
    }

    /// One of these names.
    pub fn own_name(&self, name: MoveName) -> Cow<'_, str> {
        self.parts.table.text(name)
    }

    /// The arena of all positions in their order, including those that the start cannot reach.
    ///
    /// # Errors
    /// Fails as [`LabelledArenaBuilder::build`] does.
    pub fn arena(&self) -> Result<LabelledArena<L>, Error> {
        let mut builder = LabelledArenaBuilder::with_room(self.len() as usize, self.parts.table.moves.len());
        for position in 0..self.len() {
            let [alice, bob] = Player::BOTH.map(|player| self.steps(position, player));
            builder.push(self.data(position), alice, bob);
        }
        builder.build(self.start)
    }

    fn steps(&self, position: u32, player: Player) -> impl ExactSizeIterator<Item = (Node, L::Move)> + Clone {
        let GraphParts { table, labels, .. } = self.parts.as_ref();
        let range = table.range(position, player);
        table.moves[range.clone()].iter().copied().zip(labels[range].iter().copied())
    }
}

fn refused(error: Error, name: impl Fn(Node) -> String) -> GraphError {
    GraphError::Refused(Box::new(error.with_names(name)))
}

impl<L: Objective> Game<L> for LabelledGraph<L> {
    type Position = u32;

    fn name(&self) -> String {
        self.name.clone()
    }

    fn start(&self) -> u32 {
        self.start
    }

    fn terminal(&self, &position: &u32) -> Option<L::End> {
        self.parts.data[position as usize].end()
    }

    fn moves(&self, &position: &u32, player: Player, into: &mut Vec<u32>) {
        into.extend_from_slice(&self.parts.table.moves[self.parts.table.range(position, player)]);
    }

    fn labels(&self, &position: &u32, player: Player, _: usize, into: &mut Vec<L::Move>) {
        into.extend_from_slice(&self.parts.labels[self.parts.table.range(position, player)]);
    }

    fn label(&self, &position: &u32) -> L::Position {
        match self.parts.data[position as usize] {
            NodeData::On(label) => label,
            NodeData::End(_) => L::Position::default(),
        }
    }

    fn notation(&self, &position: &u32) -> String {
        self.parts.table.notation(position).into_owned()
    }

    /// The name of the first such move; [`Game::move_names`] tells several to one position apart.
    fn move_name(&self, &from: &u32, &to: &u32, player: Player) -> String {
        let table = &self.parts.table;
        let own = table.range(from, player).find(|&at| table.moves[at] == to).and_then(|at| table.own_name(at));
        own.unwrap_or_else(|| table.notation(to)).into_owned()
    }

    fn move_names(&self, &from: &u32, targets: &[u32], player: Player) -> Vec<String> {
        let table = &self.parts.table;
        let name = |(at, &to)| table.own_name(at).unwrap_or_else(|| table.notation(to)).into_owned();
        table.range(from, player).zip(targets).map(name).collect()
    }

    fn description(&self) -> Option<String> {
        self.description.as_deref().map(str::to_string)
    }

    fn parse(&self, notation: &str) -> Result<u32, Error> {
        self.parts.table.find(notation).ok_or_else(|| {
            let first = self.parts.table.notation(0);
            Error::bad_position(notation, &self.name, format!("its positions have names such as {first:?}"))
        })
    }

    fn bytes(&self) -> u64 {
        let GraphParts { table, data, labels } = self.parts.as_ref();
        let described = self.description.as_deref().map_or(0, str::len);
        table.bytes() + (size_of_val(&data[..]) + size_of_val(&labels[..]) + described) as u64
    }

    fn most_moves(&self) -> Option<usize> {
        let moves = |position| Player::BOTH.map(|player| self.numbered_moves(position, player).len());
        (0..self.len()).flat_map(moves).max()
    }

    fn perfect_index(&self) -> Option<&dyn PerfectIndex<u32>> {
        Some(self)
    }
}

impl<L: Objective> PerfectIndex<u32> for LabelledGraph<L> {
    fn size(&self) -> u64 {
        self.parts.data.len() as u64
    }

    fn rank(&self, position: &u32) -> u64 {
        u64::from(*position)
    }
}
