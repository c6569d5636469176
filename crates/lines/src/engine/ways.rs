//! The ways to answer a question about a board of lines too large to unfold.

#[cfg(feature = "files")]
mod stored;

use std::path::Path;

use richman_core::{Effort, Error, Thresholds, Total, Walk};
use richman_engine::{Cost, EngineRequest, Evaluation, Grade, Offer, ProvedBounds, Way};

use super::deepen::prove;
use super::needs::{board, cost, see, solve};
use super::{BoardStake, deepen};
use crate::board::LinePosition;

#[cfg(feature = "files")]
pub(super) use stored::StoredUnits;

const OVER: &str = "the game is over, or the board too large";
const LINES_ONLY: &str = "only boards of lines with the default rules of bidding";

/// The totals that fit into memory at once, at least one, and the cost of their pass; `None` if the
/// game is over.
fn pass(at: &LinePosition, totals: &[Total], effort: &Effort) -> Option<(usize, Cost)> {
    let mut count = totals.len();
    loop {
        // The largest totals take the most bytes.
        let cost = cost(at, BoardStake::Chips(totals[totals.len() - count..].to_vec()))?;
        let fits = !matches!(cost, Cost::About { memory: Some(memory), .. } if memory > effort.memory_left());
        if fits || count <= 1 {
            return Some((count.max(1), cost));
        }
        count = count.div_ceil(2);
    }
}

pub(super) struct AllLayers;

impl Way for AllLayers {
    fn name(&self) -> &'static str {
        "layer by layer"
    }

    fn offer(&self, asked: &EngineRequest) -> Result<Offer, String> {
        let at = board(asked.walk, asked.mechanism, asked.total.is_some()).ok_or(LINES_ONLY)?;
        let cost = cost(&at, BoardStake::of(asked.total)).ok_or(OVER)?;
        Ok(Offer { grade: Grade::Exact, cost })
    }

    fn see(&self, asked: &EngineRequest) -> Result<Option<Evaluation>, Error> {
        if board(asked.walk, asked.mechanism, asked.total.is_some()).is_none() {
            return Ok(None);
        }
        let until = asked.effort.until();
        see(asked.walk, asked.total, &Effort { watch: &until, ..asked.effort })
    }

    /// One pass finds all totals.
    fn table_offer(&self, asked: &EngineRequest, totals: &[Total]) -> Result<Offer, String> {
        asked.chips()?;
        let at = board(asked.walk, asked.mechanism, true).ok_or(LINES_ONLY)?;
        let (at_once, cost) = pass(&at, totals, &asked.effort).ok_or(OVER)?;
        Ok(Offer { grade: Grade::Exact, cost: cost.times(totals.len().div_ceil(at_once)) })
    }

    fn table(&self, asked: &EngineRequest, totals: &[Total]) -> Result<Option<Vec<Thresholds>>, Error> {
        let Some(at) = board(asked.walk, asked.mechanism, true) else { return Ok(None) };
        let Some((at_once, _)) = pass(&at, totals, &asked.effort) else { return Ok(None) };
        let mut rows = Vec::new();
        for totals in totals.chunks(at_once) {
            let needs = solve(asked.walk, BoardStake::Chips(totals.to_vec()), &asked.effort)?;
            let Some(needs) = needs else { return Ok(None) };
            rows.extend(needs.into_iter().map(|needs| needs.here.thresholds()));
        }
        Ok(Some(rows))
    }

    /// Bounds that reach the end of the board are exact.
    fn resumes(&self) -> bool {
        true
    }
}

pub(super) struct BoundingLayers;

impl Way for BoundingLayers {
    fn name(&self) -> &'static str {
        "as many layers as there is time for"
    }

    fn offer(&self, asked: &EngineRequest) -> Result<Offer, String> {
        asked.is_money()?;
        let at = board(asked.walk, asked.mechanism, false).ok_or(LINES_ONLY)?;
        at.rest().ok_or("the game is over")?;
        Ok(Offer { grade: Grade::Bounds, cost: Cost::Anytime })
    }

    fn see(&self, asked: &EngineRequest) -> Result<Option<Evaluation>, Error> {
        match board(asked.walk, asked.mechanism, false) {
            Some(_) => deepen(asked.walk, asked.effort.width, asked.bounds, &asked.effort),
            None => Ok(None),
        }
    }

    fn resumes(&self) -> bool {
        true
    }

    fn prove_bounds(&self, walk: &dyn Walk, file: &Path, effort: &Effort) -> Result<Option<ProvedBounds>, Error> {
        prove(walk, file, effort)
    }
}
