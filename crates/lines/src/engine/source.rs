//! The source for large boards of lines: exact with chips if the remaining game is small, else
//! bounds in real money.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use richman_core::{Effort, Error, Mechanism, Total, Walk};
use richman_engine::{Care, Engine, EngineRequest, Evaluation, Look, Method, Origin, Source, Way};

use super::needs::{board, is_large, positions, see};
#[cfg(feature = "files")]
use super::ways::StoredUnits;
use super::ways::{AllLayers, BoundingLayers};
use super::{BoardStake, FirstLayers, bounds};
use crate::board::LinePosition;

/// The most fillings of the remaining game to evaluate for a required exact answer: some seconds.
const MOST_EXACT: u64 = 1_200_000_000;
/// The same if bounds suffice: some tenths of a second.
const USUALLY_EXACT: u64 = 40_000_000;
/// Time per filling, for a win and for a draw.
const EACH: Duration = Duration::from_nanos(10);
/// Positions evaluated for bounds, for each player, and the time for each.
const USUALLY_BOUNDED: u64 = 1_000_000;
const EACH_BOUNDED: Duration = Duration::from_nanos(200);
/// Both limits for [`Care::Quick`]: a tenth of a second or two.
const QUICKLY_EXACT: u64 = 10_000_000;
const QUICKLY_BOUNDED: u64 = 300_000;
/// Bytes of kept layers: up to about half of the cells filled. Beyond that the remaining game is
/// small.
const FIRST_LAYERS: u64 = 32 << 20;
/// The number of cached results.
const KEPT: usize = 64;

/// The engine of boards of lines too large to unfold.
#[derive(Debug)]
pub struct LinesEngine;

impl Engine for LinesEngine {
    fn method(&self) -> &'static Method {
        &Method {
            name: "layers",
            rests_on: "layers of the board: exact with chips where few cells are open, \
                       else bounds on real-money thresholds",
            summary: "Exactly with chips where few cells are open, else by bounds on real money",
            has_chips: true,
            unproved: None,
        }
    }

    fn serves(&self, walk: &dyn Walk, mechanism: &Mechanism) -> bool {
        board(walk, mechanism, false).is_some_and(|at| is_large(&at))
    }

    fn ways(&self) -> &'static [&'static dyn Way] {
        &[
            &AllLayers,
            &BoundingLayers,
            #[cfg(feature = "files")]
            &StoredUnits,
        ]
    }

    fn open(&self, asked: &EngineRequest) -> Result<Option<Arc<dyn Source>>, Error> {
        asked.effort.check_cancelled()?;
        let Some(at) = board(asked.walk, asked.mechanism, false) else { return Ok(None) };
        let total = asked.total.filter(|_| asked.mechanism.is_develin_payne());
        let mut first = None;
        if asked.is_exact() {
            let Some(total) = total else { return Ok(None) };
            if positions(&at, MOST_EXACT).is_none() {
                return Err(Error::TooManyPositions { limit: MOST_EXACT });
            }
            let effort = Effort { memory: asked.effort.memory, watch: asked.effort.watch, ..Effort::default() };
            first = FirstLayers::of(asked.walk, BoardStake::of(Some(total)), FIRST_LAYERS, &effort)?;
        }
        let (mechanism, memory) = (asked.mechanism.clone(), asked.effort.memory);
        let exact = asked.is_exact();
        Ok(Some(Arc::new(Layered { mechanism, total, exact, memory, first, seen: Mutex::default() })))
    }
}

struct Layered {
    mechanism: Mechanism,
    /// The total, if layers with chips serve this mechanism.
    total: Option<Total>,
    exact: bool,
    memory: u64,
    /// The layers after the start, for exact answers.
    first: Option<FirstLayers>,
    /// Results that cannot be improved.
    seen: Mutex<Vec<([u64; 2], Evaluation)>>,
}

impl Layered {
    /// The needs, looked up or solved; `None` above `most` fillings or if memory does not suffice.
    fn solve(
        &self,
        walk: &dyn Walk,
        at: &LinePosition,
        most: u64,
        effort: &Effort,
    ) -> Result<Option<Evaluation>, Error> {
        if let Some(first) = &self.first
            && let Some(evaluation) = first.see(walk, self.total)?
        {
            return Ok(Some(evaluation));
        }
        if self.total.is_none() || positions(at, most).is_none() {
            return Ok(None);
        }
        match see(walk, self.total, effort) {
            Err(Error::TooMuchMemory { .. }) => Ok(None),
            seen => seen,
        }
    }

    fn look(&self, walk: &dyn Walk, at: &LinePosition, look: &Look) -> Result<Option<Evaluation>, Error> {
        let effort = Effort { memory: self.memory, watch: look.effort.watch, ..Effort::default() };
        let [mut solved, mut bounded] = match look.care {
            Care::Exact => return self.solve(walk, at, MOST_EXACT, &effort),
            Care::Usual => [USUALLY_EXACT, USUALLY_BOUNDED],
            Care::Quick => [QUICKLY_EXACT, QUICKLY_BOUNDED],
        }
        .map(|most| most.min(look.effort.positions));
        if let Some(left) = look.effort.time_left() {
            let fits = |each: Duration| u64::try_from(left.as_nanos() / 2 / each.as_nanos()).unwrap_or(u64::MAX);
            solved = solved.min(fits(EACH));
            bounded = bounded.min(fits(EACH_BOUNDED));
        }
        let until = look.effort.until();
        match self.solve(walk, at, solved, &Effort { watch: &until, ..effort }) {
            Err(Error::Cancelled) if !look.effort.watch.cancelled() => bounded = 0,
            Ok(None) => {}
            found => return found,
        }
        let found = bounds(walk, bounded, &effort)?;
        Ok(found.map(|found| found.evaluation(Origin::default())))
    }
}

impl Source for Layered {
    fn see(&self, walk: &dyn Walk, asked: &Look) -> Result<Option<Evaluation>, Error> {
        let Some(at) = board(walk, &self.mechanism, false).filter(|_| walk.end().is_none()) else { return Ok(None) };
        let seen = || self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, evaluation)) = seen().iter().find(|(stones, _)| *stones == at.stones) {
            return Ok(Some(evaluation.clone()));
        }
        let evaluation = self.look(walk, &at, asked)?;
        if let Some(evaluation) = evaluation.as_ref().filter(|evaluation| evaluation.here.is_exact()) {
            let mut seen = seen();
            if seen.len() == KEPT {
                seen.remove(0);
            }
            seen.push((at.stones, evaluation.clone()));
        }
        Ok(evaluation)
    }

    fn is_exact(&self) -> bool {
        self.exact
    }

    fn bytes(&self) -> u64 {
        self.first.as_ref().map_or(0, FirstLayers::bytes)
    }
}
