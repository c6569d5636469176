//! Distinct rules under numbers, and what was computed from them.

use std::collections::HashMap;

use richman_core::{Error, Rule, RuleSide};

use super::Clock;
use crate::Options;
use crate::chips::local;

/// The number of a rule in a store.
pub type RuleId = u32;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Operation {
    Least,
    Greatest,
    Turn,
}

/// Rules under numbers; equal rules have one number.
pub struct Store<'a> {
    rules: Vec<Rule>,
    ids: HashMap<Rule, RuleId>,
    known: HashMap<(Operation, RuleId, RuleId), RuleId>,
    bytes: u64,
    options: &'a Options<'a>,
}

impl<'a> Store<'a> {
    /// The rule of a won position.
    pub const NOTHING: RuleId = 0;
    /// The rule of a lost position.
    pub const UNREACHABLE: RuleId = 1;

    pub fn new(options: &'a Options<'a>) -> Store<'a> {
        let mut store = Store { rules: Vec::new(), ids: HashMap::new(), known: HashMap::new(), bytes: 0, options };
        for rule in [Rule::nothing(), Rule::unreachable()] {
            store.ids.insert(rule.clone(), store.rules.len() as RuleId);
            store.rules.push(rule);
        }
        store
    }

    pub fn rule(&self, id: RuleId) -> &Rule {
        &self.rules[id as usize]
    }

    /// The number of `rule`, a new one if it was not met before.
    pub fn insert(&mut self, rule: Rule) -> Result<RuleId, Error> {
        if let Some(&id) = self.ids.get(&rule) {
            return Ok(id);
        }
        const OVERHEAD: u64 = 128;
        self.bytes += OVERHEAD + 4 * rule.values().len() as u64;
        self.options.check_memory("rules for all totals", self.bytes)?;
        let id = self.rules.len() as RuleId;
        self.rules.push(rule.clone()); // the values are shared
        self.ids.insert(rule, id);
        Ok(id)
    }

    /// The least of some rules, total by total.
    pub fn least(&mut self, ids: &[RuleId], clock: &mut Clock) -> Result<RuleId, Error> {
        self.fold(Operation::Least, ids, clock)
    }

    /// The greatest of some rules, total by total.
    pub fn greatest(&mut self, ids: &[RuleId], clock: &mut Clock) -> Result<RuleId, Error> {
        self.fold(Operation::Greatest, ids, clock)
    }

    /// The rule before a bid.
    pub fn turn(&mut self, alice: RuleId, bob: RuleId, clock: &mut Clock) -> Result<RuleId, Error> {
        self.operate(Operation::Turn, alice, bob, clock)
    }

    fn fold(&mut self, operation: Operation, ids: &[RuleId], clock: &mut Clock) -> Result<RuleId, Error> {
        let Some((&first, rest)) = ids.split_first() else {
            return Err(Error::NoRule { reason: "a position has no move".to_string() }); // no arena has one
        };
        rest.iter().try_fold(first, |so_far, &id| self.operate(operation, so_far, id, clock))
    }

    fn operate(&mut self, operation: Operation, a: RuleId, b: RuleId, clock: &mut Clock) -> Result<RuleId, Error> {
        // All three are symmetric.
        let (a, b) = (a.min(b), a.max(b));
        if a == b && operation != Operation::Turn {
            return Ok(a);
        }
        if let Some(&id) = self.known.get(&(operation, a, b)) {
            return Ok(id);
        }
        let (x, y) = (self.rule(a), self.rule(b));
        let rule = match operation {
            Operation::Least => combine(x, y, 1, |x, y| x.min(y)),
            Operation::Greatest => combine(x, y, 1, |x, y| x.max(y)),
            Operation::Turn => combine(x, y, 2, local::chooses),
        }?;
        clock.tick(64 + rule.values().len() as u64, self.rules.len() as u64, None)?;
        let id = self.insert(rule)?;
        const ENTRY: u64 = 32;
        self.bytes += ENTRY;
        self.known.insert((operation, a, b), id);
        Ok(id)
    }

    /// The rules of the positions `of`, those that do not occur left out.
    pub fn into_side(self, of: &[RuleId]) -> Result<RuleSide, Error> {
        let mut numbers = vec![None; self.rules.len()];
        let mut rules = Vec::new();
        let of = of.iter().map(|&id| {
            *numbers[id as usize].get_or_insert_with(|| {
                rules.push(self.rules[id as usize].clone());
                rules.len() as u32 - 1
            })
        });
        let of = of.collect();
        Ok(RuleSide { rules, of })
    }
}

/// The rule with the values `operation(x, y)`. Once the order of x and y repeats, and the steps over a common block are multiples of
/// `whole` half-steps, so do these values, for the least, the greatest and a turn.
pub fn combine(x: &Rule, y: &Rule, whole: u32, operation: impl Fn(u32, u32) -> u32) -> Result<Rule, Error> {
    let (first, mut block) = x.settled(y)?;
    let step = |rule: &Rule, block: u32| block / rule.block() * rule.step();
    if !step(x, block).is_multiple_of(whole) || !step(y, block).is_multiple_of(whole) {
        block *= 2;
    }
    let end = u64::from(first) + 2 * u64::from(block);
    if end > richman_core::MAX_RULE as u64 {
        let reason = format!("the thresholds of a position would repeat only after {block} totals");
        return Err(Error::NoRule { reason });
    }
    // One more block than needed gives the step.
    let both = |total: u32| operation(x.at(total) as u32, y.at(total) as u32);
    let mut values: Vec<u32> = (0..first + block).map(both).collect();
    let step = both(first + block) - values[first as usize];
    values.shrink_to_fit();
    Rule::new(values, block, step)
}
