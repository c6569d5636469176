//! Both players' moves in play in which a coin decides who moves.

use dashu_int::ops::Gcd;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use richman_core::{ByPlayer, Groups, MeanPayoffArena, Node, Player, Potentials, Share};

use super::super::local::Policies;

/// One move of each player at every position, and whether a player whom the coin favours makes it.
#[derive(Clone)]
pub(super) struct Choices {
    pub policies: Policies,
    weights: Vec<ByPlayer<i64>>,
    /// Whether a player whom the coin favours lets the other one move.
    passes: Vec<ByPlayer<bool>>,
}

impl Choices {
    /// Best moves for these potentials; among equal ones those towards the greatest potential for
    /// Alice, and the least for Bob. Far from any weight, all moves are equal at first.
    pub fn best(arena: &MeanPayoffArena, worth: &[f64], near: f64) -> Choices {
        let count = arena.len();
        let mut choices = Choices {
            policies: Policies { own: vec![0; count], other: vec![0; count] },
            weights: vec![ByPlayer::default(); count],
            passes: vec![ByPlayer::default(); count],
        };
        let back = backwards(arena);
        for player in Player::BOTH {
            let good = |worth: f64| player.either(worth, -worth);
            let most = worth.iter().map(|&worth| good(worth)).fold(f64::NEG_INFINITY, f64::max);
            let goals = arena.nodes().filter(|&node| good(worth[node as usize]) >= most - near);
            let away = distances(&back, goals.collect());
            for node in arena.nodes() {
                let value = |(to, weight): (Node, i64)| good(weight as f64 + worth[to as usize]);
                let best = arena.labelled(node, player).map(value).fold(f64::NEG_INFINITY, f64::max);
                let equal = arena.labelled(node, player).filter(|&one| value(one) >= best - near);
                if let Some(nearest) = equal.min_by_key(|one| away[one.0 as usize]) {
                    choices.set(arena, node, player, nearest);
                }
            }
        }
        for player in Player::BOTH {
            choices.improve(arena, player, worth, near); // a player who lets the other one move
        }
        choices
    }

    fn get(&self, node: Node, player: Player) -> (Node, i64) {
        let moves = player.either(&self.policies.own, &self.policies.other);
        (moves[node as usize], self.weights[node as usize][player])
    }

    /// Sets a move; where one player moves without a bid, for both players.
    fn set(&mut self, arena: &MeanPayoffArena, node: Node, player: Player, (to, weight): (Node, i64)) {
        let movers = if arena.owner(node).is_some() { &Player::BOTH[..] } else { &[player] };
        for mover in movers {
            mover.either(&mut self.policies.own, &mut self.policies.other)[node as usize] = to;
            self.weights[node as usize][*mover] = weight;
        }
    }

    /// Replaces the player's choices where another is better by more than `margin`; the other
    /// player's stay. Returns how many were replaced.
    pub fn improve(&mut self, arena: &MeanPayoffArena, player: Player, worth: &[f64], margin: f64) -> usize {
        let good = |(to, weight): (Node, i64)| player.either(1.0, -1.0) * (weight as f64 + worth[to as usize]);
        let mut changes = 0;
        for node in arena.nodes() {
            let before = self.get(node, player);
            let mut chosen = before;
            for one in arena.labelled(node, player) {
                if good(one) > good(chosen) + margin {
                    chosen = one;
                }
            }
            if chosen != before {
                self.set(arena, node, player, chosen);
                changes += 1;
            }
            let gain = good(self.get(node, player.other())) - good(chosen);
            let passes = &mut self.passes[node as usize][player];
            if if *passes { gain < -margin } else { gain > margin } {
                *passes = !*passes;
                changes += 1;
            }
        }
        changes
    }

    /// The chance of each move, if the coin lets Alice move with chance `alice`.
    fn chances<T: Clone + std::ops::Add<Output = T>>(&self, node: usize, [alice, bob]: &[T; 2], zero: &T) -> [T; 2] {
        let all = || alice.clone() + bob.clone();
        let ByPlayer { alice: hers, bob: his } = self.passes[node];
        match [hers, his] {
            [false, false] => [alice.clone(), bob.clone()],
            [true, true] => [bob.clone(), alice.clone()],
            [true, false] => [zero.clone(), all()],
            [false, true] => [all(), zero.clone()],
        }
    }

    /// The chance of each move at every position.
    pub fn slopes(&self, chance: f64) -> Vec<[f64; 2]> {
        (0..self.passes.len()).map(|node| self.chances(node, &[chance, 1.0 - chance], &0.0)).collect()
    }

    /// The mean weight of the next move, with these chances.
    pub fn gains(&self, slopes: &[[f64; 2]]) -> Vec<f64> {
        let mean = |(weights, slopes): (&ByPlayer<i64>, &[f64; 2])| {
            weights.alice as f64 * slopes[0] + weights.bob as f64 * slopes[1]
        };
        self.weights.iter().zip(slopes).map(mean).collect()
    }

    /// The exact potentials of these moves and their average; `None` if it is not the same from
    /// everywhere.
    pub fn exactly(&self, coin: &Share) -> Option<Potentials> {
        let count = self.passes.len();
        let chances = [coin.rational().clone(), coin.complement().rational().clone()];
        // The first position's potential is 0; its column is the average's.
        let mut rows: Vec<Vec<RBig>> = (0..count)
            .map(|v| {
                let mut row = vec![RBig::ZERO; count + 1];
                row[v] += RBig::ONE;
                let [own, other] = self.chances(v, &chances, &RBig::ZERO);
                row[self.policies.own[v] as usize] -= &own;
                row[self.policies.other[v] as usize] -= &other;
                row[0] = RBig::ONE;
                row[count] = own * RBig::from(self.weights[v].alice) + other * RBig::from(self.weights[v].bob);
                row
            })
            .collect();
        for k in 0..count {
            let pivot = (k..count).find(|&at| rows[at][k] != RBig::ZERO)?;
            rows.swap(k, pivot);
            let scale = RBig::ONE / &rows[k][k];
            rows[k].iter_mut().skip(k).for_each(|cell| *cell *= &scale);
            let top = rows[k].clone();
            for row in
                rows.iter_mut().enumerate().filter(|(at, row)| *at != k && row[k] != RBig::ZERO).map(|(_, row)| row)
            {
                let factor = row[k].clone();
                row.iter_mut().zip(&top).skip(k).for_each(|(cell, top)| *cell -= &factor * top);
            }
        }
        let worth: Vec<RBig> = (0..count).map(|v| if v == 0 { RBig::ZERO } else { rows[v][count].clone() }).collect();
        let denominator = worth.iter().fold(UBig::ONE, |all, one| {
            let shared = (&all).gcd(one.denominator());
            all * one.denominator() / shared
        });
        let numerators =
            worth.iter().map(|one| one.numerator() * IBig::from(&denominator / one.denominator())).collect();
        Some(Potentials { numerators, denominator })
    }
}

/// The predecessors of each position.
fn backwards(arena: &MeanPayoffArena) -> Groups<Node> {
    let moves = || arena.nodes().flat_map(|v| arena.successors(v).iter().map(move |&to| (to as usize, v)));
    Groups::of(arena.len(), 0, moves)
}

/// The distance from each position to a goal, `u32::MAX` if there is no path; `before` lists
/// predecessors.
fn distances(before: &Groups<Node>, goals: Vec<Node>) -> Vec<u32> {
    let mut found = vec![u32::MAX; before.count()];
    goals.iter().for_each(|&goal| found[goal as usize] = 0);
    let (mut front, mut next) = (goals, 0);
    while let Some(&to) = front.get(next) {
        next += 1;
        for &from in before.get(to as usize) {
            if found[from as usize] == u32::MAX {
                found[from as usize] = found[to as usize] + 1;
                front.push(from);
            }
        }
    }
    found
}
