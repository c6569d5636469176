//! Games in which stones are placed and stay: about how many positions there are, without looking at all of them.
//!
//! Stone by stone a sample is kept of the positions at which the game goes on. A random move from each leads to positions with
//! a stone more. Such a position is found from each of the b positions that it has without a stone that could be the last; so
//! it is weighted by moves / b, where there were so many moves. The sum of the weights is the number of positions on average:
//! sequential Monte Carlo. Positions at which the game goes on are drawn again by their weights for the next stone. The
//! numbers of boards that have an arena are met within some percent. Symmetric positions are counted once, as if none was
//! symmetric to itself.

use fastrand::Rng;
use richman_core::{ArenaSize, Game, Player};

/// A game in which both players place stones on the same cells, and no stone makes a game go on that is over.
pub(crate) trait Placing: Game {
    /// Appends to `into` the positions with a stone less from which a move could lead to `position`, where the game began at
    /// `start`.
    fn before(&self, position: &Self::Position, start: &Self::Position, into: &mut Vec<Self::Position>);

    /// How many cells have no stone.
    fn open(&self, position: &Self::Position) -> u64;

    /// How many symmetries of the board, the identity included, leave a position as it is.
    fn symmetries(&self, position: &Self::Position) -> u64;
}

/// About how large the arena of what follows on `start` is, with `most` positions where there are more.
pub(crate) fn about_arena<G: Placing>(game: &G, start: &G::Position, most: u64) -> ArenaSize {
    /// How many positions are drawn: twice as many with every stone, since with few stones they hardly differ.
    const FEWEST: usize = 10;
    const MOST: usize = 100;
    let mut rng = Rng::with_seed(1); // any number: the same position gives the same answer
    let (mut moves, mut before) = (Vec::new(), Vec::new());
    let mut sample = vec![start.clone(); if game.terminal(start).is_none() { FEWEST } else { 0 }];
    // With so many stones: how many there are at which the game goes on.
    let mut going_on = 1.0;
    let mut all = 1.0;
    let symmetries = game.symmetries(start) as f64;
    while !sample.is_empty() && all / symmetries < most as f64 {
        let (each, size) = (going_on / sample.len() as f64, MOST.min(2 * sample.len()));
        going_on = 0.0;
        let mut next: Vec<(G::Position, f64)> = Vec::with_capacity(sample.len());
        for from in sample.drain(..) {
            moves.clear();
            before.clear();
            game.moves(&from, Player::BOTH[rng.usize(..2)], &mut moves);
            let ways = 2 * moves.len();
            let to = moves.swap_remove(rng.usize(..moves.len()));
            game.before(&to, start, &mut before);
            let is_over = game.terminal(&to).is_some();
            if is_over {
                before.retain(|from| game.terminal(from).is_none());
            }
            let weight = each * ways as f64 / before.len() as f64;
            all += weight;
            if !is_over {
                going_on += weight;
                next.push((to, weight));
            }
        }
        let step = going_on / size as f64;
        let mut drawn = step * rng.f64();
        for (position, weight) in next {
            while drawn < weight {
                sample.push(position.clone());
                drawn += step;
            }
            drawn -= weight;
        }
    }
    // A move for every cell that is open.
    ArenaSize {
        positions: ((all / symmetries).ceil() as u64).min(most),
        longest_play: Some(game.open(start)),
        margin: 64,
    }
}
