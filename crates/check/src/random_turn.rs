//! Random-turn play: a fair coin decides who makes each move, except where one player moves without
//! a bid.
//!
//! Richman's theorem: the real-money threshold is 1 - the probability that Alice wins [DP10, 1; K,
//! theorem 3.1].

use std::collections::HashMap;

use richman_core::{Arena, Node, Player, Share, Terminal};

/// The probability that Alice wins from `node` (with `draws`, that Bob does not) under best play,
/// where plays of more than `moves` moves are draws.
///
/// Time and memory: positions x moves rationals.
pub fn probability(arena: &Arena, node: Node, draws: bool, moves: u32) -> Share {
    let mut known: HashMap<(Node, u32), Share> = HashMap::new();
    let mut open = vec![(node, moves)];
    while let Some(&(node, moves)) = open.last() {
        let value = match arena.terminal(node) {
            Some(Terminal::Win(Player::Alice)) => Share::ONE,
            Some(Terminal::Win(Player::Bob)) => Share::ZERO,
            _ if draws && (moves == 0 || arena.terminal(node).is_some()) => Share::ONE,
            _ if moves == 0 || arena.terminal(node).is_some() => Share::ZERO,
            None | Some(Terminal::Draw) => {
                let missing: Vec<(Node, u32)> = arena
                    .successors(node)
                    .iter()
                    .map(|&to| (to, moves - 1))
                    .filter(|state| !known.contains_key(state))
                    .collect();
                if !missing.is_empty() {
                    open.extend(missing);
                    continue;
                }
                let after = |player| arena.moves(node, player).iter().map(|&to| &known[&(to, moves - 1)]);
                let heads = after(Player::Alice).max().cloned().unwrap_or(Share::ZERO);
                let tails = after(Player::Bob).min().cloned().unwrap_or(Share::ZERO);
                match arena.owner(node) {
                    None => Share::mean(&heads, &tails),
                    Some(owner) => owner.either(heads, tails),
                }
            }
        };
        known.insert((node, moves), value);
        open.pop();
    }
    known.remove(&(node, moves)).unwrap_or(Share::ZERO)
}
