//! `--memory` holds for game files with one long list of moves.
#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use wait4::Wait4;

/// Whether a command succeeded, its peak memory in bytes, and its error output.
fn run(args: &[&str], folder: &Path) -> (bool, u64, String) {
    let said = folder.join("said");
    let mut command = Command::new(env!("CARGO_BIN_EXE_richman"));
    command.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(&said).unwrap());
    let used = command.spawn().unwrap().wait4().unwrap();
    (used.status.success(), used.rusage.maxrss, fs::read_to_string(said).unwrap())
}

/// Writes a game whose only position has these moves. Its text is not held, because the peak of a
/// process includes its parent's memory.
fn write(file: &Path, key: &str, moves: impl Iterator<Item = String>) {
    let mut out = BufWriter::new(File::create(file).unwrap());
    let ends = r#""won": {"winner": "alice"}, "lost": {"winner": "bob"}"#;
    write!(out, r#"{{"name": "wide", "start": "start", "positions": {{{ends}, "start": {{"{key}": ["won""#).unwrap();
    moves.for_each(|to| write!(out, ",{to}").unwrap());
    let rest = if key == "both" { "" } else { r#", "bob": ["lost"]"# };
    write!(out, "]{rest}}}}}}}").unwrap();
    out.flush().unwrap();
}

/// The text of a move, by its number.
type Moves = dyn Fn(u32) -> String;

#[test]
fn long_lists_take_no_more_than_they_may() {
    const LIMIT: u64 = 64_000_000;
    const REFUSED: &str = "reading the game file needs";
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lists");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("wide.json");
    let least = run(&["list"], &folder).1;
    let again = |_: u32| r#""won""#.to_string();
    let weighted = |weight: u32| format!(r#"{{"to":"won","weight":{weight}}}"#);
    let named = |name: u32| format!("\"{name}\"");
    let called = |name: u32| format!(r#"{{"to":"won","name":"{name:0>100}"}}"#);
    let called_alike = |name: u32| format!(r#"{{"to":"won","name":"{:0>900}"}}"#, name % 2);
    // The key, the moves, their number, and the reason for refusal.
    let cases: [(&str, &Moves, u32, &str); 14] = [
        ("both", &again, 3_000_000, ""),
        ("alice", &again, 3_000_000, ""),
        ("both", &again, 9_000_000, ""),
        ("both", &named, 1_000, "which is not a position"),
        ("both", &named, 800_000, REFUSED),
        ("both", &named, 2_000_000, REFUSED),
        ("alice", &named, 500_000, "which is not a position"),
        ("both", &weighted, 100_000, "has a weight but position"),
        ("both", &weighted, 1_000_000, REFUSED),
        ("both", &called, 1_000, ""),
        ("alice", &called, 50_000, ""),
        ("both", &called_alike, 50_000, ""),
        ("alice", &called, 1_000_000, REFUSED),
        ("both", &called, 1_000_000, REFUSED),
    ];
    for (key, to, count, refused) in cases {
        write(&file, key, (0..count).map(to));
        let (answered, peak, said) = run(&["solve", file.to_str().unwrap(), "--memory", "64MB"], &folder);
        let taken = peak.saturating_sub(least);
        let what = format!("{count} times {} of {key}: {:.1} MB: {said}", to(0), taken as f64 / 1e6);
        println!("{what}");
        assert_eq!(answered, refused.is_empty(), "{what}");
        assert!(said.contains(refused), "{what}");
        assert!(taken <= LIMIT * 11 / 10, "{what}");
    }
    fs::remove_dir_all(&folder).unwrap();
}
