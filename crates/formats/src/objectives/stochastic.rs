//! Games that are won or lost at an end, in which chance moves too.

use std::io;

use richman_core::{NodeData, Stochastic};

use super::{FileObjective, PriorityOrder, StatedObjective, win};
use crate::binary::numbers::{BinaryReader, Summed};
use crate::error::FormatError;
use crate::labels::FilePosition;

impl FileObjective for Stochastic {
    const NUMBER: u8 = 4;
    const UNSHOWN: Option<&'static str> = Some("chance moves nowhere: this is a game to win");
    const HAS_RANDOM_TURN: bool = true;
    const IS_SAVED: bool = false;

    fn read(position: &FilePosition) -> NodeData<Stochastic> {
        position.end.map_or(NodeData::On(position.mover), NodeData::End)
    }

    fn written(data: NodeData<Stochastic>) -> FilePosition {
        match data {
            NodeData::End(end) => FilePosition::ended(end),
            NodeData::On(mover) => FilePosition { mover, ..FilePosition::default() },
        }
    }

    fn order(stated: StatedObjective) -> Option<PriorityOrder> {
        win::order(stated)
    }

    fn write(position: &FilePosition, out: &mut Summed) -> io::Result<()> {
        win::write(position, out)
    }

    fn read_binary(_: PriorityOrder, bytes: &mut BinaryReader) -> Result<FilePosition, FormatError> {
        win::read(win::WITH_CHANCE, bytes)
    }
}
