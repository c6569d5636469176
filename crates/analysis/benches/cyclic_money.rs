//! The time that real money takes on large components: `cargo bench -p richman-analysis`.
//!
//! Afterwards the verifier proves every timed solution, and a simple reference, two-sided
//! Gauss-Seidel iteration in doubles, checks the bounds. Prints a table. `RICHMAN_BENCH=quick`
//! skips the largest arena and the reference.

use std::fs;
use std::time::{Duration, Instant};

use fastrand::Rng;
use richman_analysis::Subject;
use richman_check::{arenas, verify};
use richman_core::{
    Arena, ArenaBuilder, Effort, Error, Exactness, Mechanism, Node, Payment, Player, Share, ShareBounds, Shares,
    Terminal, Unwatched,
};
use richman_solvers::money;

struct Case {
    name: &'static str,
    arena: Arena,
    exact: bool,
    limit: Duration,
}

/// A random arena in which the value of the start is neither 0 nor 1, so that sets of positions
/// alone do not decide it.
fn random(positions: u32, shared: bool) -> Arena {
    let seed = match (shared, positions) {
        (true, _) => 1,
        (false, 10_000) => 5,
        (false, _) => 2,
    };
    arenas::one_component(positions, 3, shared, &mut Rng::with_seed(seed)).unwrap()
}

fn path(length: u32) -> Arena {
    let mut builder = ArenaBuilder::new();
    builder.terminal(Terminal::Win(Player::Alice));
    for node in 1..length {
        builder.position(&[node - 1, node + 1], &[node - 1, node + 1]);
    }
    builder.terminal(Terminal::Win(Player::Bob));
    builder.build(length / 2).unwrap()
}

fn all(arena: &Arena, shares: &Shares) -> Vec<ShareBounds> {
    arena.nodes().map(|node| shares.get(node)).collect()
}

/// Solves, proves, and prints a line; returns the win thresholds and the time to solve.
fn run(case: &Case) -> (Vec<ShareBounds>, Duration) {
    const WIDTH: f64 = 1e-12;
    let effort = Effort {
        exactness: if case.exact { Exactness::Required } else { Exactness::Preferred },
        width: WIDTH,
        memory: 8 << 30,
        ..Effort::default()
    };
    let start = Instant::now();
    let solution = money::solve(&case.arena, &Mechanism::default(), &effort).unwrap();
    let solved = start.elapsed();
    let (win, draw) = (all(&case.arena, &solution.win), all(&case.arena, &solution.draw));
    let start = Instant::now();
    verify::money(&case.arena, &Mechanism::default(), &win, &draw, &Unwatched).unwrap();
    let verified = start.elapsed();
    let width = |bounds: &ShareBounds| bounds.high.to_f64() - bounds.low.to_f64();
    let widest = win.iter().chain(&draw).map(width).fold(0.0, f64::max);
    let start = &win[case.arena.start() as usize];
    assert!(start.low > Share::ZERO && start.high < Share::ONE, "{}: a trivial arena", case.name);
    let bits = win.iter().take(64).map(|bounds| bounds.low.denominator_bits()).max().unwrap_or(0);
    assert_eq!(solution.is_exact(), case.exact, "{}", case.name);
    assert!(widest <= WIDTH, "{}: bounds {widest:e} wide", case.name);
    let what = if case.exact { format!("exact, {bits} bits") } else { format!("width {widest:.1e}") };
    println!(
        "{:<44} {:>8.2} s to solve, {:>7.2} s to verify (limit {:>3} s together where exact)  {what}",
        case.name,
        solved.as_secs_f64(),
        verified.as_secs_f64(),
        case.limit.as_secs()
    );
    let counted = if case.exact { solved + verified } else { solved };
    assert!(counted <= case.limit, "{}: {counted:?}", case.name);
    (win, solved)
}

/// Prints how narrow the bounds are when the time is up, and proves them.
fn stopped(arena: &Arena) {
    let mut before = 1.0;
    for seconds in [4, 8, 16] {
        let start = Instant::now();
        let effort = Effort { memory: 8 << 30, ..Effort::default() }.within_time(Duration::from_secs(seconds));
        let solution = money::solve(arena, &Mechanism::default(), &effort).unwrap();
        let took = start.elapsed();
        let (win, draw) = (all(arena, &solution.win), all(arena, &solution.draw));
        verify::money(arena, &Mechanism::default(), &win, &draw, &Unwatched).unwrap();
        let widest = win.iter().map(|bounds| Share::less(&bounds.high, &bounds.low).to_f64()).fold(0.0, f64::max);
        println!("  stopped after {seconds:>2} s ({:.1} s): bounds {widest:.1e} wide", took.as_secs_f64());
        assert!(widest <= before, "{widest:e} after {before:e}");
        before = widest;
    }
    assert!(before < 1.0, "{before:e}");
}

/// Iterates Alice's chance from both sides until the widest gap is at most `width`; returns the
/// lower values.
fn two_sided_gauss_seidel(arena: &Arena, width: f64) -> Vec<f64> {
    let won = |node: Node| arena.terminal(node) == Some(Terminal::Win(Player::Alice));
    let start = |open: f64| -> Vec<f64> {
        let value = |node| {
            if won(node) {
                1.0
            } else if arena.terminal(node).is_some() {
                0.0
            } else {
                open
            }
        };
        arena.nodes().map(value).collect()
    };
    let (mut low, mut high) = (start(0.0), start(1.0));
    loop {
        let mut widest = 0.0f64;
        for node in arena.nodes().filter(|&node| arena.terminal(node).is_none()) {
            let v = node as usize;
            for values in [&mut low, &mut high] {
                let own = arena.moves(node, Player::Alice).iter().map(|&to| values[to as usize]).fold(0.0, f64::max);
                let other = arena.moves(node, Player::Bob).iter().map(|&to| values[to as usize]).fold(1.0, f64::min);
                values[v] = 0.5 * (own + other);
            }
            widest = widest.max(high[v] - low[v]);
        }
        if widest <= width {
            return low;
        }
    }
}

/// Real money with payment to the bank: tic-tac-toe exactly, and a large component between bounds.
fn poorman() {
    const WIDTH: f64 = 9.094947017729282e-13; // 2^-40
    let mechanism = Mechanism { payment: Payment::Poorman, ..Mechanism::default() };
    let board = Subject::named("tic-tac-toe").unwrap().unfold(None, &Effort::default()).unwrap();
    let [cyclic, large, path] = [random(1_000, true), random(100_000, false), path(2_000)];
    for (name, arena, exact) in [
        ("poorman tic-tac-toe, exact", board.arena(), true),
        ("poorman, 1,000 positions, shared moves", &cyclic, false),
        ("poorman, 100,000 positions, own moves", &large, false),
        ("poorman tug-of-war of length 2,000", &path, false),
    ] {
        let start = Instant::now();
        let solution = money::solve(arena, &mechanism, &Effort { width: WIDTH, ..Effort::default() }).unwrap();
        let solved = start.elapsed();
        let (win, draw) = (all(arena, &solution.win), all(arena, &solution.draw));
        verify::money(arena, &mechanism, &win, &draw, &Unwatched).unwrap();
        let width = |bounds: &ShareBounds| Share::less(&bounds.high, &bounds.low).to_f64();
        let widest = win.iter().chain(&draw).map(width).fold(0.0, f64::max);
        assert!(widest <= WIDTH && solution.is_exact() == exact, "{name}: {widest:e}");
        let of_start = &win[arena.start() as usize];
        assert!(of_start.low > Share::ZERO && of_start.high < Share::ONE, "{name}: a trivial arena");
        if exact {
            assert_eq!(of_start.to_string(), "396925/786688");
        }
        println!("{name:<44} {:>8.3} s to solve, width {widest:.1e}", solved.as_secs_f64());
        assert!(solved <= Duration::from_secs(10), "{name}: {solved:?}");
    }
}

/// Proved bounds for a million positions without a cycle, with plays so long that exact thresholds
/// would take gigabytes.
fn long_plays() {
    const POSITIONS: u32 = 1_000_000;
    const NEAR: u32 = 20;
    const MEMORY: u64 = 256 << 20;
    let mut rng = Rng::with_seed(3);
    let mut builder = ArenaBuilder::new();
    builder.terminal(Terminal::Win(Player::Alice));
    builder.terminal(Terminal::Win(Player::Bob));
    for node in 2..POSITIONS {
        // One player's move leads on, the other's sometimes to an end.
        let near = rng.u32(node.saturating_sub(NEAR)..node);
        let far = if rng.u32(0..100) == 0 { rng.u32(0..2) } else { rng.u32(node.saturating_sub(NEAR)..node) };
        let (alice, bob) = if rng.bool() { ([near], [far]) } else { ([far], [near]) };
        builder.position(&alice, &bob);
    }
    let arena = builder.build(POSITIONS - 1).unwrap();
    let effort = |exactness| Effort { exactness, memory: MEMORY, held: arena.bytes(), ..Effort::default() };
    let refused = money::solve(&arena, &Mechanism::default(), &effort(Exactness::Required)).unwrap_err();
    let Error::TooMuchMemory { needed, .. } = refused else { panic!("{refused}") };
    assert!(needed > 8 << 30, "exact thresholds take {needed} bytes");
    // Asks Linux to forget the peak memory of earlier work.
    let before = fs::write("/proc/self/clear_refs", "5").ok().and_then(|()| peak());
    let start = Instant::now();
    let solution = money::solve(&arena, &Mechanism::default(), &effort(Exactness::Preferred)).unwrap();
    let solved = start.elapsed();
    let held = peak().zip(before).map(|(after, before)| after - before + arena.bytes());
    let (win, draw) = (all(&arena, &solution.win), all(&arena, &solution.draw));
    let start = Instant::now();
    verify::money(&arena, &Mechanism::default(), &win, &draw, &Unwatched).unwrap();
    let verified = start.elapsed();
    let width = |bounds: &ShareBounds| Share::less(&bounds.high, &bounds.low);
    let widest = win.iter().chain(&draw).map(width).max().unwrap();
    let of_start = &win[arena.start() as usize];
    assert!(of_start.low > Share::ZERO && of_start.low < of_start.high && of_start.high < Share::ONE);
    assert!(!solution.is_exact() && widest <= Share::dyadic(u64::from(POSITIONS), 62));
    println!(
        "{:<44} {:>8.2} s to solve, {:>7.2} s to verify  width {:.1e}, {} MiB (exact: {} GiB)",
        "1,000,000 positions, long plays, no cycle",
        solved.as_secs_f64(),
        verified.as_secs_f64(),
        widest.to_f64(),
        held.map_or("?".to_string(), |bytes| (bytes >> 20).to_string()),
        needed >> 30
    );
    assert!(held.is_none_or(|bytes| bytes <= MEMORY), "{held:?} bytes");
    assert!(solved <= Duration::from_secs(5), "{solved:?}");
}

/// The peak memory in bytes, if the system reports it.
fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kibibytes| kibibytes << 10)
}

fn main() {
    long_plays();
    poorman();
    let quick = std::env::var("RICHMAN_BENCH").is_ok_and(|value| value == "quick");
    let seconds = Duration::from_secs;
    let mut cases = vec![
        Case { name: "tug-of-war of length 2,000", arena: path(2_000), exact: true, limit: seconds(1) },
        Case { name: "1,000 positions, shared moves", arena: random(1_000, true), exact: true, limit: seconds(2) },
        Case { name: "1,000 positions, own moves", arena: random(1_000, false), exact: true, limit: seconds(2) },
        Case { name: "10,000 positions, shared moves", arena: random(10_000, true), exact: true, limit: seconds(12) },
        Case { name: "10,000 positions, own moves", arena: random(10_000, false), exact: true, limit: seconds(12) },
        Case { name: "100,000 positions, own moves", arena: random(100_000, false), exact: false, limit: seconds(5) },
    ];
    if !quick {
        cases.push(Case {
            name: "1,000,000 positions, shared moves",
            arena: random(1_000_000, true),
            exact: false,
            limit: seconds(90),
        });
        let own = Case {
            name: "1,000,000 positions, own moves",
            arena: random(1_000_000, false),
            exact: false,
            limit: seconds(60),
        };
        stopped(&own.arena);
        cases.push(own);
    }
    for case in &cases {
        run(case);
    }
    let case =
        Case { name: "100,000 positions, shared moves", arena: random(100_000, true), exact: false, limit: seconds(5) };
    let (win, solved) = run(&case);
    if quick {
        return;
    }
    let start = Instant::now();
    let low = two_sided_gauss_seidel(&case.arena, 1e-9);
    let reference = start.elapsed();
    for (bounds, low) in win.iter().zip(&low) {
        assert!((bounds.low.complement().to_f64() - low).abs() <= 2e-9, "the reference disagrees");
    }
    let ratio = reference.as_secs_f64() / solved.as_secs_f64();
    println!(
        "two-sided Gauss-Seidel to 1e-9 on the same arena: {:.2} s, {ratio:.0} times as long",
        reference.as_secs_f64()
    );
    assert!(ratio >= 4.0);
}
