//! Parity with chips against the judge, which writes all holdings out.
//!
//! `RICHMAN_ARENAS` sets the number of arenas (default 1,000); the deep run of the README sets it
//! to 20,000.

use std::collections::BTreeSet;
use std::sync::Mutex;

use fastrand::Rng;
use rayon::prelude::*;
use richman_check::arenas::drawn;
use richman_check::oracle::OracleState;
use richman_check::parity_judge::ParityJudge;
use richman_check::verify::{self, Flaw};
use richman_check::zielonka::TurnGame;
use richman_core::{
    AfterBid, Bidding, Bids, ByPlayer, Effort, Error, Holding, Mechanism, Node, NodeData, ParityArena,
    ParityArenaBuilder, ParityGraph, ParityLabel, ParityPlan, ParitySolution, Player, PositionKind, Priority, Right,
    Ties, Total, Unwatched,
};
use richman_solvers::parity::{self, ParityPlans};

use crate::seeds::seeds;

/// A small arena; moves of both players are independent, so zugzwang and dead loops occur.
pub fn random_arena(rng: &mut Rng) -> ParityArena {
    let (positions, moves, most) = (rng.u32(1..=5), rng.usize(1..=3), rng.u32(0..=4));
    let has_ends = rng.bool();
    let ends: &[Player] = if has_ends { &Player::BOTH } else { &[] };
    let count = positions + ends.len() as Node;
    if has_ends {
        return drawn(ends, positions, |_| drawn_position(rng, count, moves, most)).unwrap();
    }
    let mut builder = ParityArenaBuilder::new();
    for _ in 0..positions {
        let ([alice, bob], priority) = drawn_position(rng, count, moves, most);
        builder.labelled(&alice, &bob, priority);
    }
    builder.build(0).unwrap()
}

/// Half of all positions have bids.
fn drawn_position(rng: &mut Rng, count: Node, moves: usize, most: u32) -> ([Vec<(Node, ())>; 2], ParityLabel) {
    use PositionKind::{Bid, Owned};
    let kind = *rng.choice(&[Bid, Bid, Owned(Player::Alice), Owned(Player::Bob)]).unwrap();
    let targets = Player::BOTH.map(|player| {
        let most = if kind == Owned(player.other()) { 0 } else { rng.usize(1..=moves) };
        (0..most).map(|_| (rng.u32(0..count), ())).collect()
    });
    (targets, ParityLabel { priority: Priority(rng.u32(0..=most)), kind })
}

/// A mechanism in which play is determined.
pub fn random_mechanism(rng: &mut Rng) -> Mechanism {
    loop {
        let mechanism = Mechanism {
            ties: rng.choice(Ties::ALL).unwrap(),
            bidding: rng.choice([Bidding::Sealed, Bidding::Sealed, Bidding::AliceFirst, Bidding::BobFirst]).unwrap(),
            right: rng.choice([Right::Chooses, Right::Moves]).unwrap(),
            bids: rng.choice([Bids::All, Bids::All, Bids::Only(vec![0, 2]), Bids::Only(vec![0, 1, 3])]).unwrap(),
            ..Mechanism::default()
        };
        if mechanism.is_determined() {
            return mechanism;
        }
    }
}

#[test]
fn thresholds_are_those_of_the_game_written_out() {
    let kinds = Mutex::new(BTreeSet::new());
    seeds("RICHMAN_ARENAS", 1_000).into_par_iter().for_each(|seed| {
        let mut rng = Rng::with_seed(seed ^ 0x9A417);
        let arena = random_arena(&mut rng);
        let mechanism = if rng.bool() { Mechanism::default() } else { random_mechanism(&mut rng) };
        let total = rng.u32(0..=4);
        let solved = parity::chips(&arena, &mechanism, Total::new(total).unwrap(), &Effort::default()).unwrap();
        let orders: &[Player] = match mechanism.bidding {
            Bidding::Sealed => &Player::BOTH,
            Bidding::AliceFirst => &[Player::Alice],
            Bidding::BobFirst => &[Player::Bob],
        };
        for &first in orders {
            let judge = ParityJudge::new(&arena, &mechanism, total, first);
            for node in arena.nodes() {
                let stars: &[Player] = match mechanism.ties {
                    Ties::Alice => &[Player::Alice],
                    Ties::Bob => &[Player::Bob],
                    _ => &Player::BOTH,
                };
                for (&star, alice) in stars.iter().flat_map(|star| (0..=total).map(move |alice| (star, alice))) {
                    let state = OracleState { node, alice, bob: total - alice, star };
                    let has_star = mechanism.has_star() && star == Player::Alice;
                    let wins = solved.thresholds[node as usize].is_met_by(Holding::new(alice, has_star).unwrap());
                    assert_eq!(
                        wins,
                        judge.is_won_by_alice(state),
                        "seed {seed}, {mechanism}, {first} first: {state:?} in {arena:?}"
                    );
                }
            }
        }
        proves(&mut rng, &arena, &solved, &format!("seed {seed}"));
        let ordinary = solved.thresholds.iter().any(|needed| *needed != solved.thresholds[0]);
        kinds.lock().unwrap().insert((mechanism.to_string(), ordinary));
    });
    assert!(kinds.into_inner().unwrap().len() > 40);
}

fn proof(arena: &ParityArena, solved: &ParitySolution, plans: &ByPlayer<ParityPlans>) -> Result<(), Flaw> {
    verify::parity(arena, solved, ByPlayer::new(&plans.alice[..], &plans.bob[..]), &Unwatched)
}

/// Both players have plans, which prove the thresholds; and what is changed at random is refused,
/// unless it claims no other threshold.
fn proves(rng: &mut Rng, arena: &ParityArena, solved: &ParitySolution, about: &str) {
    let sealed = Mechanism { bidding: Bidding::Sealed, ..solved.mechanism.clone() };
    let plans = parity::plans(arena, solved, &Effort::default());
    if !sealed.is_determined() {
        return assert!(matches!(plans, Err(Error::Unsupported { .. })), "{about}");
    }
    let plans = plans.unwrap_or_else(|error| panic!("{about}, {}: {error}", solved.mechanism));
    proof(arena, solved, &plans).unwrap_or_else(|flaw| panic!("{about}, {}: {flaw}", solved.mechanism));
    let mut wrong = solved.clone();
    let needed = rng.choice(&mut wrong.thresholds).unwrap();
    let number = if solved.mechanism.has_star() && rng.bool() { &mut needed.star } else { &mut needed.plain };
    *number = if rng.bool() { *number + 1 } else { number.wrapping_sub(1).min(99) };
    if !solved.mechanism.has_star() {
        needed.star = needed.plain;
    }
    assert!(proof(arena, &wrong, &plans).is_err(), "{about}: {:?} and {:?}", solved.thresholds, wrong.thresholds);
    // Plans that suit the wrong thresholds better prove them no more.
    if let Ok(plans) = parity::plans(arena, &wrong, &Effort::default()) {
        assert!(proof(arena, &wrong, &plans).is_err(), "{about}: {:?}", wrong.thresholds);
    }
}

/// A path with loops at both ends, whose last position Alice wants to see forever.
fn path(length: u32) -> ParityArena {
    let mut builder = ParityArenaBuilder::new();
    for at in 0..length {
        let moves = [(at.saturating_sub(1), ()), ((at + 1).min(length - 1), ())];
        builder.labelled(&moves, &moves, Priority(if at + 1 == length { 2 } else { 1 }));
    }
    builder.build(0).unwrap()
}

/// Alice needs nothing at the last position, (j - 1)* at j before it, and n - 2 at the first, for
/// every total from n - 3 on and no smaller one.
#[test]
fn a_path_needs_a_chip_for_every_step() {
    for length in 3..=9 {
        for total in 0..=12 {
            let game = path(length);
            let solved = parity::chips(&game, &Mechanism::default(), Total::new(total).unwrap(), &Effort::default());
            let needs: Vec<u32> =
                solved.unwrap().thresholds.iter().map(|needed| needed.holding().unwrap().half_steps()).collect();
            let mut formula: Vec<u32> = (1..length - 1).rev().map(|before| 2 * (before - 1) + 1).collect();
            formula.insert(0, 2 * (length - 2));
            formula.push(0);
            assert_eq!(needs == formula, total + 3 >= length, "{length} {total}: {needs:?}");
        }
    }
}

type Change = fn(&mut ParitySolution, &mut ByPlayer<ParityPlans>);

fn plan(plans: &mut ByPlayer<ParityPlans>, node: usize) -> &mut ParityPlan {
    plans.alice[node][0].as_mut().unwrap()
}

/// What a plan must be: each condition is shown to be needed.
#[test]
fn corrupted_plans_are_refused() {
    let (arena, total) = (path(5), Total::new(4).unwrap());
    let refused = |mechanism: &Mechanism, change: Change, words: &str| {
        let mut solved = parity::chips(&arena, mechanism, total, &Effort::default()).unwrap();
        let mut plans = parity::plans(&arena, &solved, &Effort::default()).unwrap();
        assert_eq!(proof(&arena, &solved, &plans), Ok(()));
        change(&mut solved, &mut plans);
        let flaw = proof(&arena, &solved, &plans).map_or_else(|flaw| flaw.to_string(), |()| "nothing".to_string());
        assert!(flaw.contains(words), "{flaw} in place of {words}: {plans:?}");
    };
    let usual = Mechanism::default();
    let moves = Mechanism { right: Right::Moves, ..usual.clone() };
    let poor = |solved: &mut ParitySolution, _: &mut ByPlayer<ParityPlans>| {
        solved.mechanism.payment = richman_core::Payment::Poorman;
    };
    let cases: [(&Mechanism, Change, &str); 15] = [
        (&usual, |_, plans| plans.alice.truncate(4), "4 positions"),
        (&usual, |solved, _| solved.thresholds.truncate(4), "4 positions"),
        (&usual, |solved, _| solved.thresholds[0].plain = 6, "no holding has that many"),
        (&usual, poor, "payment richman"),
        (&usual, |solved, _| solved.mechanism.bids = Bids::Only(vec![1, 2]), "0 among the bids"),
        (&usual, |_, plans| plans.alice[3][0] = None, "it is missing"),
        (&usual, |_, plans| plan(plans, 3).bid = 2, "the bid is not possible"),
        (&usual, |solved, _| solved.mechanism.bids = Bids::Only(vec![0, 3]), "the bid is not possible"),
        (&usual, |_, plans| plan(plans, 2).bid = 0, "forever with 1 as the greatest priority"),
        (&usual, |_, plans| plan(plans, 1).bid = 3, "it may leave too little"),
        (&usual, |_, plans| plan(plans, 1).after = [None; 4], "what to do after the bid"),
        (&moves, |_, plans| plan(plans, 1).after[0] = Some(AfterBid::Lets), "what to do after the bid"),
        (&usual, |_, plans| plan(plans, 1).after[0] = Some(AfterBid::Moves(4)), "no such move"),
        (&usual, |solved, _| solved.thresholds.fill(richman_core::Threshold::NOTHING), "bid is not possible"),
        (
            &Mechanism { ties: Ties::Alice, ..usual.clone() },
            |solved, _| solved.thresholds[1].star += 1,
            "there is none",
        ),
    ];
    for (mechanism, change, words) in cases {
        refused(mechanism, change, words);
    }
}

/// The plans of both players are a game without bids in which the textbook finds everybody the
/// winner where the other player moves.
#[test]
fn plans_are_a_game_for_other_programs() {
    let textbook = |graph: &ParityGraph| {
        let arena = graph.arena().unwrap();
        let mut game = TurnGame::default();
        for node in arena.nodes() {
            let NodeData::On(label) = arena.data(node) else { panic!("play goes on") };
            game.add(label.kind.owner().unwrap(), label.priority.0);
        }
        for node in arena.nodes() {
            game.set_moves(node as usize, arena.successors(node).iter().map(|&to| to as usize).collect());
        }
        let owners: Vec<Player> = arena.nodes().filter_map(|node| arena.owner(node)).collect();
        (owners, game.won_by_alice())
    };
    let mut counted = 0;
    for seed in seeds("RICHMAN_ARENAS", 300) {
        let mut rng = Rng::with_seed(seed ^ 0x6A3E);
        let (arena, mechanism) = (random_arena(&mut rng), random_mechanism(&mut rng));
        let total = Total::new(rng.u32(0..5)).unwrap();
        let solved = parity::chips(&arena, &mechanism, total, &Effort::default()).unwrap();
        // With ties marker an answer takes the place of a bid.
        let Ok(plans) = parity::plans(&arena, &solved, &Effort::default()) else { continue };
        let plans = ByPlayer::new(&plans.alice[..], &plans.bob[..]);
        let graph = verify::game_of_plans(&arena, &solved, plans, |node| node.to_string(), &Unwatched).unwrap();
        let (owners, alice) = textbook(&graph);
        for (owner, wins) in owners.into_iter().zip(alice) {
            assert_eq!(wins, owner == Player::Bob, "seed {seed}: {graph:?}");
            counted += 1;
        }
    }
    assert!(counted > 2_000, "{counted}");
}

/// A position where Alice moves without a bid, to stay or to go to where Bob cannot get away.
#[test]
fn corrupted_moves_without_a_bid_are_refused() {
    let mut builder = ParityArenaBuilder::new();
    let of = |kind| ParityLabel { priority: Priority(1), kind };
    builder.labelled(&[(0, ()), (1, ())], &[], of(PositionKind::Owned(Player::Alice)));
    builder.labelled(&[], &[(2, ())], of(PositionKind::Owned(Player::Bob)));
    builder.labelled(&[(2, ())], &[(2, ())], Priority(2));
    let arena = builder.build(0).unwrap();
    let total = Total::new(1).unwrap();
    let solved = parity::chips(&arena, &Mechanism::default(), total, &Effort::default()).unwrap();
    let plans = parity::plans(&arena, &solved, &Effort::default()).unwrap();
    assert_eq!(proof(&arena, &solved, &plans), Ok(()));
    assert_eq!(solved.thresholds, [richman_core::Threshold::NOTHING; 3]);
    for (after, words) in [
        (None, "names no move"),
        (Some(AfterBid::Lets), "names no move"),
        (Some(AfterBid::Moves(2)), "no such move"),
        (Some(AfterBid::Moves(0)), "forever with 1"),
    ] {
        let mut plans = plans.clone();
        plan(&mut plans, 0).after[0] = after;
        let flaw = proof(&arena, &solved, &plans).unwrap_err().to_string();
        assert!(flaw.contains(words), "{flaw} in place of {words}");
    }
}

#[test]
fn what_is_no_parity_game_is_refused() {
    let mut builder = ParityArenaBuilder::new();
    builder.labelled(&[(0, ())], &[(0, ())], Priority(Priority::MAX + 1));
    assert!(matches!(builder.build(0), Err(Error::PriorityTooLarge { .. })));
    let mut builder = ParityArenaBuilder::new();
    builder.labelled(&[(0, ())], &[], Priority(1));
    assert!(matches!(builder.build(0), Err(Error::DeadEnd { player: Player::Bob, .. })));
    let owned = ParityLabel { kind: PositionKind::Owned(Player::Alice), ..ParityLabel::default() };
    for (alice, bob) in [(&[][..], &[][..]), (&[(0, ())], &[(0, ())])] {
        let mut builder = ParityArenaBuilder::new();
        builder.labelled(alice, bob, owned);
        assert!(matches!(builder.build(0), Err(Error::DeadEnd { .. } | Error::NotTheirs { player: Player::Bob, .. })));
    }
    let marker = Mechanism { ties: Ties::Marker, ..Mechanism::default() };
    let total = Total::new(3).unwrap();
    let refused = parity::chips(&path(3), &marker, total, &Effort::default());
    assert!(matches!(refused, Err(Error::Unsupported { .. })));
    let little = Effort { memory: 10, ..Effort::default() };
    let refused = parity::chips(&path(3), &Mechanism::default(), total, &little);
    assert!(matches!(refused, Err(Error::TooMuchMemory { .. })));
}
