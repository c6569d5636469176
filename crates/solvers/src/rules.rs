//! Chips with every total at once: each position's threshold as a rule.
//!
//! **Formula.** That of [`crate::chips`], evaluated on [`Rule`]s instead of numbers: the least and
//! the greatest of two rules, and ceil(low/2) + floor(high/2), are again rules. On a cycle a rule
//! is conjectured from the real-money shares and proved over one block.
//!
//! **Source.** [DP10, 3.6] has the idea, for stable games. `docs/design.md` proves the theorems
//! used here. Rules are closed under a turn, even with unstable play and zugzwang, which settles
//! acyclic arenas. On cycles, one block proves a rule if winning play is stable and makes progress.
//! [DP10, Theorem 3.13] overlooks that with more chips the other player can make bids that were
//! impossible before.
//!
//! **Accepts** every finite arena where the winner of a bid chooses who moves. It reports that it
//! found no proof if blocks exceed the limits, or if a cyclic component has real-money shares known
//! only as bounds or is not stable within the totals examined.
//!
//! **Result:** exact, for all totals.
//!
//! **Time and memory.** Four bytes for each total of each *distinct* rule. Each distinct
//! combination of rules is computed once, so equivalent positions are cheap.
//!
//! **Checked by** the verifier, which proves rules from the definition of a turn, and by chip
//! tables far beyond the block.

use richman_core::{
    Arena, ByPlayer, Effort, Error, MAX_RULE, Mechanism, Node, Player, Rule, RuleSide, RuleSolution, Terminal,
};

use crate::registry;

mod component;
mod store;

use store::{Operation, RuleId, RuleStore};

/// The rules of both players at every position reachable from the start.
///
/// # Errors
/// [`Error::NoRule`] with the missing condition if no proof was found; [`Error::Unsupported`] if
/// the mechanism is not served; [`Error::TooMuchMemory`]; [`Error::OutOfTime`];
/// [`Error::Cancelled`].
pub fn solve(arena: &Arena, mechanism: &Mechanism, effort: &Effort) -> Result<RuleSolution, Error> {
    let side = |player| side(arena, mechanism, player, effort);
    Ok(RuleSolution { mechanism: mechanism.clone(), wins: ByPlayer::new(side(Player::Alice)?, side(Player::Bob)?) })
}

/// The rules of one player, in that player's own chips.
///
/// # Errors
/// The same as [`solve`].
pub fn side(arena: &Arena, mechanism: &Mechanism, player: Player, effort: &Effort) -> Result<RuleSide, Error> {
    registry::rules(mechanism)?;
    #[cfg(feature = "faults")]
    let arena = &*crate::fault::arena(arena);
    let mut task = RuleTask { arena, player, mechanism, store: RuleStore::new(effort), clock: Clock::new(effort) };
    let of = match effort.within {
        Some(moves) => task.within(moves)?,
        None => task.all()?,
    };
    task.store.into_side(&of)
}

struct Clock<'a> {
    effort: &'a Effort<'a>,
    work: u64,
    next: u64,
}

impl<'a> Clock<'a> {
    /// Values computed between two checks.
    const BETWEEN: u64 = 1 << 20;

    fn new(effort: &'a Effort<'a>) -> Clock<'a> {
        Clock { effort, work: 0, next: 0 }
    }

    /// Notes that `work` values were computed.
    fn tick(&mut self, work: u64, done: u64, total: Option<u64>) -> Result<(), Error> {
        self.work += work;
        if self.work >= self.next {
            self.next = self.work + Clock::BETWEEN;
            self.effort.watch.progress("rules for all totals", done, total);
            self.effort.check_time("a rule for all totals")?;
        }
        Ok(())
    }
}

struct RuleTask<'a> {
    arena: &'a Arena,
    /// The player whose rules these are.
    player: Player,
    mechanism: &'a Mechanism,
    store: RuleStore<'a>,
    clock: Clock<'a>,
}

impl RuleTask<'_> {
    /// The rule of every position; unreachable positions count as lost.
    fn all(&mut self) -> Result<Vec<RuleId>, Error> {
        let arena = self.arena;
        let reached = reached(arena);
        let mut of = vec![RuleStore::UNREACHABLE; arena.len()];
        let components = arena.components();
        let mut shares = None;
        for component in 0..components.len() {
            let nodes = components.nodes(component);
            if !reached[nodes[0] as usize] {
                continue;
            }
            self.clock.tick(nodes.len() as u64, component as u64, Some(components.len() as u64))?;
            if components.is_cyclic(component) {
                if shares.is_none() {
                    shares = Some(component::PlayerShares::of(arena, self.player, self.mechanism, self.clock.effort)?);
                }
                if let Some(shares) = &shares {
                    component::solve(self, nodes, shares, &mut of)?;
                }
            } else {
                of[nodes[0] as usize] = self.turn(nodes[0], &of)?;
            }
        }
        Ok(of)
    }

    fn within(&mut self, moves: u32) -> Result<Vec<RuleId>, Error> {
        let arena = self.arena;
        let lost = |node| self.arena.terminal(node) != Some(Terminal::Win(self.player));
        let mut of: Vec<RuleId> =
            arena.nodes().map(|node| if lost(node) { RuleStore::UNREACHABLE } else { RuleStore::NOTHING }).collect();
        for round in 0..moves {
            let next = arena.nodes().map(|node| {
                self.clock.tick(1, u64::from(round), Some(u64::from(moves)))?;
                self.turn(node, &of)
            });
            let next = next.collect::<Result<Vec<RuleId>, Error>>()?;
            if next == of {
                break;
            }
            of = next;
        }
        Ok(of)
    }

    /// One turn: the rule of a position from those of its successors.
    fn turn(&mut self, node: Node, of: &[RuleId]) -> Result<RuleId, Error> {
        match self.arena.terminal(node) {
            Some(Terminal::Win(winner)) if winner == self.player => return Ok(RuleStore::NOTHING),
            Some(_) => return Ok(RuleStore::UNREACHABLE),
            None => {}
        }
        let of_moves = |player: Player| {
            let mut rules: Vec<RuleId> = self.arena.moves(node, player).iter().map(|&to| of[to as usize]).collect();
            rules.sort_unstable();
            rules.dedup();
            rules
        };
        let (own, other) = (of_moves(self.player), of_moves(self.player.other()));
        let own = |task: &mut Self| task.store.fold(Operation::Least, &own, &mut task.clock);
        let other = |task: &mut Self| task.store.fold(Operation::Greatest, &other, &mut task.clock);
        match self.arena.owner(node) {
            Some(owner) if owner == self.player => own(self),
            Some(_) => other(self),
            None => {
                let (own, other) = (own(self)?, other(self)?);
                self.store.operate(Operation::Turn, own, other, &mut self.clock)
            }
        }
    }
}

fn reached(arena: &Arena) -> Vec<bool> {
    let mut reached = vec![false; arena.len()];
    let mut open = vec![arena.start()];
    reached[arena.start() as usize] = true;
    while let Some(node) = open.pop() {
        for &to in arena.successors(node) {
            if !std::mem::replace(&mut reached[to as usize], true) {
                open.push(to);
            }
        }
    }
    reached
}

/// The rule of a single turn, from the rules of Alice's best successor and Bob's.
///
/// # Errors
/// [`Error::NoRule`] if the rules take too many totals to repeat together.
pub fn wedge(alice: &Rule, bob: &Rule) -> Result<Rule, Error> {
    store::combine(alice, bob, 2, crate::chips::local::chooses)
}

/// The least of some rules, total by total.
///
/// # Errors
/// [`Error::NoRule`] if there are no rules, or they take too many totals to repeat together.
pub fn least<'r>(rules: impl IntoIterator<Item = &'r Rule>) -> Result<Rule, Error> {
    fold(rules, u32::min)
}

/// The greatest of some rules, total by total.
///
/// # Errors
/// The same as [`least`].
pub fn greatest<'r>(rules: impl IntoIterator<Item = &'r Rule>) -> Result<Rule, Error> {
    fold(rules, u32::max)
}

fn fold<'r>(rules: impl IntoIterator<Item = &'r Rule>, operation: fn(u32, u32) -> u32) -> Result<Rule, Error> {
    let mut rules = rules.into_iter();
    let first =
        rules.next().ok_or_else(|| Error::NoRule { reason: "there are no moves to choose from".to_string() })?;
    rules.try_fold(first.clone(), |so_far, rule| {
        if so_far == *rule { Ok(so_far) } else { store::combine(&so_far, rule, 1, operation) }
    })
}

const _: () = assert!(MAX_RULE < u32::MAX as usize / 4);
