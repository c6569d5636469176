//! Random-turn selection games by definition: before every move a fair coin decides who takes a
//! cell. Also random payoffs for tests.

use fastrand::Rng;
use richman_core::{CellSet, Error, Payoffs, Selection, Watch, cells};

/// The most open cells.
pub const MOST_OPEN: u32 = 14;

/// The values under best play of all positions reachable from a given one [K, section 4.3].
#[derive(Debug, Clone)]
pub struct Tree {
    cells: Vec<CellSet>,
    start: [CellSet; 2],
    values: Vec<i128>,
}

impl Tree {
    /// Evaluates a position, given by Alice's cells and Bob's, and all later positions: 3^n numbers
    /// for n open cells.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if more than [`MOST_OPEN`] cells are open, or a cell has two owners
    /// or is off the board; [`Error::Cancelled`].
    pub fn of(game: &dyn Selection, hers: CellSet, his: CellSet, watch: &dyn Watch) -> Result<Tree, Error> {
        let open = super::open(game, hers, his, "the tree of a selection game", MOST_OPEN)?;
        let cells: Vec<CellSet> = cells(open).collect();
        let mut tree = Tree { values: vec![0; power(cells.len())], cells, start: [hers, his] };
        // Taking a cell increases the number.
        for number in (0..tree.values.len()).rev() {
            if number % (1 << 12) == 0 && watch.cancelled() {
                return Err(Error::Cancelled);
            }
            tree.values[number] = match (tree.after(number, 0).max(), tree.after(number, 1).min()) {
                (Some((best, _)), Some((worst, _))) => best + worst,
                _ => game.payoff(tree.position(number)[0]).into(),
            };
        }
        Ok(tree)
    }

    /// All positions, as Alice's cells and Bob's.
    pub fn positions(&self) -> impl Iterator<Item = [CellSet; 2]> + '_ {
        (0..self.values.len()).map(|number| self.position(number))
    }

    /// Alice's expected payoff at one of the positions, times 2^(open cells).
    pub fn value(&self, hers: CellSet, his: CellSet) -> i128 {
        self.values[self.number(hers, his)]
    }

    /// Alice's best moves, and Bob's.
    pub fn best(&self, hers: CellSet, his: CellSet) -> [CellSet; 2] {
        let number = self.number(hers, his);
        let all = |player: usize, best: Option<i128>| {
            self.after(number, player).filter(|(value, _)| Some(*value) == best).map(|(_, cell)| cell).sum()
        };
        let values = |player| self.after(number, player).map(|(value, _)| value);
        [all(0, values(0).max()), all(1, values(1).min())]
    }

    /// The value after each move of a player, with the cell.
    fn after(&self, number: usize, player: usize) -> impl Iterator<Item = (i128, CellSet)> + '_ {
        let open = (0..self.cells.len()).filter(move |&index| (number / power(index)).is_multiple_of(3));
        open.map(move |index| (self.values[number + (1 + player) * power(index)], self.cells[index]))
    }

    fn position(&self, number: usize) -> [CellSet; 2] {
        let with = |digit: usize| {
            let chosen = (0..self.cells.len()).filter(move |&index| number / power(index) % 3 == digit);
            chosen.map(|index| self.cells[index]).sum::<CellSet>()
        };
        [self.start[0] | with(1), self.start[1] | with(2)]
    }

    fn number(&self, hers: CellSet, his: CellSet) -> usize {
        let digit = |cell: CellSet| if hers & cell != 0 { 1 } else { 2 * usize::from(his & cell != 0) };
        self.cells.iter().rev().fold(0, |number, &cell| 3 * number + digit(cell))
    }
}

fn power(exponent: usize) -> usize {
    3_usize.pow(exponent as u32)
}

/// Payoffs from 0 to `most` - 1 for every set.
pub fn random(cells: u32, most: i64, rng: &mut Rng) -> Payoffs {
    Payoffs::of(cells, |_| rng.i64(0..most))
}

/// A monotone win-or-lose game on at most [`Payoffs::MOST_CELLS`] cells: Alice wins with all cells
/// of one of a few random sets.
pub fn monotone(cells: u32, rng: &mut Rng) -> Payoffs {
    let winning: Vec<CellSet> = (0..rng.u32(1..=4)).map(|_| rng.u32(0..1 << cells).into()).collect();
    Payoffs::of(cells, |hers| if winning.iter().any(|least| hers & least == *least) { 1 } else { -1 })
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use richman_core::{TimedWatch, Unwatched};

    use super::*;

    /// Whoever takes the one cell that counts wins; the others are worthless.
    #[test]
    fn one_cell_decides() {
        let game = Payoffs::of(3, |hers| if hers & 0b10 != 0 { 5 } else { -3 });
        let tree = Tree::of(&game, 0, 0, &Unwatched).unwrap();
        assert_eq!((tree.value(0, 0), tree.best(0, 0)), (8, [0b10, 0b10]));
        assert_eq!((tree.value(0b10, 0b1), tree.best(0b10, 0b1)), (10, [0b100, 0b100]));
        assert_eq!((tree.value(0b111, 0), tree.best(0b111, 0)), (5, [0, 0]));
        assert_eq!(tree.positions().count(), 27);
    }

    #[test]
    fn refusals() {
        let over = TimedWatch { watch: &Unwatched, deadline: Some(Instant::now()) };
        let game = random(15, 9, &mut Rng::with_seed(1));
        let refused = |hers, his| Tree::of(&game, hers, his, &Unwatched).is_err();
        assert!(refused(0, 0) && refused(0b11, 0b1) && refused(1 << 20, 0) && !refused(0b11, 0b1100));
        assert_eq!(Tree::of(&game, 0xff, 0, &over).err(), Some(Error::Cancelled));
    }
}
