//! Mean payoff with real money.
//!
//! **Method.** The average is that of play in which a coin decides who moves; its bias follows from
//! the payment and Alice's share ([`richman_core::Rate::coin`]). The search runs in doubles and
//! tries quick methods first: sweeps of best moves; improving both players' choices at once, as
//! long as they settle; for a nearly fair coin, random moves of which the better ones become
//! likelier; at last, improving one player's choices against the other's best replies, with a
//! slight discount so that no choices recur. **Proof.** Each position has a potential. One move of
//! best play for the coin changes weight plus potential, on average, by a number; its least and
//! greatest value over all positions bound the average: theorem 28 (mean payoff with real money) of
//! `docs/design.md`. They are computed in whole numbers.
//!
//! **Accepts** every payment and every arena. **Result:** exact if the arena is small and the
//! potentials of the best strategies prove one number, else bounds on the averages from all
//! positions. They are narrow where all positions have the same average, as in a component in which
//! both players have the same moves, and wide elsewhere. **Stops** because every change of one
//! player's choices makes them better against best replies. **Time:** a linear system for each of
//! ten to a few hundred pairs of strategies. **Memory:** about 500 bytes for each position and 50
//! for each move. **Checked by** the verifier, in one pass, and by all strategies of small arenas.

mod choices;
mod smooth;
mod turns;

use std::cell::Cell;

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use richman_core::{
    Effort, Error, Exactness, MeanPayoffArena, MeanPayoffSolution, Mechanism, Node, PayoffBounds, Player, Potentials,
    Share, StopReason, Watch,
};

use super::krylov::{Slopes, largest};
use super::local::LocalSystem;
use super::policy::{check, solve, thin_factor};
use crate::registry;
use choices::Choices;
use smooth::Cooling;
use turns::{Turns, center, width};

/// Larger arenas are not solved exactly.
const LARGEST_EXACT: usize = 80;

/// Bounds at most this far apart are narrow enough.
const NARROW: f64 = 1e-10;

/// The discount of later moves, so that each pair of strategies has potentials.
const FINE_LOSS: f64 = 1e-12;

/// The least gain of a better move, as a part of the greatest potential.
const MARGIN: f64 = 1e-13;

/// Finds the long-run average for `share`, Alice's share of the money.
///
/// ```
/// use richman_core::{Effort, Mechanism, MeanPayoffArenaBuilder, PositionKind, Share};
/// use richman_solvers::mean_payoff;
///
/// // A path of three with loops at its ends; steps to the last position weigh 1.
/// let mut builder = MeanPayoffArenaBuilder::new();
/// for at in 0..3u32 {
///     let moves = [at.saturating_sub(1), (at + 1).min(2)].map(|to| (to, i64::from(to == 2)));
///     builder.labelled(&moves, &moves, PositionKind::Bid);
/// }
/// let arena = builder.build(0)?;
/// let half = Share::dyadic(1, 1);
/// let solved = mean_payoff::money(&arena, &Mechanism::default(), &half, &Effort::default())?;
/// assert_eq!(solved.value.low, solved.value.high);
/// assert_eq!(solved.value.low.to_string(), "1/3");
/// # Ok::<(), richman_core::Error>(())
/// ```
///
/// # Errors
/// [`Error::Unsupported`] if the mechanism is not served, or an exact average is required and not
/// found; [`Error::TooMuchMemory`]; [`Error::Cancelled`].
pub fn money(
    arena: &MeanPayoffArena,
    mechanism: &Mechanism,
    share: &Share,
    effort: &Effort,
) -> Result<MeanPayoffSolution, Error> {
    const PER_POSITION: u64 = 500;
    registry::endless_money(mechanism, arena)?;
    let needed = arena.len() as u64 * PER_POSITION + arena.edges() as u64 * (8 + Turns::PER_EDGE);
    effort.check_memory("solving the mean-payoff game", needed)?;
    let left = effort.memory_left().saturating_sub(needed);
    let until = effort.until();
    let nodes: Vec<Node> = arena.nodes().collect();
    let coin = mechanism.payment.rate().coin(share);
    let mut search = AverageSearch {
        arena,
        local: LocalSystem::new(arena, &nodes, Player::Alice, left, effort.watch)?,
        turns: Turns::new(arena, coin.to_f64()),
        until: &until,
        worth: vec![0.0; arena.len()],
        narrowest: (f64::INFINITY, Vec::new()),
    };
    let found = search.improve();
    effort.check_cancelled()?;
    let policies = match found {
        Err(Error::Cancelled) => None,
        found => Some(found?),
    };
    let exact = match policies {
        Some(policies) if arena.len() <= LARGEST_EXACT && effort.exactness != Exactness::Bounds => {
            exactly(&search, &coin, policies)
        }
        _ => None,
    };
    let is_late = until.cancelled();
    let potentials = exact.unwrap_or_else(|| rounded(&search.worth));
    let value = bounds(arena, &coin, &potentials);
    let stop = match value.low == value.high {
        true => StopReason::Proved,
        false if effort.exactness == Exactness::Required => {
            return Err(Error::inexact("an exact mean payoff of this game"));
        }
        false if is_late => StopReason::TimeUp,
        false => StopReason::Bounded,
    };
    Ok(MeanPayoffSolution { mechanism: mechanism.clone(), share: share.clone(), value, potentials, stop })
}

struct AverageSearch<'a> {
    arena: &'a MeanPayoffArena,
    local: LocalSystem,
    turns: Turns,
    until: &'a dyn Watch,
    /// The potential of each position.
    worth: Vec<f64>,
    /// The potentials with the narrowest bounds, and the width of the bounds.
    narrowest: (f64, Vec<f64>),
}

impl AverageSearch<'_> {
    /// Finds best or nearly best strategies and their potentials.
    fn improve(&mut self) -> Result<Choices, Error> {
        let found = self.search();
        if !self.narrowest.1.is_empty() {
            self.worth = std::mem::take(&mut self.narrowest.1);
        }
        found
    }

    fn search(&mut self) -> Result<Choices, Error> {
        /// Best replies are found quickly in smaller arenas.
        const LARGE: usize = 1_000;
        /// A coin is nearly fair if its chance is this close to 1/2.
        const FAIR: f64 = 1.0 / 32.0;
        const SWEEPS: usize = 128;
        self.sweep(SWEEPS)?;
        let mut choices = Choices::best(self.arena, &self.worth, NARROW);
        if self.is_narrow() || self.improve_both(&mut choices)? {
            return Ok(choices);
        }
        if self.arena.len() >= LARGE && (self.turns.chance - 0.5).abs() <= FAIR {
            let (memory, until) = (self.local.memory, self.until);
            let cooling = Cooling { turns: &self.turns, memory, until, is_slow: Cell::new(false) };
            self.worth = cooling.potentials(NARROW);
            check(self.until)?;
            choices = Choices::best(self.arena, &self.worth, NARROW);
            if self.is_narrow() || self.improve_both(&mut choices)? {
                return Ok(choices);
            }
        }
        self.worth.clone_from(&self.narrowest.1);
        self.sweep(16 * SWEEPS)?;
        choices = Choices::best(self.arena, &self.worth, NARROW);
        if !self.is_narrow() {
            self.improve_replies(&mut choices)?;
        }
        Ok(choices)
    }

    /// Value iteration. Each sweep goes half of the way, so that the length of cycles does not
    /// matter.
    fn sweep(&mut self, most: usize) -> Result<(), Error> {
        for sweep in 0..most {
            let changes = self.turns.changes(&self.worth);
            let first = changes[self.arena.start() as usize];
            for (worth, change) in self.worth.iter_mut().zip(&changes) {
                *worth += 0.5 * (change - first);
            }
            if sweep % 16 == 0 && (self.until.cancelled() || width(&changes) <= NARROW) {
                break;
            }
        }
        check(self.until)
    }

    /// Strategy iteration of both players at once, as long as they settle. Returns whether they
    /// did.
    fn improve_both(&mut self, choices: &mut Choices) -> Result<bool, Error> {
        const PATIENCE: usize = 4;
        let (mut fewest, mut waited) = (usize::MAX, 0);
        while waited < PATIENCE {
            self.evaluate(choices, FINE_LOSS, 0.0)?;
            if self.is_narrow() {
                return Ok(true);
            }
            let changes: usize = Player::BOTH.map(|player| self.change(choices, player)).into_iter().sum();
            if changes == 0 {
                break;
            }
            // Gives up when many changes remain and do not become fewer.
            waited = match changes < fewest - fewest / 4 {
                true => 0,
                false => waited + 1 + PATIENCE * changes / self.arena.len(),
            };
            fewest = fewest.min(changes);
        }
        Ok(false)
    }

    /// Strategy iteration in which the player whom the coin favours replies as well as possible
    /// before the other player changes their strategy.
    fn improve_replies(&mut self, choices: &mut Choices) -> Result<(), Error> {
        const COARSE_LOSS: f64 = 1e-6;
        /// Far more than needed, unless rounding makes choices recur.
        const MOST: u64 = 10_000;
        let strong = if self.turns.chance >= 0.5 { Player::Alice } else { Player::Bob };
        let mut done = 0;
        for loss in [COARSE_LOSS, FINE_LOSS] {
            loop {
                loop {
                    self.evaluate(choices, loss, loss)?;
                    done += 1;
                    self.until.progress("strategies", done, None);
                    if self.change(choices, strong) == 0 || done >= MOST {
                        break;
                    }
                }
                if self.is_narrow() {
                    return Ok(());
                }
                if self.change(choices, strong.other()) == 0 || done >= MOST {
                    break;
                }
            }
        }
        // Makes up for the discount.
        self.improve_both(choices)?;
        Ok(())
    }

    /// Replaces a player's choices by better ones; returns how many.
    fn change(&self, choices: &mut Choices, player: Player) -> usize {
        choices.improve(self.arena, player, &self.worth, MARGIN * largest(&self.worth).max(1.0))
    }

    /// Corrects the potentials by a system in which later moves count less by `loss`, until a move
    /// of these choices changes all of them by the same number, up to `part` of it.
    fn evaluate(&mut self, choices: &Choices, loss: f64, part: f64) -> Result<(), Error> {
        const ROUNDS: usize = 4;
        check(self.until)?;
        let slopes = choices.slopes(self.turns.chance);
        let gains = choices.gains(&slopes);
        let kept = 1.0 / (1.0 + loss);
        let scaled: Vec<[f64; 2]> = slopes.iter().map(|slopes| slopes.map(|slope| slope * kept)).collect();
        let (policies, scaled) = (&choices.policies, Slopes::Of(&scaled));
        let factor = thin_factor(&self.local, policies, scaled, self.until);
        let moves = || policies.own.iter().zip(&policies.other).zip(&slopes);
        for _ in 0..ROUNDS {
            let worth = &self.worth;
            let after = moves()
                .map(|((&own, &reply), slopes)| slopes[0] * worth[own as usize] + slopes[1] * worth[reply as usize]);
            let now = gains.iter().zip(after).zip(worth);
            let mut step: Vec<f64> =
                now.map(|((gain, after), worth)| kept * (gain + after - worth - part * worth)).collect();
            center(&mut step);
            let most = largest(&step);
            if most <= f64::EPSILON * largest(worth) {
                break;
            }
            match &factor {
                Some(factor) => factor.solve(&mut step),
                None => {
                    let rest = std::mem::replace(&mut step, vec![0.0; worth.len()]);
                    solve(&self.local, policies, scaled, &rest, &mut step, most * 1e-3, self.until)?;
                }
            }
            if !step.iter().all(|step| step.is_finite()) {
                break;
            }
            self.worth.iter_mut().zip(&step).for_each(|(worth, step)| *worth += step);
            center(&mut self.worth);
        }
        Ok(())
    }

    /// Whether the potentials bound the average narrowly; keeps the best ones.
    fn is_narrow(&mut self) -> bool {
        let found = width(&self.turns.changes(&self.worth));
        if found < self.narrowest.0 || self.narrowest.1.is_empty() {
            self.narrowest = (found, self.worth.clone());
        }
        found <= NARROW
    }
}

/// The potentials as whole numbers over a power of two.
fn rounded(worth: &[f64]) -> Potentials {
    const BITS: usize = 44;
    let scale = (1u64 << BITS) as f64;
    let numerators = worth.iter().map(|worth| IBig::from((worth * scale).round() as i128)).collect();
    Potentials { numerators, denominator: UBig::ONE << BITS }
}

/// The change of the potential by one move of best play with this coin: its least and its greatest
/// value over all positions.
fn bounds(arena: &MeanPayoffArena, coin: &Share, potentials: &Potentials) -> PayoffBounds {
    let whole = IBig::from(potentials.denominator.clone());
    let (alice, all) = (IBig::from(coin.numerator()), IBig::from(coin.denominator().clone()));
    let value = |(to, weight): (Node, i64)| &potentials.numerators[to as usize] + IBig::from(weight) * &whole;
    let changes = arena.nodes().filter_map(|node| {
        let best = arena.labelled(node, Player::Alice).map(value).max();
        let worst = arena.labelled(node, Player::Bob).map(value).min();
        let (best, worst) = (best.clone().or(worst.clone())?, worst.or(best)?);
        let (more, less) = if best >= worst { (best, worst) } else { (worst, best) };
        Some(more * &alice + less * (&all - &alice) - &potentials.numerators[node as usize] * &all)
    });
    let (low, high) = changes.fold((None, None), |(low, high): (Option<IBig>, Option<IBig>), change| {
        let is_less = low.as_ref().is_none_or(|low| change < *low);
        let is_more = high.as_ref().is_none_or(|high| change > *high);
        (if is_less { Some(change.clone()) } else { low }, if is_more { Some(change) } else { high })
    });
    let unit = coin.denominator() * &potentials.denominator;
    let [low, high] = [low, high].map(|end| RBig::from_parts(end.unwrap_or_default(), unit.clone()));
    PayoffBounds { low, high }
}

/// Exact potentials for this coin of the best moves for another coin's potentials, if they prove
/// one number.
pub(super) fn by_moves_of(arena: &MeanPayoffArena, coin: &Share, other: &Potentials) -> Option<Potentials> {
    if arena.len() > LARGEST_EXACT {
        return None;
    }
    let scale = other.denominator.to_f64().value();
    let worth: Vec<f64> = other.numerators.iter().map(|one| one.to_f64().value() / scale).collect();
    let potentials = Choices::best(arena, &worth, NARROW).exactly(coin)?;
    let PayoffBounds { low, high } = bounds(arena, coin, &potentials);
    (low == high).then_some(potentials)
}

/// The exact potentials of these moves, or of better ones, if they prove one number.
fn exactly(search: &AverageSearch, coin: &Share, mut choices: Choices) -> Option<Potentials> {
    const ROUNDS: usize = 8;
    for _ in 0..ROUNDS {
        if search.until.cancelled() {
            return None;
        }
        let potentials = choices.exactly(coin)?;
        let value = bounds(search.arena, coin, &potentials);
        if value.low == value.high {
            return Some(potentials);
        }
        let scale = potentials.denominator.to_f64().value();
        let worth: Vec<f64> = potentials.numerators.iter().map(|one| one.to_f64().value() / scale).collect();
        let changes = Player::BOTH.map(|player| choices.improve(search.arena, player, &worth, MARGIN));
        if changes == [0; 2] {
            return None;
        }
    }
    None
}
