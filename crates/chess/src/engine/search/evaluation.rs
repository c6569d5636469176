//! The static value of a chess position.

use crate::board::{ChessBoard, Piece, squares};
use richman_core::{ByPlayer, Player};

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct LeafValue {
    /// Alice's chance to win the random-turn game.
    pub value: f64,
    /// Whether Alice, and whether Bob, could take the other's king now.
    pub threats: ByPlayer<bool>,
    /// Whether a king is gone, so that the value is exact.
    pub over: bool,
}

/// The worth of pieces, in hundredths of a pawn.
const WORTH: [i32; 6] = [100, 300, 320, 480, 850, 0];
/// For each square that a piece other than a pawn or king attacks.
const ACTIVITY: i32 = 5;
/// For each attacked square next to the other king.
const BESIDE_KING: i32 = 22;
/// For each square from which a piece could attack the king: capturable there, and safe.
const CHECK: [i32; 2] = [22, 55];
/// The most such squares that count.
const CHECKS: u32 = 4;
/// For each rank that a pawn has advanced; ranks beyond the middle count five times.
const ADVANCE: i32 = 4;
/// The percentage of a hanging piece that counts: half, because either player may move next.
const HANGING: i32 = 50;
/// The advantage that makes the odds e : 1.
const SCALE: f64 = 520.0;

/// The squares that a player's pieces attack.
#[derive(Default)]
struct AttackMap {
    by: [u64; 6],
    all: u64,
    activity: i32,
}

impl AttackMap {
    fn of(board: &ChessBoard, player: Player) -> AttackMap {
        let mut reach = AttackMap::default();
        for piece in Piece::ALL {
            for square in squares(board.pieces(player, piece)) {
                let attacked = board.attacks(player, piece, square);
                reach.by[piece as usize] |= attacked;
                if !matches!(piece, Piece::Pawn | Piece::King) {
                    reach.activity += (attacked & !board.of(player)).count_ones() as i32;
                }
            }
            reach.all |= reach.by[piece as usize];
        }
        reach
    }
}

pub(super) fn look(board: &ChessBoard) -> LeafValue {
    if let Some(winner) = board.winner() {
        let value = if winner == Player::Alice { 1.0 } else { 0.0 };
        return LeafValue { value, threats: ByPlayer::both(false), over: true };
    }
    let reach = ByPlayer::from_fn(|player| AttackMap::of(board, player));
    let king = |player: Player| board.pieces(player, Piece::King);
    let threats = ByPlayer::from_fn(|player| reach[player].all & king(player.other()) != 0);
    if threats == ByPlayer::both(true) {
        return LeafValue { value: 0.5, threats, over: false };
    }
    let ByPlayer { alice, bob } = ByPlayer::from_fn(|player| worth(board, player, &reach));
    // If only one player can take a king, the other must prevent that.
    let hanging = if threats == ByPlayer::both(false) {
        ByPlayer::from_fn(|player| hanging(board, player, &reach))
    } else {
        ByPlayer::both(0)
    };
    let difference = alice - bob + (hanging.alice - hanging.bob) * HANGING / 100;
    let chance = 1.0 / (1.0 + (-f64::from(difference) / SCALE).exp());
    let value = match threats {
        ByPlayer { alice: true, bob: false } => 0.5 + chance / 2.0,
        ByPlayer { alice: false, bob: true } => chance / 2.0,
        _ => chance,
    };
    LeafValue { value, threats, over: false }
}

fn worth(board: &ChessBoard, player: Player, reach: &ByPlayer<AttackMap>) -> i32 {
    let (own, other) = (&reach[player], &reach[player.other()]);
    let count = |set: u64| set.count_ones();
    let pieces: i32 =
        Piece::ALL.into_iter().map(|piece| count(board.pieces(player, piece)) as i32 * WORTH[piece as usize]).sum();
    let size = board.size();
    let advance: i32 = squares(board.pieces(player, Piece::Pawn))
        .map(|square| {
            let rank = if player == Player::Alice { square / 8 } else { size - 1 - square / 8 };
            let (rank, middle) = (i32::from(rank), i32::from(size / 2));
            rank + 4 * (rank - middle).max(0)
        })
        .sum();
    let king = board.pieces(player.other(), Piece::King);
    let square = king.trailing_zeros() as u8;
    let beside = board.attacks(player, Piece::King, square);
    let from_king = |piece| board.attacks(player.other(), piece, square);
    let (straight, diagonal) = (from_king(Piece::Rook), from_king(Piece::Bishop));
    let by = |piece: Piece| own.by[piece as usize];
    let checks = (from_king(Piece::Knight) & by(Piece::Knight))
        | (diagonal & (by(Piece::Bishop) | by(Piece::Queen)))
        | (straight & (by(Piece::Rook) | by(Piece::Queen)));
    let checks = checks & !board.of(player);
    let safe = count(checks & !other.all).min(CHECKS);
    let unsafe_ones = count(checks & other.all).min(CHECKS - safe);
    pieces
        + ADVANCE * advance
        + ACTIVITY * own.activity
        + BESIDE_KING * count(beside & own.all) as i32
        + CHECK[0] * unsafe_ones as i32
        + CHECK[1] * safe as i32
}

/// The most that a player could win by capturing: a piece, less half of the capturing piece if that
/// can be retaken.
fn hanging(board: &ChessBoard, player: Player, reach: &ByPlayer<AttackMap>) -> i32 {
    let (own, other) = (&reach[player], &reach[player.other()]);
    let mut most = 0;
    for piece in [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn] {
        let victims = board.pieces(player.other(), piece) & own.all;
        if victims == 0 {
            continue;
        }
        let value = WORTH[piece as usize];
        if victims & !other.all != 0 {
            most = most.max(value);
            continue;
        }
        let taker = Piece::ALL.into_iter().find(|&taker| own.by[taker as usize] & victims != 0);
        let risk = match taker {
            Some(Piece::King) | None => value,
            Some(taker) => WORTH[taker as usize] / 2,
        };
        most = most.max(value - risk);
    }
    most
}
