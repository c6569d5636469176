//! Solves a board layer by layer from files: a task is a part of a large block, or small blocks.

use std::collections::HashMap;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};

use rayon::prelude::*;
use richman_core::{Effort, Number, cells};
use richman_lines::board::LineBoard;
use richman_lines::engine::{BoardQuestion, BoardStake, Layers, Shapes};

use crate::board::Size;
use crate::store::{Counts, pack, thread_time, unpack};
use crate::sweep::{self, BlockLines, BlockPart, Child, Ends, PlayerRuns, TileBuffer};

/// A part of a block in a file.
struct Place {
    path: Arc<PathBuf>,
    start: u64,
    chunks: Vec<u32>,
}

/// The number of a block in its layer, and of a part in the block.
type Part = (usize, u64);

pub struct ByLayers<'a> {
    size: Size,
    board: LineBoard,
    shapes: Vec<Shapes>,
    /// The bits of a position's number within a task.
    bits: u32,
    folder: &'a Path,
    chunk: usize,
    pub counts: Counts,
    /// Bytes that would be read if each block forgot what the others of its task read.
    pub asked: AtomicU64,
}

impl<'a> ByLayers<'a> {
    pub fn new(size: Size, bits: u32, folder: &'a Path, chunk: usize) -> ByLayers<'a> {
        let board = size.natural();
        let question = BoardQuestion { board: board.clone(), stake: BoardStake::Money };
        let shapes = Layers::new(question, Effort::default()).expect("fits").shapes().to_vec();
        ByLayers { size, board, shapes, bits, folder, chunk, counts: Counts::default(), asked: AtomicU64::default() }
    }

    /// Solves the board; returns the need at the start.
    pub fn solve(&self) -> u64 {
        let mut below = HashMap::new();
        for stones in (0..self.shapes.len() as u32).rev() {
            let all = self.size.cells() - stones;
            let next = if all == 0 { self.size.width(stones) } else { self.size.width(stones + 1) };
            let here = match (next, self.size.width(stones)) {
                (1, 1) => self.layer::<u8, u8>(stones, &below),
                (1, 2) => self.layer::<u8, u16>(stones, &below),
                (2, 2) => self.layer::<u16, u16>(stones, &below),
                (2, 4) => self.layer::<u16, u32>(stones, &below),
                (4, 4) => self.layer::<u32, u32>(stones, &below),
                _ => unreachable!("boards of at most 31 cells"),
            };
            let mut old: Vec<Arc<PathBuf>> = below.into_values().map(|place: Place| place.path).collect();
            old.sort_unstable();
            old.dedup();
            old.iter().for_each(|path| std::fs::remove_file(&**path).expect("a task is removed"));
            below = here;
        }
        self.read::<u32>(&below[&(0, 0)], 1)[0].into()
    }

    fn read<C: Number>(&self, place: &Place, count: usize) -> Vec<C> {
        let mut packed = vec![0; place.chunks.iter().sum::<u32>() as usize];
        File::open(&*place.path).and_then(|file| file.read_exact_at(&mut packed, place.start)).expect("a block");
        let start = thread_time();
        let bytes = unpack(&packed, &place.chunks, count * size_of::<C>(), self.chunk);
        let mut numbers = vec![C::ZERO; count];
        C::from_bytes(&bytes, &mut numbers);
        Counts::add(&self.counts.unpacking, thread_time() - start);
        Counts::add(&self.counts.read, bytes.len() as u64);
        Counts::add(&self.counts.packed_read, (packed.len() + 8 * place.chunks.len()) as u64);
        Counts::add(&self.counts.files_read, 1);
        numbers
    }

    fn layer<C: Number, V: Number>(&self, stones: u32, below: &HashMap<Part, Place>) -> HashMap<Part, Place> {
        let bits = stones.min(self.bits);
        let parts = 1_u64 << (stones - bits);
        let blocks = self.shapes[stones as usize].len();
        let all: Vec<Part> = (0..blocks).flat_map(|block| (0..parts).map(move |part| (block, part))).collect();
        let tasks: Vec<&[Part]> = all.chunks(1 << (self.bits - bits)).collect();
        let found = Mutex::new(HashMap::new());
        tasks.par_iter().enumerate().with_max_len(1).for_each(|(number, parts)| {
            let path = Arc::new(self.folder.join(format!("{stones}-{number}")));
            let mut file = Vec::new();
            let mut places = Vec::new();
            let mut cache = HashMap::new();
            let mut room = TileBuffer::new(1);
            let mut numbers = vec![V::ZERO; 1 << bits];
            for part in *parts {
                self.block::<C, V>(stones, *part, below, &mut cache, &mut room, &mut numbers);
                if parts.len() == 1 {
                    cache.clear();
                }
                let mut bytes = Vec::new();
                V::to_bytes(&numbers, &mut bytes);
                let (start, began) = (file.len() as u64, thread_time());
                let chunks = pack(&bytes, self.chunk, &mut file);
                Counts::add(&self.counts.packing, thread_time() - began);
                Counts::add(&self.counts.written, bytes.len() as u64);
                Counts::add(&self.counts.packed_written, 8 * chunks.len() as u64);
                places.push((*part, Place { path: Arc::clone(&path), start, chunks }));
            }
            Counts::add(&self.counts.packed_written, file.len() as u64);
            Counts::add(&self.counts.tasks, 1);
            Counts::add(&self.counts.positions, (parts.len() as u64) << bits);
            std::fs::write(&*path, &file).expect("a task is written");
            found.lock().expect("no panic").extend(places);
        });
        found.into_inner().expect("no panic")
    }

    /// Computes a part of a block.
    fn block<C: Number, V: Number>(
        &self,
        stones: u32,
        (block, part): Part,
        below: &HashMap<Part, Place>,
        cache: &mut HashMap<Part, Arc<Vec<C>>>,
        room: &mut TileBuffer<C>,
        into: &mut [V],
    ) {
        let bits = stones.min(self.bits);
        let shape = self.shapes[stones as usize].sets()[block];
        let start = part << bits;
        let next = (stones + 1).min(self.bits);
        let mut get = |block: usize, from: u64, length: u64| -> Arc<Vec<C>> {
            let parts = from >> next..(from + length).div_ceil(1 << next);
            Counts::add(&self.asked, (parts.end - parts.start) * size_of::<C>() as u64 * (1 << next));
            let mut one = |part: u64| {
                let read = || Arc::new(self.read::<C>(&below[&(block, part)], 1 << next));
                Arc::clone(cache.entry((block, part)).or_insert_with(read))
            };
            if parts.end - parts.start == 1 {
                return one(parts.start);
            }
            Arc::new(parts.flat_map(|part| one(part).to_vec()).collect())
        };
        type Run<C> = Arc<Vec<C>>;
        let runs: Vec<(u32, Run<C>, Option<Run<C>>)> = cells(self.board.open(shape))
            .map(|cell| {
                let block = self.shapes[stones as usize + 1].place(shape | cell).expect("a shape");
                let place = (shape & (cell - 1)).count_ones();
                if place < bits || bits == stones {
                    return (place, get(block, 2 * start, 2 << bits), None);
                }
                let behind = (1 << place) - 1;
                let bob = (start & !behind) << 1 | start & behind;
                (place, get(block, bob, 1 << bits), Some(get(block, bob + (1 << place), 1 << bits)))
            })
            .collect();
        let mut children: Vec<Child<'_, C>> = Vec::new();
        for (place, bob, alice) in &runs {
            let after = match alice {
                None => PlayerRuns::Together(bob),
                Some(alice) => PlayerRuns::Apart { alice, bob },
            };
            children.push(Child { place: *place, after });
        }
        let lines = BlockLines::new(&self.board, shape);
        let ends = Ends { alice: &[V::ZERO], bob: &[V::of(1 << (self.size.cells() - stones))] };
        let decided = BlockPart { start, bits, children: &children, lines: &lines, ends: &ends }.compute(
            sweep::money,
            room,
            into,
        );
        Counts::add(&self.counts.decided, decided);
    }
}
