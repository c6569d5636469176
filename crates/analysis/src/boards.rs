//! Reports of boards of stones and lines, solved layer by layer or looked up in a database: nothing is unfolded.
//!
//! What is reported of a position is made from what is needed there and after every move, whoever found it ([`Needs`]).

mod bounds;
mod database;
mod deepen;
mod first_layers;
mod source;

use std::time::Duration;

use richman_core::{
    Error as CoreError, LineBoard, LinePosition, Mechanism, Player, Share, ShareBounds, Threshold, Total, Walk,
};
use richman_engine::Cost;
use richman_formats::MechanismJson;
use richman_solvers::Options;
use richman_solvers::layers::{Goal, Kept, Layers, Plan, Question, Shapes, Stake};

use crate::chips::ChipsReport;
use crate::money::{MoneyReport, Moves, Ratios};
use crate::{BoundsJson, ThresholdJson};

pub use bounds::{AfterBounds, Bounds, Interval, bounds};
pub use deepen::{Deepen, Deepened, deepen};
pub use first_layers::FirstLayers;
pub use source::Lines;

pub use database::{Answers, Build, BuildPlan, LayerReport, build, check_folder, plan};
pub(crate) use database::{Overall, about, not_of};

/// Fillings up to which a board is better unfolded: it takes no second, and the report counts positions.
const UNFOLDED: u64 = 1 << 22;

/// What Alice needs to force a win, and so that Bob cannot; in the parts or half-steps of [`Question::unreachable`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    /// To force a win.
    pub win: u64,
    /// So that Bob cannot.
    pub draw: u64,
}

/// What is needed after a move on one cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct After {
    /// The name of the move, the same for both players.
    pub name: String,
    /// After Alice's move.
    pub alice: Pair,
    /// After Bob's.
    pub bob: Pair,
}

/// What is needed at a position that is not over, and after every move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Needs {
    /// At the position.
    pub here: Pair,
    /// After every move.
    pub after: Vec<After>,
    /// All the money in parts here, or one half-step more than there is.
    pub unreachable: u64,
    /// The same after a move: half as many parts, or as many half-steps.
    pub unreachable_after: u64,
    /// How many fillings were looked at, or are in the database.
    pub positions: u64,
}

/// The board of a game and the stones on it, where the game is one of stones and lines and its thresholds under the mechanism are those of [`Layers`].
pub fn board(walk: &dyn Walk, mechanism: &Mechanism, chips: bool) -> Option<(LineBoard, [u64; 2])> {
    let served = if chips { mechanism.is_develin_payne() } else { mechanism.is_develin_payne_in_money() };
    walk.board().filter(|_| served).map(|LinePosition { board, stones }| (board, stones))
}

/// Whether a position of a board is better solved layer by layer than unfolded.
pub fn is_large(board: &LineBoard, stones: [u64; 2]) -> bool {
    board.after(stones).is_some() && positions(board, stones, UNFOLDED).is_none()
}

/// How many fillings what is left of a board has, where they are at most so many and the game goes on.
pub fn positions(board: &LineBoard, stones: [u64; 2], most: u64) -> Option<u64> {
    let rest = board.after(stones)?;
    let layers = Shapes::within(&rest, most);
    let all = (0_u32..).zip(&layers).map(|(stones, shapes)| (shapes.len() as u64) << stones).sum();
    (layers.len() as u32 > rest.cells() && all <= most).then_some(all)
}

/// Reports on a position in real money, exactly; `None` where it is no position of such a [`board`], or over.
///
/// # Errors
/// Those of [`solve`].
pub fn report(walk: &dyn Walk, mechanism: &Mechanism, options: &Options) -> Result<Option<MoneyReport>, CoreError> {
    let Some((board, stones)) = board(walk, mechanism, false) else { return Ok(None) };
    let needs = solve(walk, &board, stones, Stake::Money, options)?.and_then(|needs| needs.into_iter().next());
    Ok(needs.map(|needs| needs.money(walk, mechanism, STOP.to_string())))
}

/// The same with a total of chips.
///
/// # Errors
/// Those of [`solve`].
pub fn chips_report(
    walk: &dyn Walk,
    mechanism: &Mechanism,
    total: Total,
    options: &Options,
) -> Result<Option<ChipsReport>, CoreError> {
    let Some((board, stones)) = board(walk, mechanism, true) else { return Ok(None) };
    let needs = solve(walk, &board, stones, Stake::Chips(vec![total]), options)?;
    let needs = needs.and_then(|needs| needs.into_iter().next());
    Ok(needs.map(|needs| needs.chips(walk, mechanism, total, STOP.to_string())))
}

/// What going through the layers of what is left of a board costs; `None` where the game is over.
pub fn cost(board: &LineBoard, stones: [u64; 2], stake: Stake) -> Option<Cost> {
    let rest = board.after(stones)?;
    let passes = if rest.is_fair() { 1 } else { 2 };
    let plan = Plan::of(&Question { board: rest, stake, goal: Goal::Win }).ok()?;
    let milliseconds = 1 + passes * plan.positions() * 1000 / u128::from(SPEED);
    Some(Cost {
        time: Duration::from_millis(u64::try_from(milliseconds).unwrap_or(u64::MAX)),
        memory: u64::try_from(plan.memory()).unwrap_or(u64::MAX),
    })
}

/// Numbers in a second, measured with two cores.
const SPEED: u64 = 150_000_000;

/// Solves a position by the layers of what is left of its board; `None` where the game is over.
///
/// # Errors
/// Those of [`Layers`]; where it does not fit into memory the error says how much is needed.
pub fn solve(
    walk: &dyn Walk,
    board: &LineBoard,
    stones: [u64; 2],
    stake: Stake,
    options: &Options,
) -> Result<Option<Vec<Needs>>, CoreError> {
    match FirstLayers::of(board, stones, stake, 0, options)? {
        Some(layers) => layers.needs(walk),
        None => Ok(None),
    }
}

/// For every lane what is needed at the empty board, and after Alice's and Bob's stone on each of some cells.
type Values = Vec<(u64, Vec<[u64; 2]>)>;

/// Runs through the layers that are left.
fn first_moves(mut layers: Layers, cells: &[(String, u64)]) -> Result<Values, CoreError> {
    layers.keep(1);
    while layers.step(&mut Kept)?.is_some() {}
    let need = |stones: [u64; 2], lane: usize| -> Result<u64, CoreError> {
        Ok(layers.need(stones, lane)?.expect("a position of the layer"))
    };
    let one = |lane: usize| -> Result<(u64, Vec<[u64; 2]>), CoreError> {
        let after = cells.iter().map(|(_, cell)| Ok([need([*cell, 0], lane)?, need([0, *cell], lane)?]));
        Ok((need([0, 0], lane)?, after.collect::<Result<_, CoreError>>()?))
    };
    (0..layers.question().lanes()).map(one).collect()
}

/// The names of the moves and the cells they fill.
fn moves(walk: &dyn Walk, stones: [u64; 2]) -> Result<Vec<(String, u64)>, CoreError> {
    let cell = |name: String| -> Result<(String, u64), CoreError> {
        let mut next = walk.boxed();
        next.play(Player::Alice, &name)?;
        let filled = next.board().map_or(0, |LinePosition { stones: [alice, _], .. }| alice & !stones[0]);
        Ok((name, filled))
    };
    walk.moves(Player::Alice).into_iter().map(cell).collect()
}

/// The same with the cells of what is left of the board.
fn moves_left(walk: &dyn Walk, board: &LineBoard, stones: [u64; 2]) -> Result<Vec<(String, u64)>, CoreError> {
    let empty = (u64::MAX >> (u64::BITS - board.cells())) & !(stones[0] | stones[1]);
    let left = |cell: u64| 1 << (empty & (cell - 1)).count_ones();
    Ok(moves(walk, stones)?.into_iter().map(|(name, cell)| (name, left(cell))).collect())
}

/// Moves that keep to a threshold, what they lead to at the least and at the most, and whether the winner of the bid should let the other player move.
struct Best {
    moves: Moves,
    low: u64,
    high: u64,
    zugzwang: bool,
}

impl Needs {
    /// Puts together what is needed, which `pair` says, with some stones and after one more on each of some cells.
    fn found<E>(
        stones: [u64; 2],
        cells: &[(String, u64)],
        unreachable: [u64; 2],
        positions: u64,
        pair: impl Fn([u64; 2]) -> Result<Pair, E>,
    ) -> Result<Needs, E> {
        let after = |(name, cell): &(String, u64)| -> Result<After, E> {
            Ok(After {
                name: name.clone(),
                alice: pair([stones[0] | cell, stones[1]])?,
                bob: pair([stones[0], stones[1] | cell])?,
            })
        };
        let after = cells.iter().map(after).collect::<Result<_, E>>()?;
        let [unreachable, unreachable_after] = unreachable;
        Ok(Needs { here: pair(stones)?, after, unreachable, unreachable_after, positions })
    }

    fn best(&self, of: impl Fn(&Pair) -> u64) -> Best {
        let alice = self.after.iter().map(|after| of(&after.alice)).min().unwrap_or(0);
        let bob = self.after.iter().map(|after| of(&after.bob)).max().unwrap_or(0);
        let names = |keeps: &dyn Fn(&After) -> bool| {
            self.after.iter().filter(|after| keeps(after)).map(|after| after.name.clone()).collect()
        };
        Best {
            moves: Moves::best(names(&|after| of(&after.alice) == alice), names(&|after| of(&after.bob) == bob)),
            low: alice.min(bob),
            high: alice.max(bob),
            zugzwang: alice > bob,
        }
    }

    fn share(&self, parts: u64) -> Share {
        Share::ratio(parts.into(), self.unreachable.into()).unwrap_or(Share::ONE) // parts are at most all of them
    }

    /// The report of a position in real money.
    pub fn money(&self, walk: &dyn Walk, mechanism: &Mechanism, stop: String) -> MoneyReport {
        let [win, draw] = [self.here.win, self.here.draw].map(|need| self.share(need));
        let ratio = |share: &Share| Some(format!("{}:{}", share.numerator(), share.denominator() - share.numerator()));
        let (for_win, for_draw) = (self.best(|pair| pair.win), self.best(|pair| pair.draw));
        // A part after a move is two parts here, and the best bid is half of the difference.
        let bid = |best: &Best| Some(BoundsJson(ShareBounds::exact(self.share(best.high - best.low))));
        let positions = usize::try_from(self.positions).unwrap_or(usize::MAX);
        MoneyReport {
            game: walk.game(),
            position: walk.notation(),
            mechanism: MechanismJson::from(mechanism),
            ratio: Ratios { win: ratio(&win), draw: ratio(&draw) },
            win: BoundsJson(ShareBounds::exact(win)),
            draw: BoundsJson(ShareBounds::exact(draw)),
            exact: true,
            truncated: None,
            bid: bid(&for_win),
            zugzwang: for_win.zugzwang,
            moves: for_win.moves,
            sure_bids: None,
            draw_bid: bid(&for_draw),
            draw_moves: for_draw.moves,
            positions,
            exact_positions: positions,
            stop,
        }
    }

    /// The report of a position with a total of chips, without advice.
    pub fn chips(&self, walk: &dyn Walk, mechanism: &Mechanism, total: Total, stop: String) -> ChipsReport {
        let threshold = |need: u64| ThresholdJson::from(Threshold::at(u32::try_from(need).unwrap_or(u32::MAX)));
        ChipsReport {
            game: walk.game(),
            position: walk.notation(),
            mechanism: MechanismJson::from(mechanism),
            total: total.chips(),
            win: threshold(self.here.win),
            draw: threshold(self.here.draw),
            undetermined: None,
            exact: true,
            truncated: None,
            holdings: None,
            positions: usize::try_from(self.positions).unwrap_or(usize::MAX),
            stop,
        }
    }
}

/// Why a report of layers is complete.
pub const STOP: &str = "layer by layer: every filling of the board evaluated once";
