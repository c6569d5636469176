//! Mean payoff with real money on large arenas:
//! `cargo bench -p richman-analysis --bench mean_payoff [-- NAME]`.
//!
//! The verifier proves each answer before its time is printed.

use std::time::Instant;

use dashu_ratio::RBig;
use fastrand::Rng;
use richman_check::verify;
use richman_core::{Effort, MeanPayoffArenaBuilder, Mechanism, Node, Payment, PositionKind, Share, Unwatched};
use richman_solvers::mean_payoff;

const POSITIONS: Node = 100_000;

/// A kind of arena by its name.
type Family = (&'static str, fn(Node) -> (Vec<Node>, i64));

fn draw(node: Node) -> Rng {
    Rng::with_seed(u64::from(node))
}

/// Three random moves, weights from 0 to 9.
fn random(node: Node) -> (Vec<Node>, i64) {
    let mut rng = draw(node);
    ((0..3).map(|_| rng.u32(..POSITIONS)).chain([(node + 1) % POSITIONS]).collect(), rng.i64(0..10))
}

/// Steps to both sides, loops at both ends; only the last position counts.
fn path(at: Node) -> (Vec<Node>, i64) {
    (vec![at.saturating_sub(1), (at + 1).min(POSITIONS - 1)], i64::from(at + 1 == POSITIONS))
}

/// A torus with random weights.
fn grid(at: Node) -> (Vec<Node>, i64) {
    const SIDE: Node = 316;
    let (row, column) = (at / SIDE % SIDE, at % SIDE);
    let to = |row: Node, column: Node| row % SIDE * SIDE + column % SIDE;
    let all = [(row, column + 1), (row, column + SIDE - 1), (row + 1, column), (row + SIDE - 1, column)];
    (all.iter().map(|&(row, column)| to(row, column)).collect(), draw(at).i64(0..10))
}

/// Two rails with steps forward, across and back.
fn ladder(at: Node) -> (Vec<Node>, i64) {
    let rungs = POSITIONS / 2;
    let (rung, rail) = (at / 2, at % 2);
    let to = |rung: Node, rail: Node| 2 * (rung % rungs) + rail;
    (vec![to(rung + 1, rail), to(rung, 1 - rail), to(rung + rungs - 1, rail)], i64::from((rung + 3 * rail) % 7))
}

/// A ring in one direction, on which one may also stay.
fn ring(at: Node) -> (Vec<Node>, i64) {
    (vec![at, (at + 1) % POSITIONS], draw(at).i64(0..10))
}

/// What is needed for an average, where 1,000 components of 50 positions can be reached.
fn at_least() {
    const SIZE: Node = 50;
    let mut builder = MeanPayoffArenaBuilder::new();
    for node in 0..POSITIONS {
        let mut rng = draw(node);
        let first = node / SIZE * SIZE;
        let target = |rng: &mut Rng| match node < POSITIONS / 2 {
            true => rng.u32(node..POSITIONS),
            false => first + rng.u32(..SIZE),
        };
        let next = if node < POSITIONS / 2 { node + 1 } else { first + (node + 1) % SIZE };
        let to = [next, target(&mut rng), target(&mut rng)];
        let moves: Vec<(Node, i64)> = to.into_iter().map(|to| (to, rng.i64(0..10))).collect();
        builder.labelled(&moves, &moves, PositionKind::Bid);
    }
    let arena = builder.build(0).expect("both have moves");
    for payment in ["richman", "poorman", "taxman:1/2"] {
        let mechanism = Mechanism { payment: payment.parse().expect("a payment"), ..Mechanism::default() };
        let start = Instant::now();
        let least = RBig::from_parts(9.into(), 2u8.into());
        let solved = mean_payoff::at_least(&arena, &mechanism, &least, &Effort::default()).expect("it is served");
        let took = start.elapsed();
        let start = Instant::now();
        verify::payoff_thresholds(&arena, &solved, &Unwatched).expect("the shares are right");
        let widths = solved.thresholds.iter().map(|bounds| bounds.high.to_f64() - bounds.low.to_f64());
        println!(
            "at least 9/2 {payment} {} positions: {}, within {:.1e}: {took:.2?}, proof {:.2?}",
            arena.len(),
            solved.thresholds[0].low.to_f64(),
            widths.fold(0.0, f64::max),
            start.elapsed()
        );
    }
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    if wanted.is_empty() || wanted.iter().any(|one| one == "at_least") {
        at_least();
    }
    let all: [Family; 5] = [("random", random), ("path", path), ("grid", grid), ("ladder", ladder), ("ring", ring)];
    for (name, family) in all.into_iter().filter(|(name, _)| wanted.is_empty() || wanted.iter().any(|one| one == name))
    {
        let mut builder = MeanPayoffArenaBuilder::new();
        let count = if name == "grid" { 316 * 316 } else { POSITIONS };
        for node in 0..count {
            let (to, weight) = family(node);
            let moves: Vec<(Node, i64)> = to.into_iter().map(|to| (to.min(count - 1), weight)).collect();
            builder.labelled(&moves, &moves, PositionKind::Bid);
        }
        let arena = builder.build(0).expect("both have moves");
        for payment in ["richman", "poorman"] {
            let payment: Payment = payment.parse().expect("a payment");
            let mechanism = Mechanism { payment, ..Mechanism::default() };
            let share = Share::mean(&Share::ONE, &Share::dyadic(1, 2));
            let start = Instant::now();
            let solved = match mean_payoff::money(&arena, &mechanism, &share, &Effort::default()) {
                Ok(solved) => solved,
                Err(error) => {
                    println!("{name:<8} {}: {error}, {:.2?}", mechanism.payment, start.elapsed());
                    continue;
                }
            };
            let took = start.elapsed();
            let start = Instant::now();
            verify::mean_payoff(&arena, &solved, &Unwatched).expect("the bounds are right");
            let (value, width) = (solved.value.low.to_f64().value(), &solved.value.high - &solved.value.low);
            println!(
                "{name:<8} {} {} positions, {} moves: {value:.9}, within {:.1e}: {took:.2?}, proof {:.2?}",
                mechanism.payment,
                arena.len(),
                arena.edges(),
                width.to_f64().value(),
                start.elapsed()
            );
        }
    }
}
