//! The labels of each objective in the binary form, written and read.

use std::io;

use richman_core::{
    ByPlayer, Label, MeanPayoff, NodeData, Parity, ParityPlace, Playable, Player, PositionKind, Priority, Probability,
    Scores, Stochastic, StochasticPlace, Terminal, WinLose,
};

use super::numbers::{BinaryReader, Summed, folded};
use crate::error::FormatError;
use crate::goal::PriorityOrder;

/// A label of moves.
pub(super) trait BinaryLabel: Label + Default {
    fn write(self, out: &mut Summed) -> io::Result<()>;

    fn read(bytes: &mut BinaryReader) -> Result<Self, FormatError>;

    /// The chance of the move, where chance makes it.
    fn chance(self) -> Probability {
        Probability::ONE
    }
}

/// Nothing is written.
impl BinaryLabel for () {
    fn write(self, _: &mut Summed) -> io::Result<()> {
        Ok(())
    }

    fn read(_: &mut BinaryReader) -> Result<(), FormatError> {
        Ok(())
    }
}

/// A weight.
impl BinaryLabel for i64 {
    fn write(self, out: &mut Summed) -> io::Result<()> {
        out.number(folded(self))
    }

    fn read(bytes: &mut BinaryReader) -> Result<i64, FormatError> {
        bytes.amount()
    }
}

impl BinaryLabel for Probability {
    fn write(self, out: &mut Summed) -> io::Result<()> {
        out.number(self.numerator())?;
        out.number(self.denominator())
    }

    fn read(bytes: &mut BinaryReader) -> Result<Probability, FormatError> {
        let (numerator, denominator) = (bytes.number()?, bytes.number()?);
        let chance = Probability::new(numerator, denominator).filter(|chance| chance.numerator() == numerator);
        chance.ok_or_else(|| bytes.damaged("a chance is not above 0 and at most 1"))
    }

    fn chance(self) -> Probability {
        self
    }
}

/// An objective whose games have a binary form.
pub(super) trait BinaryObjective: Playable<Move: BinaryLabel> {
    /// The byte that stands for it.
    const CODE: u8;

    /// Why a game none of whose positions [shows](BinaryObjective::shows) the objective is refused.
    const UNSHOWN: Option<&'static str> = None;

    /// Whether the labels of moves are chances, at the positions that show the objective alone.
    const HAS_CHANCES: bool = false;

    /// Whether a position shows the objective.
    fn shows(place: NodeData<Self>) -> bool {
        let _ = place;
        true
    }

    /// Writes where play stands.
    fn write_place(place: NodeData<Self>, out: &mut Summed) -> io::Result<()>;

    /// Reads it; priorities are in that order.
    fn read_place(bytes: &mut BinaryReader, order: PriorityOrder) -> Result<NodeData<Self>, FormatError>;

    /// The label of Bob's copy of a move that both players have.
    fn copied(label: Self::Move) -> Self::Move {
        label
    }

    /// Whether chance moves at a position.
    fn is_by_chance(place: NodeData<Self>) -> bool {
        Self::HAS_CHANCES && Self::shows(place)
    }

    /// Whether the label of a move at a position is written; another has the usual one.
    fn is_labelled(place: NodeData<Self>) -> bool {
        !Self::HAS_CHANCES || Self::shows(place)
    }
}

impl BinaryObjective for WinLose {
    const CODE: u8 = 0;

    fn write_place(place: NodeData<WinLose>, out: &mut Summed) -> io::Result<()> {
        out.number(code(&PLACES, place))
    }

    fn read_place(bytes: &mut BinaryReader, _: PriorityOrder) -> Result<NodeData<WinLose>, FormatError> {
        bytes.below("the kind of a position", PLACES.len() as u32).map(|code| PLACES[code as usize])
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
                2 + 3 * u64::from(priority) + code(&KINDS, kind)
            }
        })
    }

    fn read_place(bytes: &mut BinaryReader, order: PriorityOrder) -> Result<NodeData<Parity>, FormatError> {
        let place = bytes.below("the priority", 2 + 3 * (Priority::MAX + 1))?;
        match place.checked_sub(2) {
            None => Ok(NodeData::End(Player::BOTH[place as usize])),
            Some(place) if place / 3 <= order.most() => {
                let priority = order.usual(Priority(place / 3));
                Ok(NodeData::On(ParityPlace { priority, kind: KINDS[place as usize % 3] }))
            }
            Some(_) => Err(bytes.bad(format!("a priority is at most {}", order.most()))),
        }
    }
}

impl BinaryObjective for MeanPayoff {
    const CODE: u8 = 3;

    fn write_place(NodeData::On(kind): NodeData<MeanPayoff>, out: &mut Summed) -> io::Result<()> {
        out.number(code(&KINDS, kind))
    }

    fn read_place(bytes: &mut BinaryReader, _: PriorityOrder) -> Result<NodeData<MeanPayoff>, FormatError> {
        let code = bytes.below("the kind of a position", KINDS.len() as u32)?;
        Ok(NodeData::On(KINDS[code as usize]))
    }
}

impl BinaryObjective for Stochastic {
    const CODE: u8 = 4;
    const UNSHOWN: Option<&'static str> = Some("chance moves nowhere: this is a game to win");
    const HAS_CHANCES: bool = true;

    fn shows(place: NodeData<Stochastic>) -> bool {
        place == NodeData::On(StochasticPlace::Chance)
    }

    fn write_place(place: NodeData<Stochastic>, out: &mut Summed) -> io::Result<()> {
        out.number(match place {
            NodeData::End(end) => code(&PLACES, NodeData::End(end)),
            NodeData::On(StochasticPlace::Player(kind)) => code(&PLACES, NodeData::On(kind)),
            NodeData::On(StochasticPlace::Chance) => PLACES.len() as u64,
        })
    }

    fn read_place(bytes: &mut BinaryReader, _: PriorityOrder) -> Result<NodeData<Stochastic>, FormatError> {
        let code = bytes.below("the kind of a position", PLACES.len() as u32 + 1)?;
        Ok(match PLACES.get(code as usize) {
            Some(&NodeData::End(end)) => NodeData::End(end),
            Some(&NodeData::On(kind)) => NodeData::On(StochasticPlace::Player(kind)),
            None => NodeData::On(StochasticPlace::Chance),
        })
    }
}

/// Who moves, in the order of their numbers.
const KINDS: [PositionKind; 3] =
    [PositionKind::Bid, PositionKind::Owned(Player::Alice), PositionKind::Owned(Player::Bob)];

/// The positions of a game that is won or lost at an end, in the order of their numbers.
const PLACES: [NodeData<WinLose>; 6] = [
    NodeData::On(PositionKind::Bid),
    NodeData::End(Terminal::Win(Player::Alice)),
    NodeData::End(Terminal::Win(Player::Bob)),
    NodeData::End(Terminal::Draw),
    NodeData::On(PositionKind::Owned(Player::Alice)),
    NodeData::On(PositionKind::Owned(Player::Bob)),
];

/// The number of a value in a list of all.
fn code<T: PartialEq>(all: &[T], value: T) -> u64 {
    all.iter().take_while(|other| **other != value).count() as u64
}
