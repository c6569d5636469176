//! Games that are won or lost at an end.

use std::io;

use richman_core::{NodeData, Player, StochasticLabel, Terminal, WinLose};

use super::{FileObjective, MOVERS, PriorityOrder, StatedObjective, code};
use crate::binary::numbers::{BinaryReader, Summed};
use crate::error::FormatError;
use crate::labels::FilePosition;

/// The kinds of positions, in the order of their numbers in the binary form: how the game ended, or
/// who moves. The last one occurs only where chance moves too.
const KINDS: [Result<StochasticLabel, Terminal>; 7] = [
    Ok(MOVERS[0]),
    Err(Terminal::Win(Player::Alice)),
    Err(Terminal::Win(Player::Bob)),
    Err(Terminal::Draw),
    Ok(MOVERS[1]),
    Ok(MOVERS[2]),
    Ok(StochasticLabel::Chance),
];

/// The number of the kinds of positions without chance.
pub(super) const WITHOUT_CHANCE: u32 = KINDS.len() as u32 - 1;
/// The number of all kinds of positions.
pub(super) const WITH_CHANCE: u32 = KINDS.len() as u32;

pub(super) fn write(position: &FilePosition, out: &mut Summed) -> io::Result<()> {
    out.number(code(&KINDS, &position.end.map_or(Ok(position.mover), Err)))
}

/// Reads one of the first `kinds`.
pub(super) fn read(kinds: u32, bytes: &mut BinaryReader) -> Result<FilePosition, FormatError> {
    let mut position = FilePosition::default();
    match KINDS[bytes.below("the kind of a position", kinds)? as usize] {
        Ok(mover) => position.mover = mover,
        Err(end) => position.end = Some(end),
    }
    Ok(position)
}

/// Such games may be stated to be played for reaching a target.
pub(super) fn order(stated: StatedObjective) -> Option<PriorityOrder> {
    (stated == StatedObjective::Reach).then_some(PriorityOrder::USUAL)
}

impl FileObjective for WinLose {
    const NUMBER: u8 = 0;
    const HAS_RANDOM_TURN: bool = true;

    fn read(position: &FilePosition) -> NodeData<WinLose> {
        position.end.map_or(NodeData::On(position.kind()), NodeData::End)
    }

    fn written(data: NodeData<WinLose>) -> FilePosition {
        match data {
            NodeData::End(end) => FilePosition::ended(end),
            NodeData::On(kind) => FilePosition::moved(kind),
        }
    }

    fn order(stated: StatedObjective) -> Option<PriorityOrder> {
        order(stated)
    }

    fn write(position: &FilePosition, out: &mut Summed) -> io::Result<()> {
        write(position, out)
    }

    fn read_binary(_: PriorityOrder, bytes: &mut BinaryReader) -> Result<FilePosition, FormatError> {
        read(WITHOUT_CHANCE, bytes)
    }
}
