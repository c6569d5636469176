//! The time of commands that work on large games: `cargo bench -p richman-cli --bench long`.
//!
//! Every answer is checked, and a command fails if it exceeds its limit. If `RICHMAN_BEFORE` names
//! an earlier program, both run in turn; the earlier one must print the same and take at least
//! twice the processor time.

use std::env;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use fastrand::Rng;

/// The least ratio of the earlier program's processor time to this one's.
const LEAST_RATIO: f64 = 2.0;
/// Runs of each program when two are compared; the least time counts.
const ROUNDS: usize = 2;
const RICHMAN: &str = env!("CARGO_BIN_EXE_richman");
/// Placeholder for the folder of generated files.
const FOLDER: &str = "FOLDER";

struct Case {
    args: &'static [&'static str],
    limit: Duration,
    /// A part of the expected output.
    answer: &'static str,
}

const CASES: [Case; 5] = [
    Case {
        args: &["solve", "connect:rows=2,cols=9,line=3", "--alice", "4", "--bob", "3*"],
        limit: Duration::from_secs(12),
        answer: "With 4 for Alice against 3* for Bob: Alice can force a win within 8 moves.",
    },
    Case {
        args: &["solve", "chess:pieces=KPK"],
        limit: Duration::from_secs(6),
        answer: "Alice can force a win with more than 1/2 (0.500000) of the money.",
    },
    Case {
        args: &["solve", "chess:pieces=KPK", "--position", "8/8/4k3/8/8/2P5/3K4/8"],
        limit: Duration::from_secs(6),
        answer: "29817/65536",
    },
    Case {
        args: &["solve", "FOLDER/arena.json", "--exact", "--save", "FOLDER/solution.json"],
        limit: Duration::from_secs(6),
        answer: "every equation and progress proved in exact arithmetic",
    },
    Case { args: &["verify", "FOLDER/solution.json"], limit: Duration::from_secs(6), answer: "valid: arena" },
];

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    std::fs::write(folder.join("arena.json"), arena(10_000, 3)).expect("a file");
    let before = env::var_os("RICHMAN_BEFORE").map(PathBuf::from);
    let mut too_slow = Vec::new();
    for case in &CASES {
        let name = case.args.join(" ");
        let first = case.run(Path::new(RICHMAN), folder);
        let (took, mut work) = (first.took.as_secs_f64(), first.work.as_secs_f64());
        assert!(first.printed.contains(case.answer), "{name}: {}", first.printed);
        assert!(first.took <= case.limit || before.is_some(), "{name}: {took:.2} s");
        let Some(program) = &before else {
            println!("{name}: {took:.2} s, {work:.2} s of the processor");
            continue;
        };
        let mut other_work = f64::INFINITY;
        for round in 0..ROUNDS {
            let other = case.run(program, folder);
            assert_eq!(first.printed, other.printed, "{name}");
            other_work = other_work.min(other.work.as_secs_f64());
            if round > 0 {
                work = work.min(case.run(Path::new(RICHMAN), folder).work.as_secs_f64());
            }
        }
        let ratio = other_work / work;
        println!("{name}: {work:.2} s of the processor, before {other_work:.2} s: {ratio:.2} times as much");
        if ratio < LEAST_RATIO {
            too_slow.push(format!("{name}: {ratio:.2}"));
        }
    }
    assert!(too_slow.is_empty(), "less than {LEAST_RATIO} times as much before: {too_slow:?}");
}

struct Run {
    printed: String,
    took: Duration,
    /// The processor time, which other programs affect less.
    work: Duration,
}

/// The processor time of finished commands; `None` if the system does not tell.
fn work_of_commands() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // Fields after the program's name, which may contain anything: the children's user and system
    // time, in hundredths of a second.
    let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(13);
    let ticks = fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?;
    Some(Duration::from_millis(10 * ticks))
}

impl Case {
    fn run(&self, program: &Path, folder: &Path) -> Run {
        let folder = folder.to_str().expect("a name");
        let (start, before) = (Instant::now(), work_of_commands());
        let args = self.args.iter().map(|arg| arg.replace(FOLDER, folder));
        let output = Command::new(program).args(args).output().expect("it runs");
        let took = start.elapsed();
        let work = before.zip(work_of_commands()).map_or(took, |(before, after)| after - before);
        assert!(output.status.success(), "{:?}: {}", self.args, String::from_utf8_lossy(&output.stderr));
        Run { printed: String::from_utf8(output.stdout).expect("text"), took, work }
    }
}

/// A game file with random moves among this many positions, nearly all on cycles.
fn arena(positions: usize, moves: usize) -> String {
    let mut rng = Rng::with_seed(5);
    let mut text = r#"{"name": "arena", "start": "p0", "positions": {"a": {"winner": "alice"}, "b": {"winner": "bob"}"#
        .to_string();
    for position in 0..positions {
        let mut list = || {
            let name = |to: usize| to.checked_sub(2).map_or(["a", "b"][to % 2].to_string(), |to| format!("p{to}"));
            let names: Vec<String> = (0..moves).map(|_| format!("\"{}\"", name(rng.usize(..positions + 2)))).collect();
            names.join(", ")
        };
        let (alice, bob) = (list(), list());
        write!(text, ",\n\"p{position}\": {{\"alice\": [{alice}], \"bob\": [{bob}]}}").expect("a string");
    }
    text + "}}\n"
}
