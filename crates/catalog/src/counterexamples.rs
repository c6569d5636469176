//! The smallest known counterexamples, as data; a test finds each again.

pub mod search;

use richman_analysis::Subject;
use richman_core::{Effort, Scores, Unfolding};

use crate::Error;
use search::{SearchLimits, Statement, UniversalClaim, Weights};

/// A false statement, and the smallest ruleset that refutes it.
#[derive(Debug, Clone, Copy)]
pub struct RefutedStatement {
    /// The statement and its counterexample in one line.
    pub says: &'static str,
    /// The statement refuted.
    pub statement: Statement,
    /// Limits within which the search finds it.
    pub reach: SearchLimits,
    /// The ruleset as a game file.
    pub game: &'static str,
    /// The total.
    pub total: u32,
    /// The allowed bids.
    pub bids: &'static str,
}

impl RefutedStatement {
    /// Unfolds the ruleset, naming its positions.
    ///
    /// # Errors
    /// Fails if the file is no valid game; the tests exclude this.
    pub fn unfold(&self) -> Result<Box<dyn Unfolding<Scores>>, Error> {
        let game = Subject::from_file("counterexample.json", self.game.as_bytes(), &Effort::default())?;
        Ok(game.unfold_for::<Scores>(None, &Effort::default())?)
    }
}

const CONJECTURE_7: Statement = Statement::CONJECTURE_7;
const ALL_BIDS: Statement = Statement { all_bids: true, ..CONJECTURE_7 };
const SYMMETRIC: Statement = Statement { symmetric: true, ..ALL_BIDS };

/// LPR20's conjecture 7 as stated, then weaker forms of it.
pub const KNOWN: [RefutedStatement; 7] = [
    RefutedStatement {
        says: "conjecture 7 as stated: with only 0 to bid the star is worth more than a chip",
        statement: CONJECTURE_7,
        reach: SearchLimits { positions: 2, total: 3, heaviest: 1 },
        game: include_str!("counterexamples/stated.json"),
        total: 1,
        bids: "0",
    },
    RefutedStatement {
        says: "conjecture 7 as stated, only that there is an equilibrium: bids 0 and 1 of 3 chips",
        statement: Statement { claim: UniversalClaim::Unique, ..CONJECTURE_7 },
        reach: SearchLimits { positions: 3, total: 3, heaviest: 1 },
        game: include_str!("counterexamples/stated-equilibrium.json"),
        total: 3,
        bids: "0+1",
    },
    RefutedStatement {
        says: "with all bids: the move that brings nothing and opens the way is better left to the other player",
        statement: ALL_BIDS,
        reach: SearchLimits { positions: 3, total: 3, heaviest: 1 },
        game: include_str!("counterexamples/stated-equilibrium.json"),
        total: 0,
        bids: "all",
    },
    RefutedStatement {
        says: "with all bids and the same moves for both: the same on a path of weights 0 and 1",
        statement: SYMMETRIC,
        reach: SearchLimits { positions: 3, total: 3, heaviest: 2 },
        game: include_str!("counterexamples/symmetric.json"),
        total: 0,
        bids: "all",
    },
    RefutedStatement {
        says: "with all bids, the same moves and positive weights: a path of weights 1 and 2",
        statement: Statement { weights: Weights::Positive, ..SYMMETRIC },
        reach: SearchLimits { positions: 3, total: 3, heaviest: 2 },
        game: include_str!("counterexamples/positive.json"),
        total: 0,
        bids: "all",
    },
    RefutedStatement {
        says: "with all bids and all weights 1, where a player may be stuck",
        statement: Statement { weights: Weights::One, ..ALL_BIDS },
        reach: SearchLimits { positions: 4, total: 1, heaviest: 1 },
        game: include_str!("counterexamples/ones.json"),
        total: 1,
        bids: "all",
    },
    RefutedStatement {
        says: "with all bids and the same moves, only that there is an equilibrium: a path of weights 1, 0, 1 and \
               4 chips",
        statement: Statement { claim: UniversalClaim::Unique, ..SYMMETRIC },
        reach: SearchLimits { positions: 4, total: 4, heaviest: 1 },
        game: include_str!("counterexamples/equilibrium.json"),
        total: 4,
        bids: "all",
    },
];
