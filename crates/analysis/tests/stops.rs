//! Long work asks its watch often enough: a waiting person or server is free soon after saying
//! stop.
//!
//! A server cannot kill its work like a process, so the work itself is measured.

use std::time::{Duration, Instant};

use richman_analysis::{Question, Request, Subject, ask, chips, compare, money, table};
use richman_core::{Effort, Mechanism, Payment, Player, Total, Unfolding, Watch};
use richman_solvers::rules;

/// Says stop after a while.
struct StopAfter(Instant);

impl Watch for StopAfter {
    fn cancelled(&self) -> bool {
        Instant::now() >= self.0
    }
}

/// How slow the machine is now, from work that takes 20 ms when idle; 1 is idle.
fn slowness() -> u32 {
    let started = Instant::now();
    let mut number = 1u64;
    for step in 0..10_000_000u64 {
        number = std::hint::black_box(number.wrapping_mul(6364136223846793005) ^ step);
    }
    assert_ne!(number, 0);
    (started.elapsed().as_millis() / 20).clamp(1, 20) as u32
}

fn unfolded(game: &str) -> Box<dyn Unfolding> {
    Subject::named(game).unwrap().unfold(None, &Effort::default()).unwrap()
}

/// Does some work until told to stop, and returns how long it went on after that.
fn overrun(after: Duration, work: impl FnOnce(&dyn Watch)) -> Duration {
    let stop = StopAfter(Instant::now() + after);
    work(&stop);
    Instant::now().saturating_duration_since(stop.0)
}

type Work = (&'static str, Box<dyn Fn(&dyn Watch)>);

/// Real money on a game, with a mechanism.
fn solved(game: &'static str, payment: &str) -> Work {
    let mechanism = Mechanism { payment: payment.parse::<Payment>().unwrap(), ..Mechanism::default() };
    let unfolding = unfolded(game);
    (
        game,
        Box::new(move |watch| {
            let effort = Effort::watched(watch);
            let _ = money::report(&Request { unfolding: unfolding.as_ref(), mechanism: &mechanism, effort });
        }),
    )
}

fn reported(game: &'static str, report: impl Fn(&Request) + 'static) -> Work {
    let unfolding = unfolded(game);
    (
        game,
        Box::new(move |watch| {
            let effort = Effort::watched(watch);
            report(&Request { unfolding: unfolding.as_ref(), mechanism: &Mechanism::default(), effort });
        }),
    )
}

fn asked(game: &'static str) -> Work {
    let subject = Subject::named(game).unwrap();
    (
        game,
        Box::new(move |watch| {
            let _ = ask(&subject, &Question::new(Mechanism::default()), &Effort::watched(watch));
        }),
    )
}

fn unfolding(game: &'static str) -> Work {
    let subject = Subject::named(game).unwrap();
    (
        game,
        Box::new(move |watch| {
            let _ = subject.unfold(None, &Effort::watched(watch));
        }),
    )
}

#[test]
fn work_ends_soon_after_it_is_told_to() {
    const MOST: Duration = Duration::from_secs(1);
    let total = |chips: u64| Total::new(chips as u32).unwrap();
    let work: Vec<Work> = vec![
        unfolding("tug-of-war:length=4000000"),
        unfolding("connect:rows=4,cols=5"),
        solved("tug-of-war:length=400000", "richman"),
        solved("ultimatum:degree=200000", "richman"),
        solved("tug-of-war:length=200000", "poorman"),
        solved("connect:rows=4,cols=4", "taxman:1/2"),
        asked("hex:size=13"),
        asked("hex:size=16"),
        asked("chess"),
        asked("connect"),
        reported("tug-of-war:length=400", move |request| drop(chips::report(request, total(20_000)))),
        reported("connect:rows=3,cols=4,line=3", move |request| {
            drop(table::report(request, total(0)..=total(60_000), false));
        }),
        reported("connect:rows=4,cols=4,line=3", |request| {
            drop(rules::side(request.unfolding.arena(), request.mechanism, Player::Alice, &request.effort));
        }),
        reported("connect:rows=4,cols=4,line=3", |request| drop(compare::report(request, request))),
    ];
    let mut late = Vec::new();
    for (what, work) in &work {
        for after in [50, 500].map(Duration::from_millis) {
            let (took, most) = (overrun(after, work), MOST * slowness());
            println!("{what} after {after:?}: {took:?} of {most:?}");
            if took > most {
                late.push(format!("{what} after {after:?}: {took:?}"));
            }
        }
    }
    assert!(late.is_empty(), "{}", late.join("\n"));
}
