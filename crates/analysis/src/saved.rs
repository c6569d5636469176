//! Saving a solution with the names of its positions, and proving a saved one again from the rules of its game.

use std::ops::RangeInclusive;

use richman_check::verify::{self, Flaw};
use richman_core::{
    ChipSolution, Limits, Mechanism, MoneySolution, RuleSide, RuleSolution, ShareBounds, Side, Total, Unfolding, Watch,
};
use richman_formats::{
    ChipClaim, ChipValue, Claim, MoneyValue, PeriodClaim, RuleValue, RulesClaim, SavedGame, SavedSolution,
};
use serde::Serialize;

use crate::{Error, Request, Subject};

/// A real-money solution with names.
///
/// # Errors
/// [`richman_core::Error::TooMuchMemory`].
pub fn money(subject: &Subject, request: &Request, solution: &MoneySolution) -> Result<SavedSolution, Error> {
    let unfolding = request.unfolding;
    check_memory(request, 1, 0)?;
    let start = unfolding.arena().start();
    let value = |node| MoneyValue {
        position: unfolding.notation(node),
        win: solution.win.get(node),
        draw: solution.draw.get(node),
    };
    let positions = unfolding.arena().nodes().map(value).collect();
    let claim = Claim::Money { win: solution.win.get(start), draw: solution.draw.get(start), positions };
    Ok(with_game(subject, request, claim))
}

/// Chip solutions with names, one for each total.
///
/// # Errors
/// [`richman_core::Error::TooMuchMemory`].
pub fn chips(subject: &Subject, request: &Request, solutions: &[ChipSolution]) -> Result<SavedSolution, Error> {
    let unfolding = request.unfolding;
    check_memory(request, solutions.len(), solutions.iter().map(stages).sum())?;
    let start = unfolding.arena().start();
    let claim = |solution: &ChipSolution| {
        let value = |node| ChipValue {
            position: unfolding.notation(node),
            alice: solution.alice.stages(node).to_vec(),
            bob: solution.bob.stages(node).to_vec(),
        };
        let thresholds = solution.thresholds(start);
        ChipClaim {
            total: solution.total,
            win: thresholds.win,
            draw: thresholds.draw,
            positions: unfolding.arena().nodes().map(value).collect(),
        }
    };
    Ok(with_game(subject, request, Claim::Chips { totals: solutions.iter().map(claim).collect() }))
}

/// Rules for all totals with names: the certificate of a period.
///
/// # Errors
/// [`richman_core::Error::TooMuchMemory`].
pub fn rules(subject: &Subject, request: &Request, solution: RuleSolution) -> Result<SavedSolution, Error> {
    let unfolding = request.unfolding;
    check_memory(request, 1, 0)?;
    let start = unfolding.arena().start();
    let value = |node| RuleValue {
        position: unfolding.notation(node),
        alice: solution.alice.of[node as usize],
        bob: solution.bob.of[node as usize],
    };
    let positions = unfolding.arena().nodes().map(value).collect();
    let (win, draw) = ((&solution.win(start)).into(), (&solution.draw(start)).into());
    let (alice, bob) = (solution.alice.rules, solution.bob.rules);
    Ok(with_game(subject, request, Claim::Rules(RulesClaim { win, draw, alice, bob, positions })))
}

/// The solutions of every total of `totals`, to be saved together.
///
/// # Errors
/// Those of [`richman_solvers::chips::solve`]; [`richman_core::Error::TooMuchMemory`] as soon as they no longer fit.
pub fn solve_all(request: &Request, totals: RangeInclusive<Total>) -> Result<Vec<ChipSolution>, Error> {
    let mut solutions = Vec::new();
    let mut held = 0;
    for chips in totals.start().chips()..=totals.end().chips() {
        let total = Total::new(u64::from(chips))?;
        let arena = request.unfolding.arena();
        let solution = richman_solvers::chips::solve(arena, request.mechanism, total, &request.options)?;
        held += stages(&solution);
        solutions.push(solution);
        check_memory(request, solutions.len(), held)?;
    }
    Ok(solutions)
}

fn stages(solution: &ChipSolution) -> usize {
    solution.alice.stage_count() + solution.bob.stage_count()
}

/// A saved solution holds the name and the values of every position once more, for every total.
fn check_memory(request: &Request, totals: usize, stages: usize) -> Result<(), Error> {
    const PER_POSITION: u64 = 200;
    const PER_STAGE: u64 = 2 * 12;
    let name = request.position().len() as u64;
    let positions = request.unfolding.arena().len() as u64 * totals as u64;
    let needed = positions * (PER_POSITION + name) + stages as u64 * PER_STAGE;
    Ok(request.options.check_memory("the saved solution", needed)?)
}

fn with_game(subject: &Subject, request: &Request, claim: Claim) -> SavedSolution {
    SavedSolution {
        game: match subject.file() {
            Some(file) => SavedGame::File(file.clone()),
            None => SavedGame::Named(subject.name()),
        },
        position: request.position(),
        mechanism: request.mechanism.clone(),
        claim,
    }
}

/// Whether a saved solution was proved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct VerifyReport {
    /// Whether everything it claims holds.
    pub valid: bool,
    /// The game that it is about.
    pub game: String,
    /// The position that it is about.
    pub position: String,
    /// Positions of the game, symmetric ones counted once.
    pub positions: usize,
    /// The first place where it is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wrong: Option<String>,
}

/// Checks a saved solution against the rules of its game, without solving.
///
/// # Errors
/// An unknown game, a position that is not of the game, a mechanism that is not served, a limit. A solution that can be
/// read but is wrong is no error: the report says where.
pub fn verify(saved: SavedSolution, limits: &Limits, watch: &dyn Watch) -> Result<VerifyReport, Error> {
    let SavedSolution { game, position, mechanism, claim } = saved;
    let subject = match game {
        SavedGame::Named(name) => Subject::named(&name)?,
        SavedGame::File(file) => Subject::from_game_file(file)?,
    };
    // A claim of few positions must not make the game unfold to many; a few too many still let the missing ones be named.
    const SPARE: u64 = 1000;
    let claimed = match &claim {
        Claim::Money { positions, .. } => positions.len(),
        Claim::Chips { totals } => totals.iter().map(|total| total.positions.len()).min().unwrap_or(0),
        Claim::Rules(claim) => claim.positions.len(),
    };
    let limits = Limits { positions: limits.positions.min(2 * claimed as u64 + SPARE), ..*limits };
    let name = subject.name();
    let unfolding = match subject.unfold(Some(&position), &limits, watch) {
        Err(Error::Core(richman_core::Error::TooManyPositions { limit })) if limit == limits.positions => {
            let wrong = format!("the solution has {claimed} positions, the game has more");
            return Ok(VerifyReport { valid: false, game: name, position, positions: claimed, wrong: Some(wrong) });
        }
        unfolding => unfolding?,
    };
    let unfolding = unfolding.as_ref();
    let checked = match claim {
        Claim::Money { win, draw, positions } => {
            richman_solvers::registry::money(&mechanism)?;
            check_money(unfolding, &mechanism, [win, draw], positions, watch)
        }
        Claim::Chips { totals } => {
            richman_solvers::registry::chips(&mechanism)?;
            totals.into_iter().try_for_each(|claim| check_chips(unfolding, &mechanism, claim, watch))
        }
        Claim::Rules(claim) => {
            richman_solvers::registry::rules(&mechanism)?;
            check_rules(unfolding, mechanism, claim, watch)
        }
    };
    let wrong = match checked {
        Ok(()) => None,
        Err(Wrong::Claim(what)) => Some(what),
        Err(Wrong::Stopped) => return Err(richman_core::Error::Cancelled.into()),
        Err(Wrong::TooLong(reason)) => return Err(richman_core::Error::NoRule { reason: reason.to_string() }.into()),
    };
    Ok(VerifyReport { valid: wrong.is_none(), game: name, position, positions: unfolding.arena().len(), wrong })
}

enum Wrong {
    Claim(String),
    Stopped,
    TooLong(&'static str),
}

/// Puts values that came with the names of their positions in the order of nodes: each position exactly once.
fn by_node<T>(unfolding: &dyn Unfolding, values: impl Iterator<Item = (String, T)>) -> Result<Vec<T>, Wrong> {
    let mut slots: Vec<Option<T>> = unfolding.arena().nodes().map(|_| None).collect();
    for (position, value) in values {
        let node = unfolding.node(&position).map_err(|error| Wrong::Claim(error.to_string()))?;
        if slots[node as usize].replace(value).is_some() {
            return Err(Wrong::Claim(format!(
                "position {position:?} is given twice, or with a position symmetric to it"
            )));
        }
    }
    let missing = |node| Wrong::Claim(format!("position {:?} is missing", unfolding.notation(node)));
    (0..).zip(slots).map(|(node, slot)| slot.ok_or_else(|| missing(node))).collect()
}

fn named(unfolding: &dyn Unfolding, flaw: Flaw) -> Wrong {
    match flaw {
        Flaw::At { node, what } => Wrong::Claim(format!("position {:?}: {what}", unfolding.notation(node))),
        Flaw::Stopped => Wrong::Stopped,
        Flaw::TooLong(reason) => Wrong::TooLong(reason),
        other => Wrong::Claim(other.to_string()),
    }
}

fn same<T: PartialEq + std::fmt::Display>(what: &str, claimed: &T, of_start: &T) -> Result<(), Wrong> {
    if claimed == of_start {
        return Ok(());
    }
    Err(Wrong::Claim(format!("the {what} threshold is said to be {claimed}, but {of_start} at the start's own entry")))
}

fn check_money(
    unfolding: &dyn Unfolding,
    mechanism: &Mechanism,
    [win, draw]: [ShareBounds; 2],
    positions: Vec<MoneyValue>,
    watch: &dyn Watch,
) -> Result<(), Wrong> {
    let values = by_node(unfolding, positions.into_iter().map(|value| (value.position, (value.win, value.draw))))?;
    let (wins, draws): (Vec<ShareBounds>, Vec<ShareBounds>) = values.into_iter().unzip();
    let start = unfolding.arena().start() as usize;
    same("win", &win, &wins[start])?;
    same("draw", &draw, &draws[start])?;
    verify::money(unfolding.arena(), mechanism, &wins, &draws, watch).map_err(|flaw| named(unfolding, flaw))
}

fn check_chips(
    unfolding: &dyn Unfolding,
    mechanism: &Mechanism,
    claim: ChipClaim,
    watch: &dyn Watch,
) -> Result<(), Wrong> {
    let values =
        by_node(unfolding, claim.positions.into_iter().map(|value| (value.position, (value.alice, value.bob))))?;
    let (alice, bob): (Vec<_>, Vec<_>) = values.into_iter().unzip();
    let solution = ChipSolution {
        total: claim.total,
        mechanism: mechanism.clone(),
        alice: Side::new(&alice),
        bob: Side::new(&bob),
        guards: None,
        stop: richman_core::StopReason::Acyclic,
    };
    verify::chips(unfolding.arena(), &solution, watch).map_err(|flaw| named(unfolding, flaw))?;
    let thresholds = solution.thresholds(unfolding.arena().start());
    same("win", &claim.win, &thresholds.win)?;
    same("draw", &claim.draw, &thresholds.draw)
}

fn check_rules(
    unfolding: &dyn Unfolding,
    mechanism: Mechanism,
    claim: RulesClaim,
    watch: &dyn Watch,
) -> Result<(), Wrong> {
    let values =
        by_node(unfolding, claim.positions.into_iter().map(|value| (value.position, (value.alice, value.bob))))?;
    let (alice, bob): (Vec<u32>, Vec<u32>) = values.into_iter().unzip();
    let alice = RuleSide { rules: claim.alice, of: alice };
    let bob = RuleSide { rules: claim.bob, of: bob };
    let solution = RuleSolution { mechanism, alice, bob };
    verify::rules(unfolding.arena(), &solution, watch).map_err(|flaw| named(unfolding, flaw))?;
    let start = unfolding.arena().start();
    for (what, claimed, rule) in [("win", claim.win, solution.win(start)), ("draw", claim.draw, solution.draw(start))] {
        if claimed != PeriodClaim::from(&rule) {
            let PeriodClaim { block, step, from } = claimed;
            return Err(Wrong::Claim(format!(
                "the {what} threshold is said to have block {block}, step {step} and from {from}, but the rule of the start \
                 itself is {rule}"
            )));
        }
    }
    Ok(())
}
