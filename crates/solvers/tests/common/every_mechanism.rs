//! All combinations of the five choices that can be solved for chips, and their solutions.

use std::ops::Deref;

use richman_core::{
    Arena, Bidding, Bids, ChipSolution, Effort, Forces, Mechanism, Payment, PurseSolution, Purses, Right, Ties, Total,
};
use richman_solvers::{chips, purses};

/// Every combination that a solver serves.
pub fn combinations() -> Vec<Mechanism> {
    let words = |words: &'static [&'static str]| words.iter();
    let mut all = Vec::new();
    for payment in words(&["richman", "poorman", "taxman:1/2", "taxman:2/3", "taxman:0", "taxman:1"]) {
        let payment: Payment = payment.parse().unwrap();
        for ties in Ties::ALL {
            for bidding in [Bidding::Sealed, Bidding::AliceFirst, Bidding::BobFirst] {
                for right in [Right::Chooses, Right::Moves] {
                    for bids in words(&["all", "0+2", "0+1+3", "1", "1+2", "2+3+4"]) {
                        let bids: Bids = bids.parse().unwrap();
                        if bids.least() == 0 || payment == Payment::Richman {
                            all.push(Mechanism { payment: payment.clone(), ties, bidding, right, bids });
                        }
                    }
                }
            }
        }
    }
    all
}

/// A solver's result of any type.
pub enum Solution {
    Chips(ChipSolution),
    Purses(PurseSolution),
}

impl Deref for Solution {
    type Target = dyn Forces;

    fn deref(&self) -> &Self::Target {
        match self {
            Solution::Chips(solution) => solution,
            Solution::Purses(solution) => solution,
        }
    }
}

impl AsRef<dyn Forces> for Solution {
    fn as_ref(&self) -> &(dyn Forces + 'static) {
        self.deref()
    }
}

/// The solutions for a total, of every kind that suits the mechanism.
pub fn solve(arena: &Arena, mechanism: &Mechanism, total: u32, effort: &Effort) -> Vec<Solution> {
    let purses = |purses| Solution::Purses(purses::solve(arena, mechanism, purses, effort).unwrap());
    match mechanism.payment {
        Payment::Richman if mechanism.is_ordered_by_chips() => {
            let k = Total::new(total).unwrap();
            let chips = chips::solve(arena, mechanism, k, effort).unwrap();
            vec![Solution::Chips(chips), purses(Purses::Exactly(total))]
        }
        Payment::Richman => vec![purses(Purses::Exactly(total))],
        Payment::Poorman => {
            vec![purses(Purses::Together(total)), purses(Purses::UpTo { alice: total, bob: total })]
        }
        Payment::Taxman { .. } => vec![purses(Purses::Together(total))],
    }
}
