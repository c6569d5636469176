//! Estimates chess positions with too many pieces to solve.

use std::time::Duration;

use richman_core::{ByPlayer, Effort, Mechanism, Player, Walk};
use richman_engine::{EvaluatedMove, Evaluation, Origin, Value};

use super::search::{ChessSearch, SearchEstimate};
use crate::board::{ChessBoard, Piece};

/// The most positions and time of a search that need not use all its time.
const POSITIONS: u64 = 150_000;
const LONGEST: Duration = Duration::from_secs(5);

/// The board of an unfinished chess game with too many pieces to solve, without payment to a bank.
pub fn large_board(walk: &dyn Walk, mechanism: &Mechanism) -> Option<ChessBoard> {
    walk.board::<ChessBoard>().filter(|board| !mechanism.has_bank() && walk.end().is_none() && is_large(board))
}

/// Whether there are too many placements to solve at once: from four pieces on the usual board, six
/// on the smallest.
pub fn is_large(board: &ChessBoard) -> bool {
    const MOST: u64 = 1 << 20;
    /// A pawn can become other pieces.
    const OF_A_PAWN: u64 = 3;
    let squares = u64::from(board.size()).pow(2);
    let pawns = board.of_kind(Piece::Pawn).count_ones();
    let ways = squares.saturating_pow(board.occupied().count_ones());
    ways.saturating_mul(OF_A_PAWN.saturating_pow(pawns)) > MOST
}

/// The estimated worth of a position; `None` without a [`large_board`].
pub fn estimate(walk: &dyn Walk, mechanism: &Mechanism, effort: &Effort) -> Option<Evaluation> {
    let board = large_board(walk, mechanism)?;
    let effort = match effort.deadline.filter(|_| effort.estimate_width <= 0.0) {
        Some(_) => Effort { positions: u64::MAX, ..*effort },
        None => Effort { positions: POSITIONS, ..effort.at_most(LONGEST) },
    };
    Some(evaluation(&board, &ChessSearch::default().estimate(&board, &effort)))
}

/// The answer from a search.
pub(super) fn evaluation(board: &ChessBoard, found: &SearchEstimate) -> Evaluation {
    let after = |player: Player| {
        let value = Value::Estimate(1.0 - found.after[player]);
        let best = &found.best[player];
        let one = |made| {
            let next = board.after(player, made);
            EvaluatedMove {
                value: best.contains(&made).then(|| value.clone()),
                wins: next.winner() == Some(player),
                threatens: next.threatens_king(player),
                ..EvaluatedMove::unknown(board.name(player, made))
            }
        };
        board.moves(player).into_iter().map(one).collect()
    };
    let SearchEstimate { depth, positions, .. } = *found;
    let how = format!("a search {depth} moves deep, of {positions} positions, in which a coin decides who moves");
    let origin = Origin { how, positions: Some(positions), exact_positions: None, depth: Some(depth) };
    Evaluation { here: Value::Estimate(1.0 - found.value), after: ByPlayer::from_fn(after), origin }
}
