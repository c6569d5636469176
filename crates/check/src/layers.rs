//! Checks every number of a layer of a line board by the rules, given only the next layer.

use std::sync::Arc;

use rayon::prelude::*;
use richman_core::{Error, Player, StoredLayer, Total, Watch, cells};
use richman_lines::board::LineBoard;

/// A wrong number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LayerFault {
    /// The cells with stones.
    pub shape: u64,
    /// Alice's stones: bit i for the i-th lowest of these cells.
    pub number: u64,
    /// The index of the total.
    pub lane: usize,
    /// The claimed number.
    pub claimed: u64,
    /// The number that follows from the next layer.
    pub should_be: u64,
}

/// Positions checked at a time.
const PART: u64 = 1 << 14;

/// Checks every number of the layer with `stones` stones, given the layer with one more. A number
/// is what Alice needs to win, in parts of 2^(open cells) of the money, or in half-steps for each
/// total. Returns the first wrong number, if any.
///
/// Turns are judged by definition. A real-money share x wins iff some bid b leaves enough either
/// way: x - b for the player's best move, x + b for the other's. So 2x must be at least the sum of
/// both needs. With chips, holdings around the claim are tried.
///
/// # Errors
/// [`Error::Storage`] if a layer cannot be read or has the wrong length; [`Error::Cancelled`].
pub fn check_layer(
    board: &LineBoard,
    totals: Option<&[Total]>,
    stones: u32,
    layer: &dyn StoredLayer,
    after: Option<&dyn StoredLayer>,
    watch: &dyn Watch,
) -> Result<Option<LayerFault>, Error> {
    let shapes = shapes(board, stones);
    let next = if stones < board.cells() { shapes_after(board, &shapes, u64::MAX) } else { Vec::new() };
    let lanes = totals.map_or(1, <[Total]>::len);
    let numbers = |shapes: &[u64], stones: u32| ((shapes.len() as u64) << stones) * lanes as u64;
    let complete = layer.len() == numbers(&shapes, stones)
        && (next.is_empty() || after.is_some_and(|after| after.len() == numbers(&next, stones + 1)));
    if !complete {
        let what = format!("the layers of {stones} and {} stones do not have the numbers of this board", stones + 1);
        return Err(Error::Storage { what });
    }
    let part = PART.min(1 << stones);
    let parts = (shapes.len() as u64) << stones >> part.ilog2();
    let task = BoardCheck { board, totals, lanes, stones, layer, after, next: &next };
    let one = |at: u64| -> Result<Option<LayerFault>, Error> {
        if watch.cancelled() {
            return Err(Error::Cancelled);
        }
        watch.progress("positions of a layer checked", at * part, Some(parts * part));
        let first = at * part;
        task.part(shapes[(first >> stones) as usize], first & ((1 << stones) - 1), part, first)
    };
    let fault = (0..parts).into_par_iter().map(one).find_map_first(|found| match found {
        Ok(None) => None,
        Ok(Some(fault)) => Some(Ok(fault)),
        Err(error) => Some(Err(error)),
    });
    fault.transpose()
}

struct BoardCheck<'a> {
    board: &'a LineBoard,
    totals: Option<&'a [Total]>,
    lanes: usize,
    stones: u32,
    layer: &'a dyn StoredLayer,
    after: Option<&'a dyn StoredLayer>,
    next: &'a [u64],
}

/// Consecutive numbers of a block, read into memory.
#[derive(Clone)]
struct NumberRun {
    from: u64,
    bytes: Arc<[u8]>,
    width: usize,
    lanes: usize,
}

impl NumberRun {
    fn new(layer: &dyn StoredLayer, lanes: usize, block: u64, from: u64, count: u64) -> Result<NumberRun, Error> {
        let mut bytes = Vec::new();
        layer.read((block + from) * lanes as u64, count as usize * lanes, &mut bytes)?;
        Ok(NumberRun { from, bytes: bytes.into(), width: layer.width(), lanes })
    }

    fn get(&self, position: u64, lane: usize) -> u64 {
        let at = ((position - self.from) as usize * self.lanes + lane) * self.width;
        self.bytes[at..at + self.width].iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
    }
}

impl BoardCheck<'_> {
    /// Checks `count` positions of a shape from `start` on; `first` is the layer's number for it.
    fn part(&self, shape: u64, start: u64, count: u64, first: u64) -> Result<Option<LayerFault>, Error> {
        let here = NumberRun::new(self.layer, self.lanes, first - start, start, count)?;
        let cells: Vec<u32> = (0..64).filter(|cell| shape >> cell & 1 == 1).collect();
        let place = |cell: u32| cells.iter().filter(|other| **other < cell).count() as u32;
        let compact = |line: u64| cells.iter().enumerate().map(|(to, from)| (line >> from & 1) << to).sum::<u64>();
        let lines = Player::BOTH.map(|player| {
            let full = self.board.lines(player).iter().filter(|line| **line & !shape == 0);
            full.map(|line| compact(*line)).collect::<Vec<u64>>()
        });
        // For each cell, the map to the positions after a stone, and the numbers read there.
        let mut children = Vec::new();
        let open = self.board.open(shape);
        for cell in (0..64).filter(|cell| open >> cell & 1 == 1) {
            let after = self.after.ok_or(Error::Storage { what: "the next layer is missing".to_string() })?;
            let block = self
                .next
                .binary_search(&(shape | 1 << cell))
                .map_err(|_| Error::Storage { what: "the shapes of the board do not fit together".to_string() })?;
            let p = place(cell);
            let insert = move |x: u64, stone: u64| (x >> p << (p + 1)) | stone << p | (x & ((1 << p) - 1));
            let block = (block as u64) << (self.stones + 1);
            // For a high bit, the positions after Bob's stone are far from those after Alice's.
            let reads = if 1_u64 << p >= count {
                let read = |stone: u64| NumberRun::new(after, self.lanes, block, insert(start, stone), count);
                [read(0)?, read(1)?]
            } else {
                let both = NumberRun::new(after, self.lanes, block, insert(start, 0), 2 * count)?;
                [both.clone(), both]
            };
            children.push((insert, reads));
        }
        for offset in 0..count {
            let x = start + offset;
            let alice_won = lines[0].iter().any(|line| line & !x == 0);
            let bob_won = lines[1].iter().any(|line| line & x == 0);
            for lane in 0..self.lanes {
                let unreachable = match self.totals {
                    None => 1 << (self.board.cells() - self.stones),
                    Some(totals) => u64::from(totals[lane].unreachable()),
                };
                let claimed = here.get(x, lane);
                let should_be = if alice_won {
                    0
                } else if bob_won || children.is_empty() {
                    unreachable
                } else {
                    let after = |stone: u64| {
                        children.iter().map(move |(insert, reads)| reads[stone as usize].get(insert(x, stone), lane))
                    };
                    let (least, most) = (after(1).min().unwrap_or(0), after(0).max().unwrap_or(0));
                    match self.totals {
                        None => least + most,
                        Some(totals) => by_holdings(totals[lane], least, most, claimed),
                    }
                };
                if claimed != should_be {
                    return Ok(Some(LayerFault { shape, number: x, lane, claimed, should_be }));
                }
            }
        }
        Ok(None)
    }
}

/// The claim, if it suffices and a half-step less does not; else the least half-steps that suffice.
pub(crate) fn by_holdings(total: Total, alice: u64, bob: u64, claimed: u64) -> u64 {
    let end = u64::from(total.unreachable());
    let fits = claimed <= end
        && (claimed == end || suffices(total, claimed, alice, bob))
        && (claimed == 0 || !suffices(total, claimed - 1, alice, bob));
    if fits { claimed } else { (0..end).find(|held| suffices(total, *held, alice, bob)).unwrap_or(end) }
}

/// Whether `held` half-steps give Alice a bid that is good against every bid and use of the star,
/// given what she needs after her best move and after Bob's.
fn suffices(total: Total, held: u64, alice: u64, bob: u64) -> bool {
    let (chips, star) = (held / 2, held % 2);
    // The winner of a bid decides who moves.
    let (best, worst) = (alice.min(bob), alice.max(bob));
    let bobs = u64::from(total.chips()).saturating_sub(chips);
    (0..=chips).any(|bid| {
        let wins = 2 * (chips - bid) + star >= best;
        let outbid = bid == bobs.max(bid) || 2 * (chips + bid + 1) + star >= worst;
        // In a tie the star's holder uses it and hands it over, or keeps it.
        let tie = match star {
            1 => 2 * (chips - bid) >= best || 2 * (chips + bid) + 1 >= worst,
            _ => 2 * (chips - bid) >= best && 2 * (chips + bid) + 1 >= worst,
        };
        // She must be content with winning against lower bids, if any. Higher bids of Bob only
        // leave her more.
        (bid == 0 || wins) && outbid && (bid > bobs || tie)
    })
}

/// The possible sets of so many filled cells, ascending.
fn shapes(board: &LineBoard, stones: u32) -> Vec<u64> {
    let mut sets = vec![0];
    for _ in 0..stones {
        sets = shapes_after(board, &sets, u64::MAX);
    }
    sets
}

/// The sets with one more filled cell of `among`, ascending.
pub(crate) fn shapes_after(board: &LineBoard, sets: &[u64], among: u64) -> Vec<u64> {
    let next = |set: &u64| {
        let set = *set;
        cells(board.open(set) & among).map(move |cell| set | cell)
    };
    let mut sets: Vec<u64> = sets.iter().flat_map(next).collect();
    sets.sort_unstable();
    sets.dedup();
    sets
}
