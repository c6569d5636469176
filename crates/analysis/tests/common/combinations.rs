//! Mechanisms to test with.

use richman_core::{Bidding, Bids, Mechanism, Payment, Right, Ties};

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
