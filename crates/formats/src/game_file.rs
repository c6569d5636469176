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

use std::collections::HashSet;
use std::fmt;

use richman_core::{Graph, GraphPosition, MAX_WEIGHT, Player, ScoringGraph, ScoringPosition, Terminal, WeightedMove};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};
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

/// A scoring game as it is written in a file. The name is a label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoringFile {
    /// The name of the game.
    pub name: String,
    /// The position that the game starts at.
    pub start: String,
    /// The positions in the order of the file; no move of the same weight is listed twice for a player.
    pub positions: Vec<ScoringPosition>,
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

    /// The game file as JSON. Reading its text gives the same game.
    pub fn to_json(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    fn check(&self, source: &str) -> Result<(), FormatError> {
        ScoringGraph::new(&self.name, &self.start, &self.positions)
            .map(drop)
            .map_err(|error| FormatError::NotAGame { file: source.to_string(), error })
    }
}

impl Serialize for ScoringFile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let step = |step: &WeightedMove| match step.weight {
            0 => serde_json::json!(step.to),
            weight => serde_json::json!({ "to": step.to, "weight": weight }),
        };
        let position = |position: &ScoringPosition| {
            let mut object = serde_json::Map::new();
            match position.score {
                Some(score) => drop(object.insert("score".into(), score.into())),
                None => {
                    let [alice, bob] = position.stuck;
                    // Of a game without another number this is what makes it a scoring game.
                    object.insert("stuck".into(), serde_json::json!({ "alice": alice, "bob": bob }));
                }
            }
            for (key, moves) in [("alice", &position.alice), ("bob", &position.bob)] {
                if !moves.is_empty() {
                    object.insert(key.into(), moves.iter().map(step).collect());
                }
            }
            serde_json::Value::Object(object)
        };
        let positions: serde_json::Map<String, serde_json::Value> =
            self.positions.iter().map(|each| (each.name.clone(), position(each))).collect();
        let mut object = serializer.serialize_struct("ScoringFile", 3)?;
        object.serialize_field("name", &self.name)?;
        object.serialize_field("start", &self.start)?;
        object.serialize_field("positions", &positions)?;
        object.end()
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
        let context = Context::new(source);
        let game = parse(&context, text, MAX_BYTES, Object::<GameFields>::new(&context))?;
        match &game {
            AnyGameFile::Win(game) => game.check(source)?,
            AnyGameFile::Score(game) => game.check(source)?,
        }
        Ok(game)
    }
}

#[derive(Default)]
pub(crate) struct GameFields {
    name: Option<String>,
    start: Option<String>,
    positions: Option<Vec<(String, FilePosition)>>,
}

impl<'de> Fields<'de> for GameFields {
    type Value = AnyGameFile;
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

    fn finish<E: Error>(self, context: &Context<'_>) -> Result<AnyGameFile, E> {
        let name = context.required(self.name, Self::OBJECT, "name")?;
        let start = context.required(self.start, Self::OBJECT, "start")?;
        let positions = context.required(self.positions, Self::OBJECT, "positions")?;
        let scored = positions.iter().find_map(|(name, position)| Some((name, position.scoring?)));
        let Some((scored, key)) = scored else {
            let names = |moves: Vec<WeightedMove>| moves.into_iter().map(|step| step.to).collect();
            let positions = positions
                .into_iter()
                .map(|(name, FilePosition { terminal, alice, bob, .. })| GraphPosition {
                    name,
                    terminal,
                    alice: names(alice),
                    bob: names(bob),
                })
                .collect();
            return Ok(AnyGameFile::Win(GameFile { name, start, positions }));
        };
        if let Some((won, _)) = positions.iter().find(|(_, position)| position.terminal.is_some()) {
            let (scored, won) = (scored.clone(), won.clone());
            return Err(context.fail(move |place| FormatError::ScoreAndWinner { file: place.file, scored, key, won }));
        }
        let positions = positions
            .into_iter()
            .map(|(name, FilePosition { score, stuck, alice, bob, .. })| ScoringPosition {
                name,
                score,
                stuck,
                alice,
                bob,
            })
            .collect();
        Ok(AnyGameFile::Score(ScoringFile { name, start, positions }))
    }
}

/// A position as the file gives it, of either kind of game.
struct FilePosition {
    terminal: Option<Terminal>,
    score: Option<i64>,
    stuck: [i64; 2],
    alice: Vec<WeightedMove>,
    bob: Vec<WeightedMove>,
    /// The key that makes it one of a scoring game; `score` if it has several.
    scoring: Option<&'static str>,
}

#[derive(Default)]
struct PositionFields {
    terminal: Option<Terminal>,
    score: Option<i64>,
    stuck: Option<[i64; 2]>,
    alice: Vec<WeightedMove>,
    bob: Vec<WeightedMove>,
}

impl<'de> Fields<'de> for PositionFields {
    type Value = FilePosition;
    const OBJECT: &'static str = "a position";
    const KEYS: &'static [&'static str] = &["winner", "alice", "bob", "both", "score", "stuck"];

    fn read<A: MapAccess<'de>>(&mut self, context: &Context<'_>, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "winner" => self.terminal = Some(map.next_value_seed(Winner(context))?),
            "score" => self.score = Some(map.next_value_seed(Amount { context, what: "a score" })?),
            "stuck" => self.stuck = Some(map.next_value_seed(Object::<StuckFields>::new(context))?),
            _ => {
                let moves = map.next_value_seed(List { what: "moves", item: MoveSeed(context) })?;
                match key {
                    "alice" => self.alice.extend(moves),
                    "bob" => self.bob.extend(moves),
                    _ => {
                        let negated = |step: &WeightedMove| WeightedMove { to: step.to.clone(), weight: -step.weight };
                        self.bob.extend(moves.iter().map(negated));
                        self.alice.extend(moves);
                    }
                }
            }
        }
        Ok(())
    }

    fn finish<E: Error>(self, _context: &Context<'_>) -> Result<FilePosition, E> {
        let weighted = self.alice.iter().chain(&self.bob).any(|step| step.weight != 0);
        let kinds = [("score", self.score.is_some()), ("stuck", self.stuck.is_some()), ("weight", weighted)];
        Ok(FilePosition {
            terminal: self.terminal,
            score: self.score,
            stuck: self.stuck.unwrap_or_default(),
            alice: distinct(self.alice),
            bob: distinct(self.bob),
            scoring: kinds.iter().find(|kind| kind.1).map(|kind| kind.0),
        })
    }
}

#[derive(Default)]
struct StuckFields {
    scores: [i64; 2],
}

impl<'de> Fields<'de> for StuckFields {
    type Value = [i64; 2];
    const OBJECT: &'static str = "the stuck scores";
    const KEYS: &'static [&'static str] = &["alice", "bob"];

    fn read<A: MapAccess<'de>>(&mut self, context: &Context<'_>, key: &str, map: &mut A) -> Result<(), A::Error> {
        let player = if key == "alice" { Player::Alice } else { Player::Bob };
        self.scores[player as usize] = map.next_value_seed(Amount { context, what: "a stuck score" })?;
        Ok(())
    }

    fn finish<E: Error>(self, _context: &Context<'_>) -> Result<[i64; 2], E> {
        Ok(self.scores)
    }
}

/// The moves in their order, each once.
fn distinct(mut moves: Vec<WeightedMove>) -> Vec<WeightedMove> {
    const FEW: usize = 8;
    if moves.len() <= FEW {
        let mut kept = 0;
        for at in 0..moves.len() {
            if !moves[..kept].contains(&moves[at]) {
                moves.swap(kept, at);
                kept += 1;
            }
        }
        moves.truncate(kept);
    } else {
        let mut seen = HashSet::with_capacity(moves.len());
        let first: Vec<bool> = moves.iter().map(|step| seen.insert(step)).collect();
        let mut first = first.into_iter();
        moves.retain(|_| first.next() == Some(true));
    }
    moves
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

#[derive(Clone, Copy)]
struct MoveSeed<'c, 'f>(&'c Context<'f>);

impl<'c, 'f> MoveSeed<'c, 'f> {
    fn to(self) -> Text<'c, 'f> {
        Text { context: self.0, what: "the position that a move leads to", longest: LONGEST_NAME }
    }
}

impl<'de> DeserializeSeed<'de> for MoveSeed<'_, '_> {
    type Value = WeightedMove;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<WeightedMove, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for MoveSeed<'_, '_> {
    type Value = WeightedMove;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a move: the name of a position, or {\"to\": name, \"weight\": number}")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<WeightedMove, E> {
        Ok(WeightedMove { to: self.to().visit_str(text)?, weight: 0 })
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<WeightedMove, A::Error> {
        Object::<MoveFields>::new(self.0).visit_map(map)
    }
}

#[derive(Default)]
struct MoveFields {
    to: Option<String>,
    weight: i64,
}

impl<'de> Fields<'de> for MoveFields {
    type Value = WeightedMove;
    const OBJECT: &'static str = "a move";
    const KEYS: &'static [&'static str] = &["to", "weight"];

    fn read<A: MapAccess<'de>>(&mut self, context: &Context<'_>, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "to" => self.to = Some(map.next_value_seed(MoveSeed(context).to())?),
            _ => self.weight = map.next_value_seed(Amount { context, what: "a weight" })?,
        }
        Ok(())
    }

    fn finish<E: Error>(self, context: &Context<'_>) -> Result<WeightedMove, E> {
        Ok(WeightedMove { to: context.required(self.to, Self::OBJECT, "to")?, weight: self.weight })
    }
}

/// A whole number between the limits of weights.
struct Amount<'c, 'f> {
    context: &'c Context<'f>,
    /// What it is, for messages: "a weight".
    what: &'static str,
}

impl Amount<'_, '_> {
    fn refused<E: Error>(&self, number: impl fmt::Display) -> E {
        let what = self.what;
        let number = excerpt(&number.to_string());
        self.context.bad_value(format!("{what} is {number}: write a whole number from -{MAX_WEIGHT} to {MAX_WEIGHT}"))
    }
}

impl<'de> DeserializeSeed<'de> for Amount<'_, '_> {
    type Value = i64;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<i64, D::Error> {
        from.deserialize_any(self)
    }
}

impl Visitor<'_> for Amount<'_, '_> {
    type Value = i64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} as a number", self.what)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<i64, E> {
        i64::try_from(number).ok().filter(|&number| number <= MAX_WEIGHT).ok_or_else(|| self.refused(number))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<i64, E> {
        if (-MAX_WEIGHT..=MAX_WEIGHT).contains(&number) { Ok(number) } else { Err(self.refused(number)) }
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<i64, E> {
        // A whole number may be written 2.0 or 2e3.
        if number.fract() == 0.0 && number.abs() <= MAX_WEIGHT as f64 {
            Ok(number as i64)
        } else {
            Err(self.refused(number))
        }
    }
}
