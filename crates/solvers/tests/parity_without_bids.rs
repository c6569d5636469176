//! Parity games in which nobody bids, and games with as many levels as positions.

use fastrand::Rng;
use rayon::prelude::*;
use richman_check::arenas;
use richman_check::verify;
use richman_check::zielonka::TurnGame;
use richman_core::{
    Bidding, ByPlayer, Effort, Mechanism, Node, NodeData, ParityArena, ParityArenaBuilder, ParityLabel, Player,
    PositionKind, Priority, Share, ShareBounds, Threshold, Total, Unwatched,
};
use richman_solvers::parity;

use crate::parity::random_mechanism;
use crate::seeds::seeds;

/// A game without bids, of which some positions may have ended.
fn random_game(rng: &mut Rng) -> ParityArena {
    let (count, moves, priorities) = (rng.u32(1..=30), rng.usize(1..=3), rng.u32(1..=12));
    let has_ends = rng.u32(..4) == 0;
    let mut builder = ParityArenaBuilder::new();
    for _ in 0..count {
        let owner = Player::BOTH[rng.usize(..2)];
        if has_ends && rng.u32(..8) == 0 {
            builder.terminal(owner);
            continue;
        }
        let to: Vec<(Node, ())> = (0..rng.usize(1..=moves)).map(|_| (rng.u32(..count), ())).collect();
        let label = ParityLabel { priority: Priority(rng.u32(..priorities)), kind: PositionKind::Owned(owner) };
        let of = |player| if player == owner { &to[..] } else { &[] };
        builder.labelled(of(Player::Alice), of(Player::Bob), label);
    }
    builder.build(0).unwrap()
}

/// The winners by the textbook.
fn textbook(arena: &ParityArena) -> Vec<Player> {
    let mut game = TurnGame::default();
    for node in arena.nodes() {
        match arena.data(node) {
            NodeData::On(label) => game.add(label.kind.owner().unwrap(), label.priority.0),
            NodeData::End(winner) => game.add(winner, winner.either(0, 1)),
        };
    }
    for node in arena.nodes() {
        let to = if arena.terminal(node).is_some() { &[node][..] } else { arena.successors(node) };
        game.set_moves(node as usize, to.iter().map(|&to| to as usize).collect());
    }
    game.won_by_alice().into_iter().map(|wins| if wins { Player::Alice } else { Player::Bob }).collect()
}

/// Solves with chips and proves the result; the thresholds.
fn with_chips(arena: &ParityArena, mechanism: &Mechanism, total: Total, about: &str) -> Vec<Threshold> {
    let solved = parity::chips(arena, mechanism, total, &Effort::default()).unwrap();
    if (Mechanism { bidding: Bidding::Sealed, ..mechanism.clone() }).is_determined() {
        let plans = parity::plans(arena, &solved, &Effort::default()).unwrap();
        let plans = ByPlayer::new(&plans.alice[..], &plans.bob[..]);
        verify::parity(arena, &solved, plans, &Unwatched).unwrap_or_else(|flaw| panic!("{about}: {flaw}"));
    }
    solved.thresholds
}

/// Solves with real money and proves the result; the shares.
fn with_money(arena: &ParityArena, payment: &str, about: &str) -> Vec<ShareBounds> {
    let mechanism = Mechanism { payment: payment.parse().unwrap(), ..Mechanism::default() };
    let solved = parity::money(arena, &mechanism, &Effort::default()).unwrap();
    let shares: Vec<ShareBounds> = arena.nodes().map(|node| solved.thresholds.get(node)).collect();
    let strategies = ByPlayer::new(&solved.strategies.alice[..], &solved.strategies.bob[..]);
    verify::parity_money(arena, &mechanism, &shares, strategies, &Unwatched)
        .unwrap_or_else(|flaw| panic!("{about}: {flaw}"));
    shares
}

/// Neither money nor chips count, and both players' moves prove who wins.
fn proves(arena: &ParityArena, winners: &[Player], rng: &mut Rng, about: &str) {
    let total = Total::new(rng.u32(..4)).unwrap();
    let thresholds = with_chips(arena, &random_mechanism(rng), total, about);
    let shares = with_money(arena, rng.choice(["richman", "poorman", "taxman:1/3"]).unwrap(), about);
    for (node, winner) in winners.iter().enumerate() {
        let needed = winner.either(Threshold::NOTHING, Threshold::unreachable(total));
        assert_eq!(thresholds[node], needed, "{about}, {node}");
        assert_eq!(shares[node], ShareBounds::exact(winner.either(Share::ZERO, Share::ONE)), "{about}, {node}");
    }
}

#[test]
fn winners_are_those_of_the_textbook_and_their_moves_prove_it() {
    seeds("RICHMAN_ARENAS", 1_000).into_par_iter().for_each(|seed| {
        let mut rng = Rng::with_seed(seed ^ 0x9A431);
        let arena = random_game(&mut rng);
        proves(&arena, &textbook(&arena), &mut rng, &format!("seed {seed}: {arena:?}"));
    });
}

/// Large enough that cycles which one player wins alone are looked for, and that regions between
/// are kept when one is promoted.
#[test]
fn winners_of_larger_games_are_proved() {
    for seed in 0..4 {
        let mut rng = Rng::with_seed(seed);
        let arena = arenas::without_bids(2_000, 2, [8, 40][seed as usize % 2], &mut rng).unwrap();
        let won = parity::without_bids(&arena, &Effort::default()).unwrap();
        let winners: Vec<Player> = arena.nodes().map(|node| won.winner(node)).collect();
        proves(&arena, &winners, &mut rng, &format!("seed {seed}"));
    }
}

/// A game on which recursion takes exponentially many rounds is solved at once.
#[test]
fn what_is_hard_for_recursion_is_solved() {
    let mut rng = Rng::with_seed(1);
    for levels in [1, 2, 5, 8] {
        let arena = arenas::friedmann(levels).unwrap();
        proves(&arena, &textbook(&arena), &mut rng, &format!("{levels} levels"));
    }
    let arena = arenas::friedmann(100).unwrap();
    let won = parity::without_bids(&arena, &Effort::default()).unwrap();
    let winners: Vec<Player> = arena.nodes().map(|node| won.winner(node)).collect();
    proves(&arena, &winners, &mut rng, "100 levels");
}

/// Priorities may change hands as often as there are positions, without bids and with them.
#[test]
fn there_is_no_limit_on_levels() {
    let mut rng = Rng::with_seed(2);
    for length in [256, 257, 400] {
        let arena = arenas::priority_ladder(length).unwrap();
        proves(&arena, &textbook(&arena), &mut rng, &format!("{length} positions"));
    }
    // Both players bid for the same moves, so the greatest priority decides.
    let mut builder = ParityArenaBuilder::new();
    for at in 0..300 {
        let moves = [((at + 1) % 300, ()), (rng.u32(..300), ())];
        builder.labelled(&moves, &moves, Priority(at));
    }
    let arena = builder.build(0).unwrap();
    assert!(with_money(&arena, "richman", "bids").iter().all(|needs| *needs == ShareBounds::exact(Share::ONE)));
    with_chips(&arena, &Mechanism::default(), Total::new(1).unwrap(), "bids");
    // With moves of their own, and a priority for each position.
    let mut builder = ParityArenaBuilder::new();
    for _ in 0..300 {
        let [alice, bob] = [(); 2].map(|()| [(); 2].map(|()| (rng.u32(..300), ())));
        builder.labelled(&alice, &bob, Priority(rng.u32(..1_000)));
    }
    let arena = builder.build(0).unwrap();
    with_chips(&arena, &Mechanism::default(), Total::new(1).unwrap(), "own moves");
    with_money(&arena, "richman", "own moves");
}
