//! Mean payoff with real money: against all strategies of play with a coin, and proved by the
//! verifier.

use dashu_ratio::RBig;
use fastrand::Rng;
use rayon::prelude::*;
use richman_check::averages::averages;
use richman_check::verify::{self, Flaw};
use richman_core::{
    Effort, Error, Exactness, MeanPayoffArena, MeanPayoffArenaBuilder, MeanPayoffSolution, Mechanism, Node, Payment,
    PayoffBounds, Player, PositionKind, Right, Share, StopReason, Unwatched,
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

/// At half of the positions with bids both players have the same moves. No weight is beyond `most`.
pub fn random_arena(rng: &mut Rng, positions: Node, moves: usize, most: i64) -> MeanPayoffArena {
    use PositionKind::{Bid, Owned};
    let mut builder = MeanPayoffArenaBuilder::new();
    for _ in 0..positions {
        let kind = *rng.choice(&[Bid, Bid, Bid, Owned(Player::Alice), Owned(Player::Bob)]).unwrap();
        let mut draw = |player: Player| -> Vec<(Node, i64)> {
            let count = if kind == Owned(player.other()) { 0 } else { rng.usize(1..=moves) };
            (0..count).map(|_| (rng.u32(..positions), rng.i64(-most..=most))).collect()
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
            let arena = random_arena(&mut rng, positions, 2, 3);
            let payment = *rng.choice(&PAYMENTS).unwrap();
            let of = *rng.choice(&["1/2", "1/3", "7/8"]).unwrap();
            let coin = mechanism(payment).payment.rate().coin(&share(of));
            let Some(expected) = averages(&arena, &coin, 1 << 14) else { return [0, 0] };
            let about = format!("seed {seed}, {payment}, {of}: {arena:?}");
            let is_one = expected.iter().all(|one| *one == expected[0]);
            let solved = solve(&arena, payment, of).unwrap_or_else(|error| panic!("{error}, {about}"));
            proof(&arena, &solved).unwrap_or_else(|flaw| panic!("{flaw}, {about}"));
            let PayoffBounds { low, high } = &solved.value;
            assert!(expected.iter().all(|one| low <= one && one <= high), "{expected:?}, {low}, {high}, {about}");
            let is_narrow = high.clone() - low < number("1/1000000");
            assert!(is_narrow || !is_one || arena.components().len() > 1, "{low}, {high}, {about}");
            for mut wrong in [solved.value.clone(), solved.value.clone()] {
                if rng.bool() {
                    wrong.low += number("1/1000");
                } else {
                    wrong.high -= number("1/1000");
                }
                assert!(proof(&arena, &MeanPayoffSolution { value: wrong, ..solved.clone() }).is_err(), "{about}");
            }
            [u32::from(is_narrow), u32::from(low == high)]
        })
        .collect();
    let [solved, exact] = counts.into_iter().fold([0, 0], |[a, b], [c, d]| [a + c, b + d]);
    println!("{solved} narrow, {exact} exact");
    assert!(solved > 200 && exact * 10 > solved * 8, "{solved}, {exact}");
}

/// Every condition of the proof is needed.
#[test]
fn each_condition_refuses_a_forged_average() {
    let path = common(&[(&[0, 1], 0), (&[0, 2], 0), (&[1, 2], 1)]);
    let solved = solve(&path, "richman", "1/2").unwrap();
    let refused = |what: &str, change: &dyn Fn(&mut MeanPayoffSolution)| {
        let mut forged = solved.clone();
        change(&mut forged);
        let flaw = proof(&path, &forged).unwrap_err().to_string();
        assert!(flaw.contains(what), "{flaw}");
    };
    refused("positions", &|forged| forged.potentials.numerators.truncate(2));
    refused("denominator", &|forged| forged.potentials.denominator = dashu_int::UBig::ZERO);
    refused("a move here is worth", &|forged| forged.value.low = number("1/2"));
    refused("a move here is worth", &|forged| forged.value.high = number("1/4"));
    refused("a move here is worth", &|forged| forged.potentials.numerators[1] += 1);
    // With poorman payment another share has another average.
    let poor = solve(&path, "poorman", "1/2").unwrap();
    proof(&path, &poor).unwrap();
    assert!(proof(&path, &MeanPayoffSolution { share: share("2/3"), ..poor }).is_err());
}

/// With moves of their own one component can have several averages: the bounds hold for all.
#[test]
fn several_averages_are_bounded() {
    let mut builder = MeanPayoffArenaBuilder::new();
    builder.labelled(&[(0, 0)], &[(0, 0), (1, 0)], PositionKind::Bid);
    builder.labelled(&[(0, 1), (1, 1)], &[(1, 1)], PositionKind::Bid);
    let arena = builder.build(0).unwrap();
    let coin = Share::dyadic(1, 1);
    assert_eq!(averages(&arena, &coin, 1 << 10), Some(vec![number("0"), number("1")]));
    let solved = solve(&arena, "richman", "1/2").unwrap();
    proof(&arena, &solved).unwrap();
    assert!(solved.value.low <= number("0") && number("1") <= solved.value.high);
    assert!(solved.value.high.clone() - solved.value.low.clone() < number("1001/1000"));
    let exact = Effort { exactness: Exactness::Required, ..Effort::default() };
    let refused = mean_payoff::money(&arena, &Mechanism::default(), &coin, &exact);
    assert!(matches!(refused, Err(Error::Unsupported { .. })));
    let moves = Mechanism { right: Right::Moves, ..Mechanism::default() };
    let refused = mean_payoff::money(&arena, &moves, &coin, &Effort::default());
    assert!(matches!(refused, Err(Error::Unsupported { .. })));
}

/// On a torus strategies improve by little at a time, and those of both players at once go round
/// in circles.
#[test]
fn averages_of_a_torus_are_narrow() {
    const SIDE: Node = 34;
    let mut builder = MeanPayoffArenaBuilder::new();
    for at in 0..SIDE * SIDE {
        let (row, column) = (at / SIDE, at % SIDE);
        let to = |row: Node, column: Node| row % SIDE * SIDE + column % SIDE;
        let weight = Rng::with_seed(at.into()).i64(0..10);
        let moves = [to(row, column + 1), to(row, column + SIDE - 1), to(row + 1, column), to(row + SIDE - 1, column)]
            .map(|to| (to, weight));
        // No two positions without bids lie side by side.
        let owner = Player::BOTH[(row / 4 + column / 4) as usize % 2];
        match (row % 4, column % 4) {
            (0, 0) => {
                builder.labelled(owner.either(&moves[..], &[]), owner.either(&[], &moves), PositionKind::Owned(owner))
            }
            _ => builder.labelled(&moves, &moves, PositionKind::Bid),
        };
    }
    let torus = builder.build(0).unwrap();
    for of in ["1/2", "33/64", "5/8", "1/10"] {
        let solved = solve(&torus, "poorman", of).unwrap();
        proof(&torus, &solved).unwrap();
        let width = solved.value.high.clone() - solved.value.low.clone();
        assert!(width < number("1/1000000000"), "{of}: {}", width.to_f64().value());
    }
}

/// The average of a coin is that of the share: with Richman payment shares do not count, with
/// poorman they are the coin.
#[test]
fn a_share_is_worth_a_coin() {
    for (payment, of, coin) in
        [("richman", "1/9", "1/2"), ("poorman", "2/7", "2/7"), ("taxman:1/2", "0", "1/3"), ("taxman:1/2", "1", "2/3")]
    {
        assert_eq!(mechanism(payment).payment.rate().coin(&share(of)), share(coin));
    }
}

/// When the time is up there are bounds, proved like all others.
#[test]
fn late_averages_are_bounds() {
    let path = common(&[(&[0, 1], 0), (&[0, 2], 0), (&[1, 2], 1)]);
    let late = Effort::default().within_time(std::time::Duration::ZERO);
    let solved = mean_payoff::money(&path, &Mechanism::default(), &share("1/2"), &late).unwrap();
    assert_eq!(solved.stop, StopReason::TimeUp);
    assert!(solved.value.low <= number("1/3") && number("1/3") <= solved.value.high);
    proof(&path, &solved).unwrap();
}
