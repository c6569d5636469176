//! Bidding chess by searching the random-turn game.
//!
//! What the search says Alice needs of all the money after every player's best move stands for what she needs in chips ([`Stakes::estimated`]). Kings are not estimated:
//!
//! - Where a king can be taken now, whoever wins the bid decides the game. The player bids what wins against everything the other one can bid, or else
//!   everything, uses the star, and takes the king where it can.
//! - What positions of three pieces are worth is solved once a game comes near them, beside the play where there is little time.
//! - Who holds so much that the next bid is sure to be won as well wins by attacking the king. Such bids are won, and kept from the other player, before all others.

use std::sync::{Arc, Once, OnceLock};
use std::time::Instant;

use richman_core::{ChessBoard, ChessMove, Payment, Piece, Player};
use richman_solvers::Options;
use richman_solvers::chess_search::{ChessSearch, Effort, Estimate};
use richman_solvers::endgames::{Tables, of_three};
use richman_solvers::hex::bidding::Stakes;

use super::hex::best_bid;
use super::rounding::{self, Turn, holds_tie};
use super::{Computer, PlayerError, Seat, Thinking, any};
use crate::{Action, Decision};

/// As far as the search goes where there is time: about two seconds.
const EFFORT: Effort = Effort { positions: 60_000, depth: 20, deadline: None };
/// The part of the time that is searched, in percent.
const PART: u32 = 95;

/// Plays bidding chess.
pub struct ChessPlayer {
    search: ChessSearch,
    effort: Effort,
    rng: fastrand::Rng,
    seen: Option<(ChessBoard, Estimate)>,
}

impl ChessPlayer {
    /// A player who chooses between equal moves as `seed` says.
    pub fn new(seed: u64) -> ChessPlayer {
        ChessPlayer { search: ChessSearch::new(), effort: EFFORT, rng: fastrand::Rng::with_seed(seed), seen: None }
    }

    /// The same player, who searches no further than that.
    #[must_use]
    pub fn within(self, effort: Effort) -> ChessPlayer {
        ChessPlayer { effort, ..self }
    }

    /// Looks at a position, once for the bid, the star and the move.
    fn see(&mut self, seat: &Seat, thinking: &Thinking) -> Result<(ChessBoard, &Estimate), PlayerError> {
        thinking.check()?;
        let Some(board) = seat.walk().board::<ChessBoard>() else {
            let (player, game) = (self.name(), seat.walk().game());
            return Err(PlayerError::Unfit { player, game, reason: "it is not chess".to_string() });
        };
        let found = match self.seen.take().filter(|(seen, _)| *seen == board) {
            Some((_, found)) => found,
            None => {
                if let Some(endgames) = endgames(&board, thinking) {
                    self.search.learn(endgames);
                }
                let now = Instant::now();
                let part = |deadline: Instant| now + deadline.saturating_duration_since(now) * PART / 100;
                let effort = Effort { deadline: thinking.deadline.map(part), ..self.effort };
                let found = self.search.estimate(&board, &effort, thinking.watch);
                thinking.check()?;
                found
            }
        };
        let (board, found) = self.seen.insert((board, found));
        Ok((*board, found))
    }

    fn bid(seat: &Seat, board: &ChessBoard, found: &Estimate) -> Option<Action> {
        if is_decisive(board)
            && let Some(bid) = winning_bid(seat)
        {
            return Some(Action::Bid(bid));
        }
        if seat.rules().mechanism.payment == Payment::Richman {
            return best_bid(seat, &stakes(seat, board, found)).map(Action::Bid);
        }
        rounding::bid(seat, turn(found)).ok()
    }

    fn star(seat: &Seat, board: &ChessBoard, found: &Estimate, bid: u32) -> Action {
        if is_decisive(board) {
            return Action::UseStar(true);
        }
        if seat.rules().mechanism.payment == Payment::Richman {
            return Action::UseStar(stakes(seat, board, found).uses_star(bid));
        }
        rounding::star(seat, turn(found), bid)
    }

    /// The moves that are best, or else letting the other player move.
    fn best(seat: &Seat, board: &ChessBoard, found: &Estimate, may_let: bool) -> Vec<Action> {
        let player = seat.player();
        let named = |moves: &[ChessMove]| moves.iter().map(|&made| Action::Move(board.name(player, made))).collect();
        let all = board.moves(player);
        let kept = |keeps: &dyn Fn(&ChessBoard) -> bool| -> Vec<ChessMove> {
            all.iter().copied().filter(|&made| keeps(&board.after(player, made))).collect()
        };
        if board.threatens_king(player) {
            return named(&kept(&|next| next.winner() == Some(player)));
        }
        if wins_next(seat) {
            let attacks = kept(&|next| next.threatens_king(player));
            if !attacks.is_empty() {
                return named(&attacks);
            }
        }
        let [alice, bob] = found.after;
        if may_let && alice < bob && !board.threatens_king(player.other()) {
            return vec![Action::Let]; // who moves loses by it
        }
        named(&found.best[player as usize])
    }
}

/// What is known of positions of three pieces, on boards of every size.
static ENDGAMES: [OnceLock<Option<Arc<Tables>>>; 9] = [const { OnceLock::new() }; 9];

/// What is known of positions of three pieces, where the game comes near them. Whoever has no time for that gets it when it is there.
fn endgames(board: &ChessBoard, thinking: &Thinking) -> Option<Arc<Tables>> {
    /// Pieces with which it does.
    const NEAR: u32 = 6;
    static BEGUN: [Once; 9] = [const { Once::new() }; 9];
    if board.occupied().count_ones() > NEAR {
        return None;
    }
    let row = board.size();
    let place = ENDGAMES.get(usize::from(row))?;
    let solve = move || of_three(row, &Options::default()).ok().map(Arc::new);
    if thinking.deadline.is_none() {
        return place.get_or_init(solve).clone();
    }
    BEGUN[usize::from(row)].call_once(|| {
        std::thread::spawn(move || place.get_or_init(solve).is_some());
    });
    place.get().cloned().flatten()
}

/// Whether who wins the next bid takes a king, or has to keep the own one from being taken.
fn is_decisive(board: &ChessBoard) -> bool {
    Player::BOTH.into_iter().any(|player| board.threatens_king(player))
}

/// The lowest bid that is sure to win, or beats the one that was named; where there is none, everything. `None` where a named bid cannot be beaten.
fn winning_bid(seat: &Seat) -> Option<u32> {
    let ranges = &seat.view().bids;
    let beaten = seat.named().or(seat.other_bids().last().map(|range| range[1]));
    let needed = beaten.map_or(0, |most| most.saturating_add(u32::from(!holds_tie(seat))));
    let enough = ranges.iter().find(|range| range[1] >= needed).map(|range| range[0].max(needed));
    enough.or(ranges.last().map(|range| range[1]).filter(|_| seat.named().is_none()))
}

/// Whether the player, who is to move, wins the next bid whatever the other one bids.
fn wins_next(seat: &Seat) -> bool {
    let most = |ranges: Vec<[u32; 2]>| ranges.last().map(|range| range[1]);
    match (most(seat.own_bids()), most(seat.other_bids())) {
        (Some(own), Some(other)) => own >= other.saturating_add(u32::from(!holds_tie(seat))),
        (own, _) => own.is_some(),
    }
}

fn turn(found: &Estimate) -> Turn {
    let [alice, bob] = found.after.map(|value| 1.0 - value);
    Turn { low: alice.min(bob), high: alice.max(bob) }
}

fn stakes(seat: &Seat, board: &ChessBoard, found: &Estimate) -> Stakes {
    let (player, Turn { low, high }) = (seat.player(), turn(found));
    let [won, lost] = match player {
        Player::Alice => [low, high],
        Player::Bob => [1.0 - high, 1.0 - low],
    };
    let attacks = |player: Player| {
        let mut moves = board.moves(player).into_iter();
        moves.any(|made| board.after(player, made).threatens_king(player))
    };
    let forcing = [player, player.other()].map(attacks);
    Stakes { forcing, ..Stakes::estimated(seat.own(), seat.other(), won, lost) }
}

/// What the pieces of a player are worth more than the other's, in pawns.
pub(super) fn material(board: &ChessBoard, player: Player) -> i64 {
    const WORTH: [i64; 6] = [1, 3, 3, 5, 9, 0];
    let of = |player| -> i64 {
        let count = |piece| i64::from(board.pieces(player, piece).count_ones());
        Piece::ALL.into_iter().map(|piece| count(piece) * WORTH[piece as usize]).sum()
    };
    of(player) - of(player.other())
}

impl Computer for ChessPlayer {
    fn name(&self) -> String {
        "best".to_string()
    }

    fn act(&mut self, seat: &Seat, thinking: &Thinking) -> Result<Action, PlayerError> {
        let nothing = || PlayerError::NotNow { player: seat.player() };
        let (board, found) = self.see(seat, thinking)?;
        match seat.decision() {
            Some(Decision::Bid) => ChessPlayer::bid(seat, &board, found).ok_or_else(nothing),
            Some(Decision::Star { bid }) => Ok(ChessPlayer::star(seat, &board, found, bid)),
            Some(Decision::Move { may_let }) => {
                let options = ChessPlayer::best(seat, &board, found, may_let);
                any(&options, &mut self.rng, seat.player())
            }
            None => Err(nothing()),
        }
    }
}
