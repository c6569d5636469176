//! The oracle of scoring games: maximin and minimax values from full matrices of bids.
//!
//! It assumes no monotonicity. Each entry of a state's matrix of bids resolves the tie, pays, and
//! tries every move. Time: states x total^2 x moves, which suits totals up to about 10 and about
//! ten positions.

use std::cmp::Ordering;
use std::collections::HashMap;

use richman_core::StarUse::{self, Kept, Used};
use richman_core::{Bids, Mechanism, Node, Player, Right, Score, ScoreState, ScoringArena, Ties};

/// Memoized values, for Richman payment, sealed bids, and ties `marker` or `advantage`.
#[derive(Debug, Clone)]
pub struct ScoreOracle<'a> {
    arena: &'a ScoringArena,
    mechanism: &'a Mechanism,
    total: u32,
    known: HashMap<(Node, ScoreState), Score>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum First {
    /// Alice names her bid first: maximin.
    Alice,
    /// Bob names his first: minimax.
    Bob,
}

impl<'a> ScoreOracle<'a> {
    /// An oracle for games of `total` chips.
    pub fn new(arena: &'a ScoringArena, mechanism: &'a Mechanism, total: u32) -> ScoreOracle<'a> {
        ScoreOracle { arena, mechanism, total, known: HashMap::new() }
    }

    /// All holdings.
    pub fn states(&self) -> impl Iterator<Item = ScoreState> + use<> {
        let total = self.total;
        Player::BOTH.into_iter().flat_map(move |star| (0..=total).map(move |alice| ScoreState { alice, star }))
    }

    /// The values of `node`.
    pub fn score(&mut self, node: Node, state: ScoreState) -> Score {
        if let Some(score) = self.arena.terminal(node) {
            return Score::exact(score);
        }
        if let Some(&score) = self.known.get(&(node, state)) {
            return score;
        }
        let maximin = {
            let matrix = self.matrix(node, state, First::Alice);
            (0..matrix[0].len()).map(|bid| matrix.iter().map(|row| row[bid]).min().expect("Bob bids")).max()
        };
        let minimax = {
            let matrix = self.matrix(node, state, First::Bob);
            matrix.iter().map(|row| *row.iter().max().expect("Alice bids")).min()
        };
        let score = Score { low: maximin.expect("Alice bids"), high: minimax.expect("Bob bids") };
        self.known.insert((node, state), score);
        score
    }

    /// The bids of a player with `chips`; a single `None` if there are none.
    pub fn bids(&self, chips: u32) -> Vec<Option<u32>> {
        let bids: Vec<Option<u32>> = match &self.mechanism.bids {
            Bids::All => (0..=chips).map(Some).collect(),
            Bids::Only(amounts) => amounts.iter().copied().filter(|&bid| bid <= chips).map(Some).collect(),
        };
        if bids.is_empty() { vec![None] } else { bids }
    }

    /// The values after each pair of bids, by Bob's bid, then Alice's.
    pub fn bid_matrix(&mut self, node: Node, state: ScoreState) -> Vec<Vec<Score>> {
        let (low, high) = (self.matrix(node, state, First::Alice), self.matrix(node, state, First::Bob));
        let both = |(low, high): (Vec<i64>, Vec<i64>)| {
            low.into_iter().zip(high).map(|(low, high)| Score { low, high }).collect()
        };
        low.into_iter().zip(high).map(both).collect()
    }

    fn matrix(&mut self, node: Node, state: ScoreState, first: First) -> Vec<Vec<i64>> {
        let (alice, bob) = (self.bids(state.alice), self.bids(self.total - state.alice));
        bob.iter().map(|&r| alice.iter().map(|&l| self.resolved(node, state, l, r, first)).collect()).collect()
    }

    fn resolved(&mut self, node: Node, state: ScoreState, l: Option<u32>, r: Option<u32>, first: First) -> i64 {
        let (l, r) = match (l, r) {
            (Some(l), Some(r)) => (l, r),
            (Some(l), None) => return self.won(node, state, Player::Alice, l, Kept, first),
            (None, Some(r)) => return self.won(node, state, Player::Bob, r, Kept, first),
            (None, None) => unreachable!("solvers refuse such games"),
        };
        match l.cmp(&r) {
            Ordering::Greater => self.won(node, state, Player::Alice, l, Kept, first),
            Ordering::Less => self.won(node, state, Player::Bob, r, Kept, first),
            Ordering::Equal => {
                let used = self.won(node, state, state.star, l, Used, first);
                if self.mechanism.ties == Ties::Marker {
                    return used;
                }
                let kept = self.won(node, state, state.star.other(), l, Kept, first);
                if state.star == Player::Alice { used.max(kept) } else { used.min(kept) }
            }
        }
    }

    /// The value once `winner` has won with `bid`.
    fn won(&mut self, node: Node, state: ScoreState, winner: Player, bid: u32, used: StarUse, first: First) -> i64 {
        let alice = if winner == Player::Alice { state.alice - bid } else { state.alice + bid };
        let star = if used.is_used() { state.star.other() } else { state.star };
        let state = ScoreState { alice, star };
        let by_winner = self.moved(node, state, winner, first);
        if self.mechanism.right == Right::Moves {
            return by_winner;
        }
        let by_other = self.moved(node, state, winner.other(), first);
        if winner == Player::Alice { by_winner.max(by_other) } else { by_winner.min(by_other) }
    }

    fn moved(&mut self, node: Node, state: ScoreState, player: Player, first: First) -> i64 {
        let arena = self.arena;
        let after = arena.labelled(node, player).map(|(to, weight)| {
            let Score { low, high } = self.score(to, state);
            weight + if first == First::Alice { low } else { high }
        });
        let best = if player == Player::Alice { after.max() } else { after.min() };
        best.unwrap_or_else(|| arena.stuck(node, player))
    }
}
