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
//! each player needs a move. Scores, stuck scores and weights other than 0 are recognised, and refused for now.

use std::collections::HashSet;
use std::fmt;

use richman_core::{Graph, GraphPosition, Player, Terminal};
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde::ser::{SerializeMap, SerializeStruct};
use serde::{Serialize, Serializer};

use crate::FormatError;
use crate::error::excerpt;
use crate::json::{Context, Fields, List, Object, Positions, Text, parse};

/// The most bytes of a game file: 64 MiB.
pub const MAX_BYTES: u64 = 64 << 20;

/// The most characters in the name of a game or of a position in a game file.
pub const LONGEST_NAME: usize = 200;

/// A game as it is written in a file. The name is a label: it never decides which rules are used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameFile {
    /// The name of the game.
    pub name: String,
    /// The position that the game starts at.
    pub start: String,
    /// The positions in the order of the file; no move is listed twice for a player.
    pub positions: Vec<GraphPosition>,
}

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
        let context = Context::new(source);
        let game = parse(&context, text, MAX_BYTES, Object::<GameFields>::new(&context))?;
        game.check(source)?;
        Ok(game)
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

    /// The game file as JSON. Reading its text gives the same game.
    pub fn to_json(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    pub(crate) fn check(&self, source: &str) -> Result<(), FormatError> {
        Graph::new(&self.name, &self.start, self.positions.clone())
            .map(drop)
            .map_err(|error| FormatError::NotAGame { file: source.to_string(), error })
    }
}

impl Serialize for GameFile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct All<'a>(&'a [GraphPosition]);
        impl Serialize for All<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut map = serializer.serialize_map(Some(self.0.len()))?;
                for position in self.0 {
                    map.serialize_entry(&position.name, &PositionJson(position))?;
                }
                map.end()
            }
        }
        let mut object = serializer.serialize_struct("GameFile", 3)?;
        object.serialize_field("name", &self.name)?;
        object.serialize_field("start", &self.start)?;
        object.serialize_field("positions", &All(&self.positions))?;
        object.end()
    }
}

/// A position as it is written in a game file, without its name.
pub(crate) struct PositionJson<'a>(pub(crate) &'a GraphPosition);

impl Serialize for PositionJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let GraphPosition { terminal, alice, bob, .. } = self.0;
        let mut map = serializer.serialize_map(None)?;
        if let Some(end) = terminal {
            let winner = match end {
                Terminal::Win(Player::Alice) => "alice",
                Terminal::Win(Player::Bob) => "bob",
                Terminal::Draw => "none",
            };
            map.serialize_entry("winner", winner)?;
        }
        for (key, moves) in [("alice", alice), ("bob", bob)] {
            // A position that ended with moves is written with them, so that reading refuses it too.
            if terminal.is_none() || !moves.is_empty() {
                map.serialize_entry(key, moves)?;
            }
        }
        map.end()
    }
}

#[derive(Default)]
pub(crate) struct GameFields {
    name: Option<String>,
    start: Option<String>,
    positions: Option<Vec<(String, FilePosition)>>,
}

impl<'de> Fields<'de> for GameFields {
    type Value = GameFile;
    const OBJECT: &'static str = "the game";
    const KEYS: &'static [&'static str] = &["name", "start", "positions"];

    fn read<A: MapAccess<'de>>(&mut self, context: &Context<'_>, key: &str, map: &mut A) -> Result<(), A::Error> {
        let text = |what| Text { context, what, longest: LONGEST_NAME };
        match key {
            "name" => self.name = Some(map.next_value_seed(text("the name of the game"))?),
            "start" => self.start = Some(map.next_value_seed(text("the start"))?),
            _ => {
                let value = Object::<PositionFields>::new(context);
                self.positions = Some(map.next_value_seed(Positions { context, longest: LONGEST_NAME, value })?);
            }
        }
        Ok(())
    }

    fn finish<E: Error>(self, context: &Context<'_>) -> Result<GameFile, E> {
        let name = context.required(self.name, Self::OBJECT, "name")?;
        let start = context.required(self.start, Self::OBJECT, "start")?;
        let positions = context.required(self.positions, Self::OBJECT, "positions")?;
        let first = |is: fn(&FilePosition) -> bool| {
            positions.iter().find(|(_, position)| is(position)).map(|(name, _)| name.clone())
        };
        let scored = first(|position| position.scoring == Some("score"));
        if let (Some(scored), Some(won)) = (scored, first(|position| position.terminal.is_some())) {
            return Err(context.fail(|place| FormatError::ScoreAndWinner { file: place.file, scored, won }));
        }
        if let Some((position, key)) = positions.iter().find_map(|(name, position)| Some((name, position.scoring?))) {
            let position = position.clone();
            return Err(context.fail(move |place| FormatError::Scoring { file: place.file, position, key }));
        }
        let positions = positions
            .into_iter()
            .map(|(name, FilePosition { terminal, alice, bob, .. })| GraphPosition { name, terminal, alice, bob })
            .collect();
        Ok(GameFile { name, start, positions })
    }
}

/// A position as the file gives it, which may be one of a scoring game.
struct FilePosition {
    terminal: Option<Terminal>,
    alice: Vec<String>,
    bob: Vec<String>,
    /// The key that makes it one; `score` if it has several.
    scoring: Option<&'static str>,
}

#[derive(Default)]
struct PositionFields {
    terminal: Option<Terminal>,
    alice: Vec<String>,
    bob: Vec<String>,
    score: bool,
    stuck: bool,
    weight: bool,
}

impl<'de> Fields<'de> for PositionFields {
    type Value = FilePosition;
    const OBJECT: &'static str = "a position";
    const KEYS: &'static [&'static str] = &["winner", "alice", "bob", "both", "score", "stuck"];

    fn read<A: MapAccess<'de>>(&mut self, context: &Context<'_>, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "winner" => self.terminal = Some(map.next_value_seed(Winner(context))?),
            "score" => {
                map.next_value::<IgnoredAny>()?;
                self.score = true;
            }
            "stuck" => {
                map.next_value::<IgnoredAny>()?;
                self.stuck = true;
            }
            _ => {
                let moves = map.next_value_seed(List { what: "moves", item: MoveSeed(context) })?;
                for FileMove { to, weighted } in moves {
                    self.weight |= weighted;
                    match key {
                        "alice" => self.alice.push(to),
                        "bob" => self.bob.push(to),
                        _ => {
                            self.alice.push(to.clone());
                            self.bob.push(to);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn finish<E: Error>(self, _context: &Context<'_>) -> Result<FilePosition, E> {
        let kinds = [("score", self.score), ("stuck", self.stuck), ("weight", self.weight)];
        Ok(FilePosition {
            terminal: self.terminal,
            alice: distinct(self.alice),
            bob: distinct(self.bob),
            scoring: kinds.iter().find(|kind| kind.1).map(|kind| kind.0),
        })
    }
}

/// The names in their order, each once.
fn distinct(mut names: Vec<String>) -> Vec<String> {
    const FEW: usize = 8;
    if names.len() <= FEW {
        let mut kept = 0;
        for at in 0..names.len() {
            if !names[..kept].contains(&names[at]) {
                names.swap(kept, at);
                kept += 1;
            }
        }
        names.truncate(kept);
    } else {
        let mut seen = HashSet::with_capacity(names.len());
        let first: Vec<bool> = names.iter().map(|name| seen.insert(name.as_str())).collect();
        let mut first = first.into_iter();
        names.retain(|_| first.next() == Some(true));
    }
    names
}

#[derive(Clone, Copy)]
struct Winner<'c, 'f>(&'c Context<'f>);

impl<'de> DeserializeSeed<'de> for Winner<'_, '_> {
    type Value = Terminal;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Terminal, D::Error> {
        from.deserialize_str(self)
    }
}

impl Visitor<'_> for Winner<'_, '_> {
    type Value = Terminal;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a winner, \"alice\", \"bob\" or \"none\"")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Terminal, E> {
        match text {
            "alice" => Ok(Terminal::Win(Player::Alice)),
            "bob" => Ok(Terminal::Win(Player::Bob)),
            "none" => Ok(Terminal::Draw),
            _ => {
                let found = excerpt(text);
                Err(self.0.bad_value(format!("the winner is {found:?}: write \"alice\", \"bob\" or \"none\"")))
            }
        }
    }
}

struct FileMove {
    to: String,
    weighted: bool,
}

#[derive(Clone, Copy)]
struct MoveSeed<'c, 'f>(&'c Context<'f>);

impl<'c, 'f> MoveSeed<'c, 'f> {
    fn to(self) -> Text<'c, 'f> {
        Text { context: self.0, what: "the position that a move leads to", longest: LONGEST_NAME }
    }
}

impl<'de> DeserializeSeed<'de> for MoveSeed<'_, '_> {
    type Value = FileMove;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<FileMove, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for MoveSeed<'_, '_> {
    type Value = FileMove;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a move: the name of a position, or {\"to\": name}")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<FileMove, E> {
        Ok(FileMove { to: self.to().visit_str(text)?, weighted: false })
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<FileMove, A::Error> {
        Object::<MoveFields>::new(self.0).visit_map(map)
    }
}

#[derive(Default)]
struct MoveFields {
    to: Option<String>,
    weighted: bool,
}

impl<'de> Fields<'de> for MoveFields {
    type Value = FileMove;
    const OBJECT: &'static str = "a move";
    const KEYS: &'static [&'static str] = &["to", "weight"];

    fn read<A: MapAccess<'de>>(&mut self, context: &Context<'_>, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "to" => self.to = Some(map.next_value_seed(MoveSeed(context).to())?),
            _ => self.weighted = map.next_value_seed(Weight)?,
        }
        Ok(())
    }

    fn finish<E: Error>(self, context: &Context<'_>) -> Result<FileMove, E> {
        Ok(FileMove { to: context.required(self.to, Self::OBJECT, "to")?, weighted: self.weighted })
    }
}

/// Whether a number is not 0.
struct Weight;

impl<'de> DeserializeSeed<'de> for Weight {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<bool, D::Error> {
        from.deserialize_any(self)
    }
}

impl Visitor<'_> for Weight {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a weight as a number")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<bool, E> {
        Ok(number != 0)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<bool, E> {
        Ok(number != 0)
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<bool, E> {
        Ok(number != 0.0)
    }
}
