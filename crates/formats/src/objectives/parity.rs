//! Games for the priorities that recur forever.

use std::io;

use richman_core::{GraphBuilder, GraphError, NodeData, Parity, ParityLabel, Player, Priority, Terminal};

use super::{FileObjective, MOVERS, Misfit, PriorityOrder, Signs, StatedObjective, code};
use crate::binary::numbers::{BinaryReader, Summed};
use crate::error::FormatError;
use crate::labels::FilePosition;

impl FileObjective for Parity {
    const NUMBER: u8 = 2;
    const UNSHOWN: Option<&'static str> = Some("no position has a priority: this is a game to win");

    fn read(position: &FilePosition) -> NodeData<Parity> {
        match position.end {
            Some(Terminal::Win(winner)) => NodeData::End(winner),
            Some(Terminal::Draw) | None => {
                NodeData::On(ParityLabel { priority: position.priority.unwrap_or_default(), kind: position.kind() })
            }
        }
    }

    fn written(data: NodeData<Parity>) -> FilePosition {
        match data {
            NodeData::End(winner) => FilePosition::ended(Terminal::Win(winner)),
            // The priority marks a game as a parity game.
            NodeData::On(ParityLabel { priority, kind }) => {
                FilePosition { priority: Some(priority), ..FilePosition::moved(kind) }
            }
        }
    }

    fn order(stated: StatedObjective) -> Option<PriorityOrder> {
        if let StatedObjective::Parity(order) = stated { Some(order) } else { None }
    }

    fn misfit(signs: &Signs) -> Option<Misfit> {
        Some((signs.drawn?, GraphError::DrawWithPriorities))
    }

    fn simplify(builder: &mut GraphBuilder<Parity>) {
        builder.lower_priorities();
    }

    fn write(position: &FilePosition, out: &mut Summed) -> io::Result<()> {
        out.number(match position.end {
            Some(end) => u64::from(end == Terminal::Win(Player::Bob)),
            None => 2 + 3 * u64::from(position.priority.unwrap_or_default().0) + code(&MOVERS, &position.mover),
        })
    }

    fn read_binary(order: PriorityOrder, bytes: &mut BinaryReader) -> Result<FilePosition, FormatError> {
        let mut position = FilePosition::default();
        let code = bytes.below("the priority", 2 + 3 * (Priority::MAX + 1))?;
        match code.checked_sub(2) {
            None => position.end = Some(Terminal::Win(Player::BOTH[code as usize])),
            Some(code) if code / 3 <= order.most() => {
                position.priority = Some(order.usual(Priority(code / 3)));
                position.mover = MOVERS[code as usize % 3];
            }
            Some(_) => return Err(bytes.bad(format!("a priority is at most {}", order.most()))),
        }
        Ok(position)
    }
}
