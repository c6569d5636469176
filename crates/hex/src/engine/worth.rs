//! The worth of a Hex position, from the fillings of its open cells.
//!
//! The random-turn game is worth the mean over random fillings [K, Theorem 4.1], which by Richman's
//! theorem gives the threshold. An own stone never hurts, so the winner of a bid always moves.

use std::time::Duration;

use richman_core::{ByPlayer, Effort, Error, Mechanism, Player, Right, Share, ShareBounds, StopReason, Total, Walk};
use richman_engine::{EvaluatedMove, Evaluation, Origin, Value};

use super::sample::fillings_for;
use super::small::{FillingThresholds, MOST_CELLS};
use super::{Cores, Fillings, Frontier, MOST_OPEN, MOST_WIDTH, Sampled, fillings, sample};
use crate::board::HexBoard;

/// The Hex board of a position, if the game is Hex and bids go to the other player.
pub fn money_board(walk: &dyn Walk, mechanism: &Mechanism) -> Option<HexBoard> {
    walk.board::<HexBoard>().filter(|_| !mechanism.has_bank())
}

/// The worth of a position in real money, by counting all fillings; `None` without a
/// [`money_board`] or if the game is over.
///
/// # Errors
/// [`Error::Unsupported`] if the board is too wide or has too many open cells;
/// [`Error::TooMuchMemory`]; [`Error::Cancelled`].
pub fn count(walk: &dyn Walk, mechanism: &Mechanism, effort: &Effort) -> Result<Option<Evaluation>, Error> {
    let Some(board) = money_board(walk, mechanism).filter(|_| walk.end().is_none()) else { return Ok(None) };
    Ok(Some(counted(walk, &board, &all_fillings(&board, effort)?)))
}

/// [`count`], estimated from random fillings, until the estimate is as narrow as `effort` asks or
/// the time is up.
///
/// # Errors
/// [`Error::Cancelled`].
pub fn draw(walk: &dyn Walk, mechanism: &Mechanism, effort: &Effort) -> Result<Option<Evaluation>, Error> {
    const SEED: u64 = 2008; // any number: equal positions get equal answers if time suffices
    let Some(board) = money_board(walk, mechanism).filter(|_| walk.end().is_none()) else { return Ok(None) };
    let fillings = match effort.deadline.filter(|_| effort.estimate_width <= 0.0) {
        Some(_) => u64::MAX,
        None if effort.estimate_width > 0.0 => fillings_for(effort.estimate_width),
        None => fillings_for(Effort::ESTIMATE_WIDTH),
    };
    let found = sample(&board, fillings, SEED, effort)?;
    Ok(Some(sampled(walk, &board, &found)))
}

/// The worth with chips, by all positions of the cells that decide; `None` if these are too many,
/// or without a [`chips_board`].
///
/// # Errors
/// [`Error::Unsupported`] if the board is too wide or has too many open cells;
/// [`Error::TooMuchMemory`]; [`Error::Cancelled`].
pub fn solve(
    walk: &dyn Walk,
    mechanism: &Mechanism,
    total: Total,
    effort: &Effort,
) -> Result<Option<Evaluation>, Error> {
    let Some(board) = chips_board(walk, mechanism) else { return Ok(None) };
    let found = all_fillings(&board, effort)?;
    let cells = found.live();
    if cells.len() > MOST_CELLS {
        return Ok(None);
    }
    let known = FillingThresholds::of(&board, &cells, total, Cores::All, effort)?;
    let mut evaluation = counted(walk, &board, &found);
    evaluation.origin = Origin::exact(StopReason::Acyclic.to_string(), known.positions() as u64);
    Ok(with_chips(&mut evaluation, &board, &known, total).then_some(evaluation))
}

/// The estimated time and bytes of counting; `None` if the board is too wide or has too many open
/// cells.
pub fn counting_cost(board: &HexBoard) -> Option<(Duration, u64)> {
    /// Measured at 11 and 14 cells.
    const SECONDS_AT_ELEVEN: f64 = 0.2;
    const EACH_MORE: f64 = 4.6;
    /// Measured at 11 to 13 cells.
    const BYTES_AT_ELEVEN: f64 = 22e6;
    const BYTES_EACH_MORE: f64 = 3.6;
    let width = board.rows().min(board.cols());
    let fits = width <= MOST_WIDTH && board.open() <= MOST_OPEN;
    let at = |eleven: f64, more: f64| eleven * more.powi(width as i32 - 11);
    let time = Duration::from_secs_f64(at(SECONDS_AT_ELEVEN, EACH_MORE));
    fits.then(|| (time, at(BYTES_AT_ELEVEN, BYTES_EACH_MORE) as u64))
}

pub(super) fn counted(walk: &dyn Walk, board: &HexBoard, found: &Fillings) -> Evaluation {
    let how = format!("all fillings of the {} open cells counted", board.open());
    let after = |player, cell| Value::share(found.alice_wins_after(player, cell).complement());
    let decides = |cell| ShareBounds::exact(found.critical(cell));
    evaluation(walk, board, Value::share(found.alice_wins().complement()), how, &decides, &after)
}

pub(super) fn sampled(walk: &dyn Walk, board: &HexBoard, found: &Sampled) -> Evaluation {
    let how = format!("random fillings of the {} open cells", board.open());
    let share = interval(found.alice_wins()).complement();
    let decides = |cell: usize| interval(found.critical(cell));
    let after = |player: Player, cell: usize| {
        let by = half(&decides(cell));
        let ShareBounds { low, high } = &share;
        Value::Sampled(match player {
            Player::Alice => ShareBounds { low: Share::less(low, &by.high), high: Share::less(high, &by.low) },
            Player::Bob => ShareBounds { low: more(low, &by.low), high: more(high, &by.high) },
        })
    };
    evaluation(walk, board, Value::Sampled(share.clone()), how, &decides, &after)
}

fn evaluation(
    walk: &dyn Walk,
    board: &HexBoard,
    here: Value,
    how: String,
    decides: &dyn Fn(usize) -> ShareBounds,
    after: &dyn Fn(Player, usize) -> Value,
) -> Evaluation {
    let (names, open) = (names(walk, board), open_cells(board));
    let after = |player: Player| {
        let one = |&cell: &usize| EvaluatedMove {
            decides: Some(decides(cell)),
            ..EvaluatedMove::new(names[cell].clone(), after(player, cell))
        };
        open.iter().map(one).collect()
    };
    Evaluation { here, after: ByPlayer::from_fn(after), origin: Origin { how, ..Origin::default() } }
}

/// Replaces real-money values by known chip thresholds.
pub(super) fn with_chips(
    evaluation: &mut Evaluation,
    board: &HexBoard,
    known: &FillingThresholds,
    total: Total,
) -> bool {
    let Some(number) = known.number(board) else { return false };
    let here = known.at(number);
    evaluation.here = Value::chips(here, total);
    let open = open_cells(board);
    for (player, after) in Player::BOTH.into_iter().zip(evaluation.after.iter_mut()) {
        // Stones on cells that never decide change nothing.
        after.iter_mut().for_each(|after| after.value = Some(Value::chips(here, total)));
        for (cell, need) in known.after(number, player) {
            if let Ok(at) = open.binary_search(&cell) {
                after[at].value = Some(Value::chips(need, total));
            }
        }
    }
    true
}

pub(super) fn open_cells(board: &HexBoard) -> Vec<usize> {
    (0..board.cells().len()).filter(|&cell| board.cells()[cell].is_none()).collect()
}

/// The board of a position whose chip thresholds [`FillingThresholds`] computes.
pub fn chips_board(walk: &dyn Walk, mechanism: &Mechanism) -> Option<HexBoard> {
    let is_served = serves_chips(mechanism) && walk.end().is_none();
    walk.board().filter(|board: &HexBoard| is_served && board.open() > 0)
}

/// Whether chip thresholds equal those of the default rules. An own stone never hurts, so it does
/// not matter whether the winner may let the other player move.
pub(super) fn serves_chips(mechanism: &Mechanism) -> bool {
    Mechanism { right: Right::Chooses, ..mechanism.clone() }.is_develin_payne()
}

fn all_fillings(board: &HexBoard, effort: &Effort) -> Result<Fillings, Error> {
    let frontier = Frontier::new(board.rows().min(board.cols()), effort)?;
    fillings(&frontier, board, effort)
}

/// For every cell, the name of the move there; empty for a stone.
pub(super) fn names(walk: &dyn Walk, board: &HexBoard) -> Vec<String> {
    let mut moves = walk.moves(Player::Alice).into_iter();
    let name = |cell: &Option<Player>| match cell {
        None => moves.next().unwrap_or_default(), // moves are in the order of the cells
        Some(_) => String::new(),
    };
    board.cells().iter().map(name).collect()
}

fn half(bounds: &ShareBounds) -> ShareBounds {
    let half = |share: &Share| Share::half_difference(share, &Share::ZERO);
    ShareBounds { low: half(&bounds.low), high: half(&bounds.high) }
}

/// a + b, at most 1.
fn more(a: &Share, b: &Share) -> Share {
    Share::less(&a.complement(), b).complement()
}

/// An estimate and its error as bounds, in units of 2^-40.
fn interval((estimate, error): (f64, f64)) -> ShareBounds {
    const BITS: u32 = 40;
    let units = |share: f64| Share::dyadic((share.clamp(0.0, 1.0) * 2_f64.powi(BITS as i32)) as u64, BITS);
    ShareBounds { low: units(estimate - error), high: units(estimate + error) }
}
