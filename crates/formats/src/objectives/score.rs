//! Games for a score.

use std::io;

use richman_core::{ByPlayer, GraphError, Label, NodeData, Scores};

use super::{FileObjective, Misfit, PriorityOrder, Signs, StatedObjective};
use crate::binary::numbers::{BinaryReader, Summed, folded};
use crate::error::FormatError;
use crate::labels::FilePosition;

impl FileObjective for Scores {
    const NUMBER: u8 = 1;
    const HAS_WEIGHTS: bool = true;
    const IS_SAVED: bool = false;

    fn read(position: &FilePosition) -> NodeData<Scores> {
        position.score.map_or(NodeData::On(position.stuck.unwrap_or_default()), NodeData::End)
    }

    fn written(data: NodeData<Scores>) -> FilePosition {
        match data {
            NodeData::End(score) => FilePosition { score: Some(score), ..FilePosition::default() },
            // This marks a game without other numbers as a scoring game.
            NodeData::On(stuck) => FilePosition { stuck: Some(stuck), ..FilePosition::default() },
        }
    }

    /// A point for the mover is one against Alice if Bob moves.
    fn copied(weight: i64) -> i64 {
        weight.mirror()
    }

    fn order(_: StatedObjective) -> Option<PriorityOrder> {
        None
    }

    fn misfit(signs: &Signs) -> Option<Misfit> {
        Some((signs.mixed?, GraphError::MovesAfterScore))
    }

    fn write(position: &FilePosition, out: &mut Summed) -> io::Result<()> {
        match (position.score, position.stuck) {
            (Some(score), _) => {
                out.number(2)?;
                out.number(folded(score))
            }
            (None, None | Some(ByPlayer { alice: 0, bob: 0 })) => out.number(0),
            (None, Some(ByPlayer { alice, bob })) => {
                out.number(1)?;
                out.number(folded(alice))?;
                out.number(folded(bob))
            }
        }
    }

    fn read_binary(_: PriorityOrder, bytes: &mut BinaryReader) -> Result<FilePosition, FormatError> {
        let mut position = FilePosition::default();
        match bytes.below("the end of the game", 3)? {
            0 => position.stuck = Some(ByPlayer::both(0)),
            1 => position.stuck = Some(ByPlayer::new(bytes.amount()?, bytes.amount()?)),
            _ => position.score = Some(bytes.amount()?),
        }
        Ok(position)
    }
}
