//! How long commands take that work on large games: `cargo bench -p richman-cli --bench long`.
//!
//! Every answer is checked, and a command that takes longer than its limit fails. With `RICHMAN_BEFORE` naming another program of the
//! same commands, that one is timed beside it and must print the same.

use std::env;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use fastrand::Rng;

const RICHMAN: &str = env!("CARGO_BIN_EXE_richman");
/// Where a command needs the folder of the files that are made here.
const FOLDER: &str = "FOLDER";

struct Case {
    args: &'static [&'static str],
    limit: Duration,
    /// What it prints, among other things.
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
    let folder = env::temp_dir().join(format!("richman-long-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("arena.json"), arena(10_000, 3)).expect("a file");
    let before = env::var_os("RICHMAN_BEFORE").map(PathBuf::from);
    for case in &CASES {
        let (printed, time) = case.run(Path::new(RICHMAN), &folder);
        assert!(printed.contains(case.answer), "{:?}: {printed}", case.args);
        let beside = match &before {
            None => String::new(),
            Some(program) => {
                let (other, other_time) = case.run(program, &folder);
                assert_eq!(printed, other, "{:?}", case.args);
                let ratio = other_time.as_secs_f64() / time.as_secs_f64();
                format!(", before {:.2} s: {ratio:.1} times as long", other_time.as_secs_f64())
            }
        };
        println!("{}: {:.2} s{beside}", case.args.join(" "), time.as_secs_f64());
        assert!(time <= case.limit || before.is_some(), "{:?}: {time:?}", case.args);
    }
    std::fs::remove_dir_all(&folder).expect("the folder");
}

impl Case {
    /// What it prints, and how long it takes.
    fn run(&self, program: &Path, folder: &Path) -> (String, Duration) {
        let folder = folder.to_str().expect("a name");
        let start = Instant::now();
        let args = self.args.iter().map(|arg| arg.replace(FOLDER, folder));
        let output = Command::new(program).args(args).output().expect("it runs");
        let time = start.elapsed();
        assert!(output.status.success(), "{:?}: {}", self.args, String::from_utf8_lossy(&output.stderr));
        (String::from_utf8(output.stdout).expect("text"), time)
    }
}

/// A game file of so many positions with random moves, in which play can come back nearly everywhere.
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
