//! What the tests of several games share.

use richman_core::{Game, Player};

/// A small random generator, so that failures repeat.
pub(crate) struct XorShift(pub(crate) u64);

impl XorShift {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        (self.next() >> 11) % bound
    }
}

/// A position after at most `longest` random moves.
pub(crate) fn random_position<G: Game>(game: &G, random: &mut XorShift, longest: u64) -> G::Position {
    let mut position = game.start();
    let mut found = Vec::new();
    for _ in 0..random.below(longest + 1) {
        if game.terminal(&position).is_some() {
            break;
        }
        found.clear();
        game.moves(&position, Player::BOTH[random.below(2) as usize], &mut found);
        position = found.swap_remove(random.below(found.len() as u64) as usize);
    }
    position
}

/// Every position that can be reached from the start, without folding.
pub(crate) fn reachable<G: Game>(game: &G) -> Vec<G::Position> {
    let mut seen = std::collections::HashSet::from([game.start()]);
    let mut positions = vec![game.start()];
    let mut next = 0;
    while let Some(position) = positions.get(next).cloned() {
        next += 1;
        if game.terminal(&position).is_some() {
            continue;
        }
        let mut found = Vec::new();
        for player in Player::BOTH {
            game.moves(&position, player, &mut found);
        }
        positions.extend(found.into_iter().filter(|to| seen.insert(to.clone())));
    }
    positions
}
