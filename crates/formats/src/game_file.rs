//! Game files: a game given position by position, as JSON.
//!
//! ```json
//! { "name": "ultimatum-1", "start": "0",
//!   "positions": {
//!     "win":  { "winner": "alice" }, "loss": { "winner": "bob" }, "tie": { "winner": "none" },
//!     "0":    { "alice": ["1"],   "bob": ["-1"] },
//!     "1":    { "alice": ["win"], "bob": ["0"] },
//!     "-1":   { "alice": ["0"],   "bob": ["loss"] } } }
//! ```
//!
//! A move is the name of a position or `{"to": "name"}`; `"both"` gives both players its moves. Where the game goes on
//! each player needs a move.
//!
//! A game with a score, a stuck score or a weight other than 0 anywhere is a scoring game, a [`ScoringFile`]:
//!
//! ```json
//! { "name": "two or one", "start": "heap",
//!   "positions": {
//!     "heap": { "both": [{ "to": "one", "weight": 2 }], "bob": ["done"] },
//!     "one":  { "alice": [{ "to": "done", "weight": 1 }], "stuck": { "bob": 1 } },
//!     "done": { "score": 0 } } }
//! ```
//!
//! Weights under `alice` and `bob` are added to Alice's score as written, under `both` Bob's copy is negated. Where
//! the player who is to move cannot, the game ends and that player's `stuck` score (0 where none is given) is added.

use richman_core::{
    Game, Graph, GraphPosition, LabelledGraph, Objective, Place, Player, Scores, ScoringGraph, Terminal, WinLose,
};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use crate::error::excerpt;
use crate::{AnyGraph, FormatError, Reading, read_game};

/// The most bytes of a game file that is given as a whole: 64 MiB. [`read_game`] takes longer ones from a reader.
pub const MAX_BYTES: u64 = 64 << 20;

/// The most characters in the name of a game or of a position in a game file.
pub const LONGEST_NAME: usize = 200;

/// A game as it is written in a file. The name is a label: it never decides which rules are used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenGame<L: Objective> {
    /// The name of the game.
    pub name: String,
    /// The position that the game starts at.
    pub start: String,
    /// The positions in the order of the file; no move (of the same weight) is listed twice for a player.
    pub positions: Vec<GraphPosition<L>>,
}

/// A game that is won.
pub type GameFile = WrittenGame<WinLose>;

/// A scoring game.
pub type ScoringFile = WrittenGame<Scores>;

/// An objective whose games can be written in a file.
pub trait Written: Objective {
    /// The game of a file, if it is of this objective.
    ///
    /// # Errors
    /// [`FormatError::Scoring`] or [`FormatError::NotScoring`] with the name of the file.
    fn of(graph: AnyGraph, source: &str) -> Result<LabelledGraph<Self>, FormatError>;

    /// The key that says what a position is, and what stands under it.
    fn place(place: Place<Self>) -> Option<(&'static str, Value)>;

    /// A move.
    fn step(to: &str, label: Self::Move) -> Value;
}

impl<L: Written> WrittenGame<L> {
    /// Reads a game from the bytes of a file; `source` is the name of the file in messages.
    ///
    /// Time and memory grow with the length of the text.
    ///
    /// # Errors
    /// A [`FormatError`] that names the file, the position and the reason. Games that parse are games: the checks
    /// of [`WrittenGame::graph`] are included.
    ///
    /// ```
    /// use richman_formats::{GameFile, ScoringFile};
    /// let text = br#"{"name": "coin", "start": "toss", "positions": {
    ///     "toss": {"alice": ["heads"], "bob": ["tails"]},
    ///     "heads": {"winner": "alice"}, "tails": {"winner": "bob"}}}"#;
    /// let game = GameFile::parse("coin.json", text)?;
    /// assert_eq!(game.positions.len(), 3);
    ///
    /// let error = GameFile::parse("coin.json", br#"{"name": "coin", "start": "toss", "positions": {
    ///     "toss": {"alice": ["head"], "bob": ["toss"]}}}"#).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "coin.json: position \"toss\": Alice moves to \"head\", which is not a position: add it or correct the name"
    /// );
    ///
    /// let text = br#"{"name": "one", "start": "heap", "positions": {
    ///     "heap": {"both": [{"to": "empty", "weight": 1}]}, "empty": {"score": 0}}}"#;
    /// let [alice, bob] = &ScoringFile::parse("one.json", text)?.positions[0].moves;
    /// assert_eq!((alice[0].1, bob[0].1), (1, -1));
    /// # Ok::<(), richman_formats::FormatError>(())
    /// ```
    pub fn parse(source: &str, text: &[u8]) -> Result<WrittenGame<L>, FormatError> {
        if text.len() as u64 > MAX_BYTES {
            return Err(FormatError::too_large(source, MAX_BYTES));
        }
        let graph = read_game(source, &mut &text[..], &Reading::default())?;
        Ok(WrittenGame::from(&L::of(graph, source)?))
    }

    /// The game over these positions.
    ///
    /// # Errors
    /// [`FormatError::NotAGame`] where the positions are not a game, which a parsed file never is. The message names
    /// the game, since the file is not known here.
    pub fn graph(&self) -> Result<LabelledGraph<L>, FormatError> {
        LabelledGraph::new(&self.name, &self.start, &self.positions)
            .map_err(|error| FormatError::NotAGame { file: excerpt(&self.name), error })
    }

    /// The game file as JSON. Reading its text gives the same game.
    pub fn to_json(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

impl<L: Objective> From<&LabelledGraph<L>> for WrittenGame<L> {
    fn from(graph: &LabelledGraph<L>) -> WrittenGame<L> {
        WrittenGame { name: graph.name(), start: graph.notation(&graph.start()), positions: graph.positions() }
    }
}

impl<L: Written> Serialize for WrittenGame<L> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct All<'a, L: Objective>(&'a [GraphPosition<L>]);
        impl<L: Written> Serialize for All<'_, L> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_map(self.0.iter().map(|position| (&position.name, body(position))))
            }
        }
        let mut object = serializer.serialize_struct("GameFile", 3)?;
        object.serialize_field("name", &self.name)?;
        object.serialize_field("start", &self.start)?;
        object.serialize_field("positions", &All(&self.positions))?;
        object.end()
    }
}

/// What stands under the name of a position.
pub(crate) fn body<L: Written>(position: &GraphPosition<L>) -> Value {
    let mut object = Map::new();
    object.extend(L::place(position.place).map(|(key, value)| (key.to_string(), value)));
    for (key, moves) in ["alice", "bob"].into_iter().zip(&position.moves) {
        // A position that ended with moves is written with them, so that reading refuses it too.
        if !moves.is_empty() {
            object.insert(key.into(), moves.iter().map(|(to, label)| L::step(to, *label)).collect());
        }
    }
    Value::Object(object)
}

impl Written for WinLose {
    fn of(graph: AnyGraph, source: &str) -> Result<Graph, FormatError> {
        match graph {
            AnyGraph::Win(graph) => Ok(graph),
            AnyGraph::Score(_) => Err(FormatError::Scoring { file: source.to_string() }),
        }
    }

    fn place(place: Place<WinLose>) -> Option<(&'static str, Value)> {
        let winner = match place.end()? {
            Terminal::Win(Player::Alice) => "alice",
            Terminal::Win(Player::Bob) => "bob",
            Terminal::Draw => "none",
        };
        Some(("winner", winner.into()))
    }

    fn step(to: &str, (): ()) -> Value {
        to.into()
    }
}

impl Written for Scores {
    fn of(graph: AnyGraph, source: &str) -> Result<ScoringGraph, FormatError> {
        match graph {
            AnyGraph::Score(graph) => Ok(graph),
            AnyGraph::Win(_) => Err(FormatError::NotScoring { file: source.to_string() }),
        }
    }

    fn place(place: Place<Scores>) -> Option<(&'static str, Value)> {
        Some(match place {
            Place::End(score) => ("score", score.into()),
            // Of a game without another number this is what makes it a scoring game.
            Place::On([alice, bob]) => ("stuck", json!({ "alice": alice, "bob": bob })),
        })
    }

    fn step(to: &str, weight: i64) -> Value {
        if weight == 0 { to.into() } else { json!({ "to": to, "weight": weight }) }
    }
}
