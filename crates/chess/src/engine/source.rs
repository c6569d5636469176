//! The source for chess: estimates by search. Positions of three pieces are solved once a game is
//! near them, in the background if there is a deadline.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use richman_core::{Effort, Error, Instant, Mechanism, Walk};
use richman_engine::{Care, Engine, EngineRequest, Evaluation, Look, Method, Source, Way};

use super::endgames::{Tables, of_three};
use super::estimate::evaluation;
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
#[derive(Debug)]
pub struct ChessEngine;

impl Engine for ChessEngine {
    fn method(&self) -> &'static Method {
        &Method {
            name: "search",
            rests_on: "a search, an estimate",
            summary: "By an estimate",
            has_chips: true,
            unproved: Some("a game this large is searched, not solved"),
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
            return Ok(Some(Arc::new(SearchSource { memory: asked.effort.memory, search: Mutex::default() })));
        }
        if board.occupied().count_ones() > UNFOLDED {
            return Err(Error::TooManyPositions { limit: u64::from(board.size()).pow(2 * UNFOLDED) });
        }
        Ok(None)
    }
}

/// The solved positions of three pieces on boards of each size, for the whole program: they depend
/// on nothing else, and take seconds.
static OF_THREE: [SmallEndgames; LARGEST + 1] = [const { SmallEndgames::new() }; LARGEST + 1];
/// The most squares in a row.
const LARGEST: usize = 8;

/// The solved positions of three pieces on boards of one size, computed on first use.
struct SmallEndgames {
    /// Whether a thread solves them.
    is_at_work: AtomicBool,
    solved: OnceLock<Arc<Tables>>,
}

impl SmallEndgames {
    const fn new() -> SmallEndgames {
        SmallEndgames { is_at_work: AtomicBool::new(false), solved: OnceLock::new() }
    }

    /// The tables, if the position is near them. With a deadline they are solved in the background,
    /// on one thread for all callers; without one they are solved first, within that memory.
    fn near(board: &ChessBoard, look: &Look, memory: u64) -> Option<Arc<Tables>> {
        let few = OF_THREE.get(usize::from(board.size()))?;
        if board.occupied().count_ones() > NEAR {
            return None;
        }
        if few.solved.get().is_none() && look.care != Care::Quick {
            match look.effort.deadline {
                None => few.solve(board.size(), &Effort { memory, ..Effort::default() }),
                Some(_) => few.solve_beside(board.size(), memory),
            }
        }
        few.solved.get().cloned()
    }

    /// Solves them, unless the memory does not suffice.
    fn solve(&self, row: u8, effort: &Effort) {
        if let Ok(tables) = of_three(row, effort) {
            // Another thread may have solved them meanwhile.
            let _ = self.solved.set(Arc::new(tables));
        }
    }

    /// Solves them in the background, unless a thread is already doing so.
    fn solve_beside(&'static self, row: u8, memory: u64) {
        if self.is_at_work.swap(true, Ordering::Relaxed) {
            return;
        }
        let work = move || {
            self.solve(row, &Effort { memory, ..Effort::default() });
            self.is_at_work.store(false, Ordering::Relaxed);
        };
        if std::thread::Builder::new().name("endgames".into()).spawn(work).is_err() {
            self.is_at_work.store(false, Ordering::Relaxed);
        }
    }
}

/// A search that keeps its results for the next positions.
struct SearchSource {
    /// For the positions of three pieces.
    memory: u64,
    search: Mutex<ChessSearch>,
}

impl Source for SearchSource {
    fn see(&self, walk: &dyn Walk, look: &Look) -> Result<Option<Evaluation>, Error> {
        let Some(board) = walk.board::<ChessBoard>().filter(|_| walk.end().is_none()) else { return Ok(None) };
        let mut search = self.search.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tables) = SmallEndgames::near(&board, look, self.memory) {
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
        Ok(Some(evaluation(&board, &found)))
    }

    fn ends(&self) -> bool {
        false
    }

    fn for_one_player(&self) -> Option<Arc<dyn Source>> {
        Some(Arc::new(SearchSource { memory: self.memory, search: Mutex::default() }))
    }

    fn bytes(&self) -> u64 {
        super::search::BYTES
    }
}
