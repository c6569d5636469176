//! Rules: a chip threshold for every total at once.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use crate::{Error, Holding, Total};

/// The most values in a rule: 2^22 totals, 16 MiB.
pub const MAX_RULE: usize = 1 << 22;

/// A threshold in half-steps for every total: `at(k + block) = at(k) + step` for every k >= `from`.
///
/// Rules are in lowest terms: first `block`, then `from` is least. So two rules are equal exactly
/// if they agree for every total.
///
/// ```
/// use richman_core::{Rule, Total};
/// // E, the game of whoever moves first: 0*, 1, 1*, 2, ... [DP10, Example 3.8]
/// let even = Rule::new(vec![1, 2], 2, 2)?;
/// assert_eq!((even.from(), even.block(), even.step()), (0, 1, 1));
/// assert_eq!((even.chip_block(), even.chip_step()), (2, 1));
/// assert_eq!(even.holding(Total::new(8)?).to_string(), "4*");
/// # Ok::<(), richman_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Rule {
    from: u32,
    step: u32,
    block: u32,
    /// The values of the totals below `from + block`.
    values: Arc<[u32]>,
}

/// Where one rule is below and where above another; `None` if never.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Difference {
    /// The first total at which the first rule is below the second.
    pub below: Option<u32>,
    /// The first total at which the first rule is above the second.
    pub above: Option<u32>,
}

impl Rule {
    /// The rule that begins with `values`, of which the last `block` repeat, `step` half-steps
    /// higher each time.
    ///
    /// # Errors
    /// [`Error::NoRule`] for a block of 0, fewer than `block` values, more than [`MAX_RULE`], or a
    /// value that is or will be above total + 1 chips.
    pub fn new(values: Vec<u32>, block: u32, step: u32) -> Result<Rule, Error> {
        let refused = |reason: &str| Err(Error::NoRule { reason: reason.to_string() });
        if values.len() > MAX_RULE {
            return refused(&format!("its block and what comes before have more than {MAX_RULE} totals"));
        }
        if block == 0 || block as usize > values.len() {
            return refused("a block must have at least one total, and all its values must be given");
        }
        if u64::from(step) > 2 * u64::from(block) {
            return refused("a threshold cannot rise faster than the total");
        }
        if (1u64..).zip(&values).any(|(next, &value)| u64::from(value) > 2 * next) {
            return refused("a threshold is at most total + 1");
        }
        let first = values.len() - block as usize;
        let (block, step) = least_block(&values[first..], block, step);
        let mut from = first as u32;
        let at = |total: u32| value(&values, first as u32, first as u32 + block, step, total);
        while from > 0 && at(from - 1 + block) == at(from - 1) + u64::from(step) {
            from -= 1;
        }
        Ok(Rule { from, step, block, values: values[..(from + block) as usize].into() })
    }

    /// The rule that is 0 for every total: any holding suffices.
    pub fn nothing() -> Rule {
        Rule { from: 0, step: 0, block: 1, values: [0].into() }
    }

    /// The rule that is total + 1 for every total: no holding suffices.
    pub fn unreachable() -> Rule {
        Rule { from: 0, step: 2, block: 1, values: [2].into() }
    }

    /// The least total from which the block repeats.
    pub fn from(&self) -> u32 {
        self.from
    }

    /// The least number of totals after which values repeat, raised by the step.
    pub fn block(&self) -> u32 {
        self.block
    }

    /// The rise of the values from one block to the next, in half-steps.
    pub fn step(&self) -> u32 {
        self.step
    }

    /// The least block whose step is a whole number of chips.
    pub fn chip_block(&self) -> u32 {
        self.block << (self.step % 2)
    }

    /// The step of [`Rule::chip_block`], in chips.
    pub fn chip_step(&self) -> u32 {
        if self.step.is_multiple_of(2) { self.step / 2 } else { self.step }
    }

    /// The values, in half-steps, of the totals below [`Rule::from`] + [`Rule::block`].
    pub fn values(&self) -> &[u32] {
        &self.values
    }

    /// The value at a total, in half-steps.
    pub fn at(&self, total: u32) -> u64 {
        value(&self.values, self.from, self.from + self.block, self.step, total)
    }

    /// The value at any total below 2^60, even above [`crate::MAX_TOTAL`].
    pub fn at_any(&self, total: u64) -> u64 {
        match total.checked_sub(u64::from(self.from)) {
            Some(past) => {
                let (blocks, rest) = (past / u64::from(self.block), past % u64::from(self.block));
                u64::from(self.values[(u64::from(self.from) + rest) as usize]) + blocks * u64::from(self.step)
            }
            None => u64::from(self.values[total as usize]),
        }
    }

    /// The least holding that suffices, or total + 1 chips if none does.
    pub fn holding(&self, total: Total) -> Holding {
        Holding::from_half_steps(self.at(total.chips()) as u32) // at most 2 (total + 1)
    }

    /// The opponent's threshold to keep the player below this one.
    pub fn opposite(&self) -> Rule {
        let values = (1u32..).zip(self.values.iter()).map(|(next, &value)| 2 * next - value).collect();
        Rule { step: 2 * self.block - self.step, values, ..*self }
    }

    /// The order of two rules by their slopes in the long run.
    pub fn compare_slopes(&self, other: &Rule) -> Ordering {
        let [a, b] = [(self, other), (other, self)].map(|(x, y)| u64::from(x.step) * u64::from(y.block));
        a.cmp(&b)
    }

    /// Two numbers: the total from which both rules are in their blocks and the steeper is never
    /// below the other, and the totals after which both repeat. With equal slopes, their order
    /// repeats too.
    ///
    /// # Errors
    /// [`Error::NoRule`] if that takes more than [`MAX_RULE`] totals.
    pub fn settled(&self, other: &Rule) -> Result<(u32, u32), Error> {
        let too_long =
            || Error::NoRule { reason: format!("two thresholds together repeat after more than {MAX_RULE} totals") };
        let first = self.from.max(other.from);
        let block = lcm(self.block, other.block).ok_or_else(too_long)?;
        let (slow, fast) = match self.compare_slopes(other) {
            Ordering::Equal => return Ok((first, block)),
            Ordering::Less => (self, other),
            Ordering::Greater => (other, self),
        };
        let gain = fast.rise(block) - slow.rise(block); // per block, at least 1
        let behind =
            (first..first + block).map(|total| slow.at(total).saturating_sub(fast.at(total))).max().unwrap_or(0);
        let settled = u64::from(first) + behind.div_ceil(gain) * u64::from(block);
        if settled + u64::from(block) > MAX_RULE as u64 {
            return Err(too_long());
        }
        Ok((settled as u32, block))
    }

    /// The rise of the values over `totals`, a multiple of the block, in half-steps.
    fn rise(&self, totals: u32) -> u64 {
        u64::from(totals / self.block) * u64::from(self.step)
    }

    /// Where this rule is below and above another, over all totals.
    ///
    /// # Errors
    /// [`Error::NoRule`] if they take more than [`MAX_RULE`] totals to repeat together.
    pub fn difference(&self, other: &Rule) -> Result<Difference, Error> {
        let (settled, block) = self.settled(other)?;
        let mut found = Difference { below: None, above: None };
        for total in 0..settled + block {
            match self.at(total).cmp(&other.at(total)) {
                Ordering::Less => found.below.get_or_insert(total),
                Ordering::Greater => found.above.get_or_insert(total),
                Ordering::Equal => continue,
            };
        }
        // Beyond that, only the steeper rule can and must get above the other.
        match self.compare_slopes(other) {
            Ordering::Less if found.below.is_none() => {
                found.below = (settled + block..).find(|&total| self.at(total) < other.at(total));
            }
            Ordering::Greater if found.above.is_none() => {
                found.above = (settled + block..).find(|&total| self.at(total) > other.at(total));
            }
            _ => {}
        }
        Ok(found)
    }

    /// The last total at which two rules differ; `None` if they are equal, `Some(None)` if they
    /// differ infinitely often.
    ///
    /// # Errors
    /// [`Error::NoRule`] if they take more than [`MAX_RULE`] totals to repeat together.
    pub fn last_difference(&self, other: &Rule) -> Result<Option<Option<u32>>, Error> {
        if self.compare_slopes(other) != Ordering::Equal {
            return Ok(Some(None));
        }
        let (settled, block) = self.settled(other)?;
        let last = (0..settled + block).rev().find(|&total| self.at(total) != other.at(total));
        Ok(last.map(|total| (total < settled).then_some(total)))
    }
}

impl fmt::Display for Rule {
    /// `threshold(k + 256) = threshold(k) + 133 for every k >= 6`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rule { from, .. } = self;
        write!(f, "threshold(k + {}) = threshold(k) + {} for every k >= {from}", self.chip_block(), self.chip_step())
    }
}

fn value(values: &[u32], from: u32, end: u32, step: u32, total: u32) -> u64 {
    if total < end {
        return u64::from(values[total as usize]);
    }
    let block = end - from;
    let blocks = (total - from) / block;
    u64::from(values[(from + (total - from) % block) as usize]) + u64::from(blocks) * u64::from(step)
}

/// The least common multiple, if it is at most [`MAX_RULE`].
pub(crate) fn lcm(a: u32, b: u32) -> Option<u32> {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a / x).checked_mul(b).filter(|&multiple| multiple as usize <= MAX_RULE)
}

/// The least period of a block's values. It divides every period, so removing prime factors finds
/// it.
fn least_block(values: &[u32], block: u32, step: u32) -> (u32, u32) {
    let (mut block, mut step) = (block, step);
    let mut prime = 2;
    let mut left = block;
    while left > 1 {
        if u64::from(prime) * u64::from(prime) > u64::from(left) {
            prime = left;
        }
        if !left.is_multiple_of(prime) {
            prime += 1;
            continue;
        }
        left /= prime;
        let (part, rise) = (block / prime, step / prime);
        let repeats = || (part..block).all(|i| values[i as usize] == values[(i - part) as usize] + rise);
        if step.is_multiple_of(prime) && repeats() {
            (block, step) = (part, rise);
        }
    }
    (block, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_kept_in_lowest_terms() {
        // 2 1 2 1 ... with a step of 0, given with a block of four and a late start
        let rule = Rule::new(vec![2, 1, 2, 1, 2, 1, 2], 4, 0).unwrap();
        assert_eq!((rule.from(), rule.block(), rule.step()), (0, 2, 0));
        let rule = Rule::new(vec![0, 1, 2, 1, 2, 1, 2], 4, 0).unwrap();
        assert_eq!((rule.from(), rule.block(), rule.step(), rule.values()), (1, 2, 0, &[0, 1, 2][..]));
        assert_eq!((0..8).map(|k| rule.at(k)).collect::<Vec<_>>(), [0, 1, 2, 1, 2, 1, 2, 1]);
    }

    #[test]
    fn equal_sequences_are_equal_rules() {
        for block in 1..=12u32 {
            for step in 0..=2 * block {
                for from in 0..3u32 {
                    let values: Vec<u32> = (0..from + block).map(|k| (k * 7 + step) % (k + 2)).collect();
                    let rule = Rule::new(values.clone(), block, step).unwrap();
                    let longer: Vec<u32> = (0..from + 5 + 3 * block).map(|k| rule.at(k) as u32).collect();
                    assert_eq!(Rule::new(longer, 3 * block, 3 * step).unwrap(), rule);
                    assert!((0..values.len()).all(|k| rule.at(k as u32) == u64::from(values[k])));
                    let (block, step) = (rule.block(), u64::from(rule.step()));
                    let holds = |block: u32, step: u64, from: u32| {
                        (from..from + 60).all(|k| rule.at(k + block) == rule.at(k) + step)
                    };
                    assert!(holds(block, step, rule.from()));
                    assert!(rule.from() == 0 || !holds(block, step, rule.from() - 1), "the least from");
                    for less in 1..block {
                        assert!((0..=2 * u64::from(less)).all(|step| !holds(less, step, 200)), "the least block");
                    }
                }
            }
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for (values, block, step) in
            [(vec![], 0, 0), (vec![0], 2, 0), (vec![0], 0, 0), (vec![3], 1, 0), (vec![0], 1, 3), (vec![0, 5], 1, 0)]
        {
            assert!(Rule::new(values, block, step).is_err());
        }
    }

    #[test]
    fn differences_are_found_however_late() {
        // Half of the total, against a line that starts 40 below and rises a little faster
        let slow = Rule::new((0..100).map(|k| (k + 1).min(50 + k % 2)).collect(), 2, 1).unwrap();
        let fast = Rule::new((0..100).map(|k| (k + 1).min(10 + k % 3)).collect(), 3, 2).unwrap();
        let by_hand = |wanted: Ordering| (0..10_000).find(|&k| slow.at(k).cmp(&fast.at(k)) == wanted);
        let found = slow.difference(&fast).unwrap();
        assert_eq!(found, Difference { below: by_hand(Ordering::Less), above: by_hand(Ordering::Greater) });
        assert!(found.below.unwrap() > 200);
        let back = fast.difference(&slow).unwrap();
        assert_eq!((back.above, back.below), (found.below, found.above));
        assert_eq!(slow.difference(&slow).unwrap(), Difference { below: None, above: None });
        assert_eq!(slow.opposite().opposite(), slow);
        assert_eq!(slow.last_difference(&slow).unwrap(), None);
        assert_eq!(slow.last_difference(&fast).unwrap(), Some(None));
        let late = Rule::new((0..100).map(|k| if k == 30 { 0 } else { slow.at(k) as u32 }).collect(), 2, 1).unwrap();
        assert_eq!(slow.last_difference(&late).unwrap(), Some(Some(30)));
    }
}
