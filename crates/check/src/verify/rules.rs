//! Proves rules for all totals.
//!
//! Total by total, every value up to the end of a *settled* block is compared with the definition
//! of a turn. A block is settled if at every position its steps agree with the order of the values;
//! then all later blocks repeat it. On cycles, values fall from "unreachable", so that winning play
//! makes progress, and a block is settled only if *stable* play also makes progress.
//! `docs/design.md` has the theorems.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use dashu_int::ops::Gcd;
use richman_core::{Arena, MAX_RULE, Mechanism, Node, Player, Rule, RuleSide, RuleSolution, Terminal, Turn, Watch};

use super::{Flaw, at};

/// Proves the rules of every position that the start depends on.
///
/// # Errors
/// The first [`Flaw`].
pub fn rules(arena: &Arena, solution: &RuleSolution, watch: &dyn Watch) -> Result<(), Flaw> {
    let mirror = arena.mirror();
    for (arena, player) in [(arena, Player::Alice), (&mirror, Player::Bob)] {
        let side = &solution.wins[player];
        if side.of.len() != arena.len() {
            return Err(Flaw::Size { claimed: side.of.len(), actual: arena.len() });
        }
        if side.of.iter().any(|&rule| rule as usize >= side.rules.len()) {
            return Err(Flaw::Unprovable("a position has a rule that is not given"));
        }
        let mechanism = &solution.mechanism;
        let (proved, never_above) = (HashSet::new(), HashMap::new());
        RuleProof { arena, mechanism, player, side, watch, proved, never_above }.check()?;
    }
    Ok(())
}

struct RuleProof<'a> {
    /// With the players exchanged for Bob's side, so that the player is always Alice.
    arena: &'a Arena,
    mechanism: &'a Mechanism,
    player: Player,
    side: &'a RuleSide,
    watch: &'a dyn Watch,
    /// Proved combinations: a rule, and the rules of both players' moves.
    proved: HashSet<(u32, [Vec<u32>; 2])>,
    /// Whether the first rule is never above the second, for the pairs asked so far.
    never_above: HashMap<(u32, u32), bool>,
}

#[derive(Clone, Copy)]
enum RuleTarget {
    Inside(usize),
    Outside(u32),
}

/// The positions of one component, proved together.
struct Group {
    nodes: Vec<Node>,
    moves: Vec<[Vec<RuleTarget>; 2]>,
    cyclic: bool,
    /// From here on all rules are in their blocks.
    first: u32,
    /// A common block of all rules, with steps of whole chips.
    block: u32,
}

impl RuleProof<'_> {
    fn check(&mut self) -> Result<(), Flaw> {
        let components = self.arena.components();
        let reached = self.reached();
        for index in 0..components.len() {
            if self.watch.cancelled() {
                return Err(Flaw::Stopped);
            }
            self.watch.progress("rules", index as u64, Some(components.len() as u64));
            let nodes = components.nodes(index);
            if !reached[nodes[0] as usize] {
                continue;
            }
            if let Some(end) = self.arena.terminal(nodes[0]) {
                let expected = if end == Terminal::Win(Player::Alice) { Rule::nothing() } else { Rule::unreachable() };
                if *self.side.rule(nodes[0]) != expected {
                    return Err(at(nodes[0], "the game has ended here with another result".to_string()));
                }
            } else if components.is_cyclic(index) {
                let moves = self.inner_moves(nodes);
                self.group(nodes, moves, true)?.prove(self)?;
            } else {
                let own = self.best_rules(nodes[0], Player::Alice);
                let others = self.best_rules(nodes[0], Player::Bob);
                let same = (self.side.of[nodes[0] as usize], [own, others]);
                if !self.proved.contains(&same) {
                    let targets = |rules: &Vec<u32>| rules.iter().map(|&rule| RuleTarget::Outside(rule)).collect();
                    let moves = vec![same.1.each_ref().map(targets)];
                    self.group(nodes, moves, false)?.prove(self)?;
                    self.proved.insert(same);
                }
            }
        }
        Ok(())
    }

    fn reached(&self) -> Vec<bool> {
        let mut reached = vec![false; self.arena.len()];
        let mut open = vec![self.arena.start()];
        reached[self.arena.start() as usize] = true;
        while let Some(node) = open.pop() {
            for &to in self.arena.successors(node) {
                if !std::mem::replace(&mut reached[to as usize], true) {
                    open.push(to);
                }
            }
        }
        reached
    }

    /// The rules of a player's moves, without those never better than another, which only lengthen
    /// the common block.
    fn best_rules(&mut self, node: Node, player: Player) -> Vec<u32> {
        let mut rules: Vec<u32> = self.arena.moves(node, player).iter().map(|&to| self.side.of[to as usize]).collect();
        rules.sort_unstable();
        rules.dedup();
        let mut kept: Vec<u32> = Vec::new();
        for rule in rules {
            let no_better = |proof: &mut Self, one: u32, than: u32| match player {
                Player::Alice => proof.is_never_above(than, one),
                Player::Bob => proof.is_never_above(one, than),
            };
            if kept.iter().any(|&before| no_better(self, rule, before)) {
                continue;
            }
            kept.retain(|&before| !no_better(self, before, rule));
            kept.push(rule);
        }
        kept
    }

    fn is_never_above(&mut self, low: u32, high: u32) -> bool {
        let rules = &self.side.rules;
        *self.never_above.entry((low, high)).or_insert_with(|| {
            // If the two repeat together too late, both are kept.
            let difference = rules[low as usize].difference(&rules[high as usize]);
            difference.is_ok_and(|difference| difference.above.is_none())
        })
    }

    fn inner_moves(&self, nodes: &[Node]) -> Vec<[Vec<RuleTarget>; 2]> {
        let inside: HashMap<Node, usize> = nodes.iter().copied().zip(0..).collect();
        let outside = |to: &Node| RuleTarget::Outside(self.side.of[*to as usize]);
        let target = |to: &Node| inside.get(to).map_or_else(|| outside(to), |&index| RuleTarget::Inside(index));
        let moves =
            |&node: &Node| Player::BOTH.map(|player| self.arena.moves(node, player).iter().map(target).collect());
        nodes.iter().map(moves).collect()
    }

    fn group(&self, nodes: &[Node], moves: Vec<[Vec<RuleTarget>; 2]>, cyclic: bool) -> Result<Group, Flaw> {
        let mut group = Group { nodes: nodes.to_vec(), moves, cyclic, first: 0, block: 1 };
        let outside = group.moves.iter().flatten().flatten().filter_map(|target| match target {
            RuleTarget::Outside(rule) => Some(&self.side.rules[*rule as usize]),
            RuleTarget::Inside(_) => None,
        });
        let own = nodes.iter().map(|&node| self.side.rule(node));
        let (mut first, mut block) = (0, 1);
        for rule in own.chain(outside) {
            first = first.max(rule.from());
            block = lcm(block, rule.chip_block()).ok_or(Flaw::TooLong("the rules repeat together too late"))?;
        }
        (group.first, group.block) = (first, block);
        Ok(group)
    }
}

impl Group {
    fn rule<'a>(&self, proof: &'a RuleProof, target: RuleTarget) -> &'a Rule {
        match target {
            RuleTarget::Inside(index) => proof.side.rule(self.nodes[index]),
            RuleTarget::Outside(rule) => &proof.side.rules[rule as usize],
        }
    }

    /// The step over the common block, in half-steps.
    fn step(&self, rule: &Rule) -> u64 {
        u64::from(self.block / rule.block()) * u64::from(rule.step())
    }

    /// The least of the player's moves and the greatest of the other's, by `of`; both the same
    /// where one of them moves without a bid.
    fn best<T: Ord + Copy>(&self, index: usize, of: impl Fn(RuleTarget) -> T) -> Option<[T; 2]> {
        let [own, others] = &self.moves[index];
        let least = own.iter().map(|&target| of(target)).min();
        let greatest = others.iter().map(|&target| of(target)).max();
        Some([least.or(greatest)?, greatest.or(least)?])
    }

    /// Whether the player has enough with `own` half-steps: by a bid that is good against every
    /// bid, or without bids by having the need after the move.
    fn is_enough(&self, proof: &RuleProof, index: usize, total: u32, own: u64, needs: [u64; 2]) -> bool {
        if self.moves[index].iter().any(Vec::is_empty) {
            return own / 2 <= u64::from(total) && own >= needs[0];
        }
        has_bid(proof.mechanism, total, own, needs)
    }

    fn prove(&self, proof: &RuleProof) -> Result<(), Flaw> {
        let mut steps = Vec::with_capacity(self.nodes.len());
        for (index, &node) in self.nodes.iter().enumerate() {
            let best = self.best(index, |target| self.step(self.rule(proof, target)));
            let best = best.ok_or(Flaw::Unprovable("a position where a player has no move"))?;
            if best[0] + best[1] != 2 * self.step(proof.side.rule(node)) {
                return Err(self.flaw(proof, index, "its moves rise differently in the long run".to_string()));
            }
            steps.push(best);
        }
        let last = self.first + 3 * MAX_RULE as u32;
        let (mut free, mut stable) = (vec![0u64; self.nodes.len()], vec![0u64; self.nodes.len()]);
        let mut settled = 0;
        for total in 0..=last {
            if total.is_multiple_of(64) && proof.watch.cancelled() {
                return Err(Flaw::Stopped);
            }
            let mut is_settled = total >= self.first;
            for (index, &best_steps) in steps.iter().enumerate() {
                self.check_turn(proof, index, total)?;
                is_settled &= self.agrees(proof, index, best_steps, total);
            }
            if self.cyclic {
                self.fall(proof, total, &mut free, |index, of| {
                    let [own, others] = self.best(index, of).unwrap_or_default();
                    [own.min(others), own.max(others)]
                });
                self.fall(proof, total, &mut stable, |index, of| self.stable_needs(proof, index, steps[index], of));
                for (index, &value) in free.iter().enumerate() {
                    let claimed = proof.side.rule(self.nodes[index]).at(total);
                    if value != claimed {
                        let what = format!("with {total} chips in all winning play takes {}", holding(value));
                        return Err(self.flaw(proof, index, what));
                    }
                }
                is_settled &= stable == free;
            }
            settled = if is_settled { settled + 1 } else { 0 };
            if settled == self.block {
                return Ok(());
            }
        }
        Err(Flaw::TooLong("no block settles within the totals examined"))
    }

    fn flaw(&self, proof: &RuleProof, index: usize, what: String) -> Flaw {
        let rule = proof.side.rule(self.nodes[index]);
        at(self.nodes[index], format!("{}'s rule is said to be {rule}: {what}", proof.player))
    }

    /// Checks that the claimed value is the least with a bid that is good against every bid.
    fn check_turn(&self, proof: &RuleProof, index: usize, total: u32) -> Result<(), Flaw> {
        let best = self.best(index, |target| self.rule(proof, target).at(total)).unwrap_or_default();
        let claimed = proof.side.rule(self.nodes[index]).at(total);
        let needs = [best[0].min(best[1]), best[0].max(best[1])];
        let half = |own: u64| own <= 2 * u64::from(total) + 1;
        let is_enough = |own: u64| self.is_enough(proof, index, total, own, needs);
        let too_little = claimed > 0 && is_enough(claimed - 1);
        let too_low = half(claimed) && !is_enough(claimed);
        // A half-step more must also be enough, and a half-step less also too little.
        let gap = half(claimed + 1) && !is_enough(claimed + 1) || claimed > 1 && is_enough(claimed - 2);
        if too_little || too_low || gap {
            let wrong = if too_little { "less is enough" } else { "no bid is good against every bid" };
            let what = format!("with {total} chips in all it gives {}, but {wrong}", holding(claimed));
            return Err(self.flaw(proof, index, what));
        }
        Ok(())
    }

    /// Whether the order of the values agrees with the order of the steps at this total.
    fn agrees(&self, proof: &RuleProof, index: usize, best_steps: [u64; 2], total: u32) -> bool {
        let value = |target| self.rule(proof, target).at(total);
        let step = |target| self.step(self.rule(proof, target));
        let best = self.best(index, value).unwrap_or_default();
        let stable = (0..2).all(|player| {
            let moves = &self.moves[index][player];
            let is_best = |&target| value(target) == best[player] && step(target) == best_steps[player];
            moves.is_empty() || moves.iter().any(is_best)
        });
        let ordered = match best_steps[0].cmp(&best_steps[1]) {
            Ordering::Less => best[0] <= best[1],
            Ordering::Greater => best[0] >= best[1],
            Ordering::Equal => true,
        };
        let rule = proof.side.rule(self.nodes[index]);
        let within_reach = !self.cyclic
            || if self.step(rule) < 2 * u64::from(self.block) {
                rule.at(total) <= 2 * u64::from(total)
            } else {
                rule.at(total) == 2 * u64::from(total) + 2
            };
        stable && ordered && within_reach
    }

    /// The player's needs after winning and after losing the bid, with moves of the best steps
    /// only.
    fn stable_needs(
        &self,
        proof: &RuleProof,
        index: usize,
        [own_step, other_step]: [u64; 2],
        of: &dyn Fn(RuleTarget) -> u64,
    ) -> [u64; 2] {
        let [own, others] = &self.moves[index];
        let moving = |most: u64| {
            let moves = own.iter().filter(|&&target| self.step(self.rule(proof, target)) <= most);
            moves.map(|&target| of(target)).min().unwrap_or(u64::MAX)
        };
        let Some(others) = others.iter().map(|&target| of(target)).max() else { return [moving(own_step); 2] };
        if own.is_empty() {
            return [others; 2];
        }
        let (win, loss) = match own_step.cmp(&other_step) {
            Ordering::Less => (moving(own_step), moving(other_step).max(others)),
            Ordering::Equal => (moving(own_step).min(others), moving(own_step).max(others)),
            Ordering::Greater => (others, moving(own_step).max(others)),
        };
        [win, loss.max(win)]
    }

    /// Lowers the previous total's values plus one chip as far as turns allow. The result wins in
    /// finitely many moves, because a player can ignore an extra chip.
    fn fall(
        &self,
        proof: &RuleProof,
        total: u32,
        values: &mut [u64],
        needs: impl Fn(usize, &dyn Fn(RuleTarget) -> u64) -> [u64; 2],
    ) {
        values.iter_mut().for_each(|value| *value += 2);
        loop {
            let mut changed = false;
            for index in 0..values.len() {
                let of = |target| match target {
                    RuleTarget::Inside(other) => values[other],
                    RuleTarget::Outside(rule) => proof.side.rules[rule as usize].at(total),
                };
                let needs = needs(index, &of);
                let mut value = values[index];
                while value > 0 && self.is_enough(proof, index, total, value - 1, needs) {
                    value -= 1;
                }
                changed |= value < values[index];
                values[index] = value;
            }
            if !changed {
                return;
            }
        }
    }
}

/// Whether a player with `own` half-steps has a bid that is good against every bid, given the needs
/// after winning and after losing it.
fn has_bid(mechanism: &Mechanism, total: u32, own: u64, [win, loss]: [u64; 2]) -> bool {
    let (chips, star) = ((own / 2) as u32, own % 2 == 1);
    if chips > total {
        return false;
    }
    let content =
        |won, chips: u32, _, star: bool| 2 * u64::from(chips) + u64::from(star) >= if won { win } else { loss };
    Turn { mechanism, player: Player::Alice, own: chips, other: total - chips, star, content }.is_content()
}

fn holding(half_steps: u64) -> String {
    format!("{}{}", half_steps / 2, if half_steps % 2 == 1 { "*" } else { "" })
}

fn lcm(a: u32, b: u32) -> Option<u32> {
    (a / a.gcd(b)).checked_mul(b).filter(|&multiple| multiple as usize <= MAX_RULE)
}
