//! Ctrl-C and `--time` on large inputs: every command that can take long is started, observed at
//! work, and stopped.
//!
//! With `RICHMAN_STOP=deep` each command is stopped at several instants, and none may be killed in
//! the middle of its work.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use tempfile::TempDir;

/// How long a command may continue after Ctrl-C, and beyond `--time`.
const AFTER_STOP: Duration = Duration::from_secs(1);
const BEYOND_TIME: Duration = Duration::from_secs(2);
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

fn command(line: &str, folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_richman"));
    command.args(line.split(' ').map(|word| word.replace("{}", &folder.display().to_string())));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn interrupt(child: &Child) {
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
}

/// The processor time of the commands so far. Only one test at a time starts commands.
fn work() -> Duration {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap();
    [usage.user_time(), usage.system_time()]
        .map(|time| Duration::from_micros(time.num_microseconds().unsigned_abs()))
        .iter()
        .sum()
}

/// The time on an idle machine: the clock or the processor time, whichever is less. A process that
/// never waits does not take ten times as long.
fn alone(clock: Duration, work: Duration) -> Duration {
    clock.min(work).max(clock / 10)
}

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn one_at_a_time() -> MutexGuard<'static, ()> {
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
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

/// Starts a command and presses Ctrl-C. Returns an upper bound on how long it continued, and its
/// output; `None` if it had ended.
fn stopped(line: &str, folder: &Path, after: Duration) -> Option<(Duration, Output)> {
    let before = work();
    let mut child = command(line, folder).spawn().unwrap();
    sleep(after);
    if child.try_wait().unwrap().is_some() {
        return None;
    }
    let pressed = Instant::now();
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    let took = alone(pressed.elapsed(), work() - before);
    let had_ended = output.status.success() && took <= AFTER_STOP; // it had no more to do
    (!had_ended).then_some((took, output))
}

/// Stops all commands; with `in_order` none may be killed in the middle of its work.
fn stop_all(instants: &[Duration], in_order: bool) {
    let _one = one_at_a_time();
    let folder = folder();
    let (mut late, mut worked, mut ended) = (Vec::new(), 0, Vec::new());
    for line in LONG {
        let line = line.split_once(" && ").map_or(*line, |(before, line)| {
            let prepared = command(before, folder.path()).output().unwrap();
            assert!(prepared.status.success(), "{before}: {prepared:?}");
            line
        });
        for &after in instants {
            let Some((took, output)) = stopped(line, folder.path(), after) else { continue };
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            println!("{line}: {after:?} + {took:?}, {}: {said}", output.status);
            worked += usize::from(after == SOON);
            ended.extend(said.contains("in the middle").then_some(line));
            if took > AFTER_STOP || output.status.code() != Some(130) || (in_order && said.contains("in the middle")) {
                late.push(format!("{line}: {took:?}, {}: {said}", output.status));
            }
        }
    }
    assert!(late.is_empty(), "{}", late.join("\n"));
    // On a busy machine some are too slow to stop by themselves.
    assert!(ended.len() * 4 <= LONG.len() * instants.len(), "ended in the middle: {}", ended.join("\n"));
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

#[test]
fn no_command_takes_two_seconds_more_than_its_time() {
    let _one = one_at_a_time();
    let folder = folder();
    let mut wrong = Vec::new();
    for (line, seconds, says) in TIMED {
        let allowed = Duration::from_secs(*seconds) + BEYOND_TIME;
        let (started, before) = (Instant::now(), work());
        let output = command(&format!("{line} --time {seconds}"), folder.path()).output().unwrap();
        let (took, told) =
            (alone(started.elapsed(), work() - before), [output.stdout.as_slice(), &output.stderr].concat());
        let told = String::from_utf8_lossy(&told);
        println!("{line}: {took:?}, {}", output.status);
        let status = if says.starts_with("richman:") { 2 } else { 0 };
        let ended = says.is_empty() || output.status.code() == Some(status);
        if took > allowed || !told.contains(says) || told.is_empty() || !ended {
            wrong.push(format!("{line}: {took:?} of {allowed:?}, {}: {told}", output.status));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_duel_that_is_stopped_reports_its_games() {
    let _one = one_at_a_time();
    let line = "duel tic-tac-toe --alice greedy --bob random --games 10000000";
    for form in ["", " --json"] {
        let line = format!("{line}{form}");
        let (_, output) = [3, 10, 30]
            .into_iter()
            .filter_map(|times| stopped(&line, Path::new("."), SOON * times))
            .find(|(_, output)| !output.stdout.is_empty()) // a game was played by then
            .expect("a report");
        let told = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(130), "{told}");
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
