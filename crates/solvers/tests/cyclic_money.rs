//! Real money on arenas with cycles: against the enumeration of all policies, against iteration
//! from both sides, and on families that are hard for solvers.
//!
//! `RICHMAN_ARENAS` sets the number of small arenas (default 1,000); the deep run of the README
//! sets it to 20,000.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use fastrand::Rng;
use rayon::prelude::*;
use richman_check::arenas::{self, ArenaShape};
use richman_check::{policies, verify};
use richman_core::{
    Arena, Effort, Exactness, Mechanism, MoneySolution, Node, Player, Right, Share, ShareBounds, StopReason, Terminal,
    Unwatched, Watch,
};
use richman_solvers::{chips, money};

use crate::money_payments::{all, verified};
use crate::seeds::seeds;

fn solve(arena: &Arena, exactness: Exactness) -> MoneySolution {
    let effort = Effort { exactness, ..Effort::default() };
    money::solve(arena, &Mechanism::default(), &effort).unwrap()
}

fn small(seed: u64) -> Arena {
    let mut rng = Rng::with_seed(seed);
    let shape = ArenaShape {
        positions: rng.u32(1..=8),
        moves: rng.u32(1..=3),
        cyclic: true,
        draws: rng.bool(),
        owned: rng.bool(),
    };
    arenas::random(shape, &mut rng).unwrap()
}

#[test]
fn exact_thresholds_are_those_of_the_best_policies() {
    let Range { start, end } = seeds("RICHMAN_ARENAS", 1_000);
    let seeds = 5 * start..5 * end;
    let compared = AtomicUsize::new(0);
    let apart = AtomicUsize::new(0);
    seeds.clone().into_par_iter().for_each(|seed| {
        let arena = small(seed);
        let solution = solve(&arena, Exactness::Required);
        assert!(solution.is_exact());
        verified(&arena, &solution, &format!("seed {seed}"));
        let bounded = solve(&arena, Exactness::Bounds);
        verified(&arena, &bounded, &format!("bounds, seed {seed}"));
        for node in arena.nodes() {
            for (exact, bounds) in [(&solution.win, &bounded.win), (&solution.draw, &bounded.draw)]
                .map(|(e, b)| (e.get(node), b.get(node)))
            {
                assert!(
                    bounds.low <= exact.low && exact.low <= bounds.high,
                    "seed {seed}, node {node}: {exact} in {bounds}"
                );
            }
        }
        let [Some(alice), Some(bob)] = Player::BOTH.map(|player| policies::chance(&arena, player, 30_000)) else {
            return;
        };
        for node in arena.nodes() {
            let (alice, bob) = (&alice[node as usize], &bob[node as usize]);
            assert_eq!(solution.win.get(node), ShareBounds::exact(alice.complement()), "win, seed {seed}, node {node}");
            assert_eq!(solution.draw.get(node), ShareBounds::exact(bob.clone()), "draw, seed {seed}, node {node}");
            apart.fetch_add(usize::from(alice.complement() != *bob), Ordering::Relaxed);
        }
        compared.fetch_add(1, Ordering::Relaxed);
    });
    let (compared, apart) = (compared.into_inner(), apart.into_inner());
    println!("{compared} arenas compared with all policies; win and draw thresholds apart at {apart} positions");
    assert!(compared as u64 > seeds.count() as u64 * 6 / 10 && apart > compared / 10);
}

/// Chances from below and above by plain iteration in doubles; the upper ones may be too high if
/// play can go on forever.
fn iterated(arena: &Arena, player: Player) -> (Vec<f64>, Vec<f64>) {
    let won = |node: Node| arena.terminal(node) == Some(Terminal::Win(player));
    let start = |open: f64| -> Vec<f64> {
        arena
            .nodes()
            .map(|node| {
                if won(node) {
                    1.0
                } else if arena.terminal(node).is_some() {
                    0.0
                } else {
                    open
                }
            })
            .collect()
    };
    let (mut low, mut high) = (start(0.0), start(1.0));
    for _ in 0..20_000 {
        let mut widest = 0.0f64;
        for node in arena.nodes().filter(|&node| arena.terminal(node).is_none()) {
            for values in [&mut low, &mut high] {
                let own = arena.moves(node, player).iter().map(|&to| values[to as usize]).fold(0.0, f64::max);
                let other = arena.moves(node, player.other()).iter().map(|&to| values[to as usize]).fold(1.0, f64::min);
                values[node as usize] = 0.5 * (own + other);
            }
            widest = widest.max(high[node as usize] - low[node as usize]);
        }
        if widest <= 1e-12 {
            break;
        }
    }
    (low, high)
}

#[test]
fn exact_thresholds_lie_between_two_sided_iterations() {
    (0..500u64).into_par_iter().for_each(|seed| {
        let mut rng = Rng::with_seed(seed);
        let (positions, moves) = (rng.u32(20..=300), rng.u32(2..=4));
        let arena = arenas::one_component(positions, moves, rng.bool(), &mut rng).unwrap();
        let solution = solve(&arena, Exactness::Preferred);
        assert_eq!((solution.is_exact(), solution.stop), (true, StopReason::Proved), "seed {seed}");
        verified(&arena, &solution, &format!("seed {seed}"));
        let (low, high) = iterated(&arena, Player::Alice);
        for node in arena.nodes() {
            let chance = solution.win.get(node).low.complement().to_f64();
            let v = node as usize;
            assert!(
                low[v] - 1e-9 <= chance && chance <= high[v] + 1e-9,
                "seed {seed}: {} {chance} {}",
                low[v],
                high[v]
            );
            assert!((chance - low[v]).abs() <= 1e-11 || high[v] - low[v] > 1e-12, "seed {seed}");
        }
    });
}

#[test]
fn bounds_are_narrow_where_equal_moves_do_not_draw_play_out() {
    for seed in 0..40u64 {
        let mut rng = Rng::with_seed(seed);
        let arena = arenas::one_component(rng.u32(500..=2_000), 3, rng.bool(), &mut rng).unwrap();
        let bounded = solve(&arena, Exactness::Bounds);
        verified(&arena, &bounded, &format!("seed {seed}"));
        for node in arena.nodes() {
            for bounds in [bounded.win.get(node), bounded.draw.get(node)] {
                let width = bounds.high.to_f64() - bounds.low.to_f64();
                assert!(width <= 2f64.powi(-40), "seed {seed}, node {node}: {bounds}");
            }
        }
    }
}

/// The time is up at its question of this number, which waits for the deadline: in the same step on
/// every machine.
struct UpAt {
    asked: AtomicUsize,
    last: usize,
    deadline: Instant,
}

impl Watch for UpAt {
    fn cancelled(&self) -> bool {
        if self.asked.fetch_add(1, Ordering::Relaxed) == self.last {
            thread::sleep(self.deadline.saturating_duration_since(Instant::now()));
        }
        false
    }
}

#[test]
fn bounds_narrow_with_the_time() {
    const STOPS: usize = 12;
    for shared in [false, true] {
        let arena = arenas::one_component(3_000, 3, shared, &mut Rng::with_seed(1)).unwrap();
        let until = |last: usize, limit: Duration| {
            let watch = UpAt { asked: AtomicUsize::new(0), last, deadline: Instant::now() + limit };
            let effort = Effort {
                exactness: Exactness::Bounds,
                deadline: Some(watch.deadline),
                watch: &watch,
                ..Effort::default()
            };
            let solution = money::solve(&arena, &Mechanism::default(), &effort).unwrap();
            (solution, watch.asked.into_inner())
        };
        let start = Instant::now();
        let (whole, questions) = until(usize::MAX, Duration::from_secs(3_600));
        let alone = start.elapsed();
        assert_eq!(whole.stop, StopReason::Bounded);
        let width = |bounds: &ShareBounds| Share::less(&bounds.high, &bounds.low).to_f64();
        let widest = |solution: &MoneySolution| {
            verified(&arena, solution, "stopped");
            all(&arena, &solution.win).iter().map(width).fold(0.0, f64::max)
        };
        // Other tests run meanwhile: who has not come to the last question in its time gets more.
        let stopped: Vec<(MoneySolution, f64)> = (0..STOPS)
            .map(|stop| {
                let last = questions * stop / STOPS;
                let about = Duration::from_millis(50) + alone * (stop as u32 + 1) / STOPS as u32;
                let limits = (0..).map(|times| about + alone * times);
                let runs = limits.map(|limit| until(last, limit));
                let solution =
                    runs.skip_while(|(_, asked)| *asked <= last).map(|(solution, _)| solution).next().unwrap();
                let width = widest(&solution);
                (solution, width)
            })
            .collect();
        let widths: Vec<f64> = stopped.iter().map(|(_, width)| *width).collect();
        println!("{questions} questions: {widths:?}, at last {:e}", widest(&whole));
        assert!(stopped[..STOPS / 2].iter().all(|(solution, _)| solution.stop == StopReason::TimeUp));
        assert!(widths.is_sorted_by(|before, after| before >= after), "{widths:?}");
        let narrowed = widths.windows(2).filter(|pair| pair[1] < pair[0]).count();
        assert!(narrowed > 1 && widths[STOPS * 5 / 6] < 0.01 && widest(&whole) < 1e-12, "{widths:?}");
    }
}

#[test]
fn hard_families() {
    // On a path the value of a position is its distance from Alice's end.
    for length in [2u32, 3, 10, 500] {
        let arena = arenas::path(length).unwrap();
        let solution = solve(&arena, Exactness::Required);
        verified(&arena, &solution, "path");
        for node in arena.nodes() {
            let share: Share = format!("{node}/{length}").parse().unwrap();
            assert_eq!(solution.win.get(node), ShareBounds::exact(share));
        }
    }
    for rungs in [1, 2, 3, 20, 200] {
        let arena = arenas::ladder(rungs).unwrap();
        let solution = solve(&arena, Exactness::Required);
        verified(&arena, &solution, "ladder");
        assert_ne!(
            solution.win.get(arena.start()),
            solution.draw.get(arena.start()),
            "both can stay on a rung forever"
        );
    }
    for length in [1, 2, 3, 50, 400] {
        let arena = arenas::long_denominators(length).unwrap();
        let solution = solve(&arena, Exactness::Required);
        verified(&arena, &solution, "long denominators");
        let bits = solution.win.get(arena.start()).low.denominator_bits();
        assert!(bits + 4 >= length as usize, "{length} positions, {bits} bits");
    }
    for length in [1, 2, 10, 60] {
        let arena = arenas::long_way_back(length).unwrap();
        verified(&arena, &solve(&arena, Exactness::Required), "long way back");
    }
    for seed in 0..100u64 {
        let mut rng = Rng::with_seed(seed);
        let shape =
            ArenaShape { positions: rng.u32(2..=12), moves: 3, cyclic: true, draws: rng.bool(), owned: rng.bool() };
        let arena = arenas::equal_moves(shape, rng.u32(2..=4), &mut rng).unwrap();
        let solution = solve(&arena, Exactness::Required);
        verified(&arena, &solution, &format!("equal moves, seed {seed}"));
        verified(&arena, &solve(&arena, Exactness::Bounds), &format!("bounds, equal moves, seed {seed}"));
    }
}

/// [K, theorem 2.2]: if every play reaches an end, the equations have one solution. If play can go
/// on forever they have others, which the verifier must not take for thresholds.
#[test]
fn a_fixed_point_that_is_not_the_threshold_is_refused() {
    let mut refused = 0;
    for seed in 0..2_000u64 {
        let arena = small(seed);
        let solution = solve(&arena, Exactness::Required);
        let (mut win, draw) = (all(&arena, &solution.win), all(&arena, &solution.draw));
        // Iteration downwards from "Alice needs nothing" finds the other extreme solution of the
        // equations.
        let mut values: Vec<Share> = arena
            .nodes()
            .map(|node| match arena.terminal(node) {
                Some(Terminal::Win(Player::Alice)) | None => Share::ZERO,
                Some(_) => Share::ONE,
            })
            .collect();
        let turn = |node: Node, values: &[Share]| {
            let value = |&to: &Node| &values[to as usize];
            let alice = arena.moves(node, Player::Alice).iter().map(value).min();
            let bob = arena.moves(node, Player::Bob).iter().map(value).max();
            match arena.owner(node) {
                None => Share::mean(alice.unwrap(), bob.unwrap()),
                Some(owner) => owner.either(alice, bob).unwrap().clone(),
            }
        };
        for _ in 0..40 {
            for node in arena.nodes().filter(|&node| arena.terminal(node).is_none()) {
                values[node as usize] = turn(node, &values);
            }
        }
        let mut changed = false;
        let mut inner = arena.nodes().filter(|&node| arena.terminal(node).is_none());
        let fixed = inner.all(|node| values[node as usize] == turn(node, &values));
        if !fixed {
            continue;
        }
        for (win, value) in win.iter_mut().zip(&values) {
            changed |= win.low != *value;
            *win = ShareBounds::exact(value.clone());
        }
        let verdict = verify::money(&arena, &Mechanism::default(), &win, &draw, &Unwatched);
        assert_eq!(verdict.is_err(), changed, "seed {seed}");
        refused += usize::from(changed);
    }
    assert!(refused > 30, "only {refused} arenas had another fixed point");
}

/// [K, theorem 2.1] with a draw, not 1/2, at t = 0: a player with more than R(v, t) wins within t
/// moves. As printed, with 1/2 at t = 0, the theorem is already false at t = 0.
#[test]
fn truncated_thresholds_fall_to_the_threshold_and_chips_agree() {
    for seed in 0..200u64 {
        let arena = small(seed);
        let exact = solve(&arena, Exactness::Required);
        let mut last = Share::ONE;
        for moves in [0, 1, 2, 3, 5, 8, 20] {
            let effort = Effort { within: Some(moves), ..Effort::default() };
            let truncated = money::solve(&arena, &Mechanism::default(), &effort).unwrap();
            let share = truncated.win.get(arena.start()).low;
            assert!(share <= last && share >= exact.win.get(arena.start()).low, "seed {seed}, within {moves}");
            let total = richman_core::Total::new(1 << 24).unwrap();
            let chips = chips::solve(&arena, &Mechanism::default(), total, &effort).unwrap();
            let least = f64::from(chips.thresholds(arena.start()).win.plain) / f64::from(total.chips());
            assert!((least - share.to_f64()).abs() < 1e-5, "seed {seed}, within {moves}: {least} and {share}");
            last = share;
        }
    }
}

/// [K, theorem 2.2]: if both players have the same moves and every position can reach an end, the
/// cost function is unique: the extreme solutions of the equations are equal, and so the win and
/// draw thresholds.
#[test]
fn with_shared_moves_that_reach_an_end_the_thresholds_are_equal() {
    let mut compared = 0;
    for seed in 0..600u64 {
        let mut rng = Rng::with_seed(seed);
        let arena = arenas::one_component(rng.u32(1..=12), rng.u32(1..=3), true, &mut rng).unwrap();
        let nodes: Vec<Node> = arena.nodes().collect();
        let ended = |node: Node| arena.terminal(node).is_some();
        // Moves are shared, so a player's move that leads on lets play reach an end.
        let reach =
            richman_core::progress(&arena, &nodes, Player::Alice, ended, |_, _| true, |_| true, &Unwatched).unwrap();
        if reach.iter().any(Option::is_none) {
            continue;
        }
        compared += 1;
        let solution = solve(&arena, Exactness::Required);
        for node in arena.nodes() {
            assert_eq!(solution.win.get(node), solution.draw.get(node), "seed {seed}, node {node}");
        }
    }
    assert!(compared > 200);
}

/// [K, section 2] starts its truncations from 1/2 in unfinished games; then "whoever has more than
/// R(v, t) wins within t moves" fails at t = 0, where nobody has won. Here a play cut off is a
/// draw, as in [DP10, 3.3].
#[test]
fn a_play_cut_off_is_a_draw() {
    let arena = arenas::ladder(0).unwrap(); // whoever moves wins
    let effort = Effort { within: Some(0), ..Effort::default() };
    let cut = money::solve(&arena, &Mechanism::default(), &effort).unwrap();
    assert_eq!(cut.win.get(arena.start()), ShareBounds::exact(Share::ONE));
    assert_eq!(cut.draw.get(arena.start()), ShareBounds::exact(Share::ZERO));
    let total = richman_core::Total::new(100).unwrap();
    let chips = chips::solve(&arena, &Mechanism::default(), total, &effort).unwrap();
    assert_eq!(chips.thresholds(arena.start()).win.plain, 101, "60 of 100 chips do not win within 0 moves");
}

/// If the winner must move, a player cannot be made to. At position 0 Alice can only stay, Bob can
/// lead on, and both have the same value in random-turn play. Bob bids nothing and leaves her every
/// tie, so no share wins, although the equations say 1/2.
#[test]
fn moves_that_only_the_other_player_can_make_are_no_progress() {
    use richman_core::{ArenaBuilder, Error, Total};
    for end in [0, 1] {
        let mut builder = ArenaBuilder::new();
        builder.terminal(Terminal::Win(Player::Alice));
        builder.terminal(Terminal::Win(Player::Bob));
        builder.position(&[0], &[1 - end]); // whoever moves wins, or Alice wins
        builder.position(&[3], &[2]);
        let arena = builder.build(3).unwrap();
        let moves = Mechanism { right: Right::Moves, ..Mechanism::default() };
        let refused = money::solve(&arena, &moves, &Effort::default());
        assert!(matches!(refused, Err(Error::Zugzwang { .. })), "{refused:?}");
        let chips = chips::solve(&arena, &moves, Total::new(1000).unwrap(), &Effort::default()).unwrap();
        assert!(chips.thresholds(3).win.plain > 1000, "no number of chips wins when Alice must move");
        // With `chooses` she makes Bob move; the verifier accepts that, and refuses the same values
        // for `moves`.
        let solution = solve(&arena, Exactness::Required);
        let (win, draw) = (all(&arena, &solution.win), all(&arena, &solution.draw));
        assert!(verify::money(&arena, &Mechanism::default(), &win, &draw, &Unwatched).is_ok());
        assert!(verify::money(&arena, &moves, &win, &draw, &Unwatched).is_err());
    }
}

/// If the winner must move and no position is a zugzwang, chips approach the same thresholds.
#[test]
fn moves_without_zugzwang_have_the_thresholds_that_chips_approach() {
    use richman_core::Total;
    let moves = Mechanism { right: Right::Moves, ..Mechanism::default() };
    let mut compared = 0;
    for seed in 0..3_000u64 {
        let arena = small(seed);
        let Ok(solution) = money::solve(&arena, &moves, &Effort::default()) else { continue };
        verify::money(&arena, &moves, &all(&arena, &solution.win), &all(&arena, &solution.draw), &Unwatched).unwrap();
        let total = Total::new(1 << 14).unwrap();
        let chips = chips::solve(&arena, &moves, total, &Effort::default()).unwrap();
        for node in arena.nodes() {
            let (exact, thresholds) = ([&solution.win, &solution.draw], chips.thresholds(node));
            for (shares, threshold) in exact.into_iter().zip([thresholds.win, thresholds.draw]) {
                let share = shares.get(node).low.to_f64();
                let least = f64::from(threshold.plain) / f64::from(total.chips());
                assert!((least - share).abs() < 0.01, "seed {seed}, node {node}: {least} and {share}");
            }
        }
        compared += 1;
    }
    assert!(compared > 100, "only {compared} arenas without zugzwang");
}
