//! The players, and the outcomes of best play.

use std::fmt;

/// One of the two players. Alice is Left, Max and red; Bob is Right, Min and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Player {
    /// The player whose thresholds are reported.
    Alice,
    /// Her opponent.
    Bob,
}

impl Player {
    /// Both players, Alice first.
    pub const BOTH: [Player; 2] = [Player::Alice, Player::Bob];

    /// The opponent.
    pub fn other(self) -> Player {
        self.either(Player::Bob, Player::Alice)
    }

    /// `alice` for Alice, `bob` for Bob.
    pub fn either<T>(self, alice: T, bob: T) -> T {
        match self {
            Player::Alice => alice,
            Player::Bob => bob,
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.either("Alice", "Bob"))
    }
}

/// The result of best play from given holdings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// That player can force a win.
    Win(Player),
    /// Both players can force at least a draw.
    Draw,
    /// Neither, because play is not determined: possible with sealed bids and ties `marker`.
    Undetermined,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Outcome::Win(Player::Alice) => "alice",
            Outcome::Win(Player::Bob) => "bob",
            Outcome::Draw => "draw",
            Outcome::Undetermined => "undetermined",
        })
    }
}
