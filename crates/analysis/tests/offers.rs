//! Engines make their offers at once, whatever the game.

use crate::offered;

use std::time::{Duration, Instant};

use richman_analysis::{ConsideredCost, ConsideredEngine, Question, Report, Subject, ask, consider};
use richman_core::{Effort, Mechanism, Share, ShareBounds};

/// Under 5 ms on an idle machine, as `cargo bench -p richman-analysis --bench offers` asserts;
/// tests run side by side.
#[test]
fn offers_are_made_at_once() {
    const LONGEST: Duration = Duration::from_millis(50);
    for subject in offered::subjects() {
        for question in offered::questions() {
            let mut times: Vec<Duration> = (0..5)
                .map(|_| {
                    let start = Instant::now();
                    let offers = consider(&subject, &question, &Effort::default()).unwrap();
                    assert!(offers.engines.iter().any(|engine| engine.turn == Some(1)), "{}", offers.game);
                    start.elapsed()
                })
                .collect();
            times.sort_unstable();
            println!("{:?} {} {:?}", times[2], subject.name(), question.stake);
            assert!(times[2] < LONGEST, "{}: {times:?}", subject.name());
        }
    }
}

/// The first engine to be tried gives the best answer of those that fit the time; an eighth of it
/// may be kept for a worse answer.
#[test]
fn the_best_answer_that_fits_the_time_is_taken() {
    const KEPT: f64 = 0.125;
    let best_first = ["exact", "proved bounds", "an estimate with its confidence", "an estimate"];
    let grade = |engine: &ConsideredEngine| {
        let answer = engine.answer.as_deref()?;
        Some(best_first.iter().position(|grade| *grade == answer).unwrap())
    };
    let mut dear = 0;
    for subject in offered::subjects() {
        for question in offered::questions() {
            for seconds in [1, 5, 20, 60, 600] {
                let effort = Effort::default().within_time(Duration::from_secs(seconds));
                let time = seconds as f64;
                // Whether it fits, and whether it does with time to spare.
                let fits = |engine: &ConsideredEngine| match engine.cost {
                    Some(ConsideredCost::About { seconds, memory }) => {
                        let has_room = memory.is_none_or(|memory| memory <= effort.memory);
                        (has_room && seconds <= time, has_room && seconds <= time * (1.0 - KEPT) - 0.1)
                    }
                    Some(ConsideredCost::Anytime | ConsideredCost::Unknown) => (true, true),
                    Some(ConsideredCost::TooMuch { .. }) | None => (false, false),
                };
                let offers = consider(&subject, &question, &effort).unwrap();
                let taken = offers.engines.iter().find(|engine| engine.turn == Some(1)).unwrap();
                let about = format!("{} {:?} in {seconds} s: {offers:?}", offers.game, question.stake);
                if !fits(taken).0 {
                    assert!(!offers.engines.iter().any(|engine| fits(engine).1), "{about}");
                    dear += 1;
                }
                let best = offers.engines.iter().filter(|engine| fits(engine).1).filter_map(grade).min();
                assert!(best.is_none_or(|best| grade(taken).unwrap() <= best), "{about}");
            }
        }
    }
    assert!(dear > 0, "some games are too large for everybody");
}

#[test]
fn hex_is_counted_if_there_is_time() {
    let taken = |game: &str, seconds| {
        let effort = Effort::default().within_time(Duration::from_secs(seconds));
        let offers = consider(&Subject::named(game).unwrap(), &Question::new(Mechanism::default()), &effort).unwrap();
        offers.engines.into_iter().find(|engine| engine.turn == Some(1)).unwrap().engine
    };
    for (game, seconds, engine) in [
        ("hex:size=13", 5, "all fillings, counted"),
        ("hex:size=13", 3, "random fillings"),
        ("hex:size=14", 60, "all fillings, counted"),
        ("hex:size=15", 60, "random fillings"),
    ] {
        assert_eq!(taken(game, seconds), engine, "{game} in {seconds} s");
    }
}

#[test]
fn an_estimate_is_as_narrow_as_asked_or_takes_its_time() {
    let subject = Subject::named("hex:size=15").unwrap();
    let estimated = |estimate_width: f64, milliseconds: u64| {
        let started = Instant::now();
        let effort = Effort { estimate_width, ..Effort::default() }.within_time(Duration::from_millis(milliseconds));
        let answer = ask(&subject, &Question::new(Mechanism::default()), &effort).unwrap();
        let Report::Money(report) = answer.report else { panic!("{:?}", answer.report) };
        assert!(!report.exact && report.confidence.is_some());
        let ShareBounds { low, high } = &report.win.0;
        (Share::less(high, low).to_f64(), started.elapsed())
    };
    let [(wide, _), (narrow, _)] = [0.02, 0.008].map(|width| estimated(width, 60_000));
    assert!(0.015 < wide && wide <= 0.02 && 0.006 < narrow && narrow <= 0.008, "{wide} {narrow}");
    let (all, took) = estimated(0.0, 400);
    assert!(all < wide && took >= Duration::from_millis(400), "{all} after {took:?}");
    // If the time is too short for the width, the estimate ends with it.
    let (ended, took) = estimated(1e-9, 400);
    assert!(ended < wide && took < Duration::from_secs(20), "{ended} after {took:?}");
}

/// Offers use numbers of positions that are known without unfolding; `richman_games` tests more of
/// them.
#[test]
fn numbers_of_positions_are_told_within_a_factor_of_four() {
    let from_start = ["chess:pieces=KRK", "chess:pieces=KPK", "chess:size=4,pieces=KRKB", "hex:rows=3,cols=4"];
    let small = ["tug-of-war:length=100000", "ultimatum:degree=1000", "expr:(A^100 & B^50) & B"];
    let named = |(game, position)| (Subject::named(game).unwrap(), position);
    let starts = from_start.into_iter().chain(small).map(|game| (game, None));
    let later = [
        ("hex:size=4", Some("A..B/.AB./.B.A/...A")),
        ("connect:rows=4,cols=5", Some("..A../.BA.B/.BB.A/AABAB")),
        ("tic-tac-toe:rows=4,cols=4", Some("A.B./.B../..A./...A")),
        ("y", Some("A.B./.../B./A")),
        ("chomp:rows=8,cols=8", Some("8/8/6/5/4/4/1/0")),
        ("tug-of-war:length=1000", Some("0")),
    ];
    let files = [(offered::long_file(1000), None), (offered::long_file(1000), Some("900"))];
    for (subject, position) in starts.chain(later).map(named).chain(files) {
        let about = subject.walk(position).unwrap().about_arena(u64::MAX).unwrap().positions;
        let unfolding = subject.unfold(position, &Effort::default()).unwrap();
        let found = unfolding.arena().len() as u64;
        println!("{} {position:?}: about {about}, {found} positions", subject.name());
        assert!(about.max(found) <= 4 * about.min(found), "{} {position:?}: {about}, {found}", subject.name());
    }
}
