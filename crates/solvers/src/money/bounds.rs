//! Proved bounds where exact values would not fit: integers in units of 2^-62.
//!
//! **Upper bound.** Let U(v) at every position be at least one turn (see `turn`) from U at the
//! player's best move and the other player's worst. Then U is at least the chance of winning: with
//! a share above U, the other player stays above it.
//!
//! **Lower bound.** Let L(v) at every position be at most one turn from L(m(v)), for some move
//! m(v) of the player, and L at the other player's worst move. If these moves make progress (see
//! [`richman_core::progress`]), L is at most the chance of winning. Theorem 3 (bounds in
//! random-turn play) and theorem 7 (bounds in real money) of `docs/design.md` prove both.
//!
//! Candidates come from nearly best policies: their value, up to rounding, plus or minus a multiple
//! of the solution of g = 1 + (slopes of one turn) g, which with Richman payment is the expected
//! number of moves. This gives every inequality more slack than rounding takes. If no candidate
//! passes, because equal moves can prolong play, plain iteration from both sides runs until the
//! time is up: always sound, perhaps wide.
//!
//! Policies that are not yet best have bounds too, made wide by their worst inequality. These are
//! the answer if time runs out before better ones are proved.

use richman_core::{Error, LabelledArena, Node, Player, Rate, TimedWatch, Watch, Winnable, progresses};

use super::krylov::Slopes;
use super::local::{LocalSystem, Policies};
use super::policy::{check, local_slopes, solve};
use super::turn::{ceil, floor};

/// 1 in units of 2^-62.
pub(super) const ONE: u64 = 1 << 62;

pub(super) struct LocalBounds {
    pub low: Vec<u64>,
    pub high: Vec<u64>,
}

/// Bounds from either side, if they are proved.
#[derive(Default)]
pub(super) struct ProvedSides {
    pub low: Option<Vec<u64>>,
    pub high: Option<Vec<u64>>,
}

impl ProvedSides {
    /// Fills in the sides that are missing.
    pub fn or(self, other: ProvedSides) -> ProvedSides {
        ProvedSides { low: self.low.or(other.low), high: self.high.or(other.high) }
    }

    /// The bounds, which are 0 and 1 where nothing is proved.
    pub fn or_any(self, count: usize) -> LocalBounds {
        let side = |side: Option<Vec<u64>>, any| side.unwrap_or_else(|| vec![any; count]);
        LocalBounds { low: side(self.low, 0), high: side(self.high, ONE) }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum WhichBound {
    Low,
    High,
}

impl WhichBound {
    /// A value with `slack` for each of `moves` moves.
    fn moved(self, slack: f64, (&value, &moves): (&u64, &f64)) -> u64 {
        let by = (slack * moves) as u64 + 1;
        match self {
            WhichBound::High => value.saturating_add(by).min(ONE),
            WhichBound::Low => value.saturating_sub(by),
        }
    }
}

pub(super) struct BoundSearch<'a, L: Winnable> {
    pub arena: &'a LabelledArena<L>,
    pub player: Player,
    pub rate: Rate,
    pub local: &'a LocalSystem,
    pub policies: &'a Policies,
    /// Known bounds of the local positions.
    pub known_low: &'a [u64],
    pub known_high: &'a [u64],
    /// The width to aim for.
    pub width: u64,
    /// When this says stop, the bounds proved so far are the answer.
    pub until: &'a TimedWatch<'a>,
}

impl<L: Winnable> BoundSearch<'_, L> {
    /// Bounds for all local positions, as narrow as can be proved; `early` has those proved before.
    ///
    /// # Errors
    /// [`Error::Cancelled`] if the watch says stop. When the time is up, returns the bounds proved
    /// so far, at worst 0 and 1.
    pub fn bounds(&self, x: &[f64], early: ProvedSides) -> Result<LocalBounds, Error> {
        let walk = self.in_time(self.expected_moves(self.policies, x))?;
        let center = |side| match &walk {
            Some(_) => self.in_time(self.refined(x, self.known(side)).map(Some)),
            None => Ok(None),
        };
        let proved = |side, center: Option<&Vec<u64>>| match walk.as_ref().zip(center) {
            Some((walk, center)) => self.in_time(self.proved(side, x, center, walk)),
            None => Ok(None),
        };
        let above = center(WhichBound::High)?;
        let high = proved(WhichBound::High, above.as_ref())?;
        let below = if self.known_low == self.known_high { above } else { center(WhichBound::Low)? };
        let low = proved(WhichBound::Low, below.as_ref())?;
        let are_narrow = match (&low, &high) {
            (Some(low), Some(high)) => self.rate.is_richman() || widest(low, high) <= self.width,
            _ => false,
        };
        let sides = ProvedSides { low, high };
        let bounds = if are_narrow || self.until.is_over() {
            sides.or(early).or_any(self.local.inner)
        } else if self.rate.is_richman() {
            self.iterate(sides, early)
        } else {
            self.risen(sides, early)
        };
        check(self.until.watch)?;
        Ok(bounds)
    }

    /// Bounds from policies that may still err, and their values.
    ///
    /// # Errors
    /// [`Error::Cancelled`] if the watch says stop or the time is up.
    pub fn early(&self, x: &[f64]) -> Result<ProvedSides, Error> {
        /// The slack absorbs the rest of a change after a few rounds, or never.
        const ROUNDS: usize = 12;
        /// Wider bounds say nothing.
        const USEFUL: f64 = 0.25;
        let Some(walk) = self.expected_moves(self.policies, x)? else { return Ok(ProvedSides::default()) };
        let center: Vec<u64> = x[..self.local.inner].iter().map(|x| (x.clamp(0.0, 1.0) * ONE as f64) as u64).collect();
        let longest = walk.iter().fold(0.0, |most: f64, &count| most.max(count));
        let slacks = [WhichBound::Low, WhichBound::High].map(|side| self.violation(side, &center) as f64 + 2.0);
        if slacks.into_iter().all(|slack| slack * longest > USEFUL * ONE as f64) {
            return Ok(ProvedSides::default());
        }
        let moved = |side: WhichBound| {
            let slack = slacks[usize::from(side == WhichBound::High)];
            center.iter().zip(&walk).map(|at| side.moved(slack, at)).collect::<Vec<u64>>()
        };
        let mut high = moved(WhichBound::High);
        let is_high = self.settles(&mut high, self.known_high, ceil, u64::max, ROUNDS);
        let mut low = moved(WhichBound::Low);
        let is_low = self.settles(&mut low, self.known_low, floor, u64::min, ROUNDS) && self.makes_progress(&low)?;
        Ok(ProvedSides { low: is_low.then_some(low), high: is_high.then_some(high) })
    }

    /// `None` if the time was up.
    fn in_time<T>(&self, found: Result<Option<T>, Error>) -> Result<Option<T>, Error> {
        match found {
            Err(Error::Cancelled) if !self.until.watch.cancelled() => Ok(None),
            found => found,
        }
    }

    /// The expected number of moves from every position until play leaves the component: the change
    /// of a value per unit of slack in its inequality.
    fn expected_moves(&self, policies: &Policies, x: &[f64]) -> Result<Option<Vec<f64>>, Error> {
        if !policies.trapped(self.until)?.is_empty() {
            return Ok(None);
        }
        let ones = vec![1.0; self.local.inner];
        let mut moves = ones.clone();
        if self.rate.is_richman() {
            solve(self.local, policies, Slopes::Half, &ones, &mut moves, 1e-3, self.until)?;
        } else {
            self.bent(policies, x, &ones, &mut moves)?;
        }
        Ok(moves.iter().all(|&count| count.is_finite() && count >= 0.5).then_some(moves))
    }

    /// The same for a nonlinear turn. It has a kink where both moves have equal values; there the
    /// larger slope belongs to the value that changes more.
    fn bent(&self, policies: &Policies, x: &[f64], ones: &[f64], moves: &mut [f64]) -> Result<(), Error> {
        const ROUNDS: usize = 8;
        const EQUAL: f64 = 1e-11;
        let mut slopes = local_slopes(self.rate, policies, x);
        let value = |to: u32| x[to as usize];
        for _ in 0..ROUNDS {
            solve(self.local, policies, Slopes::Of(&slopes), ones, moves, 1e-3, self.until)?;
            let further = |to: u32| if (to as usize) < self.local.inner { moves[to as usize] } else { 0.0 };
            let mut turned = false;
            for (v, slopes) in slopes.iter_mut().enumerate() {
                let (own, other) = (policies.own[v], policies.other[v]);
                let kink = (value(own) - value(other)).abs() <= EQUAL;
                if kink && (further(own) - further(other)) * (slopes[0] - slopes[1]) < 0.0 {
                    slopes.swap(0, 1);
                    turned = true;
                }
            }
            if !turned {
                break;
            }
        }
        Ok(())
    }

    /// The values of the policies in units, refined to a residual of a few units.
    fn refined(&self, x: &[f64], known: &[u64]) -> Result<Vec<u64>, Error> {
        const ROUNDS: usize = 6;
        let inner = self.local.inner;
        let bent = if self.rate.is_richman() { Vec::new() } else { local_slopes(self.rate, self.policies, x) };
        let slopes = if self.rate.is_richman() { Slopes::Half } else { Slopes::Of(&bent) };
        let mut units: Vec<i64> = x[..inner].iter().map(|&x| (x.clamp(0.0, 1.0) * ONE as f64) as i64).collect();
        for _ in 0..ROUNDS {
            let value =
                |to: u32| if to as usize >= inner { known[to as usize - inner] as i64 } else { units[to as usize] };
            let residual: Vec<i64> = (0..inner)
                .map(|v| {
                    let (own, other) = (value(self.policies.own[v]), value(self.policies.other[v]));
                    if self.rate.is_richman() {
                        own / 2 + other / 2 - units[v]
                    } else {
                        floor(self.rate, own as u64, other as u64) as i64 - units[v]
                    }
                })
                .collect();
            let most = residual.iter().map(|r| r.unsigned_abs()).max().unwrap_or(0);
            if most <= 4 {
                break;
            }
            let scale = most as f64;
            let b: Vec<f64> = residual.iter().map(|&r| r as f64 / scale).collect();
            let mut step = vec![0.0; inner];
            solve(self.local, self.policies, slopes, &b, &mut step, 1e-7, self.until)?;
            for (units, step) in units.iter_mut().zip(&step) {
                *units = (*units + (step * scale) as i64).clamp(0, ONE as i64);
            }
        }
        Ok(units.into_iter().map(|units| units as u64).collect())
    }

    /// Proved bounds from one side, around the values `center` of the policies.
    fn proved(&self, side: WhichBound, x: &[f64], center: &[u64], moves: &[f64]) -> Result<Option<Vec<u64>>, Error> {
        let least = self.violation(side, center) as f64;
        let found = self.widen(x, moves, least, |slack, moves| {
            let candidate: Vec<u64> = center.iter().zip(moves).map(|at| side.moved(slack, at)).collect();
            self.against(side, &candidate).map_or(Ok(candidate), Err)
        })?;
        Ok(match found {
            Some(low) if side == WhichBound::Low && !self.makes_progress(&low)? => None,
            found => found,
        })
    }

    fn known(&self, side: WhichBound) -> &[u64] {
        match side {
            WhichBound::Low => self.known_low,
            WhichBound::High => self.known_high,
        }
    }

    /// Tries wider and wider candidates, for longer and longer play, until one passes. The first
    /// has a little more than the slack `least`.
    fn widen(
        &self,
        x: &[f64],
        moves: &[f64],
        least: f64,
        candidate: impl Fn(f64, &[f64]) -> Result<Vec<u64>, Policies>,
    ) -> Result<Option<Vec<u64>>, Error> {
        const LONGER: usize = 12;
        const USEFUL: f64 = ONE as f64 / 1024.0;
        /// The expected numbers of moves are known to a thousandth.
        const SPARE: f64 = 1.01;
        let mut moves = moves.to_vec();
        let mut slack = least * SPARE + 2.0;
        loop {
            for _ in 0..LONGER {
                let most = moves.iter().fold(0.0, |most: f64, &count| most.max(count));
                check(self.until)?;
                if slack * most > USEFUL {
                    return Ok(None);
                }
                match candidate(slack, &moves) {
                    Ok(found) => return Ok(Some(found)),
                    Err(policies) => {
                        let Some(longer) = self.expected_moves(&policies, x)? else { return Ok(None) };
                        let mut grown = false;
                        for (count, longer) in moves.iter_mut().zip(longer) {
                            grown |= longer > *count * 1.001;
                            *count = count.max(longer);
                        }
                        if !grown {
                            break;
                        }
                    }
                }
            }
            slack *= 2.0;
        }
    }

    /// The greatest violation of an inequality; 0 if the values are a bound from that side.
    fn violation(&self, side: WhichBound, values: &[u64]) -> u64 {
        let known = self.known(side);
        let value = |to: u32| self.value(values, known, to);
        let fails_by = |v: usize| {
            let [own, other] = self.local.best_and_worst(v, |a, b| value(a) > value(b)).map(value);
            match side {
                WhichBound::High => ceil(self.rate, own, other).saturating_sub(values[v]),
                WhichBound::Low => values[v].saturating_sub(floor(self.rate, own, other)),
            }
        };
        self.local.of_each(fails_by).into_iter().max().unwrap_or(0)
    }

    /// `None` if the values satisfy the inequalities of a bound from that side. Otherwise policies
    /// with the best moves of the player who could prolong play by equal ones.
    fn against(&self, side: WhichBound, values: &[u64]) -> Option<Policies> {
        if self.violation(side, values) == 0 {
            return None;
        }
        let known = self.known(side);
        let value = |to: u32| self.value(values, known, to);
        let best_and_worst = self.local.of_each(|v| self.local.best_and_worst(v, |a, b| value(a) > value(b)));
        let best = |which: usize| best_and_worst.iter().map(|both| both[which]).collect();
        let Policies { own, other } = self.policies;
        let mut policies = match side {
            WhichBound::High => Policies { own: best(0), other: other.clone() },
            WhichBound::Low => Policies { own: own.clone(), other: best(1) },
        };
        self.local.agree(&mut policies);
        Some(policies)
    }

    fn value(&self, inner: &[u64], known: &[u64], to: u32) -> u64 {
        if to as usize >= self.local.inner { known[to as usize - self.local.inner] } else { inner[to as usize] }
    }

    /// Whether the player's moves allowed by the lower bound make progress wherever it is positive.
    fn makes_progress(&self, low: &[u64]) -> Result<bool, Error> {
        let inner = self.local.inner;
        let value = |to: usize| if to >= inner { self.known_low[to - inner] } else { low[to] };
        let least: Vec<Option<u64>> =
            self.local.of_each(|v| self.local.other.get(v).iter().map(|&to| value(to as usize)).min());
        let joined = |node: Node| self.local.index(node).is_some_and(|i| i >= inner && value(i) > 0);
        let keeps = |node: Node, to: Node| {
            let (Some(v), Some(after)) = (self.local.index(node), self.local.index(to).map(value)) else {
                return false;
            };
            low[v] <= floor(self.rate, after, least[v].unwrap_or(after))
        };
        let joins =
            progresses(self.arena, &self.local.nodes[..inner], self.player, joined, keeps, |_| true, self.until)?;
        Ok(joins.into_iter().zip(low).all(|(joins, &low)| joins || low == 0))
    }

    /// For payments to the bank, if no candidate passes or the bounds are wide. Iterates from
    /// below, first rounding down, which gives lower bounds, then from there rounding up. If this
    /// stops, it has found nearly the least upper bounds, whatever other solutions the equations
    /// have.
    fn risen(&self, ProvedSides { low, high }: ProvedSides, early: ProvedSides) -> LocalBounds {
        let LocalBounds { mut low, high: most } = ProvedSides { low, high: None }.or(early).or_any(self.local.inner);
        let rises =
            |values: &mut Vec<u64>, known, turn| self.settles(values, known, turn, u64::max, self.most_rounds());
        let low_found = rises(&mut low, self.known_low, floor);
        let mut above = low.clone();
        if low_found && rises(&mut above, self.known_high, ceil) {
            // The lesser of two upper bounds at every position is an upper bound.
            let high = high.unwrap_or(most);
            let high = high.iter().zip(&above).map(|(a, b)| *a.min(b)).collect();
            return LocalBounds { low, high };
        }
        self.iterate(ProvedSides { low: Some(low), high }, ProvedSides { low: None, high: Some(most) })
    }

    /// Combines each value with one turn from the others, in at most `rounds` rounds; returns
    /// whether the values have settled.
    fn settles(
        &self,
        values: &mut [u64],
        known: &[u64],
        turn: fn(Rate, u64, u64) -> u64,
        with: fn(u64, u64) -> u64,
        rounds: usize,
    ) -> bool {
        let inner = self.local.inner;
        // Whether the value of a position changed in the last round, and in this.
        let mut recent = vec![[false; 2]; inner];
        for round in 0..rounds {
            if self.until.cancelled() {
                break;
            }
            let mut changed = false;
            for v in 0..inner {
                let is_recent = |&to: &u32| recent.get(to as usize).is_some_and(|&[last, now]| last || now);
                let reaches_new =
                    || [&self.local.own, &self.local.other].iter().any(|moves| moves.get(v).iter().any(is_recent));
                let is_new = (round == 0 || reaches_new()) && self.turned(v, values, known, turn, with);
                recent[v][1] = is_new;
                changed |= is_new;
            }
            if !changed {
                return true;
            }
            recent.iter_mut().for_each(|[last, now]| *last = std::mem::take(now));
        }
        false
    }

    /// Combines the value of a position with one turn from its successors; returns whether it
    /// changed.
    fn turned(
        &self,
        v: usize,
        values: &mut [u64],
        known: &[u64],
        turn: impl Fn(Rate, u64, u64) -> u64,
        with: impl Fn(u64, u64) -> u64,
    ) -> bool {
        let value = |to: u32| self.value(values, known, to);
        let [own, other] = self.local.best_and_worst(v, |a, b| value(a) > value(b));
        let next = with(values[v], turn(self.rate, value(own), value(other)));
        std::mem::replace(&mut values[v], next) != next
    }

    fn most_rounds(&self) -> usize {
        // A nonlinear turn takes a division of 128 bits.
        let work = if self.rate.is_richman() { 1usize << 30 } else { 1 << 27 };
        (work / self.local.inner.max(1)).clamp(64, 1 << 20)
    }

    /// Iterates the sides that `sides` lacks, from those of `early`; sound whenever it is stopped.
    fn iterate(&self, sides: ProvedSides, early: ProvedSides) -> LocalBounds {
        let inner = self.local.inner;
        let (given_low, given_high) = (sides.low.is_some(), sides.high.is_some());
        let LocalBounds { mut low, mut high } = sides.or(early).or_any(inner);
        for _ in 0..self.most_rounds() {
            if self.until.cancelled() {
                break;
            }
            let mut changed = false;
            for v in 0..inner {
                changed |= !given_low && self.turned(v, &mut low, self.known_low, floor, u64::max);
                changed |= !given_high && self.turned(v, &mut high, self.known_high, ceil, u64::min);
            }
            if !changed || widest(&low, &high) <= self.width {
                break;
            }
        }
        LocalBounds { low, high }
    }
}

fn widest(low: &[u64], high: &[u64]) -> u64 {
    low.iter().zip(high).map(|(low, high)| high.saturating_sub(*low)).max().unwrap_or(0)
}
