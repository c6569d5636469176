//! The block proof: rules for the positions of one cyclic component.
//!
//! See theorem 5 (rules on cycles) of `docs/design.md`. In short: the steps over a block of N
//! totals are s(v) = 2 N R(v), with N and R such that all are even. A total is *good* if at every
//! position of the component
//!
//! 1. for both players some best move for chips has the best step, and the lower of the two best
//!    moves has the lower step;
//! 2. the threshold is at most the total where s(v) < 2N, and unreachable where s(v) = 2N;
//! 3. Alice reaches the threshold in finitely many moves by *stable* play: after winning a bid she
//!    moves only with the lowest step.
//!
//! If N successive totals are good, then threshold(k + N) = threshold(k) + s for those and all
//! later totals.

use std::cmp::Ordering;

use dashu_int::UBig;
use dashu_int::ops::Gcd;
use richman_core::{Arena, Effort, Error, Exactness, MAX_RULE, Mechanism, MoneySolution, Node, Player, Rule};

use super::RuleTask;
use super::store::RuleId;
use crate::chips::local;
use crate::money;

/// The blocks of totals to examine before giving up.
const MOST_BLOCKS: u64 = 24;
/// The totals to examine in addition.
const MORE_TOTALS: u64 = 400;

/// Real-money thresholds, from which a player's blocks and steps are conjectured.
pub struct PlayerShares {
    solution: MoneySolution,
    player: Player,
}

impl PlayerShares {
    pub fn of(arena: &Arena, player: Player, mechanism: &Mechanism, effort: &Effort) -> Result<PlayerShares, Error> {
        #[cfg(feature = "faults")]
        let arena = &*crate::fault::arena(arena); // exchanged twice: the rules' arena already is
        let effort = Effort { exactness: Exactness::Preferred, within: None, ..*effort };
        Ok(PlayerShares { solution: money::solve(arena, mechanism, &effort)?, player })
    }

    /// About how many bytes are held.
    fn bytes(&self) -> u64 {
        self.solution.win.bytes() + self.solution.draw.bytes()
    }

    /// Numerator and denominator of the player's win threshold, in machine words.
    fn get(&self, node: Node) -> Result<(u64, u64), Error> {
        let bounds = match self.player {
            Player::Alice => self.solution.win.get(node),
            Player::Bob => self.solution.draw.get(node).complement(),
        };
        let no_rule = |reason: &str| Error::NoRule { reason: reason.to_string() };
        let share = bounds
            .as_exact()
            .ok_or_else(|| no_rule("the real-money thresholds on a cycle are only known between bounds"))?;
        let word = |number: &UBig| u64::try_from(number.clone()).ok().filter(|&number| number < MAX_RULE as u64);
        match (word(&share.numerator()), word(share.denominator())) {
            (Some(numerator), Some(denominator)) => Ok((numerator, denominator)),
            _ => Err(no_rule(
                "the real-money thresholds on a cycle have denominators longer than any block that is tried",
            )),
        }
    }
}

struct Component {
    /// The targets of the moves at each position.
    moves: ComponentMoves,
    /// The steps over a block, of the positions and of the rules outside, in half-steps.
    steps: Vec<u32>,
    outside: Vec<Rule>,
    block: u32,
    /// All outside rules repeat from this total on.
    first: u32,
    /// Bytes held by all this and the shares.
    bytes: u64,
}

/// For each position, the moves of the player whose rules are sought, then the other's; none where
/// only one of them moves, without a bid. Targets are positions of the component, then the rules
/// outside. Stored in long lists, because a million short ones fragment memory.
struct ComponentMoves {
    targets: Vec<u32>,
    /// The ends of each position's two lists.
    ends: Vec<[usize; 2]>,
}

impl ComponentMoves {
    fn len(&self) -> usize {
        self.ends.len()
    }

    fn at(&self, index: usize) -> [&[u32]; 2] {
        let [first, second] = self.ends[index];
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before][1]);
        [&self.targets[start..first], &self.targets[first..second]]
    }
}

pub fn solve(task: &mut RuleTask, nodes: &[Node], shares: &PlayerShares, of: &mut [RuleId]) -> Result<(), Error> {
    let component = Component::new(task, nodes, shares, of)?;
    let values = component.prove(task)?;
    for (index, &node) in nodes.iter().enumerate() {
        let rule = Rule::new(values.iter().map(|row| row[index]).collect(), component.block, component.steps[index])?;
        of[node as usize] = task.store.insert(rule)?;
    }
    Ok(())
}

impl Component {
    fn new(task: &RuleTask, nodes: &[Node], shares: &PlayerShares, of: &[RuleId]) -> Result<Component, Error> {
        /// The ends of its lists of moves, its index in the table, its share and steps.
        const PER_POSITION: usize = 96;
        let arena = task.arena;
        let count: usize = nodes.iter().map(|&node| arena.successors(node).len()).sum();
        let bytes = (nodes.len() * PER_POSITION + count * size_of::<u32>()) as u64 + shares.bytes();
        task.clock.effort.check_memory("finding rules for all totals", bytes)?;
        let inside: std::collections::HashMap<Node, usize> = nodes.iter().copied().zip(0..).collect();
        let mut outside_ids: Vec<RuleId> = Vec::new();
        let mut target = |to: Node| match inside.get(&to) {
            Some(&index) => index as u32,
            None => {
                let id = of[to as usize];
                let known = outside_ids.iter().position(|&other| other == id);
                let outside = known.unwrap_or_else(|| {
                    outside_ids.push(id);
                    outside_ids.len() - 1
                });
                (nodes.len() + outside) as u32
            }
        };
        let mut moves = ComponentMoves { targets: Vec::with_capacity(count), ends: Vec::with_capacity(nodes.len()) };
        for &node in nodes {
            let ends = [task.player, task.player.other()].map(|player| {
                moves.targets.extend(arena.moves(node, player).iter().map(|&to| target(to)));
                moves.targets.len()
            });
            moves.ends.push(ends);
        }
        let outside: Vec<Rule> = outside_ids.iter().map(|&id| task.store.rule(id).clone()).collect();
        let mut block = 1u64;
        let fractions = nodes.iter().map(|&node| shares.get(node)).collect::<Result<Vec<_>, Error>>()?;
        for period in fractions.iter().map(|&(_, d)| d).chain(outside.iter().map(|rule| u64::from(rule.chip_block()))) {
            block = lcm(block, period).ok_or_else(|| Error::NoRule {
                reason: format!("the thresholds on a cycle would repeat only after more than {MAX_RULE} totals"),
            })?;
        }
        let steps = fractions.iter().map(|&(numerator, denominator)| (2 * (block / denominator) * numerator) as u32);
        let outside_step = |rule: &Rule| (block / u64::from(rule.block())) as u32 * rule.step();
        Ok(Component {
            moves,
            steps: steps.chain(outside.iter().map(outside_step)).collect(),
            first: outside.iter().map(Rule::from).max().unwrap_or(0),
            outside,
            block: block as u32,
            bytes,
        })
    }

    /// The thresholds at every position for every total up to the end of a block of good ones.
    fn prove(&self, task: &mut RuleTask) -> Result<Vec<Vec<u32>>, Error> {
        let count = self.moves.len();
        let best_steps: Vec<[u32; 2]> = (0..count).map(|index| self.best_steps(index)).collect();
        let averages = best_steps.iter().zip(&self.steps).all(|(&[alice, bob], &step)| alice + bob == 2 * step);
        if !averages {
            return Err(Error::NoRule {
                reason: "the real-money thresholds on a cycle do not fit together".to_string(),
            });
        }
        let stop = u64::from(self.first) + MOST_BLOCKS * u64::from(self.block) + MORE_TOTALS;
        let mut rows: Vec<Vec<u32>> = Vec::new();
        let (mut free, mut stable) = (vec![0u32; self.steps.len()], vec![0u32; self.steps.len()]);
        let mut good = 0;
        for total in 0u32.. {
            if u64::from(total) > stop || total as usize >= MAX_RULE {
                return Err(Error::NoRule { reason: self.missing(total) });
            }
            let bytes = self.bytes + (rows.len() as u64 + 1) * (count as u64 + 6) * 4;
            task.clock.effort.check_memory("finding rules for all totals", bytes)?;
            for values in [&mut free, &mut stable] {
                let (inside, outside) = values.split_at_mut(count);
                // With one chip more in all, Alice needs at most one more, so start there and let
                // values fall.
                inside.iter_mut().for_each(|value| *value += 2);
                outside.iter_mut().zip(&self.outside).for_each(|(value, rule)| *value = rule.at(total) as u32);
            }
            self.fall(task, &mut free, |values, index| self.free_turn(index, values))?;
            self.fall(task, &mut stable, |values, index| self.stable_turn(index, best_steps[index], values))?;
            let is_good = total >= self.first && stable == free && self.agrees(&free, &best_steps, total);
            good = if is_good { good + 1 } else { 0 };
            rows.push(free[..count].to_vec());
            if good == self.block {
                return Ok(rows);
            }
        }
        unreachable!("the loop above ends")
    }

    fn best_steps(&self, index: usize) -> [u32; 2] {
        best_of(self.moves.at(index), |target| self.steps[target])
    }

    /// Lets values fall to the greatest solution below them.
    fn fall(&self, task: &mut RuleTask, values: &mut [u32], turn: impl Fn(&[u32], usize) -> u32) -> Result<(), Error> {
        loop {
            let mut changed = false;
            for index in 0..self.moves.len() {
                let value = turn(values, index);
                if value < values[index] {
                    values[index] = value;
                    changed = true;
                }
            }
            task.clock.tick(self.moves.len() as u64 * 4, 0, None)?;
            if !changed {
                return Ok(());
            }
        }
    }

    /// Alice's threshold at a position with unrestricted play.
    fn free_turn(&self, index: usize, values: &[u32]) -> u32 {
        let [alice, bob] = best_of(self.moves.at(index), |target| values[target]);
        local::chooses(alice, bob)
    }

    /// Alice's threshold with stable play: after winning the bid she continues with the lower of
    /// the two best steps, by moving or letting Bob move; after losing it she does not exceed the
    /// higher.
    fn stable_turn(&self, index: usize, [alice_step, bob_step]: [u32; 2], values: &[u32]) -> u32 {
        let [alice, bob] = self.moves.at(index);
        let at = |&target: &u32| values[target as usize];
        let moving =
            |most: u32| alice.iter().filter(|&&target| self.steps[target as usize] <= most).map(at).min().unwrap_or(0);
        let Some(bob) = bob.iter().map(at).max() else { return moving(alice_step) };
        if alice.is_empty() {
            return bob;
        }
        let (low, high) = match alice_step.cmp(&bob_step) {
            Ordering::Less => (moving(alice_step), moving(bob_step).max(bob)),
            Ordering::Equal => (moving(alice_step).min(bob), moving(alice_step).max(bob)),
            Ordering::Greater => (bob, moving(alice_step).max(bob)),
        };
        local::chooses(low, high.max(low))
    }

    /// Whether conditions 1 and 2 hold at one total.
    fn agrees(&self, values: &[u32], best_steps: &[[u32; 2]], total: u32) -> bool {
        (0..self.moves.len()).all(|index| {
            let [alice_step, bob_step] = best_steps[index];
            let [alice_moves, bob_moves] = self.moves.at(index);
            let [alice, bob] = best_of(self.moves.at(index), |target| values[target]);
            let stable = |moves: &[u32], best: u32, step: u32| {
                moves.is_empty()
                    || moves
                        .iter()
                        .map(|&target| target as usize)
                        .any(|at| values[at] == best && self.steps[at] == step)
            };
            let ordered = match alice_step.cmp(&bob_step) {
                Ordering::Less => alice <= bob,
                Ordering::Greater => alice >= bob,
                Ordering::Equal => true,
            };
            let reached = if self.steps[index] < 2 * self.block {
                values[index] <= 2 * total
            } else {
                values[index] == 2 * total + 2
            };
            ordered && reached && stable(alice_moves, alice, alice_step) && stable(bob_moves, bob, bob_step)
        })
    }

    fn missing(&self, total: u32) -> String {
        format!(
            "on a cycle of {} positions no {} successive totals up to {total} have stable winning play everywhere",
            self.moves.len(),
            self.block
        )
    }
}

/// The least value among the first moves and the greatest among the others; both the same where
/// only one player moves.
fn best_of(moves: [&[u32]; 2], value: impl Fn(usize) -> u32) -> [u32; 2] {
    let values = |player: usize| moves[player].iter().map(|&target| value(target as usize));
    let (least, greatest) = (values(0).min(), values(1).max());
    [least.or(greatest).unwrap_or(0), greatest.or(least).unwrap_or(0)]
}

fn lcm(a: u64, b: u64) -> Option<u64> {
    (a / a.gcd(b)).checked_mul(b).filter(|&multiple| multiple <= MAX_RULE as u64)
}
