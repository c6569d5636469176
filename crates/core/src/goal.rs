//! What a player wants to force.

use std::fmt;

use crate::Player;

/// The result that a player wants to force.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Goal {
    /// A win.
    Win,
    /// At least a draw: that the other player does not win.
    Draw,
}

impl Goal {
    /// Whether `player` has reached it where `winner` has won, or nobody has (`None`).
    pub fn is_reached(self, player: Player, winner: Option<Player>) -> bool {
        match self {
            Goal::Win => winner == Some(player),
            Goal::Draw => winner != Some(player.other()),
        }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Goal::Win => "win",
            Goal::Draw => "draw",
        })
    }
}
