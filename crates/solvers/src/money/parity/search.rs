//! Good strategies for both players of a parity game with real money, found in doubles.
//!
//! The results are only a guide: whatever the strategies, the bounds they give are proved
//! afterwards.

use richman_core::{ByPlayer, Components, Effort, Error, Groups, Node, PacedWatch, ParityArena, Player, Rate, Watch};

use super::super::local::{LocalSystem, Policies};
use super::super::policy::{evaluate, switch};
use super::super::turn::approximate;
use super::certain::{Certain, CoinGame};
use crate::parity::Levels;

/// Values that differ by less may be equal.
const TIE: f64 = 1e-9;

pub(super) struct StrategySearch<'a> {
    arena: &'a ParityArena,
    rate: Rate,
    effort: &'a Effort<'a>,
    until: &'a dyn Watch,
    /// Alice's chances.
    x: Vec<f64>,
    /// Both players' moves; arbitrary where a player does not move.
    pub strategies: ByPlayer<Vec<Node>>,
}

/// A component with the positions that can follow, and both players' strategies there. Alice is the
/// player whose chances are sought.
struct StrategyPart<'a> {
    local: &'a LocalSystem,
    /// The level of each local position.
    levels: &'a Levels,
    policies: Policies,
    /// Alice's chances: of the local positions, then 1 and 0.
    x: Vec<f64>,
    pace: PacedWatch<'a>,
    /// Bytes for lists of pending positions.
    room: u64,
}

impl<'a> StrategySearch<'a> {
    pub fn find(
        arena: &'a ParityArena,
        rate: Rate,
        effort: &'a Effort<'a>,
        until: &'a dyn Watch,
    ) -> Result<ByPlayer<Vec<Node>>, Error> {
        let count = arena.len();
        let strategies = ByPlayer::both(vec![0; count]);
        let mut search = StrategySearch { arena, rate, effort, until, x: vec![0.0; count], strategies };
        let components = arena.find_components(effort.watch)?;
        let mut done = 0;
        for index in 0..components.len() {
            let nodes = components.nodes(index);
            match nodes {
                [node] if !components.is_cyclic(index) => search.single(*node),
                _ => search.component(nodes)?,
            }
            done += nodes.len();
            if index % 256 == 0 || nodes.len() > 256 {
                effort.check_cancelled()?;
                effort.watch.progress("strategies", done as u64, Some(count as u64));
            }
        }
        Ok(search.strategies)
    }

    fn single(&mut self, node: Node) {
        let v = node as usize;
        if let Some(winner) = self.arena.winner(node) {
            self.x[v] = winner.either(1.0, 0.0);
            return;
        }
        let value = |&to: &Node| self.x[to as usize];
        let best = |player: Player| {
            let by = |a: &Node, b: &Node| value(a).total_cmp(&value(b));
            let moves = self.arena.moves(node, player).iter().copied();
            player.either(moves.clone().max_by(by), moves.min_by(by))
        };
        let (own, other) = (best(Player::Alice), best(Player::Bob));
        if let (Some(own), Some(other)) = (own.or(other), other.or(own)) {
            (self.strategies.alice[v], self.strategies.bob[v]) = (own, other);
            self.x[v] = approximate(self.rate, value(&own), value(&other));
        }
    }

    fn component(&mut self, nodes: &[Node]) -> Result<(), Error> {
        /// Policies, values, levels, and the graphs of moves.
        const PER_POSITION: u64 = 200;
        const PER_MOVE: u64 = 24;
        let moves: usize = nodes.iter().map(|&node| self.arena.successors(node).len()).sum();
        let needed = nodes.len() as u64 * PER_POSITION + moves as u64 * PER_MOVE;
        self.effort.check_memory("solving the parity game", needed)?;
        let left = self.effort.memory_left().saturating_sub(needed);
        let local = LocalSystem::new(self.arena, nodes, Player::Alice, left, self.until)?;
        let levels = Levels::of(self.arena, nodes);
        let first = |list: &[u32], other: &[u32]| list.first().or(other.first()).copied().unwrap_or(0);
        let policies = Policies {
            own: (0..local.inner).map(|v| first(local.own.get(v), local.other.get(v))).collect(),
            other: (0..local.inner).map(|v| first(local.other.get(v), local.own.get(v))).collect(),
        };
        let mut x: Vec<f64> = local.nodes.iter().map(|&node| self.x[node as usize]).collect();
        x[..local.inner].fill(0.5);
        x.extend([1.0, 0.0]);
        let pace = PacedWatch::new(self.until);
        let mut part = StrategyPart { local: &local, levels: &levels, policies, x, pace, room: left };
        let mut decided = vec![None; local.inner];
        let found = part.decide(&mut decided).and_then(|()| part.improve(self.rate, &decided, self.until));
        if let Err(error) = found
            && (self.effort.watch.cancelled() || error != Error::Cancelled)
        {
            return Err(error);
        }
        for (v, &node) in nodes.iter().enumerate() {
            self.x[node as usize] = decided[v].unwrap_or(part.x[v]);
            self.strategies.alice[node as usize] = local.nodes[part.policies.own[v] as usize];
            self.strategies.bob[node as usize] = local.nodes[part.policies.other[v] as usize];
        }
        Ok(())
    }
}

impl StrategyPart<'_> {
    fn list(&self, player: Player, v: usize) -> &[u32] {
        player.either(&self.local.own, &self.local.other).get(v)
    }

    fn policy(&mut self, player: Player) -> &mut Vec<u32> {
        player.either(&mut self.policies.own, &mut self.policies.other)
    }

    /// Where a player wins with certainty, and Alice's chance there; sets that player's moves.
    fn decide(&mut self, decided: &mut [Option<f64>]) -> Result<(), Error> {
        for player in Player::BOTH {
            let chance = player.either(1.0, 0.0);
            // Play that leaves is won only where the win is certain.
            let game = self.game(
                |v| (v >= self.local.inner).then(|| if self.x[v] == chance { player } else { player.other() }),
                |_, _, _| true,
            );
            let found = game.certain(player)?;
            for (v, decided) in decided.iter_mut().enumerate().filter(|(v, _)| found.wins[*v]) {
                *decided = Some(chance);
                self.x[v] = chance;
                self.take(&found, player, v);
            }
        }
        Ok(())
    }

    fn take(&mut self, found: &Certain, player: Player, v: usize) {
        if let Some(to) = found.strategies[player][v] {
            self.policy(player)[v] = to;
        }
    }

    /// The game of these moves with a coin. `out` names the winner outside, and at inner positions
    /// where play need not be followed.
    fn game(
        &self,
        out: impl Fn(usize) -> Option<Player>,
        allowed: impl Fn(Player, usize, u32) -> bool,
    ) -> CoinGame<'_> {
        let (inner, count) = (self.local.inner, self.local.nodes.len());
        let settled: Vec<Option<Player>> =
            (0..count).map(|v| out(v).or((v >= inner).then_some(Player::Alice))).collect();
        let moves = |player: Player| {
            let of = |v: usize| if settled[v].is_none() { self.list(player, v) } else { &[] };
            let stays = |v: usize| settled[v].map(|_| v as u32);
            Groups::of(count, 0, || {
                (0..count).flat_map(|v| {
                    let moves = of(v).iter().copied().filter(|&to| allowed(player, v, to));
                    moves.chain(stays(v)).map(|to| (v, to)).collect::<Vec<_>>()
                })
            })
        };
        let tops = self.levels.winners.len() as u32;
        let level = |v: usize| settled[v].map_or_else(|| self.levels.of[v], |winner| tops + winner as u32);
        CoinGame {
            moves: ByPlayer::new(moves(Player::Alice), moves(Player::Bob)),
            levels: (0..count).map(level).collect(),
            winners: self.levels.winners.iter().copied().chain(Player::BOTH).collect(),
            pace: &self.pace,
            room: self.room,
        }
    }

    /// Strategy iteration: first for both players at once, then for Bob against each strategy of
    /// Alice, which cannot cycle.
    fn improve(&mut self, rate: Rate, decided: &[Option<f64>], until: &dyn Watch) -> Result<(), Error> {
        const SWEEPS: usize = 40;
        const COARSE: f64 = 1e-5;
        const FINE: f64 = 3e-14;
        const TOGETHER: usize = 40;
        const ROUNDS: usize = 400;
        for _ in 0..SWEEPS {
            for v in (0..self.local.inner).filter(|&v| decided[v].is_none()) {
                let [best, worst] = self.local.best_and_worst(v, |a, b| self.x[a as usize] > self.x[b as usize]);
                self.x[v] = approximate(rate, self.x[best as usize], self.x[worst as usize]);
            }
            self.pace.steps(self.local.inner)?;
        }
        switch(self.local, &self.x, &mut self.policies, true, true);
        // At first, values need only be good enough to choose moves.
        let mut tolerance = COARSE;
        let mut last = usize::MAX;
        for round in 0..ROUNDS {
            self.evaluate(rate, tolerance, until)?;
            let by_turns = round >= TOGETHER;
            let changes = switch(self.local, &self.x, &mut self.policies, !by_turns, true);
            let settles = changes > last / 2 || changes * 1000 <= self.local.inner;
            last = if changes == 0 { usize::MAX } else { changes };
            if changes > 0 || tolerance > FINE {
                tolerance = if settles || by_turns { f64::max(tolerance * 1e-3, FINE) } else { tolerance };
                continue;
            }
            if self.reclass(Player::Alice, by_turns)? > 0 {
                continue;
            }
            if by_turns && switch(self.local, &self.x, &mut self.policies, true, false) > 0 {
                continue;
            }
            if self.reclass(Player::Bob, false)? == 0 {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Decides who wins play that stays among moves of equal value, if leaving is good for
    /// `player`. Where the player does not win with certainty although the value promises it, the
    /// other player gets better moves; returns the number of such positions.
    fn reclass(&mut self, player: Player, keep_own: bool) -> Result<usize, Error> {
        let x = &self.x;
        let lost = player.either(0.0, 1.0);
        let apart = |v: usize| {
            let [best, worst] = self.local.best_and_worst(v, |a, b| x[a as usize] > x[b as usize]);
            (x[best as usize] - x[worst as usize]).abs() > TIE
        };
        let out = |v: usize| {
            let left = v >= self.local.inner || (x[v] - lost).abs() <= TIE || apart(v);
            left.then_some(player)
        };
        let policies = &self.policies;
        let game = self.game(out, |mover, v, to| {
            if mover == player && keep_own {
                return to == *mover.either(&policies.own, &policies.other).get(v).unwrap_or(&to);
            }
            (x[to as usize] - x[v]).abs() <= TIE
        });
        let found = game.certain(player)?;
        let settled: Vec<bool> = (0..self.local.inner).map(|v| out(v).is_some()).collect();
        let mut changed = 0;
        for v in (0..self.local.inner).filter(|&v| !settled[v]) {
            if found.wins[v] {
                self.take(&found, player, v);
            } else {
                self.take(&found, player.other(), v);
                changed += 1;
            }
        }
        self.local.agree(&mut self.policies);
        Ok(changed)
    }

    /// Alice's chances under both strategies, where play goes on forever in the last components
    /// that it reaches.
    fn evaluate(&mut self, rate: Rate, tolerance: f64, until: &dyn Watch) -> Result<(), Error> {
        let inner = self.local.inner;
        let steps: Vec<[u32; 2]> =
            self.policies.own.iter().zip(&self.policies.other).map(|(&own, &other)| [own, other]).collect();
        let all = self.local.nodes.len();
        let moves = |v: Node| steps.get(v as usize).map_or(&[][..], |steps| &steps[..]);
        let components = Components::of(all, moves, |steps| self.pace.steps(steps))?;
        let mut policies = self.policies.clone();
        for index in 0..components.len() {
            let nodes = components.nodes(index);
            let inside = |to: &u32| components.component(*to) as usize == index;
            if !components.is_cyclic(index) || !nodes.iter().all(|&v| moves(v).iter().all(inside)) {
                continue;
            }
            let top = nodes.iter().map(|&v| self.levels.of[v as usize]).max().unwrap_or(0);
            let end = all as u32 + self.levels.winners[top as usize] as u32;
            for &v in nodes {
                (policies.own[v as usize], policies.other[v as usize]) = (end, end);
            }
        }
        for (v, &own) in policies.own.iter().enumerate() {
            if own as usize >= all {
                self.x[v] = self.x[own as usize];
            }
        }
        evaluate(self.local, rate, &policies, &mut self.x, tolerance, until)?;
        for x in &mut self.x[..inner] {
            *x = x.clamp(0.0, 1.0);
        }
        Ok(())
    }
}
