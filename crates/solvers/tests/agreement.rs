//! Solvers, verifier and oracle against each other on random arenas.
//!
//! `RICHMAN_ARENAS` sets the number of arenas (default 1,000); the deep run of the README sets it
//! to 20,000.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use fastrand::Rng;
use rayon::prelude::*;
use richman_check::arenas::{ArenaShape, random};
use richman_check::oracle::Oracle;
use richman_check::{random_turn, verify};
use richman_core::{
    Arena, Effort, Forces, Mechanism, Outcome, Player, Right, ShareBounds, Shares, Terminal, Threshold, Total,
    Unwatched,
};
use richman_solvers::{chips, money};

use crate::games::unfolded;
use crate::seeds::seeds;

fn arenas() -> Range<u64> {
    seeds("RICHMAN_ARENAS", 1_000)
}

fn mechanism(right: Right) -> Mechanism {
    Mechanism { right, ..Mechanism::default() }
}

const RIGHTS: [Right; 2] = [Right::Chooses, Right::Moves];

/// Counts the features of the random arenas, so that a changed generator cannot silently empty a
/// test.
#[derive(Default)]
struct Seen {
    states: AtomicU64,
    zugzwang: AtomicU64,
    unordered: AtomicU64,
    draws: AtomicU64,
    cyclic: AtomicU64,
}

#[test]
fn chip_solver_and_verifier_agree_with_the_oracle() {
    let seen = Seen::default();
    arenas().into_par_iter().for_each(|seed| {
        let mut rng = Rng::with_seed(seed);
        let arena = random(ArenaShape::small(&mut rng), &mut rng).unwrap();
        if !arena.is_acyclic() {
            seen.cyclic.fetch_add(1, Ordering::Relaxed);
        }
        for right in RIGHTS {
            let most = if seed % 10 == 0 { 8 } else { 5 };
            for total in [rng.u32(0..=2), rng.u32(3..=most)] {
                agree(&arena, right, total, None, &seen, seed);
            }
            agree(&arena, right, rng.u32(0..=4), Some(rng.u32(0..=4)), &seen, seed);
        }
        table_agrees(&arena, &mut rng);
    });
    let seen = [&seen.states, &seen.zugzwang, &seen.unordered, &seen.draws, &seen.cyclic]
        .map(|count| count.load(Ordering::Relaxed));
    println!("states, zugzwang, no order of holdings, draws, cyclic arenas: {seen:?}");
    assert!(
        seen.iter().all(|&count| count > arenas().count() as u64 / 20),
        "the arenas no longer exercise everything: {seen:?}"
    );
}

/// Checks the arenas of the games whose positions are counted.
#[test]
fn small_games_agree_with_the_oracle() {
    const LARGEST: usize = 50;
    let counted = include_str!("../../games/tests/data/positions.tsv").lines().filter(|line| !line.starts_with('#'));
    let mut names = Vec::new();
    for game in counted.map(|line| line.split('\t').next().unwrap()) {
        let unfolding = unfolded(game);
        if unfolding.arena().len() > LARGEST {
            continue;
        }
        names.push(game.split(':').next().unwrap());
        for right in RIGHTS {
            for total in 0..=5 {
                agree(unfolding.arena(), right, total, None, &Seen::default(), 0);
            }
        }
    }
    names.dedup();
    assert!(names.len() >= 7, "{names:?}");
}

fn agree(arena: &Arena, right: Right, total: u32, within: Option<u32>, seen: &Seen, seed: u64) {
    let context = format!("seed {seed}, {right}, total {total}, within {within:?}");
    let mechanism = mechanism(right);
    let oracle = Oracle::new(arena, &mechanism, total, within);
    let k = Total::new(total).unwrap();
    let effort = Effort { within, ..Effort::default() };
    let solution = chips::solve(arena, &mechanism, k, &effort).unwrap();
    for state in oracle.states() {
        let [alice, bob] = Player::BOTH.map(|player| oracle.holding(player, state).unwrap());
        for (player, own) in [(Player::Alice, alice), (Player::Bob, bob)] {
            assert_eq!(solution.rank(player, state.node, own), oracle.rank(player, state), "{context}, {state:?}");
        }
        // The oracle decides separately who can force a draw, so this also checks that play is
        // determined.
        let outcome = solution.outcome(state.node, alice, bob);
        assert_eq!(outcome, oracle.outcome(state), "{context}, {state:?}");
        seen.states.fetch_add(1, Ordering::Relaxed);
        seen.draws.fetch_add(u64::from(outcome == Outcome::Draw), Ordering::Relaxed);
    }
    for node in arena.nodes() {
        let thresholds = oracle.thresholds(node).expect("more chips never hurt");
        assert_eq!(solution.thresholds(node), thresholds, "{context}, node {node}");
        if thresholds.win.holding().is_none() {
            assert_eq!(right, Right::Moves, "{context}: holdings are ordered where the winner chooses");
            seen.unordered.fetch_add(1, Ordering::Relaxed);
        }
        if arena.terminal(node).is_none() {
            let sum = |threshold: Threshold| threshold.plain + threshold.star;
            let win = |&to: &u32| sum(oracle.thresholds(to).expect("more chips never hurt").win);
            let alice = arena.moves(node, Player::Alice).iter().map(win).min();
            let bob = arena.moves(node, Player::Bob).iter().map(win).max();
            seen.zugzwang.fetch_add(u64::from(alice > bob), Ordering::Relaxed);
        }
    }
    if within.is_none() {
        verify::chips(arena, &solution, &Unwatched).unwrap_or_else(|flaw| panic!("{context}: {flaw}"));
    }
}

fn table_agrees(arena: &Arena, rng: &mut Rng) {
    for right in RIGHTS {
        let first = rng.u32(0..4);
        let totals = Total::new(first).unwrap()..=Total::new(first + rng.u32(0..9)).unwrap();
        let rows = chips::table(arena, &mechanism(right), totals, &Effort::default()).unwrap();
        for (total, row) in (first..).zip(rows) {
            let solution =
                chips::solve(arena, &mechanism(right), Total::new(total).unwrap(), &Effort::default()).unwrap();
            assert_eq!(row, solution.thresholds(arena.start()), "{right}, total {total}");
        }
    }
}

#[test]
fn exchanging_the_players_mirrors_every_answer() {
    for seed in 0..200 {
        let mut rng = Rng::with_seed(seed);
        let arena = random(ArenaShape::small(&mut rng), &mut rng).unwrap();
        let mirror = arena.mirror();
        for right in RIGHTS {
            let total = Total::new(rng.u32(0..40)).unwrap();
            let solve = |arena| chips::solve(arena, &mechanism(right), total, &Effort::default()).unwrap();
            let (solution, mirrored) = (solve(&arena), solve(&mirror));
            assert_eq!(solution.wins, mirrored.wins.swapped());
        }
        if arena.is_acyclic() {
            let solve = |arena| money::solve(arena, &Mechanism::default(), &Effort::default()).unwrap();
            let (solution, mirrored) = (solve(&arena), solve(&mirror));
            for node in arena.nodes() {
                assert_eq!(solution.win.get(node), mirrored.draw.get(node).complement());
            }
        }
    }
}

#[test]
fn the_real_money_threshold_is_one_minus_the_random_turn_probability() {
    for seed in arenas() {
        let mut rng = Rng::with_seed(seed);
        let shape = ArenaShape { positions: rng.u32(1..=20), ..ArenaShape::small(&mut rng) };
        let arena = random(shape, &mut rng).unwrap();
        let within = (!arena.is_acyclic() || rng.bool()).then(|| rng.u32(0..12));
        let effort = Effort { within, ..Effort::default() };
        let solution = money::solve(&arena, &Mechanism::default(), &effort).unwrap();
        let start = arena.start();
        let moves = within.unwrap_or(arena.len() as u32);
        let win = random_turn::probability(&arena, start, false, moves);
        let draw = random_turn::probability(&arena, start, true, moves);
        assert_eq!(solution.win.get(start), ShareBounds::exact(win.complement()), "seed {seed}");
        assert_eq!(solution.draw.get(start), ShareBounds::exact(draw.complement()), "seed {seed}");
        if within.is_none() {
            let all = |shares: &Shares| arena.nodes().map(|node| shares.get(node)).collect::<Vec<ShareBounds>>();
            verify::money(&arena, &Mechanism::default(), &all(&solution.win), &all(&solution.draw), &Unwatched)
                .unwrap();
        }
    }
}

/// Chips approach real money: rounding costs at most one chip at every move of the longest play.
#[test]
fn chip_thresholds_approach_the_real_money_threshold() {
    let total = 1u32 << 20;
    for seed in 0..200 {
        let mut rng = Rng::with_seed(seed);
        let arena = random(ArenaShape { cyclic: false, ..ArenaShape::small(&mut rng) }, &mut rng).unwrap();
        let k = Total::new(total).unwrap();
        let chips = chips::solve(&arena, &Mechanism::default(), k, &Effort::default()).unwrap();
        let money = money::solve(&arena, &Mechanism::default(), &Effort::default()).unwrap();
        for node in arena.nodes() {
            for (threshold, share) in
                [(chips.thresholds(node).win, &money.win), (chips.thresholds(node).draw, &money.draw)]
            {
                let difference = f64::from(threshold.plain) - share.get(node).low.to_f64() * f64::from(total);
                assert!(difference.abs() <= arena.len() as f64 + 2.0, "seed {seed}, node {node}: {difference}");
            }
        }
    }
}

/// Without chips the star decides who moves, so if nobody minds moving its holder plays the
/// alternating game first.
#[test]
fn no_chips_is_alternating_play_where_no_position_is_a_zugzwang() {
    let total = Total::new(0).unwrap();
    let mut compared = 0;
    for seed in 0..400 {
        let mut rng = Rng::with_seed(seed);
        let arena = random(ArenaShape { cyclic: false, ..ArenaShape::small(&mut rng) }, &mut rng).unwrap();
        // who wins the alternating game, by who moves first
        let mut wins = vec![[false; 2]; arena.len()];
        for &node in arena.components().order() {
            let by = |player: Player| {
                let mut after = arena.moves(node, player).iter().map(|&to| wins[to as usize][player.other() as usize]);
                if player == Player::Alice { after.any(|w| w) } else { after.all(|w| w) }
            };
            wins[node as usize] = match arena.terminal(node) {
                Some(end) => [end == Terminal::Win(Player::Alice); 2],
                None => [by(Player::Alice), by(Player::Bob)],
            };
        }
        if arena.nodes().any(|node| wins[node as usize][1] && !wins[node as usize][0]) {
            continue; // somewhere it is better to move second
        }
        compared += 1;
        let solution = chips::solve(&arena, &Mechanism::default(), total, &Effort::default()).unwrap();
        for node in arena.nodes() {
            let threshold = solution.thresholds(node).win;
            let [first, second] = wins[node as usize];
            assert_eq!((threshold.star == 0, threshold.plain == 0), (first, second), "seed {seed}, node {node}");
        }
    }
    assert!(compared > 100, "only {compared} arenas without zugzwang");
}
