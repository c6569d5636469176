//! Compares the command's time with a plain memo over a hash map, and measures its memory.
//!
//! `cargo bench -p richman-cli` times whole processes, including start-up, and checks every answer
//! it times: all against the memo below, some totals against `richman_solvers::chips::solve`. After
//! the criterion groups it prints medians of alternating runs and the peak memory of three
//! commands, and fails above their limits. It does the same for chips with payment to the bank,
//! comparing `richman_solvers::purses` with the recursion for tug of war.

mod memo;

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion};
use richman_analysis::Subject;
use richman_catalog::tug_of_war::poorman;
use richman_core::{
    Effort, Mechanism, Payment, Player, Preset, PurseCell, PurseSide, PurseSolution, Purses, Thresholds, Total,
    Unfolding,
};
use richman_solvers::{chips, purses};
use serde_json::{Value, json};

use crate::memo::{Board, money, table};

const RICHMAN: &str = env!("CARGO_BIN_EXE_richman");

/// Runs of each side in the final table; odd, so that the median is one of them.
const ALTERNATIONS: usize = 11;

/// The memory of a process besides its limit: its code, its threads, the report.
const OVERHEAD: u64 = 32 << 20;

/// The argument that makes this program solve a purse case and print its time and peak memory.
const PURSES: &str = "--purses";

/// The argument that makes this program run the memo of a case and print its answer.
const MEMO: &str = "--memo";

/// The argument that makes this program run a command and print its peak memory.
const PEAK_OF: &str = "--peak-of";

/// A command, the memo that answers the same question, and the command's time limit.
struct Case {
    name: &'static str,
    args: &'static [&'static str],
    limit: Duration,
    reference: fn() -> Answer,
    /// Checks facts known without the memo.
    check: fn(&Answer),
}

const CASES: [Case; 5] = [
    Case {
        name: "tic-tac-toe, real money",
        args: &["solve", "tic-tac-toe", "--json"],
        limit: Duration::from_millis(20),
        reference: || money(&Board::TIC_TAC_TOE),
        check: |answer| assert_eq!(*answer, Answer::shares("133/256", "123/256")),
    },
    Case {
        name: "tic-tac-toe, 0..1023, periods",
        args: &["table", "tic-tac-toe", "--chips", "0..1023", "--json"],
        limit: Duration::from_millis(300),
        reference: || table(&Board::TIC_TAC_TOE, 1024),
        check: |answer| answer.agrees_with_the_solver("tic-tac-toe", 1024, &[0, 1, 8, 1023]),
    },
    Case {
        name: "connect 3x3, 0..1023, periods",
        args: &["table", "connect:rows=3,cols=3,line=3", "--chips", "0..1023", "--json"],
        limit: Duration::from_millis(300),
        reference: || table(&Board::CONNECT_THREE, 1024),
        check: |answer| answer.agrees_with_the_solver("connect:rows=3,cols=3,line=3", 1024, &[0, 1, 12, 1023]),
    },
    Case {
        name: "connect 4x4, real money",
        args: &["solve", "connect:rows=4,cols=4", "--json"],
        limit: Duration::from_millis(500),
        reference: || money(&Board::CONNECT),
        check: |answer| assert_eq!(*answer, Answer::shares("1261/2048", "787/2048")),
    },
    Case {
        name: "connect 4x4, 0..63, periods",
        args: &["table", "connect:rows=4,cols=4", "--chips", "0..63", "--json"],
        limit: Duration::from_secs(10),
        reference: || table(&Board::CONNECT, 64),
        check: |answer| answer.agrees_with_the_solver("connect:rows=4,cols=4", 64, &[8, 63]),
    },
];

/// Commands with their `--memory`, in bytes.
const WITHIN_MEMORY: [(&[&str], u64); 3] = [
    (&["solve", "connect:rows=4,cols=4", "--memory", "200MB"], 200_000_000),
    (&["table", "connect:rows=4,cols=4", "--chips", "0..63", "--memory", "300MB"], 300_000_000),
    (
        &["solve", "connect:rows=4,cols=4", "--chips", "16", "--alice", "8*", "--bob", "8", "--memory", "400MB"],
        400_000_000,
    ),
];

/// Tug of war with payment to the bank: all nodes, both players, all purses up to a limit.
struct PurseCase {
    name: &'static str,
    preset: Preset,
}

impl PurseCase {
    const LENGTH: u32 = 20;
    const MOST: u32 = 200;
    const LIMIT: Duration = Duration::from_secs(20);
    const MEMORY: u64 = 1 << 30;
}

const PURSE_CASES: [PurseCase; 2] = [
    PurseCase { name: "tug of war 20, purses to 200, open bids", preset: Preset::Gasarch },
    PurseCase { name: "tug of war 20, purses to 200, sealed", preset: Preset::DevelinPayne },
];

fn main() {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args.as_slice() {
        [MEMO, name] => {
            let case = CASES.iter().find(|case| case.name == *name).expect("a case");
            return println!("{}", (case.reference)().report());
        }
        [PEAK_OF, command @ ..] => return print_peak(command),
        [PURSES, name] => {
            let case = PURSE_CASES.iter().find(|case| case.name == *name).expect("a case");
            return println!("{} {}", case.solved().0.as_nanos(), own_peak());
        }
        _ => {}
    }
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2))
        .configure_from_args();
    for case in &CASES {
        case.bench(&mut criterion);
    }
    for case in &PURSE_CASES {
        case.bench(&mut criterion);
    }
    criterion.final_summary();
    // Not with a filter, nor when `cargo test` only checks that the benchmarks run.
    if args == ["--bench"] {
        compare();
        measure_memory();
        measure_purses();
    }
}

impl Case {
    fn bench(&self, criterion: &mut Criterion) {
        let expected = std::cell::OnceCell::new(); // a filter may leave nothing of this case to run
        let mut group = criterion.benchmark_group(self.name);
        for (id, run) in [("richman", Case::ours as fn(&Case) -> Run), ("memo", Case::theirs)] {
            group.bench_function(BenchmarkId::from_parameter(id), |bencher| {
                let expected = expected.get_or_init(|| self.expected());
                bencher.iter_custom(|runs| {
                    let timed = |_| {
                        let run = run(self);
                        run.answer.assert_is(expected, self.name);
                        run.time
                    };
                    (0..runs).map(timed).sum()
                });
            });
        }
        group.finish();
    }

    /// The checked answer of the memo.
    fn expected(&self) -> Answer {
        let answer = (self.reference)();
        (self.check)(&answer);
        answer
    }

    fn ours(&self) -> Run {
        Run::of(Path::new(RICHMAN), self.args)
    }

    fn theirs(&self) -> Run {
        Run::of(&this_program(), &[MEMO, self.name])
    }
}

impl PurseCase {
    fn bench(&self, criterion: &mut Criterion) {
        let timed = |_| self.solved().0;
        criterion.bench_function(self.name, |bencher| bencher.iter_custom(|runs| (0..runs).map(timed).sum()));
    }

    /// The time for solving, and the checked solution.
    fn solved(&self) -> (Duration, PurseSolution) {
        let unfolding = Subject::named(&format!("tug-of-war:length={}", PurseCase::LENGTH))
            .and_then(|subject| subject.unfold(None, &Effort::default()))
            .expect("the game unfolds");
        let mechanism = Mechanism { payment: Payment::Poorman, ..self.preset.mechanism() };
        let both = Purses::UpTo { alice: PurseCase::MOST, bob: PurseCase::MOST };
        let start = Instant::now();
        let solution = purses::solve(unfolding.arena(), &mechanism, both, &Effort::default());
        let (time, solution) = (start.elapsed(), solution.expect("the arena is solved"));
        self.check(unfolding.as_ref(), &solution);
        (time, solution)
    }

    fn check(&self, unfolding: &dyn Unfolding, solution: &PurseSolution) {
        let node = |at: u32| unfolding.node(&at.to_string()).expect("a node");
        let least = |player, at, star, other| solution.wins[player].least(PurseCell { node: node(at), star, other });
        let known = poorman::win_thresholds(PurseCase::LENGTH, PurseCase::MOST).expect("a short path");
        for (at, other) in (1..PurseCase::LENGTH).flat_map(|at| (0..=PurseCase::MOST).map(move |other| (at, other))) {
            let found = least(Player::Alice, at, false, other);
            if self.preset == Preset::Gasarch {
                let expected = known[at as usize][other as usize];
                let expected = if expected <= PurseCase::MOST { expected } else { PurseSide::NEVER };
                assert_eq!(found, expected, "node {at} against {other}");
            } else {
                // By symmetry Bob's values are those at the other end of the path.
                for star in [false, true] {
                    let mirrored = least(Player::Bob, PurseCase::LENGTH - at, star, other);
                    assert_eq!(least(Player::Alice, at, star, other), mirrored, "node {at} against {other}");
                }
                // Whoever wins every tie is no worse off.
                let with_ties = known[at as usize][other as usize];
                assert!(found >= with_ties.min(PurseCase::MOST), "node {at} against {other}");
            }
        }
    }
}

struct Run {
    time: Duration,
    answer: Answer,
}

impl Run {
    fn of(program: &Path, args: &[&str]) -> Run {
        let start = Instant::now();
        let report = output(program, args);
        Run { time: start.elapsed(), answer: Answer::of_report(&report) }
    }
}

fn this_program() -> PathBuf {
    env::current_exe().expect("this program has a path")
}

fn output(program: &Path, args: &[&str]) -> Vec<u8> {
    let output = Command::new(program).args(args).stdin(Stdio::null()).output().expect("the program starts");
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

fn compare() {
    println!("Medians of {ALTERNATIONS} runs in alternation, each a process of its own\n");
    println!("{:<28} {:>10} {:>10} {:>7} {:>10}", "case", "richman", "memo", "ratio", "at most");
    let mut slow = Vec::new();
    for case in &CASES {
        let expected = case.expected();
        let mut times: [Vec<Duration>; 2] = Default::default();
        for _ in 0..ALTERNATIONS {
            for (times, run) in times.iter_mut().zip([case.ours(), case.theirs()]) {
                run.answer.assert_is(&expected, case.name);
                times.push(run.time);
            }
        }
        let [ours, theirs] = times.map(median);
        println!(
            "{:<28} {:>10} {:>10} {:>7.2} {:>10}",
            case.name,
            milliseconds(ours),
            milliseconds(theirs),
            theirs.as_secs_f64() / ours.as_secs_f64(),
            milliseconds(case.limit),
        );
        if ours > case.limit {
            slow.push(case.name);
        }
    }
    println!();
    assert!(slow.is_empty(), "slower than allowed (is the machine busy?): {slow:?}");
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}

fn measure_memory() {
    if !cfg!(unix) {
        println!("Peak memory: not measured on this system");
        return;
    }
    println!("Peak resident memory in MiB; a process may take {} more than --memory\n", OVERHEAD >> 20);
    println!("{:>8} {:>8}  command", "peak", "--memory");
    let mebibytes = |bytes: u64| bytes as f64 / f64::from(1 << 20);
    let mut large = Vec::new();
    for (args, memory) in WITHIN_MEMORY {
        // A separate process, because a process learns only the largest peak of all its children.
        let printed = output(&this_program(), &[&[PEAK_OF], args].concat());
        let peak: u64 = String::from_utf8_lossy(&printed).trim().parse().expect("a number of bytes");
        println!("{:>8.1} {:>8.1}  richman {}", mebibytes(peak), mebibytes(memory), args.join(" "));
        if peak > memory + OVERHEAD {
            large.push(args);
        }
    }
    assert!(large.is_empty(), "more memory than allowed: {large:?}");
}

fn measure_purses() {
    println!("\nEvery pair of purses, money to the bank; time and peak resident memory in MiB\n");
    for case in &PURSE_CASES {
        let printed = output(&this_program(), &[PURSES, case.name]);
        let printed = String::from_utf8_lossy(&printed);
        let (time, peak) = printed.trim().split_once(' ').expect("a time and a peak");
        let time = Duration::from_nanos(time.parse().expect("nanoseconds"));
        let peak: u64 = peak.parse().expect("bytes");
        println!("{:<42} {:>10} {:>8.1}", case.name, milliseconds(time), peak as f64 / f64::from(1 << 20));
        assert!(time <= PurseCase::LIMIT && peak <= PurseCase::MEMORY, "{}: {time:?}, {peak} bytes", case.name);
    }
}

/// This program's peak resident memory in bytes; 0 if the system does not tell.
fn own_peak() -> i64 {
    #[cfg(unix)]
    {
        use nix::sys::resource::{UsageWho, getrusage};
        let unit = if cfg!(target_vendor = "apple") { 1 } else { 1024 };
        getrusage(UsageWho::RUSAGE_SELF).expect("usage is known").max_rss() * unit
    }
    #[cfg(not(unix))]
    0
}

/// Runs the command and prints its peak resident memory in bytes.
fn print_peak(args: &[&str]) {
    output(Path::new(RICHMAN), args);
    #[cfg(unix)]
    {
        use nix::sys::resource::{UsageWho, getrusage};
        let unit = if cfg!(target_vendor = "apple") { 1 } else { 1024 };
        let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("usage of children is known");
        println!("{}", usage.max_rss() * unit);
    }
}

/// The answer of a run for the empty board.
#[derive(Debug, PartialEq)]
enum Answer {
    Shares {
        win: String,
        draw: String,
    },
    /// Win and draw thresholds in half-steps, by total from 0 on.
    Table(Vec<[u32; 2]>),
}

impl Answer {
    fn shares(win: &str, draw: &str) -> Answer {
        Answer::Shares { win: win.to_string(), draw: draw.to_string() }
    }

    /// From the JSON of `solve` or `table`.
    fn of_report(json: &[u8]) -> Answer {
        let report: Value = serde_json::from_slice(json).expect("JSON");
        let Some(rows) = report["rows"].as_array() else {
            return Answer::shares(report["win"].as_str().expect("a share"), report["draw"].as_str().expect("a share"));
        };
        let half_steps = |threshold: &Value| {
            let chips = |key: &str| threshold[key].as_u64().expect("chips") as u32;
            chips("plain") + chips("star")
        };
        for (total, row) in rows.iter().enumerate() {
            assert_eq!(row["chips"], total);
        }
        Answer::Table(rows.iter().map(|row| [half_steps(&row["win"]), half_steps(&row["draw"])]).collect())
    }

    /// The memo's answer as the same JSON.
    fn report(&self) -> Value {
        match self {
            Answer::Shares { win, draw } => json!({ "win": win, "draw": draw }),
            Answer::Table(rows) => {
                let threshold = |half_steps: u32| json!({ "plain": half_steps.div_ceil(2), "star": half_steps / 2 });
                let rows: Vec<Value> = (0..)
                    .zip(rows)
                    .map(|(chips, &[win, draw])| {
                        json!({ "chips": chips, "win": threshold(win), "draw": threshold(draw) })
                    })
                    .collect();
                json!({ "rows": rows })
            }
        }
    }

    /// Compares answers; of tables, shows the first difference.
    fn assert_is(&self, expected: &Answer, case: &str) {
        if let (Answer::Table(rows), Answer::Table(expected)) = (self, expected) {
            assert_eq!(rows.len(), expected.len(), "{case}");
            for (total, (row, expected)) in rows.iter().zip(expected).enumerate() {
                assert_eq!(row, expected, "{case}: {total} chips");
            }
        } else {
            assert_eq!(self, expected, "{case}");
        }
    }

    /// Compares a table with the solver of single totals.
    fn agrees_with_the_solver(&self, game: &str, rows: usize, totals: &[u64]) {
        let Answer::Table(table) = self else { panic!("{game}: not a table") };
        assert_eq!(table.len(), rows, "{game}");
        let unfolding = Subject::named(game)
            .and_then(|subject| subject.unfold(None, &Effort::default()))
            .expect("the game unfolds");
        for &total in totals {
            let Thresholds { win, draw } = solved(unfolding.as_ref(), total);
            let half_steps = [win, draw].map(|threshold| threshold.plain + threshold.star);
            assert_eq!(table[total as usize], half_steps, "{game}, {total} chips");
        }
    }
}

fn solved(unfolding: &dyn Unfolding, total: u64) -> Thresholds {
    let arena = unfolding.arena();
    let total = Total::new(total as u32).expect("a total");
    let solution = chips::solve(arena, &Mechanism::default(), total, &Effort::default());
    solution.expect("the arena is solved").thresholds(arena.start())
}
