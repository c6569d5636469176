//! Random-turn selection games: values and best moves from the fillings of the open cells.
//!
//! **Formula.** The value is the mean payoff over all fillings of the open cells. A best move, of
//! either player, is a cell with the greatest *influence*: the mean payoff of the fillings in which
//! it is Alice's minus that of the others. Source: [K, Theorem 4.1]. In monotone win-or-lose games
//! the influence is twice the probability that the cell is *critical*: that its owner changes the
//! payoff [K, Lemma 4.1]. In other games a critical cell may help the other player, and the two
//! differ.
//!
//! **Method.** One pass over all fillings, then one for every cell. The crate `richman-hex` counts
//! large boards of Hex without listing fillings.
//!
//! **Accepts** every selection game, at positions with at most [`MOST_OPEN`] open cells. **Result**
//! exact: integers over a power of two. **Cost**: 2^n payoffs of eight bytes for n open cells, and
//! n 2^n steps.
//!
//! **Checked by** the definition, a coin toss before every move, on random payoffs and on every
//! position of small boards.
//!
//! ```
//! use richman_catalog::selection;
//! use richman_core::{Effort, Payoffs};
//!
//! // Whoever has more of three cells wins.
//! let game = Payoffs::of(3, |hers| if hers.count_ones() >= 2 { 1 } else { -1 });
//! let values = selection::values(&game, 0b001, 0, &Effort::default())?;
//! assert_eq!((values.sum, values.fillings()), (2, 4));
//! assert_eq!(values.best(), 0b110);
//! # Ok::<(), richman_core::Error>(())
//! ```

use richman_core::{CellSet, Effort, Error, Selection, cells, subsets};

pub mod definition;

/// The most open cells.
pub const MOST_OPEN: u32 = 24;

/// The value of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectionValues {
    /// The sum of the payoffs of all fillings: Alice's expected payoff times their number.
    pub sum: i128,
    /// The open cells, in order.
    pub cells: Vec<CellValue>,
}

/// The value of an open cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellValue {
    /// The cell, as a set of one.
    pub cell: CellSet,
    /// Alice's gain if she has it and not Bob, summed over the fillings of the other open cells.
    pub influence: i128,
    /// The fillings of the other open cells in which its owner changes the payoff.
    pub critical: u64,
}

impl SelectionValues {
    /// The number of fillings of the open cells.
    pub fn fillings(&self) -> u64 {
        1 << self.cells.len()
    }

    /// The best moves, the same for both players; none on a full board.
    pub fn best(&self) -> CellSet {
        self.with_most(|cell| cell.influence)
    }

    /// The cells that are most often critical.
    pub fn most_critical(&self) -> CellSet {
        self.with_most(|cell| cell.critical)
    }

    fn with_most<T: Ord>(&self, of: impl Fn(&CellValue) -> T) -> CellSet {
        let most = self.cells.iter().map(&of).max();
        self.cells.iter().filter(|cell| Some(of(cell)) == most).map(|cell| cell.cell).sum()
    }
}

/// The open cells, at most `most`, for these cells of Alice's and Bob's.
fn open(game: &dyn Selection, hers: CellSet, his: CellSet, what: &str, most: u32) -> Result<CellSet, Error> {
    let open = game.board() & !(hers | his);
    if open.count_ones() > most || hers & his != 0 || (hers | his) & !game.board() != 0 {
        let what = format!("{what} with {} open cells", open.count_ones());
        return Err(Error::unsupported(what, format!("up to {most} open cells, the others either Alice's or Bob's")));
    }
    Ok(open)
}

/// The value of the position with these cells of Alice's and Bob's.
///
/// # Errors
/// [`Error::Unsupported`] if more than [`MOST_OPEN`] cells are open, or a cell has two owners or is
/// off the board; [`Error::TooMuchMemory`]; [`Error::Cancelled`].
pub fn values(game: &dyn Selection, hers: CellSet, his: CellSet, effort: &Effort) -> Result<SelectionValues, Error> {
    let open = open(game, hers, his, "a selection game", MOST_OPEN)?;
    effort.check_memory("counting the payoffs of all fillings", 8 << open.count_ones())?;
    let mut payoffs = Vec::with_capacity(1 << open.count_ones());
    for filling in subsets(open) {
        if payoffs.len() % (1 << 16) == 0 {
            effort.check_cancelled()?;
            effort.watch.progress("fillings", payoffs.len() as u64, Some(1 << open.count_ones()));
        }
        payoffs.push(game.payoff(hers | filling));
    }
    let value = |(bit, cell)| {
        effort.check_cancelled()?;
        let (mut influence, mut critical) = (0, 0);
        // The cell is Bob's in the first half of every block, and Alice's in the second.
        for block in payoffs.chunks_exact(2_usize << bit) {
            let (without, with) = block.split_at(1_usize << bit);
            for (&without, &with) in without.iter().zip(with) {
                #[cfg(feature = "faults")]
                let without = richman_solvers::fault::extreme(&without, &with).copied().unwrap_or(without);
                influence += i128::from(with) - i128::from(without);
                critical += u64::from(with != without);
            }
        }
        Ok(CellValue { cell, influence, critical })
    };
    let cells = cells(open).enumerate().map(value).collect::<Result<_, Error>>()?;
    #[cfg(feature = "faults")]
    match richman_solvers::fault::planted() {
        Some(richman_solvers::fault::Fault::Exchanged) => {
            payoffs.iter_mut().for_each(|payoff| *payoff = payoff.saturating_neg())
        }
        _ => {
            let (least, most) = (payoffs.iter().min().copied(), payoffs.iter().max().copied());
            if let Some(wrong) = richman_solvers::fault::extreme(&least, &most).copied().flatten() {
                payoffs.fill(wrong);
            }
        }
    }
    Ok(SelectionValues { sum: payoffs.iter().map(|&payoff| i128::from(payoff)).sum(), cells })
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use richman_core::{Payoffs, TimedWatch, Unwatched};

    use super::*;

    #[test]
    fn influence_has_a_sign_and_criticality_has_none() {
        let game = Payoffs::of(2, |hers| [0, 7, -2, 5][hers as usize]);
        let values = values(&game, 0, 0, &Effort::default()).unwrap();
        assert_eq!(values.sum, 10);
        assert_eq!(
            values.cells.iter().map(|cell| (cell.influence, cell.critical)).collect::<Vec<_>>(),
            [(14, 2), (-4, 2)]
        );
        assert_eq!((values.best(), values.most_critical()), (0b01, 0b11));
    }

    #[test]
    fn large_payoffs_do_not_overflow() {
        let game = Payoffs::of(2, |hers| if hers == 0 { i64::MIN } else { i64::MAX });
        let values = values(&game, 0, 0, &Effort::default()).unwrap();
        assert_eq!(values.sum, 3 * i128::from(i64::MAX) + i128::from(i64::MIN));
        assert_eq!(values.cells[0].influence, i128::from(i64::MAX) - i128::from(i64::MIN));
    }

    #[test]
    fn refusals() {
        struct Large;
        impl Selection for Large {
            fn board(&self) -> CellSet {
                CellSet::MAX
            }
            fn payoff(&self, hers: CellSet) -> i64 {
                i64::from(hers.count_ones())
            }
        }
        let of = |hers: CellSet, his: CellSet, effort: &Effort| values(&Large, hers, his, effort).err();
        let usual = Effort::default();
        let over = TimedWatch { watch: &Unwatched, deadline: Some(Instant::now()) };
        assert!(matches!(of(0, 0, &usual), Some(Error::Unsupported { .. })));
        assert!(matches!(of(CellSet::MAX, 1, &usual), Some(Error::Unsupported { .. })));
        assert!(matches!(of(!0xfff, 0, &Effort { memory: 1000, ..usual }), Some(Error::TooMuchMemory { .. })));
        assert_eq!(of(!0xfff, 0, &Effort { watch: &over, ..usual }), Some(Error::Cancelled));
        let last = values(&Large, CellSet::MAX - 1, 1, &usual).unwrap();
        assert_eq!((last.sum, last.best(), last.fillings()), (63, 0, 1));
    }
}
