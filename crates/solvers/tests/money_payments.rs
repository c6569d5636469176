//! Real money with part of a bid leaving the game: against the definition of a turn, Richman and
//! poorman as the ends of taxman, truncations in exact rationals, and the verifier.
//!
//! `RICHMAN_ARENAS` sets the number of arenas (default 1,000); the deep run of the README sets it
//! to 20,000.

use std::sync::atomic::{AtomicUsize, Ordering};

use fastrand::Rng;
use rayon::prelude::*;
use richman_check::arenas::{self, ArenaShape};
use richman_check::verify;
use richman_core::{
    Arena, ArenaBuilder, Effort, Error, Exactness, Mechanism, MoneySolution, Node, Payment, Player, Right, Share,
    ShareBounds, Shares, StopReason, Terminal, Unwatched,
};
use richman_solvers::money;

use crate::games::unfolded;
use crate::seeds::seeds;

fn payment(text: &str) -> Mechanism {
    Mechanism { payment: text.parse().unwrap(), ..Mechanism::default() }
}

const PAYMENTS: [&str; 4] = ["poorman", "taxman:1/2", "taxman:1/3", "taxman:6/7"];

fn solve(arena: &Arena, mechanism: &Mechanism, effort: &Effort) -> MoneySolution {
    money::solve(arena, mechanism, effort).unwrap()
}

fn with(exactness: Exactness) -> Effort<'static> {
    Effort { exactness, ..Effort::default() }
}

pub fn all(arena: &Arena, shares: &Shares) -> Vec<ShareBounds> {
    arena.nodes().map(|node| shares.get(node)).collect()
}

pub fn verified(arena: &Arena, solution: &MoneySolution, context: &str) {
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
    let shape = ArenaShape {
        positions: rng.u32(1..=8),
        moves: rng.u32(1..=3),
        cyclic: rng.bool(),
        draws: rng.bool(),
        owned: rng.bool(),
    };
    arenas::random(shape, &mut rng).unwrap()
}

#[test]
fn every_solution_is_proved() {
    let [exact, narrow, wide] = [const { AtomicUsize::new(0) }; 3];
    seeds("RICHMAN_ARENAS", 1_000).into_par_iter().for_each(|seed| {
        let arena = small(seed);
        for text in PAYMENTS {
            let solution = solve(&arena, &payment(text), &Effort::default());
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

/// The local equation against the definition: every bid on a grid against every bid of the other
/// player, ties won and lost.
#[test]
fn one_turn_is_what_bids_can_force() {
    const GRID: u64 = 24;
    let share = |n: u64| Share::ratio(n.into(), GRID.into()).unwrap();
    let mut seen = 0;
    for text in ["richman", "poorman", "taxman:1/2", "taxman:1/3"] {
        let rate = text.parse::<Payment>().unwrap().rate();
        for (low, high) in (0..=6u64).flat_map(|low| (low..=6).map(move |high| (share(4 * low), share(4 * high)))) {
            let threshold = money::threshold(rate, &low, &high);
            for own in 0..=GRID {
                let has = share(own);
                let good = |bid: u64| {
                    (0..=GRID - own).all(|other| {
                        let won = || rate.after_win(&has, &share(bid)).is_none_or(|left| left >= low);
                        let lost = || rate.after_loss(&has, &share(other)).is_none_or(|left| left >= high);
                        (bid < other || won()) && (other < bid || lost())
                    })
                };
                let can = (0..=own).any(good);
                if Share::less(&has, &threshold) >= share(1) {
                    assert!(can, "{text}: {low}, {high}, {has} is more than {threshold}");
                    seen += 1;
                }
                if has < threshold {
                    assert!(!can, "{text}: {low}, {high}, {has} is less than {threshold}");
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 1_000);
}

#[test]
fn taxman_of_one_is_richman_and_taxman_of_nothing_is_poorman() {
    for seed in 0..300 {
        let arena = small(seed);
        for within in [None, Some(seed as u32 % 7)] {
            let effort = Effort { within, ..Effort::default() };
            for (a, b) in [("richman", "taxman:1"), ("richman", "taxman:3/3"), ("poorman", "taxman:0/5")] {
                let [a, b] = [a, b].map(|text| solve(&arena, &payment(text), &effort));
                assert_eq!((a.win, a.draw, a.stop), (b.win, b.draw, b.stop), "seed {seed}");
            }
        }
    }
}

#[test]
fn known_values() {
    // E, A^2 and B^2 [DP10, Example 5.2] by hand.
    let mut builder = ArenaBuilder::new();
    builder.terminal(Terminal::Win(Player::Alice));
    builder.terminal(Terminal::Win(Player::Bob));
    builder.position(&[0], &[1]);
    builder.position(&[0], &[2]);
    builder.position(&[2], &[1]);
    let arena = builder.build(2).unwrap();
    for (text, values) in [("poorman", ["1/2", "1/3", "2/3"]), ("taxman:1/2", ["1/2", "2/7", "5/7"])] {
        let solution = solve(&arena, &payment(text), &Effort::default());
        assert_eq!(solution.stop, StopReason::Acyclic);
        for (node, value) in (2..).zip(values) {
            assert_eq!(solution.win.get(node).to_string(), value, "{text}");
            assert_eq!(solution.draw.get(node).to_string(), value, "{text}");
        }
    }
    // Tug of war of length 3: r = (1 - r) / (2 - r), so r^2 - 3 r + 1 = 0, and 1 - r is the golden
    // section.
    let mut builder = ArenaBuilder::new();
    builder.terminal(Terminal::Win(Player::Alice));
    builder.position(&[0, 2], &[0, 2]);
    builder.position(&[1, 3], &[1, 3]);
    builder.terminal(Terminal::Win(Player::Bob));
    let arena = builder.build(1).unwrap();
    let solution = solve(&arena, &payment("poorman"), &Effort::default());
    let bounds = solution.win.get(1);
    let golden = (3.0 - 5f64.sqrt()) / 2.0;
    assert!((bounds.low.to_f64() - golden).abs() < 1e-12 && width(&arena, &solution) <= 2f64.powi(-40), "{bounds}");
    assert_eq!(solution.stop, StopReason::Bounded);
    verified(&arena, &solution, "golden section");
    let required = money::solve(&arena, &payment("poorman"), &with(Exactness::Required));
    assert!(matches!(required, Err(Error::Unsupported { .. })), "{required:?}");
}

#[test]
fn bounds_contain_the_exact_thresholds() {
    let mut partly = 0;
    let chain = |length: u32| {
        let mut builder = ArenaBuilder::new();
        builder.terminal(Terminal::Win(Player::Alice));
        builder.terminal(Terminal::Win(Player::Bob));
        for node in 2..2 + length {
            if node % 2 == 0 {
                builder.position(&[0], &[node - 1])
            } else {
                builder.position(&[node - 1], &[1])
            };
        }
        builder.build(1 + length).unwrap()
    };
    let random = (0..200u64).map(|seed| {
        let mut rng = Rng::with_seed(seed);
        let shape = ArenaShape {
            positions: rng.u32(1..=11),
            moves: rng.u32(1..=3),
            cyclic: false,
            draws: rng.bool(),
            owned: rng.bool(),
        };
        arenas::random(shape, &mut rng).unwrap()
    });
    for arena in random.chain([chain(10), chain(3_000)]) {
        for text in ["poorman", "taxman:6/7"] {
            let exact = solve(&arena, &payment(text), &with(Exactness::Required));
            assert!(exact.is_exact());
            for exactness in [Exactness::Preferred, Exactness::Bounds] {
                let bounded = solve(&arena, &payment(text), &with(exactness));
                let pairs = [(&exact.win, &bounded.win), (&exact.draw, &bounded.draw)];
                for (node, (exact, bounds)) in
                    arena.nodes().flat_map(|node| pairs.map(|(e, b)| (node, (e.get(node), b.get(node)))))
                {
                    assert!(
                        bounds.low <= exact.low && exact.high <= bounds.high,
                        "{text}, {node}: {exact} in {bounds}"
                    );
                }
                let units = width(&arena, &bounded) * 2f64.powi(62);
                assert!(units <= 2.0 * arena.len() as f64, "each move adds at most a unit on either side: {units}");
                partly += usize::from(exactness == Exactness::Preferred && !bounded.is_exact());
                verified(&arena, &bounded, text);
            }
        }
    }
    assert!(partly > 0, "no denominator is longer than is kept");
}

#[test]
fn thresholds_within_more_moves_fall_and_end_at_the_threshold() {
    for seed in 0..200 {
        let arena = small(seed);
        for text in ["poorman", "taxman:1/2"] {
            let whole = solve(&arena, &payment(text), &Effort::default());
            let mut last: Option<MoneySolution> = None;
            for moves in [0, 1, 2, 3, 4, 6, 9, 14, 30] {
                let within = solve(&arena, &payment(text), &Effort { within: Some(moves), ..Effort::default() });
                for node in arena.nodes() {
                    let (win, draw) = (within.win.get(node), within.draw.get(node));
                    let (win_whole, draw_whole) = (whole.win.get(node), whole.draw.get(node));
                    assert!(win.high >= win_whole.low && draw.low <= draw_whole.high, "seed {seed}, within {moves}");
                    if let Some(last) = &last {
                        assert!(win.low <= last.win.get(node).high && draw.high >= last.draw.get(node).low);
                    }
                    if moves < 4 {
                        assert!(win.as_exact().is_some() && draw.as_exact().is_some(), "short denominators are exact");
                    }
                    if arena.is_acyclic() && moves >= 9 {
                        assert_eq!((win, draw), (win_whole, draw_whole), "no play is longer");
                    }
                }
                last = Some(within);
            }
        }
    }
}

/// A player's threshold before a turn, by bisection on the money left after bids.
fn turn_by_bisection(part: f64, a: f64, b: f64) -> f64 {
    let (won, lost) = (a.min(b), a.max(b));
    let enough = |share: f64| {
        let bid = ((share - won) / (1.0 - (1.0 - part) * won).max(1e-300)).min(1.0 - share);
        share >= won && share + part * bid >= lost * (1.0 - (1.0 - part) * bid)
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..52 {
        let middle = 0.5 * (low + high);
        if enough(middle) { high = middle } else { low = middle }
    }
    high
}

/// Thresholds within more and more moves approach Alice's win threshold from above, and her draw
/// threshold from below.
#[test]
fn bounds_are_where_truncations_by_the_definition_lead() {
    const ROUNDS: usize = 400;
    let settled = AtomicUsize::new(0);
    (0..200u64).into_par_iter().for_each(|seed| {
        let arena = small(seed);
        for (text, part) in [("poorman", 0.0), ("taxman:1/2", 0.5)] {
            let solution = solve(&arena, &payment(text), &Effort::default());
            for (shares, open) in [(&solution.win, 1.0), (&solution.draw, 0.0)] {
                let start = |node| match arena.terminal(node) {
                    Some(Terminal::Win(Player::Alice)) => 0.0,
                    Some(Terminal::Win(Player::Bob)) => 1.0,
                    _ => open,
                };
                let mut values: Vec<f64> = arena.nodes().map(start).collect();
                let mut change = 0.0f64;
                for _ in 0..ROUNDS {
                    let before = values.clone();
                    change = 0.0;
                    for node in arena.nodes().filter(|&node| arena.terminal(node).is_none()) {
                        let value = |&to: &Node| before[to as usize];
                        let alice = arena.moves(node, Player::Alice).iter().map(value).fold(1.0, f64::min);
                        let bob = arena.moves(node, Player::Bob).iter().map(value).fold(0.0, f64::max);
                        values[node as usize] = match arena.owner(node) {
                            None => turn_by_bisection(part, alice, bob),
                            Some(owner) => owner.either(alice, bob),
                        };
                        change = change.max((values[node as usize] - before[node as usize]).abs());
                    }
                }
                for node in arena.nodes() {
                    let (bounds, value) = (shares.get(node), values[node as usize]);
                    let (low, high) = (bounds.low.to_f64(), bounds.high.to_f64());
                    let context = format!("seed {seed}, {text}, node {node}: {value} and {low}..{high}");
                    if open == 1.0 {
                        assert!(value >= low - 1e-9, "{context}")
                    } else {
                        assert!(value <= high + 1e-9, "{context}")
                    }
                    if change < 1e-13 {
                        assert!(value >= low - 1e-9 && value <= high + 1e-9, "{context}");
                        settled.fetch_add(1, Ordering::Relaxed);
                    }
                }
            }
        }
    });
    assert!(settled.into_inner() > 2_000);
}

/// If the winner must move, any returned solution is that of `chooses`.
#[test]
fn moves_is_served_where_nobody_minds_moving() {
    let (mut served, mut refused) = (0, 0);
    for seed in 0..1_000 {
        let arena = small(seed);
        for text in ["poorman", "taxman:1/2"] {
            let moves = Mechanism { right: Right::Moves, ..payment(text) };
            match money::solve(&arena, &moves, &Effort::default()) {
                Ok(solution) => {
                    verified(&arena, &solution, &format!("moves, seed {seed}"));
                    let chooses = solve(&arena, &payment(text), &Effort::default());
                    assert_eq!((solution.win, solution.draw), (chooses.win, chooses.draw));
                    served += 1;
                }
                Err(Error::Zugzwang { .. } | Error::PerhapsZugzwang { .. }) => refused += 1,
                Err(other) => panic!("seed {seed}: {other}"),
            }
        }
    }
    assert!(served > 100 && refused > 100, "{served} served, {refused} refused");
    // Only Bob can lead on, and both sides have the same value: he never has to (see
    // `cyclic_money`).
    let mut builder = ArenaBuilder::new();
    builder.terminal(Terminal::Win(Player::Alice));
    builder.terminal(Terminal::Win(Player::Bob));
    builder.position(&[0], &[1]);
    builder.position(&[3], &[2]);
    let arena = builder.build(3).unwrap();
    let moves = Mechanism { right: Right::Moves, ..payment("poorman") };
    assert!(money::solve(&arena, &moves, &Effort::default()).is_err());
    let solution = solve(&arena, &payment("poorman"), &Effort::default());
    let (win, draw) = (all(&arena, &solution.win), all(&arena, &solution.draw));
    assert!(verify::money(&arena, &payment("poorman"), &win, &draw, &Unwatched).is_ok());
    assert!(verify::money(&arena, &moves, &win, &draw, &Unwatched).is_err());
}

/// On cycles, refuses bounds moved inwards, exact shares inside them, and dead loops claimed as
/// won.
#[test]
fn false_bounds_on_cycles_are_refused() {
    let tried = AtomicUsize::new(0);
    (0..300u64).into_par_iter().for_each(|seed| {
        let arena = small(seed);
        for text in ["poorman", "taxman:2/3"] {
            let mechanism = payment(text);
            let solution = solve(&arena, &mechanism, &Effort::default());
            let (win, draw) = (all(&arena, &solution.win), all(&arena, &solution.draw));
            let refuse = |win: &[ShareBounds], draw: &[ShareBounds], what: &str| {
                let verdict = verify::money(&arena, &mechanism, win, draw, &Unwatched);
                assert!(verdict.is_err(), "seed {seed}, {text}, {what}");
                tried.fetch_add(1, Ordering::Relaxed);
            };
            let wide = width(&arena, &solution) > 2f64.powi(-40);
            for node in arena.nodes().filter(|_| !wide) {
                let v = node as usize;
                for of_draw in [false, true] {
                    let old = if of_draw { &draw[v] } else { &win[v] };
                    let nearer = |share: &Share, far: &Share| (0..20).fold(far.clone(), |b, _| Share::mean(share, &b));
                    let up = (old.high < Share::ONE).then(|| nearer(&old.high, &Share::ONE));
                    let down = (old.low > Share::ZERO).then(|| nearer(&old.low, &Share::ZERO));
                    let changed = [
                        up.clone().map(|low| ShareBounds { low, high: Share::ONE }),
                        down.clone().map(|high| ShareBounds { low: Share::ZERO, high }),
                        up.map(ShareBounds::exact),
                        down.map(ShareBounds::exact),
                    ];
                    for (kind, new) in changed.into_iter().enumerate().filter_map(|(kind, new)| Some((kind, new?))) {
                        let (mut win, mut draw) = (win.clone(), draw.clone());
                        if of_draw {
                            draw[v] = new
                        } else {
                            win[v] = new
                        }
                        refuse(&win, &draw, &format!("node {node}, draw {of_draw}, kind {kind}"));
                    }
                }
            }
            // Claims that Alice needs nothing where she never wins: every inequality may hold, but
            // there is no progress.
            if arena.nodes().any(|node| arena.terminal(node).is_none() && win[node as usize].low == Share::ONE) {
                let claim = |node: Node, old: &ShareBounds| {
                    let open = arena.terminal(node).is_none();
                    if open { ShareBounds { low: Share::ZERO, high: Share::ZERO } } else { old.clone() }
                };
                let win: Vec<ShareBounds> = arena.nodes().zip(&win).map(|(node, old)| claim(node, old)).collect();
                refuse(&win, &draw, "nothing is needed");
            }
        }
    });
    assert!(tried.into_inner() > 5_000);
}

/// Near the ends of a long path, values are far from those with Richman payment; in the middle,
/// bids are tiny.
#[test]
fn long_paths_have_narrow_bounds() {
    for (length, text) in [(300, "poorman"), (2_000, "poorman"), (1_000, "taxman:1/2"), (1_000, "taxman:99/100")] {
        let unfolding = unfolded(&format!("tug-of-war:length={length},at={}", length / 3));
        let arena = unfolding.arena();
        let solution = solve(arena, &payment(text), &Effort::default());
        assert!(width(arena, &solution) <= 2f64.powi(-40), "{length}, {text}: {}", width(arena, &solution));
        verified(arena, &solution, text);
    }
}
