//! The class of a game: the shortest wedge expression that has the same threshold for every total.
//!
//! **Formula.** Games are equivalent if f(G, k) = f(H, k) for every total k, that is if their rules
//! are equal. The rule of G & H follows from those of G and H, so classes are found as rules: the
//! classes with n letters are the new wedges of classes with i and n - i letters.
//!
//! **Source.** [DP10, 5] for the classes and their notation; section 6 names positions of
//! tic-tac-toe by hand.
//!
//! **Letters** are the leaves A, B and E; A^n and B^n stand for n of them, A^2 = A & E and A^(n+1)
//! = A & A^n. Expressions of up to [`MOST_LETTERS`] letters are searched. A^n and B^n are
//! recognised for every n: f(A^n, k) = floor((k + 1) / 2^(n-1)) half-steps, from f(E, k) = k + 1
//! and f(A & G, k) = floor(f(G, k) / 2).
//!
//! **Which expression.** Fewest letters, then the shortest text, then ASCII order. In G & H the
//! part that is better for Alice is on the left: the one with the smaller real-money threshold or,
//! if these are equal, the one that is lower at the first total where they differ.
//!
//! **Time and memory.** The last level is never listed: the slope of G & H is the mean of the
//! slopes, so few pairs remain for a given rule, and their first totals distinguish most of these.
//! The earlier levels are listed when first needed: 4,695 rules of at most 130 totals. **Result:**
//! exact.
//!
//! **Checked by** every tree of wedges with few letters, solved total by total, and by solving the
//! expressions found.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

use richman_core::{Player, Rule};
use richman_solvers::chips::local;
use richman_solvers::rules;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::Error;

/// The most letters of an expression found by search.
pub const MOST_LETTERS: u32 = 9;

/// The class of a game; in JSON its expression.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema)]
#[schemars(with = "String")]
pub struct Class {
    /// A shortest expression, such as `(A & B^2) & B`; after `expr:` it names a game.
    pub expression: String,
    /// The number of leaves A, B and E; A^n and B^n count as n.
    pub letters: u32,
}

impl Serialize for Class {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.expression)
    }
}

/// The classes found so far.
///
/// ```
/// use richman_analysis::class::RuleClasses;
/// use richman_core::Rule;
/// use richman_solvers::rules::wedge;
///
/// let (a, b) = (Rule::nothing(), Rule::unreachable());
/// let e = wedge(&a, &b)?;
/// let rule = wedge(&wedge(&wedge(&b, &e)?, &a)?, &b)?;
/// let class = RuleClasses::default().name(&rule)?.map(|class| class.expression);
/// assert_eq!(class.as_deref(), Some("(A & B^2) & B"));
/// # Ok::<(), richman_analysis::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct RuleClasses {
    /// Fewest letters first.
    found: Vec<ClassEntry>,
    numbers: HashMap<Rule, usize>,
    /// For each number of letters, from 1, the classes by slope.
    levels: Vec<BTreeMap<u32, Vec<usize>>>,
}

#[derive(Debug, Clone)]
struct ClassEntry {
    rule: Rule,
    name: ClassName,
    letters: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct ClassName {
    text: String,
    kind: NameKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NameKind {
    Won(Player),
    /// E, the first power of both players.
    First,
    /// A second or higher power.
    Power(Player, u32),
    Wedge,
}

impl ClassName {
    fn of(kind: NameKind) -> ClassName {
        let text = match kind {
            NameKind::Won(player) => letter(player).to_string(),
            NameKind::Power(player, exponent) => format!("{}^{exponent}", letter(player)),
            NameKind::First | NameKind::Wedge => "E".to_string(),
        };
        ClassName { text, kind }
    }

    fn wedge(left: &ClassName, right: &ClassName) -> ClassName {
        let next = |kind, player| match kind {
            NameKind::First => Some(NameKind::Power(player, 2)),
            NameKind::Power(of, exponent) if of == player => Some(NameKind::Power(player, exponent + 1)),
            _ => None,
        };
        let power = match (left.kind, right.kind) {
            (NameKind::Won(Player::Alice), kind) => next(kind, Player::Alice),
            (kind, NameKind::Won(Player::Bob)) => next(kind, Player::Bob),
            _ => None,
        };
        if let Some(power) = power {
            return ClassName::of(power);
        }
        let part = |name: &ClassName| match name.kind {
            NameKind::Wedge => format!("({})", name.text),
            _ => name.text.clone(),
        };
        ClassName { text: format!("{} & {}", part(left), part(right)), kind: NameKind::Wedge }
    }

    fn is_simpler_than(&self, other: &ClassName) -> bool {
        (self.text.len(), &self.text) < (other.text.len(), &other.text)
    }
}

fn letter(player: Player) -> char {
    player.either('A', 'B')
}

impl Default for RuleClasses {
    /// The classes A, B and E; others are found when needed.
    fn default() -> RuleClasses {
        let mut classes = RuleClasses { found: Vec::new(), numbers: HashMap::new(), levels: Vec::new() };
        let rules =
            [(Rule::nothing(), NameKind::Won(Player::Alice)), (Rule::unreachable(), NameKind::Won(Player::Bob))];
        let first = Rule::new(vec![1], 1, 1).map(|rule| (rule, NameKind::First));
        let level = rules.into_iter().chain(first).map(|(rule, kind)| (rule, ClassName::of(kind))).collect();
        classes.add(level);
        classes
    }
}

impl RuleClasses {
    /// The unit of slopes: this many parts make one.
    const ONE: u32 = 1 << MOST_LETTERS;

    /// The class of games with this rule; `None` if it is not the rule of an A^n or B^n and no
    /// expression of up to [`MOST_LETTERS`] letters has it.
    ///
    /// # Errors
    /// [`richman_core::Error::NoRule`] if the rule of an expression would be too long, which no
    /// expression so short has.
    pub fn name(&mut self, rule: &Rule) -> Result<Option<Class>, Error> {
        let class = |name: &ClassName, letters| Some(Class { expression: name.text.clone(), letters });
        if let Some((kind, letters)) = power(rule) {
            return Ok(class(&ClassName::of(kind), letters));
        }
        let Some(slope) = slope(rule).filter(|slope| (1..RuleClasses::ONE).contains(slope)) else { return Ok(None) };
        if let Some(&number) = self.numbers.get(rule) {
            let found = &self.found[number];
            return Ok(class(&found.name, found.letters));
        }
        // The mean of two multiples of 2^-i is a multiple of 2^-(i+1), so slopes with n letters are
        // multiples of 2^-n.
        let least = MOST_LETTERS - slope.trailing_zeros();
        for letters in self.levels.len() as u32 + 1..=MOST_LETTERS {
            if letters >= least
                && let Some(name) = self.search(rule, slope, letters)?
            {
                return Ok(class(&name, letters));
            }
            if letters < MOST_LETTERS {
                self.list(letters)?;
            }
        }
        Ok(None)
    }

    /// The simplest expression with this many letters for a rule that has none with fewer.
    fn search(&self, rule: &Rule, slope: u32, letters: u32) -> Result<Option<ClassName>, Error> {
        let mut best: Option<ClassName> = None;
        for few in 1..=letters / 2 {
            let (these, those) = (&self.levels[few as usize - 1], &self.levels[(letters - few) as usize - 1]);
            for (&part, ones) in these {
                let Some(others) = (2 * slope).checked_sub(part).and_then(|rest| those.get(&rest)) else { continue };
                for (one, other) in pairs(ones, others) {
                    let (g, h) = (&self.found[one], &self.found[other]);
                    if !begins(rule, &g.rule, &h.rule) || rules::wedge(&g.rule, &h.rule)? != *rule {
                        continue;
                    }
                    let name = g.wedge(h);
                    if best.as_ref().is_none_or(|best| name.is_simpler_than(best)) {
                        best = Some(name);
                    }
                }
            }
        }
        Ok(best)
    }

    /// Lists the classes with this many letters; those with fewer must already be listed.
    fn list(&mut self, letters: u32) -> Result<(), Error> {
        let mut level: HashMap<Rule, ClassName> = HashMap::new();
        for few in 1..=letters / 2 {
            let all = |letters: u32| self.levels[letters as usize - 1].values().flatten().copied().collect::<Vec<_>>();
            for (one, other) in pairs(&all(few), &all(letters - few)) {
                let (g, h) = (&self.found[one], &self.found[other]);
                let rule = rules::wedge(&g.rule, &h.rule)?;
                if self.numbers.contains_key(&rule) {
                    continue;
                }
                let name = g.wedge(h);
                match level.get_mut(&rule) {
                    Some(known) if name.is_simpler_than(known) => *known = name,
                    Some(_) => {}
                    None => drop(level.insert(rule, name)),
                }
            }
        }
        self.add(level.into_iter().collect());
        Ok(())
    }

    /// Adds the classes with one more letter than the last level.
    fn add(&mut self, level: Vec<(Rule, ClassName)>) {
        let letters = self.levels.len() as u32 + 1;
        let mut by_slope: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (rule, name) in level {
            let number = self.found.len();
            by_slope.entry(slope(&rule).unwrap_or(0)).or_default().push(number);
            self.numbers.insert(rule.clone(), number); // the values are shared
            self.found.push(ClassEntry { rule, name, letters });
        }
        self.levels.push(by_slope);
    }
}

impl ClassEntry {
    fn wedge(&self, other: &ClassEntry) -> ClassName {
        let slopes = self.rule.compare_slopes(&other.rule);
        let differ = || (0..).map(|total| self.rule.at(total).cmp(&other.rule.at(total))).find(|order| order.is_ne());
        let order = if slopes.is_eq() && self.rule != other.rule { differ().unwrap_or(slopes) } else { slopes };
        match order {
            Ordering::Greater => ClassName::wedge(&other.name, &self.name),
            Ordering::Less | Ordering::Equal => ClassName::wedge(&self.name, &other.name),
        }
    }
}

fn pairs<'a>(these: &'a [usize], those: &'a [usize]) -> impl Iterator<Item = (usize, usize)> + 'a {
    let same = these == those;
    these
        .iter()
        .enumerate()
        .flat_map(move |(i, &one)| those[if same { i } else { 0 }..].iter().map(move |&other| (one, other)))
}

/// The name of a rule that is A, B, E, A^n or B^n: a player wins these games by making any of the
/// next n moves.
///
/// ```
/// use richman_analysis::class::power_name;
/// use richman_core::Rule;
/// use richman_solvers::rules::wedge;
///
/// let even = wedge(&Rule::nothing(), &Rule::unreachable())?;
/// assert_eq!(power_name(&even).as_deref(), Some("E"));
/// let square = wedge(&even, &Rule::unreachable())?;
/// assert_eq!(power_name(&square).as_deref(), Some("B^2"));
/// assert_eq!(power_name(&wedge(&even, &square)?), None);
/// # Ok::<(), richman_core::Error>(())
/// ```
pub fn power_name(rule: &Rule) -> Option<String> {
    power(rule).map(|(kind, _)| ClassName::of(kind).text)
}

/// The kind A, B, E, A^n or B^n of a rule, and its letters.
fn power(rule: &Rule) -> Option<(NameKind, u32)> {
    if *rule == Rule::nothing() {
        return Some((NameKind::Won(Player::Alice), 1));
    }
    if *rule == Rule::unreachable() {
        return Some((NameKind::Won(Player::Bob), 1));
    }
    let exponent = |rule: &Rule| {
        let block = rule.block();
        let fits = rule.from() == 0 && rule.step() == 1 && block.is_power_of_two();
        let least = |(next, &value): (u32, &u32)| value == next / block;
        (fits && (1..).zip(rule.values()).all(least)).then(|| block.trailing_zeros() + 1)
    };
    // Bob's B^n is Alice's A^n, and nobody draws.
    let of = |player, rule: &Rule| {
        exponent(rule).map(|n| (if n == 1 { NameKind::First } else { NameKind::Power(player, n) }, n))
    };
    of(Player::Alice, rule).or_else(|| of(Player::Bob, &rule.opposite()))
}

/// The slope in parts of [`RuleClasses::ONE`], if whole.
fn slope(rule: &Rule) -> Option<u32> {
    let (rise, run) = (u64::from(rule.step()) * u64::from(RuleClasses::ONE), 2 * u64::from(rule.block()));
    rise.is_multiple_of(run).then(|| (rise / run) as u32)
}

fn begins(rule: &Rule, g: &Rule, h: &Rule) -> bool {
    const FIRST: u32 = 64;
    (0..FIRST).all(|total| u64::from(local::chooses(g.at(total) as u32, h.at(total) as u32)) == rule.at(total))
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;
    use richman_core::{Effort, Mechanism, Player};

    use super::*;
    use crate::Subject;

    fn rules_of(spec: &str) -> Vec<Rule> {
        let unfolding = Subject::named(spec).unwrap().unfold(None, &Effort::default()).unwrap();
        let arena = unfolding.arena();
        let side = rules::side(arena, &Mechanism::default(), Player::Alice, &Effort::default()).unwrap();
        let start = side.of[arena.start() as usize] as usize;
        let mut rules = side.rules;
        rules.swap(0, start);
        rules
    }

    fn rule_of(spec: &str) -> Rule {
        rules_of(spec)[0].clone()
    }

    /// The rule of a printed table; the holdings of the next block are `step` chips more.
    fn printed(table: &str, step: u32) -> Rule {
        let holding = |text: &str| text.parse::<richman_core::Holding>().unwrap().half_steps();
        let values: Vec<u32> = table.split_whitespace().map(holding).collect();
        let block = values.len() as u32;
        Rule::new(values, block, 2 * step).unwrap()
    }

    fn name(classes: &mut RuleClasses, rule: &Rule) -> Option<String> {
        classes.name(rule).unwrap().map(|class| class.expression)
    }

    /// The printed tables, and the text's classes of the positions.
    #[test]
    fn dp10_section_6_2() {
        let mut classes = RuleClasses::default();
        for (position, table, step, expected) in [
            ("5a", "0* 0* 1 1* 2 2 2* 3", 3, "A & B^2"),
            ("4b", "1 1* 2 3 3* 4 5 5* 6* 7 7* 8* 9 9* 10* 11", 11, "(A & B^2) & B"),
            ("4c", "1 1 1* 2* 3 3 4 4* 5* 5* 6 7 7* 7* 8* 9", 9, "(A & B^2) & B^2"),
            ("4h", "1 2 3 3* 4* 5* 6* 7", 7, "B^3"),
            (
                "3a",
                "0* 1 1* 2 2 3 3* 3* 4 5 5 5* 6 6* 7 7* 8 8* 9 9* 9* 10* 11 11 11* 12* 12* 13 13* 14 14* 15",
                15,
                "A^2 & ((A & B^2) & B)",
            ),
            (
                "3b",
                "0* 0* 0* 1 1* 1* 2 2 2* 2* 3 3* 3* 3* 4 4* 5 5 5 5* 6 6 6* 6* 7 7 7* 8 8 8 8* 9",
                9,
                "A & ((A & B^2) & B^2)",
            ),
            (
                "3d",
                "0* 0* 1 1* 1* 2 2* 2* 3 3* 3* 4 4* 4* 5 5* 6 6 6* 7 7 7* 8 8 8* 9 9 9* 10 10 10* 11",
                11,
                "A & ((A & B^2) & B)",
            ),
            ("3f", "1 1* 2 2* 3 3* 4* 5", 5, "(A & B^2) & B^3"),
        ] {
            assert_eq!(name(&mut classes, &printed(table, step)).as_deref(), Some(expected), "position {position}");
        }
        // Example 6.2: Bob has a triple threat.
        let game = Subject::named("tic-tac-toe").unwrap();
        let unfolding = game.unfold(Some(".B./.B./BA."), &Effort::default()).unwrap();
        let side = rules::side(unfolding.arena(), &Mechanism::default(), Player::Alice, &Effort::default()).unwrap();
        assert_eq!(name(&mut classes, side.rule(unfolding.arena().start())).as_deref(), Some("B^3"));
    }

    #[test]
    fn a_name_is_an_expression_with_the_same_rule() {
        let mut classes = RuleClasses::default();
        let positions = rules_of("tic-tac-toe");
        let mut named = 0;
        for rule in &positions {
            let Some(class) = classes.name(rule).unwrap() else { continue };
            named += 1;
            assert_eq!(rule_of(&format!("expr:{}", class.expression)), *rule, "{}", class.expression);
        }
        assert_eq!((named, positions.len()), (55, 71));
        assert_eq!(name(&mut classes, &positions[0]), None, "133/256 takes more letters");
    }

    #[test]
    fn powers_of_any_exponent() {
        let mut classes = RuleClasses::default();
        for (text, letters) in [("A", 1), ("B", 1), ("E", 1), ("A^2", 2), ("B^2", 2), ("A^12", 12), ("B^15", 15)] {
            let rule = rule_of(&format!("expr:{text}"));
            assert_eq!(classes.name(&rule).unwrap(), Some(Class { expression: text.to_string(), letters }));
        }
        let rule = rule_of("expr:A^10");
        let mut values = rule.values().to_vec();
        values[300] += 1;
        for other in [Rule::new(values, rule.block(), rule.step()).unwrap(), rule_of("expr:A^10 & A")] {
            assert_ne!(name(&mut classes, &other).as_deref(), Some("A^10"));
        }
        assert_eq!(name(&mut classes, &rule_of("expr:E & A^10")), None);
        for other in ["tug-of-war:length=3,at=1", "ultimatum:degree=3"] {
            let found = classes.name(&rule_of(other)).unwrap();
            assert!(found.is_none_or(|class| rule_of(&format!("expr:{}", class.expression)) == rule_of(other)));
        }
        assert_eq!(name(&mut classes, &rule_of("tug-of-war:length=3,at=1")), None, "2/3 is no mean of means");
    }

    /// Every tree of wedges, solved total by total without rules.
    fn trees(most: usize, totals: u32) -> Vec<Vec<(Vec<u32>, String)>> {
        let leaf = |text: &str, value: &dyn Fn(u32) -> u32| ((0..totals).map(value).collect(), text.to_string());
        let leaves = vec![leaf("A", &|_| 0), leaf("B", &|k| 2 * k + 2), leaf("E", &|k| k + 1)];
        let mut all: Vec<Vec<(Vec<u32>, String)>> = vec![leaves];
        for letters in 2..=most {
            let mut level = Vec::new();
            for few in 1..=letters / 2 {
                let (these, those) = (&all[few - 1], &all[letters - few - 1]);
                for (i, (g, left)) in these.iter().enumerate() {
                    let from = if 2 * few == letters { i } else { 0 };
                    level.extend(those[from..].iter().map(|(h, right)| {
                        let values = g.iter().zip(h).map(|(&g, &h)| local::chooses(g, h)).collect();
                        (values, format!("({left})&({right})"))
                    }));
                }
            }
            all.push(level);
        }
        all
    }

    #[test]
    fn no_expression_is_shorter() {
        let mut least: HashMap<Vec<u32>, (usize, String)> = HashMap::new();
        let mut counts = Vec::new();
        for (trees, letters) in trees(7, 300).into_iter().zip(1..) {
            for (values, text) in trees {
                least.entry(values).or_insert((letters, text));
            }
            counts.push(least.len());
        }
        assert_eq!(counts, [3, 5, 11, 29, 91, 317, 1191]);
        let mut classes = RuleClasses::default();
        for (values, (letters, text)) in &least {
            let rule = rule_of(&format!("expr:{text}"));
            let class = classes.name(&rule).unwrap().unwrap_or_else(|| panic!("{text} has no name"));
            assert_eq!(class.letters as usize, *letters, "{text} and {}", class.expression);
            assert!((0..300).all(|total| rule.at(total) == u64::from(values[total as usize])));
            let leaves = class.expression.replace("B^", "A^").split("A^").skip(1).fold(0, |sum, power| {
                let digits = power.find(|c: char| !c.is_ascii_digit()).unwrap_or(power.len());
                sum + power[..digits].parse::<u32>().unwrap() - 1
            });
            let written = class.expression.matches(['A', 'B', 'E']).count() as u32;
            assert_eq!(class.letters, written + leaves, "{}", class.expression);
        }
    }

    /// The last level is searched by slope and never listed. A full list gives the same names.
    #[test]
    fn what_is_searched_is_what_would_be_listed() {
        let mut listed = RuleClasses::default();
        let mut rng = Rng::with_seed(9);
        for letters in 2..=MOST_LETTERS {
            let before = listed.clone();
            listed.list(letters).unwrap();
            let all: Vec<&ClassEntry> = listed.found.iter().filter(|found| found.letters == letters).collect();
            for _ in 0..100 {
                let found = all[rng.usize(0..all.len())];
                let name = before.search(&found.rule, slope(&found.rule).unwrap(), letters).unwrap();
                assert_eq!(name.as_ref(), Some(&found.name));
                assert_eq!(rule_of(&format!("expr:{}", found.name.text)), found.rule);
            }
        }
        assert!(
            listed
                .found
                .iter()
                .filter(|found| found.letters < MOST_LETTERS)
                .all(|found| found.rule.values().len() <= 130)
        );
        let counts: Vec<usize> = listed.levels.iter().map(|level| level.values().map(Vec::len).sum()).collect();
        assert_eq!(counts, [3, 2, 6, 18, 62, 226, 874, 3504, 14218]);
    }

    #[test]
    fn names_do_not_depend_on_the_order_of_questions() {
        let mut rng = Rng::with_seed(2);
        let mut warm = RuleClasses::default();
        for _ in 0..40 {
            let mut text = ["A", "B", "E"][rng.usize(0..3)].to_string();
            for _ in 1..rng.u32(2..=9) {
                text = format!("({text}) & {}", ["A", "B", "E"][rng.usize(0..3)]);
            }
            let rule = rule_of(&format!("expr:{text}"));
            let found = warm.name(&rule).unwrap();
            assert!(found.as_ref().is_some_and(|class| class.letters <= 9), "{text}");
            assert_eq!(found, RuleClasses::default().name(&rule).unwrap());
        }
        for (given, expected) in [
            ("B & A", "E"),
            ("(B & A^2) & A", "A & (A^2 & B)"),
            ("B & (B^2 & A)", "(A & B^2) & B"),
            ("B^3 & (B^2 & A)", "(A & B^2) & B^3"),
            ("~((A & B^2) & B)", "A & (A^2 & B)"),
            ("((A & B) & B) & (A & (A & B))", "E"),
        ] {
            assert_eq!(name(&mut warm, &rule_of(&format!("expr:{given}"))).as_deref(), Some(expected), "{given}");
        }
    }
}
