//! The claim for all totals of chips.

use std::collections::HashSet;
use std::io::{self, Write};

use richman_core::{MAX_RULE, Mechanism, Rule};
use richman_formats::saved::{BadClaim, Claim, HEAD, HeldClaim, check_distinct, held, write_json, write_lines};
use richman_formats::{FormatError, JsonReader};
use serde::Deserialize;

/// The period of a threshold, in chips: threshold(k + block) = threshold(k) + step for k >= from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct PeriodClaim {
    /// The number of totals after which the threshold repeats.
    pub block: u32,
    /// The rise of the threshold per block.
    pub step: u32,
    /// The least total from which this holds.
    pub from: u32,
}

impl From<&Rule> for PeriodClaim {
    fn from(rule: &Rule) -> PeriodClaim {
        PeriodClaim { block: rule.chip_block(), step: rule.chip_step(), from: rule.from() }
    }
}

/// The rules of one position: indices into the claim's lists of rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleValue {
    /// The position in the game's notation.
    pub position: String,
    /// The rule of Alice's threshold to win, in her chips.
    pub alice: u32,
    /// The rule of Bob's threshold to win, in his chips.
    pub bob: u32,
}

/// What players need with every total of chips. In JSON `{"win": {"block": 256, "step": 133,
/// "from": 6}, "draw": {...}, "alice": [{"block": 128, "step": 133, "values": [...]}, ...], "bob":
/// [...], "positions": {"...": [alice, bob]}}`. A rule lists thresholds in half-steps (2 x chips +
/// star) for the totals from 0, of which the last `block` repeat. Positions refer to rules by
/// index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulesClaim {
    /// The period of Alice's win threshold at the solved position.
    pub win: PeriodClaim,
    /// The period of her draw threshold there.
    pub draw: PeriodClaim,
    /// The distinct rules of Alice's thresholds.
    pub alice: Vec<Rule>,
    /// The distinct rules of Bob's thresholds.
    pub bob: Vec<Rule>,
    /// The rules at every position.
    pub positions: Vec<RuleValue>,
}

impl HeldClaim for RuleValue {
    fn position(&self) -> &str {
        &self.position
    }

    fn behind(&self) -> u64 {
        0
    }
}

impl Claim for RulesClaim {
    const KEY: &'static str = "rules";

    fn read(json: &mut JsonReader) -> Result<RulesClaim, FormatError> {
        let [mut win, mut draw] = [PeriodClaim { block: 0, step: 0, from: 0 }; 2];
        let (mut alice, mut bob, mut positions) = (Vec::new(), Vec::new(), Vec::new());
        json.object("the claim for all totals", &["win", "draw", "alice", "bob", "positions"], 5, |json, key| {
            match key {
                "win" => win = period(json)?,
                "draw" => draw = period(json)?,
                "alice" => alice = json.list(&"a list of rules", rule)?,
                "bob" => bob = json.list(&"a list of rules", rule)?,
                _ => {
                    positions = json.claims(|json, position| {
                        let expected = "the list [alice, bob] of 2 numbers of rules";
                        let [alice, bob] = json.value(&expected, |json| <[u32; 2]>::deserialize(json))?;
                        Ok(RuleValue { position, alice, bob })
                    })?;
                }
            }
            Ok(())
        })?;
        for RuleValue { position, alice: of_alice, bob: of_bob } in &positions {
            for (number, rules) in [(of_alice, &alice), (of_bob, &bob)] {
                if *number as usize >= rules.len() {
                    return Err(json.bad_value(format!(
                        "position {position:?} has rule {number}, but the list has {}: the first is 0",
                        rules.len()
                    )));
                }
            }
        }
        let used =
            [positions.iter().map(|value| value.alice).collect(), positions.iter().map(|value| value.bob).collect()];
        for ((player, rules), used) in [("alice", &alice), ("bob", &bob)].into_iter().zip(used) {
            let (used, distinct): (HashSet<u32>, HashSet<&Rule>) = (used, rules.iter().collect());
            if used.len() != rules.len() || distinct.len() != rules.len() {
                let reason = format!("the list {player:?} must give each rule that a position has once, and no other");
                return Err(json.bad_value(reason));
            }
        }
        Ok(RulesClaim { win, draw, alice, bob, positions })
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{{\n    \"win\": ")?;
        write_json(out, &self.win)?;
        write!(out, ",\n    \"draw\": ")?;
        write_json(out, &self.draw)?;
        for (player, rules) in [("alice", &self.alice), ("bob", &self.bob)] {
            write!(out, ",\n    \"{player}\": [")?;
            for (at, rule) in rules.iter().enumerate() {
                let comma = if at == 0 { "" } else { "," };
                write!(out, "{comma}\n      {{\"block\":{},\"step\":{},\"values\":", rule.block(), rule.step())?;
                write_json(out, rule.values())?;
                write!(out, "}}")?;
            }
            write!(out, "\n    ]")?;
        }
        write!(out, ",\n    \"positions\": ")?;
        write_lines(out, "    ", &self.positions, |out, value| {
            write_json(out, &value.position)?;
            write!(out, ": [{},{}]", value.alice, value.bob)
        })?;
        write!(out, "\n  }}")
    }

    fn check(&self, _: &Mechanism) -> Result<(), BadClaim> {
        check_distinct(&self.positions)
    }

    fn bytes(&self) -> u64 {
        let rules = self.alice.iter().chain(&self.bob);
        let rules = rules.map(|rule| (HEAD + size_of_val(rule) + size_of_val(rule.values())) as u64);
        rules.sum::<u64>() + held(&self.positions)
    }
}

/// The largest number allowed in a rule.
const MOST: u32 = 2 * MAX_RULE as u32;

fn period(json: &mut JsonReader) -> Result<PeriodClaim, FormatError> {
    let [block, step, from] = json.numbers("a period", ["block", "step", "from"], MOST)?;
    Ok(PeriodClaim { block, step, from })
}

fn rule(json: &mut JsonReader) -> Result<Rule, FormatError> {
    let (mut block, mut step, mut values) = (0, 0, Vec::new());
    json.object("a rule", &["block", "step", "values"], 3, |json, key| {
        match key {
            "block" => block = json.whole(&"the block of a rule", MOST)?,
            "step" => step = json.whole(&"the step of a rule", MOST)?,
            _ => values = json.list(&"a list of values", |json| json.whole(&"a threshold in half-steps", MOST))?,
        }
        Ok(())
    })?;
    let count = values.len();
    let rule = Rule::new(values, block, step).map_err(|error| json.bad_value(error.to_string()))?;
    if (rule.block(), rule.values().len()) != (block, count) {
        return Err(json.bad_value(format!(
            "a rule of block {block} with {count} values is not in lowest terms: its block is {} and {} values suffice",
            rule.block(),
            rule.values().len()
        )));
    }
    Ok(rule)
}
