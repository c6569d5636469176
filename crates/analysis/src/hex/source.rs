//! Hex as players see it: by real money, exactly, from the fillings of the open cells, and exactly with chips as soon as few
//! cells still decide anything.
//!
//! What Alice needs after a stone on a cell is what she needs now, less or more half of how often the cell decides. With more time
//! positions are solved with chips earlier. On boards too wide to count, and where the time is too short for a count, random
//! fillings stand in.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use richman_core::{Error, HexBoard, Mechanism, Player, Total, Walk};
use richman_engine::{After, Asked, Care, Engine, Look, Method, Sight, Source, Value};
use richman_solvers::Options;
use richman_solvers::hex::small::Thresholds;
use richman_solvers::hex::{Cores, Frontier, fillings, sample_on};

use super::names;

/// The longest shorter side of a board whose fillings are counted for a turn: some tenths of a second.
const WIDEST_COUNTED: usize = 11;
/// Where cells that decide are at most so many the rest is solved with chips: some ten milliseconds.
const SOLVED: usize = 12;
/// The same where there is more time, and when a source is opened.
const MOST_SOLVED: usize = 16;
/// What solving takes for each position, at most.
const EACH: Duration = Duration::from_nanos(100);
/// Random fillings that stand in for a count.
const FILLINGS: u64 = 200_000;
const FEWEST_FILLINGS: u64 = 16_384;
/// With fewer open cells nothing is solved with chips before it is asked for.
const FEWEST_SOLVED: usize = 11;

/// The engine of Hex.
pub struct Hex;

fn open_cells(board: &HexBoard) -> Vec<usize> {
    (0..board.cells().len()).filter(|&cell| board.cells()[cell].is_none()).collect()
}

impl Engine for Hex {
    fn method(&self) -> Method {
        Method::Fillings
    }

    fn serves(&self, walk: &dyn Walk, mechanism: &Mechanism) -> bool {
        super::board(walk, mechanism).is_some()
    }

    fn about_positions(&self, walk: &dyn Walk, most: u64) -> u64 {
        // A board turned around is the same position, and those where the game is over long ago are not reached: on a narrow
        // board nearly all of them.
        let about = |board: HexBoard| {
            let each: u64 = if board.rows().min(board.cols()) > 2 { 3 } else { 2 };
            each.checked_pow(board.open()).map_or(u64::MAX, |all| all / 4).clamp(1, most)
        };
        walk.board().filter(|_| walk.end().is_none()).map_or(1, about)
    }

    fn open(&self, asked: &Asked) -> Result<Option<Arc<dyn Source>>, Error> {
        let Some(board) = super::board(asked.walk, asked.mechanism) else { return Ok(None) };
        let options = Options { memory: asked.memory, watch: asked.watch, ..Options::default() };
        let width = board.rows().min(board.cols());
        let frontier = if width <= WIDEST_COUNTED { Some(Frontier::new(width, &options)?) } else { None };
        let total = asked.total.filter(|_| asked.mechanism.is_develin_payne());
        let mut solved = None;
        if let Some(total) = total
            && (FEWEST_SOLVED..=MOST_SOLVED).contains(&(board.open() as usize))
        {
            solved = match Thresholds::of(&board, &open_cells(&board), total, Cores::All, &options) {
                Err(Error::TooMuchMemory { .. }) => None,
                found => Some(Arc::new(found?)),
            };
        }
        if asked.exact && solved.is_none() {
            return Ok(None);
        }
        Ok(Some(Arc::new(Filled { frontier, total, exact: solved.is_some(), solved: Mutex::new(solved) })))
    }
}

/// A Hex board.
struct Filled {
    /// The states of the frontier, where fillings can be counted in a moment.
    frontier: Option<Frontier>,
    /// Where thresholds with chips are about this mechanism.
    total: Option<Total>,
    /// Whether everything that can follow on the start is solved with chips.
    exact: bool,
    /// The positions that were solved with chips last.
    solved: Mutex<Option<Arc<Thresholds>>>,
}

impl Filled {
    /// What real money says, and how often each cell decides.
    fn money(&self, walk: &dyn Walk, board: &HexBoard, look: &Look) -> Result<Option<(Sight, Vec<usize>)>, Error> {
        let names = names(walk, board);
        let open = open_cells(board);
        if let Some(frontier) = &self.frontier {
            let until = look.until();
            match fillings(frontier, board, &Options { watch: &until, ..Options::default() }) {
                Err(Error::Cancelled) if !look.watch.cancelled() => {}
                found => {
                    let found = found?;
                    let after = |player: Player| {
                        let one = |&cell: &usize| {
                            let share = found.alice_wins_after(player, cell).complement();
                            let weight = found.critical(cell).to_f64();
                            After { weight, ..After::new(names[cell].clone(), Value::share(share)) }
                        };
                        open.iter().map(one).collect()
                    };
                    let here = Value::share(found.alice_wins().complement());
                    return Ok(Some((Sight { here, after: Player::BOTH.map(after) }, found.live())));
                }
            }
        }
        if look.care == Care::Quick {
            return Ok(None);
        }
        let count = if look.deadline.is_some() { FEWEST_FILLINGS } else { FILLINGS };
        let options = Options { watch: look.watch, ..Options::default() };
        let found = sample_on(Cores::One, board, count, look.seed, &options)?;
        let critical = |cell: usize| found.critical(cell).0.max(0.0);
        let share = 1.0 - found.alice_wins().0;
        let after = |player: Player| {
            let half = |cell: usize| if player == Player::Alice { -critical(cell) } else { critical(cell) } / 2.0;
            let one = |&cell: &usize| {
                let value = Value::Estimate(share + half(cell));
                After { weight: critical(cell), ..After::new(names[cell].clone(), value) }
            };
            open.iter().map(one).collect()
        };
        let live = open.iter().copied().filter(|&cell| critical(cell) > 0.0).collect();
        Ok(Some((Sight { here: Value::Estimate(share), after: Player::BOTH.map(after) }, live)))
    }

    /// What is known of a position with chips; solved now if few enough cells decide.
    fn thresholds(&self, board: &HexBoard, live: &[usize], look: &Look) -> Result<Option<Arc<Thresholds>>, Error> {
        let Some(total) = self.total else { return Ok(None) };
        let known = || self.solved.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known().as_ref().filter(|known| known.number(board).is_some()) {
            return Ok(Some(Arc::clone(known)));
        }
        if self.frontier.is_none() || live.len() > most_solved(look) {
            return Ok(None);
        }
        let options = Options { watch: look.watch, ..Options::default() };
        let found = Arc::new(Thresholds::of(board, live, total, Cores::One, &options)?);
        if !self.exact {
            *known() = Some(Arc::clone(&found));
        }
        Ok(Some(found))
    }
}

/// How many cells may decide for them to be solved with chips now.
fn most_solved(look: &Look) -> usize {
    let Some(left) = look.time_left() else { return SOLVED };
    (0..=MOST_SOLVED).rev().find(|&cells| EACH * 3_u32.pow(cells as u32) <= left / 2).unwrap_or(0)
}

impl Source for Filled {
    fn see(&self, walk: &dyn Walk, look: &Look) -> Result<Option<Sight>, Error> {
        let Some(board) = walk.board::<HexBoard>().filter(|_| walk.end().is_none()) else { return Ok(None) };
        let Some((mut sight, live)) = self.money(walk, &board, look)? else { return Ok(None) };
        let Some(known) = self.thresholds(&board, &live, look)? else { return Ok(Some(sight)) };
        let (Some(number), Some(total)) = (known.number(&board), self.total) else { return Ok(Some(sight)) };
        let here = known.at(number);
        sight.here = Value::chips(here, total);
        let open = open_cells(&board);
        for (player, after) in Player::BOTH.into_iter().zip(&mut sight.after) {
            // A stone on a cell that decides nothing changes nothing.
            after.iter_mut().for_each(|after| after.value = Some(Value::chips(here, total)));
            for (cell, need) in known.after(number, player) {
                if let Ok(at) = open.binary_search(&cell) {
                    after[at].value = Some(Value::chips(need, total));
                }
            }
        }
        Ok(Some(sight))
    }

    fn is_exact(&self) -> bool {
        self.exact
    }

    fn bytes(&self) -> u64 {
        let solved = self.solved.lock().unwrap_or_else(PoisonError::into_inner);
        solved.as_ref().map_or(0, |known| 4 * known.positions() as u64)
    }
}
