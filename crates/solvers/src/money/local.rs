//! The positions of a component that have no value yet, numbered from 0, and their successors.

use std::cell::Cell;

use richman_core::{Arena, Error, Node, PacedWatch, Player, Watch};
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

/// Positions 0..`inner` have no value yet; those from `inner` on have one.
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
    pub fn new(
        arena: &Arena,
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
