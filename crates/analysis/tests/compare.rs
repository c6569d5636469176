//! The order of games against thresholds computed total by total, and the orders in DP10.

use std::iter::repeat_n;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use fastrand::Rng;
use rayon::prelude::*;
use richman_analysis::compare::{CompareReport, GameOrder, LAST_TOTAL, report};
use richman_analysis::{Request, Subject};
use richman_check::arenas::{self, ArenaShape};
use richman_core::{
    Arena, ArenaBuilder, ByPlayer, Effort, Game, Graph, GraphMove, GraphPosition, Mechanism, Node, Player, Right,
    Terminal, Threshold, Total, Unfolded, Unfolding, unfold,
};
use richman_solvers::chips;

fn game(arena: &Arena) -> Unfolded<Graph> {
    let names =
        |node, player| arena.moves(node, player).iter().map(|to| GraphMove::from((to.to_string(), ()))).collect();
    let position = |node| GraphPosition {
        name: format!("{node}"),
        data: arena.data(node),
        moves: ByPlayer::from_fn(|player| names(node, player)),
    };
    let positions: Vec<GraphPosition> = arena.nodes().map(position).collect();
    let graph = Graph::new("arena", &arena.start().to_string(), &positions).unwrap();
    let start = graph.start();
    unfold(graph, start, &Effort::default()).unwrap()
}

fn compared(g: &dyn Unfolding, h: &dyn Unfolding, mechanism: &Mechanism, effort: Effort<'static>) -> CompareReport {
    let [g, h] = [g, h].map(|unfolding| Request { unfolding, mechanism, effort });
    report(&g, &h).unwrap()
}

fn options() -> Effort<'static> {
    Effort::default().within_time(Duration::from_secs(20))
}

fn by_name(g: &str, h: &str) -> CompareReport {
    let [g, h] = [g, h].map(|name| Subject::named(name).unwrap().unfold(None, &Effort::default()).unwrap());
    compared(g.as_ref(), h.as_ref(), &Mechanism::default(), options())
}

fn thresholds(arena: &Arena, mechanism: &Mechanism, last: u32) -> Vec<Threshold> {
    let totals = Total::new(0).unwrap()..=Total::new(last).unwrap();
    let rows = chips::table(arena, mechanism, totals, &Effort::default()).unwrap();
    rows.into_iter().map(|row| row.win).collect()
}

fn order(below: Option<u32>, above: Option<u32>) -> GameOrder {
    match (below, above) {
        (Some(_), None) => GameOrder::Less,
        (None, None) => GameOrder::Equal,
        (None, Some(_)) => GameOrder::Greater,
        (Some(_), Some(_)) => GameOrder::Incomparable,
    }
}

/// Adds `((E & x) & y) & z ...` for the letters x, y, z of `word`: true for A.
fn word(builder: &mut ArenaBuilder, letters: impl IntoIterator<Item = bool>) -> Node {
    let [bob, alice] = [Player::Bob, Player::Alice].map(|player| builder.terminal(Terminal::Win(player)));
    let mut last = builder.position(&[alice], &[bob]);
    for letter in letters {
        last = wedge(builder, last, if letter { alice } else { bob });
    }
    last
}

fn wedge(builder: &mut ArenaBuilder, g: Node, h: Node) -> Node {
    builder.position(&[g, h], &[g, h])
}

/// A pair of arenas, of kinds that give all orders, late witnesses and cycles.
fn pair(seed: u64) -> [Arena; 2] {
    let rng = &mut Rng::with_seed(seed);
    let small = |cyclic, rng: &mut Rng| {
        let shape = ArenaShape { cyclic, ..ArenaShape::small(rng) };
        arenas::random(shape, rng).unwrap()
    };
    match seed % 6 {
        0 => [small(false, rng), small(false, rng)],
        1 => [small(true, rng), small(true, rng)],
        2 => {
            // many final letters A keep thresholds at 0 for long
            let inner: Vec<bool> = (0..4).map(|_| rng.bool()).collect();
            let outer = rng.usize(5..=8);
            [0, 1].map(|turned: usize| {
                let mut builder = ArenaBuilder::new();
                let letters = inner.iter().map(|&letter| letter ^ (turned == 1)).chain(repeat_n(true, outer));
                let start = word(&mut builder, letters);
                builder.build(start).unwrap()
            })
        }
        3 => {
            // the same game, once with every position and move doubled
            let shape = ArenaShape {
                positions: rng.u32(3..=7),
                moves: 2,
                cyclic: seed % 4 == 1,
                draws: rng.bool(),
                owned: rng.bool(),
            };
            let mut again = rng.clone();
            [arenas::random(shape, rng).unwrap(), arenas::equal_moves(shape, 2, &mut again).unwrap()]
        }
        4 => {
            let positions = rng.u32(2..=4);
            [arenas::long_way_back(rng.u32(2..=4)).unwrap(), arenas::one_component(positions, 2, false, rng).unwrap()]
        }
        _ => {
            // (x & y) & (z & w) and (x & z) & (y & w) have equal values in real money
            let words: Vec<Vec<bool>> = (0..4).map(|_| (0..rng.u32(0..=4)).map(|_| rng.bool()).collect()).collect();
            [[0, 1, 2, 3], [0, 2, 1, 3]].map(|order| {
                let mut builder = ArenaBuilder::new();
                let [x, y, z, w] = order.map(|part: usize| word(&mut builder, words[part].iter().copied()));
                let (left, right) = (wedge(&mut builder, x, y), wedge(&mut builder, z, w));
                let start = wedge(&mut builder, left, right);
                builder.build(start).unwrap()
            })
        }
    }
}

#[test]
fn agrees_with_comparing_total_by_total() {
    const LAST: u32 = 2000;
    let orders: [AtomicU32; 4] = Default::default();
    let [late, cyclic, open]: [AtomicU32; 3] = Default::default();
    let count = |counter: &AtomicU32, what: bool| counter.fetch_add(u32::from(what), Ordering::Relaxed);
    (0..300u64).into_par_iter().for_each(|seed| {
        let arenas = pair(seed);
        let mechanism = Mechanism::default();
        let report = compared(&game(&arenas[0]), &game(&arenas[1]), &mechanism, options());
        let [g, h] = arenas.each_ref().map(|arena| thresholds(arena, &mechanism, LAST));
        let half_steps = |row: &[Threshold], total: u32| row[total as usize].holding().unwrap().half_steps();
        let last = report.totals.unwrap_or(LAST);
        let below = (0..=last).find(|&k| half_steps(&g, k) < half_steps(&h, k));
        let above = (0..=last).find(|&k| half_steps(&g, k) > half_steps(&h, k));
        let seen = |witness: Option<u32>| witness.filter(|&total| total <= LAST);
        assert_eq!((seen(report.witness.below), seen(report.witness.above)), (below, above), "seed {seed}: {report:?}");
        assert_eq!(report.order, order(report.witness.below, report.witness.above), "seed {seed}");
        for (witness, both) in
            [(report.witness.below, report.thresholds.below), (report.witness.above, report.thresholds.above)]
        {
            assert_eq!(witness.is_some(), both.is_some());
            if let (Some(total), Some(both)) = (seen(witness), both) {
                assert_eq!(both.g, g[total as usize].into(), "seed {seed}");
                assert_eq!(both.h, h[total as usize].into(), "seed {seed}");
            }
        }
        assert_eq!((report.reason.is_none(), report.totals.is_none()), (report.proved, report.proved));
        count(&orders[report.order as usize], report.proved);
        count(&late, report.witness.below.max(report.witness.above) > Some(100));
        count(&cyclic, report.proved && arenas.iter().any(|arena| !arena.is_acyclic()));
        count(&open, !report.proved);
    });
    println!("less, equal, greater, incomparable: {orders:?}; late {late:?}, cyclic {cyclic:?}, not proved {open:?}");
    assert!(orders.iter().all(|count| count.load(Ordering::Relaxed) >= 30), "{orders:?}");
    assert!(late.into_inner() >= 10 && cyclic.into_inner() >= 80);
}

/// Without time for a proof, the same witnesses are found up to the last total, and only their
/// consequences are proved.
#[test]
fn without_rules() {
    let none = Effort::default().within_time(Duration::ZERO);
    let mut counts = [0, 0];
    for seed in 0..60 {
        let arenas = pair(seed);
        let [g, h] = arenas.each_ref().map(game);
        let full = compared(&g, &h, &Mechanism::default(), options());
        let started = Instant::now();
        let less = compared(&g, &h, &Mechanism::default(), none);
        let took = started.elapsed();
        assert!(full.proved, "seed {seed}");
        // Up to the last total, or as far as a busy machine comes in the second that it has.
        let last = less.totals.unwrap_or(LAST_TOTAL);
        assert!(last == LAST_TOTAL || took >= Duration::from_secs(1), "seed {seed}: {last} after {took:?}");
        let seen = |witness: Option<u32>| witness.filter(|&total| total <= last);
        assert_eq!(less.witness.below, seen(full.witness.below), "seed {seed}");
        assert_eq!(less.witness.above, seen(full.witness.above), "seed {seed}");
        assert_eq!(less.proved, less.order == GameOrder::Incomparable, "seed {seed}");
        assert_eq!(less.totals.is_some(), !less.proved, "seed {seed}");
        assert_eq!(less.reason.is_some(), !less.proved, "seed {seed}");
        assert_eq!((&less.g.class, &less.g.rule, &less.h.class), (&None, &None, &None));
        counts[usize::from(less.proved)] += 1;
    }
    assert!(counts.iter().all(|&count| count > 5), "{counts:?}");
}

/// If the winner must move, a threshold is two numbers, each of which can tell the games apart.
#[test]
fn where_the_winner_must_move() {
    let mechanism = Mechanism { right: Right::Moves, ..Mechanism::default() };
    let mut orders = [0; 4];
    for seed in 0..120 {
        let arenas = pair(seed);
        let [g, h] = arenas.each_ref().map(game);
        let report = compared(&g, &h, &mechanism, options());
        let rows = arenas.each_ref().map(|arena| thresholds(arena, &mechanism, 200));
        let first = |wins: &dyn Fn(Threshold, Threshold) -> bool| {
            (0..=200).find(|&total: &usize| wins(rows[0][total], rows[1][total])).map(|total| total as u32)
        };
        let below = first(&|g, h| g.plain < h.plain || g.star < h.star);
        let above = first(&|g, h| g.plain > h.plain || g.star > h.star);
        let seen = |witness: Option<u32>| witness.filter(|&total| total <= 200);
        assert_eq!((seen(report.witness.below), seen(report.witness.above)), (below, above), "seed {seed}");
        assert_eq!(report.order, order(report.witness.below, report.witness.above));
        assert_eq!(report.proved, report.order == GameOrder::Incomparable);
        orders[report.order as usize] += 1;
    }
    assert!(orders.iter().all(|&count| count > 0), "{orders:?}");
}

#[test]
fn dp10_examples_5_1_and_5_2() {
    let power = |letter: char| move |n: u32| format!("expr:{letter}^{n}");
    let mut chain = vec!["expr:A".to_string()];
    chain.extend((2..=12).rev().map(power('A')));
    chain.push("expr:E".to_string());
    chain.extend((2..=12).map(power('B')));
    chain.push("expr:B".to_string());
    for (i, g) in chain.iter().enumerate() {
        for (j, h) in chain.iter().enumerate() {
            let report = by_name(g, h);
            let expected = match i.cmp(&j) {
                std::cmp::Ordering::Less => GameOrder::Less,
                std::cmp::Ordering::Equal => GameOrder::Equal,
                std::cmp::Ordering::Greater => GameOrder::Greater,
            };
            assert!(report.proved && report.order == expected, "{g} and {h}: {report:?}");
            assert_eq!(report.g.class.map(|class| format!("expr:{}", class.expression)).as_ref(), Some(g));
        }
    }
    for g in ["tic-tac-toe", "tug-of-war", "ultimatum", "expr:(A & B^2) & B", "connect:rows=3,cols=3,line=3"] {
        assert_eq!(by_name("expr:A", g).order, GameOrder::Less, "{g}");
        assert_eq!(by_name(g, "expr:B").order, GameOrder::Less, "{g}");
    }
    // Without a rule only A <= G <= B is known.
    for (g, h, order, proved) in [
        ("expr:A", "expr:B^300", GameOrder::Less, true),
        ("expr:B^300", "expr:A", GameOrder::Greater, true),
        ("expr:A & B^300", "expr:B", GameOrder::Less, true),
        ("expr:B^300", "expr:B", GameOrder::Equal, false),
        ("expr:E", "expr:B^300", GameOrder::Less, false),
    ] {
        let report = by_name(g, h);
        assert_eq!((report.order, report.proved), (order, proved), "{g} and {h}");
    }
}

#[test]
fn dp10_section_5_a_game_and_its_mirror() {
    let mut rng = Rng::with_seed(5);
    for _ in 0..40 {
        let mut text = ["A", "B", "E"][rng.usize(0..3)].to_string();
        for _ in 0..rng.u32(1..=8) {
            let part = ["A", "B", "E", "A^2", "B^3"][rng.usize(0..5)];
            text = format!("({text}) & {part}");
        }
        let report = by_name(&format!("expr:({text}) & ~({text})"), "expr:E");
        assert!(report.proved && report.order == GameOrder::Equal, "{text}");
        assert_eq!(report.g.class.map(|class| class.expression).as_deref(), Some("E"));
    }
}

/// Two rules whose common period is too long are compared up to the longest block.
#[test]
fn rules_with_long_common_blocks() {
    let both = |parts: [(u32, u32); 2]| {
        let mut builder = ArenaBuilder::new();
        let [bob, alice] = [Player::Bob, Player::Alice].map(|player| builder.terminal(Terminal::Win(player)));
        let [g, h] = parts.map(|(length, at)| {
            let first = builder.len() as Node - 1; // position 0 would be here
            for i in 1..length {
                let (up, down) = (first + i + 1, first + i - 1);
                builder.position(&[if i + 1 == length { alice } else { up }], &[if i == 1 { bob } else { down }]);
            }
            first + at
        });
        let start = wedge(&mut builder, g, h);
        game(&builder.build(start).unwrap())
    };
    let game = both([(97, 80), (101, 50)]);
    for (other, order, proved) in [
        ([(89, 10), (103, 51)], GameOrder::Less, false),
        ([(89, 88), (103, 101)], GameOrder::Greater, false),
        ([(89, 73), (103, 51)], GameOrder::Incomparable, true),
    ] {
        let report = compared(&game, &both(other), &Mechanism::default(), options());
        assert!(report.g.rule.is_some() && report.h.rule.is_some());
        assert_eq!((report.order, report.proved), (order, proved), "{report:?}");
        assert_eq!(report.totals, (!proved).then_some((1 << 22) - 1));
        assert!(proved || report.reason.is_some_and(|reason| reason.contains("together repeat")));
    }
}
