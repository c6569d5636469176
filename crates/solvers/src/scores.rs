//! Scoring games with chips: the greatest score that Alice can guarantee, and the least that Bob
//! can hold her to.
//!
//! **Formula.** Let W(s, a) be the value of a position once Alice has won the bid, has a chips left
//! and s holds the star, L(s, a) the same once Bob has won it, and T(t) the value of a tie at t.
//!
//! ```text
//! maximin = max over Alice's bids x of the least of
//!     W(s, a - x) if Bob may bid less,  T(x) if he may bid x,  L(s, a + y) for his bids y > x
//! minimax = min over Bob's bids y of the greatest of
//!     W(s, a - x) for her bids x > y,  T(y) if she may bid y,  L(s, a + y) if she may bid less
//! ```
//!
//! A player without an allowed bid cannot win the bid. W is the best of Alice's moves (weight plus
//! value after it), or her stuck score if she has none; L the same for Bob, who prefers low
//! numbers. If the winner of the bid chooses who moves, W is the greater and L the lesser of the
//! two. Maximin values come from later maximin values, minimax values from later minimax values:
//! each is the guarantee of a player who names every bid before the other answers.
//! `docs/design.md`, theorem 15 (what the values are), has the proof.
//!
//! **Source.** [LPR20, Definition 1], with these differences. The game ends when the player to move
//! cannot, as the paper's text says but not its formula; weights of Bob's moves are added as they
//! are; observation 5 of the paper has a misprint (x for y).
//!
//! **Accepts** every scoring arena; marker and advantage ties, both rights, and every set of bids
//! with which somebody can always bid.
//!
//! **Stops** once every position has been evaluated. **Result:** exact.
//!
//! **Time and memory.** One step for each position, holding, holder of the star and allowed bid.
//! With all bids, values rise with chips (theorem 16 (budget monotonicity) there), so a binary
//! search suffices. 16 bytes per position and holding, twice that if maximin and minimax differ
//! anywhere.
//!
//! **Checked by** the oracle `richman_check::score_oracle`, which builds every matrix of bids.
//!
//! ```
//! use richman_core::{Effort, Player, Preset, ScoreState, ScoringArenaBuilder, Total};
//! use richman_solvers::{scores};
//!
//! // A heap of two, one pebble per move [LPR20, Example 11].
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
use turn::ScoreTurn;

/// The values of every position.
///
/// # Errors
/// [`Error::Unsupported`] if the mechanism is not served; [`Error::NobodyCanBid`];
/// [`Error::TooMuchMemory`]; [`Error::Cancelled`].
pub fn solve(
    arena: &ScoringArena,
    mechanism: &Mechanism,
    total: Total,
    effort: &Effort,
) -> Result<ScoreSolution, Error> {
    const BETWEEN_CHECKS: usize = 1 << 24; // cells times allowed bids
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
    let mut turn = ScoreTurn::new(mechanism, total);
    let (mut low, mut high) = (vec![0; row], vec![0; row]);
    let mut since = 0;
    for (done, &node) in arena.order().iter().enumerate() {
        since += row * row;
        if since >= BETWEEN_CHECKS {
            since = 0;
            effort.check_cancelled()?;
            effort.watch.progress("scores", done as u64, Some(arena.len() as u64));
        }
        let range = node as usize * row..(node as usize + 1) * row;
        turn.read(arena, node, &maximin);
        turn.maximin(&mut low);
        if let Some(minimax) = &minimax {
            turn.read(arena, node, minimax);
        }
        turn.minimax(&mut high);
        maximin[range.clone()].copy_from_slice(&low);
        match &mut minimax {
            Some(minimax) => minimax[range].copy_from_slice(&high),
            None if low != high => {
                effort.check_memory("a table of all maximin and minimax values", 2 * bytes)?;
                let mut copy = maximin.clone();
                copy[range].copy_from_slice(&high);
                minimax = Some(copy);
            }
            None => {}
        }
    }
    Ok(ScoreSolution { mechanism: mechanism.clone(), total, maximin, minimax })
}
