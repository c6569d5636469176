//! Reads untrusted games in binary form.

use std::io::Read;

use richman_core::{
    BuiltMove, ByPlayer, GraphBuilder, GraphError, LabelledGraph, MoveName, Player, Probability, of_every_objective,
};

use super::numbers::{BinaryReader, unfolded};
use super::{MAGIC, VERSION};
use crate::any_graph::AnyGraph;
use crate::error::FormatError;
use crate::labels::{FileLabel, FilePosition};
use crate::moves::{USUAL, distinct, growing_bytes, leads_twice, reuse};
use crate::names::{LONGEST_DESCRIPTION, LONGEST_NAME, check_move_name, check_text};
use crate::objectives::{FileObjective, PriorityOrder, order_for, with_objective};
use crate::reading::Reading;
use crate::source::ByteSource;

/// Reads a game; `source` is the file name for messages.
pub(super) fn read(source: &str, reader: &mut dyn Read, reading: &Reading) -> Result<AnyGraph, FormatError> {
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
    let number = bytes.byte()?;
    macro_rules! read_graph_of {
        ([] $($(#[$doc:meta])* $name:ident: $objective:ty,)*) => {
            match number {
                $(<$objective>::NUMBER => read_graph::<$objective>(bytes, reading),)*
                _ => {
                    let last = [$(<$objective>::NUMBER),*].len() - 1;
                    Err(bytes.damaged(&format!("what the game is played for is none of 0 to {last}")))
                }
            }
        };
    }
    of_every_objective!(read_graph_of)
}

fn read_graph<L: FileObjective>(mut bytes: BinaryReader, reading: &Reading) -> Result<AnyGraph, FormatError>
where
    AnyGraph: From<LabelledGraph<L>>,
{
    let other =
        |objective| bytes.bad(format!("a binary file is played {}, so its objective is not {objective}", L::AIM));
    let order = order_for::<L>(reading.objective).map_err(other)?;
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
    let mut game = BinaryGame { order, positions, own_names, builder, is_shown: false, moves: ByPlayer::default() };
    for position in 0..positions {
        bytes.position = Some(position);
        game.position(&mut bytes, position)?;
    }
    bytes.position = None;
    bytes.end()?;
    let BinaryGame { builder, is_shown, .. } = game;
    if let Some(reason) = L::UNSHOWN.filter(|_| !is_shown) {
        return Err(bytes.bad(reason));
    }
    bytes.source.check_now(builder.building_bytes())?;
    let source = bytes.source.file;
    let graph = builder.build(&name, &start).map_err(FormatError::not_a_game(source))?;
    with_objective(graph.described(described).into(), reading.objective, source, reading)
}

/// A builder that knows the names of all positions.
fn names<L: FileObjective>(
    bytes: &mut BinaryReader,
    positions: u32,
    text: &mut String,
) -> Result<GraphBuilder<L>, FormatError> {
    let mut builder = GraphBuilder::default();
    for position in 0..positions {
        bytes.name(text, "the name of a position", LONGEST_NAME)?;
        if builder.name(text) != position {
            return Err(FormatError::not_a_game(bytes.source.file)(GraphError::Duplicate(text.clone())));
        }
        bytes.source.check(|| builder.bytes())?;
    }
    Ok(builder)
}

/// The names of moves.
fn own_names<L: FileObjective>(
    bytes: &mut BinaryReader,
    builder: &mut GraphBuilder<L>,
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
struct BinaryGame<L: FileObjective> {
    /// The meaning of priorities.
    order: PriorityOrder,
    positions: u32,
    own_names: Vec<MoveName>,
    builder: GraphBuilder<L>,
    /// Whether a position shows the objective.
    is_shown: bool,
    /// The moves of the current position.
    moves: ByPlayer<Vec<BuiltMove<L::Move>>>,
}

impl<L: FileObjective> BinaryGame<L> {
    fn position(&mut self, bytes: &mut BinaryReader, name: u32) -> Result<(), FormatError> {
        let read = L::read_binary(self.order, bytes)?;
        let data = L::read(&read);
        self.is_shown |= read.priority.is_some() || read.is_by_chance();
        self.moves.iter_mut().for_each(reuse);
        if data.end().is_none() {
            self.read_moves(bytes, (name, &read))?;
        }
        self.builder.position(name, data, self.moves.as_ref().map(|moves| moves.iter().copied()));
        bytes.source.check(|| self.held())
    }

    /// Both players' moves.
    fn read_moves(&mut self, bytes: &mut BinaryReader, at: (u32, &FilePosition)) -> Result<(), FormatError> {
        let count = bytes.below("the number of Alice's moves", u32::MAX)?;
        self.list(bytes, at, count, Player::Alice)?;
        if at.1.is_by_chance() {
            let moves = &self.moves.alice;
            let sum = Probability::common_denominator(moves.iter().map(|step| step.label.chance()));
            sum.map_err(|reason| bytes.bad(reason))?;
            if leads_twice(moves) {
                return Err(bytes.damaged("two moves of chance lead to one position"));
            }
            return match bytes.number()? {
                1 => Ok(()),
                _ => Err(bytes.damaged("a player has a move where chance moves")),
            };
        }
        distinct(&mut self.moves.alice);
        match bytes.below("the number of Bob's moves", u32::MAX)?.checked_sub(1) {
            Some(count) => {
                self.list(bytes, at, count, Player::Bob)?;
                distinct(&mut self.moves.bob);
            }
            None => {
                let growth = 2 * size_of_val(&self.moves.alice[..]) as u64;
                if self.moves.alice.len() > USUAL {
                    bytes.source.check_now(self.held().saturating_add(growth))?;
                }
                let ByPlayer { alice, bob } = &mut self.moves;
                bob.extend(alice.iter().map(|step| BuiltMove { label: L::copied(step.label), ..*step }));
            }
        }
        Ok(())
    }

    fn list(
        &mut self,
        bytes: &mut BinaryReader,
        (position, data): (u32, &FilePosition),
        count: u32,
        player: Player,
    ) -> Result<(), FormatError> {
        let mut before = i64::from(position);
        for _ in 0..count {
            let to = before.checked_add(unfolded(bytes.number()?)).filter(|to| (0..self.positions.into()).contains(to));
            let Some(to) = to else { return Err(bytes.damaged("a move leads to what is no position")) };
            before = to;
            let weight = if L::HAS_WEIGHTS { bytes.amount()? } else { 0 };
            let chance = if data.is_by_chance() { bytes.chance()? } else { Probability::ONE };
            let name = if self.own_names.is_empty() {
                None
            } else {
                let name = bytes.below("the name of a move", self.own_names.len() as u32 + 1)?;
                name.checked_sub(1).map(|name| self.own_names[name as usize])
            };
            if name.is_some() && data.is_by_chance() {
                return Err(bytes.damaged("a move of chance has a name"));
            }
            self.moves[player].push(BuiltMove { to: to as u32, name, label: L::Move::of(weight, chance) });
            bytes.source.check(|| self.held())?;
        }
        Ok(())
    }

    /// Bytes held.
    fn held(&self) -> u64 {
        let beside = size_of_val(&self.own_names[..]) as u64 + self.moves.iter().map(growing_bytes).sum::<u64>();
        self.builder.bytes().saturating_add(beside)
    }
}
