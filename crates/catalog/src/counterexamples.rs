//! The smallest known counterexamples, as data; a test finds each again.

use richman_analysis::Subject;
use richman_analysis::uniqueness::{Property, Violation, violation};
use richman_core::{
    Bids, Effort, Mechanism, Player, Preset, Score, ScoreSolution, ScoreState, Scores, ScoringArena, Total, Unfolding,
};
use richman_solvers::scores;

use crate::Error;

/// The claim about all rulesets of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UniversalClaim {
    /// All three properties hold.
    Properties,
    /// One property holds.
    Property(Property),
    /// Maximin is minimax: there is an equilibrium value.
    Unique,
}

/// A false statement, and the smallest ruleset that refutes it.
#[derive(Debug, Clone, Copy)]
pub struct RefutedStatement {
    /// The statement and its counterexample in one line.
    pub says: &'static str,
    /// The claim.
    pub claim: UniversalClaim,
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
    /// Fails if the file is not a valid game; the tests exclude this.
    pub fn unfold(&self) -> Result<Box<dyn Unfolding<Scores>>, Error> {
        let game = Subject::from_file("counterexample.json", self.game.as_bytes(), &Effort::default())?;
        Ok(game.unfold_for::<Scores>(None, &Effort::default())?)
    }
}

/// LPR20's conjecture 7 as stated, then weaker forms of it.
pub const KNOWN: [RefutedStatement; 7] = [
    RefutedStatement {
        says: "conjecture 7 as stated: with only 0 to bid the star is worth more than a chip",
        claim: UniversalClaim::Properties,
        game: include_str!("counterexamples/stated.json"),
        total: 1,
        bids: "0",
    },
    RefutedStatement {
        says: "conjecture 7 as stated, only that there is an equilibrium: bids 0 and 1 of 3 chips",
        claim: UniversalClaim::Unique,
        game: include_str!("counterexamples/stated-equilibrium.json"),
        total: 3,
        bids: "0+1",
    },
    RefutedStatement {
        says: "with all bids: the move that brings nothing and opens the way is better left to the other player",
        claim: UniversalClaim::Properties,
        game: include_str!("counterexamples/stated-equilibrium.json"),
        total: 0,
        bids: "all",
    },
    RefutedStatement {
        says: "with all bids and the same moves for both: the same on a path of weights 0 and 1",
        claim: UniversalClaim::Properties,
        game: include_str!("counterexamples/symmetric.json"),
        total: 0,
        bids: "all",
    },
    RefutedStatement {
        says: "with all bids, the same moves and positive weights: a path of weights 1 and 2",
        claim: UniversalClaim::Properties,
        game: include_str!("counterexamples/positive.json"),
        total: 0,
        bids: "all",
    },
    RefutedStatement {
        says: "with all bids and all weights 1, where a player may be stuck",
        claim: UniversalClaim::Properties,
        game: include_str!("counterexamples/ones.json"),
        total: 1,
        bids: "all",
    },
    RefutedStatement {
        says: "with all bids and the same moves, only that there is an equilibrium: a path of weights 1, 0, 1 and \
               4 chips",
        claim: UniversalClaim::Unique,
        game: include_str!("counterexamples/equilibrium.json"),
        total: 4,
        bids: "all",
    },
];

/// The reason why a statement is false.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refutation {
    /// A property is violated.
    Violation(Violation),
    /// Maximin and minimax differ.
    Apart(ScoreState, Score),
}

/// Whether a ruleset refutes the claim at its start, with marker ties where the winner of a bid
/// must move.
///
/// # Errors
/// Fails as [`scores::solve`] does, for instance if nobody can bid.
pub fn refuted(
    claim: UniversalClaim,
    arena: &ScoringArena,
    total: u32,
    bids: &Bids,
    effort: &Effort,
) -> Result<Option<Refutation>, Error> {
    let mechanism = Mechanism { bids: bids.clone(), ..Preset::Larsson.mechanism() };
    let solution: ScoreSolution = scores::solve(arena, &mechanism, Total::new(total)?, effort)?;
    let violated = |property| violation(&solution, property, arena.start()).map(Refutation::Violation);
    Ok(match claim {
        UniversalClaim::Properties => Property::ALL.into_iter().find_map(violated),
        UniversalClaim::Property(property) => violated(property),
        UniversalClaim::Unique => {
            let mut states =
                Player::BOTH.into_iter().flat_map(|star| (0..=total).map(move |alice| ScoreState { alice, star }));
            states.find_map(|state| {
                let score = solution.score(arena.start(), state);
                score.as_exact().is_none().then_some(Refutation::Apart(state, score))
            })
        }
    })
}
