//! Rules for all totals, compared with thresholds computed total by total far beyond the block.

use std::time::Duration;

use fastrand::Rng;
use richman_check::arenas::{self, ArenaShape};
use richman_check::verify;
use richman_core::{
    Arena, Effort, Error, Mechanism, Node, Player, Right, Rule, RuleSolution, Threshold, Thresholds, Total, Unwatched,
};
use richman_solvers::{chips, rules};

use crate::games::unfolded;
use crate::seeds::seeds;

fn options() -> Effort<'static> {
    Effort::default().within_time(Duration::from_secs(20))
}

fn computed(arena: &Arena, last: u32) -> Vec<Thresholds> {
    let totals = Total::new(0).unwrap()..=Total::new(last).unwrap();
    chips::table(arena, &Mechanism::default(), totals, &Effort::default()).unwrap()
}

/// The rule holds for at least ten blocks past `from`, and no smaller `from` or block does.
fn check(rule: &Rule, value: impl Fn(u32) -> u32, last: u32) {
    let (from, block, step) = (rule.from(), rule.chip_block(), 2 * rule.chip_step());
    assert!(last >= from + 11 * block, "enough totals");
    for total in 0..=last {
        assert_eq!(rule.at(total), u64::from(value(total)), "total {total} of {rule}");
    }
    let holds = |from: u32, block: u32, step: u32| (from..=last - block).all(|k| value(k + block) == value(k) + step);
    assert!(holds(from, block, step));
    assert!(from == 0 || value(from - 1 + block) != value(from - 1) + step, "the least from");
    // A smaller block would have a step of the same slope; it fails late, and so for every `from`.
    for smaller in 1..block {
        if (smaller * step) % block == 0 && (smaller * step / block) % 2 == 0 {
            assert!(!holds(last - 2 * block, smaller, smaller * step / block), "block {smaller} in place of {block}");
        }
    }
}

/// Both rules of the start against thresholds computed total by total.
fn check_arena(arena: &Arena, solution: &RuleSolution) -> [Rule; 2] {
    let found = [solution.win(arena.start()), solution.draw(arena.start())];
    let last = found.iter().map(|rule| rule.from() + 11 * rule.chip_block() + 1).max().unwrap();
    let rows = computed(arena, last.max(40));
    check(&found[0], |k| rows[k as usize].win.holding().unwrap().half_steps(), last);
    check(&found[1], |k| rows[k as usize].draw.holding().unwrap().half_steps(), last);
    found
}

/// Whether the values seem to repeat for at least three blocks of two or more totals, and then do
/// not.
fn breaks_late(rule: &Rule) -> bool {
    let end = rule.from() + rule.block();
    (2..=end / 4).any(|block| {
        let Some(step) = rule.at(block).checked_sub(rule.at(0)) else { return false };
        let holds = |total: u32| rule.at(total + block) == rule.at(total) + step;
        step > 0 && (0..3 * block).all(holds) && !(0..=end).all(holds)
    })
}

/// A third of the arenas have no cycles, a third have cycles, and a third have misleading tables.
/// All their periods are proved.
#[test]
fn rules_of_random_arenas_hold_for_ten_blocks_and_are_the_least() {
    let rounds = seeds("RICHMAN_ARENAS", 300);
    let mut rng = Rng::with_seed(4 + rounds.start);
    let (mut cyclic, mut late, mut zugzwang, mut long) = (0, 0, 0, 0);
    let count = rounds.end - rounds.start;
    for round in rounds {
        let arena = match round % 3 {
            2 => arenas::late_break(rng.u32(3..=7), &mut rng).unwrap(),
            kind => {
                let shape = ArenaShape {
                    positions: rng.u32(1..=9),
                    moves: rng.u32(1..=3),
                    cyclic: kind == 1,
                    draws: rng.bool(),
                    owned: rng.bool(),
                };
                arenas::random(shape, &mut rng).unwrap()
            }
        };
        let solution = rules::solve(&arena, &Mechanism::default(), &options()).unwrap();
        verify::rules(&arena, &solution, &Unwatched).unwrap();
        let [win, _] = check_arena(&arena, &solution);
        cyclic += u64::from(!arena.is_acyclic());
        late += u64::from(breaks_late(&win));
        long += u64::from(win.chip_block() >= 16);
        // In a zugzwang, for some total, the best position that Alice can move to is worse for her
        // than Bob's best.
        let is_zugzwang = |node: Node| {
            let rules = |player| arena.moves(node, player).iter().map(|&to| solution.wins.alice.rule(to));
            let best = |total: u32| {
                let alice = rules(Player::Alice).map(|rule| rule.at(total)).min();
                alice > rules(Player::Bob).map(|rule| rule.at(total)).max()
            };
            (0..40).any(best)
        };
        zugzwang += u64::from(arena.nodes().any(is_zugzwang));
    }
    println!("cyclic {cyclic}, late {late}, zugzwang {zugzwang}, blocks of 16 or more {long}");
    assert!([cyclic, late, zugzwang, long].iter().all(|&seen| seen >= count / 10), "too few of some kind");
}

#[test]
fn rules_of_games() {
    for (name, win, draw) in [
        ("tic-tac-toe", (256, 133, 6), (256, 123, 6)),
        ("connect:rows=3,cols=3,line=3", (512, 263, 13), (512, 249, 13)),
        ("tug-of-war", (6, 3, 0), (6, 3, 0)),
        ("ultimatum", (16, 8, 0), (16, 8, 0)),
        ("expr:(A & B^2) & B", (16, 11, 0), (16, 11, 0)),
    ] {
        let unfolding = unfolded(name);
        let solution = rules::solve(unfolding.arena(), &Mechanism::default(), &options()).unwrap();
        let found = check_arena(unfolding.arena(), &solution);
        let expected = [win, draw];
        for (rule, expected) in found.iter().zip(expected) {
            assert_eq!((rule.chip_block(), rule.chip_step(), rule.from()), expected, "{name}");
        }
    }
}

#[test]
fn rules_within_a_number_of_moves() {
    let mut rng = Rng::with_seed(5);
    for _ in 0..60 {
        let arena = arenas::random(ArenaShape::small(&mut rng), &mut rng).unwrap();
        for within in 0..5 {
            let effort = Effort { within: Some(within), ..options() };
            let solution = rules::solve(&arena, &Mechanism::default(), &effort).unwrap();
            let totals = Total::new(0).unwrap()..=Total::new(60).unwrap();
            let rows = chips::table(&arena, &Mechanism::default(), totals, &effort).unwrap();
            for (total, row) in (0..).zip(&rows) {
                let of = |threshold: Threshold| u64::from(threshold.holding().unwrap().half_steps());
                assert_eq!(solution.win(arena.start()).at(total), of(row.win));
                assert_eq!(solution.draw(arena.start()).at(total), of(row.draw));
            }
        }
    }
}

/// Unproved rules are not claimed, and the reason is given.
#[test]
fn limits_end_in_reasons() {
    let unfolding = unfolded("connect:rows=4,cols=4,line=4");
    let solve = |effort: &Effort, right| {
        rules::solve(unfolding.arena(), &Mechanism { right, ..Mechanism::default() }, effort).unwrap_err()
    };
    let memory = Effort { memory: unfolding.bytes() + 10_000, held: unfolding.bytes(), ..options() };
    assert!(matches!(solve(&memory, Right::Chooses), Error::TooMuchMemory { .. }));
    let time = options().within_time(Duration::ZERO);
    assert!(matches!(solve(&time, Right::Chooses), Error::OutOfTime { .. }));
    assert!(matches!(solve(&options(), Right::Moves), Error::NoRule { .. }));
    // The shares of a long chain have denominators that no block could have.
    let arena = arenas::long_denominators(60).unwrap();
    let error = rules::solve(&arena, &Mechanism::default(), &options()).unwrap_err();
    assert!(matches!(error, Error::NoRule { .. }), "{error}");
}
