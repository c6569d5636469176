//! What the solver of scoring games returns.

use crate::{Mechanism, Node, Player, Total};

/// What best play is worth when bids are sealed and nobody tosses coins: Alice can make sure of `low`, Bob that she gets no more than
/// `high`. Where the two are equal that is the value, and there is an equilibrium in pure strategies; else there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Score {
    /// The maximin value.
    pub low: i64,
    /// The minimax value, at least `low`.
    pub high: i64,
}

impl Score {
    /// A value that is both.
    pub fn exact(value: i64) -> Score {
        Score { low: value, high: value }
    }

    /// The value, where both are equal.
    pub fn as_exact(self) -> Option<i64> {
        (self.low == self.high).then_some(self.low)
    }
}

/// What the players hold: Alice's chips, the others being Bob's, and who holds the star.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ScoreState {
    /// Alice's chips.
    pub alice: u32,
    /// Who holds the star.
    pub star: Player,
}

/// Values of every position for every number of Alice's chips and both holders of the star. Scores made on the way to a position
/// are not counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoreSolution {
    /// How bids are made, won and paid.
    pub mechanism: Mechanism,
    /// The number of chips in the game.
    pub total: Total,
    /// For each node, for Alice and then for Bob as the holder of the star, the maximin values for 0, 1, ... chips of Alice.
    pub maximin: Vec<i64>,
    /// The minimax values in the same order; `None` where they are the same everywhere.
    pub minimax: Option<Vec<i64>>,
}

impl ScoreSolution {
    /// The place of a state's value.
    pub fn index(&self, node: Node, state: ScoreState) -> usize {
        let row = self.total.chips() as usize + 1;
        (2 * node as usize + state.star as usize) * row + state.alice as usize
    }

    /// What a position is worth to Alice.
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
