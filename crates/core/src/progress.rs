//! Progress: from where a player who keeps to some of their moves is sure to come nearer to a goal again and again.

use rustc_hash::FxHashMap;

use crate::{Arena, Error, Node, Pace, Player, Watch};

/// For each node of `nodes` the stage at which it joins the goal's surroundings, or `None` where it never does.
///
/// `joined` tells of nodes that belong to the goal from the start. A node joins when one of the moves of `player` that
/// `keeps` allows leads to a node that has joined, or (where `lets` allows to rely on the other player) when every move of the
/// other player does. Where all nodes have joined, `player` can keep to allowed moves so that before every fair coin toss one side of the coin leads to an earlier
/// stage: whoever tosses to decide who moves comes to the goal with probability 1 unless play leaves the nodes
/// otherwise.
///
/// Time: one visit of each move that leads into `nodes`, plus a call of `keeps` for each allowed one.
///
/// # Errors
/// [`Error::Cancelled`].
pub fn progress(
    arena: &Arena,
    nodes: &[Node],
    player: Player,
    joined: impl Fn(Node) -> bool,
    keeps: impl Fn(Node, Node) -> bool,
    lets: impl Fn(Node) -> bool,
    watch: &dyn Watch,
) -> Result<Vec<Option<u32>>, Error> {
    let pace = Pace::new(watch);
    const OUTSIDE: u32 = u32::MAX;
    let dense = nodes.len() * 4 > arena.len();
    let mut local: FxHashMap<Node, u32> = FxHashMap::default();
    let mut table = if dense { vec![OUTSIDE; arena.len()] } else { Vec::new() };
    for (index, &node) in nodes.iter().enumerate() {
        pace.step()?;
        if dense {
            table[node as usize] = index as u32;
        } else {
            local.insert(node, index as u32);
        }
    }
    let index = |node: Node| {
        if dense { Some(table[node as usize]).filter(|&i| i != OUTSIDE) } else { local.get(&node).copied() }
    };
    let mut stages: Vec<Option<u32>> = vec![None; nodes.len()];
    let mut waiting = vec![0u32; nodes.len()]; // moves of the other player that have not joined
    let mut front: Vec<u32> = Vec::new();
    let (mut own, mut other) = (Vec::new(), Vec::new()); // moves inside `nodes`: where to, and from where
    for (v, &node) in nodes.iter().enumerate() {
        pace.steps(1 + arena.successors(node).len())?;
        if joined(node) {
            stages[v] = Some(0);
            front.push(v as u32);
            continue;
        }
        let mut now = false;
        for &to in arena.moves(node, player) {
            match index(to) {
                Some(w) => {
                    if keeps(node, to) {
                        own.push((w, v as u32));
                    }
                }
                None => now |= joined(to) && keeps(node, to),
            }
        }
        for &to in arena.moves(node, player.other()) {
            match index(to) {
                Some(w) => {
                    waiting[v] += 1;
                    other.push((w, v as u32));
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
    let [own, other] = [own, other].map(|moves| Reverse::of(nodes.len(), &moves));
    // Nodes join in the order of stages: those found with stage 0 and 1 are sorted, the rest follow breadth first.
    front.sort_by_key(|&v| stages[v as usize]);
    let mut next = 0;
    while let Some(&w) = front.get(next) {
        next += 1;
        let stage = Some(stages[w as usize].unwrap_or(0) + 1);
        pace.steps(1 + own.before(w).len() + other.before(w).len())?;
        for &v in other.before(w) {
            waiting[v as usize] -= 1;
        }
        let joins = |v: u32, waiting: &[u32]| waiting[v as usize] == 0;
        for (moves, is_own) in [(own.before(w), true), (other.before(w), false)] {
            for &v in moves {
                if stages[v as usize].is_none() && (is_own || joins(v, &waiting)) {
                    stages[v as usize] = stage;
                    front.push(v);
                }
            }
        }
    }
    Ok(stages)
}

/// From where each node is reached, in flat lists.
struct Reverse {
    ends: Vec<u32>,
    sources: Vec<u32>,
}

impl Reverse {
    /// From moves, each where to and from where.
    fn of(count: usize, moves: &[(u32, u32)]) -> Reverse {
        let mut ends = vec![0; count + 1];
        for &(to, _) in moves {
            ends[to as usize + 1] += 1;
        }
        for at in 0..count {
            ends[at + 1] += ends[at];
        }
        let mut sources = vec![0; moves.len()];
        // Filled from the back, so that each end becomes a beginning.
        for &(to, from) in moves.iter().rev() {
            let end = &mut ends[to as usize + 1];
            *end -= 1;
            sources[*end as usize] = from;
        }
        Reverse { ends, sources }
    }

    fn before(&self, node: u32) -> &[u32] {
        let node = node as usize;
        let end = self.ends.get(node + 2).copied().unwrap_or(self.sources.len() as u32);
        &self.sources[self.ends[node + 1] as usize..end as usize]
    }
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
        let all = progress(&arena, &nodes, Player::Alice, joined, |_, _| true, |_| true, &crate::Unwatched).unwrap();
        assert_eq!(all, [Some(0), Some(1), None, None]);
        let circling =
            progress(&arena, &nodes, Player::Alice, joined, |_, to| to != 0, |_| true, &crate::Unwatched).unwrap();
        assert_eq!(circling, [Some(0), None, None, None]);
    }
}
