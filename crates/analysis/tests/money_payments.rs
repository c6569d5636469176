//! Real money where some of a bid leaves the game: against the definition of a turn, against Richman and poorman as the ends of
//! taxman, against truncations in exact rationals, and by the verifier.
//!
//! `RICHMAN_ARENAS` sets the number of arenas (default 1,000); the deep run of the README sets it to 20,000.

use std::sync::atomic::{AtomicUsize, Ordering};

use fastrand::Rng;
use rayon::prelude::*;
use richman_analysis::{Request, Subject, money as reports};
use richman_check::arenas::{self, Shape};
use richman_check::verify;
use richman_core::{
    Arena, ArenaBuilder, Error, Limits, Mechanism, MoneySolution, Node, Payment, Player, Right, Share, ShareBounds,
    Shares, StopReason, Terminal, Unwatched,
};
use richman_solvers::{Exactness, Options, money};

fn count() -> u64 {
    std::env::var("RICHMAN_ARENAS").ok().and_then(|count| count.parse().ok()).unwrap_or(1_000)
}

fn payment(text: &str) -> Mechanism {
    Mechanism { payment: text.parse().unwrap(), ..Mechanism::default() }
}

const PAYMENTS: [&str; 4] = ["poorman", "taxman:1/2", "taxman:1/3", "taxman:6/7"];

fn solve(arena: &Arena, mechanism: &Mechanism, options: &Options) -> MoneySolution {
    money::solve(arena, mechanism, options).unwrap()
}

fn with(exactness: Exactness) -> Options<'static> {
    Options { exactness, ..Options::default() }
}

fn all(arena: &Arena, shares: &Shares) -> Vec<ShareBounds> {
    arena.nodes().map(|node| shares.get(node)).collect()
}

fn verified(arena: &Arena, solution: &MoneySolution, context: &str) {
    let (win, draw) = (all(arena, &solution.win), all(arena, &solution.draw));
    verify::money(arena, &solution.mechanism, &win, &draw, &Unwatched)
        .unwrap_or_else(|flaw| panic!("{context}: {flaw}"));
}

fn width(arena: &Arena, solution: &MoneySolution) -> f64 {
    let shares = [&solution.win, &solution.draw];
    let wide = |bounds: ShareBounds| Share::less(&bounds.high, &bounds.low).to_f64();
    shares.iter().flat_map(|shares| all(arena, shares)).map(wide).fold(0.0, f64::max)
}

fn small(seed: u64) -> Arena {
    let mut rng = Rng::with_seed(seed);
    let shape = Shape { positions: rng.u32(1..=8), moves: rng.u32(1..=3), cyclic: rng.bool(), draws: rng.bool() };
    arenas::random(shape, &mut rng).unwrap()
}

#[test]
fn every_solution_is_proved() {
    let [exact, narrow, wide] = [const { AtomicUsize::new(0) }; 3];
    (0..count()).into_par_iter().for_each(|seed| {
        let arena = small(seed);
        for text in PAYMENTS {
            let solution = solve(&arena, &payment(text), &Options::default());
            verified(&arena, &solution, &format!("seed {seed}, {text}"));
            assert!(!arena.is_acyclic() || solution.is_exact());
            let seen = if solution.is_exact() {
                &exact
            } else if width(&arena, &solution) <= 2f64.powi(-40) {
                &narrow
            } else {
                println!("seed {seed}, {text}: {}", width(&arena, &solution));
                &wide
            };
            seen.fetch_add(1, Ordering::Relaxed);
        }
    });
    let [exact, narrow, wide] = [exact, narrow, wide].map(AtomicUsize::into_inner);
    println!("{exact} exact, {narrow} within 2^-40, {wide} wider");
    assert!(exact > 100 && narrow > 100 && wide * 100 < narrow);
}
