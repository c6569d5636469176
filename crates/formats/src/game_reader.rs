//! Reading game files, of both kinds, in one pass: every position goes into a [`GraphBuilder`] as soon as it is read.

use std::fmt;
use std::io::Read;

use richman_core::{BuiltPosition, Graph, GraphBuilder, MAX_WEIGHT, Player, ScoringGraph, Terminal};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::FormatError;
use crate::error::excerpt;
use crate::game_file::LONGEST_NAME;
use crate::json::{Context, Fields, FromText, Key, Object, Problem, Seen, check_name, name};
use crate::stream::{Reading, Stream};

/// The graph of a game file of either kind.
#[derive(Debug, Clone)]
pub enum AnyGraph {
    /// Its ends name winners.
    Win(Graph),
    /// It has scores, stuck scores or weights.
    Score(ScoringGraph),
}

/// Reads the game that `reader` gives, as a graph; `source` is the name of the file in messages.
///
/// The text is not kept: a position takes about 60 bytes and the letters of its name, a move 4 bytes, with weights 12. Time grows with the length
/// of the text.
///
/// # Errors
/// A [`FormatError`] that names the file, the position and the reason; [`FormatError::Stopped`] above the memory of `reading`, and where its watch
/// stops.
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
    let context = Context::new(source);
    let mut stream = Stream::new(&context, reader, reading);
    let mut game = GameFields::default();
    if !stream.open()? {
        // Whatever else comes is refused.
        stream.value(Object::<GameFields>::new(&context))?;
    } else {
        let mut seen = Seen::default();
        while let Some(key) = stream.key(Key(GameFields::KEYS))? {
            let key =
                seen.note::<GameFields, serde_json::Error>(&context, key).map_err(|error| stream.explain(error))?;
            match key {
                "name" => game.name = Some(stream.value(name(&context, GAME, LONGEST_NAME))?),
                "start" => game.start = Some(stream.value(name(&context, START, LONGEST_NAME))?),
                _ => {
                    let positions = game.positions.insert(Positions::default());
                    if !stream.open()? {
                        stream.value(PositionsSeed { context: &context, positions })?;
                        continue;
                    }
                    while let Some(name) = stream.key(position_name(&context, &mut positions.builder))? {
                        stream.value(Object::with(&context, PositionFields::new(name, positions)))?;
                        stream.hold(positions.builder.bytes())?;
                    }
                    context.leave();
                }
            }
        }
    }
    let game = game.finish::<serde_json::Error>(&context).map_err(|error| stream.explain(error))?;
    stream.end()?;
    stream.hold(game.positions.bytes())?;
    drop(stream);
    game.graph(source)
}

/// What a game file says, before its moves are looked up.
pub(crate) struct ReadGame {
    name: String,
    start: String,
    positions: Positions,
}

impl ReadGame {
    pub(crate) fn graph(self, file: &str) -> Result<AnyGraph, FormatError> {
        let ReadGame { name, start, positions: Positions { builder, scored, won, .. } } = self;
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
}

/// The positions of a game, as they are read.
#[derive(Default)]
struct Positions {
    builder: GraphBuilder,
    /// The first position with a key that only scoring games have, and the key.
    scored: Option<(u32, &'static str)>,
    /// The first position with a winner.
    won: Option<u32>,
    /// The moves of the position that is read: of Alice, of Bob, of both.
    moves: [Vec<(u32, i64)>; 3],
}

impl Positions {
    /// Bytes needed until the graph is complete.
    fn bytes(&self) -> u64 {
        if self.scored.is_some() { self.builder.scoring_bytes() } else { self.builder.bytes() }
    }
}

/// What the texts are, for messages.
const GAME: &str = "the name of the game";
const START: &str = "the start";

#[derive(Default)]
pub(crate) struct GameFields {
    name: Option<String>,
    start: Option<String>,
    positions: Option<Positions>,
}

impl<'de> Fields<'de> for GameFields {
    type Value = ReadGame;
    const OBJECT: &'static str = "the game";
    const KEYS: &'static [&'static str] = &["name", "start", "positions"];

    fn read<A: MapAccess<'de>>(&mut self, context: &Context<'_>, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "name" => self.name = Some(map.next_value_seed(name(context, GAME, LONGEST_NAME))?),
            "start" => self.start = Some(map.next_value_seed(name(context, START, LONGEST_NAME))?),
            _ => {
                let positions = self.positions.insert(Positions::default());
                map.next_value_seed(PositionsSeed { context, positions })?;
            }
        }
        Ok(())
    }

    fn finish<E: Error>(self, context: &Context<'_>) -> Result<ReadGame, E> {
        Ok(ReadGame {
            name: context.required(self.name, "the game", "name")?,
            start: context.required(self.start, "the game", "start")?,
            positions: context.required(self.positions, "the game", "positions")?,
        })
    }
}

/// The positions of a game within another file.
struct PositionsSeed<'p, 'c, 'f> {
    context: &'c Context<'f>,
    positions: &'p mut Positions,
}

impl<'de> DeserializeSeed<'de> for PositionsSeed<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for PositionsSeed<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with the positions as its keys")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let PositionsSeed { context, positions } = self;
        while let Some(name) = map.next_key_seed(position_name(context, &mut positions.builder))? {
            map.next_value_seed(Object::with(context, PositionFields::new(name, positions)))?;
        }
        context.leave();
        Ok(())
    }
}

/// The name of a position, which is read from here on.
fn position_name<'c, 'f>(
    context: &'c Context<'f>,
    builder: &mut GraphBuilder,
) -> FromText<'c, 'f, impl FnOnce(&str) -> Result<u32, Problem>> {
    let what = "the name of a position";
    let read = move |name: &str| {
        check_name(what, LONGEST_NAME, name)?;
        context.enter(name);
        Ok(builder.name(name))
    };
    FromText { context, what, read }
}

/// A position of either kind of game.
struct PositionFields<'p> {
    name: u32,
    positions: &'p mut Positions,
    terminal: Option<Terminal>,
    score: Option<i64>,
    stuck: Option<[i64; 2]>,
}

impl<'p> PositionFields<'p> {
    fn new(name: u32, positions: &'p mut Positions) -> PositionFields<'p> {
        /// Moves of which the memory is kept for the next position.
        const USUAL: usize = 1 << 12;
        for moves in &mut positions.moves {
            moves.clear();
            moves.shrink_to(USUAL);
        }
        PositionFields { name, positions, terminal: None, score: None, stuck: None }
    }
}

impl<'de> Fields<'de> for PositionFields<'_> {
    type Value = ();
    const OBJECT: &'static str = "a position";
    const KEYS: &'static [&'static str] = &["winner", "alice", "bob", "both", "score", "stuck"];

    fn read<A: MapAccess<'de>>(&mut self, context: &Context<'_>, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "winner" => self.terminal = Some(map.next_value_seed(Winner(context))?),
            "score" => self.score = Some(map.next_value_seed(Amount { context, what: "a score" })?),
            "stuck" => self.stuck = Some(map.next_value_seed(Object::<StuckFields>::new(context))?),
            _ => {
                let Positions { builder, moves: [alice, bob, both], .. } = &mut *self.positions;
                let (into, others) = match key {
                    "alice" => (&mut *alice, [&*bob, &*both]),
                    "bob" => (&mut *bob, [&*alice, &*both]),
                    _ => (&mut *both, [&*alice, &*bob]),
                };
                let beside = others.map(bytes_of).iter().sum();
                map.next_value_seed(MovesSeed { context, builder, into, beside })?;
                if key == "both" {
                    let copied = 2 * bytes_of(both) + bytes_of(alice) + bytes_of(bob);
                    context.check_memory(builder.bytes().saturating_add(copied))?;
                    bob.extend(both.iter().map(|&(to, weight)| (to, -weight)));
                    if alice.is_empty() {
                        std::mem::swap(alice, both);
                    } else {
                        alice.append(both);
                    }
                }
            }
        }
        Ok(())
    }

    fn finish<E: Error>(self, context: &Context<'_>) -> Result<(), E> {
        let PositionFields { name, positions, terminal, score, stuck } = self;
        let [alice, bob, _] = &mut positions.moves;
        let is_weighted = alice.iter().chain(&*bob).any(|step| step.1 != 0);
        let kinds = [("score", score.is_some()), ("stuck", stuck.is_some()), ("weight", is_weighted)];
        if let Some(kind) = kinds.iter().find(|kind| kind.1) {
            positions.scored = positions.scored.or(Some((name, kind.0)));
        }
        if terminal.is_some() {
            positions.won = positions.won.or(Some(name));
        }
        distinct(alice);
        distinct(bob);
        let kept = ((alice.len() + bob.len()) * BYTES_OF_A_MOVE) as u64;
        let held = positions.builder.bytes().saturating_add(kept + bytes_of(alice) + bytes_of(bob));
        context.check_memory(held)?;
        let (stuck, moves) = (stuck.unwrap_or_default(), [&alice[..], &bob[..]]);
        positions.builder.position(BuiltPosition { name, terminal, score, stuck, moves });
        Ok(())
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

/// Bytes of a move in the graph, at the most.
const BYTES_OF_A_MOVE: usize = 12;

/// Bytes of a list of moves as it is read.
fn bytes_of(moves: &Vec<(u32, i64)>) -> u64 {
    (moves.capacity() * size_of::<(u32, i64)>()) as u64
}

/// The moves in their order, each once.
fn distinct(moves: &mut Vec<(u32, i64)>) {
    const FEW: usize = 8;
    /// No weight is so small.
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
        // Their numbers take a quarter of the memory that the moves take, which a set of them exceeds.
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

/// Moves, which go to the end of a list.
struct MovesSeed<'b, 'c, 'f> {
    context: &'c Context<'f>,
    builder: &'b mut GraphBuilder,
    into: &'b mut Vec<(u32, i64)>,
    /// Bytes of the other lists of the position.
    beside: u64,
}

impl<'de> DeserializeSeed<'de> for MovesSeed<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for MovesSeed<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of moves")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        /// Moves between two looks at how much they take.
        const AT_ONCE: usize = 1 << 12;
        let MovesSeed { context, builder, into, beside } = self;
        let (mut read, mut many) = (0usize, into.len() + AT_ONCE);
        while let Some(step) = list.next_element_seed(MoveSeed { context, builder: &mut *builder })? {
            read += 1;
            if read.is_multiple_of(AT_ONCE) {
                if into.len() >= many {
                    distinct(into);
                    many = 2 * into.len().max(AT_ONCE);
                }
                // Their numbers are sorted, the list grows by a quarter, and leaves holes where it was.
                let held = builder.bytes().saturating_add(beside + bytes_of(into) * 5 / 2);
                context.check_memory(held)?;
            }
            if into.len() == into.capacity() {
                into.reserve_exact((into.len() / 4).max(8));
            }
            into.push(step);
        }
        distinct(into);
        Ok(())
    }
}

struct MoveSeed<'b, 'c, 'f> {
    context: &'c Context<'f>,
    builder: &'b mut GraphBuilder,
}

impl<'de> DeserializeSeed<'de> for MoveSeed<'_, '_, '_> {
    type Value = (u32, i64);

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(u32, i64), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for MoveSeed<'_, '_, '_> {
    type Value = (u32, i64);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a move: the name of a position, or {\"to\": name, \"weight\": number}")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(u32, i64), E> {
        Ok((target(self.context, self.builder).visit_str(text)?, 0))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(u32, i64), A::Error> {
        let MoveSeed { context, builder } = self;
        Object::with(context, MoveFields { builder, to: None, weight: 0 }).visit_map(map)
    }
}

/// The position that a move leads to.
fn target<'c, 'f>(
    context: &'c Context<'f>,
    builder: &mut GraphBuilder,
) -> FromText<'c, 'f, impl FnOnce(&str) -> Result<u32, Problem>> {
    let what = "the position that a move leads to";
    let read = move |name: &str| check_name(what, LONGEST_NAME, name).map(|()| builder.name(name));
    FromText { context, what, read }
}

struct MoveFields<'b> {
    builder: &'b mut GraphBuilder,
    to: Option<u32>,
    weight: i64,
}

impl<'de> Fields<'de> for MoveFields<'_> {
    type Value = (u32, i64);
    const OBJECT: &'static str = "a move";
    const KEYS: &'static [&'static str] = &["to", "weight"];

    fn read<A: MapAccess<'de>>(&mut self, context: &Context<'_>, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "to" => self.to = Some(map.next_value_seed(target(context, self.builder))?),
            _ => self.weight = map.next_value_seed(Amount { context, what: "a weight" })?,
        }
        Ok(())
    }

    fn finish<E: Error>(self, context: &Context<'_>) -> Result<(u32, i64), E> {
        Ok((context.required(self.to, Self::OBJECT, "to")?, self.weight))
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
