//! The game a request is about.

use std::io::Read;

use richman_core::{Aim, Effort, Game, Graph, Mechanism, Objective, Preset, Scores, Unfolding, Walk, WinLose};
use richman_formats::{AnyGraph, FormatError, GameFile, MAX_BYTES, Reading, read_game};
use richman_games::{AnyGame, Found, GameError, GameInfo, list, look_up};

use crate::Error;

/// A game as the user named it, or gave it in a file.
pub struct Subject {
    game: Found,
    /// The positions of a win-lose game that came from a file.
    graph: Option<Graph>,
    /// Bytes held by the positions of a file.
    held: u64,
    /// What the file was called, for errors.
    source: Option<String>,
}

impl Subject {
    /// The game named `spec`: `NAME[:key=value,...]` or `expr:EXPRESSION`.
    ///
    /// # Errors
    /// [`Error::Game`] with the nearest name.
    pub fn named(spec: &str) -> Result<Subject, Error> {
        Ok(Subject { game: look_up(spec)?, graph: None, held: 0, source: None })
    }

    /// A game that is not in the list.
    pub fn own(game: impl AnyGame + 'static) -> Subject {
        Subject { game: Found::Win(Box::new(game)), graph: None, held: 0, source: None }
    }

    /// The game in the bytes of a game file called `source`.
    ///
    /// # Errors
    /// [`Error::Format`] with the file, the position and the reason.
    pub fn from_file(source: &str, bytes: &[u8]) -> Result<Subject, Error> {
        if bytes.len() as u64 > MAX_BYTES {
            return Err(FormatError::too_large(source, MAX_BYTES).into());
        }
        let mut bytes = bytes;
        Subject::read(source, &mut bytes, &Reading::default())
    }

    /// The game in a game file called `source`, of any length, that `reader` gives.
    ///
    /// # Errors
    /// [`Error::Format`] with the file, the position and the reason, also above the memory of `reading`;
    /// [`Error::Core`] where its watch stops.
    pub fn read(source: &str, reader: &mut dyn Read, reading: &Reading) -> Result<Subject, Error> {
        let read = read_game(source, reader, reading).map_err(|error| match error {
            FormatError::Stopped { error, .. } if *error == richman_core::Error::Cancelled => Error::Core(*error),
            error => error.into(),
        })?;
        let source = Some(source.to_string());
        Ok(match read {
            AnyGraph::Win(graph) => Subject { source, ..Subject::from_graph(graph) },
            AnyGraph::Score(graph) => {
                let held = graph.bytes();
                Subject { game: Found::Score(Box::new(graph)), graph: None, held, source }
            }
        })
    }

    fn from_graph(graph: Graph) -> Subject {
        let held = graph.bytes();
        Subject { game: Found::Win(Box::new(graph.clone())), graph: Some(graph), held, source: None }
    }

    pub(crate) fn from_game_file(file: GameFile) -> Result<Subject, Error> {
        Ok(Subject::from_graph(file.graph()?))
    }

    /// The name of the game.
    pub fn name(&self) -> String {
        self.game.name()
    }

    /// What the list of games says of it; `None` of a game file.
    pub fn info(&self) -> Option<GameInfo> {
        let (name, is_file) = (self.name(), self.source.is_some() || self.graph.is_some());
        let name = name.split(':').next().unwrap_or_default();
        list().into_iter().find(|info| !is_file && info.name == name)
    }

    /// Chips for each player that suit a match of this game.
    pub fn usual_chips(&self) -> u32 {
        const OF_A_FILE: u32 = 8;
        self.info().map_or(OF_A_FILE, |info| info.chips)
    }

    /// The game at a position in its notation, or at its start, to be walked move by move.
    ///
    /// # Errors
    /// [`Error::Core`]: not a position.
    pub fn walk(&self, position: Option<&str>) -> Result<Box<dyn Walk>, Error> {
        Ok(self.game.walk(position)?)
    }

    /// What the game is played for.
    pub fn aim(&self) -> Aim {
        match self.game {
            Found::Win(_) => Aim::Win,
            Found::Score(_) => Aim::Score,
        }
    }

    /// How bids are made where nobody says it: for a score as in the paper on scores.
    pub fn usual_preset(&self) -> Preset {
        match self.aim() {
            Aim::Win => Preset::default(),
            Aim::Score => Preset::Larsson,
        }
    }

    /// Whether it is a win-lose game that came from a game file.
    pub(crate) fn is_file(&self) -> bool {
        self.graph.is_some()
    }

    /// The game file of a win-lose game, if it came from one.
    pub(crate) fn file(&self) -> Option<GameFile> {
        self.graph.as_ref().map(GameFile::from)
    }

    /// Unfolds the game from a position in its notation, or from its start.
    ///
    /// # Errors
    /// [`Error::Core`]: not a position, a dead end, a limit, cancelled; too many positions at once where that is sure.
    /// [`Error::Game`] or [`Error::Format`] for a scoring game.
    pub fn unfold(&self, position: Option<&str>, effort: &Effort) -> Result<Box<dyn Unfolding>, Error> {
        match &self.game {
            Found::Win(game) => self.unfolded(game.as_ref(), position, effort),
            Found::Score(game) => Err(match &self.source {
                Some(file) => FormatError::Scoring { file: file.clone() }.into(),
                None => GameError::is_scoring(&game.name()).into(),
            }),
        }
    }

    /// Unfolds a scoring game from a position in its notation, or from its start.
    ///
    /// # Errors
    /// Those of [`Subject::unfold`], with [`Error::Game`] or [`Error::Format`] for a game that is won.
    pub fn unfold_scoring(&self, position: Option<&str>, effort: &Effort) -> Result<Box<dyn Unfolding<Scores>>, Error> {
        match &self.game {
            Found::Score(game) => self.unfolded(game.as_ref(), position, effort),
            Found::Win(game) => Err(match &self.source {
                Some(file) => FormatError::NotScoring { file: file.clone() }.into(),
                None => GameError::not_scoring(&game.name()).into(),
            }),
        }
    }

    fn unfolded<L: Objective>(
        &self,
        game: &dyn AnyGame<L>,
        position: Option<&str>,
        effort: &Effort,
    ) -> Result<Box<dyn Unfolding<L>>, Error> {
        if game.walk(position)?.is_surely_larger(effort.positions) {
            return Err(richman_core::Error::TooManyPositions { limit: effort.positions }.into());
        }
        // The positions of a game file are held already.
        Ok(game.unfold(position, &Effort { held: effort.held + self.held, ..*effort })?)
    }
}

/// An unfolded game, a mechanism and effort: what every report is made from. The report is about the arena's start.
#[derive(Clone, Copy)]
pub struct Request<'a, L: Objective = WinLose> {
    /// The game.
    pub unfolding: &'a dyn Unfolding<L>,
    /// How bids are made, won and paid.
    pub mechanism: &'a Mechanism,
    /// Truncation, limits, progress.
    pub effort: Effort<'a>,
}

impl<L: Objective> Request<'_, L> {
    pub(crate) fn game(&self) -> String {
        self.unfolding.game()
    }

    pub(crate) fn position(&self) -> String {
        self.unfolding.notation(self.unfolding.arena().start())
    }

    /// Solvers name positions by number; people want the game's notation.
    pub(crate) fn translate(&self, error: richman_core::Error) -> Error {
        Error::Core(error.with_names(|node| self.unfolding.notation(node)))
    }
}
