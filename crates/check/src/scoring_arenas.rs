//! Seeded scoring arenas and mechanisms for tests.

use fastrand::Rng;
use richman_core::{Bids, ByPlayer, Error, Mechanism, Node, Player, Right, ScoringArena, Ties};

use crate::arenas::drawn;

/// The parameters of a random scoring arena.
#[derive(Debug, Clone, Copy)]
pub struct ScoringShape {
    /// Positions other than the two ends.
    pub positions: u32,
    /// The most moves of one player from a position.
    pub moves: u32,
    /// Whether both players have the same moves with opposite weights.
    pub symmetric: bool,
    /// Whether a player may have no move.
    pub stuck: bool,
    /// Whether stuck players lose or gain, and ends have scores.
    pub penalties: bool,
    /// The range of the weights of Alice's moves; Bob's are negated.
    pub weights: (i64, i64),
}

impl ScoringShape {
    /// A shape drawn from `rng`, small enough for the oracle. Negative weights make zugzwangs.
    pub fn small(rng: &mut Rng) -> ScoringShape {
        ScoringShape {
            positions: rng.u32(1..=6),
            moves: rng.u32(1..=3),
            symmetric: rng.bool(),
            stuck: rng.bool(),
            penalties: rng.bool(),
            weights: if rng.bool() { (0, 3) } else { (-3, 3) },
        }
    }
}

/// A random scoring arena that starts at the last position.
///
/// # Errors
/// None: it has no cycle and its numbers are small.
pub fn random(shape: ScoringShape, rng: &mut Rng) -> Result<ScoringArena, Error> {
    let score = |rng: &mut Rng| if shape.penalties { rng.i64(-4..=4) } else { 0 };
    let ends = [score(rng), score(rng)];
    drawn(&ends, shape.positions.max(1), |node| {
        let moves = |rng: &mut Rng| -> Vec<(Node, i64)> {
            let least = u32::from(!shape.stuck || rng.u32(0..3) > 0);
            let count = rng.u32(least..=shape.moves.max(least));
            // Mostly late positions, so that plays are long.
            let to = |rng: &mut Rng| if rng.bool() { node - 1 } else { rng.u32(0..node) };
            (0..count).map(|_| (to(rng), rng.i64(shape.weights.0..=shape.weights.1))).collect()
        };
        let alice = moves(rng);
        let bob = if shape.symmetric { alice.clone() } else { moves(rng) };
        let bob = bob.into_iter().map(|(to, weight)| (to, -weight)).collect();
        let stuck = match (score(rng), score(rng)) {
            (alice, _) if shape.symmetric => ByPlayer::new(alice, -alice),
            (alice, bob) => ByPlayer { alice, bob },
        };
        ([alice, bob], stuck)
    })
}

/// A random mechanism for scoring games where somebody can always bid with `total` chips.
pub fn mechanism(total: u32, rng: &mut Rng) -> Mechanism {
    let bids = match rng.u32(0..3) {
        0 => Bids::All,
        kind => {
            let mut amounts: Vec<u32> = (0..=total + 1).filter(|_| rng.bool()).collect();
            // With or without 0, somebody can always bid.
            if kind == 1 {
                amounts.push(0);
            } else {
                amounts.push(rng.u32(0..=total.div_ceil(2)));
            }
            amounts.sort_unstable();
            amounts.dedup();
            Bids::Only(amounts)
        }
    };
    let ties = if rng.bool() { Ties::Marker } else { Ties::Advantage };
    let right = if rng.bool() { Right::Moves } else { Right::Chooses };
    Mechanism { ties, right, bids, ..Mechanism::default() }
}

/// The value of alternating play from `node`, without bids, if `first` moves first.
pub fn alternating(arena: &ScoringArena, node: Node, first: Player) -> i64 {
    if let Some(score) = arena.terminal(node) {
        return score;
    }
    let after = arena.labelled(node, first).map(|(to, weight)| weight + alternating(arena, to, first.other()));
    let best = if first == Player::Alice { after.max() } else { after.min() };
    best.unwrap_or_else(|| arena.stuck(node, first))
}
