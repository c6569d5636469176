//! What Alice needs at most, from a look at the lines: the ends of a search that does not go on to the end of the game.
//!
//! With a *threat*, a line that one stone on an open cell completes, a player wins every second game at random. What is known from threats alone, in shares:
//!
//! - both have one: 1/2, exactly, whoever moves wins;
//! - only Alice has, more than one: 1/4, since Bob blocks one; a single one: 1/2, or 3/8 where after the block she can make another threat;
//! - otherwise, where she can make a threat: 3/4, or, where Bob has none and cannot prevent it with one stone, 5/8; else 1.
//!
//! A threat can be made where a line lacks two cells that are both open. Every statement is a strategy: she makes the threat, wins by it where she moves again, and has at least what is
//! left where Bob does.

use crate::board::LineBoard;
use rayon::prelude::*;
use richman_core::{Effort, Error, Player, StoredLayer};

use super::ROUNDED_BITS;
use super::shapes::{Shapes, gather};

/// Lines that lack one or two cells, as sets of the bits of a shape's positions.
pub struct Leaves {
    /// For both players: the filled cells of a line that lacks one open cell, and that cell.
    threats: [Vec<(u64, u64)>; 2],
    /// The filled cells of Alice's lines that lack two open cells, and those cells.
    chances: Vec<(u64, u64)>,
    /// The lines all of whose cells are filled.
    full: [Vec<u64>; 2],
}

impl Leaves {
    /// Those of the positions of one shape.
    pub fn new(board: &LineBoard, shape: u64) -> Leaves {
        let open = board.open(shape);
        let lacking = |player, count| lacking(board, player, shape, open, count);
        let full = |player: Player| lacking(player, 0).into_iter().map(|(filled, _)| filled).collect();
        Leaves {
            threats: Player::BOTH.map(|player| lacking(player, 1)),
            chances: lacking(Player::Alice, 2),
            full: Player::BOTH.map(full),
        }
    }

    /// What Alice needs at most at a position, in parts of 2^[`ROUNDED_BITS`].
    pub fn need(&self, position: u64) -> u64 {
        const EIGHTH: u64 = 1 << (ROUNDED_BITS - 3);
        let hers = |filled: u64| filled & !position == 0;
        let his = |filled: u64| filled & position == 0;
        if self.full[0].iter().any(|filled| hers(*filled)) {
            return 0;
        }
        if self.full[1].iter().any(|filled| his(*filled)) {
            return 8 * EIGHTH;
        }
        let alice = self.threats[0].iter().filter(|(filled, _)| hers(*filled)).fold(0, |cells, (_, cell)| cells | cell);
        let bob = self.threats[1].iter().any(|(filled, _)| his(*filled));
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

/// A player's lines that lack so many cells, all of them among the `open` ones: their filled cells, as bits of the shape's positions, and
/// the cells that they lack.
pub fn lacking(board: &LineBoard, player: Player, shape: u64, open: u64, count: u32) -> Vec<(u64, u64)> {
    let lines = board.lines(player).iter().map(|line| (line & shape, line & !shape));
    let fits = lines.filter(|(_, empty)| empty.count_ones() == count && empty & !open == 0);
    fits.map(|(filled, empty)| (gather(filled, shape), empty)).collect()
}

/// What Alice needs at most at every position of a layer.
///
/// # Errors
/// [`Error::Cancelled`].
pub fn needs(board: &LineBoard, shapes: &Shapes, stones: u32, effort: &Effort) -> Result<Vec<u16>, Error> {
    let mut needs = vec![0; shapes.len() << stones];
    needs.par_chunks_exact_mut(1 << stones).zip(shapes.sets()).try_for_each(|(into, shape)| {
        effort.check_cancelled()?;
        let leaves = Leaves::new(board, *shape);
        (0..).zip(into).for_each(|(position, to)| *to = leaves.need(position) as u16);
        Ok(())
    })?;
    Ok(needs)
}

/// A layer of such positions, computed wherever it is read.
pub struct LeafLayer {
    board: LineBoard,
    shapes: Shapes,
    stones: u32,
}

impl LeafLayer {
    /// The layer with so many stones.
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
            let leaves = Leaves::new(&self.board, self.shapes.sets()[block as usize]);
            let first = block << self.stones;
            into.extend((at..next).flat_map(|number| (leaves.need(number - first) as u16).to_le_bytes()));
            at = next;
        }
        Ok(())
    }
}
