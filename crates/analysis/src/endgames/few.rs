//! Exact thresholds of positions from which best play comes to few others.
//!
//! Moves that are surely worse than another are left out, by the bounds of the class. What every position is worth then still solves the equations of what is left. Where the exact solution of that has the same threshold
//! to win and to draw, those equations have one solution only, and so it is the threshold of the whole game.

use std::collections::HashMap;

use richman_chess::board::ChessBoard;
use richman_chess::engine::endgames::{Bounds, ONE};
use richman_core::{Arena, ArenaBuilder, Effort, Error, Exactness, Mechanism, Node, Player, Share, Terminal};
use richman_solvers::money;

/// Positions up to which the rest is solved.
const MOST: usize = 20_000;

/// What is exactly known, by positions that stand for their reflections.
pub(super) type Found = HashMap<ChessBoard, Share>;

/// The exact thresholds of a position and of those that best play comes to; empty where these are too many, or nothing is proved.
///
/// # Errors
/// [`Error::Unsupported`] where exact values are required and the position has none, [`Error::Cancelled`], and those of `bounds`.
pub(super) fn exact<E: From<Error>>(
    start: &ChessBoard,
    bounds: &mut dyn FnMut(&ChessBoard) -> Result<Bounds, E>,
    effort: &Effort,
) -> Result<Found, E> {
    let found = match rest(start, bounds)? {
        None => Found::new(),
        Some((arena, boards)) => {
            let held = effort.held + arena.bytes() + size_of_val(&boards[..]) as u64;
            solve(&arena, boards, &Effort { exactness: Exactness::Preferred, held, ..*effort })?
        }
    };
    if effort.exactness == Exactness::Required && !found.contains_key(&start.canonical()) {
        let what = format!("an exact threshold of {}", start.notation());
        let serves = "bounds within 2^-40 there, without --exact".to_string();
        return Err(Error::Unsupported { what, serves }.into());
    }
    Ok(found)
}

fn solve(arena: &Arena, boards: Vec<ChessBoard>, effort: &Effort) -> Result<Found, Error> {
    let solution = match money::solve(arena, &Mechanism::default(), effort) {
        Ok(solution) => solution,
        Err(Error::Cancelled) => return Err(Error::Cancelled),
        // What does not fit is not known.
        Err(_) => return Ok(Found::new()),
    };
    let share = |node: Node| {
        let (win, draw) = (solution.win.get(node), solution.draw.get(node));
        win.as_exact().filter(|win| draw.as_exact() == Some(win)).cloned()
    };
    Ok((0..).zip(boards).filter_map(|(node, board)| Some((board, share(node)?))).collect())
}

/// The positions that best play comes to, as an arena.
fn rest<E>(
    start: &ChessBoard,
    bounds: &mut dyn FnMut(&ChessBoard) -> Result<Bounds, E>,
) -> Result<Option<(Arena, Vec<ChessBoard>)>, E> {
    let mut boards = vec![start.canonical()];
    let mut numbers = HashMap::from([(boards[0], 0)]);
    let mut builder = ArenaBuilder::new();
    while let Some(&board) = boards.get(builder.len()) {
        if let Some(winner) = board.winner() {
            builder.terminal(Terminal::Win(winner));
            continue;
        }
        let mut kept: [Vec<Node>; 2] = Default::default();
        for mover in Player::BOTH {
            let mut moves = Vec::new();
            for made in board.moves(mover) {
                let next = board.after(mover, made).canonical();
                let known = next.winner().map_or_else(|| bounds(&next), |winner| Ok(Bounds::won_by(winner)))?;
                // Worse both to win and not to lose is only a move that leaves less not to lose than another one to win.
                let most = ONE.saturating_sub(known.wins[mover.other() as usize]);
                moves.push((next, known.wins[mover as usize], most));
            }
            let sure = moves.iter().map(|(_, low, _)| *low).max().unwrap_or(0);
            for (next, _, _) in moves.into_iter().filter(|(_, _, high)| *high >= sure) {
                let number = *numbers.entry(next).or_insert_with(|| {
                    boards.push(next);
                    boards.len() as Node - 1
                });
                kept[mover as usize].push(number);
            }
        }
        if boards.len() > MOST {
            return Ok(None);
        }
        builder.position(&kept[0], &kept[1]);
    }
    Ok(builder.build(0).ok().map(|arena| (arena, boards)))
}

#[cfg(test)]
mod tests {
    use richman_chess::board::ChessClass;
    use richman_chess::engine::endgames::{self, Tables, needed};
    use richman_core::Effort;

    use super::*;
    use crate::Subject;

    #[test]
    fn what_is_left_has_the_thresholds_of_the_whole() {
        let texts = ["k2b/4/4/K2R", "1k2/b3/2R1/3K", "k3/1R2/2b1/K3", "kR2/4/4/1bK1", "k3/4/b3/1RK1"];
        let (proved, smaller) = compare("KRKB", &texts);
        assert!(proved > 5 && smaller > 0, "{proved} positions, {smaller} times few");
    }

    /// Where both can draw, a move that gives up the win may be the one that does not lose.
    #[test]
    fn moves_that_only_hold_are_kept() {
        let texts = ["n3/B2k/4/K3", "4/2nk/4/K1B1", "nB2/3k/4/K3", "n2k/4/4/K1B1", "2nk/4/1B2/K3", "1n1k/4/4/KB2"];
        compare("KBKN", &texts);
    }

    /// Compares what is found from some positions with the thresholds of the whole game: how many positions were proved, and from how many starts
    /// they were few.
    fn compare(class: &str, texts: &[&str]) -> (usize, usize) {
        let class = ChessClass::parse(class, 4).unwrap();
        let mut tables = Tables::default();
        for class in needed(&class) {
            let index = endgames::index(&class, 4).unwrap();
            let chances = endgames::solve(index, &tables, &Effort::default()).unwrap();
            tables.insert(chances);
        }
        let subject = Subject::named("chess:size=4").unwrap();
        let unfolding = subject.unfold(Some(texts[0]), &Effort::default()).unwrap();
        let whole = money::solve(unfolding.arena(), &Mechanism::default(), &Effort::default()).unwrap();
        let (mut proved, mut smaller) = (0, 0);
        for text in texts {
            let board = ChessBoard::parse(text, 4).unwrap();
            let mut bounds = |board: &ChessBoard| Ok::<_, Error>(tables.bounds(board).unwrap());
            let found = exact(&board, &mut bounds, &Effort::default()).unwrap();
            smaller += usize::from(found.len() < unfolding.arena().len() / 4);
            for (board, share) in &found {
                let Ok(node) = unfolding.node(&board.notation()) else { continue };
                assert_eq!(whole.win.get(node).as_exact(), Some(share), "{}", board.notation());
                assert_eq!(whole.draw.get(node).as_exact(), Some(share), "{}", board.notation());
                proved += 1;
            }
            let node = unfolding.node(&board.notation()).unwrap();
            let is_one = whole.win.get(node) == whole.draw.get(node);
            assert_eq!(found.contains_key(&board.canonical()), is_one, "{text}");
        }
        (proved, smaller)
    }
}
