//! The objective `energy`: games with a credit, against the least credits without a capacity.

use fastrand::Rng;
use rayon::prelude::*;
use richman_check::verify;
use richman_core::{
    ByPlayer, Effort, Graph, GraphPosition, MeanPayoffArena, Mechanism, Node, NodeData, Player, Threshold, Total,
    Unwatched,
};
use richman_formats::{AnyGraph, MeanPayoffFile, Reading, read_game};
use richman_solvers::{chips, mean_payoff, money};

use crate::mean_payoff_chips::random;
use crate::parity::random_mechanism;
use crate::seeds::seeds;

/// The game over the positions of an arena, read from a file with this capacity.
fn with_credit(arena: &MeanPayoffArena, capacity: u32) -> Graph {
    let position = |node: Node| {
        let NodeData::On(kind) = arena.data(node);
        let moves = ByPlayer::from_fn(|player| {
            arena.labelled(node, player).map(|(to, weight)| (to.to_string(), weight).into()).collect()
        });
        GraphPosition { name: node.to_string(), data: NodeData::On(kind), moves }
    };
    let positions = arena.nodes().map(position).collect();
    let file = MeanPayoffFile { name: "random".into(), description: None, start: "0".into(), positions };
    let text =
        file.to_json().replacen("\"objective\": \"mean-payoff\"", &format!("\"objective\": \"energy:{capacity}\""), 1);
    let AnyGraph::Win(graph) =
        read_game("random.json", &mut text.as_bytes(), &Reading::within(Effort::default())).unwrap()
    else {
        panic!("{text}");
    };
    graph
}

#[test]
fn a_large_capacity_is_like_none_and_a_small_one_asks_for_more() {
    seeds("RICHMAN_ARENAS", 300).into_par_iter().for_each(|seed| {
        let mut rng = Rng::with_seed(seed ^ 0xE7E6);
        let positions = rng.u32(1..=3);
        let arena = random(&mut rng, positions, 2);
        let mechanism = if rng.bool() { Mechanism::default() } else { random_mechanism(&mut rng) };
        let total = Total::new(rng.u32(0..=3)).unwrap();
        let credits = mean_payoff::energy(&arena, &mechanism, total, &Effort::default()).unwrap();
        // No least credit is greater than all weights on a way through all configurations.
        let large = 3 * positions * 2 * (total.chips() + 1);
        for capacity in [rng.u32(0..5), large] {
            let about = format!("seed {seed}, {mechanism}, {total} chips, capacity {capacity}: {arena:?}");
            let product = with_credit(&arena, capacity).arena().unwrap();
            let solved = chips::solve(&product, &mechanism, total, &Effort::default()).unwrap();
            verify::chips(&product, &solved, &Unwatched).unwrap_or_else(|flaw| panic!("{flaw}, {about}"));
            for (node, credit) in arena.nodes().flat_map(|node| (0..=capacity).map(move |credit| (node, credit))) {
                let (at, without) = (node * (capacity + 1) + credit, credits.needed(node, credit.into()));
                let Threshold { plain, star } = solved.thresholds(at).draw;
                if capacity == large {
                    assert_eq!([plain, star], [without.plain, without.star], "{node}:{credit}, {about}");
                } else {
                    assert!(plain >= without.plain && star >= without.star, "{node}:{credit}, {about}");
                }
            }
        }
    });
}

#[test]
fn more_credit_or_capacity_never_asks_for_a_larger_share() {
    for seed in 0..100 {
        let mut rng = Rng::with_seed(seed);
        let arena = random(&mut rng, 3, 2);
        let shares = |capacity: u32| {
            let product = with_credit(&arena, capacity).arena().unwrap();
            let solved = money::solve(&product, &Mechanism::default(), &Effort::default()).unwrap();
            assert!(solved.is_exact());
            product.nodes().map(|node| solved.draw.get(node).low).collect::<Vec<_>>()
        };
        let (small, large) = (shares(4), shares(9));
        for node in 0..3 {
            for credit in 0..=4 {
                assert!(large[node * 10 + credit] <= small[node * 5 + credit], "seed {seed}, {node}:{credit}");
                assert!(small[node * 5 + credit] <= small[node * 5 + credit.saturating_sub(1)], "seed {seed}");
            }
        }
    }
}

/// Alice gets 1 when she moves and loses 1 when Bob does. In random-turn play the credit is a fair
/// walk, which some time comes below 0, so no share is enough.
#[test]
fn a_fair_walk_is_lost_with_every_capacity() {
    let mut builder = richman_core::MeanPayoffArenaBuilder::new();
    builder.labelled(&[(0, 1)], &[(0, -1)], richman_core::PositionKind::Bid);
    let arena = builder.build(0).unwrap();
    let product = with_credit(&arena, 9).arena().unwrap();
    let solved = money::solve(&product, &Mechanism::default(), &Effort::default()).unwrap();
    for credit in 0..=9 {
        assert_eq!(solved.draw.get(credit).to_string(), "1");
    }
    assert_eq!(product.winner(10), Some(Player::Bob));
}
