//! K's algorithm for bidding Hex [K, section 5], after Payne and Robeva:
//!
//! 1. From a given game state, fill in the rest of the board at random a large number of times.
//! 2. Let H be the hex that is least often the colour of the loser, and L_H that part of the fillings. Bid the integer part of 1/2 - L_H times the total number
//!    of chips in the game.
//! 3. If this wins, move in H.
//!
//! What the notes leave open is decided by the algorithm's own numbers. A bid above its chips is cut down to them, one that is not allowed to the next lower
//! allowed one (or the lowest). A bid that it answers is the same bid. In a tie it uses the star where that leaves it better off in real money, the star counted
//! as half a chip: where (1/2 - L_H) times the total is at least a quarter above the bid. It never lets the other player move. Of several cells that are as good,
//! H is the first.

use richman_core::Effort;
use richman_hex::board::HexBoard;
use richman_hex::engine::{Cores, sample_on};

use super::{Computer, PlayerError, Seat, Thinking};
use crate::{Action, Decision};

/// Plays from random fillings.
pub struct MonteCarlo {
    fillings: u32,
    rng: fastrand::Rng,
    found: Option<Found>,
}

/// What the fillings of a position said.
struct Found {
    board: HexBoard,
    /// H.
    cell: usize,
    /// 1/2 - L_H, at least 0.
    share: f64,
}

impl MonteCarlo {
    /// A player who fills each position at least `fillings` times (a multiple of 16,384), as `seed` says.
    pub fn new(fillings: u32, seed: u64) -> MonteCarlo {
        MonteCarlo { fillings, rng: fastrand::Rng::with_seed(seed), found: None }
    }

    /// The position is filled once for the bid, the star and the move.
    fn found(&mut self, board: HexBoard, thinking: &Thinking) -> Result<&Found, PlayerError> {
        let found = match self.found.take().filter(|found| found.board == board) {
            Some(found) => found,
            None => {
                let effort = Effort { watch: thinking.watch, ..Effort::default() };
                let sampled = sample_on(Cores::One, &board, self.fillings.into(), self.rng.u64(..), &effort)?;
                let open = (0..board.cells().len()).filter(|&cell| board.cells()[cell].is_none());
                let cell = open.min_by_key(|&cell| sampled.losing[cell]).unwrap_or(0);
                let share = 0.5 - sampled.losing[cell] as f64 / sampled.fillings as f64;
                Found { board, cell, share: share.max(0.0) }
            }
        };
        Ok(self.found.insert(found))
    }
}

/// The name of the move that puts a stone on a cell: moves are in the order of the cells.
pub(super) fn move_on(seat: &Seat, board: &HexBoard, cell: usize) -> Option<Action> {
    let before = board.cells()[..cell.min(board.cells().len())].iter().filter(|stone| stone.is_none()).count();
    seat.view().moves.get(before).cloned().map(Action::Move)
}

/// The Hex board in front of a player.
pub(super) fn board(seat: &Seat, player: &str) -> Result<HexBoard, PlayerError> {
    seat.walk().board::<HexBoard>().ok_or_else(|| PlayerError::Unfit {
        player: player.to_string(),
        game: seat.walk().game(),
        reason: "it is not Hex".to_string(),
    })
}

impl Computer for MonteCarlo {
    fn name(&self) -> String {
        "monte-carlo".to_string()
    }

    fn act(&mut self, seat: &Seat, thinking: &Thinking) -> Result<Action, PlayerError> {
        let board = board(seat, &self.name())?;
        let nothing = || PlayerError::NotNow { player: seat.player() };
        let total = f64::from(seat.own().chips()) + f64::from(seat.other().chips());
        let found = self.found(board, thinking)?;
        let target = found.share * total;
        match seat.decision() {
            Some(Decision::Bid) => {
                let ranges = &seat.view().bids;
                let below = ranges.iter().rev().find(|range| f64::from(range[0]) <= target);
                let lowest = || ranges.first().map(|range| range[0]);
                let bid = below.map(|range| (target as u32).min(range[1])).or_else(lowest);
                bid.map(Action::Bid).ok_or_else(nothing)
            }
            Some(Decision::Star { bid }) => Ok(Action::UseStar(target >= f64::from(bid) + 0.25)),
            Some(Decision::Move { .. }) => move_on(seat, &found.board, found.cell).ok_or_else(nothing),
            None => Err(nothing()),
        }
    }
}
