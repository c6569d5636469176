//! Parity games in which nobody bids: one player moves at each position.

use richman_core::{Effort, Error, NodeData, Parity, ParityArena, ParityLabel, Player, PositionKind, Priority};

use super::promotion;

/// No position.
pub const NOWHERE: u32 = u32::MAX;

/// A parity game in which one player moves at each position. Positions are numbered from 0.
pub(super) trait TurnGame {
    /// The number of positions.
    fn len(&self) -> usize;

    /// The label of a position. Where the game goes on, one player moves.
    fn data(&self, at: u32) -> NodeData<Parity>;

    /// The successors, at least one where the game goes on.
    fn successors(&self, at: u32) -> &[u32];
}

/// An arena in which nobody bids.
impl TurnGame for ParityArena {
    fn len(&self) -> usize {
        ParityArena::len(self)
    }

    fn data(&self, at: u32) -> NodeData<Parity> {
        ParityArena::data(self, at)
    }

    fn successors(&self, at: u32) -> &[u32] {
        ParityArena::successors(self, at)
    }
}

/// The level of each position, and the number of levels. Levels number the priorities that occur;
/// neighbouring ones of one player are one.
pub(super) fn levels(game: &impl TurnGame) -> (Vec<u32>, u32) {
    let priority = |at: u32| match game.data(at) {
        NodeData::On(label) => Some(label.priority.0),
        NodeData::End(_) => None,
    };
    let priorities = || (0..game.len() as u32).map(priority);
    let Some(greatest) = priorities().flatten().max() else { return (vec![0; game.len()], 1) };
    let mut levels = vec![None; greatest as usize + 1];
    priorities().flatten().for_each(|priority| levels[priority as usize] = Some(0));
    let mut last: Option<u32> = None;
    for (priority, level) in (0..).zip(&mut levels).filter(|(_, level)| level.is_some()) {
        let parity = priority & 1;
        let next = last.map_or(parity, |last| if last & 1 == parity { last } else { last + 1 });
        (*level, last) = (Some(next), Some(next));
    }
    let level = |priority: Option<u32>| priority.and_then(|priority| levels[priority as usize]).unwrap_or(0);
    (priorities().map(level).collect(), last.unwrap_or(0) + 1)
}

/// A game built by a solver for one player, who wins if the greatest priority that occurs
/// infinitely often is even. A player who cannot move loses.
#[derive(Default)]
pub(super) struct ChoiceGame {
    /// Whether the player moves there.
    is_own: Vec<bool>,
    priorities: Vec<u32>,
    /// The range of the successors in `targets`.
    runs: Vec<[u32; 2]>,
    targets: Vec<u32>,
}

impl ChoiceGame {
    pub fn add(&mut self, is_own: bool, priority: u32) -> u32 {
        self.is_own.push(is_own);
        self.priorities.push(priority);
        self.runs.push([0, 0]);
        (self.runs.len() - 1) as u32
    }

    /// Gives a position to the other player.
    pub fn hand_over(&mut self, at: u32) {
        self.is_own[at as usize] = false;
    }

    pub fn lead(&mut self, from: u32, to: impl IntoIterator<Item = u32>) {
        let start = self.targets.len() as u32;
        self.targets.extend(to);
        self.runs[from as usize] = [start, self.targets.len() as u32];
    }

    pub fn bytes(&self) -> u64 {
        (self.runs.len() * (size_of::<bool>() + size_of::<u32>() + size_of::<[u32; 2]>()) + 4 * self.targets.len())
            as u64
    }

    /// For each position, whether the player wins, and the winner's move: [`NOWHERE`] if the loser
    /// moves.
    pub fn solve(&self, effort: &Effort) -> Result<(Vec<bool>, Vec<u32>), Error> {
        let won = promotion::solve(self, "finding a strategy", effort)?;
        Ok((won.winners.iter().map(|&winner| winner == Player::Alice).collect(), won.moves))
    }
}

impl TurnGame for ChoiceGame {
    fn len(&self) -> usize {
        self.runs.len()
    }

    fn data(&self, at: u32) -> NodeData<Parity> {
        let mover = if self.is_own[at as usize] { Player::Alice } else { Player::Bob };
        if self.successors(at).is_empty() {
            return NodeData::End(mover.other());
        }
        let priority = Priority(self.priorities[at as usize]);
        NodeData::On(ParityLabel { priority, kind: PositionKind::Owned(mover) })
    }

    fn successors(&self, at: u32) -> &[u32] {
        let [start, end] = self.runs[at as usize];
        &self.targets[start as usize..end as usize]
    }
}
