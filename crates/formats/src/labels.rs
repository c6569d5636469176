//! The contents of files about positions and moves, in every form, and their labels for each
//! objective.

use richman_core::{
    ByPlayer, Label, MeanPayoff, NodeData, Parity, ParityPlace, Playable, PositionKind, Priority, Probability, Scores,
    Stochastic, StochasticPlace, Terminal, WinLose,
};

use crate::goal::FileGoal;

/// A position in a file, without its moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FilePlace {
    /// The end of a win-lose game here.
    pub end: Option<Terminal>,
    /// The score at which a scoring game ends here.
    pub score: Option<i64>,
    /// The score added if Alice (or Bob) is to move and cannot.
    pub stuck: Option<ByPlayer<i64>>,
    /// The priority of a parity game.
    pub priority: Option<Priority>,
    /// Who moves.
    pub mover: StochasticPlace,
}

impl FilePlace {
    fn ended(end: Terminal) -> FilePlace {
        FilePlace { end: Some(end), ..FilePlace::default() }
    }

    fn moved(kind: PositionKind) -> FilePlace {
        FilePlace { mover: StochasticPlace::Player(kind), ..FilePlace::default() }
    }

    /// Whether chance moves.
    pub fn is_by_chance(&self) -> bool {
        self.mover == StochasticPlace::Chance
    }

    /// Who moves; a position of chance counts as one with bids.
    pub fn kind(&self) -> PositionKind {
        match self.mover {
            StochasticPlace::Player(kind) => kind,
            StochasticPlace::Chance => PositionKind::Bid,
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
    const GOAL: Option<FileGoal> = None;

    /// The labels of a position. Data without a label in this objective is dropped; files with it
    /// are refused elsewhere.
    fn read(place: &FilePlace) -> NodeData<Self>;

    /// The position in a file with these labels.
    fn written(place: NodeData<Self>) -> FilePlace;
}

impl FileObjective for WinLose {
    fn read(place: &FilePlace) -> NodeData<WinLose> {
        place.end.map_or(NodeData::On(place.kind()), NodeData::End)
    }

    fn written(place: NodeData<WinLose>) -> FilePlace {
        match place {
            NodeData::End(end) => FilePlace::ended(end),
            NodeData::On(kind) => FilePlace::moved(kind),
        }
    }
}

impl FileObjective for Scores {
    fn read(place: &FilePlace) -> NodeData<Scores> {
        place.score.map_or(NodeData::On(place.stuck.unwrap_or_default()), NodeData::End)
    }

    fn written(place: NodeData<Scores>) -> FilePlace {
        match place {
            NodeData::End(score) => FilePlace { score: Some(score), ..FilePlace::default() },
            // This marks a game without other numbers as a scoring game.
            NodeData::On(stuck) => FilePlace { stuck: Some(stuck), ..FilePlace::default() },
        }
    }
}

impl FileObjective for Parity {
    fn read(place: &FilePlace) -> NodeData<Parity> {
        match place.end {
            Some(Terminal::Win(winner)) => NodeData::End(winner),
            Some(Terminal::Draw) | None => {
                NodeData::On(ParityPlace { priority: place.priority.unwrap_or_default(), kind: place.kind() })
            }
        }
    }

    fn written(place: NodeData<Parity>) -> FilePlace {
        match place {
            NodeData::End(winner) => FilePlace::ended(Terminal::Win(winner)),
            // The priority marks a game as a parity game.
            NodeData::On(ParityPlace { priority, kind }) => {
                FilePlace { priority: Some(priority), ..FilePlace::moved(kind) }
            }
        }
    }
}

impl FileObjective for MeanPayoff {
    const GOAL: Option<FileGoal> = Some(FileGoal::MeanPayoff);

    fn read(place: &FilePlace) -> NodeData<MeanPayoff> {
        NodeData::On(place.kind())
    }

    fn written(NodeData::On(kind): NodeData<MeanPayoff>) -> FilePlace {
        FilePlace::moved(kind)
    }
}

impl FileObjective for Stochastic {
    fn read(place: &FilePlace) -> NodeData<Stochastic> {
        place.end.map_or(NodeData::On(place.mover), NodeData::End)
    }

    fn written(place: NodeData<Stochastic>) -> FilePlace {
        match place {
            NodeData::End(end) => FilePlace::ended(end),
            NodeData::On(mover) => FilePlace { mover, ..FilePlace::default() },
        }
    }
}
