//! Parity with real money: against all strategies of random-turn play, and proved by the verifier.

use fastrand::Rng;
use rayon::prelude::*;
use richman_check::policies::parity_chance;
use richman_check::verify::{self, Flaw};
use richman_core::{
    ByPlayer, Effort, Error, Mechanism, Node, ParityArena, ParityArenaBuilder, ParityMoneySolution, ParityPlace,
    Payment, Player, PositionKind, Priority, Right, Share, ShareBounds, Total, Unwatched,
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
