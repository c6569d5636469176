//! Distinct rules with their ids, and the results of operations on them.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use richman_core::{Effort, Error, Rule, RuleSide};
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::Clock;
use crate::chips::local;

pub type RuleId = u32;

/// Bytes of overhead of a rule's values.
const VALUES_HEAD: u64 = 32;

fn hash(rule: &Rule) -> u64 {
    FxBuildHasher.hash_one(rule)
}

/// Combines two rules, total by total.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    Least,
    Greatest,
    /// The rule before a bid.
    Turn,
}

/// Rules with their ids; equal rules have the same id.
pub struct RuleStore<'a> {
    rules: Vec<Rule>,
    ids: HashTable<RuleId>,
    known: FxHashMap<(Operation, RuleId, RuleId), RuleId>,
    values: u64,
    effort: &'a Effort<'a>,
}

impl<'a> RuleStore<'a> {
    /// The rule of a won position.
    pub const NOTHING: RuleId = 0;
    /// The rule of a lost position.
    pub const UNREACHABLE: RuleId = 1;

    pub fn new(effort: &'a Effort<'a>) -> RuleStore<'a> {
        let (ids, known) = (HashTable::new(), FxHashMap::default());
        let mut store = RuleStore { rules: Vec::new(), ids, known, values: 0, effort };
        for rule in [Rule::nothing(), Rule::unreachable()] {
            store.add(rule);
        }
        store
    }

    pub fn rule(&self, id: RuleId) -> &Rule {
        &self.rules[id as usize]
    }

    /// The id of `rule`; a new rule gets a new one.
    pub fn insert(&mut self, rule: Rule) -> Result<RuleId, Error> {
        if let Some(&id) = self.ids.find(hash(&rule), |&id| self.rules[id as usize] == rule) {
            return Ok(id);
        }
        self.values += VALUES_HEAD + size_of_val(rule.values()) as u64;
        self.effort.check_memory("finding rules for all totals", self.bytes())?;
        Ok(self.add(rule))
    }

    fn add(&mut self, rule: Rule) -> RuleId {
        let id = self.rules.len() as RuleId;
        let new = hash(&rule);
        self.rules.push(rule);
        let rules = &self.rules;
        self.ids.insert_unique(new, id, |&id| hash(&rules[id as usize]));
        id
    }

    /// Bytes held once one more rule and one more result are stored. A full table coexists with its
    /// copy of twice the size.
    fn bytes(&self) -> u64 {
        fn table<T>(len: usize, capacity: usize) -> usize {
            let slots = capacity / 7 * 8 * (size_of::<T>() + 1);
            if len == capacity { 3 * slots } else { slots }
        }
        let tables = table::<RuleId>(self.ids.len(), self.ids.capacity())
            + table::<((Operation, RuleId, RuleId), RuleId)>(self.known.len(), self.known.capacity());
        self.values + (tables + self.rules.capacity() * size_of::<Rule>()) as u64
    }

    /// Combines several rules into one.
    pub fn fold(&mut self, operation: Operation, ids: &[RuleId], clock: &mut Clock) -> Result<RuleId, Error> {
        let Some((&first, rest)) = ids.split_first() else {
            return Err(Error::NoRule { reason: "a position has no move".to_string() }); // no arena has one
        };
        rest.iter().try_fold(first, |so_far, &id| self.operate(operation, so_far, id, clock))
    }

    /// Combines two rules into one.
    pub fn operate(&mut self, operation: Operation, a: RuleId, b: RuleId, clock: &mut Clock) -> Result<RuleId, Error> {
        // All operations are symmetric.
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
        self.known.insert((operation, a, b), id);
        Ok(id)
    }

    /// The rules of the positions `of`, without unused rules.
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

/// The rule with the values `operation(x, y)`: the least, the greatest or a turn. Its values repeat
/// once the order of x and y repeats and the steps over a common block are multiples of `whole`
/// half-steps.
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
    // One value beyond a block gives the step.
    let both = |total: u32| operation(x.at(total) as u32, y.at(total) as u32);
    let mut values: Vec<u32> = (0..first + block).map(both).collect();
    let step = both(first + block) - values[first as usize];
    values.shrink_to_fit();
    Rule::new(values, block, step)
}
