//! Arenas to test with: seeded random ones, and families that are hard for solvers.

use fastrand::Rng;
use richman_core::{Arena, ArenaBuilder, Error, Node, Player, Terminal};

/// What a random arena looks like.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// Positions where the game goes on.
    pub positions: u32,
    /// Most moves of one player from one position.
    pub moves: u32,
    /// Whether play may come back to a position, self-loops included.
    pub cyclic: bool,
    /// Whether a play can end without a winner.
    pub draws: bool,
}

impl Shape {
    /// A shape drawn from `rng`, small enough for the oracle.
    pub fn small(rng: &mut Rng) -> Shape {
        Shape { positions: rng.u32(1..=6), moves: rng.u32(1..=3), cyclic: rng.bool(), draws: rng.bool() }
    }
}

/// A random arena: both players' moves are drawn independently, so zugzwang, dead loops and wins that cannot be reached all
/// occur. It starts at the last position.
///
/// # Errors
/// None: the arena has a move for each player wherever the game goes on. The type is the builder's.
pub fn random(shape: Shape, rng: &mut Rng) -> Result<Arena, Error> {
    let mut builder = ArenaBuilder::new();
    builder.terminal(Terminal::Win(Player::Alice));
    builder.terminal(Terminal::Win(Player::Bob));
    if shape.draws {
        builder.terminal(Terminal::Draw);
    }
    let ends = builder.len() as u32;
    for node in ends..ends + shape.positions {
        let reach = if shape.cyclic { ends + shape.positions } else { node };
        let mut moves = |_| -> Vec<Node> {
            let count = rng.u32(1..=shape.moves);
            (0..count).map(|_| if rng.u32(0..4) == 0 { rng.u32(0..ends) } else { rng.u32(0..reach) }).collect()
        };
        let [alice, bob] = Player::BOTH.map(&mut moves);
        builder.position(&alice, &bob);
    }
    let start = builder.len() as u32 - 1;
    builder.build(start)
}

/// A path of `length` positions on which Alice moves one step towards her win and Bob back to the start: a greedy policy
/// circles, and thresholds settle only after many rounds.
///
/// # Errors
/// None; see [`random`].
pub fn long_way_back(length: u32) -> Result<Arena, Error> {
    let mut builder = ArenaBuilder::new();
    builder.terminal(Terminal::Win(Player::Alice));
    builder.terminal(Terminal::Win(Player::Bob));
    let first = builder.len() as u32;
    let last = first + length.max(1) - 1;
    for node in first..=last {
        let back = if node == last { 1 } else { last };
        let forward = if node == first { 0 } else { node - 1 };
        builder.position(&[forward, node], &[back, node]);
    }
    builder.build(last)
}
