//! The ways to answer a question about chess in real money.

use std::time::Duration;

use richman_core::Error;
use richman_engine::{Asked, Cost, Grade, Offer, Sight, Way};

use super::estimate::{estimate, large_board};
use super::position::{offer, solve};

/// Every position of a class of pieces, and of those it can become.
pub(super) struct Classes;

impl Way for Classes {
    fn name(&self) -> &'static str {
        "all positions of these pieces"
    }

    fn offer(&self, asked: &Asked) -> Result<Offer, String> {
        asked.is_money()?;
        let (_, plan) = offer(asked.walk, asked.mechanism)
            .ok_or("only endgames of chess with four or five pieces and the default rules of bidding")?;
        // Where best play comes to few positions the answer is exact; it says so where that was required and cannot be.
        let grade = if asked.is_exact() { Grade::Exact } else { Grade::Bounds };
        let cost = Cost::About { time: Duration::from_secs(plan.seconds), memory: Some(plan.memory) };
        Ok(Offer { grade, cost })
    }

    fn see(&self, asked: &Asked) -> Result<Option<Sight>, Error> {
        solve(asked.walk, asked.mechanism, &asked.effort)
    }
}

/// Some moves ahead.
pub(super) struct Search;

impl Way for Search {
    fn name(&self) -> &'static str {
        "a search some moves ahead"
    }

    fn offer(&self, asked: &Asked) -> Result<Offer, String> {
        asked.is_money()?;
        large_board(asked.walk, asked.mechanism)
            .ok_or("only chess with too many pieces to solve, where bids go to the other player")?;
        Ok(Offer { grade: Grade::Estimate, cost: Cost::Anytime })
    }

    fn see(&self, asked: &Asked) -> Result<Option<Sight>, Error> {
        Ok(estimate(asked.walk, asked.mechanism, &asked.effort))
    }
}
