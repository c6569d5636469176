//! Hex matches too large to solve with chips: what each position is worth in real money, exactly, from the fillings of its open cells.
//!
//! The margin of a player is counted against 2 (total + 1) half-steps times the real-money threshold, rounded: what is needed with chips lies around that, half a
//! half-step away on average. Decisions are not judged.

use richman_analysis::{Error, Subject};
use richman_core::{Error as CoreError, HexBoard, Holding, Limits, Payment, Player, ShareBounds};
use richman_solvers::Options;
use richman_solvers::hex::{Frontier, fillings};

use super::{Both, Margin, RestsOn, Review, Worth, priced, spare};
use crate::{Match, WIDEST_COUNTED};

/// The states of the frontier for a match whose positions can be counted in a moment.
pub(super) fn frontier(played: &Match, options: &Options) -> Result<Option<Frontier>, Error> {
    let board = played.walk().board::<HexBoard>().filter(|_| played.rules().mechanism.payment == Payment::Richman);
    let width = board.map(|board| board.rows().min(board.cols()));
    let width = width.filter(|width| (1..=WIDEST_COUNTED).contains(width));
    Ok(width.map(|width| Frontier::new(width, options)).transpose()?)
}

/// Why a match from a position is not even tried to be solved with chips: more positions than can be unfolded, by far.
pub(super) fn too_large(game: &Subject, position: &str, limits: &Limits) -> Result<Option<CoreError>, Error> {
    let open = game.walk(Some(position))?.board::<HexBoard>().map_or(0, |board| board.open());
    // A board turned around is the same position, and those where the game is over long ago are not reached.
    let positions = 3_u64.checked_pow(open).map_or(u64::MAX, |all| all / 4);
    Ok((positions > limits.positions).then_some(CoreError::TooManyPositions { limit: limits.positions }))
}

/// Fills in what every position was worth, and whether there was time for all of them: else something quicker has to stand in.
pub(super) fn fill(review: &mut Review, game: &Subject, frontier: &Frontier, options: &Options) -> Result<bool, Error> {
    let until = options.until();
    review.rests_on = RestsOn::Counted;
    review.fill(options.watch, |position, hands| {
        if until.is_over() { Ok(None) } else { worth(game, frontier, position, hands, options) }
    })?;
    Ok(!until.is_over())
}

fn worth(
    game: &Subject,
    frontier: &Frontier,
    position: &str,
    hands: [Holding; 2],
    options: &Options,
) -> Result<Option<Worth>, Error> {
    let Some(board) = game.walk(Some(position))?.board::<HexBoard>() else { return Ok(None) };
    let wins = fillings(frontier, &board, options)?.alice_wins();
    let share = 1.0 - wins.to_f64();
    let threshold = ShareBounds::exact(wins).complement();
    let worth = priced(threshold.clone(), threshold, hands)?;
    let most = 2 * (u64::from(hands[0].chips()) + u64::from(hands[1].chips()) + 1);
    let alice = (most as f64 * share).round() as u64;
    let margin = Both::of(|player| {
        let need = if player == Player::Alice { alice } else { most - alice };
        let margin = spare(hands[player as usize], need, most);
        Margin { win: margin, draw: margin }
    });
    Ok(worth.map(|worth| Worth { margin: Some(margin), ..worth }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_are_counted_with_the_star_where_it_is() {
        let of = |own: &str, need: u64| spare(own.parse().unwrap(), need, 18);
        assert_eq!((of("4*", 9), of("4", 9), of("4", 8), of("5", 8)), (Some(0), Some(-1), Some(0), Some(1)));
        assert_eq!((of("3*", 0), of("3", 0)), (Some(3), Some(3)));
        assert_eq!((of("8*", 18), of("8", 17), of("8*", 17)), (None, None, Some(0)));
    }
}
