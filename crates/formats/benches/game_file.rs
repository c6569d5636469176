//! Reads a game file of a million positions. Compares time with the unavoidable work, and memory
//! with the file length.
//!
//! `cargo bench -p richman-formats --bench game_file`; a number after `--` sets the positions. The
//! result must equal the positions written.

use std::collections::HashSet;
use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use richman_core::{Effort, Game, Player, Terminal};
use richman_formats::{AnyGraph, Reading, read_game};
use serde::de::IgnoredAny;

/// The most time, as a multiple of two passes: serde_json ignoring everything, and a hash table of
/// all names, including targets, which every reader needs. Hashing takes a fiftieth of the latter;
/// the rest is memory latency.
const MOST_TIME: f64 = 3.0;
/// The most memory, as a multiple of the file length.
const MOST_MEMORY: f64 = 5.0;
/// Each time is the minimum of this many runs.
const ROUNDS: usize = 5;

fn main() {
    let positions = std::env::args().filter_map(|arg| arg.parse().ok()).next().unwrap_or(1_000_000);
    let path = tempfile::NamedTempFile::new().unwrap().into_temp_path();
    for is_scoring in [false, true] {
        write(&path, positions, is_scoring).unwrap();
        measure(&path, positions, is_scoring);
    }
}

/// The targets of a position's moves: near and far, never back.
fn targets(position: u32, positions: u32) -> [u32; 4] {
    let left = positions - 1 - position;
    let far =
        |step: u32| position + 1 + (position.wrapping_mul(2_654_435_761).wrapping_add(step * 40_503)) % left.max(1);
    [position + 1, far(1), position + 1 + left.min(1000) / 2, far(2)].map(|to| to.min(positions - 1))
}

fn write(path: &Path, positions: u32, is_scoring: bool) -> std::io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    write!(out, "{{\"name\": \"large\", \"start\": \"p0\", \"positions\": {{")?;
    for position in 0..positions - 2 {
        let [a, b, c, d] = targets(position, positions);
        if is_scoring {
            write!(out, "\n  \"p{position}\": {{\"both\": [{{\"to\": \"p{a}\", \"weight\": 2}}, \"p{b}\"]}},")?;
        } else {
            write!(out, "\n  \"p{position}\": {{\"alice\": [\"p{a}\", \"p{b}\"], \"bob\": [\"p{c}\", \"p{d}\"]}},")?;
        }
    }
    let [won, lost] =
        if is_scoring { ["\"score\": 1", "\"score\": 0"] } else { ["\"winner\": \"alice\"", "\"winner\": \"bob\""] };
    write!(out, "\n  \"p{}\": {{{won}}},\n  \"p{}\": {{{lost}}}\n}}}}\n", positions - 2, positions - 1)?;
    out.flush()
}

fn measure(path: &Path, positions: u32, is_scoring: bool) {
    let length = fs::metadata(path).unwrap().len();
    // Earlier work set the peak; Linux resets it on request.
    let before = fs::write("/proc/self/clear_refs", "5").ok().and_then(|()| peak());
    let graph = read_game("large.json", &mut File::open(path).unwrap(), &Reading::within(Effort::default())).unwrap();
    let held = peak().zip(before).map(|(after, before)| (after - before) as f64 / length as f64);
    check(&graph, positions);
    drop(graph);

    let text = fs::read(path).unwrap();
    let names = names(&text);
    let hasher = RandomState::new();
    let pass = least(|| serde_json::from_slice::<IgnoredAny>(&text).map(drop).unwrap());
    let hashes = least(|| {
        std::hint::black_box(names.iter().fold(0, |sum, name| sum ^ hasher.hash_one(name)));
    });
    let table = least(|| {
        std::hint::black_box(names.iter().collect::<HashSet<_>>().len());
    });
    let read = least(|| {
        let file = &mut File::open(path).unwrap();
        drop(std::hint::black_box(read_game("large.json", file, &Reading::within(Effort::default())).unwrap()));
    });
    let times = read.as_secs_f64() / (pass + table).as_secs_f64();
    println!(
        "{positions} positions, {} million bytes{}: read in {read:.2?}; serde_json ignores it in {pass:.2?}, \
         {} names go into a table in {table:.2?} (hashes alone {hashes:.2?}): {times:.2} times; \
         memory {} times the file",
        length / 1_000_000,
        if is_scoring { ", with scores" } else { "" },
        names.len(),
        held.map_or("not known".to_string(), |held| format!("{held:.2}")),
    );
    assert!(times <= MOST_TIME, "reading takes {times:.2} times the least that is needed");
    assert!(held.is_none_or(|held| held <= MOST_MEMORY), "reading takes {held:?} times the file");
}

fn check(graph: &AnyGraph, positions: u32) {
    let name = |position| format!("p{position}");
    for position in (0..positions - 2).step_by(997) {
        let [a, b, c, d] = targets(position, positions);
        let (mut alice, mut bob, mut weights) = (Vec::new(), Vec::new(), Vec::new());
        match graph {
            AnyGraph::Win(graph) => {
                assert_eq!(Game::parse(graph, &name(position)).unwrap(), position);
                assert_eq!(Game::notation(graph, &position), name(position));
                Game::moves(graph, &position, Player::Alice, &mut alice);
                Game::moves(graph, &position, Player::Bob, &mut bob);
                let once = |first: u32, second: u32| if first == second { vec![first] } else { vec![first, second] };
                assert_eq!((alice, bob), (once(a, b), once(c, d)));
            }
            AnyGraph::Parity(_) | AnyGraph::MeanPayoff(_) | AnyGraph::Stochastic(_) => {
                unreachable!("no position has a priority or is left to chance")
            }
            AnyGraph::Score(graph) => {
                assert_eq!(graph.parse(&name(position)).unwrap(), position);
                graph.moves(&position, Player::Bob, &mut bob);
                graph.labels(&position, Player::Bob, 2, &mut weights);
                assert_eq!((bob, weights), (vec![a, b], vec![-2, 0]));
            }
        }
    }
    let last = positions - 1;
    match graph {
        AnyGraph::Win(graph) => assert_eq!(graph.terminal(&last), Some(Terminal::Win(Player::Bob))),
        AnyGraph::Score(graph) => assert_eq!(graph.terminal(&last), Some(0)),
        AnyGraph::Parity(_) | AnyGraph::MeanPayoff(_) | AnyGraph::Stochastic(_) => {
            unreachable!("no position has a priority or is left to chance")
        }
    }
}

/// Every name in the file, targets of moves included.
fn names(text: &[u8]) -> Vec<&[u8]> {
    let quoted = text.split(|&byte| byte == b'"').skip(1).step_by(2);
    quoted.filter(|word| word.first() == Some(&b'p') && word.get(1).is_some_and(u8::is_ascii_digit)).collect()
}

fn least(mut work: impl FnMut()) -> Duration {
    let time = |_| {
        let (began, before) = (Instant::now(), processor());
        work();
        processor().zip(before).map_or_else(|| began.elapsed(), |(after, before)| after - before)
    };
    (0..ROUNDS).map(time).min().unwrap_or_default()
}

/// The processor time of this thread, if the system reports it.
fn processor() -> Option<Duration> {
    let schedule = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(schedule.split(' ').next()?.parse().ok()?))
}

/// The peak memory of this process in bytes, if the system reports it.
fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1024)
}
