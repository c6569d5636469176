//! The positions of a component that have no value yet, numbered from 0, and their successors.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use richman_core::{Error, Groups, LabelledArena, Node, PacedWatch, Player, Watch, Winnable};
use rustc_hash::{FxBuildHasher, FxHashMap};

/// Lists of numbers, stored end to end.
#[derive(Default)]
pub(super) struct Lists {
    ends: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    pub fn get(&self, index: usize) -> &[u32] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.items[start..self.ends[index] as usize]
    }

    fn bytes(&self) -> u64 {
        4 * (self.ends.capacity() + self.items.capacity()) as u64
    }
}

/// Numbers of some of an arena's nodes: a table if they are many, or else a map.
pub(super) enum NodeIndices {
    Table(Vec<u32>),
    Map(FxHashMap<Node, u32>),
}

impl NodeIndices {
    const NONE: u32 = u32::MAX;

    /// No node has a number yet; about `expected` of `all` nodes will have one.
    pub fn new(all: usize, expected: usize) -> NodeIndices {
        if expected * 4 > all {
            return NodeIndices::Table(vec![NodeIndices::NONE; all]);
        }
        NodeIndices::Map(FxHashMap::with_capacity_and_hasher(expected * 2, FxBuildHasher))
    }

    pub fn get(&self, node: Node) -> Option<u32> {
        match self {
            NodeIndices::Table(table) => Some(table[node as usize]).filter(|&index| index != NodeIndices::NONE),
            NodeIndices::Map(map) => map.get(&node).copied(),
        }
    }

    pub fn insert(&mut self, node: Node, index: u32) {
        match self {
            NodeIndices::Table(table) => table[node as usize] = index,
            NodeIndices::Map(map) => {
                map.insert(node, index);
            }
        }
    }

    fn bytes(&self) -> u64 {
        match self {
            NodeIndices::Table(table) => size_of_val(&table[..]) as u64,
            NodeIndices::Map(map) => map.capacity() as u64 * 9, // a key, a value, and a byte of control
        }
    }
}

/// Positions 0..`inner` have no value yet; those from `inner` on have one. Where one player moves
/// without a bid, the other's list is empty.
pub(super) struct LocalSystem {
    pub inner: usize,
    /// The node of every local position.
    pub nodes: Vec<Node>,
    /// The local position of every such node.
    indices: NodeIndices,
    /// Moves of the player whose chance of winning is sought.
    pub own: Lists,
    /// Moves of the other player.
    pub other: Lists,
    /// Whether these systems may fill in so little that they are solved directly.
    may_be_thin: AtomicBool,
    /// Bytes that a factorisation may take.
    pub memory: u64,
}

impl LocalSystem {
    pub fn new<L: Winnable>(
        arena: &LabelledArena<L>,
        inner: &[Node],
        player: Player,
        memory: u64,
        watch: &dyn Watch,
    ) -> Result<LocalSystem, Error> {
        let pace = PacedWatch::new(watch);
        let mut nodes = inner.to_vec();
        let mut indices = NodeIndices::new(arena.len(), inner.len());
        for (i, &node) in inner.iter().enumerate() {
            pace.step()?;
            indices.insert(node, i as u32);
        }
        let mut lists = [Lists::default(), Lists::default()];
        for &node in inner {
            pace.steps(1 + arena.successors(node).len())?;
            for (list, mover) in lists.iter_mut().zip([player, player.other()]) {
                for &to in arena.moves(node, mover) {
                    let local = indices.get(to).unwrap_or_else(|| {
                        nodes.push(to);
                        let index = nodes.len() as u32 - 1;
                        indices.insert(to, index);
                        index
                    });
                    list.items.push(local);
                }
                list.ends.push(list.items.len() as u32);
            }
        }
        let [own, other] = lists;
        let may_be_thin = AtomicBool::new(true);
        Ok(LocalSystem { inner: inner.len(), nodes, indices, own, other, may_be_thin, memory })
    }

    /// The local position of a node.
    pub fn index(&self, node: Node) -> Option<usize> {
        self.indices.get(node).map(|index| index as usize)
    }

    pub fn may_be_thin(&self) -> bool {
        self.may_be_thin.load(Ordering::Relaxed)
    }

    pub fn set_thin(&self, thin: bool) {
        self.may_be_thin.store(thin, Ordering::Relaxed);
    }

    /// The results of `find` at every position without a value, on all cores if there are many.
    pub fn of_each<T: Send>(&self, find: impl Fn(usize) -> T + Sync + Send) -> Vec<T> {
        const PARALLEL: usize = 1 << 15;
        if self.inner < PARALLEL {
            (0..self.inner).map(find).collect()
        } else {
            (0..self.inner).into_par_iter().with_min_len(PARALLEL / 8).map(find).collect()
        }
    }

    /// The player's move to the greatest value and the other's to the least, where `above` compares
    /// the values of two positions; the same move twice where one player moves without a bid.
    pub fn best_and_worst(&self, v: usize, above: impl Fn(u32, u32) -> bool) -> [u32; 2] {
        fn pick(moves: &[u32], better: impl Fn(u32, u32) -> bool) -> Option<u32> {
            let (&first, rest) = moves.split_first()?;
            Some(rest.iter().fold(first, |best, &to| if better(to, best) { to } else { best }))
        }
        let (best, worst) = (pick(self.own.get(v), &above), pick(self.other.get(v), |a, b| above(b, a)));
        [best.or(worst).unwrap_or(v as u32), worst.or(best).unwrap_or(v as u32)]
    }

    /// Gives both players the same move where one player moves without a bid.
    pub fn agree(&self, policies: &mut Policies) {
        for v in 0..self.inner {
            if self.own.get(v).is_empty() {
                policies.own[v] = policies.other[v];
            } else if self.other.get(v).is_empty() {
                policies.other[v] = policies.own[v];
            }
        }
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        4 * self.nodes.capacity() as u64 + self.indices.bytes() + self.own.bytes() + self.other.bytes()
    }
}

/// One move of each player at every position without a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Policies {
    pub own: Vec<u32>,
    pub other: Vec<u32>,
}

impl Policies {
    /// The positions from which the policies never leave the local positions, in order.
    pub fn trapped(&self, watch: &dyn Watch) -> Result<Vec<usize>, Error> {
        /// Sweeps over the remaining positions are cheaper than lists of predecessors while at
        /// least one in this many is found to leave.
        const PART: usize = 16;
        let pace = PacedWatch::new(watch);
        let inner = self.own.len();
        let mut out = vec![false; inner];
        let after = |v: u32| [self.own[v as usize] as usize, self.other[v as usize] as usize];
        let mut left: Vec<u32> = (0..inner as u32).collect();
        let mut last = 0;
        loop {
            let before = left.len();
            pace.steps(before)?;
            // Alternately backwards and forwards, so that one sweep follows a path in either
            // direction.
            left.reverse();
            left.retain(|&v| {
                out[v as usize] = after(v).into_iter().any(|to| out.get(to).is_none_or(|&out| out));
                !out[v as usize]
            });
            let found = before - left.len();
            if found == 0 {
                left.sort_unstable();
                return Ok(left.into_iter().map(|v| v as usize).collect());
            }
            let grows = 2 * found > 3 * last;
            if !grows && found * PART < before {
                break;
            }
            last = found;
        }
        let steps = || left.iter().flat_map(|&v| after(v).map(|to| (to, v)));
        let before = Groups::of(inner, 0, || steps().filter(|&(to, _)| to < inner));
        let mut front: Vec<u32> = Vec::new();
        let leaves = |front: &mut Vec<u32>, out: &mut Vec<bool>, v: u32| {
            if !std::mem::replace(&mut out[v as usize], true) {
                front.push(v);
            }
        };
        for (to, v) in steps() {
            if out.get(to).is_none_or(|&out| out) {
                leaves(&mut front, &mut out, v);
            }
        }
        while let Some(w) = front.pop() {
            let before = before.get(w as usize);
            pace.steps(1 + before.len())?;
            before.iter().for_each(|&v| leaves(&mut front, &mut out, v));
        }
        Ok((0..inner).filter(|&v| !out[v]).collect())
    }
}
