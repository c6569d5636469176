//! Computes the values of one layer from those of the next.
//!
//! **Index.** The positions with the same cells filled (a *shape*) form a *block*. Bit i of a
//! position's number within it says whether Alice's stone is on the shape's i-th lowest cell. A
//! stone on a cell above p filled cells inserts bit p, so a run of 2^p positions leads to two runs
//! of 2^p in the child's block, one for each player. So values are computed run by run, without
//! looking up successors.
//!
//! **Lines.** A block is computed in *tiles* of consecutive numbers. The high bits are constant in
//! a tile. They rule out some lines for the whole tile; of other lines a set of low bits remains.
//! If nothing remains of a filled line, the game is over throughout the tile and nothing is
//! computed.

use crate::board::LineBoard;
use richman_core::{ByPlayer, Number, Player, subsets};

use super::shapes::gather;

/// The bits of a number within a tile.
pub const TILE_BITS: u32 = 11;

/// The need before a turn in real money, in units of 2^-(open cells), from the least need after a
/// move of Alice and the greatest after one of Bob.
#[inline(always)]
pub fn money(alice: u64, bob: u64) -> u64 {
    #[cfg(feature = "faults")]
    if let Some(wrong) = richman_solvers::fault::extreme(&alice, &bob) {
        return 2 * wrong;
    }
    alice + bob
}

/// The same with chips, in half-steps: [`richman_solvers::chips::local::chooses`] without a
/// division.
#[inline(always)]
pub fn chips(alice: u64, bob: u64) -> u64 {
    #[cfg(feature = "faults")]
    if let Some(wrong) = richman_solvers::fault::half_steps(alice as u32, bob as u32) {
        return wrong.into();
    }
    let (low, high) = (alice.min(bob), alice.max(bob));
    (low - (low >> 1)) + (high >> 1)
}

/// The same in real money with units of a fixed size, rounded up.
#[inline(always)]
pub fn rounded(alice: u64, bob: u64) -> u64 {
    #[cfg(feature = "faults")]
    match richman_solvers::fault::planted() {
        Some(richman_solvers::fault::Fault::FloorForCeiling) => return (alice + bob) >> 1,
        _ => {
            if let Some(wrong) = richman_solvers::fault::extreme(&alice, &bob) {
                return *wrong;
            }
        }
    }
    (alice + bob + 1) >> 1
}

/// The values after the moves onto one cell.
pub struct Child<'a, C> {
    /// The number of filled cells with lower numbers.
    pub bit: u32,
    pub after: PlayerRuns<'a, C>,
}

/// The runs of both players.
pub enum PlayerRuns<'a, C> {
    /// Separate runs, longer than the part of the block at hand.
    Apart { alice: &'a [C], bob: &'a [C] },
    /// Alternating runs, Bob's first.
    Together(&'a [C]),
}

/// The start, in the next block, of the successors of 2^`bits` positions from `start` on by a stone
/// above `bit` filled cells: by Bob's stone, and by Alice's unless they alternate.
pub fn successors(bit: u32, start: u64, bits: u32) -> (usize, Option<usize>) {
    if bit < bits {
        return (2 * start as usize, None);
    }
    let behind = (1_u64 << bit) - 1;
    let bob = (((start & !behind) << 1) | (start & behind)) as usize;
    (bob, Some(bob + (1 << bit)))
}

/// The lines of a board, as bit sets over one block.
pub struct BlockLines {
    /// Each player's completely filled lines.
    full: ByPlayer<Vec<u64>>,
    /// The filled cells of each of Alice's lines.
    alice: Vec<u64>,
}

impl BlockLines {
    pub fn new(board: &LineBoard, shape: u64) -> BlockLines {
        let part = |lines: &mut dyn Iterator<Item = &u64>| {
            let mut parts: Vec<u64> = lines.map(|line| gather(line & shape, shape)).collect();
            parts.sort_unstable();
            parts.dedup();
            parts
        };
        BlockLines {
            full: ByPlayer::from_fn(|player| part(&mut board.lines(player).iter().filter(|line| **line & !shape == 0))),
            alice: part(&mut board.lines(Player::Alice).iter()),
        }
    }
}

/// The values of finished games, one for each lane.
pub struct Ends<'a, V> {
    /// Alice has a line: she needs nothing.
    pub alice: &'a [V],
    /// Bob has a line, or the board is full without one: the unreachable value.
    pub bob: &'a [V],
}

/// A part of a block: 2^`bits` positions from `start` on, each with one value per lane.
pub struct BlockPart<'a, C, V> {
    pub start: u64,
    pub bits: u32,
    pub children: &'a [Child<'a, C>],
    pub lines: &'a BlockLines,
    pub ends: &'a Ends<'a, V>,
}

/// Buffers for one tile.
pub struct TileBuffer<C> {
    low: Vec<C>,
    high: Vec<C>,
    left: Vec<u64>,
}

impl<C: Number> TileBuffer<C> {
    pub fn new(lanes: usize) -> TileBuffer<C> {
        let size = lanes << TILE_BITS;
        TileBuffer { low: vec![C::ZERO; size], high: vec![C::ZERO; size], left: Vec::new() }
    }
}

impl<C: Number, V: Number> BlockPart<'_, C, V> {
    /// Computes the part; returns how many of its positions were decided without computing.
    pub fn compute(&self, turn: impl Fn(u64, u64) -> u64 + Copy, room: &mut TileBuffer<C>, into: &mut [V]) -> u64 {
        let lanes = self.ends.bob.len();
        let tile_bits = self.bits.min(TILE_BITS);
        let mut decided = 0;
        for (number, tile) in into.chunks_exact_mut(lanes << tile_bits).enumerate() {
            let offset = (number as u64) << tile_bits;
            if !self.tile(turn, offset, tile_bits, room, tile) {
                decided += 1 << tile_bits;
            }
        }
        decided
    }

    /// Computes one tile, or finds it decided.
    fn tile(
        &self,
        turn: impl Fn(u64, u64) -> u64,
        offset: u64,
        bits: u32,
        room: &mut TileBuffer<C>,
        into: &mut [V],
    ) -> bool {
        let lanes = self.ends.bob.len();
        let within = (1_u64 << bits) - 1;
        let at = self.start + offset;
        let alice_has = |line: u64| line & !within & !at == 0;
        let bob_has = |line: u64| line & !within & at == 0;
        let whole = |value: &[V], into: &mut [V]| fill(into, value, within, 0);
        let ByPlayer { alice: alice_full, bob: bob_full } = &self.lines.full;
        if !self.lines.alice.iter().any(|line| alice_has(*line)) {
            whole(self.ends.bob, into);
            return false;
        }
        if alice_full.iter().any(|line| line & within == 0 && alice_has(*line)) {
            whole(self.ends.alice, into);
            return false;
        }
        let bob_over = bob_full.iter().any(|line| line & within == 0 && bob_has(*line));
        if bob_over || self.children.is_empty() {
            whole(self.ends.bob, into);
        } else {
            let (low, high) = (&mut room.low[..into.len()], &mut room.high[..into.len()]);
            low.fill(C::MAX);
            high.fill(C::ZERO);
            self.children.iter().for_each(|child| child.extremes(lanes, offset, bits, low, high));
            for ((to, low), high) in into.iter_mut().zip(&*low).zip(&*high) {
                *to = V::of(turn(low.get(), high.get()));
            }
        }
        // The remainders of lines that the high bits allow; Alice's come last, so that she counts
        // as the winner if both have a line.
        let mut left = |full: &[u64], has: &dyn Fn(u64) -> bool, fill: &mut dyn FnMut(u64)| {
            room.left.clear();
            room.left.extend(full.iter().filter(|line| has(**line)).map(|line| *line & within));
            room.left.sort_unstable();
            room.left.dedup();
            room.left.iter().for_each(|line| fill(*line));
        };
        if !bob_over {
            left(bob_full, &bob_has, &mut |line| fill(into, self.ends.bob, within & !line, 0));
        }
        left(alice_full, &alice_has, &mut |line| fill(into, self.ends.alice, within & !line, line));
        !bob_over
    }
}

impl<C: Number> Child<'_, C> {
    /// Updates the least value after Alice's moves and the greatest after Bob's with this child.
    fn extremes(&self, lanes: usize, offset: u64, bits: u32, low: &mut [C], high: &mut [C]) {
        match self.after {
            PlayerRuns::Apart { alice, bob } => {
                let from = offset as usize * lanes;
                least(low, &alice[from..from + low.len()]);
                greatest(high, &bob[from..from + high.len()]);
            }
            PlayerRuns::Together(both) if self.bit >= bits => {
                let behind = (1_u64 << self.bit) - 1;
                let bob = (((offset & !behind) << 1) | (offset & behind)) as usize * lanes;
                let alice = bob + (lanes << self.bit);
                least(low, &both[alice..alice + low.len()]);
                greatest(high, &both[bob..bob + high.len()]);
            }
            PlayerRuns::Together(both) => {
                let from = 2 * offset as usize * lanes;
                let both = &both[from..from + 2 * low.len()];
                match lanes << self.bit {
                    1 => short::<C, 1>(both, low, high),
                    2 => short::<C, 2>(both, low, high),
                    4 => short::<C, 4>(both, low, high),
                    8 => short::<C, 8>(both, low, high),
                    run => {
                        let runs = low.chunks_exact_mut(run).zip(high.chunks_exact_mut(run));
                        for ((low, high), both) in runs.zip(both.chunks_exact(2 * run)) {
                            let (bob, alice) = both.split_at(run);
                            least(low, alice);
                            greatest(high, bob);
                        }
                    }
                }
            }
        }
    }
}

/// For runs so short that a constant length helps the compiler.
fn short<C: Number, const RUN: usize>(both: &[C], low: &mut [C], high: &mut [C]) {
    let runs = low.as_chunks_mut::<RUN>().0.iter_mut().zip(high.as_chunks_mut::<RUN>().0);
    for ((low, high), both) in runs.zip(both.chunks_exact(2 * RUN)) {
        for at in 0..RUN {
            let (bob, alice) = (both[at], both[RUN + at]);
            (low[at], high[at]) = (low[at].min(alice), high[at].max(bob));
        }
    }
}

fn least<C: Number>(into: &mut [C], from: &[C]) {
    into.iter_mut().zip(from).for_each(|(to, from)| *to = (*to).min(*from));
}

fn greatest<C: Number>(into: &mut [C], from: &[C]) {
    into.iter_mut().zip(from).for_each(|(to, from)| *to = (*to).max(*from));
}

/// Writes `value` to every position that equals `base` outside the bits `free`.
fn fill<V: Number>(into: &mut [V], value: &[V], free: u64, base: u64) {
    let lanes = value.len();
    // Writing many short runs is slow, so 64 numbers at once are clamped: to the value where it is
    // written, and to all numbers elsewhere.
    if let [one] = value
        && free & 63 != 63
        && into.len() >= 64
    {
        let (mut low, mut high) = ([V::ZERO; 64], [V::MAX; 64]);
        for (at, (low, high)) in (0_u8..).zip(low.iter_mut().zip(&mut high)) {
            if (at ^ base as u8) & !free as u8 & 63 == 0 {
                (*low, *high) = (*one, *one);
            }
        }
        let chunks = into.as_chunks_mut::<64>().0;
        for at in subsets(free >> 6) {
            let chunk = &mut chunks[(at | base >> 6) as usize];
            greatest(chunk, &low);
            least(chunk, &high);
        }
        return;
    }
    let run = 1_u64 << free.trailing_ones();
    for at in subsets(free & !(run - 1)) {
        let from = (at | base) as usize;
        let to = &mut into[from * lanes..(from + run as usize) * lanes];
        match value {
            [one] => to.fill(*one),
            _ => to.chunks_exact_mut(lanes).for_each(|to| to.copy_from_slice(value)),
        }
    }
}
