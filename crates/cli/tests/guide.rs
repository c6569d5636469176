//! Runs every example of the README, the guide and the page on game files; compares its output.
//!
//! In a `console` block a line that begins with `$` is a shell command. The lines after it are its
//! output, where three dots stand for any number of lines. The commands of a page run in one
//! folder, with the examples of the repository and the page's blocks such as `json file=game.json`.

use std::path::{Path, PathBuf};
use std::process::Command;

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

fn printed(folder: &Path, command: &str) -> Vec<String> {
    let program = Path::new(env!("CARGO_BIN_EXE_richman"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(folder).env("PATH", path).env_remove("COLUMNS");
    let output = shell.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    text.trim_end_matches('\n').lines().map(str::to_string).collect()
}

/// Whether the lines match, where `...` stands for any number of lines.
fn agrees(expected: &[&str], lines: &[String]) -> bool {
    match expected.split_first() {
        None => lines.is_empty(),
        Some((&"...", rest)) => (0..=lines.len()).any(|skipped| agrees(rest, &lines[skipped..])),
        Some((first, rest)) => lines.first().is_some_and(|line| line == first) && agrees(rest, &lines[1..]),
    }
}

/// Runs the commands of a page and returns their number.
fn run(page: &Path) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let examples = folder.path().join("examples");
    std::fs::create_dir(&examples).unwrap();
    let all = std::fs::read_dir(root().join("examples")).unwrap().map(Result::unwrap);
    for entry in all.filter(|entry| entry.path().is_file()) {
        std::fs::copy(entry.path(), examples.join(entry.file_name())).unwrap();
    }
    let mut count = 0;
    for (kind, lines) in blocks(&read(page)) {
        if let Some((_, name)) = kind.split_once(" file=") {
            std::fs::write(folder.path().join(name), lines.join("\n")).unwrap();
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

#[test]
fn every_example_prints_what_is_shown() {
    let mut all = pages("docs/guide/src");
    all.extend(["README.md", "docs/game-file.md"].map(|page| root().join(page)));
    let count: usize = std::thread::scope(|scope| {
        let runs: Vec<_> = all.iter().map(|page| scope.spawn(|| run(page))).collect();
        runs.into_iter().map(|run| run.join().unwrap()).sum()
    });
    assert!(count > 50, "{count}");
}

/// Examples in Rust are run as tests of the crate `richman`, whose documentation has them too.
#[test]
fn every_example_in_rust_is_run() {
    let library = read(&root().join("crates/richman/src/lib.rs"));
    let run: String =
        library.lines().filter_map(|line| line.strip_prefix("//!")).flat_map(|line| [line, "\n"]).collect();
    let mut examples = 0;
    for page in pages("docs/guide/src").into_iter().chain([root().join("README.md")]) {
        for (_, lines) in blocks(&read(&page)).iter().filter(|(kind, _)| *kind == "rust") {
            let expected: String = lines
                .iter()
                .map(|line| if line.is_empty() { "\n".to_string() } else { format!(" {line}\n") })
                .collect();
            assert!(run.contains(&expected), "{}: this is in no documentation test:\n{expected}", page.display());
            examples += 1;
        }
    }
    assert!(examples > 1, "{examples} examples");
}
