//! Mean payoff and least credits with chips, against the judge, which writes all holdings out, and
//! proved by the verifier.

use std::collections::BTreeSet;
use std::sync::Mutex;

use dashu_ratio::RBig;
use fastrand::Rng;
use rayon::prelude::*;
use richman_check::oracle::OracleState;
use richman_check::payoff_judge::PayoffJudge;
use richman_check::verify::{self, Flaw};
use richman_core::{
    Bidding, Bids, ChipCredits, ChipPayoffs, Effort, Error, Holding, MeanPayoffArena, MeanPayoffArenaBuilder,
    Mechanism, Node, Payment, Player, PositionKind, Right, Threshold, Ties, Total, Unwatched, Watch,
};
use richman_solvers::mean_payoff;

use crate::mean_payoff::random_arena;
use crate::parity::random_mechanism;
use crate::seeds::seeds;

fn number(text: &str) -> RBig {
    text.parse().unwrap()
}

fn chips(chips: u32) -> Total {
    Total::new(chips).unwrap()
}

fn solve(arena: &MeanPayoffArena, mechanism: &Mechanism, total: u32) -> ChipPayoffs {
    mean_payoff::chips(arena, mechanism, chips(total), &Effort::default()).unwrap()
}

/// An arena with small weights, or smaller ones.
pub fn random(rng: &mut Rng, positions: Node, moves: usize) -> MeanPayoffArena {
    let most = *rng.choice(&[1, 3]).unwrap();
    random_arena(rng, positions, moves, most)
}

/// A path with loops at both ends; moves to the last position, or its stay, weigh 1.
fn path(length: Node) -> MeanPayoffArena {
    let mut builder = MeanPayoffArenaBuilder::new();
    for at in 0..length {
        let moves = [at.saturating_sub(1), (at + 1).min(length - 1)].map(|to| (to, i64::from(to + 1 == length)));
        builder.labelled(&moves, &moves, PositionKind::Bid);
    }
    builder.build(0).unwrap()
}

/// All states of an arena, with Alice's holdings.
fn states<'a>(
    arena: &'a MeanPayoffArena,
    mechanism: &'a Mechanism,
    total: u32,
) -> impl Iterator<Item = (OracleState, Holding)> + 'a {
    let stars: &[Player] = match mechanism.ties {
        Ties::Alice => &[Player::Alice],
        Ties::Bob => &[Player::Bob],
        _ => &Player::BOTH,
    };
    let state = move |node: Node, star: Player, alice: u32| {
        let holding = Holding::new(alice, mechanism.has_star() && star == Player::Alice).unwrap();
        (OracleState { node, alice, bob: total - alice, star }, holding)
    };
    let holdings = move || stars.iter().flat_map(move |&star| (0..=total).map(move |alice| (star, alice)));
    arena.nodes().flat_map(move |node| holdings().map(move |(star, alice)| state(node, star, alice)))
}

fn credits_proof(arena: &MeanPayoffArena, solved: &ChipCredits) -> Result<(), Flaw> {
    verify::energy_chips(arena, solved, &Unwatched)
}

fn proof(arena: &MeanPayoffArena, solved: &ChipPayoffs) -> Result<(), Flaw> {
    verify::mean_payoff_chips(arena, solved, &Unwatched)
}

#[test]
fn averages_and_credits_are_those_of_the_game_written_out() {
    let kinds = Mutex::new(BTreeSet::new());
    seeds("RICHMAN_ARENAS", 1_000).into_par_iter().for_each(|seed| {
        let mut rng = Rng::with_seed(seed ^ 0xC415);
        let (positions, moves) = (rng.u32(1..=4), rng.usize(1..=3));
        let arena = random(&mut rng, positions, moves);
        let mechanism = if rng.bool() { Mechanism::default() } else { random_mechanism(&mut rng) };
        let total = rng.u32(0..=4);
        let solved = solve(&arena, &mechanism, total);
        let credits = mean_payoff::energy(&arena, &mechanism, chips(total), &Effort::default()).unwrap();
        let about = format!("seed {seed}, {mechanism}, {total} chips: {arena:?}");
        credits_proof(&arena, &credits).unwrap_or_else(|flaw| panic!("{flaw}, {about}"));
        assert_eq!(credits.payoffs, solved, "{about}");
        let orders: &[Player] = match mechanism.bidding {
            Bidding::Sealed => &Player::BOTH,
            Bidding::AliceFirst => &[Player::Alice],
            Bidding::BobFirst => &[Player::Bob],
        };
        for &first in orders {
            let judge = PayoffJudge::new(&arena, &mechanism, total, first);
            for average in &solved.averages {
                let [alice, bob] = Player::BOTH.map(|player| judge.credits(player, average));
                for (state, holding) in states(&arena, &mechanism, total) {
                    let (at, found) = (judge.number(state), solved.average(state.node, holding).unwrap());
                    let is_met = solved.needed(state.node, average).is_met_by(holding);
                    assert_eq!(
                        [alice[at].is_some(), bob[at].is_some(), is_met],
                        [found >= average, found <= average, found >= average],
                        "{first} first, {state:?}, {about}"
                    );
                }
            }
            let least = judge.credits(Player::Alice, &RBig::ZERO);
            for (state, holding) in states(&arena, &mechanism, total) {
                let credit = least[judge.number(state)];
                assert_eq!(
                    credits.credit(state.node, holding).map(i128::from),
                    credit,
                    "{first} first, {state:?}, {about}"
                );
                let is_met = credits.needed(state.node, 2).is_met_by(holding);
                assert_eq!(is_met, credit.is_some_and(|credit| credit <= 2), "{about}");
            }
        }
        refused_when_wrong(&mut rng, &arena, &credits, &about);
        kinds.lock().unwrap().insert((mechanism.to_string(), solved.averages.len() > 1));
    });
    assert!(kinds.into_inner().unwrap().len() > 40);
}

/// Another average or credit anywhere is refused.
fn refused_when_wrong(rng: &mut Rng, arena: &MeanPayoffArena, solved: &ChipCredits, about: &str) {
    let mut wrong = solved.payoffs.clone();
    let average = rng.choice(&mut wrong.averages).unwrap();
    *average += number(if rng.bool() { "1/97" } else { "-1/97" });
    assert!(proof(arena, &wrong).is_err(), "{about}");
    let mut wrong = solved.clone();
    let credit = rng.choice(&mut wrong.credits).unwrap();
    *credit = match *credit {
        Some(credit) if credit > 0 && rng.bool() => Some(credit - 1),
        Some(credit) => Some(credit + 1),
        None => Some(rng.i64(0..20)),
    };
    assert!(credits_proof(arena, &wrong).is_err(), "{about}");
}

/// In the middle of the path of three an average is 0 with nothing, 1/2 with everything, and 1/4
/// with anything between, for every total.
#[test]
fn the_middle_of_a_path_of_three_is_worth_a_quarter() {
    let path = path(3);
    for total in (0..=12).chain([20, 33, 50]) {
        let solved = solve(&path, &Mechanism::default(), total);
        proof(&path, &solved).unwrap();
        for half_steps in 0..=2 * total + 1 {
            let expected = match half_steps {
                0 => "0",
                most if most == 2 * total + 1 => "1/2",
                _ => "1/4",
            };
            assert_eq!(solved.average(1, Holding::from_half_steps(half_steps)), Some(&number(expected)), "{total}");
        }
        // Alice is sure of a quarter at the first position with a chip, if there is one.
        let quarter = Threshold { plain: 1, star: 1 };
        assert_eq!(solved.needed(0, &number("1/4")), quarter);
        let kept = solved.kept_by_greater_totals();
        assert_eq!(kept, (total > 0).then_some([&number("1/4"); 2]), "{total}");
    }
    let with_money = mean_payoff::money(&path, &Mechanism::default(), &"1/2".parse().unwrap(), &Effort::default());
    assert_eq!(with_money.unwrap().value.low, number("1/3"));
}

/// From n - 2 chips on, the average on a path of n is 1/(2n - 2) from all holdings but those near
/// nothing and everything: 2j or 2j - 1 half-steps at j before the last position. No smaller total
/// has it. With real money it is 1/n.
#[test]
fn longer_paths_are_worth_less_than_with_money() {
    for length in 3..=7 {
        let path = path(length);
        for total in 0..=9 {
            let solved = solve(&path, &Mechanism::default(), total);
            let plateau = RBig::from(1) / RBig::from(2 * length - 2);
            assert_eq!(solved.averages.contains(&plateau), total + 2 >= length, "{length} {total}");
            if total + 2 < length {
                continue;
            }
            assert_eq!(solved.kept_by_greater_totals(), Some([&plateau; 2]), "{length} {total}");
            assert_eq!(solved.averages.len(), length as usize);
            for node in 0..length {
                let needed = match length - 1 - node {
                    0 => 0,
                    last if node == 0 => 2 * (last - 1),
                    before => 2 * before - 1,
                };
                let most = 2 * total + 2
                    - match node {
                        0 => 0,
                        last if last + 1 == length => 2 * (last - 1),
                        after => 2 * after - 1,
                    };
                for half_steps in 0..=2 * total + 1 {
                    let is_plateau = (needed..most).contains(&half_steps);
                    let found = solved.average(node, Holding::from_half_steps(half_steps)).unwrap();
                    assert_eq!(*found == plateau, is_plateau, "{length} {total}: {node} {half_steps}");
                }
            }
        }
    }
}

/// Theorem 30: chips that the other player has in addition take nothing from a player who does as
/// well from everywhere with all the chips.
#[test]
fn more_chips_for_the_other_player_do_not_hurt() {
    seeds("RICHMAN_ARENAS", 1_000).into_par_iter().for_each(|seed| {
        let mut rng = Rng::with_seed(seed ^ 0x7730);
        let positions = rng.u32(1..=4);
        let arena = random(&mut rng, positions, 3);
        let mechanism = if rng.bool() { Mechanism::default() } else { random_mechanism(&mut rng) };
        if mechanism.ties == Ties::Marker {
            return assert_eq!(solve(&arena, &mechanism, 1).kept_by_greater_totals(), None);
        }
        let (total, more) = (rng.u32(0..=3), rng.u32(1..=3));
        let (few, many) = (solve(&arena, &mechanism, total), solve(&arena, &mechanism, total + more));
        let all = |chips: u32| {
            let stars = few.configurations().stars().iter();
            let holdings = stars.map(move |&star| Holding::new(chips, star).unwrap());
            arena.nodes().flat_map(move |node| holdings.clone().map(move |holding| (node, holding)))
        };
        let everything = all(total).map(|(node, holding)| few.average(node, holding).unwrap()).min().unwrap();
        let nothing = all(0).map(|(node, holding)| few.average(node, holding).unwrap()).max().unwrap();
        assert_eq!(few.kept_by_greater_totals(), (nothing <= everything).then_some([nothing, everything]));
        for (node, holding) in (0..=total).flat_map(all) {
            let before = few.average(node, holding).unwrap();
            let richer = Holding::new(holding.chips() + more, holding.has_star()).unwrap();
            let [same, gained] = [holding, richer].map(|holding| many.average(node, holding).unwrap());
            assert!(same >= before.min(everything), "seed {seed}, {mechanism}: {arena:?}");
            assert!(gained <= before.max(nothing), "seed {seed}, {mechanism}: {arena:?}");
        }
    });
}

/// Theorem 31: where both have the same moves and every position can follow every other one, all
/// holdings but those near nothing and everything have one average, the same for all totals.
#[test]
fn one_component_has_one_average() {
    let count = Mutex::new(0);
    (0..400u64).into_par_iter().for_each(|seed| {
        let mut rng = Rng::with_seed(seed ^ 0x3131);
        let positions = rng.u32(2..=4);
        let mut builder = MeanPayoffArenaBuilder::new();
        for _ in 0..positions {
            let moves: Vec<(Node, i64)> =
                (0..rng.usize(1..=3)).map(|_| (rng.u32(..positions), rng.i64(0..=3))).collect();
            builder.labelled(&moves, &moves, PositionKind::Bid);
        }
        let arena = builder.build(0).unwrap();
        if arena.components().len() > 1 {
            return;
        }
        let near = 1 << positions;
        let solved = solve(&arena, &Mechanism::default(), 2 * near + 3);
        let value = solved.average(0, Holding::from_half_steps(2 * near + 3)).unwrap();
        for total in [2 * near + 1, 2 * near + 3] {
            let solved = solve(&arena, &Mechanism::default(), total);
            for (node, chips) in arena.nodes().flat_map(|node| (near..=total - near).map(move |chips| (node, chips))) {
                for star in [false, true] {
                    assert_eq!(solved.average(node, Holding::new(chips, star).unwrap()), Some(value), "seed {seed}");
                }
            }
            let [least, most] = solved.kept_by_greater_totals().unwrap();
            assert!(least <= value && value <= most, "seed {seed}");
        }
        *count.lock().unwrap() += 1;
    });
    assert!(count.into_inner().unwrap() > 50);
}

/// Many configurations are solved from the averages of few chips.
#[test]
fn averages_of_few_chips_are_tried_first() {
    let arena = random(&mut Rng::with_seed(11), 60, 3);
    let mechanism = Mechanism::default();
    for mechanism in [mechanism.clone(), Mechanism { bidding: Bidding::BobFirst, ties: Ties::Marker, ..mechanism }] {
        let credits = mean_payoff::energy(&arena, &mechanism, chips(40), &Effort::default()).unwrap();
        credits_proof(&arena, &credits).unwrap();
    }
}

type Change = fn(&mut ChipCredits);

/// Every condition of the proofs is needed.
#[test]
fn each_condition_refuses_a_forged_answer() {
    let path = path(3);
    let solved = mean_payoff::energy(&path, &Mechanism::default(), chips(2), &Effort::default()).unwrap();
    credits_proof(&path, &solved).unwrap();
    let refused = |arena: &MeanPayoffArena, solved: &ChipCredits, what: &str, change: Change| {
        let mut forged = solved.clone();
        change(&mut forged);
        let flaw = credits_proof(arena, &forged).map_or_else(|flaw| flaw.to_string(), |()| "nothing".to_string());
        assert!(flaw.contains(what), "{flaw} in place of {what}");
    };
    let averages: [(&str, Change); 14] = [
        ("2 positions", |forged| forged.payoffs.ranks.truncate(12)),
        ("2 positions", |forged| forged.payoffs.potentials.alice.truncate(12)),
        ("2 positions", |forged| forged.payoffs.potentials.bob.truncate(12)),
        ("payment richman", |forged| {
            forged.mechanism.payment = Payment::Poorman;
            forged.payoffs.mechanism.payment = Payment::Poorman;
        }),
        ("0 among the bids", |forged| {
            forged.mechanism.bids = Bids::Only(vec![1, 2]);
            forged.payoffs.mechanism.bids = Bids::Only(vec![1, 2]);
        }),
        ("determined play", |forged| {
            forged.mechanism.ties = Ties::Marker;
            forged.payoffs.mechanism.ties = Ties::Marker;
        }),
        ("ascending", |forged| forged.payoffs.averages.swap(0, 1)),
        ("128 bits", |forged| forged.payoffs.averages[2] = RBig::from(u128::MAX) * RBig::from(2)),
        ("no such average", |forged| forged.payoffs.ranks[7] = 3),
        ("said to be worth less", |forged| forged.payoffs.ranks[6] = 2),
        ("said to be worth less", |forged| forged.payoffs.potentials.alice[7] = 99),
        ("said to be worth less", |forged| forged.payoffs.potentials.bob[7] = 99),
        ("Alice has no bid", |forged| forged.payoffs.averages[1] = number("1/3")),
        ("Bob has no bid", |forged| forged.payoffs.averages[1] = number("1/5")),
    ];
    averages.into_iter().for_each(|(what, change)| refused(&path, &solved, what, change));
    for player in Player::BOTH {
        let mut forged = solved.payoffs.clone();
        forged.potentials[player].fill(0);
        assert!(proof(&path, &forged).is_err());
        // No arithmetic of the proof overflows.
        forged.potentials[player].fill(i128::MAX);
        forged.averages[1] = number("1/170141183460469231731687303715884105727");
        assert!(proof(&path, &forged).is_err());
    }
    // Alice gets 1 when she moves and loses 1 when Bob does; and a position where she only loses.
    let mut builder = MeanPayoffArenaBuilder::new();
    builder.labelled(&[(0, 1)], &[(0, -1)], PositionKind::Bid);
    builder.labelled(&[(1, -1)], &[(1, -1)], PositionKind::Bid);
    let arena = builder.build(0).unwrap();
    let solved = mean_payoff::energy(&arena, &Mechanism::default(), chips(3), &Effort::default()).unwrap();
    credits_proof(&arena, &solved).unwrap();
    let credits: [(&str, Change); 11] = [
        ("another mechanism or total", |forged| forged.mechanism.right = Right::Moves),
        ("another mechanism or total", |forged| forged.total = chips(4)),
        ("1 positions", |forged| forged.credits.truncate(8)),
        ("1 positions", |forged| forged.stages.truncate(8)),
        ("0 or more", |forged| forged.credits[7] = Some(-1)),
        ("not below 0", |forged| forged.credits[0] = None),
        ("said to be worth less", |forged| forged.credits[2] = Some(9)),
        ("said to be worth less", |forged| {
            forged.credits[1] = forged.credits[0];
            forged.stages[0] = forged.stages[1] + 1;
        }),
        ("may need more than", |forged| forged.credits[3] = Some(0)),
        ("may need more than", |forged| forged.credits[8..].fill(Some(5))),
        ("does not always lose with less", |forged| forged.credits[0] = Some(5)),
    ];
    credits.into_iter().for_each(|(what, change)| refused(&arena, &solved, what, change));
    // With the stages alone Bob could be said to wait forever: here more credit never helps.
    let mut builder = MeanPayoffArenaBuilder::new();
    builder.labelled(&[(0, 0)], &[(0, 0)], PositionKind::Bid);
    let waiting = builder.build(0).unwrap();
    let solved = mean_payoff::energy(&waiting, &Mechanism::default(), chips(1), &Effort::default()).unwrap();
    credits_proof(&waiting, &solved).unwrap();
    refused(&waiting, &solved, "does not always lose with less", |forged| forged.credits.fill(Some(1)));
}

/// Says stop at once.
struct Stopping;

impl Watch for Stopping {
    fn cancelled(&self) -> bool {
        true
    }
}

#[test]
fn limits_are_kept() {
    let path = path(3);
    let mechanism = Mechanism::default();
    let solve = |mechanism: &Mechanism, total: u32, effort: &Effort| {
        mean_payoff::energy(&path, mechanism, chips(total), effort).map(|_| ())
    };
    let little = Effort { memory: 1000, ..Effort::default() };
    assert!(matches!(solve(&mechanism, 3, &little), Err(Error::TooMuchMemory { .. })));
    assert!(matches!(solve(&mechanism, 1_000_000, &little), Err(Error::TooMuchMemory { .. })));
    assert_eq!(solve(&mechanism, 3, &Effort::watched(&Stopping)), Err(Error::Cancelled));
    let late = Effort::default().within_time(std::time::Duration::ZERO);
    assert!(matches!(solve(&mechanism, 3, &late), Err(Error::OutOfTime { .. })));
    let marker = Mechanism { ties: Ties::Marker, ..mechanism.clone() };
    let poor = Mechanism { payment: Payment::Poorman, ..mechanism.clone() };
    let few = Mechanism { bids: Bids::Only(vec![1]), ..mechanism.clone() };
    for refused in [marker, poor, few] {
        assert!(matches!(solve(&refused, 3, &Effort::default()), Err(Error::Unsupported { .. })), "{refused}");
    }
    let solved = mean_payoff::chips(&path, &mechanism, chips(3), &Effort::default()).unwrap();
    assert_eq!(verify::mean_payoff_chips(&path, &solved, &Stopping), Err(Flaw::Stopped));
    // Holdings that the total does not allow, and positions that do not exist.
    assert_eq!(solved.average(0, Holding::new(4, false).unwrap()), None);
    assert_eq!(solved.average(3, Holding::new(1, false).unwrap()), None);
}
