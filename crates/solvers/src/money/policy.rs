//! Good policies for both players, found in doubles: value iteration for a start, then policy iteration.
//!
//! Only a guide: whatever is claimed is proved afterwards in exact arithmetic.

use super::factor::{Factor, Fill};
use super::krylov::Walk;
use super::local::{Local, Policies};

/// Systems that are solved directly, where iteration does not converge.
const DIRECT: Fill = Fill { entries: 4 << 20, dense: 1200 };

/// Systems that are solved directly before any iteration is tried: paths and the like, which hardly fill in.
fn thin(inner: usize) -> Fill {
    Fill { entries: 8 * inner + 1024, dense: 128 }
}

/// Looks for best policies and their values `x` (known values are filled in from `inner` on).
///
/// `proper` has a policy of the player under which play comes out whatever the other player does, and one of the other
/// player that makes for where the player's chance is least. On long paths, where values say nothing far from the ends,
/// these are what policy iteration would need one round for every position to find.
pub(super) fn optimise(local: &Local, proper: &Policies, x: &mut [f64], stop: &dyn Fn() -> bool) -> Policies {
    const SWEEPS: usize = 40;
    const ROUNDS: usize = 60;
    const COARSE: f64 = 1e-5;
    const FINE: f64 = 3e-14;
    let inner = local.inner;
    for _ in 0..SWEEPS {
        for v in 0..inner {
            let best = local.own.get(v).iter().map(|&to| x[to as usize]).fold(0.0, f64::max);
            let worst = local.other.get(v).iter().map(|&to| x[to as usize]).fold(1.0, f64::min);
            x[v] = 0.5 * (best + worst);
        }
    }
    let mut policies = proper.clone();
    let mut last = usize::MAX;
    // Far from the end the values only have to be good enough to choose by.
    let mut tolerance = COARSE;
    for _ in 0..ROUNDS {
        let changes = switch(local, x, &mut policies);
        for v in policies.trapped() {
            policies.own[v] = proper.own[v];
        }
        if (changes == 0 && tolerance <= FINE) || stop() {
            break;
        }
        if changes > last / 2 || changes * 1000 <= inner {
            tolerance = f64::max(tolerance * 1e-3, FINE);
        }
        last = if changes == 0 { usize::MAX } else { changes };
        evaluate(local, &policies, x, tolerance, stop);
    }
    policies
}

/// Switches every move to a better one, if there is one; the number of switches.
pub(super) fn switch(local: &Local, x: &[f64], policies: &mut Policies) -> usize {
    const MARGIN: f64 = 1e-13;
    let mut changes = 0;
    for v in 0..local.inner {
        for &to in local.own.get(v) {
            if x[to as usize] > x[policies.own[v] as usize] + MARGIN {
                policies.own[v] = to;
                changes += 1;
            }
        }
        for &to in local.other.get(v) {
            if x[to as usize] < x[policies.other[v] as usize] - MARGIN {
                policies.other[v] = to;
                changes += 1;
            }
        }
    }
    changes
}

/// The values of a pair of policies, from the values in `x` as a start, to about `tolerance`.
pub(super) fn evaluate(local: &Local, policies: &Policies, x: &mut [f64], tolerance: f64, stop: &dyn Fn() -> bool) {
    let (inner_x, known) = x.split_at_mut(local.inner);
    let value = |to: u32| if to as usize >= local.inner { known[to as usize - local.inner] } else { 0.0 };
    let b: Vec<f64> = (0..local.inner).map(|v| 0.5 * (value(policies.own[v]) + value(policies.other[v]))).collect();
    solve(local, policies, &b, inner_x, tolerance, stop);
}

/// Solves (I - M) x = b for the walk of a pair of policies, to a residual of about `tolerance`.
pub(super) fn solve(
    local: &Local,
    policies: &Policies,
    b: &[f64],
    x: &mut [f64],
    tolerance: f64,
    stop: &dyn Fn() -> bool,
) {
    const ITERATIVE_FROM: usize = 400;
    const MOST: usize = 4_000;
    let walk = Walk { own: &policies.own, other: &policies.other };
    let direct =
        |fill: Fill| Factor::<f64>::new(matrix(policies, |value| value as f64 / 2.0), fill.within(local.memory), stop);
    let thin =
        if local.inner >= ITERATIVE_FROM && local.may_be_thin.get() { direct(thin(local.inner)).ok() } else { None };
    local.may_be_thin.set(thin.is_some());
    if local.inner >= ITERATIVE_FROM && thin.is_none() {
        let most = if local.inner > 50_000 { MOST } else { 1_000 };
        if walk.solve(b, x, tolerance, most, stop) {
            return;
        }
    }
    let Some(factor) = thin.or_else(|| direct(DIRECT).ok()) else { return };
    // Two rounds of refinement bring the residual down to rounding.
    for _ in 0..3 {
        let value = |to: u32| if (to as usize) < local.inner { x[to as usize] } else { 0.0 };
        let mut r: Vec<f64> = (0..local.inner)
            .map(|v| b[v] - (x[v] - 0.5 * (value(policies.own[v]) + value(policies.other[v]))))
            .collect();
        factor.solve(&mut r);
        x.iter_mut().zip(&r).for_each(|(x, r)| *x += r);
    }
}

/// The rows of 2 (I - M): 2 on the diagonal, less one for each step inside.
pub(super) fn matrix<F>(policies: &Policies, number: impl Fn(i64) -> F) -> Vec<Vec<(u32, F)>> {
    let inner = policies.own.len();
    (0..inner)
        .map(|v| {
            let mut row: Vec<(u32, i64)> = vec![(v as u32, 2)];
            for to in [policies.own[v], policies.other[v]] {
                if to as usize >= inner {
                    continue;
                }
                match row.iter_mut().find(|entry| entry.0 == to) {
                    Some(entry) => entry.1 -= 1,
                    None => row.push((to, -1)),
                }
            }
            row.into_iter().map(|(c, value)| (c, number(value))).collect()
        })
        .collect()
}
