//! The formulas and programs of [GSZ09] against the general solvers, which know nothing of paths.

use dashu_int::IBig;
use dashu_ratio::RBig;
use rayon::prelude::*;
use richman_catalog::tug_of_war::{PathPosition, poorman, richman};
use richman_check::arenas;
use richman_check::oracle::{Oracle, OracleState};
use richman_core::{
    Arena, Bidding, ChipSolution, Effort, Forces, Holding, Mechanism, Node, Outcome, Payment, Player, Preset,
    PurseSolution, Purses, Right, Share, Ties, Total, Turn,
};
use richman_solvers::{chips, money, purses};

mod formulas;

use formulas::{needs, ratio, real_poorman_winner};

fn share(alice: u32, bob: u32) -> Share {
    Share::ratio(alice.into(), (alice + bob).into()).unwrap()
}

/// The rules of the paper: Alice names a bid, Bob answers knowing it, ties are hers.
fn gasarch(payment: Payment) -> Mechanism {
    Mechanism { payment, ..Preset::Gasarch.mechanism() }
}

/// The same rules with the players exchanged.
fn exchanged(payment: Payment) -> Mechanism {
    Mechanism { payment, ties: Ties::Bob, bidding: Bidding::BobFirst, ..Mechanism::default() }
}

fn by_total(arena: &Arena, mechanism: &Mechanism, total: u32) -> ChipSolution {
    chips::solve(arena, mechanism, Total::new(total).unwrap(), &Effort::default()).unwrap()
}

fn by_purses(arena: &Arena, mechanism: &Mechanism, most: u32) -> PurseSolution {
    let purses = Purses::UpTo { alice: most, bob: most };
    purses::solve(arena, mechanism, purses, &Effort::default()).unwrap()
}

fn plain(chips: u32) -> Holding {
    Holding::new(chips, false).unwrap()
}

/// The player who can force a win, with the fewest moves; `None` for a draw.
fn winner(solution: &impl Forces, node: Node, alice: u32, bob: u32) -> Option<(Player, u32)> {
    let (alice, bob) = (plain(alice), plain(bob));
    let found = [(Player::Alice, alice, bob), (Player::Bob, bob, alice)]
        .into_iter()
        .find_map(|(player, own, other)| Some((player, solution.wins_in(player, node, own, other)?)));
    let outcome = found.map_or(Outcome::Draw, |(player, _)| Outcome::Win(player));
    assert_eq!(solution.outcome(node, alice, bob), outcome);
    found
}

#[test]
fn nobody_wants_the_other_player_to_move() {
    let both =
        |payment: Payment| [Right::Chooses, Right::Moves].map(|right| Mechanism { right, ..gasarch(payment.clone()) });
    for length in 2..=12 {
        let arena = arenas::path(length).unwrap();
        for total in 0..=40 {
            let [chooses, moves] = both(Payment::Richman).map(|mechanism| by_total(&arena, &mechanism, total));
            assert_eq!(chooses.wins, moves.wins, "length {length}, {total} chips");
        }
        let [chooses, moves] = both(Payment::Poorman).map(|mechanism| by_purses(&arena, &mechanism, 20));
        assert_eq!(chooses.wins, moves.wins, "length {length}");
    }
}

/// Plays out the definition, by the paper's rule that the winner of a bid moves.
#[test]
fn the_smallest_games_as_played_out() {
    for (length, total) in [(2, 8), (3, 8), (4, 7), (5, 7), (6, 6)] {
        let arena = arenas::path(length).unwrap();
        for payment in [Payment::Richman, Payment::Poorman] {
            let mechanism = Mechanism { right: Right::Moves, ..gasarch(payment) };
            let oracle = Oracle::new(&arena, &mechanism, total, None);
            let chips = richman::ChipWins::new(length, total).unwrap();
            let purses = poorman::PurseWins::new(length, total, total, 1 << 30).unwrap();
            for state in oracle.states().filter(|state| (1..length).contains(&state.node)) {
                let played = Player::BOTH.into_iter().find_map(|player| Some((player, oracle.rank(player, state)?)));
                let OracleState { node, alice, bob, .. } = state;
                let found = match mechanism.payment {
                    Payment::Richman => chips.winner(node, alice),
                    _ => Some(purses.winner(node, alice, bob)),
                };
                assert_eq!(found, played, "{mechanism}, length {length}, {state:?}");
            }
        }
    }
}

#[test]
fn richman_chips_are_those_of_the_general_solver() {
    for length in 2..=12 {
        let arena = arenas::path(length).unwrap();
        (0..=60).into_par_iter().for_each(|total| {
            let solution = by_total(&arena, &gasarch(Payment::Richman), total);
            let chips = richman::ChipWins::new(length, total).unwrap();
            for position in PathPosition::all(length).unwrap() {
                let context = format!("{position:?}, {total} chips");
                let found = solution.thresholds(position.at());
                let needs = needs(position, total);
                assert_eq!([found.win.plain, found.draw.plain], [needs.win, needs.draw], "{context}");
                for alice in 0..=total {
                    let expected = winner(&solution, position.at(), alice, total - alice);
                    assert_eq!(chips.winner(position.at(), alice), expected, "{context}, {alice} of Alice's");
                }
            }
        });
    }
}

#[test]
fn richman_chips_by_formula() {
    for length in 2..=24 {
        for total in 0..=420 {
            let chips = richman::ChipWins::new(length, total).unwrap();
            for position in PathPosition::all(length).unwrap() {
                let found = needs(position, total);
                assert_eq!(found, chips.needs(position.at()), "{position:?}, {total} chips");
            }
        }
    }
}

#[test]
fn poorman_chips_are_those_of_the_general_solver() {
    for (length, most) in [(2, 40), (3, 40), (4, 40), (5, 40), (6, 40), (7, 30), (8, 30), (11, 30), (12, 30)] {
        let arena = arenas::path(length).unwrap();
        let solution = by_purses(&arena, &gasarch(Payment::Poorman), most);
        let chips = poorman::PurseWins::new(length, most, most, 1 << 30).unwrap();
        let least = poorman::win_thresholds(length, most).unwrap();
        for at in 1..length {
            for (alice, bob) in (0..=most).flat_map(|alice| (0..=most).map(move |bob| (alice, bob))) {
                let context = format!("length {length}, node {at}, {alice} against {bob}");
                let expected = winner(&solution, at, alice, bob);
                assert_eq!(Some(chips.winner(at, alice, bob)), expected, "{context}");
                let wins = solution.wins(Player::Alice, at, false, alice, bob);
                assert_eq!(wins, alice >= least[at as usize][bob as usize], "{context}");
            }
        }
    }
}

/// Programs L and R of [GSZ09, 5.2] together name one winner, with the fewest moves.
#[test]
fn the_printed_programmes_store_the_fewest_moves() {
    for (length, alice, bob) in [(2, 8, 8), (3, 8, 9), (4, 9, 9), (5, 9, 10), (6, 10, 10), (7, 8, 12), (9, 8, 9)] {
        let arena = arenas::path(length).unwrap();
        let solution = by_purses(&arena, &gasarch(Payment::Poorman), alice.max(bob));
        let left = poorman::programme_l(length, alice, bob).unwrap();
        let right = poorman::programme_r(length, alice, bob).unwrap();
        for at in 1..length {
            for (own, other) in (0..=alice).flat_map(|own| (0..=bob).map(move |other| (own, other))) {
                let stored = [left.stored(at, own, other), right.stored(at, own, other)];
                let expected = match winner(&solution, at, own, other) {
                    Some((Player::Alice, moves)) => [moves, 0],
                    Some((Player::Bob, moves)) => [0, moves],
                    None => [0, 0],
                };
                assert_eq!(stored, expected, "length {length}, node {at}, {own} against {other}");
            }
        }
    }
}

#[test]
fn with_the_players_exchanged_bob_names_his_bid_first() {
    let same = |one: &dyn Forces, two: &dyn Forces, length: u32, alice: u32, bob: u32| {
        for at in 0..=length {
            for (player, own, other) in [(Player::Alice, alice, bob), (Player::Bob, bob, alice)] {
                let (own, other) = (plain(own), plain(other));
                let rank = one.wins_in(player, at, own, other);
                let mirrored = two.wins_in(player.other(), length - at, own, other);
                assert_eq!(rank, mirrored, "length {length}, node {at}, {alice} against {bob}");
            }
        }
    };
    for length in 2..=9 {
        let arena = arenas::path(length).unwrap();
        for total in 0..=24 {
            let one = by_total(&arena, &gasarch(Payment::Richman), total);
            let two = by_total(&arena, &exchanged(Payment::Richman), total);
            (0..=total).for_each(|alice| same(&one, &two, length, alice, total - alice));
        }
        let one = by_purses(&arena, &gasarch(Payment::Poorman), 20);
        let two = by_purses(&arena, &exchanged(Payment::Poorman), 20);
        for (alice, bob) in (0..=20).flat_map(|alice| (0..=20).map(move |bob| (alice, bob))) {
            same(&one, &two, length, alice, bob);
        }
    }
}

/// Alice's good bids at a node, by the definition of a turn and her winning states.
fn alices_good_bids(
    mechanism: &Mechanism,
    at: Node,
    alice: u32,
    bob: u32,
    wins: impl Fn(Node, u32, u32) -> bool,
) -> Vec<[u32; 2]> {
    let turn = Turn {
        mechanism,
        player: Player::Alice,
        own: alice,
        other: bob,
        star: false,
        content: |won, own, other, _| {
            Right::Chooses.sees_to(won, |is_own| wins(if is_own { at - 1 } else { at + 1 }, own, other))
        },
    };
    turn.good_bids()
}

/// [GSZ09, Theorem 3.3]: with an advantage of 0 or more the bid T/N, rounded down, keeps the win.
#[test]
fn the_bid_of_the_paper_for_chips_is_a_good_one() {
    let mut seen = 0;
    for length in 2..=12 {
        let arena = arenas::path(length).unwrap();
        for total in 0..=60 {
            let mechanism = gasarch(Payment::Richman);
            let solution = by_total(&arena, &mechanism, total);
            for (position, alice) in
                PathPosition::all(length).unwrap().flat_map(|position| (0..=total).map(move |alice| (position, alice)))
            {
                if richman::chip_advantage(position, alice, total - alice) < 0 {
                    continue;
                }
                let wins = |node, own, _| solution.rank(Player::Alice, node, plain(own)).is_some();
                let good = alices_good_bids(&mechanism, position.at(), alice, total - alice, wins);
                let bid = richman::chip_bid(position, total);
                assert!(
                    good.iter().any(|range| range[0] <= bid && bid <= range[1]),
                    "{position:?}, {alice} of {total}"
                );
                seen += 1;
            }
        }
    }
    assert!(seen > 50_000);
}

/// The range of Alice's good bids [GSZ09, 4.2], with which she wins in at most `moves` moves;
/// `None` if there are none. Unit: all the money = 1.
fn good_bids(position: PathPosition, share: &Share, moves: u32) -> Option<(RBig, RBig)> {
    let before = poorman::wins_within(position.length(), moves - 1).unwrap();
    let (own, other) = (share.rational().clone(), share.complement().rational().clone());
    let down = before[position.at() as usize - 1].as_ref()?;
    let most = &own - down * &other;
    let least = match &before[position.at() as usize + 1] {
        None => other,
        Some(up) if *up == RBig::ZERO => RBig::ZERO,
        Some(up) => (other - own / up).max(RBig::ZERO),
    };
    (least <= most).then_some((least, most))
}

/// [GSZ09, 4.2]: a whole bid that is good for real money within t moves is good for chips.
#[test]
fn good_bids_for_real_poorman_money_are_good_for_chips() {
    const MOST: u32 = 30;
    let mut seen = 0;
    for length in 2..=6 {
        let arena = arenas::path(length).unwrap();
        let mechanism = gasarch(Payment::Poorman);
        let solution = by_purses(&arena, &mechanism, MOST);
        for position in PathPosition::all(length).unwrap() {
            for moves in 1..=8 {
                for (alice, bob) in (0..=MOST).flat_map(|alice| (1..=MOST).step_by(7).map(move |bob| (alice, bob))) {
                    let Some((low, high)) = good_bids(position, &share(alice, bob), moves) else {
                        continue;
                    };
                    let wins = |node, own, other| {
                        let rank = solution.wins_in(Player::Alice, node, plain(own), plain(other));
                        rank.is_some_and(|rank| rank < moves)
                    };
                    let good = alices_good_bids(&mechanism, position.at(), alice, bob, wins);
                    let money = RBig::from(alice + bob);
                    for bid in (0..=alice).filter(|&bid| (&low * &money..=&high * &money).contains(&RBig::from(bid))) {
                        let context = format!("{position:?}, {alice} against {bob}, bid {bid}, {moves} moves");
                        assert!(good.iter().any(|range| range[0] <= bid && bid <= range[1]), "{context}");
                        seen += 1;
                    }
                }
            }
        }
    }
    assert!(seen > 10_000);
}

/// Theorem 8 (real money, to the bank) of docs/design.md: Alice's share at the limit v of the
/// ratios is v/(1 + v).
#[test]
fn real_poorman_limits_are_the_shares_of_the_general_solver() {
    let rational = |share: &Share| RBig::from_parts(IBig::from(share.numerator()), share.denominator().clone());
    for length in 2..=20 {
        let arena = arenas::path(length).unwrap();
        let solution = money::solve(&arena, &gasarch(Payment::Poorman), &Effort::default()).unwrap();
        let limits = poorman::limits(length, 128).unwrap();
        for position in PathPosition::all(length).unwrap() {
            let (low, high) = &limits[position.at() as usize];
            let [low, high] = [low, high].map(|ratio| ratio / (RBig::ONE + ratio));
            for bounds in [solution.win.get(position.at()), solution.draw.get(position.at())] {
                let found = [rational(&bounds.low), rational(&bounds.high)];
                assert!(found[0] <= high && low <= found[1], "{position:?}: {bounds:?}");
                let width = &found[1] - &found[0];
                assert!(width < RBig::from_parts(IBig::ONE, dashu_int::UBig::ONE << 30), "{position:?}: {bounds:?}");
                // At the limit itself Alice wins.
                let exact = width == RBig::ZERO;
                assert_eq!(real_poorman_winner(position, &bounds.low) == Player::Alice, exact, "{position:?}");
                assert_eq!(real_poorman_winner(position, &bounds.high), Player::Alice, "{position:?}");
            }
        }
        let solution = money::solve(&arena, &gasarch(Payment::Richman), &Effort::default()).unwrap();
        for position in PathPosition::all(length).unwrap() {
            assert_eq!(solution.win.get(position.at()).as_exact(), Some(&richman::threshold(position)), "{position:?}");
            assert_eq!(
                solution.draw.get(position.at()).as_exact(),
                Some(&richman::threshold(position)),
                "{position:?}"
            );
        }
    }
}

#[test]
fn twenty_nodes_and_purses_of_200_take_seconds() {
    let chips = poorman::PurseWins::new(20, 200, 200, 1 << 30).unwrap();
    let least = poorman::win_thresholds(20, 200).unwrap();
    let bounds = poorman::limits(20, 64).unwrap();
    let gaps = poorman::gaps(20, 64).unwrap();
    for at in 1..20u32 {
        for bob in 0..=200 {
            let needed = least[at as usize][bob as usize];
            let least = (0..=200).find(|&alice| chips.winner(at, alice, bob).0 == Player::Alice);
            assert_eq!(least, Some(needed).filter(|&needed| needed <= 200));
            // docs/design.md, theorem 10 (chips, to the bank)
            let (low, high) = &bounds[at as usize];
            assert!(RBig::from(needed) < high * RBig::from(bob) + RBig::ONE, "node {at} against {bob}");
            assert!(RBig::from(needed) >= low * RBig::from(bob) - &gaps[at as usize], "node {at} against {bob}");
        }
    }
    for total in 0..=400 {
        let chips = richman::ChipWins::new(20, total).unwrap();
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
        for position in PathPosition::all(length).unwrap() {
            let v = (f64::from(position.at()) * std::f64::consts::PI / f64::from(length + 2)).sin()
                / (f64::from(position.at() + 2) * std::f64::consts::PI / f64::from(length + 2)).sin();
            for (alice, bob) in (0..=12).flat_map(|alice| (1..=12).map(move |bob| (alice, bob))) {
                let away = f64::from(alice) / f64::from(bob) - v;
                let expected = if away > -1e-9 { Player::Alice } else { Player::Bob };
                assert_eq!(
                    real_poorman_winner(position, &share(alice, bob)),
                    expected,
                    "{position:?}, {alice} against {bob}"
                );
            }
            assert_eq!(real_poorman_winner(position, &Share::ONE), Player::Alice);
        }
    }
    // A ratio very close to an irrational limit: consecutive Fibonacci numbers.
    let position = PathPosition::new(3, 1).unwrap();
    assert_eq!(real_poorman_winner(position, &share(514_229, 832_040)), Player::Alice);
    assert_eq!(real_poorman_winner(position, &share(832_040, 1_346_269)), Player::Bob);
}

/// Bob's answer to a bid of Alice with which he wins in at most `moves` moves [GSZ09, 4.3]:
/// `Some(true)` to bid a little more, `Some(false)` to let her have it, `None` if neither wins.
/// Unit of `bid`: all the money = 1.
fn good_answer(position: PathPosition, share: &Share, bid: &RBig, moves: u32) -> Option<bool> {
    let before = poorman::losses_within(position.length(), moves - 1).unwrap();
    let (own, other) = (share.rational().clone(), share.complement().rational().clone());
    let below =
        |money: RBig, against: RBig, at: u32| before[at as usize].as_ref().is_none_or(|limit| money < limit * against);
    if below(&own - bid, other.clone(), position.at() - 1) {
        return Some(false);
    }
    (other > *bid && below(own, other - bid, position.at() + 1)).then_some(true)
}

#[test]
fn bids_and_answers_keep_real_poorman_wins() {
    const MOVES: u32 = 8;
    for position in (2..=5).flat_map(|length| PathPosition::all(length).unwrap()) {
        for alice in 0..=24 {
            let share = share(alice, 24 - alice);
            let ratio = ratio(&share);
            let v = poorman::wins_within(position.length(), MOVES).unwrap()[position.at() as usize].clone();
            let wins = ratio.as_ref().map_or(v.is_some(), |ratio| v.is_some_and(|v| *ratio >= v));
            let bids = good_bids(position, &share, MOVES);
            assert_eq!(bids.is_some(), wins, "{position:?}, {share}");
            let u = poorman::losses_within(position.length(), MOVES).unwrap()[position.at() as usize].clone();
            let loses = ratio.is_some_and(|ratio| u.is_some_and(|u| ratio < u));
            let own = RBig::from_parts(alice.into(), 24u8.into());
            let answers = (0..=24u32).map(|part| &own * RBig::from_parts(part.into(), 24u8.into()));
            let answers = answers.map(|bid| good_answer(position, &share, &bid, MOVES));
            if loses {
                assert!(answers.into_iter().all(|answer| answer.is_some()), "{position:?}, {share}");
            }
            if let Some((low, high)) = bids {
                for bid in [low, high] {
                    assert_eq!(good_answer(position, &share, &bid, MOVES), None, "{position:?}, {share}");
                }
            }
        }
    }
}

#[test]
fn what_is_too_large_is_refused() {
    assert!(PathPosition::new(1, 1).is_err() && PathPosition::new(4, 4).is_err() && PathPosition::new(4, 0).is_err());
    assert!(poorman::wins_within(4, 17).is_err() && poorman::limits(4, 4).is_err());
    let error = poorman::PurseWins::new(20, 200, 200, 1000).unwrap_err();
    assert!(error.to_string().contains("but the limit is 1000 bytes"), "{error}");
}
