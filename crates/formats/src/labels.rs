//! The contents of files about positions and moves, in every form.

use richman_core::{ByPlayer, Label, PositionKind, Priority, Probability, StochasticLabel, Terminal};

/// A position in a file, without its moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FilePosition {
    /// The end of a win-lose game here.
    pub end: Option<Terminal>,
    /// The score at which a scoring game ends here.
    pub score: Option<i64>,
    /// The score added if Alice (or Bob) is to move and cannot.
    pub stuck: Option<ByPlayer<i64>>,
    /// The priority of a parity game.
    pub priority: Option<Priority>,
    /// Who moves.
    pub mover: StochasticLabel,
}

impl FilePosition {
    pub(crate) fn ended(end: Terminal) -> FilePosition {
        FilePosition { end: Some(end), ..FilePosition::default() }
    }

    pub(crate) fn moved(kind: PositionKind) -> FilePosition {
        FilePosition { mover: StochasticLabel::Player(kind), ..FilePosition::default() }
    }

    /// Whether chance moves.
    pub fn is_by_chance(&self) -> bool {
        self.mover == StochasticLabel::Chance
    }

    /// Who moves; a position of chance counts as one with bids.
    pub fn kind(&self) -> PositionKind {
        match self.mover {
            StochasticLabel::Player(kind) => kind,
            StochasticLabel::Chance => PositionKind::Bid,
        }
    }
}

/// A label of moves that files have: nothing, a weight or a chance.
pub trait FileLabel: Label + Default {
    /// The label of a move with a weight, and a chance, which is 1 unless chance moves.
    fn of(weight: i64, chance: Probability) -> Self;

    /// The weight.
    fn weight(self) -> i64 {
        0
    }

    /// The chance.
    fn chance(self) -> Probability {
        Probability::ONE
    }
}

impl FileLabel for () {
    fn of(_: i64, _: Probability) {}
}

impl FileLabel for i64 {
    fn of(weight: i64, _: Probability) -> i64 {
        weight
    }

    fn weight(self) -> i64 {
        self
    }
}

impl FileLabel for Probability {
    fn of(_: i64, chance: Probability) -> Probability {
        chance
    }

    fn chance(self) -> Probability {
        self
    }
}
