//! The formulas and programmes of [GSZ09] against the game played out by its definition.

use dashu_ratio::RBig;
use richman_analysis::tug_of_war::{Place, poorman, richman};
use richman_check::open_tug::OpenTug;
use richman_core::{Payment, Player, Right, Share};

fn share(alice: u32, bob: u32) -> Share {
    Share::ratio(alice.into(), (alice + bob).into()).unwrap()
}

#[test]
fn nobody_wants_the_other_player_to_move() {
    for (length, most, payment) in [(2, 6), (3, 6), (4, 5), (5, 5), (6, 4)]
        .into_iter()
        .flat_map(|(length, most)| [(length, most, Payment::Richman), (length, most, Payment::Poorman)])
    {
        let [moves, chooses] =
            [Right::Moves, Right::Chooses].map(|right| OpenTug::new(length, most, most, &payment, right).unwrap());
        for (at, alice, bob) in moves.states() {
            let found = [&moves, &chooses].map(|game| game.winner(at, alice, bob));
            assert_eq!(found[0], found[1], "{payment:?}, length {length}, node {at}, {alice} against {bob}");
        }
    }
}

#[test]
fn richman_chips_as_played_out() {
    for (length, most) in [(2, 16), (3, 14), (4, 14), (5, 13), (6, 13), (7, 10)] {
        for total in 0..=most {
            let game = OpenTug::new(length, total, 0, &Payment::Richman, Right::Moves).unwrap();
            let chips = richman::Chips::new(length, total).unwrap();
            for (at, alice, bob) in game.states() {
                let found = chips.winner(at, alice);
                assert_eq!(found, game.winner(at, alice, bob), "length {length}, node {at}, {alice} against {bob}");
            }
        }
    }
}

#[test]
fn richman_chips_by_formula() {
    for length in 2..=24 {
        for total in 0..=420 {
            let chips = richman::Chips::new(length, total).unwrap();
            for place in Place::all(length).unwrap() {
                let found = richman::needs(place, total);
                assert_eq!(found, chips.needs(place.at()), "{place:?}, {total} chips");
            }
        }
    }
}

#[test]
fn poorman_chips_as_played_out() {
    for (length, most) in [(2, 9), (3, 9), (4, 9), (5, 9), (6, 9), (7, 8), (8, 8)] {
        let game = OpenTug::new(length, most, most, &Payment::Poorman, Right::Moves).unwrap();
        let chips = poorman::Chips::new(length, most, most, 1 << 30).unwrap();
        let least = poorman::win_thresholds(length, most).unwrap();
        for (at, alice, bob) in game.states() {
            let found = chips.winner(at, alice, bob);
            assert_eq!(Some(found), game.winner(at, alice, bob), "length {length}, node {at}, {alice} against {bob}");
            assert_eq!(found.0 == Player::Alice, alice >= least[at as usize][bob as usize]);
        }
    }
}

#[test]
fn the_printed_programmes_store_the_fewest_moves() {
    for (length, alice, bob) in [(2, 8, 8), (3, 8, 9), (4, 9, 9), (5, 9, 10), (6, 10, 10), (7, 8, 12)] {
        let chips = poorman::Chips::new(length, alice, bob, 1 << 30).unwrap();
        let left = poorman::programme_l(length, alice, bob).unwrap();
        let right = poorman::programme_r(length, alice, bob).unwrap();
        for at in 1..length {
            for (own, other) in (0..=alice).flat_map(|own| (0..=bob).map(move |other| (own, other))) {
                let stored = [left.stored(at, own, other), right.stored(at, own, other)];
                let expected = match chips.winner(at, own, other) {
                    (Player::Alice, moves) => [moves, 0],
                    (Player::Bob, moves) => [0, moves],
                };
                assert_eq!(stored, expected, "length {length}, node {at}, {own} against {other}");
            }
        }
    }
}

#[test]
fn twenty_nodes_and_purses_of_200_take_seconds() {
    let chips = poorman::Chips::new(20, 200, 200, 1 << 30).unwrap();
    let least = poorman::win_thresholds(20, 200).unwrap();
    let bounds = poorman::limits(20, 64).unwrap();
    let gaps = poorman::gaps(20, 64).unwrap();
    for at in 1..20u32 {
        for bob in 0..=200 {
            let needed = least[at as usize][bob as usize];
            assert_eq!(chips.least(at, bob), Some(needed).filter(|&needed| needed <= 200));
            // docs/design.md, theorem 10
            let (low, high) = &bounds[at as usize];
            assert!(RBig::from(needed) < high * RBig::from(bob) + RBig::ONE, "node {at} against {bob}");
            assert!(RBig::from(needed) >= low * RBig::from(bob) - &gaps[at as usize], "node {at} against {bob}");
        }
    }
    for total in 0..=400 {
        let chips = richman::Chips::new(20, total).unwrap();
        assert_eq!(chips.winner(10, total).map(|(player, _)| player), Some(Player::Alice));
    }
}

#[test]
fn real_poorman_money_is_squeezed_by_finitely_many_moves() {
    for length in 2..=7 {
        for moves in 0..=10 {
            let wins = poorman::wins_within(length, moves).unwrap();
            let losses = poorman::losses_within(length, moves).unwrap();
            let limits = poorman::limits(length, 256).unwrap();
            for at in 1..length as usize {
                // u(p, t) = 1 / v(N - p, t)
                let mirror = wins[length as usize - at].as_ref().map_or(RBig::ZERO, |v| RBig::ONE / v);
                assert_eq!(losses[at].as_ref(), Some(&mirror));
                let (low, high) = &limits[at];
                let loose = RBig::from_parts(1.into(), dashu_int::UBig::ONE << 200);
                assert!(high - low < loose);
                assert!(wins[at].as_ref().is_none_or(|v| *v >= low - &loose));
                assert!(losses[at].as_ref().is_some_and(|u| *u <= high + &loose));
            }
        }
    }
}

#[test]
fn real_poorman_money_decides_every_ratio() {
    for length in 2..=9 {
        for place in Place::all(length).unwrap() {
            let v = (f64::from(place.at()) * std::f64::consts::PI / f64::from(length + 2)).sin()
                / (f64::from(place.at() + 2) * std::f64::consts::PI / f64::from(length + 2)).sin();
            for (alice, bob) in (0..=12).flat_map(|alice| (1..=12).map(move |bob| (alice, bob))) {
                let away = f64::from(alice) / f64::from(bob) - v;
                let expected = if away > -1e-9 { Player::Alice } else { Player::Bob };
                assert_eq!(poorman::winner(place, &share(alice, bob)), expected, "{place:?}, {alice} against {bob}");
            }
            assert_eq!(poorman::winner(place, &Share::ONE), Player::Alice);
        }
    }
    // A ratio very close to an irrational limit: consecutive Fibonacci numbers.
    let place = Place::new(3, 1).unwrap();
    assert_eq!(poorman::winner(place, &share(514_229, 832_040)), Player::Alice);
    assert_eq!(poorman::winner(place, &share(832_040, 1_346_269)), Player::Bob);
}

#[test]
fn bids_and_answers_keep_real_poorman_wins() {
    const MOVES: u32 = 8;
    for place in (2..=5).flat_map(|length| Place::all(length).unwrap()) {
        for alice in 0..=24 {
            let share = share(alice, 24 - alice);
            let ratio = poorman::ratio(&share);
            let v = poorman::wins_within(place.length(), MOVES).unwrap()[place.at() as usize].clone();
            let wins = ratio.as_ref().map_or(v.is_some(), |ratio| v.is_some_and(|v| *ratio >= v));
            let bids = poorman::good_bids(place, &share, MOVES).unwrap();
            assert_eq!(bids.is_some(), wins, "{place:?}, {share}");
            let u = poorman::losses_within(place.length(), MOVES).unwrap()[place.at() as usize].clone();
            let loses = ratio.is_some_and(|ratio| u.is_some_and(|u| ratio < u));
            let own = RBig::from_parts(alice.into(), 24u8.into());
            let answers = (0..=24u32).map(|part| &own * RBig::from_parts(part.into(), 24u8.into()));
            let answers = answers.map(|bid| poorman::good_answer(place, &share, &bid, MOVES).unwrap());
            if loses {
                assert!(answers.into_iter().all(|answer| answer.is_some()), "{place:?}, {share}");
            }
            if let Some((low, high)) = bids {
                for bid in [low, high] {
                    assert_eq!(poorman::good_answer(place, &share, &bid, MOVES).unwrap(), None, "{place:?}, {share}");
                }
            }
        }
    }
}

#[test]
fn what_is_too_large_is_refused() {
    assert!(Place::new(1, 1).is_err() && Place::new(4, 4).is_err() && Place::new(4, 0).is_err());
    assert!(poorman::wins_within(4, 17).is_err() && poorman::limits(4, 4).is_err());
    let message = poorman::Chips::new(20, 200, 200, 1000).unwrap_err().to_string();
    assert!(message.contains("memory"), "{message}");
}
