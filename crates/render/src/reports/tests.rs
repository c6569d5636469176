//! Every sentence about real money, with the hypothesis under which it is true.
//! `crates/analysis/tests/ends.rs` judges the data of a report.

use richman_analysis::mean_payoff::AverageReport;
use richman_analysis::money::EndWin::{No, WithStar, Yes};
use richman_analysis::money::{BidSuffices, MoneyReport};
use richman_analysis::{BoundsJson, Question, Report, Subject, ask};
use richman_core::{ByPlayer, Effort, Mechanism, Payment, Player, Share, ShareBounds, Ties};

use super::mean_payoff::averages;
use super::money::{coming_back, forced, goals};
use super::parts::rational;

type Hypothesis<R> = fn(&R) -> bool;

fn win(report: &MoneyReport) -> f64 {
    report.win.0.low.to_f64()
}

fn draw(report: &MoneyReport) -> f64 {
    report.draw.0.high.to_f64()
}

/// A share stands as `{}`.
const FORCED: [(&str, Hypothesis<MoneyReport>); 16] = [
    ("Alice can force a win with more than {} of the money.", |report| win(report) < 1.0),
    ("Alice can force a win with any share of the money, even with none.", |report| {
        win(report) == 0.0 && report.at_end.alice == Some(Yes)
    }),
    ("Alice cannot force a win with any share of the money.", |report| {
        win(report) == 1.0 && report.at_end.alice == Some(No)
    }),
    ("Alice cannot force a win with less than all the money.", |report| win(report) == 1.0),
    ("Alice can force a win only with all the money.", |report| win(report) == 1.0 && report.at_end.alice == Some(Yes)),
    ("Alice can force a win only with all the money, and only if Alice holds the star.", |report| {
        win(report) == 1.0 && report.at_end.alice == Some(WithStar(Player::Alice))
    }),
    ("Alice can force a win only with all the money, and only if Bob holds the star.", |report| {
        win(report) == 1.0 && report.at_end.alice == Some(WithStar(Player::Bob))
    }),
    ("Bob can force a win when Alice has less.", |report| report.win == report.draw && win(report) < 1.0),
    ("Bob can force a win when Alice has less than {}.", |report| draw(report) > 0.0),
    ("Bob can force a win with any share of the money, even with none.", |report| {
        draw(report) == 1.0 && report.at_end.bob == Some(Yes)
    }),
    ("Bob cannot force a win with any share of the money.", |report| {
        draw(report) == 0.0 && report.at_end.bob == Some(No)
    }),
    ("Bob cannot force a win with less than all the money.", |report| draw(report) == 0.0),
    ("Bob can force a win only with all the money.", |report| draw(report) == 0.0 && report.at_end.bob == Some(Yes)),
    ("Bob can force a win only with all the money, and only if Alice holds the star.", |report| {
        draw(report) == 0.0 && report.at_end.bob == Some(WithStar(Player::Alice))
    }),
    ("Bob can force a win only with all the money, and only if Bob holds the star.", |report| {
        draw(report) == 0.0 && report.at_end.bob == Some(WithStar(Player::Bob))
    }),
    ("Between the two both can force a draw.", |report| win(report) > draw(report)),
];

/// The result of always making the best bid, by player; no sentence if it always suffices.
const COMING_BACK: [(&str, Hypothesis<MoneyReport>); 4] = [
    ("does not win for Alice; bids as close to it as she likes do.", |report| {
        report.bid_suffices.alice == Some(BidSuffices::No) && report.bid_suffices.bob != Some(BidSuffices::No)
    }),
    ("does not win for Bob; bids as close to it as he likes do.", |report| {
        report.bid_suffices.bob == Some(BidSuffices::No) && report.bid_suffices.alice != Some(BidSuffices::No)
    }),
    ("does not win for either player; bids as close to it as they like do.", |report| {
        report.bid_suffices.iter().all(|known| *known == Some(BidSuffices::No))
    }),
    ("may not win; bids as close to it as a player likes do.", |report| {
        report.bid_suffices.iter().any(|known| *known == Some(BidSuffices::Unknown))
    }),
];

const AVERAGES: [(&str, Hypothesis<AverageReport>); 6] = [
    ("as long as both have some.", |report| report.any_share && is_inside(report)),
    ("of the money.", |report| report.one_sided.is_none() && !report.any_share),
    ("Alice has none of the money, and the rule for ties is ", |report| {
        report.share.0 == Share::ZERO && report.one_sided.is_some()
    }),
    ("Alice has all of the money, and the rule for ties is ", |report| {
        report.share.0 == Share::ONE && report.one_sided.is_some()
    }),
    ("if Alice holds the star and ", |report| {
        report.one_sided.as_ref().is_some_and(|one| one.star_alice != one.star_bob)
    }),
    ("With any share between 0 and 1 it is ", |report| {
        report.one_sided.is_some() && report.head.mechanism.0.payment == Payment::Richman
    }),
];

fn is_inside(report: &AverageReport) -> bool {
    report.share.0 > Share::ZERO && report.share.0 < Share::ONE
}

/// The sentences of a table that a text contains.
fn held<R>(table: &[(&'static str, Hypothesis<R>)], report: &R, text: &str) -> usize {
    let said = table.iter().filter(|(sentence, _)| text.contains(sentence));
    said.map(|(sentence, holds)| assert!(holds(report), "{sentence} {text}")).count()
}

fn solved(file: &str, mechanism: &Mechanism, share: Option<&str>) -> Report {
    let subject = Subject::from_file("game.json", file.as_bytes(), &Effort::default()).unwrap();
    let share = share.map(|share| share.parse().unwrap());
    let question = Question { aim: subject.aim(), share, ..Question::new(mechanism.clone()) };
    ask(&subject, &question, &Effort::default()).unwrap().report
}

fn money(file: &str, mechanism: &Mechanism) -> MoneyReport {
    let Report::Money(report) = solved(file, mechanism, None) else { panic!("{file}") };
    *report
}

const STAY: &str = r#"{"name": "stay", "start": "v", "positions": {
    "v": {"alice": ["v"], "bob": ["w"], "priority": 2}, "w": {"both": ["w"], "priority": 1}}}"#;
const GUARD: &str = r#"{"name": "guard", "start": "left", "positions": {
    "left": {"both": ["left", "gate"], "priority": 1}, "gate": {"both": ["left", "right"], "priority": 1},
    "right": {"both": ["gate", "right"], "priority": 2}}}"#;
const TOWER: &str = r#"{"name": "tower", "start": "tower", "positions": {
    "tower": {"alice": ["tower"], "bob": ["tower", "toss"], "priority": 2},
    "toss": {"alice": ["hers"], "bob": ["his"]}, "hers": {"winner": "alice"}, "his": {"winner": "bob"}}}"#;
const ALONE: &str = r#"{"name": "alone", "start": "a", "positions": {
    "a": {"kind": "alice", "alice": ["w", "l"]}, "w": {"winner": "alice"}, "l": {"winner": "bob"}}}"#;
const HOURS: &str = r#"{"name": "hours", "start": "gate", "objective": "mean-payoff", "positions": {
    "left": {"both": ["left", "gate"]}, "gate": {"both": ["left", "right"]},
    "right": {"both": ["gate", "right"], "weight": 1}}}"#;

fn facts(report: &MoneyReport) -> Vec<String> {
    forced(report, |_| "{}".to_string(), str::to_string)
}

/// All thresholds at and between the ends, with all possible knowledge about an end.
#[test]
fn each_sentence_about_thresholds_has_its_hypothesis() {
    let usual = money(STAY, &Mechanism::default());
    let shares = [Share::ZERO, Share::dyadic(1, 2), Share::dyadic(1, 1), Share::ONE];
    let ends = [None, Some(Yes), Some(No), Some(WithStar(Player::Alice)), Some(WithStar(Player::Bob))];
    let mut seen = std::collections::BTreeSet::new();
    for (win, draw) in shares.iter().flat_map(|win| shares.iter().map(move |draw| (win, draw))) {
        for (alice, bob) in ends.iter().flat_map(|alice| ends.iter().map(move |bob| (*alice, *bob))) {
            if draw > win {
                continue;
            }
            let [win, draw] = [win, draw].map(|share| BoundsJson(ShareBounds::exact(share.clone())));
            let report = MoneyReport { win, draw, exact: true, at_end: ByPlayer { alice, bob }, ..usual.clone() };
            let facts = facts(&report);
            for fact in &facts {
                let known = FORCED.iter().find(|(sentence, _)| sentence == fact);
                let (sentence, holds) = known.unwrap_or_else(|| panic!("{fact:?} is not in the table"));
                assert!(holds(&report), "{sentence} {report:?}");
                seen.insert(*sentence);
            }
            assert_eq!(facts.len(), if report.has_draws() { 3 } else { 2 }, "{facts:?}");
        }
    }
    assert_eq!(seen.len(), FORCED.len(), "each sentence is said somewhere");
}

#[test]
fn sentences_at_the_ends_of_small_games() {
    let ties = |ties| Mechanism { ties, ..Mechanism::default() };
    for (file, mechanism, alice, bob) in [
        (
            STAY,
            ties(Ties::Alice),
            "Alice can force a win only with all the money.",
            "Bob can force a win when Alice has less than {}.",
        ),
        (
            STAY,
            ties(Ties::Bob),
            "Alice cannot force a win with any share of the money.",
            "Bob can force a win with any share of the money, even with none.",
        ),
        (
            GUARD,
            ties(Ties::Bob),
            "Alice can force a win with more than {} of the money.",
            "Bob can force a win only with all the money.",
        ),
        (
            GUARD,
            ties(Ties::Alice),
            "Alice can force a win with any share of the money, even with none.",
            "Bob cannot force a win with any share of the money.",
        ),
        // Nobody bids.
        (
            ALONE,
            ties(Ties::Bob),
            "Alice can force a win with any share of the money, even with none.",
            "Bob cannot force a win with any share of the money.",
        ),
    ] {
        assert_eq!(facts(&money(file, &mechanism)), [alice, bob], "{mechanism} {file}");
    }
}

#[test]
fn what_the_best_bid_comes_to_has_its_hypothesis() {
    let tower = money(TOWER, &Mechanism { ties: Ties::Alice, ..Mechanism::default() });
    assert_eq!(tower.bid_suffices, ByPlayer::new(Some(BidSuffices::Yes), Some(BidSuffices::No)));
    let answers = [None, Some(BidSuffices::Yes), Some(BidSuffices::No), Some(BidSuffices::Unknown)];
    for (alice, bob) in answers.iter().flat_map(|alice| answers.iter().map(move |bob| (*alice, *bob))) {
        let report = MoneyReport { bid_suffices: ByPlayer { alice, bob }, ..tower.clone() };
        let is_said = [alice, bob].into_iter().flatten().any(|known| known != BidSuffices::Yes);
        let said = coming_back(&report);
        assert_eq!(said.iter().map(|text| held(&COMING_BACK, &report, text)).sum::<usize>(), usize::from(is_said));
        assert_eq!(said.is_some(), is_said);
    }
    // There are no draws, so no bid is for a draw.
    assert_eq!(goals(&tower), ["Alice's win", "Bob's win"]);
}

#[test]
fn each_sentence_about_an_average_has_its_hypothesis() {
    let mut seen = 0;
    for share in ["0", "1/3", "1"] {
        for ties in [Ties::Alice, Ties::Bob, Ties::Advantage, Ties::Winner] {
            for payment in [Payment::Richman, Payment::Poorman, Payment::Taxman { numerator: 1, denominator: 2 }] {
                let mechanism = Mechanism { payment, ties, ..Mechanism::default() };
                let Report::Average(report) = solved(HOURS, &mechanism, Some(share)) else { panic!("no average") };
                assert_eq!(report.head.mechanism.0.ties, ties);
                let said = averages(&report, rational).join(" ");
                seen += held(&AVERAGES, &*report, &said);
            }
        }
    }
    assert!(seen > 36, "{seen}");
    let ties = Mechanism { ties: Ties::Bob, ..Mechanism::default() };
    let Report::Average(report) = solved(HOURS, &ties, Some("0")) else { panic!("no average") };
    assert_eq!(
        averages(&report, rational)[0],
        "The long-run average is 0 from this position: Alice has none of the money, and the rule for ties is bob."
    );
}
