//! Upper bounds on Alice's need from the lines alone, for the leaves of a search.
//!
//! A *threat* is a line that one stone on an open cell completes. A player with a threat wins at
//! least every second game at random. Threats alone give these bounds, in shares:
//!
//! - both have one: exactly 1/2, because whoever moves wins;
//! - only Alice has one: 1/2, or 3/8 if after the block she can make another threat, or 1/4 if she
//!   has several, because Bob blocks only one;
//! - otherwise, if she can make a threat: 3/4, or 5/8 if Bob has none and cannot prevent it with
//!   one stone; else 1.
//!
//! A threat can be made on a line that lacks two cells, both open. Each bound follows from a
//! strategy: she makes the threat and wins if she moves again; if Bob moves, she keeps at least the
//! remaining value.

use crate::board::LineBoard;
use rayon::prelude::*;
use richman_core::{ByPlayer, Effort, Error, Player, StoredLayer};

use super::ROUNDED_BITS;
use super::shapes::{Shapes, gather};

/// Lines of a shape that lack at most two cells, as bit sets over the shape's cells.
pub struct LeafLines {
    /// For both players: the filled cells of a line that lacks one open cell, and that cell.
    threats: ByPlayer<Vec<(u64, u64)>>,
    /// The filled cells of Alice's lines that lack two open cells, and those cells.
    chances: Vec<(u64, u64)>,
    full: ByPlayer<Vec<u64>>,
}

richman_core::debug_by_name!(LeafLines {});

impl LeafLines {
    /// The lines for one shape.
    pub fn new(board: &LineBoard, shape: u64) -> LeafLines {
        LeafLines::with_open(board, shape, board.open(shape))
    }

    /// The lines for one shape, of which these cells can be played next.
    pub fn with_open(board: &LineBoard, shape: u64, open: u64) -> LeafLines {
        let lacking = |player, count| lacking(board, player, shape, open, count);
        let full = |player: Player| lacking(player, 0).into_iter().map(|(filled, _)| filled).collect();
        LeafLines {
            threats: ByPlayer::from_fn(|player| lacking(player, 1)),
            chances: lacking(Player::Alice, 2),
            full: ByPlayer::from_fn(full),
        }
    }

    /// The upper bound on Alice's need at a position, in units of 2^-[`ROUNDED_BITS`].
    pub fn need(&self, position: u64) -> u64 {
        const EIGHTH: u64 = 1 << (ROUNDED_BITS - 3);
        let hers = |filled: u64| filled & !position == 0;
        let his = |filled: u64| filled & position == 0;
        if self.full.alice.iter().any(|filled| hers(*filled)) {
            return 0;
        }
        if self.full.bob.iter().any(|filled| his(*filled)) {
            return 8 * EIGHTH;
        }
        let alice =
            self.threats.alice.iter().filter(|(filled, _)| hers(*filled)).fold(0, |cells, (_, cell)| cells | cell);
        let bob = self.threats.bob.iter().any(|(filled, _)| his(*filled));
        let chances = || self.chances.iter().filter(|(filled, _)| hers(*filled)).map(|(_, cells)| *cells);
        match (alice.count_ones(), bob) {
            (1.., true) => 4 * EIGHTH,
            (2.., false) => 2 * EIGHTH,
            (1, false) => 4 * EIGHTH - u64::from(chances().any(|cells| cells & alice == 0)) * EIGHTH,
            (_, true) => 8 * EIGHTH - u64::from(chances().next().is_some()) * 2 * EIGHTH,
            (_, false) => {
                let all = chances().fold(None, |common: Option<u64>, cells| Some(common.unwrap_or(cells) & cells));
                match all {
                    None => 8 * EIGHTH,
                    Some(0) => 5 * EIGHTH,
                    Some(_) => 6 * EIGHTH,
                }
            }
        }
    }
}

/// A player's lines that lack exactly `count` cells, all `open`: the filled cells, as bits over the
/// shape's cells, and the missing cells.
pub fn lacking(board: &LineBoard, player: Player, shape: u64, open: u64, count: u32) -> Vec<(u64, u64)> {
    let lines = board.lines(player).iter().map(|line| (line & shape, line & !shape));
    let fits = lines.filter(|(_, empty)| empty.count_ones() == count && empty & !open == 0);
    fits.map(|(filled, empty)| (gather(filled, shape), empty)).collect()
}

/// The upper bound on Alice's need at every position of a layer.
///
/// # Errors
/// [`Error::Cancelled`].
pub fn needs(board: &LineBoard, shapes: &Shapes, stones: u32, effort: &Effort) -> Result<Vec<u16>, Error> {
    let mut needs = vec![0; shapes.len() << stones];
    needs.par_chunks_exact_mut(1 << stones).zip(shapes.sets()).try_for_each(|(into, shape)| {
        effort.check_cancelled()?;
        let leaves = LeafLines::new(board, *shape);
        (0..).zip(into).for_each(|(position, to)| *to = leaves.need(position) as u16);
        Ok::<(), Error>(())
    })?;
    Ok(needs)
}

/// A layer of such bounds, computed on every read.
pub struct LeafLayer {
    board: LineBoard,
    shapes: Shapes,
    stones: u32,
}

richman_core::debug_by_name!(LeafLayer {});

impl LeafLayer {
    /// The layer with this many stones.
    pub fn new(board: LineBoard, shapes: Shapes, stones: u32) -> LeafLayer {
        LeafLayer { board, shapes, stones }
    }
}

impl StoredLayer for LeafLayer {
    fn len(&self) -> u64 {
        (self.shapes.len() as u64) << self.stones
    }

    fn width(&self) -> usize {
        2
    }

    fn read(&self, from: u64, count: usize, into: &mut Vec<u8>) -> Result<(), Error> {
        let mut at = from;
        let end = from + count as u64;
        while at < end {
            let block = at >> self.stones;
            let next = end.min((block + 1) << self.stones);
            let leaves = LeafLines::new(&self.board, self.shapes.sets()[block as usize]);
            let first = block << self.stones;
            into.extend((at..next).flat_map(|number| (leaves.need(number - first) as u16).to_le_bytes()));
            at = next;
        }
        Ok(())
    }
}
