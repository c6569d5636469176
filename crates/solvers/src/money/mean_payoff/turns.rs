//! One turn of play in which a coin decides who moves, with best moves and with random moves.

use std::ops::Range;

use rayon::prelude::*;
use richman_core::{ByPlayer, MeanPayoffArena, Node, Player};

/// Positions that one thread takes at a time.
const CHUNK: usize = 1 << 12;

/// All moves; both players' moves to the same position share an entry.
pub(super) struct Turns {
    /// The chance that the coin is Alice's.
    pub chance: f64,
    ends: Vec<u32>,
    pub targets: Vec<Node>,
    /// The weights of Alice's and Bob's moves; minus and plus infinity for a player without this
    /// move.
    weights: Vec<ByPlayer<f64>>,
}

impl Turns {
    /// Bytes for each edge of the arena, at most.
    pub const PER_EDGE: u64 = 48;

    pub fn new(arena: &MeanPayoffArena, chance: f64) -> Turns {
        const NONE: ByPlayer<f64> = ByPlayer::new(f64::NEG_INFINITY, f64::INFINITY);
        let mut turns = Turns { chance, ends: Vec::with_capacity(arena.len()), targets: vec![], weights: vec![] };
        for node in arena.nodes() {
            let first = turns.targets.len();
            for player in Player::BOTH {
                for (at, (to, weight)) in arena.labelled(node, player).enumerate() {
                    // Both players mostly list common moves in the same order.
                    let mut index = first + at;
                    let is_both = turns.targets.get(index) == Some(&to) && turns.weights[index][player].is_infinite();
                    if !is_both {
                        index = turns.targets.len();
                        turns.targets.push(to);
                        turns.weights.push(NONE);
                    }
                    turns.weights[index][player] = weight as f64;
                }
            }
            turns.ends.push(turns.targets.len() as u32);
        }
        turns
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The indices of a position's moves.
    pub fn moves(&self, node: usize) -> Range<usize> {
        let start = if node == 0 { 0 } else { self.ends[node - 1] };
        start as usize..self.ends[node] as usize
    }

    /// The difference of the greatest and the least weight.
    pub fn scale(&self) -> f64 {
        let all =
            || self.weights.iter().flat_map(|weights| [weights.alice, weights.bob]).filter(|weight| weight.is_finite());
        all().fold(f64::NEG_INFINITY, f64::max) - all().fold(f64::INFINITY, f64::min)
    }

    /// The values of Alice's and of Bob's move at an index.
    fn after(&self, index: usize, worth: &[f64]) -> [f64; 2] {
        let worth = worth[self.targets[index] as usize];
        let ByPlayer { alice, bob } = self.weights[index];
        [alice + worth, bob + worth]
    }

    /// Alice's best move and Bob's.
    fn best(&self, node: usize, worth: &[f64]) -> [f64; 2] {
        self.moves(node).fold([f64::NEG_INFINITY, f64::INFINITY], |[most, least], index| {
            let [alice, bob] = self.after(index, worth);
            [most.max(alice), least.min(bob)]
        })
    }

    /// The chance of each player's move, given their values: the winner chooses who moves, unless
    /// only one player has moves.
    fn shares(&self, [alice, bob]: [f64; 2]) -> [f64; 2] {
        match (alice.is_finite(), bob.is_finite()) {
            (true, false) => [1.0, 0.0],
            (false, true) => [0.0, 1.0],
            _ if alice >= bob => [self.chance, 1.0 - self.chance],
            _ => [1.0 - self.chance, self.chance],
        }
    }

    fn mean(&self, found: [f64; 2]) -> f64 {
        let part = |(share, found)| if share == 0.0 { 0.0 } else { share * found };
        self.shares(found).into_iter().zip(found).map(part).sum()
    }

    /// The change of each potential by one turn of best play.
    pub fn changes(&self, worth: &[f64]) -> Vec<f64> {
        let change = |node| self.mean(self.best(node, worth)) - worth[node];
        (0..self.len()).into_par_iter().with_min_len(CHUNK).map(change).collect()
    }

    /// The same with random moves: one that is worse by `heat` is `e` times less likely. Best play
    /// is the limit for small `heat`. The changes have mean 0. Also returns the chance of each
    /// move.
    pub fn drawn(&self, worth: &[f64], heat: f64) -> (Vec<f64>, Vec<f64>) {
        let mut chances = vec![0.0; self.targets.len()];
        let mut rest = &mut chances[..];
        let mut rows: Vec<&mut [f64]> = Vec::with_capacity(self.len());
        for node in 0..self.len() {
            let (row, after) = rest.split_at_mut(self.moves(node).len());
            rows.push(row);
            rest = after;
        }
        let turn = |(node, row): (usize, &mut [f64])| {
            let best = self.best(node, worth);
            let rarity = |index| {
                let [alice, bob] = self.after(index, worth);
                [alice - best[0], best[1] - bob].map(|loss| if loss <= 0.0 { (loss / heat).exp() } else { 0.0 })
            };
            let sums = self.moves(node).map(rarity).fold([0.0; 2], |[a, b], [c, d]| [a + c, b + d]);
            let found = [best[0] + heat * sums[0].ln(), best[1] - heat * sums[1].ln()];
            let shares = self.shares(found);
            for (index, chance) in self.moves(node).zip(row) {
                let [alice, bob] = rarity(index);
                let part = |share, rarity, sum| if share == 0.0 { 0.0 } else { share * rarity / sum };
                *chance = part(shares[0], alice, sums[0]) + part(shares[1], bob, sums[1]);
            }
            self.mean(found) - worth[node]
        };
        let mut changes: Vec<f64> = rows.into_par_iter().enumerate().with_min_len(CHUNK).map(turn).collect();
        center(&mut changes);
        (changes, chances)
    }
}

/// Makes the mean 0.
pub(super) fn center(numbers: &mut [f64]) {
    let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
    numbers.iter_mut().for_each(|number| *number -= mean);
}

/// The difference of the greatest and the least number.
pub(super) fn width(numbers: &[f64]) -> f64 {
    let most = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    most - numbers.iter().copied().fold(f64::INFINITY, f64::min)
}
