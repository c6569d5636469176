//! Matches too large to solve: values of positions from a source.
//!
//! If the values of a position and of all its moves are exact with chips, its decisions are judged
//! exactly. Otherwise they are judged by bounds or estimates: a decision is called a probable
//! mistake if its loss of chips exceeds the uncertainty.
//!
//! If the value with chips is known, margins are exact. Otherwise they are relative to 2 (total +
//! 1) half-steps times the midpoint of Alice's need as a share, rounded.

use std::time::Duration;

use richman_analysis::{Error, Scope};
use richman_core::{ByPlayer, Effort, End, Exactness, Holding, Outcome, Player, Threshold, Thresholds, Total, Walk};
use richman_engine::{Care, Engine, EngineRequest, EvaluatedMove, Evaluation, Look, Value};

use super::decisions::{DecisionPoint, NextMove};
use super::digest::Feat;
use super::{Margin, Mistake, RestsOn, ResultJson, Review, ReviewWorth, priced, spare, words};
use crate::solved::{ScoredNode, SeenNeeds, SolvedGame};
use crate::{Match, MatchTurn};

/// A source's values for a match.
#[derive(Default)]
pub(super) struct SourceReview {
    /// Whether all positions have values.
    pub known: bool,
    pub mistakes: Vec<Mistake>,
    pub feats: Vec<Feat>,
}

/// Fills in the value of every position, and judges the decisions.
pub(super) fn fill(
    review: &mut Review,
    played: &Match,
    scope: &Scope,
    engine: &dyn Engine,
    effort: &Effort,
) -> Result<SourceReview, Error> {
    let method = engine.method();
    if let Some(why) = method.unproved {
        review.reason = Some(why.to_string());
    }
    if review.mechanism.0.has_bank() {
        return Ok(SourceReview { known: true, ..SourceReview::default() }); // needs assume payment to the other
    }
    let walk = scope.subject.walk(scope.position)?;
    let total = Some(scope.total).filter(|_| method.has_chips);
    let effort = &Effort { exactness: Exactness::Preferred, ..*effort };
    let opening = Effort { deadline: None, ..*effort };
    let Some(source) = engine.open(&EngineRequest::new(walk.as_ref(), scope.mechanism, total, opening))? else {
        return Ok(SourceReview::default());
    };
    let positions = u32::try_from(review.turns.len() + 1).unwrap_or(u32::MAX);
    // A search uses all its time; other sources hurry after half of it.
    let half = effort.time_left().map_or(*effort, |left| effort.at_most(left / 2));
    let each = effort.time_left().map(|left| left / 2 / positions).filter(|_| !source.ends());
    review.rests_on = RestsOn::Engine(method);
    let mut found = SourceReview { known: true, ..SourceReview::default() };
    let mut turns = played.turns().iter().enumerate();
    review.fill_worths(effort.watch, |position, hands| {
        let turn = turns.next();
        let walk = scope.subject.walk(Some(position))?;
        if let Some(end) = walk.end() {
            return Ok(Some(over(end)));
        }
        let deadline = each.map_or(half.deadline, |each| effort.at_most(each).deadline);
        let look = Look { care: Care::Quick, seed: 0, effort: Effort { deadline, positions: u64::MAX, ..*effort } };
        match source.see(walk.as_ref(), &look)? {
            Some(evaluation) => {
                if let Some((index, turn)) = turn {
                    judge(&evaluation, walk.as_ref(), scope, index + 1, turn, played.rules().limit, &mut found);
                }
                worth(&evaluation.here, hands)
            }
            None => {
                found.known = false;
                // Random plays have intervals, by which decisions can be judged while there is
                // time.
                let has_time = effort.time_left().is_none_or(|left| !left.is_zero());
                if let Some((index, turn)) = turn.filter(|_| has_time && engine.has_random_plays()) {
                    let look = Look { care: Care::Usual, effort: look.effort.at_most(Duration::ZERO), ..look };
                    if let Some(evaluation) = source.see(walk.as_ref(), &look)? {
                        judge(&evaluation, walk.as_ref(), scope, index + 1, turn, played.rules().limit, &mut found);
                    }
                }
                Ok(None)
            }
        }
    })?;
    Ok(found)
}

/// The assumed error of an estimate without an interval, as a share of all the chips.
const UNSURE_ESTIMATE: f64 = 0.1;

/// Alice's needs for a draw and for a win, in half-steps, or an interval for both.
fn interval(value: &Value, most: f64) -> [f64; 2] {
    let scaled = |low: f64, high: f64| [most * low, most * high];
    match value {
        Value::Chips { win, draw, .. } => [draw, win].map(|need| f64::from(need.plain + need.star)),
        Value::Money { win, draw } => scaled(draw.low.to_f64(), win.high.to_f64()),
        Value::Sampled(share) => scaled(share.low.to_f64(), share.high.to_f64()),
        // Only an end is certain.
        Value::Estimate(share) if *share <= 0.0 || *share >= 1.0 => scaled(*share, *share),
        Value::Estimate(share) => scaled(share - UNSURE_ESTIMATE, share + UNSURE_ESTIMATE),
    }
}

/// Judges one turn by the values of its position.
fn judge(
    evaluation: &Evaluation,
    walk: &dyn Walk,
    scope: &Scope,
    number: usize,
    turn: &MatchTurn,
    limit: Option<u32>,
    found: &mut SourceReview,
) {
    let most = f64::from(scope.total.unreachable());
    let left = limit.map(|limit| u64::from(limit).saturating_sub(number as u64));
    let ends_before =
        |left: u64| walk.about_arena(1).and_then(|arena| arena.longest_play).is_some_and(|longest| longest <= left + 1);
    let values = || evaluation.after.iter().flatten().map(|after| after.value.as_ref());
    let is_exact = |value: Option<&Value>| matches!(value, Some(Value::Chips { .. }));
    let exact = is_exact(Some(&evaluation.here)) && values().all(is_exact) && left.is_none_or(ends_before);
    let mut needs: Vec<[f64; 2]> = vec![interval(&evaluation.here, most)];
    let moves = ByPlayer::from_fn(|player| {
        let known = || evaluation.after[player].iter().filter_map(|after| after.value.as_ref());
        // An unknown move is not better than the best known one.
        let unknown = known()
            .map(|value| interval(value, most))
            .fold([most, 0.0], |all, one| [all[0].min(one[0]), all[1].max(one[1])]);
        let unknown = player.either([unknown[0], most], [0.0, unknown[1]]);
        let next = |after: &EvaluatedMove| {
            needs.push(after.value.as_ref().map_or(unknown, |value| interval(value, most)));
            let to = ScoredNode { node: needs.len() as u32 - 1, points: 0 };
            NextMove { name: after.name.clone(), to }
        };
        evaluation.after[player].iter().map(next).collect::<Vec<_>>()
    });
    let needs = SeenNeeds { mechanism: scope.mechanism, total: scope.total.chips(), needs, exact };
    let point = DecisionPoint {
        values: &SolvedGame::Seen(&needs),
        mechanism: scope.mechanism,
        here: ScoredNode { node: 0, points: 0 },
        hands: turn.hands.map(|hand| (hand.chips(), hand.has_star())),
        moves,
        stuck: ByPlayer::both(0),
        left: None,
        counts_points: false,
    };
    let graded = point.judge(turn).into_iter();
    found.mistakes.extend(graded.map(|mistake| words::said(Mistake { turn: number, ..mistake }, turn)));
    found.feats.extend(point.feats(number, turn));
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
    let total = Total::new(hands.iter().map(|hand| hand.chips()).sum())?;
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
