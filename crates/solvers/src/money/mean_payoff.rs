//! Mean payoff with real money: what play that never ends is worth on average.
//!
//! **Method.** The average is that of play in which a coin decides who moves; how often it is
//! Alice's follows from the payment and her share ([`richman_core::Rate::coin`]). Both players'
//! strategies are improved in doubles, first for weights that count a little less with every move,
//! so that every pair of strategies has values, then for the average itself. **Proof.** The answer
//! is a number for each position, its potential. The change of the potential by one move, of best
//! play for the coin, bounds the average by its least and its greatest value over all positions:
//! theorem 28 (mean payoff with real money) of `docs/design.md`. It is computed in whole numbers.
//!
//! **Accepts** every payment and every arena. **Result:** exact if the arena is small and the
//! potentials of the best strategies prove one number, else bounds on the averages from all
//! positions. They are narrow where the average is the same from everywhere, as in a component in
//! which both players have the same moves, and wide where it is not. They may be wide too where
//! strategies go round in circles and values travel slowly, as on a torus of 100,000 positions.
//! **Time:** some linear systems for each of some ten pairs of strategies, then at most 2^31 moves
//! looked at in value iteration. **Memory:** about 300 bytes for each position. **Checked by** the
//! verifier, in one pass, and by all strategies of small arenas.

use dashu_int::ops::Gcd;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use richman_core::{
    Components, Effort, Error, Exactness, Groups, MeanPayoffArena, MeanPayoffSolution, Mechanism, Node, PacedWatch,
    PayoffBounds, Player, Potentials, Share, StopReason, Watch,
};

use super::krylov::Slopes;
use super::local::{LocalSystem, Policies};
use super::policy::solve;
use crate::registry;

/// Larger arenas are not solved exactly.
const LARGEST_EXACT: usize = 80;

/// The most rounds of one strategy iteration.
const ROUNDS: usize = 40;

/// Bounds so far apart are narrow enough.
const NARROW: f64 = 1e-10;

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
    const PER_POSITION: u64 = 300;
    registry::endless_money(mechanism, arena)?;
    let needed = arena.len() as u64 * PER_POSITION + arena.edges() as u64 * 8;
    effort.check_memory("solving the mean-payoff game", needed)?;
    let left = effort.memory_left().saturating_sub(needed);
    let until = effort.until();
    let nodes: Vec<Node> = arena.nodes().collect();
    let coin = mechanism.payment.rate().coin(share);
    let mut search = AverageSearch {
        arena,
        local: LocalSystem::new(arena, &nodes, Player::Alice, left, effort.watch)?,
        chance: coin.to_f64(),
        until: &until,
        worth: vec![0.0; arena.len()],
        average: 0.0,
        moves: Vec::new(),
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
            return Err(Error::unsupported("an exact mean payoff of this game", "bounds (leave out --exact)"));
        }
        false if is_late => StopReason::TimeUp,
        false => StopReason::Bounded,
    };
    Ok(MeanPayoffSolution { mechanism: mechanism.clone(), share: share.clone(), value, potentials, stop })
}

struct AverageSearch<'a> {
    arena: &'a MeanPayoffArena,
    local: LocalSystem,
    /// The chance that the coin is Alice's.
    chance: f64,
    until: &'a dyn Watch,
    /// The potential of each position.
    worth: Vec<f64>,
    /// The average, and the number of moves to come home from each position.
    average: f64,
    moves: Vec<f64>,
}

/// Both players' moves, Alice's first.
#[derive(Clone)]
struct Choices {
    policies: Policies,
    weights: Vec<[i64; 2]>,
    /// Whether Alice's move is worse for her than Bob's.
    is_turned: Vec<bool>,
    /// The chance of each move.
    slopes: Vec<[f64; 2]>,
}

impl AverageSearch<'_> {
    /// Strategies that are best, or nearly, and their potentials.
    fn improve(&mut self) -> Result<Choices, Error> {
        const FEW: usize = 128;
        const STEPS: usize = 1 << 31;
        self.sweep(FEW)?;
        let choices = self.choices();
        if self.width() <= NARROW {
            return Ok(choices);
        }
        let swept = self.worth.clone();
        let settled = self.settle(choices)?;
        if self.width() <= NARROW {
            return Ok(settled);
        }
        let (kept, width) = (self.worth.clone(), self.width());
        self.worth = swept;
        self.sweep((STEPS / self.arena.edges().max(1)).min(1 << 17))?;
        let (swept, choices) = (self.worth.clone(), self.choices());
        if self.width() > NARROW {
            let width = width.min(self.width());
            let again = self.settle(choices)?;
            if self.width() <= width {
                return Ok(again);
            }
            self.worth = swept;
        }
        if self.width() <= width {
            return Ok(self.choices());
        }
        self.worth = kept;
        Ok(settled)
    }

    /// Best moves; among equal ones those towards the greatest potential for Alice, and the least
    /// for Bob. Far from what counts all moves are equal at first.
    fn choices(&self) -> Choices {
        let mut choices = Choices::best(self.arena, self.chance, &self.worth, None).0;
        let back = backwards(self.arena);
        for player in Player::BOTH {
            let good = |worth: f64| player.either(worth, -worth);
            let most = self.worth.iter().map(|&worth| good(worth)).fold(f64::NEG_INFINITY, f64::max);
            let goals = self.arena.nodes().filter(|&node| good(self.worth[node as usize]) >= most - NARROW);
            let away = distances(&back, goals.collect());
            choices.head(self.arena, player, |node, to| {
                let value = |(to, weight): (Node, i64)| good(weight as f64 + self.worth[to as usize]);
                let best = self.arena.labelled(node, player).map(value).fold(f64::NEG_INFINITY, f64::max);
                (value(to) >= best - NARROW).then(|| away[to.0 as usize].unwrap_or(u32::MAX))
            });
        }
        choices
    }

    /// Strategy iteration. The average is that of all play between two visits to one position, to
    /// which both players go where they otherwise would not come.
    fn settle(&mut self, mut choices: Choices) -> Result<Choices, Error> {
        const COARSE: f64 = 1e-5;
        const FINE: f64 = 1e-12;
        let (mut tolerance, mut last) = (COARSE, usize::MAX);
        let mut home = None;
        for _ in 0..ROUNDS {
            home = Some(self.home(&choices, home)?);
            self.evaluate(&mut choices, home.unwrap_or_default(), tolerance)?;
            let (better, changes) = Choices::best(self.arena, self.chance, &self.worth, Some(&choices));
            if changes == 0 && tolerance <= FINE {
                break;
            }
            if changes > last / 2 || changes * 1000 <= self.arena.len() {
                tolerance = f64::max(tolerance * 1e-3, FINE);
            }
            last = if changes == 0 { usize::MAX } else { changes };
            choices = better;
        }
        Ok(choices)
    }

    /// A position to which play comes back under these strategies: the last one if it will do, else
    /// one of the largest class.
    fn home(&self, choices: &Choices, last: Option<Node>) -> Result<Node, Error> {
        let steps = choices.steps();
        let pace = PacedWatch::new(self.until);
        let components = Components::of(steps.len(), |v| &steps[v as usize][..], |count| pace.steps(count))?;
        let is_class = |index: usize| {
            let inside = |&to: &u32| components.component(to) as usize == index;
            components.nodes(index).iter().all(|&v| steps[v as usize].iter().all(inside))
        };
        if let Some(last) = last.filter(|&last| is_class(components.component(last) as usize)) {
            return Ok(last);
        }
        let classes = (0..components.len()).filter(|&index| is_class(index));
        let largest = classes.max_by_key(|&index| components.nodes(index).len());
        Ok(largest.map_or(0, |index| components.nodes(index)[0]))
    }

    /// The potentials of both players' moves, which first go home from where they never come there.
    fn evaluate(&mut self, choices: &mut Choices, home: Node, tolerance: f64) -> Result<(), Error> {
        let count = self.arena.len();
        let steps = choices.steps();
        let back = Groups::of(count, 0, || {
            steps.iter().enumerate().flat_map(|(v, steps)| steps.map(|to| (to as usize, v as Node)))
        });
        let comes = distances(&back, vec![home]);
        if comes.contains(&None) {
            let away = distances(&backwards(self.arena), vec![home]);
            for player in Player::BOTH {
                choices.head(self.arena, player, |node, (to, _)| {
                    comes[node as usize].is_none().then(|| away[to as usize].unwrap_or(u32::MAX))
                });
            }
        }
        let mut policies = choices.policies.clone();
        // Steps to it leave the system.
        for to in policies.own.iter_mut().chain(&mut policies.other).filter(|to| **to == home) {
            *to = count as u32;
        }
        let slopes = Slopes::Of(&choices.slopes);
        let solved =
            |gains: &[f64], x: &mut [f64]| solve(&self.local, &policies, slopes, gains, x, tolerance, self.until);
        let gains = choices.gains();
        // The numbers of the last strategies are a good guess.
        let mut moves = std::mem::take(&mut self.moves);
        moves.resize(count, 1.0);
        solved(&vec![1.0; count], &mut moves)?;
        let mut added = self.worth.clone();
        let mut average = self.average;
        // The second time what is added up is small, and so are the errors.
        for _ in 0..2 {
            let rest: Vec<f64> = gains.iter().map(|gain| gain - average).collect();
            solved(&rest, &mut added)?;
            let more = added[home as usize] / moves[home as usize];
            average += more;
            added.iter_mut().zip(&moves).for_each(|(added, moves)| *added -= more * moves);
        }
        (self.average, self.moves) = (average, moves);
        added[home as usize] = 0.0;
        // Where play cannot come home at all there are no such numbers.
        if added.iter().all(|worth| worth.abs() < 1e15) {
            self.worth = added;
        }
        Ok(())
    }

    /// What one move of best play changes each potential by.
    fn changes(&self) -> Vec<f64> {
        let value = |(to, weight): (Node, i64)| weight as f64 + self.worth[to as usize];
        let change = |node: Node| {
            let best = self.arena.labelled(node, Player::Alice).map(value).reduce(f64::max);
            let worst = self.arena.labelled(node, Player::Bob).map(value).reduce(f64::min);
            let (best, worst) = (best.or(worst).unwrap_or(0.0), worst.or(best).unwrap_or(0.0));
            self.chance * best.max(worst) + (1.0 - self.chance) * best.min(worst) - self.worth[node as usize]
        };
        self.arena.nodes().map(change).collect()
    }

    fn width(&self) -> f64 {
        let changes = self.changes();
        let most = changes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        most - changes.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// Value iteration, for arenas on which strategies go round in circles. Each sweep goes half of
    /// the way, so that the length of cycles does not matter.
    fn sweep(&mut self, most: usize) -> Result<(), Error> {
        for sweep in 0..most {
            let changes = self.changes();
            let first = changes[self.arena.start() as usize];
            for (worth, change) in self.worth.iter_mut().zip(&changes) {
                *worth += 0.5 * (change - first);
            }
            if sweep % 16 == 0 && (self.until.cancelled() || self.width() <= NARROW) {
                break;
            }
        }
        if self.until.cancelled() { Err(Error::Cancelled) } else { Ok(()) }
    }
}

impl Choices {
    /// Best moves for these potentials; only moves that are surely better than those of `last`
    /// replace them. Returns how many did.
    fn best(arena: &MeanPayoffArena, chance: f64, worth: &[f64], last: Option<&Choices>) -> (Choices, usize) {
        let scale = worth.iter().fold(1.0f64, |most, worth| most.max(worth.abs()));
        let margin = 1e-13 * scale;
        let mut changes = 0;
        let count = arena.len();
        let mut made = Choices {
            policies: Policies { own: vec![0; count], other: vec![0; count] },
            weights: vec![[0; 2]; count],
            is_turned: vec![false; count],
            slopes: vec![[chance, 1.0 - chance]; count],
        };
        let value = |(to, weight): (Node, i64)| weight as f64 + worth[to as usize];
        for node in arena.nodes() {
            let v = node as usize;
            let mut best = |player: Player| {
                let mut moves = arena.labelled(node, player);
                let first = moves.next()?;
                let before = last.map(|last| {
                    let [own, other] = last.weights[v];
                    player.either((last.policies.own[v], own), (last.policies.other[v], other))
                });
                let mut chosen = before.unwrap_or(first);
                for one in std::iter::once(first).chain(moves) {
                    let gain = value(one) - value(chosen);
                    if player.either(gain, -gain) > margin {
                        chosen = one;
                        changes += 1;
                    }
                }
                Some(chosen)
            };
            let (own, other) = (best(Player::Alice), best(Player::Bob));
            let (own, other) = (own.or(other).unwrap_or_default(), other.or(own).unwrap_or_default());
            (made.policies.own[v], made.policies.other[v]) = (own.0, other.0);
            made.weights[v] = [own.1, other.1];
            // Whom the coin favours may let the other player move.
            if value(own) < value(other) - margin {
                made.is_turned[v] = true;
                made.slopes[v] = [1.0 - chance, chance];
            }
        }
        (made, changes)
    }

    /// The positions that may follow each one.
    fn steps(&self) -> Vec<[u32; 2]> {
        let moves = self.policies.own.iter().zip(&self.policies.other).zip(&self.slopes);
        let of = |((&own, &other), slopes): ((&u32, &u32), &[f64; 2])| match slopes {
            [0.0, _] => [other; 2],
            [_, 0.0] => [own; 2],
            _ => [own, other],
        };
        moves.map(of).collect()
    }

    /// Chooses the player's moves of the least distance, where any has one.
    fn head(&mut self, arena: &MeanPayoffArena, player: Player, distance: impl Fn(Node, (Node, i64)) -> Option<u32>) {
        for node in arena.nodes() {
            let moves = arena.labelled(node, player).filter_map(|one| Some((distance(node, one)?, one)));
            let Some((_, (to, weight))) = moves.min_by_key(|&(distance, _)| distance) else { continue };
            let movers = if arena.owner(node).is_some() { &Player::BOTH[..] } else { &[player] };
            for of in movers {
                of.either(&mut self.policies.own, &mut self.policies.other)[node as usize] = to;
                self.weights[node as usize][*of as usize] = weight;
            }
        }
    }

    /// The mean weight of the next move.
    fn gains(&self) -> Vec<f64> {
        let mean =
            |(weights, slopes): (&[i64; 2], &[f64; 2])| weights[0] as f64 * slopes[0] + weights[1] as f64 * slopes[1];
        self.weights.iter().zip(&self.slopes).map(mean).collect()
    }

    /// The exact potentials of these moves and their average; `None` if it is not the same from
    /// everywhere.
    fn exactly(&self, coin: &Share) -> Option<Potentials> {
        let count = self.slopes.len();
        let (alice, bob) = (coin.rational().clone(), coin.complement().rational().clone());
        // The first position's potential is 0; its column is the average's.
        let mut rows: Vec<Vec<RBig>> = (0..count)
            .map(|v| {
                let mut row = vec![RBig::ZERO; count + 1];
                row[v] += RBig::ONE;
                let [own, other] = if self.is_turned[v] { [&bob, &alice] } else { [&alice, &bob] };
                row[self.policies.own[v] as usize] -= own;
                row[self.policies.other[v] as usize] -= other;
                row[0] = RBig::ONE;
                row[count] = own * RBig::from(self.weights[v][0]) + other * RBig::from(self.weights[v][1]);
                row
            })
            .collect();
        for k in 0..count {
            let pivot = (k..count).find(|&at| rows[at][k] != RBig::ZERO)?;
            rows.swap(k, pivot);
            let scale = RBig::ONE / &rows[k][k];
            rows[k].iter_mut().skip(k).for_each(|cell| *cell *= &scale);
            let top = rows[k].clone();
            for row in
                rows.iter_mut().enumerate().filter(|(at, row)| *at != k && row[k] != RBig::ZERO).map(|(_, row)| row)
            {
                let factor = row[k].clone();
                row.iter_mut().zip(&top).skip(k).for_each(|(cell, top)| *cell -= &factor * top);
            }
        }
        let worth: Vec<RBig> = (0..count).map(|v| if v == 0 { RBig::ZERO } else { rows[v][count].clone() }).collect();
        let denominator = worth.iter().fold(UBig::ONE, |all, one| {
            let shared = (&all).gcd(one.denominator());
            all * one.denominator() / shared
        });
        let numerators =
            worth.iter().map(|one| one.numerator() * IBig::from(&denominator / one.denominator())).collect();
        Some(Potentials { numerators, denominator })
    }
}

/// The positions from which a move leads to each position.
fn backwards(arena: &MeanPayoffArena) -> Groups<Node> {
    let moves = || arena.nodes().flat_map(|v| arena.successors(v).iter().map(move |&to| (to as usize, v)));
    Groups::of(arena.len(), 0, moves)
}

/// The number of steps from each position to a goal; `before` lists the positions before each one.
fn distances(before: &Groups<Node>, goals: Vec<Node>) -> Vec<Option<u32>> {
    let mut found = vec![None; before.count()];
    goals.iter().for_each(|&goal| found[goal as usize] = Some(0));
    let (mut front, mut next) = (goals, 0);
    while let Some(&to) = front.get(next) {
        next += 1;
        for &from in before.get(to as usize) {
            if found[from as usize].is_none() {
                found[from as usize] = found[to as usize].map(|steps| steps + 1);
                front.push(from);
            }
        }
    }
    found
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
        let (better, changes) = Choices::best(search.arena, search.chance, &worth, Some(&choices));
        if changes == 0 {
            return None;
        }
        choices = better;
    }
    None
}
