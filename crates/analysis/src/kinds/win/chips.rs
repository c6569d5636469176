//! Reports of games with chips: thresholds and, for given holdings, the outcome, advice and a line
//! of play.

mod evaluation;

use std::time::Duration;

use richman_core::{
    Arena, ByPlayer, ChipSolution, Effort, Forces, Holding, Mechanism, Node, Outcome, Player, PurseSide, PurseSolution,
    PurseStage, Purses, Stage, Thresholds, Total,
};
use richman_solvers::{chips, purses};
use schemars::JsonSchema;
use serde::Serialize;

use crate::advice::{Advice, advise};
use crate::holdings::{self, HoldingNeeds};
use crate::json::OutcomeWord;
use crate::trace::{Trace, trace};
use crate::{Error, HoldingJson, HoldingSets, ReportHead, Request, ThresholdJson};

pub use evaluation::of_evaluation;

/// A solution for one total, or for two purses.
pub enum SolvedChips {
    /// A threshold for each total: with Richman payment, where more chips never hurt.
    Total(ChipSolution),
    /// A threshold for each purse of the other player.
    Purses(PurseSolution),
}

richman_core::debug_by_name!(SolvedChips {});

impl SolvedChips {
    /// The solution as a judge of who can force what.
    pub fn forces(&self) -> &dyn Forces {
        match self {
            SolvedChips::Total(solution) => solution,
            SolvedChips::Purses(solution) => solution,
        }
    }

    /// Its size in bytes, roughly.
    pub fn bytes(&self) -> u64 {
        let bytes: usize = match self {
            SolvedChips::Total(solution) => {
                solution.sides().map(|side| 4 * side.len() + size_of::<Stage>() * side.stage_count()).sum()
            }
            SolvedChips::Purses(solution) => {
                let cells = |side: &PurseSide| side.len() * (1 + side.most_other() as usize) * 2;
                solution.sides().map(|side| 4 * cells(side) + size_of::<PurseStage>() * side.stage_count()).sum()
            }
        };
        bytes as u64
    }
}

/// The value of a position for a total of chips.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ChipsReport {
    /// Game, position and mechanism.
    #[serde(flatten)]
    pub head: ReportHead,
    /// The total of chips.
    pub total: u32,
    /// The least holding with which Alice can force a win.
    pub win: ThresholdJson,
    /// The least holding of Alice against which Bob cannot force a win.
    pub draw: ThresholdJson,
    /// Alice's holdings with which neither player can force a win and not both can force a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undetermined: Option<HoldingSets>,
    /// Always true.
    pub exact: bool,
    /// The limit of moves, if any; longer plays are draws.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truncated: Option<u32>,
    /// The outcome and advice for the given holdings, if any.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub holdings: Option<HoldingsReport>,
    /// The number of solved positions. Symmetric ones count once, except in Hex without an arena.
    pub positions: usize,
    /// Why the solver stopped.
    pub stop: String,
}

impl ChipsReport {
    /// An exact report without a move limit or holdings; [`base`] and [`evaluation`] set the rest.
    pub(crate) fn new(
        head: ReportHead,
        total: Total,
        thresholds: [ThresholdJson; 2],
        positions: usize,
        stop: String,
    ) -> Self {
        let ([win, draw], total) = (thresholds, total.chips());
        let (undetermined, truncated, holdings) = (None, None, None);
        ChipsReport { head, total, win, draw, undetermined, exact: true, truncated, holdings, positions, stop }
    }
}

/// The value of a position with payment to the bank.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PursesReport {
    /// Game, position and mechanism.
    #[serde(flatten)]
    pub head: ReportHead,
    /// What Alice needs against Bob's chips to force a win.
    pub win: HoldingNeeds,
    /// What Alice needs against Bob's chips so that he cannot force one.
    pub draw: HoldingNeeds,
    /// Why a number is missing, unless it is proved that no purse suffices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Always true.
    pub exact: bool,
    /// The limit of moves, if any; longer plays are draws.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truncated: Option<u32>,
    /// The outcome and advice.
    #[serde(flatten)]
    pub holdings: HoldingsReport,
    /// The number of solved positions; symmetric ones count once.
    pub positions: usize,
    /// Why the solver stopped.
    pub stop: String,
}

/// The result that a player can guarantee in undetermined play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Assurance {
    /// At least a draw.
    Draw,
    /// Nothing.
    Nothing,
}

/// The result of best play from given holdings.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct HoldingsReport {
    /// Alice's holding.
    pub alice: HoldingJson,
    /// Bob's holding.
    pub bob: HoldingJson,
    /// The outcome that can be forced.
    #[serde(serialize_with = "crate::json::as_word")]
    #[schemars(with = "OutcomeWord")]
    pub outcome: Outcome,
    /// The fewest moves in which the winner can force it; null without a winner.
    pub within: Option<u32>,
    /// The result that each player can guarantee, if the outcome is undetermined.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "richman_formats::by_player::option")]
    #[schemars(schema_with = "richman_formats::by_player::schema::<Assurance>")]
    pub guarantee: Option<ByPlayer<Assurance>>,
    /// How each player should play; null if the game is over, for a player who does not move where
    /// nobody bids, and for who loses a parity game.
    #[serde(serialize_with = "richman_formats::by_player::serialize")]
    #[schemars(schema_with = "richman_formats::by_player::schema::<Option<Advice>>")]
    pub advice: ByPlayer<Option<Advice>>,
    /// A line of best play, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Trace>,
}

/// Both players' holdings, and the wish for a line of play.
#[derive(Debug, Clone, Copy)]
pub struct HoldingsQuery {
    /// Alice's holding.
    pub alice: Holding,
    /// Bob's holding.
    pub bob: Holding,
    /// Whether to report a line of best play.
    pub trace: bool,
}

impl HoldingsQuery {
    /// The chips of both, with exactly one star if the game has one.
    ///
    /// # Errors
    /// [`richman_core::Error::StarCount`] with two stars or none; [`richman_core::Error::NoStar`]
    /// for a star in a game without one; [`richman_core::Error::TotalTooLarge`].
    pub fn total(&self, mechanism: &Mechanism) -> Result<Total, Error> {
        let HoldingsQuery { alice, bob, .. } = *self;
        match (alice.has_star(), bob.has_star()) {
            (false, false) if !mechanism.has_star() => {}
            _ if !mechanism.has_star() => {
                return Err(richman_core::Error::NoStar { ties: mechanism.ties, alice, bob }.into());
            }
            (true, true) => return Err(richman_core::Error::StarCount { who: "both players hold", alice, bob }.into()),
            (false, false) => return Err(richman_core::Error::StarCount { who: "nobody holds", alice, bob }.into()),
            _ => {}
        }
        Ok(Total::new(alice.chips().saturating_add(bob.chips()))?)
    }
}

/// The start's thresholds for one total.
///
/// # Errors
/// `Unsupported`, `TotalTooLarge`, `TooMuchMemory` or `Cancelled`.
pub fn report(request: &Request, total: Total) -> Result<ChipsReport, Error> {
    let arena = request.unfolding.arena();
    if !(request.mechanism.is_ordered_by_chips() && request.mechanism.is_determined()) {
        return Ok(full_report(request, total, None)?.0); // only that shows which holdings are undetermined
    }
    let rows = chips::table(arena, request.mechanism, total..=total, &request.effort)?;
    let Thresholds { win, draw } = rows[0];
    let stop = if arena.is_acyclic() { "every position evaluated once" } else { "no value changes" };
    Ok(base(request, total, [win.into(), draw.into()], stop.to_string()))
}

/// Solves for one total with any mechanism.
///
/// # Errors
/// `Unsupported`, `TotalTooLarge`, `TooMuchMemory` or `Cancelled`; `TooManyPositions` for too many
/// stages.
pub fn solve(arena: &Arena, mechanism: &Mechanism, total: Total, effort: &Effort) -> Result<SolvedChips, Error> {
    if mechanism.has_bank() || mechanism.is_ordered_by_chips() {
        return Ok(SolvedChips::Total(chips::solve(arena, mechanism, total, effort)?));
    }
    Ok(SolvedChips::Purses(purses::solve(arena, mechanism, Purses::Exactly(total.chips()), effort)?))
}

/// The full report on the start for one total, with the solution of every position.
///
/// # Errors
/// Fails as [`solve`] does.
pub fn full_report(
    request: &Request,
    total: Total,
    hands: Option<HoldingsQuery>,
) -> Result<(ChipsReport, SolvedChips), Error> {
    let solved = solve(request.unfolding.arena(), request.mechanism, total, &request.effort)?;
    Ok((solved_report(request, &solved, total, hands)?, solved))
}

/// The full report on the start from a solution.
///
/// # Errors
/// Fails if [`trace`] cannot read the game's notation.
pub(crate) fn solved_report(
    request: &Request,
    solved: &SolvedChips,
    total: Total,
    hands: Option<HoldingsQuery>,
) -> Result<ChipsReport, Error> {
    let (forces, start) = (solved.forces(), request.unfolding.arena().start());
    let stop = match solved {
        SolvedChips::Total(solution) => solution.stop,
        SolvedChips::Purses(solution) => solution.stop,
    };
    let undetermined = (!request.mechanism.is_determined())
        .then(|| {
            HoldingSets::new(total.chips(), request.mechanism.has_star(), |chips, star| {
                outcome(request, forces, total, chips, star, start) == Outcome::Undetermined
            })
        })
        .filter(|sets| !sets.is_empty());
    let thresholds = thresholds(request, solved, total, start);
    let holdings = hands.map(|hands| with_hands(request, forces, hands)).transpose()?;
    Ok(ChipsReport { undetermined, holdings, ..base(request, total, thresholds, stop.to_string()) })
}

/// The outcome at a position for these chips of Alice, with or without the star.
fn outcome(request: &Request, forces: &dyn Forces, total: Total, chips: u32, star: bool, node: Node) -> Outcome {
    let has_star = request.mechanism.has_star();
    let holding = |chips: u32, star: bool| Holding::from_half_steps(2 * chips + u32::from(has_star && star));
    forces.outcome(node, holding(chips, star), holding(total.chips() - chips, !star))
}

pub(crate) fn thresholds(request: &Request, solved: &SolvedChips, total: Total, node: Node) -> [ThresholdJson; 2] {
    match solved {
        SolvedChips::Total(solution) => {
            let Thresholds { win, draw } = solution.thresholds(node);
            [win.into(), draw.into()]
        }
        SolvedChips::Purses(_) => {
            let of = |player: Player, wanted: bool| {
                let wins = |chips, star| {
                    (outcome(request, solved.forces(), total, chips, star, node) == Outcome::Win(player)) == wanted
                };
                let has_star = request.mechanism.has_star();
                ThresholdJson::of_sets(total.chips(), HoldingSets::new(total.chips(), has_star, wins))
            };
            [of(Player::Alice, true), of(Player::Bob, false)]
        }
    }
}

/// The start's thresholds for a total, for a table.
///
/// # Errors
/// Fails as [`solve`] does.
pub(crate) fn unordered(request: &Request, total: Total) -> Result<[ThresholdJson; 2], Error> {
    let solved = solve(request.unfolding.arena(), request.mechanism, total, &request.effort)?;
    Ok(thresholds(request, &solved, total, request.unfolding.arena().start()))
}

/// The full report on the start for given holdings where the bank is paid, with the solution of
/// every position.
///
/// # Errors
/// Fails if the holdings do not suit the mechanism; `Unsupported`, `TooMuchMemory` or `Cancelled`.
pub fn purses_report(request: &Request, hands: HoldingsQuery) -> Result<(PursesReport, PurseSolution), Error> {
    let total = hands.total(request.mechanism)?;
    let purses = request.mechanism.purses(ByPlayer::new(hands.alice.chips(), hands.bob.chips()), total.chips());
    let solution = purses::solve(request.unfolding.arena(), request.mechanism, purses, &request.effort)?;
    let bob = Total::new(hands.bob.chips())?;
    // The result for the given purses is known by now; the search for others is long if none
    // suffices.
    const OTHER_PURSES: Duration = Duration::from_secs(2);
    let quick = Request { effort: request.effort.at_most(OTHER_PURSES), ..*request };
    let table = holdings::report(&quick, Player::Bob, bob..=bob)?;
    let report = PursesReport {
        head: request.head(),
        win: table.rows[0].win,
        draw: table.rows[0].draw,
        reason: table.reason,
        exact: true,
        truncated: request.effort.within,
        holdings: with_hands(request, &solution, hands)?,
        positions: request.unfolding.arena().len(),
        stop: solution.stop.to_string(),
    };
    Ok((report, solution))
}

/// The outcome for given holdings at a position, and the moves to a win.
pub(crate) fn outcome_of(forces: &dyn Forces, node: Node, hands: HoldingsQuery) -> (Outcome, Option<u32>) {
    let HoldingsQuery { alice, bob, .. } = hands;
    let outcome = forces.outcome(node, alice, bob);
    let within = match outcome {
        Outcome::Win(Player::Alice) => forces.wins_in(Player::Alice, node, alice, bob),
        Outcome::Win(Player::Bob) => forces.wins_in(Player::Bob, node, bob, alice),
        Outcome::Draw | Outcome::Undetermined => None,
    };
    (outcome, within)
}

fn with_hands(request: &Request, forces: &dyn Forces, hands: HoldingsQuery) -> Result<HoldingsReport, Error> {
    let HoldingsQuery { alice, bob, .. } = hands;
    let start = request.unfolding.arena().start();
    let (outcome, within) = outcome_of(forces, start, hands);
    let sure =
        |player, own, other| if forces.holds(player, start, own, other) { Assurance::Draw } else { Assurance::Nothing };
    let guarantee = (outcome == Outcome::Undetermined)
        .then(|| ByPlayer { alice: sure(Player::Alice, alice, bob), bob: sure(Player::Bob, bob, alice) });
    let position = request.position();
    let advice =
        |player, own, other| advise(request.unfolding, forces, &position, player, own, other, request.effort.within);
    Ok(HoldingsReport {
        alice: HoldingJson(alice),
        bob: HoldingJson(bob),
        outcome,
        within,
        guarantee,
        advice: ByPlayer { alice: advice(Player::Alice, alice, bob)?, bob: advice(Player::Bob, bob, alice)? },
        trace: if hands.trace { Some(trace(request, forces, alice, bob)?) } else { None },
    })
}

fn base(request: &Request, total: Total, thresholds: [ThresholdJson; 2], stop: String) -> ChipsReport {
    let positions = request.unfolding.arena().len();
    let report = ChipsReport::new(request.head(), total, thresholds, positions, stop);
    ChipsReport { truncated: request.effort.within, ..report }
}
