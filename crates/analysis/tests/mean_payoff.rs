//! Mean payoff with real money: against all strategies of play with a coin, and proved by the
//! verifier.

use dashu_ratio::RBig;
use fastrand::Rng;
use rayon::prelude::*;
use richman_analysis::{Answer, Games, Question, Reading, Report, Stake, Subject, ask, saved};
use richman_check::averages::averages;
use richman_check::verify::{self, Flaw};
use richman_core::{
    Effort, Error, Exactness, MeanPayoffArena, MeanPayoffArenaBuilder, MeanPayoffSolution, Mechanism, Node, Payment,
    PayoffBounds, Player, PositionKind, Right, Share, StopReason, Total, Unwatched,
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

/// The path of three as a file, with targets.
const SHIFTS: &str = r#"{"name":"shifts","start":"left","objective":"mean-payoff","positions":{
    "left":{"both":["left","middle"]},"middle":{"both":["left","right"]},
    "right":{"both":["middle","right"],"weight":1,"target":true}}}"#;

fn played_for(goal: Option<&str>, text: &str) -> Result<Subject, richman_analysis::Error> {
    let goal = goal.map(|goal| goal.parse().unwrap());
    Subject::read("a file", &mut text.as_bytes(), &Reading { goal, ..Reading::within(Effort::default()) })
}

fn asked(subject: &Subject, question: Question) -> Answer {
    ask(subject, &Question { aim: subject.aim(), ..question }, &Effort::default()).unwrap()
}

fn verified(text: &str) -> Result<(), String> {
    let saved = richman_formats::read("saved.json", text.as_bytes()).map_err(|error| error.to_string())?;
    let report = saved::verify(&Games::default(), saved, &Effort::default()).map_err(|error| error.to_string())?;
    report.wrong.map_or(Ok(()), Err)
}

/// A saved solution with `to` in place of every `from` is refused because of `what`.
fn refuses(text: &str, from: &str, to: &str, what: &str) {
    assert!(text.contains(from), "{from}: {text}");
    let flaw = verified(&text.replace(from, to)).expect_err(to);
    assert!(flaw.contains(what), "{flaw}");
}

/// Averages with chips are saved for every holding, and each part of them counts.
#[test]
fn saved_averages_with_chips_are_proved() {
    let subject = played_for(None, SHIFTS).unwrap();
    let stake = Stake::Total(Total::new(2).unwrap());
    let answer = asked(&subject, Question { stake, all: true, ..Question::default() });
    let Report::Averages(report) = &answer.report else { panic!("averages") };
    assert_eq!(serde_json::to_string(&report.averages.star).unwrap(), r#"[[0,0,"0"],[1,2,"1/4"]]"#);
    let mut text = Vec::new();
    answer.saving(&subject, &Effort::default()).unwrap().unwrap().write(&mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert_eq!(verified(&text), Ok(()));
    let line = text.lines().find(|line| line.contains("\"middle\": [\"")).unwrap();
    let parts: Vec<&str> = line.split('"').collect();
    let [ranks, alice] = [parts[3], parts[5]];
    assert_eq!(ranks, "0 1 1 1 1 2");
    refuses(&text, "\"total\": 2", "\"total\": 3", "8 numbers of each kind");
    refuses(&text, "\"1/4\"", "\"1/5\"", "no bid that keeps to an average");
    refuses(&text, "\"1/4\"", "\"1/4..1/3\"", "one number");
    refuses(&text, "[\"0\",\"1/4\"", "[\"1/4\",\"0\"", "ascending order");
    refuses(&text, ranks, "0 1 1 1 2 2", "no bid that keeps to an average");
    refuses(&text, ranks, "0 1 0 1 1 2", "worth less");
    refuses(&text, ranks, "0 1 1 1 1 9", "no such average");
    refuses(&text, ranks, "0 1 1 1 1 -2", "something else in it");
    refuses(&text, &format!("\"{alice}\""), "\"0 0 0 0 0 0\"", "no bid that keeps to an average");
    refuses(&text, &format!("\"{alice}\""), "\"0 0 0\"", "6 numbers of each kind");
    refuses(&text, &format!("{line}\n"), "", "missing");
    refuses(&text, "\"weight\":1", "\"weight\":2", "no bid that keeps to an average");
    refuses(&text, "\"ties\":\"advantage\"", "\"ties\":\"alice\"", "3 numbers of each kind");
    refuses(&text, "\"payment\":\"richman\"", "\"payment\":\"poorman\"", "payment richman");
}

/// A saved average is proved, and a saved one that was changed is refused for each of its parts.
#[test]
fn saved_averages_are_proved() {
    let subject = played_for(None, SHIFTS).unwrap();
    let payment = Question { share: Some(share("2/3")), all: true, ..Question::new(mechanism("poorman")) };
    let answer = asked(&subject, payment);
    let Report::Average(report) = &answer.report else { panic!("an average") };
    assert_eq!((report.bounds()[0].to_string().as_str(), report.any_share), ("4/7", false));
    assert_eq!(report.moves.alice, ["middle"]);
    let rows: Vec<String> = answer.positions().unwrap().rows().map(|row| row.position).collect();
    assert_eq!(rows, ["left", "middle", "right"]);
    let mut text = Vec::new();
    answer.saving(&subject, &Effort::default()).unwrap().unwrap().write(&mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert_eq!(verified(&text), Ok(()));
    let forged = |from: &str, to: &str, what: &str| refuses(&text, from, to, what);
    let potential = text.lines().find(|line| line.contains("\"right\": \"")).unwrap();
    forged("\"share\": \"2/3\"", "\"share\": \"3/4\"", "a move here is worth");
    forged("\"share\": \"2/3\"", "\"share\": \"4/3\"", "is not a share");
    forged("\"average\": \"4/7\"", "\"average\": \"4/7..3/7\"", "is not an average");
    forged("\"average\": \"4/7\"", "\"average\": \"5/7\"", "a move here is worth");
    forged("\"denominator\": \"", "\"denominator\": \"-", "is below 1");
    forged(potential, "\"right\": \"1e9\"", "is not a whole number");
    forged(potential, "\"right\": \"123\"", "a move here is worth");
    forged(&format!(",\n{potential}"), "", "missing");
    forged("\"weight\":1", "\"weight\":2", "a move here is worth");
    forged("\"payment\":\"poorman\"", "\"payment\":\"richman\"", "a move here is worth");
}

/// One file for several objectives: targets and priorities mean the same.
#[test]
fn objectives_of_one_file() {
    let by_priorities = |priorities: [u32; 3]| {
        let [left, middle, right] = priorities;
        let text = format!(
            r#"{{"name":"shifts","start":"left","positions":{{
                "left":{{"both":["left","middle"],"priority":{left}}},
                "middle":{{"both":["left","right"],"priority":{middle}}},
                "right":{{"both":["middle","right"],"priority":{right}}}}}}}"#
        );
        text
    };
    let needs = |subject: &Subject| -> Vec<String> {
        let stake = Stake::Total(Total::new(5).unwrap());
        let answer = asked(subject, Question { stake, all: true, ..Question::default() });
        answer.positions().unwrap().rows().map(|row| serde_json::to_string(&row).unwrap()).collect()
    };
    for (goal, priorities) in [("buechi", [1, 1, 2]), ("cobuechi", [1, 1, 0])] {
        let aimed = played_for(Some(goal), SHIFTS).unwrap();
        assert_eq!(needs(&aimed), needs(&played_for(None, &by_priorities(priorities)).unwrap()), "{goal}");
    }
    // The least priority of any set, or the other parity, mean the same by other numbers.
    for (goal, priorities) in
        [("parity-max-odd", [0, 0, 1]), ("parity-min-even", [3, 3, 2]), ("parity-min-odd", [4, 4, 3])]
    {
        let aimed = played_for(Some(goal), &by_priorities(priorities)).unwrap();
        assert_eq!(needs(&aimed), needs(&played_for(None, &by_priorities([1, 1, 2])).unwrap()), "{goal}");
    }
    // Play ends where Alice wants to come.
    let reach = needs(&played_for(Some("reach"), SHIFTS).unwrap());
    let ended = SHIFTS.replace(r#"{"both":["middle","right"],"weight":1,"target":true}"#, r#"{"winner":"alice"}"#);
    assert_eq!(reach, needs(&played_for(Some("reach"), &ended).unwrap()));
    assert!(reach[2].contains("\"end\":\"alice\""), "{}", reach[2]);
}
