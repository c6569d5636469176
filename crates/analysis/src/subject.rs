//! The game a request is about.

use richman_core::{Graph, Limits, Mechanism, Unfolding, Watch};
use richman_formats::GameFile;
use richman_games::{AnyGame, find};
use richman_solvers::Options;

use crate::Error;

/// A game as the user named it, or gave it in a file.
pub struct Subject {
    game: Box<dyn AnyGame>,
    file: Option<GameFile>,
}

impl Subject {
    /// The game named `spec`: `NAME[:key=value,...]` or `expr:EXPRESSION`.
    ///
    /// # Errors
    /// [`Error::Game`] with the nearest name.
    pub fn named(spec: &str) -> Result<Subject, Error> {
        Ok(Subject { game: find(spec)?, file: None })
    }

    /// The game in the bytes of a game file called `source`.
    ///
    /// # Errors
    /// [`Error::Format`] with the file, the position and the reason.
    pub fn from_file(source: &str, bytes: &[u8]) -> Result<Subject, Error> {
        Subject::from_game_file(GameFile::parse(source, bytes)?)
    }

    pub(crate) fn from_game_file(file: GameFile) -> Result<Subject, Error> {
        let graph: Graph = file.graph()?;
        Ok(Subject { game: Box::new(graph), file: Some(file) })
    }

    /// The name of the game.
    pub fn name(&self) -> String {
        self.game.name()
    }

    /// The game file, if the game came from one.
    pub(crate) fn file(&self) -> Option<&GameFile> {
        self.file.as_ref()
    }

    /// Unfolds the game from a position in its notation, or from its start.
    ///
    /// # Errors
    /// [`Error::Core`]: not a position, a dead end, a limit, cancelled.
    pub fn unfold(
        &self,
        position: Option<&str>,
        limits: &Limits,
        watch: &dyn Watch,
    ) -> Result<Box<dyn Unfolding>, Error> {
        Ok(self.game.unfold(position, limits, watch)?)
    }
}

/// An unfolded game, a mechanism and options: what every report is made from. The report is about the arena's start.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The game.
    pub unfolding: &'a dyn Unfolding,
    /// How bids are made, won and paid.
    pub mechanism: &'a Mechanism,
    /// Truncation, limits, progress.
    pub options: Options<'a>,
}

impl Request<'_> {
    pub(crate) fn game(&self) -> String {
        self.unfolding.game()
    }

    pub(crate) fn position(&self) -> String {
        self.unfolding.notation(self.unfolding.arena().start())
    }

    /// Solvers name positions by number; people want the game's notation.
    pub(crate) fn translate(&self, error: richman_core::Error) -> Error {
        let notation = |number: &str| match number.parse() {
            Ok(node) if (node as usize) < self.unfolding.arena().len() => self.unfolding.notation(node),
            _ => number.to_string(),
        };
        Error::Core(match error {
            richman_core::Error::Zugzwang { position } => {
                richman_core::Error::Zugzwang { position: notation(&position) }
            }
            other => other,
        })
    }
}
