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
//! Weights under `alice` and `bob` are added to Alice's score as written, under `both` Bob's copy is negated. Where the player
//! who is to move cannot, the game ends and that player's `stuck` score (0 where none is given) is added.

use richman_core::{
    Game, Graph, GraphPosition, Player, ScoringGame, ScoringGraph, ScoringPosition, Terminal, WeightedMove,
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
pub struct WrittenGame<P> {
    /// The name of the game.
    pub name: String,
    /// The position that the game starts at.
    pub start: String,
    /// The positions in the order of the file; no move (of the same weight) is listed twice for a player.
    pub positions: Vec<P>,
}

/// A game that is won.
pub type GameFile = WrittenGame<GraphPosition>;

/// A scoring game.
pub type ScoringFile = WrittenGame<ScoringPosition>;

impl GameFile {
    /// Reads a game from the bytes of a file; `source` is the name of the file in messages.
    ///
    /// Time and memory grow with the length of the text.
    ///
    /// # Errors
    /// A [`FormatError`] that names the file, the position and the reason. Games that parse are games: the checks
    /// of [`GameFile::graph`] are included.
    ///
    /// ```
    /// use richman_formats::GameFile;
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
    /// # Ok::<(), richman_formats::FormatError>(())
    /// ```
    pub fn parse(source: &str, text: &[u8]) -> Result<GameFile, FormatError> {
        match AnyGameFile::parse(source, text)? {
            AnyGameFile::Win(game) => Ok(game),
            AnyGameFile::Score(_) => Err(FormatError::Scoring { file: source.to_string() }),
        }
    }

    /// The game over these positions.
    ///
    /// # Errors
    /// [`FormatError::NotAGame`] where the positions are not a game, which a parsed file never is. The message names
    /// the game, since the file is not known here.
    pub fn graph(&self) -> Result<Graph, FormatError> {
        Graph::new(&self.name, &self.start, self.positions.clone())
            .map_err(|error| FormatError::NotAGame { file: excerpt(&self.name), error })
    }
}

impl From<&Graph> for GameFile {
    fn from(graph: &Graph) -> GameFile {
        let start = Game::notation(graph, &Game::start(graph));
        GameFile { name: Game::name(graph), start, positions: graph.positions() }
    }
}

/// A position as it is written in a game file.
pub trait WrittenPosition {
    /// Its name, which is the key.
    fn name(&self) -> &str;

    /// What stands under its name.
    fn body(&self) -> Value;
}

impl<P: WrittenPosition> WrittenGame<P> {
    /// The game file as JSON. Reading its text gives the same game.
    pub fn to_json(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

impl<P: WrittenPosition> Serialize for WrittenGame<P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct All<'a, P>(&'a [P]);
        impl<P: WrittenPosition> Serialize for All<'_, P> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_map(self.0.iter().map(|position| (position.name(), position.body())))
            }
        }
        let mut object = serializer.serialize_struct("GameFile", 3)?;
        object.serialize_field("name", &self.name)?;
        object.serialize_field("start", &self.start)?;
        object.serialize_field("positions", &All(&self.positions))?;
        object.end()
    }
}

impl WrittenPosition for GraphPosition {
    fn name(&self) -> &str {
        &self.name
    }

    fn body(&self) -> Value {
        let mut object = Map::new();
        if let Some(end) = self.terminal {
            let winner = match end {
                Terminal::Win(Player::Alice) => "alice",
                Terminal::Win(Player::Bob) => "bob",
                Terminal::Draw => "none",
            };
            object.insert("winner".into(), winner.into());
        }
        for (key, moves) in [("alice", &self.alice), ("bob", &self.bob)] {
            // A position that ended with moves is written with them, so that reading refuses it too.
            if self.terminal.is_none() || !moves.is_empty() {
                object.insert(key.into(), json!(moves));
            }
        }
        Value::Object(object)
    }
}

impl WrittenPosition for ScoringPosition {
    fn name(&self) -> &str {
        &self.name
    }

    fn body(&self) -> Value {
        let step = |step: &WeightedMove| match step.weight {
            0 => json!(step.to),
            weight => json!({ "to": step.to, "weight": weight }),
        };
        let mut object = Map::new();
        match self.score {
            Some(score) => drop(object.insert("score".into(), score.into())),
            None => {
                let [alice, bob] = self.stuck;
                // Of a game without another number this is what makes it a scoring game.
                object.insert("stuck".into(), json!({ "alice": alice, "bob": bob }));
            }
        }
        for (key, moves) in [("alice", &self.alice), ("bob", &self.bob)] {
            if !moves.is_empty() {
                object.insert(key.into(), moves.iter().map(step).collect());
            }
        }
        Value::Object(object)
    }
}

impl ScoringFile {
    /// Reads a scoring game from the bytes of a file; `source` is the name of the file in messages.
    ///
    /// # Errors
    /// A [`FormatError`] that names the file, the position and the reason. Games that parse are games without cycles.
    ///
    /// ```
    /// use richman_formats::ScoringFile;
    /// let text = br#"{"name": "one", "start": "heap", "positions": {
    ///     "heap": {"both": [{"to": "empty", "weight": 1}]}, "empty": {"score": 0}}}"#;
    /// let game = ScoringFile::parse("one.json", text)?;
    /// assert_eq!((game.positions[0].alice[0].weight, game.positions[0].bob[0].weight), (1, -1));
    /// # Ok::<(), richman_formats::FormatError>(())
    /// ```
    pub fn parse(source: &str, text: &[u8]) -> Result<ScoringFile, FormatError> {
        match AnyGameFile::parse(source, text)? {
            AnyGameFile::Score(game) => Ok(game),
            AnyGameFile::Win(_) => Err(FormatError::NotScoring { file: source.to_string() }),
        }
    }

    /// The game over these positions.
    ///
    /// # Errors
    /// [`FormatError::NotAGame`] where the positions are not a game, which a parsed file never is. The message names
    /// the game, since the file is not known here.
    pub fn graph(&self) -> Result<ScoringGraph, FormatError> {
        ScoringGraph::new(&self.name, &self.start, &self.positions)
            .map_err(|error| FormatError::NotAGame { file: excerpt(&self.name), error })
    }
}

impl From<&ScoringGraph> for ScoringFile {
    fn from(graph: &ScoringGraph) -> ScoringFile {
        let start = ScoringGame::notation(graph, &ScoringGame::start(graph));
        ScoringFile { name: ScoringGame::name(graph), start, positions: graph.positions() }
    }
}

/// A game file of either kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnyGameFile {
    /// Its ends name winners.
    Win(GameFile),
    /// It has scores, stuck scores or weights.
    Score(ScoringFile),
}

impl AnyGameFile {
    /// Reads a game from the bytes of a file; `source` is the name of the file in messages.
    ///
    /// # Errors
    /// Those of [`GameFile::parse`] and [`ScoringFile::parse`], but for the kind of the game.
    pub fn parse(source: &str, text: &[u8]) -> Result<AnyGameFile, FormatError> {
        if text.len() as u64 > MAX_BYTES {
            return Err(FormatError::too_large(source, MAX_BYTES));
        }
        let mut text = text;
        Ok(match read_game(source, &mut text, &Reading::default())? {
            AnyGraph::Win(graph) => AnyGameFile::Win(GameFile::from(&graph)),
            AnyGraph::Score(graph) => AnyGameFile::Score(ScoringFile::from(&graph)),
        })
    }
}
