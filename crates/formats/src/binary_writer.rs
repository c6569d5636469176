//! Writes games in binary form.

use std::io::{self, Write};

use crc32fast::Hasher;
use richman_core::{
    ByPlayer, Game, LabelledGraph, MeanPayoff, NodeData, NumberedMove, Parity, ParityPlace, Player, PositionKind,
    Priority, Probability, Scores, Stochastic, StochasticPlace, Terminal, Watch, WinLose,
};

use crate::binary::{MAGIC, VERSION, folded};
use crate::form::pause;
use crate::game_file::of_any;
use crate::{AnyGraph, FileObjective};

/// Writes a game, position by position.
///
/// # Errors
/// The errors of `out`, and [`io::ErrorKind::Other`] if the watch says stop.
pub(crate) fn write(graph: &AnyGraph, out: &mut dyn Write, watch: &dyn Watch) -> io::Result<()> {
    of_any!(graph, graph => write_graph(graph, out, watch))
}

/// An objective whose games have a binary form.
pub(crate) trait BinaryObjective: FileObjective {
    /// The byte that stands for it.
    const CODE: u8;

    /// Where play stands.
    fn write_place(place: NodeData<Self>, out: &mut Summed) -> io::Result<()>;

    /// Whether Bob's copy of a move that both players have counts against Alice.
    const NEGATES: bool = true;

    /// The weight of a move, in a game that has weights.
    fn points(_: Self::Move) -> Option<i64> {
        None
    }

    /// The chance of a move, where chance makes it.
    fn chance(_: NodeData<Self>, _: Self::Move) -> Option<Probability> {
        None
    }
}

impl BinaryObjective for WinLose {
    const CODE: u8 = 0;

    fn write_place(place: NodeData<WinLose>, out: &mut Summed) -> io::Result<()> {
        out.number(match place {
            NodeData::On(kind) => on_code(kind),
            NodeData::End(end) => end_code(end),
        })
    }
}

impl BinaryObjective for Scores {
    const CODE: u8 = 1;

    fn write_place(place: NodeData<Scores>, out: &mut Summed) -> io::Result<()> {
        match place {
            NodeData::On(ByPlayer { alice: 0, bob: 0 }) => out.number(0),
            NodeData::On(ByPlayer { alice, bob }) => {
                out.number(1)?;
                out.number(folded(alice))?;
                out.number(folded(bob))
            }
            NodeData::End(score) => {
                out.number(2)?;
                out.number(folded(score))
            }
        }
    }

    fn points(weight: i64) -> Option<i64> {
        Some(weight)
    }
}

impl BinaryObjective for Parity {
    const CODE: u8 = 2;

    fn write_place(place: NodeData<Parity>, out: &mut Summed) -> io::Result<()> {
        out.number(match place {
            NodeData::End(winner) => winner.either(0, 1),
            NodeData::On(ParityPlace { priority: Priority(priority), kind }) => {
                2 + 3 * u64::from(priority) + kind_code(kind)
            }
        })
    }
}

impl BinaryObjective for MeanPayoff {
    const CODE: u8 = 3;
    const NEGATES: bool = false;

    fn write_place(NodeData::On(kind): NodeData<MeanPayoff>, out: &mut Summed) -> io::Result<()> {
        out.number(kind_code(kind))
    }

    fn points(weight: i64) -> Option<i64> {
        Some(weight)
    }
}

impl BinaryObjective for Stochastic {
    const CODE: u8 = 4;

    fn write_place(place: NodeData<Stochastic>, out: &mut Summed) -> io::Result<()> {
        out.number(match place {
            NodeData::End(end) => end_code(end),
            NodeData::On(StochasticPlace::Player(kind)) => on_code(kind),
            NodeData::On(StochasticPlace::Chance) => 6,
        })
    }

    fn chance(place: NodeData<Stochastic>, chance: Probability) -> Option<Probability> {
        (place == NodeData::On(StochasticPlace::Chance)).then_some(chance)
    }
}

fn end_code(end: Terminal) -> u64 {
    match end {
        Terminal::Win(winner) => winner.either(1, 2),
        Terminal::Draw => 3,
    }
}

/// Beside [`end_code`].
fn on_code(kind: PositionKind) -> u64 {
    match kind {
        PositionKind::Bid => 0,
        PositionKind::Owned(owner) => owner.either(4, 5),
    }
}

fn kind_code(kind: PositionKind) -> u64 {
    match kind {
        PositionKind::Bid => 0,
        PositionKind::Owned(owner) => owner.either(1, 2),
    }
}

fn write_graph<L: BinaryObjective>(graph: &LabelledGraph<L>, out: &mut dyn Write, watch: &dyn Watch) -> io::Result<()> {
    let mut out = Summed { out, bytes: Vec::with_capacity(2 * FULL), sum: Hasher::new() };
    out.bytes.extend(MAGIC);
    out.bytes.extend([VERSION, L::CODE]);
    out.text(&graph.name())?;
    out.text(&graph.description().unwrap_or_default())?;
    let positions = graph.len();
    out.number(positions.into())?;
    let is_numbered = (0..positions).all(|position| graph.name_of(position) == position.to_string());
    out.number((!is_numbered).into())?;
    if !is_numbered {
        for position in 0..positions {
            pause(watch, "writing names", position, positions)?;
            out.text(&graph.name_of(position))?;
        }
    }
    let own_names = graph.own_names();
    let are_named = own_names.len() > 0;
    out.number(own_names.len() as u64)?;
    for name in own_names {
        out.text(&name)?;
    }
    out.number(graph.start().into())?;
    for position in 0..positions {
        pause(watch, "writing positions", position, positions)?;
        let place = graph.place(position);
        L::write_place(place, &mut out)?;
        if place.end().is_some() {
            continue;
        }
        let [alice, bob] = Player::BOTH.map(|player| graph.numbered_moves(position, player));
        out.number(alice.len() as u64)?;
        out.moves((position, place), alice, are_named)?;
        if are_both_players(graph, position) {
            out.number(0)?;
        } else {
            out.number(bob.len() as u64 + 1)?;
            out.moves((position, place), bob, are_named)?;
        }
    }
    out.finish()
}

/// Whether Bob's moves are Alice's, with weights negated where they count against her.
fn are_both_players<L: BinaryObjective>(graph: &LabelledGraph<L>, position: u32) -> bool {
    let of = |player, sign: i64| {
        let key = move |step: NumberedMove<L>| (step.to, step.name, L::points(step.label).map(|weight| sign * weight));
        graph.numbered_moves(position, player).map(key)
    };
    of(Player::Alice, if L::NEGATES { -1 } else { 1 }).eq(of(Player::Bob, 1))
}

/// Bytes that are collected before they are written.
const FULL: usize = 1 << 16;

/// A file and the checksum of its bytes.
pub(crate) struct Summed<'a> {
    out: &'a mut dyn Write,
    bytes: Vec<u8>,
    sum: Hasher,
}

impl Summed<'_> {
    fn number(&mut self, mut number: u64) -> io::Result<()> {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
        if self.bytes.len() >= FULL { self.flush() } else { Ok(()) }
    }

    fn text(&mut self, text: &str) -> io::Result<()> {
        self.number(text.len() as u64)?;
        self.bytes.extend(text.as_bytes());
        Ok(())
    }

    fn moves<L: BinaryObjective>(
        &mut self,
        (position, place): (u32, NodeData<L>),
        moves: impl Iterator<Item = NumberedMove<L>>,
        are_named: bool,
    ) -> io::Result<()> {
        let mut before = position;
        for step in moves {
            self.number(folded(i64::from(step.to) - i64::from(before)))?;
            before = step.to;
            if let Some(weight) = L::points(step.label) {
                self.number(folded(weight))?;
            }
            if let Some(chance) = L::chance(place, step.label) {
                self.number(chance.numerator())?;
                self.number(chance.denominator())?;
            }
            if are_named {
                self.number(step.name.map_or(0, |name| u64::from(name.index()) + 1))?;
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sum.update(&self.bytes);
        self.out.write_all(&self.bytes)?;
        self.bytes.clear();
        Ok(())
    }

    fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        self.out.write_all(&self.sum.finalize().to_le_bytes())
    }
}
