//! Subtraction games compared with their definition: every bid and every number taken, one state at
//! a time.

use std::collections::HashMap;

use fastrand::Rng;
use richman_catalog::subtraction::general_sum::{self, Equilibrium, PayoffGame, PayoffMove};
use richman_catalog::subtraction::{Heaps, SubtractionRules, period};
use richman_core::{Bids, Effort, Total};
use richman_heaps::subtraction::Unitary;

fn total(chips: u32) -> Total {
    Total::new(chips).unwrap()
}

/// The value by recursion on states: the maximin, or with `upper` the minimax.
struct Definition<'a> {
    set: &'a [u32],
    total: u32,
    bids: [&'a [u32]; 2],
    upper: bool,
    memo: HashMap<(u32, u32, bool), i64>,
}

impl Definition<'_> {
    fn value(&mut self, heap: u32, chips: u32, star: bool) -> i64 {
        if self.set.iter().all(|&take| take > heap) {
            return 0;
        }
        if let Some(&known) = self.memo.get(&(heap, chips, star)) {
            return known;
        }
        let rest = self.total - chips;
        let can = |bids: &[u32], most: u32| -> Vec<Option<u32>> {
            let bids: Vec<_> = bids.iter().copied().filter(|&bid| bid <= most).map(Some).collect();
            if bids.is_empty() { vec![None] } else { bids }
        };
        let (alice, bob) = (can(self.bids[0], chips), can(self.bids[1], rest));
        let mut matrix = vec![vec![0; bob.len()]; alice.len()];
        for (row, &mine) in alice.iter().enumerate() {
            for (column, &other) in bob.iter().enumerate() {
                let tie = mine == other;
                let wins = mine > other || tie && star;
                let paid = mine.max(other).unwrap();
                let next = if wins { chips - paid } else { chips + paid };
                let takes: Vec<u32> = self.set.iter().copied().filter(|&take| take <= heap).collect();
                let values = takes
                    .into_iter()
                    .map(|take| (take, self.value(heap - take, next, star != tie)))
                    .collect::<Vec<_>>();
                matrix[row][column] = if wins {
                    values.iter().map(|(take, value)| value + i64::from(*take)).max().unwrap()
                } else {
                    values.iter().map(|(take, value)| value - i64::from(*take)).min().unwrap()
                };
            }
        }
        let value = if self.upper {
            (0..bob.len()).map(|column| matrix.iter().map(|row| row[column]).max().unwrap()).min().unwrap()
        } else {
            matrix.iter().map(|row| *row.iter().min().unwrap()).max().unwrap()
        };
        self.memo.insert((heap, chips, star), value);
        value
    }
}

fn random_bids(total: u32, rng: &mut Rng) -> Vec<u32> {
    let mut bids: Vec<u32> = (0..=total).filter(|_| rng.bool()).collect();
    if bids.is_empty() || rng.bool() {
        bids.insert(0, 0);
        bids.dedup();
    }
    bids
}

#[test]
fn rows_are_those_of_the_definition() {
    let mut rng = Rng::with_seed(6);
    let mut compared = 0;
    for case in 0..400 {
        let chips = rng.u32(0..7);
        let set: Vec<u32> = (1..=5).filter(|_| rng.bool()).collect();
        let all: Vec<u32> = (0..=chips).collect();
        let bids = if case % 3 == 0 {
            [all.clone(), all]
        } else {
            [random_bids(chips, &mut rng), random_bids(chips, &mut rng)]
        };
        let allowed = [Bids::Only(bids[0].clone()), Bids::Only(bids[1].clone())];
        let Ok(rules) = SubtractionRules::new(&set, total(chips), &allowed[0], &allowed[1]) else { continue };
        let definition =
            |upper| Definition { set: &set, total: chips, bids: [&bids[0], &bids[1]], upper, memo: HashMap::new() };
        let mut sides = [definition(false), definition(true)];
        for (heap, row) in (0..14).zip(Heaps::new(&rules)) {
            for (side, values) in sides.iter_mut().zip([&row.maximin, &row.minimax]) {
                for p in 0..=chips {
                    let expected = [side.value(heap, p, true), side.value(heap, p, false)];
                    let found = [values[0][p as usize], values[1][p as usize]];
                    assert_eq!(found, expected, "{rules:?}, heap {heap}, {p} chips");
                    compared += 2;
                }
            }
        }
    }
    assert!(compared > 20_000, "{compared}");
}

#[test]
fn unitary_rows_are_those_of_the_definition() {
    for chips in (0..=24).chain([61, 100]) {
        let rules = SubtractionRules::unitary(total(chips)).unwrap();
        let mut game = Unitary::new(total(chips)).unwrap();
        let heaps = if chips <= 24 { 160 } else { 60 };
        for (heap, row) in (0..heaps).zip(Heaps::new(&rules)) {
            let found: Vec<i64> = game.row().iter().map(|&value| value.into()).collect();
            assert_eq!(found, row.maximin[0], "total {chips}, heap {heap}");
            assert_eq!(row.maximin, row.minimax, "total {chips}, heap {heap}");
            let mirrored: Vec<i64> = (0..=chips).map(|p| game.without_marker(p).unwrap().into()).collect();
            assert_eq!(mirrored, row.maximin[1], "total {chips}, heap {heap}");
            game.advance();
        }
    }
}

#[test]
fn periods_are_those_of_the_rows() {
    let none = [Bids::All, Bids::All];
    let only = |alice: &[u32], bob: &[u32]| [Bids::Only(alice.to_vec()), Bids::Only(bob.to_vec())];
    let mut cases: Vec<(&[u32], u32, [Bids; 2])> = Vec::new();
    for set in [&[1][..], &[1, 2], &[2, 5], &[1, 3, 4]] {
        cases.extend((0..6).map(|chips| (set, chips, none.clone())));
    }
    cases.push((&[1], 3, only(&[0, 1], &[1])));
    cases.push((&[1], 3, only(&[1], &[2])));
    cases.push((&[2, 3], 4, only(&[2, 3], &[0, 2])));
    cases.push((&[1], 8, only(&[2, 3], &[2, 3])));
    for (set, chips, [alice, bob]) in cases {
        let rules = SubtractionRules::new(set, total(chips), &alice, &bob).unwrap();
        let found = period(&rules, 5000, &Effort::default()).unwrap().unwrap();
        let rows: Vec<_> = Heaps::new(&rules).take(3 * found.seen as usize + 20).collect();
        // value(x + period) - value(x) must be constant for all x >= `from`, all chips and both
        // owners of the marker.
        let repeats = |from: u64, period: u64| {
            let (from, period) = (from as usize, period as usize);
            [true, false].into_iter().all(|low| {
                let of = |heap: usize| {
                    let values = if low { &rows[heap].maximin } else { &rows[heap].minimax };
                    values.iter().flatten().copied().collect::<Vec<_>>()
                };
                let mut steps = (from..rows.len() - period).flat_map(|heap| {
                    of(heap).into_iter().zip(of(heap + period)).map(|(a, b)| b - a).collect::<Vec<_>>()
                });
                let first = steps.next();
                steps.all(|step| Some(step) == first)
            })
        };
        assert!(repeats(found.from, found.period));
        assert!(found.from == 0 || !repeats(found.from - 1, found.period));
        assert!((1..found.period).all(|period| !repeats(found.from, period)));
        assert!(rows.iter().enumerate().all(|(heap, row)| Some(row) == found.row(heap as u64).as_ref()));
        assert_eq!(alice == bob, found.drift == 0, "{rules:?}");
    }
}

#[test]
fn bad_rules_are_refused() {
    let five = total(5);
    let bids = |amounts: &[u32]| Bids::Only(amounts.to_vec());
    for (set, alice, bob) in [
        (&[][..], Bids::All, Bids::All),
        (&[0, 1], Bids::All, Bids::All),
        (&[1, 1 << 20], Bids::All, Bids::All),
        (&[1], bids(&[6]), bids(&[6])),
        (&[1], bids(&[]), bids(&[1])),
        (&[1], bids(&[4]), bids(&[4])),
        (&[1], bids(&[3]), bids(&[4])),
    ] {
        let error = SubtractionRules::new(set, five, &alice, &bob).unwrap_err();
        assert!(!error.to_string().is_empty(), "{set:?}");
    }
    for (alice, bob) in [(&[3][..], &[3][..]), (&[0], &[]), (&[], &[0]), (&[2], &[4])] {
        assert!(SubtractionRules::new(&[1], five, &bids(alice), &bids(bob)).is_ok(), "{alice:?} {bob:?}");
    }
    assert!(SubtractionRules::unitary(total(1 << 20)).is_err());
}

#[test]
fn self_interest_is_zero_sum_where_one_players_loss_is_the_others_gain() {
    let mut rng = Rng::with_seed(7);
    for _ in 0..60 {
        let chips = rng.u32(0..6);
        let set: Vec<u32> = (1..=4).filter(|take| *take == 1 || rng.bool()).collect();
        let mut game = PayoffGame::default();
        for heap in 0..12u32 {
            let moves = |sign: i64| {
                let takes = set.iter().filter(|&&take| take <= heap);
                let give = |&take: &u32| {
                    let gain = sign * i64::from(take);
                    PayoffMove { to: heap - take, gains: [gain, -gain] }
                };
                takes.map(give).collect()
            };
            game.position(moves(1), moves(-1)).unwrap();
        }
        let states = general_sum::solve(&game, total(chips), [&Bids::All, &Bids::All], &Effort::default()).unwrap();
        let rules = SubtractionRules::new(&set, total(chips), &Bids::All, &Bids::All).unwrap();
        for (states, row) in states.iter().zip(Heaps::new(&rules)) {
            for (found, values) in states.iter().zip(row.maximin) {
                let expected: Vec<_> = values.iter().map(|value| Some([*value, -value])).collect();
                assert_eq!(found.iter().map(Equilibrium::one).collect::<Vec<_>>(), expected);
            }
        }
    }
}
