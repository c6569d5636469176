//! The positions of a component that have no value yet, numbered from 0, and their successors.

use std::cell::Cell;

use richman_core::{Error, LabelledArena, Node, PacedWatch, Player, Watch, Winnable};
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

/// Positions 0..`inner` have no value yet; those from `inner` on have one. Where one player moves
/// without a bid, the other's list is empty.
pub(super) struct LocalSystem {
    pub inner: usize,
    /// The node of every local position.
    pub nodes: Vec<Node>,
    /// Moves of the player whose chance of winning is sought.
    pub own: Lists,
    /// Moves of the other player.
    pub other: Lists,
    /// Whether these systems may fill in so little that they are solved directly.
    pub may_be_thin: Cell<bool>,
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
        let mut index: FxHashMap<Node, u32> = FxHashMap::with_capacity_and_hasher(inner.len() * 2, FxBuildHasher);
        for (i, &node) in inner.iter().enumerate() {
            pace.step()?;
            index.insert(node, i as u32);
        }
        let mut lists = [Lists::default(), Lists::default()];
        for &node in inner {
            pace.steps(1 + arena.successors(node).len())?;
            for (list, mover) in lists.iter_mut().zip([player, player.other()]) {
                for &to in arena.moves(node, mover) {
                    let local = *index.entry(to).or_insert_with(|| {
                        nodes.push(to);
                        nodes.len() as u32 - 1
                    });
                    list.items.push(local);
                }
                list.ends.push(list.items.len() as u32);
            }
        }
        let [own, other] = lists;
        Ok(LocalSystem { inner: inner.len(), nodes, own, other, may_be_thin: Cell::new(true), memory })
    }

    /// The player's move to the greatest value and the other's to the least, where `above` compares
    /// the values of two positions; twice the same move where one of them moves without a bid.
    pub fn best_and_worst(&self, v: usize, above: impl Fn(u32, u32) -> bool) -> [u32; 2] {
        fn pick(moves: &[u32], better: impl Fn(u32, u32) -> bool) -> Option<u32> {
            let (&first, rest) = moves.split_first()?;
            Some(rest.iter().fold(first, |best, &to| if better(to, best) { to } else { best }))
        }
        let (best, worst) = (pick(self.own.get(v), &above), pick(self.other.get(v), |a, b| above(b, a)));
        [best.or(worst).unwrap_or(v as u32), worst.or(best).unwrap_or(v as u32)]
    }

    /// Gives both players the same move where one of them moves without a bid.
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
        4 * self.nodes.capacity() as u64 + self.own.bytes() + self.other.bytes()
    }
}

/// One move of each player at every position without a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Policies {
    pub own: Vec<u32>,
    pub other: Vec<u32>,
}

impl Policies {
    /// The positions from which the policies never leave the local positions.
    pub fn trapped(&self, watch: &dyn Watch) -> Result<Vec<usize>, Error> {
        let pace = PacedWatch::new(watch);
        let inner = self.own.len();
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); inner];
        let mut out: Vec<bool> = vec![false; inner];
        let mut front: Vec<usize> = Vec::new();
        for (v, steps) in self.own.iter().zip(&self.other).enumerate() {
            pace.step()?;
            for &to in [steps.0, steps.1] {
                if to as usize >= inner {
                    if !std::mem::replace(&mut out[v], true) {
                        front.push(v);
                    }
                } else {
                    before[to as usize].push(v as u32);
                }
            }
        }
        while let Some(w) = front.pop() {
            pace.steps(1 + before[w].len())?;
            for &v in &before[w] {
                if !std::mem::replace(&mut out[v as usize], true) {
                    front.push(v as usize);
                }
            }
        }
        Ok((0..inner).filter(|&v| !out[v]).collect())
    }
}
