//! The sets of cells that can have stones, layer by layer.

use crate::board::LineBoard;
use richman_core::{Error, cells};

/// The most sets of filled cells, over all layers.
pub const MOST_SHAPES: u64 = 1 << 25;

/// The sets of cells that can have stones in one layer, in increasing order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shapes {
    sets: Vec<u64>,
}

impl Shapes {
    /// The sets of every layer, from no stones to a full board.
    ///
    /// # Errors
    /// [`Error::TooLarge`] for more than [`MOST_SHAPES`].
    pub fn of(board: &LineBoard) -> Result<Vec<Shapes>, Error> {
        Shapes::among(board, u64::MAX)
    }

    /// The sets of every layer within one or more [parts](LineBoard::parts) of the board.
    fn among(board: &LineBoard, part: u64) -> Result<Vec<Shapes>, Error> {
        let mut layers = vec![Shapes { sets: vec![0] }];
        let mut all = 1;
        loop {
            let next = layers[layers.len() - 1].next(board, part, MOST_SHAPES).map_err(too_many)?;
            if next.is_empty() {
                return Ok(layers);
            }
            all += next.sets.len() as u64;
            if all > MOST_SHAPES {
                return Err(too_many(all));
            }
            layers.push(next);
        }
    }

    /// The sets of the first layers, as long as they have at most `positions` positions in all, at
    /// least up to one stone. A board has one layer more than cells.
    pub fn within(board: &LineBoard, positions: u64) -> Vec<Shapes> {
        let mut layers = vec![Shapes { sets: vec![0] }];
        let mut all = 1_u64;
        for stones in 1..=board.cells() {
            // A position with k stones has at most k predecessors.
            let most = (positions >> stones).saturating_mul(stones.into()).max(board.cells().into());
            let Ok(next) = layers[layers.len() - 1].next(board, u64::MAX, most.min(MOST_SHAPES)) else { break };
            all = all.saturating_add((next.sets.len() as u64) << stones);
            if all > positions && stones > 1 {
                break;
            }
            layers.push(next);
        }
        layers
    }

    /// The sets with one more stone on the cells `among`. The error is the number of ways to make
    /// them, if above `most`.
    fn next(&self, board: &LineBoard, among: u64, most: u64) -> Result<Shapes, u64> {
        let ways = self.sets.iter().map(|set| u64::from((board.open(*set) & among).count_ones())).sum::<u64>();
        if ways > most {
            return Err(ways);
        }
        let next = |set: &u64| cells(board.open(*set) & among).map(|cell| set | cell).collect::<Vec<u64>>();
        let mut sets: Vec<u64> = self.sets.iter().flat_map(next).collect();
        sets.sort_unstable();
        sets.dedup();
        Ok(Shapes { sets })
    }

    /// The number of sets.
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Whether there are no sets, as beyond a full board.
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// The sets, in increasing order.
    pub fn sets(&self) -> &[u64] {
        &self.sets
    }

    /// The index of a set in the order.
    pub fn index(&self, set: u64) -> Option<usize> {
        self.sets.binary_search(&set).ok()
    }
}

/// The elements of `set` within `mask`, compressed: the i-th lowest bit of the mask becomes bit i.
pub fn gather(set: u64, mask: u64) -> u64 {
    cells(mask).enumerate().map(|(to, cell)| u64::from(set & cell != 0) << to).sum()
}

/// The number of sets in every layer, by counting each part of the board by itself.
///
/// # Errors
/// [`Error::TooLarge`] if a part has more than [`MOST_SHAPES`].
pub fn count(board: &LineBoard) -> Result<Vec<u128>, Error> {
    let mut counts: Vec<u128> = vec![1];
    for part in board.parts() {
        let part = Shapes::among(board, part)?;
        let mut next = vec![0; counts.len() + part.len() - 1];
        for (here, before) in counts.iter().enumerate() {
            part.iter().enumerate().for_each(|(more, sets)| next[here + more] += before * sets.len() as u128);
        }
        counts = next;
    }
    Ok(counts)
}

fn too_many(given: u64) -> Error {
    Error::TooLarge { what: "the number of ways to fill cells", given, most: MOST_SHAPES }
}
