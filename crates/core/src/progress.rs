//! Progress: where a player, restricted to some moves, can always come nearer to a goal.

use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::groups::Groups;
use crate::numbering::make_room;
use crate::{Error, LabelledArena, Node, PacedWatch, Player, Watch, Winnable};

/// For each node of `nodes`, the stage at which it joins the goal's surroundings, if ever.
///
/// Nodes that satisfy `joined` are the goal. Another node joins when a move of `player` that
/// `keeps` allows leads to a joined node. It also joins when every move of the other player does,
/// if `lets` allows relying on them. Where one player moves without a bid only that player's moves
/// count. If all nodes join, `player` has a strategy of allowed moves in
/// which one outcome of every coin toss for the move leads to an earlier stage. Random-turn play
/// then reaches the goal with probability 1, unless it leaves the nodes otherwise.
///
/// Time: one visit to each move that leads into `nodes`, and one call of `keeps` for each allowed
/// move.
///
/// # Errors
/// [`Error::Cancelled`] if the watch says stop.
pub fn progress<L: Winnable>(
    arena: &LabelledArena<L>,
    nodes: &[Node],
    player: Player,
    joined: impl Fn(Node) -> bool,
    keeps: impl Fn(Node, Node) -> bool,
    lets: impl Fn(Node) -> bool,
    watch: &dyn Watch,
) -> Result<Vec<Option<u32>>, Error> {
    let pace = PacedWatch::new(watch);
    const OUTSIDE: u32 = u32::MAX;
    let all = nodes.len() == arena.len() && nodes.iter().copied().eq(arena.nodes());
    let dense = !all && nodes.len() * 4 > arena.len();
    let sparse = if all || dense { 0 } else { nodes.len() };
    let mut local: FxHashMap<Node, u32> = FxHashMap::with_capacity_and_hasher(sparse, FxBuildHasher);
    let mut table = if dense { vec![OUTSIDE; arena.len()] } else { Vec::new() };
    for (index, &node) in nodes.iter().enumerate() {
        pace.step()?;
        if dense {
            table[node as usize] = index as u32;
        } else if !all {
            local.insert(node, index as u32);
        }
    }
    let index = |node: Node| match (all, dense) {
        (true, _) => Some(node),
        (_, true) => Some(table[node as usize]).filter(|&i| i != OUTSIDE),
        _ => local.get(&node).copied(),
    };
    let mut stages: Vec<Option<u32>> = vec![None; nodes.len()];
    let mut waiting = vec![0u32; nodes.len()]; // moves of the other player that have not joined
    let mut front: Vec<u32> = Vec::with_capacity(nodes.len());
    // Whether `keeps` allows each move of `player` inside `nodes`, in order.
    let mut kept = Bits::default();
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
                Some(_) => kept.push(keeps(node, to)),
                None => now |= joined(to) && keeps(node, to),
            }
        }
        let others = arena.moves(node, player.other()).iter();
        // Outside targets that have not joined never will.
        waiting[v] = others.filter(|&&to| index(to).is_some() || !joined(to)).count() as u32;
        let owner = arena.owner(node);
        if owner == Some(player) || (owner.is_none() && !lets(node)) {
            waiting[v] += 1;
        }
        if now || (waiting[v] == 0 && arena.terminal(node).is_none()) {
            stages[v] = Some(1);
            front.push(v as u32);
        }
    }
    // For nodes outside the goal: one player's moves inside `nodes`, by target.
    let inside = |mover| {
        let from = (0u32..).zip(nodes).filter(|(v, _)| stages[*v as usize] != Some(0));
        from.flat_map(move |(v, &node)| arena.moves(node, mover).iter().map(move |&to| (to, v)))
            .filter_map(|(to, v)| Some((index(to)? as usize, v)))
    };
    let own = || inside(player).zip(0..).filter(|(_, at)| kept.get(*at)).map(|(step, _)| step);
    let own = Groups::paced(nodes.len(), 0, own, || pace.step())?;
    drop(kept);
    let other = Groups::paced(nodes.len(), 0, || inside(player.other()), || pace.step())?;
    // Nodes join by stage: those of stages 0 and 1 are sorted, the rest follow breadth first.
    front.sort_by_key(|&v| stages[v as usize]);
    let mut next = 0;
    while let Some(&w) = front.get(next) {
        next += 1;
        let stage = Some(stages[w as usize].unwrap_or(0) + 1);
        pace.steps(1 + own.get(w as usize).len() + other.get(w as usize).len())?;
        for &v in other.get(w as usize) {
            waiting[v as usize] -= 1;
        }
        let joins = |v: u32, waiting: &[u32]| waiting[v as usize] == 0;
        for (moves, is_own) in [(own.get(w as usize), true), (other.get(w as usize), false)] {
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

/// The most bytes of [`progress`] for `nodes` nodes with `moves` moves of both players.
pub fn bytes_for_progress<L: Winnable>(arena: &LabelledArena<L>, nodes: usize, moves: usize) -> u64 {
    /// The stage, the count of waiting moves, the place in the queue, and both indices of
    /// predecessors.
    const PER_NODE: usize = 8 + 4 + 4 + 2 * 4;
    /// The place in a table, or in a map with a third of its places free.
    const PER_PLACE: usize = 20;
    const PER_MOVE: usize = 4;
    let places = if nodes == arena.len() { 0 } else { nodes };
    (PER_NODE * nodes + PER_PLACE * places + PER_MOVE * moves + moves / 8) as u64
}

#[derive(Default)]
struct Bits {
    words: Vec<u64>,
    len: usize,
}

impl Bits {
    fn push(&mut self, bit: bool) {
        if self.len.is_multiple_of(64) {
            make_room(&mut self.words, 1);
            self.words.push(0);
        }
        self.words[self.len / 64] |= u64::from(bit) << (self.len % 64);
        self.len += 1;
    }

    fn get(&self, at: usize) -> bool {
        self.words[at / 64] >> (at % 64) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ArenaBuilder, Terminal};

    #[test]
    fn a_dead_loop_never_joins() {
        // 0: Alice has won; 1: Alice may move to 0 or 2, Bob to 2; 2 and 3 lead only to each other
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
