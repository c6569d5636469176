//! The forms in which a game can be written as a file.

use std::ffi::OsStr;
use std::fmt;
use std::io::{self, Write};
use std::path::Path;

use richman_core::{Effort, Error, Game, Watch};

use crate::error::excerpt;
use crate::game_file::of_any;
use crate::game_writer::write_json;
use crate::json::check_name;
use crate::{AnyGraph, FileLocation, FormatError, LONGEST_NAME, binary_writer, gm_writer, states_writer, umb_writer};

/// A form of game files. [`read_game`](crate::read_game) recognizes it by the first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum GameForm {
    /// Text for people and other programs.
    Json,
    /// The same in fewer bytes.
    Binary,
    /// Parity games without bids, for PGSolver and Oink.
    Gm,
    /// The random-turn game with the choices of at most one player, for Storm.
    Drn,
    /// The transitions of the random-turn game, for PRISM and PRISM-games, which
    /// [`read_transitions`](crate::read_transitions) reads with its labels.
    Tra,
    /// The labels of its states.
    Lab,
    /// The random-turn game in the unified Markov binary format, for Storm, PRISM and Modest.
    Umb,
}

impl GameForm {
    /// All forms.
    pub const ALL: [GameForm; 7] =
        [GameForm::Json, GameForm::Binary, GameForm::Gm, GameForm::Drn, GameForm::Tra, GameForm::Lab, GameForm::Umb];

    /// The end of the names of such files.
    pub fn extension(self) -> &'static str {
        match self {
            GameForm::Json => "json",
            GameForm::Binary => "richman",
            GameForm::Gm => "gm",
            GameForm::Drn => "drn",
            GameForm::Tra => "tra",
            GameForm::Lab => "lab",
            GameForm::Umb => "umb",
        }
    }

    /// The form that the end of a file's name stands for, in any letter case; PGSolver also writes
    /// `.pg`. A `.gz` after it does not matter.
    pub fn of(path: &Path) -> Option<GameForm> {
        let end = path.extension().and_then(OsStr::to_str)?;
        if end.eq_ignore_ascii_case("gz") {
            return GameForm::of(Path::new(path.file_stem()?));
        }
        let is = |known: &str| end.eq_ignore_ascii_case(known);
        let form = GameForm::ALL.into_iter().find(|form| is(form.extension()));
        form.or(is("pg").then_some(GameForm::Gm))
    }
}

impl fmt::Display for GameForm {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.extension())
    }
}

impl AnyGraph {
    /// Checks that a form has room for this game, which is called `source` in messages.
    ///
    /// # Errors
    /// [`FormatError::BadValue`] for [`GameForm::Gm`], if the game has no priorities, or the
    /// players bid for a move; for the forms of model checkers, if it is not won or
    /// lost at an end; for [`GameForm::Drn`], if both players have choices.
    pub fn check_form(&self, form: GameForm, source: &str) -> Result<(), FormatError> {
        let checked = match (form, self) {
            (GameForm::Json | GameForm::Binary, _) => Ok(()),
            (GameForm::Gm, AnyGraph::Parity(graph)) => gm_writer::check(graph),
            (GameForm::Gm, _) => Err((None, "only games with priorities can be written for PGSolver".to_string())),
            (GameForm::Drn, AnyGraph::Win(graph)) => states_writer::check_drn(graph),
            (GameForm::Drn, AnyGraph::Stochastic(graph)) => states_writer::check_drn(graph),
            (GameForm::Tra | GameForm::Lab | GameForm::Umb, AnyGraph::Win(_) | AnyGraph::Stochastic(_)) => Ok(()),
            (GameForm::Drn | GameForm::Tra | GameForm::Lab | GameForm::Umb, _) => {
                let reason = "only games that are won or lost at an end can be written for Storm and PRISM";
                Err((None, reason.to_string()))
            }
        };
        checked.map_err(|(position, reason)| FormatError::BadValue {
            place: Box::new(FileLocation { file: excerpt(source), line: None, position }),
            reason,
        })
    }

    /// Checks that there is memory for writing the longest list of moves beside the game.
    ///
    /// # Errors
    /// [`Error::TooMuchMemory`] if not.
    pub fn check_memory(&self, effort: &Effort) -> Result<(), Error> {
        /// Bytes of a move where it is written: its target and its chance.
        const OF_A_MOVE: u64 = 40;
        let (bytes, most) = of_any!(self, graph => (graph.bytes(), graph.most_moves()));
        effort.check_memory("writing the moves of one position", bytes + OF_A_MOVE * most.unwrap_or(0) as u64)
    }

    /// Writes all positions, in their order, also those that cannot follow the start. JSON and the
    /// binary form keep everything. In `.gm` positions have numbers, names in quotes if their names
    /// are no numbers and may stand there, and nothing else has a name; where a game has ended it
    /// goes on in a loop that the winner likes. In the forms of Storm and PRISM a game is its
    /// random-turn game: where the players bid, chance decides who moves.
    ///
    /// # Errors
    /// The errors of `out`, and [`io::ErrorKind::Other`] if the watch says stop, or if
    /// [`AnyGraph::check_form`] does not accept the form.
    ///
    /// ```
    /// use richman_core::{Effort, Unwatched};
    /// use richman_formats::{GameForm, Reading, read_game};
    /// let mut text = &b"parity 1; 0 2 0 1; 1 1 1 0,1;"[..];
    /// let game = read_game("two.gm", &mut text, &Reading::within(Effort::default()))?;
    /// let (mut json, mut gm) = (Vec::new(), Vec::new());
    /// game.write(GameForm::Json, &mut json, &Unwatched)?;
    /// let again = read_game("two.json", &mut &json[..], &Reading::within(Effort::default()))?;
    /// again.write(GameForm::Gm, &mut gm, &Unwatched)?;
    /// assert_eq!(String::from_utf8(gm)?, "parity 1;\n0 2 0 1;\n1 1 1 0,1;\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write(&self, form: GameForm, out: &mut dyn Write, watch: &dyn Watch) -> io::Result<()> {
        match (form, self) {
            (GameForm::Json, _) => of_any!(self, graph => write_json(graph, out, watch)),
            (GameForm::Binary, _) => binary_writer::write(self, out, watch),
            (GameForm::Gm, AnyGraph::Parity(graph)) => gm_writer::write(graph, out, watch),
            (GameForm::Drn, AnyGraph::Win(graph)) => states_writer::write_drn(graph, out, watch),
            (GameForm::Drn, AnyGraph::Stochastic(graph)) => states_writer::write_drn(graph, out, watch),
            (GameForm::Tra, AnyGraph::Win(graph)) => states_writer::write_tra(graph, out, watch),
            (GameForm::Tra, AnyGraph::Stochastic(graph)) => states_writer::write_tra(graph, out, watch),
            (GameForm::Lab, AnyGraph::Win(graph)) => states_writer::write_lab(graph, out, watch),
            (GameForm::Lab, AnyGraph::Stochastic(graph)) => states_writer::write_lab(graph, out, watch),
            (GameForm::Umb, AnyGraph::Win(graph)) => umb_writer::write(graph, out, watch),
            (GameForm::Umb, AnyGraph::Stochastic(graph)) => umb_writer::write(graph, out, watch),
            (GameForm::Gm | GameForm::Drn | GameForm::Tra | GameForm::Lab | GameForm::Umb, _) => {
                Err(io::ErrorKind::Unsupported.into())
            }
        }
    }
}

/// The name of a game in a form that keeps none: that of its file, or else `other`.
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
