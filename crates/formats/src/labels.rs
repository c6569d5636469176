//! The contents of files about positions and moves, in every form, and their labels for each
//! objective.

use richman_core::{
    ByPlayer, Label, MeanPayoff, NodeData, Parity, ParityLabel, Playable, PositionKind, Priority, Probability, Scores,
    Stochastic, StochasticLabel, Terminal, WinLose,
};

use crate::stated::StatedObjective;

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
    fn ended(end: Terminal) -> FilePosition {
        FilePosition { end: Some(end), ..FilePosition::default() }
    }

    fn moved(kind: PositionKind) -> FilePosition {
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

/// An objective whose games can be written in files.
pub trait FileObjective: Playable<Move: FileLabel> {
    /// The objective as the file names it, where the positions do not show it.
    const STATED: Option<StatedObjective> = None;

    /// The labels of a position. Data without a label in this objective is dropped; files with it
    /// are refused elsewhere.
    fn read(position: &FilePosition) -> NodeData<Self>;

    /// The position in a file with these labels.
    fn written(data: NodeData<Self>) -> FilePosition;
}

impl FileObjective for WinLose {
    fn read(position: &FilePosition) -> NodeData<WinLose> {
        position.end.map_or(NodeData::On(position.kind()), NodeData::End)
    }

    fn written(data: NodeData<WinLose>) -> FilePosition {
        match data {
            NodeData::End(end) => FilePosition::ended(end),
            NodeData::On(kind) => FilePosition::moved(kind),
        }
    }
}

impl FileObjective for Scores {
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
}

impl FileObjective for Parity {
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
}

impl FileObjective for MeanPayoff {
    const STATED: Option<StatedObjective> = Some(StatedObjective::MeanPayoff);

    fn read(position: &FilePosition) -> NodeData<MeanPayoff> {
        NodeData::On(position.kind())
    }

    fn written(NodeData::On(kind): NodeData<MeanPayoff>) -> FilePosition {
        FilePosition::moved(kind)
    }
}

impl FileObjective for Stochastic {
    fn read(position: &FilePosition) -> NodeData<Stochastic> {
        position.end.map_or(NodeData::On(position.mover), NodeData::End)
    }

    fn written(data: NodeData<Stochastic>) -> FilePosition {
        match data {
            NodeData::End(end) => FilePosition::ended(end),
            NodeData::On(mover) => FilePosition { mover, ..FilePosition::default() },
        }
    }
}
