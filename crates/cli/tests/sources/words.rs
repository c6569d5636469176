//! Lines keep to a width, and links in documents lead somewhere.

use std::fs;
use std::path::{Path, PathBuf};

use super::{crates, files};

/// The widest line of a paragraph in comments.
const COMMENT: usize = 100;

fn root() -> PathBuf {
    crates().join("..").canonicalize().unwrap()
}

/// The files of the project with an ending, from its root.
fn project(ending: &str) -> Vec<(PathBuf, String)> {
    const FOLDERS: [&str; 7] = ["crates", "docs", "examples", "fuzz", "browser", "attacks", "wasm"];
    let folders = FOLDERS.into_iter().flat_map(|folder| files(root().join(folder), ending));
    let top = fs::read_dir(root()).unwrap().map(|entry| entry.unwrap().path());
    let top = top.filter(|path| path.extension().is_some_and(|end| end == ending));
    folders.chain(top).map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

/// Whether a line can be broken, unlike tables, headings and single long words.
fn is_prose(text: &str) -> bool {
    let text = text.trim();
    !text.starts_with(['|', '#', '<']) && text.trim_start_matches(['-', '*', ' ']).split_whitespace().count() > 1
}

#[test]
fn comments_wrap() {
    let mut wide = Vec::new();
    let sources = project("rs");
    assert!(sources.len() > 500, "{} files", sources.len());
    for (path, text) in &sources {
        let mut fenced = false;
        for (at, line) in text.lines().enumerate() {
            let comment = line.trim_start().strip_prefix("//").map(|comment| comment.trim_start_matches(['/', '!']));
            fenced ^= comment.is_some_and(|comment| comment.trim_start().starts_with("```"));
            let prose = comment.is_some_and(|comment| !fenced && is_prose(comment));
            if prose && line.chars().count() > COMMENT {
                wide.push(format!("{}:{}", path.display(), at + 1));
            }
        }
    }
    assert!(wide.is_empty(), "{} comments are too wide:\n{}", wide.len(), wide.join("\n"));
}

/// Lines are at most 120 characters wide, except what cannot be broken: rows of tables, single long
/// words, and blocks of code in documents, which show commands and what they print.
#[test]
fn no_line_is_wider_than_a_window() {
    const WIDEST: usize = 120;
    let mut wide = Vec::new();
    let files: Vec<_> = ["rs", "md", "toml", "yml", "css", "js"].into_iter().flat_map(project).collect();
    assert!(files.len() > 600, "{} files", files.len());
    for (path, text) in &files {
        let is_document = path.extension().is_some_and(|end| end == "md");
        let mut fenced = false;
        for (at, line) in text.lines().enumerate() {
            fenced ^= is_document && line.trim_start().starts_with("```");
            let is_whole = is_document && (fenced || line.starts_with('|')) || line.split_whitespace().count() == 1;
            if line.chars().count() > WIDEST && !is_whole {
                wide.push(format!("{}:{}", path.display(), at + 1));
            }
        }
    }
    assert!(wide.is_empty(), "{} lines are too wide:\n{}", wide.len(), wide.join("\n"));
}

#[test]
fn errors_are_named_where_they_are_documented() {
    let vague = project("rs").into_iter().chain(project("md")).flat_map(|(path, text)| {
        let lines = text.lines().enumerate().filter(|(_, line)| {
            let line = line.trim_start().trim_start_matches(['/', '!', ' ']);
            line.starts_with(concat!("Those", " of"))
        });
        lines.map(|(at, _)| format!("{}:{}", path.display(), at + 1)).collect::<Vec<_>>()
    });
    let vague: Vec<String> = vague.collect();
    assert!(vague.is_empty(), "{} sections do not say the cases:\n{}", vague.len(), vague.join("\n"));
}

/// Documents and output name what they speak of.
#[test]
fn phrases_without_a_noun_are_not_used() {
    const HARD: [&str; 4] = ["beside", "asked for", "those who", "as far as is known"];
    let recorded = files(crates().join("cli/tests/recorded/snapshots"), "snap").into_iter().map(|path| {
        let text = fs::read_to_string(&path).unwrap();
        (path, text)
    });
    let texts: Vec<_> = project("md").into_iter().chain(recorded).collect();
    assert!(texts.len() > 55, "{} texts", texts.len());
    let mut found = Vec::new();
    for (path, text) in &texts {
        let words: Vec<_> = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let spoken = format!(" {} ", words.join(" ").to_lowercase());
        let used = HARD.iter().filter(|hard| spoken.contains(&format!(" {hard} ")));
        found.extend(used.map(|hard| format!("{}: {hard}", path.display())));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// The name of a heading in a link, as GitHub makes it.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = text.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// The targets of the links of a document, outside of blocks of code.
fn links(text: &str) -> Vec<String> {
    let mut fenced = false;
    let prose = text.lines().filter(|line| {
        fenced ^= line.trim_start().starts_with("```");
        !fenced
    });
    let prose: String = prose.flat_map(|line| [line, "\n"]).collect();
    let inline = prose.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0.to_string()));
    inline.collect()
}

#[test]
fn every_link_between_documents_leads_somewhere() {
    let (mut dead, mut seen) = (Vec::new(), 0);
    for (path, text) in project("md") {
        for link in links(&text).into_iter().filter(|link| !link.contains("://") && !link.starts_with("mailto:")) {
            let (file, heading) = link.split_once('#').unwrap_or((&link, ""));
            let target = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            let has = |target: &Path| {
                let text = fs::read_to_string(target).unwrap_or_default();
                text.lines().any(|line| line.starts_with('#') && anchor(line) == heading)
                    || text.contains(&format!("id=\"{heading}\""))
            };
            if !target.exists() || !(heading.is_empty() || has(&target)) {
                dead.push(format!("{}: {link}", path.display()));
            }
            seen += 1;
        }
    }
    assert!(seen > 50, "{seen} links");
    assert!(dead.is_empty(), "links that lead nowhere:\n{}", dead.join("\n"));
}
