//! Proves a saved solution from the rules of its game.

use richman_check::verify::{self, Flaw};
use richman_core::{
    ByPlayer, ChipSide, ChipSolution, Effort, Mechanism, Objective, ParityGraph, Playable, Player, PurseCell,
    PurseSide, PurseSolution, RuleSide, RuleSolution, Share, ShareBounds, StopReason, Terminal, Unfolding, Watch,
};
use richman_formats::{
    CellStage, ChipClaim, MoneyValue, PeriodClaim, PositionClaim, PurseClaim, RulesClaim, SavedGame, SavedSolution,
    SolutionClaim,
};
use richman_games::Games;
use serde::Serialize;

use super::summary::ProvedClaim;
use crate::{Error, Subject, mean_payoff, parity};

/// The verdict on a saved solution.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
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
    verified(games, saved, effort, None)
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
    let mut game = None;
    let report = verified(games, saved, effort, Some(&mut game))?;
    Ok((report, game))
}

fn verified(
    games: &Games,
    saved: SavedSolution,
    effort: &Effort,
    wanted: Option<&mut Option<ParityGraph>>,
) -> Result<VerifyReport, Error> {
    let SavedSolution { game, position, mechanism, claim } = saved;
    let subject = match game {
        SavedGame::Named(name) => Subject::recorded(games, &name)?,
        SavedGame::File(graph) => graph.into(),
    };
    // A claim of few positions must not unfold a huge game; the spare lets missing positions be
    // named.
    const SPARE: u64 = 1000;
    let claimed = match &claim {
        SolutionClaim::Money { positions, .. } => positions.len(),
        SolutionClaim::Chips { totals } => totals.iter().map(|total| total.positions.len()).min().unwrap_or(0),
        SolutionClaim::Rules(claim) => claim.positions.len(),
        SolutionClaim::Purses { ranges } => ranges.iter().map(|claim| claim.positions.len()).min().unwrap_or(0),
        SolutionClaim::Parity { totals } => totals.iter().map(|total| total.positions.len()).min().unwrap_or(0),
        SolutionClaim::ParityMoney { positions, .. } => positions.len(),
        SolutionClaim::MeanPayoff(claim) => claim.positions.len(),
        SolutionClaim::PayoffShares(claim) => claim.positions.len(),
        SolutionClaim::ChipAverages(claim) => claim.positions.len(),
    };
    let proved = ProvedClaim::of(&mechanism, &claim);
    let mut claim = claim;
    let (values, held) = match &mut claim {
        SolutionClaim::Money { positions, .. } => compact(std::mem::take(positions)),
        claim => (Vec::new(), claim.bytes()),
    };
    let positions = effort.positions.min(2 * claimed as u64 + SPARE);
    let effort = Effort { positions, held: effort.held + held, ..*effort };
    let of = SavedPosition { subject: &subject, position, claimed, proved };
    match &claim {
        SolutionClaim::Money { .. } => richman_solvers::registry::money(&mechanism).map(drop)?,
        SolutionClaim::Chips { .. } => richman_solvers::registry::chips(&mechanism)?,
        SolutionClaim::Rules(_) => richman_solvers::registry::rules(&mechanism)?,
        SolutionClaim::Purses { ranges } => {
            ranges.iter().try_for_each(|claim| richman_solvers::registry::purses(&mechanism, claim.purses))?;
        }
        SolutionClaim::Parity { .. } | SolutionClaim::ChipAverages(_) => {
            richman_solvers::registry::parity_chips(&mechanism)?;
        }
        SolutionClaim::ParityMoney { .. } | SolutionClaim::MeanPayoff(_) | SolutionClaim::PayoffShares(_) => {
            richman_solvers::registry::money(&mechanism).map(drop)?;
        }
    }
    let (mechanism, watch) = (&mechanism, effort.watch);
    if let Some(game) = wanted {
        let SolutionClaim::Parity { totals } = claim else { return Err(Error::NoPlans) };
        let [claim] = <[_; 1]>::try_from(totals).map_err(|_| Error::NoPlans)?;
        return of.verified(&effort, |unfolding| {
            *game = Some(parity::game_of_plans(unfolding, mechanism, claim, watch)?);
            Ok(())
        });
    }
    match claim {
        SolutionClaim::Money { win, draw, .. } => of.verified(&effort, |unfolding| {
            check_money(unfolding, mechanism, [win, draw], values, effort.memory_left(), watch)
        }),
        SolutionClaim::Chips { totals } => of.verified(&effort, |unfolding| {
            totals.into_iter().try_for_each(|claim| check_chips(unfolding, mechanism, claim, watch))
        }),
        SolutionClaim::Rules(claim) => {
            of.verified(&effort, |unfolding| check_rules(unfolding, mechanism.clone(), claim, watch))
        }
        SolutionClaim::Purses { ranges } => of.verified(&effort, |unfolding| {
            let check = |claim| check_purses(unfolding, mechanism, claim, effort.memory_left(), watch);
            ranges.into_iter().try_for_each(check)
        }),
        SolutionClaim::Parity { totals } => of.verified(&effort, |unfolding| {
            totals.into_iter().try_for_each(|claim| parity::check(unfolding, mechanism, claim, watch).map(drop))
        }),
        SolutionClaim::ParityMoney { needs, positions } => {
            of.verified(&effort, |unfolding| parity::money::check(unfolding, mechanism, (needs, positions), watch))
        }
        SolutionClaim::ChipAverages(claim) => {
            of.verified(&effort, |unfolding| mean_payoff::check_chips(unfolding, mechanism, claim, watch).map(drop))
        }
        SolutionClaim::PayoffShares(claim) => {
            of.verified(&effort, |unfolding| mean_payoff::check_shares(unfolding, mechanism, claim, watch))
        }
        SolutionClaim::MeanPayoff(claim) => {
            of.verified(&effort, |unfolding| mean_payoff::check(unfolding, mechanism, claim, watch))
        }
    }
}

/// What a saved solution is about.
struct SavedPosition<'a> {
    subject: &'a Subject,
    position: String,
    /// The number of positions in the claim.
    claimed: usize,
    /// What is proved if the claim is right.
    proved: ProvedClaim,
}

impl SavedPosition<'_> {
    /// Unfolds the game from its rules, and proves the claim with `check`.
    fn verified<L: Playable>(
        self,
        effort: &Effort,
        check: impl FnOnce(&dyn Unfolding<L>) -> Result<(), SavingFault>,
    ) -> Result<VerifyReport, Error> {
        let SavedPosition { subject, position, claimed, proved } = self;
        let game = subject.name();
        let unfolding = match subject.unfold_for::<L>(Some(&position), effort) {
            Err(Error::Core(richman_core::Error::TooManyPositions { limit })) if limit == effort.positions => {
                let wrong = format!("the solution has {claimed} positions, the game has more");
                let wrong = Some(wrong);
                return Ok(VerifyReport { valid: false, game, position, positions: claimed, proved: None, wrong });
            }
            unfolding => unfolding?,
        };
        let wrong = match check(unfolding.as_ref()) {
            Ok(()) => None,
            Err(SavingFault::Claim(what)) => Some(what),
            Err(fault) => return Err(fault.unproved()),
        };
        let (valid, positions) = (wrong.is_none(), unfolding.arena().len());
        Ok(VerifyReport { valid, game, position, positions, proved: valid.then_some(proved), wrong })
    }
}

pub(crate) enum SavingFault {
    Claim(String),
    Stopped,
    TooLong(&'static str),
    TooMuchMemory(richman_core::Error),
}

impl SavingFault {
    /// Why nothing was proved.
    pub(crate) fn unproved(self) -> Error {
        match self {
            SavingFault::Claim(what) => Error::Unproved { what },
            SavingFault::Stopped => richman_core::Error::Cancelled.into(),
            SavingFault::TooMuchMemory(error) => error.into(),
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

/// A share claimed exact, or bounds on it; bounds are rare.
enum ClaimedShare {
    Exact(Share),
    Between(Box<[Share; 2]>),
}

impl ClaimedShare {
    fn new(bounds: ShareBounds) -> ClaimedShare {
        let ShareBounds { low, high } = bounds;
        if low == high { ClaimedShare::Exact(low) } else { ClaimedShare::Between(Box::new([low, high])) }
    }

    fn ends(&self) -> [&Share; 2] {
        match self {
            ClaimedShare::Exact(share) => [share, share],
            ClaimedShare::Between(ends) => ends.each_ref(),
        }
    }

    fn bounds(&self) -> ShareBounds {
        let [low, high] = self.ends().map(Share::clone);
        ShareBounds { low, high }
    }

    /// Bytes held outside the value itself.
    fn heap_bytes(&self) -> u64 {
        match self {
            ClaimedShare::Exact(share) => share.heap_bytes(),
            ClaimedShare::Between(ends) => ends.iter().map(Share::bytes).sum(),
        }
    }
}

/// The name of a position, and its thresholds to win and to draw.
type ClaimedValue = (String, [ClaimedShare; 2]);

/// Values in less memory, and their bytes.
fn compact(positions: Vec<MoneyValue>) -> (Vec<ClaimedValue>, u64) {
    /// The allocator's overhead for a name.
    const NAME: usize = 16;
    let value = |MoneyValue { position, win, draw }| (position, [win, draw].map(ClaimedShare::new));
    let mut values: Vec<ClaimedValue> = positions.into_iter().map(value).collect();
    values.shrink_to_fit();
    let bytes = |(name, shares): &ClaimedValue| {
        let long: u64 = shares.iter().map(ClaimedShare::heap_bytes).sum();
        (size_of::<ClaimedValue>() + name.len() + NAME) as u64 + long
    };
    let held = values.iter().map(bytes).sum();
    (values, held)
}

fn check_money(
    unfolding: &dyn Unfolding,
    mechanism: &Mechanism,
    [win, draw]: [ShareBounds; 2],
    mut positions: Vec<ClaimedValue>,
    memory: u64,
    watch: &dyn Watch,
) -> Result<(), SavingFault> {
    let names = positions.iter_mut().zip(0u32..).map(|((name, _), at)| (std::mem::take(name), at));
    let places = by_node(unfolding, names)?;
    let of = |node: u32| &positions[places[node as usize] as usize].1;
    let arena = unfolding.arena();
    let [of_win, of_draw] = of(arena.start());
    same("win", &win, &of_win.bounds())?;
    same("draw", &draw, &of_draw.bounds())?;
    let is_exact = positions.iter().all(|(_, both)| both.iter().all(|share| matches!(share, ClaimedShare::Exact(_))));
    let needed = [0, 1].map(|at| {
        let lows = arena.nodes().map(|node| of(node)[at].ends()[0]);
        verify::bytes_for_money(arena, lows, is_exact)
    });
    let needed = unfolding.bytes() + size_of_val(&places[..]) as u64 + needed.into_iter().max().unwrap_or(0);
    if needed > memory {
        let error = richman_core::Error::TooMuchMemory { what: "the proof", needed, limit: memory };
        return Err(SavingFault::TooMuchMemory(error));
    }
    let claimed = |node| of(node).each_ref().map(ClaimedShare::ends);
    verify::money_by_node(arena, mechanism, claimed, watch).map_err(|flaw| named(unfolding, flaw))
}

/// The stages of every position, of Alice and of Bob.
type BothSides<S> = ByPlayer<Vec<Vec<S>>>;

/// Puts both players' needs to win and, if given, to draw in the order of nodes.
fn sides<S>(
    unfolding: &dyn Unfolding,
    claims: Vec<PositionClaim<S>>,
) -> Result<(BothSides<S>, Option<BothSides<S>>), SavingFault> {
    let values = claims.into_iter().map(|claim| (claim.position, (claim.wins, claim.guards)));
    let (wins, guards): (Vec<_>, Vec<_>) = by_node(unfolding, values)?.into_iter().unzip();
    let expected = guards.first().is_some_and(Option::is_some);
    if let Some(at) = guards.iter().position(|guards| guards.is_some() != expected) {
        let position = unfolding.notation(at as u32);
        return Err(SavingFault::Claim(format!(
            "position {position:?}: what the players need to draw must be said everywhere or nowhere"
        )));
    }
    let both = |pairs: Vec<ByPlayer<Vec<S>>>| -> BothSides<S> {
        let (alice, bob) = pairs.into_iter().map(|ByPlayer { alice, bob }| (alice, bob)).unzip();
        ByPlayer { alice, bob }
    };
    let guards: Option<Vec<ByPlayer<Vec<S>>>> = guards.into_iter().collect();
    Ok((both(wins), guards.map(both)))
}

fn check_chips(
    unfolding: &dyn Unfolding,
    mechanism: &Mechanism,
    claim: ChipClaim,
    watch: &dyn Watch,
) -> Result<(), SavingFault> {
    let (wins, guards) = sides(unfolding, claim.positions)?;
    let solution = ChipSolution {
        total: claim.total,
        mechanism: mechanism.clone(),
        wins: wins.map(|stages| ChipSide::new(&stages)),
        guards: guards.map(|guards| guards.map(|stages| ChipSide::new(&stages))),
        stop: StopReason::Acyclic,
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
) -> Result<(), SavingFault> {
    let values =
        by_node(unfolding, claim.positions.into_iter().map(|value| (value.position, (value.alice, value.bob))))?;
    let (alice, bob): (Vec<u32>, Vec<u32>) = values.into_iter().unzip();
    let alice = RuleSide { rules: claim.alice, of: alice };
    let bob = RuleSide { rules: claim.bob, of: bob };
    let solution = RuleSolution { mechanism, wins: ByPlayer { alice, bob } };
    verify::rules(unfolding.arena(), &solution, watch).map_err(|flaw| named(unfolding, flaw))?;
    let start = unfolding.arena().start();
    for (what, claimed, rule) in [("win", claim.win, solution.win(start)), ("draw", claim.draw, solution.draw(start))] {
        if claimed != PeriodClaim::from(&rule) {
            let PeriodClaim { block, step, from } = claimed;
            return Err(SavingFault::Claim(format!(
                "the {what} threshold is said to have block {block}, step {step} and from {from}, but the rule of the \
                 start itself is {rule}"
            )));
        }
    }
    Ok(())
}

fn check_purses(
    unfolding: &dyn Unfolding,
    mechanism: &Mechanism,
    claim: PurseClaim,
    memory: u64,
    watch: &dyn Watch,
) -> Result<(), SavingFault> {
    let PurseClaim { purses, positions } = claim;
    let (wins, guards) = sides(unfolding, positions)?;
    let side = |player: Player, starts: Terminal, stages: Vec<Vec<CellStage>>| {
        let (has_star, most) = (mechanism.has_star(), purses.most(player.other()));
        let outside = |stage: &CellStage| stage.other > most || stage.star && !has_star;
        if let Some(at) = stages.iter().position(|stages| stages.iter().any(outside)) {
            let position = unfolding.notation(at as u32);
            return Err(SavingFault::Claim(format!(
                "position {position:?}: {player} is said to need chips outside the purses"
            )));
        }
        check_cells(unfolding, starts, (u64::from(most) + 1) * if has_star { 2 } else { 1 }, &stages, memory)?;
        let of_node = |(node, stages): (u32, Vec<CellStage>)| {
            let cell = move |CellStage { star, other, stage }| (PurseCell { node, star, other }, stage);
            stages.into_iter().map(cell)
        };
        let log: Vec<_> = (0..).zip(stages).flat_map(of_node).collect();
        Ok(PurseSide::from_log(unfolding.arena().len(), has_star, most, &log))
    };
    let (a, b) = (Player::Alice, Player::Bob);
    let solution = PurseSolution {
        mechanism: mechanism.clone(),
        purses,
        wins: ByPlayer::new(side(a, Terminal::Win(a), wins.alice)?, side(b, Terminal::Win(b), wins.bob)?),
        guards: match guards {
            Some(guards) => {
                Some(ByPlayer::new(side(a, Terminal::Win(b), guards.alice)?, side(b, Terminal::Win(a), guards.bob)?))
            }
            None => None,
        },
        stop: StopReason::Acyclic,
    };
    verify::purses(unfolding.arena(), &solution, watch).map_err(|flaw| named(unfolding, flaw))
}

/// Numbers of purses from a file must not decide an allocation. Every cell of an end where the goal
/// is reached or lost has a stage, so there are no more cells than stages. Without such an end
/// there are no stages.
fn check_cells(
    unfolding: &dyn Unfolding,
    starts: Terminal,
    cells: u64,
    stages: &[Vec<CellStage>],
    memory: u64,
) -> Result<(), SavingFault> {
    let arena = unfolding.arena();
    let Some(claimed) = stages.iter().position(|stages| !stages.is_empty()) else { return Ok(()) };
    let wrong =
        |node: u32, what: String| Err(SavingFault::Claim(format!("position {:?}: {what}", unfolding.notation(node))));
    let Some(end) = arena.nodes().find(|&node| arena.terminal(node) == Some(starts)) else {
        return wrong(
            claimed as u32,
            "nothing can change here, because the game has no end where it begins to".to_string(),
        );
    };
    let found = stages[end as usize].len() as u64;
    if found != cells {
        return wrong(end, format!("the game has ended here, so there must be {cells} stages, but there are {found}"));
    }
    /// The first stage of a cell, and the number of stages placed.
    const PER_CELL: u64 = 2 * size_of::<u32>() as u64;
    let needed = (arena.len() as u64).saturating_mul(cells).saturating_mul(PER_CELL);
    if needed > memory {
        let what = "the cells of the saved solution";
        return Err(SavingFault::TooMuchMemory(richman_core::Error::TooMuchMemory { what, needed, limit: memory }));
    }
    Ok(())
}
