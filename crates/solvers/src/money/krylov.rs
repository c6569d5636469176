//! Solves the linear systems of random walks in doubles, by BiCGSTAB with restarts on breakdown.
//!
//! The results only guide the search; exact arithmetic proves every claim afterwards.

use rayon::prelude::*;

/// A walk on local positions. From v it goes to `own[v]` and `other[v]` with the probabilities
/// `slopes`. Targets that are not below the number of positions leave the system.
pub struct RandomWalk<'a> {
    /// The player's move at each position.
    pub own: &'a [u32],
    /// The other player's move.
    pub other: &'a [u32],
    /// The probability of each step.
    pub slopes: Slopes<'a>,
}

richman_core::debug_by_name!(RandomWalk<'_> {});

/// The derivatives of each position's value by the values after its two steps.
#[derive(Clone, Copy)]
pub enum Slopes<'a> {
    /// A half each: Richman payment.
    Half,
    /// As listed.
    Of(&'a [[f64; 2]]),
}

richman_core::debug_by_name!(Slopes<'_> {});

impl Slopes<'_> {
    /// The slopes at a position, towards `own` and `other`.
    pub fn at(self, v: usize) -> [f64; 2] {
        match self {
            Slopes::Half => [0.5; 2],
            Slopes::Of(slopes) => slopes[v],
        }
    }
}

impl RandomWalk<'_> {
    /// (I - M) x
    fn apply(&self, x: &[f64], into: &mut [f64]) {
        let size = x.len();
        let value = |to: u32| if (to as usize) < size { x[to as usize] } else { 0.0 };
        match self.slopes {
            Slopes::Half => each(into, |v| x[v] - 0.5 * (value(self.own[v]) + value(self.other[v]))),
            Slopes::Of(slopes) => {
                each(into, |v| x[v] - (slopes[v][0] * value(self.own[v]) + slopes[v][1] * value(self.other[v])));
            }
        }
    }

    /// Solves (I - M) x = b from the initial guess in `x` until the largest residual is at most
    /// `tolerance`; returns whether that was reached.
    pub fn solve(&self, b: &[f64], x: &mut [f64], tolerance: f64, most: usize, stop: &dyn Fn() -> bool) -> bool {
        System { apply: &|x, into| self.apply(x, into), nearly: None, norm: largest }.solve(b, x, tolerance, most, stop)
    }
}

/// Solves a system in place.
type Inverse<'a> = dyn Fn(&mut [f64]) + 'a;

/// A system A x = b.
pub(super) struct System<'a> {
    /// Writes A x into the second vector.
    pub apply: &'a dyn Fn(&[f64], &mut [f64]),
    /// Solves a system that is nearly the same, in place.
    pub nearly: Option<&'a Inverse<'a>>,
    /// The size of a residual.
    pub norm: fn(&[f64]) -> f64,
}

impl System<'_> {
    /// Converts a vector to a change of x, if they differ.
    fn change(&self, vector: &[f64]) -> Option<Vec<f64>> {
        self.nearly.map(|nearly| {
            let mut change = vector.to_vec();
            nearly(&mut change);
            change
        })
    }

    /// Solves it from the initial guess in `x` until the residual is at most `tolerance`; returns
    /// whether that was reached.
    pub fn solve(&self, b: &[f64], x: &mut [f64], tolerance: f64, most: usize, stop: &dyn Fn() -> bool) -> bool {
        let size = b.len();
        let mut buffer = vec![0.0; size];
        let residual = |x: &[f64], buffer: &mut Vec<f64>| -> Vec<f64> {
            (self.apply)(x, buffer);
            b.iter().zip(buffer.iter()).map(|(b, a)| b - a).collect()
        };
        let mut r = residual(x, &mut buffer);
        let mut best = (self.norm)(&r);
        let mut best_x = x.to_vec();
        let mut done = 0;
        while done < most && !stop() {
            if best <= tolerance {
                break;
            }
            let shadow = r.clone();
            let (mut rho, mut alpha, mut omega) = (1.0f64, 1.0f64, 1.0f64);
            let mut p = vec![0.0; size];
            let mut v = vec![0.0; size];
            let mut t = vec![0.0; size];
            for step in 0.. {
                if done >= most || stop() {
                    break;
                }
                done += 1;
                let next = dot(&shadow, &r);
                let beta = (next / rho) * (alpha / omega);
                if !beta.is_finite() || next == 0.0 {
                    break;
                }
                rho = next;
                zip3(&mut p, &r, &v, |p, r, v| r + beta * (p - omega * v));
                let changed = self.change(&p);
                let along_p = changed.as_deref().unwrap_or(&p);
                (self.apply)(along_p, &mut v);
                alpha = rho / dot(&shadow, &v);
                if !alpha.is_finite() {
                    break;
                }
                zip2(&mut r, &v, |r, v| r - alpha * v);
                let changed = self.change(&r);
                let along_r = changed.as_deref().unwrap_or(&r);
                (self.apply)(along_r, &mut t);
                let square = dot(&t, &t);
                omega = if square > 0.0 { dot(&t, &r) / square } else { 0.0 };
                zip3(x, along_p, along_r, |x, p, r| x + alpha * p + omega * r);
                zip2(&mut r, &t, |r, t| r - omega * t);
                let now = (self.norm)(&r);
                if !now.is_finite() || omega == 0.0 {
                    break;
                }
                if now < best {
                    best = now;
                }
                if now <= tolerance || step > 4_000 {
                    break;
                }
            }
            // The recurrence drifts, so measure the true residual and restart from the best
            // solution.
            r = residual(x, &mut buffer);
            let now = (self.norm)(&r);
            let kept = residual(&best_x, &mut buffer);
            let before = (self.norm)(&kept);
            if now.is_finite() && now < before {
                best_x.copy_from_slice(x);
                best = now;
                if now > 0.5 * before {
                    break;
                }
            } else {
                x.copy_from_slice(&best_x);
                break;
            }
        }
        x.copy_from_slice(&best_x);
        let r = residual(x, &mut buffer);
        (self.norm)(&r) <= tolerance
    }
}

/// Vectors longer than this are split between threads.
const PARALLEL: usize = 1 << 15;

pub(super) fn each(into: &mut [f64], f: impl Fn(usize) -> f64 + Sync) {
    if into.len() < PARALLEL {
        into.iter_mut().enumerate().for_each(|(v, cell)| *cell = f(v));
    } else {
        into.par_iter_mut().enumerate().with_min_len(PARALLEL / 8).for_each(|(v, cell)| *cell = f(v));
    }
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    if a.len() < PARALLEL {
        return in_lanes(a, b);
    }
    let chunk = PARALLEL / 4;
    let parts: Vec<f64> = a.par_chunks(chunk).zip(b.par_chunks(chunk)).map(|(a, b)| in_lanes(a, b)).collect();
    parts.into_iter().sum()
}

/// A sum of products as several sums, so that additions do not wait for each other.
fn in_lanes(a: &[f64], b: &[f64]) -> f64 {
    const LANES: usize = 8;
    let (a, b) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest: f64 = a.remainder().iter().zip(b.remainder()).map(|(a, b)| a * b).sum();
    let mut sums = [0.0; LANES];
    for (a, b) in a.zip(b) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.into_iter().sum::<f64>() + rest
}

pub(super) fn largest(a: &[f64]) -> f64 {
    a.iter().fold(0.0, |most: f64, value| if value.abs() > most || value.is_nan() { value.abs() } else { most })
}

fn zip2(into: &mut [f64], a: &[f64], f: impl Fn(f64, f64) -> f64 + Sync) {
    if into.len() < PARALLEL {
        into.iter_mut().zip(a).for_each(|(x, &a)| *x = f(*x, a));
    } else {
        into.par_iter_mut().zip(a).with_min_len(PARALLEL / 8).for_each(|(x, &a)| *x = f(*x, a));
    }
}

fn zip3(into: &mut [f64], a: &[f64], b: &[f64], f: impl Fn(f64, f64, f64) -> f64 + Sync) {
    if into.len() < PARALLEL {
        into.iter_mut().zip(a).zip(b).for_each(|((x, &a), &b)| *x = f(*x, a, b));
    } else {
        into.par_iter_mut().zip(a).zip(b).with_min_len(PARALLEL / 8).for_each(|((x, &a), &b)| *x = f(*x, a, b));
    }
}
