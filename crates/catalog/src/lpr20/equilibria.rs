//! Section 2: equilibria of scoring games, the uniqueness properties, conjecture 7.

use fastrand::Rng;
use richman_analysis::uniqueness::violations;
use richman_check::scoring_arenas::{ScoringShape, random};
use richman_core::{
    Bids, Effort, Mechanism, Player, Preset, ScoreSolution, ScoreState, ScoringArena, ScoringArenaBuilder, Total,
};
use richman_solvers::scores;

use super::super::{Finding, Session};
use super::lemmas::everywhere;
use crate::Error;
use crate::counterexamples::{KNOWN, refuted};

fn solve(arena: &ScoringArena, total: u32, bids: Bids) -> Result<ScoreSolution, Error> {
    let mechanism = Mechanism { bids, ..Preset::Larsson.mechanism() };
    Ok(scores::solve(arena, &mechanism, Total::new(total)?, &Effort::default())?)
}

/// Random arenas with random sets of bids, 0 included, solved for a random total.
fn arenas(session: &Session, mut check: impl FnMut(u64, &ScoringArena, u32, &ScoreSolution)) -> Result<u64, Error> {
    let count = if session.deep { 50_000 } else { 2_000 };
    for seed in 0..count {
        let mut rng = Rng::with_seed(seed);
        let arena = random(ScoringShape::small(&mut rng), &mut rng)?;
        let total = rng.u32(0..6);
        let bids = match rng.bool() {
            true => Bids::All,
            false => Bids::Only((0..=total).filter(|&bid| bid == 0 || rng.bool()).collect()),
        };
        check(seed, &arena, total, &solve(&arena, total, bids)?);
    }
    Ok(count)
}

pub fn theorem_3(session: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::default();
    let count = arenas(session, |seed, arena, _, solution| {
        if violations(arena, solution).iter().all(Option::is_none) {
            let unique = arena.nodes().all(|node| solution.is_unique(node));
            finding.holds(unique, || format!("arena {seed}"));
        }
    })?;
    finding.range = format!("those of {count} random arenas, with all bids or some, that have the properties");
    Ok(finding)
}

pub fn proposition_4(session: &mut Session) -> Result<Finding, Error> {
    let mut finding =
        everywhere(session, |unit, heap, chips| unit.plain(heap, chips) == -unit.hat(heap, unit.total - chips))?;
    finding.range = format!("unitary heaps, TB from 0 to {}", super::largest(session));
    Ok(finding)
}

pub fn conjecture_7(_: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over(
        "the smallest counterexamples to the conjecture as stated and to what might repair it \
         (catalog::counterexamples)",
    );
    for known in KNOWN {
        let arena = known.unfold()?.arena().clone();
        let bids: Bids = known.bids.parse()?;
        let shown = refuted(known.claim, &arena, known.total, &bids, &Effort::default())?;
        finding.holds(shown.is_none(), || known.says.to_string());
    }
    Ok(finding)
}

/// Only Right can move, once, which adds 1 to the score.
fn forced() -> Result<ScoringArena, Error> {
    let mut builder = ScoringArenaBuilder::new();
    let end = builder.labelled(&[], &[], [0, 0]);
    let start = builder.labelled(&[], &[(end, 1)], [0, 0]);
    Ok(builder.build(start)?)
}

fn value(solution: &ScoreSolution, arena: &ScoringArena, alice: u32, star: Player) -> i64 {
    solution.score(arena.start(), ScoreState { alice, star }).low
}

pub fn example_2_1(_: &mut Session) -> Result<Finding, Error> {
    let arena = forced()?;
    let solution = solve(&arena, 1, Bids::All)?;
    let mut finding = Finding::over("TB = 1, Left has the chip");
    finding.compare(|| "Left has the marker".into(), 0, value(&solution, &arena, 1, Player::Alice));
    finding.compare(|| "Right has it".into(), 1, value(&solution, &arena, 1, Player::Bob));
    Ok(finding)
}

pub fn example_2_2(_: &mut Session) -> Result<Finding, Error> {
    let arena = forced()?;
    let solution = solve(&arena, 1, Bids::Only(vec![1]))?;
    let of = |alice, star| value(&solution, &arena, alice, star);
    let mut finding = Finding::over("TB = 1, only 1 may be bid");
    finding.holds(of(1, Player::Bob) < of(0, Player::Bob), || "the chip is worth less than nothing, (A)".into());
    finding.holds(of(0, Player::Alice) > of(1, Player::Bob), || "the marker is worth more than the chip, (C)".into());
    Ok(finding)
}
