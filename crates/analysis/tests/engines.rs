//! Every engine against the arena on all questions that both answer, over small games and random
//! positions, move by move.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use richman_analysis::advice::Advice;
use richman_analysis::chips::{HoldingsQuery, HoldingsReport};
use richman_analysis::money::MoneyReport;
use richman_analysis::{Answer, BoundsJson, Question, Report, Stake, Subject, ThresholdJson, ask, ask_all, consider};
use richman_core::{Aim, Bidding, Bids, Effort, Holding, Mechanism, Outcome, Player, Right, Total, Walk};

const ARENA: &str = "the arena: every position that can follow";
/// Its bounds can meet before all moves are told apart: it names certainly best moves.
const BOUNDS: &str = "as many layers as there is time for";

/// It is right with 99% confidence.
const SAMPLED: &str = "random fillings";

/// The number of an engine's answers compared, and of wrong ones.
#[derive(Debug, Default)]
struct Count {
    answers: usize,
    missed: usize,
}

/// Small games, and the number of random plays of each.
const GAMES: [(&str, usize); 11] = [
    ("race:alice=5,bob=4", 250),
    ("hex:size=3", 110),
    ("hex:rows=2,cols=5", 50),
    ("hex:rows=4,cols=3", 10),
    ("tic-tac-toe", 60),
    ("tic-tac-toe:rows=2,cols=4,line=2", 20),
    ("tic-tac-toe:rows=3,cols=4,line=3", 3),
    ("connect:rows=3,cols=3,line=3", 60),
    ("connect:rows=2,cols=5,line=3", 40),
    ("connect:rows=3,cols=4,line=3", 20),
    ("tug-of-war:length=5", 10),
];

/// Whether both thresholds are exact, their bounds, and the best moves if known.
fn numbers(answer: &Answer) -> (bool, Vec<String>, [BoundsJson; 2]) {
    let whole = |threshold: &ThresholdJson| serde_json::to_string(threshold).unwrap();
    let moves = |moves: &richman_analysis::money::Moves| serde_json::to_string(moves).unwrap();
    match &answer.report {
        Report::Money(report) => {
            let MoneyReport { win, draw, .. } = report.as_ref();
            let words = vec![moves(&report.moves), serde_json::to_string(&report.bid).unwrap()];
            (report.exact, words, [win.clone(), draw.clone()])
        }
        Report::Chips(report) => {
            let all = BoundsJson(richman_core::ShareBounds::exact(richman_core::Share::ONE));
            let words = [&report.win, &report.draw].map(whole).into_iter();
            (true, words.chain(report.holdings.as_ref().map(advised)).collect(), [all.clone(), all])
        }
        _ => panic!("no other report of these games"),
    }
}

/// Outcome and advice. Only the arena knows how long a win takes and a loser can hold out.
fn advised(holdings: &HoldingsReport) -> String {
    let HoldingsReport { outcome, guarantee, advice, .. } = holdings;
    assert_eq!(*guarantee, None, "these games are determined");
    let advice = [(Player::Alice, &advice.alice), (Player::Bob, &advice.bob)].map(|(player, advice)| {
        let advice = advice.as_ref().filter(|_| *outcome != Outcome::Win(player.other()));
        advice.map(|advice| Advice { fastest: None, ..advice.clone() })
    });
    serde_json::to_string(&(outcome.to_string(), advice)).unwrap()
}

/// Compares the answers of all engines with the arena's.
fn compare(subject: &Subject, question: &Question, counts: &mut BTreeMap<&'static str, Count>) {
    // With little time there are fewer random fillings; the other engines need no time.
    let effort = Effort { deadline: Some(Instant::now() + Duration::from_secs(15)), ..Effort::default() };
    let answers = ask_all(subject, question, &effort).unwrap();
    let arena = answers.iter().find(|(name, _)| *name == ARENA).unwrap().1.as_ref().unwrap().as_ref().unwrap();
    let (_, words, expected) = numbers(arena);
    for (name, answer) in answers.iter().filter(|(name, _)| *name != ARENA) {
        let Some(answer) = answer.as_ref().unwrap() else { continue };
        let (exact, found, bounds) = numbers(answer);
        let count = counts.entry(name).or_default();
        let about = format!(
            "{name} of {} at {:?}, {:?}, {}",
            subject.name(),
            question.position,
            question.stake,
            question.mechanism
        );
        if exact && *name != BOUNDS {
            assert_eq!((&found, &bounds), (&words, &expected), "{about}");
        } else {
            let holds = |(bounds, expected): (&BoundsJson, &BoundsJson)| {
                bounds.0.low <= expected.0.low && expected.0.high <= bounds.0.high
            };
            let hold = bounds.iter().zip(&expected).all(holds);
            assert!(hold || *name == SAMPLED, "{about}: {bounds:?} {expected:?}");
            count.missed += usize::from(!hold);
        }
        count.answers += 1;
    }
}

/// A play of random moves from the start, position by position until it ends.
fn positions(subject: &Subject, rng: &mut fastrand::Rng) -> Vec<String> {
    let mut walk: Box<dyn Walk> = subject.walk(None).unwrap();
    let mut found = Vec::new();
    while walk.end().is_none() && found.len() < 30 {
        found.push(walk.notation());
        let player = Player::BOTH[rng.usize(..2)];
        let moves = walk.moves(player);
        if moves.is_empty() {
            break;
        }
        walk.play(player, &moves[rng.usize(..moves.len())]).unwrap();
    }
    found
}

#[test]
fn who_goes_beyond_its_offer_is_followed_by_the_next() {
    // A game with more positions than the arena's offer estimates.
    let games = ["tic-tac-toe", "connect:rows=3,cols=3,line=3", "connect:rows=3,cols=4,line=3", "tic-tac-toe:cols=4"];
    let underrated = games.into_iter().find_map(|game| {
        let subject = Subject::named(game).unwrap();
        let about = subject.walk(None).unwrap().about_arena(u64::MAX).unwrap().positions;
        let all = subject.unfold(None, &Effort::default()).unwrap().arena().len() as u64;
        (about < all).then_some((subject, about))
    });
    let (subject, fewer) = underrated.unwrap();
    let question = Question::new(Mechanism::default());
    let [usual, little] = [Effort::default().positions, fewer].map(|positions| {
        let effort = Effort { positions, ..Effort::default() };
        match ask(&subject, &question, &effort).unwrap().report {
            Report::Money(report) => *report,
            other => panic!("{other:?}"),
        }
    });
    assert_eq!((&usual.win, &usual.draw, &usual.moves), (&little.win, &little.draw, &little.moves));
    assert!(!usual.stop.contains("another engine") && little.stop.starts_with("layer by layer"), "{}", little.stop);
    assert!(little.stop.contains("not enough room for the positions for another engine (the arena"), "{}", little.stop);
}

#[test]
fn every_engine_agrees_with_the_arena() {
    let mut counts = BTreeMap::new();
    // Half of all questions have default bidding, which every engine serves.
    let mechanisms: Vec<Mechanism> = [Bidding::Sealed, Bidding::AliceFirst, Bidding::BobFirst]
        .into_iter()
        .flat_map(|bidding| [Right::Chooses, Right::Moves].map(|right| (bidding, right)))
        .map(|(bidding, right)| Mechanism { bidding, right, ..Mechanism::default() })
        .collect();
    let mut rng = fastrand::Rng::with_seed(1);
    for (game, plays) in GAMES {
        let subject = Subject::named(game).unwrap();
        for _ in 0..plays {
            for position in positions(&subject, &mut rng) {
                let total = Total::new(rng.u32(..40)).unwrap();
                let (chips, has_star) = (rng.u32(..=total.chips()), rng.bool());
                let [alice, bob] = [(chips, has_star), (total.chips() - chips, !has_star)]
                    .map(|(chips, star)| Holding::new(chips, star).unwrap());
                let hands = HoldingsQuery { alice, bob, trace: false };
                for stake in [Stake::Money, Stake::Total(total), Stake::Hands(hands)] {
                    let mechanism =
                        if rng.bool() { Mechanism::default() } else { rng.choice(&mechanisms).unwrap().clone() };
                    let question = Question { position: Some(position.clone()), stake, ..Question::new(mechanism) };
                    compare(&subject, &question, &mut counts);
                }
            }
        }
    }
    println!("{counts:?}");
    let engines = [
        "all fillings, counted",
        "all positions of the cells that decide something",
        "layer by layer",
        "a sum of binomial coefficients",
        "row by row",
    ];
    for engine in engines.into_iter().chain([BOUNDS, SAMPLED]) {
        let count = &counts[engine];
        assert!(count.answers >= 1000 && 50 * count.missed <= count.answers, "{engine}: {counts:?}");
    }
}

/// Options that only the arena honours are refused, not silently ignored.
#[test]
fn engines_refuse_what_they_do_not_honour() {
    let few = Mechanism { bids: Bids::Only(vec![0, 1, 3]), ..Mechanism::default() };
    let hands = HoldingsQuery { alice: "4*".parse().unwrap(), bob: "4".parse().unwrap(), trace: true };
    for (game, _) in GAMES {
        let subject = Subject::named(game).unwrap();
        let usual = Question::new(Mechanism::default());
        for question in [
            Question { within: Some(3), ..usual.clone() },
            Question { all: true, ..usual.clone() },
            Question { stake: Stake::Hands(hands), ..usual.clone() },
            Question { mechanism: few.clone(), stake: Stake::Total(Total::new(8).unwrap()), ..usual.clone() },
            Question { aim: Aim::Score, stake: Stake::Total(Total::new(8).unwrap()), ..usual.clone() },
        ] {
            let offers = consider(&subject, &question, &Effort::default()).unwrap();
            let offering = offers.engines.iter().filter(|engine| engine.refused.is_none());
            let names: Vec<&str> = offering.map(|engine| engine.engine).collect();
            assert_eq!(names, [ARENA], "{game}: {question:?}");
        }
        let nobody = Question::new(few.clone());
        assert!(
            consider(&subject, &nobody, &Effort::default()).unwrap().engines.iter().all(|one| one.refused.is_some())
        );
        let refusal = ask(&subject, &nobody, &Effort::default()).err().unwrap().to_string();
        assert_eq!(refusal, "real money with bids 0+1+3 is not supported; supported: bids all", "{game}");
    }
}
