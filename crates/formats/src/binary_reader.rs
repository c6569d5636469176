//! Reads games in binary form, and trusts nothing in them.

use std::io::Read;

use richman_core::{
    Aim, BuiltMove, BuiltPosition, ByPlayer, GraphBuilder, GraphError, MAX_WEIGHT, MoveName, ParityPlace, Player,
    PositionKind, Priority, Probability, Terminal,
};

use crate::binary::{MAGIC, VERSION, unfolded};
use crate::game_reader::{check_move_name, distinct};
use crate::json::{check_name, check_text};
use crate::source::ByteSource;
use crate::{AnyGraph, FileGoal, FileLocation, FormatError, LONGEST_DESCRIPTION, LONGEST_NAME, PriorityOrder, Reading};

/// Reads a game; `source` is the file name for messages.
pub(crate) fn read(source: &str, reader: &mut dyn Read, reading: &Reading) -> Result<AnyGraph, FormatError> {
    let mut bytes = BinaryReader { source: ByteSource::new(source, reader, reading).summed(), position: None };
    for expected in MAGIC {
        if bytes.byte()? != *expected {
            return Err(bytes.bad("this is no game file: it begins like a binary one, but goes on otherwise"));
        }
    }
    match bytes.byte()? {
        VERSION => {}
        0 => return Err(bytes.damaged("there is no version 0")),
        newer => {
            let reason = format!("a newer version wrote this file (format {newer}, this version reads {VERSION})");
            return Err(bytes.bad(reason));
        }
    }
    let aim = match bytes.byte()? {
        0 => Aim::Win,
        1 => Aim::Score,
        2 => Aim::Parity,
        3 => Aim::MeanPayoff,
        4 => Aim::Stochastic,
        _ => return Err(bytes.damaged("what the game is played for is none of 0 to 4")),
    };
    let order = match (aim, reading.goal) {
        (Aim::Win | Aim::Stochastic, Some(FileGoal::Reach)) | (_, None) => PriorityOrder::USUAL,
        (Aim::MeanPayoff, Some(goal)) if goal.has_weights() => PriorityOrder::USUAL,
        (Aim::Parity, Some(FileGoal::Parity(order))) => order,
        (_, Some(goal)) => {
            let reason = format!("a binary file is played {aim}, so its objective is not {goal}");
            return Err(bytes.bad(reason));
        }
    };
    let mut text = String::new();
    bytes.name(&mut text, "the name of the game", LONGEST_NAME)?;
    let name = text.clone();
    bytes.text(&mut text, "the description", LONGEST_DESCRIPTION)?;
    let described = (!text.is_empty()).then(|| text.clone());
    if let Some(text) = &described {
        check_text("the description", LONGEST_DESCRIPTION, text).map_err(|reason| bytes.bad(reason))?;
    }
    let positions = bytes.below("the number of positions", u32::MAX)?;
    let mut builder = match bytes.below("whether names follow", 2)? {
        0 => GraphBuilder::announced(positions),
        _ => names(&mut bytes, positions, &mut text)?,
    };
    let own_names = own_names(&mut bytes, &mut builder, &mut text)?;
    let start = bytes.below("the start", positions)?;
    let start = builder.text(start).into_owned();
    let (alice, bob, chances) = (Vec::new(), Vec::new(), Vec::new());
    let mut game = BinaryGame { aim, order, positions, own_names, builder, goes_on: false, alice, bob, chances };
    for position in 0..positions {
        bytes.position = Some(position);
        game.position(&mut bytes, position)?;
    }
    bytes.position = None;
    bytes.end()?;
    let BinaryGame { mut builder, goes_on, .. } = game;
    if aim == Aim::Parity && !goes_on {
        return Err(bytes.bad("no position has a priority: this is a game to win"));
    }
    if aim == Aim::Stochastic && builder.first_by_chance().is_none() {
        return Err(bytes.bad("chance moves nowhere: this is a game to win"));
    }
    let graph = match aim {
        Aim::Win => builder.build(&name, &start).map(|graph| AnyGraph::Win(graph.described(described))),
        Aim::Score => {
            bytes.source.check_now(builder.scoring_bytes())?;
            builder.build_scoring(&name, &start).map(|graph| AnyGraph::Score(graph.described(described)))
        }
        Aim::Parity => {
            if order.is_least {
                builder.lower_priorities();
            }
            builder.build_parity(&name, &start).map(|graph| AnyGraph::Parity(graph.described(described)))
        }
        Aim::MeanPayoff => {
            let graph = builder.build_mean_payoff(&name, &start).map_err(|error| bytes.not_a_game(error))?;
            return AnyGraph::weighted(graph.described(described), reading.goal, source, reading);
        }
        Aim::Stochastic => {
            builder.build_stochastic(&name, &start).map(|graph| AnyGraph::Stochastic(graph.described(described)))
        }
    };
    graph.map_err(|error| bytes.not_a_game(error))
}

/// A builder that knows the names of all positions.
fn names(bytes: &mut BinaryReader, positions: u32, text: &mut String) -> Result<GraphBuilder, FormatError> {
    let mut builder = GraphBuilder::default();
    for position in 0..positions {
        bytes.name(text, "the name of a position", LONGEST_NAME)?;
        if builder.name(text) != position {
            return Err(bytes.not_a_game(GraphError::Duplicate(text.clone())));
        }
        bytes.source.check(|| builder.bytes())?;
    }
    Ok(builder)
}

/// The names that moves have.
fn own_names(
    bytes: &mut BinaryReader,
    builder: &mut GraphBuilder,
    text: &mut String,
) -> Result<Vec<MoveName>, FormatError> {
    let count = bytes.below("the number of names of moves", u32::MAX)?;
    let mut names = Vec::new();
    for _ in 0..count {
        bytes.name(text, "the name of a move", LONGEST_NAME)?;
        check_move_name(text).map_err(|reason| bytes.bad(reason))?;
        names.push(builder.move_name(text));
        bytes.source.check(|| builder.bytes().saturating_add(2 * size_of_val(&names[..]) as u64))?;
    }
    Ok(names)
}

/// The positions read so far.
struct BinaryGame {
    aim: Aim,
    /// How priorities are read.
    order: PriorityOrder,
    positions: u32,
    own_names: Vec<MoveName>,
    builder: GraphBuilder,
    /// Whether play goes on anywhere.
    goes_on: bool,
    /// The moves of the current position.
    alice: Vec<BuiltMove>,
    bob: Vec<BuiltMove>,
    /// The chances of Alice's moves, where chance makes them.
    chances: Vec<Probability>,
}

impl BinaryGame {
    fn position(&mut self, bytes: &mut BinaryReader, name: u32) -> Result<(), FormatError> {
        /// The most moves whose memory is kept for the next position.
        const USUAL: usize = 1 << 12;
        let mut position = BuiltPosition { name, ..BuiltPosition::default() };
        let mut is_by_chance = false;
        match self.aim {
            Aim::Win => {
                let code = bytes.below("the kind of a position", 6)?;
                (position.terminal, position.parity) = (end(code), owned(code));
            }
            Aim::Score => match bytes.below("the end of the game", 3)? {
                0 => {}
                1 => position.stuck = ByPlayer::new(bytes.amount()?, bytes.amount()?),
                _ => position.score = Some(bytes.amount()?),
            },
            Aim::Parity => {
                let place = bytes.below("the priority", 2 + 3 * (Priority::MAX + 1))?;
                match place.checked_sub(2) {
                    None => position.terminal = Some(Terminal::Win(Player::BOTH[place as usize])),
                    Some(place) if place / 3 <= self.order.most() => {
                        let priority = self.order.usual(Priority(place / 3));
                        position.parity = Some(ParityPlace { priority, kind: kind(place % 3) });
                    }
                    Some(_) => return Err(bytes.bad(format!("a priority is at most {}", self.order.most()))),
                }
            }
            Aim::MeanPayoff => {
                let kind = kind(bytes.below("the kind of a position", 3)?);
                position.parity = Some(ParityPlace { kind, ..Default::default() });
            }
            Aim::Stochastic => {
                let code = bytes.below("the kind of a position", 7)?;
                (position.terminal, position.parity) = (end(code), owned(code));
                is_by_chance = code == 6;
            }
        }
        for moves in [&mut self.alice, &mut self.bob] {
            moves.clear();
            moves.shrink_to(USUAL);
        }
        self.chances.clear();
        self.chances.shrink_to(USUAL);
        if position.terminal.is_none() && position.score.is_none() {
            self.goes_on = true;
            self.moves(bytes, name, is_by_chance)?;
        }
        position.moves = ByPlayer::new(&self.alice[..], &self.bob[..]);
        position.chances = &self.chances;
        self.builder.position(position);
        bytes.source.check(|| self.held())
    }

    /// Both players' moves.
    fn moves(&mut self, bytes: &mut BinaryReader, position: u32, is_by_chance: bool) -> Result<(), FormatError> {
        let count = bytes.below("the number of Alice's moves", u32::MAX)?;
        self.list(bytes, position, count, Player::Alice, is_by_chance)?;
        if is_by_chance {
            let sum = Probability::common_denominator(self.chances.iter().copied());
            sum.map_err(|reason| bytes.bad(reason))?;
            if self.chances.len() != self.alice.len() {
                return Err(bytes.damaged("two moves of chance lead to one position"));
            }
            return match bytes.number()? {
                1 => Ok(()),
                _ => Err(bytes.damaged("a player has a move where chance moves")),
            };
        }
        match bytes.below("the number of Bob's moves", u32::MAX)?.checked_sub(1) {
            Some(count) => self.list(bytes, position, count, Player::Bob, false),
            None => {
                let copied = self.alice.len() * 2 * size_of::<BuiltMove>();
                if self.alice.len() > 1 << 12 {
                    bytes.source.check_now(self.held().saturating_add(copied as u64))?;
                }
                let sign = if self.aim == Aim::MeanPayoff { 1 } else { -1 };
                self.bob.extend(self.alice.iter().map(|step| BuiltMove { weight: sign * step.weight, ..*step }));
                Ok(())
            }
        }
    }

    fn list(
        &mut self,
        bytes: &mut BinaryReader,
        position: u32,
        count: u32,
        player: Player,
        is_by_chance: bool,
    ) -> Result<(), FormatError> {
        let mut before = i64::from(position);
        for _ in 0..count {
            let to = before.checked_add(unfolded(bytes.number()?)).filter(|to| (0..self.positions.into()).contains(to));
            let Some(to) = to else { return Err(bytes.damaged("a move leads to what is no position")) };
            before = to;
            let is_weighted = matches!(self.aim, Aim::Score | Aim::MeanPayoff);
            let weight = if is_weighted { bytes.amount()? } else { 0 };
            if is_by_chance {
                let (numerator, denominator) = (bytes.number()?, bytes.number()?);
                let chance = Probability::new(numerator, denominator);
                let chance = chance.filter(|chance| chance.numerator() == numerator);
                self.chances.push(chance.ok_or_else(|| bytes.damaged("a chance is not above 0 and at most 1"))?);
            }
            let name = if self.own_names.is_empty() {
                None
            } else {
                let name = bytes.below("the name of a move", self.own_names.len() as u32 + 1)?;
                name.checked_sub(1).map(|name| self.own_names[name as usize])
            };
            if is_by_chance && name.is_some() {
                return Err(bytes.damaged("a move of chance has a name"));
            }
            let step = BuiltMove { to: to as u32, name, weight };
            player.either(&mut self.alice, &mut self.bob).push(step);
            bytes.source.check(|| self.held())?;
        }
        distinct(player.either(&mut self.alice, &mut self.bob));
        Ok(())
    }

    /// Bytes held. A list of moves is held twice while it grows, and its order while it is sorted.
    fn held(&self) -> u64 {
        let moves = 5 * (self.alice.capacity() + self.bob.capacity()) * size_of::<BuiltMove>() / 2;
        let beside = size_of_val(&self.own_names[..]) + moves + 2 * self.chances.capacity() * size_of::<Probability>();
        self.builder.bytes().saturating_add(beside as u64)
    }
}

/// How the game ended; `None` if it goes on.
fn end(code: u32) -> Option<Terminal> {
    match code {
        1 => Some(Terminal::Win(Player::Alice)),
        2 => Some(Terminal::Win(Player::Bob)),
        3 => Some(Terminal::Draw),
        _ => None,
    }
}

/// The label by the code of a position that may have ended.
fn owned(code: u32) -> Option<ParityPlace> {
    let kind = kind(code.checked_sub(3).filter(|code| (1..=2).contains(code))?);
    Some(ParityPlace { kind, ..Default::default() })
}

fn kind(code: u32) -> PositionKind {
    match code {
        0 => PositionKind::Bid,
        1 => PositionKind::Owned(Player::Alice),
        _ => PositionKind::Owned(Player::Bob),
    }
}

struct BinaryReader<'a> {
    source: ByteSource<'a>,
    /// The number of the position that is being read.
    position: Option<u32>,
}

impl BinaryReader<'_> {
    fn bad(&self, reason: impl Into<String>) -> FormatError {
        let file = self.source.file.to_string();
        let reason = match self.position {
            Some(position) => format!("position number {position}: {}", reason.into()),
            None => reason.into(),
        };
        FormatError::BadValue { place: Box::new(FileLocation { file, line: None, position: None }), reason }
    }

    fn damaged(&self, reason: &str) -> FormatError {
        self.bad(format!("the file is damaged: {reason}"))
    }

    fn not_a_game(&self, error: GraphError) -> FormatError {
        FormatError::NotAGame { file: self.source.file.to_string(), error }
    }

    #[inline]
    fn byte(&mut self) -> Result<u8, FormatError> {
        let Some(byte) = self.source.peek()? else { return Err(self.damaged("it ends too early")) };
        self.source.skip();
        Ok(byte)
    }

    #[inline]
    fn number(&mut self) -> Result<u64, FormatError> {
        let mut number = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                break;
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(self.damaged("a number is too large"))
    }

    /// A number below `bound`.
    #[inline]
    fn below(&mut self, what: &str, bound: u32) -> Result<u32, FormatError> {
        let number = self.number()?;
        let fits = u32::try_from(number).ok().filter(|number| *number < bound);
        fits.ok_or_else(|| self.damaged(&format!("{what} is {number}, but is less than {bound}")))
    }

    /// A score or a weight.
    fn amount(&mut self) -> Result<i64, FormatError> {
        let number = unfolded(self.number()?);
        if (-MAX_WEIGHT..=MAX_WEIGHT).contains(&number) {
            return Ok(number);
        }
        Err(self.damaged(&format!("a score or weight is {number}, but is from {} to {MAX_WEIGHT}", -MAX_WEIGHT)))
    }

    /// A text of at most so many characters, which may be empty.
    fn text(&mut self, text: &mut String, what: &str, longest: usize) -> Result<(), FormatError> {
        /// The most bytes of a character.
        const WIDEST: usize = 4;
        let length = self.below(what, (longest * WIDEST) as u32 + 1)?;
        let mut letters = std::mem::take(text).into_bytes();
        letters.clear();
        for _ in 0..length {
            letters.push(self.byte()?);
        }
        *text = String::from_utf8(letters).map_err(|_| self.damaged(&format!("{what} is not UTF-8")))?;
        Ok(())
    }

    /// A text that [`check_name`] accepts.
    fn name(&mut self, text: &mut String, what: &str, longest: usize) -> Result<(), FormatError> {
        self.text(text, what, longest)?;
        check_name(what, longest, text).map_err(|reason| self.bad(reason))
    }

    /// The checksum and the end.
    fn end(&mut self) -> Result<(), FormatError> {
        let sum = self.source.sum();
        let stored = [self.byte()?, self.byte()?, self.byte()?, self.byte()?];
        if u32::from_le_bytes(stored) != sum {
            return Err(self.damaged("its checksum is wrong"));
        }
        if self.source.peek()?.is_some() {
            return Err(self.damaged("something follows its end"));
        }
        Ok(())
    }
}
