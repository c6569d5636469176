//! Random-turn play: a fair coin decides who moves, except where one player moves without a bid,
//! and both play best. Alice's chance to win is 1
//! minus her real-money win threshold (Richman's theorem [K, Theorem 3.1]).
//!
//! This module uses no bids. It computes the chance from below, by wins within t moves, and from
//! above, by plays not lost within t moves; then it simulates plays.
//!
//! **Accepts** every arena. **Result:** bounds on the chance, in units of 2^-62 rounded outwards;
//! on acyclic arenas with plays of at most 62 moves both are the chance itself. **Stops** when they
//! are as close as requested, when no value changes, or after `rounds` rounds. On cyclic arenas the
//! bounds need not meet, because only a threshold solver ([`crate::money`]) can tell some endless
//! play from a win.
//!
//! **Simulation.** A cut-off play does not show how it would have ended. So plays are simulated
//! twice, with best play in both: if a cut-off counts as failure, they bound the chance from below;
//! if as success, from above ([`PlayCounts::interval`]).
//!
//! **Memory:** 32 bytes per position for the bounds; to play t moves, 16 bytes per position times
//! the root of t, plus 32.
//!
//! **Checked by** the thresholds of the same arenas; the intervals by exact chances for many
//! seeds.

use fastrand::Rng;
use rayon::prelude::*;
use richman_core::{Arena, Effort, Error, Node, Player, Share, ShareBounds, Terminal};

pub use crate::Goal;

/// 1 in units.
const ONE: u64 = 1 << 62;
const BITS: u32 = 62;

/// How a play counts that is cut off when the moves looked ahead run out. Both players know this.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CutOff {
    /// Alice has missed her goal. At most as many plays reach it as without a limit of moves.
    Fails,
    /// Alice has reached her goal. At least as many plays reach it as without a limit of moves.
    Succeeds,
}

impl CutOff {
    /// The value of a position with no moves left, in units.
    fn value(self, goal: Goal, end: Option<Terminal>) -> u64 {
        ONE * u64::from(if end.is_some() { goal.is_reached(Player::Alice, end) } else { self == CutOff::Succeeds })
    }

    /// Added to the sum of two values before it is halved, so that each bound is rounded outwards.
    fn rounding(self) -> u64 {
        u64::from(self == CutOff::Succeeds)
    }
}

/// Alice's chances in random-turn play.
#[derive(Debug, Clone)]
pub struct Chances {
    goal: Goal,
    /// At every position, her chance to reach the goal within `rounds` moves, in units rounded
    /// down.
    low: Vec<u64>,
    /// Her chance not to be kept from it within `rounds` moves, in units rounded up.
    high: Vec<u64>,
    /// How many moves were looked ahead.
    pub rounds: u32,
}

/// How plays ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayCounts {
    /// The number of plays.
    pub games: u64,
    /// The number of plays in which Alice reached her goal.
    pub reached: u64,
    /// The number of plays cut off.
    pub cut_off: u64,
}

impl PlayCounts {
    /// A confidence interval for Alice's chance in play without a limit of moves, from plays whose
    /// cut-off fails and others whose cut-off succeeds. It misses the chance with probability at
    /// most `error`.
    ///
    /// The first kind bounds the chance from below and the second from above, each by the bound of
    /// Chernoff and Hoeffding: the probability that at least `x` of `n` plays succeed is at most
    /// exp(-n D), where D is the divergence of x/n from the chance. Source: W. Hoeffding,
    /// "Probability inequalities for sums of bounded random variables", 1963, Theorem 1.
    pub fn interval(fails: PlayCounts, succeeds: PlayCounts, error: f64) -> [f64; 2] {
        let part = |succeeded: u64, games: u64| succeeded as f64 / games.max(1) as f64;
        let most = |games: u64| (2.0 / error).ln() / games.max(1) as f64;
        [
            farthest(part(fails.reached, fails.games), 0.0, most(fails.games)),
            farthest(part(succeeds.reached + succeeds.cut_off, succeeds.games), 1.0, most(succeeds.games)),
        ]
    }
}

/// The chance nearest to `end`, 0 or 1, from which `part` diverges by at most `most`, rounded
/// towards `end`.
fn farthest(part: f64, end: f64, most: f64) -> f64 {
    let term = |part: f64, chance: f64| if part == 0.0 { 0.0 } else { part * (part / chance).ln() };
    let divergence = |chance: f64| term(part, chance) + term(1.0 - part, 1.0 - chance);
    let (mut inside, mut outside) = (part, end);
    for _ in 0..f64::MANTISSA_DIGITS {
        let middle = (inside + outside) / 2.0;
        if divergence(middle) <= most {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    outside
}

/// Alice's chances at every position, after `rounds` rounds or once the bounds at the start are at
/// most `effort.width` apart.
///
/// # Errors
/// [`Error::TooMuchMemory`]; [`Error::Cancelled`].
pub fn chances(arena: &Arena, goal: Goal, rounds: u32, effort: &Effort) -> Result<Chances, Error> {
    effort.check_memory("the chances of random-turn play", 4 * row(arena))?;
    let (low, high) = (first(arena, goal, CutOff::Fails), first(arena, goal, CutOff::Succeeds));
    let mut found = Chances { goal, low, high, rounds: 0 };
    let start = arena.start() as usize;
    let near = (effort.width * ONE as f64) as u64;
    while found.rounds < rounds && found.high[start] - found.low[start] > near {
        effort.check_cancelled()?;
        effort.watch.progress("looking ahead", found.rounds.into(), Some(rounds.into()));
        let low = next(arena, &found.low, CutOff::Fails);
        let high = next(arena, &found.high, CutOff::Succeeds);
        let is_settled = low == found.low && high == found.high;
        (found.low, found.high) = (low, high);
        found.rounds += 1;
        if is_settled {
            break;
        }
    }
    Ok(found)
}

/// Bytes of one number per position.
fn row(arena: &Arena) -> u64 {
    arena.len() as u64 * size_of::<u64>() as u64
}

/// The values with no moves left.
fn first(arena: &Arena, goal: Goal, cut_off: CutOff) -> Vec<u64> {
    arena.nodes().map(|node| cut_off.value(goal, arena.terminal(node))).collect()
}

/// The values with one more move.
fn next(arena: &Arena, values: &[u64], cut_off: CutOff) -> Vec<u64> {
    arena.nodes().into_par_iter().map(|node| turn(arena, node, values, cut_off.rounding())).collect()
}

/// The value before the coin toss, rounded down, or up if `up` = 1.
fn turn(arena: &Arena, node: Node, values: &[u64], up: u64) -> u64 {
    match arena.best_and_worst(node, Player::Alice, |to| values[to as usize]) {
        Some([best, worst]) => (best + worst + up) / 2,
        None => values[node as usize],
    }
}

/// The first best move of each player; twice the same where one of them moves without a coin.
fn best(arena: &Arena, node: Node, values: &[u64]) -> [Node; 2] {
    let of = |player| arena.moves(node, player).iter().copied();
    let value = |to: &Node| values[*to as usize];
    let (alice, bob) = (of(Player::Alice).rev().max_by_key(value), of(Player::Bob).min_by_key(value));
    [alice.or(bob).unwrap_or(node), bob.or(alice).unwrap_or(node)]
}

impl Chances {
    /// The chance at a position.
    pub fn get(&self, node: Node) -> ShareBounds {
        let share = |units| Share::dyadic(units, BITS);
        ShareBounds { low: share(self.low[node as usize]), high: share(self.high[node as usize]) }
    }

    /// Simulates plays from the start, each for as many moves as were looked ahead, with the best
    /// moves for the number of moves left; `seed` determines all tosses. All plays advance
    /// together, so only the values for one number of moves are needed at a time. Some of these are
    /// kept and the others recomputed, so memory grows with the root of the number of moves.
    ///
    /// # Errors
    /// [`Error::TooMuchMemory`]; [`Error::Cancelled`].
    pub fn play(
        &self,
        arena: &Arena,
        cut_off: CutOff,
        games: u64,
        seed: u64,
        effort: &Effort,
    ) -> Result<PlayCounts, Error> {
        let apart = self.rounds.isqrt().max(1);
        let kept_rows = u64::from(self.rounds.div_ceil(apart) + apart);
        effort.check_memory("the plays of random-turn play", (4 + kept_rows) * row(arena))?;
        let mut kept = vec![first(arena, self.goal, cut_off)];
        while (kept.len() as u32 * apart) < self.rounds {
            let mut values = next(arena, &kept[kept.len() - 1], cut_off);
            for _ in 1..apart {
                effort.check_cancelled()?;
                values = next(arena, &values, cut_off);
            }
            kept.push(values);
        }
        let mut rng = Rng::with_seed(seed);
        let mut plays = vec![0; arena.len()];
        plays[arena.start() as usize] = games;
        let mut left = self.rounds;
        while let Some(values) = kept.pop() {
            let from = kept.len() as u32 * apart;
            let mut rows = vec![values];
            while from + (rows.len() as u32) < left {
                effort.check_cancelled()?;
                rows.push(next(arena, &rows[rows.len() - 1], cut_off));
            }
            while left > from {
                effort.check_cancelled()?;
                effort.watch.progress("moves played", (self.rounds - left).into(), Some(self.rounds.into()));
                left -= 1;
                plays = moved(arena, plays, &rows[(left - from) as usize], &mut rng);
            }
        }
        let count = |is: &dyn Fn(Option<Terminal>) -> bool| {
            arena.nodes().filter(|&node| is(arena.terminal(node))).map(|node| plays[node as usize]).sum()
        };
        let reached = count(&|end| end.is_some() && self.goal.is_reached(Player::Alice, end));
        Ok(PlayCounts { games, reached, cut_off: count(&|end| end.is_none()) })
    }
}

/// The number of plays at each position one move later; `values` are the values after the move.
fn moved(arena: &Arena, mut plays: Vec<u64>, values: &[u64], rng: &mut Rng) -> Vec<u64> {
    let mut after = vec![0; plays.len()];
    for node in arena.nodes() {
        let here = std::mem::take(&mut plays[node as usize]);
        if here == 0 || arena.terminal(node).is_some() {
            after[node as usize] += here;
            continue;
        }
        let [alice, bob] = best(arena, node, values);
        let heads = heads(here, rng);
        after[alice as usize] += heads;
        after[bob as usize] += here - heads;
    }
    after
}

/// The number of heads in `coins` coin tosses.
fn heads(coins: u64, rng: &mut Rng) -> u64 {
    let whole: u64 = (0..coins / 64).map(|_| u64::from(rng.u64(..).count_ones())).sum();
    let rest = rng.u64(..) & ((1 << (coins % 64)) - 1);
    whole + u64::from(rest.count_ones())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_the_bound_of_chernoff() {
        let played = |reached, cut_off| PlayCounts { games: 1000, reached, cut_off };
        let [low, high] = PlayCounts::interval(played(0, 0), played(0, 0), 0.01);
        assert_eq!(low, 0.0);
        assert!((high - (1.0 - 0.005_f64.powf(1.0 / 1000.0))).abs() < 1e-12, "as likely as no success in 1000: {high}");
        assert_eq!(PlayCounts::interval(played(0, 0), played(0, 1000), 0.01), [0.0, 1.0]);
        let [low, high] = PlayCounts::interval(played(500, 0), played(500, 0), 0.01);
        assert!((low + high - 1.0).abs() < 1e-12 && (0.448..0.449).contains(&low), "{low} to {high}");
    }

    #[test]
    fn coins() {
        let mut rng = Rng::with_seed(7);
        assert_eq!(heads(0, &mut rng), 0);
        for coins in [1, 63, 64, 65, 1000] {
            let tries = 2000;
            let all: u64 = (0..tries).map(|_| heads(coins, &mut rng)).sum();
            let (mean, deviation) = ((coins * tries) as f64 / 2.0, ((coins * tries) as f64).sqrt() / 2.0);
            assert!((all as f64 - mean).abs() < 5.0 * deviation, "{all} of {} coins", coins * tries);
        }
    }
}
