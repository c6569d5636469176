//! What every solution with chips answers: who can force what, from any state.

use crate::{Holding, Mechanism, Node, Outcome, Player};

/// The fewest moves in which a player can force a win.
pub type Rank = u32;

/// What both players can force from every state of a game with chips. `own` is what the player holds and `other` what the other
/// player does; exactly one of them carries the star, where there is one.
pub trait Forces {
    /// How bids are made, won and paid.
    fn mechanism(&self) -> &Mechanism;

    /// The fewest moves in which `player` forces a win, `None` where they cannot.
    fn wins_in(&self, player: Player, node: Node, own: Holding, other: Holding) -> Option<Rank>;

    /// Whether `player` can see to it that the other does not win within `moves` moves.
    fn holds_for(&self, moves: u32, player: Player, node: Node, own: Holding, other: Holding) -> bool;

    /// Whether `player` can force at least a draw.
    fn holds(&self, player: Player, node: Node, own: Holding, other: Holding) -> bool {
        self.holds_for(u32::MAX, player, node, own, other)
    }

    /// What best play leads to.
    fn outcome(&self, node: Node, alice: Holding, bob: Holding) -> Outcome {
        if self.wins_in(Player::Alice, node, alice, bob).is_some() {
            Outcome::Win(Player::Alice)
        } else if self.wins_in(Player::Bob, node, bob, alice).is_some() {
            Outcome::Win(Player::Bob)
        } else if self.holds(Player::Alice, node, alice, bob) && self.holds(Player::Bob, node, bob, alice) {
            Outcome::Draw
        } else {
            Outcome::Undetermined
        }
    }
}
