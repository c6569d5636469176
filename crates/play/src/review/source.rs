//! Matches too large to solve: values of positions from a source. Decisions are not judged.
//!
//! If the value with chips is known, margins are exact. Otherwise they are relative to 2 (total +
//! 1) half-steps times the midpoint of Alice's need as a share, rounded.

use richman_analysis::{Error, Scope};
use richman_core::{ByPlayer, Effort, End, Exactness, Holding, Outcome, Player, Threshold, Thresholds, Total};
use richman_engine::{Care, Engine, EngineRequest, Look, Value};

use super::{Margin, RestsOn, ResultJson, Review, ReviewWorth, priced, spare};

/// Fills in the value of every position; returns whether all are known.
pub(super) fn fill(review: &mut Review, scope: &Scope, engine: &dyn Engine, effort: &Effort) -> Result<bool, Error> {
    let method = engine.method();
    if let Some(why) = method.unproved {
        review.reason = Some(why.to_string());
    }
    if review.mechanism.0.has_bank() {
        return Ok(true); // needs assume that bids go to the other player
    }
    let walk = scope.subject.walk(scope.position)?;
    let total = Some(scope.total).filter(|_| method.has_chips);
    let effort = &Effort { exactness: Exactness::Preferred, ..*effort };
    let opening = Effort { deadline: None, ..*effort };
    let Some(source) = engine.open(&EngineRequest::new(walk.as_ref(), scope.mechanism, total, opening))? else {
        return Ok(false);
    };
    let positions = u32::try_from(review.turns.len() + 1).unwrap_or(u32::MAX);
    // A search takes all its time; other sources hurry once half of it is over.
    let half = effort.time_left().map_or(*effort, |left| effort.at_most(left / 2));
    let each = effort.time_left().map(|left| left / 2 / positions).filter(|_| !source.ends());
    review.rests_on = RestsOn::Engine(method);
    let mut known = true;
    review.fill(effort.watch, |position, hands| {
        let walk = scope.subject.walk(Some(position))?;
        if let Some(end) = walk.end() {
            return Ok(Some(over(end)));
        }
        let deadline = each.map_or(half.deadline, |each| effort.at_most(each).deadline);
        let look = Look { care: Care::Quick, seed: 0, effort: Effort { deadline, positions: u64::MAX, ..*effort } };
        match source.see(walk.as_ref(), &look)? {
            Some(sight) => worth(&sight.here, hands),
            None => {
                known = false;
                Ok(None)
            }
        }
    })?;
    Ok(known)
}

fn over(end: End) -> ReviewWorth {
    let outcome = match end {
        End::Win(player) => Outcome::Win(player),
        End::Draw | End::Score(_) => Outcome::Draw,
    };
    ReviewWorth { outcome: Some(outcome), sure: Some(sure(outcome)), within: Some(0), ..ReviewWorth::default() }
}

fn sure(outcome: Outcome) -> ByPlayer<ResultJson> {
    ByPlayer::from_fn(|player| match outcome {
        Outcome::Win(winner) if winner == player => ResultJson::Win,
        Outcome::Win(_) => ResultJson::Loss,
        _ => ResultJson::Draw,
    })
}

fn worth(here: &Value, hands: ByPlayer<Holding>) -> Result<Option<ReviewWorth>, Error> {
    let total = Total::new(hands.iter().map(|hand| u64::from(hand.chips())).sum())?;
    let most = u64::from(total.unreachable());
    let need = (most as f64 * here.middle()).round() as u64;
    let about = Some(margins(need, need, most, hands));
    Ok(match here {
        Value::Chips { win, draw, .. } => Some(exact(*win, *draw, most, hands)),
        Value::Money { win, draw } => {
            let worth = priced(win.clone(), draw.clone(), hands);
            worth.map(|worth| ReviewWorth { margin: about, ..worth })
        }
        Value::Sampled(_) | Value::Estimate(_) => {
            let estimate = Some((here.middle() * 10_000.0).round() / 10_000.0);
            Some(ReviewWorth { margin: about, estimate, ..ReviewWorth::default() })
        }
    })
}

fn exact(win: Threshold, draw: Threshold, most: u64, hands: ByPlayer<Holding>) -> ReviewWorth {
    let outcome = Thresholds { win, draw }.winner(hands.alice).map_or(Outcome::Draw, Outcome::Win);
    let half_steps = |need: Threshold| u64::from(need.plain + need.star);
    ReviewWorth {
        outcome: Some(outcome),
        sure: Some(sure(outcome)),
        win: Some(win.into()),
        draw: Some(draw.into()),
        margin: Some(margins(half_steps(win), half_steps(draw), most, hands)),
        ..ReviewWorth::default()
    }
}

/// Both players' margins, given the half-steps that Alice needs to win and to draw.
fn margins(win: u64, draw: u64, most: u64, hands: ByPlayer<Holding>) -> ByPlayer<Margin> {
    ByPlayer::from_fn(|player| {
        let of = |need: u64| spare(hands[player], need, most);
        match player {
            Player::Alice => Margin { win: of(win), draw: of(draw) },
            // A holding too small for Alice is enough for Bob.
            Player::Bob => Margin { win: of(most - draw), draw: of(most - win) },
        }
    })
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
