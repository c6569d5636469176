//! Games written as game files.

use std::io::{self, Write};

use richman_core::{Aim, Effort, Playable, Watch, of_every_objective};
use richman_formats::{FileObjective, FormatError, GameWriter, LONGEST_DESCRIPTION};

use crate::{Error, Subject};

/// A game with all positions that can follow, ready to be written as a game file. Reading the file
/// gives the same arena and the same named moves.
pub struct ExportedGame(Box<dyn WriteGame>);

richman_core::debug_by_name!(ExportedGame {});

trait WriteGame: Send + Sync {
    fn write(&self, out: &mut dyn Write, watch: &dyn Watch) -> io::Result<()>;
}

impl<L: FileObjective> WriteGame for GameWriter<L> {
    fn write(&self, out: &mut dyn Write, watch: &dyn Watch) -> io::Result<()> {
        GameWriter::write(self, out, watch)
    }
}

macro_rules! writers {
    ([] $($(#[$doc:meta])* $name:ident: $objective:ty,)*) => {
        /// The writer of a game with any objective.
        fn any_writer(
            subject: &Subject,
            position: Option<&str>,
            effort: &Effort,
        ) -> Result<Box<dyn WriteGame>, Error> {
            Ok(match subject.aim() {
                $(Aim::$name => Box::new(writer::<$objective>(subject, position, effort)?),)*
            })
        }
    };
}
of_every_objective!(writers);

impl ExportedGame {
    /// The most positions of a file by default. A file of a million positions has 100 to 300
    /// million bytes and is read again within seconds and the usual memory; whoever wants more
    /// should know that they do.
    pub const USUAL_POSITIONS: u64 = 1_000_000;

    /// Unfolds the game from a position in its notation, or from its start.
    ///
    /// # Errors
    /// The errors of [`Subject::unfold_for`], among them more positions than the effort allows, and
    /// [`Error::Format`] for a name that a file cannot have.
    pub fn new(subject: &Subject, position: Option<&str>, effort: &Effort) -> Result<ExportedGame, Error> {
        Ok(ExportedGame(any_writer(subject, position, effort)?))
    }

    /// Writes the file.
    ///
    /// # Errors
    /// The errors of `out`, and [`io::ErrorKind::Other`] if the watch says stop.
    pub fn write(&self, out: &mut dyn Write, watch: &dyn Watch) -> io::Result<()> {
        self.0.write(out, watch)
    }
}

/// A description as a file may have it: one line, not too long.
fn one_line(text: String) -> String {
    let visible = text.split(|letter: char| letter.is_control() || letter.is_whitespace());
    let words: Vec<&str> = visible.filter(|word| !word.is_empty()).collect();
    words.join(" ").chars().take(LONGEST_DESCRIPTION).collect()
}

fn writer<L: Playable + FileObjective>(
    subject: &Subject,
    position: Option<&str>,
    effort: &Effort,
) -> Result<GameWriter<L>, Error> {
    let unfolding = subject.unfold_for::<L>(position, effort)?;
    GameWriter::new(unfolding, subject.description().map(one_line).filter(|text| !text.is_empty()), effort).map_err(
        |error| match error {
            FormatError::Stopped { error, .. } => Error::Core(*error),
            error => error.into(),
        },
    )
}
