//! The share that Alice needs for a long-run average of at least a given number.
//!
//! **Method.** In a closed component (one that play cannot leave), the average rises with Alice's
//! share, or is constant. Regula falsi finds the share that gives the wanted average, with
//! potentials on both sides that prove it ([`super::mean_payoff::money`]). Play before the closed
//! components is a game that ends. In it each of them becomes a chain of positions with that
//! threshold, one for each digit: in each, one player wins at once and the other goes on.
//! [`super::solve`] solves this game. Theorem 34 (an average of at least c) and theorem 35 (less
//! than c) of `docs/design.md`.
//!
//! **Accepts** what [`super::mean_payoff::money`] does. **Result:** exact where each closed
//! component is decided exactly and [`super::solve`] is exact. Bounds elsewhere; they are wide
//! where play can stay forever outside the closed components. **Time:** that of the two solvers;
//! with poorman and taxman about ten runs of the first for each component. **Checked by** the
//! verifier, in one pass, and by iteration from both sides with all strategies of small components.

use dashu_int::IBig;
use dashu_ratio::RBig;
use richman_core::{
    Arena, ArenaBuilder, ByPlayer, Effort, Error, Exactness, MeanPayoffArena, MeanPayoffArenaBuilder,
    MeanPayoffSolution, Mechanism, MoneySolution, Node, NodeData, PayoffThresholds, Player, Potentials, Rate, Share,
    ShareBounds, StopReason, progresses,
};
use rustc_hash::FxHashMap;

use super::mean_payoff::{by_moves_of, money};
use super::solve;
use crate::registry;

/// Finds the share that Alice needs for a long-run average of at least `least`.
///
/// ```
/// use dashu_ratio::RBig;
/// use richman_core::{Effort, Mechanism, MeanPayoffArenaBuilder, PositionKind};
/// use richman_solvers::mean_payoff;
///
/// // From 0 both may go to 1, where every move weighs 0, or to 2, where it weighs 1.
/// let mut builder = MeanPayoffArenaBuilder::new();
/// for moves in [&[(1, 0), (2, 0)][..], &[(1, 0)], &[(2, 1)]] {
///     builder.labelled(moves, moves, PositionKind::Bid);
/// }
/// let arena = builder.build(0)?;
/// let solved = mean_payoff::at_least(&arena, &Mechanism::default(), &RBig::ONE, &Effort::default())?;
/// assert_eq!(solved.thresholds[0].to_string(), "1/2");
/// # Ok::<(), richman_core::Error>(())
/// ```
///
/// # Errors
/// [`Error::Unsupported`] if the mechanism is not served, or exact shares are required and not
/// found; [`Error::TooMuchMemory`]; [`Error::OutOfTime`]; [`Error::Cancelled`].
pub fn at_least(
    arena: &MeanPayoffArena,
    mechanism: &Mechanism,
    least: &RBig,
    effort: &Effort,
) -> Result<PayoffThresholds, Error> {
    /// Bytes of a position's bounds and potentials, and in two games that end.
    const PER_POSITION: u64 = 400;
    registry::endless_money(mechanism, arena)?;
    let held = arena.len() as u64 * PER_POSITION + arena.edges() as u64 * 16;
    effort.check_memory("solving the game for an average", held + arena.bytes_to_order())?;
    let effort = Effort { held: effort.held + held, ..*effort };
    let components = arena.find_components(effort.watch)?;
    // Half of the time is for play before the closed components.
    let half = effort.time_left().map_or(effort, |left| effort.at_most(left / 2));
    let closed: Vec<usize> = (0..components.len()).filter(|&index| arena.is_closed(index)).collect();
    let begun = |(done, &index): (usize, &usize)| -> Result<ClassSearch, Error> {
        effort.watch.progress("components", done as u64, Some(closed.len() as u64));
        let mut search = ClassSearch::new(sub_arena(arena, components.nodes(index))?, mechanism, least, &half);
        search.begin()?;
        Ok(search)
    };
    let searches: Vec<ClassSearch> = closed.iter().enumerate().map(begun).collect::<Result<_, _>>()?;
    let mut classes = Vec::new();
    let mut class_of: Vec<Option<u32>> = vec![None; arena.len()];
    let mut potentials = ByPlayer::both(vec![RBig::ZERO; arena.len()]);
    for (index, mut search) in closed.into_iter().zip(searches) {
        search.settle()?;
        let worth = search.found;
        for (at, &node) in components.nodes(index).iter().enumerate() {
            class_of[node as usize] = Some(classes.len() as u32);
            for (of, proof) in potentials.iter_mut().zip(worth.proofs.iter()) {
                if let Some(proof) = proof {
                    of[node as usize] = RBig::from_parts(proof.numerators[at].clone(), proof.denominator.clone());
                }
            }
        }
        classes.push(worth.bounds);
    }
    let class = |node: Node| class_of[node as usize].map(|class| &classes[class as usize]);
    let ending = |end: ClassEnd| -> Result<(Vec<Node>, MoneySolution), Error> {
        let rate = mechanism.payment.rate();
        let (game, nodes) = ending(arena, rate, |node| class(node).map(|bounds| end.of(bounds)), end)?;
        let effort = Effort { held: effort.held + game.bytes(), ..effort };
        Ok((nodes, solve(&game, mechanism, &effort)?))
    };
    let ends = if class_of.contains(&None) { Some((ending(ClassEnd::Low)?, ending(ClassEnd::High)?)) } else { None };
    let mut thresholds = vec![ShareBounds { low: Share::ZERO, high: Share::ONE }; arena.len()];
    for &node in components.order() {
        let found = match (class(node), &ends) {
            (Some(bounds), _) => bounds.clone(),
            (None, Some(((low, low_solution), (high, high_solution)))) => {
                let is_cyclic = components.is_cyclic(components.component(node) as usize);
                let turn = if is_cyclic { None } else { turn(arena, mechanism, node, &thresholds) };
                turn.unwrap_or_else(|| ShareBounds {
                    low: low_solution.draw.get(low[node as usize]).low,
                    high: high_solution.win.get(high[node as usize]).high,
                })
            }
            (None, None) => continue,
        };
        thresholds[node as usize] = found;
    }
    let stop = match thresholds.iter().all(|bounds| bounds.as_exact().is_some()) {
        true => StopReason::Proved,
        false if effort.exactness == Exactness::Required => {
            return Err(Error::inexact("exact shares for an average of this game"));
        }
        false if effort.time_left().is_some_and(|left| left.is_zero()) => StopReason::TimeUp,
        false => StopReason::Bounded,
    };
    Ok(PayoffThresholds { mechanism: mechanism.clone(), least: least.clone(), thresholds, potentials, stop })
}

/// The bounds before one turn from those after it, exactly; `None` if they have very many digits.
fn turn(arena: &MeanPayoffArena, mechanism: &Mechanism, node: Node, known: &[ShareBounds]) -> Option<ShareBounds> {
    const BITS: usize = 1 << 12;
    let before = |end: ClassEnd| {
        let value = |node: Node| end.of(&known[node as usize]);
        let [worst, best] = arena.best_and_worst(node, Player::Bob, value)?;
        let found = match arena.owner(node) {
            None => super::threshold(mechanism.payment.rate(), best, worst),
            Some(_) => best.clone(),
        };
        (found.denominator_bits() <= BITS).then_some(found)
    };
    Some(ShareBounds { low: before(ClassEnd::Low)?, high: before(ClassEnd::High)? })
}

/// The positions of a component that play cannot leave, numbered from 0.
fn sub_arena(arena: &MeanPayoffArena, nodes: &[Node]) -> Result<MeanPayoffArena, Error> {
    let numbers: FxHashMap<Node, Node> = nodes.iter().copied().zip(0..).collect();
    let mut builder = MeanPayoffArenaBuilder::new();
    for &node in nodes {
        let moves = |player| {
            let moves = arena.labelled(node, player);
            moves.map(|(to, weight)| (numbers[&to], weight)).collect::<Vec<_>>()
        };
        let NodeData::On(kind) = arena.data(node);
        builder.labelled(&moves(Player::Alice), &moves(Player::Bob), kind);
    }
    builder.build(0)
}

/// Bounds on the share that Alice needs in a closed component, and potentials that prove them.
struct ClassWorth {
    bounds: ShareBounds,
    /// Alice's for the upper bound, Bob's for the lower; `None` where that is 1 or 0.
    proofs: ByPlayer<Option<Potentials>>,
}

struct ClassSearch<'a> {
    class: MeanPayoffArena,
    mechanism: &'a Mechanism,
    least: &'a RBig,
    effort: &'a Effort<'a>,
    found: ClassWorth,
    /// Whether some share gives exactly the wanted average; smaller ones may give it too.
    is_reached: bool,
}

/// The side of the wanted average on which the average of a share lies.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Under,
    Over,
    Exact,
    Unknown,
}

impl<'a> ClassSearch<'a> {
    fn new(class: MeanPayoffArena, mechanism: &'a Mechanism, least: &'a RBig, effort: &'a Effort<'a>) -> Self {
        let bounds = ShareBounds { low: Share::ZERO, high: Share::ONE };
        let found = ClassWorth { bounds, proofs: ByPlayer::both(None) };
        ClassSearch { class, mechanism, least, effort, found, is_reached: false }
    }

    /// Finds the share with the wanted average, by bounds on the average if they suffice.
    fn begin(&mut self) -> Result<(), Error> {
        let (none, under) = self.at_end(&Share::ZERO)?;
        if matches!(none, Side::Over | Side::Exact) {
            return Ok(());
        }
        let is_richman = self.mechanism.payment.rate().is_richman();
        let (all, over) = if is_richman { (none, under) } else { self.at_end(&Share::ONE)? };
        if all == Side::Under {
            self.found.bounds.low = Share::ONE; // also where all shares have the same average
        } else if !is_richman {
            self.is_reached = all == Side::Exact;
            if self.is_reached && self.is_first(&Share::ONE)? {
                self.found.bounds.low = Share::ONE;
            }
            self.narrow([under, over])?;
        }
        Ok(())
    }

    /// The side of a share of 0 or 1, by an exact average if bounds do not tell.
    fn at_end(&mut self, share: &Share) -> Result<(Side, f64), Error> {
        let (side, excess) = self.look(share, Exactness::Bounds)?;
        match side {
            Side::Unknown if self.may_be_exact() => self.look(share, Exactness::Preferred),
            _ => Ok((side, excess)),
        }
    }

    /// Regula falsi with bounds on the average, until they no longer tell.
    fn narrow(&mut self, mut excess: [f64; 2]) -> Result<(), Error> {
        const ROUNDS: usize = 60;
        let mut last = None;
        for _ in 0..ROUNDS {
            let Some(share) = between(&self.found.bounds, excess).filter(|_| self.is_open()) else { break };
            let (side, found) = self.look(&share, Exactness::Bounds)?;
            let at = match side {
                Side::Under => 0,
                Side::Over => 1,
                Side::Unknown => return self.close_in(share.to_f64()),
                Side::Exact => {
                    self.is_reached = true;
                    if self.is_first(&share)? {
                        self.found.bounds.low = share;
                    }
                    return Ok(());
                }
            };
            excess[at] = found;
            if last == Some(at) {
                excess[1 - at] /= 2.0; // so that both bounds move
            }
            last = Some(at);
        }
        Ok(())
    }

    /// Looks for the nearest shares on both sides for which the bounds tell.
    fn close_in(&mut self, share: f64) -> Result<(), Error> {
        const NEAREST: f64 = 1e-10;
        for side in [-1.0, 1.0] {
            let mut distance = NEAREST;
            while self.is_open() {
                let at = share + side * distance;
                let ends = [&self.found.bounds.low, &self.found.bounds.high].map(Share::to_f64);
                let Some(share) =
                    (at > ends[0] && at < ends[1]).then(|| shared(RBig::simplest_from_f64(at)?)).flatten()
                else {
                    break;
                };
                if self.look(&share, Exactness::Bounds)?.0 != Side::Unknown {
                    break;
                }
                distance *= 4.0;
            }
        }
        Ok(())
    }

    /// Tries the simplest shares exactly.
    fn settle(&mut self) -> Result<(), Error> {
        const ROUNDS: usize = 100;
        const NEAR: f64 = 1e-8;
        if self.mechanism.payment.rate().is_richman() {
            return Ok(()); // every share has the same average
        }
        for round in 0..ROUNDS {
            let ShareBounds { low, high } = &self.found.bounds;
            let is_near = high.to_f64() - low.to_f64() < NEAR;
            if !self.is_open() || !self.may_be_exact() || is_near && round > 0 && !self.is_reached {
                break;
            }
            let simplest = round.is_multiple_of(2);
            let inside = || RBig::simplest_in(low.rational().clone(), high.rational().clone());
            let share = if simplest { shared(inside()) } else { Some(Share::mean(low, high)) };
            let Some(share) = share else { break };
            match self.look(&share, Exactness::Preferred)?.0 {
                Side::Unknown => break,
                Side::Exact if self.is_first(&share)? => self.found.bounds.low = share,
                Side::Exact => self.is_reached = true,
                Side::Over | Side::Under => {}
            }
        }
        Ok(())
    }

    /// Whether every share below `share`, which gives the wanted average, gives less. If the best
    /// moves for this share do not prove it, those for a smaller share may.
    fn is_first(&mut self, share: &Share) -> Result<bool, Error> {
        const NEAR: u32 = 1 << 20;
        const LESS: u32 = 1 << 10;
        let part = |of: u32| RBig::from_parts((of - 1).into(), of.into());
        let effort = Effort { exactness: Exactness::Preferred, ..*self.effort };
        let mut proof = self.found.proofs.alice.clone().filter(|proof| self.is_less_below(proof));
        if proof.is_none()
            && let Some(less) = shared(share.rational() * part(LESS))
        {
            let of_less = money(&self.class, self.mechanism, &less, &effort)?.potentials;
            let coin = self.mechanism.payment.rate().coin(share);
            proof = by_moves_of(&self.class, &coin, &of_less).filter(|proof| self.is_less_below(proof));
        }
        if proof.is_some() {
            // Potentials for exactly the wanted average prove both bounds.
            self.found.proofs = ByPlayer::new(proof.clone(), proof);
            return Ok(true);
        }
        let low = self.found.bounds.low.rational();
        if let Some(less) = shared(low + (share.rational() - low) * part(NEAR)) {
            self.look(&less, Exactness::Preferred)?;
        }
        Ok(false)
    }

    /// Whether these potentials, which prove the wanted average for a share, prove less for smaller
    /// shares: if Bob makes tight moves, play reaches, whatever Alice does, a position where it
    /// matters who has the right. Theorem 35 (less than c) of `docs/design.md`.
    fn is_less_below(&self, proof: &Potentials) -> bool {
        let (class, whole) = (&self.class, IBig::from(proof.denominator.clone()));
        let after = |(to, weight): (Node, i64)| &proof.numerators[to as usize] + IBig::from(weight) * &whole;
        let mut tight = MeanPayoffArenaBuilder::new();
        let mut is_loose = Vec::with_capacity(class.len());
        for node in class.nodes() {
            let best = class.labelled(node, Player::Alice).map(after).max();
            let worst = class.labelled(node, Player::Bob).map(after).min();
            is_loose.push(best.is_some() && worst.is_some() && best != worst);
            let moves = |player: Player| {
                let kept = player.either(&best, &worst).as_ref();
                let all = class.labelled(node, player).filter(|&step| Some(&after(step)) == kept);
                all.collect::<Vec<_>>()
            };
            let NodeData::On(kind) = class.data(node);
            tight.labelled(&moves(Player::Alice), &moves(Player::Bob), kind);
        }
        let Ok(tight) = tight.build(0) else { return false };
        let all: Vec<Node> = tight.nodes().collect();
        let joined = |node: Node| is_loose[node as usize];
        let joins = progresses(&tight, &all, Player::Bob, joined, |_, _| true, |_| true, self.effort.watch);
        joins.is_ok_and(|joins| joins.into_iter().all(|joins| joins))
    }

    /// Solves for a share, moves the bound on its side there, and returns by how much the average
    /// is too large.
    fn look(&mut self, share: &Share, exactness: Exactness) -> Result<(Side, f64), Error> {
        let effort = Effort { exactness, ..*self.effort };
        let MeanPayoffSolution { value, potentials, .. } = money(&self.class, self.mechanism, share, &effort)?;
        let twice = &value.low + &value.high;
        let excess = (twice / RBig::from(2u8) - self.least).to_f64().value();
        let side = match (value.low >= *self.least, value.high < *self.least) {
            (true, _) if value.high == *self.least => Side::Exact,
            (true, _) => Side::Over,
            (_, true) => Side::Under,
            _ => Side::Unknown,
        };
        let ClassWorth { bounds, proofs } = &mut self.found;
        match side {
            Side::Under => (bounds.low, proofs.bob) = (share.clone(), Some(potentials)),
            Side::Over | Side::Exact => (bounds.high, proofs.alice) = (share.clone(), Some(potentials)),
            Side::Unknown => {}
        }
        Ok((side, excess))
    }

    fn may_be_exact(&self) -> bool {
        self.effort.exactness != Exactness::Bounds
    }

    /// Whether the bounds are far apart, and there is time.
    fn is_open(&self) -> bool {
        let ShareBounds { low, high } = &self.found.bounds;
        let is_late = self.effort.time_left().is_some_and(|left| left.is_zero());
        high.to_f64() - low.to_f64() > self.effort.width && !is_late
    }
}

/// The simplest share near the zero of the line through both excesses, strictly between the bounds.
fn between(bounds: &ShareBounds, [under, over]: [f64; 2]) -> Option<Share> {
    /// The part of the width within which a share is as good as another.
    const NEAR: f64 = 1e-4;
    let [low, high] = [&bounds.low, &bounds.high].map(Share::to_f64);
    let part = under / (under - over);
    let part = if part.is_finite() { part.clamp(NEAR, 1.0 - NEAR) } else { 0.5 };
    let [from, to] =
        [part - NEAR / 2.0, part + NEAR / 2.0].map(|part| RBig::simplest_from_f64(low + part * (high - low)));
    let (from, to) = (from?.max(bounds.low.rational().clone()), to?.min(bounds.high.rational().clone()));
    if from < to { shared(RBig::simplest_in(from, to)) } else { None }
}

/// A rational as a share; `None` outside 0 to 1.
fn shared(number: RBig) -> Option<Share> {
    let (numerator, denominator) = number.into_parts();
    Share::ratio(numerator.try_into().ok()?, denominator)
}

/// The bound on the values of the components that is taken.
#[derive(Clone, Copy)]
enum ClassEnd {
    Low,
    High,
}

impl ClassEnd {
    fn of(self, bounds: &ShareBounds) -> &Share {
        match self {
            ClassEnd::Low => &bounds.low,
            ClassEnd::High => &bounds.high,
        }
    }
}

/// The game that ends on reaching a closed component, and the number of each position in it.
fn ending<'s>(
    arena: &MeanPayoffArena,
    rate: Rate,
    worth: impl Fn(Node) -> Option<&'s Share>,
    end: ClassEnd,
) -> Result<(Arena, Vec<Node>), Error> {
    let mut game = EndingGame::new();
    let mut known: FxHashMap<&Share, Node> = FxHashMap::default();
    let mut numbers = vec![0; arena.len()];
    let mut open = Vec::new();
    for node in arena.nodes() {
        match worth(node) {
            Some(share) => numbers[node as usize] = *known.entry(share).or_insert_with(|| game.worth(rate, share, end)),
            None => open.push(node),
        }
    }
    for (&node, number) in open.iter().zip(game.next..) {
        numbers[node as usize] = number;
    }
    let mut builder = game.builder;
    for &node in &open {
        let moves = |player| arena.moves(node, player).iter().map(|&to| numbers[to as usize]).collect::<Vec<_>>();
        match arena.owner(node) {
            Some(owner) => builder.owned(owner, &moves(owner)),
            None => builder.position(&moves(Player::Alice), &moves(Player::Bob)),
        };
    }
    Ok((builder.build(numbers[arena.start() as usize])?, numbers))
}

/// A game that ends, while it is built.
struct EndingGame {
    builder: ArenaBuilder,
    wins: [Node; 2],
    /// The number of the next position.
    next: Node,
}

impl EndingGame {
    fn new() -> EndingGame {
        let (builder, wins) = ArenaBuilder::with_wins();
        EndingGame { builder, wins, next: 2 }
    }

    /// Adds a position at which Alice needs a share, or a little more or less of it as `end` says:
    /// a chain of positions at each of which a move of one player wins and one of the other goes
    /// on.
    fn worth(&mut self, rate: Rate, share: &Share, end: ClassEnd) -> Node {
        /// The longest chain, and its precision for shares that need a longer one.
        const MOST: usize = 4096;
        const NEAR: f64 = 1e-20;
        let [alice, bob] = self.wins;
        let settled =
            |rest: &Share| if *rest == Share::ZERO { Some(alice) } else { (*rest == Share::ONE).then_some(bob) };
        let first = settled(share).unwrap_or(self.next);
        let (mut rest, mut width) = (share.clone(), 1.0);
        let part = f64::from(rate.numerator()) / f64::from(rate.denominator());
        for letter in 1.. {
            if settled(&rest).is_some() {
                break;
            }
            let is_low = rest <= Share::dyadic(1, 1);
            let next = after_loss(rate, &if is_low { rest.clone() } else { rest.complement() });
            width *= (1.0 + part) / (1.0 + part + (1.0 - part) * next.to_f64()).powi(2);
            rest = if is_low { next } else { next.complement() };
            if letter == MOST || width < NEAR {
                rest = match end {
                    ClassEnd::Low => Share::ZERO,
                    ClassEnd::High => Share::ONE,
                };
            }
            self.next += 1;
            let on = settled(&rest).unwrap_or(self.next);
            if is_low {
                self.builder.position(&[alice], &[on])
            } else {
                self.builder.position(&[on], &[bob])
            };
        }
        first
    }
}

/// The share that Alice needs after losing the bid, if she needs `share`, at most half, before it
/// and wins at once by winning it: the inverse of [`super::threshold`], share (1 + T) / (1 - share
/// (1 - T)).
fn after_loss(rate: Rate, share: &Share) -> Share {
    let (numerator, denominator) = (u64::from(rate.numerator()), u64::from(rate.denominator()));
    let top = share.numerator() * (denominator + numerator);
    let bottom = share.denominator() * denominator - share.numerator() * (denominator - numerator);
    Share::ratio(top, bottom).unwrap_or(Share::ONE) // at most 1, as the share is at most a half
}
