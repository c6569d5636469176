//! Exact values of a cyclic component, kept if they satisfy every equation and the player makes
//! progress.

use std::cmp::Ordering;

use rayon::prelude::*;
use richman_core::{CommonShares, Exactness, Node, Share, Watch, Winnable, progresses};

use super::super::exact::{self, ExactLimits};
use super::super::factor::{Fill, NotFactored};
use super::super::local::{LocalSystem, Policies};
use super::super::policy::{evaluate, switch, switch_by};
use super::ReachValues;

impl<L: Winnable> ReachValues<'_, L> {
    /// Proved exact values, or `None` if they do not fit the limits.
    pub(super) fn exact_values(
        &self,
        local: &LocalSystem,
        mut policies: Policies,
        proper: &Policies,
        known: &[Share],
    ) -> Result<Option<Vec<Share>>, NotFactored> {
        const CORRECTIONS: usize = 6;
        // If exact values take too long, bounds still need time.
        let part = match self.effort.exactness {
            Exactness::Required => 1,
            _ => 2,
        };
        let options = self.effort.time_left().map_or(*self.effort, |left| self.effort.at_most(left / part));
        let until = options.until();
        let stop = || until.cancelled();
        let evaluate = |policies: &Policies| exact::values(local, policies, known, self.room(), &stop);
        let proved = |values: &CommonShares| {
            let shares = || in_parallel(local.inner, |v| values.get(v));
            let made = self.makes_progress(local, values).ok_or(NotFactored::Stopped)?;
            Ok(made.then(shares))
        };
        for _ in 0..CORRECTIONS {
            let Some(values) = evaluate(&policies)? else { return Ok(None) };
            if improve(local, &mut policies, &values, true, true) == 0 {
                if let Some(shares) = proved(&values)? {
                    return Ok(Some(shares));
                }
                break;
            }
            if !policies.trapped(&until).map_err(|_| NotFactored::Stopped)?.is_empty() {
                break;
            }
        }
        // Policy iteration from a policy that makes progress keeps to such policies. Its values
        // rise towards the chance of winning, so it ends at the right solution of the equations.
        policies.own.copy_from_slice(&proper.own);
        local.agree(&mut policies);
        loop {
            self.best_reply(local, &mut policies, known);
            let values = loop {
                let Some(values) = evaluate(&policies)? else { return Ok(None) };
                if improve(local, &mut policies, &values, false, true) == 0 {
                    break values;
                }
            };
            if improve(local, &mut policies, &values, true, false) == 0 {
                return proved(&values);
            }
        }
    }

    /// A good reply of the other player, found in doubles.
    fn best_reply(&self, local: &LocalSystem, policies: &mut Policies, known: &[Share]) {
        const ROUNDS: usize = 30;
        let mut x = vec![0.5; local.nodes.len()];
        for (x, share) in x[local.inner..].iter_mut().zip(known) {
            *x = share.to_f64();
        }
        for _ in 0..ROUNDS {
            let until = self.effort.until();
            if evaluate(local, self.rate, policies, &mut x, 1e-13, &until).is_err() {
                return; // the next step asks too
            }
            if switch(local, &x, policies, false, true) == 0 || self.stopped() {
                break;
            }
        }
    }

    fn room(&self) -> ExactLimits {
        // 10,000 positions with random moves fill in 4 million entries. Beyond that, bounds are a
        // better use of time.
        const LARGEST_DENSE: usize = 4_000;
        const MOST_ENTRIES: usize = 8 << 20;
        let most = Fill { entries: MOST_ENTRIES, dense: LARGEST_DENSE };
        ExactLimits::within(most, self.effort.memory_left().saturating_sub(self.held))
    }

    /// Whether moves that preserve the values make progress from every position; `None` if stopped.
    fn makes_progress(&self, local: &LocalSystem, values: &CommonShares) -> Option<bool> {
        let greatest = |moves: &[u32]| moves.iter().map(|&to| to as usize).max_by(|&a, &b| values.cmp(a, b));
        let best: Vec<Option<usize>> = (0..local.inner).map(|v| greatest(local.own.get(v))).collect();
        let joined = |node: Node| local.index(node).is_some_and(|i| i >= local.inner && !values.is_zero(i));
        let keeps = |node: Node, to: Node| {
            let best = local.index(node).and_then(|v| best[v]).zip(local.index(to));
            best.is_some_and(|(best, to)| values.cmp(to, best) == Ordering::Equal)
        };
        let inner = &local.nodes[..local.inner];
        let joins = progresses(self.arena, inner, self.player, joined, keeps, |_| true, &self.effort.until()).ok()?;
        Some(joins.into_iter().all(|joins| joins))
    }
}

/// The results of `find` for 0 to `count` - 1. The calling thread copies all results, so that the
/// threads' allocations do not fragment memory.
fn in_parallel<T: Clone + Send>(count: usize, find: impl Fn(usize) -> T + Sync) -> Vec<T> {
    const AT_ONCE: usize = 256;
    let mut all = Vec::with_capacity(count);
    for first in (0..count).step_by(AT_ONCE) {
        let found: Vec<T> = (first..count.min(first + AT_ONCE)).into_par_iter().map(&find).collect();
        all.extend(found.iter().cloned());
    }
    all
}

/// Switches moves of the player (`own`) and the `other` to strictly better ones by exact values;
/// returns the number of switches.
fn improve(local: &LocalSystem, policies: &mut Policies, values: &CommonShares, own: bool, other: bool) -> usize {
    let is = |order: Ordering| move |a: u32, b: u32| values.cmp(a as usize, b as usize) == order;
    switch_by(local, policies, own.then(|| is(Ordering::Greater)), other.then(|| is(Ordering::Less)))
}
