//! The source for Hex: exact in real money by counted fillings, and exact with chips once few cells
//! decide.
//!
//! More time lets positions be solved with chips earlier. Random fillings replace the count on
//! boards too wide for it, or when time is short.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use richman_core::{Effort, Error, Mechanism, Total, Walk, Watch};
use richman_engine::{Care, Engine, EngineRequest, Evaluation, Look, Method, RandomPlays, Source, Way};

use super::small::FillingThresholds;
use super::ways::{CountedFillings, DecidingCells, SampledFillings};
use super::worth::{counted, money_board, names, open_cells, sampled, serves_chips, with_chips};
use super::{Cores, Frontier, Sampled, fillings, sample_on};
use crate::board::HexBoard;

/// The longest shorter side for counting at every turn: some tenths of a second.
const WIDEST_COUNTED: usize = 11;
/// The most deciding cells to solve with chips: some ten milliseconds.
const SOLVED: usize = 12;
/// The same with more time, and when a source is opened.
const MOST_SOLVED: usize = 16;
/// The most time that solving takes per position.
const EACH: Duration = Duration::from_nanos(100);
/// Random fillings used in place of a count.
const FILLINGS: u64 = 200_000;
const FEWEST_FILLINGS: u64 = 16_384;
/// With fewer open cells, chips are not solved in advance.
const FEWEST_SOLVED: usize = 11;

/// The engine of Hex.
#[derive(Debug)]
pub struct HexEngine;

impl Engine for HexEngine {
    fn method(&self) -> &'static Method {
        &Method {
            name: "exact real money",
            rests_on: "exact real-money thresholds, from counted fillings of the board",
            summary: "By real money, which is exact here",
            has_chips: false,
            unproved: None,
        }
    }

    fn serves(&self, walk: &dyn Walk, mechanism: &Mechanism) -> bool {
        money_board(walk, mechanism).is_some()
    }

    fn ways(&self) -> &'static [&'static dyn Way] {
        &[&CountedFillings, &DecidingCells, &SampledFillings]
    }

    fn has_random_plays(&self) -> bool {
        true
    }

    /// Cells in random order, each to the winner of a coin toss, make a random filling.
    fn random_plays(&self, walk: &dyn Walk, plays: u64, look: &Look) -> Result<Option<RandomPlays>, Error> {
        let Some(board) = walk.board::<HexBoard>() else { return Ok(None) };
        let Sampled { fillings, alice, losing } = sample_on(Cores::One, &board, plays, look.seed, &look.effort)?;
        let names = names(walk, &board);
        let losing = open_cells(&board).into_iter().map(|cell| (names[cell].clone(), losing[cell])).collect();
        Ok(Some(RandomPlays { plays: fillings, alice, losing }))
    }

    fn open(&self, asked: &EngineRequest) -> Result<Option<Arc<dyn Source>>, Error> {
        let Some(board) = money_board(asked.walk, asked.mechanism) else { return Ok(None) };
        let effort = Effort { memory: asked.effort.memory, watch: asked.effort.watch, ..Effort::default() };
        let width = board.rows().min(board.cols());
        let frontier = if width <= WIDEST_COUNTED { Some(Frontier::new(width, &effort)?) } else { None };
        let total = asked.total.filter(|_| serves_chips(asked.mechanism));
        let mut solved = None;
        if let Some(total) = total
            && (FEWEST_SOLVED..=MOST_SOLVED).contains(&(board.open() as usize))
        {
            solved = match FillingThresholds::of(&board, &open_cells(&board), total, Cores::All, &effort) {
                Err(Error::TooMuchMemory { .. }) => None,
                found => Some(Arc::new(found?)),
            };
        }
        if asked.is_exact() && solved.is_none() {
            return Ok(None);
        }
        let (exact, memory) = (solved.is_some(), asked.effort.memory);
        Ok(Some(Arc::new(HexSource { frontier, total, exact, memory, solved: Mutex::new(solved) })))
    }
}

struct HexSource {
    /// If fillings can be counted in a moment.
    frontier: Option<Frontier>,
    /// The total, if chip thresholds serve this mechanism.
    total: Option<Total>,
    /// Whether all positions after the start are solved with chips.
    exact: bool,
    memory: u64,
    /// The positions last solved with chips.
    solved: Mutex<Option<Arc<FillingThresholds>>>,
}

impl HexSource {
    fn effort<'a>(&self, watch: &'a dyn Watch) -> Effort<'a> {
        Effort { memory: self.memory, ..Effort::watched(watch) }
    }

    /// The answer in real money, and the cells that decide.
    fn money(&self, walk: &dyn Walk, board: &HexBoard, look: &Look) -> Result<Option<(Evaluation, Vec<usize>)>, Error> {
        if let Some(frontier) = &self.frontier {
            let until = look.effort.until();
            match fillings(frontier, board, &self.effort(&until)) {
                Err(Error::Cancelled) if !look.effort.watch.cancelled() => {}
                found => {
                    let found = found?;
                    return Ok(Some((counted(walk, board, &found), found.live())));
                }
            }
        }
        if look.care == Care::Quick {
            return Ok(None);
        }
        let count = if look.effort.deadline.is_some() { FEWEST_FILLINGS } else { FILLINGS };
        let found = sample_on(Cores::One, board, count, look.seed, &self.effort(look.effort.watch))?;
        let live = open_cells(board).into_iter().filter(|&cell| found.critical(cell).0 > 0.0).collect();
        Ok(Some((sampled(walk, board, &found), live)))
    }

    /// Chip thresholds, looked up or, if few enough cells decide, solved.
    fn thresholds(
        &self,
        board: &HexBoard,
        live: &[usize],
        look: &Look,
    ) -> Result<Option<Arc<FillingThresholds>>, Error> {
        let Some(total) = self.total else { return Ok(None) };
        let known = || self.solved.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known().as_ref().filter(|known| known.number(board).is_some()) {
            return Ok(Some(Arc::clone(known)));
        }
        if self.frontier.is_none() || live.len() > most_solved(look) {
            return Ok(None);
        }
        let found = Arc::new(FillingThresholds::of(board, live, total, Cores::One, &self.effort(look.effort.watch))?);
        if !self.exact {
            *known() = Some(Arc::clone(&found));
        }
        Ok(Some(found))
    }
}

/// The most deciding cells that can be solved with chips now.
fn most_solved(look: &Look) -> usize {
    let Some(left) = look.effort.time_left() else { return SOLVED };
    (0..=MOST_SOLVED).rev().find(|&cells| EACH * 3_u32.pow(cells as u32) <= left / 2).unwrap_or(0)
}

impl Source for HexSource {
    fn see(&self, walk: &dyn Walk, look: &Look) -> Result<Option<Evaluation>, Error> {
        let Some(board) = walk.board::<HexBoard>().filter(|_| walk.end().is_none()) else { return Ok(None) };
        let Some((mut evaluation, live)) = self.money(walk, &board, look)? else { return Ok(None) };
        let Some(known) = self.thresholds(&board, &live, look)? else { return Ok(Some(evaluation)) };
        if let Some(total) = self.total {
            with_chips(&mut evaluation, &board, &known, total);
        }
        Ok(Some(evaluation))
    }

    fn is_exact(&self) -> bool {
        self.exact
    }

    fn bytes(&self) -> u64 {
        let solved = self.solved.lock().unwrap_or_else(PoisonError::into_inner);
        let solved = solved.as_ref().map_or(0, |known| 4 * known.positions() as u64);
        solved + self.frontier.as_ref().map_or(0, Frontier::bytes)
    }
}
