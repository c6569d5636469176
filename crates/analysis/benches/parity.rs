//! Parity with chips on large arenas: `cargo bench -p richman-analysis --bench parity [-- NAME]`.
//!
//! Each answer is proved by the verifier before its time is printed.

use std::time::Instant;

use fastrand::Rng;
use richman_check::verify;
use richman_core::{ByPlayer, Effort, Mechanism, Node, ParityArena, ParityArenaBuilder, Priority, Total, Unwatched};
use richman_solvers::parity;

const POSITIONS: Node = 100_000;
const TOTAL: u64 = 100;
const PRIORITIES: u32 = 5;

type Moves = [Vec<(Node, ())>; 2];

/// A kind of arena by its name.
type Family = (&'static str, fn() -> ParityArena);

fn built(count: Node, mut place: impl FnMut(Node) -> (Moves, u32)) -> ParityArena {
    let mut builder = ParityArenaBuilder::new();
    for node in 0..count {
        let ([alice, bob], priority) = place(node);
        builder.labelled(&alice, &bob, Priority(priority));
    }
    builder.build(0).expect("every player has a move")
}

fn both(to: &[Node]) -> Moves {
    let to: Vec<(Node, ())> = to.iter().map(|&to| (to, ())).collect();
    [to.clone(), to]
}

/// Three random moves of each player.
fn random() -> ParityArena {
    let mut rng = Rng::with_seed(1);
    built(POSITIONS, |_| {
        let moves = [(); 2].map(|()| (0..3).map(|_| (rng.u32(..POSITIONS), ())).collect());
        (moves, rng.u32(..PRIORITIES))
    })
}

/// Steps to both sides, loops at both ends; only the last position is good for Alice.
fn path() -> ParityArena {
    built(POSITIONS, |at| {
        let to = [at.saturating_sub(1), (at + 1).min(POSITIONS - 1)];
        (both(&to), if at + 1 == POSITIONS { 2 } else { 1 })
    })
}

/// A grid with random priorities: Alice goes right or left, Bob up or down, round the edges.
fn grid() -> ParityArena {
    const SIDE: Node = 316;
    let mut rng = Rng::with_seed(2);
    built(SIDE * SIDE, |at| {
        let (row, col) = (at / SIDE, at % SIDE);
        let to = |row: Node, col: Node| (row % SIDE * SIDE + col % SIDE, ());
        let moves = [vec![to(row, col + 1), to(row, col + SIDE - 1)], vec![to(row + 1, col), to(row + SIDE - 1, col)]];
        (moves, rng.u32(..PRIORITIES))
    })
}

/// Two rails with steps forward, across and back, and priorities that repeat.
fn ladder() -> ParityArena {
    let rungs = POSITIONS / 2;
    built(2 * rungs, |at| {
        let (rung, rail) = (at / 2, at % 2);
        let to = |rung: Node, rail: Node| (2 * (rung % rungs) + rail, ());
        let moves =
            [vec![to(rung + 1, rail), to(rung, 1 - rail)], vec![to(rung + rungs - 1, rail), to(rung, 1 - rail)]];
        (moves, (rung + rail) % PRIORITIES)
    })
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let all: [Family; 4] = [("random", random), ("path", path), ("grid", grid), ("ladder", ladder)];
    let (mechanism, effort) = (Mechanism::default(), Effort::default());
    let total = Total::new(TOTAL).expect("a small total");
    for (name, arena) in all.into_iter().filter(|(name, _)| wanted.is_empty() || wanted.iter().any(|one| one == name)) {
        let arena = arena();
        let _ = arena.components();
        let start = Instant::now();
        let solution = parity::chips(&arena, &mechanism, total, &effort).expect("it is served");
        let solved = start.elapsed();
        let start = Instant::now();
        let plans = parity::plans(&arena, &solution, &effort).expect("there are plans");
        let planned = start.elapsed();
        let start = Instant::now();
        let plans = ByPlayer::new(&plans.alice[..], &plans.bob[..]);
        verify::parity(&arena, &solution, plans, &Unwatched).expect("the thresholds are right");
        let mixed = solution.thresholds.iter().filter(|one| (1..=TOTAL as u32).contains(&one.plain)).count();
        println!(
            "{name:<8} {} positions, {} moves, {mixed} with a threshold between nothing and everything: \
             thresholds {solved:.2?}, plans {planned:.2?}, proof {:.2?}",
            arena.len(),
            arena.edges(),
            start.elapsed()
        );
    }
}
