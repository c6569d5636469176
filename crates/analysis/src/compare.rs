//! Compares two games by DP10's partial order: G <= H if f(G, k) <= f(H, k) for every total k.
//!
//! Rules for both games decide the order for every total. Without them the games are compared total
//! by total, which proves only that they are incomparable (two totals with opposite answers), or an
//! order that follows from A <= G <= B [DP10, Example 5.1].

use richman_core::{Difference, Error as CoreError, Instant, MAX_RULE, Player, Rule, Threshold, Total};
use richman_formats::MechanismJson;
use richman_solvers::{chips, rules};
use schemars::JsonSchema;
use serde::Serialize;
use std::ops::RangeInclusive;
use std::time::Duration;

use crate::class::{Class, RuleClasses};
use crate::{Error, Request, ThresholdJson};

/// The last total compared without a rule.
pub const LAST_TOTAL: u32 = 1023;

/// The order of G and H.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum GameOrder {
    /// Alice never needs more in G than in H, and for some total less.
    Less,
    /// She needs the same for every total.
    Equal,
    /// She never needs less in G, and for some total more.
    Greater,
    /// She needs less in G for some total and more for another.
    Incomparable,
}

/// Totals at which G and H differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Witness {
    /// The first total with a holding that wins G but not H.
    pub below: Option<u32>,
    /// The first total with a holding that wins H but not G.
    pub above: Option<u32>,
}

/// Alice's thresholds to win at one total.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct GameThresholds {
    /// In G.
    pub g: ThresholdJson,
    /// In H.
    pub h: ThresholdJson,
}

/// The thresholds at the witnesses.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct WitnessThresholds {
    /// At the total `below`.
    pub below: Option<GameThresholds>,
    /// At the total `above`.
    pub above: Option<GameThresholds>,
}

/// The rule of a threshold: threshold(k + block) = threshold(k) + step for every total k >= from,
/// in chips.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Rule")]
pub struct RuleJson {
    /// The first total of the rule.
    pub from: u32,
    /// The number of totals in a block.
    pub block: u32,
    /// The rise of the threshold over a block.
    pub step: u32,
}

/// One of the two games.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ComparedGame {
    /// The game with its parameters.
    pub game: String,
    /// The position in the game's notation.
    pub position: String,
    /// The shortest wedge expression with the same rule; null if no rule or expression is known.
    pub class: Option<Class>,
    /// The rule of the win threshold; null if none was proved.
    pub rule: Option<RuleJson>,
}

/// The comparison of two games for Alice.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CompareReport {
    /// The order of G and H.
    pub order: GameOrder,
    /// Whether the order holds for every total; if not, it holds up to `totals`.
    pub proved: bool,
    /// The first differences of the games.
    pub witness: Witness,
    /// Alice's thresholds at these totals.
    pub thresholds: WitnessThresholds,
    /// The first game.
    pub g: ComparedGame,
    /// The second game.
    pub h: ComparedGame,
    /// The bidding mechanism.
    pub mechanism: MechanismJson,
    /// The limit of moves, if any; longer plays are draws.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truncated: Option<u32>,
    /// The reason why nothing is proved for every total.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The last total compared, if nothing is proved for every total.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub totals: Option<u32>,
}

/// Compares the starts of two arenas under the mechanism of the first request.
///
/// The searches for the two rules leave time to compare some totals.
///
/// # Errors
/// [`CoreError::Unsupported`]; [`CoreError::TooMuchMemory`] if not even the first totals fit;
/// [`CoreError::Cancelled`].
pub fn report(g: &Request, h: &Request) -> Result<CompareReport, Error> {
    let h = &Request { mechanism: g.mechanism, ..*h };
    let sides = [
        ComparedStart::new(g, g.effort.time_left().map(|left| left / 5 * 2))?,
        ComparedStart::new(h, h.effort.time_left().map(|left| left / 3 * 2))?,
    ];
    let mut reasons: Vec<String> = ["G", "H"]
        .iter()
        .zip(&sides)
        .filter_map(|(name, side)| Some(format!("{name}: {}", side.rule.as_ref().err()?)))
        .collect();
    let mut found = None;
    if let [Ok(g), Ok(h)] = sides.each_ref().map(|side| side.rule.as_ref()) {
        match g.difference(h) {
            Ok(difference) => found = Some(difference),
            Err(error) => reasons.push(error.to_string()),
        }
    }
    let is_rule = |side: &ComparedStart, rule: Rule| side.rule.as_ref() == Ok(&rule);
    let [first, second] = &sides;
    let (difference, proved, last) = match found {
        Some(difference) => (difference, true, 0),
        None => {
            let (difference, last) = total_by_total(&sides)?;
            let never_below = is_rule(first, Rule::unreachable()) || is_rule(second, Rule::nothing());
            let never_above = is_rule(first, Rule::nothing()) || is_rule(second, Rule::unreachable());
            let proved = (never_below || difference.below.is_some()) && (never_above || difference.above.is_some());
            (difference, proved, last)
        }
    };
    let both = |total: Option<u32>| -> Result<Option<GameThresholds>, Error> {
        let Some(total) = total else { return Ok(None) };
        let [g, h] = [first.thresholds(total..=total)?[0], second.thresholds(total..=total)?[0]];
        Ok(Some(GameThresholds { g: g.into(), h: h.into() }))
    };
    let mut classes = RuleClasses::default();
    Ok(CompareReport {
        order: match (difference.below, difference.above) {
            (Some(_), None) => GameOrder::Less,
            (None, None) => GameOrder::Equal,
            (None, Some(_)) => GameOrder::Greater,
            (Some(_), Some(_)) => GameOrder::Incomparable,
        },
        proved,
        witness: Witness { below: difference.below, above: difference.above },
        thresholds: WitnessThresholds { below: both(difference.below)?, above: both(difference.above)? },
        g: first.compared(&mut classes)?,
        h: second.compared(&mut classes)?,
        mechanism: MechanismJson::from(g.mechanism),
        truncated: g.effort.within,
        reason: (!proved).then(|| reasons.join("; ")),
        totals: (!proved).then_some(last),
    })
}

struct ComparedStart<'a> {
    request: &'a Request<'a>,
    rule: Result<Rule, CoreError>,
}

impl<'a> ComparedStart<'a> {
    fn new(request: &'a Request<'a>, time: Option<Duration>) -> Result<ComparedStart<'a>, Error> {
        let options = time.map_or(request.effort, |time| request.effort.at_most(time));
        let arena = request.unfolding.arena();
        let rule = match rules::side(arena, request.mechanism, Player::Alice, &options) {
            Ok(side) => Ok(side.rule(arena.start()).clone()),
            Err(error @ (CoreError::NoRule { .. } | CoreError::OutOfTime { .. } | CoreError::TooMuchMemory { .. })) => {
                Err(error)
            }
            Err(error) => return Err(request.translate(error)),
        };
        Ok(ComparedStart { request, rule })
    }

    fn thresholds(&self, totals: RangeInclusive<u32>) -> Result<Vec<Threshold>, Error> {
        if let Ok(rule) = &self.rule {
            return Ok(totals.map(|total| Threshold::at(rule.at(total) as u32)).collect());
        }
        let [first, last] = [*totals.start(), *totals.end()].map(Total::new);
        let Request { unfolding, mechanism, effort } = self.request;
        let rows = chips::table(unfolding.arena(), mechanism, first?..=last?, effort)?;
        Ok(rows.into_iter().map(|row| row.win).collect())
    }

    fn compared(&self, classes: &mut RuleClasses) -> Result<ComparedGame, Error> {
        let rule = self.rule.as_ref().ok();
        Ok(ComparedGame {
            game: self.request.game(),
            position: self.request.position(),
            class: rule.map(|rule| classes.name(rule)).transpose()?.flatten(),
            rule: rule.map(|rule| RuleJson { from: rule.from(), block: rule.chip_block(), step: rule.chip_step() }),
        })
    }
}

/// The first differences, and the last total compared: [`LAST_TOTAL`] (or the longest block, if
/// both rules are known), or less if memory or time runs out.
fn total_by_total(sides: &[ComparedStart; 2]) -> Result<(Difference, u32), Error> {
    // Enough work for every core, with frequent checks of the time.
    const FIRST: u32 = 64;
    const MOST: u32 = 256;
    const LEAST_TIME: Duration = Duration::from_millis(500);
    let end = if sides.iter().all(|side| side.rule.is_ok()) { MAX_RULE as u32 } else { LAST_TOTAL + 1 };
    let deadline = sides[0].request.effort.deadline.map(|deadline| deadline.max(Instant::now() + LEAST_TIME));
    let is_late = || deadline.is_some_and(|deadline| Instant::now() > deadline);
    let mut found = Difference { below: None, above: None };
    let (mut done, mut next) = (0, FIRST);
    while done < end && !(done > 0 && is_late()) {
        let rows = sides[0].thresholds(done..=next - 1).and_then(|g| Ok((g, sides[1].thresholds(done..=next - 1)?)));
        let (g, h) = match rows {
            Ok(rows) => rows,
            Err(Error::Core(CoreError::TooMuchMemory { .. })) if done > 0 => break,
            Err(error) => return Err(error),
        };
        for (total, (g, h)) in (done..).zip(g.iter().zip(&h)) {
            // If the winner must move, one holding may win only G and another only H.
            if found.below.is_none() && (g.plain < h.plain || g.star < h.star) {
                found.below = Some(total);
            }
            if found.above.is_none() && (g.plain > h.plain || g.star > h.star) {
                found.above = Some(total);
            }
        }
        done = next;
        next = end.min(done + done.min(MOST));
        if found.below.is_some() && found.above.is_some() {
            break;
        }
    }
    Ok((found, done - 1))
}
