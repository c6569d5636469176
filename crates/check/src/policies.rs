//! A slow, exact reference for real money on cycles: solves every pair of policies by elimination.
//!
//! A player's chance to win random-turn play is the maximum, over the player's positional policies,
//! of the minimum over the other's. For at most about eight positions.

use dashu_int::UBig;
use dashu_ratio::RBig as Rational;
use richman_core::{Arena, Node, Player, Share, Terminal};

/// The chance of `player` to win random-turn play from every position; `None` above `most` pairs of
/// policies.
pub fn chance(arena: &Arena, player: Player, most: u64) -> Option<Vec<Share>> {
    let inner: Vec<Node> = arena.nodes().filter(|&node| arena.terminal(node).is_none()).collect();
    let count = |player: Player| {
        inner.iter().try_fold(1u64, |count, &node| count.checked_mul(arena.moves(node, player).len() as u64))
    };
    let (own, other) = (count(player)?, count(player.other())?);
    if own.checked_mul(other)? > most {
        return None;
    }
    let mut best: Option<Vec<Rational>> = None;
    for own in 0..own {
        let mut worst: Option<Vec<Rational>> = None;
        for other in 0..other {
            let values = walk(arena, &inner, player, own, other);
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
fn walk(arena: &Arena, inner: &[Node], player: Player, mut own: u64, mut other: u64) -> Vec<Rational> {
    let mut steps: Vec<[Node; 2]> = vec![[0; 2]; arena.len()];
    for &node in inner {
        let pick = |number: &mut u64, player| {
            let moves = arena.moves(node, player);
            let to = moves[(*number % moves.len() as u64) as usize];
            *number /= moves.len() as u64;
            to
        };
        steps[node as usize] = [pick(&mut own, player), pick(&mut other, player.other())];
    }
    let won = |node: Node| arena.terminal(node) == Some(Terminal::Win(player));
    // Where the walk never wins, the chance is 0; elsewhere the equations have a unique solution.
    let mut can_win: Vec<bool> = arena.nodes().map(won).collect();
    loop {
        let found: Vec<usize> = inner
            .iter()
            .map(|&node| node as usize)
            .filter(|&v| !can_win[v] && steps[v].iter().any(|&to| can_win[to as usize]))
            .collect();
        if found.is_empty() {
            break;
        }
        found.into_iter().for_each(|v| can_win[v] = true);
    }
    let open: Vec<usize> = inner.iter().map(|&node| node as usize).filter(|&v| can_win[v]).collect();
    let place = |node: usize| open.iter().position(|&v| v == node);
    // Fraction-free elimination: all entries stay minors of the matrix, at most sqrt(6)^8 for eight
    // positions.
    let mut rows: Vec<Vec<i128>> = open
        .iter()
        .map(|&v| {
            let mut row = vec![0; open.len() + 1];
            row[place(v).unwrap_or(0)] = 2;
            for &to in &steps[v] {
                match place(to as usize) {
                    Some(column) => row[column] -= 1,
                    None => row[open.len()] += i128::from(won(to)),
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
