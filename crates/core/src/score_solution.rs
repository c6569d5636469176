//! The solution of a scoring game.

use crate::{Mechanism, Node, Player, Total};

/// The value of best play in pure strategies with sealed bids. Alice can guarantee `low`; Bob can
/// hold her to `high`. There is an equilibrium exactly if they are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Score {
    /// The maximin value.
    pub low: i64,
    /// The minimax value, at least `low`.
    pub high: i64,
}

impl Score {
    /// A value with equal bounds.
    pub fn exact(value: i64) -> Score {
        Score { low: value, high: value }
    }

    /// The value, if both are equal.
    pub fn as_exact(self) -> Option<i64> {
        (self.low == self.high).then_some(self.low)
    }
}

/// The players' holdings. Bob has the rest of the chips.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ScoreState {
    /// Alice's chips.
    pub alice: u32,
    /// Who holds the star.
    pub star: Player,
}

/// The values of every position for every holding, excluding earlier scores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoreSolution {
    /// How bids are made, won and paid.
    pub mechanism: Mechanism,
    /// The number of chips in the game.
    pub total: Total,
    /// The maximin values. For each node, Alice holds the star and 0, 1, ... chips; then Bob holds
    /// the star.
    pub maximin: Vec<i64>,
    /// The minimax values in the same order; `None` if they equal the maximin values everywhere.
    pub minimax: Option<Vec<i64>>,
}

impl ScoreSolution {
    /// The index of a state's value.
    pub fn index(&self, node: Node, state: ScoreState) -> usize {
        let row = self.total.chips() as usize + 1;
        (2 * node as usize + state.star as usize) * row + state.alice as usize
    }

    /// The value of a position to Alice.
    pub fn score(&self, node: Node, state: ScoreState) -> Score {
        let index = self.index(node, state);
        let low = self.maximin[index];
        Score { low, high: self.minimax.as_ref().map_or(low, |minimax| minimax[index]) }
    }

    /// The values of a position for 0, 1, ... chips of Alice.
    pub fn scores(&self, node: Node, star: Player) -> impl DoubleEndedIterator<Item = Score> + '_ {
        (0..=self.total.chips()).map(move |alice| self.score(node, ScoreState { alice, star }))
    }

    /// Whether maximin and minimax are equal for all holdings at `node`.
    pub fn is_unique(&self, node: Node) -> bool {
        Player::BOTH.into_iter().all(|star| self.scores(node, star).all(|score| score.as_exact().is_some()))
    }
}
