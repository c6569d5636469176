//! The smallest known counterexamples, as data. A test finds each of them again.

pub mod search;

use richman_analysis::Subject;
use richman_core::{Effort, Scores, Unfolding};

use crate::Error;
use search::{Claim, Reach, Statement, Weights};

/// A false statement, and the smallest ruleset that refutes it.
#[derive(Debug, Clone, Copy)]
pub struct Known {
    /// The falsehood in one line.
    pub says: &'static str,
    /// The statement refuted.
    pub statement: Statement,
    /// A reach within which the search finds the counterexample.
    pub reach: Reach,
    /// The ruleset as a game file.
    pub game: &'static str,
    /// The total.
    pub total: u32,
    /// The allowed bids.
    pub bids: &'static str,
}

impl Known {
    /// Unfolds the ruleset, with names for its positions.
    ///
    /// # Errors
    /// Fails if the file is not a valid game; the tests exclude this.
    pub fn unfold(&self) -> Result<Box<dyn Unfolding<Scores>>, Error> {
        let game = Subject::from_file("counterexample.json", self.game.as_bytes())?;
        Ok(game.unfold_for::<Scores>(None, &Effort::default())?)
    }
}

const CONJECTURE_7: Statement = Statement::CONJECTURE_7;
const ALL_BIDS: Statement = Statement { all_bids: true, ..CONJECTURE_7 };
const SYMMETRIC: Statement = Statement { symmetric: true, ..ALL_BIDS };

/// All counterexamples: LPR20's conjecture 7 as stated, then weaker forms of it.
pub const KNOWN: [Known; 7] = [
    Known {
        says: "conjecture 7 as stated: with only 0 to bid the star is worth more than a chip",
        statement: CONJECTURE_7,
        reach: Reach { positions: 2, total: 3, heaviest: 1 },
        game: include_str!("counterexamples/stated.json"),
        total: 1,
        bids: "0",
    },
    Known {
        says: "conjecture 7 as stated, only that there is an equilibrium: bids 0 and 1 of 3 chips",
        statement: Statement { claim: Claim::Unique, ..CONJECTURE_7 },
        reach: Reach { positions: 3, total: 3, heaviest: 1 },
        game: include_str!("counterexamples/stated-equilibrium.json"),
        total: 3,
        bids: "0+1",
    },
    Known {
        says: "with all bids: the move that brings nothing and opens the way is better left to the other player",
        statement: ALL_BIDS,
        reach: Reach { positions: 3, total: 3, heaviest: 1 },
        game: include_str!("counterexamples/stated-equilibrium.json"),
        total: 0,
        bids: "all",
    },
    Known {
        says: "with all bids and the same moves for both: the same on a path of weights 0 and 1",
        statement: SYMMETRIC,
        reach: Reach { positions: 3, total: 3, heaviest: 2 },
        game: include_str!("counterexamples/symmetric.json"),
        total: 0,
        bids: "all",
    },
    Known {
        says: "with all bids, the same moves and positive weights: a path of weights 1 and 2",
        statement: Statement { weights: Weights::Positive, ..SYMMETRIC },
        reach: Reach { positions: 3, total: 3, heaviest: 2 },
        game: include_str!("counterexamples/positive.json"),
        total: 0,
        bids: "all",
    },
    Known {
        says: "with all bids and all weights 1, where a player may be stuck",
        statement: Statement { weights: Weights::One, ..ALL_BIDS },
        reach: Reach { positions: 4, total: 1, heaviest: 1 },
        game: include_str!("counterexamples/ones.json"),
        total: 1,
        bids: "all",
    },
    Known {
        says: "with all bids and the same moves, only that there is an equilibrium: a path of weights 1, 0, 1 and 4 chips",
        statement: Statement { claim: Claim::Unique, ..SYMMETRIC },
        reach: Reach { positions: 4, total: 4, heaviest: 1 },
        game: include_str!("counterexamples/equilibrium.json"),
        total: 4,
        bids: "all",
    },
];
