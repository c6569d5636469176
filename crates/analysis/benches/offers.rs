//! The time and the accuracy of the engines' offers: `cargo bench -p richman-analysis --bench
//! offers`.
//!
//! Asserts that an offer takes less than 5 ms and that, for nine of ten questions of a listed
//! corpus, the cost is within a factor of four of the offer, in time and in memory. A separate
//! process answers each question. Unrelated reference work measures the machine's speed at the
//! time. Prints a table.

#[path = "../tests/common/offered.rs"]
mod offered;

use std::collections::HashMap;
use std::fs;
use std::hint::black_box;
use std::process::Command;
use std::time::{Duration, Instant};

use richman_analysis::chips::HoldingsQuery;
use richman_analysis::{ConsideredCost, Question, Stake, Subject, ask, consider};
use richman_core::{Effort, Holding, Mechanism, Payment, Total};

/// The seconds of the reference work on the machine that measured the engines' costs.
const REFERENCE: f64 = 0.20;
/// The factor within which an offer is right, and the part of the corpus for which it must be.
const FACTOR: f64 = 4.0;
const RIGHT: f64 = 0.9;
/// Smaller costs are not told apart.
const SECONDS: f64 = 0.05;
const BYTES: f64 = 8e6;

#[derive(Debug, Clone, Copy)]
enum Of {
    /// The position, in real money.
    Money,
    /// The same, with a bank.
    Poorman,
    /// The position, with a total of chips.
    Chips(u64),
    /// Every position, in real money, or with a total of chips.
    All,
    AllChips(u64),
    /// The outcome for each player's holding.
    Hands(u32),
}

use Of::*;

/// Questions that take from 0.05 s to 10 s.
const CORPUS: [(&str, Of); 49] = [
    ("tic-tac-toe:cols=4", All),
    ("tic-tac-toe:cols=4", Poorman),
    ("tic-tac-toe:cols=4", Hands(10)),
    ("tic-tac-toe:cols=4", AllChips(100)),
    ("tic-tac-toe:rows=4,cols=4", Money),
    ("tic-tac-toe:rows=4,cols=4,line=4", Chips(100)),
    ("tic-tac-toe:rows=3,cols=6", Money),
    ("tic-tac-toe:rows=3,cols=5,line=4", All),
    ("connect:rows=4,cols=4", All),
    ("connect:rows=4,cols=4", Poorman),
    ("connect:rows=4,cols=4", Hands(50)),
    ("connect:rows=4,cols=4", AllChips(20)),
    ("connect:rows=5,cols=4", Money),
    ("connect:rows=5,cols=4", Chips(1000)),
    ("connect:rows=4,cols=5", Money),
    ("connect:rows=4,cols=6", Money),
    ("connect:rows=5,cols=5", Chips(100)),
    ("connect:rows=3,cols=5,line=3", All),
    ("connect:rows=3,cols=6,line=3", Hands(20)),
    ("connect:rows=3,cols=6,line=4", Poorman),
    ("hex:rows=3,cols=4", All),
    ("hex:rows=3,cols=4", Poorman),
    ("hex:rows=3,cols=4", Hands(20)),
    ("hex:rows=2,cols=7", AllChips(50)),
    ("hex:rows=3,cols=5", Chips(100)),
    ("hex:rows=4,cols=4", Chips(1000)),
    ("hex:rows=2,cols=9", Chips(40)),
    ("hex:size=11", Money),
    ("hex:size=12", Money),
    ("hex:rows=12,cols=15", Money),
    ("hex:size=13", Money),
    ("y:size=5", Money),
    ("y:size=5", Chips(20)),
    ("y:size=5", Hands(20)),
    ("chess:pieces=KRK", Money),
    ("chess:pieces=KQK", Money),
    ("chess:pieces=KBK", Chips(20)),
    ("chess:pieces=KPK", Money),
    ("chomp:rows=9,cols=10", All),
    ("tug-of-war:length=2000", Money),
    ("tug-of-war:length=100000", Money),
    ("tug-of-war:length=1000", Chips(100)),
    ("tug-of-war:length=1000", Poorman),
    ("ultimatum:degree=100000", Money),
    ("ultimatum:degree=10000", Chips(20)),
    ("expr:A^10000 & B^9999", Money),
    ("expr:A^1000 & B^999", Chips(100)),
    ("file:100000", Money),
    ("file:100000", Chips(10)),
];

fn subject(game: &str) -> Subject {
    match game.strip_prefix("file:") {
        Some(length) => offered::long_file(length.parse().unwrap()),
        None => Subject::named(game).unwrap(),
    }
}

fn question(of: Of) -> Question {
    let chips = |total: u64| Stake::Total(Total::new(total as u32).unwrap());
    let usual = Question::new(Mechanism::default());
    match of {
        Money => usual,
        Poorman => Question::new(Mechanism { payment: Payment::Poorman, ..usual.mechanism }),
        Chips(total) => Question { stake: chips(total), ..usual },
        All => Question { all: true, ..usual },
        AllChips(total) => Question { stake: chips(total), all: true, ..usual },
        Hands(each) => {
            let [alice, bob] = [(each, true), (each, false)].map(|(chips, star)| Holding::new(chips, star).unwrap());
            Question { stake: Stake::Hands(HoldingsQuery { alice, bob, trace: false }), ..usual }
        }
    }
}

/// The usual limits, so that no answer stops early for lack of time.
fn effort() -> Effort<'static> {
    Effort { deadline: Some(Instant::now() + Duration::from_secs(60)), ..Effort::default() }
}

/// Unrelated work: puts numbers into a table and finds them again.
fn reference() -> f64 {
    const NUMBERS: u64 = 1_000_000;
    let start = Instant::now();
    let number = |at: u64| (at + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let table: HashMap<u64, u64> = (0..NUMBERS).map(|at| (number(at), at)).collect();
    let found = (0..NUMBERS).map(|at| table[&number(at)]).fold(0, u64::wrapping_add);
    assert_eq!(black_box(found), NUMBERS * (NUMBERS - 1) / 2);
    start.elapsed().as_secs_f64()
}

/// A number of bytes that Linux reports for this process.
fn bytes(name: &str) -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse::<f64>().ok().map(|kibibytes| kibibytes * 1024.0)
}

/// Answers a question, and prints its seconds and bytes.
fn answer(number: usize) {
    let (game, of) = CORPUS[number];
    let (subject, question) = (subject(game), question(of));
    // Asks Linux to forget the peak memory of reading the game.
    let before = fs::write("/proc/self/clear_refs", "5").ok().and_then(|()| bytes("VmRSS:"));
    let start = Instant::now();
    let answer = ask(&subject, &question, &effort()).unwrap();
    let seconds = start.elapsed().as_secs_f64();
    let held = bytes("VmHWM:").zip(before).map_or(0.0, |(after, before)| after - before);
    black_box(answer);
    println!("{seconds} {held}");
}

/// The ratio of the cost and the offer; 1 if both are small.
fn times(offered: f64, needed: f64, least: f64) -> f64 {
    needed.max(least) / offered.max(least)
}

fn compare() {
    let program = std::env::current_exe().unwrap();
    let wanted = std::env::args().nth(1).filter(|arg| !arg.starts_with('-'));
    let mut right = [0; 2];
    let (mut count, mut fastest) = (0, f64::INFINITY);
    println!(
        "{:<52} {:<22} {:>8} {:>8} {:>6} {:>9} {:>9} {:>6}",
        "question", "engine", "offered", "took", "times", "MB", "took", "times"
    );
    for (number, &(game, of)) in CORPUS.iter().enumerate() {
        let name = format!("{game} {of:?}");
        if wanted.as_ref().is_some_and(|wanted| !name.contains(wanted.as_str())) {
            continue;
        }
        let offers = consider(&subject(game), &question(of), &effort()).unwrap();
        let first = offers.engines.iter().find(|engine| engine.turn == Some(1)).unwrap();
        let before = reference();
        let output = Command::new(&program).args(["--question", &number.to_string()]).output().unwrap();
        let beside = (before + reference()) / 2.0;
        let speed = beside / REFERENCE;
        fastest = fastest.min(beside);
        let printed = String::from_utf8(output.stdout).unwrap();
        let numbers: Vec<f64> = printed.split_whitespace().map(|word| word.parse().unwrap()).collect();
        let [took, held] = numbers[..] else { panic!("{name}: {}", String::from_utf8_lossy(&output.stderr)) };
        let took = took / speed;
        let engine: String = first.engine.chars().take(22).collect();
        let (offered, memory) = match first.cost {
            Some(ConsideredCost::About { seconds, memory }) => {
                (seconds, memory.map_or(f64::NAN, |memory| memory as f64))
            }
            other => {
                println!("{name:<52} {engine:<22} {other:?} {took:.3} {:.1}", held / 1e6);
                count += 1;
                continue;
            }
        };
        let [in_time, in_memory] = [times(offered, took, SECONDS), times(memory, held, BYTES)];
        println!(
            "{name:<52} {engine:<22} {offered:>8.3} {took:>8.3} {in_time:>6.2} {:>9.1} {:>9.1} {in_memory:>6.2}",
            memory / 1e6,
            held / 1e6
        );
        count += 1;
        for (right, times) in right.iter_mut().zip([in_time, in_memory]) {
            *right += usize::from((1.0 / FACTOR..=FACTOR).contains(&times));
        }
    }
    println!("of {count} questions {} in time, {} in memory", right[0], right[1]);
    println!("the reference took {fastest:.3} s at least, {REFERENCE} where the costs were measured");
    assert!(right.iter().all(|&right| right as f64 >= RIGHT * count as f64), "offers are not what answers cost");
}

/// The time limit of an offer.
fn soon() {
    const LONGEST: Duration = Duration::from_millis(5);
    let mut longest = (Duration::ZERO, String::new());
    for subject in offered::subjects() {
        for question in offered::questions() {
            let mut times: Vec<Duration> = (0..9)
                .map(|_| {
                    let start = Instant::now();
                    black_box(consider(&subject, &question, &Effort::default()).unwrap());
                    start.elapsed()
                })
                .collect();
            times.sort_unstable();
            longest = longest.max((times[4], subject.name().chars().take(40).collect()));
        }
    }
    println!("an offer takes at most {:?} ({})", longest.0, longest.1);
    assert!(longest.0 < LONGEST, "{longest:?}");
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if let Some(at) = args.iter().position(|arg| arg == "--question") {
        return answer(args[at + 1].parse().unwrap());
    }
    compare();
    soon();
}
