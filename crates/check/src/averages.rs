//! A slow, exact reference for mean payoff with real money: every pair of strategies of small
//! arenas, where a coin decides who has the right to choose who moves.
//!
//! A strategy is one move for each position, and whether the player would rather let the other
//! move. The value is the maximum over Alice's of the minimum over Bob's.

use dashu_ratio::RBig;
use richman_core::{MeanPayoffArena, Node, Player, Share};

/// A move and its weight, and whether the player lets the other move.
type Choice = (Option<(Node, i64)>, bool);

/// The average from every position, if `coin` is the chance that the right is Alice's; `None` above
/// `most` pairs of strategies.
pub fn averages(arena: &MeanPayoffArena, coin: &Share, most: usize) -> Option<Vec<RBig>> {
    let options = |player: Player| -> Vec<Vec<Choice>> {
        let of = |node: Node| {
            let moves = arena.labelled(node, player).map(Some);
            let may_let = arena.owner(node).is_none();
            let made = moves.flat_map(|one| [Some((one, false)), may_let.then_some((one, true))]).flatten();
            let made: Vec<Choice> = made.collect();
            if made.is_empty() { vec![(None, true)] } else { made }
        };
        arena.nodes().map(of).collect()
    };
    let (own, other) = (options(Player::Alice), options(Player::Bob));
    let count = |options: &[Vec<Choice>]| options.iter().try_fold(1usize, |all, one| all.checked_mul(one.len()));
    let (own_count, other_count) = (count(&own)?, count(&other)?);
    if own_count.checked_mul(other_count)? > most {
        return None;
    }
    let mut best: Option<Vec<RBig>> = None;
    for one in 0..own_count {
        let one = numbered(&own, one);
        let mut worst: Option<Vec<RBig>> = None;
        for two in 0..other_count {
            let found = chain(&one, &numbered(&other, two), coin);
            worst = Some(merged(worst, found, |new, old| new < old));
        }
        best = Some(merged(best, worst?, |new, old| new > old));
    }
    best
}

fn numbered(options: &[Vec<Choice>], mut number: usize) -> Vec<Choice> {
    let pick = |options: &Vec<Choice>| {
        let choice = options[number % options.len()];
        number /= options.len();
        choice
    };
    options.iter().map(pick).collect()
}

fn merged(old: Option<Vec<RBig>>, new: Vec<RBig>, better: impl Fn(&RBig, &RBig) -> bool) -> Vec<RBig> {
    let Some(old) = old else { return new };
    old.into_iter().zip(new).map(|(old, new)| if better(&new, &old) { new } else { old }).collect()
}

/// The averages under a pair of strategies.
fn chain(alice: &[Choice], bob: &[Choice], coin: &Share) -> Vec<RBig> {
    let count = alice.len();
    let chances = [coin.rational().clone(), coin.complement().rational().clone()];
    // For each position, the chance of each successor and the mean weight.
    let mut next = vec![vec![RBig::ZERO; count]; count];
    let mut gain = vec![RBig::ZERO; count];
    for v in 0..count {
        for (chance, (first, second)) in chances.iter().zip([(alice[v], bob[v]), (bob[v], alice[v])]) {
            // The player with the right moves, or lets the other player move, who then must.
            let step = if first.1 { second.0.or(first.0) } else { first.0 };
            if let Some((to, weight)) = step {
                next[v][to as usize] += chance;
                gain[v] += chance * RBig::from(weight);
            }
        }
    }
    let mut reaches: Vec<Vec<bool>> =
        (0..count).map(|v| (0..count).map(|to| v == to || next[v][to] != RBig::ZERO).collect()).collect();
    for by in 0..count {
        for from in 0..count {
            for to in 0..count {
                reaches[from][to] |= reaches[from][by] && reaches[by][to];
            }
        }
    }
    let returns = |v: usize| (0..count).all(|to| !reaches[v][to] || reaches[to][v]);
    let mut averages: Vec<Option<RBig>> = vec![None; count];
    for v in (0..count).filter(|&v| returns(v)) {
        let class: Vec<usize> = (0..count).filter(|&to| reaches[v][to]).collect();
        // The part of the time spent at each position: inflow equals outflow, and the parts add up
        // to 1.
        let mut rows: Vec<Vec<RBig>> = class
            .iter()
            .map(|&to| {
                let come = |&from: &usize| next[from][to].clone() - RBig::from(u8::from(from == to));
                class.iter().map(come).chain([RBig::ZERO]).collect()
            })
            .collect();
        rows[0] = vec![RBig::ONE; class.len() + 1];
        let times = solved(rows);
        averages[v] = Some(class.iter().zip(times).fold(RBig::ZERO, |sum, (&at, time)| sum + time * &gain[at]));
    }
    let open: Vec<usize> = (0..count).filter(|&v| averages[v].is_none()).collect();
    let rows = open.iter().map(|&v| {
        let inside = open.iter().map(|&to| RBig::from(u8::from(v == to)) - &next[v][to]);
        let known = (0..count).filter_map(|to| Some(next[v][to].clone() * averages[to].as_ref()?));
        inside.chain([known.fold(RBig::ZERO, |sum, one| sum + one)]).collect()
    });
    for (v, found) in open.iter().zip(solved(rows.collect())) {
        averages[*v] = Some(found);
    }
    averages.into_iter().flatten().collect()
}

/// The unknowns of a system whose rows end with the right-hand side.
fn solved(mut rows: Vec<Vec<RBig>>) -> Vec<RBig> {
    let count = rows.len();
    for k in 0..count {
        let pivot = (k..count).find(|&at| rows[at][k] != RBig::ZERO).unwrap_or(k);
        rows.swap(k, pivot);
        let top = rows[k].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(at, _)| *at != k) {
            let factor = &row[k] / &top[k];
            row.iter_mut().zip(&top).for_each(|(cell, top)| *cell -= &factor * top);
        }
    }
    (0..count).map(|at| &rows[at][count] / &rows[at][at]).collect()
}
