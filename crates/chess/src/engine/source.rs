//! The source for chess: estimates by search. Positions of three pieces are solved once a game is
//! near them, in the background if there is a deadline.

use std::sync::{Arc, Mutex, Once, OnceLock, PoisonError};
use std::time::Instant;

use richman_core::{Effort, Error, Mechanism, Walk};
use richman_engine::{Care, Engine, EngineRequest, Evaluation, Look, Method, Source, Way};

use super::endgames::{Tables, of_three};
use super::estimate::sight;
use super::search::{ChessSearch, USUAL_POSITIONS};
use super::ways::{ReachableClasses, StoredClasses, WaySearch};
use crate::board::ChessBoard;

/// The most positions searched if there is time: about two seconds.
const USUAL: u64 = 2 * USUAL_POSITIONS;
/// The same for [`Care::Quick`]: some tenths of a second.
const QUICK: u64 = 8_000;
/// The percentage of the time for searching.
const PART: u32 = 95;
/// With at most this many pieces a game is near those of three.
const NEAR: u32 = 6;
/// With at most this many pieces, exact answers may come from an arena.
const UNFOLDED: u32 = 4;

/// The engine of chess.
pub struct ChessEngine;

impl Engine for ChessEngine {
    fn method(&self) -> &'static Method {
        &Method {
            name: "search",
            rests_on: "a search, an estimate",
            summary: "By an estimate",
            has_chips: true,
            unproved: Some("so many positions are searched, not solved"),
        }
    }

    fn serves(&self, walk: &dyn Walk, _: &Mechanism) -> bool {
        walk.board::<ChessBoard>().is_some()
    }

    fn ways(&self) -> &'static [&'static dyn Way] {
        &[&ReachableClasses, &WaySearch, &StoredClasses]
    }

    fn open(&self, asked: &EngineRequest) -> Result<Option<Arc<dyn Source>>, Error> {
        let Some(board) = asked.walk.board::<ChessBoard>() else { return Ok(None) };
        if !asked.is_exact() {
            let few = Arc::new(SmallEndgames {
                row: board.size(),
                memory: asked.effort.memory,
                begun: Once::new(),
                solved: OnceLock::new(),
            });
            return Ok(Some(Arc::new(SearchSource { few, search: Mutex::default() })));
        }
        if board.occupied().count_ones() > UNFOLDED {
            return Err(Error::TooManyPositions { limit: u64::from(board.size()).pow(2 * UNFOLDED) });
        }
        Ok(None)
    }
}

/// Solved positions of three pieces, once asked for.
struct SmallEndgames {
    row: u8,
    memory: u64,
    begun: Once,
    solved: OnceLock<Option<Arc<Tables>>>,
}

impl SmallEndgames {
    /// The tables, if the position is near them; with a deadline, they are first solved in the
    /// background.
    fn near(self: &Arc<SmallEndgames>, board: &ChessBoard, look: &Look) -> Option<Arc<Tables>> {
        if board.occupied().count_ones() > NEAR || board.size() != self.row {
            return None;
        }
        let solve = |few: &SmallEndgames| {
            let effort = Effort { memory: few.memory, ..Effort::default() };
            of_three(few.row, &effort).ok().map(Arc::new)
        };
        match (look.care, look.effort.deadline) {
            (Care::Quick, _) => {}
            (Care::Usual | Care::Exact, None) => return self.solved.get_or_init(|| solve(self)).clone(),
            (Care::Usual | Care::Exact, Some(_)) => self.begun.call_once(|| {
                let few = Arc::clone(self);
                std::thread::spawn(move || few.solved.get_or_init(|| solve(&few)).is_some());
            }),
        }
        self.solved.get().cloned().flatten()
    }
}

/// A search that keeps its results for the next positions.
struct SearchSource {
    few: Arc<SmallEndgames>,
    search: Mutex<ChessSearch>,
}

impl Source for SearchSource {
    fn see(&self, walk: &dyn Walk, look: &Look) -> Result<Option<Evaluation>, Error> {
        let Some(board) = walk.board::<ChessBoard>().filter(|_| walk.end().is_none()) else { return Ok(None) };
        let mut search = self.search.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tables) = self.few.near(&board, look) {
            search.learn(tables);
        }
        let now = Instant::now();
        let part = |deadline: Instant| now + deadline.saturating_duration_since(now) * PART / 100;
        let usual = if look.care == Care::Quick { QUICK } else { USUAL };
        let effort = Effort {
            positions: usual.min(look.effort.positions),
            deadline: look.effort.deadline.map(part),
            ..look.effort
        };
        let found = search.estimate(&board, &effort);
        look.effort.check_cancelled()?;
        Ok(Some(sight(&board, &found)))
    }

    fn ends(&self) -> bool {
        false
    }

    fn for_one_player(&self) -> Option<Arc<dyn Source>> {
        Some(Arc::new(SearchSource { few: Arc::clone(&self.few), search: Mutex::default() }))
    }

    fn bytes(&self) -> u64 {
        super::search::BYTES + self.few.solved.get().and_then(Option::as_ref).map_or(0, |tables| tables.bytes())
    }
}
