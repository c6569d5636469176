//! try
use richman_analysis::Subject;
use richman_core::{Holding, Mechanism, Total, Unwatched};
use richman_play::duel::Duel;
use richman_play::players::{Knowledge, Strength};
use richman_solvers::Options;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let subject = Subject::named(&a[1]).unwrap();
    let chips: u64 = a[2].parse().unwrap();
    let games: u64 = a[3].parse().unwrap();
    let opening: u32 = a[4].parse().unwrap();
    let players: [Strength; 2] = [a[5].parse().unwrap(), a[6].parse().unwrap()];
    let mechanism = Mechanism::default();
    let total = Total::new(chips).unwrap();
    let t = std::time::Instant::now();
    let knowledge = Knowledge::of(&subject, None, &mechanism, total, &players, &Options::default()).unwrap();
    let walk = subject.walk(None).unwrap();
    let half = Holding::new(chips as u32 / 2, false).unwrap();
    let star = Holding::new(chips as u32 / 2, true).unwrap();
    let duel = Duel {
        walk: walk.as_ref(),
        mechanism,
        starts: vec![[star, half], [half, star]],
        limit: Some(1000),
        games,
        exchange: true,
        opening,
        timed: true,
        seed: 1,
    };
    let r = duel.run(players, &knowledge, &Unwatched).unwrap();
    println!(
        "{} {chips} chips, opening {opening}: {} vs {}: {:?} score {:.3} {:?} distinct {} turns {:.1} us {:?} alice {:?} bob {:?} in {:?}",
        a[1],
        r.players[0],
        r.players[1],
        r.tally,
        r.score,
        r.interval,
        r.distinct,
        r.turns,
        r.microseconds,
        r.as_alice,
        r.as_bob,
        t.elapsed()
    );
}
