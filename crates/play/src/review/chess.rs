//! Matches of chess, which is too large to solve: what each position is worth by searching the random-turn game, an estimate.
//!
//! Margins are counted against 2 (total + 1) half-steps times what Alice seems to need, rounded. Decisions are not judged.

use richman_analysis::{Error, Subject, chess};
use richman_core::{ChessBoard, Holding, Payment, Total};
use richman_solvers::Options;
use richman_solvers::chess_search::{ChessSearch, Effort};

use super::boards::{margins, over};
use super::{RestsOn, Review, Worth};

/// As far as one position is searched, where there is time: some tenths of a second.
const EFFORT: Effort = Effort { positions: 8_000, depth: 20, deadline: None };

/// Whether a match from a position is of chess with too many pieces to be solved.
pub(super) fn is_large(game: &Subject, position: &str) -> Result<bool, Error> {
    Ok(game.walk(Some(position))?.board::<ChessBoard>().is_some_and(|board| chess::is_large(&board)))
}

/// Fills in what every position is worth, where what is paid goes to the other player: else the search says nothing about it.
pub(super) fn fill(review: &mut Review, game: &Subject, options: &Options) -> Result<(), Error> {
    if review.mechanism.0.payment != Payment::Richman {
        return Ok(());
    }
    let positions = u32::try_from(review.turns.len() + 1).unwrap_or(u32::MAX);
    let each = options.time_left().map(|left| left / 2 / positions);
    let search = std::cell::RefCell::new(ChessSearch::new());
    review.rests_on = RestsOn::Search;
    review.fill(options.watch, |position, hands| {
        let walk = game.walk(Some(position))?;
        if let Some(end) = walk.end() {
            return Ok(Some(over(end)));
        }
        if options.watch.cancelled() {
            return Err(richman_core::Error::Cancelled.into());
        }
        let Some(board) = walk.board::<ChessBoard>() else { return Ok(None) };
        let deadline = each.and_then(|each| options.at_most(each).deadline);
        let found = search.borrow_mut().estimate(&board, &Effort { deadline, ..EFFORT }, options.watch);
        estimated(1.0 - found.value, hands).map(Some)
    })
}

fn estimated(needs: f64, hands: [Holding; 2]) -> Result<Worth, Error> {
    let total = Total::new(hands.iter().map(|hand| u64::from(hand.chips())).sum())?;
    let most = u64::from(total.unreachable());
    let need = (most as f64 * needs).round() as u64;
    let estimate = Some((needs * 10_000.0).round() / 10_000.0);
    Ok(Worth { margin: Some(margins(need, need, most, hands)), estimate, ..Worth::default() })
}
