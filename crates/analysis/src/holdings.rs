//! The other two tables of [DP10, 3.6]: the needs of one player against each holding of the other.

mod search;

use std::ops::RangeInclusive;

use richman_core::{Player, Rule, Total};
use richman_solvers::{registry, rules};
use schemars::JsonSchema;
use serde::Serialize;

use crate::{Error, ReportHead, Request};

/// The other player's needs without and with the star; null if no number of chips suffices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HoldingNeeds {
    /// The least chips without the star, when the fixed player holds it.
    pub plain: Option<u64>,
    /// The least chips with the star, when the fixed player does not hold it.
    pub star: Option<u64>,
}

/// The row for one number of the fixed player's chips.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HoldingsRow {
    /// Bob's chips, if his are fixed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bob: Option<u32>,
    /// Alice's chips, if hers are fixed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alice: Option<u32>,
    /// With Bob's chips fixed: Alice's needs to force a win. With Alice's fixed: Bob's needs to
    /// prevent her win.
    pub win: HoldingNeeds,
    /// With Bob's chips fixed: Alice's needs to prevent his win. With Alice's fixed: Bob's needs to
    /// force a win.
    pub draw: HoldingNeeds,
}

/// A table of one player's needs against the other's chips.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct HoldingsTable {
    /// Game, position and mechanism.
    #[serde(flatten)]
    pub head: ReportHead,
    /// The limit of moves, if any; longer plays are draws.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truncated: Option<u32>,
    /// A row for each number of chips, ascending.
    pub rows: Vec<HoldingsRow>,
    /// The reason why a number is missing, unless no number of chips provably suffices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The table for `chips` of player `fixed`.
///
/// # Errors
/// `Unsupported`, `NoRule`, `TotalTooLarge`, `TooMuchMemory`, `OutOfTime` or `Cancelled`.
pub fn report(request: &Request, fixed: Player, chips: RangeInclusive<Total>) -> Result<HoldingsTable, Error> {
    let count = u64::from(chips.end().chips()) + 1 - u64::from(chips.start().chips());
    const PER_ROW: u64 = 2 * size_of::<HoldingsRow>() as u64 + 100; // the row, and its text
    request.effort.check_memory("the table", count.saturating_mul(PER_ROW))?;
    if !request.mechanism.has_bank() {
        registry::chips(request.mechanism)?;
    }
    let (rows, reason) = match registry::rules(request.mechanism) {
        Ok(()) => (by_rules(request, fixed, chips)?, None),
        Err(_) => search::rows(request, fixed, chips)?,
    };
    Ok(HoldingsTable { head: request.head(), truncated: request.effort.within, rows, reason })
}

fn row(fixed: Player, chips: u32, win: HoldingNeeds, draw: HoldingNeeds) -> HoldingsRow {
    let (alice, bob) = fixed.either((Some(chips), None), (None, Some(chips)));
    HoldingsRow { bob, alice, win, draw }
}

fn by_rules(request: &Request, fixed: Player, chips: RangeInclusive<Total>) -> Result<Vec<HoldingsRow>, Error> {
    let start = request.unfolding.arena().start();
    let side = |player| rules::side(request.unfolding.arena(), request.mechanism, player, &request.effort);
    let win = side(Player::Alice)?.rule(start).clone();
    let draw = side(Player::Bob)?.rule(start).opposite();
    let needs = |rule: &Rule, chips: u32| match fixed {
        Player::Bob => needs(rule, chips),
        // Bob prevents Alice's goal exactly if he reaches the opposite threshold.
        Player::Alice => needs(&rule.opposite(), chips),
    };
    let mut rows = Vec::new();
    for chips in chips.start().chips()..=chips.end().chips() {
        const BETWEEN_CHECKS: u32 = 1 << 12;
        if chips.is_multiple_of(BETWEEN_CHECKS) && request.effort.watch.cancelled() {
            return Err(richman_core::Error::Cancelled.into());
        }
        rows.push(row(fixed, chips, needs(&win, chips), needs(&draw, chips)));
    }
    Ok(rows)
}

/// The needs of the player whose threshold follows `rule`, against `other` chips.
fn needs(rule: &Rule, other: u32) -> HoldingNeeds {
    HoldingNeeds { plain: least(rule, other, 0), star: least(rule, other, 1) }
}

/// The least chips that meet the threshold of the resulting total. More never hurt against a fixed
/// number of the other's.
fn least(rule: &Rule, other: u32, star: u64) -> Option<u64> {
    let suffices = |chips: u64| 2 * chips + star >= rule.at_any(chips + u64::from(other));
    let mut high = if rule.step() == 2 * rule.block() {
        // If the threshold rises as fast as the total, the distance is the same one block later.
        Some(u64::from(rule.from()) + u64::from(rule.block())).filter(|&end| suffices(end))?
    } else {
        let mut high = 1;
        while !suffices(high) {
            high *= 2; // it rises more slowly than the total, so this ends
        }
        high
    };
    let mut low = 0;
    while low < high {
        let middle = low + (high - low) / 2;
        if suffices(middle) { high = middle } else { low = middle + 1 }
    }
    Some(low)
}
