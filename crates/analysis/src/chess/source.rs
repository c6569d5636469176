//! Chess as players see it: by searching the random-turn game, an estimate. What positions of three pieces are worth is solved
//! once a game comes near them, beside the play where there is little time.

use std::sync::{Arc, Mutex, Once, OnceLock, PoisonError};
use std::time::Instant;

use richman_core::{ChessBoard, Error, Mechanism, Piece, Player, Walk};
use richman_engine::{After, Asked, Care, Engine, Look, Method, Sight, Source, Value};
use richman_solvers::Options;
use richman_solvers::chess_search::{ChessSearch, Effort};
use richman_solvers::endgames::{Tables, of_three};

use super::is_large;

/// As far as the search goes where there is time: about two seconds.
const USUAL: Effort = Effort { positions: 60_000, depth: 20, deadline: None };
/// The same for one of many positions: some tenths of a second.
const QUICK: Effort = Effort { positions: 8_000, depth: 20, deadline: None };
/// The part of the time that is searched, in percent.
const PART: u32 = 95;
/// With so many pieces a game comes near those of three.
const NEAR: u32 = 6;
/// With so few an arena may do where exact answers are asked for.
const UNFOLDED: u32 = 4;

/// The engine of chess.
pub struct Chess;

impl Engine for Chess {
    fn method(&self) -> Method {
        Method::Search
    }

    fn serves(&self, walk: &dyn Walk, _: &Mechanism) -> bool {
        walk.board::<ChessBoard>().is_some()
    }

    fn about_positions(&self, walk: &dyn Walk, most: u64) -> u64 {
        let about = |board: ChessBoard| if is_large(&board) { most } else { placings(&board).min(most) };
        walk.board().filter(|_| walk.end().is_none()).map_or(1, about)
    }

    fn open(&self, asked: &Asked) -> Result<Option<Arc<dyn Source>>, Error> {
        let Some(board) = asked.walk.board::<ChessBoard>() else { return Ok(None) };
        if !asked.exact {
            let few =
                Arc::new(Few { row: board.size(), memory: asked.memory, begun: Once::new(), solved: OnceLock::new() });
            return Ok(Some(Arc::new(Searched::new(few))));
        }
        if board.occupied().count_ones() > UNFOLDED {
            return Err(Error::TooManyPositions { limit: u64::from(board.size()).pow(2 * UNFOLDED) });
        }
        Ok(None)
    }
}

/// So many ways there are to place the pieces, those that mirrors turn into each other counted once.
fn placings(board: &ChessBoard) -> u64 {
    let mirrors = if board.of_kind(Piece::Pawn) == 0 { 8 } else { 2 };
    u64::from(board.size()).pow(2).saturating_pow(board.occupied().count_ones()) / mirrors
}

/// What is known of positions of three pieces, once that was asked for.
struct Few {
    row: u8,
    memory: u64,
    begun: Once,
    solved: OnceLock<Option<Arc<Tables>>>,
}

impl Few {
    /// Who has no time for that gets it when it is there.
    fn near(self: &Arc<Few>, board: &ChessBoard, look: &Look) -> Option<Arc<Tables>> {
        if board.occupied().count_ones() > NEAR || board.size() != self.row {
            return None;
        }
        let solve = |few: &Few| {
            let options = Options { memory: few.memory, ..Options::default() };
            of_three(few.row, &options).ok().map(Arc::new)
        };
        match (look.care, look.deadline) {
            (Care::Quick, _) => {}
            (Care::Usual, None) => return self.solved.get_or_init(|| solve(self)).clone(),
            (Care::Usual, Some(_)) => self.begun.call_once(|| {
                let few = Arc::clone(self);
                std::thread::spawn(move || few.solved.get_or_init(|| solve(&few)).is_some());
            }),
        }
        self.solved.get().cloned().flatten()
    }
}

/// A search, which keeps what it finds for the next positions.
struct Searched {
    few: Arc<Few>,
    search: Mutex<ChessSearch>,
}

impl Searched {
    fn new(few: Arc<Few>) -> Searched {
        Searched { few, search: Mutex::new(ChessSearch::new()) }
    }
}

impl Source for Searched {
    fn see(&self, walk: &dyn Walk, look: &Look) -> Result<Option<Sight>, Error> {
        let Some(board) = walk.board::<ChessBoard>().filter(|_| walk.end().is_none()) else { return Ok(None) };
        let mut search = self.search.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tables) = self.few.near(&board, look) {
            search.learn(tables);
        }
        let now = Instant::now();
        let part = |deadline: Instant| now + deadline.saturating_duration_since(now) * PART / 100;
        let usual = if look.care == Care::Quick { QUICK } else { USUAL };
        let effort =
            Effort { positions: usual.positions.min(look.positions), deadline: look.deadline.map(part), ..usual };
        let found = search.estimate(&board, &effort, look.watch);
        if look.watch.cancelled() {
            return Err(Error::Cancelled);
        }
        let after = |player: Player| {
            let best = &found.best[player as usize];
            let one = |made| {
                let next = board.after(player, made);
                After {
                    name: board.name(player, made),
                    value: best.contains(&made).then_some(Value::Estimate(1.0 - found.after[player as usize])),
                    weight: 0.0,
                    wins: next.winner() == Some(player),
                    threatens: next.threatens_king(player),
                }
            };
            board.moves(player).into_iter().map(one).collect()
        };
        Ok(Some(Sight { here: Value::Estimate(1.0 - found.value), after: Player::BOTH.map(after) }))
    }

    fn ends(&self) -> bool {
        false
    }

    fn for_one_player(&self) -> Option<Arc<dyn Source>> {
        Some(Arc::new(Searched::new(Arc::clone(&self.few))))
    }

    fn bytes(&self) -> u64 {
        self.few.solved.get().and_then(Option::as_ref).map_or(0, |tables| tables.bytes())
    }
}
