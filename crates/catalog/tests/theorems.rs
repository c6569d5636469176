//! The theorems of docs/design.md. Its table lists each with its chapter and an existing test;
//! references give number and name, so that a changed number is found.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The names of the theorems, in brackets after their numbers, and the files of their chapters.
fn theorems() -> BTreeMap<u32, (String, String)> {
    let mut chapters = Vec::new();
    files(&root().join("docs/design"), &mut chapters);
    let mut theorems = BTreeMap::new();
    for chapter in chapters {
        let text = fs::read_to_string(&chapter).unwrap().replace('\n', " ");
        for theorem in text.split("**Theorem ").skip(1) {
            let (number, rest) = theorem.split_once("**").unwrap();
            let number: u32 = number.parse().unwrap();
            let name = rest.strip_prefix(" (").and_then(closed);
            let name = name.unwrap_or_else(|| panic!("theorem {number} has no name")).to_string();
            let file = chapter.file_name().unwrap().to_string_lossy().into_owned();
            assert!(theorems.insert(number, (name, file)).is_none(), "theorem {number} is there twice");
        }
    }
    let numbers = 1..=theorems.len() as u32;
    assert!(theorems.keys().copied().eq(numbers), "the numbers are 1, 2, 3, ...: {:?}", theorems.keys());
    theorems
}

fn names() -> BTreeMap<u32, String> {
    theorems().into_iter().map(|(number, (name, _))| (number, name)).collect()
}

/// The text up to the matching closing bracket.
fn closed(text: &str) -> Option<&str> {
    let mut open = 1;
    let end = text.find(|letter| {
        open += i32::from(letter == '(') - i32::from(letter == ')');
        open == 0
    });
    end.map(|end| &text[..end])
}

fn files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            files(&path, into);
        } else if [".rs", ".toml", ".md"].iter().any(|end| name.ends_with(end)) {
            into.push(path);
        }
    }
}

/// A file as one line, without comment markers and line continuations.
fn flowing(text: &str) -> String {
    let lines = text.lines().map(|line| line.trim().trim_start_matches("//").trim_start_matches(['/', '!']).trim());
    lines.map(|line| line.trim_end_matches('\\').trim_end()).collect::<Vec<_>>().join(" ")
}

/// Checks numbers after "theorem" in small letters, or in capitals if "of docs/design.md" follows;
/// papers' theorems have capitals or a point. Returns how many there are, and those with a wrong
/// name.
fn wrong_references(text: &str, names: &BTreeMap<u32, String>) -> (usize, Vec<String>) {
    let (mut seen, mut wrong) = (0, Vec::new());
    let text = flowing(text).replace('`', "");
    for (at, _) in text.match_indices("heorem ") {
        let (before, after) = (&text[..at], &text[at + "heorem ".len()..]);
        let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
        let behind = &after[digits.len()..];
        let of_a_paper = behind.strip_prefix('.').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        let name = behind.strip_prefix(" (").and_then(closed);
        let end = name.map_or(0, |name| name.len() + " ()".len());
        let ours = before.ends_with('t') || behind[end..].starts_with(" of docs/design.md");
        let Ok(number) = digits.parse::<u32>() else { continue };
        if of_a_paper || !ours {
            continue;
        }
        seen += 1;
        // A name may be cut short at a comma.
        let right = names.get(&number).zip(name).is_some_and(|(known, name)| {
            known.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(','))
        });
        if !right {
            wrong.push(format!("theorem {digits}{}", behind.get(..60).unwrap_or(behind)));
        }
    }
    (seen, wrong)
}

#[test]
fn every_theorem_is_listed_with_a_test_that_there_is() {
    let design = fs::read_to_string(root().join("docs/design.md")).unwrap();
    let mut rows = design.lines().skip_while(|line| *line != "| theorem | chapter | checked by |").skip(2);
    for (number, (name, file)) in theorems() {
        let row = rows.next().unwrap_or_else(|| panic!("theorem {number} is not listed"));
        assert!(
            row.starts_with(&format!("| {number} ({name}) | ")) && row.contains(&format!("(design/{file})")),
            "{row}"
        );
        let [.., path, _, test, _] = row.split('`').collect::<Vec<_>>()[..] else { panic!("{row}") };
        let source = fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(
            source.contains(&format!("#[test]\nfn {test}()")) || source.contains(&format!("    fn {test}()")),
            "{row}"
        );
    }
}

#[test]
fn references_to_theorems_have_the_right_name() {
    let names = names();
    let mut paths = vec![root().join("CHANGELOG.md"), root().join("README.md")];
    for folder in ["crates", "docs"] {
        files(&root().join(folder), &mut paths);
    }
    let (mut seen, mut wrong) = (0, Vec::new());
    let design = root().join("docs/design");
    for path in paths.iter().filter(|path| !path.starts_with(&design) && !path.ends_with("tests/theorems.rs")) {
        let (count, bad) = wrong_references(&fs::read_to_string(path).unwrap(), &names);
        seen += count;
        wrong.extend(bad.into_iter().map(|what| format!("{}: {what}", path.display())));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen > 40, "only {seen} references were found");
}

#[test]
fn stale_numbers_are_found() {
    let names = BTreeMap::from([(7, "one".to_string()), (9, "two, and more".to_string())]);
    for (text, right) in [
        ("theorem 9 (two) of docs/design.md", true),
        ("theorem 9\n/// (two, and more) there", true),
        ("Theorem 3.5 of the paper", true),
        ("theorem 7 (two) of docs/design.md", false),
        ("theorem 8 (one)", false),
        ("Theorem 7 of `docs/design.md`", false),
        ("theorem 7 of it", false),
    ] {
        assert_eq!(wrong_references(text, &names).1.is_empty(), right, "{text}");
    }
}
