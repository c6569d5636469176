//! The game a request is about.

use richman_core::{Graph, Limits, Mechanism, ScoringGraph, ScoringUnfolding, Unfolding, Walk, Watch};
use richman_formats::{AnyGameFile, FormatError, GameFile};
use richman_games::{Found, GameError, look_up};
use richman_solvers::Options;

use crate::{Error, chess, hex};

/// A game as the user named it, or gave it in a file.
pub struct Subject {
    game: Found,
    file: Option<GameFile>,
    /// What the file was called, for errors.
    source: Option<String>,
}

impl Subject {
    /// The game named `spec`: `NAME[:key=value,...]` or `expr:EXPRESSION`.
    ///
    /// # Errors
    /// [`Error::Game`] with the nearest name.
    pub fn named(spec: &str) -> Result<Subject, Error> {
        Ok(Subject { game: look_up(spec)?, file: None, source: None })
    }

    /// The game in the bytes of a game file called `source`.
    ///
    /// # Errors
    /// [`Error::Format`] with the file, the position and the reason.
    pub fn from_file(source: &str, bytes: &[u8]) -> Result<Subject, Error> {
        match AnyGameFile::parse(source, bytes)? {
            AnyGameFile::Win(file) => {
                Ok(Subject { source: Some(source.to_string()), ..Subject::from_game_file(file)? })
            }
            AnyGameFile::Score(file) => {
                let graph: ScoringGraph = file.graph()?;
                let game = Found::Score(Box::new(graph));
                Ok(Subject { game, file: None, source: Some(source.to_string()) })
            }
        }
    }

    pub(crate) fn from_game_file(file: GameFile) -> Result<Subject, Error> {
        let graph: Graph = file.graph()?;
        Ok(Subject { game: Found::Win(Box::new(graph)), file: Some(file), source: None })
    }

    /// The name of the game.
    pub fn name(&self) -> String {
        match &self.game {
            Found::Win(game) => game.name(),
            Found::Score(game) => game.name(),
        }
    }

    /// The game at a position in its notation, or at its start, to be walked move by move.
    ///
    /// # Errors
    /// [`Error::Core`]: not a position.
    pub fn walk(&self, position: Option<&str>) -> Result<Box<dyn Walk>, Error> {
        Ok(match &self.game {
            Found::Win(game) => game.walk(position)?,
            Found::Score(game) => game.walk(position)?,
        })
    }

    /// Whether the game is played for a score.
    pub fn is_scoring(&self) -> bool {
        matches!(self.game, Found::Score(_))
    }

    /// The game file of a win-lose game, if it came from one.
    pub(crate) fn file(&self) -> Option<&GameFile> {
        self.file.as_ref()
    }

    /// Unfolds the game from a position in its notation, or from its start.
    ///
    /// # Errors
    /// [`Error::Core`]: not a position, a dead end, a limit, cancelled. [`Error::HexTooLarge`], at once where that is sure. [`Error::Game`] or
    /// [`Error::Format`] for a scoring game.
    pub fn unfold(
        &self,
        position: Option<&str>,
        limits: &Limits,
        watch: &dyn Watch,
    ) -> Result<Box<dyn Unfolding>, Error> {
        match &self.game {
            Found::Win(game) => {
                let too_large = Error::HexTooLarge { limit: limits.positions };
                let walk = game.walk(position)?;
                if walk.chess_board().is_some_and(|board| chess::is_hopeless(&board, limits.positions)) {
                    return Err(richman_core::Error::TooManyPositions { limit: limits.positions }.into());
                }
                let board = walk.hex_board();
                if board.as_ref().is_some_and(|board| hex::fewest_positions(board) > limits.positions) {
                    return Err(too_large);
                }
                game.unfold(position, limits, watch).map_err(|error| match error {
                    richman_core::Error::TooManyPositions { .. } if board.is_some() => too_large,
                    error => error.into(),
                })
            }
            Found::Score(game) => Err(match &self.source {
                Some(file) => FormatError::Scoring { file: file.clone() }.into(),
                None => GameError::is_scoring(&game.name()).into(),
            }),
        }
    }

    /// Unfolds a scoring game from a position in its notation, or from its start.
    ///
    /// # Errors
    /// [`Error::Core`]: not a position, a cycle, a limit, cancelled. [`Error::Game`] or
    /// [`Error::Format`] for a game that is won.
    pub fn unfold_scoring(
        &self,
        position: Option<&str>,
        limits: &Limits,
        watch: &dyn Watch,
    ) -> Result<Box<dyn ScoringUnfolding>, Error> {
        match &self.game {
            Found::Score(game) => Ok(game.unfold(position, limits, watch)?),
            Found::Win(game) => Err(match &self.source {
                Some(file) => FormatError::NotScoring { file: file.clone() }.into(),
                None => GameError::not_scoring(&game.name()).into(),
            }),
        }
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
