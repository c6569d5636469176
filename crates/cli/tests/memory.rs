//! `--memory` holds: beyond what it takes for a game of one move, a command takes at most 1.1 times
//! the limit. Questions that a limit allowed before limits were enforced are still answered.
//!
//! `RICHMAN_MEMORY=all cargo test -p richman-cli --test all -- memory::` asks all questions of
//! `data/memory.tsv`, which takes some minutes; otherwise only the quick ones are asked.

#![cfg(target_os = "linux")]

use std::collections::HashMap;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use nix::sys::resource::{UsageWho, getrusage};
use wait4::Wait4;

use crate::random_files::{write_games, write_random};

/// For each question its duration, limits to test in MB, the least that suffices, and commands.
const QUESTIONS: &str = include_str!("data/memory.tsv");

struct Question {
    is_quick: bool,
    limits: Vec<u64>,
    /// `None` if no limit of the list suffices.
    answered_from: Option<u64>,
    commands: &'static str,
}

fn questions() -> Vec<Question> {
    let rows = QUESTIONS.lines().filter(|line| !line.starts_with('#'));
    let question = |line: &'static str| {
        let [speed, limits, answered_from, commands] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("four columns: {line}")
        };
        Question {
            is_quick: speed == "quick",
            limits: limits.split(',').map(|limit| limit.parse().unwrap()).collect(),
            answered_from: answered_from.parse().ok(),
            commands,
        }
    };
    rows.map(question).collect()
}

/// Runs a command line, where the text after `<<` is typed. Returns whether it succeeded, its peak
/// memory in bytes, and its errors.
fn run(line: &str, folder: &Path) -> (bool, u64, String) {
    let (line, typed) = line.split_once(" << ").unwrap_or((line, ""));
    let quoted = line.split('\'').enumerate();
    let arguments = quoted.flat_map(|(i, part)| match i % 2 {
        0 => part.split_whitespace().map(str::to_string).collect::<Vec<_>>(),
        _ => vec![part.to_string()],
    });
    let said = folder.join("said");
    let mut command = Command::new(env!("CARGO_BIN_EXE_richman"));
    command.args(arguments).current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::null());
    let mut child = command.stderr(std::fs::File::create(&said).unwrap()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let _ = input.write_all(typed.replace(' ', "\n").as_bytes()); // a command that reads nothing may have ended
    drop(input);
    let id = child.id();
    let seen = std::thread::spawn(move || seen_peak(id));
    let used = child.wait4().unwrap();
    // The system counts the peak of this process too, which began that one.
    let own = getrusage(UsageWho::RUSAGE_SELF).unwrap().max_rss() as u64 * 1024;
    let seen = seen.join().unwrap();
    let peak = if used.rusage.maxrss > own { used.rusage.maxrss } else { seen };
    (used.status.success(), peak, std::fs::read_to_string(said).unwrap())
}

/// The peak memory of a process in bytes, by looking at it again and again until it ends.
fn seen_peak(id: u32) -> u64 {
    let mut peak = 0;
    loop {
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
        let Some(line) = status.lines().find_map(|line| line.strip_prefix("VmHWM:")) else { return peak };
        peak = peak.max(line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024);
        std::thread::sleep(Duration::from_micros(100));
    }
}

fn work_folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("memory");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Game files with one position that has that many moves, of Alice or of chance, each to an end.
/// Hardly anything is held: the peak of a process begins with that of the process that started it.
fn write_wide(folder: &Path, moves: u32) {
    let chance = format!(r#""chance": "1/{moves}""#);
    for (name, head, step) in
        [("moves", r#""bob": ["1"], "alice""#, None), ("chances", r#""kind": "chance", "moves""#, Some(chance))]
    {
        let mut out = BufWriter::new(std::fs::File::create(folder.join(name).with_extension("json")).unwrap());
        write!(out, r#"{{"name": "wide", "start": "0", "positions": {{"0": {{{head}: ["#).unwrap();
        for to in 1..=moves {
            let comma = if to == 1 { "" } else { ", " };
            match &step {
                Some(chance) => write!(out, r#"{comma}{{"to": "{to}", {chance}}}"#).unwrap(),
                None => write!(out, r#"{comma}"{to}""#).unwrap(),
            }
        }
        write!(out, "]}}").unwrap();
        for to in 1..=moves {
            write!(out, r#", "{to}": {{"winner": "alice"}}"#).unwrap();
        }
        write!(out, "}}}}").unwrap();
        out.flush().unwrap();
    }
}

#[test]
fn no_command_takes_more_than_it_may() {
    let all = std::env::var("RICHMAN_MEMORY").is_ok_and(|which| which == "all");
    // Peaks have pages of the program's file too, more or fewer as the system likes: what is too
    // much is so every time.
    let list = (0..5).map(|_| run("list", &work_folder()).1).max().unwrap_or(0);
    let mut leasts: HashMap<&str, u64> = HashMap::new();
    let mut least_of = |command: &'static str| {
        let word = command.split(' ').next().unwrap_or_default();
        *leasts.entry(word).or_insert_with(|| {
            // `convert` takes no name of a game.
            let game = if word == "convert" { "cycle1.json - --to richman" } else { "tug-of-war:length=2,at=1" };
            let small = (0..3).map(|_| {
                let folder = work_folder();
                write_random(&folder, "cycle", 1);
                run(&format!("{word} {game}"), &folder)
            });
            small.filter(|(answered, ..)| *answered).map(|(_, peak, _)| peak).max().unwrap_or(0).max(list)
        })
    };
    let mut wrong = Vec::new();
    for question in questions().iter().filter(|question| all || question.is_quick) {
        for &limit in &question.limits {
            let leasts: Vec<u64> = question.commands.split(" && ").map(&mut least_of).collect();
            let folder = work_folder();
            write_games(&folder, question.commands);
            if question.commands.contains("moves.json") || question.commands.contains("chances.json") {
                write_wide(&folder, 200_000);
            }
            for (command, least) in question.commands.split(" && ").zip(leasts) {
                let (flags, typed) = command.split_once(" << ").unwrap_or((command, ""));
                let line = format!("{flags} --memory {limit}MB << {typed}");
                let (answered, mut peak, said) = run(&line, &folder);
                let taken = |peak: u64| peak.saturating_sub(least) as f64 / 1e6;
                let most = 1.1 * limit as f64;
                for _ in 0..2 {
                    if taken(peak) > most {
                        let again = run(&line, &folder);
                        peak = if (again.0, &again.2) == (answered, &said) { peak.min(again.1) } else { peak };
                    }
                }
                let taken = taken(peak);
                if all {
                    println!("{taken:8.1} of {limit} MB{} {command}", if answered { ":" } else { ", refused:" });
                }
                if taken > most {
                    wrong.push(format!("{taken:.1} MB of {limit}: {command}"));
                }
                if !answered && question.answered_from.is_some_and(|from| limit >= from) {
                    wrong.push(format!("not answered with {limit} MB: {command}: {said}"));
                }
                if !answered {
                    break;
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
