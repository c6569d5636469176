//! The trait of a form of game files.

use std::io::{self, Read, Write};
use std::path::Path;

use richman_core::{Error, Watch};

use crate::any_graph::AnyGraph;
use crate::error::FormatError;
use crate::names::{LONGEST_NAME, check_name};
use crate::reading::Reading;

/// A form in which a game is written as a file.
pub(crate) trait Form: Sync {
    /// The number of bytes that [`Form::recognises`] needs of a file with this first byte; few,
    /// because a pipe may be slow.
    fn looks_at(&self, first: u8) -> usize {
        let _ = first;
        1
    }

    /// Whether a file with this beginning has this form.
    fn recognises(&self, start: &Start) -> bool;

    /// Whether comments may stand before the content.
    fn has_comments(&self) -> bool {
        false
    }

    /// Reads a game; `source` is the file name for messages.
    ///
    /// # Errors
    /// A [`FormatError`] with the file, the place and the reason; [`FormatError::Stopped`] above a
    /// limit of `reading` or if its watch says stop.
    fn read(&self, source: &str, reader: &mut dyn Read, reading: &Reading) -> Result<AnyGraph, FormatError>;

    /// Checks that the form can represent a game.
    ///
    /// # Errors
    /// The part of the game that it cannot represent.
    fn check(&self, graph: &AnyGraph) -> Result<(), NoRoom> {
        let _ = graph;
        Ok(())
    }

    /// Writes a game, position by position.
    ///
    /// # Errors
    /// The errors of `out`, and [`io::ErrorKind::Other`] if the watch says stop, or
    /// [`io::ErrorKind::Unsupported`] if [`Form::check`] refuses the game.
    fn write(&self, graph: &AnyGraph, out: &mut dyn Write, watch: &dyn Watch) -> io::Result<()>;
}

/// The position that a form cannot represent, if it is one, and the reason.
pub(crate) type NoRoom = (Option<String>, String);

/// The beginning of a file, which determines its form.
pub(crate) struct Start<'s> {
    /// The name of the file, which may have the ending of another form.
    pub(crate) path: &'s Path,
    /// The first bytes of the content.
    pub(crate) head: &'s [u8],
    /// Whether white space, a comment or a byte order mark stands before the content.
    pub(crate) is_text: bool,
}

impl Start<'_> {
    /// The first byte.
    pub(crate) fn first(&self) -> Option<u8> {
        self.head.first().copied()
    }

    /// Whether the name of the file has this ending.
    pub(crate) fn ends_with(&self, extension: &str) -> bool {
        ends_with(self.path, extension)
    }
}

/// Whether the name of a file has this ending, in any letter case, perhaps followed by `.gz`.
pub(crate) fn ends_with(path: &Path, extension: &str) -> bool {
    let is = |path: &Path, word: &str| path.extension().is_some_and(|end| end.eq_ignore_ascii_case(word));
    match path.file_stem() {
        Some(stem) if is(path, "gz") => ends_with(Path::new(stem), extension),
        _ => is(path, extension),
    }
}

/// The name of a game in a form without names: that of its file, or else `other`.
pub(crate) fn name_of(source: &str, other: &str) -> String {
    let mut path = Path::new(source);
    if path.extension().is_some_and(|end| end.eq_ignore_ascii_case("gz")) {
        path = path.file_stem().map_or(path, Path::new);
    }
    let name = path.file_stem().map(|name| name.to_string_lossy().into_owned());
    name.filter(|name| check_name("the name", LONGEST_NAME, name).is_ok()).unwrap_or_else(|| other.to_string())
}

/// Shows progress from time to time, and stops if the watch says so.
pub(crate) fn pause(watch: &dyn Watch, what: &'static str, done: u32, of: u32) -> io::Result<()> {
    const OFTEN: u32 = 1 << 10;
    if !done.is_multiple_of(OFTEN) {
        return Ok(());
    }
    watch.progress(what, done.into(), Some(of.into()));
    if watch.cancelled() { Err(io::Error::other(Error::Cancelled)) } else { Ok(()) }
}
