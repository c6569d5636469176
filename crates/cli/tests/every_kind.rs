//! Every command on a game file of every kind either answers or says in a few lines what it lacks.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::tempdir;

use super::recorded::input_files;

/// The commands that read a game, with `FILE` for it.
const COMMANDS: &[&str] = &[
    "solve FILE",
    "solve FILE --exact --json",
    "solve FILE --within 3",
    "solve FILE --payment poorman",
    "solve FILE --chips 6 --all",
    "solve FILE --chips 6 --csv",
    "solve FILE --chips 5 --right moves --bids 1+2",
    "solve FILE --alice 3* --bob 3 --trace",
    "solve FILE --alice 1 --bob 4* --json",
    "solve FILE --payment poorman --alice 2* --bob 3",
    "solve FILE --save saved-NUMBER",
    "solve FILE --at-least 1/2 --all",
    "table FILE --at-least 1 --chips 0..3",
    "solve FILE --chips 4 --save saved-chips-NUMBER",
    "table FILE --chips 0..6",
    "table FILE --chips 0..6 --certificate rules-NUMBER --svg -",
    "table FILE --bob 0..3",
    "table FILE --alice 0..3 --payment poorman",
    "tree FILE",
    "tree FILE --all --full --json",
    "tree FILE --at-least 1/2 --chips 3",
    "tree FILE --chips 6 --svg -",
    "tree FILE --chips 6 --draw --csv",
    "compare FILE FILE",
    "compare FILE expr:A",
    "scores FILE --total 4",
    "random-turn FILE --games 20 --seed 1",
    "export FILE",
    "export FILE --with-bids",
    "convert FILE converted-NUMBER.richman",
    "convert FILE converted-NUMBER.gm",
    "convert FILE converted-NUMBER.drn",
    "convert FILE converted-NUMBER.tra",
    "convert FILE converted-NUMBER.umb",
    "duel FILE --games 4 --within 6 --seed 1 --alice perfect",
    "duel FILE --games 4 --chips 6 --seed 1 --bob greedy",
    "play FILE --seed 1",
    "play FILE --seed 1 --level perfect --limit 5",
];
const TYPED: &str = "help\nrules\nhint\n0\n1\nhint\n1\nboard\nundo\nhint\n0\n1\n1\n2\n1\nquit\n";

#[test]
fn no_command_fails_on_a_kind_of_game_without_saying_why() {
    let scratch = tempdir().unwrap();
    let game = |path: &Path| path.extension().is_some_and(|kind| kind != "txt");
    let files: Vec<_> = input_files().into_iter().filter(|path| game(path)).collect();
    for path in &files {
        fs::copy(path, scratch.path().join(path.file_name().unwrap())).unwrap();
    }
    let mut refusals = 0;
    let mut answered = HashSet::new();
    for (number, path) in files.iter().enumerate() {
        let file = path.file_name().unwrap().to_str().unwrap();
        for command_line in COMMANDS {
            let line = command_line.replace("FILE", file).replace("NUMBER", &number.to_string());
            let mut command = Command::new(env!("CARGO_BIN_EXE_richman"));
            command.args(line.split(' ')).current_dir(scratch.path()).env("RUST_BACKTRACE", "0");
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut child = command.spawn().unwrap();
            let _ = std::io::Write::write_all(&mut child.stdin.take().unwrap(), TYPED.as_bytes());
            let output = child.wait_with_output().unwrap();
            let message = String::from_utf8_lossy(&output.stderr);
            assert!(!message.contains("internal error"), "{line}: {message}");
            match output.status.code() {
                Some(0) => drop(answered.insert(command_line)),
                Some(1 | 2) => {
                    refusals += 1;
                    assert!(!message.trim().is_empty() && message.lines().count() < 16, "{line}: {message}");
                }
                other => panic!("{line}: {other:?}, {message}"),
            }
        }
    }
    let never: Vec<_> = COMMANDS.iter().filter(|line| !answered.contains(line)).collect();
    assert!(never.is_empty() && refusals > 50, "{never:?}, {refusals} refusals");
}
