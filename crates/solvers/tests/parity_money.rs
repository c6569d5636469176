//! Parity with real money: against all strategies of random-turn play, and proved by the verifier.

use fastrand::Rng;
use rayon::prelude::*;
use richman_check::policies::parity_chance;
use richman_check::verify::{self, Flaw};
use richman_core::{
    ByPlayer, Effort, Error, Mechanism, Node, NodeData, ParityArena, ParityArenaBuilder, ParityLabel,
    ParityMoneySolution, Payment, Player, Priority, Right, Share, ShareBounds, Threshold, Total, Unwatched,
};
use richman_solvers::parity;

use crate::parity::random_arena;
use crate::seeds::seeds;

fn mechanism(payment: &str) -> Mechanism {
    Mechanism { payment: payment.parse::<Payment>().unwrap(), ..Mechanism::default() }
}

fn bounds(solved: &ParityMoneySolution) -> Vec<ShareBounds> {
    (0..solved.thresholds.len() as Node).map(|node| solved.thresholds.get(node)).collect()
}

fn proof(arena: &ParityArena, solved: &ParityMoneySolution, thresholds: &[ShareBounds]) -> Result<(), Flaw> {
    let strategies = ByPlayer::new(&solved.strategies.alice[..], &solved.strategies.bob[..]);
    verify::parity_money(arena, &solved.mechanism, thresholds, strategies, &Unwatched)
}

/// Another share.
fn moved(rng: &mut Rng, share: &Share) -> Share {
    let end = if rng.bool() { Share::ONE } else { Share::ZERO };
    let half = Share::mean(share, &end);
    if half == *share { Share::mean(share, &end.complement()) } else { half }
}

#[test]
fn thresholds_are_chances_in_random_turn_play() {
    seeds("RICHMAN_ARENAS", 1_000).into_par_iter().for_each(|seed| {
        let mut rng = Rng::with_seed(seed ^ 0x9A418);
        let arena = random_arena(&mut rng);
        let Some(chances) = parity_chance(&arena, Player::Bob, 1 << 14) else { return };
        let solved = parity::money(&arena, &Mechanism::default(), &Effort::default()).unwrap();
        let claimed = bounds(&solved);
        for (found, expected) in claimed.iter().zip(&chances) {
            assert_eq!(found.as_exact(), Some(expected), "seed {seed}: {found} in {arena:?}");
        }
        proof(&arena, &solved, &claimed).unwrap_or_else(|flaw| panic!("seed {seed}: {flaw}"));
        let mut wrong = claimed.clone();
        let at = rng.usize(..wrong.len());
        wrong[at] = ShareBounds::exact(moved(&mut rng, &chances[at]));
        assert!(proof(&arena, &solved, &wrong).is_err(), "seed {seed}: {at} in {claimed:?}, {wrong:?}");
    });
}

/// With every payment the bounds are proved, exact values are at once right and refused if changed,
/// and the threshold of Richman payment is 0 or 1 where theirs is.
#[test]
fn every_payment_has_thresholds_and_strategies_that_prove_them() {
    seeds("RICHMAN_ARENAS", 1_000).into_par_iter().for_each(|seed| {
        let mut rng = Rng::with_seed(seed ^ 0x9A419);
        let arena = random_arena(&mut rng);
        let richman = parity::money(&arena, &Mechanism::default(), &Effort::default()).unwrap();
        for payment in ["poorman", "taxman:1/3", "taxman:9/10"] {
            let solved = parity::money(&arena, &mechanism(payment), &Effort::default()).unwrap();
            let claimed = bounds(&solved);
            proof(&arena, &solved, &claimed).unwrap_or_else(|flaw| panic!("seed {seed}, {payment}: {flaw}"));
            for (node, found) in (0..).zip(&claimed) {
                let width = found.high.to_f64() - found.low.to_f64();
                assert!(width < 1e-9, "seed {seed}, {payment}, position {node}: {found} in {arena:?}");
                let of_richman = richman.thresholds.get(node);
                for certain in [Share::ZERO, Share::ONE].map(ShareBounds::exact) {
                    assert_eq!(*found == certain, of_richman == certain, "seed {seed}, {payment}, {node}: {arena:?}");
                }
            }
        }
    });
}
/// A line of parts, each with a way back and a way out.
fn stairs(parts: Node, rng: &mut Rng) -> ParityArena {
    const PART: Node = 10;
    let mut builder = ParityArenaBuilder::new();
    let ends = Player::BOTH.map(|player| builder.terminal(player)).len() as Node;
    let last = ends + parts * PART - 1;
    for node in ends..=last {
        let first = node - (node - ends) % PART;
        let mut moves = || {
            let out = match rng.u32(..8) {
                0 => rng.u32(..ends),
                1 => first.saturating_sub(rng.u32(1..=PART)),
                _ => first + rng.u32(..PART),
            };
            vec![(first + rng.u32(..PART), ()), (out, ())]
        };
        let (alice, bob) = (moves(), moves());
        builder.labelled(&alice, &bob, Priority(rng.u32(..5)));
    }
    builder.build(last).unwrap()
}

/// Values that repeat in many places, zugzwang, and end components with a price.
#[test]
fn long_lines_of_parts_are_exact_and_proved() {
    for seed in seeds("RICHMAN_ARENAS", 1_000).take(20) {
        let arena = stairs(200, &mut Rng::with_seed(seed));
        let solved = parity::money(&arena, &Mechanism::default(), &Effort::default()).unwrap();
        let claimed = bounds(&solved);
        assert_eq!(solved.thresholds.exact_count(), arena.len(), "seed {seed}");
        proof(&arena, &solved, &claimed).unwrap_or_else(|flaw| panic!("seed {seed}: {flaw}"));
    }
}

/// The same arena with other priorities.
fn with_priorities(arena: &ParityArena, priority: impl Fn(Node) -> u32) -> ParityArena {
    let mut builder = ParityArenaBuilder::new();
    for node in arena.nodes() {
        let moves = Player::BOTH.map(|player| arena.labelled(node, player).collect::<Vec<_>>());
        match arena.data(node) {
            NodeData::End(winner) => builder.terminal(winner),
            NodeData::On(label) => {
                builder.labelled(&moves[0], &moves[1], ParityLabel { priority: Priority(priority(node)), ..label })
            }
        };
    }
    builder.build(arena.start()).unwrap()
}

/// Where one player wins all play that never ends, thresholds with many chips come near to those
/// with real money.
#[test]
fn many_chips_are_like_money_where_endless_play_has_one_winner() {
    let total = Total::new(1 << 12).unwrap();
    seeds("RICHMAN_ARENAS", 1_000).into_par_iter().for_each(|seed| {
        let mut rng = Rng::with_seed(seed ^ 0x9A420);
        let (arena, winner) = (random_arena(&mut rng), rng.u32(..2));
        let arena = with_priorities(&arena, |node| 2 * node + winner);
        let money = parity::money(&arena, &Mechanism::default(), &Effort::default()).unwrap();
        let chips = parity::chips(&arena, &Mechanism::default(), total, &Effort::default()).unwrap();
        for node in arena.nodes() {
            let of_money = money.thresholds.get(node).low.to_f64();
            let of_chips = f64::from(chips.thresholds[node as usize].plain) / f64::from(total.chips());
            let apart = (of_money - of_chips).abs() * f64::from(total.chips());
            assert!(apart < 20.0, "seed {seed}, position {node}: {of_money} and {of_chips} ({apart})");
        }
    });
}

/// Elsewhere they need not: Alice must win twice in a row, again and again. With ever smaller bids
/// that needs no money at all; with chips she has none left in the end, whatever the total.
#[test]
fn many_chips_need_not_be_like_money() {
    let mut builder = ParityArenaBuilder::new();
    for (to, priority) in [(1, 1), (2, 1), (0, 2)] {
        builder.labelled(&[(to, ())], &[(0, ())], Priority(priority));
    }
    let arena = builder.build(0).unwrap();
    let money = parity::money(&arena, &Mechanism::default(), &Effort::default()).unwrap();
    assert!(bounds(&money).iter().all(|needs| *needs == ShareBounds::exact(Share::ZERO)));
    for chips in 0..100 {
        let total = Total::new(chips).unwrap();
        let solved = parity::chips(&arena, &Mechanism::default(), total, &Effort::default()).unwrap();
        assert!(solved.thresholds.iter().all(|needs| *needs == Threshold::unreachable(total)), "{chips}");
    }
}

/// v, where Alice may only stay and likes to, and Bob may go to c; u, where it is the other way
/// round; and c, an even chance of either win.
fn stay_or_toss() -> (ParityArena, [Node; 3]) {
    let mut builder = ParityArenaBuilder::new();
    let [alice, bob] = Player::BOTH.map(|player| builder.terminal(player));
    let c = builder.labelled(&[(alice, ())], &[(bob, ())], Priority(0));
    let (v, u) = (c + 1, c + 2);
    builder.labelled(&[(v, ())], &[(v, ()), (c, ())], Priority(2));
    builder.labelled(&[(u, ()), (c, ())], &[(u, ())], Priority(1));
    (builder.build(v).unwrap(), [v, u, c])
}

/// From v Alice never comes to a position that is surely hers, so parity is more than coming to
/// one.
#[test]
fn positions_without_a_sure_win_have_a_price() {
    let (arena, [v, u, _]) = stay_or_toss();
    for payment in ["richman", "poorman", "taxman:1/2"] {
        let solved = parity::money(&arena, &mechanism(payment), &Effort::default()).unwrap();
        let claimed = bounds(&solved);
        for at in [v, u] {
            let half = &Share::dyadic(1, 1);
            let claim = &claimed[at as usize];
            assert!(claim.low <= *half && *half <= claim.high, "{payment}: {claim}");
        }
        proof(&arena, &solved, &claimed).unwrap();
        let moves = Mechanism { right: Right::Moves, ..mechanism(payment) };
        let refused = parity::money(&arena, &moves, &Effort::default());
        assert!(matches!(refused, Err(Error::Unsupported { .. })));
        assert!(verify_as(&arena, &moves, &claimed, &solved).unwrap_err().to_string().contains("moves of their own"));
    }
}

fn verify_as(
    arena: &ParityArena,
    mechanism: &Mechanism,
    claimed: &[ShareBounds],
    solved: &ParityMoneySolution,
) -> Result<(), Flaw> {
    proof(arena, &ParityMoneySolution { mechanism: mechanism.clone(), ..solved.clone() }, claimed)
}

/// Every condition of the proof is needed.
#[test]
fn each_condition_refuses_a_forged_claim() {
    let (arena, [v, u, c]) = stay_or_toss();
    let solved = parity::money(&arena, &Mechanism::default(), &Effort::default()).unwrap();
    let right = bounds(&solved);
    let share = |text: &str| ShareBounds::exact(text.parse().unwrap());
    let refused = |what: &str, change: &dyn Fn(&mut Vec<ShareBounds>, &mut ParityMoneySolution)| {
        let (mut claimed, mut forged) = (right.clone(), solved.clone());
        change(&mut claimed, &mut forged);
        let flaw = proof(&arena, &forged, &claimed).unwrap_err().to_string();
        assert!(flaw.contains(what), "{flaw}");
    };
    refused("positions", &|claimed, _| drop(claimed.pop()));
    refused("positions", &|_, forged| forged.strategies.bob.truncate(2));
    refused("ended here with another result", &|claimed, _| claimed[0] = share("1/2"));
    refused("the wrong way round", &|claimed, _| {
        claimed[c as usize] = ShareBounds { low: "1/2".parse().unwrap(), high: "1/3".parse().unwrap() };
    });
    refused("Bob has no such move", &|_, forged| forged.strategies.bob[v as usize] = u);
    refused("Alice does not keep", &|claimed, _| claimed[c as usize] = share("1/4"));
    refused("Bob does not keep", &|claimed, _| {
        [c, v, u].iter().for_each(|&at| claimed[at as usize] = share("3/4"));
    });
    // Bob would stay at v, and Alice at u, where the other player wins by that.
    refused("with Bob's moves Alice can stay forever, and win", &|_, forged| forged.strategies.bob[v as usize] = v);
    refused("with Alice's moves Bob can stay forever, and win", &|_, forged| forged.strategies.alice[u as usize] = u);
    // A fixed point of the turn alone proves nothing: v could be worth anything from 1/2 on.
    refused("with Alice's moves Bob can stay forever, and win", &|claimed, forged| {
        claimed[u as usize] = share("1/4");
        forged.strategies.alice[u as usize] = u;
    });
    refused("Bob does not keep", &|claimed, _| claimed[v as usize] = share("2/3"));
}

/// Where both have the same moves and play can come from everywhere to everywhere, the greatest
/// priority decides, whatever is paid.
#[test]
fn with_equal_moves_the_greatest_priority_decides() {
    for seed in seeds("RICHMAN_ARENAS", 1_000).take(200) {
        let mut rng = Rng::with_seed(seed ^ 0x9A421);
        let count = rng.u32(1..=20);
        let mut builder = ParityArenaBuilder::new();
        let mut most = 0;
        for at in 0..count {
            let moves = [((at + 1) % count, ()), (rng.u32(..count), ())];
            let priority = rng.u32(..6);
            most = most.max(priority);
            builder.labelled(&moves, &moves, Priority(priority));
        }
        let arena = builder.build(0).unwrap();
        let expected = ShareBounds::exact(Priority(most).winner().either(Share::ZERO, Share::ONE));
        for payment in ["richman", "poorman", "taxman:1/2"] {
            for right in [Right::Chooses, Right::Moves] {
                let solved =
                    parity::money(&arena, &Mechanism { right, ..mechanism(payment) }, &Effort::default()).unwrap();
                let claimed = bounds(&solved);
                assert!(claimed.iter().all(|needs| *needs == expected), "seed {seed}, {payment}: {claimed:?}");
                proof(&arena, &solved, &claimed).unwrap();
            }
        }
    }
}
