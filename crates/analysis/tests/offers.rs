//! Engines make their offers at once, whatever the game.

use crate::offered;

use std::time::{Duration, Instant};

use richman_analysis::{Subject, consider};
use richman_core::Effort;

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
