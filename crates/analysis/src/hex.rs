//! What a Hex position is worth, from the fillings of its open cells: nothing is unfolded.
//!
//! In Hex the random-turn game is worth what a random filling is [K, Theorem 4.1], and Richman's theorem makes that the threshold; a stone of one's own never
//! hurts, so that the winner of a bid always wants to move.

mod source;
mod ways;

use std::time::Duration;

use richman_core::{Effort, Error as CoreError, Mechanism, Player, Share, ShareBounds, StopReason, Total, Walk};
use richman_engine::{After, Origin, Sight, Value};
use richman_hex::board::HexBoard;
use richman_hex::engine::small::{MOST_CELLS, Thresholds};
use richman_hex::engine::{Cores, Fillings, Frontier, MOST_WIDTH, Sampled, fillings, sample};

pub use source::Hex;

/// How many random fillings stand in for all: some twenty seconds.
const FILLINGS: u64 = 4_000_000;
/// The same in a hurry: a second or two.
const HURRIED: u64 = 400_000;
/// With less time than this it is a hurry.
const HURRY: Duration = Duration::from_secs(20);

/// The Hex board of a position, where the game is Hex and the threshold is one of Hex: money goes to the other player.
pub fn board(walk: &dyn Walk, mechanism: &Mechanism) -> Option<HexBoard> {
    walk.board::<HexBoard>().filter(|_| !mechanism.has_bank())
}

/// What the position that `walk` is at is worth in real money, by counting all fillings; `None` where it has no such [`board`],
/// or is over.
///
/// # Errors
/// Those of [`fillings`].
pub fn count(walk: &dyn Walk, mechanism: &Mechanism, effort: &Effort) -> Result<Option<Sight>, CoreError> {
    let Some(board) = board(walk, mechanism).filter(|_| walk.end().is_none()) else { return Ok(None) };
    Ok(Some(counted(walk, &board, &all_fillings(&board, effort)?)))
}

/// The same, by drawing some fillings at random.
///
/// # Errors
/// [`CoreError::Cancelled`].
pub fn draw(walk: &dyn Walk, mechanism: &Mechanism, effort: &Effort) -> Result<Option<Sight>, CoreError> {
    const SEED: u64 = 2008; // any number: the same position gives the same answer, if there is time for all
    let Some(board) = board(walk, mechanism).filter(|_| walk.end().is_none()) else { return Ok(None) };
    let in_a_hurry = effort.time_left().is_some_and(|left| left < HURRY);
    let found = sample(&board, if in_a_hurry { HURRIED } else { FILLINGS }, SEED, effort)?;
    Ok(Some(sampled(walk, &board, &found)))
}

/// What a position is worth with a total of chips, by all positions of the cells that decide something; `None` where these are
/// too many, or it has no such [`chips_board`].
///
/// # Errors
/// Those of [`fillings`] and [`Thresholds::of`].
pub fn solve(
    walk: &dyn Walk,
    mechanism: &Mechanism,
    total: Total,
    effort: &Effort,
) -> Result<Option<Sight>, CoreError> {
    let Some(board) = chips_board(walk, mechanism) else { return Ok(None) };
    let found = all_fillings(&board, effort)?;
    let cells = found.live();
    if cells.len() > MOST_CELLS {
        return Ok(None);
    }
    let known = Thresholds::of(&board, &cells, total, Cores::All, effort)?;
    let mut sight = counted(walk, &board, &found);
    sight.origin = Origin::exact(StopReason::Acyclic.to_string(), known.positions() as u64);
    Ok(with_chips(&mut sight, &board, &known, total).then_some(sight))
}

/// About how long counting takes on a board of that shorter side, and how many bytes; `None` where it is too wide, or has too
/// many open cells.
pub fn counting_cost(board: &HexBoard) -> Option<(Duration, u64)> {
    /// Measured at 11 and 14 cells.
    const SECONDS_AT_ELEVEN: f64 = 0.2;
    const EACH_MORE: f64 = 4.6;
    /// Measured at 11 to 13 cells.
    const BYTES_AT_ELEVEN: f64 = 22e6;
    const BYTES_EACH_MORE: f64 = 3.6;
    let width = board.rows().min(board.cols());
    let fits = width <= MOST_WIDTH && board.open() <= richman_hex::engine::MOST_OPEN;
    let at = |eleven: f64, more: f64| eleven * more.powi(width as i32 - 11);
    let time = Duration::from_secs_f64(at(SECONDS_AT_ELEVEN, EACH_MORE));
    fits.then(|| (time, at(BYTES_AT_ELEVEN, BYTES_EACH_MORE) as u64))
}

/// What all fillings say of a position.
fn counted(walk: &dyn Walk, board: &HexBoard, found: &Fillings) -> Sight {
    let how = format!("all fillings of the {} open cells counted", board.open());
    let after = |player, cell| Value::share(found.alice_wins_after(player, cell).complement());
    let decides = |cell| ShareBounds::exact(found.critical(cell));
    sight(walk, board, Value::share(found.alice_wins().complement()), how, &decides, &after)
}

/// What fillings drawn at random say.
fn sampled(walk: &dyn Walk, board: &HexBoard, found: &Sampled) -> Sight {
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
    sight(walk, board, Value::Sampled(share.clone()), how, &decides, &after)
}

fn sight(
    walk: &dyn Walk,
    board: &HexBoard,
    here: Value,
    how: String,
    decides: &dyn Fn(usize) -> ShareBounds,
    after: &dyn Fn(Player, usize) -> Value,
) -> Sight {
    let (names, open) = (names(walk, board), open_cells(board));
    let after = |player: Player| {
        let one = |&cell: &usize| After {
            decides: Some(decides(cell)),
            ..After::new(names[cell].clone(), after(player, cell))
        };
        open.iter().map(one).collect()
    };
    Sight { here, after: Player::BOTH.map(after), origin: Origin { how, ..Origin::default() } }
}

/// Puts what is needed with chips in place of what real money says, where that is known.
fn with_chips(sight: &mut Sight, board: &HexBoard, known: &Thresholds, total: Total) -> bool {
    let Some(number) = known.number(board) else { return false };
    let here = known.at(number);
    sight.here = Value::chips(here, total);
    let open = open_cells(board);
    for (player, after) in Player::BOTH.into_iter().zip(&mut sight.after) {
        // A stone on a cell that decides nothing changes nothing.
        after.iter_mut().for_each(|after| after.value = Some(Value::chips(here, total)));
        for (cell, need) in known.after(number, player) {
            if let Ok(at) = open.binary_search(&cell) {
                after[at].value = Some(Value::chips(need, total));
            }
        }
    }
    true
}

fn open_cells(board: &HexBoard) -> Vec<usize> {
    (0..board.cells().len()).filter(|&cell| board.cells()[cell].is_none()).collect()
}

/// The board of a position whose thresholds with chips are those of [`Thresholds`].
pub fn chips_board(walk: &dyn Walk, mechanism: &Mechanism) -> Option<HexBoard> {
    let is_usual = *mechanism == Mechanism::default() && walk.end().is_none();
    walk.board().filter(|board: &HexBoard| is_usual && board.open() > 0)
}

fn all_fillings(board: &HexBoard, effort: &Effort) -> Result<Fillings, CoreError> {
    let frontier = Frontier::new(board.rows().min(board.cols()), effort)?;
    fillings(&frontier, board, effort)
}

/// The names of the cells as moves: those of the moves that put a stone there, and nothing for a cell with a stone.
fn names(walk: &dyn Walk, board: &HexBoard) -> Vec<String> {
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

/// a + b, or 1 where that is more.
fn more(a: &Share, b: &Share) -> Share {
    Share::less(&a.complement(), b).complement()
}

/// An estimate and its error as bounds, in units of 2^-40.
fn interval((estimate, error): (f64, f64)) -> ShareBounds {
    const BITS: u32 = 40;
    let units = |share: f64| Share::dyadic((share.clamp(0.0, 1.0) * 2_f64.powi(BITS as i32)) as u64, BITS);
    ShareBounds { low: units(estimate - error), high: units(estimate + error) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chips::ChipsReport;
    use crate::money::{Head, MoneyReport, of_sight};
    use crate::{Request, Subject, chips, money};
    use richman_core::Effort;

    /// The arena knows nothing of fillings.
    #[test]
    fn thresholds_bids_and_moves_are_those_of_the_arena() {
        let cases = [("hex:size=3", None), ("hex:rows=2,cols=4", None), ("hex:rows=4,cols=3", None)];
        let positions = ["A../.B./...", "AB./.B./..A", "AAA/.B./..B", "A../A../A..", "BBB/.../..."];
        let all = cases.into_iter().chain(positions.map(|position| ("hex:size=3", Some(position))));
        for (spec, position) in all {
            let subject = Subject::named(spec).unwrap();
            let unfolding = subject.unfold(position, &Effort::default()).unwrap();
            let mechanism = Mechanism::default();
            let request = Request { unfolding: unfolding.as_ref(), mechanism: &mechanism, effort: Effort::default() };
            let (arena, _) = money::report(&request).unwrap();
            let walk = subject.walk(position).unwrap();
            let found = count(walk.as_ref(), &mechanism, &Effort::default()).unwrap();
            assert_eq!(found.is_none(), walk.end().is_some());
            let Some(sight) = found else { continue };
            let MoneyReport { open, cells, stop, positions, exact_positions, .. } =
                of_sight(Head::at(walk.as_ref(), &mechanism), &sight);
            assert_eq!((open, cells.len()), (Some(cells.len()), walk.moves(Player::Alice).len()));
            let arena = MoneyReport { open, cells, stop, positions, exact_positions, ..arena };
            assert_eq!(of_sight(Head::at(walk.as_ref(), &mechanism), &sight), arena, "{spec} {position:?}");
        }
    }

    #[test]
    fn chips_are_those_of_the_arena() {
        for (spec, position) in
            [("hex:rows=1,cols=14", None), ("hex:rows=2,cols=7", Some(".A...../.......")), ("hex:size=3", None)]
        {
            let subject = Subject::named(spec).unwrap();
            let mechanism = Mechanism::default();
            let walk = subject.walk(position).unwrap();
            for total in [8, 61].map(|total| Total::new(total).unwrap()) {
                let sight = solve(walk.as_ref(), &mechanism, total, &Effort::default()).unwrap();
                let Some(sight) = sight else {
                    assert_eq!(spec, "hex:size=3", "few cells are unfolded");
                    continue;
                };
                let found = chips::of_sight(Head::at(walk.as_ref(), &mechanism), &sight, None).unwrap();
                let unfolding = subject.unfold(position, &Effort::default()).unwrap();
                let effort = Effort::default();
                let request = Request { unfolding: unfolding.as_ref(), mechanism: &mechanism, effort };
                let ChipsReport { positions, stop, .. } = found;
                let arena = ChipsReport { positions, stop: stop.clone(), ..chips::report(&request, total).unwrap() };
                assert_eq!(ChipsReport { stop, ..found }, arena, "{spec}");
            }
        }
    }

    #[test]
    fn large_boards_are_estimated_and_say_so() {
        let walk = Subject::named("hex:size=16").unwrap().walk(None).unwrap();
        let mechanism = Mechanism::default();
        let sight = draw(walk.as_ref(), &mechanism, &Effort::default()).unwrap().unwrap();
        let found = of_sight(Head::at(walk.as_ref(), &mechanism), &sight);
        assert!(!found.exact && found.confidence == Some("99%") && found.cells.len() == 256);
        let (low, high) = (found.win.0.low.to_f64(), found.win.0.high.to_f64());
        assert!(low <= 0.5 && 0.5 <= high && high - low < 0.01, "{low} to {high}");
    }
}
