//! Parity on large arenas, with chips and with real money:
//! `cargo bench -p richman-analysis --bench parity [-- NAME]`.
//!
//! Each answer is proved by the verifier before its time is printed. With real money the time of
//! reachability on the same moves stands beside it.

use std::time::Instant;

use fastrand::Rng;
use richman_check::{arenas, verify};
use richman_core::{
    Arena, ArenaBuilder, ByPlayer, Effort, Mechanism, Node, ParityArena, ParityArenaBuilder, Player, Priority,
    ShareBounds, Terminal, Total, Unwatched,
};
use richman_solvers::{money, parity};

const POSITIONS: Node = 100_000;
const TOTAL: u64 = 100;
const PRIORITIES: u32 = 5;

type Moves = [Vec<(Node, ())>; 2];

/// A kind of arena by its name.
type Family = (&'static str, fn() -> ParityArena);

fn built(count: Node, mut drawn: impl FnMut(Node) -> (Moves, u32)) -> ParityArena {
    let mut builder = ParityArenaBuilder::new();
    for node in 0..count {
        let ([alice, bob], priority) = drawn(node);
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

/// The random arena, where one move in a thousand ends the game.
fn ending() -> ParityArena {
    let mut rng = Rng::with_seed(3);
    let mut builder = ParityArenaBuilder::new();
    for player in Player::BOTH {
        builder.terminal(player);
    }
    for _ in 0..POSITIONS {
        let mut moves = || {
            let to = |_| if rng.u32(..1000) == 0 { rng.u32(..2) } else { rng.u32(2..POSITIONS + 2) };
            (0..3).map(to).map(|to| (to, ())).collect::<Vec<_>>()
        };
        let (alice, bob) = (moves(), moves());
        builder.labelled(&alice, &bob, Priority(rng.u32(..PRIORITIES)));
    }
    builder.build(2).expect("every player has a move")
}

/// A line of small parts with loops, each with a way back and a way out: values differ everywhere.
fn stairs() -> ParityArena {
    const PART: Node = 10;
    let mut rng = Rng::with_seed(4);
    let mut builder = ParityArenaBuilder::new();
    for player in Player::BOTH {
        builder.terminal(player);
    }
    for node in 2..POSITIONS + 2 {
        let first = (node - 2) / PART * PART + 2;
        let mut moves = || {
            let out = match rng.u32(..8) {
                0 => rng.u32(..2),
                1 => first.saturating_sub(rng.u32(1..=PART)),
                _ => first + rng.u32(..PART),
            };
            vec![(first + rng.u32(..PART), ()), (out.min(POSITIONS + 1), ())]
        };
        let (alice, bob) = (moves(), moves());
        builder.labelled(&alice, &bob, Priority(rng.u32(..PRIORITIES)));
    }
    builder.build(POSITIONS + 1).expect("every player has a move")
}

/// Who wins games without bids, from their arenas; both players' moves prove it.
fn without_bids(wanted: &dyn Fn(&str) -> bool) {
    fn random(positions: Node, moves: usize, priorities: u32) -> ParityArena {
        arenas::without_bids(positions, moves, priorities, &mut Rng::with_seed(5)).expect("every player has a move")
    }
    let all: [Family; 5] = [
        ("turns", || random(100_000, 3, 8)),
        ("turns", || random(1_000_000, 3, 8)),
        ("turns", || random(100_000, 2, 100)),
        ("recursive", || arenas::friedmann(1_000).expect("every player has a move")),
        ("rungs", || arenas::priority_ladder(2_000).expect("every player has a move")),
    ];
    for (name, arena) in all.into_iter().filter(|(name, _)| wanted(name)) {
        let arena = arena();
        let start = Instant::now();
        let won = parity::without_bids(&arena, &Effort::default()).expect("nobody bids");
        let solved = start.elapsed();
        let start = Instant::now();
        let (mechanism, total) = (Mechanism::default(), Total::new(0).expect("a small total"));
        let solution = parity::chips(&arena, &mechanism, total, &Effort::default()).expect("it is served");
        let plans = parity::plans(&arena, &solution, &Effort::default()).expect("there are plans");
        let plans = ByPlayer::new(&plans.alice[..], &plans.bob[..]);
        verify::parity(&arena, &solution, plans, &Unwatched).expect("the winners are right");
        let alice = arena.nodes().filter(|&node| won.winner(node) == Player::Alice).count();
        assert_eq!(alice, solution.thresholds.iter().filter(|needed| needed.plain == 0).count());
        println!(
            "{name:<9} {} positions without bids, {} moves, Alice wins {alice}: {solved:.2?}, again with proof {:.2?}",
            arena.len(),
            arena.edges(),
            start.elapsed()
        );
    }
}

/// The same moves without priorities: nobody wins play that never ends.
fn reachability(arena: &ParityArena) -> Arena {
    let mut builder = ArenaBuilder::new();
    for node in arena.nodes() {
        match arena.terminal(node) {
            Some(winner) => builder.terminal(Terminal::Win(winner)),
            None => builder.position(arena.moves(node, Player::Alice), arena.moves(node, Player::Bob)),
        };
    }
    builder.build(arena.start()).expect("every player has a move")
}

fn with_money(name: &str, arena: &ParityArena, payment: &str) {
    let mechanism = Mechanism { payment: payment.parse().expect("a payment"), ..Mechanism::default() };
    let effort = Effort::default();
    let ending = reachability(arena);
    let start = Instant::now();
    money::solve(&ending, &mechanism, &effort).expect("it is served");
    let reached = start.elapsed();
    let start = Instant::now();
    let solution = parity::money(arena, &mechanism, &effort).expect("it is served");
    let solved = start.elapsed();
    let bounds: Vec<ShareBounds> = arena.nodes().map(|node| solution.thresholds.get(node)).collect();
    let start = Instant::now();
    let strategies = ByPlayer::new(&solution.strategies.alice[..], &solution.strategies.bob[..]);
    verify::parity_money(arena, &mechanism, &bounds, strategies, &Unwatched).expect("the bounds are right");
    let proved = start.elapsed();
    let width = bounds.iter().map(|one| one.high.to_f64() - one.low.to_f64()).fold(0.0, f64::max);
    let mixed = bounds.iter().filter(|one| one.low.to_f64() > 0.0 && one.high.to_f64() < 1.0).count();
    println!(
        "{name:<8} {payment}, {mixed} with a threshold between 0 and 1, {} exact, bounds up to {width:.1e} wide: \
         {solved:.2?} ({:.1} times reachability, {reached:.2?}), proof {proved:.2?}",
        solution.thresholds.exact_count(),
        solved.as_secs_f64() / reached.as_secs_f64()
    );
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let all: [Family; 6] = [
        ("random", random),
        ("path", path),
        ("grid", grid),
        ("ladder", ladder),
        ("ending", ending),
        ("stairs", stairs),
    ];
    let (mechanism, effort) = (Mechanism::default(), Effort::default());
    let total = Total::new(TOTAL as u32).expect("a small total");
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|one| one == name);
    without_bids(&is_wanted);
    for (name, arena) in all.into_iter().filter(|(name, _)| is_wanted(name)) {
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
        for payment in ["richman", "poorman"] {
            with_money(name, &arena, payment);
        }
    }
}
