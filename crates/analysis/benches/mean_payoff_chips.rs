//! Mean payoff and least credits with chips on large arenas:
//! `cargo bench -p richman-analysis --bench mean_payoff_chips [-- NAME]`.
//!
//! The verifier proves each answer before its time is printed.

use std::time::Instant;

use fastrand::Rng;
use richman_check::verify;
use richman_core::{
    Effort, MeanPayoffArena, MeanPayoffArenaBuilder, Mechanism, Node, Player, PositionKind, Total, Unwatched,
};
use richman_solvers::mean_payoff;

type Moves = [Vec<(Node, i64)>; 2];

/// A kind of arena by its name: its positions, the chips, and the moves from each position.
type Family = (&'static str, Node, u64, fn(Node, Node) -> (Moves, PositionKind));

fn draw(node: Node) -> Rng {
    Rng::with_seed(u64::from(node))
}

fn both(to: &[Node], weight: i64) -> (Moves, PositionKind) {
    let moves: Vec<(Node, i64)> = to.iter().map(|&to| (to, weight)).collect();
    ([moves.clone(), moves], PositionKind::Bid)
}

/// Three random moves of both, weights from -4 to 4.
fn random(node: Node, count: Node) -> (Moves, PositionKind) {
    let mut rng = draw(node);
    let to: Vec<Node> = (0..3).map(|_| rng.u32(..count)).chain([(node + 1) % count]).collect();
    both(&to, rng.i64(-4..=4))
}

/// Two random moves of each player, and positions where one moves without a bid.
fn own(node: Node, count: Node) -> (Moves, PositionKind) {
    use PositionKind::{Bid, Owned};
    let mut rng = draw(node);
    let kind = *rng.choice(&[Bid, Bid, Bid, Owned(Player::Alice), Owned(Player::Bob)]).unwrap_or(&Bid);
    let moves = Player::BOTH.map(|player| {
        let most = if kind == Owned(player.other()) { 0 } else { 2 };
        (0..most).map(|_| (rng.u32(..count), rng.i64(-4..=4))).collect()
    });
    (moves, kind)
}

/// Steps to both sides, loops at both ends; steps from the last position count.
fn path(at: Node, count: Node) -> (Moves, PositionKind) {
    both(&[at.saturating_sub(1), (at + 1).min(count - 1)], i64::from(at + 1 == count))
}

/// A torus with random weights.
fn grid(at: Node, count: Node) -> (Moves, PositionKind) {
    let side = count.isqrt();
    let (row, column) = (at / side, at % side);
    let to = |row: Node, column: Node| row % side * side + column % side;
    let all = [(row, column + 1), (row, column + side - 1), (row + 1, column), (row + side - 1, column)];
    both(&all.map(|(row, column)| to(row, column)), draw(at).i64(-4..=4))
}

/// Two rails with steps forward, across and back.
fn ladder(at: Node, count: Node) -> (Moves, PositionKind) {
    let rungs = count / 2;
    let (rung, rail) = (at / 2, at % 2);
    let to = |rung: Node, rail: Node| 2 * (rung % rungs) + rail;
    both(&[to(rung + 1, rail), to(rung, 1 - rail), to(rung + rungs - 1, rail)], i64::from((rung + 3 * rail) % 7) - 3)
}

/// A ring in one direction, on which one may also stay.
fn ring(at: Node, count: Node) -> (Moves, PositionKind) {
    both(&[at, (at + 1) % count], draw(at).i64(-4..=4))
}

fn built(count: Node, family: impl Fn(Node, Node) -> (Moves, PositionKind)) -> MeanPayoffArena {
    let mut builder = MeanPayoffArenaBuilder::new();
    for node in 0..count {
        let ([alice, bob], kind) = family(node, count);
        builder.labelled(&alice, &bob, kind);
    }
    builder.build(0).expect("all have moves")
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let all: [Family; 6] = [
        ("random", 4096, 30, random),
        ("own", 4096, 30, own),
        ("path", 32, 40, path),
        ("grid", 64, 20, grid),
        ("ladder", 64, 20, ladder),
        ("ring", 1024, 30, ring),
    ];
    let (mechanism, effort) = (Mechanism::default(), Effort::default());
    for (name, count, chips, family) in all {
        if !wanted.is_empty() && !wanted.iter().any(|one| one == name) {
            continue;
        }
        let arena = built(count, family);
        let total = Total::new(chips as u32).expect("a small total");
        let start = Instant::now();
        let solved = mean_payoff::chips(&arena, &mechanism, total, &effort).expect("it is served");
        let took = start.elapsed();
        let start = Instant::now();
        verify::mean_payoff_chips(&arena, &solved, &Unwatched).expect("the averages are right");
        let proved = start.elapsed();
        let start = Instant::now();
        let credits = mean_payoff::energy(&arena, &mechanism, total, &effort).expect("it is served");
        let credits_took = start.elapsed();
        let start = Instant::now();
        verify::energy_chips(&arena, &credits, &Unwatched).expect("the credits are right");
        println!(
            "{name:<8} {} positions, {chips} chips, {} averages: {took:.2?}, proof {proved:.2?}; \
             credits up to {}: {credits_took:.2?}, proof {:.2?}",
            arena.len(),
            solved.averages.len(),
            credits.credits.iter().flatten().max().unwrap_or(&0),
            start.elapsed()
        );
    }
}
