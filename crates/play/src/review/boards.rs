//! Matches on boards of lines that are too large to unfold: what each position is worth, from the layers of what is left of the board.
//!
//! Exactly with chips where that takes a moment; else from bounds on the real-money thresholds, whose middle counts as what is needed: margins are
//! counted against 2 (total + 1) half-steps times it, rounded. Decisions are not judged.

use richman_analysis::boards::{self, Interval, Needs};
use richman_analysis::{Error, Subject};
use richman_core::{End, Error as CoreError, Holding, Limits, Mechanism, Outcome, Player, Threshold, Total, Walk};
use richman_solvers::Options;
use richman_solvers::layers::Stake;

use super::{Both, Margin, RestsOn, ResultJson, Review, Worth, priced, spare};

/// Fillings of what is left of a board that are solved with chips, and positions that bounds look at where there are more: a tenth of a second or two.
const SOLVED: u64 = 10_000_000;
const BOUNDED: u64 = 300_000;
/// There are no fewer positions than this part of the fillings, symmetric ones counted once.
const FILLINGS: u64 = 16;

/// A match on a large board.
pub(super) struct Large<'a> {
    mechanism: &'a Mechanism,
    too_many: bool,
}

/// Where a match from a position is one on a large board.
pub(super) fn large<'a>(
    game: &Subject,
    position: &str,
    mechanism: &'a Mechanism,
    limits: &Limits,
) -> Result<Option<Large<'a>>, Error> {
    let board = boards::board(game.walk(Some(position))?.as_ref(), mechanism, false);
    let board = board.filter(|(board, stones)| boards::is_large(board, *stones));
    let most = limits.positions.saturating_mul(FILLINGS);
    Ok(board.map(|(board, stones)| Large { mechanism, too_many: boards::positions(&board, stones, most).is_none() }))
}

impl Large<'_> {
    /// Why it is not even tried to solve it with chips: more positions than can be unfolded, by far.
    pub fn too_large(&self, limits: &Limits) -> Option<CoreError> {
        self.too_many.then_some(CoreError::TooManyPositions { limit: limits.positions })
    }

    /// Fills in what every position was worth, by ever shorter looks when the time is up.
    pub fn fill(&self, review: &mut Review, game: &Subject, options: &Options) -> Result<(), Error> {
        let half = options.time_left().map_or(*options, |left| options.at_most(left / 2));
        let until = half.until();
        let hurried = Options { watch: &until, ..half };
        review.rests_on = RestsOn::Layers;
        review.fill(options.watch, |position, hands| {
            let walk = game.walk(Some(position))?;
            match self.worth(walk.as_ref(), hands, [SOLVED, BOUNDED], &hurried) {
                Err(Error::Core(CoreError::Cancelled)) if !options.watch.cancelled() => {
                    self.worth(walk.as_ref(), hands, [0; 2], options)
                }
                found => found,
            }
        })
    }

    fn worth(
        &self,
        walk: &dyn Walk,
        hands: [Holding; 2],
        [solved, bounded]: [u64; 2],
        options: &Options,
    ) -> Result<Option<Worth>, Error> {
        if let Some(end) = walk.end() {
            return Ok(Some(over(end)));
        }
        let Some((board, stones)) = boards::board(walk, self.mechanism, false) else { return Ok(None) };
        let total = Total::new(hands.iter().map(|hand| u64::from(hand.chips())).sum())?;
        let with_chips = boards::board(walk, self.mechanism, true).is_some();
        if with_chips && boards::positions(&board, stones, solved).is_some() {
            let needs = boards::solve(walk, &board, stones, Stake::Chips(vec![total]), options)?;
            return Ok(needs.and_then(|needs| needs.into_iter().next()).map(|needs| exact(&needs, hands)));
        }
        match boards::bounds(walk, &board, stones, bounded, options)? {
            Some(bounds) => estimated(bounds.here, hands, total),
            None => Ok(None),
        }
    }
}

pub(super) fn over(end: End) -> Worth {
    let outcome = match end {
        End::Win(player) => Outcome::Win(player),
        End::Draw | End::Score(_) => Outcome::Draw,
    };
    Worth { outcome: Some(outcome), sure: Some(sure(outcome)), within: Some(0), ..Worth::default() }
}

fn sure(outcome: Outcome) -> Both<ResultJson> {
    Both::of(|player| match outcome {
        Outcome::Win(winner) if winner == player => ResultJson::Win,
        Outcome::Win(_) => ResultJson::Loss,
        _ => ResultJson::Draw,
    })
}

/// Margins of who needs so many half-steps, where Alice needs these to win and for a draw.
pub(super) fn margins(win: u64, draw: u64, most: u64, hands: [Holding; 2]) -> Both<Margin> {
    Both::of(|player| {
        let of = |need: u64| spare(hands[player as usize], need, most);
        match player {
            Player::Alice => Margin { win: of(win), draw: of(draw) },
            // What is not enough for Alice is enough for Bob.
            Player::Bob => Margin { win: of(most - draw), draw: of(most - win) },
        }
    })
}

fn exact(needs: &Needs, hands: [Holding; 2]) -> Worth {
    let (win, draw, held) = (needs.here.win, needs.here.draw, u64::from(hands[0].half_steps()));
    let outcome = match held {
        _ if held >= win => Outcome::Win(Player::Alice),
        _ if held < draw => Outcome::Win(Player::Bob),
        _ => Outcome::Draw,
    };
    let threshold = |need: u64| Some(Threshold::at(u32::try_from(need).unwrap_or(u32::MAX)).into());
    Worth {
        outcome: Some(outcome),
        sure: Some(sure(outcome)),
        win: threshold(win),
        draw: threshold(draw),
        margin: Some(margins(win, draw, needs.unreachable, hands)),
        ..Worth::default()
    }
}

fn estimated(here: Interval, hands: [Holding; 2], total: Total) -> Result<Option<Worth>, Error> {
    let most = u64::from(total.unreachable());
    let need = (most as f64 * here.middle()).round() as u64;
    let worth = priced(here.shares(), here.shares(), hands)?;
    Ok(worth.map(|worth| Worth { margin: Some(margins(need, need, most, hands)), ..worth }))
}
