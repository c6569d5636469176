//! Runs every command of the README and the guide from the root of a clone, and the examples of the
//! page on game files.
//!
//! In a `console` block a line that begins with `$` is a shell command. The lines after it are its
//! output, where three dots stand for any number of lines. Commands elsewhere are shown without
//! output: they must be understood, and find their files. A block such as
//! `json file=examples/gate.json` shows that file.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn pages(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect()
}

/// The text after the fence of each block of a page, and its lines.
fn blocks(text: &str) -> Vec<(&str, Vec<&str>)> {
    let mut blocks: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut is_open = false;
    for line in text.lines() {
        if let Some(kind) = line.strip_prefix("```") {
            is_open = !is_open;
            if is_open {
                blocks.push((kind, Vec::new()));
            }
        } else if is_open {
            blocks.last_mut().unwrap().1.push(line);
        }
    }
    blocks
}

/// Words of a command that stand for others.
const STAND_FOR: [(&str, &str); 7] = [
    ("GAME", "tic-tac-toe"),
    ("G", "tic-tac-toe"),
    ("H", "expr:B^2"),
    ("COMMAND", "solve"),
    ("KEY", "DP10"),
    ("RECORD", "examples/dp10-1-1.txt"),
    ("SHELL", "bash"),
];

/// A line as a command of this program without its comment, unless it is for another program.
fn command(line: &str) -> Option<String> {
    let line = line.split("  #").next().unwrap_or_default().trim().trim_start_matches("$ ");
    let arguments = match line.strip_prefix("cargo run ") {
        Some(run) => run.split_once(" -- ")?.1,
        None => line.strip_prefix("richman ")?,
    };
    let given =
        |word: &str| STAND_FOR.iter().find(|(name, _)| *name == word).map_or(word, |(_, given)| given).to_string();
    Some(format!("richman {}", arguments.split_whitespace().map(given).collect::<Vec<_>>().join(" ")))
}

/// The commands of a page that are shown without output. The name of a command in a sentence stands
/// for its help.
fn without_output(text: &str) -> Vec<String> {
    let lines = blocks(text)
        .into_iter()
        .filter(|(kind, _)| !["console", "toml", "rust"].contains(kind))
        .flat_map(|(_, lines)| lines);
    let mut all: Vec<String> = lines.filter_map(command).collect();
    let mut is_open = false;
    let prose = text.lines().filter(|line| {
        let is_fence = line.starts_with("```");
        is_open ^= is_fence;
        !is_open && !is_fence
    });
    let prose = prose.collect::<Vec<_>>().join("\n");
    for code in prose.split('`').skip(1).step_by(2).filter_map(command) {
        let is_name = code.split(' ').count() == if code.starts_with("richman store ") { 3 } else { 2 };
        all.push(if is_name { format!("{code} --help") } else { code });
    }
    all.dedup();
    all
}

fn shell(folder: &Path, command: &str) -> Command {
    let program = Path::new(env!("CARGO_BIN_EXE_richman"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(folder).env("PATH", path).env_remove("COLUMNS").stdin(Stdio::null());
    shell
}

fn printed(folder: &Path, command: &str) -> Vec<String> {
    let output = shell(folder, command).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    text.trim_end_matches('\n').lines().map(str::to_string).collect()
}

/// Runs a command for some seconds: long enough to refuse a wrong word or a file that is missing.
/// Returns its message if it fails.
fn failure(folder: &Path, command: &str) -> Option<String> {
    const WHILE: Duration = Duration::from_secs(4);
    // Another server may listen at the usual port.
    let mut line = command.replace("127.0.0.1:8080", "127.0.0.1:0");
    if line == "richman serve" {
        line += " --listen 127.0.0.1:0";
    }
    if !line.contains("&&") {
        line = format!("exec {line}"); // so that the command is what is ended
    }
    let said = folder.join("said");
    let mut shell = shell(folder, &line);
    let mut child = shell.stdout(Stdio::null()).stderr(File::create(&said).unwrap()).spawn().unwrap();
    let began = Instant::now();
    while began.elapsed() < WHILE {
        match child.try_wait().unwrap() {
            None => sleep(Duration::from_millis(10)),
            Some(status) => return (!status.success()).then(|| read(&said)),
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
    None
}

/// Whether the lines match, where `...` stands for any number of lines.
fn agrees(expected: &[&str], lines: &[String]) -> bool {
    match expected.split_first() {
        None => lines.is_empty(),
        Some((&"...", rest)) => (0..=lines.len()).any(|skipped| agrees(rest, &lines[skipped..])),
        Some((first, rest)) => lines.first().is_some_and(|line| line == first) && agrees(rest, &lines[1..]),
    }
}

/// A folder with the examples, as in the root of a clone.
fn clone() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("examples")).unwrap();
    let all = std::fs::read_dir(root().join("examples")).unwrap().map(|entry| entry.unwrap().path());
    for path in all.filter(|path| path.is_file()) {
        std::fs::copy(&path, folder.path().join("examples").join(path.file_name().unwrap())).unwrap();
    }
    folder
}

/// Runs the commands of a page that show their output, and returns their number.
fn run(page: &Path) -> usize {
    let folder = clone();
    let mut count = 0;
    for (kind, lines) in blocks(&read(page)) {
        if let Some((_, name)) = kind.split_once(" file=") {
            assert_eq!(lines.join("\n") + "\n", read(&root().join(name)), "{}: {name}", page.display());
        }
        if kind != "console" {
            continue;
        }
        let starts: Vec<usize> = (0..lines.len()).filter(|&at| lines[at].starts_with("$ ")).collect();
        assert_eq!(starts.first(), Some(&0), "{}: a block begins with a command: {lines:?}", page.display());
        for (number, &start) in starts.iter().enumerate() {
            let end = starts.get(number + 1).copied().unwrap_or(lines.len());
            let (command, expected) = (&lines[start][2..], &lines[start + 1..end]);
            let found = printed(folder.path(), command);
            assert!(agrees(expected, &found), "{}: {command} prints\n{}", page.display(), found.join("\n"));
            count += 1;
        }
    }
    count
}

/// The sum of a number for each page, found at the same time.
fn on_every(pages: &[PathBuf], number: impl Fn(&Path) -> usize + Sync) -> usize {
    let number = &number;
    std::thread::scope(|scope| {
        let runs: Vec<_> = pages.iter().map(|page| scope.spawn(move || number(page))).collect();
        runs.into_iter().map(|run| run.join().unwrap()).sum()
    })
}

#[test]
fn every_example_prints_what_is_shown() {
    let mut all = pages("docs/guide/src");
    all.extend(["README.md", "docs/game-file.md"].map(|page| root().join(page)));
    let count = on_every(&all, run);
    assert!(count > 50, "{count}");
}

#[test]
fn every_command_without_output_runs_from_the_root_of_a_clone() {
    let mut all = pages("docs/guide/src");
    all.push(root().join("README.md"));
    let count = on_every(&all, |page| {
        let (folder, commands) = (clone(), without_output(&read(page)));
        let failed = commands.iter().filter_map(|command| Some((command, failure(folder.path(), command)?)));
        let failed: Vec<_> = failed.collect();
        assert!(failed.is_empty(), "{}: {failed:#?}", page.display());
        commands.len()
    });
    assert!(count > 60, "{count}");
}

#[test]
fn every_example_is_listed() {
    let list = read(&root().join("examples/README.md"));
    for entry in std::fs::read_dir(root().join("examples")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(name == "README.md" || list.contains(&format!("`{name}`")), "{name} is not listed");
    }
}

/// Examples in Rust are run as tests of the crate `richman`, whose documentation has them too. That
/// of the README is a test itself.
#[test]
fn every_example_in_rust_is_run() {
    let library = read(&root().join("crates/richman/src/lib.rs"));
    let run: String =
        library.lines().filter_map(|line| line.strip_prefix("//!")).flat_map(|line| [line, "\n"]).collect();
    let mut examples = 0;
    for page in pages("docs/guide/src") {
        for (_, lines) in blocks(&read(&page)).iter().filter(|(kind, _)| *kind == "rust") {
            let expected: String = lines
                .iter()
                .map(|line| if line.is_empty() { "\n".to_string() } else { format!(" {line}\n") })
                .collect();
            assert!(run.contains(&expected), "{}: this is in no documentation test:\n{expected}", page.display());
            examples += 1;
        }
    }
    assert!(examples > 0, "{examples} examples");
}
