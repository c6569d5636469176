//! Random-turn play: a fair coin decides who moves where the players would bid, and both play best.
//! Alice's chance to win is 1 minus her real-money win threshold (Richman's theorem [K, Theorem
//! 3.1]). A game in which chance moves too has such a chance; [`exact`] solves it.
//!
//! This module uses no bids. It computes the chance from below, by wins within t moves, and from
//! above, by plays not lost within t moves; then it simulates plays.
//!
//! **Accepts** every arena. **Result:** bounds on the chance, in units of 2^-62 rounded outwards;
//! on acyclic arenas with plays of at most 62 moves both are the chance itself. **Stops** when they
//! are as close as requested, when no value changes, or after `rounds` rounds. On cyclic arenas the
//! bounds may not meet: telling some endless plays from wins needs a threshold solver
//! ([`crate::money`]).
//!
//! **Simulation.** A cut-off play does not show how it would have ended. So plays are simulated
//! twice, with best play in both: if a cut-off counts as failure, they bound the chance from below;
//! if as success, from above ([`PlayCounts::interval`]).
//!
//! **Memory:** 32 bytes per position for the bounds; to play t moves, 16 bytes per position times
//! the square root of t, plus 32.
//!
//! **Checked by** the thresholds of the same arenas; the intervals by exact chances for many
//! seeds.

use fastrand::Rng;
use rayon::prelude::*;
use richman_core::{
    Effort, Error, Goal, LabelledArena, Node, NodeData, Player, PositionKind, Probability, RandomTurn, Share,
    ShareBounds, StochasticLabel, Terminal,
};

mod coins;

pub use coins::exact;

/// 1 in units.
const ONE: u64 = 1 << 62;
const BITS: u32 = 62;

/// The result of a play cut off at the horizon, known to both players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CutOff {
    /// Alice has missed her goal. No more plays reach it than without a limit of moves.
    Fails,
    /// Alice has reached her goal. No fewer plays reach it than without a limit of moves.
    Succeeds,
}

impl CutOff {
    /// The value of a position with no moves left, in units.
    fn value(self, goal: Goal, end: Option<Terminal>) -> u64 {
        ONE * u64::from(if end.is_some() {
            goal.is_reached(Player::Alice, end.and_then(Terminal::winner))
        } else {
            self == CutOff::Succeeds
        })
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
    /// Her chance that Bob does not prevent it within `rounds` moves, in units rounded up.
    high: Vec<u64>,
    /// The horizon in moves.
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
    /// A confidence interval for Alice's chance in play without a limit of moves, from plays in
    /// which a cut-off fails and others in which it succeeds. It misses the chance with probability
    /// at most `error`.
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
pub fn chances<L: RandomTurn>(
    arena: &LabelledArena<L>,
    goal: Goal,
    rounds: u32,
    effort: &Effort,
) -> Result<Chances, Error> {
    effort.check_memory("holding the chances of random-turn play", 4 * row(arena))?;
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
fn row<L: RandomTurn>(arena: &LabelledArena<L>) -> u64 {
    arena.len() as u64 * size_of::<u64>() as u64
}

/// The values with no moves left.
fn first<L: RandomTurn>(arena: &LabelledArena<L>, goal: Goal, cut_off: CutOff) -> Vec<u64> {
    arena.nodes().map(|node| cut_off.value(goal, arena.terminal(node))).collect()
}

/// The values with one more move.
fn next<L: RandomTurn>(arena: &LabelledArena<L>, values: &[u64], cut_off: CutOff) -> Vec<u64> {
    arena.nodes().into_par_iter().map(|node| turn(arena, node, values, cut_off.rounding())).collect()
}

/// Who moves at a position; `None` where play has ended.
fn mover<L: RandomTurn>(arena: &LabelledArena<L>, node: Node) -> Option<StochasticLabel> {
    match arena.data(node) {
        NodeData::End(_) => None,
        NodeData::On(label) => Some(L::mover(label)),
    }
}

/// The moves of chance at a position, with their probabilities.
fn chance_moves<L: RandomTurn>(
    arena: &LabelledArena<L>,
    node: Node,
) -> impl Iterator<Item = (Node, Probability)> + Clone {
    let of = move |player| arena.labelled(node, player).map(|(to, label)| (to, L::probability(label)));
    of(Player::Alice).chain(of(Player::Bob))
}

/// The least common denominator of the probabilities at a position.
fn common_denominator<L: RandomTurn>(arena: &LabelledArena<L>, node: Node) -> u64 {
    // Every arena was checked when it was built.
    Probability::common_denominator(chance_moves(arena, node).map(|(_, chance)| chance)).unwrap_or(1)
}

/// The value before the coin toss, rounded down, or up if `up` = 1.
fn turn<L: RandomTurn>(arena: &LabelledArena<L>, node: Node, values: &[u64], up: u64) -> u64 {
    let of = |player| arena.moves(node, player).iter().map(|&to| values[to as usize]);
    let best = || of(Player::Alice).max().unwrap_or(0);
    let worst = || of(Player::Bob).min().unwrap_or(ONE);
    match mover(arena, node) {
        None => values[node as usize],
        Some(StochasticLabel::Player(PositionKind::Bid)) => (best() + worst() + up) / 2,
        Some(StochasticLabel::Player(PositionKind::Owned(owner))) => owner.either(best(), worst()),
        Some(StochasticLabel::Chance) => {
            let common = common_denominator(arena, node);
            let part =
                |(to, chance): (Node, Probability)| u128::from(chance.over(common)) * u128::from(values[to as usize]);
            // At most 10^18 times 2^62.
            let sum: u128 = chance_moves(arena, node).map(part).sum();
            ((sum + u128::from(up) * u128::from(common - 1)) / u128::from(common)) as u64
        }
    }
}

/// The first best move of a player.
fn best<L: RandomTurn>(arena: &LabelledArena<L>, node: Node, player: Player, values: &[u64]) -> Node {
    let moves = arena.moves(node, player).iter().copied();
    let value = |to: &Node| values[*to as usize];
    let best = match player {
        Player::Alice => moves.rev().max_by_key(value),
        Player::Bob => moves.min_by_key(value),
    };
    best.unwrap_or(node)
}

impl Chances {
    /// The chance at a position.
    pub fn get(&self, node: Node) -> ShareBounds {
        let share = |units| Share::dyadic(units, BITS);
        ShareBounds { low: share(self.low[node as usize]), high: share(self.high[node as usize]) }
    }

    /// Simulates plays from the start, each up to the horizon, with the best moves for the number
    /// of moves left; `seed` determines all tosses. All plays advance together, so only the values
    /// for one number of moves are needed at a time. Some of these are kept and the others
    /// recomputed, so memory grows with the root of the number of moves.
    ///
    /// # Errors
    /// [`Error::TooMuchMemory`]; [`Error::Cancelled`].
    pub fn play<L: RandomTurn>(
        &self,
        arena: &LabelledArena<L>,
        cut_off: CutOff,
        games: u64,
        seed: u64,
        effort: &Effort,
    ) -> Result<PlayCounts, Error> {
        let apart = self.rounds.isqrt().max(1);
        let kept_rows = u64::from(self.rounds.div_ceil(apart) + apart);
        effort.check_memory("holding the plays of random-turn play", (4 + kept_rows) * row(arena))?;
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
        let reached =
            count(&|end| end.is_some() && self.goal.is_reached(Player::Alice, end.and_then(Terminal::winner)));
        Ok(PlayCounts { games, reached, cut_off: count(&|end| end.is_none()) })
    }
}

/// The number of plays at each position one move later; `values` are the values after the move.
fn moved<L: RandomTurn>(arena: &LabelledArena<L>, mut plays: Vec<u64>, values: &[u64], rng: &mut Rng) -> Vec<u64> {
    let mut after = vec![0; plays.len()];
    for node in arena.nodes() {
        let mut here = std::mem::take(&mut plays[node as usize]);
        let mut go = |to: Node, plays: u64| after[to as usize] += plays;
        let best = |player| best(arena, node, player, values);
        match mover(arena, node).filter(|_| here > 0) {
            None => go(node, here),
            Some(StochasticLabel::Player(PositionKind::Bid)) => {
                let heads = heads(here, rng);
                go(best(Player::Alice), heads);
                go(best(Player::Bob), here - heads);
            }
            Some(StochasticLabel::Player(PositionKind::Owned(owner))) => go(best(owner), here),
            Some(StochasticLabel::Chance) => {
                // Of the plays that took no earlier move, a part takes this one.
                let common = common_denominator(arena, node);
                let mut left = common;
                for (to, chance) in chance_moves(arena, node) {
                    let weight = chance.over(common);
                    let taken = successes(here, weight, left, rng);
                    go(to, taken);
                    (here, left) = (here - taken, left - weight);
                }
            }
        }
    }
    after
}

/// How many of `plays` succeed, each with the chance `part` / `whole`, at most 1: the binary digits
/// of a number drawn for each play are compared with those of the chance, for all plays together.
fn successes(plays: u64, part: u64, whole: u64, rng: &mut Rng) -> u64 {
    let (mut open, mut rest, mut succeeded) = (plays, part, 0);
    if part >= whole {
        return plays;
    }
    while open > 0 && rest > 0 {
        let ones = heads(open, rng);
        // The next digit of the chance; `whole` is at most 10^18.
        rest *= 2;
        if rest >= whole {
            rest -= whole;
            succeeded += open - ones;
            open = ones;
        } else {
            open -= ones;
        }
    }
    succeeded
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
            for (part, whole) in [(1, 3), (2, 3), (1, 7), (1, 1_000_000_000_000_000_000)] {
                let all: u64 = (0..tries).map(|_| successes(coins, part, whole, &mut rng)).sum();
                let chance = part as f64 / whole as f64;
                let mean = (coins * tries) as f64 * chance;
                let deviation = (mean * (1.0 - chance)).sqrt();
                assert!((all as f64 - mean).abs() <= 5.0 * deviation + 1e-9, "{all} of {} coins", coins * tries);
            }
        }
        assert_eq!([(0, 3), (3, 3)].map(|(part, whole)| successes(9, part, whole, &mut rng)), [0, 9]);
    }
}
