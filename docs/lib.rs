//! The documents of Richman as data: the guide in the order of its chapters, the documents that it
//! refers to, and the files that documents show or link to.
//!
//! ```
//! let first = &richman_docs::CHAPTERS[0];
//! assert_eq!((first.name, first.title), ("", "What a bidding game is"));
//! assert!(first.text.starts_with("# Richman"));
//! ```

/// A document in Markdown.
#[derive(Debug, Clone, Copy)]
pub struct ProjectDocument {
    /// Its name in addresses: unique, and empty for the first chapter of the guide.
    pub name: &'static str,
    /// Its file, from this folder. Its links start there.
    pub path: &'static str,
    /// Its title in lists.
    pub title: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// A file that a document shows or links to.
#[derive(Debug, Clone, Copy)]
pub struct DocumentFile {
    /// The file, from this folder.
    pub path: &'static str,
    /// Its media type.
    pub kind: &'static str,
    /// Its contents.
    pub bytes: &'static [u8],
}

macro_rules! documents {
    ($($name:literal $path:literal $title:literal,)*) => {
        &[$(ProjectDocument { name: $name, path: $path, title: $title, text: include_str!($path) },)*]
    };
}

/// The guide, in the order of `guide/src/SUMMARY.md` and with its titles.
pub static CHAPTERS: &[ProjectDocument] = documents! {
    "" "guide/src/README.md" "What a bidding game is",
    "browser" "guide/src/browser.md" "Play in a browser",
    "play" "guide/src/play.md" "Play in the terminal",
    "thresholds" "guide/src/thresholds.md" "Thresholds",
    "chips" "guide/src/chips.md" "Chips and ties",
    "own-game" "guide/src/own-game.md" "Your own game",
    "tables" "guide/src/tables.md" "Tables, periods and certificates",
    "trees" "guide/src/trees.md" "Trees and comparisons",
    "cycles" "guide/src/cycles.md" "Cycles",
    "endless" "guide/src/endless.md" "Play that never ends",
    "mechanisms" "guide/src/mechanisms.md" "Other mechanisms",
    "hex" "guide/src/hex.md" "Hex",
    "boards" "guide/src/boards.md" "Boards of lines",
    "chess" "guide/src/chess.md" "Chess",
    "scoring" "guide/src/scoring.md" "Scoring games",
    "databases" "guide/src/databases.md" "Databases",
    "clusters" "guide/src/clusters.md" "Many machines",
    "programs" "guide/src/programs.md" "For programs",
    "python" "guide/src/python.md" "Python",
    "learning" "guide/src/learning.md" "Learning programs",
    "server" "guide/src/server.md" "Running a server",
    "proofs" "guide/src/proofs.md" "How each answer is proved",
    "results" "guide/src/results.md" "Published results",
    "commands" "guide/src/commands.md" "All commands",
};

/// The other documents, with their headings as titles. A name is the path without its ending,
/// except where a chapter has that name.
pub static REFERENCES: &[ProjectDocument] = documents! {
    "glossary" "glossary.md" "Glossary",
    "game-file" "game-file.md" "Game files",
    "records" "records.md" "Game records",
    "api" "api.md" "The interface for programs",
    "connect" "connect.md" "Connect Two, Three and Four in real money",
    "playing-hex" "hex.md" "Playing bidding Hex",
    "chess-endgames" "chess.md" "Chess endgames",
    "design" "design.md" "Why it is as it is",
    "design/turn" "design/turn.md" "One turn",
    "design/real-money" "design/real-money.md" "Cycles and real money",
    "design/totals" "design/totals.md" "All totals at once",
    "design/tug-of-war" "design/tug-of-war.md" "Tug of war",
    "design/mechanisms" "design/mechanisms.md" "Chips under every mechanism",
    "design/scoring" "design/scoring.md" "Scoring games",
    "design/matches" "design/matches.md" "Matches",
    "design/families" "design/families.md" "Hex, boards of lines, chess",
    "design/infinite" "design/infinite.md" "Play that never ends",
    "design/limits" "design/limits.md" "Own code and limits",
    "design/units" "design/units.md" "Boards of lines in units",
    "architecture" "architecture.md" "Architecture",
    "web" "web.md" "The web application",
};

/// The type of files that are shown as they are.
const PLAIN: &str = "text/plain; charset=utf-8";

/// The type of JSON, such as a schema.
const JSON: &str = "application/json";

/// The files.
pub static FILES: &[DocumentFile] = &[
    DocumentFile { path: "pictures/play.png", kind: "image/png", bytes: include_bytes!("pictures/play.png") },
    DocumentFile { path: "references.bib", kind: PLAIN, bytes: include_bytes!("references.bib") },
    DocumentFile { path: "game-file.schema.json", kind: JSON, bytes: include_bytes!("game-file.schema.json") },
    DocumentFile { path: "reports.schema.json", kind: JSON, bytes: include_bytes!("reports.schema.json") },
    DocumentFile { path: "requests.schema.json", kind: JSON, bytes: include_bytes!("requests.schema.json") },
    DocumentFile { path: "chess-zugzwang.tsv", kind: PLAIN, bytes: include_bytes!("chess-zugzwang.tsv") },
];

/// Every document: the chapters, then the others.
pub fn documents() -> impl Iterator<Item = &'static ProjectDocument> {
    CHAPTERS.iter().chain(REFERENCES)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    /// The endings of documents and of the files that they show.
    const ENDINGS: [&str; 6] = ["md", "png", "svg", "bib", "tsv", "json"];

    /// Files that are not listed, and why.
    const OTHERS: [(&str, &str); 3] = [
        ("guide/src/SUMMARY.md", "the order of the chapters, which CHAPTERS has"),
        ("guide/book", "made by mdBook"),
        ("README.md", "the README of the project, which cargo adds to a package"),
    ];

    fn root() -> &'static Path {
        Path::new(env!("CARGO_MANIFEST_DIR"))
    }

    /// The files below a folder, as paths from the root.
    fn collect(folder: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/");
            let is_shown = path.extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known));
            match path.is_dir() {
                _ if OTHERS.iter().any(|(other, _)| *other == name) => {}
                true => collect(&path, found),
                false if is_shown => found.push(name),
                false => {}
            }
        }
    }

    #[test]
    fn every_document_and_picture_is_listed() {
        let mut found = Vec::new();
        collect(root(), &mut found);
        let paths = documents().map(|document| document.path).chain(FILES.iter().map(|file| file.path));
        let mut listed: Vec<&str> = paths.collect();
        listed.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, listed, "the files below docs and the lists in docs/lib.rs");
    }

    #[test]
    fn the_chapters_are_those_of_the_summary() {
        let summary = fs::read_to_string(root().join("guide/src/SUMMARY.md")).unwrap();
        let entry = |line: &str| {
            let (title, file) = line.split_once("](")?;
            Some((
                title.trim_start_matches("- ").strip_prefix('[')?.to_string(),
                file.trim_end_matches(')').to_string(),
            ))
        };
        let listed: Vec<(String, String)> = summary.lines().filter_map(entry).collect();
        let file = |path: &str| path.strip_prefix("guide/src/").unwrap().to_string();
        let chapters: Vec<(String, String)> =
            CHAPTERS.iter().map(|chapter| (chapter.title.to_string(), file(chapter.path))).collect();
        assert_eq!(chapters, listed);
    }

    #[test]
    fn names_are_unique_and_titles_are_headings() {
        let mut names = HashSet::new();
        for document in documents() {
            let plain = |letter: char| letter.is_ascii_lowercase() || "-/".contains(letter);
            assert!(document.name.chars().all(plain) && names.insert(document.name), "{}", document.name);
            let heading = document.text.lines().next().unwrap().trim_start_matches("# ");
            assert!(document.name.is_empty() || heading == document.title, "{heading} in {}", document.path);
        }
    }
}
