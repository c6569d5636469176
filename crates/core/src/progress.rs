//! Progress: from where a player who keeps to some of their moves is sure to come nearer to a goal again and again.

use crate::{Arena, Node, Player};

/// For each node of `nodes` the stage at which it joins the goal's surroundings, or `None` where it never does.
///
/// `joined` tells of nodes that belong to the goal from the start. A node joins when one of the moves of `player` that
/// `keeps` allows leads to a node that has joined, or (where `lets` allows to rely on the other player) when every move of the
/// other player does. Where all nodes have joined, `player` can keep to allowed moves so that before every fair coin toss one side of the coin leads to an earlier
/// stage: whoever tosses to decide who moves comes to the goal with probability 1 unless play leaves the nodes
/// otherwise.
///
/// Time: one visit of each move that leads into `nodes`, plus a call of `keeps` for each allowed one.
pub fn progress(
    arena: &Arena,
    nodes: &[Node],
    player: Player,
    joined: impl Fn(Node) -> bool,
    keeps: impl Fn(Node, Node) -> bool,
    lets: impl Fn(Node) -> bool,
) -> Vec<Option<u32>> {
    const OUTSIDE: u32 = u32::MAX;
    let mut local = std::collections::HashMap::with_capacity(nodes.len());
    let dense = nodes.len() * 4 > arena.len();
    let mut table = if dense { vec![OUTSIDE; arena.len()] } else { Vec::new() };
    for (index, &node) in nodes.iter().enumerate() {
        if dense {
            table[node as usize] = index as u32;
        } else {
            local.insert(node, index as u32);
        }
    }
    let index = |node: Node| {
        if dense { Some(table[node as usize]).filter(|&i| i != OUTSIDE) } else { local.get(&node).copied() }
    };
    // Reverse moves inside `nodes`: own moves first, then the other player's.
    let mut stages: Vec<Option<u32>> = vec![None; nodes.len()];
    let mut waiting = vec![0u32; nodes.len()]; // moves of the other player that have not joined
    let mut reverse: Vec<Vec<(u32, bool)>> = vec![Vec::new(); nodes.len()];
    let mut front: Vec<u32> = Vec::new();
    for (v, &node) in nodes.iter().enumerate() {
        if joined(node) {
            stages[v] = Some(0);
            front.push(v as u32);
            continue;
        }
        let mut now = false;
        for &to in arena.moves(node, player).iter().filter(|&&to| keeps(node, to)) {
            match index(to) {
                Some(w) => reverse[w as usize].push((v as u32, true)),
                None => now |= joined(to),
            }
        }
        for &to in arena.moves(node, player.other()) {
            match index(to) {
                Some(w) => {
                    waiting[v] += 1;
                    reverse[w as usize].push((v as u32, false));
                }
                None if joined(to) => {}
                None => waiting[v] += 1, // never joins
            }
        }
        if !lets(node) {
            waiting[v] += 1;
        }
        if now || (waiting[v] == 0 && arena.terminal(node).is_none()) {
            stages[v] = Some(1);
            front.push(v as u32);
        }
    }
    // Nodes join in the order of stages: those found with stage 0 and 1 are sorted, the rest follow breadth first.
    front.sort_by_key(|&v| stages[v as usize]);
    let mut next = 0;
    while let Some(&w) = front.get(next) {
        next += 1;
        let stage = stages[w as usize].unwrap_or(0) + 1;
        for (v, own) in std::mem::take(&mut reverse[w as usize]) {
            let v = v as usize;
            if !own {
                waiting[v] -= 1;
            }
            if stages[v].is_none() && (own || waiting[v] == 0) {
                stages[v] = Some(stage);
                front.push(v as u32);
            }
        }
    }
    stages
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ArenaBuilder, Terminal};

    #[test]
    fn a_dead_loop_never_joins() {
        // 0 Alice won; 1: Alice may move to 0 or 2, Bob to 2; 2 and 3 only to each other
        let mut builder = ArenaBuilder::new();
        builder.terminal(Terminal::Win(Player::Alice));
        builder.position(&[0, 2], &[2]);
        builder.position(&[3], &[3]);
        builder.position(&[2], &[2]);
        let arena = builder.build(1).unwrap();
        let nodes: Vec<Node> = arena.nodes().collect();
        let joined = |node| arena.terminal(node) == Some(Terminal::Win(Player::Alice));
        let all = progress(&arena, &nodes, Player::Alice, joined, |_, _| true, |_| true);
        assert_eq!(all, [Some(0), Some(1), None, None]);
        let circling = progress(&arena, &nodes, Player::Alice, joined, |_, to| to != 0, |_| true);
        assert_eq!(circling, [Some(0), None, None, None]);
    }
}
