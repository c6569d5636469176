//! Real money with any payment: win and draw thresholds as exact shares, or proved bounds on them.
//!
//! **Formula.** Let L <= H be, in order of size, the least value among Alice's moves and the
//! greatest among Bob's. Let T be the part of a bid that goes to the other player, and D = 1 + T +
//! (1 - T)(H - L). Then R(v) = (H + T L) / D and the best bid is (H - L) / D. The win threshold is
//! 0 where Alice has won and 1 at every other end; the draw threshold is 1 where Bob has won and 0
//! at every other end. With Richman payment (T = 1), R and the bid are the mean and half the
//! difference; with poorman (T = 0), H / (1 + H - L) and (H - L) / (1 + H - L). On cycles the win
//! threshold is the greatest solution (with Richman payment, one minus Alice's chance in
//! random-turn play), the draw threshold the least.
//!
//! **Source.** [DP10, 3.3] for Richman payment, theorem 6 (one turn in real money) of
//! `docs/design.md` for the others. DP10 counts draws as wins of Bob; the draw threshold counts
//! them as wins of Alice. [K, section 2] starts its truncations at 1/2; here, as in DP10, a
//! truncated play is a draw.
//!
//! **Accepts** every arena; if the winner of the bid must move, only those without a zugzwang,
//! which has no threshold.
//!
//! **Stops** on acyclic arenas once every position is evaluated; with [`Effort::within`], after
//! that many moves or when no value changes; on cycles, when exact values or bounds are proved,
//! component by component (see `reach`).
//!
//! **Result:** exact, except for bounds in three cases: components too large for exact values
//! within the limits, and positions that lead to them; acyclic arenas with plays longer than 62
//! moves whose rationals exceed the limits (these bounds are at most as many units of 2^-62 apart
//! as the longest play has moves); and, if part of a bid leaves the game, cyclic components (unless
//! a threshold is 0 or 1) and positions whose denominators exceed 2^12 bits.
//!
//! **Time and memory.** Acyclic: one pass over the moves and 16 bytes per position if no play is
//! longer than 62 moves; otherwise rationals of at most as many bits as the play has moves, or 48
//! bytes per position for bounds. If part of a bid leaves the game, denominators can double in bits
//! at every move, up to the limit. Cycles: exact values of a component of n positions with random
//! moves take about n^3 / 10 machine operations and 0.7 n bits per position; bounds take about 400
//! bytes per position. `cargo bench -p richman-analysis` measures times.
//!
//! **Checked by** the verifier, by random-turn play (threshold = 1 - probability that Alice wins),
//! by enumerating all policies on small arenas, and by the limit of chip thresholds.
//!
//! ```
//! use richman_core::{ArenaBuilder, Effort, Mechanism, Player, Terminal};
//! use richman_solvers::{money};
//!
//! // A^2: Alice wins if she makes either of the first two moves [DP10, Example 3.8]
//! let mut arena = ArenaBuilder::new();
//! let alice = arena.terminal(Terminal::Win(Player::Alice));
//! let bob = arena.terminal(Terminal::Win(Player::Bob));
//! let last = arena.position(&[alice], &[bob]);
//! let start = arena.position(&[alice], &[last]);
//! let arena = arena.build(start)?;
//! let solution = money::solve(&arena, &Mechanism::default(), &Effort::default())?;
//! assert_eq!(solution.win.get(start).to_string(), "1/4");
//! # Ok::<(), richman_core::Error>(())
//! ```

use richman_core::{
    Arena, Effort, Error, Exactness, Goal, Instant, Mechanism, MoneySolution, Node, Player, Rate, Right, Share, Shares,
    StopReason, Terminal, bytes_for_progress, progresses,
};

use rustc_hash::FxHashSet;

use crate::registry;

pub(crate) mod at_least;
mod bounds;
mod exact;
mod factor;
pub mod krylov;
mod local;
pub(crate) mod mean_payoff;
pub(crate) mod parity;
mod policy;
mod reach;
mod turn;
mod within;

pub use turn::{best_bid, threshold};

use bounds::ONE;
use reach::ReachValues;

/// Thresholds are numerators over 2^e if e, the length of the longest play, is at most this.
const LARGEST_EXPONENT: u32 = 62;

/// Solves an arena for real money.
///
/// # Errors
/// [`Error::Unsupported`] if the mechanism is not served or [`richman_core::Exactness::Required`]
/// cannot be met; [`Error::Zugzwang`] or [`Error::PerhapsZugzwang`] if the winner must move and
/// might somewhere rather not; [`Error::TooMuchMemory`]; [`Error::OutOfTime`] if an exact answer is
/// required; [`Error::Cancelled`].
pub fn solve(arena: &Arena, mechanism: &Mechanism, effort: &Effort) -> Result<MoneySolution, Error> {
    let right = registry::money(mechanism)?;
    #[cfg(feature = "faults")]
    let arena = &*crate::fault::arena(arena);
    let rate = mechanism.payment.rate();
    effort.check_memory("the order of the positions", arena.bytes_to_order())?;
    arena.find_components(effort.watch)?;
    let plays = FinitePlays::of(arena);
    let longest = plays.as_ref().map(|plays| plays.longest);
    if !rate.is_richman() {
        return match effort.within.filter(|&moves| longest.is_none_or(|longest| moves < longest)) {
            Some(moves) => within::solve(arena, mechanism, right, moves, effort),
            None => by_reach(arena, mechanism, right, effort),
        };
    }
    let task = |goal| ThresholdTask { arena, goal, right, effort };
    let truncated = |moves: u32| -> Result<(Shares, Shares, StopReason), Error> {
        let (win, rounds) = task(Goal::Win).truncated(moves)?;
        let (draw, more) = task(Goal::Draw).truncated(moves)?;
        let rounds = rounds.max(more);
        let fixed = rounds < moves;
        Ok((win, draw, if fixed { StopReason::FixedPoint { moves: rounds } } else { StopReason::Within { moves } }))
    };
    let (win, draw, stop) = match (plays, effort.within) {
        // A planted fault needs rounds, because the proofs for cyclic arenas would reject its
        // values.
        #[cfg(feature = "faults")]
        (None, None) if crate::fault::extreme(&0, &0).is_some() => truncated(u32::MAX)?,
        (None, None) => return by_reach(arena, mechanism, right, effort),
        (Some(plays), within) if within.is_none_or(|moves| moves >= plays.longest) => {
            let ([win, draw], stop) = plays.solve([&task(Goal::Win), &task(Goal::Draw)], effort)?;
            if !right.may_let() && stop != StopReason::Acyclic {
                refuse_zugzwang(arena, rate, [&win, &draw], effort)?;
            }
            (win, draw, stop)
        }
        (_, within) => truncated(within.unwrap_or(u32::MAX))?,
    };
    Ok(MoneySolution { mechanism: mechanism.clone(), win, draw, stop })
}

/// Solves component by component for each player's chance in random-turn play, or its counterpart
/// with other payments.
fn by_reach(arena: &Arena, mechanism: &Mechanism, right: Right, effort: &Effort) -> Result<MoneySolution, Error> {
    // Alice's search leaves time for Bob's; without draws his values are mostly one minus hers.
    let tenths = if arena.nodes().any(|node| arena.terminal(node) == Some(Terminal::Draw)) { 7 } else { 9 };
    let first = effort.time_left().map_or(*effort, |left| effort.at_most(left / 10 * tenths));
    let rate = mechanism.payment.rate();
    let alice = ReachValues::find(arena, Player::Alice, rate, None, &first)?;
    let bob = ReachValues::find(arena, Player::Bob, rate, Some(&alice), effort)?;
    let time_up = alice.time_up || bob.time_up;
    // Alice wins above 1 - her chance; Bob wins below his.
    let packed = bob.may_be_packed();
    let (win, draw) = (alice.complement(packed), bob.shares(packed));
    if !right.may_let() {
        refuse_zugzwang(arena, rate, [&win, &draw], effort)?;
    }
    let mut solution = MoneySolution { mechanism: mechanism.clone(), win, draw, stop: StopReason::Proved };
    if !solution.is_exact() {
        solution.stop = if time_up { StopReason::TimeUp } else { StopReason::Bounded };
    } else if arena.is_acyclic() {
        solution.stop = StopReason::Acyclic;
    }
    Ok(solution)
}

/// Refuses arenas in which a player who can win would somewhere rather have the other player move,
/// because moving is worse, or as good but leads in circles.
fn refuse_zugzwang(arena: &Arena, rate: Rate, [win, draw]: [&Shares; 2], effort: &Effort) -> Result<(), Error> {
    for (shares, player) in [(win, Player::Alice), (draw, Player::Bob)] {
        let needed = 2 * shares.bytes() + 4 * arena.len() as u64; // the other player's take about as much
        effort.check_memory("ruling out zugzwang", needed + bytes_for_progress(arena, arena.len(), arena.edges()))?;
        let nodes: Vec<Node> = arena.nodes().collect();
        let of = |node: Node| match player {
            Player::Alice => shares.get(node).complement(),
            Player::Bob => shares.get(node),
        };
        let best = |node| arena.moves(node, player).iter().map(|&to| of(to).low).max();
        let worst = |node| arena.moves(node, player.other()).iter().map(|&to| of(to).high).min();
        let worst_low = |node| arena.moves(node, player.other()).iter().map(|&to| of(to).low).min();
        let joined = |node: Node| arena.terminal(node) == Some(Terminal::Win(player));
        let keeps = |node: Node, to: Node| {
            let after = of(to).low;
            match worst_low(node) {
                Some(worst) => after >= worst && of(node).low <= threshold(rate, &after, &worst),
                None => of(node).low <= after, // the player moves without a bid
            }
        };
        let joins = progresses(arena, &nodes, player, joined, keeps, |node| best(node) > worst(node), effort.watch)?;
        let stuck = |node: Node| !joins[node as usize] && of(node).low > Share::ZERO;
        // Moving is no worse than letting the other move if both have a move in common.
        let common = |node: Node| {
            let others: FxHashSet<Node> = arena.moves(node, player.other()).iter().copied().collect();
            arena.moves(node, player).iter().any(|to| others.contains(to))
        };
        let is_worse = |node: Node| arena.owner(node).is_none() && best(node) < worst(node) && !common(node);
        if let Some(node) = nodes.iter().find(|&&node| is_worse(node) || stuck(node)) {
            let position = node.to_string();
            let is_exact = shares.exact_count() == shares.len();
            return Err(if is_exact { Error::Zugzwang { position } } else { Error::PerhapsZugzwang { position } });
        }
    }
    Ok(())
}

/// One turn in machine words, over a common power of two.
fn mean(a: &u64, b: &u64) -> u64 {
    #[cfg(feature = "faults")]
    if let Some(wrong) = crate::fault::extreme(a, b) {
        return *wrong;
    }
    (a + b) / 2 // exact: values at height h are multiples of 2^(exponent - h)
}

fn mean_share(a: &Share, b: &Share) -> Share {
    #[cfg(feature = "faults")]
    if let Some(wrong) = crate::fault::extreme(a, b) {
        return wrong.clone();
    }
    Share::mean(a, b)
}

/// The lengths of plays in an acyclic arena.
struct FinitePlays {
    /// The number of moves in the longest play.
    longest: u32,
    /// Bytes of one player's exact thresholds at all positions.
    bytes: u64,
}

impl FinitePlays {
    /// `None` if the arena has a cycle.
    fn of(arena: &Arena) -> Option<FinitePlays> {
        /// Bytes of a rational apart from its digits.
        const RATIONAL: u64 = 96;
        if !arena.is_acyclic() {
            return None;
        }
        let mut height = vec![0u32; arena.len()];
        let (mut longest, mut bytes) = (0, 0);
        for &node in arena.components().order() {
            let moves = arena.successors(node).iter().map(|&to| height[to as usize] + 1).max().unwrap_or(0);
            height[node as usize] = moves;
            longest = longest.max(moves);
            bytes += RATIONAL + u64::from(moves) / 4;
        }
        Some(FinitePlays { longest, bytes })
    }

    /// Both thresholds: exact within the limits or if required, else bounds.
    fn solve(&self, tasks: [&ThresholdTask; 2], effort: &Effort) -> Result<([Shares; 2], StopReason), Error> {
        let exactness = if self.longest <= LARGEST_EXPONENT { Exactness::Required } else { effort.exactness };
        // If exact values take too long, bounds still need time.
        let part = if exactness == Exactness::Required { 1 } else { 2 };
        let until = effort.time_left().and_then(|left| effort.at_most(left / part).deadline);
        let mut why = StopReason::Bounded;
        let [win, draw] = tasks;
        let exact = || Ok([win.once(self, until)?, draw.once(self, until)?]);
        let found = match exactness {
            Exactness::Required => Some(exact()?),
            Exactness::Bounds => None,
            Exactness::Preferred => match exact() {
                Ok(found) => Some(found),
                Err(Error::TooMuchMemory { .. }) => None,
                Err(Error::OutOfTime { .. }) => {
                    why = StopReason::TimeUp;
                    None
                }
                Err(error) => return Err(error),
            },
        };
        match found {
            Some(found) => Ok((found, StopReason::Acyclic)),
            None => Ok(([win.bounds()?, draw.bounds()?], why)),
        }
    }
}

struct ThresholdTask<'a> {
    arena: &'a Arena,
    goal: Goal,
    right: Right,
    effort: &'a Effort<'a>,
}

impl ThresholdTask<'_> {
    /// The value where the game ended, or was cut off (`None`).
    fn at_end<'v, V>(&self, end: Option<Terminal>, (zero, one): &'v (V, V)) -> &'v V {
        if self.goal.is_reached(Player::Alice, end.and_then(Terminal::winner)) { zero } else { one }
    }

    /// The value before a move: the `mean` of the best and worst values after it; `None` where the
    /// game has ended. Only exact values can show a zugzwang.
    fn before_move<V: Ord>(
        &self,
        node: Node,
        values: &[V],
        mean: impl Fn(&V, &V) -> V,
        is_exact: bool,
    ) -> Result<Option<V>, Error> {
        let value = |&to: &Node| &values[to as usize];
        let alice = self.arena.moves(node, Player::Alice).iter().map(value).min();
        let bob = self.arena.moves(node, Player::Bob).iter().map(value).max();
        // Where one player moves without a bid, both values are the same.
        let (Some(alice), Some(bob)) = (alice.or(bob), bob.or(alice)) else { return Ok(None) };
        if is_exact && !self.right.may_let() && alice > bob {
            return Err(Error::Zugzwang { position: node.to_string() });
        }
        Ok(Some(mean(alice, bob)))
    }

    /// Exact values of an acyclic arena, each computed once, after its successors.
    fn once(&self, plays: &FinitePlays, until: Option<Instant>) -> Result<Shares, Error> {
        let count = self.arena.len() as u64;
        if plays.longest <= LARGEST_EXPONENT {
            self.effort.check_memory("the solution", count * 24)?;
            let numerators = self.once_in((0, 1 << plays.longest), None, mean, true)?;
            return Ok(Shares::Dyadic { exponent: plays.longest, numerators });
        }
        self.effort.check_memory("the exact solution", 2 * plays.bytes)?;
        Ok(Shares::Rational(self.once_in((Share::ZERO, Share::ONE), until, mean_share, true)?))
    }

    /// Bounds in the same way; every turn widens them by at most a unit.
    fn bounds(&self) -> Result<Shares, Error> {
        /// Bytes of an exact share stored on its own.
        const SHARE: u64 = 64;
        let count = self.arena.len() as u64;
        self.effort.check_memory("narrowing the bounds", count * 48)?;
        let low = self.once_in((0, ONE), None, |a, b| (a + b) / 2, false)?;
        let high = self.once_in((0, ONE), None, |a, b| (a + b).div_ceil(2), false)?;
        let exact = low.iter().zip(&high).filter(|(low, high)| low == high).count() as u64;
        self.effort.check_memory("narrowing the bounds", count * 48 + 2 * exact * SHARE)?;
        let share = |(&low, &high): (&u64, &u64)| (low == high).then(|| Box::new(Share::dyadic(low, 62)));
        Ok(Shares::Bounded { exact: low.iter().zip(&high).map(share).collect(), low, high })
    }

    fn once_in<V: Clone + Ord>(
        &self,
        ends: (V, V),
        until: Option<Instant>,
        mean: impl Fn(&V, &V) -> V,
        is_exact: bool,
    ) -> Result<Vec<V>, Error> {
        const BETWEEN_CHECKS: usize = 1 << 8;
        let mut values = vec![ends.1.clone(); self.arena.len()];
        for (done, &node) in self.arena.components().order().iter().enumerate() {
            values[node as usize] = match self.before_move(node, &values, &mean, is_exact)? {
                Some(value) => value,
                None => self.at_end(self.arena.terminal(node), &ends).clone(),
            };
            if done % BETWEEN_CHECKS == 0 {
                self.effort.check_cancelled()?;
                if until.is_some_and(|until| Instant::now() >= until) {
                    return Err(Error::OutOfTime { what: "an exact answer" });
                }
                self.effort.watch.progress("positions", done as u64, Some(self.arena.len() as u64));
            }
        }
        Ok(values)
    }

    /// The values within `moves` moves, and the number of moves, at most `moves`, after which they
    /// are final.
    fn truncated(&self, moves: u32) -> Result<(Shares, u32), Error> {
        if moves <= LARGEST_EXPONENT {
            let (numerators, rounds) = self.truncated_in(moves, (0, 1 << moves), mean)?;
            return Ok((Shares::Dyadic { exponent: moves, numerators }, rounds));
        }
        let (shares, rounds) = self.truncated_in(moves, (Share::ZERO, Share::ONE), mean_share)?;
        Ok((Shares::Rational(shares), rounds))
    }

    fn truncated_in<V: Clone + Ord>(
        &self,
        moves: u32,
        ends: (V, V),
        mean: impl Fn(&V, &V) -> V,
    ) -> Result<(Vec<V>, u32), Error> {
        let arena = self.arena;
        let mut values: Vec<V> = arena.nodes().map(|node| self.at_end(arena.terminal(node), &ends).clone()).collect();
        const BETWEEN_CHECKS: Node = 1 << 8;
        for round in 0..moves {
            self.effort.watch.progress("moves looked ahead", u64::from(round), Some(u64::from(moves)));
            self.effort.check_memory("the solution", arena.len() as u64 * (96 + u64::from(round) / 2))?;
            let mut next = Vec::with_capacity(values.len());
            for node in arena.nodes() {
                if node.is_multiple_of(BETWEEN_CHECKS) {
                    self.effort.check_time("looking that many moves ahead")?;
                }
                next.push(match self.before_move(node, &values, &mean, true)? {
                    Some(value) => value,
                    None => values[node as usize].clone(),
                });
            }
            if next == values {
                return Ok((values, round));
            }
            values = next;
        }
        Ok((values, moves))
    }
}

#[cfg(test)]
mod tests {
    use richman_core::ArenaBuilder;

    use super::*;

    /// A chain where Alice moves to the next position and Bob to one behind it, so that
    /// denominators grow with every move.
    fn chain(length: u32) -> Arena {
        let mut rng = fastrand::Rng::with_seed(u64::from(length));
        let mut builder = ArenaBuilder::new();
        for end in [Terminal::Win(Player::Alice), Terminal::Win(Player::Bob), Terminal::Draw] {
            builder.terminal(end);
        }
        for _ in 0..length {
            let last = builder.len() as Node - 1;
            let behind = rng.u32(last.saturating_sub(5)..last);
            builder.position(&[last], &[behind]);
        }
        builder.build(length + 2).unwrap()
    }

    #[test]
    fn long_plays_have_bounds_around_the_exact_thresholds() {
        let arena = chain(300);
        let solve = |exactness| {
            let effort = Effort { exactness, ..Effort::default() };
            super::solve(&arena, &Mechanism::default(), &effort).unwrap()
        };
        let (exact, bounds) = (solve(Exactness::Preferred), solve(Exactness::Bounds));
        assert_eq!((exact.is_exact(), exact.stop), (true, StopReason::Acyclic));
        assert_eq!((bounds.is_exact(), bounds.stop), (false, StopReason::Bounded));
        let most = Share::dyadic(300, 62);
        for (exact, bounds) in [(&exact.win, &bounds.win), (&exact.draw, &bounds.draw)] {
            assert!(bounds.exact_count() > 3 && bounds.exact_count() < 303);
            for node in arena.nodes() {
                let (exact, bounds) = (exact.get(node), bounds.get(node));
                assert!(bounds.low <= exact.low && exact.high <= bounds.high, "{node}: {exact} in {bounds}");
                assert!(Share::less(&bounds.high, &bounds.low) <= most, "{node}: {bounds}");
            }
        }
    }

    #[test]
    fn what_does_not_fit_exactly_is_bounded_unless_exact_values_are_required() {
        let arena = chain(20_000);
        let solve = |exactness, memory, deadline| {
            let effort = Effort { exactness, memory, deadline, ..Effort::default() };
            super::solve(&arena, &Mechanism::default(), &effort)
        };
        let now = Some(Instant::now());
        for (memory, deadline, stop) in [(8 << 20, None, StopReason::Bounded), (4 << 30, now, StopReason::TimeUp)] {
            let bounds = solve(Exactness::Preferred, memory, deadline).unwrap();
            assert_eq!((bounds.is_exact(), bounds.stop), (false, stop));
            let start = bounds.win.get(arena.start());
            assert!(start.low < start.high && Share::less(&start.high, &start.low) <= Share::dyadic(20_000, 62));
        }
        let refused = solve(Exactness::Required, 8 << 20, None);
        assert!(matches!(refused, Err(Error::TooMuchMemory { .. })), "{refused:?}");
        let refused = solve(Exactness::Required, 4 << 30, now);
        assert!(matches!(refused, Err(Error::OutOfTime { .. })), "{refused:?}");
    }
}
