//! Exact chip thresholds of a Hex position with few open cells, and of all its successors.
//!
//! **Formula.** threshold = ceil(low / 2) + floor(high / 2) half-steps ([`chooses`]), where `low`
//! is the least threshold after a stone of Alice and `high` the greatest after one of Bob; 0 if
//! Alice has connected, 2 (total + 1) if Bob has. This holds for all bids, Richman payment, the
//! tie-breaking advantage, and a winner who chooses who moves.
//!
//! **Method.** Each of the n cells is open, Alice's or Bob's, so a position is a number of n digits
//! in base 3, and a stone makes it larger. One pass from the largest number down finds all
//! thresholds. Only full boards are tested for a connection, because a finished game keeps its
//! threshold whatever follows. The low digits form blocks; blocks with equally many stones in the
//! high digits run in parallel.
//!
//! **Accepts** up to [`MOST_CELLS`] cells on a board of any size. **Result** exact. **Cost**: 3^n
//! thresholds of one, two or four bytes depending on the total, each from 2n/3 others on average.
//!
//! **Checked by** the solution of the unfolded arena.

use crate::board::HexBoard;
use rayon::prelude::*;
use richman_core::{Effort, Error, Number, Numbers, Player, Total};

use super::Cores;
use richman_solvers::chips::local::chooses;

/// The most cells.
pub const MOST_CELLS: usize = 18;
/// Cells within one block.
const WITHIN: usize = 9;

/// The thresholds of a position and all later ones.
#[derive(Debug, Clone)]
pub struct FillingThresholds {
    stones: HexBoard,
    cells: Vec<usize>,
    blocks: Vec<Numbers>,
}

impl FillingThresholds {
    /// Solves `stones` and all later positions. `cells` are open and ascending; all other open
    /// cells must decide nothing.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for cells that are not open, not ascending or more than
    /// [`MOST_CELLS`]; [`Error::TooMuchMemory`]; [`Error::Cancelled`].
    pub fn of(
        stones: &HexBoard,
        cells: &[usize],
        total: Total,
        cores: Cores,
        effort: &Effort,
    ) -> Result<FillingThresholds, Error> {
        check(stones, cells)?;
        let most = total.unreachable().into();
        let bytes = FillingThresholds::bytes_of_each(total);
        effort.check_memory("holding the thresholds of all positions", 3_u64.pow(cells.len() as u32) * bytes)?;
        let task = FillingTask { ends: Ends::of(stones, cells), count: cells.len(), most, cores, effort };
        let blocks = match bytes {
            1 => task.solve()?.into_iter().map(Numbers::One).collect(),
            2 => task.solve()?.into_iter().map(Numbers::Two).collect(),
            _ => task.solve()?.into_iter().map(Numbers::Four).collect(),
        };
        Ok(FillingThresholds { stones: stones.clone(), cells: cells.to_vec(), blocks })
    }

    /// The bytes of one threshold.
    pub fn bytes_of_each(total: Total) -> u64 {
        Numbers::width(total.unreachable().into()) as u64
    }

    /// The cells; the first gives the lowest digit of a position's number.
    pub fn cells(&self) -> &[usize] {
        &self.cells
    }

    /// The number of positions.
    pub fn positions(&self) -> usize {
        power(self.cells.len())
    }

    /// The number of a position, with a digit for each cell: 0 if open, 1 if Alice's, 2 if Bob's.
    /// `None` unless the position is the starting one or follows from it.
    pub fn number(&self, board: &HexBoard) -> Option<usize> {
        let same_size = (board.rows(), board.cols()) == (self.stones.rows(), self.stones.cols());
        let stays = |(old, new): (&Option<Player>, &Option<Player>)| old.is_none() || old == new;
        if !same_size || !self.stones.cells().iter().zip(board.cells()).all(stays) {
            return None;
        }
        let digit = |cell: &usize| board.cells()[*cell].map_or(0, |player| 1 + player as usize);
        Some(self.cells.iter().rev().fold(0, |number, cell| 3 * number + digit(cell)))
    }

    /// The position of a number below [`FillingThresholds::positions`].
    pub fn board(&self, number: usize) -> HexBoard {
        let mut all = self.stones.cells().to_vec();
        for (index, &cell) in self.cells.iter().enumerate() {
            all[cell] = [None, Some(Player::Alice), Some(Player::Bob)][number / power(index) % 3];
        }
        HexBoard::new(self.stones.rows(), self.stones.cols(), all).unwrap_or_else(|| self.stones.clone())
    }

    /// Alice's threshold at a position, in half-steps.
    pub fn at(&self, number: usize) -> u32 {
        let size = power(self.cells.len().min(WITHIN));
        self.blocks[number / size].get(number % size).unwrap_or_default() as u32
    }

    /// Alice's threshold after a stone of `player` on each open cell.
    pub fn after(&self, number: usize, player: Player) -> impl Iterator<Item = (usize, u32)> + '_ {
        let stone = 1 + player as usize;
        let open = (0..self.cells.len()).filter(move |&index| (number / power(index)).is_multiple_of(3));
        open.map(move |index| (self.cells[index], self.at(number + stone * power(index))))
    }
}

/// Refuses cells that are not open, not ascending or too many.
fn check(stones: &HexBoard, cells: &[usize]) -> Result<(), Error> {
    let is_open = |cell: &usize| matches!(stones.cells().get(*cell), Some(None));
    if cells.len() > MOST_CELLS || !cells.iter().all(is_open) || cells.windows(2).any(|pair| pair[0] >= pair[1]) {
        let what = format!("all positions of {} cells of a Hex board", cells.len());
        return Err(Error::unsupported(what, format!("up to {MOST_CELLS} open cells, ascending")));
    }
    Ok(())
}

fn power(exponent: usize) -> usize {
    3_usize.pow(exponent as u32)
}

struct FillingTask<'a> {
    ends: Ends,
    count: usize,
    /// Alice's threshold if Bob has connected.
    most: u64,
    cores: Cores,
    effort: &'a Effort<'a>,
}

impl FillingTask<'_> {
    fn solve<V: Number>(&self) -> Result<Vec<Vec<V>>, Error> {
        let inner = self.count.min(WITHIN);
        let outer = self.count - inner;
        let plan = DigitPlan::new(inner);
        let mut blocks: Vec<Vec<V>> = vec![Vec::new(); power(outer)];
        let mut layers: Vec<Vec<usize>> = vec![Vec::new(); outer + 1];
        for number in 0..blocks.len() {
            layers[(0..outer).filter(|&index| (number / power(index)).is_multiple_of(3)).count()].push(number);
        }
        let total = Some(blocks.len() as u64);
        let mut done = 0;
        for layer in layers {
            self.effort.check_cancelled()?;
            let solve = |&number: &usize| {
                self.effort.check_cancelled()?;
                Ok((number, self.block(number, outer, &plan, &blocks)))
            };
            let together = if self.cores == Cores::One { layer.len() } else { 1 };
            let solved = layer.par_iter().with_min_len(together).map(solve);
            let solved = solved.collect::<Result<Vec<(usize, Vec<V>)>, Error>>()?;
            done += solved.len() as u64;
            for (number, values) in solved {
                blocks[number] = values;
            }
            self.effort.watch.progress("positions with chips, in blocks", done, total);
        }
        Ok(blocks)
    }

    /// The thresholds of the positions with these high digits, from the blocks with one more stone.
    fn block<V: Number>(&self, number: usize, outer: usize, plan: &DigitPlan, blocks: &[Vec<V>]) -> Vec<V> {
        let size = plan.open.len();
        let (mut low, mut high) = (vec![V::of(self.most); size], vec![V::ZERO; size]);
        let mut hers_outside = 0;
        let mut is_full_outside = true;
        for index in 0..outer {
            match number / power(index) % 3 {
                0 => {
                    is_full_outside = false;
                    let [alice, bob] = stones().map(|stone| &blocks[number + stone * power(index)]);
                    low.iter_mut().zip(alice).for_each(|(low, &value)| *low = (*low).min(value));
                    high.iter_mut().zip(bob).for_each(|(high, &value)| *high = (*high).max(value));
                }
                stone => hers_outside |= u32::from(stone == 1) << (WITHIN + index),
            }
        }
        let mut values = vec![V::ZERO; size];
        for within in (0..size).rev() {
            let mut open = plan.open[within];
            if open == 0 && is_full_outside {
                let wins = self.ends.alice_wins(plan.hers[within] | hers_outside);
                #[cfg(feature = "faults")]
                let wins = wins != richman_solvers::fault::is(richman_solvers::fault::Fault::Exchanged);
                values[within] = V::of(if wins { 0 } else { self.most });
                continue;
            }
            let (mut least, mut most) = (low[within], high[within]);
            while open != 0 {
                let step = plan.powers[open.trailing_zeros() as usize];
                let [alice, bob] = stones();
                least = least.min(values[within + alice * step]);
                most = most.max(values[within + bob * step]);
                open &= open - 1;
            }
            values[within] = V::of(chooses(least.get() as u32, most.get() as u32).into());
        }
        values
    }
}

/// The digits of Alice's stones and of Bob's.
#[inline(always)]
fn stones() -> [usize; 2] {
    #[cfg(feature = "faults")]
    if richman_solvers::fault::is(richman_solvers::fault::Fault::Exchanged) {
        return [2, 1];
    }
    [1, 2]
}

/// The positions within a block.
struct DigitPlan {
    powers: Vec<usize>,
    /// Which cells are open.
    open: Vec<u32>,
    /// Which cells are Alice's.
    hers: Vec<u32>,
}

impl DigitPlan {
    fn new(cells: usize) -> DigitPlan {
        let with = |digit: usize| {
            (0..power(cells)).map(move |number| {
                (0..cells).filter(|&index| number / power(index) % 3 == digit).map(|index| 1 << index).sum()
            })
        };
        DigitPlan { powers: (0..cells).map(power).collect(), open: with(0).collect(), hers: with(1).collect() }
    }
}

/// Which open cells touch each other, the top and the bottom, directly or through her stones.
struct Ends {
    /// The cells that each touches.
    touches: Vec<u32>,
    top: u32,
    bottom: u32,
    /// Whether her stones alone connect.
    has_won: bool,
}

impl Ends {
    fn of(stones: &HexBoard, cells: &[usize]) -> Ends {
        let (rows, cols) = (stones.rows(), stones.cols());
        let hers = |cell: usize| stones.cells()[cell] == Some(Player::Alice);
        // All cells reached from `starts` through her stones.
        let reached = |starts: Vec<usize>| {
            let mut seen = vec![false; rows * cols];
            let mut todo = starts;
            while let Some(cell) = todo.pop() {
                if !std::mem::replace(&mut seen[cell], true) && hers(cell) {
                    todo.extend(beside(cell, rows, cols));
                }
            }
            seen
        };
        let among = |seen: &[bool]| {
            let joined = cells.iter().enumerate().filter(|(_, cell)| seen[**cell]);
            joined.map(|(index, _)| 1 << index).sum()
        };
        let top = reached((0..cols).collect());
        let bottom = reached(((rows - 1) * cols..rows * cols).collect());
        Ends {
            touches: cells.iter().map(|&cell| among(&reached(beside(cell, rows, cols).collect()))).collect(),
            has_won: ((rows - 1) * cols..rows * cols).any(|cell| top[cell] && hers(cell)),
            top: among(&top),
            bottom: among(&bottom),
        }
    }

    /// Whether Alice connects if the cells `hers` are hers and the others Bob's.
    fn alice_wins(&self, hers: u32) -> bool {
        let mut known = 0;
        let mut new = self.top & hers;
        while new != 0 {
            known |= new;
            let mut next = 0;
            while new != 0 {
                next |= self.touches[new.trailing_zeros() as usize];
                new &= new - 1;
            }
            new = next & hers & !known;
        }
        self.has_won || known & self.bottom != 0
    }
}

fn beside(cell: usize, rows: usize, cols: usize) -> impl Iterator<Item = usize> {
    let (row, col) = (cell / cols, cell % cols);
    let steps = [(0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1)];
    steps.into_iter().filter_map(move |(down, right)| {
        let (row, col) = (row.checked_add_signed(down)?, col.checked_add_signed(right)?);
        (row < rows && col < cols).then_some(row * cols + col)
    })
}
