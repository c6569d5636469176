//! Positions for tests.

use richman_core::{Player, Walk};

/// A position that both players' moves lead to, before the end.
pub fn random_position(start: &dyn Walk, rng: &mut fastrand::Rng, stones: usize) -> Box<dyn Walk> {
    let mut walk = start.boxed();
    for _ in 0..stones {
        let player = Player::BOTH[rng.usize(..2)];
        let moves = walk.moves(player);
        let mut next = walk.boxed();
        next.play(player, &moves[rng.usize(..moves.len())]).unwrap();
        if next.end().is_none() {
            walk = next;
        }
    }
    walk
}
