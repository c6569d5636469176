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
//! A move is the name of a position or `{"to": "name"}`; moves under `"both"` are both players'.
//! Each player needs a move where the game goes on.
//!
//! A game with any score, stuck score or nonzero weight is a scoring game, a [`ScoringFile`]:
//!
//! ```json
//! { "name": "two or one", "start": "heap",
//!   "positions": {
//!     "heap": { "both": [{ "to": "one", "weight": 2 }], "bob": ["done"] },
//!     "one":  { "alice": [{ "to": "done", "weight": 1 }], "stuck": { "bob": 1 } },
//!     "done": { "score": 0 } } }
//! ```
//!
//! Weights under `alice` and `bob` are added to Alice's score as written; under `both`, Bob's copy
//! is negated. If the player to move cannot, the game ends and adds that player's `stuck` score, by
//! default 0.

use std::io::Read;

use richman_core::{
    Aim, BuiltPosition, ByPlayer, Game, Graph, GraphBuilder, GraphPosition, LabelledGraph, MAX_WEIGHT, NodeData,
    Objective, Player, Scores, ScoringGraph, Terminal, WinLose,
};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value, json};

use crate::FormatError;
use crate::error::excerpt;
use crate::json::{JsonReader, Reading, check_name};

/// The size limit of a game file held in memory. [`read_game`] reads longer ones.
pub const MAX_BYTES: u64 = 64 << 20;

/// The most characters in the name of a game or a position.
pub const LONGEST_NAME: usize = 200;

/// A game as written in a file. The name is only a label: it never selects the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenGame<L: Objective> {
    /// The name of the game.
    pub name: String,
    /// The start position.
    pub start: String,
    /// The positions in file order. No player has a move with the same weight twice.
    pub positions: Vec<GraphPosition<L>>,
}

/// A win-lose game.
pub type GameFile = WrittenGame<WinLose>;

/// A scoring game.
pub type ScoringFile = WrittenGame<Scores>;

/// An objective whose games can be written in files.
pub trait FileObjective: Objective {
    /// The game of a file, if it has this objective.
    fn of(graph: AnyGraph) -> Option<LabelledGraph<Self>>;

    /// The key that describes a position, and its value.
    fn place(place: NodeData<Self>) -> Option<(&'static str, Value)>;

    /// A move in JSON.
    fn step(to: &str, label: Self::Move) -> Value;
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
    /// let moves = &ScoringFile::parse("one.json", text)?.positions[0].moves;
    /// assert_eq!((moves.alice[0].1, moves.bob[0].1), (1, -1));
    /// # Ok::<(), richman_formats::FormatError>(())
    /// ```
    pub fn parse(source: &str, text: &[u8]) -> Result<WrittenGame<L>, FormatError> {
        if text.len() as u64 > MAX_BYTES {
            return Err(FormatError::too_large(source, MAX_BYTES));
        }
        let graph = read_game(source, &mut &text[..], &Reading::default())?;
        graph.played_for(source).map(|graph| WrittenGame::from(&graph))
    }

    /// The game over these positions.
    ///
    /// # Errors
    /// [`FormatError::NotAGame`] if the positions are not a game, which cannot happen for a parsed
    /// file. It names the game instead of the file.
    pub fn graph(&self) -> Result<LabelledGraph<L>, FormatError> {
        LabelledGraph::new(&self.name, &self.start, &self.positions)
            .map_err(|error| FormatError::NotAGame { file: excerpt(&self.name), error })
    }

    /// The game file as JSON, which reads back as the same game.
    pub fn to_json(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

impl<L: Objective> From<&LabelledGraph<L>> for WrittenGame<L> {
    fn from(graph: &LabelledGraph<L>) -> WrittenGame<L> {
        WrittenGame { name: graph.name(), start: graph.notation(&graph.start()), positions: graph.positions() }
    }
}

impl<L: FileObjective> Serialize for WrittenGame<L> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct AllPositions<'a, L: Objective>(&'a [GraphPosition<L>]);
        impl<L: FileObjective> Serialize for AllPositions<'_, L> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_map(self.0.iter().map(|position| (&position.name, body(position))))
            }
        }
        let mut object = serializer.serialize_struct("GameFile", 3)?;
        object.serialize_field("name", &self.name)?;
        object.serialize_field("start", &self.start)?;
        object.serialize_field("positions", &AllPositions(&self.positions))?;
        object.end()
    }
}

/// The value under the name of a position.
pub(crate) fn body<L: FileObjective>(position: &GraphPosition<L>) -> Value {
    let mut object = Map::new();
    object.extend(L::place(position.place).map(|(key, value)| (key.to_string(), value)));
    for (key, moves) in ["alice", "bob"].into_iter().zip(position.moves.iter()) {
        // Moves of an ended position are written too, so that reading rejects them.
        if !moves.is_empty() {
            object.insert(key.into(), moves.iter().map(|(to, label)| L::step(to, *label)).collect());
        }
    }
    Value::Object(object)
}

impl FileObjective for WinLose {
    fn of(graph: AnyGraph) -> Option<Graph> {
        if let AnyGraph::Win(graph) = graph { Some(graph) } else { None }
    }

    fn place(place: NodeData<WinLose>) -> Option<(&'static str, Value)> {
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

impl FileObjective for Scores {
    fn of(graph: AnyGraph) -> Option<ScoringGraph> {
        if let AnyGraph::Score(graph) = graph { Some(graph) } else { None }
    }

    fn place(place: NodeData<Scores>) -> Option<(&'static str, Value)> {
        Some(match place {
            NodeData::End(score) => ("score", score.into()),
            // This marks a game without other numbers as a scoring game.
            NodeData::On(ByPlayer { alice, bob }) => ("stuck", json!({ "alice": alice, "bob": bob })),
        })
    }

    fn step(to: &str, weight: i64) -> Value {
        if weight == 0 { to.into() } else { json!({ "to": to, "weight": weight }) }
    }
}

/// The graph of a game file of either kind.
#[derive(Debug, Clone)]
pub enum AnyGraph {
    /// A win-lose game.
    Win(Graph),
    /// A scoring game.
    Score(ScoringGraph),
}

impl AnyGraph {
    /// The objective of the game.
    pub fn aim(&self) -> Aim {
        match self {
            AnyGraph::Win(_) => Aim::Win,
            AnyGraph::Score(_) => Aim::Score,
        }
    }

    /// The game, if it has the objective `L`; `source` is the name of the file.
    ///
    /// # Errors
    /// [`FormatError::OtherAim`] if it has another objective.
    pub fn played_for<L: FileObjective>(self, source: &str) -> Result<LabelledGraph<L>, FormatError> {
        let other = FormatError::OtherAim { file: source.to_string(), aim: self.aim() };
        L::of(self).ok_or(other)
    }
}

/// Reads a game from `reader` as a graph; `source` is the file name for messages.
///
/// The text is not kept: a position takes its name and about 60 bytes, a move 4 bytes, or 12 with
/// weights. Time is linear in the length of the text.
///
/// # Errors
/// A [`FormatError`] with the file, the position and the reason; [`FormatError::Stopped`] above the
/// memory limit of `reading` or if its watch says stop.
///
/// ```
/// use richman_core::Game;
/// use richman_formats::{AnyGraph, Reading, read_game};
/// let mut text = &br#"{"name": "coin", "start": "toss", "positions": {
///     "toss": {"alice": ["heads"], "bob": ["tails"]},
///     "heads": {"winner": "alice"}, "tails": {"winner": "bob"}}}"#[..];
/// let AnyGraph::Win(coin) = read_game("coin.json", &mut text, &Reading::default())? else { panic!() };
/// assert_eq!(coin.notation(&coin.start()), "toss");
/// # Ok::<(), richman_formats::FormatError>(())
/// ```
pub fn read_game(source: &str, reader: &mut dyn Read, reading: &Reading) -> Result<AnyGraph, FormatError> {
    let mut json = JsonReader::new(source, "reading the game file", reader, reading);
    let game = ReadGame::read(&mut json)?;
    json.end()?;
    drop(json);
    game.graph(source)
}

/// A game file before the targets of its moves are looked up.
#[derive(Default)]
pub(crate) struct ReadGame {
    name: String,
    start: String,
    builder: GraphBuilder,
    /// The first position with a key of scoring games, and that key.
    scored: Option<(u32, &'static str)>,
    /// The first position with a winner.
    won: Option<u32>,
    /// The moves of the current position: Alice's, Bob's and both players'.
    moves: [Vec<(u32, i64)>; 3],
    /// Bytes held before.
    beside: u64,
}

impl ReadGame {
    pub(crate) fn read(json: &mut JsonReader) -> Result<ReadGame, FormatError> {
        let mut game = ReadGame { beside: json.held, ..ReadGame::default() };
        json.object("the game", &["name", "start", "positions"], 3, |json, key| {
            match key {
                "name" => game.name = json.name("the name of the game", LONGEST_NAME)?,
                "start" => game.start = json.name("the start", LONGEST_NAME)?,
                _ => json.positions(LONGEST_NAME, |json, name| {
                    game.position(json, &name)?;
                    json.hold(game.beside.saturating_add(game.builder.bytes()))
                })?,
            }
            Ok(())
        })?;
        if game.scored.is_some() {
            json.hold(game.beside.saturating_add(game.builder.scoring_bytes()))?;
        }
        Ok(game)
    }

    pub(crate) fn graph(self, file: &str) -> Result<AnyGraph, FormatError> {
        let ReadGame { name, start, builder, scored, won, .. } = self;
        let file = || file.to_string();
        let graph = match (scored, won) {
            (Some((scored, key)), Some(won)) => {
                let [scored, won] = [scored, won].map(|name| builder.text(name).to_string());
                return Err(FormatError::ScoreAndWinner { file: file(), scored, key, won });
            }
            (Some(_), None) => builder.build_scoring(&name, &start).map(AnyGraph::Score),
            (None, _) => builder.build(&name, &start).map(AnyGraph::Win),
        };
        graph.map_err(|error| FormatError::NotAGame { file: file(), error })
    }

    fn position(&mut self, json: &mut JsonReader, name: &str) -> Result<(), FormatError> {
        /// The most moves whose memory is kept for the next position.
        const USUAL: usize = 1 << 12;
        for moves in &mut self.moves {
            moves.clear();
            moves.shrink_to(USUAL);
        }
        let name = self.builder.name(name);
        let (mut terminal, mut score, mut stuck) = (None, None, None);
        let keys = ["winner", "alice", "bob", "both", "score", "stuck"];
        json.object("a position", &keys, 0, |json, key| {
            match key {
                "winner" => terminal = Some(winner(json)?),
                "score" => score = Some(amount(json, "a score")?),
                "stuck" => {
                    let scores = stuck.insert(ByPlayer::both(0));
                    json.object("the stuck scores", &["alice", "bob"], 0, |json, key| {
                        let score = amount(json, "a stuck score")?;
                        *(if key == "alice" { &mut scores.alice } else { &mut scores.bob }) = score;
                        Ok(())
                    })?;
                }
                "alice" => self.list(json, 0)?,
                "bob" => self.list(json, 1)?,
                _ => {
                    self.list(json, 2)?;
                    let [alice, bob, both] = &mut self.moves;
                    let copied = 2 * bytes_of(both) + bytes_of(alice) + bytes_of(bob);
                    json.check(copied)?;
                    bob.extend(both.iter().map(|&(to, weight)| (to, -weight)));
                    if alice.is_empty() {
                        std::mem::swap(alice, both);
                    } else {
                        alice.append(both);
                    }
                }
            }
            Ok(())
        })?;
        let [alice, bob, _] = &mut self.moves;
        let is_weighted = alice.iter().chain(&*bob).any(|step| step.1 != 0);
        let kinds = [("score", score.is_some()), ("stuck", stuck.is_some()), ("weight", is_weighted)];
        if let Some(kind) = kinds.iter().find(|kind| kind.1) {
            self.scored = self.scored.or(Some((name, kind.0)));
        }
        if terminal.is_some() {
            self.won = self.won.or(Some(name));
        }
        distinct(alice);
        distinct(bob);
        let kept = ((alice.len() + bob.len()) * BYTES_OF_A_MOVE) as u64;
        json.check(kept + bytes_of(alice) + bytes_of(bob))?;
        let (stuck, moves) = (stuck.unwrap_or_default(), ByPlayer::new(&alice[..], &bob[..]));
        self.builder.position(BuiltPosition { name, terminal, score, stuck, moves });
        Ok(())
    }

    fn list(&mut self, json: &mut JsonReader, whose: usize) -> Result<(), FormatError> {
        /// The number of moves between memory checks.
        const AT_ONCE: usize = 1 << 12;
        let ReadGame { builder, moves, beside, .. } = self;
        let others = moves.iter().map(bytes_of).sum::<u64>() - bytes_of(&moves[whose]);
        let into = &mut moves[whose];
        let (mut read, mut many) = (0usize, into.len() + AT_ONCE);
        json.list(&"a list of moves", |json| {
            let step = step(json, builder)?;
            read += 1;
            if read.is_multiple_of(AT_ONCE) {
                if into.len() >= many {
                    distinct(into);
                    many = 2 * into.len().max(AT_ONCE);
                }
                json.hold(beside.saturating_add(builder.bytes()))?;
                // The list, its indices to sort, its growth by a quarter, and the holes left
                // behind.
                json.check(others + bytes_of(into) * 5 / 2)?;
            }
            if into.len() == into.capacity() {
                into.reserve_exact((into.len() / 4).max(8));
            }
            into.push(step);
            Ok(())
        })?;
        distinct(into);
        Ok(())
    }
}

/// The most bytes of a move in the graph.
const BYTES_OF_A_MOVE: usize = 12;

fn bytes_of(moves: &Vec<(u32, i64)>) -> u64 {
    (moves.capacity() * size_of::<(u32, i64)>()) as u64
}

/// Removes duplicate moves, keeping the order.
fn distinct(moves: &mut Vec<(u32, i64)>) {
    const FEW: usize = 8;
    /// Below any weight.
    const AGAIN: i64 = i64::MIN;
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
        // Sorting indices takes a quarter of the moves' memory; a hash set would take more.
        let mut sorted: Vec<u32> = (0..moves.len() as u32).collect();
        sorted.sort_unstable_by_key(|&at| (moves[at as usize], at));
        let mut first = moves[sorted[0] as usize];
        for &at in &sorted[1..] {
            let step = &mut moves[at as usize];
            if *step == first {
                step.1 = AGAIN;
            } else {
                first = *step;
            }
        }
        moves.retain(|step| step.1 != AGAIN);
    }
}

fn winner(json: &mut JsonReader) -> Result<Terminal, FormatError> {
    json.text(&"a winner, \"alice\", \"bob\" or \"none\"", |word| match word {
        "alice" => Ok(Terminal::Win(Player::Alice)),
        "bob" => Ok(Terminal::Win(Player::Bob)),
        "none" => Ok(Terminal::Draw),
        _ => Err(format!("the winner is {:?}: write \"alice\", \"bob\" or \"none\"", excerpt(word))),
    })
}

/// A move: its target and weight.
fn step(json: &mut JsonReader, builder: &mut GraphBuilder) -> Result<(u32, i64), FormatError> {
    let mut target = |json: &mut JsonReader, expected: &str| {
        let what = "the position that a move leads to";
        json.text(&expected, |name| check_name(what, LONGEST_NAME, name).map(|()| builder.name(name)))
    };
    if json.peek()? != Some(b'{') {
        return Ok((target(json, "a move: the name of a position, or {\"to\": name, \"weight\": number}")?, 0));
    }
    let (mut to, mut weight) = (0, 0);
    json.object("a move", &["to", "weight"], 1, |json, key| {
        match key {
            "to" => to = target(json, "the position that a move leads to as text")?,
            _ => weight = amount(json, "a weight")?,
        }
        Ok(())
    })?;
    Ok((to, weight))
}

/// A whole number within the limits of weights. It may be written as 2.0 or 2e3.
fn amount(json: &mut JsonReader, what: &str) -> Result<i64, FormatError> {
    let number = json.value(&format_args!("{what} as a number"), |json| f64::deserialize(json))?;
    if number.fract() == 0.0 && number.abs() <= MAX_WEIGHT as f64 {
        return Ok(number as i64);
    }
    let number = excerpt(&number.to_string());
    Err(json.bad_value(format!("{what} is {number}: write a whole number from -{MAX_WEIGHT} to {MAX_WEIGHT}")))
}
