//! Random-turn play: a fair coin decides who moves, both players play best. Alice's chance to win is 1 less her real-money win threshold
//! (Richman's theorem [K, Theorem 3.1]).
//!
//! This is the other side of that theorem: it knows nothing of bids, and is computed on its own, from below by winning within t moves and
//! from above by not being kept from winning within t moves; then played out.
//!
//! **Accepts** every arena. **Result:** bounds on the chance, in units of 2^-62 rounded outwards; on acyclic arenas with plays of at most 62 moves both
//! are the chance itself. **Stops** when they are as close as asked for, when no value changes, or after so many rounds. On cyclic arenas the bounds need not meet: then
//! there is play without end that only a threshold solver ([`crate::money`]) tells from a win.

use fastrand::Rng;
use rayon::prelude::*;
use richman_core::{Arena, Error, Node, Player, Share, ShareBounds, Terminal};

use crate::Options;

/// 1, as a number of units.
const ONE: u64 = 1 << 62;
const BITS: u32 = 62;

/// What counts as won.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// Alice's win: with real money 1 less the win threshold.
    Win,
    /// Anything but Bob's win: 1 less the draw threshold.
    Draw,
}

impl Goal {
    fn is_reached(self, end: Terminal) -> bool {
        match self {
            Goal::Win => end == Terminal::Win(Player::Alice),
            Goal::Draw => end != Terminal::Win(Player::Bob),
        }
    }
}

/// Alice's chances in random-turn play.
#[derive(Debug, Clone)]
pub struct Chances {
    goal: Goal,
    /// What she reaches in at most so many moves, at every position, in units rounded down.
    low: Vec<u64>,
    /// What she is not kept from in so many moves, in units rounded up.
    high: Vec<u64>,
    /// How many moves were looked ahead.
    pub rounds: u32,
    /// For each number of moves left, from 1 on, the best move of each player at every position that has not ended.
    plans: Vec<Vec<[Node; 2]>>,
}

/// How often Alice reached her goal when it was played out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Played {
    /// How many plays.
    pub games: u64,
    /// In how many she reached it.
    pub reached: u64,
}

impl Played {
    /// How often she reached it, and Wilson's interval, which holds the truth with 99% confidence.
    pub fn interval(self) -> (f64, [f64; 2]) {
        const Z: f64 = 2.575_829_303_548_901;
        let games = self.games.max(1) as f64;
        let (part, spread) = (self.reached as f64 / games, Z * Z / games);
        let half = Z * (part * (1.0 - part) / games + spread / (4.0 * games)).sqrt();
        let middle = part + spread / 2.0;
        (part, [(middle - half) / (1.0 + spread), (middle + half) / (1.0 + spread)])
    }
}

/// Alice's chances at every position, after at most `rounds` rounds, until the bounds at the start are at most `options.width` apart.
///
/// # Errors
/// [`Error::TooMuchMemory`], [`Error::Cancelled`].
pub fn chances(arena: &Arena, goal: Goal, rounds: u32, options: &Options) -> Result<Chances, Error> {
    let first = |open: u64| {
        let value = |node| match arena.terminal(node) {
            Some(end) => u64::from(goal.is_reached(end)) * ONE,
            None => open,
        };
        arena.nodes().map(value).collect::<Vec<u64>>()
    };
    let mut found = Chances { goal, low: first(0), high: first(ONE), rounds: 0, plans: Vec::new() };
    let start = arena.start() as usize;
    let near = (options.width * ONE as f64) as u64;
    while found.rounds < rounds && found.high[start] - found.low[start] > near {
        options.check_cancelled()?;
        options.watch.progress("looking ahead", found.rounds.into(), Some(rounds.into()));
        options
            .check_memory("the moves of random-turn play", 8 * (found.plans.len() as u64 + 5) * arena.len() as u64)?;
        let plan: Vec<[Node; 2]> = arena.nodes().into_par_iter().map(|node| best(arena, node, &found.low)).collect();
        let next = |values: &[u64], up: u64| -> Vec<u64> {
            arena.nodes().into_par_iter().map(|node| turn(arena, node, values, up)).collect()
        };
        let (low, high) = (next(&found.low, 0), next(&found.high, 1));
        let is_settled = low == found.low && high == found.high;
        (found.low, found.high) = (low, high);
        found.rounds += 1;
        found.plans.push(plan);
        if is_settled {
            break;
        }
    }
    Ok(found)
}

/// The value before the coin is tossed, rounded down, or up with `up` = 1.
fn turn(arena: &Arena, node: Node, values: &[u64], up: u64) -> u64 {
    if arena.terminal(node).is_some() {
        return values[node as usize];
    }
    let of = |player| arena.moves(node, player).iter().map(|&to| values[to as usize]);
    let sum = of(Player::Alice).max().unwrap_or(0) + of(Player::Bob).min().unwrap_or(ONE);
    (sum + up) / 2
}

/// The first of the best moves of both players.
fn best(arena: &Arena, node: Node, values: &[u64]) -> [Node; 2] {
    let of = |player| arena.moves(node, player).iter().copied();
    let value = |to: &Node| values[*to as usize];
    let alice = of(Player::Alice).rev().max_by_key(value).unwrap_or(node);
    [alice, of(Player::Bob).min_by_key(value).unwrap_or(node)]
}

impl Chances {
    /// The chance at a position.
    pub fn get(&self, node: Node) -> ShareBounds {
        let share = |units| Share::dyadic(units, BITS);
        ShareBounds { low: share(self.low[node as usize]), high: share(self.high[node as usize]) }
    }

    /// Plays from the start, both players as planned, each play for as many moves as were looked ahead, on all cores; all chance comes from `seed`.
    /// The lower bound is how often Alice is to reach her goal.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn play(&self, arena: &Arena, games: u64, seed: u64, options: &Options) -> Result<Played, Error> {
        const BATCH: u64 = 1 << 12;
        let batches = games.div_ceil(BATCH);
        let reached = (0..batches).into_par_iter().map(|batch| {
            options.check_cancelled()?;
            let mut rng = Rng::with_seed(Rng::with_seed(seed ^ batch.wrapping_mul(0x9E37_79B9_7F4A_7C15)).u64(..));
            let size = BATCH.min(games - batch * BATCH);
            Ok((0..size).filter(|_| self.is_reached(arena, &mut rng)).count() as u64)
        });
        let reached = reached.try_reduce(|| 0, |one, two| Ok(one + two))?;
        Ok(Played { games, reached })
    }

    fn is_reached(&self, arena: &Arena, rng: &mut Rng) -> bool {
        let mut node = arena.start();
        for plan in self.plans.iter().rev() {
            if let Some(end) = arena.terminal(node) {
                return self.goal.is_reached(end);
            }
            node = plan[node as usize][usize::from(rng.bool())];
        }
        arena.terminal(node).is_some_and(|end| self.goal.is_reached(end))
    }
}
