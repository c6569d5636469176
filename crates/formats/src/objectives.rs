//! The objectives in files: one file for each, with its labels, its signs, and its numbers in the
//! binary form; how a file states its objective, and how it is decided.

mod decided;
mod energy;
mod mean_payoff;
mod parity;
mod score;
mod stated;
mod stochastic;
mod win;

use std::io;

pub(crate) use decided::{ReadPosition, Signs};
pub(crate) use energy::with_objective;
pub use stated::{PriorityOrder, StatedObjective};

use richman_core::{GraphBuilder, GraphError, NodeData, Playable, Player, PositionKind, StochasticLabel};

use crate::binary::numbers::{BinaryReader, Summed};
use crate::error::FormatError;
use crate::labels::{FileLabel, FilePosition};

/// A position for which an objective has no label, and the error, of the position's name.
pub type Misfit = (u32, fn(String) -> GraphError);

/// An objective whose games can be written in files.
pub trait FileObjective: Playable<Move: FileLabel> {
    /// The objective as the file names it, where the positions do not show it.
    const STATED: Option<StatedObjective> = None;
    /// Its number in the binary form.
    const NUMBER: u8;
    /// The reason for refusing a binary file in which no position shows the objective.
    const UNSHOWN: Option<&'static str> = None;
    /// Whether moves have weights.
    const HAS_WEIGHTS: bool = false;
    /// Whether its games are won or lost at an end, so that random-turn play can be written.
    const HAS_RANDOM_TURN: bool = false;
    /// Whether its games have solutions that are saved.
    const IS_SAVED: bool = true;

    /// The labels of a position. Data without a label in this objective is dropped; files with it
    /// are refused elsewhere.
    fn read(position: &FilePosition) -> NodeData<Self>;

    /// The position in a file with these labels.
    fn written(data: NodeData<Self>) -> FilePosition;

    /// The label of Bob's copy of a move that both players have.
    fn copied(label: Self::Move) -> Self::Move {
        label
    }

    /// The meaning of priorities if the objective is stated so; `None` if it cannot be.
    fn order(stated: StatedObjective) -> Option<PriorityOrder>;

    /// The first position for which the objective has no label.
    fn misfit(signs: &Signs) -> Option<Misfit> {
        let _ = signs;
        None
    }

    /// Changes the labels of a whole game whose objective is stated, if the same game has simpler
    /// ones.
    fn simplify(builder: &mut GraphBuilder<Self>) {
        let _ = builder;
    }

    /// Writes a position in the binary form.
    ///
    /// # Errors
    /// The errors of `out`.
    fn write(position: &FilePosition, out: &mut Summed) -> io::Result<()>;

    /// Reads a position in the binary form; priorities are in that order.
    ///
    /// # Errors
    /// Names the number that is wrong.
    fn read_binary(order: PriorityOrder, bytes: &mut BinaryReader) -> Result<FilePosition, FormatError>;
}

/// Who moves, in the order of their numbers in the binary form.
const MOVERS: [StochasticLabel; 3] = [
    StochasticLabel::Player(PositionKind::Bid),
    StochasticLabel::Player(PositionKind::Owned(Player::Alice)),
    StochasticLabel::Player(PositionKind::Owned(Player::Bob)),
];

/// The number of a value in a list of all.
fn code<T: PartialEq>(all: &[T], value: &T) -> u64 {
    all.iter().take_while(|other| *other != value).count() as u64
}

/// The meaning of priorities in a form that states the objective of its games.
///
/// # Errors
/// The objective, if such games cannot have it.
pub(crate) fn order_for<L: FileObjective>(
    objective: Option<StatedObjective>,
) -> Result<PriorityOrder, StatedObjective> {
    objective.map_or(Ok(PriorityOrder::USUAL), |objective| L::order(objective).ok_or(objective))
}
