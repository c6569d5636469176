//! The matrix of bids of one position with given holdings [LPR20, Example 12].

use richman_core::{Node, Score, ScoreSolution, ScoreState, ScoringArena};

use super::turn::ScoreTurn;

/// The value of every pair of bids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BidMatrix {
    /// Alice's bids, ascending; a single `None` if she has no allowed bid.
    pub alice: Vec<Option<u32>>,
    /// Bob's bids, ascending; a single `None` if he has no allowed bid.
    pub bob: Vec<Option<u32>>,
    /// A row for each of Bob's bids, with an entry for each of Alice's: the maximin and minimax
    /// values after them.
    pub rows: Vec<Vec<Score>>,
    /// The value of the position.
    pub value: Score,
}

impl BidMatrix {
    /// The least that each of Alice's bids guarantees.
    pub fn minima(&self) -> Vec<i64> {
        (0..self.alice.len()).map(|at| self.rows.iter().map(|row| row[at].low).min().unwrap_or(i64::MAX)).collect()
    }

    /// The most that each of Bob's bids allows Alice.
    pub fn maxima(&self) -> Vec<i64> {
        self.rows.iter().map(|row| row.iter().map(|score| score.high).max().unwrap_or(i64::MIN)).collect()
    }

    /// Alice's bids that guarantee the maximin value.
    pub fn alice_best(&self) -> Vec<Option<u32>> {
        self.alice
            .iter()
            .zip(self.minima())
            .filter(|(_, least)| *least == self.value.low)
            .map(|(&bid, _)| bid)
            .collect()
    }

    /// Bob's bids that hold her to the minimax value.
    pub fn bob_best(&self) -> Vec<Option<u32>> {
        self.bob.iter().zip(self.maxima()).filter(|(_, most)| *most == self.value.high).map(|(&bid, _)| bid).collect()
    }

    /// The equilibria: pairs of bids from which neither player gains by another bid. These are the
    /// pairs of best bids if maximin and minimax are equal; otherwise there are none.
    pub fn saddle_points(&self) -> Vec<(Option<u32>, Option<u32>)> {
        if self.value.as_exact().is_none() {
            return Vec::new();
        }
        let bob = self.bob_best();
        self.alice_best().into_iter().flat_map(|alice| bob.iter().map(move |&bob| (alice, bob))).collect()
    }

    /// The values conditioned on ties: the value of the tie at every common bid [LPR20, Lemma 16].
    pub fn ties(&self) -> Vec<(u32, Score)> {
        let row = |bid| self.bob.iter().position(|&other| other == Some(bid));
        self.alice.iter().enumerate().filter_map(|(at, &bid)| Some((bid?, self.rows[row(bid?)?][at]))).collect()
    }
}

/// The matrix of bids at `node`, where the game has not ended, from the solution of `arena`.
pub fn matrix(arena: &ScoringArena, solution: &ScoreSolution, node: Node, state: ScoreState) -> BidMatrix {
    let mut low = ScoreTurn::new(&solution.mechanism, solution.total);
    low.read(arena, node, &solution.maximin);
    let mut high = low.clone();
    if let Some(minimax) = &solution.minimax {
        high.read(arena, node, minimax);
    }
    let bids = |chips: u32| -> Vec<Option<u32>> {
        let bids = low.bids(chips);
        if bids.is_empty() { vec![None] } else { bids.iter().copied().map(Some).collect() }
    };
    let (alice, bob) = (bids(state.alice), bids(solution.total.chips() - state.alice));
    let entry = |bid, reply| Score {
        low: low.resolved(state.alice, state.star, bid, reply),
        high: high.resolved(state.alice, state.star, bid, reply),
    };
    let rows = bob.iter().map(|&reply| alice.iter().map(|&bid| entry(bid, reply)).collect()).collect();
    BidMatrix { alice, bob, rows, value: solution.score(node, state) }
}
