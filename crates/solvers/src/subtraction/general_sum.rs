//! Self-interest play [LPR20, section 4]: each player counts only what they take themselves. Chips, bids and the marker as before.
//!
//! What it computes: for every heap, all chips and both owners of the marker, what both players take from here on in equilibrium, by
//! backward induction: every pair of bids leads to two numbers, and a pair is in equilibrium if neither player gains by another bid.
//! The winner of the bid takes what is best for themselves. Where no pair is in equilibrium, or several that are worth
//! different amounts, that is the result, and what depends on it is open: no rule of selection is assumed.
//!
//! Exact. Time: total^2 pairs for each heap, number of chips and owner of the marker; memory: all of these.

use richman_core::{Error, Player};

use super::Rules;
use crate::Options;

/// What Alice takes, and what Bob takes.
pub type Pair = [i64; 2];

/// What backward induction says about a state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Equilibrium {
    /// All equilibria in pure strategies give this.
    One(Pair),
    /// There are several that give different amounts, ascending; or the winner of a bid is indifferent and the other player is not.
    Several(Vec<Pair>),
    /// There is no equilibrium in pure strategies.
    None,
    /// It depends on a state of the two kinds above.
    Open,
}

impl Equilibrium {
    /// The amounts, if they are determined.
    pub fn one(&self) -> Option<Pair> {
        match self {
            Equilibrium::One(pair) => Some(*pair),
            _ => None,
        }
    }
}

/// The states of one heap, with 0, 1, ..., total chips of Alice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct States {
    /// Alice has the marker.
    pub star_alice: Vec<Equilibrium>,
    /// Bob has it.
    pub star_bob: Vec<Equilibrium>,
}

impl States {
    /// The states with the marker held by `star`.
    pub fn with_star(&self, star: Player) -> &[Equilibrium] {
        match star {
            Player::Alice => &self.star_alice,
            Player::Bob => &self.star_bob,
        }
    }
}

/// The states of the heaps 0..=`heap`.
///
/// ```
/// use richman_core::{Bids, Total};
/// use richman_solvers::{Options, subtraction::{Rules, general_sum}};
/// let rules = Rules::new(&[1], Total::new(5)?, &Bids::All, &Bids::All)?;
/// let states = general_sum::solve(&rules, 2, &Options::default())?;
/// assert_eq!(states[2].star_alice[1].one(), Some([1, 1])); // as [LPR20, Example 11]: one item each
/// # Ok::<(), richman_core::Error>(())
/// ```
///
/// # Errors
/// [`Error::TooMuchMemory`], [`Error::Cancelled`].
pub fn solve(rules: &Rules, heap: u32, options: &Options) -> Result<Vec<States>, Error> {
    let per_heap = 2 * (u64::from(rules.total) + 1) * size_of::<Equilibrium>() as u64;
    options.check_memory("the states of all heaps", per_heap * (u64::from(heap) + 1))?;
    let mut all: Vec<States> = Vec::new();
    for heap in 0..=heap {
        options.check_cancelled()?;
        let side = |star| (0..=rules.total).map(|chips| state(rules, &all, heap, chips, star)).collect();
        let states = States { star_alice: side(Player::Alice), star_bob: side(Player::Bob) };
        all.push(states);
    }
    Ok(all)
}

fn state(rules: &Rules, all: &[States], heap: u32, chips: u32, star: Player) -> Equilibrium {
    if heap < rules.set[0] {
        return Equilibrium::One([0, 0]);
    }
    let [alice, bob] = &rules.bids;
    let within = |bids: &[u32], most: u32| bids.partition_point(|&bid| bid <= most);
    let alice = &alice[..within(alice, chips)];
    let bob = &bob[..within(bob, rules.total - chips)];
    let after = |mover, chips, star| take(rules, all, heap, mover, chips, star);
    // Each player's bids; a player who can make none has one line in the matrix all the same.
    let (rows, columns) = (alice.len().max(1), bob.len().max(1));
    let mut matrix: Vec<Pair> = Vec::with_capacity(rows * columns);
    for row in 0..rows {
        for column in 0..columns {
            let (mine, other) = (alice.get(row).copied(), bob.get(column).copied());
            let result = match mine.cmp(&other) {
                std::cmp::Ordering::Greater => after(Player::Alice, chips - mine.unwrap_or(0), star),
                std::cmp::Ordering::Less => after(Player::Bob, chips + other.unwrap_or(0), star),
                std::cmp::Ordering::Equal => {
                    let bid = mine.unwrap_or(0);
                    let chips = if star == Player::Alice { chips - bid } else { chips + bid };
                    after(star, chips, star.other())
                }
            };
            match result {
                Equilibrium::One(pair) => matrix.push(pair),
                Equilibrium::Several(pairs) => return Equilibrium::Several(pairs),
                _ => return Equilibrium::Open,
            }
        }
    }
    let best_row: Vec<i64> =
        (0..columns).map(|column| (0..rows).map(|row| matrix[row * columns + column][0]).max().unwrap_or(0)).collect();
    let mut found: Vec<Pair> = Vec::new();
    for line in matrix.chunks(columns) {
        let best = line.iter().map(|pair| pair[1]).max().unwrap_or(0);
        found.extend(
            line.iter().zip(&best_row).filter(|(pair, row)| pair[1] == best && pair[0] == **row).map(|(p, _)| p),
        );
    }
    found.sort_unstable();
    found.dedup();
    match found[..] {
        [] => Equilibrium::None,
        [pair] => Equilibrium::One(pair),
        _ => Equilibrium::Several(found),
    }
}

/// After the bid: `mover` takes what is best for them.
fn take(rules: &Rules, all: &[States], heap: u32, mover: Player, chips: u32, star: Player) -> Equilibrium {
    let own = usize::from(mover == Player::Bob);
    let mut best: Vec<Pair> = Vec::new();
    for &take in rules.set.iter().take_while(|&&take| take <= heap) {
        let Some(mut pair) = all[(heap - take) as usize].with_star(star)[chips as usize].one() else {
            return Equilibrium::Open;
        };
        pair[own] += i64::from(take);
        match best.first().map(|best| best[own]) {
            Some(known) if known > pair[own] => {}
            Some(known) if known == pair[own] => best.push(pair),
            _ => best = vec![pair],
        }
    }
    best.sort_unstable();
    best.dedup();
    match best[..] {
        [pair] => Equilibrium::One(pair),
        _ => Equilibrium::Several(best),
    }
}
