//! Baselines: random, greedy, and a player that errs now and then.

use std::time::Duration;

use richman_core::{End, Player, Walk};

use super::{Computer, PlayerError, Seat, Thinking, any};
use crate::{Action, Decision};

/// Does whatever is allowed: every bid, use of the star and move is as likely as any other.
pub struct Random {
    rng: fastrand::Rng,
}

impl Random {
    /// One that decides as `seed` says.
    pub fn new(seed: u64) -> Random {
        Random { rng: fastrand::Rng::with_seed(seed) }
    }
}

/// The moves, or what else ends a turn: letting the other player move, staying where one is stuck.
fn endings(seat: &Seat, may_let: bool) -> Vec<Action> {
    let mut options: Vec<Action> = seat.view().moves.iter().cloned().map(Action::Move).collect();
    if may_let {
        options.push(Action::Let);
    }
    if seat.walk().stuck(seat.player()).is_some() {
        options.push(Action::Stay);
    }
    options
}

fn random_action(seat: &Seat, rng: &mut fastrand::Rng) -> Result<Action, PlayerError> {
    let player = seat.player();
    match seat.decision() {
        Some(Decision::Bid) => {
            let ranges = &seat.view().bids;
            let count: u64 = ranges.iter().map(|range| u64::from(range[1] - range[0]) + 1).sum();
            let mut at = if count == 0 { 0 } else { rng.u64(..count) };
            for range in ranges {
                let length = u64::from(range[1] - range[0]) + 1;
                if at < length {
                    return Ok(Action::Bid(range[0] + at as u32));
                }
                at -= length;
            }
            Err(PlayerError::NotNow { player })
        }
        Some(Decision::Star { .. }) => Ok(Action::UseStar(rng.bool())),
        Some(Decision::Move { may_let }) => any(&endings(seat, may_let), rng, player),
        None => Err(PlayerError::NotNow { player }),
    }
}

impl Computer for Random {
    fn name(&self) -> String {
        "random".to_string()
    }

    fn act(&mut self, seat: &Seat, _: &Thinking) -> Result<Action, PlayerError> {
        random_action(seat, &mut self.rng)
    }
}

/// Another player, who does something random now and then.
pub struct Erring {
    player: Box<dyn Computer>,
    name: String,
    probability: f64,
    rng: fastrand::Rng,
}

impl Erring {
    /// `player`, but with `probability` each of its actions is a random one.
    pub fn new(player: Box<dyn Computer>, name: String, probability: f64, seed: u64) -> Erring {
        Erring { player, name, probability, rng: fastrand::Rng::with_seed(seed ^ 0x5851_f42d_4c95_7f2d) }
    }
}

impl Computer for Erring {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn act(&mut self, seat: &Seat, thinking: &Thinking) -> Result<Action, PlayerError> {
        if self.rng.f64() < self.probability {
            return random_action(seat, &mut self.rng);
        }
        self.player.act(seat, thinking)
    }
}

/// Another player, who takes less time.
pub struct Hurried {
    player: Box<dyn Computer>,
    name: String,
    time: Duration,
}

impl Hurried {
    /// `player`, but with at most `time` for each of its actions.
    pub fn new(player: Box<dyn Computer>, name: String, time: Duration) -> Hurried {
        Hurried { player, name, time }
    }
}

impl Computer for Hurried {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn act(&mut self, seat: &Seat, thinking: &Thinking) -> Result<Action, PlayerError> {
        let own = Thinking::within(self.time, thinking.watch);
        let deadline = own.deadline.into_iter().chain(thinking.deadline).min();
        self.player.act(seat, &Thinking { deadline, ..own })
    }
}

/// Looks one move ahead: wins at once where it can, bids all it needs when either player could, else a part of its chips. In a
/// scoring game it takes the most, and bids what that is worth; in chess it takes the most valuable piece.
pub struct Greedy {
    rng: fastrand::Rng,
}

impl Greedy {
    /// One that decides between equal options as `seed` says.
    pub fn new(seed: u64) -> Greedy {
        Greedy { rng: fastrand::Rng::with_seed(seed) }
    }

    /// The bid nearest to `target` from above, or the highest there is.
    fn bid(seat: &Seat, target: u32) -> Option<u32> {
        let ranges = &seat.view().bids;
        let above = ranges.iter().find(|range| range[1] >= target).map(|range| range[0].max(target));
        above.or(ranges.last().map(|range| range[1]))
    }
}

/// What a win is worth.
const DECIDED: i64 = i64::MAX / 2;

/// How good for `player` a move of `mover` leaves things, and it alone: wins and losses above all scores.
fn after(walk: &dyn Walk, mover: Player, name: &str, player: Player) -> i64 {
    let mut next = walk.boxed();
    if next.play(mover, name).is_err() {
        return 0;
    }
    match next.end() {
        Some(End::Win(winner)) if winner == player => DECIDED,
        Some(End::Win(_)) => -DECIDED,
        Some(End::Score(score)) => signed(score, player),
        Some(End::Draw) => 0,
        None => signed(next.lead(), player),
    }
}

fn signed(score: i64, player: Player) -> i64 {
    if player == Player::Alice { score } else { score.saturating_neg() }
}

/// The most of a player's moves, in the eyes of that player; where they are stuck, what that ends with.
fn most(walk: &dyn Walk, mover: Player) -> i64 {
    let moves = walk.moves(mover);
    let best = moves.iter().map(|name| after(walk, mover, name, mover)).max();
    best.unwrap_or_else(|| match walk.stuck(mover) {
        Some(End::Score(score)) => signed(score, mover),
        _ => 0,
    })
}

impl Computer for Greedy {
    fn name(&self) -> String {
        "greedy".to_string()
    }

    fn act(&mut self, seat: &Seat, thinking: &Thinking) -> Result<Action, PlayerError> {
        thinking.check()?;
        let (walk, player) = (seat.walk(), seat.player());
        let refused = PlayerError::NotNow { player };
        match seat.decision() {
            Some(Decision::Bid) => {
                // What moving is worth more than being moved against.
                let own = most(walk, player);
                let gain = own.saturating_add(most(walk, player.other()));
                let (chips, other) = (seat.own().chips(), seat.other().chips());
                let target = match walk.score() {
                    Some(_) => (gain.max(0) / 2).min(i64::from(chips)) as u32,
                    None if gain >= DECIDED / 2 => other.saturating_add(1).min(chips),
                    None => self.rng.u32(chips / 5..=chips / 3),
                };
                Self::bid(seat, target).map(Action::Bid).ok_or(refused)
            }
            Some(Decision::Star { .. }) => Ok(Action::UseStar(true)),
            Some(Decision::Move { may_let }) => {
                let moves = &seat.view().moves;
                let values: Vec<i64> = moves.iter().map(|name| after(walk, player, name, player)).collect();
                let best = values.iter().copied().max();
                let mut options: Vec<Action> = moves
                    .iter()
                    .zip(&values)
                    .filter(|&(_, &value)| Some(value) == best)
                    .map(|(name, _)| Action::Move(name.clone()))
                    .collect();
                if options.is_empty() {
                    options = endings(seat, may_let);
                }
                any(&options, &mut self.rng, player)
            }
            None => Err(refused),
        }
    }
}
