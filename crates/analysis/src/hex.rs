//! The report of a Hex position in real money, from the fillings of its open cells: nothing is unfolded.
//!
//! In Hex the random-turn game is worth what a random filling is [K, Theorem 4.1], and Richman's theorem makes that the threshold; a stone of one's own never
//! hurts, so that the winner of a bid always wants to move.

mod source;

use std::time::Duration;

use richman_core::{
    Error as CoreError, HexBoard, Mechanism, Player, Share, ShareBounds, StopReason, Threshold, Total, Walk,
};
use richman_formats::MechanismJson;
use richman_solvers::Options;
use richman_solvers::hex::small::{MOST_CELLS, Thresholds};
use richman_solvers::hex::{Cores, Fillings, Frontier, MOST_WIDTH, Sampled, fillings, sample};
use serde::Serialize;

pub use source::Hex;

use crate::chips::ChipsReport;
use crate::money::{Choice, Moves, Ratios};
use crate::{BoundsJson, Error, ThresholdJson};

/// How many random fillings stand in for all: some twenty seconds.
const FILLINGS: u64 = 4_000_000;
/// The same in a hurry: a second or two.
const HURRIED: u64 = 400_000;
/// With less time than this it is a hurry.
const HURRY: Duration = Duration::from_secs(20);

/// What a Hex position is worth in real money.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HexReport {
    /// The game with its parameters.
    pub game: String,
    /// The position in the game's notation.
    pub position: String,
    /// How bids are made, won and paid.
    pub mechanism: MechanismJson,
    /// Alice can force a win when her share is above this.
    #[serde(flatten, serialize_with = "crate::json::shares::win")]
    pub win: BoundsJson,
    /// Bob can force a win when Alice's share is below this: the same, for there is no draw.
    #[serde(flatten, serialize_with = "crate::json::shares::draw")]
    pub draw: BoundsJson,
    /// The same as Alice's money to Bob's; null where it is estimated.
    pub ratio: Ratios,
    /// Whether the numbers are exact; else they are estimates.
    pub exact: bool,
    /// Where they are estimates: how sure it is of each interval that it holds the truth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<&'static str>,
    /// The best bid, as a share of all the money; null where the game is over.
    #[serde(flatten, serialize_with = "crate::json::shares::bid")]
    pub bid: Option<BoundsJson>,
    /// Best moves.
    pub moves: Moves,
    /// The number of open cells.
    pub open: u32,
    /// For every open cell how often it decides.
    pub cells: Vec<CellReport>,
}

/// A cell, and how often its colour decides who wins when the others are filled at random.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CellReport {
    /// The name of the cell.
    pub cell: String,
    /// How often it decides.
    #[serde(flatten, serialize_with = "crate::json::shares::critical")]
    pub critical: BoundsJson,
}

/// What was found out about the fillings.
enum Values {
    Counted(Fillings),
    Sampled(Sampled),
}

/// The Hex board of a position, where the game is Hex and the threshold is one of Hex: money goes to the other player.
pub fn board(walk: &dyn Walk, mechanism: &Mechanism) -> Option<HexBoard> {
    walk.board::<HexBoard>().filter(|_| !mechanism.has_bank())
}

/// At least so many positions can follow, symmetric ones counted once. Where all stones that follow are Alice's, those that do not connect are as many as the
/// fillings that Bob wins; with Bob's, as the fillings that Alice wins. So they are as many as all fillings, but for the board itself, which is in both; and of
/// a position there are two at most that are the same.
pub(crate) fn fewest_positions(board: &HexBoard) -> u64 {
    1_u64.checked_shl(board.open()).map_or(u64::MAX, |fillings| (fillings - 1) / 2)
}

/// Reports on the position that `walk` is at, whose fillings are counted.
///
/// # Errors
/// [`CoreError::Unsupported`] where the position has no such [`board`]; those of [`fillings`].
pub fn counted_report(walk: &dyn Walk, mechanism: &Mechanism, options: &Options) -> Result<HexReport, CoreError> {
    let board = board(walk, mechanism).ok_or_else(not_hex)?;
    Ok(of(walk, &board, mechanism, &Values::Counted(counted(&board, options)?)))
}

/// The same, some of whose fillings are drawn at random.
///
/// # Errors
/// [`CoreError::Unsupported`] where the position has no such [`board`]; [`CoreError::Cancelled`].
pub fn sampled_report(walk: &dyn Walk, mechanism: &Mechanism, options: &Options) -> Result<HexReport, CoreError> {
    const SEED: u64 = 2008; // any number: the same position gives the same answer, if there is time for all
    let board = board(walk, mechanism).ok_or_else(not_hex)?;
    let in_a_hurry = options.time_left().is_some_and(|left| left < HURRY);
    let found = sample(&board, if in_a_hurry { HURRIED } else { FILLINGS }, SEED, options)?;
    Ok(of(walk, &board, mechanism, &Values::Sampled(found)))
}

fn not_hex() -> CoreError {
    CoreError::Unsupported { what: "a game".to_string(), serves: "Hex with Richman payment".to_string() }
}

/// About how long counting takes on a board of that shorter side; `None` where it is too wide, or has too many open cells.
pub fn counting_time(board: &HexBoard) -> Option<Duration> {
    /// Measured at 11 and 14 cells.
    const AT_ELEVEN: f64 = 0.2;
    const EACH_MORE: f64 = 4.6;
    let width = board.rows().min(board.cols());
    let fits = width <= MOST_WIDTH && board.open() <= richman_solvers::hex::MOST_OPEN;
    fits.then(|| Duration::from_secs_f64(AT_ELEVEN * EACH_MORE.powi(width as i32 - 11)))
}

fn of(walk: &dyn Walk, board: &HexBoard, mechanism: &Mechanism, values: &Values) -> HexReport {
    let names = names(walk, board);
    let critical = |cell: usize| match values {
        Values::Counted(found) => ShareBounds::exact(found.critical(cell)),
        Values::Sampled(found) => interval(found.critical(cell)),
    };
    let wins = match values {
        Values::Counted(found) => ShareBounds::exact(found.alice_wins()),
        Values::Sampled(found) => interval(found.alice_wins()),
    };
    let threshold = BoundsJson(wins.complement());
    let best = best(values);
    let moves = match values {
        Values::Counted(_) => {
            let moves: Vec<String> = best.iter().map(|&cell| names[cell].clone()).collect();
            Moves::best(moves.clone(), moves)
        }
        Values::Sampled(_) => {
            let open = (0..names.len()).filter(|&cell| board.cells()[cell].is_none());
            let known = open.map(|cell| (cell, critical(cell))).collect::<Vec<_>>();
            let known = known.iter().map(|(cell, share)| (names[*cell].as_str(), *cell, &share.low, &share.high));
            let choice = Choice::most(known.collect());
            Moves::chosen([choice.clone(), choice])
        }
    };
    let exact = matches!(values, Values::Counted(_));
    let ratio = exact.then(|| {
        let share = &threshold.0.low;
        format!("{}:{}", share.numerator(), share.denominator() - share.numerator())
    });
    let open = (0..board.cells().len()).filter(|&cell| board.cells()[cell].is_none());
    HexReport {
        game: walk.game(),
        position: walk.notation(),
        mechanism: MechanismJson::from(mechanism),
        draw: threshold.clone(),
        win: threshold,
        ratio: Ratios { win: ratio.clone(), draw: ratio },
        exact,
        confidence: (!exact).then_some("99%"),
        bid: best.first().map(|&cell| BoundsJson(half(&critical(cell)))),
        moves,
        open: board.open(),
        cells: open
            .map(|cell| CellReport { cell: names[cell].clone(), critical: BoundsJson(critical(cell)) })
            .collect(),
    }
}

/// The board of a position whose thresholds with chips are those of [`Thresholds`].
pub fn chips_board(walk: &dyn Walk, mechanism: &Mechanism) -> Option<HexBoard> {
    let is_usual = *mechanism == Mechanism::default() && walk.end().is_none();
    walk.board().filter(|board: &HexBoard| is_usual && board.open() > 0)
}

/// Reports on a position with a total of chips, by all positions of the cells that decide something; `None` where these are
/// too many, or it has no such [`chips_board`].
///
/// # Errors
/// Those of [`fillings`] and [`Thresholds::of`].
pub fn chips_report(
    walk: &dyn Walk,
    mechanism: &Mechanism,
    total: Total,
    options: &Options,
) -> Result<Option<ChipsReport>, Error> {
    let Some(board) = chips_board(walk, mechanism) else { return Ok(None) };
    let cells = counted(&board, options)?.live();
    if cells.len() > MOST_CELLS {
        return Ok(None);
    }
    let found = Thresholds::of(&board, &cells, total, Cores::All, options)?;
    let threshold: ThresholdJson = Threshold::at(found.number(&board).map_or(0, |number| found.at(number))).into();
    Ok(Some(ChipsReport {
        game: walk.game(),
        position: walk.notation(),
        mechanism: MechanismJson::from(mechanism),
        total: total.chips(),
        draw: threshold.clone(),
        win: threshold,
        undetermined: None,
        exact: true,
        truncated: None,
        holdings: None,
        positions: found.positions(),
        stop: StopReason::Acyclic.to_string(),
    }))
}

impl HexReport {
    /// What Alice needs after a stone of `player` on each open cell, by the cell's name: what she needs now, less or more half of how often it decides.
    pub fn after(&self, player: Player) -> impl Iterator<Item = (&str, BoundsJson)> {
        let after = move |cell: &CellReport| {
            let by = half(&cell.critical.0);
            let ShareBounds { low, high } = &self.win.0;
            BoundsJson(match player {
                Player::Alice => ShareBounds { low: Share::less(low, &by.high), high: Share::less(high, &by.low) },
                Player::Bob => ShareBounds { low: more(low, &by.low), high: more(high, &by.high) },
            })
        };
        self.cells.iter().map(move |cell| (cell.cell.as_str(), after(cell)))
    }
}

fn counted(board: &HexBoard, options: &Options) -> Result<Fillings, CoreError> {
    let frontier = Frontier::new(board.rows().min(board.cols()), options)?;
    fillings(&frontier, board, options)
}

/// The best moves; the likeliest one where they are only estimated.
fn best(values: &Values) -> Vec<usize> {
    match values {
        Values::Counted(found) => found.best(),
        Values::Sampled(found) => {
            let open = (0..found.losing.len()).filter(|&cell| found.losing[cell] > 0);
            open.min_by_key(|&cell| found.losing[cell]).into_iter().collect()
        }
    }
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
    use crate::{Request, Subject, chips, money};
    use richman_core::{Limits, Unwatched};

    fn hex(spec: &str, position: Option<&str>) -> HexReport {
        let walk = Subject::named(spec).unwrap().walk(position).unwrap();
        counted_report(walk.as_ref(), &Mechanism::default(), &Options::default()).unwrap()
    }

    /// The arena knows nothing of fillings.
    #[test]
    fn thresholds_bids_and_moves_are_those_of_the_arena() {
        let cases = [("hex:size=3", None), ("hex:rows=2,cols=4", None), ("hex:rows=4,cols=3", None)];
        let positions = ["A../.B./...", "AB./.B./..A", "AAA/.B./..B", "A../A../A..", "BBB/.../..."];
        let all = cases.into_iter().chain(positions.map(|position| ("hex:size=3", Some(position))));
        for (spec, position) in all {
            let subject = Subject::named(spec).unwrap();
            let unfolding = subject.unfold(position, &Limits::default(), &Unwatched).unwrap();
            let mechanism = Mechanism::default();
            let request = Request { unfolding: unfolding.as_ref(), mechanism: &mechanism, options: Options::default() };
            let (arena, _) = money::report(&request).unwrap();
            let found = hex(spec, position);
            assert_eq!((&found.win, &found.draw), (&arena.win, &arena.draw), "{spec} {position:?}");
            assert_eq!((&found.bid, &found.ratio), (&arena.bid, &arena.ratio), "{spec} {position:?}");
            assert_eq!(found.moves, arena.moves, "{spec} {position:?}");
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
                let found = chips_report(walk.as_ref(), &mechanism, total, &Options::default()).unwrap();
                let Some(found) = found else {
                    assert_eq!(spec, "hex:size=3", "few cells are unfolded");
                    continue;
                };
                let unfolding = subject.unfold(position, &Limits::default(), &Unwatched).unwrap();
                let options = Options::default();
                let request = Request { unfolding: unfolding.as_ref(), mechanism: &mechanism, options };
                let ChipsReport { positions, stop, .. } = found;
                let arena = ChipsReport { positions, stop: stop.clone(), ..chips::report(&request, total).unwrap() };
                assert_eq!(ChipsReport { stop, ..found }, arena, "{spec}");
            }
        }
    }

    #[test]
    fn large_boards_are_estimated_and_say_so() {
        let walk = Subject::named("hex:size=16").unwrap().walk(None).unwrap();
        let found = sampled_report(walk.as_ref(), &Mechanism::default(), &Options::default()).unwrap();
        assert!(!found.exact && found.confidence == Some("99%") && found.cells.len() == 256);
        let (low, high) = (found.win.0.low.to_f64(), found.win.0.high.to_f64());
        assert!(low <= 0.5 && 0.5 <= high && high - low < 0.01, "{low} to {high}");
    }
}
