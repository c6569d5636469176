//! Crates below the doors name no flag and no command: what would help is a `Remedy`, and each door
//! words it.

use std::fs;

use super::{crates, own_sources};

/// The crates that know no door.
const BELOW: [&str; 15] = [
    "core", "files", "formats", "games", "solvers", "check", "engine", "hex", "lines", "chess", "heaps", "analysis",
    "play", "render", "requests",
];

/// How an answer is verified is part of its `stop`, which reports give to every door.
const VERIFY: &str = "{what}, not verified: `richman verify {}` does that";

/// The string literals of a source, without its tests.
fn literals(source: &str) -> Vec<String> {
    let source = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let mut found = Vec::new();
    let mut rest = source;
    let mut before = ' ';
    while let Some(first) = rest.chars().next() {
        let raw = rest.strip_prefix('r').filter(|_| !before.is_alphanumeric() && before != '_');
        let hashes = raw.map(|raw| raw.len() - raw.trim_start_matches('#').len());
        let taken = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let (Some(raw), Some(hashes)) = (raw, hashes)
            && raw[hashes..].starts_with('"')
        {
            let text = &raw[hashes + 1..];
            let end = format!("\"{}", "#".repeat(hashes));
            let length = text.find(&end).unwrap_or(text.len());
            found.push(text[..length].to_string());
            1 + hashes + 1 + length + end.len()
        } else if first == '"' {
            let length = end_of_text(&rest[1..]);
            found.push(rest[1..=length].to_string());
            length + 2
        } else if first == '\'' {
            // A lifetime has no closing quote.
            let mut letters = rest[1..].char_indices();
            match letters.next() {
                Some((_, '\\')) => 3 + rest[3..].find('\'').unwrap_or(0),
                _ => letters.next().filter(|(_, next)| *next == '\'').map_or(1, |(at, _)| at + 2),
            }
        } else {
            first.len_utf8()
        };
        before = first;
        rest = rest.get(taken..).unwrap_or_default();
    }
    found
}

/// Where the text of a literal ends, behind its opening quote.
fn end_of_text(text: &str) -> usize {
    let mut is_escaped = false;
    let is_end = |letter: char| {
        let ends = letter == '"' && !is_escaped;
        is_escaped = letter == '\\' && !is_escaped;
        ends
    };
    text.find(is_end).unwrap_or(text.len())
}

/// Whether a text names a flag, such as `--chips`.
fn has_flag(text: &str) -> bool {
    text.match_indices("--").any(|(at, dashes)| {
        let is_begun = |before: Option<char>| before.is_none_or(|before| !before.is_alphanumeric() && before != '-');
        let begins = text[at + dashes.len()..].chars().next().is_some_and(|letter| letter.is_ascii_lowercase());
        begins && is_begun(text[..at].chars().next_back())
    })
}

#[test]
fn no_crate_below_the_doors_names_a_flag_or_a_command() {
    let commands = fs::read_dir(crates().join("cli/src/commands")).unwrap().map(|entry| entry.unwrap().path());
    let command = |path: std::path::PathBuf| path.file_stem().unwrap().to_string_lossy().replace('_', "-");
    let commands: Vec<String> = commands.map(|path| format!("richman {}", command(path))).collect();
    assert!(commands.len() > 15, "{commands:?}");
    let names = |text: &String| has_flag(text) || commands.iter().any(|command| text.contains(command));
    let is_named = |text: &String| text != VERIFY && names(text);
    let (mut seen, mut named) = (0, Vec::new());
    for path in BELOW.iter().flat_map(|name| own_sources(crates().join(name))) {
        let inside = path.strip_prefix(crates()).unwrap().with_extension("");
        if inside.components().any(|part| part.as_os_str() == "tests") {
            continue;
        }
        let literals = literals(&fs::read_to_string(&path).unwrap());
        seen += literals.len();
        named.extend(literals.into_iter().filter(is_named).map(|text| format!("{}: {text:?}", path.display())));
    }
    assert!(seen > 3500, "{seen} texts");
    assert!(named.is_empty(), "{} texts name flags or commands:\n{}", named.len(), named.join("\n"));
}

#[test]
fn literals_are_found() {
    let source = r##"
        /// "--comment"
        fn text<'a>(letter: char) -> &'a str {
            if letter == '"' || letter == '\'' { return "a \" --flag" }
            match letter { 'x' => r#"raw "--raw""#, _ => "dash -- and ---" }
        }
    "##;
    let found = literals(source);
    assert_eq!(found, ["a \\\" --flag", "raw \"--raw\"", "dash -- and ---"]);
    assert_eq!(found.iter().map(|text| has_flag(text)).collect::<Vec<_>>(), [true, true, false]);
}
