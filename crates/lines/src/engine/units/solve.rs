//! Computes a unit from the frames of others.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use richman_core::{Effort, Error, Number, Numbers, each_size};

use super::class::{ClosedColumn, InsideMove, UnitBlock, UnitClass, UnitFrame};
use super::lookup::NeedLocation;
use super::{UnitCut, UnitFault, UnitId, UnitSource};
use crate::engine::leaves::LeafLines;
use crate::engine::sweep::{self, BlockLines, BlockPart, Child, Ends, PlayerRuns, TileBuffer, successors};
use crate::engine::{BoardStake, UNIT_BITS};

/// The kept needs of a unit: for each number of free stones from `least` on, and each frame, its
/// blocks one after another.
pub struct UnitNeeds {
    least: u32,
    layers: Vec<Vec<Option<Numbers>>>,
}

impl UnitNeeds {
    /// The bytes kept.
    pub fn bytes(&self) -> u64 {
        let numbers = self.layers.iter().flatten().flatten();
        numbers.map(|numbers| (numbers.len() * numbers.slice().width()) as u64).sum()
    }

    /// The needs in one frame with this many free stones.
    pub fn layer(&self, stones: u32, frame: usize) -> Option<&Numbers> {
        self.layers.get(stones.checked_sub(self.least)? as usize)?.get(frame)?.as_ref()
    }
}

/// Frames of a class for 2^`bits` fillings, by their keys: for each number of stones, the blocks.
#[derive(Default)]
struct InputFrames {
    bits: u32,
    frames: HashMap<u64, Vec<Numbers>>,
}

/// The positions after stones on a closed column.
enum OutsideMoves {
    /// Both players' positions, in one run of fillings.
    Together(InputFrames),
    Apart {
        alice: InputFrames,
        bob: InputFrames,
    },
}

impl InputFrames {
    /// The needs of a block.
    fn block<C: Number>(&self, key: u64, stones: u32, index: usize, lanes: usize) -> &[C] {
        let numbers = self.frames.get(&key).and_then(|layers| C::of_size(&layers[stones as usize]));
        let length = lanes << (self.bits + stones);
        numbers.map_or(&[], |numbers| &numbers[index * length..][..length])
    }
}

impl UnitCut {
    /// Computes a unit down to `least` free stones. Keeps the last two layers, and of the others
    /// the frames that other units read.
    pub(super) fn compute(
        &self,
        unit: &UnitId,
        least: u32,
        source: &dyn UnitSource,
        effort: &Effort<'_>,
    ) -> Result<UnitNeeds, UnitFault> {
        effort.check_memory("a unit", self.cost(unit).memory)?;
        let class = self.class(&unit.heights);
        let closed = class.closed.iter().filter(|_| class.fixed < self.question.last()); // leaves lead nowhere
        let moves = closed.map(|closed| self.outside(&class, closed, unit.first, source));
        let task = UnitTask {
            cut: self,
            class: &class,
            first: unit.first,
            moves: &moves.collect::<Result<Vec<_>, UnitFault>>()?,
            effort,
            done: AtomicU64::new(0),
        };
        let mut layers: Vec<Vec<Option<Numbers>>> = Vec::new();
        for stones in (least..=class.most).rev() {
            if let [.., done, _] = &mut layers[..] {
                for (frame, numbers) in class.frames.iter().zip(done) {
                    *numbers = numbers.take().filter(|_| class.is_read(frame.key, &self.depth));
                }
            }
            let next = layers.last().map_or(&[][..], Vec::as_slice);
            layers.push(task.layer(stones, next)?);
        }
        layers.reverse();
        Ok(UnitNeeds { least, layers })
    }

    /// Reads the positions after stones on a closed column.
    fn outside(
        &self,
        class: &UnitClass,
        closed: &ClosedColumn,
        first: u64,
        source: &dyn UnitSource,
    ) -> Result<OutsideMoves, UnitFault> {
        let mut heights = class.heights.clone();
        heights[closed.column] += 1;
        let keys: Vec<u64> = class.frames.iter().map(|frame| frame.key | closed.key).collect();
        let mut inputs = runs(class, closed, first).into_iter().map(|run| self.input(&heights, &keys, run, source));
        let bob = inputs.next().unwrap_or_else(|| Ok(InputFrames::default()))?;
        Ok(match inputs.next() {
            None => OutsideMoves::Together(bob),
            Some(alice) => OutsideMoves::Apart { alice: alice?, bob },
        })
    }

    /// Reads some frames of a run of fillings of a class.
    fn input(
        &self,
        heights: &[u32],
        keys: &[u64],
        run: FillingRun,
        source: &dyn UnitSource,
    ) -> Result<InputFrames, UnitFault> {
        let class = self.class(heights);
        let one = |key: &u64| -> Result<(u64, Vec<Numbers>), UnitFault> {
            let Some((_, frame)) = class.frame(*key) else { return Ok((*key, Vec::new())) };
            let numbers = |(stones, blocks): (u32, &Vec<UnitBlock>)| {
                let count = (blocks.len() << (stones + run.bits)) * self.question.lanes();
                Numbers::zeros(count, self.question.width(class.fixed + stones))
            };
            let mut into: Vec<Numbers> = (0..).zip(&frame.layers).map(numbers).collect();
            for (number, part) in run.parts(class.bits).enumerate() {
                self.copy(&FrameCopy { class: &class, frame, part, bits: run.bits, number }, source, &mut into)?;
            }
            Ok((*key, into))
        };
        let frames: Result<HashMap<u64, Vec<Numbers>>, UnitFault> = keys.par_iter().map(one).collect();
        Ok(InputFrames { bits: run.bits, frames: frames? })
    }

    /// Copies a frame of fillings from the unit that contains them.
    fn copy(&self, wanted: &FrameCopy<'_>, source: &dyn UnitSource, into: &mut [Numbers]) -> Result<(), UnitFault> {
        let FrameCopy { class, frame, part, .. } = wanted;
        let lanes = self.question.lanes();
        let unit = self.containing(class, part.first);
        if let Some(winner) = class.winner(unit.first, class.bits) {
            for ((stones, blocks), into) in (0..).zip(&frame.layers).zip(into) {
                let end = |at: usize| self.end(winner, class.fixed + stones, at % lanes);
                each_size!(Numbers, into, into => {
                    for index in 0..blocks.len() {
                        let into = &mut into[wanted.offset(index, stones) * lanes..][..lanes << (part.bits + stones)];
                        into.iter_mut().enumerate().for_each(|(at, to)| *to = Number::of(end(at)));
                    }
                });
            }
            return Ok(());
        }
        let (stored, is_mirrored) = self.stored(&unit);
        let stored_class = self.class(&stored.heights);
        let (key, first) = match is_mirrored {
            true => (self.mirrored_key(frame.key), self.mirrored_filling(class, part.first)),
            false => (frame.key, part.first),
        };
        let offset = (first - stored.first) as usize;
        let numbers = self.read_frame(&stored, &stored_class, key, source)?;
        for ((stones, blocks), (numbers, into)) in (0..).zip(&frame.layers).zip(numbers.iter().zip(into)) {
            let length = lanes << (stones + part.bits);
            for (index, block) in blocks.iter().enumerate() {
                let (from, swaps) = match is_mirrored {
                    true => (self.mirrored_index(&stored_class, block), self.mirrored_bits(class, block, part.bits)),
                    false => (index, Vec::new()),
                };
                let from = ((from << (stones + stored_class.bits)) + (offset << stones)) * lanes;
                let to = wanted.offset(index, stones) * lanes;
                each_size!(Numbers, &mut *into, into => {
                    let from = Number::of_size(numbers).map_or(&[][..], |numbers| &numbers[from..from + length]);
                    exchange(from, &mut into[to..to + length], &swaps, lanes);
                });
            }
        }
        Ok(())
    }

    /// The index of a block's mirror image.
    pub(super) fn mirrored_index(&self, class: &UnitClass, block: &UnitBlock) -> usize {
        let heights: Vec<u32> = block.heights.iter().rev().copied().collect();
        class.locations.get(&heights).expect("a class has the mirror images of its mirror image").index
    }

    /// The bits of a position's number, among 2^`bits` fillings, that the mirror image exchanges
    /// with the next higher ones.
    pub(super) fn mirrored_bits(&self, class: &UnitClass, block: &UnitBlock, bits: u32) -> Vec<u32> {
        let above = |((column, from), to): ((&Vec<u32>, &u32), &u32)| column[*from as usize..*to as usize].to_vec();
        let heights = self.columns.columns.iter().zip(&class.heights).zip(&block.heights);
        let mut free: Vec<u32> = heights.flat_map(above).collect();
        free.sort_unstable();
        let fixed = self.swaps(&class.cells[..bits as usize]).into_iter().map(|at| at + free.len() as u32);
        self.swaps(&free).into_iter().chain(fixed).collect()
    }

    /// The needs of a stored frame by the number of stones.
    pub(super) fn read_frame(
        &self,
        unit: &UnitId,
        class: &UnitClass,
        key: u64,
        source: &dyn UnitSource,
    ) -> Result<Vec<Numbers>, UnitFault> {
        let (_, frame) = class.frame(key).ok_or_else(|| damaged(source, unit, "a frame is missing"))?;
        let sizes = sizes(self, class, frame);
        let length = sizes.iter().map(|(count, width)| count * width).sum();
        let bytes = source.unit(unit)?.frame(key, length).map_err(|error| damaged(source, unit, error))?;
        let mut rest = &bytes[..];
        let mut layers = Vec::with_capacity(sizes.len());
        for (stones, (count, width)) in (class.fixed..).zip(sizes) {
            let (here, after) = rest.split_at(count * width);
            rest = after;
            let mut numbers = Numbers::zeros(count, width);
            let largest = each_size!(Numbers, &mut numbers, numbers => {
                Number::from_bytes(here, numbers);
                numbers.iter().max().map_or(0, |largest| largest.get())
            });
            self.check_range(source, unit, stones, largest)?;
            layers.push(numbers);
        }
        Ok(layers)
    }

    /// A need from its stored frame: the number at `at` of its layer.
    pub(super) fn read_need(
        &self,
        location: &NeedLocation,
        at: usize,
        source: &dyn UnitSource,
    ) -> Result<u64, UnitFault> {
        let NeedLocation { unit, class, frame, stones, .. } = location;
        let frame = &class.frames[*frame];
        let sizes = sizes(self, class, frame);
        let bytes = |sizes: &[(usize, usize)]| sizes.iter().map(|(count, width)| count * width).sum::<usize>();
        let width = sizes[*stones as usize].1;
        let start = bytes(&sizes[..*stones as usize]) + at * width;
        let need = source.unit(unit)?.part(frame.key, bytes(&sizes), start..start + width);
        let need = need.map_err(|error| damaged(source, unit, error))?;
        let need = need.iter().rev().fold(0, |need, byte| need << 8 | u64::from(*byte));
        self.check_range(source, unit, class.fixed + stones, need)?;
        Ok(need)
    }

    /// Refuses a number larger than any need at this many stones.
    fn check_range(&self, source: &dyn UnitSource, unit: &UnitId, stones: u32, largest: u64) -> Result<(), UnitFault> {
        let most = (0..self.question.lanes()).map(|lane| self.question.unreachable(stones, lane)).max();
        if most.is_some_and(|most| largest <= most) {
            Ok(())
        } else {
            Err(damaged(source, unit, "numbers are out of range"))
        }
    }
}

/// The count and the width of a frame's numbers, by the number of stones.
pub(super) fn sizes(cut: &UnitCut, class: &UnitClass, frame: &UnitFrame) -> Vec<(usize, usize)> {
    let size = |(stones, blocks): (u32, &Vec<UnitBlock>)| {
        let count = (blocks.len() << (stones + class.bits)) * cut.question.lanes();
        (count, cut.question.width(class.fixed + stones))
    };
    (0..).zip(&frame.layers).map(size).collect()
}

fn damaged(source: &dyn UnitSource, unit: &UnitId, what: impl ToString) -> UnitFault {
    source.lost(unit, &format!("is damaged: {}", what.to_string()))
}

/// Fillings of the fixed cells: 2^`bits` from `first` on.
#[derive(Clone, Copy)]
pub(super) struct FillingRun {
    pub(super) first: u64,
    pub(super) bits: u32,
}

impl FillingRun {
    /// The parts of it that lie in one unit each, if units have 2^`bits` fillings.
    pub(super) fn parts(self, bits: u32) -> impl Iterator<Item = FillingRun> {
        let bits = bits.min(self.bits);
        (0..1_u64 << (self.bits - bits)).map(move |part| FillingRun { first: self.first + (part << bits), bits })
    }
}

/// The fillings that stones on a closed column lead to: Bob's, and Alice's if they are apart.
pub(super) fn runs(class: &UnitClass, closed: &ClosedColumn, first: u64) -> Vec<FillingRun> {
    if closed.varies {
        return vec![FillingRun { first: 2 * first, bits: class.bits + 1 }];
    }
    let (bob, alice) = successors(closed.bit, first, 0);
    [Some(bob), alice].into_iter().flatten().map(|first| FillingRun { first: first as u64, bits: class.bits }).collect()
}

/// A part of a run of 2^`bits` fillings that is in one unit, in one frame.
struct FrameCopy<'a> {
    class: &'a UnitClass,
    frame: &'a UnitFrame,
    part: FillingRun,
    bits: u32,
    /// The number of the part within the run.
    number: usize,
}

impl FrameCopy<'_> {
    /// The destination of the part of a block.
    fn offset(&self, index: usize, stones: u32) -> usize {
        (index << (self.bits + stones)) + (self.number << (self.part.bits + stones))
    }
}

/// A number with the bits at `swaps` exchanged with the next higher ones.
pub(super) fn exchanged(number: u64, swaps: &[u32]) -> u64 {
    swaps.iter().fold(number, |number, bit| {
        let differ = (number >> bit ^ number >> (bit + 1)) & 1;
        number ^ (differ << bit | differ << (bit + 1))
    })
}

/// Copies numbers to indices with the bits at `swaps` exchanged with the next higher ones.
fn exchange<V: Number>(from: &[V], into: &mut [V], swaps: &[u32], lanes: usize) {
    /// The low bits, whose exchange is looked up.
    const LOW: u32 = 12;
    if swaps.is_empty() {
        return into.copy_from_slice(from);
    }
    let bits = (into.len() / lanes).ilog2();
    // A pair is not split.
    let low = if swaps.contains(&(LOW - 1)) { LOW - 1 } else { LOW }.min(bits);
    let within: Vec<usize> = (0..1 << low).map(|at| exchanged(at, swaps) as usize & ((1 << low) - 1)).collect();
    let high: Vec<u32> = swaps.iter().copied().filter(|bit| *bit >= low).collect();
    for (number, into) in into.chunks_exact_mut(lanes << low).enumerate() {
        let from = &from[exchanged((number as u64) << low, &high) as usize * lanes..][..lanes << low];
        match lanes {
            1 => into.iter_mut().zip(&within).for_each(|(to, at)| *to = from[*at]),
            _ => into
                .chunks_exact_mut(lanes)
                .zip(&within)
                .for_each(|(to, at)| to.copy_from_slice(&from[at * lanes..][..lanes])),
        }
    }
}

/// A unit being computed.
struct UnitTask<'a> {
    cut: &'a UnitCut,
    class: &'a UnitClass,
    first: u64,
    moves: &'a [OutsideMoves],
    effort: &'a Effort<'a>,
    done: AtomicU64,
}

impl UnitTask<'_> {
    /// Computes the needs with this many free stones from those with one more.
    fn layer(&self, stones: u32, next: &[Option<Numbers>]) -> Result<Vec<Option<Numbers>>, Error> {
        let (question, class) = (&self.cut.question, self.class);
        let here = class.fixed + stones;
        let width = question.width(here);
        let below = if here < question.board.cells() { question.width(here + 1) } else { width };
        let numbers = |frame: usize| -> Result<Option<Numbers>, Error> {
            let blocks = class.frames[frame].layers.get(stones as usize).map_or(0, Vec::len);
            let mut into = Numbers::zeros((blocks << (stones + class.bits)) * question.lanes(), width);
            match (below, width) {
                (1, 1) => self.frame::<u8, u8>(stones, frame, next, &mut into),
                (1, 2) => self.frame::<u8, u16>(stones, frame, next, &mut into),
                (2, 2) => self.frame::<u16, u16>(stones, frame, next, &mut into),
                (2, 4) => self.frame::<u16, u32>(stones, frame, next, &mut into),
                (4, 4) => self.frame::<u32, u32>(stones, frame, next, &mut into),
                (4, 8) => self.frame::<u32, u64>(stones, frame, next, &mut into),
                _ => self.frame::<u64, u64>(stones, frame, next, &mut into),
            }?;
            Ok(Some(into))
        };
        (0..class.frames.len()).into_par_iter().map(numbers).collect()
    }

    fn frame<C: Number, V: Number>(
        &self,
        stones: u32,
        frame: usize,
        next: &[Option<Numbers>],
        into: &mut Numbers,
    ) -> Result<(), Error> {
        let into = V::of_size_mut(into).unwrap_or_default();
        match self.cut.question.stake {
            BoardStake::Money => self.blocks::<C, V>(sweep::money, stones, frame, next, into),
            BoardStake::Chips(_) => self.blocks::<C, V>(sweep::chips, stones, frame, next, into),
            BoardStake::Rounded(_) => self.blocks::<C, V>(sweep::rounded, stones, frame, next, into),
        }
    }

    /// Computes the blocks of a frame in parts, on all cores.
    fn blocks<C: Number, V: Number>(
        &self,
        turn: impl Fn(u64, u64) -> u64 + Copy + Sync,
        stones: u32,
        frame: usize,
        next: &[Option<Numbers>],
        into: &mut [V],
    ) -> Result<(), Error> {
        let (question, class) = (&self.cut.question, self.class);
        let lanes = question.lanes();
        let bits = class.bits + stones;
        let part = bits.min(UNIT_BITS.saturating_sub(lanes.ilog2()));
        let nothing = vec![V::ZERO; lanes];
        let bob: Vec<V> = (0..lanes).map(|lane| V::of(question.unreachable(class.fixed + stones, lane))).collect();
        let ends = Ends { alice: &nothing, bob: &bob };
        let is_leaf = question.stake == BoardStake::Rounded(class.fixed + stones);
        let one = |room: &mut TileBuffer<C>, (number, into): (usize, &mut [V])| -> Result<(), Error> {
            self.report(part)?;
            let (index, at) = (number >> (bits - part), ((number & ((1 << (bits - part)) - 1)) as u64) << part);
            let block = &class.frames[frame].layers[stones as usize][index];
            let start = (self.first << stones) + at;
            if is_leaf {
                let lines = LeafLines::with_open(&class.board, block.shape, block.open);
                (start..).zip(into).for_each(|(position, to)| *to = V::of(lines.need(position)));
                return Ok(());
            }
            let children = self.children(stones, frame, (index, block), (at, part), next);
            let lines = BlockLines::new(&class.board, block.shape);
            BlockPart { start, bits: part, children: &children, lines: &lines, ends: &ends }.compute(turn, room, into);
            Ok(())
        };
        into.par_chunks_exact_mut(lanes << part)
            .enumerate()
            .map_init(|| TileBuffer::new(lanes), one)
            .try_reduce(|| (), |(), ()| Ok(()))
    }

    /// The needs after every move from a part of a block: 2^`bits` positions from `at` on.
    fn children<'b, C: Number>(
        &'b self,
        stones: u32,
        frame: usize,
        (index, block): (usize, &UnitBlock),
        (at, bits): (u64, u32),
        next: &'b [Option<Numbers>],
    ) -> Vec<Child<'b, C>> {
        let (class, lanes) = (self.class, self.cut.question.lanes());
        let together = |bit: u32, both: &'b [C]| {
            let (bob, alice) = successors(bit, at, bits);
            let bob = &both[bob * lanes..];
            let after = match alice {
                None => PlayerRuns::Together(bob),
                Some(alice) => PlayerRuns::Apart { alice: &both[alice * lanes..], bob },
            };
            Child { bit, after }
        };
        let inside = block.moves.iter().map(|InsideMove { bit, to }| {
            let length = lanes << (stones + 1 + class.bits);
            let numbers = next.get(to.frame).and_then(Option::as_ref).and_then(C::of_size).unwrap_or_default();
            together(*bit, &numbers[to.index * length..][..length])
        });
        let outside = class.closed.iter().zip(self.moves).map(|(closed, moves)| {
            let (key, bit) = (class.frames[frame].key | closed.key, stones + closed.bit);
            match moves {
                OutsideMoves::Together(input) => together(bit, input.block(key, stones, index, lanes)),
                OutsideMoves::Apart { alice, bob } => {
                    let run = |input: &'b InputFrames| &input.block(key, stones, index, lanes)[at as usize * lanes..];
                    Child { bit, after: PlayerRuns::Apart { alice: run(alice), bob: run(bob) } }
                }
            }
        });
        inside.chain(outside).collect()
    }

    /// Reports progress, and stops when cancelled.
    fn report(&self, bits: u32) -> Result<(), Error> {
        let done = self.done.fetch_add(1 << bits, Ordering::Relaxed);
        self.effort.check_cancelled()?;
        if done >> 22 != (done + (1 << bits)) >> 22 {
            let all = self.class.positions << self.class.bits;
            self.effort.watch.progress("positions of a unit", done, Some(all));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_exchanged_within_and_across_what_is_looked_up() {
        for lanes in [1, 3] {
            let from: Vec<u32> = (0..(lanes as u32) << 15).collect();
            for swaps in [&[][..], &[0], &[11], &[12], &[10, 12], &[0, 2, 11, 13]] {
                let mut into = vec![0; from.len()];
                exchange(&from, &mut into, swaps, lanes);
                for (at, found) in into.iter().enumerate() {
                    let mut number = at / lanes;
                    for bit in swaps {
                        let (low, high) = (number >> bit & 1, number >> (bit + 1) & 1);
                        number = number & !(3 << bit) | low << (bit + 1) | high << bit;
                    }
                    assert_eq!(*found as usize, number * lanes + at % lanes, "{swaps:?} {at}");
                }
            }
        }
    }
}
