//! The positions of each objective in the binary form, written and read.

use std::io;

use richman_core::{Aim, ByPlayer, Label, Player, PositionKind, Priority, StochasticLabel, Terminal};

use super::numbers::{BinaryReader, Summed, folded};
use crate::error::FormatError;
use crate::labels::{FileObjective, FilePosition};
use crate::stated::PriorityOrder;

/// The objectives, in the order of their numbers.
pub(super) const AIMS: [Aim; 5] = [Aim::Win, Aim::Score, Aim::Parity, Aim::MeanPayoff, Aim::Stochastic];

/// Who moves, in the order of their numbers.
const MOVERS: [StochasticLabel; 3] = [
    StochasticLabel::Player(PositionKind::Bid),
    StochasticLabel::Player(PositionKind::Owned(Player::Alice)),
    StochasticLabel::Player(PositionKind::Owned(Player::Bob)),
];

/// The kinds of positions of a win-lose game, in the order of their numbers: how it ended, or who
/// moves. The last one occurs only where chance moves too.
const KINDS: [Result<StochasticLabel, Terminal>; 7] = [
    Ok(MOVERS[0]),
    Err(Terminal::Win(Player::Alice)),
    Err(Terminal::Win(Player::Bob)),
    Err(Terminal::Draw),
    Ok(MOVERS[1]),
    Ok(MOVERS[2]),
    Ok(StochasticLabel::Chance),
];

/// The number of a value in a list of all.
pub(super) fn code<T: PartialEq>(all: &[T], value: &T) -> u64 {
    all.iter().take_while(|other| *other != value).count() as u64
}

/// The reason for refusing a game if no position shows its objective.
pub(super) fn unshown(aim: Aim) -> Option<&'static str> {
    match aim {
        Aim::Parity => Some("no position has a priority: this is a game to win"),
        Aim::Stochastic => Some("chance moves nowhere: this is a game to win"),
        Aim::Win | Aim::Score | Aim::MeanPayoff => None,
    }
}

/// Whether the moves of games with this objective have weights.
pub(super) fn has_weights(aim: Aim) -> bool {
    matches!(aim, Aim::Score | Aim::MeanPayoff)
}

/// The label of Bob's copy of a move that both players have: a point for the mover of a scoring
/// game is one against Alice if Bob moves.
pub(super) fn copied<L: FileObjective>(label: L::Move) -> L::Move {
    if L::AIM == Aim::Score { label.mirror() } else { label }
}

pub(super) fn write(aim: Aim, position: &FilePosition, out: &mut Summed) -> io::Result<()> {
    let mover = || code(&MOVERS, &position.mover);
    match (aim, position.end) {
        (Aim::Win | Aim::Stochastic, end) => out.number(code(&KINDS, &end.map_or(Ok(position.mover), Err))),
        (Aim::Score, _) => match (position.score, position.stuck) {
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
        },
        (Aim::Parity, Some(end)) => out.number(u64::from(end == Terminal::Win(Player::Bob))),
        (Aim::Parity, None) => out.number(2 + 3 * u64::from(position.priority.unwrap_or_default().0) + mover()),
        (Aim::MeanPayoff, _) => out.number(mover()),
    }
}

/// Reads a position; priorities are in that order.
pub(super) fn read(aim: Aim, order: PriorityOrder, bytes: &mut BinaryReader) -> Result<FilePosition, FormatError> {
    let mut position = FilePosition::default();
    match aim {
        Aim::Win | Aim::Stochastic => {
            let bound = KINDS.len() as u32 - u32::from(aim == Aim::Win);
            match KINDS[bytes.below("the kind of a position", bound)? as usize] {
                Ok(mover) => position.mover = mover,
                Err(end) => position.end = Some(end),
            }
        }
        Aim::Score => match bytes.below("the end of the game", 3)? {
            0 => position.stuck = Some(ByPlayer::both(0)),
            1 => position.stuck = Some(ByPlayer::new(bytes.amount()?, bytes.amount()?)),
            _ => position.score = Some(bytes.amount()?),
        },
        Aim::Parity => {
            let code = bytes.below("the priority", 2 + 3 * (Priority::MAX + 1))?;
            match code.checked_sub(2) {
                None => position.end = Some(Terminal::Win(Player::BOTH[code as usize])),
                Some(code) if code / 3 <= order.most() => {
                    position.priority = Some(order.usual(Priority(code / 3)));
                    position.mover = MOVERS[code as usize % 3];
                }
                Some(_) => return Err(bytes.bad(format!("a priority is at most {}", order.most()))),
            }
        }
        Aim::MeanPayoff => {
            position.mover = MOVERS[bytes.below("the kind of a position", MOVERS.len() as u32)? as usize];
        }
    }
    Ok(position)
}
