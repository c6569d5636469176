//! Exact thresholds of positions from which best play leads to few others.
//!
//! Moves that bounds prove worse than another are dropped. The true values still solve the
//! equations of the remaining game. If its exact solution has equal thresholds to win and to draw,
//! these equations have only one solution, which is therefore the threshold of the whole game.

use std::collections::HashMap;

use richman_core::{Arena, ArenaBuilder, ByPlayer, Effort, Error, Exactness, Mechanism, Node, Player, Share, Terminal};
use richman_solvers::money;

use super::{ChanceBounds, FIXED_POINT_UNIT};
use crate::board::ChessBoard;

/// The most positions to solve.
const MOST: usize = 20_000;

/// Exact thresholds by canonical position.
pub type ExactShares = HashMap<ChessBoard, Share>;

/// The exact thresholds of a position and of all positions of best play from it; empty if these are
/// too many or nothing is proved.
///
/// # Errors
/// [`Error::Unsupported`] if a required exact value is not found; [`Error::Cancelled`]; the errors
/// of `bounds`.
pub fn exact(
    start: &ChessBoard,
    bounds: &mut dyn FnMut(&ChessBoard) -> Result<ChanceBounds, Error>,
    effort: &Effort,
) -> Result<ExactShares, Error> {
    let found = match rest(start, bounds)? {
        None => ExactShares::new(),
        Some((arena, boards)) => {
            let held = effort.held + arena.bytes() + size_of_val(&boards[..]) as u64;
            solve(&arena, boards, &Effort { exactness: Exactness::Preferred, held, ..*effort })?
        }
    };
    if effort.exactness == Exactness::Required && !found.contains_key(&start.canonical()) {
        let what = format!("an exact threshold of {}", start.notation());
        return Err(Error::inexact(what));
    }
    Ok(found)
}

fn solve(arena: &Arena, boards: Vec<ChessBoard>, effort: &Effort) -> Result<ExactShares, Error> {
    let solution = match money::solve(arena, &Mechanism::default(), effort) {
        Ok(solution) => solution,
        Err(Error::Cancelled) => return Err(Error::Cancelled),
        // Anything beyond the limits stays unknown.
        Err(_) => return Ok(ExactShares::new()),
    };
    let share = |node: Node| {
        let (win, draw) = (solution.win.get(node), solution.draw.get(node));
        win.as_exact().filter(|win| draw.as_exact() == Some(win)).cloned()
    };
    Ok((0..).zip(boards).filter_map(|(node, board)| Some((board, share(node)?))).collect())
}

/// The positions of best play, as an arena.
fn rest(
    start: &ChessBoard,
    bounds: &mut dyn FnMut(&ChessBoard) -> Result<ChanceBounds, Error>,
) -> Result<Option<(Arena, Vec<ChessBoard>)>, Error> {
    let mut boards = vec![start.canonical()];
    let mut numbers = HashMap::from([(boards[0], 0)]);
    let mut builder = ArenaBuilder::new();
    while let Some(&board) = boards.get(builder.len()) {
        if let Some(winner) = board.winner() {
            builder.terminal(Terminal::Win(winner));
            continue;
        }
        let mut kept: ByPlayer<Vec<Node>> = ByPlayer::default();
        for mover in Player::BOTH {
            let mut moves = Vec::new();
            for made in board.moves(mover) {
                let next = board.after(mover, made).canonical();
                let known = next.winner().map_or_else(|| bounds(&next), |winner| Ok(ChanceBounds::won_by(winner)))?;
                // A move is worse both for winning and for not losing only if its greatest chance
                // not to lose is below another move's proved chance to win.
                let most = FIXED_POINT_UNIT.saturating_sub(known.wins[mover.other()]);
                moves.push((next, known.wins[mover], most));
            }
            let sure = moves.iter().map(|(_, low, _)| *low).max().unwrap_or(0);
            for (next, _, _) in moves.into_iter().filter(|(_, _, high)| *high >= sure) {
                let number = *numbers.entry(next).or_insert_with(|| {
                    boards.push(next);
                    boards.len() as Node - 1
                });
                kept[mover].push(number);
            }
        }
        if boards.len() > MOST {
            return Ok(None);
        }
        builder.position(&kept.alice, &kept.bob);
    }
    Ok(builder.build(0).ok().map(|arena| (arena, boards)))
}
