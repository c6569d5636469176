//! The two programs of the paper, line by line [GSZ09, 5.2.1 and 5.2.2].
//!
//! Both run through t = 1, ..., d_L + d_R + N and keep, for each state, 0 while the player does not
//! win within t moves. Then program L stores one more than the larger of the two values after the
//! first good bid, and program R stores t. Both are the fewest moves: for R because t is the first
//! with a win, and for L because the bid wins in that many moves and, by the choice of t, none wins
//! in fewer. [`super::PurseWins`] has the same numbers without the loop over t.
//!
//! Two accesses outside the arrays are repaired: nodes 0 and N have no entries in the paper, and
//! for N = 2 its case p = 1 looks at node 2. Such an entry is 0 here, as the paper's words require.
//! The last case of program R prints `k+1 >= m2` for "Right cannot outbid Left", but explains it as
//! `k+1 > m2`. That is harmless: with m2 = k + 1 Right would spend his last dollar, and without
//! money he never wins.

use richman_games::within;

use super::super::checked_length;
use crate::Error;

/// The final array of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Programme {
    alice: u32,
    bob: u32,
    stored: Vec<u32>,
}

impl Programme {
    /// A state's entry: the number of moves, or 0 if the program's player does not win.
    ///
    /// # Panics
    /// If the purses exceed those given to the program.
    pub fn stored(&self, at: u32, alice: u32, bob: u32) -> u32 {
        assert!(alice <= self.alice && bob <= self.bob, "no such state");
        self.stored[index(self.alice, self.bob, at, alice, bob)]
    }
}

fn index(alice: u32, bob: u32, at: u32, own: u32, other: u32) -> usize {
    ((at * (alice + 1) + own) * (bob + 1) + other) as usize
}

/// Program L: whether Left (Alice) wins, and in how many moves. Time: (`alice` + `bob` + length) x
/// states x `alice`.
///
/// # Errors
/// [`richman_games::GameError::OutOfRange`] unless 2 <= length <= [`super::super::LONGEST`] and
/// purses are at most 50.
pub fn programme_l(length: u32, alice: u32, bob: u32) -> Result<Programme, Error> {
    run(length, alice, bob, |old, p, m, m2, _t| {
        for k in 0..=m {
            let left = old(p - 1, m - k, m2);
            let right = if m2 > k { old(p + 1, m, m2 - k - 1) } else { 0 };
            if p == 1 {
                if k >= m2 {
                    return 1;
                } else if right != 0 {
                    return 1 + right;
                }
            } else if p == length - 1 {
                if k >= m2 && left != 0 {
                    return 1 + left;
                }
            } else if left != 0 && k + 1 > m2 {
                return 1 + left;
            } else if left != 0 && right != 0 {
                return 1 + left.max(right);
            }
        }
        0
    })
}

/// Program R: whether Right (Bob) wins, and in how many moves. Time as for [`programme_l`].
///
/// # Errors
/// [`richman_games::GameError::OutOfRange`] as for [`programme_l`].
pub fn programme_r(length: u32, alice: u32, bob: u32) -> Result<Programme, Error> {
    run(length, alice, bob, |old, p, m, m2, t| {
        if t == 1 {
            return u32::from(p == length - 1 && m2 > m);
        }
        for k in 0..=m {
            let left = old(p - 1, m - k, m2);
            let right = if m2 > k { old(p + 1, m, m2 - k - 1) } else { 0 };
            let good_move = if p == 1 {
                k >= m2 || right == 0
            } else if p == length - 1 {
                k >= m2 && left == 0
            } else {
                left == 0 && (k + 1 >= m2 || right == 0)
            };
            if good_move {
                return 0;
            }
        }
        t
    })
}

/// Fills the array for each t in turn; nonzero entries stay.
fn run(
    length: u32,
    alice: u32,
    bob: u32,
    compute: impl Fn(&dyn Fn(u32, u32, u32) -> u32, u32, u32, u32, u32) -> u32,
) -> Result<Programme, Error> {
    checked_length(length)?;
    within("alice", alice, 0..=50)?;
    within("bob", bob, 0..=50)?;
    let mut old = vec![0; (length + 1) as usize * (alice + 1) as usize * (bob + 1) as usize];
    for t in 1..=alice + bob + length {
        let mut current = old.clone();
        for p in 1..length {
            for m in 0..=alice {
                for m2 in 0..=bob {
                    let entry = &mut current[index(alice, bob, p, m, m2)];
                    if *entry == 0 {
                        *entry = compute(&|p, m, m2| old[index(alice, bob, p, m, m2)], p, m, m2, t);
                    }
                }
            }
        }
        old = current;
    }
    Ok(Programme { alice, bob, stored: old })
}
