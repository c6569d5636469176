//! The part of a saved solution that claims rules for all totals: written and read.

use std::collections::HashSet;
use std::io::{self, Write};

use richman_core::{MAX_RULE, Rule};
use serde::de::{Error, MapAccess};

use crate::Claim;
use crate::json::{Context, Exactly, Fields, List, Object, Positions, Whole, bad_word};
use crate::saved::{json, write_lines};

/// The period of a threshold: threshold(k + block) = threshold(k) + step for every k >= from. Unit: chips.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct PeriodClaim {
    /// The number of totals after which the threshold repeats.
    pub block: u32,
    /// How much higher it is then.
    pub step: u32,
    /// The least total from which on that holds.
    pub from: u32,
}

impl From<&Rule> for PeriodClaim {
    fn from(rule: &Rule) -> PeriodClaim {
        PeriodClaim { block: rule.chip_block(), step: rule.chip_step(), from: rule.from() }
    }
}

/// The rules of one position: numbers of rules in the lists of the claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleValue {
    /// The position in the game's notation.
    pub position: String,
    /// Which rule Alice's threshold to win follows, in her chips.
    pub alice: u32,
    /// Which rule Bob's follows, in his.
    pub bob: u32,
}

/// What is claimed for all totals of chips.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulesClaim {
    /// The period of Alice's win threshold at the solved position.
    pub win: PeriodClaim,
    /// The period of her draw threshold there.
    pub draw: PeriodClaim,
    /// The rules that Alice's thresholds follow, each once.
    pub alice: Vec<Rule>,
    /// The rules that Bob's thresholds follow, each once.
    pub bob: Vec<Rule>,
    /// Which rules every position has.
    pub positions: Vec<RuleValue>,
}

pub(crate) fn write(out: &mut dyn Write, claim: &RulesClaim) -> io::Result<()> {
    write!(out, ",\n  \"rules\": {{\n    \"win\": ")?;
    json(out, &claim.win)?;
    write!(out, ",\n    \"draw\": ")?;
    json(out, &claim.draw)?;
    for (player, rules) in [("alice", &claim.alice), ("bob", &claim.bob)] {
        write!(out, ",\n    \"{player}\": [")?;
        for (at, rule) in rules.iter().enumerate() {
            let comma = if at == 0 { "" } else { "," };
            write!(out, "{comma}\n      {{\"block\":{},\"step\":{},\"values\":", rule.block(), rule.step())?;
            json(out, rule.values())?;
            write!(out, "}}")?;
        }
        write!(out, "\n    ]")?;
    }
    write!(out, ",\n    \"positions\": ")?;
    write_lines(out, "    ", &claim.positions, |out, value| {
        json(out, &value.position)?;
        write!(out, ": [{},{}]", value.alice, value.bob)
    })?;
    write!(out, "\n  }}")
}

#[derive(Default)]
pub(crate) struct RulesFields {
    win: Option<PeriodClaim>,
    draw: Option<PeriodClaim>,
    alice: Option<Vec<Rule>>,
    bob: Option<Vec<Rule>>,
    positions: Option<Vec<(String, [u32; 2])>>,
}

impl<'de> Fields<'de> for RulesFields {
    type Value = Claim;
    const OBJECT: &'static str = "the claim for all totals";
    const KEYS: &'static [&'static str] = &["win", "draw", "alice", "bob", "positions"];

    fn read<A: MapAccess<'de>>(&mut self, context: &Context<'_>, key: &str, map: &mut A) -> Result<(), A::Error> {
        let rules = || List { what: "rules", item: Object::<RuleFields>::new(context) };
        match key {
            "win" => self.win = Some(map.next_value_seed(Object::<PeriodFields>::new(context))?),
            "draw" => self.draw = Some(map.next_value_seed(Object::<PeriodFields>::new(context))?),
            "alice" => self.alice = Some(map.next_value_seed(rules())?),
            "bob" => self.bob = Some(map.next_value_seed(rules())?),
            _ => {
                let number = Whole { context, what: "the number of a rule", most: u32::MAX };
                let value = Exactly { context, what: "the list [alice, bob]", item: number };
                self.positions = Some(map.next_value_seed(Positions { context, longest: usize::MAX, value })?);
            }
        }
        Ok(())
    }

    fn finish<E: Error>(self, context: &Context<'_>) -> Result<Claim, E> {
        let alice = context.required(self.alice, Self::OBJECT, "alice")?;
        let bob = context.required(self.bob, Self::OBJECT, "bob")?;
        let positions = context.required(self.positions, Self::OBJECT, "positions")?;
        for (position, numbers) in &positions {
            for (number, rules) in numbers.iter().zip([&alice, &bob]) {
                if *number as usize >= rules.len() {
                    let reason = format!(
                        "position {position:?} has rule {number}, but the list has {}: the first is 0",
                        rules.len()
                    );
                    return Err(context.bad_value(reason));
                }
            }
        }
        for (which, (player, rules)) in [("alice", &alice), ("bob", &bob)].into_iter().enumerate() {
            let used: HashSet<u32> = positions.iter().map(|(_, numbers)| numbers[which]).collect();
            let distinct: HashSet<&Rule> = rules.iter().collect();
            if used.len() != rules.len() || distinct.len() != rules.len() {
                let reason = format!("the list {player:?} must give each rule that a position has once, and no other");
                return Err(context.bad_value(reason));
            }
        }
        let positions = positions.into_iter().map(|(position, [alice, bob])| RuleValue { position, alice, bob });
        Ok(Claim::Rules(RulesClaim {
            win: context.required(self.win, Self::OBJECT, "win")?,
            draw: context.required(self.draw, Self::OBJECT, "draw")?,
            alice,
            bob,
            positions: positions.collect(),
        }))
    }
}

#[derive(Default)]
struct PeriodFields {
    block: Option<u32>,
    step: Option<u32>,
    from: Option<u32>,
}

impl<'de> Fields<'de> for PeriodFields {
    type Value = PeriodClaim;
    const OBJECT: &'static str = "a period";
    const KEYS: &'static [&'static str] = &["block", "step", "from"];

    fn read<A: MapAccess<'de>>(&mut self, context: &Context<'_>, key: &str, map: &mut A) -> Result<(), A::Error> {
        let whole = |what| Whole { context, what, most: 2 * MAX_RULE as u32 };
        match key {
            "block" => self.block = Some(map.next_value_seed(whole("the block"))?),
            "step" => self.step = Some(map.next_value_seed(whole("the step"))?),
            _ => self.from = Some(map.next_value_seed(whole("the total \"from\""))?),
        }
        Ok(())
    }

    fn finish<E: Error>(self, context: &Context<'_>) -> Result<PeriodClaim, E> {
        Ok(PeriodClaim {
            block: context.required(self.block, Self::OBJECT, "block")?,
            step: context.required(self.step, Self::OBJECT, "step")?,
            from: context.required(self.from, Self::OBJECT, "from")?,
        })
    }
}

#[derive(Default)]
struct RuleFields {
    block: Option<u32>,
    step: Option<u32>,
    values: Option<Vec<u32>>,
}

impl<'de> Fields<'de> for RuleFields {
    type Value = Rule;
    const OBJECT: &'static str = "a rule";
    const KEYS: &'static [&'static str] = &["block", "step", "values"];

    fn read<A: MapAccess<'de>>(&mut self, context: &Context<'_>, key: &str, map: &mut A) -> Result<(), A::Error> {
        let whole = |what| Whole { context, what, most: 2 * MAX_RULE as u32 };
        match key {
            "block" => self.block = Some(map.next_value_seed(whole("the block of a rule"))?),
            "step" => self.step = Some(map.next_value_seed(whole("the step of a rule"))?),
            _ => {
                let item = whole("a threshold in half-steps");
                self.values = Some(map.next_value_seed(List { what: "values", item })?);
            }
        }
        Ok(())
    }

    fn finish<E: Error>(self, context: &Context<'_>) -> Result<Rule, E> {
        let block = context.required(self.block, Self::OBJECT, "block")?;
        let step = context.required(self.step, Self::OBJECT, "step")?;
        let values = context.required(self.values, Self::OBJECT, "values")?;
        let count = values.len();
        let rule = Rule::new(values, block, step).map_err(|error| context.fail(bad_word(error)))?;
        if (rule.block(), rule.values().len()) != (block, count) {
            return Err(context.bad_value(format!(
                "a rule of block {block} with {count} values is not in lowest terms: its block is {} and {} values say all",
                rule.block(),
                rule.values().len()
            )));
        }
        Ok(rule)
    }
}
