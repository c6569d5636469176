//! All combinations of the five choices that can be solved for chips, and a solution whatever they are.

use richman_core::{Arena, Bidding, Bids, Forces, Mechanism, Payment, Purses, Right, Ties, Total};
use richman_solvers::{Options, chips, purses};

/// Every combination that a solver serves.
pub fn combinations() -> Vec<Mechanism> {
    let words = |words: &'static [&'static str]| words.iter();
    let mut all = Vec::new();
    for payment in words(&["richman", "poorman", "taxman:1/2", "taxman:2/3", "taxman:0", "taxman:1"]) {
        let payment: Payment = payment.parse().unwrap();
        for ties in [Ties::Advantage, Ties::Marker, Ties::Alice, Ties::Bob, Ties::Loser, Ties::Winner] {
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

/// What a solver says, however it keeps it.
pub fn solve(arena: &Arena, mechanism: &Mechanism, total: u32, options: &Options) -> Vec<Box<dyn Forces>> {
    let mut solutions: Vec<Box<dyn Forces>> = Vec::new();
    match mechanism.payment {
        Payment::Richman if mechanism.is_ordered_by_chips() => {
            let k = Total::new(u64::from(total)).unwrap();
            solutions.push(Box::new(chips::solve(arena, mechanism, k, options).unwrap()));
            solutions.push(Box::new(purses::solve(arena, mechanism, Purses::Exactly(total), options).unwrap()));
        }
        Payment::Richman => {
            solutions.push(Box::new(purses::solve(arena, mechanism, Purses::Exactly(total), options).unwrap()));
        }
        Payment::Poorman => {
            solutions.push(Box::new(purses::solve(arena, mechanism, Purses::Together(total), options).unwrap()));
            let purses = Purses::UpTo { alice: total, bob: total };
            solutions.push(Box::new(purses::solve(arena, mechanism, purses, options).unwrap()));
        }
        Payment::Taxman { .. } => {
            solutions.push(Box::new(purses::solve(arena, mechanism, Purses::Together(total), options).unwrap()));
        }
    }
    solutions
}
