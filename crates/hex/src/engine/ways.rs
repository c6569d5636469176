//! The ways to answer a question about Hex.

use std::time::Duration;

use richman_core::{Effort, Error};
use richman_engine::{Cost, EngineRequest, Evaluation, Grade, Offer, Way};

use super::small::{FillingThresholds, MOST_CELLS};
use super::worth::{chips_board, count, counting_cost, draw, money_board, solve};

const HEX_ONLY: &str = "only Hex where bids go to the other player";

pub(super) struct CountedFillings;

impl Way for CountedFillings {
    fn name(&self) -> &'static str {
        "all fillings, counted"
    }

    fn offer(&self, asked: &EngineRequest) -> Result<Offer, String> {
        asked.is_money()?;
        let board = money_board(asked.walk, asked.mechanism).ok_or(HEX_ONLY)?;
        let (time, memory) = counting_cost(&board).ok_or("the board is too wide")?;
        Ok(Offer { grade: Grade::Exact, cost: Cost::About { time, memory: Some(memory) } })
    }

    fn see(&self, asked: &EngineRequest) -> Result<Option<Evaluation>, Error> {
        let until = asked.effort.until();
        count(asked.walk, asked.mechanism, &Effort { watch: &until, ..asked.effort })
    }

    /// It also reports how often each cell decides.
    fn says_more(&self) -> bool {
        true
    }
}

pub(super) struct SampledFillings;

impl Way for SampledFillings {
    fn name(&self) -> &'static str {
        "random fillings"
    }

    fn offer(&self, asked: &EngineRequest) -> Result<Offer, String> {
        asked.is_money()?;
        money_board(asked.walk, asked.mechanism).ok_or(HEX_ONLY)?;
        Ok(Offer { grade: Grade::Sampled, cost: Cost::Anytime })
    }

    fn see(&self, asked: &EngineRequest) -> Result<Option<Evaluation>, Error> {
        draw(asked.walk, asked.mechanism, &asked.effort)
    }
}

pub(super) struct DecidingCells;

impl Way for DecidingCells {
    fn name(&self) -> &'static str {
        "all positions of the cells that decide something"
    }

    fn offer(&self, asked: &EngineRequest) -> Result<Offer, String> {
        /// Seconds per position.
        const EACH: f64 = 7e-9;
        let total = asked.chips()?;
        let board = chips_board(asked.walk, asked.mechanism).ok_or("only Hex with Richman payment and the star")?;
        let (counted, memory) = counting_cost(&board).ok_or("the board is too wide")?;
        let positions = 3_u64.pow(board.open().min(MOST_CELLS as u32));
        let time = counted + Duration::from_secs_f64(EACH * positions as f64);
        let memory = memory.max(positions * FillingThresholds::bytes_of_each(total));
        Ok(Offer { grade: Grade::Exact, cost: Cost::About { time, memory: Some(memory) } })
    }

    fn see(&self, asked: &EngineRequest) -> Result<Option<Evaluation>, Error> {
        let Some(total) = asked.total else { return Ok(None) };
        solve(asked.walk, asked.mechanism, total, &asked.effort)
    }
}
