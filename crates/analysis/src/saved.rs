//! Saves a solution with the names of its positions, and proves a saved one again from the rules of
//! its game.

use std::io;
use std::ops::RangeInclusive;

use richman_core::{
    ChipSide, ChipSolution, Effort, MoneySolution, Node, Objective, PurseCell, PurseSide, PurseSolution, RuleSolution,
    Total, Unfolding,
};
use richman_formats::SavedGame;
use richman_formats::saved::HeldClaim;

use crate::chips::SolvedChips;
use crate::kinds::win::claims::{
    CellStage, ChipClaim, ChipClaims, ChipValue, MoneyClaim, MoneyValue, PurseClaim, PurseClaims, PurseValue,
    RuleValue, RulesClaim,
};
use crate::{Error, Question, Request, Subject, ask};

mod bounds;
mod summary;
mod verify;

pub use crate::kinds::SolutionClaim;
pub use crate::kinds::mean_payoff::claims as mean_payoff;
pub use crate::kinds::parity::claims as parity;
pub use crate::kinds::win::claims as win;
pub use bounds::verify_bounds;
pub use summary::ProvedClaim;
pub(crate) use verify::{SavedPosition, SavingFault, by_node, named, same, verified, verified_plans};
pub use verify::{VerifyReport, game_of_plans, verify};

/// A saved solution of any kind.
pub type SavedSolution = richman_formats::SolutionFile<SolutionClaim>;

/// The saved solution in the bytes of a file called `source`.
///
/// # Errors
/// [`Error::Format`], with the position and the reason, also above a limit of `effort`.
pub fn read_saved(source: &str, bytes: &[u8], effort: &Effort) -> Result<SavedSolution, Error> {
    Ok(richman_formats::read_within(source, bytes, effort)?)
}

/// Solves every position and writes the solution, which [`verify()`] proves.
///
/// # Errors
/// [`Error::NotEveryPosition`] if an engine answered without the other positions; the errors of
/// [`ask`]; [`richman_core::Error::Storage`] if `out` fails.
pub fn save(subject: &Subject, question: &Question, out: &mut dyn io::Write, effort: &Effort) -> Result<(), Error> {
    let answer = ask(subject, &Question { all: true, ..question.clone() }, effort)?;
    let saving = answer.saving(subject, effort)?.ok_or(Error::NotEveryPosition)?;
    let failed = |error| richman_core::Error::Storage { what: format!("the solution cannot be written: {error}") };
    Ok(saving.write(out).map_err(failed)?)
}

/// A real-money solution with position names.
///
/// # Errors
/// [`richman_core::Error::TooMuchMemory`].
pub fn money(subject: &Subject, request: &Request, solution: &MoneySolution) -> Result<SavedSolution, Error> {
    check_memory(request, 1, 0)?;
    let (saved, mut claim) = money_head(subject, request, solution)?;
    claim.positions.extend(money_values(request, solution));
    Ok(SavedSolution { claim: claim.into(), ..saved })
}

/// The same and its claim, without the values of [`money_values`], which [`MoneyClaim::write_with`]
/// takes one by one.
///
/// # Errors
/// [`richman_core::Error::TooMuchMemory`], if the game comes from a file and is saved too.
pub fn money_head(
    subject: &Subject,
    request: &Request,
    solution: &MoneySolution,
) -> Result<(SavedSolution, MoneyClaim), Error> {
    if subject.is_file() {
        check_memory(request, 1, 0)?;
    }
    let start = request.unfolding.arena().start();
    let claim = MoneyClaim { win: solution.win.get(start), draw: solution.draw.get(start), positions: Vec::new() };
    Ok((with_game(subject, request, claim.clone()), claim))
}

/// The name and thresholds of every position.
pub fn money_values(request: &Request, solution: &MoneySolution) -> impl Iterator<Item = MoneyValue> {
    let unfolding = request.unfolding;
    unfolding.arena().nodes().map(move |node| MoneyValue {
        position: unfolding.notation(node),
        win: solution.win.get(node),
        draw: solution.draw.get(node),
    })
}

/// Chip solutions with position names, one for each total.
///
/// # Errors
/// [`richman_core::Error::TooMuchMemory`]; [`richman_core::Error::Cancelled`].
pub fn chips(subject: &Subject, request: &Request, solutions: &[ChipSolution]) -> Result<SavedSolution, Error> {
    let unfolding = request.unfolding;
    check_memory(request, solutions.len(), solutions.iter().map(stages).sum())?;
    let start = unfolding.arena().start();
    let claim = |solution: &ChipSolution| {
        let value = |node| ChipValue {
            position: unfolding.notation(node),
            wins: solution.wins.as_ref().map(|side| side.stages(node).to_vec()),
            guards: solution.guards.as_ref().map(|guards| guards.as_ref().map(|side| side.stages(node).to_vec())),
        };
        let thresholds = solution.thresholds(start);
        let positions = at_every_position(unfolding, &request.effort, value)?;
        Ok(ChipClaim { total: solution.total, win: thresholds.win, draw: thresholds.draw, positions })
    };
    let totals = solutions.iter().map(claim).collect::<Result<_, Error>>()?;
    Ok(with_game(subject, request, ChipClaims { totals }))
}

/// Solutions for ranges of purses with position names, no range twice.
///
/// # Errors
/// [`richman_core::Error::TooMuchMemory`]; [`richman_core::Error::Cancelled`].
pub fn purses(subject: &Subject, request: &Request, solutions: &[PurseSolution]) -> Result<SavedSolution, Error> {
    let unfolding = request.unfolding;
    let held = solutions.iter().flat_map(PurseSolution::sides).map(PurseSide::stage_count).sum();
    check_memory(request, solutions.len(), held)?;
    let stages = |side: &PurseSide, node| {
        let of_cell = |cell: PurseCell| {
            let PurseCell { star, other, .. } = cell;
            side.stages(cell).iter().map(move |&stage| CellStage { star, other, stage })
        };
        side.cells(node).flat_map(of_cell).collect::<Vec<_>>()
    };
    let claim = |solution: &PurseSolution| {
        let value = |node| PurseValue {
            position: unfolding.notation(node),
            wins: solution.wins.as_ref().map(|side| stages(side, node)),
            guards: solution.guards.as_ref().map(|guards| guards.as_ref().map(|side| stages(side, node))),
        };
        Ok(PurseClaim { purses: solution.purses, positions: at_every_position(unfolding, &request.effort, value)? })
    };
    let ranges = solutions.iter().map(claim).collect::<Result<_, Error>>()?;
    Ok(with_game(subject, request, PurseClaims { ranges }))
}

/// Rules for all totals with position names: the certificate of a period.
///
/// # Errors
/// [`richman_core::Error::TooMuchMemory`]; [`richman_core::Error::Cancelled`].
pub fn rules(subject: &Subject, request: &Request, solution: RuleSolution) -> Result<SavedSolution, Error> {
    let unfolding = request.unfolding;
    check_memory(request, 1, 0)?;
    let start = unfolding.arena().start();
    let value = |node| RuleValue {
        position: unfolding.notation(node),
        alice: solution.wins.alice.of[node as usize],
        bob: solution.wins.bob.of[node as usize],
    };
    let positions = at_every_position(unfolding, &request.effort, value)?;
    let (win, draw) = ((&solution.win(start)).into(), (&solution.draw(start)).into());
    let (alice, bob) = (solution.wins.alice.rules, solution.wins.bob.rules);
    Ok(with_game(subject, request, RulesClaim { win, draw, alice, bob, positions }))
}

/// Solves every total of `totals` and adds names.
///
/// # Errors
/// Fails as [`crate::chips::solve`] does; [`richman_core::Error::TooMuchMemory`] as soon as the
/// solutions no longer fit.
pub fn totals(subject: &Subject, request: &Request, totals: RangeInclusive<Total>) -> Result<SavedSolution, Error> {
    let (mut ordered, mut purse_by_purse) = (Vec::new(), Vec::new());
    let mut held = 0;
    for chips in totals.start().chips()..=totals.end().chips() {
        let total = Total::new(chips)?;
        match crate::chips::solve(request.unfolding.arena(), request.mechanism, total, &request.effort)? {
            SolvedChips::Total(solution) => {
                held += stages(&solution);
                ordered.push(solution);
            }
            SolvedChips::Purses(solution) => {
                held += solution.wins.alice.stage_count() + solution.wins.bob.stage_count();
                purse_by_purse.push(solution);
            }
        }
        check_memory(request, ordered.len() + purse_by_purse.len(), held)?;
    }
    if purse_by_purse.is_empty() {
        chips(subject, request, &ordered)
    } else {
        purses(subject, request, &purse_by_purse)
    }
}

/// A solution of either kind, with names.
///
/// # Errors
/// [`richman_core::Error::TooMuchMemory`]; [`richman_core::Error::Cancelled`].
pub fn solved(subject: &Subject, request: &Request, solution: SolvedChips) -> Result<SavedSolution, Error> {
    match solution {
        SolvedChips::Total(solution) => chips(subject, request, &[solution]),
        SolvedChips::Purses(solution) => purses(subject, request, &[solution]),
    }
}

/// The claims at all positions, within the memory that `effort` leaves next to the game. There may
/// be millions: Ctrl-C ends the work.
///
/// # Errors
/// [`richman_core::Error::TooMuchMemory`]; [`richman_core::Error::Cancelled`].
pub(crate) fn at_every_position<L: Objective, C: HeldClaim>(
    unfolding: &dyn Unfolding<L>,
    effort: &Effort,
    claim: impl Fn(Node) -> C,
) -> Result<Vec<C>, Error> {
    const OFTEN: Node = 1 << 12;
    /// The solution holds as much as the claims.
    const COPIES: u64 = 2;
    let positions = unfolding.arena().len();
    // Some callers count the game already.
    let effort = Effort { held: effort.held.max(unfolding.bytes()), ..*effort };
    let (mut claims, mut held) = (Vec::with_capacity(positions), 0);
    for node in unfolding.arena().nodes() {
        if node.is_multiple_of(OFTEN) {
            effort.check_cancelled()?;
            effort.check_memory("the saved solution", held)?;
        }
        let one = claim(node);
        held += COPIES * one.bytes();
        claims.push(one);
    }
    Ok(claims)
}

fn stages(solution: &ChipSolution) -> usize {
    solution.sides().map(ChipSide::stage_count).sum()
}

/// A saved solution repeats the name and the values of every position for every total.
fn check_memory(request: &Request, totals: usize, stages: usize) -> Result<(), Error> {
    const PER_POSITION: u64 = 200;
    const PER_STAGE: u64 = 2 * size_of::<CellStage>() as u64;
    let name = request.position().len() as u64;
    let positions = request.unfolding.arena().len() as u64 * totals as u64;
    let needed = positions * (PER_POSITION + name) + stages as u64 * PER_STAGE;
    Ok(request.effort.check_memory("the saved solution", needed)?)
}

pub(crate) fn with_game<L: Objective>(
    subject: &Subject,
    request: &Request<L>,
    claim: impl Into<SolutionClaim>,
) -> SavedSolution {
    SavedSolution {
        game: subject.file().unwrap_or_else(|| SavedGame::Named(subject.name())),
        position: request.position(),
        mechanism: request.mechanism.clone(),
        claim: claim.into(),
    }
}
