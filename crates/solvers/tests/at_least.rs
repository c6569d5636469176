//! What Alice needs with real money for a long-run average: figures, iteration from both sides on
//! random games, and the verifier.

use dashu_ratio::RBig;
use fastrand::Rng;
use rayon::prelude::*;
use richman_check::averages::averages;
use richman_check::verify::{self, Flaw};
use richman_core::{
    ByPlayer, Choice, Effort, Error, Exactness, MeanPayoffArena, MeanPayoffArenaBuilder, Mechanism, Node, Payment,
    PayoffThresholds, Player, PositionKind, Remedy, Right, Share, ShareBounds, Unwatched,
};
use richman_solvers::mean_payoff;

use crate::seeds::seeds;

const PAYMENTS: [&str; 4] = ["richman", "poorman", "taxman:1/2", "taxman:1/3"];

fn number(text: &str) -> RBig {
    text.parse().unwrap()
}

/// Both players may move from each position to these, with these weights.
fn common(positions: &[&[(Node, i64)]]) -> MeanPayoffArena {
    let mut builder = MeanPayoffArenaBuilder::new();
    for moves in positions {
        builder.labelled(moves, moves, PositionKind::Bid);
    }
    builder.build(0).unwrap()
}

fn solve(arena: &MeanPayoffArena, payment: &str, least: &str) -> Result<PayoffThresholds, Error> {
    let mechanism = Mechanism { payment: payment.parse::<Payment>().unwrap(), ..Mechanism::default() };
    mean_payoff::at_least(arena, &mechanism, &number(least), &Effort::default())
}

fn proof(arena: &MeanPayoffArena, solved: &PayoffThresholds) -> Result<(), Flaw> {
    verify::payoff_thresholds(arena, solved, &Unwatched)
}

fn needed(arena: &MeanPayoffArena, payment: &str, least: &str) -> Vec<String> {
    let solved = solve(arena, payment, least).unwrap();
    proof(arena, &solved).unwrap();
    solved.thresholds.iter().map(ShareBounds::to_string).collect()
}

#[test]
fn where_the_average_is_the_share() {
    // Of two positions with all moves between and to themselves one counts: the average is r, and
    // with taxman (r + T (1 - r))/(1 + T).
    let two = common(&[&[(0, 1), (1, 1)], &[(0, 0), (1, 0)]]);
    for (payment, least, expected) in [
        ("poorman", "1/3", "1/3"),
        ("poorman", "0", "0"),
        ("poorman", "1", "1"),
        ("poorman", "2", "1"),
        ("taxman:1/2", "1/2", "1/2"),
        ("taxman:1/2", "2/5", "1/5"),
        ("taxman:1/2", "1/3", "0"),
        ("taxman:1/2", "7/10", "1"),
        ("richman", "1/2", "0"),
        ("richman", "501/1000", "1"),
    ] {
        assert_eq!(needed(&two, payment, least), [expected; 2], "{payment} {least}");
    }
    // At 0 both may stay, and Alice may go to 1 and Bob to 2. Who does so is 9 behind if the other
    // decides there, and 1 ahead otherwise: neither goes from 1/10 to 9/10 of the money.
    let mut builder = MeanPayoffArenaBuilder::new();
    builder.labelled(&[(0, 0), (1, 0)], &[(0, 0), (2, 0)], PositionKind::Bid);
    for moves in [[(0, 1), (0, -9)], [(0, -1), (0, 9)]] {
        builder.labelled(&moves, &moves, PositionKind::Bid);
    }
    let flat = builder.build(0).unwrap();
    assert_eq!(needed(&flat, "poorman", "0"), ["1/10"; 3]);
    let more = solve(&flat, "poorman", "1/1000").unwrap();
    assert!(more.thresholds[0].low > "9/10".parse().unwrap(), "{}", more.thresholds[0]);
}

#[test]
fn a_component_is_reached_with_the_share_it_asks_for() {
    // From 0 to 1, whose average is 3/2, or to 2 and 3, whose average is 1 more than the coin.
    let shops = common(&[&[(1, 0), (2, 0)], &[(1, 1), (4, 2)], &[(2, 2), (3, 1)], &[(2, 2), (3, 1)], &[(1, 1)]]);
    assert_eq!(needed(&shops, "richman", "1")[0], "0");
    // 1 and 4: half of the moves at 1 lead to 4, so two thirds of all weigh 1.
    assert_eq!(needed(&shops, "richman", "4/3"), ["0", "0", "0", "0", "0"]);
    assert_eq!(needed(&shops, "richman", "7/5"), ["1/2", "1", "0", "0", "1"]);
    assert_eq!(needed(&shops, "richman", "8/5"), ["1"; 5]);
    // With poorman 2 and 3 are worth 1 + r: (1 + r) and no bid is enough for what cannot be.
    let solved = needed(&shops, "poorman", "7/4");
    assert_eq!(solved[2..4], ["3/4", "3/4"]);
    // Alice wins a bid of b with r - b of 1 - b left, which must be 3/4; or loses all.
    assert_eq!((solved[0].as_str(), solved[1].as_str()), ("4/5", "1"));
}

/// Moves are the same for both players, or not, and then some positions are owned.
fn random(rng: &mut Rng, positions: Node, equal: bool) -> MeanPayoffArena {
    use PositionKind::{Bid, Owned};
    let mut builder = MeanPayoffArenaBuilder::new();
    for node in 0..positions {
        let kind = if equal || rng.bool() { Bid } else { Owned(*rng.choice(&Player::BOTH).unwrap()) };
        // Few moves lead back, so that there are several components.
        let to = |rng: &mut Rng| if rng.u32(..4) == 0 { rng.u32(..positions) } else { rng.u32(node..positions) };
        let mut draw = |player: Player| -> Vec<(Node, i64)> {
            let most = if kind == Owned(player.other()) { 0 } else { rng.usize(1..=2) };
            (0..most).map(|_| (to(rng), rng.i64(-3..=3))).collect()
        };
        let (alice, mut bob) = (draw(Player::Alice), draw(Player::Bob));
        if equal {
            bob.clone_from(&alice);
        }
        builder.labelled(&alice, &bob, kind);
    }
    builder.build(0).unwrap()
}

/// The formula for one turn, in doubles.
fn turn(part: f64, a: f64, b: f64) -> f64 {
    let (low, high) = (a.min(b), a.max(b));
    (high + part * low) / (1.0 + part + (1.0 - part) * (high - low))
}

/// Iterates the formula from nothing and from everything, with these shares where play stays.
fn iterated(arena: &MeanPayoffArena, part: f64, worth: impl Fn(Node) -> Option<f64>, first: f64) -> Vec<f64> {
    let mut values: Vec<f64> = arena.nodes().map(|node| worth(node).unwrap_or(first)).collect();
    for _ in 0..4000 {
        for node in arena.nodes().filter(|&node| worth(node).is_none()) {
            let after = |player| arena.moves(node, player).iter().map(|&to| values[to as usize]);
            let best = after(Player::Alice).fold(f64::INFINITY, f64::min);
            let worst = after(Player::Bob).fold(f64::NEG_INFINITY, f64::max);
            values[node as usize] = turn(part, best, worst);
        }
    }
    values
}

/// The component of a position from which play cannot leave, as an arena of its own.
fn alone(arena: &MeanPayoffArena, index: usize) -> MeanPayoffArena {
    let nodes = arena.components().nodes(index);
    let number = |to: Node| nodes.iter().position(|&node| node == to).unwrap() as Node;
    let mut builder = MeanPayoffArenaBuilder::new();
    for &node in nodes {
        let moves: Vec<_> = arena.labelled(node, Player::Alice).map(|(to, weight)| (number(to), weight)).collect();
        builder.labelled(&moves, &moves, PositionKind::Bid);
    }
    builder.build(0).unwrap()
}

#[test]
fn shares_are_those_of_iteration() {
    let counts: Vec<[u32; 3]> = seeds("RICHMAN_ARENAS", 1_000)
        .into_par_iter()
        .map(|seed| {
            let mut rng = Rng::with_seed(seed ^ 0xA7);
            let positions = rng.u32(1..=6);
            let arena = random(&mut rng, positions, true);
            let payment = *rng.choice(&PAYMENTS).unwrap();
            let least = format!("{}/{}", rng.i64(-8..=8), rng.i64(1..=4));
            let about = format!("seed {seed}, {payment}, {least}: {arena:?}");
            let solved = solve(&arena, payment, &least).unwrap_or_else(|error| panic!("{error}, {about}"));
            proof(&arena, &solved).unwrap_or_else(|flaw| panic!("{flaw}, {about}"));
            let rate = solved.mechanism.payment.rate();
            let is_closed = |node: Node| arena.is_closed(arena.components().component(node) as usize);
            // All strategies of a component: its average at the bounds is too small and enough.
            let components = arena.components();
            for index in (0..components.len()).filter(|&index| arena.is_closed(index)) {
                let bounds = &solved.thresholds[components.nodes(index)[0] as usize];
                let of = |share: &Share| averages(&alone(&arena, index), &rate.coin(share), 1 << 12);
                let too_small = |value: &RBig| *value < solved.least;
                if bounds.low > Share::ZERO {
                    let less = (0..40).fold(Share::ZERO, |less, _| Share::mean(&less, &bounds.low));
                    assert!(of(&less).is_none_or(|all| all.iter().all(too_small)), "{about}");
                }
                if bounds.high < Share::ONE {
                    let enough = |value: &RBig| *value >= solved.least;
                    assert!(of(&bounds.high).is_none_or(|all| all.iter().all(enough)), "{about}");
                }
            }
            let part = f64::from(rate.numerator()) / f64::from(rate.denominator());
            let at = |end: fn(&ShareBounds) -> &Share, first: f64| {
                let worth = |node: Node| is_closed(node).then(|| end(&solved.thresholds[node as usize]).to_f64());
                iterated(&arena, part, worth, first)
            };
            let (low, high) = (at(|bounds| &bounds.low, 0.0), at(|bounds| &bounds.high, 1.0));
            let mut narrow = true;
            // With poorman payment iteration comes near to nothing and everything only slowly.
            const SLOW: f64 = 0.2;
            const NEAR: f64 = 1e-6;
            for (node, bounds) in (0..).zip(&solved.thresholds) {
                let found = [&bounds.low, &bounds.high].map(Share::to_f64);
                let (from, to) = (low[node], high[node]);
                let meets = from < found[1] + NEAR && found[0] < to + NEAR && to - from < SLOW;
                assert!(meets, "{node}: {found:?} {from} {to}, {about}");
                narrow &= found[1] - found[0] < NEAR;
            }
            assert!(narrow || payment != "richman", "{about}");
            let between = solved.thresholds.iter().any(|bounds| bounds.low > Share::ZERO && bounds.high < Share::ONE);
            let exact = solved.thresholds.iter().all(|bounds| bounds.as_exact().is_some());
            [narrow, exact, between].map(u32::from)
        })
        .collect();
    let [narrow, exact, between] = counts.iter().fold([0, 0, 0], |[a, b, c], [d, e, f]| [a + d, b + e, c + f]);
    println!("{narrow} narrow, {exact} exact, {between} between nothing and everything");
    // Close to nothing and everything the bounds of poorman on cycles can be wide.
    assert!(narrow as usize * 1000 >= counts.len() * 999, "{narrow}");
    assert!(exact as usize * 10 > counts.len() * 7 && between > 80, "{exact}, {between}");
}

/// Where the players have moves of their own there are bounds, which do not contradict those on the
/// average.
#[test]
fn bounds_hold_where_play_may_stay_anywhere() {
    let narrow: u32 = seeds("RICHMAN_ARENAS", 1_000)
        .into_par_iter()
        .map(|seed| {
            let mut rng = Rng::with_seed(seed ^ 0xB8);
            let positions = rng.u32(1..=7);
            let arena = random(&mut rng, positions, false);
            let payment = *rng.choice(&PAYMENTS).unwrap();
            let least = format!("{}/{}", rng.i64(-8..=8), rng.i64(1..=4));
            let about = format!("seed {seed}, {payment}, {least}: {arena:?}");
            let solved = solve(&arena, payment, &least).unwrap_or_else(|error| panic!("{error}, {about}"));
            proof(&arena, &solved).unwrap_or_else(|flaw| panic!("{flaw}, {about}"));
            for share in ["0", "1/2", "1"].map(|share| share.parse::<Share>().unwrap()) {
                let average = mean_payoff::money(&arena, &solved.mechanism, &share, &Effort::default()).unwrap();
                for bounds in &solved.thresholds {
                    let enough = average.value.low > solved.least && share < bounds.low;
                    let too_small = average.value.high < solved.least && share > bounds.high;
                    assert!(!enough && !too_small, "{bounds}, {} with {share}, {about}", average.value);
                }
            }
            u32::from(solved.thresholds.iter().all(|bounds| bounds.as_exact().is_some()))
        })
        .sum();
    assert!(narrow > 300, "{narrow}");
}

/// Every condition of the proof is needed.
#[test]
fn each_condition_refuses_a_forged_share() {
    let shops = common(&[&[(1, 0), (2, 0)], &[(1, 1), (4, 2)], &[(2, 2), (3, 1)], &[(2, 2), (3, 1)], &[(1, 1)]]);
    let solved = solve(&shops, "poorman", "7/4").unwrap();
    let bounds = |low: &str, high: &str| ShareBounds { low: low.parse().unwrap(), high: high.parse().unwrap() };
    let refused = |what: &str, change: &dyn Fn(&mut PayoffThresholds)| {
        let mut forged = solved.clone();
        change(&mut forged);
        let flaw = proof(&shops, &forged).unwrap_err().to_string();
        assert!(flaw.contains(what), "{what}: {flaw}");
    };
    refused("positions", &|forged| drop(forged.thresholds.pop()));
    refused("positions", &|forged| drop(forged.potentials.alice.pop()));
    refused("positions", &|forged| drop(forged.potentials.bob.pop()));
    refused("different shares", &|forged| forged.thresholds[3] = bounds("3/4", "4/5"));
    let both = |forged: &mut PayoffThresholds, new: ShareBounds| {
        forged.thresholds[2] = new.clone();
        forged.thresholds[3] = new;
    };
    refused("wrong way round", &|forged| both(forged, bounds("1", "1/2")));
    refused("said to be at least 7/4", &|forged| both(forged, bounds("1/2", "3/5")));
    refused("said to be at most 7/4", &|forged| both(forged, bounds("4/5", "1")));
    refused("a move here is worth", &|forged| forged.potentials.alice[2] += RBig::ONE);
    refused("a move here is worth", &|forged| forged.potentials.bob[3] += RBig::ONE);
    refused("a move here is worth", &|forged| forged.least = number("2"));
    refused("keeps to what the next positions ask for", &|forged| forged.thresholds[0] = bounds("3/4", "3/4"));
    refused("keeps to what the next positions ask for", &|forged| forged.thresholds[0] = bounds("5/6", "5/6"));
    // Where play can stay at 0, whose weights are 2, nothing follows from what is behind it.
    let mut builder = MeanPayoffArenaBuilder::new();
    builder.labelled(&[(0, 2)], &[(0, 2), (1, 0)], PositionKind::Bid);
    builder.labelled(&[(1, 0)], &[(1, 0)], PositionKind::Bid);
    let stay = builder.build(0).unwrap();
    let found = solve(&stay, "richman", "1").unwrap();
    assert_eq!(found.thresholds.iter().map(ShareBounds::to_string).collect::<Vec<_>>(), ["1", "1"]);
    let mut forged = found;
    forged.thresholds[0] = bounds("1/2", "1/2");
    assert!(proof(&stay, &forged).is_err());
}

/// That Bob can hold the average to the wanted one proves nothing of smaller shares; where it rises
/// with the share, or Bob can come to where it does, it proves that they are worth less.
#[test]
fn a_share_is_needed_only_if_less_is_worth_less() {
    let exact = |share: &str| ShareBounds::exact(share.parse().unwrap());
    let forged = |arena: &MeanPayoffArena, payment: &str, least: &str, share: &str| {
        let mut forged = solve(arena, payment, least).unwrap();
        let potentials = forged.potentials.alice.clone();
        forged.potentials = ByPlayer::both(potentials);
        forged.thresholds.fill(exact(share));
        proof(arena, &forged)
    };
    // Play stays at one position, with weight 0.
    let stay = common(&[&[(0, 0)]]);
    // Two positions of which one counts: the average is the coin.
    let two = common(&[&[(0, 1), (1, 1)], &[(0, 0), (1, 0)]]);
    for payment in PAYMENTS {
        assert_eq!(needed(&stay, payment, "0"), ["0"], "{payment}");
        for share in ["1", "1/2", "1/1000000"] {
            let flaw = forged(&stay, payment, "0", share).unwrap_err().to_string();
            assert!(flaw.contains("solve and save again"), "{payment}, {share}: {flaw}");
        }
        let rises = payment != "richman";
        assert_eq!(needed(&two, payment, "1/2"), [if rises { "1/2" } else { "0" }; 2], "{payment}");
        assert_eq!(forged(&two, payment, "1/2", "1/2").is_ok(), rises, "{payment}");
    }
    // At 0 only Bob moves, and he may stay; at 1 and 2, as above, the average is the coin.
    let mut builder = MeanPayoffArenaBuilder::new();
    builder.labelled(&[], &[(0, 0), (1, 0)], PositionKind::Owned(Player::Bob));
    builder.labelled(&[(1, 1), (2, 1)], &[(1, 1), (2, 1), (0, 1)], PositionKind::Bid);
    builder.labelled(&[(1, -1), (2, -1)], &[(1, -1), (2, -1)], PositionKind::Bid);
    let gate = builder.build(0).unwrap();
    assert_eq!(needed(&gate, "poorman", "0"), ["1/2"; 3]);
}

/// Both players have the same moves, so nobody would rather not move, however wide the bounds are.
#[test]
fn bounds_where_the_winner_must_move_are_proved() {
    let arena = common(&[&[(2, 1)], &[(2, -2), (1, -3)], &[(1, 5), (3, 2)], &[(3, 3), (1, 3)]]);
    for payment in PAYMENTS {
        let payment = payment.parse::<Payment>().unwrap();
        let mechanism = Mechanism { payment, right: Right::Moves, ..Mechanism::default() };
        let solved = mean_payoff::at_least(&arena, &mechanism, &RBig::ONE, &Effort::default()).unwrap();
        proof(&arena, &solved).unwrap_or_else(|flaw| panic!("{flaw}, {mechanism}: {:?}", solved.thresholds));
    }
}

#[test]
fn exact_shares_or_an_error() {
    let loops = common(&[&[(0, 1), (1, 2)], &[(0, -2), (2, 1)], &[(0, 0), (1, 1)]]);
    let mechanism = Mechanism { payment: "poorman".parse::<Payment>().unwrap(), ..Mechanism::default() };
    let effort = Effort { exactness: Exactness::Required, ..Effort::default() };
    let least = number("1/10");
    let error = mean_payoff::at_least(&loops, &mechanism, &least, &effort).unwrap_err();
    assert_eq!(error.remedies(), [Remedy::LeaveOut(Choice::EXACTNESS)], "{error}");
    let found = mean_payoff::at_least(&loops, &mechanism, &least, &Effort::default()).unwrap();
    proof(&loops, &found).unwrap();
    let ShareBounds { low, high } = &found.thresholds[0];
    assert!(high.to_f64() - low.to_f64() < 1e-9, "{low}..{high}");
}
