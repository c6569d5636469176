//! Proves a saved solution from the rules of its game.

use richman_check::verify::Flaw;
use richman_core::{Effort, Mechanism, Objective, ParityGraph, Unfolding};
use richman_formats::SavedGame;
use richman_games::Games;
use schemars::JsonSchema;
use serde::Serialize;

use super::{ProvedClaim, SavedSolution};
use crate::kinds::{Held, ProvableClaim};
use crate::{Error, Subject};

/// The verdict on a saved solution.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct VerifyReport {
    /// Whether all its claims hold.
    pub valid: bool,
    /// The game.
    pub game: String,
    /// The position.
    pub position: String,
    /// Positions; symmetric ones count once.
    pub positions: usize,
    /// What was proved; `None` for a wrong solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proved: Option<ProvedClaim>,
    /// The first wrong claim.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wrong: Option<String>,
}

/// Checks a saved solution against the rules of its game, without solving.
///
/// # Errors
/// [`Error::MissingGame`] for a game that is not among `games`. Fails for a position that is not of
/// the game, a mechanism that is not served, or above a limit. A readable but wrong solution is no
/// error: the report says where it is wrong.
pub fn verify(games: &Games, saved: SavedSolution, effort: &Effort) -> Result<VerifyReport, Error> {
    let SavedSolution { game, position, mechanism, claim } = saved;
    claim.verify(SavedPosition { games, game, position }, &mechanism, effort)
}

/// [`verify()`], and the plans of a parity game with chips as a parity game without bids, in which
/// every position is won by the player who does not move there; `None` if the solution is wrong.
///
/// # Errors
/// The errors of [`verify()`]; [`Error::NoPlans`] for other solutions.
pub fn game_of_plans(
    games: &Games,
    saved: SavedSolution,
    effort: &Effort,
) -> Result<(VerifyReport, Option<ParityGraph>), Error> {
    let SavedSolution { game, position, mechanism, claim } = saved;
    claim.verify_plans(SavedPosition { games, game, position }, &mechanism, effort)
}

/// Proves a claim.
pub(crate) fn verified<C: ProvableClaim>(
    claim: C,
    of: SavedPosition,
    mechanism: &Mechanism,
    effort: &Effort,
) -> Result<VerifyReport, Error> {
    let about = ClaimedSize::of(&claim, mechanism)?;
    let claim = C::Compact::from(claim);
    let held = claim.held();
    of.unfolded::<C, ()>(about, held, effort, |unfolding, effort| C::prove(claim, unfolding, mechanism, effort))
        .map(|(report, _)| report)
}

/// Proves a claim; its plans as a game.
pub(crate) fn verified_plans<C: ProvableClaim>(
    claim: C,
    of: SavedPosition,
    mechanism: &Mechanism,
    effort: &Effort,
) -> Result<(VerifyReport, Option<ParityGraph>), Error> {
    let (about, held) = (ClaimedSize::of(&claim, mechanism)?, claim.bytes());
    of.unfolded::<C, _>(about, held, effort, |unfolding, effort| claim.game_of_plans(unfolding, mechanism, effort))
}

/// How large a claim is, and what it proves.
struct ClaimedSize {
    positions: usize,
    proved: ProvedClaim,
}

impl ClaimedSize {
    fn of<C: ProvableClaim>(claim: &C, mechanism: &Mechanism) -> Result<ClaimedSize, Error> {
        claim.serves(mechanism)?;
        let (positions, mut proved) = (claim.positions(), ProvedClaim::nothing(C::KEY, mechanism));
        proved.exact_positions = claim.describe(&mut proved);
        proved.exact = proved.exact_positions == positions;
        Ok(ClaimedSize { positions, proved })
    }
}

/// What a saved solution is about.
pub(crate) struct SavedPosition<'a> {
    games: &'a Games,
    game: SavedGame,
    position: String,
}

impl SavedPosition<'_> {
    /// Unfolds the game from its rules, and proves the claim with `prove`.
    fn unfolded<C: ProvableClaim, T>(
        self,
        ClaimedSize { positions: claimed, proved }: ClaimedSize,
        held: u64,
        effort: &Effort,
        prove: impl FnOnce(&dyn Unfolding<C::Objective>, &Effort) -> Result<T, SavingFault>,
    ) -> Result<(VerifyReport, Option<T>), Error> {
        /// A claim of few positions must not unfold a huge game; the spare lets missing positions
        /// be named.
        const SPARE: u64 = 1000;
        let SavedPosition { games, game, position } = self;
        let subject = match game {
            SavedGame::Named(name) => Subject::recorded(games, &name)?,
            SavedGame::File(graph) => graph.into(),
        };
        let positions = effort.positions.min(2 * claimed as u64 + SPARE);
        let effort = Effort { positions, held: effort.held + held, ..*effort };
        let game = subject.name();
        let unfolding = match subject.unfold_for::<C::Objective>(Some(&position), &effort) {
            Err(Error::Core(richman_core::Error::TooManyPositions { limit })) if limit == effort.positions => {
                let wrong = Some(format!("the solution has {claimed} positions, the game has more"));
                let report = VerifyReport { valid: false, game, position, positions: claimed, proved: None, wrong };
                return Ok((report, None));
            }
            unfolding => unfolding?,
        };
        let (made, wrong) = match prove(unfolding.as_ref(), &effort) {
            Ok(made) => (Some(made), None),
            Err(SavingFault::Claim(what)) => (None, Some(what)),
            Err(fault) => return Err(fault.unproved()),
        };
        let (valid, positions) = (wrong.is_none(), unfolding.arena().len());
        let proved = valid.then_some(proved);
        Ok((VerifyReport { valid, game, position, positions, proved, wrong }, made))
    }
}

pub(crate) enum SavingFault {
    Claim(String),
    Stopped,
    TooLong(&'static str),
    TooMuchMemory(richman_core::Error),
    NoPlans,
}

impl SavingFault {
    /// Why nothing was proved.
    pub(crate) fn unproved(self) -> Error {
        match self {
            SavingFault::Claim(what) => Error::Unproved { what },
            SavingFault::Stopped => richman_core::Error::Cancelled.into(),
            SavingFault::TooMuchMemory(error) => error.into(),
            SavingFault::NoPlans => Error::NoPlans,
            SavingFault::TooLong(reason) => richman_core::Error::NoRule { reason: reason.to_string() }.into(),
        }
    }
}

/// Puts values with position names in the order of nodes, each position exactly once.
pub(crate) fn by_node<T, L: Objective>(
    unfolding: &dyn Unfolding<L>,
    values: impl Iterator<Item = (String, T)>,
) -> Result<Vec<T>, SavingFault> {
    let mut slots: Vec<Option<T>> = unfolding.arena().nodes().map(|_| None).collect();
    for (position, value) in values {
        let node = unfolding.node(&position).map_err(|error| SavingFault::Claim(error.to_string()))?;
        if slots[node as usize].replace(value).is_some() {
            return Err(SavingFault::Claim(format!(
                "position {position:?} is given twice, or with a position symmetric to it"
            )));
        }
    }
    let missing = |node| SavingFault::Claim(format!("position {:?} is missing", unfolding.notation(node)));
    // Slots come first, so that the list reuses their memory.
    slots.into_iter().zip(0..).map(|(slot, node)| slot.ok_or_else(|| missing(node))).collect()
}

pub(crate) fn named<L: Objective>(unfolding: &dyn Unfolding<L>, flaw: Flaw) -> SavingFault {
    match flaw {
        Flaw::At { node, what } => SavingFault::Claim(format!("position {:?}: {what}", unfolding.notation(node))),
        Flaw::Stopped => SavingFault::Stopped,
        Flaw::TooLong(reason) => SavingFault::TooLong(reason),
        other => SavingFault::Claim(other.to_string()),
    }
}

pub(crate) fn same<T: PartialEq + std::fmt::Display>(what: &str, claimed: &T, of_start: &T) -> Result<(), SavingFault> {
    if claimed == of_start {
        return Ok(());
    }
    Err(SavingFault::Claim(format!(
        "the {what} threshold is said to be {claimed}, but {of_start} at the start's own entry"
    )))
}
