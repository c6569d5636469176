//! The objective of a game that is won or lost at an end.

use crate::{
    Aim, AskedQuestion, ByPlayer, End, Error, Label, Node, NodeData, Objective, ObjectiveFacts, Playable, Player,
    PositionKind, Preset, Winnable,
};

/// A player wins, or nobody does. Moves have no labels. Where play goes on, both players need a
/// move [DP10, 2.1], or the one who moves there without a bid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct WinLose;

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Terminal {
    /// That player won.
    Win(Player),
    /// Nobody won.
    Draw,
}

/// That player won.
impl From<Player> for Terminal {
    fn from(winner: Player) -> Terminal {
        Terminal::Win(winner)
    }
}

impl Terminal {
    /// The winner, if there is one.
    pub fn winner(self) -> Option<Player> {
        match self {
            Terminal::Win(player) => Some(player),
            Terminal::Draw => None,
        }
    }
}

impl Label for Terminal {
    fn mirror(self) -> Terminal {
        match self {
            Terminal::Win(player) => Terminal::Win(player.other()),
            Terminal::Draw => Terminal::Draw,
        }
    }
}

impl Objective for WinLose {
    type Move = ();
    type Position = PositionKind;
    type End = Terminal;
    const CYCLES: bool = true;

    fn owner(kind: PositionKind) -> Option<Player> {
        kind.owner()
    }

    fn with_bids(_: PositionKind) -> PositionKind {
        PositionKind::Bid
    }

    fn check(node: Node, data: NodeData<WinLose>, moves: ByPlayer<&[()]>) -> Result<(), Error> {
        match data {
            NodeData::End(_) => Ok(()),
            NodeData::On(kind) => kind.check(node, moves),
        }
    }
}

impl Winnable for WinLose {
    fn winner(end: Terminal) -> Option<Player> {
        end.winner()
    }
}

impl Playable for WinLose {
    const AIM: Aim = Aim::Win;

    const FACTS: ObjectiveFacts = ObjectiveFacts {
        played: "to win",
        questions: &[AskedQuestion::Worth, AskedQuestion::Table],
        preset: Preset::DevelinPayne,
        won_at_end: true,
        counts_points: false,
        need_not_end: false,
        has_chance: false,
        rule: "Chips left over at the end are worth nothing.",
        at_limit: "the match is a draw.",
        so_far: |_| None,
    };

    fn weight((): ()) -> i64 {
        0
    }

    fn end(_: i64, end: Terminal) -> End {
        match end {
            Terminal::Win(player) => End::Win(player),
            Terminal::Draw => End::Draw,
        }
    }

    fn stuck(_: i64, _: PositionKind, _: Player) -> Option<End> {
        None
    }
}
