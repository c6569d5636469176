//! Graphs from positions that are met one by one, with moves by name to positions that may come later.

use std::sync::Arc;

use crate::names::Names;
use crate::{Graph, GraphError, Player, ScoringGraph, Terminal};

/// Positions and moves as they are read, in flat arrays: about 60 bytes a position, 4 a move, and the letters of each name once.
#[derive(Debug, Default)]
pub struct GraphBuilder {
    table: Table,
    /// The name of the first position that was given twice.
    twice: Option<u32>,
    /// Of every move, as far as one is not 0.
    weights: Vec<i64>,
    /// The score and the stuck scores of positions that have one.
    scored: Vec<(u32, Option<i64>, [i64; 2])>,
}

/// One position for a [`GraphBuilder`]. Names are numbers that [`GraphBuilder::name`] gave.
#[derive(Debug, Clone, Copy, Default)]
pub struct BuiltPosition<'a> {
    /// Its name.
    pub name: u32,
    /// How a win-lose game ended here.
    pub terminal: Option<Terminal>,
    /// What a scoring game ends with here.
    pub score: Option<i64>,
    /// What is added when Alice, or Bob, is to move and cannot.
    pub stuck: [i64; 2],
    /// Alice's moves and Bob's: the name of the position that each leads to, and its weight.
    pub moves: [&'a [(u32, i64)]; 2],
}

impl GraphBuilder {
    /// No positions yet.
    pub fn new() -> GraphBuilder {
        GraphBuilder::default()
    }

    /// The number of a name, the same each time.
    pub fn name(&mut self, name: &str) -> u32 {
        self.table.names.number(name)
    }

    /// The name of a number.
    pub fn text(&self, name: u32) -> &str {
        self.table.names.get(name)
    }

    /// Adds a position.
    pub fn position(&mut self, position: BuiltPosition) {
        let table = &mut self.table;
        let number = table.rows.len() as u32;
        table.places.resize(table.names.len(), NOWHERE);
        match &mut table.places[position.name as usize] {
            place if *place == NOWHERE => *place = number,
            _ => self.twice = self.twice.or(Some(position.name)),
        }
        let ends = position.moves.map(|moves| {
            for &(to, weight) in moves {
                if weight != 0 {
                    self.weights.resize(table.moves.len(), 0);
                    self.weights.push(weight);
                }
                table.moves.push(to);
            }
            table.moves.len() as u32
        });
        if position.score.is_some() || position.stuck != [0, 0] {
            self.scored.push((number, position.score, position.stuck));
        }
        table.rows.push(Row { name: position.name, terminal: position.terminal, ends });
    }

    /// How many positions were added.
    pub fn len(&self) -> usize {
        self.table.rows.len()
    }

    /// Whether none was.
    pub fn is_empty(&self) -> bool {
        self.table.rows.is_empty()
    }

    /// Bytes held; the most there is where numbers of 32 bits no longer suffice for positions or moves.
    pub fn bytes(&self) -> u64 {
        let most = u32::MAX as usize;
        if self.table.moves.len() >= most || self.table.names.len() >= most || self.table.rows.len() >= most {
            return u64::MAX;
        }
        let scored = self.scored.len() * size_of::<(u32, Option<i64>, [i64; 2])>();
        self.table.bytes() + (self.weights.len() * size_of::<i64>() + scored) as u64
    }

    /// Bytes needed while [`GraphBuilder::build_scoring`] looks for cycles, what is held now included.
    pub fn scoring_bytes(&self) -> u64 {
        // A weight of each move, the moves, weights and places of an arena, and per position scores twice and the order.
        let more = self.table.moves.len() as u64 * 24 + self.table.rows.len() as u64 * 120;
        self.bytes().saturating_add(more)
    }

    /// The win-lose game over the positions, which starts at the position named `start`; scores and weights are left out.
    ///
    /// # Errors
    /// A [`GraphError`] that names the first position that is wrong.
    pub fn build(self, name: &str, start: &str) -> Result<Graph, GraphError> {
        let (table, start) = self.table.linked(self.twice, start, |table, position, player| {
            let has_ended = table.rows[position as usize].terminal.is_some();
            if has_ended && Player::BOTH.iter().any(|&player| !table.moves(position, player).is_empty()) {
                return Some(GraphError::MovesAfterEnd(table.notation(position).to_string()));
            }
            let is_dead_end = !has_ended && table.moves(position, player).is_empty();
            is_dead_end.then(|| GraphError::DeadEnd { position: table.notation(position).to_string(), player })
        })?;
        Ok(Graph { name: name.to_string(), start, table: Arc::new(table) })
    }

    /// The scoring game over the positions, which starts at the position named `start`; winners are left out.
    ///
    /// # Errors
    /// A [`GraphError`] that names the first position that is wrong.
    pub fn build_scoring(self, name: &str, start: &str) -> Result<ScoringGraph, GraphError> {
        let GraphBuilder { table, twice, mut weights, scored } = self;
        let mut scores = vec![None; table.rows.len()];
        let mut stuck = vec![[0; 2]; table.rows.len()];
        for (position, score, added) in scored {
            (scores[position as usize], stuck[position as usize]) = (score, added);
        }
        weights.resize(table.moves.len(), 0);
        let (table, start) = table.linked(twice, start, |table, position, _| {
            let is_listed = Player::BOTH.iter().any(|&player| !table.moves(position, player).is_empty());
            let goes_on = is_listed || stuck[position as usize] != [0, 0];
            let is_wrong = scores[position as usize].is_some() && goes_on;
            is_wrong.then(|| GraphError::MovesAfterScore(table.notation(position).to_string()))
        })?;
        ScoringGraph::checked(name.to_string(), start, table, weights, scores, stuck)
    }
}

/// The place of a name that is no position, or not yet.
const NOWHERE: u32 = u32::MAX;

/// Positions and moves of a graph of either kind. A position is a number into the list in which they were given.
#[derive(Debug, Default)]
pub(crate) struct Table {
    names: Names,
    /// The position of each name.
    places: Vec<u32>,
    rows: Vec<Row>,
    /// Alice's moves and then Bob's, position by position: names until the table is linked, then positions.
    moves: Vec<u32>,
}

#[derive(Debug)]
struct Row {
    name: u32,
    terminal: Option<Terminal>,
    /// Where Alice's moves end, and Bob's.
    ends: [u32; 2],
}

impl Table {
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn terminal(&self, position: u32) -> Option<Terminal> {
        self.rows[position as usize].terminal
    }

    pub(crate) fn notation(&self, position: u32) -> &str {
        self.names.get(self.rows[position as usize].name)
    }

    pub(crate) fn find(&self, name: &str) -> Option<u32> {
        self.names.find(name).map(|name| self.places[name as usize])
    }

    /// The moves of `player` among all moves.
    pub(crate) fn range(&self, position: u32, player: Player) -> std::ops::Range<usize> {
        let [alice, bob] = self.rows[position as usize].ends;
        let before = (position as usize).checked_sub(1).map_or(0, |before| self.rows[before].ends[1]);
        let (start, end) = if player == Player::Alice { (before, alice) } else { (alice, bob) };
        start as usize..end as usize
    }

    pub(crate) fn moves(&self, position: u32, player: Player) -> &[u32] {
        &self.moves[self.range(position, player)]
    }

    pub(crate) fn bytes(&self) -> u64 {
        let numbers = (self.places.len() + self.moves.len()) * size_of::<u32>();
        self.names.bytes() + (numbers + self.rows.len() * size_of::<Row>()) as u64
    }

    /// The table with moves to positions, and the start.
    fn linked(
        mut self,
        twice: Option<u32>,
        start: &str,
        wrong: impl Fn(&Table, u32, Player) -> Option<GraphError>,
    ) -> Result<(Table, u32), GraphError> {
        if let Some(name) = twice {
            return Err(GraphError::Duplicate(self.names.get(name).to_string()));
        }
        if self.rows.is_empty() {
            return Err(GraphError::Empty);
        }
        self.places.resize(self.names.len(), NOWHERE);
        let first = self.find(start).filter(|&first| first != NOWHERE);
        let first = first.ok_or_else(|| GraphError::UnknownStart(start.to_string()))?;
        for position in 0..self.rows.len() as u32 {
            for player in Player::BOTH {
                if let Some(error) = wrong(&self, position, player) {
                    return Err(error);
                }
                for at in self.range(position, player) {
                    let to = self.moves[at];
                    self.moves[at] = self.places[to as usize];
                    if self.moves[at] == NOWHERE {
                        let from = self.notation(position).to_string();
                        return Err(GraphError::UnknownSuccessor { from, player, to: self.names.get(to).to_string() });
                    }
                }
            }
        }
        for list in [&mut self.places, &mut self.moves] {
            list.shrink_to_fit();
        }
        self.rows.shrink_to_fit();
        Ok((self, first))
    }
}
