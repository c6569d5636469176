//! Solves a board unit by unit. A unit has the same stones on the lowest cells of the columns.

use std::any::Any;
use std::collections::HashMap;
use std::sync::Arc;

use rayon::prelude::*;
use richman_core::{Number, Numbers, each_size};

use crate::board::{Block, Class, Size, stones};
use crate::store::{Counts, Frames, Key, Store};
use crate::sweep::{self, BlockPart, Child, Ends, PlayerRuns, TileBuffer};

/// A board cut above the lowest `depth[c]` cells of each column c.
pub struct Cut {
    pub size: Size,
    pub depth: Vec<usize>,
    pub classes: Vec<Class>,
    /// About so many positions in a task.
    pub aim: u64,
    /// Whether frames that no unit reads are written too.
    pub all: bool,
}

/// Units of another class, as one: fillings from a multiple of 2^bits on.
struct Input {
    frames: Arc<Frames>,
    bits: u32,
    offset: u64,
}

/// What both players' moves onto a closed column lead to.
enum Moves {
    Together(Input),
    Apart { alice: Input, bob: Input },
}

fn typed<C: Number>(numbers: &Numbers) -> &[C] {
    each_size!(Numbers, numbers, found => (found as &dyn Any).downcast_ref::<Vec<C>>()).expect("the width")
}

impl Input {
    /// The values of a block from the first filling on.
    fn run<C: Number>(&self, frame: usize, stones: u32, index: usize) -> &[C] {
        let at = (index << (self.bits + stones)) + ((self.offset as usize) << stones);
        &typed(&self.frames[&frame][stones as usize])[at..]
    }
}

impl Cut {
    /// The bits of a filling's number that vary within a task.
    fn bits(&self, class: &Class) -> u32 {
        (self.aim / class.positions).max(1).ilog2().min(class.fixed)
    }

    fn sizes(&self, class: &Class, frame: usize, bits: u32) -> Vec<(usize, usize)> {
        let (_, blocks) = class.frames.iter().find(|(known, _)| *known == frame).expect("a frame");
        let size = |(stones, blocks): (u32, &usize)| (blocks << (stones + bits), self.size.width(class.fixed + stones));
        (0..).zip(blocks).map(size).collect()
    }

    /// Reads the fillings from `first` on, 2^`bits` of them.
    fn input(&self, store: &Store<'_>, number: usize, wanted: &[usize], first: u64, bits: u32) -> Input {
        let class = &self.classes[number];
        let whole = self.bits(class);
        let one = |unit: u64| store.get((number, unit), wanted, &|frame| self.sizes(class, frame, whole));
        if whole >= bits {
            let offset = first & ((1 << whole) - 1);
            return Input { frames: one(first >> whole), bits: whole, offset };
        }
        let parts: Vec<Arc<Frames>> = (first >> whole..(first + (1 << bits)) >> whole).map(one).collect();
        let joined = |frame: &usize| {
            let layers = self.sizes(class, *frame, bits);
            let layer = |(stones, (count, width)): (usize, (usize, usize))| {
                let mut into = Numbers::zeros(count, width);
                each_size!(Numbers, &mut into, into => {
                    let run = 1 << (whole as usize + stones);
                    for (at, into) in into.chunks_exact_mut(run).enumerate() {
                        let (block, part) = (at / parts.len(), at % parts.len());
                        into.copy_from_slice(&typed(&parts[part][frame][stones])[block * run..][..run]);
                    }
                });
                into
            };
            (*frame, layers.into_iter().enumerate().map(layer).collect())
        };
        Input { frames: Arc::new(wanted.iter().map(joined).collect()), bits, offset: 0 }
    }

    /// Solves a unit: 2^bits fillings of the fixed cells.
    fn unit(&self, store: &Store<'_>, number: usize, unit: u64) -> Frames {
        let class = &self.classes[number];
        let bits = self.bits(class);
        let first = unit << bits;
        let moves: Vec<Moves> = class
            .closed
            .iter()
            .map(|closed| {
                let wanted: Vec<usize> = class.frames.iter().map(|(frame, _)| frame | closed.frame).collect();
                let input = |first: u64, bits: u32| self.input(store, closed.next, &wanted, first, bits);
                if closed.place < bits || bits == class.fixed {
                    return Moves::Together(input(2 * first, bits + 1));
                }
                let behind = (1 << closed.place) - 1;
                let bob = (first & !behind) << 1 | first & behind;
                Moves::Apart { bob: input(bob, bits), alice: input(bob + (1 << closed.place), bits) }
            })
            .collect();
        let mut layers: Vec<HashMap<usize, Numbers>> = Vec::new();
        for stones in (0..class.layers.len() as u32).rev() {
            let width = self.size.width(class.fixed + stones);
            let numbers = class.frames.iter().filter(|(_, blocks)| blocks[stones as usize] > 0);
            let mut into: HashMap<usize, Numbers> = numbers
                .map(|(frame, blocks)| (*frame, Numbers::zeros(blocks[stones as usize] << (stones + bits), width)))
                .collect();
            let all = self.size.cells() - class.fixed - stones;
            let below = if all == 0 { width } else { self.size.width(class.fixed + stones + 1) };
            let empty = HashMap::new();
            let next = layers.last().unwrap_or(&empty);
            let task = Task { cut: self, class, moves: &moves, next, first, bits };
            let decided = match (below, width) {
                (1, 1) => task.layer::<u8, u8>(stones, &mut into),
                (1, 2) => task.layer::<u8, u16>(stones, &mut into),
                (2, 2) => task.layer::<u16, u16>(stones, &mut into),
                (2, 4) => task.layer::<u16, u32>(stones, &mut into),
                (4, 4) => task.layer::<u32, u32>(stones, &mut into),
                (4, 8) => task.layer::<u32, u64>(stones, &mut into),
                _ => task.layer::<u64, u64>(stones, &mut into),
            };
            Counts::add(&store.counts.decided, decided);
            // What neither another unit nor the next layer reads is not kept.
            if !self.all
                && let Some(before) = layers.last_mut()
            {
                before.retain(|frame, _| class.is_read(*frame, &self.depth));
            }
            layers.push(into);
        }
        layers.reverse();
        Counts::add(&store.counts.tasks, 1);
        Counts::add(&store.counts.positions, class.positions << bits);
        let kept = |frame: usize| self.all || class.is_read(frame, &self.depth) || class.fixed == 0;
        let frame = |(frame, blocks): &(usize, Vec<usize>)| {
            let width = |stones: u32| self.size.width(class.fixed + stones);
            let numbers = (0..).zip(&mut layers);
            let numbers =
                numbers.map(|(stones, layer)| layer.remove(frame).unwrap_or(Numbers::zeros(0, width(stones))));
            debug_assert_eq!(blocks.len(), class.layers.len());
            (*frame, numbers.collect())
        };
        class.frames.iter().filter(|(frame, _)| kept(*frame)).map(frame).collect()
    }

    /// Solves one of the largest units without input; returns its number.
    pub fn largest(&self, store: &Store<'_>) -> Key {
        let number = self.classes.len() - 1;
        let class = &self.classes[number];
        // Stones that alternate by pairs, so that there is no line yet.
        let unit = (0x3333_3333 & ((1 << class.fixed) - 1)) >> self.bits(class);
        store.put((number, unit), self.unit(store, number, unit));
        (number, unit)
    }

    /// Solves the board; `check` looks at every unit. Returns the need at the start.
    pub fn solve(&self, store: &Store<'_>, check: &(dyn Fn(&Class, u64, u32, &Frames) + Sync)) -> u64 {
        let last = self.classes.iter().map(|class| class.fixed).max().unwrap_or(0);
        for level in (0..=last).rev() {
            let here = self.classes.iter().enumerate().filter(|(_, class)| class.fixed == level);
            let mut keys: Vec<(u64, Key)> = Vec::new();
            for (number, class) in here {
                let bits = self.bits(class);
                keys.extend((0..1 << (level - bits)).map(|unit| (class.positions << bits, (number, unit))));
            }
            // Large units first, so that no thread waits long at the end.
            keys.sort_by_key(|(size, _)| std::cmp::Reverse(*size));
            keys.into_par_iter().with_max_len(1).for_each(|(_, key)| {
                let frames = self.unit(store, key.0, key.1);
                let class = &self.classes[key.0];
                let bits = self.bits(class);
                check(class, key.1 << bits, bits, &frames);
                store.put(key, frames);
            });
            store.forget(|key| self.classes[key.0].fixed > level);
        }
        let root = |frame| match self.all {
            true => self.sizes(&self.classes[0], frame, 0),
            false => vec![(1, self.size.width(0))],
        };
        let start = store.get((0, 0), &[0], &root);
        start[&0][0].get(0).expect("the start")
    }
}

struct Task<'a> {
    cut: &'a Cut,
    class: &'a Class,
    moves: &'a [Moves],
    next: &'a HashMap<usize, Numbers>,
    first: u64,
    bits: u32,
}

impl Task<'_> {
    /// Computes the blocks with so many stones; returns how many positions were decided.
    fn layer<C: Number, V: Number>(&self, stones: u32, into: &mut HashMap<usize, Numbers>) -> u64 {
        let size = self.cut.size;
        let open = size.cells() - self.class.fixed - stones;
        let ends = Ends { alice: &[V::ZERO], bob: &[V::of(1 << open)] };
        let mut room = TileBuffer::new(1);
        let bits = self.bits + stones;
        let mut decided = 0;
        for block in &self.class.layers[stones as usize] {
            let Block { frame, index, .. } = block;
            let inside = block.inside.iter().map(|(place, frame, index)| {
                let both = &typed::<C>(&self.next[frame])[index << (bits + 1)..][..2 << bits];
                Child { place: *place, after: PlayerRuns::Together(both) }
            });
            let outside = self.class.closed.iter().zip(self.moves).map(|(closed, moves)| {
                let frame = frame | closed.frame;
                let after = match moves {
                    Moves::Together(both) => PlayerRuns::Together(both.run(frame, stones, *index)),
                    Moves::Apart { alice, bob } => PlayerRuns::Apart {
                        alice: alice.run(frame, stones, *index),
                        bob: bob.run(frame, stones, *index),
                    },
                };
                Child { place: stones + closed.place, after }
            });
            let children: Vec<Child<'_, C>> = inside.chain(outside).collect();
            let start = self.first << stones;
            let part = BlockPart { start, bits, children: &children, lines: &block.lines, ends: &ends };
            let numbers = into.get_mut(frame).expect("a frame");
            let numbers: &mut Vec<V> =
                each_size!(Numbers, numbers, found => (found as &mut dyn Any).downcast_mut()).expect("the width");
            decided += part.compute(sweep::money, &mut room, &mut numbers[index << bits..][..1 << bits]);
        }
        decided
    }
}

/// Compares every need of a unit with a known solution.
pub fn compare(class: &Class, first: u64, bits: u32, frames: &Frames, known: &dyn Fn([u64; 2]) -> u64) -> u64 {
    let mut compared = 0;
    for block in class.layers.iter().flatten() {
        let Some(numbers) = frames.get(&block.frame) else { continue };
        if numbers[block.stones as usize].is_empty() {
            continue;
        }
        let all = bits + block.stones;
        for at in 0..1_u64 << all {
            let found = numbers[block.stones as usize].get((block.index << all) + at as usize);
            let position = stones(class, block.shape, (first << block.stones) + at);
            assert_eq!(found, Some(known(position)), "{position:?}");
            compared += 1;
        }
    }
    compared
}
