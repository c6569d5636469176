//! What Alice needs with real money for a long-run average of at least a given number.
//!
//! **Method.** In a component that play cannot leave, the average rises with Alice's share, or is
//! the same for every share. The share for which it is the wanted one is found by regula falsi, with
//! potentials on both sides that prove it ([`super::mean_payoff::money`]). What leads there is a
//! game that ends. Each such component is written as a position that is worth that share: a chain of
//! positions in which one player wins at once and the other goes on, for each digit of the share. So
//! [`super::solve`] finds what Alice needs. Theorem 34 (an average of at least c) of
//! `docs/design.md`.
//!
//! **Accepts** what [`super::mean_payoff::money`] does. **Result:** exact where each component that
//! play cannot leave is decided exactly and [`super::solve`] is exact. Bounds elsewhere; they are
//! wide where play can stay for ever before it comes to such a component. **Time:** that of the two
//! solvers; with poorman and taxman the first some ten times for each component. **Checked by** the
//! verifier, in one pass, and by iteration from both sides with all strategies of small components.

use dashu_ratio::RBig;
use richman_core::{
    Arena, ArenaBuilder, ByPlayer, Effort, Error, Exactness, MeanPayoffArena, MeanPayoffArenaBuilder,
    MeanPayoffSolution, Mechanism, MoneySolution, Node, NodeData, PayoffThresholds, Player, Potentials, Rate, Share,
    ShareBounds, StopReason,
};
use rustc_hash::FxHashMap;

use super::mean_payoff::money;
use super::solve;
use crate::registry;

/// Finds what Alice needs for a long-run average of at least `least`.
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
/// Those of [`money`] and [`solve`].
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
    // Half of the time is for what leads to the components.
    let half = effort.time_left().map_or(effort, |left| effort.at_most(left / 2));
    let mut classes = Vec::new();
    let mut class_of: Vec<Option<u32>> = vec![None; arena.len()];
    let mut potentials = ByPlayer::both(vec![RBig::ZERO; arena.len()]);
    for index in (0..components.len()).filter(|&index| arena.is_closed(index)) {
        let nodes = components.nodes(index);
        let mut search = ClassSearch { class: sub_arena(arena, nodes)?, mechanism, least, effort: &half };
        let worth = search.run()?;
        for (at, &node) in nodes.iter().enumerate() {
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
            return Err(Error::unsupported("exact shares for an average of this game", "bounds (leave out --exact)"));
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
        let NodeData::On(kind) = arena.place(node);
        builder.labelled(&moves(Player::Alice), &moves(Player::Bob), kind);
    }
    builder.build(0)
}

/// What Alice needs where play stays: bounds on it, and potentials that prove them.
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
}

impl ClassSearch<'_> {
    /// The share for which the average is the wanted one.
    fn run(&mut self) -> Result<ClassWorth, Error> {
        const ROUNDS: usize = 100;
        let mut found =
            ClassWorth { bounds: ShareBounds { low: Share::ZERO, high: Share::ONE }, proofs: ByPlayer::both(None) };
        let none = self.solved(&Share::ZERO)?;
        if none.value.low >= *self.least {
            found.bounds.high = Share::ZERO;
            found.proofs.alice = Some(none.potentials);
            return Ok(found);
        }
        let is_richman = self.mechanism.payment.rate().is_richman();
        let all = if is_richman { none.clone() } else { self.solved(&Share::ONE)? };
        if all.value.high < *self.least {
            found.bounds.low = Share::ONE;
            found.proofs.bob = Some(all.potentials);
            return Ok(found);
        }
        if is_richman {
            return Ok(found); // every share is worth the same
        }
        // By how much the average at both bounds is too large.
        let mut excess = [self.excess(&none), self.excess(&all)];
        let mut next = Some((Share::ONE, all));
        let mut last = None;
        for round in 0..ROUNDS {
            let Some((share, solved)) = next else { break };
            let is_enough = solved.value.low >= *self.least;
            if !is_enough && solved.value.high > *self.least {
                break; // the bounds do not tell
            }
            let side = usize::from(is_enough);
            excess[side] = self.excess(&solved);
            if last == Some(side) {
                excess[1 - side] /= 2.0; // so that both bounds move
            }
            last = Some(side);
            if !is_enough {
                (found.bounds.low, found.proofs.bob) = (share, Some(solved.potentials));
            } else if solved.value.high == *self.least && self.is_first(&found.bounds.low, &share)? {
                found.proofs = ByPlayer::both(Some(solved.potentials));
                found.bounds = ShareBounds { low: share.clone(), high: share };
                break;
            } else {
                (found.bounds.high, found.proofs.alice) = (share, Some(solved.potentials));
            }
            let is_late = self.effort.time_left().is_some_and(|left| left.is_zero());
            let width = found.bounds.high.to_f64() - found.bounds.low.to_f64();
            let share = between(&found.bounds, excess, round).filter(|_| width > self.effort.width && !is_late);
            next = share.map(|share| Ok::<_, Error>((share.clone(), self.solved(&share)?))).transpose()?;
        }
        Ok(found)
    }

    /// Whether a little less than `share`, which is worth the wanted average, is worth less than
    /// that; `low` is.
    fn is_first(&self, low: &Share, share: &Share) -> Result<bool, Error> {
        const PART: u32 = 1 << 20;
        let less =
            low.rational() + (share.rational() - low.rational()) * RBig::from_parts((PART - 1).into(), PART.into());
        let (numerator, denominator) = less.into_parts();
        let less = numerator.try_into().ok().and_then(|numerator| Share::ratio(numerator, denominator));
        Ok(match less {
            Some(less) => self.solved(&less)?.value.low < *self.least,
            None => false,
        })
    }

    fn solved(&self, share: &Share) -> Result<MeanPayoffSolution, Error> {
        let exactness = match self.effort.exactness {
            Exactness::Required => Exactness::Preferred,
            other => other,
        };
        money(&self.class, self.mechanism, share, &Effort { exactness, ..*self.effort })
    }

    fn excess(&self, solved: &MeanPayoffSolution) -> f64 {
        let twice = &solved.value.low + &solved.value.high;
        (twice / RBig::from(2u8) - self.least).to_f64().value()
    }
}

/// The simplest share near the zero of the line through both excesses, strictly between the bounds.
/// If there is none, as several shares are worth the wanted average, by turns the simplest share of
/// all and one in the middle.
fn between(bounds: &ShareBounds, [under, over]: [f64; 2], round: usize) -> Option<Share> {
    /// The part of the width within which a share is as good as another.
    const NEAR: f64 = 1e-4;
    let ends = [bounds.low.rational().clone(), bounds.high.rational().clone()];
    let [low, high] = [&bounds.low, &bounds.high].map(Share::to_f64);
    let part = if over > 0.0 { (under / (under - over)).clamp(NEAR, 1.0 - NEAR) } else { 0.5 };
    let [from, to] = [part - NEAR / 2.0, part + NEAR / 2.0].map(|part| low + part * (high - low));
    let [from, to] = match over > 0.0 || round % 2 == 0 {
        true => {
            [RBig::simplest_from_f64(from)?.max(ends[0].clone()), RBig::simplest_from_f64(to)?.min(ends[1].clone())]
        }
        false => ends,
    };
    if from >= to {
        return None;
    }
    let (numerator, denominator) = RBig::simplest_in(from, to).into_parts();
    Share::ratio(numerator.try_into().ok()?, denominator)
}

/// Which bound on the worth of the components is taken.
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

/// The game that ends where play would stay, and the number of each position in it.
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

    /// Adds a position at which Alice needs a share, or a little more or less of it as `end` says: a
    /// chain of positions at each of which a move of one player wins and one of the other goes on.
    fn worth(&mut self, rate: Rate, share: &Share, end: ClassEnd) -> Node {
        /// The longest chain, and how near it comes unless it ends with that.
        const MOST: usize = 4096;
        const NEAR: f64 = 1e-20;
        let [alice, bob] = self.wins;
        let settled =
            |rest: &Share| if *rest == Share::ZERO { Some(alice) } else { (*rest == Share::ONE).then_some(bob) };
        let first = settled(share).unwrap_or(self.next);
        let (mut rest, mut width) = (share.clone(), 1.0);
        let part = f64::from(rate.numerator() as u32) / f64::from(rate.denominator() as u32);
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

/// What Alice needs after losing the bid, if she needs `share`, at most half, before it and wins at
/// once by winning it: the inverse of [`super::threshold`], share (1 + T) / (1 - share (1 - T)).
fn after_loss(rate: Rate, share: &Share) -> Share {
    let (numerator, denominator) = (u64::from(rate.numerator()), u64::from(rate.denominator()));
    let top = share.numerator() * (denominator + numerator);
    let bottom = share.denominator() * denominator - share.numerator() * (denominator - numerator);
    Share::ratio(top, bottom).unwrap_or(Share::ONE) // at most 1, as the share is at most a half
}
