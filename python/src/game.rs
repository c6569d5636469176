//! Handles on games.

use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use pyo3::prelude::*;
use pyo3::types::PyAny;
use richman::analysis::{GameList, Reading, Subject, Wanted};
use richman::core::{Effort, Game as _, Graph, Judged, PerfectIndex, Player, Walk};
use richman::formats::FormatError;
use richman::games::Games;
use richman::render::board;

use crate::arrays;
use crate::error::{Error, Fault};
use crate::options::{Options, parsed};
use crate::questions::Progress;
use crate::rules::{self, Limits};
use crate::work;

/// A game, shared by the questions about it.
#[pyclass(frozen, module = "richman._richman")]
pub struct Game {
    pub subject: Arc<Subject>,
    /// The graph, if it is given by arrays.
    pub graph: Option<Graph>,
}

/// The player of a word.
pub fn player(word: &str) -> PyResult<Player> {
    match word {
        "alice" => Ok(Player::Alice),
        "bob" => Ok(Player::Bob),
        _ => Err(Error::new_err(format!("{word:?} is not a player: write alice or bob"))),
    }
}

impl Game {
    fn of(subject: Subject) -> Game {
        Game { subject: Arc::new(subject), graph: None }
    }

    fn walk(&self, position: Option<&str>) -> Result<Box<dyn Walk>, Fault> {
        Ok(self.subject.walk(position)?)
    }
}

#[pymethods]
impl Game {
    /// The listed game of a name, or the game of a wedge expression.
    #[staticmethod]
    fn named(spec: &str) -> PyResult<Game> {
        Ok(Game::of(Subject::named(spec).map_err(Fault::from)?))
    }

    /// The game of a game file.
    #[staticmethod]
    #[pyo3(signature = (path, memory, objective=None))]
    fn read(py: Python<'_>, path: PathBuf, memory: u64, objective: Option<String>) -> PyResult<Game> {
        let objective = parsed(objective.as_ref())?;
        work::done(py, None, None, move |worker| {
            let name = path.display().to_string();
            let unreadable = |error| FormatError::Unreadable { file: name.clone(), error };
            let mut file = File::open(&path).map_err(unreadable)?;
            let size = file.metadata().ok().filter(|about| about.is_file()).map(|about| about.len());
            let reading = Reading { size, objective, ..Reading::within(Effort { memory, ..Effort::watched(worker) }) };
            Ok(Game::of(Subject::read(&name, &mut file, &reading)?))
        })
    }

    /// The game of the text of a game file called `source`.
    #[staticmethod]
    fn text(py: Python<'_>, source: String, text: String) -> PyResult<Game> {
        work::done(py, None, None, move |worker| {
            Ok(Game::of(Subject::from_file(&source, text.as_bytes(), &Effort::watched(worker))?))
        })
    }

    /// The game of rules in Python, with the dict from its positions to their numbers. They are
    /// unfolded within a number of positions and of bytes, and within the limits of the options.
    #[staticmethod]
    fn unfolded<'py>(
        rules: &Bound<'py, PyAny>,
        limits: (u64, u64),
        options: &str,
        progress: Progress<'_, 'py>,
    ) -> PyResult<(Game, Bound<'py, PyAny>)> {
        let asked = Options::read(options, Wanted::Worth)?.question;
        let limits = Limits {
            positions: limits.0.min(asked.positions.unwrap_or(u64::MAX)),
            memory: limits.1.min(asked.memory.unwrap_or(u64::MAX)),
            end: asked.time.and_then(|time| Instant::now().checked_add(time)),
            progress,
        };
        let (subject, numbers) = rules::unfolded(rules, limits)?;
        Ok((Game::of(subject), numbers))
    }

    /// The game of a graph in arrays.
    #[staticmethod]
    fn arrays(py: Python<'_>, arrays: &Bound<'_, PyAny>) -> PyResult<Game> {
        let graph = arrays::graph(py, arrays)?;
        Ok(Game { graph: Some(graph.clone()), ..Game::of(graph.into()) })
    }

    /// Rows, winners and names of a game from arrays.
    fn to_arrays<'py>(&self, py: Python<'py>) -> PyResult<Option<arrays::Given<'py>>> {
        self.graph.as_ref().map(|graph| arrays::given(py, graph)).transpose()
    }

    /// The number of a position of a game from arrays.
    fn number(&self, position: &str) -> PyResult<Option<u32>> {
        Ok(self.graph.as_ref().map(|graph| graph.parse(position)).transpose().map_err(Fault::from)?)
    }

    /// The name of a number of a game from arrays.
    fn numbered(&self, number: u32) -> PyResult<Option<String>> {
        let Some(graph) = &self.graph else { return Ok(None) };
        if u64::from(number) < graph.size() {
            return Ok(Some(graph.notation(&number)));
        }
        let name = self.subject.name();
        Err(Error::new_err(format!("{name} has no position {number}: give a number below {}", graph.size())))
    }

    /// The name with the parameters.
    #[getter]
    fn name(&self) -> String {
        self.subject.name()
    }

    /// Whether moves score points.
    #[getter]
    fn is_scoring(&self) -> bool {
        self.subject.aim().judged() == Judged::ByScore
    }

    /// What the game is about.
    #[getter]
    fn description(&self) -> Option<String> {
        self.subject.description()
    }

    /// A suitable number of chips for each player.
    #[getter]
    fn usual_chips(&self) -> u32 {
        self.subject.usual_chips()
    }

    /// The start, in the notation of the game.
    #[getter]
    fn start(&self) -> PyResult<String> {
        Ok(self.walk(None)?.start())
    }

    /// A position in the form in which the game writes it.
    fn notation(&self, position: &str) -> PyResult<String> {
        Ok(self.walk(Some(position))?.notation())
    }

    /// A position drawn as text.
    #[pyo3(signature = (position=None))]
    fn picture(&self, position: Option<&str>) -> PyResult<String> {
        Ok(self.walk(position)?.picture())
    }

    /// A position as an SVG document.
    #[pyo3(signature = (position=None))]
    fn svg(&self, position: Option<&str>) -> PyResult<String> {
        Ok(board::standalone_svg(self.walk(position)?.as_ref(), &board::BoardOptions::default()))
    }

    /// The moves of a player, each with the position after it.
    fn moves(&self, position: &str, mover: &str) -> PyResult<Vec<(String, String)>> {
        let after = self.walk(Some(position))?.after_moves(player(mover)?);
        Ok(after.into_iter().map(|(name, walk)| (name, walk.notation())).collect())
    }

    /// How the game ended at a position: "alice", "bob", "none" or a score; None if it goes on.
    fn end(&self, py: Python<'_>, position: &str) -> PyResult<Option<Py<PyAny>>> {
        use richman::core::End;
        let end = self.walk(Some(position))?.end();
        Ok(match end {
            None => None,
            Some(End::Win(player)) => Some(player.either("alice", "bob").into_pyobject(py)?.into_any().unbind()),
            Some(End::Draw) => Some("none".into_pyobject(py)?.into_any().unbind()),
            Some(End::Score(score)) => Some(score.into_pyobject(py)?.into_any().unbind()),
        })
    }
}

/// The games of this library.
pub fn list() -> GameList {
    GameList::from(&Games::default())
}
