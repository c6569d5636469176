//! Lower bounds on one player's chance, which prove themselves.
//!
//! The bounds x, in units of 2^-62, satisfy 2 x(v) + 2 <= best own x + worst other x wherever x(v) > 0. In doubles a game in which every
//! move costs a little is solved by policy iteration; then its solution is made exact in whole numbers, by the same steps for what is
//! still missing.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use richman_core::{Error, Player};

use super::ONE;
use super::graph::{Graph, NONE};
use crate::Options;
use crate::money::krylov::{Slopes, Walk};

/// What a move costs in the end, in units of 2^-62: enough that rounding does not matter, little beside 2^-40 also after a million moves.
const COST: i64 = 1 << 4;
/// A step that leaves the class, as a target.
const OUT: u32 = u32::MAX;

/// One player's chance in a class.
pub(super) struct Chance<'a> {
    pub(super) graph: &'a Graph,
    pub(super) player: Player,
    pub(super) options: &'a Options<'a>,
}

/// Where both players go.
struct Steps {
    own: Vec<u32>,
    other: Vec<u32>,
}

impl Steps {
    /// Positions from which these steps never leave the class.
    fn circling(&self) -> Vec<usize> {
        let size = self.own.len();
        let mut leaves = vec![false; size];
        let is_out = |to: u32, leaves: &[bool]| to == OUT || leaves[to as usize];
        for round in 0.. {
            let mut found = false;
            // Up and down in turn, as news travels both ways.
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

impl Chance<'_> {
    pub(super) fn solve(&self) -> Result<Vec<u64>, Error> {
        let mut steps = Steps { own: vec![OUT; self.graph.size], other: vec![OUT; self.graph.size] };
        let x = self.roughly(&mut steps)?;
        let mut x: Vec<i64> = x.into_iter().map(|x| (x.clamp(0.0, 1.0) * ONE as f64) as i64).collect();
        self.refine(&mut x, &mut steps)?;
        self.lower(&mut x)?;
        Ok(x.into_iter().map(|x| x as u64).collect())
    }

    /// The best own value and the worst other one, with the steps there.
    #[inline]
    fn best<T: Copy + PartialOrd>(&self, v: usize, x: &[T], exit: impl Fn(u64) -> T) -> [(T, u32); 2] {
        let mut own = (exit(self.graph.exit(self.player, self.player, v)), OUT);
        for &to in self.graph.moves(self.player, v) {
            if x[to as usize] > own.0 {
                own = (x[to as usize], to);
            }
        }
        let mut other = (exit(self.graph.exit(self.player.other(), self.player, v)), OUT);
        for &to in self.graph.moves(self.player.other(), v) {
            if x[to as usize] < other.0 {
                other = (x[to as usize], to);
            }
        }
        [own, other]
    }

    fn double(exit: u64) -> f64 {
        if exit == NONE { 2.0 } else { exit as f64 / ONE as f64 }
    }

    /// Policy iteration in doubles, with a cost that keeps play from circling.
    fn roughly(&self, steps: &mut Steps) -> Result<Vec<f64>, Error> {
        const SWEEPS: usize = 24;
        const ROUNDS: usize = 200;
        const INNER: usize = 12;
        const COST: f64 = 1e-9;
        let size = self.graph.size;
        let mut x = vec![0.0f64; size];
        for sweep in 0..SWEEPS {
            self.options.check_cancelled()?;
            self.options.watch.progress("rounds of play", sweep as u64, None);
            let visit = |v: usize, x: &mut Vec<f64>| {
                let [own, other] = self.best(v, x, Self::double);
                x[v] = (0.5 * (own.0 + other.0) - COST).max(0.0);
            };
            // Up and down in turn, so that news travels both ways.
            if sweep % 2 == 0 {
                (0..size).for_each(|v| visit(v, &mut x))
            } else {
                (0..size).rev().for_each(|v| visit(v, &mut x))
            }
        }
        let (mut together, mut before) = (true, f64::INFINITY);
        for round in 0..ROUNDS {
            self.options.check_cancelled()?;
            self.options.watch.progress("rounds of play", (SWEEPS + round) as u64, None);
            let better = self.switch(&x, steps, together);
            if better == 0.0 {
                break;
            }
            // Where both switch at once they can chase each other for ever: then one answers the other.
            together &= round == 0 || better < before / 2.0;
            before = better;
            self.leave(&x, steps, Self::double);
            let exit = |v: usize| self.exits(v, steps, Self::double);
            let b: Vec<f64> = (0..size).map(|v| 0.5 * exit(v) - COST).collect();
            for _ in 0..INNER {
                let value = |to: u32, x: &[f64]| if to == OUT { 0.0 } else { x[to as usize] };
                for v in 0..size {
                    x[v] = b[v] + 0.5 * (value(steps.own[v], &x) + value(steps.other[v], &x));
                }
            }
            self.walk(steps, &b, &mut x, (better * 1e-3).clamp(1e-13, 1e-4));
        }
        Ok(x)
    }

    /// What comes from steps that leave the class.
    fn exits<T: Default + std::ops::Add<Output = T>>(&self, v: usize, steps: &Steps, exit: impl Fn(u64) -> T) -> T {
        let part = |to: u32, mover: Player| {
            if to == OUT { exit(self.graph.exit(mover, self.player, v)) } else { T::default() }
        };
        part(steps.own[v], self.player) + part(steps.other[v], self.player.other())
    }

    /// Switches to steps that are better, and says by how much at the most. The player does so only where the other one has nothing better
    /// anywhere, or `together`.
    fn switch(&self, x: &[f64], steps: &mut Steps, together: bool) -> f64 {
        /// What rounding may feign.
        const MARGIN: f64 = 1e-11;
        let mut most = 0.0f64;
        let mut own_steps = Vec::new();
        for v in 0..self.graph.size {
            let at = |to: u32, mover: Player| {
                if to == OUT { Self::double(self.graph.exit(mover, self.player, v)) } else { x[to as usize] }
            };
            let [own, other] = self.best(v, x, Self::double);
            let gains = [own.0 - at(steps.own[v], self.player), at(steps.other[v], self.player.other()) - other.0];
            if gains[0] > MARGIN {
                own_steps.push((v, own.1, gains[0]));
            }
            if gains[1] > MARGIN {
                steps.other[v] = other.1;
                most = most.max(gains[1]);
            }
        }
        if together || most == 0.0 {
            for (v, to, gain) in own_steps {
                steps.own[v] = to;
                most = most.max(gain);
            }
        }
        most
    }

    /// What x is if both players keep to these steps: x = b + (own step + other step) / 2; where they circle for ever it is 0.
    fn walk(&self, steps: &Steps, b: &[f64], x: &mut [f64], tolerance: f64) {
        const MOST: usize = 400;
        let (mut own, mut other) = (Cow::Borrowed(&steps.own), Cow::Borrowed(&steps.other));
        let mut b = Cow::Borrowed(b);
        for v in steps.circling() {
            (own.to_mut()[v], other.to_mut()[v], b.to_mut()[v]) = (OUT, OUT, 0.0);
        }
        let walk = Walk { own: &own, other: &other, slopes: Slopes::Half };
        walk.solve(&b, x, tolerance, MOST, &|| self.options.watch.cancelled());
    }

    /// Makes the player leave where the steps circle for ever, by the best own move that does.
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
            let out = (exit(self.graph.exit(self.player, self.player, v)), OUT);
            let best = moves.fold(out, |best, &to| if x[to as usize] > best.0 { (x[to as usize], to) } else { best });
            ways.push((best.0, v as u32, best.1));
        }
        ways.sort_by(|a, b| b.partial_cmp(a).unwrap_or(Ordering::Equal));
        for (value, v, to) in ways {
            // A move out of the class that there is not is worth nothing.
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

    /// Newton's method in whole numbers: what is missing at every position is spread along the best steps.
    fn refine(&self, x: &mut [i64], steps: &mut Steps) -> Result<(), Error> {
        const ROUNDS: usize = 20;
        let exit = |exit: u64| if exit == NONE { i64::MAX / 2 } else { exit as i64 };
        for round in 0..ROUNDS {
            self.options.check_cancelled()?;
            self.options.watch.progress("rounds of whole numbers", round as u64, None);
            let mut missing = vec![0i64; x.len()];
            let mut worst = 0;
            for v in 0..x.len() {
                let [own, other] = self.best(v, x, exit);
                let wanted = ((own.0 + other.0).div_euclid(2) - COST).max(0);
                let at = |to: u32, mover: Player| {
                    if to == OUT { exit(self.graph.exit(mover, self.player, v)) } else { x[to as usize] }
                };
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
            self.leave(x, steps, exit);
            let scale = worst as f64;
            let b: Vec<f64> = missing.iter().map(|&missing| missing as f64 / scale).collect();
            let mut d = vec![0.0; x.len()];
            self.walk(steps, &b, &mut d, 1e-10);
            for (x, d) in x.iter_mut().zip(&d) {
                *x = (*x).saturating_add((d * scale) as i64).clamp(0, ONE as i64);
            }
        }
        Ok(())
    }

    /// Lowers bounds that do not prove themselves until all do.
    fn lower(&self, x: &mut [i64]) -> Result<(), Error> {
        let exit = |exit: u64| if exit == NONE { i64::MAX / 2 } else { exit as i64 };
        for round in 0.. {
            self.options.check_cancelled()?;
            self.options.watch.progress("rounds of proof", round, None);
            let mut changed = 0u64;
            for v in 0..x.len() {
                let [own, other] = self.best(v, x, exit);
                let most = ((own.0 + other.0).div_euclid(2) - 1).clamp(0, ONE as i64);
                if x[v] > most {
                    x[v] = most;
                    changed += 1;
                }
            }
            if changed == 0 {
                return Ok(());
            }
        }
        Ok(())
    }
}
