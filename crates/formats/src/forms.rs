//! The forms in which a game can be written as a file, in one list.

use std::fmt;
use std::io::{self, Read, Write};
use std::path::Path;

use richman_core::{Effort, Error, Game, Watch};

use crate::any_graph::{AnyGraph, of_any};
use crate::binary::BinaryForm;
use crate::error::{FileLocation, FormatError};
use crate::excerpt::excerpt;
use crate::form::{Form, Start, ends_with};
use crate::json::{JsonForm, WrittenGame};
use crate::objectives::FileObjective;
use crate::opening::Opening;
use crate::reading::Reading;
use crate::text::{DrnForm, GmForm, LabForm, TraForm};
#[cfg(feature = "files")]
use crate::umb::UmbForm;

macro_rules! forms {
    ($($(#[$only:meta])? $name:ident: $form:expr, $ends:expr, $about:literal;)*) => {
        /// A form of game files. [`read_game`] recognizes it by the first bytes.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum GameForm {
            $($(#[$only])? #[doc = $about] $name,)*
        }

        impl GameForm {
            /// All forms.
            pub const ALL: &[GameForm] = &[$($(#[$only])? GameForm::$name),*];

            /// The known endings of the names of such files; the first is the usual one.
            pub fn extensions(self) -> &'static [&'static str] {
                match self {
                    $($(#[$only])? GameForm::$name => &$ends,)*
                }
            }

            /// A description of such a file.
            pub fn about(self) -> &'static str {
                match self {
                    $($(#[$only])? GameForm::$name => $about,)*
                }
            }

            /// The code that reads and writes it.
            fn form(self) -> &'static dyn Form {
                match self {
                    $($(#[$only])? GameForm::$name => &$form,)*
                }
            }
        }
    };
}

// Later forms are tried first.
forms! {
    Json: JsonForm, ["json"], "A game file for people and programs";
    Binary: BinaryForm, ["richman"], "A binary game file";
    Gm: GmForm, ["gm", "pg"], "A parity game for PGSolver and Oink";
    Drn: DrnForm, ["drn"], "The random-turn game with the choices of at most one player, for Storm";
    Tra: TraForm, ["tra"], "The transitions of the random-turn game, for PRISM and PRISM-games";
    Lab: LabForm, ["lab"], "The labels of its states: alice and bob where they have won, and init";
    #[cfg(feature = "files")]
    Umb: UmbForm, ["umb"], "The random-turn game in the unified Markov binary format, for Storm, PRISM and Modest";
}

impl GameForm {
    /// The usual ending of the names of such files.
    pub fn extension(self) -> &'static str {
        self.extensions()[0]
    }

    /// The form by the ending of a file's name, in any letter case, perhaps followed by `.gz`;
    /// PGSolver also writes `.pg`.
    pub fn of(path: &Path) -> Option<GameForm> {
        let is_of = |form: &GameForm| form.extensions().iter().any(|end| ends_with(path, end));
        GameForm::ALL.iter().copied().find(is_of)
    }
}

impl fmt::Display for GameForm {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.extension())
    }
}

/// The size limit of a game file held in memory. [`read_game`] reads longer ones.
pub const MAX_BYTES: u64 = 64 << 20;

/// Reads a game from `reader` as a graph: a game file in JSON or in binary form, a parity game of
/// PGSolver, or a Markov model of Storm or in UMB, each of them also compressed by gzip. The
/// content determines the form. `source` is the file name for messages.
///
/// The text is not kept: a position takes its name and about 60 bytes, a move 4 bytes, or 12 with
/// weights. If any move has a name, each move takes 4 bytes more, and each different name its
/// letters and about 30 bytes. Time is linear in the length of the text.
///
/// # Errors
/// A [`FormatError`] with the file, the position and the reason; [`FormatError::Stopped`] above a
/// limit of `reading` or if its watch says stop.
///
/// ```
/// use richman_core::{Effort, Game};
/// use richman_formats::{AnyGraph, Reading, read_game};
/// let mut text = &br#"{"name": "coin", "start": "toss", "positions": {
///     "toss": {"alice": ["heads"], "bob": ["tails"]},
///     "heads": {"winner": "alice"}, "tails": {"winner": "bob"}}}"#[..];
/// let AnyGraph::Win(coin) = read_game("coin.json", &mut text, &Reading::within(Effort::default()))? else { panic!() };
/// assert_eq!(coin.notation(&coin.start()), "toss");
/// # Ok::<(), richman_formats::FormatError>(())
/// ```
pub fn read_game(source: &str, reader: &mut dyn Read, reading: &Reading) -> Result<AnyGraph, FormatError> {
    let graph = read_any(source, reader, reading)?;
    reading.check_positions(source, graph.positions())?;
    Ok(graph)
}

fn read_any(source: &str, reader: &mut dyn Read, reading: &Reading) -> Result<AnyGraph, FormatError> {
    let (opening, form) = recognized(source, reader, reading)?;
    // The length of a compressed file says nothing about its content.
    let size = reading.size.filter(|_| !opening.is_packed);
    form.read(source, &mut opening.into_reader(), &Reading { size, ..*reading })
}

/// Opens a file and determines its form by its content, whatever its name.
fn recognized<'r>(
    source: &str,
    reader: &'r mut dyn Read,
    reading: &Reading,
) -> Result<(Opening<'r>, &'static dyn Form), FormatError> {
    let mut opening = Opening::new(source, reader, reading)?;
    let failed = |error| reading.unreadable(source, error);
    let forms = || GameForm::ALL.iter().rev().map(|form| form.form());
    let first = opening.head(1).map_err(failed)?.first().copied();
    let looked_at = first.and_then(|first| forms().map(|form| form.looks_at(first)).max());
    let (is_text, comment) = (opening.is_text, opening.comment);
    let head = opening.head(looked_at.unwrap_or(1)).map_err(failed)?;
    let start = Start { path: Path::new(source), head, is_text };
    let form = forms().find(|form| form.recognises(&start)).unwrap_or(&JsonForm);
    match comment {
        Some(line) if !form.has_comments() => {
            let reason = "a comment begins the file, and only .gm and .drn have comments: leave it out";
            Err(FormatError::bad_value(source, Some((line as usize, 1)), reason))
        }
        _ => Ok((opening, form)),
    }
}

impl<L: FileObjective> WrittenGame<L> {
    /// Reads a game from the bytes of a file; `source` is the file name for messages.
    ///
    /// Time and memory are linear in the length of the text.
    ///
    /// # Errors
    /// A [`FormatError`] with the file, the position and the reason; also the errors of
    /// [`WrittenGame::graph`].
    ///
    /// ```
    /// use richman_core::Effort;
    /// use richman_formats::{GameFile, ScoringFile};
    /// let text = br#"{"name": "coin", "start": "toss", "positions": {
    ///     "toss": {"alice": ["heads"], "bob": ["tails"]},
    ///     "heads": {"winner": "alice"}, "tails": {"winner": "bob"}}}"#;
    /// let game = GameFile::parse("coin.json", text, &Effort::default())?;
    /// assert_eq!(game.positions.len(), 3);
    ///
    /// let error = GameFile::parse("coin.json", br#"{"name": "coin", "start": "toss", "positions": {
    ///     "toss": {"alice": ["head"], "bob": ["toss"]}}}"#, &Effort::default()).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "coin.json: position \"toss\": Alice moves to \"head\", which is not a position: add it or correct the name"
    /// );
    ///
    /// let text = br#"{"name": "one", "start": "heap", "positions": {
    ///     "heap": {"both": [{"to": "empty", "weight": 1}]}, "empty": {"score": 0}}}"#;
    /// let moves = &ScoringFile::parse("one.json", text, &Effort::default())?.positions[0].moves;
    /// assert_eq!((moves.alice[0].label, moves.bob[0].label), (1, -1));
    /// # Ok::<(), richman_formats::FormatError>(())
    /// ```
    pub fn parse(source: &str, text: &[u8], effort: &Effort) -> Result<WrittenGame<L>, FormatError> {
        if text.len() as u64 > MAX_BYTES {
            return Err(FormatError::too_large(source, MAX_BYTES));
        }
        let graph = read_game(source, &mut &text[..], &Reading::within(*effort))?;
        graph.played_for(source).map(|graph| WrittenGame::from(&graph))
    }
}

impl AnyGraph {
    /// Checks that a form can represent this game, named `source` in messages.
    ///
    /// # Errors
    /// [`FormatError::BadValue`] for [`GameForm::Gm`], if the game has no priorities, or the
    /// players bid for a move; for the forms of model checkers, if it is not won or
    /// lost at an end; for [`GameForm::Drn`], if both players have choices.
    pub fn check_form(&self, form: GameForm, source: &str) -> Result<(), FormatError> {
        form.form().check(self).map_err(|(position, reason)| FormatError::BadValue {
            place: Box::new(FileLocation { file: excerpt(source), line: None, position }),
            reason,
        })
    }

    /// Checks that there is memory for the game and for writing its longest list of moves.
    ///
    /// # Errors
    /// [`Error::TooMuchMemory`] if not.
    pub fn check_memory(&self, effort: &Effort) -> Result<(), Error> {
        /// Bytes of a move where it is written: its target and its chance.
        const OF_A_MOVE: u64 = 40;
        let (bytes, most) = of_any!(self, graph => (graph.bytes(), graph.most_moves()));
        effort.check_memory("writing the moves of one position", bytes + OF_A_MOVE * most.unwrap_or(0) as u64)
    }

    /// Writes all positions in order, including those that the start cannot reach. JSON and the
    /// binary form keep everything. In `.gm` positions have numbers, and names in quotes if these
    /// are allowed there and not numbers; nothing else has a name. An end becomes a loop that its
    /// winner wins. For Storm and PRISM a game becomes its random-turn game: where the players bid,
    /// chance decides who moves.
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
        form.form().write(self, out, watch)
    }
}
