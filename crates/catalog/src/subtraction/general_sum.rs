//! Self-interest play [LPR20, section 4]: each player counts only their own items. Chips, bids and
//! the marker are as before.
//!
//! Computes both players' gains in equilibrium for every position, all chips and both owners of the
//! marker, by backward induction. Every pair of bids leads to two numbers; it is in equilibrium if
//! neither player gains by another bid. The winner of the bid makes their own best move. If there
//! is no equilibrium, or several with different gains, the result says so, and every state that
//! depends on it is open: no rule of selection is assumed.
//!
//! Accepts acyclic games whose moves give amounts to both players, such as subtraction games, and
//! every bid set. The game ends when the winner of the bid cannot move.
//!
//! Exact. Time: total^2 pairs for each position, number of chips and owner of the marker; memory:
//! all of these. Checked against zero-sum values in games where one player loses what the other
//! takes.

use std::cmp::Ordering;

use richman_core::{Bids, Effort, Error, Player, Total};

use super::usable;

/// Alice's and Bob's gains.
pub type MovePair = [i64; 2];

/// The result of backward induction at a state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Equilibrium {
    /// All equilibria in pure strategies give these amounts.
    One(MovePair),
    /// Several equilibria give different amounts, ascending; or the winner of a bid is indifferent
    /// and the other is not.
    Several(Vec<MovePair>),
    /// There is no equilibrium in pure strategies.
    None,
    /// It depends on a state of the two kinds above.
    Open,
}

impl Equilibrium {
    /// The amounts, if they are determined.
    pub fn one(&self) -> Option<MovePair> {
        match self {
            Equilibrium::One(pair) => Some(*pair),
            _ => None,
        }
    }
}

/// A position's states by owner of the marker, with 0, 1, ..., total chips of Alice.
pub type States = [Vec<Equilibrium>; 2];

/// A move, with its gains for both players.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayoffMove {
    /// The position it leads to, which has a smaller number.
    pub to: u32,
    /// Alice's and Bob's gains.
    pub gains: MovePair,
}

/// An acyclic game whose moves give amounts to both players and lead to smaller numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PayoffGame {
    positions: Vec<[Vec<PayoffMove>; 2]>,
}

impl PayoffGame {
    /// Adds a position with Alice's and Bob's moves and returns its number.
    ///
    /// # Errors
    /// [`Error::TooLarge`] if a move leads to a position not yet added.
    pub fn position(&mut self, alice: Vec<PayoffMove>, bob: Vec<PayoffMove>) -> Result<u32, Error> {
        let number = self.positions.len() as u32;
        if let Some(step) = alice.iter().chain(&bob).find(|step| step.to >= number) {
            let most = u64::from(number).saturating_sub(1);
            return Err(Error::TooLarge { what: "the position a move leads to", given: step.to.into(), most });
        }
        self.positions.push([alice, bob]);
        Ok(number)
    }

    /// Cumulative Subtraction with heaps as positions, up to `heap`.
    pub fn subtraction(set: &[u32], heap: u32) -> PayoffGame {
        let steps = |heap: u32, own: usize| {
            let takes = set.iter().filter(|&&take| take > 0 && take <= heap);
            let step = |&take: &u32| {
                let mut gains = [0, 0];
                gains[own] = i64::from(take);
                PayoffMove { to: heap - take, gains }
            };
            takes.map(step).collect()
        };
        PayoffGame { positions: (0..=heap).map(|heap| [steps(heap, 0), steps(heap, 1)]).collect() }
    }
}

/// The states of every position.
///
/// ```
/// use richman_core::{Bids, Effort, Total};
/// use richman_catalog::subtraction::general_sum::{self, PayoffGame};
/// let game = PayoffGame::subtraction(&[1], 2);
/// let states = general_sum::solve(&game, Total::new(5)?, [&Bids::All, &Bids::All], &Effort::default())?;
/// assert_eq!(states[2][0][1].one(), Some([1, 1])); // as [LPR20, Example 11]: one item each
/// # Ok::<(), richman_core::Error>(())
/// ```
///
/// # Errors
/// [`Error::NobodyCanBid`]; [`Error::TooMuchMemory`]; [`Error::Cancelled`].
pub fn solve(game: &PayoffGame, total: Total, bids: [&Bids; 2], effort: &Effort) -> Result<Vec<States>, Error> {
    let per_position = 2 * (u64::from(total.chips()) + 1) * size_of::<Equilibrium>() as u64;
    effort.check_memory(
        "holding the states of all positions",
        per_position.saturating_mul(game.positions.len() as u64),
    )?;
    let turn = PayoffTurn { game, total: total.chips(), bids: usable(total, bids)? };
    let mut all: Vec<States> = Vec::new();
    for position in 0..game.positions.len() {
        effort.check_cancelled()?;
        let side = |star| (0..=total.chips()).map(|chips| turn.state(&all, position, chips, star)).collect();
        let states = Player::BOTH.map(side);
        all.push(states);
    }
    Ok(all)
}

struct PayoffTurn<'a> {
    game: &'a PayoffGame,
    total: u32,
    bids: [Vec<u32>; 2],
}

impl PayoffTurn<'_> {
    fn state(&self, all: &[States], position: usize, chips: u32, star: Player) -> Equilibrium {
        if self.game.positions[position].iter().all(Vec::is_empty) {
            return Equilibrium::One([0, 0]);
        }
        let [alice, bob] = &self.bids;
        let alice = &alice[..alice.partition_point(|&bid| bid <= chips)];
        let bob = &bob[..bob.partition_point(|&bid| bid <= self.total - chips)];
        // A player without a possible bid still has one line in the matrix.
        let (rows, columns) = (alice.len().max(1), bob.len().max(1));
        let mut matrix: Vec<MovePair> = Vec::with_capacity(rows * columns);
        for row in 0..rows {
            for column in 0..columns {
                let (mine, other) = (alice.get(row).copied(), bob.get(column).copied());
                let paid = mine.max(other).unwrap_or(0);
                let (mover, star) = match mine.cmp(&other) {
                    Ordering::Greater => (Player::Alice, star),
                    Ordering::Less => (Player::Bob, star),
                    Ordering::Equal => (star, star.other()),
                };
                #[cfg(feature = "faults")]
                let mover = match mine.cmp(&other) {
                    Ordering::Equal if richman_solvers::fault::is(richman_solvers::fault::Fault::TiesSwapped) => {
                        mover.other()
                    }
                    _ => mover,
                };
                let chips_after = if mover == Player::Alice { chips - paid } else { chips + paid };
                #[cfg(feature = "faults")]
                let chips_after = richman_solvers::fault::paid(chips, chips_after, self.total);
                match self.step(all, position, mover, chips_after, star) {
                    Equilibrium::One(pair) => matrix.push(pair),
                    unclear => return unclear,
                }
            }
        }
        equilibria(&matrix, columns)
    }

    /// The state after the bid: `mover` makes their best move.
    fn step(&self, all: &[States], position: usize, mover: Player, chips: u32, star: Player) -> Equilibrium {
        let own = usize::from(mover == Player::Bob);
        let steps = &self.game.positions[position][own];
        let mut best: Vec<MovePair> = if steps.is_empty() { vec![[0, 0]] } else { Vec::new() };
        for step in steps {
            let Some(after) = all[step.to as usize][star as usize][chips as usize].one() else {
                return Equilibrium::Open;
            };
            let pair = [after[0] + step.gains[0], after[1] + step.gains[1]];
            match best.first().map(|best| best[own]) {
                Some(known) if known > pair[own] => {}
                Some(known) if known == pair[own] => best.push(pair),
                _ => best = vec![pair],
            }
        }
        gathered(best)
    }
}

/// The pure equilibria of a matrix whose rows are Alice's bids.
fn equilibria(matrix: &[MovePair], columns: usize) -> Equilibrium {
    let mut best_in_column = vec![i64::MIN; columns];
    for line in matrix.chunks(columns) {
        best_in_column.iter_mut().zip(line).for_each(|(best, pair)| *best = pair[0].max(*best));
    }
    let mut found: Vec<MovePair> = Vec::new();
    for line in matrix.chunks(columns) {
        let best = line.iter().map(|pair| pair[1]).max();
        let stable =
            line.iter().zip(&best_in_column).filter(|(pair, column)| Some(pair[1]) == best && pair[0] == **column);
        found.extend(stable.map(|(pair, _)| pair));
    }
    gathered(found)
}

fn gathered(mut pairs: Vec<MovePair>) -> Equilibrium {
    pairs.sort_unstable();
    pairs.dedup();
    match pairs[..] {
        [] => Equilibrium::None,
        [pair] => Equilibrium::One(pair),
        _ => Equilibrium::Several(pairs),
    }
}
