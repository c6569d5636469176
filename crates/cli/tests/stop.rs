//! Ctrl-C and `--time` on large inputs: every command that can take long is started, observed at
//! work, and stopped.
//!
//! With `RICHMAN_STOP=deep` each command is stopped at several instants, and none may be killed in
//! the middle of its work.
#![cfg(unix)]

use std::fs;
use std::io::{Read, Seek};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use wait4::Wait4;

use crate::random_files::write_random;

/// How long a command may continue after Ctrl-C, and beyond `--time`.
const AFTER_STOP: Duration = Duration::from_secs(1);
const BEYOND_TIME: Duration = Duration::from_secs(1);
/// When Ctrl-C is pressed.
const SOON: Duration = Duration::from_millis(300);

/// Long commands, one for each kind of work; `{}` is their own folder. The part before `&&` runs
/// first.
const LONG: &[&str] = &[
    "solve tug-of-war:length=3000000",
    "solve ultimatum:degree=2000000",
    "solve tug-of-war:length=300000 --payment poorman",
    "solve tug-of-war:length=3000 --exact",
    "solve connect --payment poorman",
    "solve connect",
    "solve connect --bounds {}/bounds.json",
    "solve hex:size=14 --exact",
    "solve hex:size=16",
    "solve hex:size=5 --chips 8",
    "solve chess",
    "solve chess --position 4k3/3r4/8/8/8/8/8/3QK3",
    "solve tug-of-war:length=8000 --chips 16000",
    "solve connect:rows=4,cols=5 --chips 1000 --save {}/saved.json",
    "solve connect:rows=4,cols=4 --payment poorman --alice 40* --bob 40",
    "table connect:rows=4,cols=4 --chips 0..4000",
    "table connect:rows=4,cols=4 --certificate {}/rules.json",
    "table connect:rows=4,cols=4 --payment poorman --bob 0..60",
    "compare connect:rows=4,cols=5 connect:rows=4,cols=5,line=3",
    "tree connect:rows=4,cols=5",
    "scores subtraction:heap=4000,set=1+3+5 --total 600",
    "unitary --totals 0..4000",
    "export connect:rows=4,cols=5 --positions 100000000",
    "random-turn connect:rows=4,cols=5",
    "random-turn tug-of-war:length=1000 --games 1000000000",
    "build connect:rows=5,cols=5 --out {}/connect",
    "build chess:pieces=KQKR --out {}/endgames",
    "reproduce",
    "solve {}/path.json",
    "solve {}/credit.json",
    "convert {}/path.json {}/path.richman",
    "table connect:rows=4,cols=4 --chips 0..4000 --svg {}/table.svg",
    "tree connect:rows=3,cols=5,line=3 --svg {}/tree.svg",
    "table connect:rows=4,cols=4 --chips 0..12 --certificate {}/c.json && verify {}/c.json",
    "solve connect:rows=4,cols=4 --chips 2000 --save {}/s.json && verify {}/s.json",
    "review {}/record.txt",
    "play connect:rows=4,cols=5 --chips 200 --level perfect",
    "duel tic-tac-toe --alice greedy --bob random --games 10000000",
    "duel connect:rows=4,cols=5 --chips 200 --alice perfect --bob greedy",
];

/// A match whose review solves the game.
const RECORD: &str = "[Game \"connect:rows=4,cols=5\"]\n[Alice \"100*\"]\n[Bob \"100\"]\n\n1. 1-7 Bob d\n";

/// A started command, whose output goes to files: a full pipe would keep it waiting.
struct Started {
    child: Child,
    begun: Instant,
    said: [fs::File; 2],
}

/// What a command did.
struct Ended {
    status: ExitStatus,
    /// The time on an idle machine since it was started or stopped: the clock or the processor
    /// time, whichever is less. A process that never waits does not take ten times as long.
    took: Duration,
    stdout: String,
    stderr: String,
}

impl Started {
    /// Starts a command; `{}` is the folder.
    fn new(line: &str, folder: &Path) -> Started {
        let said = [(); 2].map(|()| tempfile::tempfile().unwrap());
        let mut command = Command::new(env!("CARGO_BIN_EXE_richman"));
        command.args(line.split(' ').map(|word| word.replace("{}", &folder.display().to_string())));
        let [stdout, stderr] = said.each_ref().map(|file| file.try_clone().unwrap());
        let child = command.stdin(Stdio::null()).stdout(stdout).stderr(stderr).spawn().unwrap();
        Started { child, begun: Instant::now(), said }
    }

    /// Presses Ctrl-C.
    fn interrupt(&mut self) {
        assert!(Command::new("kill").args(["-INT", &self.child.id().to_string()]).status().unwrap().success());
        self.begun = Instant::now();
    }

    /// Waits for the end.
    fn end(mut self) -> Ended {
        let used = self.child.wait4().unwrap();
        let (clock, work) = (self.begun.elapsed(), used.rusage.utime + used.rusage.stime);
        let [stdout, stderr] = self.said.map(|mut file| {
            let mut bytes = Vec::new();
            file.rewind().and_then(|()| file.read_to_end(&mut bytes)).unwrap();
            String::from_utf8_lossy(&bytes).into_owned()
        });
        Ended { status: used.status, took: clock.min(work).max(clock / 10), stdout, stderr }
    }
}

/// What is wrong with commands, two at a time: most wait for the time to pass.
fn wrong<T: Sync>(lines: &[T], check: impl Fn(&T) -> Vec<String> + Sync) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let work = || std::iter::from_fn(|| lines.get(next.fetch_add(1, Ordering::Relaxed))).flat_map(&check).collect();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..2).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| -> Vec<String> { worker.join().unwrap() }).collect()
    })
}

/// A folder with a record and with games of many positions and of many moves.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    static PATH: OnceLock<String> = OnceLock::new();
    fs::write(folder.path().join("path.json"), PATH.get_or_init(|| long_path(300_000))).unwrap();
    fs::write(folder.path().join("record.txt"), RECORD).unwrap();
    fs::write(folder.path().join("wide.json"), many_moves(40_000)).unwrap();
    fs::write(folder.path().join("credit.json"), CREDIT).unwrap();
    folder
}

fn long_path(length: usize) -> String {
    let position = |at: usize| format!(r#""{at}": {{"alice": ["{}"], "bob": ["{}"]}}"#, at - 1, at + 1);
    let inner: Vec<String> = (1..length).map(position).collect();
    let ends = format!(r#""0": {{"winner": "alice"}}, "{length}": {{"winner": "bob"}}"#);
    format!(r#"{{"name": "path", "start": "{}", "positions": {{{ends}, {}}}}}"#, length / 2, inner.join(", "))
}

/// One position that stands for 20 million.
const CREDIT: &str =
    r#"{"name": "credit", "start": "a", "objective": "energy:20000000", "positions": {"a": {"both": ["a"]}}}"#;

fn many_moves(count: usize) -> String {
    let moves: Vec<String> = (0..count).map(|at| format!("\"{at}\"")).collect();
    let ends: Vec<String> = moves.iter().map(|to| format!("{to}: {{\"winner\": \"alice\"}}")).collect();
    let start = format!(r#""a": {{"alice": [{}], "bob": ["lost"]}}, "lost": {{"winner": "bob"}}"#, moves.join(", "));
    format!(r#"{{"name": "wide", "start": "a", "positions": {{{start}, {}}}}}"#, ends.join(", "))
}

/// Starts a command and presses Ctrl-C; `None` if it had ended.
fn stopped(line: &str, folder: &Path, after: Duration) -> Option<Ended> {
    let mut started = Started::new(line, folder);
    sleep(after);
    if started.child.try_wait().unwrap().is_some() {
        return None;
    }
    started.interrupt();
    let ended = started.end();
    let had_ended = ended.status.success() && ended.took <= AFTER_STOP; // it had no more to do
    (!had_ended).then_some(ended)
}

/// Stops all commands; with `in_order` none may be killed in the middle of its work.
fn stop_all(instants: &[Duration], in_order: bool) {
    let folder = folder();
    let (worked, killed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let late = wrong(LONG, |line| {
        let line = line.split_once(" && ").map_or(*line, |(before, line)| {
            let prepared = Started::new(before, folder.path()).end();
            assert!(prepared.status.success(), "{before}: {}", prepared.stderr);
            line
        });
        let mut late = Vec::new();
        for &after in instants {
            let Some(Ended { status, took, stderr, .. }) = stopped(line, folder.path(), after) else { continue };
            println!("{line}: {after:?} + {took:?}, {status}: {stderr}");
            let is_killed = stderr.contains("in the middle");
            worked.fetch_add(usize::from(after == SOON), Ordering::Relaxed);
            killed.fetch_add(usize::from(is_killed), Ordering::Relaxed);
            if took > AFTER_STOP || status.code() != Some(130) || (in_order && is_killed) {
                late.push(format!("{line}: {took:?}, {status}: {stderr}"));
            }
        }
        late
    });
    assert!(late.is_empty(), "{}", late.join("\n"));
    let (worked, killed) = (worked.into_inner(), killed.into_inner());
    // On a busy machine some are too slow to stop by themselves.
    assert!(killed * 4 <= LONG.len() * instants.len(), "{killed} ended in the middle");
    assert!(worked * 4 >= LONG.len() * 3, "only {worked} of {} were still at work", LONG.len());
}

#[test]
fn every_long_command_stops_within_a_second_of_ctrl_c() {
    stop_all(&[SOON], false);
}

#[test]
fn every_long_command_stops_in_good_order_at_any_time() {
    if std::env::var("RICHMAN_STOP").is_ok_and(|how| how == "deep") {
        stop_all(&[100, 300, 1000, 2500, 6000, 12_000].map(Duration::from_millis), true);
    }
}

/// Commands with their time limit in seconds and their message; an error starts with `richman:`.
const TIMED: &[(&str, u64, &str)] = &[
    ("solve tug-of-war:length=2000000", 1, "the time was up"),
    ("solve ultimatum:degree=1000000", 1, "the time was up"),
    ("solve tug-of-war:length=300000 --payment poorman", 1, "the time was up"),
    ("solve connect", 1, "time"),
    ("solve hex:size=14", 1, "random fillings of the 196 open cells"),
    ("solve chess", 1, "an estimate"),
    ("solve tug-of-war:length=8000 --chips 16000", 1, "richman: this takes longer than allowed"),
    ("solve tug-of-war:length=2000000 --exact", 1, "richman: an exact answer takes longer than allowed"),
    ("table connect:rows=4,cols=4 --chips 0..20000", 1, "richman: this takes longer than allowed"),
    ("compare connect:rows=4,cols=4 connect:rows=4,cols=4,line=3", 1, ""),
    ("tree connect:rows=4,cols=5", 1, ""),
    ("duel tic-tac-toe --alice greedy --bob random --games 10000000", 1, " games of 10000000 (stopped)"),
    ("solve {}/wide.json", 1, "40002 positions"),
    ("solve {}/wide.json --alice 4* --bob 4", 1, "40002 positions"),
    ("tree {}/wide.json --depth 1", 1, "wide"),
    ("solve {}/credit.json", 1, "richman:"),
    ("table {}/credit.json --chips 0..3", 1, "richman:"),
];

/// What is wrong with a command with this time limit in seconds.
fn late((line, seconds, says): (&str, u64, &str), folder: &Path) -> Vec<String> {
    let allowed = Duration::from_secs(seconds) + BEYOND_TIME;
    let Ended { status, took, stdout, stderr } = Started::new(&format!("{line} --time {seconds}"), folder).end();
    let told = stdout + &stderr;
    println!("{line}: {took:?}, {status}");
    let expected = if says.starts_with("richman:") { 2 } else { 0 };
    let ended = says.is_empty() || status.code() == Some(expected);
    let is_right = took <= allowed && told.contains(says) && !told.is_empty() && ended;
    (!is_right).then(|| format!("{line}: {took:?} of {allowed:?}, {status}: {told}")).into_iter().collect()
}

#[test]
fn no_command_takes_a_second_more_than_its_time() {
    let folder = folder();
    let wrong = wrong(TIMED, |command| late(*command, folder.path()));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Questions about files of every objective, of 300,000 positions in every form that has it.
const OF_FILES: &[&str] = &[
    "solve cycle300000.json",
    "solve cycle.richman",
    "solve cycle.richman --payment poorman",
    "solve cycle.richman --payment taxman:1/2",
    "solve cycle.richman --exact",
    "solve cycle.richman --chips 1000",
    "solve cycle.richman --chips 100 --ties marker",
    "solve cycle.richman --alice 40* --bob 40 --payment poorman",
    "solve cycle.richman --save s.json",
    "solve cycle.umb",
    "table cycle.richman --chips 0..1000",
    "tree cycle.richman",
    "tree cycle.richman --chips 40",
    "compare cycle.richman cycle300000.json",
    "solve parity300000.json",
    "solve parity.richman --payment poorman",
    "solve parity.richman --chips 100",
    "solve parity.richman --chips 40 --alice 20* --bob 20",
    "table parity.richman --chips 0..100",
    "tree parity.richman",
    "solve owned300000.json",
    "solve owned.gm",
    "solve owned.gm --chips 10",
    "solve average300000.json",
    "solve average.richman --payment poorman --share 1/3",
    "solve average.richman --chips 20",
    "solve average.richman --at-least 1/2",
    "solve average.richman --at-least 1/2 --chips 20",
    "table average.richman --at-least 1/2 --chips 0..20",
    "tree average.richman --at-least 1/2",
    "solve credit20000.json",
    "solve credit20000.json --chips 20",
    "table credit20000.json --chips 0..100",
    "tree credit20000.json",
    "compare credit20000.json credit20000.json",
];

#[test]
fn no_question_about_a_file_takes_a_second_more_than_its_time() {
    if !std::env::var("RICHMAN_STOP").is_ok_and(|how| how == "deep") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for kind in ["cycle", "parity", "owned", "average"] {
        write_random(folder.path(), kind, 300_000);
    }
    write_random(folder.path(), "credit", 20_000);
    for (from, to) in
        [("cycle", "richman"), ("cycle", "umb"), ("parity", "richman"), ("average", "richman"), ("owned", "gm")]
    {
        let line = format!("convert {{}}/{from}300000.json {{}}/{from}.{to}");
        let made = Started::new(&line, folder.path()).end();
        assert!(made.status.success(), "{line}: {}", made.stderr);
    }
    let is_file = |word: &str| word.contains('.') && !word.contains("..");
    let wrong = wrong(OF_FILES, |line| {
        let placed = line.split(' ').map(|word| if is_file(word) { format!("{{}}/{word}") } else { word.to_string() });
        late((&placed.collect::<Vec<_>>().join(" "), 2, ""), folder.path())
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_duel_that_is_stopped_reports_its_games() {
    let line = "duel tic-tac-toe --alice greedy --bob random --games 10000000";
    for form in ["", " --json"] {
        let line = format!("{line}{form}");
        let ended = [3, 10, 30]
            .into_iter()
            .filter_map(|times| stopped(&line, Path::new("."), SOON * times))
            .find(|ended| !ended.stdout.is_empty()) // a game was played by then
            .expect("a report");
        let told = ended.stdout;
        assert_eq!(ended.status.code(), Some(130), "{told}");
        match form {
            "" => assert!(told.contains(" games of 10000000 (stopped)") && told.contains("scores"), "{told}"),
            _ => {
                let report: serde_json::Value = serde_json::from_str(&told).unwrap();
                let games = report["games"].as_u64().unwrap();
                assert!(games > 0 && games < 10_000_000 && report["asked"] == 10_000_000, "{told}");
            }
        }
    }
}
