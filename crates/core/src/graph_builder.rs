//! Builds graphs from positions that arrive one by one. Moves may lead to later positions.

use crate::names::Names;
use crate::{ByPlayer, Graph, GraphError, NodeData, Player, Scores, ScoringGraph, Terminal, WinLose};

/// The positions and moves read so far, for a win-lose or a scoring game. Flat arrays take about 60
/// bytes per position, 4 per move, and each name once.
#[derive(Debug, Default)]
pub struct GraphBuilder {
    table: GraphTable,
    places: Vec<NodeData<WinLose>>,
    /// The weight of every move up to the last that is not 0.
    weights: Vec<i64>,
    /// The positions with a score or a stuck score.
    scored: Vec<(u32, NodeData<Scores>)>,
    /// The first position with both a score and stuck scores.
    mixed: Option<u32>,
}

/// One position for a [`GraphBuilder`]. Names are the numbers returned by [`GraphBuilder::name`].
#[derive(Debug, Clone, Copy, Default)]
pub struct BuiltPosition<'a> {
    /// Its name.
    pub name: u32,
    /// How a win-lose game ended here.
    pub terminal: Option<Terminal>,
    /// The score at which a scoring game ends here.
    pub score: Option<i64>,
    /// The score added if Alice (or Bob) is to move and cannot.
    pub stuck: ByPlayer<i64>,
    /// Alice's moves and Bob's: the name of each target, and the weight.
    pub moves: ByPlayer<&'a [(u32, i64)]>,
}

impl GraphBuilder {
    /// The number of a name; equal names get equal numbers.
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
        for &(to, weight) in position.moves.into_iter().flatten() {
            if weight != 0 {
                self.weights.resize(table.moves.len(), 0);
                self.weights.push(weight);
            }
            table.moves.push(to);
        }
        table.row(position.name, position.moves.alice.len());
        self.places.push(position.terminal.map_or(NodeData::On(()), NodeData::End));
        let is_stuck = position.stuck != ByPlayer::both(0);
        if position.score.is_some() || is_stuck {
            self.scored.push((number, position.score.map_or(NodeData::On(position.stuck), NodeData::End)));
        }
        if position.score.is_some() && is_stuck {
            self.mixed.get_or_insert(number);
        }
    }

    /// The number of positions so far.
    pub fn len(&self) -> usize {
        self.table.rows.len()
    }

    /// Whether no position has been added yet.
    pub fn is_empty(&self) -> bool {
        self.table.rows.is_empty()
    }

    /// Bytes held; `u64::MAX` once positions or moves exceed 32-bit numbers.
    pub fn bytes(&self) -> u64 {
        let most = u32::MAX as usize;
        if self.table.moves.len() >= most || self.table.names.len() >= most || self.table.rows.len() >= most {
            return u64::MAX;
        }
        let scored = self.places.len() + size_of_val(&self.weights[..]) + size_of_val(&self.scored[..]);
        self.table.bytes() + scored as u64
    }

    /// Bytes held while [`GraphBuilder::build_scoring`] looks for cycles.
    pub fn scoring_bytes(&self) -> u64 {
        // Each move takes another weight and its entry in an arena; each position takes two places
        // and its components.
        let more = self.table.moves.len() as u64 * 24 + self.table.rows.len() as u64 * 120;
        self.bytes().saturating_add(more)
    }

    /// The win-lose game over the positions that starts at `start`; scores and weights are ignored.
    ///
    /// # Errors
    /// A [`GraphError`] for the first invalid position.
    pub fn build(self, name: &str, start: &str) -> Result<Graph, GraphError> {
        let labels = vec![(); self.table.moves.len()];
        Graph::linked(name, start, self.table, self.places, labels, GraphError::MovesAfterEnd)
    }

    /// The scoring game over the positions that starts at `start`; winners are ignored.
    ///
    /// # Errors
    /// A [`GraphError`] for the first invalid position.
    pub fn build_scoring(mut self, name: &str, start: &str) -> Result<ScoringGraph, GraphError> {
        if let Some(position) = self.mixed {
            return Err(GraphError::MovesAfterScore(self.table.notation(position).to_string()));
        }
        let mut places = vec![NodeData::On(ByPlayer::both(0)); self.places.len()];
        for (position, place) in self.scored {
            places[position as usize] = place;
        }
        self.weights.resize(self.table.moves.len(), 0);
        ScoringGraph::linked(name, start, self.table, places, self.weights, GraphError::MovesAfterScore)
    }
}

/// Marks a name that has no position, or none yet.
const NOWHERE: u32 = u32::MAX;

/// The positions and moves of a graph. A position is an index into the given list.
#[derive(Debug, Default)]
pub(crate) struct GraphTable {
    pub(crate) names: Names,
    places: Vec<u32>,
    rows: Vec<PositionEntry>,
    /// Alice's moves and then Bob's, position by position: names until the table is linked, then
    /// positions.
    pub(crate) moves: Vec<u32>,
    /// The name of the first position that was given twice.
    twice: Option<u32>,
}

#[derive(Debug)]
struct PositionEntry {
    name: u32,
    /// The ends of Alice's and Bob's moves.
    ends: [u32; 2],
}

impl GraphTable {
    /// Adds a position whose moves were added before; the first `alice` of them are Alice's.
    pub(crate) fn row(&mut self, name: u32, alice: usize) {
        let number = self.rows.len() as u32;
        self.places.resize(self.names.len(), NOWHERE);
        match &mut self.places[name as usize] {
            place if *place == NOWHERE => *place = number,
            _ => self.twice = self.twice.or(Some(name)),
        }
        let before = self.rows.last().map_or(0, |row| row.ends[1]);
        self.rows.push(PositionEntry { name, ends: [before + alice as u32, self.moves.len() as u32] });
    }

    pub(crate) fn notation(&self, position: u32) -> &str {
        self.names.get(self.rows[position as usize].name)
    }

    pub(crate) fn find(&self, name: &str) -> Option<u32> {
        self.names.find(name).map(|name| self.places[name as usize])
    }

    pub(crate) fn range(&self, position: u32, player: Player) -> std::ops::Range<usize> {
        let [alice, bob] = self.rows[position as usize].ends;
        let before = (position as usize).checked_sub(1).map_or(0, |before| self.rows[before].ends[1]);
        let (start, end) = if player == Player::Alice { (before, alice) } else { (alice, bob) };
        start as usize..end as usize
    }

    pub(crate) fn bytes(&self) -> u64 {
        let numbers = (self.places.len() + self.moves.len()) * size_of::<u32>();
        self.names.bytes() + (numbers + self.rows.len() * size_of::<PositionEntry>()) as u64
    }

    /// Replaces target names by positions and finds the start, if every position passes `check`.
    pub(crate) fn linked(
        mut self,
        start: &str,
        check: impl Fn(&GraphTable, u32) -> Result<(), GraphError>,
    ) -> Result<(GraphTable, u32), GraphError> {
        if let Some(name) = self.twice {
            return Err(GraphError::Duplicate(self.names.get(name).to_string()));
        }
        if self.rows.is_empty() {
            return Err(GraphError::Empty);
        }
        self.places.resize(self.names.len(), NOWHERE);
        let first = self.find(start).filter(|&first| first != NOWHERE);
        let first = first.ok_or_else(|| GraphError::UnknownStart(start.to_string()))?;
        for position in 0..self.rows.len() as u32 {
            check(&self, position)?;
            for player in Player::BOTH {
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
