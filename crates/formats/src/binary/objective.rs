//! The labels of each objective in the binary form, written and read.

use std::io;

use richman_core::{
    ByPlayer, MeanPayoff, NodeData, Parity, ParityPlace, Playable, Player, PositionKind, Priority, Probability, Scores,
    Stochastic, StochasticPlace, Terminal, WinLose,
};

use super::numbers::{BinaryReader, Summed, folded};
use crate::error::FormatError;
use crate::goal::PriorityOrder;

/// An objective whose games have a binary form.
pub(super) trait BinaryObjective: Playable {
    /// The byte that stands for it.
    const CODE: u8;

    /// Why a game none of whose positions [shows](BinaryObjective::shows) the objective is refused.
    const UNSHOWN: Option<&'static str> = None;

    /// Whether a position shows the objective.
    fn shows(place: NodeData<Self>) -> bool {
        let _ = place;
        true
    }

    /// Writes where play stands.
    fn write_place(place: NodeData<Self>, out: &mut Summed) -> io::Result<()>;

    /// Reads it; priorities are in that order.
    fn read_place(bytes: &mut BinaryReader, order: PriorityOrder) -> Result<NodeData<Self>, FormatError>;

    /// Writes the label of a move at a position.
    fn write_label(place: NodeData<Self>, label: Self::Move, out: &mut Summed) -> io::Result<()>;

    /// Reads it.
    fn read_label(place: NodeData<Self>, bytes: &mut BinaryReader) -> Result<Self::Move, FormatError>;

    /// The label of Bob's copy of a move that both players have.
    fn copied(label: Self::Move) -> Self::Move {
        label
    }

    /// What gives the chance of a move, where chance makes it.
    fn chance(place: NodeData<Self>) -> Option<fn(Self::Move) -> Probability> {
        let _ = place;
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

    fn read_place(bytes: &mut BinaryReader, _: PriorityOrder) -> Result<NodeData<WinLose>, FormatError> {
        bytes.below("the kind of a position", 6).map(end_or_on)
    }

    fn write_label(_: NodeData<WinLose>, (): (), _: &mut Summed) -> io::Result<()> {
        Ok(())
    }

    fn read_label(_: NodeData<WinLose>, _: &mut BinaryReader) -> Result<(), FormatError> {
        Ok(())
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

    fn read_place(bytes: &mut BinaryReader, _: PriorityOrder) -> Result<NodeData<Scores>, FormatError> {
        Ok(match bytes.below("the end of the game", 3)? {
            0 => NodeData::On(ByPlayer::both(0)),
            1 => NodeData::On(ByPlayer::new(bytes.amount()?, bytes.amount()?)),
            _ => NodeData::End(bytes.amount()?),
        })
    }

    fn write_label(_: NodeData<Scores>, weight: i64, out: &mut Summed) -> io::Result<()> {
        out.number(folded(weight))
    }

    fn read_label(_: NodeData<Scores>, bytes: &mut BinaryReader) -> Result<i64, FormatError> {
        bytes.amount()
    }

    /// A point for the mover is one against Alice if Bob moves.
    fn copied(weight: i64) -> i64 {
        -weight
    }
}

impl BinaryObjective for Parity {
    const CODE: u8 = 2;
    const UNSHOWN: Option<&'static str> = Some("no position has a priority: this is a game to win");

    fn shows(place: NodeData<Parity>) -> bool {
        place.end().is_none()
    }

    fn write_place(place: NodeData<Parity>, out: &mut Summed) -> io::Result<()> {
        out.number(match place {
            NodeData::End(winner) => winner.either(0, 1),
            NodeData::On(ParityPlace { priority: Priority(priority), kind }) => {
                2 + 3 * u64::from(priority) + kind_code(kind)
            }
        })
    }

    fn read_place(bytes: &mut BinaryReader, order: PriorityOrder) -> Result<NodeData<Parity>, FormatError> {
        let place = bytes.below("the priority", 2 + 3 * (Priority::MAX + 1))?;
        match place.checked_sub(2) {
            None => Ok(NodeData::End(Player::BOTH[place as usize])),
            Some(place) if place / 3 <= order.most() => {
                let priority = order.usual(Priority(place / 3));
                Ok(NodeData::On(ParityPlace { priority, kind: kind(place % 3) }))
            }
            Some(_) => Err(bytes.bad(format!("a priority is at most {}", order.most()))),
        }
    }

    fn write_label(_: NodeData<Parity>, (): (), _: &mut Summed) -> io::Result<()> {
        Ok(())
    }

    fn read_label(_: NodeData<Parity>, _: &mut BinaryReader) -> Result<(), FormatError> {
        Ok(())
    }
}

impl BinaryObjective for MeanPayoff {
    const CODE: u8 = 3;

    fn write_place(NodeData::On(kind): NodeData<MeanPayoff>, out: &mut Summed) -> io::Result<()> {
        out.number(kind_code(kind))
    }

    fn read_place(bytes: &mut BinaryReader, _: PriorityOrder) -> Result<NodeData<MeanPayoff>, FormatError> {
        bytes.below("the kind of a position", 3).map(|code| NodeData::On(kind(code)))
    }

    fn write_label(_: NodeData<MeanPayoff>, weight: i64, out: &mut Summed) -> io::Result<()> {
        out.number(folded(weight))
    }

    fn read_label(_: NodeData<MeanPayoff>, bytes: &mut BinaryReader) -> Result<i64, FormatError> {
        bytes.amount()
    }
}

impl BinaryObjective for Stochastic {
    const CODE: u8 = 4;
    const UNSHOWN: Option<&'static str> = Some("chance moves nowhere: this is a game to win");

    fn shows(place: NodeData<Stochastic>) -> bool {
        place == NodeData::On(StochasticPlace::Chance)
    }

    fn write_place(place: NodeData<Stochastic>, out: &mut Summed) -> io::Result<()> {
        out.number(match place {
            NodeData::End(end) => end_code(end),
            NodeData::On(StochasticPlace::Player(kind)) => on_code(kind),
            NodeData::On(StochasticPlace::Chance) => 6,
        })
    }

    fn read_place(bytes: &mut BinaryReader, _: PriorityOrder) -> Result<NodeData<Stochastic>, FormatError> {
        Ok(match bytes.below("the kind of a position", 7)? {
            6 => NodeData::On(StochasticPlace::Chance),
            code => match end_or_on(code) {
                NodeData::End(end) => NodeData::End(end),
                NodeData::On(kind) => NodeData::On(StochasticPlace::Player(kind)),
            },
        })
    }

    fn write_label(place: NodeData<Stochastic>, chance: Probability, out: &mut Summed) -> io::Result<()> {
        if Self::shows(place) {
            out.number(chance.numerator())?;
            out.number(chance.denominator())?;
        }
        Ok(())
    }

    fn read_label(place: NodeData<Stochastic>, bytes: &mut BinaryReader) -> Result<Probability, FormatError> {
        if !Self::shows(place) {
            return Ok(Probability::ONE);
        }
        let (numerator, denominator) = (bytes.number()?, bytes.number()?);
        let chance = Probability::new(numerator, denominator).filter(|chance| chance.numerator() == numerator);
        chance.ok_or_else(|| bytes.damaged("a chance is not above 0 and at most 1"))
    }

    fn chance(place: NodeData<Stochastic>) -> Option<fn(Probability) -> Probability> {
        Self::shows(place).then_some(|chance| chance)
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

/// What [`end_code`] or [`on_code`] stands for.
fn end_or_on(code: u32) -> NodeData<WinLose> {
    match code {
        1 => NodeData::End(Terminal::Win(Player::Alice)),
        2 => NodeData::End(Terminal::Win(Player::Bob)),
        3 => NodeData::End(Terminal::Draw),
        _ => NodeData::On(kind(code.saturating_sub(3))),
    }
}

fn kind_code(kind: PositionKind) -> u64 {
    match kind {
        PositionKind::Bid => 0,
        PositionKind::Owned(owner) => owner.either(1, 2),
    }
}

/// What [`kind_code`] stands for.
fn kind(code: u32) -> PositionKind {
    match code {
        0 => PositionKind::Bid,
        1 => PositionKind::Owned(Player::Alice),
        _ => PositionKind::Owned(Player::Bob),
    }
}
