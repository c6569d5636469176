//! Selection games: only the set of each player's cells counts.

/// A set of cells, as bits.
pub type CellSet = u64;

/// A selection game [K, section 4.2]: whoever moves takes an open cell, until none is left. Then
/// Alice gets the payoff of her cells, and Bob its negative.
///
/// Payoffs are integers in a unit of the game's own, so that sums are exact; finitely many rational
/// payoffs have such a unit. A game is *win-or-lose* if the payoffs are -1 and 1, *monotone* if
/// more cells are never worth less.
///
/// ```
/// use richman_core::{CellSet, Selection};
///
/// /// The player with more of three cells wins.
/// struct Majority;
///
/// impl Selection for Majority {
///     fn board(&self) -> CellSet {
///         0b111
///     }
///     fn payoff(&self, hers: CellSet) -> i64 {
///         if hers.count_ones() >= 2 { 1 } else { -1 }
///     }
/// }
/// assert_eq!(Majority.payoff(0b101), 1);
/// ```
pub trait Selection: Send + Sync {
    /// All cells.
    fn board(&self) -> CellSet;

    /// Alice's payoff if she has these cells of a full board.
    fn payoff(&self, hers: CellSet) -> i64;
}

/// A selection game given by the payoff of every set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payoffs(Vec<i64>);

impl Payoffs {
    /// The most cells supported.
    pub const MOST_CELLS: u32 = 24;

    /// A game on `cells` cells, at most [`Payoffs::MOST_CELLS`]; `payoff` is called for each set in
    /// ascending order.
    pub fn of(cells: u32, payoff: impl FnMut(CellSet) -> i64) -> Payoffs {
        Payoffs((0..1 << cells.min(Self::MOST_CELLS)).map(payoff).collect())
    }
}

impl Selection for Payoffs {
    fn board(&self) -> CellSet {
        self.0.len() as CellSet - 1
    }

    fn payoff(&self, hers: CellSet) -> i64 {
        self.0[(hers & self.board()) as usize]
    }
}

/// Each cell of a set, as a set of one cell.
pub fn cells(set: CellSet) -> impl Iterator<Item = CellSet> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let cell = rest & rest.wrapping_neg();
        rest ^= cell;
        (cell != 0).then_some(cell)
    })
}

/// All subsets of a set, in ascending order as numbers.
pub fn subsets(set: CellSet) -> impl Iterator<Item = CellSet> {
    std::iter::successors(Some(0), move |subset: &CellSet| {
        let next = subset.wrapping_sub(set) & set;
        (next != 0).then_some(next)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_ascend_and_cells_are_subsets_of_one() {
        assert_eq!(subsets(0b1010).collect::<Vec<_>>(), [0, 0b10, 0b1000, 0b1010]);
        assert_eq!(subsets(0).collect::<Vec<_>>(), [0]);
        assert_eq!(cells(1 << 63 | 1).collect::<Vec<_>>(), [1, 1 << 63]);
        assert_eq!(subsets(CellSet::MAX).nth(5), Some(5));
    }

    #[test]
    fn payoffs_are_those_of_the_sets() {
        let game = Payoffs::of(3, |hers| 10 * hers as i64);
        assert_eq!((game.board(), game.payoff(0b101)), (0b111, 50));
        assert_eq!(Payoffs::of(0, |_| 7).payoff(0), 7);
    }
}
