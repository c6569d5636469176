//! The ways to answer a question about a board of lines that is too large to unfold.

use std::time::Duration;

use richman_core::{Effort, Error};
use richman_engine::{Asked, Cost, Grade, Offer, Sight, Way, from_folder};

use super::database::Answers;
use super::needs::{STOP, board, cost, solve};
use super::{Stake, deepen};

const LINES_ONLY: &str = "only boards of lines with the default rules of bidding";

fn stake(asked: &Asked) -> Stake {
    asked.total.map_or(Stake::Money, |total| Stake::Chips(vec![total]))
}

/// Layer by layer.
pub(super) struct AllLayers;

impl Way for AllLayers {
    fn name(&self) -> &'static str {
        "layer by layer"
    }

    fn offer(&self, asked: &Asked) -> Result<Offer, String> {
        let (board, stones) = board(asked.walk, asked.mechanism, asked.total.is_some()).ok_or(LINES_ONLY)?;
        let cost = cost(&board, stones, stake(asked)).ok_or("the game is over, or the board too large")?;
        Ok(Offer { grade: Grade::Exact, cost })
    }

    fn see(&self, asked: &Asked) -> Result<Option<Sight>, Error> {
        let Some((board, stones)) = board(asked.walk, asked.mechanism, asked.total.is_some()) else { return Ok(None) };
        let until = asked.effort.until();
        let effort = Effort { watch: &until, ..asked.effort };
        let needs = solve(asked.walk, &board, stones, stake(asked), &effort)?;
        let needs = needs.and_then(|needs| needs.into_iter().next());
        Ok(needs.map(|needs| needs.sight(asked.total, STOP.to_string())))
    }

    /// Bounds in the end are exact.
    fn resumes(&self) -> bool {
        true
    }
}

/// Real money: as many layers as there is time for.
pub(super) struct BoundingLayers;

impl Way for BoundingLayers {
    fn name(&self) -> &'static str {
        "as many layers as there is time for"
    }

    fn offer(&self, asked: &Asked) -> Result<Offer, String> {
        asked.is_money()?;
        let (board, stones) = board(asked.walk, asked.mechanism, false).ok_or(LINES_ONLY)?;
        board.after(stones).ok_or("the game is over")?;
        Ok(Offer { grade: Grade::Bounds, cost: Cost::Anytime })
    }

    fn see(&self, asked: &Asked) -> Result<Option<Sight>, Error> {
        let Some((board, stones)) = board(asked.walk, asked.mechanism, false) else { return Ok(None) };
        deepen(asked.walk, &board, stones, asked.effort.width, asked.bounds, &asked.effort)
    }

    fn resumes(&self) -> bool {
        true
    }
}

/// Layers that are on a disk.
pub(super) struct StoredLayers;

impl Way for StoredLayers {
    fn name(&self) -> &'static str {
        "a database of layers"
    }

    fn offer(&self, asked: &Asked) -> Result<Offer, String> {
        board(asked.walk, asked.mechanism, asked.total.is_some()).ok_or(LINES_ONLY)?;
        Ok(Offer { grade: Grade::Exact, cost: Cost::About { time: Duration::ZERO, memory: None } })
    }

    fn see(&self, asked: &Asked) -> Result<Option<Sight>, Error> {
        let Some(folder) = asked.database else { return Ok(None) };
        let needs = Answers::open(folder, asked.walk)?.needs(asked.walk, asked.total)?;
        Ok(needs.map(|needs| needs.sight(asked.total, from_folder(folder))))
    }

    fn looks_up(&self) -> bool {
        true
    }
}
