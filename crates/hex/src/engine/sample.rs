//! Random fillings, as in K section 5, for boards too large to count and as a check of the count.
//!
//! Each bit of a word plays its own filling. A cell's word of random bits says in which fillings it
//! is Alice's; connections spread over the board by word operations.

use crate::board::HexBoard;
use fastrand::Rng;
use rayon::prelude::*;
use richman_core::{Effort, Error, Player};

use super::Cores;

/// Words for each cell: 64 fillings per word are played at once.
const WORDS: usize = 4;
const BATCH: u64 = 64 * WORDS as u64;
/// Batches between checks whether to stop. They share a seed, so that results do not depend on the
/// number of threads.
const BATCHES: u64 = 64;
/// The batches of a round, shared among the cores.
const AT_ONCE: u64 = 1 << 10;

type Bits = [u64; WORDS];

/// The results of random fillings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sampled {
    /// The number of fillings played.
    pub fillings: u64,
    /// The fillings that Alice won.
    pub alice: u64,
    /// For each cell, row by row, the fillings that gave it the loser's colour; 0 for a stone.
    pub losing: Vec<u64>,
}

impl Sampled {
    /// How often Alice wins, and the half-width of the 99% confidence interval by Hoeffding's
    /// inequality.
    pub fn alice_wins(&self) -> (f64, f64) {
        (self.part(self.alice), self.error())
    }

    /// How often a cell decides, 1 - 2 L by K's proposition 5.1, and the half-width of its
    /// interval.
    pub fn critical(&self, cell: usize) -> (f64, f64) {
        (1.0 - 2.0 * self.part(self.losing[cell]), 2.0 * self.error())
    }

    fn part(&self, count: u64) -> f64 {
        count as f64 / self.fillings.max(1) as f64
    }

    fn error(&self) -> f64 {
        (log_odds() / (2.0 * self.fillings.max(1) as f64)).sqrt()
    }
}

/// ln(2 / (1 - confidence))
fn log_odds() -> f64 {
    (2.0_f64 / 0.01).ln()
}

/// The number of fillings after which the interval of [`Sampled::alice_wins`] has this width.
pub(super) fn fillings_for(width: f64) -> u64 {
    (2.0 * log_odds() / (width * width)).ceil() as u64
}

/// Plays `fillings` random fillings, rounded up to some thousands and determined by `seed`, on all
/// cores. At the deadline it stops after those already begun.
///
/// # Errors
/// [`Error::Cancelled`].
pub fn sample(board: &HexBoard, fillings: u64, seed: u64, effort: &Effort) -> Result<Sampled, Error> {
    sample_on(Cores::All, board, fillings, seed, effort)
}

/// [`sample`] on one core or all, with the same result.
///
/// # Errors
/// [`Error::Cancelled`].
pub fn sample_on(cores: Cores, board: &HexBoard, fillings: u64, seed: u64, effort: &Effort) -> Result<Sampled, Error> {
    let rounds = fillings.div_ceil(BATCH * BATCHES).max(1);
    let none = || Sampled { fillings: 0, alice: 0, losing: vec![0; board.cells().len()] };
    let until = effort.until();
    let round = |round: u64| {
        effort.check_cancelled()?;
        if round > 0 && until.is_over() {
            return Ok(none());
        }
        let mut rng = Rng::with_seed(Rng::with_seed(seed ^ round.wrapping_mul(0x9E37_79B9_7F4A_7C15)).u64(..));
        let mut table = BatchBoard::new(board);
        let mut sum = none();
        for _ in 0..BATCHES {
            table.play(&mut rng, &mut sum);
        }
        Ok(sum)
    };
    let add = |mut sum: Sampled, other: Sampled| {
        sum.fillings += other.fillings;
        sum.alice += other.alice;
        sum.losing.iter_mut().zip(&other.losing).for_each(|(sum, other)| *sum += other);
        Ok(sum)
    };
    let mut sum = none();
    let mut first = 0;
    while first < rounds && (first == 0 || !until.is_over()) {
        let some = first..rounds.min(first + AT_ONCE);
        first = some.end;
        let more = match cores {
            Cores::One => some.map(round).try_fold(none(), |sum, other| add(sum, other?)),
            Cores::All => some.into_par_iter().map(round).try_reduce(none, add),
        };
        sum = add(sum, more?)?;
    }
    Ok(sum)
}

struct BatchBoard<'a> {
    board: &'a HexBoard,
    /// Where the cell is Alice's, with an empty border of one cell on all sides.
    hers: Vec<Bits>,
    /// Where it is connected to the top.
    connected: Vec<Bits>,
}

impl BatchBoard<'_> {
    fn new(board: &HexBoard) -> BatchBoard<'_> {
        let cells = (board.rows() + 2) * (board.cols() + 2);
        BatchBoard { board, hers: vec![[0; WORDS]; cells], connected: vec![[0; WORDS]; cells] }
    }

    fn index(&self, row: usize, col: usize) -> usize {
        (row + 1) * (self.board.cols() + 2) + col + 1
    }

    fn play(&mut self, rng: &mut Rng, sum: &mut Sampled) {
        let (rows, cols) = (self.board.rows(), self.board.cols());
        for row in 0..rows {
            for col in 0..cols {
                let index = self.index(row, col);
                self.hers[index] = match self.board.cells()[row * cols + col] {
                    None => std::array::from_fn(|_| rng.u64(..)),
                    Some(Player::Alice) => [u64::MAX; WORDS],
                    Some(Player::Bob) => [0; WORDS],
                };
            }
        }
        let wins = self.spread();
        sum.fillings += BATCH;
        sum.alice += ones(&wins);
        for (cell, losing) in sum.losing.iter_mut().enumerate() {
            if self.board.cells()[cell].is_none() {
                let hers = &self.hers[self.index(cell / cols, cell % cols)];
                *losing += ones(&std::array::from_fn(|word| hers[word] ^ wins[word]));
            }
        }
    }

    /// Spreads the connection from the top; returns where it reaches the bottom.
    fn spread(&mut self) -> Bits {
        let (rows, cols) = (self.board.rows(), self.board.cols());
        self.connected.fill([0; WORDS]);
        for col in 0..cols {
            let index = self.index(0, col);
            self.connected[index] = self.hers[index];
        }
        loop {
            let mut changed = self.pass(0..rows, false);
            changed |= self.pass(0..rows, true);
            if !changed {
                break;
            }
        }
        let mut bottom = [0; WORDS];
        for col in 0..cols {
            let connected = self.connected[self.index(rows - 1, col)];
            bottom.iter_mut().zip(connected).for_each(|(bottom, connected)| *bottom |= connected);
        }
        bottom
    }

    /// Visits all cells once, forwards or backwards; returns whether anything changed.
    fn pass(&mut self, rows: std::ops::Range<usize>, back: bool) -> bool {
        let cols = self.board.cols();
        let stride = cols + 2;
        let mut changed = 0;
        for step in rows.clone() {
            let row = if back { rows.end - 1 - step } else { step };
            for col in 0..cols {
                let index = self.index(row, if back { cols - 1 - col } else { col });
                let beside =
                    [index - 1, index + 1, index - stride, index + stride, index - stride + 1, index + stride - 1];
                for word in 0..WORDS {
                    let old = self.connected[index][word];
                    let around = beside.iter().fold(old, |all, &beside| all | self.connected[beside][word]);
                    let new = around & self.hers[index][word];
                    changed |= new ^ old;
                    self.connected[index][word] = new;
                }
            }
        }
        changed != 0
    }
}

fn ones(bits: &Bits) -> u64 {
    bits.iter().map(|word| u64::from(word.count_ones())).sum()
}
