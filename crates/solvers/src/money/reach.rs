//! The chance that a player wins random-turn play, at every position; exact where that fits.
//!
//! **Formula.** The least solution of P(v) = one turn from (max over the player's moves, min over
//! the other's), with 1 where the player has won and 0 at the other ends. With Richman payment a
//! turn is the mean. With other payments (see `turn`), P is one minus the player's threshold but
//! not a probability. **Source.** [DP10, 1; K, theorem 3.1]; theorem 3 (bounds in random-turn play)
//! and theorem 7 (bounds in real money) of `docs/design.md` prove how to tell the least solution
//! from others. **Accepts** every arena.
//!
//! **A component** is valued in this order. Positions that can never make progress have chance 0.
//! The largest set from which the player wins with certainty has chance 1. For the rest, `policy`
//! finds good policies in doubles, and `exact` their exact values. These are kept if every
//! comparison and the player's progress hold exactly; otherwise `bounds` proves bounds. If part of
//! a bid leaves the game, values between 0 and 1 on a cycle are usually irrational, and always
//! bounds.
//!
//! **Stops** when all components have values; exact values get half of the remaining time, bounds
//! the rest. **Result:** exact, or proved bounds. **Time and memory:** see [`super`]. **Checked
//! by** the verifier, which shares only progress with this file, and by enumerating all policies.

mod exactly;

use richman_core::{
    Choice, Effort, Error, Exactness, LabelledArena, Node, PacedWatch, Player, Rate, Remedy, Share, Shares, Watch,
    WinLose, Winnable, bytes_for_progress, progress, progresses,
};

use super::bounds::{BoundSearch, LocalBounds, ONE, ProvedSides};
use super::factor::NotFactored;
use super::local::{LocalSystem, NodeIndices, Policies};
use super::policy::optimise;
use super::turn::{ceil, floor, threshold};

/// Larger components that fill in are solved exactly only if exact values are required.
const LARGEST_FILLED: usize = 30_000;

/// Larger components get bounds before their best policies are found, in case time runs out.
const EARLY_FROM: usize = 2_000;

/// The longest denominators, in bits, of exact values.
const MOST_BITS: usize = 1 << 16;

/// The same if part of a bid leaves the game, because denominators can double in bits at every
/// move.
pub(super) const MOST_BITS_WITH_BANK: usize = 1 << 12;

/// The same if exact values are required; longer ones could not be saved.
pub(super) const MOST_BITS_REQUIRED: usize = 1 << 17;

pub(super) struct ReachValues<'a, L: Winnable = WinLose> {
    arena: &'a LabelledArena<L>,
    player: Player,
    rate: Rate,
    effort: &'a Effort<'a>,
    /// Whether some values are only bounds because the time was up.
    pub time_up: bool,
    known: Vec<bool>,
    exact: Vec<Option<Box<Share>>>,
    /// Bounds in units of 2^-62, around exact values too.
    low: Vec<u64>,
    high: Vec<u64>,
    held: u64,
    /// The most bytes that may be held before bounds replace exact values.
    most_held: u64,
    open: u64,
}

/// Bytes for each position in addition to its exact value.
const PER_POSITION: u64 = 25;

impl<'a, L: Winnable> ReachValues<'a, L> {
    /// Computes all values, first trying one minus those of `mirror`, the other player's.
    pub fn find(
        arena: &'a LabelledArena<L>,
        player: Player,
        rate: Rate,
        mirror: Option<&ReachValues<L>>,
        effort: &'a Effort<'a>,
    ) -> Result<ReachValues<'a, L>, Error> {
        let count = arena.len();
        let left = effort.memory_left();
        // The first player's exact values must leave as much memory to the second's.
        let most_held = if mirror.is_some() { left } else { left / 2 };
        let mut reach = ReachValues {
            arena,
            player,
            rate,
            effort,
            most_held,
            open: count as u64,
            time_up: false,
            known: vec![false; count],
            exact: vec![None; count],
            low: vec![0; count],
            high: vec![0; count],
            held: count as u64 * PER_POSITION + mirror.map_or(0, |mirror| mirror.held),
        };
        let components = arena.find_components(effort.watch)?;
        let mut done = 0;
        for component in 0..components.len() {
            let nodes = components.nodes(component);
            match (nodes, components.is_cyclic(component)) {
                ([node], false) => reach.single(*node)?,
                _ => reach.component(nodes, mirror)?,
            }
            done += nodes.len();
            if component % 256 == 0 || nodes.len() > 256 {
                effort.check_cancelled()?;
                reach.time_up |= reach.stopped();
                effort.check_memory("the solution", reach.held)?;
                effort.watch.progress("positions", done as u64, Some(count as u64));
            }
        }
        Ok(reach)
    }

    /// Gives `node` the value of another position.
    pub fn copy(&mut self, node: Node, from: Node) {
        let (node, from) = (node as usize, from as usize);
        self.exact[node] = self.exact[from].clone();
        (self.low[node], self.high[node]) = (self.low[from], self.high[from]);
    }

    /// Whether memory suffices to copy the exact values into one vector.
    pub fn may_be_packed(&self) -> bool {
        let packed = (self.exact.len() * size_of::<Share>()) as u64;
        self.effort.check_memory("the solution", self.held + packed).is_ok()
    }

    /// The values as a solution: rationals if all are exact and `packed`, else bounds.
    pub fn shares(self, packed: bool) -> Shares {
        let ReachValues { exact, low, high, .. } = self;
        if packed && exact.iter().all(Option::is_some) {
            drop((low, high));
            return Shares::Rational(exact.into_iter().flatten().map(|share| *share).collect());
        }
        Shares::Bounded { exact, low, high }
    }

    /// [`ReachValues::shares`] of one minus the chances, in place.
    pub fn complement(mut self, packed: bool) -> Shares {
        for share in self.exact.iter_mut().flatten() {
            **share = share.complement();
        }
        for (low, high) in self.low.iter_mut().zip(&mut self.high) {
            (*low, *high) = (ONE - *high, ONE - *low);
        }
        self.shares(packed)
    }

    fn stopped(&self) -> bool {
        self.effort.until().cancelled()
    }

    fn set_exact(&mut self, node: Node, share: Share) {
        let v = node as usize;
        let (low, whole) = share.floor_dyadic(62);
        self.low[v] = low;
        self.high[v] = low + u64::from(!whole);
        self.held += share.bytes();
        self.open = self.open.saturating_sub(1);
        self.exact[v] = Some(Box::new(share));
        self.known[v] = true;
    }

    fn set_bounds(&mut self, node: Node, low: u64, high: u64) {
        (self.low[node as usize], self.high[node as usize]) = (low, high);
        self.open = self.open.saturating_sub(1);
        self.known[node as usize] = true;
    }

    /// Computes the values of a component; if time runs out first, the bounds are 0 and 1.
    fn component(&mut self, nodes: &[Node], mirror: Option<&ReachValues<L>>) -> Result<(), Error> {
        match self.valued(nodes, mirror) {
            Err(Error::Cancelled) if !self.effort.watch.cancelled() => {
                if self.effort.exactness == Exactness::Required {
                    return Err(Error::OutOfTime { what: "an exact answer" });
                }
                self.time_up = true;
                for &node in nodes {
                    if !self.known[node as usize] {
                        self.set_bounds(node, 0, ONE);
                    }
                }
                Ok(())
            }
            done => done,
        }
    }

    fn valued(&mut self, nodes: &[Node], mirror: Option<&ReachValues<L>>) -> Result<(), Error> {
        let until = self.effort.until();
        if let Some(mirror) = mirror
            && self.mirrored(nodes, mirror)?
        {
            return Ok(());
        }
        let moves: usize = nodes.iter().map(|&node| self.arena.successors(node).len()).sum();
        let progressing = bytes_for_progress(self.arena, nodes.len(), moves);
        self.effort.check_memory("the solution", self.held + progressing)?;
        // Without progress towards a win, the chance is 0.
        let stages = progress(
            self.arena,
            nodes,
            self.player,
            |node| self.known[node as usize] && self.high[node as usize] > 0,
            |_, _| true,
            |_| true,
            &until,
        )?;
        let mut order = Vec::with_capacity(nodes.len());
        for (&node, stage) in nodes.iter().zip(&stages) {
            match stage {
                Some(stage) => order.push((*stage, node)),
                None => self.set_exact(node, Share::ZERO),
            }
        }
        let open = order.iter().map(|&(_, node)| node).collect();
        for node in self.certain(open)? {
            self.set_exact(node, Share::ONE);
        }
        order.retain(|&(_, node)| !self.known[node as usize]);
        order.sort_unstable();
        let positive: Vec<Node> = order.iter().map(|&(_, node)| node).collect();
        if positive.is_empty() {
            return Ok(());
        }
        const PER_POSITION: u64 = 400;
        self.effort.check_memory("the solution", self.held + positive.len() as u64 * PER_POSITION)?;
        let left = self.effort.memory_left().saturating_sub(self.held + positive.len() as u64 * PER_POSITION);
        let local = LocalSystem::new(self.arena, &positive, self.player, left, &until)?;
        // Two pairs of policies, values and known shares.
        let of_local = local.bytes() + (local.nodes.len() * 40) as u64;
        self.held += of_local;
        // A move of the player to a position of an earlier stage makes progress.
        let stage_of = |i: u32| if (i as usize) < local.inner { order[i as usize].0 } else { 0 };
        let outside = |i: u32| i as usize >= local.inner;
        let value = |i: u32| self.high[local.nodes[i as usize] as usize];
        let own = (0..local.inner).map(|v| {
            let moves = local.own.get(v).iter().copied();
            let best = moves.filter(|&to| !(outside(to) && value(to) == 0)).min_by_key(|&to| stage_of(to));
            best.or(local.own.get(v).first().copied()).unwrap_or(v as u32)
        });
        let mut proper = Policies { own: own.collect(), other: self.towards_least(&local, &positive)? };
        local.agree(&mut proper);
        let mut time_up = false;
        let found = self.solve(&local, &proper, &mut time_up)?;
        drop((local, proper));
        self.held -= of_local;
        self.time_up |= time_up;
        match found {
            ComponentShares::Exact(shares) => {
                for (&node, share) in positive.iter().zip(shares) {
                    self.set_exact(node, share);
                }
            }
            ComponentShares::Bounds(bounds) => {
                for ((&node, low), high) in positive.iter().zip(bounds.low).zip(bounds.high) {
                    self.set_bounds(node, low, high);
                }
            }
        }
        Ok(())
    }

    /// The positions of `nodes` from which the player wins with certainty. Other methods miss this
    /// where the other player can prolong play with equally bad moves.
    fn certain(&self, mut nodes: Vec<Node>) -> Result<Vec<Node>, Error> {
        let until = self.effort.until();
        let pace = PacedWatch::new(&until);
        const ROUNDS: usize = 200;
        /// Above this, memory order: more rounds than in the component's order, but faster ones.
        const IN_CACHE: usize = 1 << 17;
        let won = |node: Node| self.exact[node as usize].as_deref() == Some(&Share::ONE);
        if nodes.len() > IN_CACHE {
            nodes.sort_unstable(); // as in memory
        }
        let mut inside = vec![false; self.arena.len()];
        for &node in &nodes {
            inside[node as usize] = true;
        }
        let (own, other) = (self.player, self.player.other());
        for _ in 0..ROUNDS {
            // Theorem 3 (bounds in random-turn play) with L = 1 on the set: the player can stay,
            // the other player must, and there is progress. The first two are checked backwards and
            // forwards in turn until they hold, because removing one position can remove others.
            pace.steps(nodes.len())?;
            let before = nodes.len();
            nodes.reverse();
            nodes.retain(|&node| {
                let stays = |&to: &Node| inside[to as usize] || won(to);
                let kept = (self.arena.owner(node) == Some(other) || self.arena.moves(node, own).iter().any(stays))
                    && self.arena.moves(node, other).iter().all(stays);
                inside[node as usize] = kept;
                kept
            });
            if nodes.is_empty() {
                break;
            }
            if nodes.len() < before {
                continue;
            }
            let stays = |to: Node| inside[to as usize] || won(to);
            let mut joins = progresses(self.arena, &nodes, own, won, |_, to| stays(to), |_| true, &until)?.into_iter();
            nodes.retain(|&node| {
                let kept = joins.next() == Some(true);
                inside[node as usize] = kept;
                kept
            });
            if nodes.len() == before {
                return Ok(nodes);
            }
        }
        Ok(Vec::new()) // not settled: values may still show it
    }

    /// Moves of the other player towards the outside positions where the player's chance is least.
    fn towards_least(&self, local: &LocalSystem, positive: &[Node]) -> Result<Vec<u32>, Error> {
        let value = |node: Node| self.high[node as usize];
        let least = local.nodes[local.inner..].iter().map(|&node| value(node)).min();
        let joined = |node: Node| self.known[node as usize] && Some(value(node)) == least;
        let until = self.effort.until();
        let stages = progress(self.arena, positive, self.player.other(), joined, |_, _| true, |_| true, &until)?;
        let stage = |to: u32| match stages.get(to as usize) {
            Some(stage) => stage.unwrap_or(u32::MAX),
            None if joined(local.nodes[to as usize]) => 0,
            None => u32::MAX,
        };
        let moves = |v| local.other.get(v).iter().copied();
        Ok((0..local.inner).map(|v| moves(v).min_by_key(|&to| stage(to)).unwrap_or(v as u32)).collect())
    }

    /// Values a position on no cycle by one turn.
    fn single(&mut self, node: Node) -> Result<(), Error> {
        if self.arena.terminal(node).is_some() {
            let won = self.arena.winner(node) == Some(self.player);
            self.set_exact(node, if won { Share::ONE } else { Share::ZERO });
            return Ok(());
        }
        let exact = |to: Node| self.exact[to as usize].as_deref();
        let is_exact = self.arena.successors(node).iter().all(|&to| exact(to).is_some());
        if is_exact
            && let Some([Some(best), Some(worst)]) = self.arena.best_and_worst(node, self.player, exact)
            && let Some(share) = self.kept(best, worst)?
        {
            self.set_exact(node, share);
            return Ok(());
        }
        let after =
            |values: &[u64]| self.arena.best_and_worst(node, self.player, |to| values[to as usize]).unwrap_or([0, 0]);
        let ([best_low, worst_low], [best_high, worst_high]) = (after(&self.low), after(&self.high));
        self.set_bounds(node, floor(self.rate, best_low, worst_low), ceil(self.rate, best_high, worst_high));
        Ok(())
    }

    /// One turn in exact numbers, or `None` if the result is too long to keep.
    fn kept(&self, best: &Share, worst: &Share) -> Result<Option<Share>, Error> {
        let share = || threshold(self.rate, best, worst);
        let most = match (self.effort.exactness, self.rate.is_richman()) {
            (Exactness::Bounds, _) => return Ok(None),
            (Exactness::Preferred, _) if self.time_up => return Ok(None),
            (Exactness::Required, true) if self.time_up => return Err(Error::OutOfTime { what: "an exact answer" }),
            (Exactness::Required, true) => return Ok(Some(share())),
            (Exactness::Required, false) => return self.required(best, worst).map(Some),
            (Exactness::Preferred, true) => MOST_BITS,
            (Exactness::Preferred, false) => MOST_BITS_WITH_BANK,
        };
        let share = share();
        // Leave room for the short values of ends.
        let held = self.held + share.bytes() + self.open * Share::ONE.bytes();
        Ok(Some(share).filter(|share| share.denominator_bits() <= most && held <= self.most_held))
    }

    /// The same if an exact answer is required: denominators can double in bits at every move.
    fn required(&self, best: &Share, worst: &Share) -> Result<Share, Error> {
        const LONG: usize = 1 << 12;
        if best.denominator_bits() + worst.denominator_bits() > LONG {
            self.effort.check_cancelled()?;
            self.effort.check_memory("the solution", self.held)?;
            if self.stopped() {
                return Err(Error::OutOfTime { what: "an exact answer" });
            }
        }
        let share = threshold(self.rate, best, worst);
        if share.denominator_bits() <= MOST_BITS_REQUIRED {
            return Ok(share);
        }
        let what = format!("an exact answer with denominators of more than {MOST_BITS_REQUIRED} bits");
        Err(Error::inexact(what))
    }

    /// The values of the local positions; sets `time_up` if they are bounds for lack of time.
    fn solve(&self, local: &LocalSystem, proper: &Policies, time_up: &mut bool) -> Result<ComponentShares, Error> {
        let outside = &local.nodes[local.inner..];
        let mut x = vec![0.0; local.nodes.len()];
        for (x, &node) in x[local.inner..].iter_mut().zip(outside) {
            *x = (self.low[node as usize] as f64 + self.high[node as usize] as f64) / (2.0 * ONE as f64);
        }
        let until = self.effort.until();
        let known = |values: &[u64]| outside.iter().map(|&node| values[node as usize]).collect::<Vec<u64>>();
        let (known_low, known_high) = (known(&self.low), known(&self.high));
        let search = BoundSearch {
            arena: self.arena,
            player: self.player,
            rate: self.rate,
            local,
            policies: proper,
            known_low: &known_low,
            known_high: &known_high,
            width: (self.effort.width * ONE as f64) as u64,
            until: &until,
        };
        self.effort.watch.progress("policies", 0, None);
        let mut early = ProvedSides::default();
        let bounds_serve = self.effort.deadline.is_some() && self.effort.exactness != Exactness::Required;
        let found = optimise(local, self.rate, proper, &mut x, &until, |policies, x| {
            if bounds_serve && local.inner >= EARLY_FROM {
                let found = BoundSearch { policies, ..search }.early(x)?;
                early = found.or(std::mem::take(&mut early));
            }
            Ok(())
        });
        let policies = match found {
            Ok(policies) => policies,
            Err(Error::Cancelled) if bounds_serve && !self.effort.watch.cancelled() => {
                *time_up = true;
                return Ok(ComponentShares::Bounds(early.or_any(local.inner)));
            }
            Err(error) => return Err(error),
        };
        let known: Option<Vec<Share>> =
            outside.iter().map(|&node| self.exact[node as usize].as_deref().cloned()).collect();
        let worth_trying = match self.effort.exactness {
            _ if !self.rate.is_richman() => false,
            Exactness::Required => true,
            Exactness::Preferred => local.inner <= LARGEST_FILLED || local.may_be_thin(),
            Exactness::Bounds => false,
        };
        if let Some(known) = known.filter(|_| worth_trying) {
            self.effort.watch.progress("exact values", 0, None);
            match self.exact_values(local, policies.clone(), proper, &known) {
                Ok(Some(shares)) => return Ok(ComponentShares::Exact(shares)),
                Ok(None) | Err(NotFactored::Singular | NotFactored::TooDense) => {}
                Err(NotFactored::Stopped) => {
                    self.effort.check_cancelled()?;
                    *time_up = true;
                }
            }
        }
        if self.effort.exactness == Exactness::Required {
            if !self.rate.is_richman() {
                let what = "an exact answer where play can come back and some of a bid leaves the game (thresholds are \
                            irrational there as a rule)";
                let richman = Remedy::Take(Choice::PAYMENT, "richman".to_string());
                return Err(Error::unsupported_unless(what, [Remedy::LeaveOut(Choice::EXACTNESS), richman]));
            }
            let what = format!("an exact answer on a component of {} positions within these limits", local.inner);
            let remedies = [Remedy::LeaveOut(Choice::EXACTNESS), Remedy::MoreTime, Remedy::MoreMemory];
            return Err(Error::unsupported_unless(what, remedies));
        }
        self.effort.watch.progress("bounds", 0, None);
        let bounds = BoundSearch { policies: &policies, ..search }.bounds(&x, early)?;
        *time_up |= until.is_over();
        Ok(ComponentShares::Bounds(bounds))
    }

    /// Tries one minus the other player's values for a component, which is right if the moves
    /// allowed by these values make progress. One pass shows that, so the values are tried at any
    /// time if some are known.
    fn mirrored(&mut self, nodes: &[Node], mirror: &ReachValues<L>) -> Result<bool, Error> {
        let until = self.effort.until();
        let is_known = |&node: &Node| mirror.low[node as usize] > 0 || mirror.high[node as usize] < ONE;
        let watch: &dyn Watch = if nodes.iter().any(is_known) { self.effort.watch } else { &until };
        let pace = PacedWatch::new(watch);
        let complementary = |node: Node| {
            let v = node as usize;
            let same_exact = match (&self.exact[v], &mirror.exact[v]) {
                (Some(own), Some(other)) => **own == other.complement(),
                (None, None) => true,
                _ => false,
            };
            same_exact && self.low[v] == ONE - mirror.high[v] && self.high[v] == ONE - mirror.low[v]
        };
        let mut inside = NodeIndices::new(self.arena.len(), nodes.len());
        nodes.iter().for_each(|&node| inside.insert(node, 0));
        let outside = |to: &Node| inside.get(*to).is_none();
        for &node in nodes {
            pace.step()?;
            if !self.arena.successors(node).iter().filter(|to| outside(to)).all(|&to| complementary(to)) {
                return Ok(false);
            }
        }
        let low = |node: Node| ONE - mirror.high[node as usize];
        let keeps = |node: Node, to: Node| {
            let moves = |player| self.arena.moves(node, player);
            match &mirror.exact[node as usize] {
                Some(_) => {
                    let values = moves(self.player).iter().map(|&to| mirror.exact[to as usize].as_deref());
                    let least = values.collect::<Option<Vec<_>>>().and_then(|values| values.into_iter().min());
                    least.is_some() && least == mirror.exact[to as usize].as_deref()
                }
                None => {
                    let least = moves(self.player.other()).iter().map(|&to| low(to)).min();
                    low(node) <= floor(self.rate, low(to), least.unwrap_or(low(to)))
                }
            }
        };
        let joined = |node: Node| self.known[node as usize] && self.low[node as usize] > 0;
        let joins = progresses(self.arena, nodes, self.player, joined, keeps, |_| true, watch)?;
        let zero = |node: Node| match &mirror.exact[node as usize] {
            Some(share) => **share == Share::ONE,
            None => low(node) == 0,
        };
        if !nodes.iter().zip(joins).all(|(&node, joins)| joins || zero(node)) {
            return Ok(false);
        }
        for &node in nodes {
            match mirror.exact[node as usize].as_deref() {
                Some(share) => self.set_exact(node, share.complement()),
                None => self.set_bounds(node, low(node), ONE - mirror.low[node as usize]),
            }
        }
        Ok(true)
    }
}

enum ComponentShares {
    Exact(Vec<Share>),
    Bounds(LocalBounds),
}
