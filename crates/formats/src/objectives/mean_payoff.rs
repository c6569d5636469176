//! Games for the long-run average of weights.

use std::io;

use richman_core::{GraphError, MeanPayoff, NodeData};

use super::{FileObjective, MOVERS, Misfit, PriorityOrder, Signs, StatedObjective, code};
use crate::binary::numbers::{BinaryReader, Summed};
use crate::error::FormatError;
use crate::labels::FilePosition;

impl FileObjective for MeanPayoff {
    const STATED: Option<StatedObjective> = Some(StatedObjective::MeanPayoff);
    const NUMBER: u8 = 3;
    const HAS_WEIGHTS: bool = true;

    fn read(position: &FilePosition) -> NodeData<MeanPayoff> {
        NodeData::On(position.kind())
    }

    fn written(NodeData::On(kind): NodeData<MeanPayoff>) -> FilePosition {
        FilePosition::moved(kind)
    }

    fn order(stated: StatedObjective) -> Option<PriorityOrder> {
        stated.has_weights().then_some(PriorityOrder::USUAL)
    }

    fn misfit(signs: &Signs) -> Option<Misfit> {
        Some((signs.won?.0, GraphError::EndWithAverages))
    }

    fn write(position: &FilePosition, out: &mut Summed) -> io::Result<()> {
        out.number(code(&MOVERS, &position.mover))
    }

    fn read_binary(_: PriorityOrder, bytes: &mut BinaryReader) -> Result<FilePosition, FormatError> {
        let mover = MOVERS[bytes.below("the kind of a position", MOVERS.len() as u32)? as usize];
        Ok(FilePosition { mover, ..FilePosition::default() })
    }
}
