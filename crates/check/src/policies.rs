//! A slow, exact reference for real money on cycles, and for games in which chance moves too:
//! solves every pair of policies by elimination.
//!
//! A player's chance to win random-turn play is the maximum, over the player's positional policies,
//! of the minimum over the other's. That holds for play that ends and for parity games. For at most
//! about eight positions, and chances with small denominators.

use dashu_int::UBig;
use dashu_ratio::RBig as Rational;
use richman_core::{
    Arena, LabelledArena, Node, NodeData, ParityArena, Player, Probability, Share, StochasticArena, StochasticLabel,
    Winnable,
};

/// The chance of `player` to win random-turn play from every position; `None` above `most` pairs of
/// policies. Nobody wins endless play.
pub fn chance(arena: &Arena, player: Player, most: u64) -> Option<Vec<Share>> {
    best_chance(arena, player, most, |_| None, |_| false)
}

/// The same where chance moves too.
pub fn stochastic_chance(arena: &StochasticArena, player: Player, most: u64) -> Option<Vec<Share>> {
    let drawn = |node: Node| {
        let is_chance = arena.data(node) == NodeData::On(StochasticLabel::Chance);
        is_chance.then(|| {
            let moves = arena.labelled(node, Player::Alice).chain(arena.labelled(node, Player::Bob));
            let common = Probability::common_denominator(moves.clone().map(|(_, chance)| chance)).unwrap_or(1);
            moves.map(|(to, chance)| (to, chance.over(common).into())).collect()
        })
    };
    best_chance(arena, player, most, drawn, |_| false)
}

/// The same in a parity game.
pub fn parity_chance(arena: &ParityArena, player: Player, most: u64) -> Option<Vec<Share>> {
    let priority = |&node: &Node| match arena.data(node) {
        NodeData::On(label) => Some(label.priority),
        NodeData::End(_) => None,
    };
    let endless = |nodes: &[Node]| nodes.iter().filter_map(priority).max().is_some_and(|top| top.winner() == player);
    best_chance(arena, player, most, |_| None, endless)
}

/// The steps from a position, each with its weight.
type Steps = Vec<(Node, i128)>;

/// The same where `drawn` has the steps of chance, and `endless` says whether the player wins play
/// that visits all of some positions infinitely often.
fn best_chance<L: Winnable>(
    arena: &LabelledArena<L>,
    player: Player,
    most: u64,
    drawn: impl Fn(Node) -> Option<Steps>,
    endless: impl Fn(&[Node]) -> bool,
) -> Option<Vec<Share>> {
    let inner: Vec<Node> = arena.nodes().filter(|&node| arena.terminal(node).is_none()).collect();
    let drawn: Vec<Option<Steps>> = arena.nodes().map(drawn).collect();
    let choices =
        |node: Node, player| if drawn[node as usize].is_some() { 1 } else { arena.moves(node, player).len().max(1) };
    let count =
        |player: Player| inner.iter().try_fold(1u64, |count, &node| count.checked_mul(choices(node, player) as u64));
    let (own, other) = (count(player)?, count(player.other())?);
    if own.checked_mul(other)? > most {
        return None;
    }
    let mut best: Option<Vec<Rational>> = None;
    for own in 0..own {
        let mut worst: Option<Vec<Rational>> = None;
        for other in 0..other {
            let values = walk(arena, &inner, player, [own, other], &drawn, &endless);
            worst = Some(merge(worst, values, |old, new| new < old));
        }
        best = Some(merge(best, worst?, |old, new| new > old));
    }
    best?
        .iter()
        .map(|chance| Share::ratio(UBig::try_from(chance.numerator().clone()).ok()?, chance.denominator().clone()))
        .collect()
}

fn merge(
    old: Option<Vec<Rational>>,
    new: Vec<Rational>,
    better: impl Fn(&Rational, &Rational) -> bool,
) -> Vec<Rational> {
    let Some(old) = old else { return new };
    old.into_iter().zip(new).map(|(old, new)| if better(&old, &new) { new } else { old }).collect()
}

/// The chances under one pair of policies, given by their numbers in the order of moves.
fn walk<L: Winnable>(
    arena: &LabelledArena<L>,
    inner: &[Node],
    player: Player,
    [mut own, mut other]: [u64; 2],
    drawn: &[Option<Steps>],
    endless: impl Fn(&[Node]) -> bool,
) -> Vec<Rational> {
    let mut steps: Vec<Steps> = vec![Vec::new(); arena.len()];
    for &node in inner {
        if let Some(drawn) = &drawn[node as usize] {
            steps[node as usize].clone_from(drawn);
            continue;
        }
        let pick = |number: &mut u64, player| {
            let moves = arena.moves(node, player);
            let to = moves.get((*number % moves.len().max(1) as u64) as usize).copied();
            *number /= moves.len().max(1) as u64;
            to
        };
        let (own, other) = (pick(&mut own, player), pick(&mut other, player.other()));
        // One player may move without the other.
        steps[node as usize] = [own.or(other), other.or(own)].map(|to| (to.unwrap_or(node), 1)).to_vec();
    }
    // The positions reachable from each position, and those that play visits infinitely often.
    let reached = |node: Node| {
        let mut found = vec![node];
        let mut next = 0;
        while let Some(&node) = found.get(next) {
            next += 1;
            if arena.terminal(node).is_none() {
                for &(to, _) in &steps[node as usize] {
                    if !found.contains(&to) {
                        found.push(to);
                    }
                }
            }
        }
        found
    };
    let reached: Vec<Vec<Node>> = arena.nodes().map(reached).collect();
    let returns = |node: Node| reached[node as usize].iter().all(|&to| reached[to as usize].contains(&node));
    let decided: Vec<Option<bool>> = arena
        .nodes()
        .map(|node| match arena.terminal(node) {
            Some(_) => Some(arena.winner(node) == Some(player)),
            None => returns(node).then(|| endless(&reached[node as usize])),
        })
        .collect();
    let won = |node: Node| decided[node as usize] == Some(true);
    // Where the walk never wins, the chance is 0; elsewhere the equations have a unique solution.
    let mut can_win: Vec<bool> = arena.nodes().map(won).collect();
    loop {
        let found: Vec<usize> = inner
            .iter()
            .map(|&node| node as usize)
            .filter(|&v| !can_win[v] && decided[v].is_none() && steps[v].iter().any(|&(to, _)| can_win[to as usize]))
            .collect();
        if found.is_empty() {
            break;
        }
        found.into_iter().for_each(|v| can_win[v] = true);
    }
    let is_open = |&v: &usize| can_win[v] && decided[v].is_none();
    let open: Vec<usize> = inner.iter().map(|&node| node as usize).filter(is_open).collect();
    let index = |node: usize| open.iter().position(|&v| v == node);
    // Fraction-free elimination: all entries stay minors of the matrix, at most sqrt(6)^8 for eight
    // positions.
    let mut rows: Vec<Vec<i128>> = open
        .iter()
        .map(|&v| {
            let mut row = vec![0; open.len() + 1];
            row[index(v).unwrap_or(0)] = steps[v].iter().map(|(_, weight)| weight).sum();
            for &(to, weight) in &steps[v] {
                match index(to as usize) {
                    Some(column) => row[column] -= weight,
                    None => row[open.len()] += if won(to) { weight } else { 0 },
                }
            }
            row
        })
        .collect();
    let mut last = 1;
    for k in 0..rows.len() {
        let pivot = (k..rows.len()).find(|&r| rows[r][k] != 0).unwrap_or(k);
        rows.swap(k, pivot);
        let top = rows[k].clone();
        for (r, row) in rows.iter_mut().enumerate().filter(|(r, _)| *r != k) {
            let factor = row[k];
            row.iter_mut().zip(&top).for_each(|(cell, &top_cell)| *cell = (top[k] * *cell - factor * top_cell) / last);
            debug_assert!(r < k || row[k] == 0);
        }
        last = top[k];
    }
    let mut values: Vec<Rational> = arena.nodes().map(|node| Rational::from(u8::from(won(node)))).collect();
    for (i, &v) in open.iter().enumerate() {
        let (numerator, denominator) = (rows[i][open.len()], rows[i][i]);
        values[v] = Rational::from(numerator) / Rational::from(denominator);
    }
    values
}
