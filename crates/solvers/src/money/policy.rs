//! Good policies for both players, found in doubles by value iteration, then policy iteration.
//!
//! The results only guide the search; every claim is proved afterwards in exact arithmetic.

use std::ops::{Neg, SubAssign};

use richman_core::{Error, Rate, Watch};
use rustc_hash::FxHashSet;

use super::factor::{Factor, Fill};
use super::krylov::{RandomWalk, Slopes};
use super::local::{LocalSystem, Policies};
use super::turn::{approximate, slopes};

/// Limits on systems solved directly if iteration does not converge.
const DIRECT: Fill = Fill { entries: 4 << 20, dense: 1200 };

/// Limits on systems solved directly before iteration: those that hardly fill in, such as paths and
/// grids. A dense remainder may take some 100,000 steps for each position.
pub(super) fn thin(inner: usize) -> Fill {
    Fill { entries: 16 * inner + 1024, dense: 128.max((64.0 * (inner as f64).cbrt()) as usize) }
}

/// Finds good policies and their values `x`, which hold the known values from `inner` on. From time
/// to time `meanwhile` gets the policies and values so far.
///
/// `proper` has a policy of the player under which play leaves the component whatever the other
/// player does, and one of the other player that heads for the player's least chance. On long
/// paths, values far from the ends say nothing, so policy iteration would need a round per position
/// to find these. Sweeps between the rounds choose moves by values nearby, so that a round finds
/// more than one step of a better way.
pub(super) fn optimise(
    local: &LocalSystem,
    rate: Rate,
    proper: &Policies,
    x: &mut [f64],
    until: &dyn Watch,
    mut meanwhile: impl FnMut(&Policies, &[f64]) -> Result<(), Error>,
) -> Result<Policies, Error> {
    const FIRST_SWEEPS: usize = 10;
    const SWEEPS: usize = 3;
    const ROUNDS: usize = 60;
    /// At first, values need only be good enough to choose moves.
    const COARSE: f64 = 1e-3;
    const FINE: f64 = 3e-14;
    /// The residual of the values of a round, as a part of the possible error of their policies.
    const PART: f64 = 1e-4;
    /// The policies are nearly found, or found, once at most one position in this many changes.
    const NEARLY: usize = 100;
    const FOUND: usize = 1000;
    let inner = local.inner;
    let mut policies = proper.clone();
    evaluate(local, rate, &policies, x, COARSE, until)?;
    sweep(local, rate, x, FIRST_SWEEPS, until)?;
    let (mut tolerance, mut part, mut last, mut is_near) = (COARSE, PART, usize::MAX, false);
    for round in 1..=ROUNDS {
        let changes = switch(local, x, &mut policies, true, true);
        for v in policies.trapped(until)? {
            policies.own[v] = proper.own[v];
        }
        local.agree(&mut policies);
        if changes == 0 && tolerance <= FINE {
            break;
        }
        if changes > last / 2 {
            part *= 1e-2;
        }
        last = if changes == 0 { usize::MAX } else { changes };
        let residuals = local.of_each(|v| (turned(local, rate, x, v) - x[v]).abs());
        let most = residuals.into_iter().fold(0.0, f64::max);
        // After 2, 4, 8 ... rounds, so that the search itself takes most of the time.
        let is_found = changes * FOUND <= inner;
        let is_first_near = !is_near && changes * NEARLY <= inner;
        if is_first_near || !is_found && round > 1 && round.is_power_of_two() {
            meanwhile(&policies, x)?;
        }
        is_near |= is_first_near;
        tolerance = if is_found { FINE } else { FINE.max(most * part) };
        evaluate(local, rate, &policies, x, tolerance, until)?;
        if tolerance > FINE {
            sweep(local, rate, x, SWEEPS, until)?;
        }
    }
    Ok(policies)
}

/// Replaces every value by one turn from those after the best moves, `rounds` times.
fn sweep(local: &LocalSystem, rate: Rate, x: &mut [f64], rounds: usize, until: &dyn Watch) -> Result<(), Error> {
    for _ in 0..rounds {
        check(until)?;
        for v in 0..local.inner {
            x[v] = turned(local, rate, x, v);
        }
    }
    Ok(())
}

fn turned(local: &LocalSystem, rate: Rate, x: &[f64], v: usize) -> f64 {
    let [best, worst] = local.best_and_worst(v, |a, b| x[a as usize] > x[b as usize]);
    approximate(rate, x[best as usize], x[worst as usize])
}

pub(super) fn check(until: &dyn Watch) -> Result<(), Error> {
    if until.cancelled() { Err(Error::Cancelled) } else { Ok(()) }
}

/// Switches moves of the player (`own`) and the `other` to better ones by these values; returns the
/// number of switches.
pub(super) fn switch(local: &LocalSystem, x: &[f64], policies: &mut Policies, own: bool, other: bool) -> usize {
    const MARGIN: f64 = 1e-13;
    let above = |a: u32, b: u32| x[a as usize] > x[b as usize] + MARGIN;
    let below = |a: u32, b: u32| x[a as usize] < x[b as usize] - MARGIN;
    switch_by(local, policies, own.then_some(above), other.then_some(below))
}

/// [`switch`], where `above` and `below` compare the values of two positions.
pub(super) fn switch_by(
    local: &LocalSystem,
    policies: &mut Policies,
    above: Option<impl Fn(u32, u32) -> bool>,
    below: Option<impl Fn(u32, u32) -> bool>,
) -> usize {
    fn best(moves: &[u32], chosen: &mut u32, is_better: impl Fn(u32, u32) -> bool) -> usize {
        let mut changes = 0;
        for &to in moves {
            if is_better(to, *chosen) {
                *chosen = to;
                changes += 1;
            }
        }
        changes
    }
    let mut changes = 0;
    for v in 0..local.inner {
        changes += above.as_ref().map_or(0, |above| best(local.own.get(v), &mut policies.own[v], above));
        changes += below.as_ref().map_or(0, |below| best(local.other.get(v), &mut policies.other[v], below));
    }
    local.agree(policies);
    changes
}

/// The values of a pair of policies to about `tolerance`, starting from `x`.
pub(super) fn evaluate(
    local: &LocalSystem,
    rate: Rate,
    policies: &Policies,
    x: &mut [f64],
    tolerance: f64,
    until: &dyn Watch,
) -> Result<(), Error> {
    if !rate.is_richman() {
        return newton(local, rate, policies, x, tolerance, until);
    }
    let (inner_x, known) = x.split_at_mut(local.inner);
    let value = |to: u32| if to as usize >= local.inner { known[to as usize - local.inner] } else { 0.0 };
    let b: Vec<f64> = (0..local.inner).map(|v| 0.5 * (value(policies.own[v]) + value(policies.other[v]))).collect();
    solve(local, policies, Slopes::Half, &b, inner_x, tolerance, until)
}

/// [`evaluate`] for a nonlinear turn, by Newton's method. Each step solves a walk with the slopes
/// at the current values, and is shortened until it reduces the residual.
fn newton(
    local: &LocalSystem,
    rate: Rate,
    policies: &Policies,
    x: &mut [f64],
    tolerance: f64,
    until: &dyn Watch,
) -> Result<(), Error> {
    const STEPS: usize = 40;
    const HALVINGS: usize = 10;
    const SWEEPS: usize = 10;
    let inner = local.inner;
    let after = |x: &[f64], v: usize| (x[policies.own[v] as usize], x[policies.other[v] as usize]);
    let residuals = |x: &[f64]| -> Vec<f64> {
        (0..inner)
            .map(|v| {
                let (own, other) = after(x, v);
                approximate(rate, own, other) - x[v]
            })
            .collect()
    };
    let largest = |r: &[f64]| r.iter().fold(0.0f64, |most, r| most.max(r.abs()));
    let mut residual = residuals(x);
    for _ in 0..STEPS {
        let most = largest(&residual);
        if most <= tolerance {
            return Ok(());
        }
        let slopes = local_slopes(rate, policies, x);
        let mut step = vec![0.0; inner];
        solve(local, policies, Slopes::Of(&slopes), &residual, &mut step, f64::min(tolerance, most * 1e-3), until)?;
        let shortened = (0..HALVINGS).find_map(|halvings| {
            let length = 0.5f64.powi(halvings as i32);
            let mut next = x.to_vec();
            next.iter_mut().zip(&step).for_each(|(x, step)| *x = (*x + length * step).clamp(0.0, 1.0));
            let after = residuals(&next);
            (largest(&after) < most).then_some((next, after))
        });
        if let Some((next, after)) = shortened {
            x.copy_from_slice(&next);
            residual = after;
            continue;
        }
        // The step went too far; try plain sweeps instead.
        for _ in 0..SWEEPS {
            for v in 0..inner {
                let (own, other) = after(x, v);
                x[v] = approximate(rate, own, other);
            }
        }
        residual = residuals(x);
        if largest(&residual) >= most {
            return Ok(());
        }
    }
    Ok(())
}

/// The derivatives of each position's value by the values of its two policy moves.
pub(super) fn local_slopes(rate: Rate, policies: &Policies, x: &[f64]) -> Vec<[f64; 2]> {
    let steps = policies.own.iter().zip(&policies.other);
    steps.map(|(&won, &lost)| slopes(rate, x[won as usize], x[lost as usize])).collect()
}

/// Systems of fewer positions are factored at once.
const ITERATIVE_FROM: usize = 400;

fn factor(
    local: &LocalSystem,
    policies: &Policies,
    slopes: Slopes,
    fill: Fill,
    until: &dyn Watch,
) -> Option<Factor<f64>> {
    let rows = rows(policies, 1.0, |v| slopes.at(v));
    Factor::new(rows, fill.within(local.memory), &|| until.cancelled()).ok()
}

/// Whether play spreads as in a random graph, whose system fills in: many positions are near. Small
/// systems are factored faster than this is found out.
fn spreads(policies: &Policies) -> bool {
    const SMALL: usize = 50_000;
    const MANY: usize = 4_096;
    const NEAR: usize = 32;
    let inner = policies.own.len();
    let is_wide = |from: usize| {
        let mut seen: FxHashSet<usize> = FxHashSet::from_iter([from]);
        let mut front = vec![from];
        for _ in 0..NEAR {
            let next = front.iter().flat_map(|&v| [policies.own[v] as usize, policies.other[v] as usize]);
            let next: Vec<usize> = next.filter(|&to| to < inner && seen.insert(to)).collect();
            front = next;
            if seen.len() >= MANY {
                return true;
            }
        }
        false
    };
    inner >= SMALL && [0, inner / 2, inner - 1].into_iter().all(is_wide)
}

/// The factored system of the walk of a pair of policies, if it hardly fills in.
pub(super) fn thin_factor(
    local: &LocalSystem,
    policies: &Policies,
    slopes: Slopes,
    until: &dyn Watch,
) -> Option<Factor<f64>> {
    if local.inner < ITERATIVE_FROM {
        return factor(local, policies, slopes, DIRECT, until);
    }
    let may_be = local.may_be_thin() && !spreads(policies);
    let found = may_be.then(|| factor(local, policies, slopes, thin(local.inner), until)).flatten();
    local.set_thin(found.is_some());
    found
}

/// Solves (I - M) x = b for the walk of a pair of policies, to a residual of about `tolerance`.
pub(super) fn solve(
    local: &LocalSystem,
    policies: &Policies,
    slopes: Slopes,
    b: &[f64],
    x: &mut [f64],
    tolerance: f64,
    until: &dyn Watch,
) -> Result<(), Error> {
    const MOST: usize = 4_000;
    check(until)?;
    let mut found = thin_factor(local, policies, slopes, until);
    if found.is_none() {
        let walk = RandomWalk { own: &policies.own, other: &policies.other, slopes };
        let most = if local.inner > 50_000 { MOST } else { 1_000 };
        if local.inner >= ITERATIVE_FROM && walk.solve(b, x, tolerance, most, &|| until.cancelled()) {
            return Ok(());
        }
        check(until)?;
        found = factor(local, policies, slopes, DIRECT, until);
    }
    let Some(factor) = found else { return check(until) };
    // Two rounds of refinement bring the residual down to rounding.
    for _ in 0..3 {
        let value = |to: u32| if (to as usize) < local.inner { x[to as usize] } else { 0.0 };
        let mut r: Vec<f64> = (0..local.inner)
            .map(|v| {
                let [own, other] = slopes.at(v);
                b[v] - (x[v] - (own * value(policies.own[v]) + other * value(policies.other[v])))
            })
            .collect();
        factor.solve(&mut r);
        x.iter_mut().zip(&r).for_each(|(x, r)| *x += r);
        check(until)?;
    }
    Ok(())
}

/// The rows of 2 (I - M): 2 on the diagonal, minus one for each step inside.
pub(super) fn matrix<F>(policies: &Policies, number: impl Fn(i64) -> F) -> Vec<Vec<(u32, F)>> {
    let rows = rows(policies, 2, |_| [1; 2]).into_iter();
    rows.map(|row| row.into_iter().map(|(c, value)| (c, number(value))).collect()).collect()
}

/// The rows of a matrix: `diagonal` on the diagonal, minus the slope of each step inside.
fn rows<T: Copy + Neg<Output = T> + SubAssign>(
    policies: &Policies,
    diagonal: T,
    slopes: impl Fn(usize) -> [T; 2],
) -> Vec<Vec<(u32, T)>> {
    let inner = policies.own.len();
    (0..inner)
        .map(|v| {
            let mut row = vec![(v as u32, diagonal)];
            for (to, slope) in [policies.own[v], policies.other[v]].into_iter().zip(slopes(v)) {
                if to as usize >= inner {
                    continue;
                }
                match row.iter_mut().find(|entry| entry.0 == to) {
                    Some(entry) => entry.1 -= slope,
                    None => row.push((to, -slope)),
                }
            }
            row
        })
        .collect()
}
