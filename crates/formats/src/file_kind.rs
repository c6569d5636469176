//! What a file is, by its beginning: for messages about a file that is given in place of another.

use std::fmt;

use crate::binary::MAGIC;
use crate::bounds_head::BOUNDS_FORMAT;
use crate::record::TAGS;
use crate::saved::FORMAT;

/// What a file of this project contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileKind {
    /// A game.
    Game,
    /// The solution of a game.
    Solution,
    /// Bounds on a board too large to solve.
    Bounds,
    /// A match.
    Record,
}

impl FileKind {
    /// The bytes from which [`FileKind::of`] recognizes a file.
    pub const HEAD: usize = 4096;

    /// What a file with this beginning is; `None` if it could be anything.
    ///
    /// ```
    /// use richman_formats::FileKind;
    /// assert_eq!(FileKind::of(br#"{ "name": "coin", "start": "toss", "positions": {"#), Some(FileKind::Game));
    /// assert_eq!(FileKind::of(b"[Game \"hex\"]"), Some(FileKind::Record));
    /// assert_eq!(FileKind::of(b"Dear Alice,"), None);
    /// ```
    pub fn of(head: &[u8]) -> Option<FileKind> {
        let text = String::from_utf8_lossy(&head[..head.len().min(FileKind::HEAD)]);
        let text = text.trim_start_matches('\u{feff}').trim_start();
        let has = |word: &str| text.starts_with('{') && text.contains(&format!("{word:?}"));
        let lower = || text.to_ascii_lowercase();
        let has_tag = || TAGS.iter().any(|tag| lower().contains(&format!("[{tag} \"").to_ascii_lowercase()));
        match () {
            () if has(FORMAT) => Some(FileKind::Solution),
            () if has(BOUNDS_FORMAT) => Some(FileKind::Bounds),
            () if has_tag() => Some(FileKind::Record),
            () if has("positions") || has("start") => Some(FileKind::Game),
            () if head.starts_with(MAGIC) || text.starts_with("parity ") || text.starts_with("@type:") => {
                Some(FileKind::Game)
            }
            () => None,
        }
    }
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FileKind::Game => "a game file",
            FileKind::Solution => "a saved solution",
            FileKind::Bounds => "a file of bounds",
            FileKind::Record => "the record of a match",
        })
    }
}
