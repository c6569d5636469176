//! Compares the output, errors and exit status of some 330 command lines, with seeds and fixed
//! effort, with recorded ones.
//!
//! `INSTA_UPDATE=always cargo test -p richman-cli --test all -- recorded::` records a wanted
//! change; the diff of `snapshots` then shows its effects.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The examples, and the other games and records that commands are tested with.
pub fn input_files() -> Vec<PathBuf> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["../../examples", "tests/recorded/inputs"].map(|folder| manifest.join(folder));
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap()).map(|file| file.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|end| end != "md" && end != "rs")).collect()
}

/// A folder with the files that the commands name.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("recorded-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    for file in input_files() {
        fs::copy(&file, folder.join(file.file_name().unwrap())).unwrap();
    }
    folder
}

/// The output of a command line. The text after `<<` is typed, with `|` between lines.
fn said(line: &str, folder: &Path) -> String {
    let (flags, typed) = line.split_once(" << ").unwrap_or((line, ""));
    let arguments = flags.split('\'').enumerate().flat_map(|(i, part)| match i % 2 {
        0 => part.split_whitespace().map(str::to_string).collect(),
        _ => vec![part.to_string()],
    });
    let mut command = Command::new(env!("CARGO_BIN_EXE_richman"));
    command.args(arguments).current_dir(folder).env_remove("COLUMNS");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let typed = if typed.is_empty() { String::new() } else { typed.replace('|', "\n") + "\n" };
    let _ = input.write_all(typed.as_bytes()); // a command that reads nothing may have ended
    drop(input);
    let output = child.wait_with_output().unwrap();
    let [out, err] = [&output.stdout, &output.stderr].map(|bytes| std::str::from_utf8(bytes).unwrap());
    let status = output.status.code().unwrap();
    assert!(!err.contains("internal error"), "{line}: {err}"); // never to be recorded
    let status = if status == 0 { String::new() } else { format!("(exit status {status})\n") };
    let line_end = if out.is_empty() || out.ends_with('\n') { "" } else { "\n" };
    format!("$ richman {line}\n{out}{line_end}{err}{status}")
}

fn compare(name: &str, commands: &str) {
    let folder = folder(name);
    let lines = commands.lines().filter(|line| !line.starts_with('#'));
    let all: Vec<String> = lines.map(|line| said(line, &folder)).collect();
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(name, all.join("\n"));
    });
    fs::remove_dir_all(folder).unwrap();
}

macro_rules! recorded {
    ($($name:ident: $file:literal;)*) => {$(
        #[test]
        fn $name() {
            compare($file, include_str!(concat!("commands/", $file, ".txt")));
        }
    )*};
}

recorded! {
    solving_with_money: "solve-money";
    solving_with_chips: "solve-chips";
    tables: "table";
    orders_trees_and_scores: "structure";
    chance_and_reviews: "chance";
    files: "files";
    play_that_never_ends: "parity";
    averages_and_objectives: "mean_payoff";
    moves_without_a_bid: "owned";
    chance_positions: "by_chance";
    ends_of_the_range: "ends";
    refusals: "errors";
}
