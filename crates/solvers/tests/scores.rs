//! The solver of scoring games against the oracle, and properties that every scoring game has.
//!
//! `RICHMAN_SCORES` sets the number of arenas (default 1,000); the deep run of the README sets it
//! to 50,000.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use fastrand::Rng;
use rayon::prelude::*;
use richman_check::score_oracle::ScoreOracle;
use richman_check::scoring_arenas::{ScoringShape, alternating, mechanism, random};
use richman_core::{
    Bids, Effort, Mechanism, Player, Preset, Right, ScoreSolution, ScoreState, ScoringArena, Ties, Total,
};
use richman_solvers::scores;

use crate::seeds::seeds;

fn arenas() -> Range<u64> {
    seeds("RICHMAN_SCORES", 1_000)
}

fn solve(arena: &ScoringArena, mechanism: &Mechanism, total: u32) -> ScoreSolution {
    scores::solve(arena, mechanism, Total::new(total).unwrap(), &Effort::default()).unwrap()
}

/// Counts the features of the random arenas, so that a changed generator cannot silently empty a
/// test.
#[derive(Default)]
struct Seen {
    states: AtomicU64,
    restricted: AtomicU64,
    without_zero: AtomicU64,
    partisan: AtomicU64,
    stuck: AtomicU64,
    zugzwang: AtomicU64,
    no_equilibrium: AtomicU64,
}

#[test]
fn the_solver_agrees_with_the_oracle() {
    let seen = Seen::default();
    arenas().into_par_iter().for_each(|seed| {
        let mut rng = Rng::with_seed(seed);
        let arena = random(ScoringShape::small(&mut rng), &mut rng).unwrap();
        let count = |counter: &AtomicU64, is: bool| counter.fetch_add(u64::from(is), Ordering::Relaxed);
        count(&seen.partisan, !arena.is_symmetric());
        let stuck = |node| Player::BOTH.iter().any(|&player| arena.moves(node, player).is_empty());
        count(&seen.stuck, arena.nodes().any(|node| arena.terminal(node).is_none() && stuck(node)));
        for most in [2, 7] {
            let total = rng.u32(0..=most);
            let mechanism = mechanism(total, &mut rng);
            if let Bids::Only(amounts) = &mechanism.bids {
                count(&seen.restricted, true);
                count(&seen.without_zero, amounts[0] > 0);
            }
            let context = format!("seed {seed}, total {total}, {mechanism}");
            let solution = solve(&arena, &mechanism, total);
            let mut oracle = ScoreOracle::new(&arena, &mechanism, total);
            for node in arena.nodes() {
                for state in oracle.states() {
                    let expected = oracle.score(node, state);
                    assert_eq!(solution.score(node, state), expected, "{context}, node {node}, {state:?}");
                    count(&seen.states, true);
                    count(&seen.no_equilibrium, expected.as_exact().is_none());
                    if arena.terminal(node).is_none() {
                        matrix_agrees(&arena, &solution, &mut oracle, node, state, &context);
                    }
                }
            }
            let zugzwang = |node| alternating(&arena, node, Player::Alice) < alternating(&arena, node, Player::Bob);
            count(&seen.zugzwang, arena.nodes().any(zugzwang));
        }
    });
    let seen = [
        &seen.states,
        &seen.restricted,
        &seen.without_zero,
        &seen.partisan,
        &seen.stuck,
        &seen.zugzwang,
        &seen.no_equilibrium,
    ]
    .map(|count| count.load(Ordering::Relaxed));
    println!("states, restricted bids, no bid of 0, partisan, stuck, zugzwang, no equilibrium: {seen:?}");
    assert!(
        seen.iter().all(|&count| count > arenas().count() as u64 / 20),
        "the arenas no longer exercise everything: {seen:?}"
    );
}

/// Checks the matrix entry by entry, its saddle points by definition, and the guarantees of the
/// best bids.
fn matrix_agrees(
    arena: &ScoringArena,
    solution: &ScoreSolution,
    oracle: &mut ScoreOracle,
    node: u32,
    state: ScoreState,
    context: &str,
) {
    let matrix = scores::matrix(arena, solution, node, state);
    let rows = oracle.bid_matrix(node, state);
    assert_eq!(matrix.rows, rows, "{context}, node {node}, {state:?}");
    assert_eq!(matrix.alice, oracle.bids(state.alice));
    assert_eq!(matrix.bob, oracle.bids(solution.total.chips() - state.alice));
    let mut saddles = Vec::new();
    for (at, &bid) in matrix.alice.iter().enumerate() {
        for (row, &reply) in rows.iter().zip(&matrix.bob) {
            // Neither gains by another bid: hers is worth at most this whatever she bids, his at
            // least.
            let least = rows.iter().map(|row| row[at].low).min().unwrap();
            let most = row.iter().map(|score| score.high).max().unwrap();
            if least == most {
                saddles.push((bid, reply));
            }
        }
    }
    assert_eq!(matrix.saddle_points(), saddles, "{context}, node {node}, {state:?}");
    assert_eq!(matrix.minima().into_iter().max(), Some(matrix.value.low));
    assert_eq!(matrix.maxima().into_iter().min(), Some(matrix.value.high));
}

#[test]
fn exchanging_the_players_mirrors_every_value() {
    for seed in 0..300 {
        let mut rng = Rng::with_seed(seed);
        let arena = random(ScoringShape::small(&mut rng), &mut rng).unwrap();
        let total = rng.u32(0..20);
        let mechanism = mechanism(total, &mut rng);
        let (solution, mirrored) = (solve(&arena, &mechanism, total), solve(&arena.mirror(), &mechanism, total));
        for node in arena.nodes() {
            for star in Player::BOTH {
                for alice in 0..=total {
                    let here = solution.score(node, ScoreState { alice, star });
                    let there = mirrored.score(node, ScoreState { alice: total - alice, star: star.other() });
                    assert_eq!((here.low, here.high), (-there.high, -there.low), "seed {seed}");
                }
            }
        }
    }
}

/// LPR20 section 1.1: alternating play is the game without chips.
#[test]
fn total_0_is_alternating_play() {
    for seed in arenas() {
        let mut rng = Rng::with_seed(seed);
        let arena = random(ScoringShape::small(&mut rng), &mut rng).unwrap();
        let solution = solve(&arena, &Preset::Larsson.mechanism(), 0);
        for node in arena.nodes() {
            for star in Player::BOTH {
                let score = solution.score(node, ScoreState { alice: 0, star });
                assert_eq!(score.as_exact(), Some(alternating(&arena, node, star)), "seed {seed}, node {node}");
            }
        }
    }
}

/// Proved in docs/design.md: with 0 among the bids more chips never hurt, whatever the weights;
/// with all bids and marker ties the star is never worth more than a chip; with advantage ties the
/// star never hurts if the winner chooses.
#[test]
fn what_holds_for_all_weights_holds() {
    arenas().into_par_iter().for_each(|seed| {
        let mut rng = Rng::with_seed(seed);
        let arena = random(ScoringShape::small(&mut rng), &mut rng).unwrap();
        let total = rng.u32(0..=9);
        let mut mechanism = mechanism(total, &mut rng);
        if let Bids::Only(amounts) = &mut mechanism.bids
            && amounts[0] > 0
        {
            amounts.insert(0, 0);
        }
        let solution = solve(&arena, &mechanism, total);
        for node in arena.nodes() {
            let at = |alice, star| solution.score(node, ScoreState { alice, star });
            for alice in 0..total {
                for star in Player::BOTH {
                    let (less, more) = (at(alice, star), at(alice + 1, star));
                    assert!(less.low <= more.low && less.high <= more.high, "seed {seed}, {mechanism}");
                }
                if mechanism.bids == Bids::All && mechanism.ties == Ties::Marker {
                    let (star, chip) = (at(alice, Player::Alice), at(alice + 1, Player::Bob));
                    assert!(star.low <= chip.low && star.high <= chip.high, "seed {seed}, {mechanism}");
                }
                if mechanism.bids == Bids::All && mechanism.ties == Ties::Advantage && mechanism.right == Right::Chooses
                {
                    let (with, without) = (at(alice, Player::Alice), at(alice, Player::Bob));
                    assert!(without.low <= with.low && without.high <= with.high, "seed {seed}, {mechanism}");
                }
            }
        }
    });
}
