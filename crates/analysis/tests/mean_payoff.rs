//! Mean payoff with real money: against all strategies of play with a coin, and proved by the
//! verifier.

use dashu_ratio::RBig;
use fastrand::Rng;
use rayon::prelude::*;
use richman_check::averages::averages;
use richman_check::verify::{self, Flaw};
use richman_core::{
    Effort, Error, Exactness, MeanPayoffArena, MeanPayoffArenaBuilder, MeanPayoffSolution, Mechanism, Node, Payment,
    PayoffBounds, Player, PositionKind, Right, Share, Unwatched,
};
use richman_solvers::mean_payoff;

use crate::seeds::seeds;

const PAYMENTS: [&str; 4] = ["richman", "poorman", "taxman:1/2", "taxman:1/3"];

fn mechanism(payment: &str) -> Mechanism {
    Mechanism { payment: payment.parse::<Payment>().unwrap(), ..Mechanism::default() }
}

fn share(text: &str) -> Share {
    text.parse().unwrap()
}

fn number(text: &str) -> RBig {
    text.parse().unwrap()
}

/// Both players may move from each position to these; the weight is that of the position left.
fn common(positions: &[(&[Node], i64)]) -> MeanPayoffArena {
    let mut builder = MeanPayoffArenaBuilder::new();
    for (to, weight) in positions {
        let moves: Vec<(Node, i64)> = to.iter().map(|&to| (to, *weight)).collect();
        builder.labelled(&moves, &moves, PositionKind::Bid);
    }
    builder.build(0).unwrap()
}

fn solve(arena: &MeanPayoffArena, payment: &str, of: &str) -> Result<MeanPayoffSolution, Error> {
    mean_payoff::money(arena, &mechanism(payment), &share(of), &Effort::default())
}

fn proof(arena: &MeanPayoffArena, solved: &MeanPayoffSolution) -> Result<(), Flaw> {
    verify::mean_payoff(arena, solved, &Unwatched)
}

fn exact(arena: &MeanPayoffArena, payment: &str, of: &str) -> RBig {
    let solved = solve(arena, payment, of).unwrap();
    proof(arena, &solved).unwrap();
    assert_eq!(solved.value.low, solved.value.high, "{payment}");
    solved.value.low
}

#[test]
fn published_averages() {
    let two = common(&[(&[0, 1], 1), (&[0, 1], 0)]);
    for (of, taxed) in [("0", "1/3"), ("1/4", "5/12"), ("1/2", "1/2"), ("9/10", "19/30"), ("1", "2/3")] {
        assert_eq!(exact(&two, "richman", of), number("1/2"));
        assert_eq!(exact(&two, "poorman", of), number(of));
        // (r + T (1 - r)) / (1 + T)
        assert_eq!(exact(&two, "taxman:1/2", of), number(taxed));
    }
    let path = common(&[(&[0, 1], 0), (&[0, 2], 0), (&[1, 2], 1)]);
    assert_eq!(exact(&path, "richman", "1/5"), number("1/3"));
    let three = common(&[(&[1, 2], 0), (&[0, 1], 1), (&[0], 0)]);
    assert_eq!(exact(&three, "richman", "1/2"), number("2/5"));
}

/// Moves of both players are independent at half of the positions with bids.
fn random(rng: &mut Rng, positions: Node, moves: usize) -> MeanPayoffArena {
    use PositionKind::{Bid, Owned};
    let mut builder = MeanPayoffArenaBuilder::new();
    for _ in 0..positions {
        let kind = *rng.choice(&[Bid, Bid, Bid, Owned(Player::Alice), Owned(Player::Bob)]).unwrap();
        let mut draw = |player: Player| -> Vec<(Node, i64)> {
            let most = if kind == Owned(player.other()) { 0 } else { rng.usize(1..=moves) };
            (0..most).map(|_| (rng.u32(..positions), rng.i64(-3..=3))).collect()
        };
        let (alice, mut bob) = (draw(Player::Alice), draw(Player::Bob));
        if kind == Bid && rng.bool() {
            bob.clone_from(&alice);
        }
        builder.labelled(&alice, &bob, kind);
    }
    builder.build(0).unwrap()
}

#[test]
fn averages_are_those_of_all_strategies() {
    let counts: Vec<[u32; 2]> = seeds("RICHMAN_ARENAS", 1_000)
        .into_par_iter()
        .map(|seed| {
            let mut rng = Rng::with_seed(seed ^ 0x3EA9);
            let positions = rng.u32(1..=3);
            let arena = random(&mut rng, positions, 2);
            let payment = *rng.choice(&PAYMENTS).unwrap();
            let of = *rng.choice(&["1/2", "1/3", "7/8"]).unwrap();
            let coin = mechanism(payment).payment.rate().coin(&share(of));
            let Some(expected) = averages(&arena, &coin, 1 << 14) else { return [0, 0] };
            let about = format!("seed {seed}, {payment}, {of}: {arena:?}");
            let is_one = expected.iter().all(|one| *one == expected[0]);
            match solve(&arena, payment, of) {
                Ok(solved) => {
                    proof(&arena, &solved).unwrap_or_else(|flaw| panic!("{flaw}, {about}"));
                    let PayoffBounds { low, high } = &solved.value;
                    assert!(expected.iter().all(|one| low <= one && one <= high), "{expected:?}, {low}, {about}");
                    let mut wrong = solved.clone();
                    wrong.value.low += number("1/1000");
                    assert!(proof(&arena, &wrong).is_err(), "{about}");
                    let mut wrong = solved.clone();
                    wrong.value.high -= number("1/1000");
                    assert!(proof(&arena, &wrong).is_err(), "{about}");
                    [1, u32::from(low == high)]
                }
                Err(error) => {
                    assert!(!is_one, "{error}, {expected:?}, {about}");
                    [0, 0]
                }
            }
        })
        .collect();
    let [solved, exact] = counts.into_iter().fold([0, 0], |[a, b], [c, d]| [a + c, b + d]);
    println!("{solved} solved, {exact} exactly");
    assert!(solved > 200 && exact * 10 > solved * 8, "{solved}, {exact}");
}
