//! Lower bounds on a player's chance to win and not to lose, which prove themselves.
//!
//! The bounds x on the chance to win, in units of 2^-62, satisfy 2 x(v) + 2 <= best own x + worst
//! other x wherever x(v) > 0. Policy iteration in doubles solves a game in which every move costs a
//! little. Whole numbers then correct the solution until these inequalities hold.
//!
//! Bounds on the chance not to lose have no cost, because play may last forever: 2 y(v) <= best own
//! y + worst other y. They are one minus the other player's chance to win, lowered where rounding
//! made them too high.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use richman_core::{Effort, Error, Player};

use super::FIXED_POINT_UNIT;
use super::graph::{Graph, NONE};
use richman_solvers::money::krylov::{RandomWalk, Slopes};

/// The cost of a move in the proved bounds, in units of 2^-62.
const LOSS: i64 = 1;
/// The cost at first: enough to absorb rounding, yet below 2^-41 after 100,000 moves.
const COST: i64 = 1 << 4;
/// The cost in doubles.
const SMALL: f64 = 1e-9;
/// The target of a step that leaves the class.
const OUT: u32 = u32::MAX;

pub(super) struct ClassChance<'a> {
    graph: &'a Graph,
    player: Player,
    effort: &'a Effort<'a>,
}

/// A player's chance to win, and both players' policies.
pub(super) struct BoundedChance {
    pub(super) x: Vec<u64>,
    steps: Steps,
}

impl BoundedChance {
    /// The same for the other player of a symmetric class; exchanging the players maps each
    /// position to its entry in `to`.
    pub(super) fn exchanged(&self, to: &[u32]) -> BoundedChance {
        let step = |step: u32| if step == OUT { OUT } else { to[step as usize] };
        let steps = |steps: &[u32]| to.iter().map(|&at| step(steps[at as usize])).collect();
        let steps = Steps { own: steps(&self.steps.own), other: steps(&self.steps.other) };
        BoundedChance { x: to.iter().map(|&at| self.x[at as usize]).collect(), steps }
    }
}

/// Both players' policies: the step from each position.
struct Steps {
    own: Vec<u32>,
    other: Vec<u32>,
}

impl Steps {
    /// Positions from which the steps never leave the class.
    fn circling(&self) -> Vec<usize> {
        let size = self.own.len();
        let mut leaves = vec![false; size];
        let is_out = |to: u32, leaves: &[bool]| to == OUT || leaves[to as usize];
        for round in 0.. {
            let mut found = false;
            // Alternates directions, because information travels both ways.
            for at in 0..size {
                let v = if round % 2 == 0 { at } else { size - 1 - at };
                if !leaves[v] && (is_out(self.own[v], &leaves) || is_out(self.other[v], &leaves)) {
                    leaves[v] = true;
                    found = true;
                }
            }
            if !found {
                break;
            }
        }
        (0..size).filter(|&v| !leaves[v]).collect()
    }
}

impl<'a> ClassChance<'a> {
    pub(super) fn win(graph: &'a Graph, player: Player, effort: &'a Effort<'a>) -> Result<BoundedChance, Error> {
        let chance = ClassChance { graph, player, effort };
        let mut steps = Steps { own: vec![OUT; graph.size], other: vec![OUT; graph.size] };
        let mut x = vec![0.0; graph.size];
        chance.sweep(&mut x)?;
        chance.improve(&mut x, &mut steps)?;
        let mut x: Vec<i64> = x.iter().map(|x| (x.clamp(0.0, 1.0) * FIXED_POINT_UNIT as f64) as i64).collect();
        chance.refine(&mut x, &mut steps)?;
        chance.lower(&mut x, LOSS)?;
        Ok(BoundedChance { x: x.into_iter().map(|x| x as u64).collect(), steps })
    }

    /// The chance not to lose, from the other player's chance to win.
    pub(super) fn hold(
        graph: &'a Graph,
        player: Player,
        other: &BoundedChance,
        effort: &'a Effort<'a>,
    ) -> Result<Vec<u64>, Error> {
        let chance = ClassChance { graph, player, effort };
        // Adds back the cost of the other player's moves.
        let mut cost = vec![0.0; graph.size];
        chance.walk(&other.steps, &vec![COST as f64; graph.size], &mut cost, 1e-6);
        let left = |(x, cost): (&u64, &f64)| (FIXED_POINT_UNIT as i64 - *x as i64 - *cost as i64).max(0);
        let mut x: Vec<i64> = other.x.iter().zip(&cost).map(left).collect();
        chance.lower(&mut x, 0)?;
        Ok(x.into_iter().map(|x| x as u64).collect())
    }

    /// The best own value and the worst other one, with their steps.
    #[inline]
    fn best<T: Copy + PartialOrd>(&self, v: usize, x: &[T], exit: impl Fn(u64) -> T) -> [(T, u32); 2] {
        let mut own = (exit(self.exit(self.player, v)), OUT);
        for &to in self.graph.moves(self.player, v) {
            if x[to as usize] > own.0 {
                own = (x[to as usize], to);
            }
        }
        let mut other = (exit(self.exit(self.player.other(), v)), OUT);
        for &to in self.graph.moves(self.player.other(), v) {
            if x[to as usize] < other.0 {
                other = (x[to as usize], to);
            }
        }
        [own, other]
    }

    #[inline]
    fn exit(&self, mover: Player, v: usize) -> u64 {
        self.graph.exit(mover, self.player, v)
    }

    /// Approaches the values from below, in doubles.
    fn sweep(&self, x: &mut [f64]) -> Result<(), Error> {
        const SWEEPS: usize = 24;
        let size = x.len();
        for sweep in 0..SWEEPS {
            self.effort.check_cancelled()?;
            self.effort.watch.progress("sweeps", sweep as u64, Some(SWEEPS as u64));
            let visit = |v: usize, x: &mut [f64]| {
                let [own, other] = self.best(v, x, double);
                x[v] = (0.5 * (own.0 + other.0) - SMALL).max(0.0);
            };
            if sweep % 2 == 0 { (0..size).for_each(|v| visit(v, x)) } else { (0..size).rev().for_each(|v| visit(v, x)) }
        }
        Ok(())
    }

    /// Policy iteration in doubles, with a cost against circling.
    fn improve(&self, x: &mut [f64], steps: &mut Steps) -> Result<(), Error> {
        const ROUNDS: usize = 200;
        const INNER: usize = 12;
        let size = x.len();
        let (mut before, mut together) = (f64::INFINITY, true);
        for round in 0..ROUNDS {
            self.effort.check_cancelled()?;
            self.effort.watch.progress("rounds of play", round as u64, None);
            let better = self.switch(x, steps, together);
            if round > 0 && better == 0.0 {
                break;
            }
            // If both switch at once, they can chase each other forever. Then one only answers the
            // other.
            together &= round == 0 || better < before / 2.0;
            before = better;
            self.leave(x, steps, double);
            let b: Vec<f64> = (0..size).map(|v| 0.5 * self.exits(v, steps) - SMALL).collect();
            for _ in 0..INNER {
                self.effort.check_cancelled()?;
                let value = |to: u32, x: &[f64]| if to == OUT { 0.0 } else { x[to as usize] };
                for v in 0..size {
                    x[v] = b[v] + 0.5 * (value(steps.own[v], x) + value(steps.other[v], x));
                }
            }
            self.walk(steps, &b, x, (better * 1e-2).clamp(1e-12, 1e-4));
        }
        Ok(())
    }

    fn exits(&self, v: usize, steps: &Steps) -> f64 {
        let part = |to: u32, mover: Player| if to == OUT { double(self.exit(mover, v)) } else { 0.0 };
        part(steps.own[v], self.player) + part(steps.other[v], self.player.other())
    }

    /// Switches to better steps and returns the greatest gain. The player switches only if
    /// `together` or if the other has nothing better.
    fn switch(&self, x: &[f64], steps: &mut Steps, together: bool) -> f64 {
        /// The most that rounding can simulate.
        const MARGIN: f64 = SMALL / 10.0;
        let [mut own_most, mut other_most] = [0.0f64; 2];
        let mut own_steps = Vec::new();
        for v in 0..self.graph.size {
            let at = |to: u32, mover: Player| if to == OUT { double(self.exit(mover, v)) } else { x[to as usize] };
            let [own, other] = self.best(v, x, double);
            let gains = [own.0 - at(steps.own[v], self.player), at(steps.other[v], self.player.other()) - other.0];
            if gains[0] > MARGIN {
                own_steps.push((v, own.1));
                own_most = own_most.max(gains[0]);
            }
            if gains[1] > MARGIN {
                steps.other[v] = other.1;
                other_most = other_most.max(gains[1]);
            }
        }
        if together || other_most == 0.0 {
            for (v, to) in own_steps {
                steps.own[v] = to;
            }
        }
        own_most.max(other_most)
    }

    /// The value of these steps: x = b + (own step + other step) / 2, and 0 where they cycle
    /// forever.
    fn walk(&self, steps: &Steps, b: &[f64], x: &mut [f64], tolerance: f64) {
        const MOST: usize = 400;
        let (mut own, mut other) = (Cow::Borrowed(&steps.own), Cow::Borrowed(&steps.other));
        let mut b = Cow::Borrowed(b);
        for v in steps.circling() {
            (own.to_mut()[v], other.to_mut()[v], b.to_mut()[v]) = (OUT, OUT, 0.0);
        }
        let walk = RandomWalk { own: &own, other: &other, slopes: Slopes::Half };
        walk.solve(&b, x, tolerance, MOST, &|| self.effort.watch.cancelled());
    }

    /// Where the steps cycle forever, makes the player leave by the best own move.
    fn leave<T: Copy + PartialOrd>(&self, x: &[T], steps: &mut Steps, exit: impl Fn(u64) -> T) {
        let circling = steps.circling();
        if circling.is_empty() {
            return;
        }
        let mut circles: HashSet<u32> = circling.iter().map(|&v| v as u32).collect();
        let mut before: HashMap<u32, Vec<u32>> = HashMap::new();
        let mut ways: Vec<(T, u32, u32)> = Vec::new();
        for &v in &circling {
            for to in [steps.own[v], steps.other[v]] {
                before.entry(to).or_default().push(v as u32);
            }
            let moves = self.graph.moves(self.player, v).iter().filter(|to| !circles.contains(to));
            let out = (exit(self.exit(self.player, v)), OUT);
            let best = moves.fold(out, |best, &to| if x[to as usize] > best.0 { (x[to as usize], to) } else { best });
            ways.push((best.0, v as u32, best.1));
        }
        ways.sort_by(|a, b| b.partial_cmp(a).unwrap_or(Ordering::Equal));
        for (value, v, to) in ways {
            // A missing exit is worth 0.
            if value <= exit(0) || !circles.remove(&v) {
                continue;
            }
            steps.own[v as usize] = to;
            let mut left = vec![v];
            while let Some(v) = left.pop() {
                left.extend(before.get(&v).into_iter().flatten().filter(|v| circles.remove(v)));
            }
        }
    }

    /// Newton's method in whole numbers: spreads each position's residual along the best steps.
    fn refine(&self, x: &mut [i64], steps: &mut Steps) -> Result<(), Error> {
        const ROUNDS: usize = 20;
        for round in 0..ROUNDS {
            self.effort.check_cancelled()?;
            self.effort.watch.progress("rounds of whole numbers", round as u64, None);
            let mut missing = vec![0i64; x.len()];
            let mut worst = 0;
            for v in 0..x.len() {
                let [own, other] = self.best(v, x, whole);
                let wanted = ((own.0 + other.0).div_euclid(2) - COST).max(0);
                let at = |to: u32, mover: Player| if to == OUT { whole(self.exit(mover, v)) } else { x[to as usize] };
                if own.0 > at(steps.own[v], self.player) {
                    steps.own[v] = own.1;
                }
                if other.0 < at(steps.other[v], self.player.other()) {
                    steps.other[v] = other.1;
                }
                missing[v] = wanted - x[v];
                worst = worst.max(missing[v].abs());
            }
            if worst <= COST / 2 {
                return Ok(());
            }
            self.leave(x, steps, whole);
            let scale = worst as f64;
            let b: Vec<f64> = missing.iter().map(|&missing| missing as f64 / scale).collect();
            let mut d = vec![0.0; x.len()];
            self.walk(steps, &b, &mut d, 1e-10);
            for (x, d) in x.iter_mut().zip(&d) {
                *x = (*x).saturating_add((d * scale) as i64).clamp(0, FIXED_POINT_UNIT as i64);
            }
        }
        Ok(())
    }

    /// Lowers bounds to the value of a move, less the loss, until all prove themselves; faster and
    /// faster, because 0 always does.
    fn lower(&self, x: &mut [i64], loss: i64) -> Result<(), Error> {
        const PATIENCE: u64 = 1000;
        let size = x.len();
        for round in 0u64.. {
            self.effort.check_cancelled()?;
            self.effort.watch.progress("rounds of proof", round, None);
            let more = round.checked_sub(PATIENCE).map_or(0, |late| 1 << late.min(61));
            let mut changed = false;
            for at in 0..size {
                let v = if round % 2 == 0 { at } else { size - 1 - at };
                let [own, other] = self.best(v, x, whole);
                let most = ((own.0 + other.0).div_euclid(2) - loss).clamp(0, FIXED_POINT_UNIT as i64);
                if x[v] > most {
                    x[v] = (most - more).max(0);
                    changed = true;
                }
            }
            if !changed {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// More than certainty for a missing exit.
fn double(chance: u64) -> f64 {
    if chance == NONE { 2.0 } else { chance as f64 / FIXED_POINT_UNIT as f64 }
}

/// The same in whole numbers, small enough to add two. Certainty less one unit serves for a missing
/// exit, because some move then stays in the class.
fn whole(chance: u64) -> i64 {
    if chance == NONE { FIXED_POINT_UNIT as i64 - 1 } else { chance as i64 }
}
