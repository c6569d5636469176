//! Progress: where a player, restricted to some moves, can always come nearer to a target.

use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::groups::Groups;
use crate::numbering::make_room;
use crate::{Error, LabelledArena, Node, PacedWatch, Player, Watch, Winnable};

/// For each of `nodes` in the attractor of the target, its rank: its position in the order of
/// joining, by distance from the target.
///
/// Nodes that satisfy `joined` are the target, with rank 0. Another node joins when a move of
/// `player` that `keeps` allows leads to a node that joined before. It also joins when every move
/// of the other player does, if `lets` allows relying on them. Where one player moves without a bid
/// only that player's moves count. If all nodes join, `player` has a strategy of allowed moves in
/// which one outcome of every coin toss leads to a lower rank. Random-turn play then reaches the
/// target with probability 1, unless it leaves the nodes first.
///
/// Time: some visits to each move that leads into `nodes`, with a call of `keeps`.
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
    let mut ranks: Vec<Option<u32>> = vec![None; nodes.len()];
    let mut rank = 0;
    for v in order(Search::Breadth, arena, nodes, player, &joined, keeps, lets, watch)? {
        rank += u32::from(!joined(nodes[v as usize]));
        ranks[v as usize] = Some(rank);
    }
    Ok(ranks)
}

/// Whether each of `nodes` joins the attractor as in [`progress`], which takes longer.
///
/// # Errors
/// [`Error::Cancelled`] if the watch says stop.
pub fn progresses<L: Winnable>(
    arena: &LabelledArena<L>,
    nodes: &[Node],
    player: Player,
    joined: impl Fn(Node) -> bool,
    keeps: impl Fn(Node, Node) -> bool,
    lets: impl Fn(Node) -> bool,
    watch: &dyn Watch,
) -> Result<Vec<bool>, Error> {
    let mut joins = vec![false; nodes.len()];
    for v in order(Search::Any, arena, nodes, player, joined, keeps, lets, watch)? {
        joins[v as usize] = true;
    }
    Ok(joins)
}

/// The order of the search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Search {
    /// By distance from the target.
    Breadth,
    /// As soon as possible, perhaps along detours.
    Any,
}

/// The nodes that join, as indices into `nodes`, in an order in which they can join.
#[expect(clippy::too_many_arguments, reason = "those of `progress`, and the search")]
fn order<L: Winnable>(
    search: Search,
    arena: &LabelledArena<L>,
    nodes: &[Node],
    player: Player,
    joined: impl Fn(Node) -> bool,
    keeps: impl Fn(Node, Node) -> bool,
    lets: impl Fn(Node) -> bool,
    watch: &dyn Watch,
) -> Result<Vec<u32>, Error> {
    let pace = PacedWatch::new(watch);
    let indices = NodeIndices::of(arena, nodes, &pace)?;
    // Without a bid only the owner's moves count.
    let relies = |node: Node| match arena.owner(node) {
        Some(owner) => owner != player,
        None => lets(node),
    };
    let surroundings = Surroundings { arena, nodes, player, indices, joined, keeps, relies };
    let mut order = surroundings.goal(&pace)?;
    let mut next = 0;
    // A table of the whole arena is worth its time only for many nodes.
    if matches!(surroundings.indices, NodeIndices::Few(_))
        || surroundings.sweep(search, &mut order, &mut next, &pace)?
    {
        surroundings.search(&mut order, next, &pace)?;
    }
    Ok(order)
}

/// The arguments of [`progress`].
struct Surroundings<'a, L: Winnable, J, K, R> {
    arena: &'a LabelledArena<L>,
    nodes: &'a [Node],
    player: Player,
    indices: NodeIndices,
    joined: J,
    keeps: K,
    /// Whether the other player's moves count at a node.
    relies: R,
}

impl<L: Winnable, J: Fn(Node) -> bool, K: Fn(Node, Node) -> bool, R: Fn(Node) -> bool> Surroundings<'_, L, J, K, R> {
    fn goal(&self, pace: &PacedWatch) -> Result<Vec<u32>, Error> {
        let mut goal = Vec::with_capacity(self.nodes.len());
        for (v, &node) in (0..).zip(self.nodes) {
            pace.step()?;
            if (self.joined)(node) {
                goal.push(v);
            }
        }
        Ok(goal)
    }

    /// Sweeps over the remaining nodes until few join. That is cheaper than lists of predecessors
    /// while enough nodes join in each sweep. Returns whether others may join; they can be found
    /// from `order[next..]`.
    fn sweep(&self, search: Search, order: &mut Vec<u32>, next: &mut usize, pace: &PacedWatch) -> Result<bool, Error> {
        const PART: usize = 16;
        const OPEN: u8 = u8::MAX;
        // The round in which a node joined. A byte each, by node of the arena, stays in the cache.
        let mut rounds = Vec::with_capacity(self.arena.len());
        for node in self.arena.nodes() {
            pace.step()?;
            rounds.push(if (self.joined)(node) { 0 } else { OPEN });
        }
        let mut left: Vec<u32> = (0..self.nodes.len() as u32).collect();
        left.retain(|&v| rounds[self.nodes[v as usize] as usize] == OPEN);
        left.sort_unstable_by_key(|&v| self.nodes[v as usize]); // as in memory
        let mut last = order.len();
        for round in 1.. {
            let before = left.len();
            let later = if search == Search::Any { OPEN } else { round };
            *next = order.len();
            let mut stopped = Ok(());
            if search == Search::Any {
                left.reverse(); // so that one pass follows a path in either direction
            }
            left.retain(|&v| {
                let node = self.nodes[v as usize];
                if stopped.is_ok() {
                    stopped = pace.steps(1 + self.arena.successors(node).len());
                }
                let joins = stopped.is_ok() && self.joins(node, |to| rounds[to as usize] < later);
                if joins {
                    rounds[node as usize] = round;
                    order.push(v);
                }
                !joins
            });
            stopped?;
            let found = before - left.len();
            if found == 0 || left.is_empty() {
                return Ok(false);
            }
            if 2 * found <= 3 * last && found * PART < before || round + 1 == OPEN {
                return Ok(true);
            }
            last = found;
        }
        Ok(true)
    }

    fn joins(&self, node: Node, is_near: impl Fn(Node) -> bool) -> bool {
        let [own, others] = [self.player, self.player.other()].map(|mover| self.arena.moves(node, mover));
        own.iter().any(|&to| is_near(to) && (self.keeps)(node, to))
            || others.iter().all(|&to| is_near(to)) && self.arena.terminal(node).is_none() && (self.relies)(node)
    }

    /// Breadth first, by lists of predecessors; `order[..next]` has been expanded.
    fn search(&self, order: &mut Vec<u32>, mut next: usize, pace: &PacedWatch) -> Result<(), Error> {
        let Surroundings { arena, nodes, player, indices, joined, keeps, relies } = self;
        let player = *player;
        let mut has_joined = vec![false; nodes.len()];
        let mut has_led = vec![false; nodes.len()];
        for (index, &v) in order.iter().enumerate() {
            (has_joined[v as usize], has_led[v as usize]) = (true, index < next);
        }
        let mut waiting = vec![0u32; nodes.len()]; // moves of the other player that have not led here
        // Whether `keeps` allows each move of `player` inside `nodes`, in order.
        let mut kept = Bits::default();
        let mut from_outside = Vec::new();
        for (v, &node) in nodes.iter().enumerate().filter(|(v, _)| !has_joined[*v]) {
            pace.steps(1 + arena.successors(node).len())?;
            let mut now = false;
            for &to in arena.moves(node, player) {
                match indices.get(to) {
                    Some(_) => kept.push(keeps(node, to)),
                    None => now |= joined(to) && keeps(node, to),
                }
            }
            let others = arena.moves(node, player.other()).iter();
            // Outside targets that have not joined never will.
            let waits = |to: Node| indices.get(to).map_or_else(|| !joined(to), |w| !has_led[w as usize]);
            waiting[v] = others.filter(|&&to| waits(to)).count() as u32 + u32::from(!relies(node));
            if now || (waiting[v] == 0 && arena.terminal(node).is_none()) {
                from_outside.push(v as u32);
            }
        }
        // The moves of one player from nodes that have not joined, by target.
        let inside = |mover| {
            let from = (0u32..).zip(*nodes).filter(|(v, _)| !has_joined[*v as usize]);
            from.flat_map(move |(v, &node)| arena.moves(node, mover).iter().map(move |&to| (to, v)))
                .filter_map(|(to, v)| Some((indices.get(to)? as usize, v)))
        };
        let own = || inside(player).zip(0..).filter(|(_, at)| kept.get(*at)).map(|(step, _)| step);
        let own = Groups::paced(nodes.len(), 0, own, || pace.step())?;
        drop(kept);
        let other = || inside(player.other()).filter(|(w, _)| !has_led[*w]);
        let other = Groups::paced(nodes.len(), 0, other, || pace.step())?;
        for &v in &from_outside {
            has_joined[v as usize] = true;
        }
        order.extend(from_outside);
        while let Some(&w) = order.get(next) {
            next += 1;
            pace.steps(1 + own.get(w as usize).len() + other.get(w as usize).len())?;
            for &v in other.get(w as usize) {
                waiting[v as usize] -= 1;
            }
            for (moves, is_own) in [(own.get(w as usize), true), (other.get(w as usize), false)] {
                for &v in moves {
                    if !has_joined[v as usize] && (is_own || waiting[v as usize] == 0) {
                        has_joined[v as usize] = true;
                        order.push(v);
                    }
                }
            }
        }
        Ok(())
    }
}

/// The most bytes of [`progress`] for `nodes` nodes with `moves` moves of both players.
pub fn bytes_for_progress<L: Winnable>(arena: &LabelledArena<L>, nodes: usize, moves: usize) -> u64 {
    /// The rank, the count of waiting moves, the order, and both indices of predecessors. Sweeps
    /// take less.
    const PER_NODE: usize = 8 + 4 + 4 + 2 * 4;
    /// An entry of a table, or of a map with a third of its slots free.
    const PER_INDEX: usize = 20;
    const PER_MOVE: usize = 4;
    let indices = if nodes == arena.len() { 0 } else { nodes };
    (PER_NODE * nodes + PER_INDEX * indices + PER_MOVE * moves + moves / 8) as u64
}

/// The index of each node in the list of nodes.
enum NodeIndices {
    /// Every node of the arena, in order.
    All,
    /// By node of the arena.
    Many(Vec<u32>),
    Few(FxHashMap<Node, u32>),
}

impl NodeIndices {
    const OUTSIDE: u32 = u32::MAX;

    fn of<L: Winnable>(arena: &LabelledArena<L>, nodes: &[Node], pace: &PacedWatch) -> Result<NodeIndices, Error> {
        if nodes.len() == arena.len() && nodes.iter().copied().eq(arena.nodes()) {
            return Ok(NodeIndices::All);
        }
        let mut indices = match nodes.len() * 4 > arena.len() {
            true => NodeIndices::Many(vec![NodeIndices::OUTSIDE; arena.len()]),
            false => NodeIndices::Few(FxHashMap::with_capacity_and_hasher(nodes.len(), FxBuildHasher)),
        };
        for (index, &node) in (0..).zip(nodes) {
            pace.step()?;
            match &mut indices {
                NodeIndices::All => {}
                NodeIndices::Many(table) => table[node as usize] = index,
                NodeIndices::Few(map) => drop(map.insert(node, index)),
            }
        }
        Ok(indices)
    }

    fn get(&self, node: Node) -> Option<u32> {
        match self {
            NodeIndices::All => Some(node),
            NodeIndices::Many(table) => Some(table[node as usize]).filter(|&index| index != NodeIndices::OUTSIDE),
            NodeIndices::Few(map) => map.get(&node).copied(),
        }
    }
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
