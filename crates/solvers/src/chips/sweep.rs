//! The thresholds of the start for many totals at once.
//!
//! Blocks of totals run on all cores. In a block, a position's row holds one lane of totals for
//! each quantity. The least of Alice's moves, the greatest of Bob's and the turn are then loops
//! over flat slices of small integers, which compile to vector instructions.

use std::collections::VecDeque;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use richman_core::{Arena, Effort, Error, Groups, Mechanism, Node, Player, Terminal, Threshold, Thresholds, Total};

use super::local;
use crate::registry;
use crate::rounds::{fold, predecessors};

/// Totals in a block: enough for full vectors, few enough for a row of a few cache lines.
const BLOCK: u32 = 64;

/// The thresholds of the start of `arena` for each of `totals`, in order.
///
/// With [`Effort::within`], every total is solved separately by [`solve`](super::solve).
///
/// # Errors
/// [`Error::Unsupported`] if the mechanism is not served; [`Error::TooMuchMemory`];
/// [`Error::Cancelled`].
pub fn table(
    arena: &Arena,
    mechanism: &Mechanism,
    totals: RangeInclusive<Total>,
    effort: &Effort,
) -> Result<Vec<Thresholds>, Error> {
    registry::chips(mechanism)?;
    let (first, last) = (totals.start().chips(), totals.end().chips());
    let count = u64::from((last + 1).saturating_sub(first));
    effort.check_memory("the table", count.saturating_mul(size_of::<Thresholds>() as u64))?;
    if effort.within.is_some() {
        let one = |k| Ok(super::solve(arena, mechanism, Total::new(k)?, effort)?.thresholds(arena.start()));
        return (first..=last).into_par_iter().map(one).collect();
    }
    #[cfg(feature = "faults")]
    let arena = &*crate::fault::arena(arena);
    effort.check_memory("the order of the positions", arena.bytes_to_order())?;
    let predecessors = if arena.is_acyclic() { None } else { Some(predecessors(arena, effort)?) };
    let held = effort.held + predecessors.as_ref().map_or(0, Groups::bytes);
    let effort = &Effort { held, ..*effort };
    // The widest row has four lanes of 4 bytes for each total.
    let per_total = arena.len() as u64 * 16 * rayon::current_num_threads() as u64;
    effort.check_memory("one total", per_total)?;
    let width = (effort.memory_left() / per_total.max(1)).clamp(1, u64::from(BLOCK));
    let blocks: Vec<TotalBlock> = (first..=last)
        .step_by(width as usize)
        .map(|start| TotalBlock { first: start, width: width.min(u64::from(last + 1 - start)) as usize })
        .collect();
    let done = AtomicU64::new(0);
    let solved: Result<Vec<Vec<Thresholds>>, Error> = blocks
        .par_iter()
        .map(|&block| {
            let rows = block.solve(arena, mechanism, predecessors.as_ref(), effort);
            let done = done.fetch_add(block.width as u64, Ordering::Relaxed) + block.width as u64;
            effort.watch.progress("totals", done, Some(count));
            rows
        })
        .collect();
    Ok(solved?.concat())
}

/// Consecutive totals solved together.
#[derive(Clone, Copy)]
struct TotalBlock {
    first: u32,
    width: usize,
}

impl TotalBlock {
    fn solve(
        self,
        arena: &Arena,
        mechanism: &Mechanism,
        predecessors: Option<&Groups<Node>>,
        effort: &Effort,
    ) -> Result<Vec<Thresholds>, Error> {
        // 2 x (total + 1) half-steps must fit, and sums are of two halves.
        let small = 2 * (u64::from(self.first) + self.width as u64 + 1) <= i16::MAX as u64;
        match mechanism.is_develin_payne() {
            true if small => self.chooses::<i16>(arena, predecessors, effort),
            true => self.chooses::<i32>(arena, predecessors, effort),
            false => {
                let side = |player| {
                    let kernel = General { block: self, mechanism, player };
                    sweep(arena, player, 2 * self.width, &kernel, predecessors, effort)
                };
                let (alice, bob) = (side(Player::Alice)?, side(Player::Bob)?);
                let at = |row: &[u32], i| Threshold { plain: row[i], star: row[self.width + i] };
                Ok(self
                    .totals()
                    .enumerate()
                    .map(|(i, total)| Thresholds { win: at(&alice, i), draw: at(&bob, i).opposite(total) })
                    .collect())
            }
        }
    }

    fn totals(self) -> impl Iterator<Item = Total> {
        (0..self.width).filter_map(move |i| Total::new(self.first + i as u32).ok())
    }

    fn chooses<C: Cell>(
        self,
        arena: &Arena,
        predecessors: Option<&Groups<Node>>,
        effort: &Effort,
    ) -> Result<Vec<Thresholds>, Error> {
        let kernel = ChooserThresholds { unreachable: self.totals().map(|total| C::of(total.unreachable())).collect() };
        let row = sweep(arena, Player::Alice, 2 * self.width, &kernel, predecessors, effort)?;
        let (win, draw) = row.split_at(self.width);
        let at = |cell: &C| Threshold::at(cell.half_steps());
        Ok(win.iter().zip(draw).map(|(win, draw)| Thresholds { win: at(win), draw: at(draw) }).collect())
    }
}

trait Kernel: Sync {
    type Cell: Copy + Ord + Default + Send;

    /// The row where the game ended, or the initial row of a position on a cycle (`None`).
    fn end(&self, end: Option<Terminal>, row: &mut [Self::Cell]);

    /// The row of a position, from the least row of one player's moves and the greatest of the
    /// other's.
    fn turn(&self, least: &[Self::Cell], greatest: &[Self::Cell], row: &mut [Self::Cell]);
}

/// Solves all positions for a block, in rows of `width` cells; returns the row of the start. Takes
/// the least over the moves of `player`, the greatest over the other player's.
fn sweep<K: Kernel>(
    arena: &Arena,
    player: Player,
    width: usize,
    kernel: &K,
    predecessors: Option<&Groups<Node>>,
    effort: &Effort,
) -> Result<Vec<K::Cell>, Error> {
    const CELLS: usize = 1 << 14;
    let between_checks = (CELLS / width.max(1)).clamp(1, 1 << 8);
    let mut sweep = Sweep {
        arena,
        player,
        width,
        kernel,
        rows: vec![K::Cell::default(); arena.len() * width],
        least: vec![K::Cell::default(); width],
        greatest: vec![K::Cell::default(); width],
        row: vec![K::Cell::default(); width],
    };
    let components = arena.components();
    let mut queued = vec![false; if predecessors.is_some() { arena.len() } else { 0 }];
    let mut evaluated = 0usize;
    let mut count = |by: usize| {
        evaluated += by;
        if evaluated.is_multiple_of(between_checks) { effort.check_cancelled() } else { Ok(()) }
    };
    for component in 0..components.len() {
        let nodes = components.nodes(component);
        match predecessors {
            Some(predecessors) if components.is_cyclic(component) => {
                let mut queue: VecDeque<Node> = nodes.iter().copied().collect();
                for &node in nodes {
                    sweep.set_end(node, None);
                    queued[node as usize] = true;
                }
                while let Some(node) = queue.pop_front() {
                    queued[node as usize] = false;
                    count(1)?;
                    if sweep.evaluate(node) {
                        for &before in predecessors.get(node as usize) {
                            let inside = components.component(before) as usize == component;
                            if inside && !std::mem::replace(&mut queued[before as usize], true) {
                                queue.push_back(before);
                            }
                        }
                    }
                }
            }
            _ => {
                for &node in nodes {
                    count(1)?;
                    match arena.terminal(node) {
                        Some(end) => sweep.set_end(node, Some(end)),
                        None => {
                            sweep.evaluate(node);
                        }
                    }
                }
            }
        }
    }
    let start = arena.start() as usize;
    Ok(sweep.rows[start * width..(start + 1) * width].to_vec())
}

struct Sweep<'a, K: Kernel> {
    arena: &'a Arena,
    player: Player,
    width: usize,
    kernel: &'a K,
    rows: Vec<K::Cell>,
    least: Vec<K::Cell>,
    greatest: Vec<K::Cell>,
    row: Vec<K::Cell>,
}

impl<K: Kernel> Sweep<'_, K> {
    fn set_end(&mut self, node: Node, end: Option<Terminal>) {
        let width = self.width;
        self.kernel.end(end, &mut self.rows[node as usize * width..(node as usize + 1) * width]);
    }

    /// Recomputes the row of a position from its successors; returns whether it changed.
    fn evaluate(&mut self, node: Node) -> bool {
        let Sweep { arena, player, width, ref rows, .. } = *self;
        let row_of = |node: Node| &rows[node as usize * width..(node as usize + 1) * width];
        fold(arena.moves(node, player), row_of, &mut self.least, Ord::min);
        fold(arena.moves(node, player.other()), row_of, &mut self.greatest, Ord::max);
        match arena.owner(node) {
            None => self.kernel.turn(&self.least, &self.greatest, &mut self.row),
            Some(owner) => self.row.copy_from_slice(if owner == player { &self.least } else { &self.greatest }),
        }
        let old = &mut self.rows[node as usize * width..(node as usize + 1) * width];
        if *old == *self.row {
            return false;
        }
        old.copy_from_slice(&self.row);
        true
    }
}

/// Half-steps in a vector lane, signed because old vector units compare only signed integers.
trait Cell: Copy + Ord + Default + Send + Sync {
    fn of(half_steps: u32) -> Self;
    fn half_steps(self) -> u32;
    /// ceil(low / 2) + floor(high / 2)
    fn turn(self, other: Self) -> Self;
}

macro_rules! cell {
    ($type:ty) => {
        impl Cell for $type {
            fn of(half_steps: u32) -> Self {
                half_steps as $type
            }

            fn half_steps(self) -> u32 {
                self as u32
            }

            fn turn(self, other: Self) -> Self {
                #[cfg(feature = "faults")]
                if let Some(wrong) = crate::fault::half_steps(self.half_steps(), other.half_steps()) {
                    return Self::of(wrong);
                }
                let (low, high) = (self.min(other), self.max(other));
                low - (low >> 1) + (high >> 1)
            }
        }
    };
}

cell!(i16);
cell!(i32);

/// Win thresholds, then draw thresholds, in half-steps, by the formula of [`super`].
struct ChooserThresholds<C> {
    unreachable: Vec<C>,
}

impl<C: Cell> Kernel for ChooserThresholds<C> {
    type Cell = C;

    fn end(&self, end: Option<Terminal>, row: &mut [C]) {
        let (win, draw) = row.split_at_mut(self.unreachable.len());
        let set = |cells: &mut [C], reached: bool| {
            if reached { cells.fill(C::of(0)) } else { cells.copy_from_slice(&self.unreachable) }
        };
        set(win, end == Some(Terminal::Win(Player::Alice)));
        set(draw, end != Some(Terminal::Win(Player::Bob)));
    }

    fn turn(&self, least: &[C], greatest: &[C], row: &mut [C]) {
        for ((cell, &alice), &bob) in row.iter_mut().zip(least).zip(greatest) {
            *cell = alice.turn(bob);
        }
    }
}

/// One player's win thresholds under any mechanism: the least chips without the star, then with it.
struct General<'m> {
    block: TotalBlock,
    mechanism: &'m Mechanism,
    player: Player,
}

impl Kernel for General<'_> {
    type Cell = u32;

    fn end(&self, end: Option<Terminal>, row: &mut [u32]) {
        let (plain, star) = row.split_at_mut(self.block.width);
        for (i, total) in self.block.totals().enumerate() {
            let reached = end == Some(Terminal::Win(self.player));
            let value = if reached { Threshold::NOTHING } else { Threshold::unreachable(total) };
            (plain[i], star[i]) = (value.plain, value.star);
        }
    }

    fn turn(&self, least: &[u32], greatest: &[u32], row: &mut [u32]) {
        let width = self.block.width;
        let at = |row: &[u32], i: usize| Threshold { plain: row[i], star: row[width + i] };
        for (i, total) in self.block.totals().enumerate() {
            let value = local::turn(self.mechanism, self.player, total, at(least, i), at(greatest, i));
            (row[i], row[width + i]) = (value.plain, value.star);
        }
    }
}
