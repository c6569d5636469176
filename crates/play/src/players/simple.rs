//! Baselines: random, greedy, and players that sometimes err.

use std::time::Duration;

use richman_core::{Effort, End, Player, Walk};

use super::{Computer, PlayerError, Seat, any};
use crate::solved::own;
use crate::{Action, Decision};

/// Plays at random: every allowed bid, use of the star and move is equally likely.
#[derive(Debug)]
pub struct Random {
    rng: fastrand::Rng,
}

impl Random {
    /// A random player with this seed.
    pub fn new(seed: u64) -> Random {
        Random { rng: fastrand::Rng::with_seed(seed) }
    }
}

/// The actions that end a turn: moves, letting the other player move, or staying if stuck.
fn endings(seat: &Seat, may_let: bool) -> Vec<Action> {
    let mut options: Vec<Action> = seat.view.moves.iter().cloned().map(Action::Move).collect();
    if may_let {
        options.push(Action::Let);
    }
    if seat.walk().stuck(seat.player).is_some() {
        options.push(Action::Stay);
    }
    options
}

fn random_action(seat: &Seat, rng: &mut fastrand::Rng) -> Result<Action, PlayerError> {
    match seat.asked()? {
        Decision::Bid => {
            let ranges = &seat.view.bids;
            let count: u64 = ranges.iter().map(|range| u64::from(range[1] - range[0]) + 1).sum();
            let mut at = if count == 0 { 0 } else { rng.u64(..count) };
            for range in ranges {
                let length = u64::from(range[1] - range[0]) + 1;
                if at < length {
                    return Ok(Action::Bid(range[0] + at as u32));
                }
                at -= length;
            }
            Err(seat.not_now())
        }
        Decision::Star { .. } => Ok(Action::UseStar(rng.bool())),
        Decision::Move { may_let } => any(&endings(seat, may_let), rng, seat),
    }
}

impl Computer for Random {
    fn act(&mut self, seat: &Seat, _: &Effort) -> Result<Action, PlayerError> {
        random_action(seat, &mut self.rng)
    }
}

/// A player that sometimes acts at random, or takes less time.
pub struct Weakened {
    /// The underlying player.
    pub player: Box<dyn Computer>,
    /// The probability that an action is random.
    pub errs: f64,
    /// The most time for an action.
    pub time: Option<Duration>,
    /// Decides when an action is random, and which.
    pub rng: fastrand::Rng,
}

richman_core::debug_by_name!(Weakened {});

impl Computer for Weakened {
    fn act(&mut self, seat: &Seat, effort: &Effort) -> Result<Action, PlayerError> {
        if self.rng.f64() < self.errs {
            return random_action(seat, &mut self.rng);
        }
        self.player.act(seat, &self.time.map_or(*effort, |time| effort.at_most(time)))
    }
}

/// Looks one move ahead. It wins at once if it can; bids all it needs if either player could win,
/// else a part of its chips. In a scoring game it takes the most points and bids their value; in
/// chess it takes the most valuable piece.
#[derive(Debug)]
pub struct Greedy {
    rng: fastrand::Rng,
}

impl Greedy {
    /// A greedy player that chooses among equal options by `seed`.
    pub fn new(seed: u64) -> Greedy {
        Greedy { rng: fastrand::Rng::with_seed(seed) }
    }
}

const DECIDED: i64 = i64::MAX / 2;

/// The value of a position to `player`; wins and losses exceed all scores.
fn worth(walk: &dyn Walk, player: Player) -> i64 {
    match walk.end() {
        Some(End::Win(winner)) if winner == player => DECIDED,
        Some(End::Win(_)) => -DECIDED,
        Some(End::Score(score)) => own(player, score),
        Some(End::Draw) => 0,
        None => own(player, walk.lead()),
    }
}

/// The value of a player's best move to that player; if stuck, of the resulting end.
fn most(walk: &dyn Walk, mover: Player) -> i64 {
    let best = walk.after_moves(mover).iter().map(|(_, next)| worth(next.as_ref(), mover)).max();
    best.unwrap_or_else(|| match walk.stuck(mover) {
        Some(End::Score(score)) => own(mover, score),
        _ => 0,
    })
}

impl Computer for Greedy {
    fn act(&mut self, seat: &Seat, effort: &Effort) -> Result<Action, PlayerError> {
        effort.check_cancelled()?;
        let (walk, player) = (seat.walk(), seat.player);
        match seat.asked()? {
            Decision::Bid => {
                // The difference between moving and being moved against.
                let own = most(walk, player);
                let gain = own.saturating_add(most(walk, player.other()));
                let (chips, other) = (seat.own().chips(), seat.other().chips());
                let target = match walk.score() {
                    Some(_) => (gain.max(0) / 2).min(i64::from(chips)) as u32,
                    None if gain >= DECIDED / 2 => other.saturating_add(1).min(chips),
                    None => self.rng.u32(chips / 5..=chips / 3),
                };
                // The nearest allowed bid from above, or the highest.
                let bid = seat.bid_from(target).or(seat.view.bids.last().map(|range| range[1]));
                bid.map(Action::Bid).ok_or(seat.not_now())
            }
            Decision::Star { .. } => Ok(Action::UseStar(true)),
            Decision::Move { may_let } => {
                let moves = walk.after_moves(player).into_iter();
                let values: Vec<(i64, String)> =
                    moves.map(|(name, next)| (worth(next.as_ref(), player), name)).collect();
                let best = values.iter().map(|(value, _)| *value).max();
                let good = values.into_iter().filter(|(value, _)| Some(*value) == best);
                let mut options: Vec<Action> = good.map(|(_, name)| Action::Move(name)).collect();
                if options.is_empty() {
                    options = endings(seat, may_let);
                }
                any(&options, &mut self.rng, seat)
            }
        }
    }
}
