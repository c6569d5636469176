//! What each player can force from any state: the interface of chip solutions.

use crate::{Holding, Mechanism, Node, Outcome, Player};

/// The number of moves in which a player can force a win.
pub type Rank = u32;

/// What both players can force from every state of a game with chips. `own` is the player's
/// holding, `other` the opponent's; exactly one has the star, if there is one.
pub trait Forces {
    /// How bids are made, won and paid.
    fn mechanism(&self) -> &Mechanism;

    /// The fewest moves in which `player` forces a win, if they can.
    fn wins_in(&self, player: Player, node: Node, own: Holding, other: Holding) -> Option<Rank>;

    /// Whether `player` can keep the opponent from winning within `moves` moves.
    fn holds_for(&self, moves: u32, player: Player, node: Node, own: Holding, other: Holding) -> bool;

    /// Whether `player` can force at least a draw.
    fn holds(&self, player: Player, node: Node, own: Holding, other: Holding) -> bool {
        self.holds_for(u32::MAX, player, node, own, other)
    }

    /// The result of best play.
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
