//! The game of a request.

use std::fmt;
use std::io::Read;

use richman_core::{
    Aim, ByPlayer, Effort, Game, LabelledGraph, Mechanism, NodeData, Objective, Playable, Total, Unfolding, Walk,
    WinLose,
};

use richman_formats::{
    AnyGraph, FileObjective, FormatError, MAX_BYTES, Reading, SavedGame, WrittenGame, of_any, read_game,
};
use richman_games::{AnyGame, ErasedGame, GameError, GameInfo, Games};

use crate::{Error, ReportHead};

/// A game, named by the user or read from a file.
pub struct Subject {
    game: ErasedGame,
    info: Option<GameInfo>,
    /// The positions, if the game came from a file.
    graph: Option<AnyGraph>,
    /// Bytes held by the positions of the file.
    held: u64,
    source: Option<String>,
}

impl Subject {
    /// The game of this project named `spec`: `NAME[:key=value,...]` or `expr:EXPRESSION`.
    ///
    /// # Errors
    /// [`Error::Game`], with the nearest known name.
    pub fn named(spec: &str) -> Result<Subject, Error> {
        Subject::among(&Games::default(), spec)
    }

    /// The game named `spec` among the games of a program.
    ///
    /// # Errors
    /// [`Error::Game`], with the nearest known name.
    pub fn among(games: &Games, spec: &str) -> Result<Subject, Error> {
        Ok(Subject { info: games.info(spec), ..Subject::from(games.find(spec)?) })
    }

    /// The game that a record or a saved solution is about, by the name that it gives.
    ///
    /// # Errors
    /// [`Error::MissingGame`] if `games` has no game of this name; [`Error::Game`] for parameters
    /// that it does not take.
    pub fn recorded(games: &Games, name: &str) -> Result<Subject, Error> {
        Subject::among(games, name).map_err(|error| match error {
            Error::Game(unknown @ GameError::UnknownGame { .. }) => Error::MissingGame(Box::new(unknown)),
            error => error,
        })
    }

    /// A game that is not in a list.
    pub fn own<L: Playable>(game: impl AnyGame<L> + 'static) -> Subject {
        ErasedGame::new(game).into()
    }

    /// The game in the bytes of a game file called `source`.
    ///
    /// # Errors
    /// [`Error::Format`], with the file, the position and the reason, also above a limit of
    /// `effort`; [`Error::Core`] if its watch says stop.
    pub fn from_file(source: &str, bytes: &[u8], effort: &Effort) -> Result<Subject, Error> {
        if bytes.len() as u64 > MAX_BYTES {
            return Err(FormatError::too_large(source, MAX_BYTES).into());
        }
        let mut bytes = bytes;
        Subject::read(source, &mut bytes, &Reading::within(*effort))
    }

    /// Reads a game file of any length, called `source`.
    ///
    /// # Errors
    /// [`Error::Format`], with the file, the position and the reason, also above the memory limit
    /// of `reading`; [`Error::Core`] if its watch says stop.
    pub fn read(source: &str, reader: &mut dyn Read, reading: &Reading) -> Result<Subject, Error> {
        let read = read_game(source, reader, reading).map_err(|error| match error {
            FormatError::Stopped { error, .. } if *error == richman_core::Error::Cancelled => Error::Core(*error),
            error => error.into(),
        })?;
        let source = Some(source.to_string());
        Ok(Subject { source, ..read.into() })
    }

    /// The game where both players bid for every move, in place of one who moves alone; games
    /// without such positions are left as they are.
    ///
    /// # Errors
    /// [`Error::Format`] if the positions are no game, which cannot happen.
    pub fn with_bids(self) -> Result<Subject, Error> {
        let Some(graph) = &self.graph else { return Ok(self) };
        let subject: Subject = of_any!(graph, graph => all_bid(graph)?.into());
        Ok(Subject { source: self.source, ..subject })
    }

    /// The name of the game.
    pub fn name(&self) -> String {
        self.game.name()
    }

    /// The game's entry in the list of games; `None` for a game that was not found there.
    pub fn info(&self) -> Option<GameInfo> {
        self.info
    }

    /// Who wins and where, for people: as a game file says, or as the list of games does, with the
    /// further rules.
    pub fn description(&self) -> Option<String> {
        let own = self.walk(None).ok().and_then(|walk| walk.description());
        own.or_else(|| self.info().map(|info| info.explanation()))
    }

    /// A suitable number of chips for each player in a match.
    pub fn usual_chips(&self) -> u32 {
        const OF_A_FILE: u32 = 8;
        self.info().map_or(OF_A_FILE, |info| info.chips)
    }

    /// The total of a usual match.
    ///
    /// # Errors
    /// [`richman_core::Error::TotalTooLarge`], if a program lists its game with too many chips.
    pub fn usual_total(&self) -> Result<Total, Error> {
        Ok(Total::new(self.usual_chips().saturating_mul(2))?)
    }

    /// The game at a position in its notation, or at its start, to be played move by move.
    ///
    /// # Errors
    /// [`Error::Core`] if the text is not a position.
    pub fn walk(&self, position: Option<&str>) -> Result<Box<dyn Walk>, Error> {
        Ok(self.game.walk(position)?)
    }

    /// The aim of the game.
    pub fn aim(&self) -> Aim {
        self.game.aim()
    }

    /// Whether the game is from a file that is saved with its solutions.
    pub(crate) fn is_file(&self) -> bool {
        self.graph.is_some()
    }

    /// The game file, if it is saved with its solutions.
    pub(crate) fn file(&self) -> Option<SavedGame> {
        self.graph.clone().map(SavedGame::File)
    }

    /// Unfolds a win-lose game from a position in its notation, or from its start.
    ///
    /// # Errors
    /// Fails as [`Subject::unfold_for`] does.
    pub fn unfold(&self, position: Option<&str>, effort: &Effort) -> Result<Box<dyn Unfolding>, Error> {
        self.unfold_for::<WinLose>(position, effort)
    }

    /// Unfolds a game with objective `L` from a position in its notation, or from its start.
    ///
    /// # Errors
    /// [`Error::Core`] for text that is not a position, a dead end, a limit (at once if too many
    /// positions are certain), or if cancelled. [`Error::ByChance`], [`Error::Game`] or
    /// [`Error::Format`] if the game has another objective.
    pub fn unfold_for<L: Playable>(
        &self,
        position: Option<&str>,
        effort: &Effort,
    ) -> Result<Box<dyn Unfolding<L>>, Error> {
        let game = self.game.played_for::<L>().map_err(|error| match &self.source {
            _ if self.aim().facts().has_chance => Error::ByChance,
            Some(file) => FormatError::OtherAim { file: file.clone(), aim: self.aim() }.into(),
            None => Error::from(error),
        })?;
        if game.walk(position)?.is_surely_larger(effort.positions) {
            return Err(richman_core::Error::TooManyPositions { limit: effort.positions }.into());
        }
        // The positions of a game file are already in memory.
        Ok(game.unfold(position, &Effort { held: effort.held + self.held, ..*effort })?)
    }
}

/// The same positions with bids for every move.
fn all_bid<L: FileObjective>(graph: &LabelledGraph<L>) -> Result<LabelledGraph<L>, FormatError> {
    let mut file = WrittenGame::from(graph);
    for position in &mut file.positions {
        if let NodeData::On(label) = &mut position.data
            && let Some(owner) = L::owner(*label)
        {
            *label = L::with_bids(*label);
            position.moves = ByPlayer::both(std::mem::take(&mut position.moves[owner]));
        }
    }
    file.graph()
}

impl fmt::Debug for Subject {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Subject").field("name", &self.name()).finish_non_exhaustive()
    }
}

impl From<ErasedGame> for Subject {
    fn from(game: ErasedGame) -> Subject {
        Subject { game, info: None, graph: None, held: 0, source: None }
    }
}

impl From<AnyGraph> for Subject {
    fn from(graph: AnyGraph) -> Subject {
        of_any!(graph, graph => graph.into())
    }
}

/// A game given by its graph, which is saved with its solutions.
impl<L: Playable> From<LabelledGraph<L>> for Subject
where
    AnyGraph: From<LabelledGraph<L>>,
{
    fn from(graph: LabelledGraph<L>) -> Subject {
        Subject { held: graph.bytes(), graph: Some(graph.clone().into()), ..Subject::own(graph) }
    }
}

/// An unfolded game, a mechanism and effort: the input of every report. The report is about the
/// arena's start.
#[derive(Clone, Copy)]
pub struct Request<'a, L: Objective = WinLose> {
    /// The game.
    pub unfolding: &'a dyn Unfolding<L>,
    /// The bidding mechanism.
    pub mechanism: &'a Mechanism,
    /// Truncation, limits, progress.
    pub effort: Effort<'a>,
}

richman_core::debug_by_name!([L: Objective] Request<'_, L> { mechanism, effort });

impl<L: Objective> Request<'_, L> {
    pub(crate) fn game(&self) -> String {
        self.unfolding.game()
    }

    /// The head of a report on the start.
    pub(crate) fn head(&self) -> ReportHead {
        ReportHead { game: self.game(), position: self.position(), mechanism: self.mechanism.into(), at_least: None }
    }

    pub(crate) fn position(&self) -> String {
        self.unfolding.notation(self.unfolding.arena().start())
    }

    /// Names positions in the game's notation instead of the solver's numbers.
    pub(crate) fn translate(&self, error: richman_core::Error) -> Error {
        Error::Core(error.with_names(|node| self.unfolding.notation(node)))
    }
}
