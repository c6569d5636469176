//! The matrix of bids of one position with given holdings [LPR20, Example 12].

use richman_core::{Node, Score, ScoreSolution, ScoreState, ScoringArena};

use super::turn::Turn;

/// What every pair of bids leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BidMatrix {
    /// Alice's bids, ascending; one `None` where she has no allowed bid.
    pub alice: Vec<Option<u32>>,
    /// Bob's bids, ascending; one `None` where he has no allowed bid.
    pub bob: Vec<Option<u32>>,
    /// For each of Bob's bids, for each of Alice's, what they lead to: later play is worth its maximin and its minimax value.
    pub rows: Vec<Vec<Score>>,
    /// What the position is worth.
    pub value: Score,
}

impl BidMatrix {
    /// For each of Alice's bids the least that it makes sure of.
    pub fn minima(&self) -> Vec<i64> {
        (0..self.alice.len()).map(|at| self.rows.iter().map(|row| row[at].low).min().unwrap_or(i64::MAX)).collect()
    }

    /// For each of Bob's bids the most that it lets Alice get.
    pub fn maxima(&self) -> Vec<i64> {
        self.rows.iter().map(|row| row.iter().map(|score| score.high).max().unwrap_or(i64::MIN)).collect()
    }

    /// Alice's bids that make sure of the maximin value.
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

    /// The equilibria: pairs of Alice's and Bob's bids from which neither gains by another bid. Where maximin and minimax
    /// are equal they are the pairs of best bids, where not there is none.
    pub fn saddle_points(&self) -> Vec<(Option<u32>, Option<u32>)> {
        if self.value.as_exact().is_none() {
            return Vec::new();
        }
        let bob = self.bob_best();
        self.alice_best().into_iter().flat_map(|alice| bob.iter().map(move |&bob| (alice, bob))).collect()
    }

    /// The values conditioned on ties: for every bid that both can make what a tie at it leads to [LPR20, Lemma 16].
    pub fn ties(&self) -> Vec<(u32, Score)> {
        let row = |bid| self.bob.iter().position(|&other| other == Some(bid));
        self.alice.iter().enumerate().filter_map(|(at, &bid)| Some((bid?, self.rows[row(bid?)?][at]))).collect()
    }
}

/// The matrix of bids at `node`, where the game has not ended, from the solution of `arena`.
pub fn matrix(arena: &ScoringArena, solution: &ScoreSolution, node: Node, state: ScoreState) -> BidMatrix {
    let mut low = Turn::new(&solution.mechanism, solution.total);
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
