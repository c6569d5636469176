//! How often bidding rules for Hex that know only real-money values lose a won game, judged by the
//! exact solution with chips.
//!
//! Tests every unfinished position of a small board with every holding with which Alice wins. A bid
//! loses if it is not good against every bid, use of the star and move that can follow; a move
//! loses if it gives up a win that another move keeps. On a square board the same holds for Bob,
//! whose position is Alice's mirrored at the main diagonal. The real-money values are exact, so
//! this judges the rules, not the number of random fillings.

use rayon::prelude::*;
use richman_core::{Effort, Error as CoreError, Holding, Total};
use richman_engine::bidding::Stakes;
use richman_hex::board::HexBoard;
use richman_hex::engine::Cores;
use richman_hex::engine::small::{FillingThresholds, WinningFillings};

use crate::Error;

/// The number of rules.
pub const RULES: usize = 5;

/// How to bid from real-money values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BidRule {
    /// The integer part of the real-money bid [K, section 5].
    IntegerPart,
    /// That bid rounded to the nearest number of chips.
    Nearest,
    /// The safest bid for the unrounded real-money thresholds ([`Stakes::estimated`]); the computer
    /// player's choice without better information.
    Needs,
    /// The safest bid for the thresholds rounded to the nearest half-step.
    NearestNeeds,
    /// The safest bid for the thresholds rounded outwards to half-steps.
    OutwardNeeds,
}

impl BidRule {
    /// All rules.
    pub const ALL: [BidRule; RULES] =
        [BidRule::IntegerPart, BidRule::Nearest, BidRule::Needs, BidRule::NearestNeeds, BidRule::OutwardNeeds];

    /// The bid for the thresholds after both players' best moves, as shares.
    fn bid(self, own: Holding, other: Holding, low: f64, high: f64) -> u32 {
        let total = f64::from(own.chips() + other.chips());
        let unit = 2.0 * (total + 1.0);
        let money = (high - low) / 2.0 * total;
        match self {
            BidRule::IntegerPart => (money as u32).min(own.chips()),
            BidRule::Nearest => (money.round() as u32).min(own.chips()),
            BidRule::NearestNeeds => Stakes::new(own, other, (unit * low).round(), (unit * high).round()).safest(),
            BidRule::Needs => Stakes::estimated(own, other, low, high).safest(),
            BidRule::OutwardNeeds => Stakes::new(own, other, (unit * low).floor(), (unit * high).ceil()).safest(),
        }
    }
}

/// The losses of a rule.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RuleLoss {
    /// Cases in which its bid loses.
    pub bids: u64,
    /// Of these, cases in which Alice has at most half a chip to spare.
    pub tight: u64,
    /// Positions with a holding with which its bid loses.
    pub positions: u64,
    /// Other cases: the bid is good, but the most critical cell is no good move after winning it.
    pub moves: u64,
}

/// All positions of a board with a total of chips.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuleReport {
    /// Alice's threshold at the start.
    pub start: Holding,
    /// Unfinished positions.
    pub positions: u64,
    /// Cases: such a position and a holding with which Alice can force a win.
    pub cases: u64,
    /// Cases with at most half a chip (the star) to spare.
    pub tight: u64,
    /// By rule, in the order of [`BidRule::ALL`].
    pub rules: [RuleLoss; RULES],
}

impl RuleReport {
    fn plus(mut self, other: RuleReport) -> RuleReport {
        self.positions += other.positions;
        self.cases += other.cases;
        self.tight += other.tight;
        for (one, other) in self.rules.iter_mut().zip(other.rules) {
            one.bids += other.bids;
            one.tight += other.tight;
            one.positions += other.positions;
            one.moves += other.moves;
        }
        self
    }
}

/// Counts every rule's losses on a small board.
///
/// # Errors
/// `Unsupported` unless the board has 1 to 18 cells; `TooMuchMemory`; `Cancelled`.
pub fn lost(rows: usize, cols: usize, total: Total, effort: &Effort) -> Result<RuleReport, Error> {
    let too_large =
        || CoreError::Unsupported { what: format!("a board of {rows} x {cols}"), serves: "1 to 18 cells".to_string() };
    let count = rows.checked_mul(cols).filter(|count| *count <= richman_hex::engine::small::MOST_CELLS);
    let empty = count.and_then(|count| HexBoard::new(rows, cols, vec![None; count])).ok_or_else(too_large)?;
    let cells: Vec<usize> = (0..rows * cols).collect();
    let thresholds = FillingThresholds::of(&empty, &cells, total, Cores::All, effort)?;
    let wins = WinningFillings::of(&empty, &cells, effort)?;
    let task = RuleTrial { count: rows * cols, chips: total.chips(), thresholds: &thresholds, wins: &wins };
    const BLOCK: usize = 19_683;
    let blocks = thresholds.positions().div_ceil(BLOCK);
    let start = Holding::from_half_steps(thresholds.at(0));
    let none = RuleReport { start, positions: 0, cases: 0, tight: 0, rules: Default::default() };
    let part = |block: usize| -> Result<RuleReport, CoreError> {
        effort.check_cancelled()?;
        let mut report = none;
        let end = ((block + 1) * BLOCK).min(thresholds.positions());
        (block * BLOCK..end).for_each(|number| task.position(number, &mut report));
        Ok(report)
    };
    Ok((0..blocks).into_par_iter().map(part).try_reduce(|| none, |one, two| Ok(one.plus(two)))?)
}

struct RuleTrial<'a> {
    count: usize,
    chips: u32,
    thresholds: &'a FillingThresholds,
    wins: &'a WinningFillings,
}

impl RuleTrial<'_> {
    fn position(&self, number: usize, report: &mut RuleReport) {
        let (mut open, mut best, mut step) = (0_u32, None, 1);
        let (mut low, mut high) = (u32::MAX, 0);
        for _ in 0..self.count {
            if (number / step).is_multiple_of(3) {
                open += 1;
                let [alice, bob] = [number + step, number + 2 * step];
                low = low.min(self.thresholds.at(alice));
                high = high.max(self.thresholds.at(bob));
                let critical = self.wins.count(alice) - self.wins.count(bob);
                if best.is_none_or(|(most, _)| critical > most) {
                    best = Some((critical, step));
                }
            }
            step *= 3;
        }
        // If the game is over, no cell is critical.
        let Some((_, step)) = best.filter(|(critical, _)| *critical > 0) else { return };
        let fillings = f64::from(1_u32 << (open - 1));
        let need = |next: usize| 1.0 - f64::from(self.wins.count(next)) / fillings;
        let (money_low, money_high) = (need(number + step), need(number + 2 * step));
        let (here, moved) = (self.thresholds.at(number), self.thresholds.at(number + step));
        report.positions += 1;
        let before = report.rules;
        for held in here..=2 * self.chips + 1 {
            let own = Holding::from_half_steps(held);
            let other = Holding::from_half_steps(2 * self.chips + 1 - held);
            let exact = Stakes::new(own, other, f64::from(low), f64::from(high));
            let is_tight = held <= here + 1;
            report.cases += 1;
            report.tight += u64::from(is_tight);
            for (rule, lost) in BidRule::ALL.into_iter().zip(&mut report.rules) {
                let bid = rule.bid(own, other, money_low, money_high);
                if exact.margin(bid) < 0.0 {
                    lost.bids += 1;
                    lost.tight += u64::from(is_tight);
                } else if bid > 0 && (low..moved).contains(&(held - 2 * bid)) {
                    lost.moves += 1;
                }
            }
        }
        for (lost, before) in report.rules.iter_mut().zip(before) {
            lost.positions += u64::from(lost.bids > before.bids);
        }
    }
}

#[cfg(test)]
mod tests {
    use richman_core::Player;

    use super::*;

    #[test]
    fn three_by_three() {
        let report = |chips: u64| lost(3, 3, Total::new(chips).unwrap(), &Effort::default()).unwrap();
        let eight = report(8);
        assert_eq!(eight.start.to_string(), "4*");
        let [integer, nearest, needs, _, outward] = eight.rules;
        assert!(outward.bids * 50 < integer.bids && outward.bids < nearest.bids, "{eight:?}");
        assert!(needs.bids < integer.bids, "{eight:?}");
        for chips in [0, 1, 2, 3, 5, 20, 100] {
            let report = report(chips);
            let [integer, _, _, _, outward] = report.rules;
            assert!(outward.bids <= integer.bids && integer.bids <= report.cases, "{report:?}");
            // The most critical cell is hardly ever a wrong move.
            assert!(report.rules.iter().all(|rule| rule.moves * 1000 <= report.cases), "{report:?}");
        }
        assert!(lost(4, 5, Total::new(8).unwrap(), &Effort::default()).is_err());
    }

    /// Independently of the tested arithmetic, plays bids out against every answer.
    #[test]
    fn lost_bids_are_those_of_the_definition() {
        let total = Total::new(5).unwrap();
        let empty = HexBoard::new(2, 3, vec![None; 6]).unwrap();
        let cells: Vec<usize> = (0..6).collect();
        let known = FillingThresholds::of(&empty, &cells, total, Cores::One, &Effort::default()).unwrap();
        for number in 0..known.positions() {
            let best = |player: Player| known.after(number, player).map(|(_, need)| need);
            let (Some(low), Some(high)) = (best(Player::Alice).min(), best(Player::Bob).max()) else { continue };
            for held in 0..=11_u32 {
                let (chips, star) = (held / 2, held % 2);
                for bid in 0..=chips {
                    let won = |star: u32| 2 * (chips - bid) + star >= low;
                    let good = (0..=5 - chips).all(|reply| match bid.cmp(&reply) {
                        std::cmp::Ordering::Greater => won(star),
                        std::cmp::Ordering::Less => 2 * (chips + reply) + star >= high,
                        std::cmp::Ordering::Equal if star == 1 => won(0) || 2 * (chips + bid) + 1 >= high,
                        std::cmp::Ordering::Equal => won(0) && 2 * (chips + bid) + 1 >= high,
                    });
                    let [own, other] = [held, 11 - held].map(Holding::from_half_steps);
                    let stakes = Stakes::new(own, other, f64::from(low), f64::from(high));
                    assert_eq!(stakes.margin(bid) >= 0.0, good, "{number} {own} {bid}");
                    assert!(stakes.margin(stakes.safest()) >= stakes.margin(bid), "{number} {own} {bid}");
                }
            }
        }
    }
}
