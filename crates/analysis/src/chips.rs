//! The report of a chip solution: thresholds, and for given holdings the outcome and advice.

use richman_core::{ChipSolution, Forces, Holding, Outcome, Player, Thresholds, Total};
use richman_formats::MechanismJson;
use richman_solvers::chips;
use serde::{Serialize, Serializer};

use crate::advice::{Advice, advise};
use crate::{Error, HoldingJson, Request, ThresholdJson};

/// What a position is worth with a total of chips.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChipsReport {
    /// The game with its parameters.
    pub game: String,
    /// The position in the game's notation.
    pub position: String,
    /// How bids are made, won and paid.
    pub mechanism: MechanismJson,
    /// The number of chips in the game.
    pub total: u32,
    /// What Alice needs to force a win.
    pub win: ThresholdJson,
    /// What Alice needs so that Bob cannot force a win.
    pub draw: ThresholdJson,
    /// Chip thresholds are always exact.
    pub exact: bool,
    /// The number of moves after which a play counts as a draw, if one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truncated: Option<u32>,
    /// The outcome and advice, where holdings were given.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub holdings: Option<HoldingsReport>,
    /// Positions of the game, symmetric ones counted once.
    pub positions: usize,
    /// Why the solver stopped.
    pub stop: String,
}

/// What best play leads to from given holdings, and how to play.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HoldingsReport {
    /// What Alice holds.
    pub alice: HoldingJson,
    /// What Bob holds.
    pub bob: HoldingJson,
    /// Who can force what.
    #[serde(serialize_with = "as_word")]
    pub outcome: Outcome,
    /// The fewest moves in which the winner can force it, null where nobody wins.
    pub within: Option<u32>,
    /// How both players play best.
    pub advice: BothAdvice,
}

/// Advice for both players; null where the game is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BothAdvice {
    /// Alice's.
    pub alice: Option<Advice>,
    /// Bob's.
    pub bob: Option<Advice>,
}

fn as_word<S: Serializer>(outcome: &Outcome, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(outcome)
}

/// Both players' holdings, checked: exactly one star.
///
/// # Errors
/// [`richman_core::Error::StarCount`] with two stars or none, [`richman_core::Error::TotalTooLarge`].
pub fn total_of(alice: Holding, bob: Holding) -> Result<Total, Error> {
    let who = match (alice.has_star(), bob.has_star()) {
        (true, true) => "both players hold",
        (false, false) => "nobody holds",
        _ => return Ok(Total::new(u64::from(alice.chips()) + u64::from(bob.chips()))?),
    };
    Err(richman_core::Error::StarCount { who, alice, bob }.into())
}

/// Thresholds of the start for one total.
///
/// # Errors
/// Those of [`chips::table`].
pub fn report(request: &Request, total: Total) -> Result<ChipsReport, Error> {
    let arena = request.unfolding.arena();
    let rows = chips::table(arena, request.mechanism, total..=total, &request.options)?;
    let thresholds = rows[0];
    let stop = if arena.is_acyclic() { "every position evaluated once" } else { "no value changes" };
    Ok(base(request, total, thresholds, stop.to_string()))
}

/// Everything about the start for one total, and the solution of every position.
///
/// # Errors
/// Those of [`chips::solve`].
pub fn full_report(
    request: &Request,
    total: Total,
    holdings: Option<(Holding, Holding)>,
) -> Result<(ChipsReport, ChipSolution), Error> {
    let unfolding = request.unfolding;
    let start = unfolding.arena().start();
    let solution = chips::solve(unfolding.arena(), request.mechanism, total, &request.options)?;
    let mut report = base(request, total, solution.thresholds(start), solution.stop.to_string());
    report.holdings = holdings.map(|(alice, bob)| {
        let outcome = solution.outcome(start, alice, bob);
        let within = match outcome {
            Outcome::Win(Player::Alice) => solution.rank(Player::Alice, start, alice),
            Outcome::Win(Player::Bob) => solution.rank(Player::Bob, start, bob),
            Outcome::Draw | Outcome::Undetermined => None,
        };
        let advice =
            |player, own, other| advise(unfolding, &solution, start, player, own, other, request.options.within);
        HoldingsReport {
            alice: HoldingJson(alice),
            bob: HoldingJson(bob),
            outcome,
            within,
            advice: BothAdvice { alice: advice(Player::Alice, alice, bob), bob: advice(Player::Bob, bob, alice) },
        }
    });
    Ok((report, solution))
}

fn base(request: &Request, total: Total, thresholds: Thresholds, stop: String) -> ChipsReport {
    ChipsReport {
        game: request.game(),
        position: request.position(),
        mechanism: MechanismJson::from(request.mechanism),
        total: total.chips(),
        win: thresholds.win.into(),
        draw: thresholds.draw.into(),
        exact: true,
        truncated: request.options.within,
        holdings: None,
        positions: request.unfolding.arena().len(),
        stop,
    }
}
