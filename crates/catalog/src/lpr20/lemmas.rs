//! Sections 3.1 to 3.3: the uniqueness properties and bounds of unitary games.

use super::super::{Finding, Session};
use super::{UnitaryValues, every_total, name};
use crate::Error;
use richman_core::Total;
use richman_heaps::subtraction::Unitary;

/// Checks a lemma about every heap and number of chips.
pub fn everywhere(session: &mut Session, holds: impl Fn(&UnitaryValues, usize, u32) -> bool) -> Result<Finding, Error> {
    every_total(session, |unit, finding| {
        for (heap, chips) in unit.places() {
            finding.holds(holds(unit, heap, chips), || name(unit, heap, chips));
        }
    })
}

pub fn lemma_9(unit: &UnitaryValues, heap: usize, chips: u32) -> bool {
    unit.hat(heap, chips).rem_euclid(2) == heap as i64 % 2 && unit.plain(heap, chips).rem_euclid(2) == heap as i64 % 2
}

pub fn definition_10(session: &mut Session) -> Result<Finding, Error> {
    every_total(session, |unit, finding| {
        let Ok(mut game) = Total::new(unit.total).and_then(Unitary::new) else { return };
        for heap in 0..unit.heaps() {
            for (chips, &value) in (0..).zip(game.row()) {
                finding.holds(unit.hat(heap, chips) == i64::from(value), || name(unit, heap, chips));
                let plain = game.without_marker(chips).map(i64::from);
                finding.holds(plain == Some(unit.plain(heap, chips)), || name(unit, heap, chips));
            }
            game.advance();
        }
    })
}

/// Equation (3): the best over bids of the worse of the tie and the losses to higher bids.
fn equation_3(unit: &UnitaryValues, heap: usize, chips: u32) -> i64 {
    let rest = unit.total - chips;
    let answers = |bid: u32| {
        let tie = (bid <= rest).then(|| 1 - unit.hat(heap - 1, rest + bid));
        let lost = (bid + 1..=rest).map(|other| unit.hat(heap - 1, chips + other) - 1);
        lost.chain(tie).min()
    };
    // No answer is possible there to a bid above all of Right's chips, which is as good as exactly
    // his chips.
    (0..=chips).filter_map(answers).max().unwrap_or(0)
}

pub fn theorem_13(unit: &UnitaryValues, heap: usize, chips: u32) -> bool {
    unit.rows[heap].is_unique() && (heap == 0 || unit.hat(heap, chips) == equation_3(unit, heap, chips))
}

pub fn lemma_14(unit: &UnitaryValues, heap: usize, chips: u32) -> bool {
    chips == 0 || unit.hat(heap, chips) >= unit.hat(heap, chips - 1)
}

pub fn remark_15(unit: &UnitaryValues, heap: usize, chips: u32) -> bool {
    chips == 0 || unit.plain(heap, chips) >= unit.plain(heap, chips - 1)
}

pub fn lemma_16(session: &mut Session) -> Result<Finding, Error> {
    every_total(session, |unit, finding| {
        for (heap, chips) in unit.places().filter(|&(heap, _)| heap > 0) {
            let tie = |bid: u32| unit.plain(heap - 1, chips - bid) + 1;
            for bid in 1..=chips.min(unit.total - chips) {
                let at = || format!("{}, bid {bid}", name(unit, heap, chips));
                finding.holds(tie(bid) <= tie(bid - 1), at);
            }
        }
    })
}

pub fn lemma_17(unit: &UnitaryValues, heap: usize, chips: u32) -> bool {
    (0..=2).contains(&(unit.hat(heap, chips) - unit.plain(heap, chips)))
}

pub fn lemma_18(session: &mut Session) -> Result<Finding, Error> {
    every_total(session, |unit, finding| {
        for (heap, chips) in unit.places() {
            for bid in 0..=chips {
                let holds = unit.hat(heap, chips) >= -unit.hat(heap, unit.total - chips + bid);
                finding.holds(holds, || format!("{}, bid {bid}", name(unit, heap, chips)));
            }
        }
    })
}

pub fn lemma_19(unit: &UnitaryValues, heap: usize, chips: u32) -> bool {
    chips == unit.total || unit.hat(heap, chips) <= unit.plain(heap, chips + 1)
}

pub fn lemma_20(unit: &UnitaryValues, heap: usize, chips: u32) -> bool {
    let value = unit.hat(heap, chips);
    if 2 * chips >= unit.total { value >= 0 } else { value <= 0 }
}

pub fn observation_21(unit: &UnitaryValues, heap: usize, chips: u32) -> bool {
    let value = unit.hat(heap, chips);
    heap.is_multiple_of(2) || if 2 * chips >= unit.total { value > 0 } else { value < 0 }
}

pub fn lemma_22(unit: &UnitaryValues, heap: usize, chips: u32) -> bool {
    let half = i64::from(unit.total.div_ceil(2));
    (-half..=half + 1).contains(&unit.hat(heap, chips))
}

pub fn proposition_23(unit: &UnitaryValues, heap: usize, chips: u32) -> bool {
    chips == unit.total || unit.hat(heap, chips) + 2 >= unit.hat(heap, chips + 1)
}

pub fn lemma_24(unit: &UnitaryValues, heap: usize, chips: u32) -> bool {
    let Some(before) = heap.checked_sub(2).map(|before| unit.hat(before, chips)) else { return true };
    let value = unit.hat(heap, chips);
    if 2 * chips >= unit.total { value >= before } else { value <= before }
}
