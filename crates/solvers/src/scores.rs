//! Scoring games with chips: the greatest score that Alice can make sure of, the least that Bob can hold her to.
//!
//! **Formula.** With W(s, a) what a position is worth once Alice has won the bid, has a chips left and s holds the star, L(s, a) the
//! same once Bob has, and T(t) what a tie at t leads to,
//!
//! ```text
//! maximin = max over Alice's bids x of  min { W(s, a - x) if Bob may bid less,  T(x) if he may bid x,  L(s, a + y) for his bids y > x }
//! minimax = min over Bob's bids y of    max { W(s, a - x) for her bids x > y,  T(y) if she may bid y,  L(s, a + y) if she may bid less }
//! ```
//!
//! A player without an allowed bid cannot win the bid. W is the best of Alice's moves, weight and value after it, or her stuck score where she has
//! none; L the same for Bob, who likes low numbers; where the winner of the bid chooses who moves, W is the greater and L the lesser of
//! the two. Maximin values come from maximin values of later positions, minimax values from minimax values: what a player makes sure of who names
//! every bid first, with the other answering it. `docs/design.md`, theorem 15 (what the values are), has the proof.
//!
//! **Source.** [LPR20, Definition 1], with these differences: a player's turn to move without a move ends the game, whoever's
//! the position is "terminal" for, as its text says and its formula does not; weights of Bob's moves are added as
//! they are; and its observation 5 misprints a position (x for y).
//!
//! **Accepts** every scoring arena; marker and advantage ties, both rights, every set of bids with which somebody can always bid.
//!
//! **Stops** after each position was evaluated once. **Result:** exact.
//!
//! **Time and memory.** For each position, holding and holder of the star one step for each allowed bid; with all bids the values rise with
//! chips (theorem 16 (budget monotonicity) there, whatever the weights), so one binary search. 16 bytes for each position and holding, twice that where
//! maximin and minimax differ anywhere.
//!
//! **Checked by** the oracle `richman_check::score_oracle`, which builds every matrix of bids.
//!
//! ```
//! use richman_core::{Effort, Player, Preset, ScoreState, ScoringArenaBuilder, Total};
//! use richman_solvers::{scores};
//!
//! // A heap of two, one pebble a move [LPR20, Example 11].
//! let mut arena = ScoringArenaBuilder::new();
//! let empty = arena.terminal(0);
//! let one = arena.labelled(&[(empty, 1)], &[(empty, -1)], [0, 0]);
//! let two = arena.labelled(&[(one, 1)], &[(one, -1)], [0, 0]);
//! let arena = arena.build(two)?;
//! let solution = scores::solve(&arena, &Preset::Larsson.mechanism(), Total::new(5)?, &Effort::default())?;
//! let row: Vec<i64> = solution.scores(two, Player::Alice).rev().filter_map(|score| score.as_exact()).collect();
//! assert_eq!(row, [2, 2, 0, 0, 0, -2]);
//! # Ok::<(), richman_core::Error>(())
//! ```

mod matrix;
mod turn;

pub use matrix::{BidMatrix, matrix};
pub use turn::maximin;

use richman_core::{Effort, Error, Mechanism, ScoreSolution, ScoringArena, Total};

use crate::registry;
use turn::Turn;

/// The values of every position.
///
/// # Errors
/// [`Error::Unsupported`] and [`Error::NobodyCanBid`] for mechanisms that are not served, [`Error::TooMuchMemory`],
/// [`Error::Cancelled`].
pub fn solve(
    arena: &ScoringArena,
    mechanism: &Mechanism,
    total: Total,
    effort: &Effort,
) -> Result<ScoreSolution, Error> {
    const BETWEEN_CHECKS: usize = 1 << 24; // cells times what may be bid
    const ROWS_AT_WORK: u64 = 16;
    registry::scores(mechanism, total)?;
    #[cfg(feature = "faults")]
    let (mechanism, arena) = (&*crate::fault::mechanism(mechanism), &*crate::fault::arena(arena));
    let row = 2 * (u64::from(total.chips()) + 1);
    let bytes = (arena.len() as u64 + ROWS_AT_WORK).saturating_mul(8 * row);
    effort.check_memory("a table of all values", bytes)?;
    let row = row as usize;
    let mut maximin = vec![0; arena.len() * row];
    let mut minimax: Option<Vec<i64>> = None;
    let mut turn = Turn::new(mechanism, total);
    let (mut low, mut high) = (vec![0; row], vec![0; row]);
    let mut since = 0;
    for (done, &node) in arena.order().iter().enumerate() {
        since += row * row;
        if since >= BETWEEN_CHECKS {
            since = 0;
            effort.check_cancelled()?;
            effort.watch.progress("scores", done as u64, Some(arena.len() as u64));
        }
        let place = node as usize * row..(node as usize + 1) * row;
        turn.read(arena, node, &maximin);
        turn.maximin(&mut low);
        if let Some(minimax) = &minimax {
            turn.read(arena, node, minimax);
        }
        turn.minimax(&mut high);
        maximin[place.clone()].copy_from_slice(&low);
        match &mut minimax {
            Some(minimax) => minimax[place].copy_from_slice(&high),
            None if low != high => {
                effort.check_memory("a table of all maximin and minimax values", 2 * bytes)?;
                let mut copy = maximin.clone();
                copy[place].copy_from_slice(&high);
                minimax = Some(copy);
            }
            None => {}
        }
    }
    Ok(ScoreSolution { mechanism: mechanism.clone(), total, maximin, minimax })
}
