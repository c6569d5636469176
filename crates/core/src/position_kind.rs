//! Who moves at a position.

use crate::{ByPlayer, Error, Label, Node, Player};

/// Who moves at a position where play goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum PositionKind {
    /// The players bid for the move.
    #[default]
    Bid,
    /// That player moves without a bid.
    Owned(Player),
}

impl Label for PositionKind {
    fn mirror(self) -> PositionKind {
        match self {
            PositionKind::Bid => PositionKind::Bid,
            PositionKind::Owned(player) => PositionKind::Owned(player.other()),
        }
    }
}

impl PositionKind {
    /// The player who moves without a bid.
    pub fn owner(self) -> Option<Player> {
        match self {
            PositionKind::Bid => None,
            PositionKind::Owned(owner) => Some(owner),
        }
    }

    /// Checks that exactly the players who may move here have moves: DP10 2.2 does not say what
    /// happens to a player without one.
    pub(crate) fn check<T>(self, node: Node, moves: ByPlayer<&[T]>) -> Result<(), Error> {
        let position = || node.to_string();
        for player in Player::BOTH {
            match (self.owner().is_none_or(|owner| owner == player), moves[player].is_empty()) {
                (true, true) => return Err(Error::DeadEnd { position: position(), player }),
                (false, false) => return Err(Error::NotTheirs { position: position(), player }),
                _ => {}
            }
        }
        Ok(())
    }
}
